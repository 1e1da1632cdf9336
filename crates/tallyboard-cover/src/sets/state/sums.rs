//! Items whose options have weights: the sum of the weights of the chosen options lies between two bounds.
//!
//! A sum is checked by what it can still become. Each of its options covers items that are covered exactly once, such as the cells
//! of a region. Some of these items are the *anchors* of the sum, so that each option has one or more of them, and its weight is
//! split among these in equal *shares*. Each open anchor is covered by exactly one option. So the sum grows at least by the least
//! share of the live options of each anchor, and at most by the largest:
//!
//! ```text
//! settle:
//!     while there is a sum whose anchors, bounds or options have changed:
//!         least, most = the sums of the least and of the largest share over its open anchors
//!         if least > high or most < low: dead end
//!         if low <= least and most <= high: the sum is as it has to be, whatever is chosen, so it is closed
//!         for option of its anchors:
//!             remove it if it makes `least` too large, or `most` too small, in place of the extreme shares of its anchors
//! ```
//!
//! An option of which no item is covered exactly once is *free*: it may be chosen or not, and adds to `most` alone.
//!
//! Shares are whole numbers in units of one part in [`UNIT`] of a weight. For each part of an option there is a number of 32 bits for
//! each sum that its item anchors. A look at a sum reads each live option of its anchors once or twice, a few nanoseconds each. The
//! trail tells which items have changed, so only sums of these are looked at.
//!
//! Items with bounds and without weights are sums of weights 1 here. Branches are made at items that are covered once as long as
//! there are any.
//!
//! A bound that holds whatever is chosen is set to one that nothing breaks, so that states with the same live options have the same
//! bounds as often as may be: counts that are remembered have both in their keys.

use super::{Change, DeadEnd, OptionSets};
use crate::cover::{Cover, Kind};

/// The parts of a weight that shares can have: so an option may have 1, 2, 3 or 4 anchors.
const UNIT: u64 = 12;
const MOST_SHARES: usize = 4;

/// Whether an item of a cover with weights has a sum: it is primary, and not just covered once.
pub(super) fn is_sum(kind: Kind) -> bool {
    !matches!(kind, Kind::ONCE | Kind::Secondary)
}

/// The sums of a cover, in the order of their items.
#[derive(Debug, Clone)]
pub(super) struct Sums {
    sums: Vec<Sum>,
    /// The number of the sum of each item; [`NONE`] if it has none.
    sum_of_item: Vec<u32>,
    /// The weight of each part.
    weights: Vec<u32>,
    /// For each layer, the share of each part in the sum that its item anchors in this layer.
    layers: Vec<Vec<u64>>,
    /// For each item, the sum that it anchors in each layer, as far as it has any.
    sums_of_anchor: Vec<Vec<u32>>,
    /// The bounds before each change on the trail.
    history: Vec<(u64, u64)>,
    /// The length of the trail up to which all changes have been looked at.
    pub settled: usize,
    /// The numbers of the sums that are to be looked at.
    waiting: Vec<u32>,
    /// Whether each sum is among them.
    is_waiting: Vec<bool>,
    /// For each item, its shares in the sum that was looked at last of those that it anchors.
    extremes: Vec<Extreme>,
    /// Options that are to be removed.
    doomed: Vec<u32>,
}

/// A sum of weights.
#[derive(Debug, Clone)]
struct Sum {
    item: u32,
    /// The bounds of what is still to be added. A lower bound that holds whatever is chosen is 0, and such an upper bound is
    /// [`FREE`].
    low: u64,
    high: u64,
    anchors: Vec<Anchor>,
    /// Whether some option of it has no anchor.
    has_free_options: bool,
    /// The most anchors of an option.
    most_anchors: u64,
}

/// An item that is covered once, and the layer that has its shares of a sum.
#[derive(Debug, Clone, Copy)]
struct Anchor {
    item: u32,
    layer: u32,
}

const NONE: u32 = u32::MAX;
/// An upper bound that nothing can exceed any more.
const FREE: u64 = u64::MAX;

/// The least and the largest share of an item in a sum.
#[derive(Debug, Clone, Copy)]
struct Extreme {
    sum: u32,
    layer: u32,
    least: u64,
    most: u64,
}

/// By how much, in units, a sum may stay below the most and above the least that it can become.
#[derive(Debug)]
struct Slack {
    below: u64,
    above: u64,
}

