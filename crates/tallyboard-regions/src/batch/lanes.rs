//! Vectors of rows: a lane holds one row of one board, and as many boards are worked on at once as there are lanes.

use std::fmt::Debug;

/// The row of a board as a set of columns: a word with a bit for each.
pub trait Word: Copy + Default + PartialEq + Debug + Send + Sync + 'static {
    /// The most columns.
    const BITS: usize;
    /// The lanes of a block.
    const LANES: usize;
    /// A word for each lane.
    type Block: Copy + AsRef<[Self]> + AsMut<[Self]> + Send + Sync;
    /// A block of zeros.
    const ZEROS: Self::Block;

    /// The low bits of `row`.
    fn of(row: u32) -> Self;

    /// The same bits.
    fn row(self) -> u32;
}

/// 64 bytes in memory, aligned as vectors need them.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct Block<W, const LANES: usize>(pub [W; LANES]);

impl<W, const LANES: usize> AsRef<[W]> for Block<W, LANES> {
    #[inline(always)]
    fn as_ref(&self) -> &[W] {
        &self.0
    }
}

impl<W, const LANES: usize> AsMut<[W]> for Block<W, LANES> {
    #[inline(always)]
    fn as_mut(&mut self) -> &mut [W] {
        &mut self.0
    }
}

impl Word for u16 {
    const BITS: usize = 16;
    const LANES: usize = 32;
    type Block = Block<u16, 32>;
    const ZEROS: Self::Block = Block([0; 32]);

    #[inline(always)]
    fn of(row: u32) -> Self {
        row as u16
    }

    #[inline(always)]
    fn row(self) -> u32 {
        self.into()
    }
}

impl Word for u32 {
    const BITS: usize = 32;
    const LANES: usize = 16;
    type Block = Block<u32, 16>;
    const ZEROS: Self::Block = Block([0; 16]);

    #[inline(always)]
    fn of(row: u32) -> Self {
        row
    }

    #[inline(always)]
    fn row(self) -> u32 {
        self
    }
}

/// A block in registers. Conditions are lanes of all ones or all zeros.
pub trait Lanes: Copy {
    /// What a lane holds.
    type Word: Word;

    /// # Safety
    /// The CPU has the instructions of the implementing type, here and for every other operation: no other makes a first value.
    unsafe fn splat(word: u32) -> Self;
    /// # Safety
    /// As for [`splat`](Self::splat).
    unsafe fn load(block: &<Self::Word as Word>::Block) -> Self;
    fn store(self, block: &mut <Self::Word as Word>::Block);
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    /// The bits of `self` that `other` lacks.
    fn without(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    /// `self - 1`, wrapping.
    fn less_one(self) -> Self;
    fn plus(self, other: Self) -> Self;
    /// Each bit one column higher.
    fn up(self) -> Self;
    /// Each bit one column lower.
    fn down(self) -> Self;
    /// All bits at or below the highest one.
    fn fill_down(self) -> Self;
    fn equals(self, other: Self) -> Self;
    /// The number of bits of each lane.
    fn ones(self) -> Self;
    /// A bit for each lane of a condition, the first lane lowest.
    fn bits(self) -> u32;
}

/// A search for each width of words and number of stars, compiled by the macro of a kernel. Each is a function of its own: the
/// optimiser takes far longer for one function that all of them are inlined into.
macro_rules! kernel {
    ($compiled:ident, $narrow:ty, $wide:ty) => {
        super::lanes::kernel! {
            $compiled, one_narrow $narrow, 2; two_narrow $narrow, 3; three_narrow $narrow, 4;
            one_wide $wide, 2; two_wide $wide, 3; three_wide $wide, 4
        }
    };
    ($compiled:ident, $($name:ident $vector:ty, $more:literal);*) => {
        $compiled! {$(
            /// [`search`] with these instructions, for this width and number of stars.
            pub fn $name(
                size: usize,
                limits: Limits,
                tasks: &mut dyn Tasks,
                stop: &Stop,
            ) -> Result<(), Stopped> {
                // SAFETY: this function is compiled for the instructions of these vectors.
                unsafe { search::<$vector, $more>(size, limits, tasks, stop) }
            }
        )*}
    };
}
pub(super) use kernel;
