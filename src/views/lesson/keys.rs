//! Keys of a lesson: digits answer, Enter checks, Space and the presenter's PageDown go on, PageUp goes back.

use crate::store::Stage;
use crate::store::course::CourseAction;
use web_sys::KeyboardEvent;

/// Does what the key says in a lesson; false if it says nothing there.
pub fn pressed(stage: &Stage, event: &KeyboardEvent) -> bool {
    let Some(asks) = stage.live.lesson_asks() else { return false };
    let digit = event.key().parse::<u16>().ok().filter(|digit| (1..=9).contains(digit));
    let action = match (event.code().as_str(), digit) {
        ("PageDown", _) => CourseAction::Turn(1),
        ("PageUp", _) => CourseAction::Turn(-1),
        ("Space", _) if asks => return true,
        ("Space", _) => CourseAction::Turn(1),
        ("Enter" | "NumpadEnter", _) if asks => CourseAction::Check,
        (_, Some(digit)) if asks => CourseAction::ChooseFocused(digit - 1),
        _ => return false,
    };
    stage.course.dispatch(action);
    true
}
