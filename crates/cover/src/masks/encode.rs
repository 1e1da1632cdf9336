//! Options as masks.
//!
//! A primary item is a bit, and so is a secondary item without colours that at least two options cover. Two options
//! clash if they have a bit in common. An item that need not be covered gets an option of its own, which covers
//! nothing else: it says that no other option covers the item.
//!
//! A secondary item with k colours is as many pairs of bits as the numbers of the colours have binary digits: a digit
//! 0 is the lower bit of a pair, a digit 1 the upper one. Two colours differ in a digit; there, one option has the
//! bit that the other forbids. If options cover the item with and without a colour, one more pair tells them apart,
//! and those without a colour have a bit in common.

use std::collections::BTreeMap;

use super::MAX_WORDS;
use crate::arithmetic::Arithmetic;
use crate::cover::Cover;
use crate::item::{Entry, Kind, NO_COLOUR};
use base::Kernel;
use base::cpu::Instructions;

/// The numbers of words that kernels are compiled for.
const WIDTHS: [usize; 6] = [1, 2, 3, 4, 6, MAX_WORDS];

/// So few options fill few vectors of eight at most nodes. Vectors of four are faster then: they tell sooner which
/// options are live. Langford's pairs, queens and Latin squares take 5 to 10 % less time, polyominoes of more options
/// 13 to 20 % more.
const FEW_OPTIONS: usize = 512;
/// It was measured for masks of up to so many words.
const WORDS_OF_FEW: usize = 2;

/// A problem as masks.
#[derive(Debug, Clone, Default)]
pub(crate) struct Encoded {
    /// The words of a mask.
    pub words: usize,
    /// The masks of all options, one after the other.
    pub masks: Vec<u64>,
    /// The primary items.
    pub open: Vec<u64>,
    /// Items of one bit.
    pub plain: Vec<u64>,
    /// The lower bits of the pairs.
    pub pairs: Vec<u64>,
    /// Whether there is a pair.
    pub is_coloured: bool,
    /// How counts are added up.
    pub arithmetic: Arithmetic,
}

/// Where the bits of an item are.
#[derive(Debug, Clone, Default)]
struct Place {
    /// The bit that options without a colour have.
    plain: Option<usize>,
    /// The pair that tells whether an option has a colour: its upper bit says that it has none.
    kind: Option<usize>,
    /// The first pair of the colours.
    first: usize,
    /// The pairs of the colours.
    pairs: usize,
    /// The colours, numbered.
    colours: BTreeMap<u32, usize>,
    /// The options without a colour.
    uses: usize,
}

impl Encoded {
    /// The problem `cover` as masks; `None` if an item asks for several options, or if the masks are too long.
    pub fn new(cover: &Cover) -> Option<Self> {
        if cover.has_multiplicities() || u32::try_from(cover.len()).is_err() {
            return None;
        }
        let usable: Vec<usize> =
            (0..cover.len()).filter(|&option| cover.can_choose(option)).collect();
        let (places, bits) = places(cover, &usable)?;
        let words = WIDTHS.into_iter().find(|&words| bits <= 64 * words)?;
        let mut encoded = Self {
            words,
            masks: Vec::with_capacity(words * usable.len()),
            open: vec![0; words],
            plain: vec![u64::MAX; words],
            pairs: vec![0; words],
            is_coloured: false,
            arithmetic: Arithmetic::default(),
        };
        for place in &places {
            for pair in place.kind.into_iter().chain((0..place.pairs).map(|i| place.first + 2 * i))
            {
                set(&mut encoded.pairs, pair);
                encoded.plain[pair / 64] &= !(3 << (pair % 64));
                encoded.is_coloured = true;
            }
        }
        for &option in &usable {
            encoded.push(cover.entries(option), &places);
        }
        for (item, place) in cover.items().iter().zip(&places) {
            let Kind::Primary { low, high: 1 } = item.kind() else { continue };
            let Some(bit) = place.plain else { continue };
            set(&mut encoded.open, bit);
            if low == 0 {
                let begin = encoded.masks.len();
                encoded.masks.resize(begin + words, 0);
                set(&mut encoded.masks[begin..], bit);
            }
        }
        Some(encoded)
    }

