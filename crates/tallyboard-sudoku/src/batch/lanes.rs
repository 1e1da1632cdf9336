//! Vectors of 32-bit lanes, one state a lane: the few operations that the engine is written in.

use std::hint::black_box;
use std::ops::{Add, BitAnd, BitOr, BitXor, Not, Shl, Shr};

/// A bitwise function of three vectors, a single instruction on CPUs that have one for it:
/// `fused!(a, b, c => a | b & !c)`. An operand is a variable, or a new name with its value:
/// `a = words[0]`. The optimizer fuses operators, too, but not always those that pay.
macro_rules! fused {
    ($a:ident $(= $x:expr)?, $b:ident $(= $y:expr)?, $c:ident $(= $z:expr)? => $formula:expr) => {{
        const TABLE: i32 = {
            let ($a, $b, $c) = (0b1111_0000, 0b1100_1100, 0b1010_1010);
            ($formula) & 0b1111_1111
        };
        $(let $a = $x;)?
        $(let $b = $y;)?
        $(let $c = $z;)?
        $a.ternary::<TABLE>($b, $c, $formula)
    }};
}
pub(super) use fused;

/// Implements the operators of `$vector(register)` by instructions with two operands, through the
/// `intrinsic!` of the module.
#[cfg(target_arch = "x86_64")]
macro_rules! operators {
    ($vector:ident {
        $($operator:ident::$method:ident: $instruction:ident,)+
        << $left:ident, >> $right:ident $(,)?
    }) => {
        $(impl std::ops::$operator for $vector {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(intrinsic!($instruction(self.0, other.0)))
            }
        })+

        impl std::ops::Not for $vector {
            type Output = Self;

            #[inline(always)]
            fn not(self) -> Self {
                self ^ Self::splat(u32::MAX)
            }
        }

        impl std::ops::Shl<u32> for $vector {
            type Output = Self;

            #[inline(always)]
            fn shl(self, bits: u32) -> Self {
                Self(intrinsic!($left(self.0, Self::splat(bits).0)))
            }
        }

        impl std::ops::Shr<u32> for $vector {
            type Output = Self;

            #[inline(always)]
            fn shr(self, bits: u32) -> Self {
                Self(intrinsic!($right(self.0, Self::splat(bits).0)))
            }
        }
    };
}
#[cfg(target_arch = "x86_64")]
pub(super) use operators;

/// A vector of 32-bit lanes, each of which belongs to another state.
///
/// Operators act on every lane alike, as on integers that wrap around. A set of lanes is a `u32`, bit `i` for
/// lane `i`.
pub trait Lanes:
    Copy
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Add<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
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
    /// The set of lanes that are the same in both.
    fn same(self, other: Self) -> u32;

    /// The function of three vectors with this truth table (see [`fused`]); `plain` is its value, computed
    /// by operators.
    #[inline(always)]
    fn ternary<const TABLE: i32>(self, _b: Self, _c: Self, plain: Self) -> Self {
        plain
    }

    /// The bits set in at least two of the three.
    #[inline(always)]
    fn majority(self, b: Self, c: Self) -> Self {
        fused!(a = self, b, c => a & (b | c) | b & c)
    }

    /// The bits of `set` where `self` has ones, and of `clear` where it has zeros.
    #[inline(always)]
    fn select(self, set: Self, clear: Self) -> Self {
        fused!(mask = self, set, clear => mask & set | !mask & clear)
    }

    /// The lowest bit that is set in each lane; zero in a lane without any.
    #[inline(always)]
    fn lowest_bit(self) -> Self {
        self & (!self + Self::splat(1))
    }

    /// The first [`Self::COUNT`] of `words`, a lane each.
    #[inline(always)]
    fn load(words: &[u32]) -> Self {
        let mut vector = Self::splat(0);
        for lane in 0..Self::COUNT {
            vector.words_mut()[lane] = words[lane];
        }
        vector
    }

    /// `self` with its lanes `to` replaced, in order, by the lanes `from` of `other`, of which there are
    /// at least as many. Consecutive calls with equal `to` and `from` are cheapest.
    #[inline(always)]
    fn with(mut self, to: u32, other: Self, from: u32) -> Self {
        let mut from = Set(from);
        for to in Set(to) {
            let Some(from) = from.next() else { break };
            self.words_mut()[to] = other.words()[from];
        }
        self
    }
}

