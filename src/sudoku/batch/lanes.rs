//! Vectors of 32-bit lanes, one state a lane: the few operations that the engine is written in.

/// A vector whose 32-bit lanes belong to different states, mostly of different puzzles.
///
/// Operations act on every lane alike. A set of lanes is a `u32`, bit `i` for lane `i`.
pub trait Lanes: Copy {
    /// The number of lanes, at most [`MAX_LANES`].
    const COUNT: usize;

    /// `word` in every lane.
    fn splat(word: u32) -> Self;
    /// All ones in these lanes, zero in the others.
    fn only(lanes: u32) -> Self;
    /// The lanes as integers.
    fn words(&self) -> &[u32];
    /// The lanes as integers.
    fn words_mut(&mut self) -> &mut [u32];

    /// `self & other`
    fn and(self, other: Self) -> Self;
    /// `self | other`
    fn or(self, other: Self) -> Self;
    /// `self & !other`
    fn without(self, other: Self) -> Self;
    /// `self ^ other`
    fn xor(self, other: Self) -> Self;
    /// `self + other`, modulo 2^32.
    fn add(self, other: Self) -> Self;
    /// Each lane moved up by `K` bits.
    fn up<const K: u32>(self) -> Self;
    /// Each lane moved down by `K` bits.
    fn down<const K: u32>(self) -> Self;
    /// The lowest bit of each lane.
    fn lowest_bit(self) -> Self;
    /// The set of lanes that are the same in both.
    fn same(self, other: Self) -> u32;

    /// The first lanes from `words`, which holds at least [`Self::COUNT`].
    #[inline(always)]
    fn load(words: &[u32]) -> Self {
        let mut vector = Self::splat(0);
        vector.words_mut().copy_from_slice(&words[..Self::COUNT]);
        vector
    }

    /// `self`, but in the lanes `to`, in order, the lanes `from` of `other`, of which there are at least
    /// as many. Cheapest where several vectors in a row are treated alike.
    #[inline(always)]
    fn with(mut self, to: u32, other: Self, from: u32) -> Self {
        for (to, from) in Set(to).zip(Set(from)) {
            self.words_mut()[to] = other.words()[from];
        }
        self
    }

    /// `self | b | c`
    #[inline(always)]
    fn or3(self, b: Self, c: Self) -> Self {
        self.or(b).or(c)
    }

    /// `self & b & c`
    #[inline(always)]
    fn and3(self, b: Self, c: Self) -> Self {
        self.and(b).and(c)
    }

    /// `self ^ b ^ c`
    #[inline(always)]
    fn xor3(self, b: Self, c: Self) -> Self {
        self.xor(b).xor(c)
    }

    /// The bits set in at least two of the three.
    #[inline(always)]
    fn two_of(self, b: Self, c: Self) -> Self {
        self.and(b.or(c)).or(b.and(c))
    }

    /// `self` where `mask` is set, `other` elsewhere.
    #[inline(always)]
    fn or_else(self, mask: Self, other: Self) -> Self {
        self.and(mask).or(other.without(mask))
    }

    /// `self | (a & b)`
    #[inline(always)]
    fn or_both(self, a: Self, b: Self) -> Self {
        self.or(a.and(b))
    }

    /// `self | (a & !b)`
    #[inline(always)]
    fn or_unless(self, a: Self, b: Self) -> Self {
        self.or(a.without(b))
    }

    /// `self & !(a & b)`
    #[inline(always)]
    fn without_both(self, a: Self, b: Self) -> Self {
        self.without(a.and(b))
    }

    /// `self & !(a & !b)`
    #[inline(always)]
    fn without_unless(self, a: Self, b: Self) -> Self {
        self.without(a.without(b))
    }

    /// `self & !(a | b)`
    #[inline(always)]
    fn without_any(self, a: Self, b: Self) -> Self {
        self.without(a.or(b))
    }

    /// `self & !(a ^ b)`
    #[inline(always)]
    fn without_change(self, a: Self, b: Self) -> Self {
        self.without(a.xor(b))
    }

    /// `self | (a ^ b)`
    #[inline(always)]
    fn or_change(self, a: Self, b: Self) -> Self {
        self.or(a.xor(b))
    }
}

/// The most lanes that a vector has; a power of two.
pub const MAX_LANES: usize = 16;

/// The lanes of a set, in order.
pub struct Set(pub u32);

impl Iterator for Set {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let lane = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        // Lets the compiler see that the lane is inside arrays of MAX_LANES.
        Some(lane % MAX_LANES)
    }
}

/// Portable lanes; compilers turn the loops into whatever vectors the target has.
impl<const N: usize> Lanes for [u32; N] {
    const COUNT: usize = N;

    #[inline(always)]
    fn splat(word: u32) -> Self {
        [word; N]
    }

    #[inline(always)]
    fn only(lanes: u32) -> Self {
        let mut vector = [0; N];
        for (lane, word) in vector.iter_mut().enumerate() {
            *word = 0u32.wrapping_sub(lanes >> lane & 1);
        }
        vector
    }

    #[inline(always)]
    fn words(&self) -> &[u32] {
        self
    }

    #[inline(always)]
    fn words_mut(&mut self) -> &mut [u32] {
        self
    }

    #[inline(always)]
    fn and(mut self, other: Self) -> Self {
        for lane in 0..N {
            self[lane] &= other[lane];
        }
        self
    }

    #[inline(always)]
    fn or(mut self, other: Self) -> Self {
        for lane in 0..N {
            self[lane] |= other[lane];
        }
        self
    }

    #[inline(always)]
    fn without(mut self, other: Self) -> Self {
        for lane in 0..N {
            self[lane] &= !other[lane];
        }
        self
    }

    #[inline(always)]
    fn xor(mut self, other: Self) -> Self {
        for lane in 0..N {
            self[lane] ^= other[lane];
        }
        self
    }

    #[inline(always)]
    fn add(mut self, other: Self) -> Self {
        for lane in 0..N {
            self[lane] = self[lane].wrapping_add(other[lane]);
        }
        self
    }

    #[inline(always)]
    fn up<const K: u32>(mut self) -> Self {
        for word in &mut self {
            *word <<= K;
        }
        self
    }

    #[inline(always)]
    fn down<const K: u32>(mut self) -> Self {
        for word in &mut self {
            *word >>= K;
        }
        self
    }

    #[inline(always)]
    fn lowest_bit(mut self) -> Self {
        for word in &mut self {
            *word &= word.wrapping_neg();
        }
        self
    }

    #[inline(always)]
    fn same(self, other: Self) -> u32 {
        let mut lanes = 0;
        for lane in 0..N {
            lanes |= u32::from(self[lane] == other[lane]) << lane;
        }
        lanes
    }
}
