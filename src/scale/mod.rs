//! How a search scales with threads, and why it does not scale further.
//!
//! ```text
//! measure      interleaved runs of every thread count         -> Series
//! notes        on each piece of work of each worker           -> Span
//! workers      who was busy when, where the time went         -> Workers, Losses
//! threads      a command's threads, seen from outside     -> Watched, Losses
//! counters     what the processor counted of a run        -> Counts
//! ceiling      what the machine gives, by probe        -> Ceiling
//! diagnosis    the main cause of what is lost              -> Cause
//! forecast     the measured pieces on more cores              -> Forecast
//! laws         Amdahl's, Gustafson's, the scalability law     -> Curve
//! model        a law fitted, with intervals                   -> Fit
//! granularity  what splitting finer costs and gains           -> Granularity
//! analysis     all of these together                          -> Report, serialisable
//! report       a Report -> table, JSON, CSV, Extra-P lines, HTML
//! compare      two reports side by side
//! ```
//!
//! Nothing here knows a puzzle: a run is a closure from a [`measure::Setting`]
//! to a [`measure::Run`], so that the same code measures a real search and a
//! simulated one whose answer is known.

mod analysis;
pub mod ceiling;
pub mod compare;
pub mod conditions;
pub mod counters;
pub mod diagnosis;
mod explain;
pub mod forecast;
pub mod granularity;
pub mod laws;
pub mod measure;
pub mod model;
#[doc(hidden)]
pub mod notes;
#[cfg(all(target_os = "linux", feature = "cli"))]
mod perf_events;
mod pinning;
pub mod probe;
pub mod report;
#[doc(hidden)]
pub mod resplit;
pub mod threads;
pub mod topology;
mod warnings;
pub mod workers;

pub use crate::statistics::Interval;
