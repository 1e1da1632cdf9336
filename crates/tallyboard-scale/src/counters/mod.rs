//! The processor's counters during a run: instructions, cycles and cache misses in programs, without the kernel's.
//!
//! Linux counts for the calling thread and for the threads and programs that it starts from then on. Most virtual
//! machines have no such counters.

mod counts;
#[cfg(all(target_os = "linux", feature = "counters"))]
mod perf_events;

pub use counts::{CounterScope, Counts, Growth};
pub(crate) use counts::{bandwidth, clock};
#[cfg(all(target_os = "linux", feature = "counters"))]
pub use perf_events::Counters;

/// A type without values: counters are read on Linux only.
#[cfg(not(all(target_os = "linux", feature = "counters")))]
#[derive(Debug)]
pub enum Counters {}

#[cfg(not(all(target_os = "linux", feature = "counters")))]
impl Counters {
    /// Refuses, with the reason in words.
    pub fn start(_: CounterScope) -> Result<Self, String> {
        Err("read on Linux only".to_owned())
    }

    /// Never called, as there is no value.
    pub fn finish(self, _: f64) -> Option<Counts> {
        match self {}
    }
}
