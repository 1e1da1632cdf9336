//! The inner loops of the join, for several instruction sets.
//!
//! All kernels do the same on lists of keys and on one [`Table`]; [`portable`] holds the reference,
//! the others say how they depart from it.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod portable;

#[cfg(target_arch = "x86_64")]
pub(super) use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub(super) use avx512::Avx512;
pub(super) use portable::Portable;

/// A kernel that this processor can run.
#[derive(Debug, Clone, Copy)]
pub(super) enum Chosen {
    Portable(Portable),
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
}

impl Chosen {
    /// The kernel asked for, or the fastest one. Fails if the processor cannot run it.
    pub(super) fn new(asked: Option<KernelName>) -> Result<Self, KernelMissing> {
        match asked {
            Some(wanted) => Self::of(wanted)
                .ok_or_else(|| KernelMissing { wanted, best: Self::fastest().name() }),
            None => Ok(KernelName::ALL
                .into_iter()
                .rev()
                .find_map(Self::of)
                .unwrap_or(Self::Portable(Portable))),
        }
    }

    fn fastest() -> Self {
        KernelName::ALL.into_iter().rev().find_map(Self::of).unwrap_or(Self::Portable(Portable))
    }

    fn of(name: KernelName) -> Option<Self> {
        match name {
            KernelName::Portable => Some(Self::Portable(Portable)),
            #[cfg(target_arch = "x86_64")]
            KernelName::Avx2 => Avx2::new().map(Self::Avx2),
            #[cfg(target_arch = "x86_64")]
            KernelName::Avx512 => Avx512::new().map(Self::Avx512),
            #[cfg(not(target_arch = "x86_64"))]
            KernelName::Avx2 | KernelName::Avx512 => None,
        }
    }

    pub(super) fn name(self) -> KernelName {
        match self {
            Self::Portable(_) => KernelName::Portable,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => KernelName::Avx2,
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => KernelName::Avx512,
        }
    }
}

use crate::queens::kernel::{KernelMissing, KernelName};

/// Lanes of a table row.
const LANES: usize = 8;
/// Keys in a lane: one a bit.
const LANE: usize = 64;
/// Keys in a table.
pub(super) const TABLE: usize = LANES * LANE;
/// Key bits that one group of table rows looks up at once.
const GROUP_BITS: usize = 6;
const GROUP_ROWS: usize = 1 << GROUP_BITS;
/// Enough groups for 64 bits.
const GROUPS: usize = 11;

/// One bit for each of 512 keys.
type Row = [u64; LANES];

/// Up to 512 keys, arranged to be tested against one key at a time.
///
/// The bits of a key that matter are cut into groups of six. Row r of a group tells which keys of
/// the table avoid all the diagonals of r. The keys disjoint from a given key are the intersection
/// of one row of each group.
#[derive(Debug)]
#[repr(align(64))]
pub(super) struct Table {
    groups: [[Row; GROUP_ROWS]; GROUPS],
    /// Key bits as rows: `planes[j]` tells which keys have bit j. Working memory.
    planes: [Row; 64],
    /// How many groups are in use.
    used: usize,
}

impl Default for Table {
    fn default() -> Self {
        Self { groups: [[[0; LANES]; GROUP_ROWS]; GROUPS], planes: [[0; LANES]; 64], used: 0 }
    }
}

/// What the join needs of a processor.
pub(super) trait Kernel: Copy {
    /// Appends the unions of all disjoint pairs of a key of `top` and a key of `bottom` to `out`.
    fn unions(self, top: &[u64], bottom: &[u64], out: &mut Vec<u64>);

    /// All bits that occur in `keys`.
    fn any(self, keys: &[u64]) -> u64;

    /// Replaces `without` and `with` by the keys that lack `bit` and that have it. Returns the bits
    /// that occur in each.
    fn split(self, keys: &[u64], bit: u64, without: &mut Vec<u64>, with: &mut Vec<u64>)
    -> [u64; 2];

    /// Replaces `without` by the keys that lack `bit`. Returns the bits that occur in it.
    fn filter(self, keys: &[u64], bit: u64, without: &mut Vec<u64>) -> u64;

    /// In how many of 256 samples of each list (taken with repetition from short lists) each bit
    /// occurs. The lists are not empty. Overwrites `table`.
    fn busy(self, a: &[u64], b: &[u64], table: &mut Table) -> [[u16; 64]; 2];

    /// Puts up to [`TABLE`] keys into `table`. Only the `relevant` bits of the keys are looked at.
    fn tabulate(self, table: &mut Table, keys: &[u64], relevant: u64);

    /// Counts the disjoint pairs of one of `keys` and a key of `table`, which was made for the same
    /// `relevant` bits.
    fn count(self, table: &Table, keys: &[u64], relevant: u64) -> u64;
}

/// The samples of a list in [`Kernel::busy`].
pub(super) const SAMPLES: u16 = 256;

/// Calls `test` with every kernel that this processor can run.
#[cfg(test)]
pub(super) fn for_every_kernel(mut test: impl FnMut(Chosen)) {
    for name in KernelName::ALL {
        if let Ok(kernel) = Chosen::new(Some(name)) {
            test(kernel);
        }
    }
}

