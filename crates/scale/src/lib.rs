//! How a search scales with threads, and why it does not scale further.
//!
//! ```text
//! measure      interleaved runs of every thread count         -> Series
//! notes        each piece of work of each worker, timed        -> Span
//! workers      who was busy when, where the time went         -> Workers, Losses
//! threads      a command's threads, observed from outside      -> Observation, Losses
//! counters     the processor's own counters during a run       -> Counts
//! probe        clock, bandwidth and latency of the machine     -> Capacity
//! ceiling      capacity before and after the runs              -> Ceiling
//! diagnosis    the main cause of lost time                     -> Cause
//! forecast     the measured pieces, dealt to more cores        -> Forecast
//! laws         Amdahl's, Gustafson's, the scalability law     -> Curve
//! model        a law fitted, with intervals                    -> FitOutcome
//! granularity  what splitting finer costs and gains           -> Granularity
//! analysis     all figures together                            -> Report, serialisable
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
#[cfg(test)]
#[path = "../../base/src/system/made.rs"]
mod made;
pub mod measure;
pub mod model;
#[doc(hidden)]
pub mod notes;
#[cfg(all(target_os = "linux", feature = "counters"))]
mod perf_events;
mod pinning;
pub mod probe;
#[doc(hidden)]
pub mod regrouping;
pub mod report;
pub mod threads;
pub mod topology;
mod warnings;
pub mod workers;

pub use base::statistics::Interval;
