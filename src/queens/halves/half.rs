//! Building the half boards of a row set out of quarter boards, whole or in slices.
//!
//! The half boards with a certain diagonal are those whose top has it, or whose bottom has it; both
//! cannot. So a list is split by a diagonal before it is built, by splitting its quarters.

use std::cmp::Ordering;
use std::sync::Arc;

use super::case::Case;
use super::corner::Side;
use super::kernel::Kernel;
use super::quarter::{Filling, Quarter};
use super::subsets::Subsets;

/// The half boards of one row set on one side of the board, as keys: first the plain ones, then
/// those that tie, in three [`PARTS`].
#[derive(Debug, Default)]
pub(super) struct Half {
    keys: Vec<u64>,
    /// Where the parts begin.
    parts: [usize; 3],
}

/// Half boards that tie, by how their top quarter compares to its image: those that stand for their
/// images too, those that are their own, and those that their images stand for. See `case`.
const PARTS: [Ordering; 3] = [Ordering::Greater, Ordering::Equal, Ordering::Less];

impl Half {
    /// A half board for each key, in four parts: the plain ones, then the [`PARTS`].
    #[cfg(test)]
    pub(super) fn of(keys: [&[u64]; 4]) -> Self {
        let end = |part| keys[..=part].iter().map(|keys| keys.len()).sum();
        Self { keys: keys.concat(), parts: [end(0), end(1), end(2)] }
    }

    fn build<'a, K: Kernel>(
        &mut self,
        kernel: K,
        pairs: impl Iterator<Item = (&'a Tops, &'a Quarter)> + Clone,
    ) {
        self.keys.clear();
        for part in 0..4 {
            if part > 0 {
                self.parts[part - 1] = self.keys.len();
            }
            let quarters = pairs.clone().flat_map(|(tops, bottoms)| {
                let meet =
                    move |share: &'a Share| [tops.keys(share), bottoms.at(share.bottom as usize)];
                tops.shares[part].iter().map(meet)
            });
            kernel.unions(quarters, &mut self.keys);
        }
    }

    pub(super) fn plain(&self) -> &[u64] {
        &self.keys[..self.parts[0]]
    }

    /// Those that are counted in full: the plain ones and the first of two.
    pub(super) fn whole(&self) -> &[u64] {
        &self.keys[..self.parts[1]]
    }

    pub(super) fn tied(&self) -> &[u64] {
        &self.keys[self.parts[0]..]
    }

    pub(super) fn first(&self) -> &[u64] {
        &self.keys[self.parts[0]..self.parts[1]]
    }

    pub(super) fn same(&self) -> &[u64] {
        &self.keys[self.parts[1]..self.parts[2]]
    }
}

/// The upper quarters of half boards, by the column set of the lower ones that they meet.
#[derive(Debug, Default)]
struct Tops {
    keys: Vec<u64>,
    /// The plain ones, then each of the [`PARTS`].
    shares: [Vec<Share>; 4],
}

/// Upper quarters that use one column set.
#[derive(Debug, Clone, Copy)]
struct Share {
    /// Where its keys are.
    first: u32,
    last: u32,
    /// The position of the complement of its column set.
    bottom: u32,
}

impl Tops {
    fn add(&mut self, part: usize, bottom: u32, keys: impl Iterator<Item = u64>) {
        let first = self.keys.len() as u32;
        self.keys.extend(keys);
        let last = self.keys.len() as u32;
        if first < last {
            self.shares[part].push(Share { first, last, bottom });
        }
    }

    fn keys(&self, share: &Share) -> &[u64] {
        &self.keys[share.first as usize..share.last as usize]
    }

    /// Those whose keys have `bit`, or lack it.
    fn having<const HAS: bool>(&self, bit: u64) -> Self {
        let mut tops = Self::default();
        tops.keys.reserve(self.keys.len());
        for (part, shares) in self.shares.iter().enumerate() {
            for share in shares {
                let keys = self.keys(share).iter().copied();
                tops.add(part, share.bottom, keys.filter(|key| (key & bit != 0) == HAS));
            }
        }
        tops
    }
}

/// Half boards of one side, not built yet: the disjoint unions of a top and a bottom for each of the
/// `pairs` of quarters.
#[derive(Debug, Default, Clone)]
pub(super) struct Slice {
    tops: Vec<Arc<Tops>>,
    bottoms: Vec<Arc<Quarter>>,
    pairs: Vec<(usize, usize)>,
}

impl Slice {
    /// At least as many as there are half boards, about 2.5 times as many.
    pub(super) fn most(&self) -> u64 {
        let product = |&(top, bottom): &(usize, usize)| {
            let (top, bottom) = (&self.tops[top], &self.bottoms[bottom]);
            let product = |share: &Share| {
                u64::from(share.last - share.first) * bottom.at(share.bottom as usize).len() as u64
            };
            top.shares.iter().flatten().map(product).sum::<u64>()
        };
        self.pairs.iter().map(product).sum()
    }

