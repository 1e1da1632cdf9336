//! Measures how a job scales, and compares measurements.

mod core_probe;
pub mod count;
mod machine_probe;
pub mod measurement;
pub mod reports;
pub mod task;
