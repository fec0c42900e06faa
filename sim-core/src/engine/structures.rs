//! Answer to `Structures`: writes down the shapes that a policy names.

use super::lane::Lane;
use super::protocol::{GaugeView, IDLE, PanelView, ShapeView, ShareRowView, StructuresView};
use super::views;
use crate::inspect::{
    Cell, Chip, Entity, Gauge, KeyMark, MarkKind, MatrixRow, Score, ShareCell, ShareRow, Span, StructureVisitor,
    TreeNode,
};
use crate::units::{CpuId, Nanos};

/// Shapes of one CPU, collected.
#[derive(Default)]
struct Collector {
    panels: Vec<PanelView>,
}

impl Collector {
    fn shape(&mut self, shape: ShapeView) {
        if self.panels.is_empty() {
            self.panel(0, "", None);
        }
        if let Some(panel) = self.panels.last_mut() {
            panel.shapes.push(shape);
        }
    }
}

impl StructureVisitor for Collector {
    fn panel(&mut self, id: u32, label: &'static str, cpu: Option<CpuId>) {
        self.panels.push(PanelView { id, label: label.into(), cpu: cpu.map(|cpu| cpu.0), shapes: Vec::new() });
    }

    fn list(&mut self, label: &'static str, chips: &mut dyn Iterator<Item = Chip>) {
        self.shape(ShapeView::List { label: label.into(), chips: chips.map(views::chip).collect() });
    }

    fn slots(&mut self, label: &'static str, len: u32, first_normal: u32, at: &mut dyn Iterator<Item = (u32, Chip)>) {
        let at = at.map(|(slot, chip)| (slot, views::chip(chip))).collect();
        self.shape(ShapeView::Slots { label: label.into(), len, first_normal, at });
    }

    fn bitmap(&mut self, label: &'static str, words: &[u64], len: u32, hit: Option<u32>) {
        self.shape(ShapeView::Bitmap { label: label.into(), words: words.to_vec(), len, hit });
    }

    fn tree(
        &mut self,
        label: &'static str,
        root: Option<u32>,
        leftmost: Option<u32>,
        floor: i64,
        nodes: &mut dyn Iterator<Item = TreeNode>,
    ) {
        let nodes = nodes.map(views::node).collect();
        self.shape(ShapeView::Tree { label: label.into(), root, leftmost, floor, nodes });
    }

    fn gauge(&mut self, gauge: Gauge) {
        self.shape(ShapeView::Gauge(views::gauge(gauge)));
    }

    fn entity_gauge(&mut self, entity: Entity, gauge: Gauge) {
        self.shape(ShapeView::EntityGauge(views::entity(entity), views::gauge(gauge)));
    }

    fn matrix_row(&mut self, row: MatrixRow, cells: &mut dyn Iterator<Item = Cell>) {
        let number = |cell| match cell {
            Cell::Forbidden => 0,
            Cell::Allowed => 1,
            Cell::Used => 2,
            Cell::Current => 3,
            Cell::Entry => 4,
        };
        let MatrixRow { entity, nice, place } = row;
        let cells = cells.map(number).collect();
        self.shape(ShapeView::MatrixRow { entity: entity.map(views::entity), nice, place: place.into(), cells });
    }

    fn lock(&mut self, label: &'static str, holder: Option<CpuId>, spinners: u32, utilisation_permille: u32) {
        let holder = holder.map(|cpu| cpu.0);
        self.shape(ShapeView::Lock { label: label.into(), holder, spinners, utilisation_permille });
    }

    fn key_mark(&mut self, mark: KeyMark) {
        let KeyMark { label, kind, from, to } = mark;
        self.shape(ShapeView::KeyMark { label: label.into(), is_band: kind == MarkKind::Band, from, to });
    }

    fn spans(&mut self, label: &'static str, line: &'static str, at: i64, spans: &mut dyn Iterator<Item = Span>) {
        let spans = spans.map(views::span).collect();
        self.shape(ShapeView::Spans { label: label.into(), line: line.into(), at, spans });
    }

    fn score(&mut self, score: Score, terms: &mut dyn Iterator<Item = Gauge>) {
        self.shape(ShapeView::Score(views::score(score, terms)));
    }

    fn meter(&mut self, entity: Entity, gauge: Gauge, target: i64) {
        self.shape(ShapeView::Meter(views::entity(entity), views::gauge(gauge), target));
    }

    fn lamp(&mut self, entity: Entity, label: &'static str, lit: bool) {
        self.shape(ShapeView::Lamp(views::entity(entity), label.into(), lit));
    }

    fn share_row(&mut self, row: ShareRow, cells: &mut dyn Iterator<Item = ShareCell>) {
        let ShareRow { group, parent, shares, tasks } = row;
        let cells = cells.map(|cell| (cell.weight, cell.target, cell.pretended)).collect();
        let parent = parent.map(|parent| parent.0);
        self.shape(ShapeView::ShareRow(ShareRowView { group: group.0, parent, shares, tasks, cells }));
    }
}

/// Structures of `cpu` after everything at `t`.
pub fn structures(lane: &mut Lane, index: u8, t: Nanos, cpu: u16) -> StructuresView {
    let cpu = cpu.min(lane.kernel().cpus() - 1);
    let machine = lane.state_at(t);
    let mut collector = Collector::default();
    machine.sim.visit_structures(CpuId(cpu), &mut collector);
    let curr = machine.sim.kernel().curr(CpuId(cpu)).map_or(IDLE, |task| task.0);
    StructuresView { lane: index, t: machine.now(), cpu, panels: collector.panels, curr }
}

/// Scheduling facts of `task` in a machine.
pub fn facts(machine: &crate::timetravel::Machine, task: u32) -> Vec<GaugeView> {
    let mut facts = Vec::new();
    if (task as usize) < machine.sim.kernel().tasks().len() {
        machine.sim.task_gauges(crate::units::TaskId(task), &mut |gauge| facts.push(views::gauge(gauge)));
    }
    facts
}
