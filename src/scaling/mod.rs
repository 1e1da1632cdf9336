//! Measures how a job scales, and compares measurements.

pub mod count;
mod machine_probe;
pub mod measurement;
pub mod reports;
