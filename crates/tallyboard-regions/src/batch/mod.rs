//! Many boards at once, one in each lane of a vector: 32 boards of up to 16 rows, or 16 larger ones.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod confine;
mod lanes;
#[cfg(target_arch = "aarch64")]
mod neon;
mod portable;
mod round;
mod search;
mod starve;

pub use search::{Limits, Start, Tasks, plain};

use tallyboard_base::cpu::{Instructions, in_kernel};
use tallyboard_search::{Stop, Stopped};

/// Searches all boards of `tasks` within `limits`. All have `size` rows with `stars` stars in each.
///
/// # Errors
/// [`Stopped`] once `stop` is raised. The boards under way are not [finished](Tasks::finished) then.
pub fn run(
    instructions: Instructions,
    size: usize,
    stars: usize,
    limits: Limits,
    tasks: &mut dyn Tasks,
    stop: &Stop,
) -> Result<(), Stopped> {
    in_kernel!(instructions, run(size, stars, limits, tasks, stop))
}
