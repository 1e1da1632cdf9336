//! Looking ahead with the engine of masks: a walk that lists all covers skips nodes that have none.

use std::time::{Duration, Instant};

use tallyboard_base::cpu::Instructions;
use tallyboard_search::{NodeBudget, Stop};

use crate::arithmetic::Arithmetic;
use crate::cover::Cover;
use crate::masks::{Encoded, StartNode, Workspace, count};

/// While the budget is too small for a look, the clock is read after every so many nodes of the walk.
const NODES_BETWEEN: u64 = 16;
/// The fewest nodes of a look: most looks with a smaller limit would end without a result.
const LEAST_NODES: u64 = 16;
/// Looks that rule nothing out take at most one part in so many of the walk's time.
const LOSS_PART: u32 = 4;
/// A scout keeps a copy of all masks of the cover. If they have more words of 64 bits than this (16 MiB), there is none.
const MOST_WORDS: usize = 1 << 21;

/// Finds out which nodes of a walk have no covers. A *look* is a search with masks below a node of the walk, with a limit of
/// nodes: if it finishes without a cover, the walk skips the node.
///
/// How much faster a look is than the walk, and how often it rules a node out, depends on the cover. So the scout has a
/// budget of time. A part of the walk's time is added to it, and the time of each look is subtracted. If a look rules a node
/// out, the time is added that the walk would have taken for as many nodes. So a scout loses at most that part of the time.
#[derive(Debug)]
pub(super) struct Scout {
    encoded: Encoded,
    /// Allocated for the first look.
    workspace: Option<Workspace>,
    instructions: Instructions,
    /// For each option of the cover, the number of its mask. An option that cannot be chosen has no mask, and its number no
    /// meaning.
    mask_numbers: Vec<usize>,
    budget: Duration,
    walk: Work,
    looks: Work,
    /// When the walk went on after the last look or cover.
    walking_since: Instant,
    /// The nodes that the walk has taken since then.
    nodes_since: u64,
}

/// A number of nodes, and the time that they took.
#[derive(Debug, Default)]
struct Work {
    nodes: u64,
    time: Duration,
}

impl Work {
    fn add(&mut self, nodes: u64, time: Duration) {
        self.nodes += nodes;
        self.time += time;
    }

    /// The average time of a node.
    fn time_of_a_node(&self) -> Duration {
        Duration::from_nanos((self.time.as_nanos() / u128::from(self.nodes.max(1))) as u64)
    }
}

impl Scout {
    /// The scout of a walk over `cover`; `None` if it cannot be encoded as masks, or if these take too much memory.
    pub fn new(cover: &Cover) -> Option<Self> {
        // With this arithmetic a search ends with an overflow at its first cover.
        let encoded = Encoded::new(cover, Arithmetic::until_found())
            .filter(|encoded| encoded.masks.len() <= MOST_WORDS)?;
        let mut mask_numbers = Vec::with_capacity(cover.len());
        let mut next = 0;
        for option in 0..cover.len() {
            mask_numbers.push(next);
            next += usize::from(cover.can_choose(option));
        }
        Some(Self {
            mask_numbers,
            workspace: None,
            instructions: Instructions::best(),
            encoded,
            budget: Duration::ZERO,
            walk: Work::default(),
            looks: Work::default(),
            walking_since: Instant::now(),
            nodes_since: 0,
        })
    }

    /// The bytes that it takes, about.
    pub fn memory(&self) -> u64 {
        self.encoded.memory()
    }

    /// Tells the scout that the walk goes on after a cover. The time that the caller took for the cover is not that of the walk.
    /// The nodes since the last look are forgotten, because nobody read the clock when the cover was found.
    pub fn resume(&mut self) {
        self.walking_since = Instant::now();
        self.nodes_since = 0;
    }

    /// Whether a look shows that the node of the walk with the `chosen` options has no cover. False if the budget pays for no
    /// look.
    pub fn rules_out(&mut self, chosen: &[u32]) -> bool {
        self.nodes_since += 1;
        if self.nodes_since < NODES_BETWEEN && self.affordable_nodes().is_none() {
            return false;
        }
        let begin = Instant::now();
        let walked = begin - self.walking_since;
        self.walk.add(self.nodes_since, walked);
        self.budget += walked / LOSS_PART;
        self.nodes_since = 0;
        self.walking_since = begin;
        let Some(limit) = self.affordable_nodes() else { return false };
        let (is_empty, nodes) = self.look(chosen, limit);
        self.walking_since = Instant::now();
        let time = self.walking_since - begin;
        self.looks.add(nodes, time);
        self.budget = self.budget.saturating_sub(time);
        if is_empty {
            let saved_nodes = u32::try_from(nodes).unwrap_or(u32::MAX);
            self.budget += self.walk.time_of_a_node().saturating_mul(saved_nodes);
        }
        is_empty
    }

