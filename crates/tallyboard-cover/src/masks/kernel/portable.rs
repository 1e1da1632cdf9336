//! One option at a time in plain arithmetic, for every CPU.

use super::{Job, Lanes, compile_kernel, search};
use crate::masks::Question;
use tallyboard_base::cpu::operations;
use tallyboard_search::{Halt, NodeBudget};

/// Counts the covers of the search `job`.
pub(super) fn count(words: usize, job: Job<'_>, budget: &mut NodeBudget<'_>) -> Result<u128, Halt> {
    count_with(Plain, words, job, budget)
}

/// Answers `question` about the node of the search `job`.
pub(super) fn look(words: usize, job: Job<'_>, question: Question<'_>) -> u128 {
    look_with(Plain, words, job, question)
}

/// Every CPU has these instructions.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plain;

/// Functions for every CPU: the counterpart of the macros that compile for some CPUs. As with theirs, none is inlined. A function that
/// contained the code for all widths would take the optimiser far longer.
macro_rules! plain {
    ($($vis:vis fn $name:ident($($arg:ident: $type:ty),* $(,)?) $(-> $out:ty)? $body:block)*) => {$(
        #[inline(never)]
        $vis fn $name(_: Plain, $($arg: $type),*) $(-> $out)? $body
    )*};
}

compile_kernel!(plain, Plain, Word, count_with, look_with);

#[derive(Clone, Copy)]
struct Word(u64);

impl Lanes for Word {
    type Proof = Plain;
    type Mask = bool;
    const N: usize = 1;
    const STAGES: usize = 0;

    operations! {
        unsafe {
            fn splat(word: u64) -> Self = Self(word);
            fn load(from: *const u64) -> Self = Self(from.read());
            fn store(self, to: *mut u64) = to.write(self.0);
            // What is not kept is written, too: the trait leaves open what stands behind the words that are kept.
            fn squeeze(self, _mask: bool, to: *mut u64) = to.write(self.0);
            fn first(count: usize) -> bool = count > 0;
        }

        fn or(self, other: Self) -> Self = Self(self.0 | other.0);
        fn and(self, other: Self) -> Self = Self(self.0 & other.0);
        fn xor(self, other: Self) -> Self = Self(self.0 ^ other.0);
        fn or_and(self, b: Self, c: Self) -> Self = Self(self.0 | b.0 & c.0);
        fn xor3(self, b: Self, c: Self) -> Self = Self(self.0 ^ b.0 ^ c.0);
        fn majority(self, b: Self, c: Self) -> Self = Self(self.0 & b.0 | (self.0 ^ b.0) & c.0);
        fn keep(self, mask: bool) -> Self = Self(self.0 & u64::from(mask).wrapping_neg());
        fn zeros(self) -> bool = self.0 == 0;
        fn both(a: bool, b: bool) -> bool = a & b;
        fn bits(mask: bool) -> u32 = mask.into();
    }

    // One lane: nothing is folded.

    #[inline(always)]
    #[allow(unused_unsafe)]
    fn fold<const STAGE: usize>(a: Self, b: Self) -> (Self, Self) {
        (a, b)
    }

    #[inline(always)]
    fn other_half<const STAGE: usize>(self) -> Self {
        self
    }

    #[inline(always)]
    fn place(word: usize) -> (usize, usize) {
        (word, 0)
    }

    #[inline(always)]
    fn count(
        proof: Plain,
        words: usize,
        job: Job<'_>,
        budget: &mut NodeBudget<'_>,
    ) -> Result<u128, Halt> {
        count_with(proof, words, job, budget)
    }
}
