//! The engine for covers of up to 512 bits: each option is a mask of the items that it covers.
//!
//! It counts covers with colours, and with items that are covered several times if each of their options also covers an item that
//! is covered once. It remembers the counts of nodes, which other nodes may have again.

mod bits;
mod kernel;
mod ladders;
mod split;
mod visits;
mod workspace;

use crate::arithmetic::Arithmetic;
use crate::cover::{Cover, Entry, Kind, NO_COLOUR};
pub(crate) use kernel::count;
use ladders::{Ladders, MOST_RUNGS};
pub(crate) use split::MaskTree;
use split::Node;
use std::collections::BTreeMap;
use tallyboard_base::Kernel;
use tallyboard_base::cpu::Instructions;
pub(crate) use visits::{State, Visits};
pub(crate) use workspace::Workspace;

/// The words of the longest masks.
pub(crate) const MAX_WORDS: usize = 8;

/// The node at which a search starts. Its masks have the bits of the root.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StartNode<'a> {
    pub encoded: &'a Encoded,
    /// The items that still have to be covered.
    pub open: &'a [u64],
    /// The bits that no option may have any more.
    pub forbidden: &'a [u64],
}

impl<'a> StartNode<'a> {
    pub fn new(encoded: &'a Encoded, node: &'a Node) -> Self {
        let (open, forbidden) = node.split_at(encoded.words);
        Self { encoded, open, forbidden }
    }
}

/// A question about a node that is answered without counting its covers.
#[derive(Debug)]
pub(crate) enum Question<'a> {
    /// The children of the node, which are appended: the open items of each, then the bits forbidden to it. The answer is the
    /// number of covers of a node without children.
    Children(&'a mut Vec<u64>),
    /// An estimate of the nodes below it, by a random descent with this seed.
    Descend(u64),
    /// Whether each item has an option after all forced options are taken. The answer is 0 if not.
    IsPossible,
}

// Options as masks.
//
// A primary item is a bit, and so is a secondary item without colours that at least two options cover. Two options
// clash if they have a bit in common. A primary item that need not be covered gets an additional option that covers only this
// item: it stands for the choice to leave the item uncovered.
//
// The colours of a secondary item are numbered by digits with two or three values, and each digit has a bit for each value: an
// option has the bit of its colour's value, and forbids the other bits of the digit. Two colours differ in a digit, so their options
// clash. If options cover the item with and without a colour, one more digit tells these apart, and all options without a colour
// have one more bit in common.
//
// An item that is covered several times has a ladder of bits, which `Ladders` explains.

/// The numbers of words that kernels are compiled for: `compile_kernel` has the same list.
const WIDTHS: [usize; 5] = [1, 2, 3, 4, MAX_WORDS];

/// A problem with at most so many options fills few vectors of eight options at most nodes, so vectors of four are faster.
/// Langford's pairs, queens and Latin squares take 5 to 10 % less time with them; polyominoes, which have more options, 13 to
/// 20 % more.
const FEW_OPTIONS: usize = 512;
/// [`FEW_OPTIONS`] was measured with masks of up to so many words.
const MAX_MEASURED_WORDS: usize = 2;

/// A problem as masks.
#[derive(Debug, Clone)]
pub(crate) struct Encoded {
    /// The words of a mask.
    pub words: usize,
    /// The masks of all options, one after the other.
    pub masks: Vec<u64>,
    /// The bits of primary items.
    pub open: Vec<u64>,
    /// The bits that belong to no digit and no ladder. An option that has such a bit forbids it to all others.
    pub plain: Vec<u64>,
    /// The bits of digits with another bit of their digit above them.
    pub digits: Vec<u64>,
    /// Whether a bit belongs to a digit or a ladder.
    pub is_mixed: bool,
    /// The ladders, if there are any.
    pub ladders: Option<Ladders>,
    /// How counts are added up.
    pub arithmetic: Arithmetic,
    /// Whether a search looks for options behind which an item has none before it takes them.
    pub looks_ahead: bool,
}

/// The bits of an item.
#[derive(Debug, Clone, Default)]
struct ItemBits {
    /// The bit of a primary item, or its lowest rung; of a secondary one, the bit of options that give it no colour.
    no_colour: Option<usize>,
    /// The rungs of an item that may be covered several times.
    rungs: u32,
    /// The first bit of the digit that tells whether an option gives the item a colour (the lower bit) or none (the upper bit).
    has_colour: Option<usize>,
    /// The digits of colours: the first bit of each, and its number of values.
    digits: Vec<(usize, usize)>,
    /// The index of each colour, from 0, that the digits spell.
    colours: BTreeMap<u32, usize>,
    /// The number of options that give the item no colour.
    uncoloured_options: usize,
}

impl ItemBits {
    /// How often an item of this kind can be covered at most, if it may be covered several times.
    fn most(&self, kind: Kind) -> Option<u32> {
        match kind {
            // More than all options together are as good as none beyond.
            Kind::Primary { low, high: high @ 2.. } => {
                let options = u32::try_from(self.uncoloured_options).unwrap_or(u32::MAX);
                Some(high.min(low.max(options)))
            }
            _ => None,
        }
    }
}