    /// The nodes that the budget pays for; `None` if they are too few for a look.
    fn affordable_nodes(&self) -> Option<u64> {
        // The first node of a look reads all masks: a word takes less than a nanosecond.
        let first_node = Duration::from_nanos(self.encoded.masks.len() as u64);
        let for_nodes = self.budget.checked_sub(first_node)?;
        // No node takes less than this, also before the first look.
        let node = self.looks.time_of_a_node().max(Duration::from_nanos(20));
        let limit = (for_nodes.as_nanos() / node.as_nanos()) as u64;
        (limit >= LEAST_NODES).then_some(limit)
    }

    /// Whether a search of at most `limit` nodes shows that the node with the `chosen` options has no cover, and the nodes of
    /// this search. It ends at the first cover.
    fn look(&mut self, chosen: &[u32], limit: u64) -> (bool, u64) {
        let words = self.encoded.words;
        // The node in terms of masks.
        let mut node = self.encoded.root();
        for &option in chosen {
            let begin = words * self.mask_numbers[option as usize];
            self.encoded.choose(&mut node, &self.encoded.masks[begin..begin + words]);
        }
        let stop = Stop::new();
        let mut budget = NodeBudget::limited(&stop, limit);
        let workspace = self.workspace.get_or_insert_with(|| Workspace::new(&self.encoded));
        let start = StartNode::new(&self.encoded, &node);
        let found = count(self.instructions, workspace, start, &mut budget);
        (found == Ok(0), budget.nodes())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{OptionSets, Walk};
    use super::*;
    use crate::cover::{Entry, Kind, NO_COLOUR};
    use crate::format;

    fn puzzle(name: &str) -> Cover {
        let path = format!("{}/../../puzzles/{name}.txt", env!("CARGO_MANIFEST_DIR"));
        format::read(&std::fs::read(path).unwrap(), name).unwrap().cover().clone()
    }

    /// Items with and without colours, one that need not be covered, and an option that has no mask because it covers no
    /// primary item.
    fn coloured() -> Cover {
        let text = "p q r 0:1|s | x y z\nx:1\np x:1 y\np x:2 z:1\np y z:2\nq x:1 z:1\nq x:2 y\n\
                    q s z:2\nr x:1 y\nr x:2 z\nr s z:1\n";
        format::read(text.as_bytes(), "coloured").unwrap().cover().clone()
    }

    /// The covers in the order of the walk, and the nodes that it took.
    fn walk(cover: &Cover, mut scout: Option<Scout>) -> (Vec<Vec<u32>>, u64) {
        let mut sets = OptionSets::new(cover).unwrap();
        let stop = Stop::new();
        let mut budget = NodeBudget::unlimited(&stop);
        let mut walk = Walk::default();
        let mut found = Vec::new();
        while walk.next(&mut sets, &mut budget, scout.as_mut(), None).unwrap() {
            found.push(sets.chosen().to_vec());
        }
        (found, budget.nodes())
    }

    /// A scout whose budget pays for every look.
    fn unlimited(cover: &Cover) -> Scout {
        Scout { budget: Duration::from_secs(1 << 20), ..Scout::new(cover).unwrap() }
    }

    #[test]
    fn a_scout_saves_nodes_and_no_cover() {
        for name in ["langford-8", "queens-8", "pentominoes-3x20"] {
            let cover = puzzle(name);
            let (expected, all) = walk(&cover, None);
            let (found, nodes) = walk(&cover, Some(unlimited(&cover)));
            assert_eq!(found, expected, "{name}");
            assert!(8 * nodes < 7 * all, "{name}: {nodes} nodes of {all}");
            // The same covers with the budget that the walk gives.
            assert_eq!(walk(&cover, Scout::new(&cover)).0, expected, "{name}");
        }
    }

    #[test]
    fn a_look_rules_out_the_nodes_without_covers() {
        assert!(!walk(&coloured(), None).0.is_empty());
        for (cover, has_empty_nodes) in [
            (coloured(), true),
            (puzzle("word-square"), true),
            // Any colours of two vertices that may have them are part of a colouring.
            (puzzle("petersen"), false),
            (puzzle("langford-8"), true),
        ] {
            let (covers, _) = walk(&cover, None);
            let mut empty = 0;
            let mut scout = unlimited(&cover);
            let usable: Vec<u32> = cover.usable_options().map(|option| option as u32).collect();
            for &one in &usable {
                for &other in usable.iter().filter(|&&other| other < one) {
                    let has_both =
                        |found: &Vec<u32>| found.contains(&one) && found.contains(&other);
                    let exists = covers.iter().any(has_both);
                    let can_be_a_node = !clash(&cover, one, other);
                    if can_be_a_node {
                        assert_eq!(scout.look(&[one, other], u64::MAX).0, !exists, "{one} {other}");
                        empty += u32::from(!exists);
                    }
                }
            }
            assert_eq!(empty > 0, has_empty_nodes, "{:?}", cover.items());
        }
    }

    /// Whether two options have a primary item in common, or a secondary one without a common colour.
    fn clash(cover: &Cover, one: u32, other: u32) -> bool {
        let entries = |option: u32| cover.entries(option as usize);
        let differ = |a: &Entry, b: &Entry| {
            let is_secondary = cover.items()[a.item as usize].kind() == Kind::Secondary;
            a.item == b.item && !(is_secondary && a.colour == b.colour && a.colour != NO_COLOUR)
        };
        entries(one).iter().any(|a| entries(other).iter().any(|b| differ(a, b)))
    }

    #[test]
    fn a_limit_and_a_count_beyond_128_bits_rule_nothing_out() {
        let mut many = Cover::new();
        let items: Vec<String> = (0..130).map(|item| format!("i{item}")).collect();
        many.primary(items.iter().map(String::as_str)).unwrap();
        for item in &items {
            many.option([item.as_str()]).unwrap().option([item.as_str()]).unwrap();
        }
        assert!(!unlimited(&many).look(&[0], u64::MAX).0);
        let cover = puzzle("pentominoes-3x20");
        let mut scout = unlimited(&cover);
        let mut looks =
            (0..cover.len() as u32).map(|option| (option, scout.look(&[option], u64::MAX)));
        let (option, (_, nodes)) =
            looks.find(|(_, (is_empty, nodes))| *is_empty && *nodes > 100).unwrap();
        assert!(unlimited(&cover).look(&[option], nodes).0);
        assert!(!unlimited(&cover).look(&[option], nodes - 1).0);
    }

    #[test]
    fn the_budget_pays_for_a_look_and_gets_the_time_that_it_saves() {
        let cover = puzzle("pentominoes-3x20");
        let covers = walk(&cover, None).0;
        let is_empty = |option: &u32| !covers.iter().any(|found| found.contains(option));
        let options = 0..cover.len() as u32;
        let with_covers = options.clone().find(|option| !is_empty(option)).unwrap();
        let without = options.clone().find(is_empty).unwrap();
        let before = Duration::from_secs(1);
        for option in [with_covers, without] {
            let mut scout = Scout { budget: before, ..Scout::new(&cover).unwrap() };
            assert_eq!(scout.rules_out(&[option]), option == without);
            let mut expected = before + scout.walk.time / LOSS_PART - scout.looks.time;
            if option == without {
                expected += scout.walk.time_of_a_node() * scout.looks.nodes as u32;
            }
            assert_eq!(scout.budget, expected);
        }
    }

    /// The time between two covers, which the caller takes, is not counted; nor are the nodes before a cover.
    #[test]
    fn a_cover_starts_the_count_of_nodes_and_time_again() {
        let mut scout = Scout::new(&puzzle("langford-8")).unwrap();
        for _ in 1..NODES_BETWEEN {
            assert!(!scout.rules_out(&[0]));
        }
        assert_eq!(scout.nodes_since, NODES_BETWEEN - 1);
        scout.resume();
        for _ in 1..NODES_BETWEEN {
            assert!(!scout.rules_out(&[0]));
        }
        assert_eq!((scout.walk.nodes, scout.nodes_since), (0, NODES_BETWEEN - 1));
        scout.rules_out(&[0]);
        assert_eq!((scout.walk.nodes, scout.nodes_since), (NODES_BETWEEN, 0));
    }

    #[test]
    fn a_look_ends_at_the_first_cover() {
        let cover = puzzle("soma");
        let mut scout = unlimited(&cover);
        let (is_empty, nodes) = scout.look(&[], u64::MAX);
        let all = walk(&cover, None).1;
        assert!(!is_empty && nodes < all / 10, "{nodes} of {all} nodes");
    }

    #[test]
    fn the_limit_of_a_look_is_what_the_budget_pays_for() {
        let cover = puzzle("langford-8");
        let mut scout = Scout::new(&cover).unwrap();
        assert_eq!(scout.affordable_nodes(), None);
        scout.budget = Duration::from_micros(1000);
        scout.looks.add(10, Duration::from_micros(100));
        let first_node = Duration::from_nanos(scout.encoded.masks.len() as u64);
        let expected = (Duration::from_micros(1000) - first_node).as_nanos() / 10_000;
        assert_eq!(scout.affordable_nodes(), Some(expected as u64));
        scout.budget = Duration::from_micros(150);
        assert_eq!(scout.affordable_nodes(), None);
    }
}
