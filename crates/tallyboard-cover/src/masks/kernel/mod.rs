//! The searches over masks, written once over vectors of different width.
//!
//! A kernel never allocates per node (its memory grows now and then), prints or spawns.

mod counts;
mod portable;
mod search;

use super::bits::{Extraction, copy_words};
use super::workspace::{List, Workspace};
use super::{MAX_WORDS, Question, StartNode};
use tallyboard_base::cpu::{Instructions, in_kernel, kernel_modules};
use tallyboard_search::{Halt, NodeBudget};

kernel_modules!();

/// The functions of a kernel, compiled by the macro `$compile` with the proof `$proof`, over the vectors `$lanes`:
/// `$count` and `$look`, and what they call for each number of words.
macro_rules! compile_kernel {
    ($compile:ident, $proof:ty, $lanes:ty, $count:ident, $look:ident) => {
        $crate::masks::kernel::compile_kernel!(
            $compile, $proof, $lanes, $count, $look,
            1 count_1 look_1, 2 count_2 look_2, 3 count_3 look_3, 4 count_4 look_4, 8 count_8 look_8
        );
    };
    (
        $compile:ident, $proof:ty, $lanes:ty, $count:ident, $look:ident,
        $($words:literal $count_words:ident $look_words:ident),*
    ) => {
        $compile! {$(
            fn $count_words(
                proof: $proof,
                job: Job<'_>,
                budget: &mut tallyboard_search::NodeBudget<'_>,
            ) -> Result<u128, tallyboard_search::Halt> {
                // SAFETY: this function is compiled for these instructions.
                unsafe { search::count::<$lanes, $words>(proof, job, budget) }
            }

            fn $look_words(job: Job<'_>, question: $crate::masks::Question<'_>) -> u128 {
                // SAFETY: this function is compiled for these instructions.
                unsafe { search::look::<$lanes, $words>(job, question) }
            }
        )*}

        /// Counts the covers of the search `job`, whose masks have this number of words.
        pub(super) fn $count(
            proof: $proof,
            words: usize,
            job: Job<'_>,
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
            job: Job<'_>,
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
/// [`Halt`] if the search was stopped, took more nodes than it may or found more covers than fit in 128 bits.
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

// The input of a search: a node, and the rules of its masks.

/// A search below one node. As many words of each array are used as the masks have.
pub struct Job<'a> {
    pub workspace: &'a mut Workspace,
    pub list: List,
    pub open: [u64; MAX_WORDS],
    pub forbidden: [u64; MAX_WORDS],
    pub plain: [u64; MAX_WORDS],
    pub digits: [u64; MAX_WORDS],
    pub is_mixed: bool,
    /// The index from which the arena of the workspace is free.
    pub top: usize,
}

impl<'a> Job<'a> {
    /// The search below a node with the masks of the root.
    pub fn at(start: StartNode<'_>, workspace: &'a mut Workspace) -> Self {
        workspace.clear();
        Self {
            list: workspace.root,
            open: padded(start.open),
            forbidden: padded(start.forbidden),
            plain: padded(&start.encoded.plain),
            digits: padded(&start.encoded.digits),
            is_mixed: start.encoded.is_mixed,
            top: workspace.top(start.open.len()),
            workspace,
        }
    }
}

/// The words of a mask, followed by zeros.
fn padded(mask: &[u64]) -> [u64; MAX_WORDS] {
    let mut words = [0; MAX_WORDS];
    copy_words(&mut words, mask);
    words
}

// The operations on vectors of masks that the search uses.

/// A vector of `N` words: the same word of the masks of `N` options.
///
/// The first values are made by [`splat`](Self::splat) or [`load`](Self::load), which are unsafe because the CPU has to have the
/// instructions. Arithmetic is safe, because values exist only on such a CPU.
pub trait Lanes: Copy {
    /// Proof of the instructions.
    type Proof: Copy;
    /// One truth value for each lane.
    type Mask: Copy;
    /// Options in a vector.
    const N: usize;
    /// The number of halvings from `N` lanes to one.
    const STAGES: usize;

    /// `word` in every lane.
    ///
    /// # Safety
    /// The CPU has the instructions of this implementation.
    unsafe fn splat(word: u64) -> Self;
    /// Reads `N` words.
    ///
    /// # Safety
    /// The CPU has the instructions of this implementation; `from` is valid for `N` words.
    unsafe fn load(from: *const u64) -> Self;
    /// Writes `N` words.
    ///
    /// # Safety
    /// `to` is valid for `N` words.
    unsafe fn store(self, to: *mut u64);
    /// Writes the words of the lanes in `mask` without gaps, and arbitrary words after them: at most `N` words in
    /// all.
    ///
    /// # Safety
    /// `to` is valid for `N` words.
    unsafe fn squeeze(self, mask: Self::Mask, to: *mut u64);
    /// The first `count` lanes, or all if there are no more.
    ///
    /// # Safety
    /// The CPU has the instructions of this implementation.
    unsafe fn first(count: usize) -> Self::Mask;

    /// `self | other`
    fn or(self, other: Self) -> Self;
    /// `self & other`
    fn and(self, other: Self) -> Self;
    /// `self ^ other`
    fn xor(self, other: Self) -> Self;
    /// `self | (b & c)`
    fn or_and(self, b: Self, c: Self) -> Self;
    /// `self ^ b ^ c`
    fn xor3(self, b: Self, c: Self) -> Self;
    /// The bits in at least two of `self`, `b` and `c`.
    fn majority(self, b: Self, c: Self) -> Self;
    /// The words of the lanes in `mask`, and zeros elsewhere.
    fn keep(self, mask: Self::Mask) -> Self;
    /// The lanes that are zero.
    fn zeros(self) -> Self::Mask;
    /// The lanes in both masks.
    fn both(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// A bit for each lane, the first one lowest.
    fn bits(mask: Self::Mask) -> u32;
    /// Two vectors whose sum has in half of its lanes the sums of two lanes of `a` each, and in the other half those of `b`. So
    /// the two stages of AVX2 make one vector out of four, in which each lane is the sum of all lanes of one of the four:
    ///
    /// ```text
    /// stage 0   a0 a1 b0 b1 + a2 a3 b2 b3 = a02 a13 b02 b13       likewise c02 c13 d02 d13
    /// stage 1   a02 c02 b02 d02 + a13 c13 b13 d13 = a c b d
    /// ```
    fn fold<const STAGE: usize>(a: Self, b: Self) -> (Self, Self);
    /// A vector whose sum with this one is that of [`fold`](Self::fold) of this vector with itself. It may be used in place of
    /// `fold` in all stages, or in the last one only.
    fn other_half<const STAGE: usize>(self) -> Self;

    /// The bits of `word` under the mask of `extraction`, without gaps.
    #[inline(always)]
    fn extract(extraction: &Extraction, word: u64, _proof: Self::Proof) -> u64 {
        extraction.extract(word)
    }

    /// The vector and the lane that have the sum of word `word` after all stages.
    fn place(word: usize) -> (usize, usize);
    /// Counts covers of masks of `words` words, in a function compiled for these instructions.
    fn count(
        proof: Self::Proof,
        words: usize,
        job: Job<'_>,
        budget: &mut tallyboard_search::NodeBudget<'_>,
    ) -> Result<u128, tallyboard_search::Halt>;
}

/// Whether no bit is set.
#[inline(always)]
pub fn is_zero<const W: usize>(mask: &[u64; W]) -> bool {
    let mut any = 0;
    for i in 0..W {
        any |= mask[i];
    }
    any == 0
}
