//! The operations on vectors of words that the batch algorithm uses.

/// A vector of `N` words, each of them one part of a node.
///
/// A first value comes from [`splat`](Self::splat) or [`load`](Self::load). These are unsafe: the CPU has to
/// have the instructions. Arithmetic is safe, since a value exists only on such a CPU.
pub trait Lanes: Copy {
    /// One part of a node.
    type Word: Copy;
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
