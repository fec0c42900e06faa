//! Data structures and procedures that several schedulers share; policies never import each other.

pub mod bitmap;
pub mod ck;
pub mod domain_balance;
pub mod load_avg;
pub mod load_mover;
pub mod nice;
pub mod prio_array;
pub mod rb_tree;
pub mod rt_balance;
pub mod skip_list;
pub mod task_lists;
