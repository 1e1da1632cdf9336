//! The searches over masks, written once over vectors of different width.
//!
//! A kernel never allocates per node (its memory grows now and then), prints or spawns.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod counts;
mod job;
mod lanes;
#[cfg(target_arch = "aarch64")]
mod neon;
mod node;
mod portable;
mod search;

use job::Job;

use super::workspace::Workspace;
use super::{Question, StartNode};
use tallyboard_base::cpu::{Instructions, in_kernel};
use tallyboard_search::{Halt, NodeBudget};

/// The functions of a kernel, compiled by the macro `$compile` with the proof `$proof`, over the vectors `$lanes`:
/// `$count` and `$look`, and what they call for each number of words.
macro_rules! compile_kernel {
    ($compile:ident, $proof:ty, $lanes:ty, $count:ident, $look:ident) => {
        $crate::masks::kernel::compile_kernel!(
            $compile, $proof, $lanes, $count, $look,
            1 count_1 look_1, 2 count_2 look_2, 3 count_3 look_3, 4 count_4 look_4, 6 count_6 look_6, 8 count_8 look_8
        );
    };
    (
        $compile:ident, $proof:ty, $lanes:ty, $count:ident, $look:ident,
        $($words:literal $count_words:ident $look_words:ident),*
    ) => {
        $compile! {$(
            fn $count_words(
                proof: $proof,
                job: job::Job<'_>,
                budget: &mut tallyboard_search::NodeBudget<'_>,
            ) -> Result<u128, tallyboard_search::Halt> {
                // SAFETY: this function is compiled for these instructions.
                unsafe { search::count::<$lanes, $words>(proof, job, budget) }
            }

            fn $look_words(job: job::Job<'_>, question: $crate::masks::Question<'_>) -> u128 {
                // SAFETY: this function is compiled for these instructions.
                unsafe { search::look::<$lanes, $words>(job, question) }
            }
        )*}

        /// Counts the covers of the search `job`, whose masks have this number of words.
        pub(super) fn $count(
            proof: $proof,
            words: usize,
            job: job::Job<'_>,
            budget: &mut tallyboard_search::NodeBudget<'_>,
        ) -> Result<u128, tallyboard_search::Halt> {
            match words {
                $($words => $count_words(proof, proof, job, budget),)*
                words => unreachable!("masks have no {words} words"),
            }
        }

        /// Answers `question` about the node of the search `job`, whose masks have this number of words.
        pub(super) fn $look(
            proof: $proof,
            words: usize,
            job: job::Job<'_>,
            question: $crate::masks::Question<'_>,
        ) -> u128 {
            match words {
                $($words => $look_words(proof, job, question),)*
                words => unreachable!("masks have no {words} words"),
            }
        }
    };
}
use compile_kernel;

/// Counts the covers of the node `start`.
///
/// # Errors
/// [`Halt`] if the search was stopped, took more nodes than it may or found more than 2^128 covers.
pub(crate) fn count(
    instructions: Instructions,
    workspace: &mut Workspace,
    start: StartNode<'_>,
    budget: &mut NodeBudget<'_>,
) -> Result<u128, Halt> {
    in_kernel!(instructions, count(start.open.len(), Job::at(start, workspace), budget))
}

/// Answers `question` about the node `start`.
pub(super) fn look(
    instructions: Instructions,
    workspace: &mut Workspace,
    start: StartNode<'_>,
    question: Question<'_>,
) -> u128 {
    in_kernel!(instructions, look(start.open.len(), Job::at(start, workspace), question))
}
