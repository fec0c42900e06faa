//! Palette and task colours as the canvases of the page need them: made anew when the theme or the tasks change,
//! shared between frames.

use crate::paint::{ColourBy, Palette, Roles, TaskInk};
use crate::store::{FrameContext, Shared};
use sim_core::engine::protocol::StructuresView;
use std::rc::Rc;

/// See the module.
pub struct Look {
    /// Theme.
    pub palette: Rc<Palette>,
    /// Names and colours of tasks.
    pub ink: Rc<TaskInk>,
    theme: Option<u32>,
    tasks: Option<(u32, usize)>,
    roles: Shared<StructuresView>,
}

impl Default for Look {
    fn default() -> Look {
        Look {
            palette: Rc::new(Palette::read(|_| String::new())),
            ink: Rc::default(),
            theme: None,
            tasks: None,
            roles: Shared::default(),
        }
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
        is_new_theme || has_new_tasks || self.refresh_roles(context, has_new_tasks)
    }

    /// Roles change with every answer, so they are read only where colours show them.
    fn refresh_roles(&mut self, context: &FrameContext, has_new_tasks: bool) -> bool {
        if context.colour_by != Some(ColourBy::Structure) {
            return false;
        }
        let view = context.frames.lanes.get(usize::from(context.lane)).and_then(|lane| lane.structures.clone());
        let view = Shared::of(&view);
        if self.roles == view && !has_new_tasks {
            return false;
        }
        let roles = view.as_ref().map(|view| Roles::of(view)).unwrap_or_default();
        self.roles = view;
        let is_new = *self.ink.roles() != roles;
        Rc::make_mut(&mut self.ink).set_roles(roles);
        is_new
    }

    /// What task colours mean.
    pub fn colour_by(&self, chosen: Option<ColourBy>) -> ColourBy {
        chosen.unwrap_or_else(|| self.ink.colour_by_default())
    }
}
