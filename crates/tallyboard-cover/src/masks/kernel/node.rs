//! Entering a node: drops options, counts the options of each item, takes forced options, and chooses an item.

use super::counts::{least_of_many, pass};
use super::job::Job;
use super::lanes::{Lanes, is_zero};
use crate::masks::workspace::{List, Workspace};
use tallyboard_base::array::array;

/// The bits that each bit of a mask forbids: the bit of an item forbids itself, and the bits of a pair forbid each other.
#[derive(Debug, Clone, Copy)]
pub struct Rules<const W: usize> {
    /// The bits that forbid themselves.
    pub plain: [u64; W],
    /// The lower bits of the pairs.
    pub pairs: [u64; W],
    /// Whether there is a pair.
    pub is_coloured: bool,
}

impl<const W: usize> Rules<W> {
    /// The rules of a search whose masks have `W` words.
    #[inline(always)]
    pub fn of(job: &Job<'_>) -> Self {
        Self {
            plain: array(|i| job.plain[i]),
            pairs: array(|i| job.pairs[i]),
            is_coloured: job.is_coloured,
        }
    }

    /// The bits that options must not have if an option with this mask is chosen.
    #[inline(always)]
    pub fn forbidden(&self, mask: [u64; W]) -> [u64; W] {
        if !self.is_coloured {
            return mask;
        }
        array(|i| {
            let swapped = (mask[i] & self.pairs[i]) << 1 | mask[i] >> 1 & self.pairs[i];
            mask[i] & self.plain[i] | swapped
        })
    }
}

impl<const W: usize> Rules<W> {
    /// The bits of pairs whose other bit is not in `union`, the union of the live options. They forbid nothing.
    #[inline(always)]
    pub fn settled(&self, union: &[u64; W]) -> [u64; W] {
        array(|i| {
            let pairs = self.pairs[i];
            let whole = pairs & union[i] & union[i] >> 1;
            union[i] & (pairs | pairs << 1) & !(whole | whole << 1)
        })
    }
}

/// A node before it is entered: the live options of its parent, and the masks that the choices so far leave.
#[derive(Debug, Clone, Copy)]
pub struct Node<const W: usize> {
    pub list: List,
    /// The items that still have to be covered.
    pub open: [u64; W],
    /// The bits that options must not have.
    pub forbidden: [u64; W],
    /// The index from which the arena is free.
    pub top: usize,
}

impl<const W: usize> Node<W> {
    /// The node at which a search begins.
    #[inline(always)]
    pub fn of(job: &Job<'_>) -> Self {
        Self {
            list: job.list,
            open: array(|i| job.open[i]),
            forbidden: array(|i| job.forbidden[i]),
            top: job.top,
        }
    }
}

/// The result of entering a node.
pub enum Entered<const W: usize> {
    /// The number of its covers, 0 or 1.
    Count(u128),
    /// An item to branch on.
    Branch(Branch<W>),
}

/// The item on which a node branches, and the live options.
pub struct Branch<const W: usize> {
    /// The live options.
    pub list: List,
    pub open: [u64; W],
    /// The union of the live options.
    pub union: [u64; W],
    /// The word and the bit of the item.
    pub word: usize,
    pub bit: u64,
}

#[inline(always)]
pub fn count_ones<const W: usize>(mask: &[u64; W]) -> u32 {
    let mut ones = 0;
    for i in 0..W {
        ones += mask[i].count_ones();
    }
    ones
}

/// The mask of an option.
///
/// # Safety
/// The option is in the list, whose arrays `arena` holds.
#[inline(always)]
pub unsafe fn mask_at<const W: usize>(arena: *const u64, list: List, option: usize) -> [u64; W] {
    // SAFETY: the caller's promise.
    array(|i| unsafe { arena.add(list.begin + i * list.stride + option).read() })
}

