//! A look ahead by the masks: a walk that wants each cover need not enter nodes that have none.

use base::cpu::Instructions;
use search::{Pace, Stop};

use crate::cover::Cover;
use crate::masks::{Encoded, Machine, Node, Start, count};

/// Nodes that may be looked at for each node of the walk, which takes some thirty times as long for one. With 16,
/// pentominoes on 6 x 10 take twice as long; with more, covers that are many get slower.
const CREDIT_OF_A_NODE: u64 = 64;
/// So many nodes are looked at, or none: looks that end early tell nothing.
const LEAST_CREDIT: u64 = 1024;
/// Words of the root's masks that are tested in the time of a node.
const WORDS_OF_A_NODE: u64 = 512;

/// Counts the covers below nodes of a walk, as far as it was given credit.
///
/// The walk earns credit by each node and loses it where it finds covers. So where few nodes lead nowhere, few are
/// looked at, and where many do, each is left soon after the credit reaches its size.
#[derive(Debug)]
pub(super) struct Scout {
    encoded: Encoded,
    machine: Machine,
    instructions: Instructions,
    /// The mask of each option of the cover, by its place among those that can be chosen.
    places: Vec<Option<u32>>,
    credit: u64,
}

impl Scout {
    /// `None` for a cover that masks cannot hold.
    pub fn new(cover: &Cover) -> Option<Self> {
        let encoded = Encoded::new(cover)?;
        let mut next = 0;
        let places = (0..cover.len()).map(|option| {
            let place = cover.can_choose(option).then_some(next);
            next += u32::from(place.is_some());
            place
        });
        Some(Self {
            places: places.collect(),
            machine: Machine::new(&encoded),
            instructions: Instructions::best(),
            credit: 0,
            encoded,
        })
    }

    /// The walk took a node.
    pub fn earn(&mut self) {
        self.credit += CREDIT_OF_A_NODE;
    }

    /// The walk found a cover of so many options.
    pub fn pay(&mut self, options: usize) {
        self.credit = self.credit.saturating_sub(CREDIT_OF_A_NODE * options as u64);
    }

    /// Whether no cover has all of the `chosen` options. `false` if that is not found out within the credit.
    pub fn rules_out(&mut self, chosen: &[u32]) -> bool {
        if self.credit < LEAST_CREDIT {
            return false;
        }
        let Some(node) = self.node(chosen) else { return false };
        let stop = Stop::new();
        let mut pace = Pace::limited(&stop, self.credit);
        let start = Start::new(&self.encoded, &node);
        let found = count(self.instructions, &mut self.machine, start, &mut pace);
        let entering = self.encoded.masks.len() as u64 / WORDS_OF_A_NODE;
        self.credit = self.credit.saturating_sub(pace.nodes() + entering);
        found == Ok(0)
    }

    /// The node below the `chosen` options.
    fn node(&self, chosen: &[u32]) -> Option<Node> {
        let words = self.encoded.words;
        let mut node = self.encoded.root();
        let (open, forbidden) = node.split_at_mut(words);
        for &option in chosen {
            let begin = words * self.places[option as usize]? as usize;
            let mask = &self.encoded.masks[begin..begin + words];
            for (word, covered) in open.iter_mut().zip(mask) {
                *word &= !covered;
            }
            for (word, more) in forbidden.iter_mut().zip(self.encoded.forbidden(mask)) {
                *word |= more;
            }
        }
        Some(node)
    }
}