/// What a sum can still become, in units.
#[derive(Debug, Default)]
struct Range {
    least: u64,
    most: u64,
    /// The largest difference between the shares of an anchor.
    widest: u64,
}

impl Sums {
    /// The sums of `cover`, whose options `sets` has.
    pub fn new(cover: &Cover, sets: &OptionSets) -> Self {
        let mut sums = Self {
            sums: Vec::new(),
            sum_of_item: vec![NONE; sets.items.len()],
            weights: vec![1; sets.parts.len()],
            layers: Vec::new(),
            sums_of_anchor: vec![Vec::new(); sets.items.len()],
            history: Vec::new(),
            settled: 0,
            waiting: Vec::new(),
            is_waiting: Vec::new(),
            extremes: vec![Extreme { sum: NONE, layer: 0, least: 0, most: 0 }; sets.items.len()],
            doomed: Vec::new(),
        };
        for option in 0..cover.len() {
            let parts = sets.parts_of(option as u32);
            // An option that can never be chosen has no parts.
            parts.zip(cover.weights(option)).for_each(|(part, weight)| sums.weights[part] = weight);
        }
        for (number, item) in cover.items().iter().enumerate() {
            let Kind::Primary { low, high } = item.kind() else { continue };
            if is_sum(item.kind()) {
                sums.add(sets, number as u32, (low.into(), high.into()));
            }
        }
        sums.waiting = (0..sums.sums.len() as u32).collect();
        sums.is_waiting = vec![true; sums.sums.len()];
        sums
    }

    /// The bounds of what is still to be added to the sum of an item.
    pub fn bounds(&self, item: u32) -> (u64, u64) {
        let sum = &self.sums[self.sum_of_item[item as usize] as usize];
        (sum.low, sum.high)
    }

    /// Takes the current bounds for those of the root.
    pub fn forget_changes(&mut self) {
        self.history.clear();
        self.settled = 0;
    }

    /// Gives a sum the bounds that it had before the last change.
    pub fn undo(&mut self, sum: u32) {
        let (low, high) = self.history.pop().expect("each change of bounds has those before");
        let sum = &mut self.sums[sum as usize];
        (sum.low, sum.high) = (low, high);
    }

    /// Adds the sum of an item, and finds its anchors: items that are covered once, those first of which the largest part of the
    /// options is in the sum, until each option has one.
    fn add(&mut self, sets: &OptionSets, item: u32, (low, high): (u64, u64)) {
        let number = self.sums.len() as u32;
        self.sum_of_item[item as usize] = number;
        let is_once = |item: u32| {
            let state = &sets.items[item as usize];
            state.is_primary && state.high == 1 && state.low == 1
        };
        // The options of the sum that each item has.
        let mut uses: Vec<(u32, u32)> = Vec::new();
        for option in sets.live_options(item) {
            let items = sets.parts_of(option).map(|part| sets.parts[part].item);
            uses.extend(items.filter(|&item| is_once(item)).map(|item| (item, 1)));
        }
        uses.sort_unstable();
        uses.dedup_by(|next, first| {
            let is_same = next.0 == first.0;
            first.1 += u32::from(is_same);
            is_same
        });
        let size = |item: u32| u64::from(sets.items[item as usize].size);
        uses.sort_by(|&(a, of_a), &(b, of_b)| {
            (u64::from(of_b) * size(a)).cmp(&(u64::from(of_a) * size(b))).then(a.cmp(&b))
        });
        let mut is_anchor = vec![false; sets.items.len()];
        let mut is_anchored = vec![false; sets.ends.len()];
        let mut anchors = Vec::new();
        for (anchor, _) in uses {
            let mut is_new = false;
            for option in sets.live_options(anchor) {
                let mut items = sets.parts_of(option).map(|part| sets.parts[part].item);
                if !is_anchored[option as usize] && items.any(|other| other == item) {
                    is_anchored[option as usize] = true;
                    is_new = true;
                }
            }
            if is_new {
                is_anchor[anchor as usize] = true;
                let layer = self.layer(anchor, number);
                anchors.push(Anchor { item: anchor, layer });
            }
        }
        let anchors_of = |option: u32| {
            let mut parts = sets.parts_of(option);
            parts.by_ref().filter(|&part| is_anchor[sets.parts[part].item as usize]).count() as u64
        };
        let options = anchors.iter().flat_map(|anchor| sets.live_options(anchor.item));
        let most_anchors = options.map(anchors_of).max().unwrap_or(1);
        let mut sum = Sum { item, low, high, anchors, has_free_options: false, most_anchors };
        for option in sets.live_options(item) {
            self.share(sets, option, &mut sum, &is_anchor);
        }
        self.sums.push(sum);
    }

