//! Task names with their colour, alone and in sentences.

use crate::paint::{ColourBy, TaskInk};
use crate::store::{Shared, use_frames};
use sim_core::engine::protocol::{EntityView, IDLE, Loaded, TaskView};
use std::rc::Rc;
use yew::prelude::*;

/// New tasks get their names at most this often, ms.
const NAMES_MS: u32 = 300;

/// Names and colours of the run.
#[derive(Clone, Default)]
pub struct Names {
    tasks: Rc<Vec<TaskView>>,
    ink: Rc<TaskInk>,
    groups: Vec<String>,
}

impl PartialEq for Names {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.tasks, &other.tasks)
    }
}

impl Names {
    fn of(tasks: &Shared<Vec<TaskView>>, loaded: &Shared<Loaded>) -> Self {
        let tasks = tasks.0.clone().unwrap_or_default();
        let groups = loaded.as_ref().map(|loaded| loaded.groups.clone()).unwrap_or_default();
        let ink = TaskInk::new(tasks.iter(), &groups);
        Self { tasks, ink: Rc::new(ink), groups }
    }

    /// Name of a task.
    pub fn task(&self, task: u32) -> &str {
        self.tasks.get(task as usize).map_or("", |view| view.name.as_str())
    }

    /// Name of a group.
    pub fn group(&self, group: u16) -> &str {
        self.groups.get(usize::from(group)).map_or("", String::as_str)
    }

    /// Tasks of a workload that run from its start.
    pub fn of_workload(&self, workload: usize) -> impl Iterator<Item = &TaskView> {
        self.tasks.iter().filter(move |task| task.starts && usize::from(task.workload) == workload)
    }

    /// All tasks.
    pub fn tasks(&self) -> &[TaskView] {
        &self.tasks
    }

    /// Task of this name.
    pub fn by_name(&self, name: &str) -> Option<u32> {
        self.tasks.iter().find(|task| task.name == name).map(|task| task.id)
    }

    /// Class of a task's swatch.
    pub fn swatch(&self, task: u32) -> Classes {
        swatch_class(self.ink.ink(task, self.ink.colour_by_default()).slot)
    }

    /// Class of a task's swatch by program.
    pub fn program_swatch(&self, task: u32) -> Classes {
        swatch_class(self.ink.ink(task, ColourBy::Program).slot)
    }
}

/// Names and colours of the present run; renders again when they change.
#[hook]
pub fn use_names() -> Names {
    let known = use_frames(NAMES_MS, |context| {
        let frames = context.frames;
        (Shared::some(&frames.tasks), Shared::of(&frames.loaded))
    });
    (*use_memo(known, |(tasks, loaded)| Names::of(tasks, loaded))).clone()
}

/// Class of a swatch in a task colour.
pub fn swatch_class(slot: u8) -> Classes {
    classes!("sw", format!("c{slot}"))
}

/// A task or group with its colour.
pub fn entity_name(names: &Names, entity: EntityView) -> Html {
    match entity {
        EntityView::Task(task) => task_name(names, task),
        EntityView::Group(group) => {
            html! { <b>{ names.group(group) }</b> }
        }
    }
}

/// A task with its colour.
pub fn task_name(names: &Names, task: u32) -> Html {
    if task == IDLE {
        return html! { <span class="t3">{ crate::text::inspector::IDLE }</span> };
    }
    html! { <span class="tk"><i class={names.swatch(task)} /><b>{ names.task(task) }</b></span> }
}

/// A sentence of the engine; names of tasks in it get their colour.
pub fn sentence(names: &Names, text: &str) -> Html {
    let words = text.split_inclusive(' ').map(|word| {
        let bare = word.trim_end_matches([' ', ',', '.', ';', ':']);
        let rest = &word[bare.len()..];
        match names.by_name(bare) {
            Some(task) => html! { <>{ task_name(names, task) }{ rest }</> },
            None if bare.chars().next().is_some_and(|first| first.is_ascii_digit()) => {
                html! { <><b>{ bare }</b>{ rest }</> }
            }
            None => html! { { word } },
        }
    });
    html! { <>{ for words }</> }
}
