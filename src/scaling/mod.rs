//! Measures how a job scales, and compares measurements.

pub mod count;
pub mod measurement;
pub mod reports;