    /// Puts the sums that the changes since the last look concern among those that wait.
    fn read_trail(&mut self, trail: &[Change]) {
        for change in &trail[self.settled..] {
            match *change {
                Change::Removed(item) | Change::Closed(item) => {
                    let own = self.sum_of_item[item as usize];
                    if own != NONE && self.sums[own as usize].has_free_options {
                        self.wait(own);
                    }
                    for place in 0..self.sums_of_anchor[item as usize].len() {
                        self.wait(self.sums_of_anchor[item as usize][place]);
                    }
                }
                Change::Sum(sum) => self.wait(sum),
                Change::Bounds { .. } | Change::Chosen => {}
            }
        }
        self.settled = trail.len();
    }

    fn wait(&mut self, sum: u32) {
        if !std::mem::replace(&mut self.is_waiting[sum as usize], true) {
            self.waiting.push(sum);
        }
    }

    /// The layer in which an item has its shares of a sum; a new one of its own.
    fn layer(&mut self, item: u32, sum: u32) -> u32 {
        let sums = &mut self.sums_of_anchor[item as usize];
        sums.push(sum);
        if sums.len() > self.layers.len() {
            self.layers.push(vec![0; self.weights.len()]);
        }
        sums.len() as u32 - 1
    }

    /// Splits the weight of an option among its anchors.
    fn share(&mut self, sets: &OptionSets, option: u32, sum: &mut Sum, is_anchor: &[bool]) {
        let parts = sets.parts_of(option);
        let own = parts.clone().find(|&part| sets.parts[part].item == sum.item);
        let weight = u64::from(self.weights[own.expect("it is an option of the sum")]);
        let anchors: Vec<usize> =
            parts.filter(|&part| is_anchor[sets.parts[part].item as usize]).collect();
        if anchors.is_empty() {
            sum.has_free_options = true;
            return;
        }
        // The weight of an option with more anchors is that of the first ones.
        let shares = anchors.len().min(MOST_SHARES);
        for &part in &anchors[..shares] {
            let item = sets.parts[part].item;
            let anchor = sum.anchors.iter().find(|anchor| anchor.item == item);
            let layer = anchor.expect("it is an anchor").layer as usize;
            self.layers[layer][part] = UNIT * weight / shares as u64;
        }
    }
}

impl OptionSets {
    /// Adds the weights of an option that was chosen to its sums that are not closed.
    pub(super) fn add_to_sums(&mut self, option: u32) {
        let Some(mut sums) = self.sums.take() else { return };
        for part in self.parts_of(option) {
            let item = self.parts[part].item as usize;
            let sum = sums.sum_of_item[item];
            if sum != NONE && !self.items[item].is_closed {
                let Sum { low, high, .. } = sums.sums[sum as usize];
                let weight = u64::from(sums.weights[part]);
                let high = if high == FREE { FREE } else { high.saturating_sub(weight) };
                self.change_bounds(&mut sums, sum, (low.saturating_sub(weight), high));
            }
        }
        self.sums = Some(sums);
    }

    fn change_bounds(&mut self, sums: &mut Sums, number: u32, bounds: (u64, u64)) {
        let sum = &mut sums.sums[number as usize];
        let before = (sum.low, sum.high);
        if before != bounds {
            self.trail.push(Change::Sum(number));
            sums.history.push(before);
            (sum.low, sum.high) = bounds;
        }
    }

    /// Removes the options that sums do not admit any more, until there is none.
    pub(super) fn settle(&mut self) -> Result<(), DeadEnd> {
        let Some(mut sums) = self.sums.take() else { return Ok(()) };
        let mut result = Ok(());
        while result.is_ok() {
            sums.read_trail(&self.trail);
            let Some(sum) = sums.waiting.pop() else { break };
            sums.is_waiting[sum as usize] = false;
            if !self.is_closed(sums.sums[sum as usize].item) {
                result = self.look_at(&mut sums, sum);
            }
        }
        self.sums = Some(sums);
        result
    }

