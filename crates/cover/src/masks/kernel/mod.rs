//! The searches over masks, written once over vectors of different width.
//!
//! A kernel never allocates per node (its memory grows now and then), prints or spawns.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod counts;
mod lanes;
mod narrow;
#[cfg(target_arch = "aarch64")]
mod neon;
mod node;
mod portable;
mod search;

use super::machine::Machine;
use super::{Ask, Start};
use ::search::{Halt, Pace};
use base::cpu::{Instructions, in_kernel};

/// The functions of a kernel, compiled by the macro `$compile` with the proof `$proof`, over the vectors `$lanes`:
/// `$name`, which answers questions, and the counts for each number of words.
macro_rules! compile_kernel {
    ($compile:ident, $proof:ty, $lanes:ty, $name:ident) => {
        $crate::masks::kernel::compile_kernel!(
            $compile, $proof, $lanes, $name,
            1 count_1 run_1, 2 count_2 run_2, 3 count_3 run_3, 4 count_4 run_4, 6 count_6 run_6, 8 count_8 run_8
        );
    };
    ($compile:ident, $proof:ty, $lanes:ty, $name:ident, $($words:literal $count:ident $run:ident),*) => {
        $compile! {$(
            fn $count(proof: $proof, job: narrow::Narrow<'_, '_>) -> Result<u128, ::search::Halt> {
                // SAFETY: this function is compiled for these instructions.
                unsafe { search::count_narrow::<$lanes, $words>(proof, job) }
            }

            fn $run(
                proof: $proof,
                machine: &mut $crate::masks::machine::Machine,
                start: $crate::masks::Start<'_>,
                ask: &mut $crate::masks::Ask<'_>,
                pace: &mut ::search::Pace<'_>,
            ) -> Result<u128, ::search::Halt> {
                // SAFETY: this function is compiled for these instructions.
                unsafe { search::run::<$lanes, $words>(proof, machine, start, ask, pace) }
            }
        )*}

        /// Answers `ask` about the node `start`, whose masks have this number of words.
        pub(super) fn $name(
            proof: $proof,
            machine: &mut $crate::masks::machine::Machine,
            start: $crate::masks::Start<'_>,
            ask: &mut $crate::masks::Ask<'_>,
            pace: &mut ::search::Pace<'_>,
        ) -> Result<u128, ::search::Halt> {
            match start.open.len() {
                $($words => $run(proof, proof, machine, start, ask, pace),)*
                words => unreachable!("masks have no {words} words"),
            }
        }

        fn count_narrow(
            words: usize,
            proof: $proof,
            job: narrow::Narrow<'_, '_>,
        ) -> Result<u128, ::search::Halt> {
            match words {
                $($words => $count(proof, proof, job),)*
                words => unreachable!("masks have no {words} words"),
            }
        }
    };
}
use compile_kernel;

/// Answers `ask` about the node `start`.
///
/// # Errors
/// [`Halt`] if the search was stopped, took more nodes than it may or found more than 2^128 covers.
pub(super) fn run(
    instructions: Instructions,
    machine: &mut Machine,
    start: Start<'_>,
    ask: &mut Ask<'_>,
    pace: &mut Pace<'_>,
) -> Result<u128, Halt> {
    in_kernel!(instructions, run(machine, start, ask, pace))
}
