//! The hardware: CPUs and how they are grouped, and what work costs.

pub mod cost;
pub mod profile;
pub mod topology;