    /// How often each bit occurs among every so many quarters, relative to their number.
    pub(super) fn busy(&self) -> [f64; 64] {
        let mut busy = [0.0; 64];
        let mut add = |keys: &[u64]| {
            let step = keys.len() / 1024 + 1;
            let share = step as f64 / keys.len() as f64;
            for key in keys.iter().step_by(step) {
                let mut key = *key;
                while key != 0 {
                    busy[key.trailing_zeros() as usize] += share;
                    key &= key - 1;
                }
            }
        };
        self.tops.iter().for_each(|tops| add(&tops.keys));
        self.bottoms.iter().for_each(|bottoms| add(bottoms.keys()));
        busy
    }

    /// The half boards that lack `bit`.
    pub(super) fn without(&self, bit: u64) -> Self {
        Self {
            tops: self.tops.iter().map(|tops| Arc::new(tops.having::<false>(bit))).collect(),
            bottoms: self.bottoms.iter().map(|b| Arc::new(b.having::<false>(bit))).collect(),
            pairs: self.pairs.clone(),
        }
    }

    /// The half boards that have `bit`; `without` are the others.
    pub(super) fn with(&self, bit: u64, without: &Self) -> Self {
        let tops = self.tops.iter().map(|tops| Arc::new(tops.having::<true>(bit)));
        let bottoms = self.bottoms.iter().map(|b| Arc::new(b.having::<true>(bit)));
        let (i, j) = (self.tops.len(), self.bottoms.len());
        Self {
            tops: without.tops.iter().cloned().chain(tops).collect(),
            bottoms: without.bottoms.iter().cloned().chain(bottoms).collect(),
            pairs: self.pairs.iter().flat_map(|&(t, b)| [(t + i, b), (t, b + j)]).collect(),
        }
    }

    /// Builds the half boards.
    pub(super) fn build<K: Kernel>(&self, kernel: K, half: &mut Half) {
        let pairs = self.pairs.iter();
        half.build(kernel, pairs.map(|&(top, bottom)| (&*self.tops[top], &*self.bottoms[bottom])));
    }
}

/// Prepares half boards that share the rows above the middle.
#[derive(Debug)]
pub(super) struct Builder {
    side: Side,
    tops: Arc<Tops>,
    bottom: Arc<Quarter>,
    filling: Filling,
}

impl Builder {
    pub(super) fn new(side: Side) -> Self {
        let (tops, bottom, filling) = Default::default();
        Self { side, tops, bottom, filling }
    }

    /// Prepares half boards with the upper rows `top`. With a `limit`, only those whose column set
    /// has at most this rank are built, and those that reach it are tied.
    pub(super) fn begin(&mut self, case: &Case, top: u32, limit: Option<u32>, subsets: &Subsets) {
        let Self { side, tops, bottom, .. } = self;
        let (tops, quarter) = (unshared(tops), unshared(bottom));
        case.top.load(top, *side, subsets, quarter, &mut Filling::default());
        tops.keys.clear();
        tops.shares.iter_mut().for_each(Vec::clear);
        for (position, &columns) in subsets.of_size(top.count_ones()).iter().enumerate() {
            let keys = quarter.at(position).iter().copied();
            let bottom = subsets.position(subsets.full() & !columns) as u32;
            let rank = subsets.rank(columns);
            if limit.is_none_or(|limit| rank < limit) {
                tops.add(0, bottom, keys);
            } else if limit != Some(rank) {
                continue;
            } else if columns == top {
                let upright = case.top.upright(top, *side);
                for (part, order) in (1..).zip(PARTS) {
                    let keys = upright.iter().filter(|(found, _)| *found == order);
                    tops.add(part, bottom, keys.map(|&(_, key)| key));
                }
            } else {
                // A quarter turn makes these of the left half those of the right half.
                tops.add(if *side == Side::Left { 1 } else { 3 }, bottom, keys);
            }
        }
    }

    /// Takes the rows below the middle, after [`Builder::begin`] for the same case.
    pub(super) fn set_bottom(&mut self, case: &Case, bottom: u32, subsets: &Subsets) {
        let quarter = unshared(&mut self.bottom);
        case.bottom.load(bottom, self.side, subsets, quarter, &mut self.filling);
    }

    /// All half boards with these rows.
    pub(super) fn all(&self) -> Slice {
        Slice {
            tops: vec![Arc::clone(&self.tops)],
            bottoms: vec![Arc::clone(&self.bottom)],
            pairs: vec![(0, 0)],
        }
    }

    /// Builds all half boards with these rows.
    pub(super) fn build<K: Kernel>(&self, kernel: K, half: &mut Half) {
        half.build(kernel, std::iter::once((&*self.tops, &*self.bottom)));
    }
}

/// What only its builder holds, since slices do not outlive their row set.
fn unshared<T: Default>(own: &mut Arc<T>) -> &mut T {
    if Arc::get_mut(own).is_none() {
        *own = Arc::default();
    }
    Arc::get_mut(own).expect("nobody else holds what is new")
}
