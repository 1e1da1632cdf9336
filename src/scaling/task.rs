//! One run of a measurement.

use tallyboard_scale::measure::Setting;
use tallyboard_scale::topology::Places;
use tallyboard_search::Stop;

/// The setting of a run, its places, and the flag that stops it.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    pub setting: &'a Setting,
    /// Processors for the workers and for the other threads.
    pub places: &'a Places,
    /// Requested when a signal ends the measurement. The run has to end soon after.
    pub stop: &'a Stop,
}
