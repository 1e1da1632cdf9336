//! The same work at several thread counts: times, speed-up and efficiency.

mod measure;

pub use measure::{Measurement, Report, measure, thread_ladder};