/// Enters a node: drops the options with a forbidden bit, and takes the options of all items that have one option only. Repeats
/// this until no item has one option only.
///
/// # Safety
/// The CPU has the instructions of `V`.
#[inline(always)]
pub unsafe fn enter<V: Lanes, const W: usize>(
    workspace: &mut Workspace,
    rules: &Rules<W>,
    node: Node<W>,
) -> Entered<W> {
    let mut open = node.open;
    if is_zero(&open) {
        return Entered::Count(1);
    }
    let stride = List::stride_for(node.list.len);
    workspace.reserve(node.top + W * stride);
    let mut from = node.list;
    let mut list = List { begin: node.top, stride, len: 0 };
    let mut forbidden = node.forbidden;
    loop {
        // SAFETY: the caller's promise; both lists lie in the arena, with room for whole vectors.
        let counts =
            unsafe { pass::<V, W>(workspace.arena.as_mut_ptr(), from, &mut list, forbidden) };
        let union = counts.union();
        let uncovered: [u64; W] = array(|i| open[i] & !union[i]);
        if !is_zero(&uncovered) {
            return Entered::Count(0);
        }
        let alone = counts.singles();
        let singles: [u64; W] = array(|i| open[i] & alone[i]);
        if is_zero(&singles) {
            let least = match counts.least(open) {
                Some(least) => least,
                // SAFETY: as above.
                None => unsafe { least_of_many::<V, W>(workspace.arena.as_ptr(), list, open) },
            };
            let mut word = W - 1;
            for i in (0..W).rev() {
                word = if least[i] != 0 { i } else { word };
            }
            let bit = least[word] & least[word].wrapping_neg();
            return Entered::Branch(Branch { list, open, union, word, bit });
        }
        // SAFETY: as above.
        let Some(taken) = (unsafe { take::<V, W>(workspace.arena.as_ptr(), list, rules, singles) })
        else {
            return Entered::Count(0);
        };
        open = array(|i| open[i] & !taken.covered[i]);
        if is_zero(&open) {
            return Entered::Count(1);
        }
        forbidden = taken.forbidden;
        // The next pass writes the list over itself: each vector is read before its place is written.
        from = list;
    }
}

/// The items that the taken options cover, and the bits that these options forbid.
struct Taken<const W: usize> {
    covered: [u64; W],
    forbidden: [u64; W],
}

/// Takes the options that cover `singles`; `None` if two of them clash.
///
/// # Safety
/// As of [`pass`].
#[inline(always)]
unsafe fn take<V: Lanes, const W: usize>(
    arena: *const u64,
    list: List,
    rules: &Rules<W>,
    singles: [u64; W],
) -> Option<Taken<W>> {
    let mut taken = Taken { covered: [0; W], forbidden: [0; W] };
    let mut at = 0;
    while at < list.len {
        // SAFETY: the caller's promise.
        let mut options = unsafe { meeting::<V, W>(arena, list, at, singles) };
        while options != 0 {
            // SAFETY: as above.
            let mask = unsafe { mask_at::<W>(arena, list, at + options.trailing_zeros() as usize) };
            let clash: [u64; W] = array(|i| mask[i] & taken.forbidden[i]);
            if !is_zero(&clash) {
                return None;
            }
            let forbidden = rules.forbidden(mask);
            for i in 0..W {
                taken.covered[i] |= mask[i];
                taken.forbidden[i] |= forbidden[i];
            }
            options &= options - 1;
        }
        at += 64;
    }
    Some(taken)
}

/// The options, of the 64 from `at` on, that have a bit in common with `mask`: a bit for each. So the caller's loop over these
/// options, whose end is hard to predict, ends once for 64 options and not once for each vector.
///
/// # Safety
/// As of [`pass`]; there is such an option.
#[inline(always)]
pub unsafe fn meeting<V: Lanes, const W: usize>(
    arena: *const u64,
    list: List,
    at: usize,
    mask: [u64; W],
) -> u64 {
    let count = (list.len - at).min(64);
    let mut options = 0_u64;
    // SAFETY: the caller's promise.
    unsafe {
        let wanted: [V; W] = array(|i| V::splat(mask[i]));
        let mut next = 0;
        while next < count {
            let begin = list.begin + at + next;
            let mut meets = V::load(arena.add(begin)).and(wanted[0]);
            for i in 1..W {
                meets = meets.or_and(V::load(arena.add(begin + i * list.stride)), wanted[i]);
            }
            let missing = u64::from(V::bits(meets.zeros()));
            options |= (missing ^ ((1 << V::N) - 1)) << next;
            next += V::N;
        }
    }
    options & (u64::MAX >> (64 - count))
}
