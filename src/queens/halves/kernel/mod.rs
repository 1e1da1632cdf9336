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
pub(super) const LANES: usize = 8;
/// Keys in a lane: one a bit.
pub(super) const LANE: usize = 64;
/// Key bits that one group of table rows looks up at once.
const GROUP_BITS: usize = 6;
const GROUP_ROWS: usize = 1 << GROUP_BITS;
/// Enough groups for 62 diagonals, the most that n = 33 has.
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

    /// Puts keys into `table`: `plain` in the first lanes, `tied` in the following ones, where they
    /// must have room. Only the `relevant` bits of the keys are looked at.
    fn tabulate(self, table: &mut Table, plain: &[u64], tied: &[u64], relevant: u64);

    /// Sums up, over `keys`, how many keys in each lane of `table` are disjoint from the key. The
    /// bits `relevant` of `keys` stand for the relevant bits of the table, in reverse order.
    fn count(self, table: &Table, keys: &[u64], relevant: u64) -> [u64; LANES];
}

/// The samples of a list in [`Kernel::busy`].
pub(super) const SAMPLES: u16 = 256;
