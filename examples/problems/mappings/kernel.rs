//! The sum over sets B for one set A: finds the B that have no factor 0, and multiplies their
//! factors.
//!
//! A *block* is up to 512 sets B that differ in their nine lowest elements alone. Let B consist of `high` and nine
//! `low` bits. A factor is 0 if |(A + i) ∩ low| = t - |(A + i) ∩ high|. The right side is one number for the whole
//! block. So a table holds masks with a bit for each B, indexed by the nine lowest elements of A + i and that
//! number. The B without a factor 0 are the intersection of n of these masks.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

#[cfg(target_arch = "x86_64")]
use super::avx512;
use super::orbits::rotated;
use super::sign;

/// The lowest elements, by which the sets of a block differ.
const LOW_BITS: u32 = 9;
const LOW: u32 = (1 << LOW_BITS) - 1;

/// A bit for each way to choose from the lowest elements.
pub type Mask = [u64; 1 << (LOW_BITS - 6)];

/// The masks for one set A + i: bit L of `[k]` is set unless |(A + i) ∩ L| = k. No L has more than nine elements, so
/// the last masks are full.
pub type Row = [Mask; 16];

/// The rows of all ways to choose from the lowest elements.
static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let mut rows = vec![[[u64::MAX; _]; 16]; 1 << LOW_BITS];
    for (chosen, row) in (0..).zip(&mut rows) {
        for low in 0..=LOW {
            let common = (chosen & low).count_ones();
            row[common as usize][low as usize / 64] &= !(1 << (low % 64));
        }
    }
    rows
});

/// Blocks whose survivors, the sets without a factor 0, are evaluated together: usually some thousands.
const BLOCKS_AT_ONCE: usize = 256;

/// Factors whose product fits into 32 bits. None is above 16 or below -16, as n is 31 at most.
pub const FACTORS_AT_ONCE: usize = 7;

/// Sets B: the union of `high` and each of the `members`, which have a bit for each choice of the lowest elements.
pub struct Block {
    pub high: u32,
    pub members: Mask,
}

/// Sets B, one of each orbit, by the lengths of the orbits.
pub struct Sets(BTreeMap<u32, Vec<Block>>);

/// Some of the sets whose orbits have this length.
#[derive(Clone, Copy)]
pub struct Round<'a> {
    length: u32,
    blocks: &'a [Block],
}

impl Sets {
    /// No sets.
    pub fn new() -> Self {
        Self(BTreeMap::new())
    }

    /// Adds a set that is larger, as a number, than those before.
    pub fn add(&mut self, set: u32, length: u32) {
        let blocks = self.0.entry(length).or_default();
        let high = set & !LOW;
        if blocks.last().is_none_or(|last| last.high != high) {
            blocks.push(Block { high, members: [0; _] });
        }
        let low = set & LOW;
        blocks.last_mut().unwrap().members[low as usize / 64] |= 1 << (low % 64);
    }

    /// All sets, at most `size` blocks a round.
    pub fn rounds(&self, size: usize) -> impl Iterator<Item = Round<'_>> {
        self.0.iter().flat_map(move |(&length, blocks)| {
            blocks.chunks(size).map(move |blocks| Round { length, blocks })
        })
    }
}

/// A set A, prepared for the sums over B.
pub struct Prepared {
    pub n: u32,
    /// A + i, for each i below n.
    pub shifted: [u32; 32],
    pub rows: Vec<Row>,
    /// |A| / 2, rounded down.
    pub t: u32,
}

/// The instructions asked for.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kernel {
    /// The fastest that the CPU has
    #[default]
    Best,
    /// What every CPU has
    Portable,
}

/// The instructions that the sum uses.
#[derive(Clone, Copy)]
pub struct Instructions {
    /// Only [`Instructions::of`] sets it, and only if the CPU has all that `avx512.rs` needs.
    avx512: bool,
}

impl Instructions {
    pub fn of(kernel: Kernel) -> Self {
        #[cfg(target_arch = "x86_64")]
        let avx512 = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512vpopcntdq")
            && is_x86_feature_detected!("popcnt");
        #[cfg(not(target_arch = "x86_64"))]
        let avx512 = false;
        Self { avx512: avx512 && kernel == Kernel::Best }
    }

    pub fn name(self) -> &'static str {
        if self.avx512 { "avx512" } else { "portable" }
    }

    /// The sum of the terms of the permanent of A for the sets B of `round` and their images, modulo 2^128.
    pub fn sum(self, n: u32, a: u32, round: Round) -> i128 {
        let shifted =
            std::array::from_fn(|i| if i < n as usize { rotated(n, a, i as u32) } else { 0 });
        let rows = shifted[..n as usize].iter().map(|&set| ROWS[(set & LOW) as usize]).collect();
        let prepared = Prepared { n, shifted, rows, t: a.count_ones() / 2 };
        let mut total = 0i128;
        let mut survivors = Vec::new();
        for blocks in round.blocks.chunks(BLOCKS_AT_ONCE) {
            survivors.clear();
            for block in blocks {
                let members = match self.avx512 {
                    #[cfg(target_arch = "x86_64")]
                    // SAFETY: `avx512` says that the CPU has the features.
                    true => unsafe { avx512::sieve(&prepared, block) },
                    _ => prepared.sieve(block),
                };
                push(block.high, members, &mut survivors);
            }
            let (sixteens, remainder) = survivors.as_chunks::<16>();
            for sets in sixteens {
                total = total.wrapping_add(match self.avx512 {
                    #[cfg(target_arch = "x86_64")]
                    // SAFETY: `avx512` says that the CPU has the features.
                    true => unsafe { avx512::sum_of_products(&prepared, sets) },
                    _ => prepared.sum_of_products(sets),
                });
            }
            total = total.wrapping_add(prepared.sum_of_products(remainder));
        }
        total.wrapping_mul(i128::from(round.length))
    }
}

/// Appends the sets of a block to `sets`.
fn push(high: u32, members: Mask, sets: &mut Vec<u32>) {
    for (base, mut word) in (0..).step_by(64).zip(members) {
        while word != 0 {
            sets.push(high | (base + word.trailing_zeros()));
            word &= word - 1;
        }
    }
}

impl Prepared {
    /// The members of `block` that have no factor 0.
    pub fn sieve(&self, block: &Block) -> Mask {
        let mut members = block.members;
        for (row, shifted) in self.rows.iter().zip(self.shifted) {
            let number = self.t.wrapping_sub((shifted & block.high).count_ones()).min(15);
            for (word, mask) in members.iter_mut().zip(row[number as usize]) {
                *word &= mask;
            }
        }
        members
    }

    /// The sum over `sets` of their products of factors, with the sign of the set, modulo 2^128.
    pub fn sum_of_products(&self, sets: &[u32]) -> i128 {
        let product = |&b: &u32| {
            let factor = |&a: &u32| i64::from((a & b).count_ones()) - i64::from(self.t);
            let groups = self.shifted[..self.n as usize].chunks(FACTORS_AT_ONCE);
            let products =
                groups.map(|group| i128::from(group.iter().map(factor).product::<i64>()));
            products.fold(sign(self.n, b.count_ones()), i128::wrapping_mul)
        };
        sets.iter().map(product).fold(0, i128::wrapping_add)
    }
}
