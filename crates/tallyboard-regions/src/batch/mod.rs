//! Many boards at once, one in each lane of a vector: 32 boards of up to 16 rows, or 16 larger ones.

mod confine;
mod lanes;
mod portable;
mod round;
mod search;
mod starve;

pub use search::{Limits, Start, Tasks, plain};

use crate::solutions::PATIENCE;
use tallyboard_base::cpu::{Instructions, in_kernel, kernel_modules};
use tallyboard_search::{Stop, Stopped};

kernel_modules!();

/// Whether boards with so many stars in each row are searched in lanes.
pub fn has_lanes(stars: usize) -> bool {
    stars <= 3
}

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
    macro_rules! call {
        ($search:ident) => {
            in_kernel!(instructions, $search(size, limits, tasks, stop))
        };
    }
    match (size <= u16::BITS as usize, stars) {
        (true, 1) => call!(one_narrow),
        (true, 2) => call!(two_narrow),
        (true, 3) => call!(three_narrow),
        (false, 1) => call!(one_wide),
        (false, 2) => call!(two_wide),
        (false, 3) => call!(three_wide),
        _ => plain(limits, stars, PATIENCE, tasks, stop),
    }
}
