//! What the batch algorithm works on: starts, the stacks of their nodes, and vectors of words.

use tallyboard_base::array::array;

/// The groups of four words that the trail of a node takes, in words of 16 bits.
pub const GROUPS_OF_16_BITS: usize = 1;
/// The same in words of 32 bits.
pub const GROUPS_OF_32_BITS: usize = 2;

/// Bytes of one part of a batch; every kernel's batch fits.
const BATCH_BYTES: usize = 1024;
/// Bytes of one part of a row's stack. A stack holds less than a batch before a batch of children is pushed to
/// it. The push adds at most a batch, rounded up to a whole vector, and writes one vector past the end.
const PART_BYTES: usize = 2 * BATCH_BYTES + 128;
const STACK_BYTES: usize = 4 * PART_BYTES;

/// Memory for the stacks of one count; made once and used for many.
#[derive(Debug)]
pub struct StackMemory(Vec<CacheLine>);

#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
struct CacheLine([u8; 64]);

impl StackMemory {
    /// Memory enough to count starts of `rows` rows by any kernel.
    pub fn new(rows: usize) -> Self {
        Self(vec![CacheLine([0; 64]); rows * STACK_BYTES / size_of::<CacheLine>()])
    }

    /// Memory enough to tally the squares of such starts.
    pub fn with_trails(rows: usize) -> Self {
        Self::new(rows * (1 + GROUPS_OF_32_BITS))
    }
}

/// The stacks of all rows, as the algorithm sees them.
pub(super) struct Stacks<V: Lanes, const G: usize> {
    base: *mut V::Word,
    /// The number of nodes in each.
    pub len: [usize; MAX_ROWS],
}

impl<V: Lanes, const G: usize> Stacks<V, G> {
    pub fn new(memory: &mut StackMemory, rows: usize) -> Self {
        const { assert!(V::BATCH * size_of::<V::Word>() <= BATCH_BYTES) };
        const { assert!(V::N * size_of::<V::Word>() <= 64 && V::BATCH.is_multiple_of(V::N)) };
        assert!(
            rows * (1 + G) * STACK_BYTES <= size_of_val(memory.0.as_slice()),
            "too little memory"
        );
        Self { base: memory.0.as_mut_ptr().cast(), len: [0; MAX_ROWS] }
    }

    /// Where the four parts of row `row`'s stack begin.
    #[inline(always)]
    pub fn parts(&self, row: usize) -> [*mut V::Word; 4] {
        array(|part| self.part(row, part))
    }

    /// Where part `part` of row `row`'s stack begins; from 4 on these are the words of the trails.
    #[inline(always)]
    pub fn part(&self, row: usize, part: usize) -> *mut V::Word {
        let words = PART_BYTES / size_of::<V::Word>();
        self.base.wrapping_add((4 * (1 + G) * row + part) * words)
    }
}

// The operations on vectors of words that the batch algorithm uses.

/// A vector of `N` words, each of them one part of a node.
///
/// A first value comes from [`splat`](Self::splat) or [`load`](Self::load). These are unsafe: the CPU has to
/// have the instructions. Arithmetic is safe, since a value exists only on such a CPU.
pub trait Lanes: Copy {
    /// One part of a node.
    type Word: Copy + Into<u32>;
    /// A distance by which all lanes are shifted.
    type Distance: Copy;
    /// One truth value for each lane.
    type Mask: Copy;
    /// Nodes in a vector.
    const N: usize;
    /// Nodes in a batch: enough to keep vectors full, few enough for the first-level cache.
    const BATCH: usize;

    /// `value` in every lane, cut to the word's width.
    ///
    /// # Safety
    /// The CPU has the instructions of this implementation.
    unsafe fn splat(value: u32) -> Self;
    /// Reads `N` words.
    ///
    /// # Safety
    /// The CPU has the instructions of this implementation; `from` is valid for `N` words.
    unsafe fn load(from: *const Self::Word) -> Self;
    /// Writes `N` words.
    ///
    /// # Safety
    /// `to` is valid for `N` words.
    unsafe fn store(self, to: *mut Self::Word);
    /// For each part, writes the words of the lanes in `mask` without gaps, and arbitrary words after them:
    /// `N` words in all. Returns the number of lanes in `mask`.
    ///
    /// # Safety
    /// Each pointer is valid for `N` words.
    unsafe fn squeeze(mask: Self::Mask, parts: [Self; 4], to: [*mut Self::Word; 4]) -> usize;
    /// Prepares a distance for [`up`](Self::up) and [`down`](Self::down).
    ///
    /// # Safety
    /// The CPU has the instructions of this implementation; `distance` is below a word's width.
    unsafe fn distance(distance: u32) -> Self::Distance;

