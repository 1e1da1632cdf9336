//! The inner loops of the join, for several instruction sets.
//!
//! Every kernel has the functions of [`Lists`] and [`Kernel`], on lists of keys and one [`Table`].
//! [`portable`] is the reference; the others say how they depart from it.

mod portable;

use std::ops::Range;

use tallyboard_base::cpu::{Instructions, Kernel as Name, KernelMissing, kernel_modules, kernels};

pub(super) use portable::Portable;

kernel_modules!();

macro_rules! choices {
    ({} $($(#[$note:meta])* $kernel:ident $module:ident $architecture:literal,)+) => {
        /// A kernel that this processor can run.
        #[derive(Debug, Clone, Copy)]
        pub(super) enum Chosen {
            Portable(Portable),
            $(
                #[cfg(target_arch = $architecture)]
                $kernel($module::Proof),
            )+
        }

        impl Chosen {
            /// The kernel for these instructions, if the processor has all that it needs.
            fn of(instructions: Instructions) -> Option<Self> {
                match instructions {
                    Instructions::Portable => Some(Self::Portable(Portable)),
                    $(
                        #[cfg(target_arch = $architecture)]
                        Instructions::$kernel(proof) => $module::proof(proof).map(Self::$kernel),
                    )+
                }
            }

            pub(super) fn name(self) -> Name {
                match self {
                    Self::Portable(_) => Name::Portable,
                    $(
                        #[cfg(target_arch = $architecture)]
                        Self::$kernel(_) => Name::$kernel,
                    )+
                }
            }
        }
    };
}
kernels!(choices, {});

impl Chosen {
    /// The kernel asked for, or the fastest one that the processor can run. Fails if it cannot run the one asked for.
    pub(super) fn new(asked: Option<Name>) -> Result<Self, KernelMissing> {
        // From the slowest to the fastest.
        let runnable = || Instructions::all().filter_map(Self::of);
        let fastest = runnable().last().unwrap_or(Self::Portable(Portable));
        let Some(wanted) = asked else { return Ok(fastest) };
        let found = runnable().find(|kernel| kernel.name() == wanted);
        found.ok_or_else(|| KernelMissing { wanted, best: fastest.name() })
    }
}

/// Runs an expression with the kernel behind a [`Chosen`].
macro_rules! with_kernel {
    (
        { $chosen:expr, $bound:ident => $run:expr }
        $($(#[$note:meta])* $kernel:ident $module:ident $architecture:literal,)+
    ) => {
        match $chosen {
            $crate::halves::kernel::Chosen::Portable($bound) => $run,
            $(
                #[cfg(target_arch = $architecture)]
                $crate::halves::kernel::Chosen::$kernel($bound) => $run,
            )+
        }
    };
    ($chosen:expr, $bound:ident => $run:expr) => {
        tallyboard_base::cpu::kernels!($crate::halves::kernel::with_kernel, { $chosen, $bound => $run })
    };
}
pub(super) use with_kernel;

/// 64-bit words of a table row.
const WORDS: usize = 8;
/// Planes of a table: one for each bit of a narrow key. The same 32 bits of all planes hold 32 keys, transposed.
const PLANES: usize = 32;
/// Keys in a table.
pub(super) const TABLE: usize = WORDS * u64::BITS as usize;
/// Rows of the largest table: 2^7 for each of four groups of seven bits.
const ROWS: usize = 512;

/// One bit for each of 512 keys.
type TableRow = [u64; WORDS];

/// How the `bits` relevant bits of a key are cut into `groups` groups. Their sizes differ by one at most; the
/// larger ones come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Shape {
    groups: usize,
    bits: usize,
}

impl Shape {
    /// The shape for this number of relevant bits, or a few more. It has few groups, since a test loads a row of each. The groups
    /// are small, since one of k bits has 2^k rows to make.
    fn of(bits: usize) -> Self {
        let groups = match bits {
            0..=18 => bits.div_ceil(6).max(1),
            19..=28 => 4,
            _ => 5,
        };
        // `for_shapes` has no function for the other numbers of bits.
        let bits = match bits {
            0..=18 => 6 * groups,
            25..=28 => bits,
            _ => bits.next_multiple_of(2),
        };
        Self { groups, bits }
    }

    /// The number of the first bit of a group.
    const fn first_bit(self, group: usize) -> usize {
        self.bits / self.groups * group + self.larger(group)
    }

    /// The number of larger groups before this one.
    const fn larger(self, group: usize) -> usize {
        let larger = self.bits % self.groups;
        if group < larger { group } else { larger }
    }

    /// Where the rows of a group are in [`Table`].
    const fn rows(self, group: usize) -> Range<usize> {
        let first = (group + self.larger(group)) << (self.bits / self.groups);
        first..first + (1 << (self.first_bit(group + 1) - self.first_bit(group)))
    }

    /// The row of a group for `key`, whose relevant bits have been moved together.
    #[inline(always)]
    fn row(self, group: usize, key: u32) -> usize {
        let Range { start, end } = self.rows(group);
        start + (key >> self.first_bit(group)) as usize % (end - start)
    }
}

/// Up to 512 keys, arranged to be tested against one key at a time.
///
/// The relevant bits of a key are cut into groups of up to seven. Row r of a group, for r a set of the
/// group's bits, has a 1 for each key of the table without any of r. So the AND of one row of each group
/// has a 1 for each key of the table that is disjoint from a given key.
#[derive(Debug)]
#[repr(align(64))]
pub(super) struct Table {
    /// The rows of all groups, one group after another.
    rows: [TableRow; ROWS],
    /// The keys transposed: `planes[j]` has a 1 for each key with bit j. Working memory.
    planes: [TableRow; PLANES],
    shape: Shape,
}

impl Default for Table {
    fn default() -> Self {
        Self { rows: [[0; WORDS]; ROWS], planes: [[0; WORDS]; PLANES], shape: Shape::of(0) }
    }
}

/// Calls a function that is compiled for each [`Shape`] of a table.
macro_rules! for_shapes {
    ($($count:ident)::+, $table:expr, $keys:expr, $relevant:expr) => {
        match $table.shape.bits {
            6 => $($count)::+::<1, 6>($table, $keys, $relevant),
            12 => $($count)::+::<2, 12>($table, $keys, $relevant),
            18 => $($count)::+::<3, 18>($table, $keys, $relevant),
            20 => $($count)::+::<4, 20>($table, $keys, $relevant),
            22 => $($count)::+::<4, 22>($table, $keys, $relevant),
            24 => $($count)::+::<4, 24>($table, $keys, $relevant),
            25 => $($count)::+::<4, 25>($table, $keys, $relevant),
            26 => $($count)::+::<4, 26>($table, $keys, $relevant),
            27 => $($count)::+::<4, 27>($table, $keys, $relevant),
            28 => $($count)::+::<4, 28>($table, $keys, $relevant),
            30 => $($count)::+::<5, 30>($table, $keys, $relevant),
            _ => $($count)::+::<5, 32>($table, $keys, $relevant),
        }
    };
}
use for_shapes;

/// A key: 64 bits, one for each diagonal, or 32, one for each diagonal that still matters.
pub(super) trait Key:
    Copy + Default + PartialEq + Into<u64> + std::fmt::Debug + 'static
{
}

impl Key for u64 {}
impl Key for u32 {}

/// How a kernel splits lists of keys of one width.
pub(super) trait Lists<K: Key>: Copy {
    /// Replaces `without` by the keys that lack bit number `bit`, and `with` by those that have it. Returns
    /// the bits that occur in each of the two lists.
    fn split(self, keys: &[K], bit: u32, without: &mut Vec<K>, with: &mut Vec<K>) -> [u64; 2];

    /// Replaces `without` by the keys that lack bit number `bit`. Returns the bits that occur in it.
    fn filter(self, keys: &[K], bit: u32, without: &mut Vec<K>) -> u64;

    /// For each list and each bit, the number of [`SAMPLES`] that have the bit. Short lists are sampled with
    /// repetition. Neither list is empty. Overwrites `table`.
    fn bit_frequencies(self, a: &[K], b: &[K], table: &mut Table) -> [[u16; 64]; 2];
}

/// The low 16 bits of both 32-bit words of a key: up to n = 17 keys have no others.
pub(super) const FOLDED: u64 = 0x0000_ffff_0000_ffff;

/// What the builder and the join need of a kernel.
pub(super) trait Kernel: Lists<u64> + Lists<u32> {
    /// For each pair of lists, appends to `out` the unions of all disjoint pairs of a key of the first and a key
    /// of the second, in any order. No key has bit 63.
    fn unions<'a>(self, lists: impl Iterator<Item = [&'a [u64]; 2]>, out: &mut Vec<u64>);

    /// All bits that occur in `keys`.
    fn union(self, keys: &[u64]) -> u64;

    /// Replaces `out` by the `relevant` bits of each key, at most 32, moved together at the low end.
    fn narrow(self, keys: &[u64], relevant: u64, out: &mut Vec<u32>);

    /// Like `narrow`, for `relevant` bits that are in [`FOLDED`]. Puts the low 16 bits of both words side by side,
    /// which vectors do faster than they move single bits.
    fn fold(self, keys: &[u64], relevant: u64, out: &mut Vec<u32>) {
        portable::fold(keys, relevant, out);
    }

    /// Puts up to [`TABLE`] keys into `table`, by their `relevant` bits.
    fn tabulate(self, table: &mut Table, keys: &[u32], relevant: u32);

    /// Counts the disjoint pairs of one of `keys` and a key of `table`, which was made for the same
    /// `relevant` bits.
    fn count(self, table: &Table, keys: &[u32], relevant: u32) -> u64;
}

/// The samples that [`Lists::bit_frequencies`] takes of each list.
pub(super) const SAMPLES: u16 = 256;

/// Calls `test` with every kernel that this processor can run.
#[cfg(test)]
pub(super) fn for_every_kernel(mut test: impl FnMut(Chosen)) {
    for name in Name::ALL {
        if let Ok(kernel) = Chosen::new(Some(name)) {
            test(kernel);
        }
    }
}

// Writes lists a register at a time.

/// Appends keys to a list, by whole registers. A store writes the full register even if only its first keys
/// stay: it may run past the end of the keys, where the list has room.
struct Writer<'a, K> {
    list: &'a mut Vec<K>,
    /// Where the next key goes. A pointer, since an index into the list would reload its address after each store.
    end: *mut K,
}