/// The number of ones in each lane.
#[inline(always)]
pub fn ones<V: Lanes>(word: V) -> V {
    let (two, four) = (V::splat(0x5555_5555), V::splat(0x3333_3333));
    let word = (word & two) + (word >> 1 & two);
    let word = (word & four) + (word >> 2 & four);
    let word = (word + (word >> 4)) & V::splat(0x0f0f_0f0f);
    let word = word + (word >> 8);
    (word + (word >> 16)) & V::splat(0x3f)
}

/// Upper bound on the lanes of a vector; a power of two.
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

/// Portable lanes, at most eight; compilers make of them whatever vectors the target has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Words<const N: usize>(pub [u32; N]);

/// A word for each lane. No loop: a round has some thousand operators, and to rotate and unroll a loop for each of
/// them in one function took half of the time in which this crate was compiled.
#[inline(always)]
fn words_by_lane<const N: usize>(word: impl Fn(usize) -> u32) -> [u32; N] {
    const { assert!(N <= 8) };
    let mut words = [0; N];
    macro_rules! set {
        ($($lane:literal)+) => {
            $(if $lane < N {
                words[$lane] = word($lane);
            })+
        };
    }
    set!(0 1 2 3 4 5 6 7);
    words
}

/// An operator between words, lane by lane.
macro_rules! operator {
    ($operator:ident, $method:ident, $call:expr) => {
        impl<const N: usize> $operator for Words<N> {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(words_by_lane(|lane| $call(self.0[lane], other.0[lane])))
            }
        }
    };
}

operator!(BitAnd, bitand, u32::bitand);
operator!(BitOr, bitor, u32::bitor);
operator!(BitXor, bitxor, u32::bitxor);
operator!(Add, add, u32::wrapping_add);

impl<const N: usize> Not for Words<N> {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        self ^ Self::splat(u32::MAX)
    }
}

impl<const N: usize> Shl<u32> for Words<N> {
    type Output = Self;

    #[inline(always)]
    fn shl(self, bits: u32) -> Self {
        Self(words_by_lane(|lane| self.0[lane] << bits))
    }
}

impl<const N: usize> Shr<u32> for Words<N> {
    type Output = Self;

    #[inline(always)]
    fn shr(self, bits: u32) -> Self {
        Self(words_by_lane(|lane| self.0[lane] >> bits))
    }
}

impl<const N: usize> Lanes for Words<N> {
    const COUNT: usize = N;

    #[inline(always)]
    fn splat(word: u32) -> Self {
        Self(words_by_lane(|_| word))
    }

    #[inline(always)]
    fn only(lanes: u32) -> Self {
        Self(words_by_lane(|lane| 0u32.wrapping_sub(lanes >> lane & 1)))
    }

    #[inline(always)]
    fn words(&self) -> &[u32] {
        &self.0
    }

    #[inline(always)]
    fn words_mut(&mut self) -> &mut [u32] {
        &mut self.0
    }

    /// Compares words that are in memory. Otherwise compilers work out in single words, lane by lane, all that leads to
    /// the comparison.
    #[inline(always)]
    fn same(self, other: Self) -> u32 {
        let difference = black_box(self ^ other);
        let mut lanes = 0;
        for lane in 0..N {
            lanes |= u32::from(difference.0[lane] == 0) << lane;
        }
        lanes
    }

    /// Selects instead of storing single lanes: a vector load right after narrower stores waits until these have
    /// reached the cache.
    #[inline(always)]
    fn with(self, to: u32, other: Self, from: u32) -> Self {
        let mut vector = self;
        let mut from = Set(from);
        for to in Set(to) {
            let Some(from) = from.next() else { break };
            let word = other.0[from];
            vector = Self(words_by_lane(|lane| if lane == to { word } else { vector.0[lane] }));
        }
        vector
    }
}