impl Encoded {
    /// The problem `cover` as masks, whose counts `arithmetic` adds up; `None` if the masks are too long, or if an option covers
    /// an item that may be covered several times, and none that is covered once.
    pub fn new(cover: &Cover, arithmetic: Arithmetic) -> Option<Self> {
        if cover.has_weights() {
            return None;
        }
        let usable: Vec<usize> = cover.usable_options().collect();
        let is_once = |entry: &Entry| {
            matches!(cover.items()[entry.item as usize].kind(), Kind::Primary { high: 1, .. })
        };
        if !usable.iter().all(|&option| cover.entries(option).iter().any(is_once)) {
            return None;
        }
        let (items, bits) = bits_of_items(cover, &usable)?;
        let words = WIDTHS.into_iter().find(|&words| bits <= 64 * words)?;
        let mut encoded = Self {
            words,
            masks: Vec::with_capacity(words * usable.len()),
            open: vec![0; words],
            plain: vec![u64::MAX; words],
            digits: vec![0; words],
            is_mixed: false,
            ladders: None,
            arithmetic,
            looks_ahead: true,
        };
        for item in &items {
            let has_colour = item.has_colour.map(|first| (first, 2));
            for (first, values) in has_colour.into_iter().chain(item.digits.iter().copied()) {
                (first..first + values - 1).for_each(|bit| set(&mut encoded.digits, bit));
                encoded.plain[first / 64] &= !(((1 << values) - 1) << (first % 64));
                encoded.is_mixed = true;
            }
        }
        for &option in &usable {
            encoded.push(cover.entries(option), &items);
        }
        for (item, bits) in cover.items().iter().zip(&items) {
            let Kind::Primary { low, high } = item.kind() else { continue };
            let Some(bit) = bits.no_colour else { continue };
            if high > 1 {
                encoded.add_ladder(bit, low, bits.rungs);
                continue;
            }
            set(&mut encoded.open, bit);
            if low == 0 {
                let begin = encoded.masks.len();
                encoded.masks.resize(begin + words, 0);
                set(&mut encoded.masks[begin..], bit);
            }
        }
        Some(encoded)
    }

    /// Adds the ladder of an item, whose lowest rung is `bit`.
    fn add_ladder(&mut self, bit: usize, low: u32, high: u32) {
        for rung in bit..bit + high as usize {
            set(&mut self.open, rung);
            self.plain[rung / 64] &= !(1 << (rung % 64));
        }
        self.is_mixed = true;
        self.ladders.get_or_insert_with(Ladders::none).add(bit, low, high);
    }

    /// An upper estimate of the memory of a worker and its memo, in bytes.
    pub fn memory(&self) -> u64 {
        // The masks are here and once more in the list of the root. Twice their size is assumed for the lists of the nodes of a
        // path, which get shorter with each option chosen.
        (4 * size_of_val(self.masks.as_slice()) + workspace::MOST_BYTES) as u64
    }

    /// The instructions with which this CPU searches fastest.
    pub fn fastest_instructions(&self) -> Instructions {
        if self.words <= MAX_MEASURED_WORDS && self.len() <= FEW_OPTIONS {
            Instructions::of_or_best(Kernel::Avx2)
        } else {
            Instructions::best()
        }
    }

    /// The number of options.
    pub fn len(&self) -> usize {
        self.masks.len() / self.words
    }

    /// Adds the mask of an option.
    fn push(&mut self, entries: &[Entry], items: &[ItemBits]) {
        let begin = self.masks.len();
        self.masks.resize(begin + self.words, 0);
        let mask = &mut self.masks[begin..];
        for entry in entries {
            let item = &items[entry.item as usize];
            if entry.colour == NO_COLOUR {
                let bits = item.no_colour.map(|bit| bit..bit + item.rungs.max(1) as usize);
                bits.into_iter().flatten().for_each(|bit| set(mask, bit));
                item.has_colour.into_iter().for_each(|first| set(mask, first + 1));
                continue;
            }
            item.has_colour.into_iter().for_each(|first| set(mask, first));
            let mut index = item.colours[&entry.colour];
            for &(first, values) in &item.digits {
                set(mask, first + index % values);
                index /= values;
            }
        }
    }

    /// Chooses an option with this mask at a node, which is the open items and then the forbidden bits.
    pub fn choose(&self, node: &mut [u64], mask: &[u64]) {
        let (open, forbidden) = node.split_at_mut(self.words);
        forbidden.iter_mut().zip(self.forbidden(mask)).for_each(|(word, more)| *word |= more);
        for (i, (open, &mask)) in open.iter_mut().zip(mask).enumerate() {
            match &self.ladders {
                None => *open &= !mask,
                Some(ladders) => {
                    *open = ladders.open_after(i, *open, mask);
                    forbidden[i] |= ladders.forbidden(i, mask, *open);
                }
            }
        }
    }