impl<'a, K> Writer<'a, K> {
    /// Bytes of the longest register.
    const REGISTER_BYTES: usize = 64;

    /// A writer that appends at most `max_keys` keys to `list`.
    #[inline(always)]
    pub fn new(list: &'a mut Vec<K>, max_keys: usize) -> Self {
        let room = max_keys + Self::REGISTER_BYTES / size_of::<K>();
        // `reserve` makes the same check, but it is not inlined: without this one, kernels would call it each time.
        if list.capacity() - list.len() < room {
            list.reserve(room);
        }
        let end = list.spare_capacity_mut().as_mut_ptr().cast();
        Self { list, end }
    }

    /// Appends the first `len` keys of `register`.
    ///
    /// # Safety
    /// At most `max_keys` keys have been pushed, these included; the first `len` places of `register` hold keys.
    #[inline(always)]
    pub unsafe fn push<R: Copy>(&mut self, register: R, len: usize) {
        const { assert!(size_of::<R>() <= Self::REGISTER_BYTES) };
        // SAFETY: at most `max_keys` keys end up before `end`, and `new` made room for a whole register after these.
        unsafe {
            self.end.cast::<R>().write_unaligned(register);
            self.end = self.end.add(len);
        }
    }

    /// Ends the list after the last key pushed.
    ///
    /// # Safety
    /// At most `max_keys` keys have been pushed.
    #[inline(always)]
    pub unsafe fn finish(self) {
        // SAFETY: `end` is within the capacity, and every key before it was in the list or has been written.
        unsafe {
            let len = self.end.offset_from_unsigned(self.list.as_ptr());
            self.list.set_len(len);
        }
    }
}

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
                for lists in [[&top, &bottom], [&bottom, &top]] {
                    let mut found = vec![7];
                    let lists = lists.map(Vec::as_slice);
                    let (few, many) =
                        ([&lists[0][..len.min(1)], lists[1]], [&lists[0][len.min(1)..], lists[1]]);
                    with_kernel!(kernel, k => k.unions([few, many].into_iter(), &mut found));
                    assert_eq!(found[0], 7, "the list keeps what it held");
                    found.sort_unstable();
                    let mut expected = expected.clone();
                    expected.sort_unstable();
                    assert_eq!(found, expected, "{kernel:?}, {len} keys");
                }
            }
        });
    }

    /// What each kernel makes of a list split by a bit.
    macro_rules! check_splits {
        ($key:ty, $bits:expr) => {
            for_every_kernel(|kernel| {
                for (i, &len) in LENGTHS.iter().enumerate() {
                    let list = keys(i as u64 + 1, $bits, len);
                    for bit in [3, $bits - 1] {
                        let list: Vec<$key> = list.iter().map(|&key| key as $key).collect();
                        let (expected_with, expected_without): (Vec<$key>, Vec<$key>) =
                            list.iter().partition(|&&key| key >> bit & 1 == 1);
                        let union = |keys: &[$key]| keys.iter().fold(0, |union, key| union | u64::from(*key));
                        let (mut without, mut with, mut filtered) = (vec![5], vec![5], vec![5]);
                        with_kernel!(kernel, k => {
                            let both = k.split(&list, bit, &mut without, &mut with);
                            assert_eq!(both, [union(&expected_without), union(&expected_with)]);
                            assert_eq!(k.filter(&list, bit, &mut filtered), both[0]);
                        });
                        assert_eq!(with, expected_with, "{kernel:?}, {len} keys");
                        assert_eq!(without, expected_without, "{kernel:?}, {len} keys");
                        assert_eq!(filtered, expected_without, "{kernel:?}, {len} keys");
                    }
                }
            });
        };
    }

    #[test]
    fn lists_split_by_a_bit() {
        check_splits!(u64, 63);
        check_splits!(u32, 32);
    }

    #[test]
    fn narrow_keys_have_the_relevant_bits_in_order() {
        for_every_kernel(|kernel| {
            for relevant in [0, 1 << 63, 0xffff_ffff, 0x5555_5555_5555_5555, 0xf0f0_0f0f_3c3c_c3c3]
            {
                let list = keys(5, 63, 100);
                let bits = (0..64).filter(|bit| relevant >> bit & 1 == 1);
                let narrow = |key: &u64| {
                    let moved = bits.clone().enumerate().map(|(to, from)| (key >> from & 1) << to);
                    moved.sum::<u64>() as u32
                };
                let expected: Vec<u32> = list.iter().map(narrow).collect();
                let mut found = vec![5];
                with_kernel!(kernel, k => {
                    k.narrow(&list, relevant, &mut found);
                    assert_eq!(k.union(&list), list.iter().fold(0, |union, key| union | key));
                });
                assert_eq!(found, expected, "{kernel:?}, {relevant:x}");
            }
        });
    }

    #[test]
    fn folded_keys_have_the_relevant_bits_of_both_words() {
        for_every_kernel(|kernel| {
            for relevant in [0, 1, FOLDED, 0x7fff_0000_7fff, 0x8001_0000_5050] {
                for len in [0, 1, 7, 8, 9, 100] {
                    let (list, mut found) = (keys(5, 63, len), vec![7; 20]);
                    with_kernel!(kernel, k => k.fold(&list, relevant, &mut found));
                    let low = |key: u64| key & 0xffff;
                    let fold = |key: &u64| low(key & relevant) | low((key & relevant) >> 32) << 16;
                    let expected: Vec<u32> = list.iter().map(|key| fold(key) as u32).collect();
                    assert_eq!(found, expected, "{kernel:?}, {len} keys, {relevant:x}");
                }
            }
        });
    }

    #[test]
    fn tables_count_disjoint_keys() {
        for_every_kernel(|kernel| {
            let mut table = Box::<Table>::default();
            let narrow = |seed, len| -> Vec<u32> {
                keys(seed, 32, len).into_iter().map(|key| key as u32).collect()
            };
            for len in [0, 1, 7, 8, 9, 64, 75, 130, 511, 512] {
                // Every number of bits that matter, and so every shape of a table.
                let lowest = (0..=32).map(|bits| ((1u64 << bits) - 1) as u32);
                for relevant in lowest.chain([0x1555_5555, 0x7fff_7fff]) {
                    let (list, items) = (narrow(1, len), narrow(3, 333));
                    let disjoint = |item: &u32| {
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
    fn samples_show_how_often_each_bit_occurs() {
        for_every_kernel(|kernel| {
            let mut table = Box::<Table>::default();
            for len in [1, 3, 4, 100, 3000] {
                let (a, b) = (keys(1, 60, len), vec![0b1010; len]);
                let [in_a, in_b] = with_kernel!(kernel, k => k.bit_frequencies(&a, &b, &mut table));
                for (bit, count) in in_b.into_iter().enumerate() {
                    let all = (0b1010_u64 >> bit) & 1;
                    assert_eq!(count, all as u16 * SAMPLES, "{kernel:?}, {len} keys");
                }
                let [expected, _] = Portable.bit_frequencies(&a, &b, &mut table);
                assert_eq!(in_a, expected, "{kernel:?}, {len} keys");
                let low: Vec<u32> = a.iter().map(|&key| key as u32).collect();
                let [_, low] = with_kernel!(kernel, k => k.bit_frequencies(&[1], &low, &mut table));
                assert_eq!(low[..32], in_a[..32], "{kernel:?}, {len} narrow keys");
                let share: u32 = in_a[..60].iter().map(|&count| u32::from(count)).sum();
                assert!(len < 100 || (2880..4800).contains(&share), "{share} of 15360 bits set");
            }
        });
    }
}