    /// Shifts towards higher columns.
    fn up(self, distance: Self::Distance) -> Self;
    /// Shifts towards lower columns.
    fn down(self, distance: Self::Distance) -> Self;
    /// `self | other`
    fn or(self, other: Self) -> Self;
    /// `self & other`
    fn and(self, other: Self) -> Self;
    /// `self ^ other`
    fn xor(self, other: Self) -> Self;
    /// `self | (b & c)`
    fn or_and(self, b: Self, c: Self) -> Self;
    /// `!(self | b | c)`
    fn nor(self, b: Self, c: Self) -> Self;
    /// The low half of the product of two words.
    fn times(self, other: Self) -> Self;
    /// `self & (self - 1)`
    fn without_lowest(self) -> Self;

    /// Lanes where `self & other` is not zero.
    fn meets(self, other: Self) -> Self::Mask;
    /// Lanes where `self` equals `other`.
    fn equals(self, other: Self) -> Self::Mask;
    /// Lanes in both masks.
    fn both(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// Lanes in `a` and not in `b`.
    fn but_not(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// How many lanes are in the mask.
    fn lanes(mask: Self::Mask) -> u64;
}

// What a kernel completes: the rows that still need a queen, and their open squares.

/// Upper bound on the rows of a start.
pub const MAX_ROWS: usize = 32;

/// Upper bound on the rows ahead at which a kernel looks: it shifts by the sum of at most this many successive
/// gaps.
pub(super) const MAX_ROWS_AHEAD: usize = 3;

/// A board with some lines filled, seen from one side.
///
/// `k` rows and `k` columns still need a queen. The rows are listed in the order in which the kernel fills
/// them, each with the distance to the next one, as there may be filled rows between them. Attacked and
/// closed squares are not in `open`, so a kernel has to keep track of its own queens only.
///
/// ```text
///   row   gap  open               . open   # attacked or closed
///    2     1   # . . # . .
///    3     3   . . # . . #        the next row of this start is 3 further on
///    6     -   # . . . # .
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Start {
    rows: usize,
    gap: [u32; MAX_ROWS],
    open: [u32; MAX_ROWS],
    columns: u32,
    /// The largest sum of [`MAX_ROWS_AHEAD`] successive gaps.
    reach: u32,
}

impl Start {
    /// A start from its rows, each with its position on the board and its open squares (bit =
    /// column), in ascending or descending order of position. `columns` are those without a queen,
    /// as many as there are rows. The leftmost of them becomes column 0.
    pub fn new(columns: u32, rows: impl ExactSizeIterator<Item = (u32, u32)>) -> Self {
        debug_assert_eq!(columns.count_ones() as usize, rows.len());
        let shift = columns.trailing_zeros().min(31);
        let columns = columns >> shift;
        let mut start =
            Self { rows: 0, gap: [0; MAX_ROWS], open: [0; MAX_ROWS], columns, reach: 0 };
        let mut previous = None;
        for (index, (position, open)) in rows.enumerate() {
            if let Some(previous) = previous {
                start.gap[index - 1] = position.abs_diff(previous);
            }
            start.open[index] = (open >> shift) & columns;
            start.rows += 1;
            previous = Some(position);
        }
        let reaches = start.gap.windows(MAX_ROWS_AHEAD).map(|gaps| gaps.iter().sum());
        start.reach = reaches.max().unwrap_or(0);
        start
    }

    /// The number of rows, and of columns, that need a queen.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The distance from row `index` to the next one of this start.
    pub fn gap(&self, index: usize) -> u32 {
        self.gap[index]
    }

    /// The open squares of row `index`.
    pub fn open(&self, index: usize) -> u32 {
        self.open[index]
    }

    /// The columns without a queen; bit 0 is the first of them.
    pub fn columns(&self) -> u32 {
        self.columns
    }

    /// Whether all columns fit into 16 bits and a kernel never shifts by 16 or more.
    pub fn fits_16_bits(&self) -> bool {
        self.columns >> 16 == 0 && self.reach < 16
    }
}