/// Runs an expression with the kernel behind a [`Chosen`].
#[cfg(test)]
macro_rules! with_kernel {
    ($chosen:expr, $kernel:ident => $run:expr) => {
        match $chosen {
            $crate::queens::halves::kernel::Chosen::Portable($kernel) => $run,
            #[cfg(target_arch = "x86_64")]
            $crate::queens::halves::kernel::Chosen::Avx2($kernel) => $run,
            #[cfg(target_arch = "x86_64")]
            $crate::queens::halves::kernel::Chosen::Avx512($kernel) => $run,
        }
    };
}
#[cfg(test)]
pub(super) use with_kernel;

#[cfg(test)]
mod tests {
    use super::*;

    /// Reproducible keys in which each of the lowest `bits` bits is set with probability 1/4.
    fn keys(seed: u64, bits: u32, len: usize) -> Vec<u64> {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        (0..len).map(|_| next() & next() & ((1 << bits) - 1)).collect()
    }

    const LENGTHS: [usize; 12] = [0, 1, 3, 4, 7, 8, 9, 63, 255, 259, 512, 700];

    #[test]
    fn unions_are_those_of_all_disjoint_pairs() {
        for_every_kernel(|kernel| {
            for (i, &len) in LENGTHS.iter().enumerate() {
                let (top, bottom) = (keys(i as u64 + 1, 20, len), keys(99, 20, 5));
                let mut expected = vec![7];
                for &t in &top {
                    expected.extend(bottom.iter().filter(|&&b| t & b == 0).map(|b| t | b));
                }
                for (top, bottom) in [(&top, &bottom), (&bottom, &top)] {
                    let mut found = vec![7];
                    with_kernel!(kernel, k => k.unions(top, bottom, &mut found));
                    assert_eq!(found[0], 7, "what the list held stays");
                    found.sort_unstable();
                    let mut expected = expected.clone();
                    expected.sort_unstable();
                    assert_eq!(found, expected, "{kernel:?}, {len} keys");
                }
            }
        });
    }

    #[test]
    fn lists_split_by_a_bit() {
        for_every_kernel(|kernel| {
            for (i, &len) in LENGTHS.iter().enumerate() {
                let list = keys(i as u64 + 1, 30, len);
                let (expected_with, expected_without): (Vec<u64>, Vec<u64>) =
                    list.iter().partition(|&&key| key & 8 != 0);
                let any = |keys: &[u64]| keys.iter().fold(0, |any, key| any | key);
                let (mut without, mut with, mut filtered) = (vec![5], vec![5], vec![5]);
                with_kernel!(kernel, k => {
                    let both = k.split(&list, 8, &mut without, &mut with);
                    assert_eq!(both, [any(&expected_without), any(&expected_with)]);
                    assert_eq!(k.filter(&list, 8, &mut filtered), any(&expected_without));
                    assert_eq!(k.any(&list), any(&list));
                });
                assert_eq!(with, expected_with, "{kernel:?}, {len} keys");
                assert_eq!(without, expected_without, "{kernel:?}, {len} keys");
                assert_eq!(filtered, expected_without, "{kernel:?}, {len} keys");
            }
        });
    }

    #[test]
    fn tables_count_disjoint_keys() {
        for_every_kernel(|kernel| {
            let mut table = Box::<Table>::default();
            for len in [0, 1, 7, 8, 9, 64, 75, 130, 511, 512] {
                for relevant in [0, 1, 0x3f, 0x15_5555_5555_5555, 0x7fff_ffff_7fff_ffff, !0] {
                    let (list, items) = (keys(1, 63, len), keys(3, 63, 333));
                    let disjoint = |item: &u64| {
                        list.iter().filter(|&key| item & key & relevant == 0).count() as u64
                    };
                    let found = with_kernel!(kernel, k => {
                        k.tabulate(&mut table, &list, relevant);
                        k.count(&table, &items, relevant)
                    });
                    let expected: u64 = items.iter().map(disjoint).sum();
                    assert_eq!(found, expected, "{kernel:?}, {len} keys, {relevant:x}");
                }
            }
        });
    }

    #[test]
    fn samples_tell_how_often_each_bit_occurs() {
        for_every_kernel(|kernel| {
            let mut table = Box::<Table>::default();
            for len in [1, 3, 4, 100, 3000] {
                let (a, b) = (keys(1, 60, len), vec![0b1010; len]);
                let [in_a, in_b] = with_kernel!(kernel, k => k.busy(&a, &b, &mut table));
                for (bit, count) in in_b.into_iter().enumerate() {
                    let all = (0b1010_u64 >> bit) & 1;
                    assert_eq!(count, all as u16 * SAMPLES, "{kernel:?}, {len} keys");
                }
                let [expected, _] = Portable.busy(&a, &b, &mut table);
                assert_eq!(in_a, expected, "{kernel:?}, {len} keys");
                let share: u32 = in_a[..60].iter().map(|&count| u32::from(count)).sum();
                assert!(len < 100 || (2880..4800).contains(&share), "{share} of 15360 bits set");
            }
        });
    }
}