    /// An upper estimate of the memory of a worker and its memo, in bytes.
    pub fn memory(&self) -> u64 {
        (4 * size_of_val(self.masks.as_slice()) + super::memo::MOST_BYTES) as u64
    }

    /// The instructions that search it fastest on this CPU.
    pub fn fastest_instructions(&self) -> Instructions {
        if self.words <= WORDS_OF_FEW && self.len() <= FEW_OPTIONS {
            Instructions::of_or_best(Kernel::Avx2)
        } else {
            Instructions::best()
        }
    }

    /// The number of options.
    pub fn len(&self) -> usize {
        self.masks.len() / self.words
    }

    fn push(&mut self, entries: &[Entry], places: &[Place]) {
        let begin = self.masks.len();
        self.masks.resize(begin + self.words, 0);
        let mask = &mut self.masks[begin..];
        for entry in entries {
            let place = &places[entry.item as usize];
            if entry.colour == NO_COLOUR {
                place.plain.into_iter().for_each(|bit| set(mask, bit));
                place.kind.into_iter().for_each(|pair| set(mask, pair + 1));
                continue;
            }
            place.kind.into_iter().for_each(|pair| set(mask, pair));
            let number = place.colours[&entry.colour];
            for digit in 0..place.pairs {
                set(mask, place.first + 2 * digit + (number >> digit & 1));
            }
        }
    }

    /// Keeps the options for which `keep` says so, by their numbers.
    pub fn retain(&mut self, keep: &[bool]) {
        let words = self.words;
        let mut kept = Vec::with_capacity(self.masks.len());
        for (mask, _) in self.masks.chunks_exact(words).zip(keep).filter(|(_, keep)| **keep) {
            kept.extend_from_slice(mask);
        }
        self.masks = kept;
    }

    /// The bits that no option may have beside one with this mask.
    pub fn forbidden(&self, mask: &[u64]) -> Vec<u64> {
        let mut forbidden = Vec::with_capacity(self.words);
        for (i, &word) in mask.iter().enumerate() {
            let swapped = (word & self.pairs[i]) << 1 | word >> 1 & self.pairs[i];
            forbidden.push(word & self.plain[i] | swapped);
        }
        forbidden
    }
}

/// Gives bits to the items: first to the primary ones, then to the secondary ones that forbid something.
fn places(cover: &Cover, usable: &[usize]) -> Option<(Vec<Place>, usize)> {
    let mut places = vec![Place::default(); cover.items().len()];
    for &option in usable {
        for entry in cover.entries(option) {
            let place = &mut places[entry.item as usize];
            if entry.colour == NO_COLOUR {
                place.uses += 1;
            } else {
                let number = place.colours.len();
                place.colours.entry(entry.colour).or_insert(number);
            }
        }
    }
    let mut bits = 0;
    for (item, place) in cover.items().iter().zip(&mut places) {
        if matches!(item.kind(), Kind::Primary { high: 1, .. }) {
            place.plain = Some(bits);
            bits += 1;
        }
    }
    for (item, place) in cover.items().iter().zip(&mut places) {
        if item.kind() == Kind::Secondary && place.uses > 1 {
            place.plain = Some(bits);
            bits += 1;
        }
    }
    // The two bits of a pair stand in one word.
    bits = bits.next_multiple_of(2);
    for place in &mut places {
        if place.uses > 0 && !place.colours.is_empty() {
            place.kind = Some(bits);
            bits += 2;
        }
        place.first = bits;
        place.pairs = place.colours.len().max(1).next_power_of_two().trailing_zeros() as usize;
        bits += 2 * place.pairs;
    }
    (bits <= 64 * MAX_WORDS).then_some((places, bits))
}

fn set(mask: &mut [u64], bit: usize) {
    mask[bit / 64] |= 1 << (bit % 64);
}