    /// Removes the options that a sum does not admit.
    fn look_at(&mut self, sums: &mut Sums, sum: u32) -> Result<(), DeadEnd> {
        let range = self.range(sums, sum);
        let Sum { item, low, high, has_free_options, .. } = sums.sums[sum as usize];
        let least_wanted = UNIT * low;
        let most_wanted = if high == FREE { u64::MAX } else { UNIT * high };
        if range.least > most_wanted || range.most < least_wanted {
            return Err(DeadEnd);
        }
        let holds = (range.least >= least_wanted, range.most <= most_wanted);
        if holds == (true, true) && !has_free_options {
            self.mark_closed(item);
            return Ok(());
        }
        let bounds = (if holds.0 { 0 } else { low }, if holds.1 { FREE } else { high });
        self.change_bounds(sums, sum, bounds);
        // This change follows from the sum itself.
        sums.settled = self.trail.len();
        let slack = Slack { below: range.most - least_wanted, above: most_wanted - range.least };
        sums.doomed.clear();
        self.find_doomed(sums, sum, &slack, range.widest);
        let mut result = Ok(());
        for &option in &sums.doomed {
            if self.is_live(option) {
                result = result.and(self.remove(option));
            }
        }
        result
    }

    /// What the live options let a sum become. The extreme shares of its anchors are kept.
    fn range(&self, sums: &mut Sums, number: u32) -> Range {
        let Sums { sums, layers, extremes, weights, .. } = sums;
        let sum = &sums[number as usize];
        let mut range = Range::default();
        for anchor in &sum.anchors {
            if self.is_closed(anchor.item) {
                continue;
            }
            let layer = &layers[anchor.layer as usize];
            let (mut least, mut most) = (u64::MAX, 0);
            for &part in self.members(anchor.item) {
                least = least.min(layer[part as usize]);
                most = most.max(layer[part as usize]);
            }
            let least = least.min(most);
            extremes[anchor.item as usize] =
                Extreme { sum: number, layer: anchor.layer, least, most };
            range.least = range.least.saturating_add(least);
            range.most = range.most.saturating_add(most);
            range.widest = range.widest.max(most - least);
        }
        if sum.has_free_options {
            for part in self.free_parts(sum) {
                range.most = range.most.saturating_add(UNIT * u64::from(weights[part]));
            }
        }
        range
    }

    /// The parts in a sum of its live options without anchors.
    fn free_parts(&self, sum: &Sum) -> impl Iterator<Item = usize> {
        let is_anchor = |item: u32| sum.anchors.iter().any(|anchor| anchor.item == item);
        self.members(sum.item).iter().map(|&part| part as usize).filter(move |&part| {
            let mut parts = self.parts_of(self.owners[part]);
            !parts.any(|part| is_anchor(self.parts[part].item))
        })
    }

    /// Lists the live options that take more than the slack of a sum.
    fn find_doomed(&self, sums: &mut Sums, number: u32, slack: &Slack, widest: u64) {
        let Sums { sums, layers, extremes, weights, doomed, .. } = sums;
        let sum = &sums[number as usize];
        if sum.has_free_options {
            let is_over = |&part: &usize| UNIT * u64::from(weights[part]) > slack.above;
            doomed.extend(self.free_parts(sum).filter(is_over).map(|part| self.owners[part]));
        }
        let others = widest.saturating_mul(sum.most_anchors);
        if slack.below >= others && slack.above >= others {
            return;
        }
        let others = others - widest;
        for anchor in sum.anchors.iter().filter(|anchor| !self.is_closed(anchor.item)) {
            let Extreme { least, most, .. } = extremes[anchor.item as usize];
            for &part in self.members(anchor.item) {
                let share = layers[anchor.layer as usize][part as usize];
                let may_be_over =
                    most - share + others > slack.below || share - least + others > slack.above;
                if !may_be_over {
                    continue;
                }
                let option = self.owners[part as usize];
                let (mut below, mut above) = (0_u64, 0_u64);
                for part in self.parts_of(option) {
                    // An option that is live has no anchor that is closed.
                    let anchor = &extremes[self.parts[part].item as usize];
                    if anchor.sum == number {
                        let share = layers[anchor.layer as usize][part];
                        below = below.saturating_add(anchor.most - share);
                        above = above.saturating_add(share - anchor.least);
                    }
                }
                if below > slack.below || above > slack.above {
                    doomed.push(option);
                }
            }
        }
    }
}
