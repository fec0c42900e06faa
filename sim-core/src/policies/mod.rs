//! The registry: one folder per scheduler family, one line here per folder.

pub mod bfs;
pub mod cfs;
pub mod classroom;
pub mod eevdf;
pub mod goodness;
pub mod muqss;
pub mod nicksched;
pub mod o1;
pub mod staircase;
pub mod staircase_deadline;
#[cfg(test)]
mod template;

use crate::policy::PolicyEntry;

/// Families in historical order; each holds its versions in historical order.
#[rustfmt::skip]
pub static REGISTRY: &[&[PolicyEntry]] = &[
    goodness::POLICIES,
    o1::POLICIES,
    nicksched::POLICIES,
    staircase::POLICIES,
    staircase_deadline::POLICIES,
    cfs::POLICIES,
    bfs::POLICIES,
    muqss::POLICIES,
    eevdf::POLICIES,
    classroom::POLICIES,
];

/// All policies.
pub fn all() -> impl Iterator<Item = &'static PolicyEntry> {
    REGISTRY.iter().flat_map(|family| family.iter())
}

/// The policy with this key.
pub fn find(key: &str) -> Option<&'static PolicyEntry> {
    all().find(|entry| entry.info.key == key)
}
