//! How a search scales with threads, and why it does not scale further.
//!
//! Each layer uses those below it, and nothing above:
//!
//! ```text
//! forms        a Report -> text, JSON, Markdown, CSV, HTML, pictures
//! compare      reports side by side
//! points       times that other tools measured               -> Report
//! report       from the runs to a Report, with its sentences (explain, diagnosis) and
//!              its warnings; its data are its JSON
//!
//! forecast     the measured pieces, dealt to more cores       -> Forecast
//! resident     memory of each thread count, and its growth    -> MemoryGrowth
//! laws         a law fitted to times, with intervals          -> FitOutcome
//! pop          the places under the names of POP           -> Efficiencies
//! workers      who was busy when, and where the time went     -> Workers, Losses
//!
//! timer        a run of this program, each piece timed        -> Run
//! measure      interleaved runs of every thread count         -> Series of Runs
//!
//! threads      a command's threads, observed from outside     -> Observation
//! conditions   the machine meanwhile, and its capacity        -> Conditions, Capacity
//! counters     the processor's own counters during a run      -> Counts
//! topology     the machine's processors, fast and slow        -> Machine, Places
//! ```
//!
//! Nothing here knows a puzzle: a run is a closure from a [`measure::Setting`] to a [`measure::Run`]. So the same code
//! measures a real search, and in tests a simulated one whose result is known.

mod analysis;
mod cells;
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
pub mod laws;
pub mod measure;
pub mod pinning;
pub mod points;
pub mod pop;
pub mod report;
pub mod resident;
pub mod sentence;
pub mod threads;
#[doc(hidden)]
pub mod timer;
pub mod topology;
pub mod warnings;
pub mod workers;
