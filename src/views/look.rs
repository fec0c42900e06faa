//! Palette and task colours as the canvases of the page need them: made anew when the theme or the tasks change,
//! shared between frames.

use crate::paint::{Palette, TaskInk};
use crate::store::FrameContext;
use std::rc::Rc;

/// See the module.
pub struct Look {
    /// Theme.
    pub palette: Rc<Palette>,
    /// Names and colours of tasks.
    pub ink: Rc<TaskInk>,
    theme: Option<u32>,
    tasks: Option<(u32, usize)>,
}

impl Default for Look {
    fn default() -> Look {
        Look { palette: Rc::new(Palette::read(|_| String::new())), ink: Rc::default(), theme: None, tasks: None }
    }
}

impl Look {
    /// Follows the page; tells whether something changed.
    pub fn refresh(&mut self, context: &FrameContext) -> bool {
        let theme = Some(context.tokens.version());
        let is_new_theme = self.theme != theme;
        if is_new_theme {
            self.theme = theme;
            if let Some(palette) = Palette::from_document() {
                self.palette = Rc::new(palette);
            }
        }
        let frames = context.frames;
        let tasks = Some((frames.run, frames.tasks.len()));
        let has_new_tasks = self.tasks != tasks;
        if has_new_tasks {
            self.tasks = tasks;
            let groups = frames.loaded.as_ref().map_or(&[][..], |loaded| &loaded.groups);
            self.ink = Rc::new(TaskInk::new(frames.tasks.iter(), groups));
        }
        is_new_theme || has_new_tasks
    }
}