    /// The bits that options must not have if an option with this mask is chosen, but for those of ladders.
    pub fn forbidden(&self, mask: &[u64]) -> Vec<u64> {
        let mut forbidden = Vec::with_capacity(self.words);
        for (i, &word) in mask.iter().enumerate() {
            forbidden.push(word & self.plain[i] | others(word, self.digits[i]));
        }
        forbidden
    }
}

/// The other bits of the digits that `mask` has a bit of. `digits` are the bits with another bit of their digit above them.
#[inline(always)]
fn others(mask: u64, digits: u64) -> u64 {
    let above = (mask & digits) << 1;
    let below = mask >> 1 & digits;
    above | (above & digits) << 1 | below | below >> 1 & digits
}

/// The numbers of values of the digits that tell so many colours apart, with the fewest bits: none for a single colour.
fn digits_for(colours: usize) -> Vec<usize> {
    let with_threes = |threes: u32| {
        let mut values = vec![3; threes as usize];
        while values.iter().product::<usize>() < colours {
            values.push(2);
        }
        values
    };
    // Three to the 20 is more than 2^31, and at most one digit of two values is added.
    let all = (0..=20).map(with_threes);
    all.min_by_key(|values| values.iter().sum::<usize>()).unwrap_or_default()
}

/// The first of `len` bits from `next` on that are in one word; `next` is behind them then.
fn take_bits(next: &mut usize, len: usize) -> usize {
    if *next % 64 + len > 64 {
        *next = next.next_multiple_of(64);
    }
    *next += len;
    *next - len
}

/// Gives bits to the items: first to the primary ones, those that are covered once before the others, then to the secondary ones
/// in which options can clash. Also returns the number of bits; `None` if a ladder is too long.
fn bits_of_items(cover: &Cover, usable: &[usize]) -> Option<(Vec<ItemBits>, usize)> {
    let mut items = vec![ItemBits::default(); cover.items().len()];
    for &option in usable {
        for entry in cover.entries(option) {
            let bits = &mut items[entry.item as usize];
            if entry.colour == NO_COLOUR {
                bits.uncoloured_options += 1;
            } else {
                let next_index = bits.colours.len();
                bits.colours.entry(entry.colour).or_insert(next_index);
            }
        }
    }
    let mut next = 0;
    for (item, bits) in cover.items().iter().zip(&mut items) {
        if matches!(item.kind(), Kind::Primary { high: 1, .. }) {
            bits.no_colour = Some(next);
            next += 1;
        }
    }
    for (item, bits) in cover.items().iter().zip(&mut items) {
        let Some(rungs) = bits.most(item.kind()).filter(|&rungs| rungs > 0) else { continue };
        if rungs > MOST_RUNGS {
            return None;
        }
        let first = take_bits(&mut next, rungs as usize);
        (bits.no_colour, bits.rungs) = (Some(first), rungs);
    }
    for (item, bits) in cover.items().iter().zip(&mut items) {
        if item.kind() == Kind::Secondary && bits.uncoloured_options > 1 {
            bits.no_colour = Some(next);
            next += 1;
        }
    }
    for bits in &mut items {
        if bits.uncoloured_options > 0 && !bits.colours.is_empty() {
            bits.has_colour = Some(take_bits(&mut next, 2));
        }
        for values in digits_for(bits.colours.len()) {
            bits.digits.push((take_bits(&mut next, values), values));
        }
    }
    Some((items, next))
}

fn set(mask: &mut [u64], bit: usize) {
    mask[bit / 64] |= 1 << (bit % 64);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against all numbers of digits with two and three values.
    #[test]
    fn colours_are_spelled_with_the_fewest_bits() {
        for colours in 0..300_usize {
            let values = digits_for(colours);
            assert!(values.iter().product::<usize>() >= colours, "{colours}");
            let all = (0..8_u32).flat_map(|threes| (0..10_u32).map(move |twos| (threes, twos)));
            let fewest = all
                .filter(|&(threes, twos)| 3_usize.pow(threes) << twos >= colours)
                .map(|(threes, twos)| (3 * threes + 2 * twos) as usize)
                .min();
            assert_eq!(Some(values.iter().sum()), fewest, "{colours}");
        }
    }

    /// Bits 1 and 2 are a digit, and bits 3 to 5.
    #[test]
    fn a_bit_of_a_digit_forbids_its_others() {
        let digits = 1 << 1 | 1 << 3 | 1 << 4;
        let expected = [0, 1 << 2, 1 << 1, 0b11_0000, 0b10_1000, 0b01_1000, 0];
        for (bit, expected) in expected.into_iter().enumerate() {
            assert_eq!(others(1 << bit, digits), expected, "{bit}");
        }
    }

    #[test]
    fn bits_that_belong_together_are_in_one_word() {
        let mut next = 61;
        assert_eq!((take_bits(&mut next, 3), take_bits(&mut next, 2)), (61, 64));
        next = 62;
        assert_eq!((take_bits(&mut next, 3), next), (64, 67));
    }
}
