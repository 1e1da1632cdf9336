//! How a search scales with threads, and why it does not scale further.
//!
//! Each layer uses those below it, and nothing above:
//!
//! ```text
//! forms        a Report -> text, JSON, CSV, Extra-P lines, HTML, pictures
//! compare      reports side by side
//! points       times that other tools measured               -> Report
//! analysis     from the runs to the Report, with its sentences (explain, caveats,
//!              diagnosis, slower_cores, times_alone) and its warnings
//! report       the data of a Report, which is its JSON
//!
//! forecast     the measured pieces, dealt to more cores        -> Forecast
//! resident     memory of each thread count, and its growth   -> MemoryGrowth
//! granularity  what splitting finer costs and gains            -> Granularity
//! model        a law (laws) fitted to times, with intervals    -> FitOutcome
//! losses       where the time of a run went                    -> Losses
//!
//! timer        a run of this program, each piece timed         -> Run
//! probe        clock, bandwidth and latency of the machine     -> Capacity
//! measure      interleaved runs of every thread count          -> Series of Runs
//!
//! workers      who was busy when                               -> Workers
//! threads      a command's threads, observed from outside      -> Observation
//! conditions   the machine meanwhile, and its ceilings         -> Conditions
//! counters     the processor's own counters during a run       -> Counts
//! topology     the machine's processors                        -> Machine, Places
//! kinds        fast cores and slow cores                       -> CoreKind, CoreCapacity
//! ```
//!
//! Nothing here knows a puzzle: a run is a closure from a [`measure::Setting`] to a [`measure::Run`]. So the same code
//! measures a real search, and in tests a simulated one whose result is known.

mod analysis;
mod caches;
mod caveats;
pub mod ceiling;
mod cells;
mod cgroup;
pub mod compare;
pub mod conditions;
pub mod counters;
pub mod diagnosis;
mod explain;
#[cfg(test)]
#[path = "../../tallyboard-base/src/system/fake_files.rs"]
mod fake_files;
pub mod forecast;
pub mod forms;
pub mod granularity;
pub mod kinds;
pub mod laws;
pub mod losses;
pub mod measure;
pub mod model;
pub mod pinning;
pub mod points;
pub mod probe;
#[doc(hidden)]
pub mod regrouping;
pub mod report;
pub mod resident;
mod slower_cores;
pub mod threads;
#[doc(hidden)]
pub mod timer;
mod times_alone;
pub mod topology;
pub mod warnings;
pub mod workers;
