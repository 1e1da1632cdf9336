//! A look ahead by the masks: a walk that wants each cover need not enter nodes that have none.

use std::time::{Duration, Instant};

use base::cpu::Instructions;
use search::{Pace, Stop};

use crate::arithmetic::Arithmetic;
use crate::cover::Cover;
use crate::masks::{Encoded, Machine, Node, Start, count};

/// Nodes that the walk takes between two looks at the clock while the account is empty.
const NODES_BETWEEN: u64 = 16;
/// Looks at fewer nodes would mostly end before they tell anything.
const LEAST_NODES: u64 = 16;
/// This part of the walk's time may be lost with looks that do not pay.
const LOSS_PART: u32 = 4;
/// Words of masks, copied once more for the looks, from which on a walk has no scout.
const MOST_WORDS: usize = 1 << 21;

/// Tells which nodes of a walk have no covers.
///
/// How much faster a look is than the walk, and how often it tells something, depends on the cover. So time is an
/// account: the walk brings in a part of its own time, a look takes out what it takes, and if it rules a node out, the
/// time that the walk would have taken for as many nodes is put in. What a scout loses is bounded by that part.
#[derive(Debug)]
pub(super) struct Scout {
    encoded: Encoded,
    /// Made with the first look.
    machine: Option<Machine>,
    instructions: Instructions,
    /// The place of each option of the cover among those that can be chosen, which have the masks.
    places: Vec<usize>,
    account: Duration,
    walk: Spent,
    looks: Spent,
    /// When the walk went on, and the nodes that it has taken since.
    since: Instant,
    nodes: u64,
}

/// Nodes, and the time that they took.
#[derive(Debug, Default)]
struct Spent {
    nodes: u64,
    time: Duration,
}

impl Spent {
    fn add(&mut self, nodes: u64, time: Duration) {
        self.nodes += nodes;
        self.time += time;
    }

    /// What a node takes, on average.
    fn of_a_node(&self) -> Duration {
        Duration::from_nanos((self.time.as_nanos() / u128::from(self.nodes.max(1))) as u64)
    }
}

impl Scout {
    /// `None` for a cover that masks cannot hold, or that needs too much memory twice.
    pub fn new(cover: &Cover) -> Option<Self> {
        let encoded = Encoded::new(cover).filter(|it| it.masks.len() <= MOST_WORDS)?;
        let encoded = Encoded { arithmetic: Arithmetic::until_found(), ..encoded };
        let mut places = Vec::with_capacity(cover.len());
        let mut next = 0;
        for option in 0..cover.len() {
            places.push(next);
            next += usize::from(cover.can_choose(option));
        }
        Some(Self {
            places,
            machine: None,
            instructions: Instructions::best(),
            encoded,
            account: Duration::ZERO,
            walk: Spent::default(),
            looks: Spent::default(),
            since: Instant::now(),
            nodes: 0,
        })
    }

    /// The walk goes on after a cover: what was done with it is no time of the walk. When the cover was found nobody
    /// knows, so the nodes before it count no more than their time.
    pub fn resume(&mut self) {
        self.since = Instant::now();
        self.nodes = 0;
    }

    /// The walk is at a node with the `chosen` options. Returns whether it has no cover, as far as a look tells.
    pub fn rules_out(&mut self, chosen: &[u32]) -> bool {
        self.nodes += 1;
        if self.nodes < NODES_BETWEEN && self.affordable_nodes().is_none() {
            return false;
        }
        let begin = Instant::now();
        let walked = begin - self.since;
        self.walk.add(self.nodes, walked);
        self.account += walked / LOSS_PART;
        self.nodes = 0;
        self.since = begin;
        let Some(limit) = self.affordable_nodes() else { return false };
        let (is_empty, looked) = self.look(chosen, limit);
        self.since = Instant::now();
        let took = self.since - begin;
        self.looks.add(looked, took);
        self.account = self.account.saturating_sub(took);
        if is_empty {
            self.account +=
                self.walk.of_a_node().saturating_mul(u32::try_from(looked).unwrap_or(u32::MAX));
        }
        is_empty
    }

    /// The nodes that the account pays for; `None` if they are too few for a look.
    fn affordable_nodes(&self) -> Option<u64> {
        // Entering the first node passes over all masks, some words a nanosecond.
        let entering = Duration::from_nanos(self.encoded.masks.len() as u64);
        let for_nodes = self.account.checked_sub(entering)?;
        let node = self.looks.of_a_node().max(Duration::from_nanos(20));
        let limit = (for_nodes.as_nanos() / node.as_nanos()) as u64;
        (limit >= LEAST_NODES).then_some(limit)
    }

    /// Whether the node with the `chosen` options has no cover, if `limit` nodes tell, and how many were looked at: no
    /// more once there is a cover.
    fn look(&mut self, chosen: &[u32], limit: u64) -> (bool, u64) {
        let node = self.node(chosen);
        let stop = Stop::new();
        let mut pace = Pace::limited(&stop, limit);
        let machine = self.machine.get_or_insert_with(|| Machine::new(&self.encoded));
        let start = Start::new(&self.encoded, &node);
        let found = count(self.instructions, machine, start, &mut pace);
        (found == Ok(0), pace.nodes())
    }

    /// The node below the `chosen` options.
    fn node(&self, chosen: &[u32]) -> Node {
        let words = self.encoded.words;
        let mut node = self.encoded.root();
        let (open, forbidden) = node.split_at_mut(words);
        for &option in chosen {
            let begin = words * self.places[option as usize];
            let mask = &self.encoded.masks[begin..begin + words];
            for (word, covered) in open.iter_mut().zip(mask) {
                *word &= !covered;
            }
            for (word, more) in forbidden.iter_mut().zip(self.encoded.forbidden(mask)) {
                *word |= more;
            }
        }
        node
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Cells, Walk};
    use super::*;
    use crate::format;
    use crate::item::{Entry, Kind, NO_COLOUR};

    fn puzzle(name: &str) -> Cover {
        let path = format!("{}/../../puzzles/{name}.txt", env!("CARGO_MANIFEST_DIR"));
        format::read_file(path).unwrap().cover().clone()
    }

    /// A path of seven places in three colours, neighbours in different ones and both ends in the same. The first colour
    /// is given at one of the places 2 and 4 at most: `x` need not be covered.
    fn coloured() -> Cover {
        let edges: Vec<String> =
            (0..6).flat_map(|edge| (0..3).map(move |colour| format!("e{edge}.{colour}"))).collect();
        let mut text = format!("p0 p1 p2 p3 p4 p5 p6 0:1|x | ends {}\n", edges.join(" "));
        // Without a primary item it is never chosen, and has no mask.
        text += "ends:0\n";
        for place in 0..7 {
            for colour in 0..3 {
                text += &format!("p{place}");
                for edge in [place - 1, place].into_iter().filter(|edge| (0..6).contains(edge)) {
                    text += &format!(" e{edge}.{colour}");
                }
                if place == 0 || place == 6 {
                    text += &format!(" ends:{colour}");
                }
                if colour == 0 && (place == 2 || place == 4) {
                    text += " x";
                }
                text.push('\n');
            }
        }
        format::read(text.as_bytes(), "coloured").unwrap().cover().clone()
    }

    /// The covers in the order of the walk, and the nodes that it took.
    fn walk(cover: &Cover, mut scout: Option<Scout>) -> (Vec<Vec<u32>>, u64) {
        let mut cells = Cells::new(cover).unwrap();
        let stop = Stop::new();
        let mut pace = Pace::new(&stop);
        let mut walk = Walk::new();
        let mut found = Vec::new();
        while walk.next(&mut cells, &mut pace, scout.as_mut()).unwrap().is_some() {
            found.push(cells.chosen().to_vec());
        }
        (found, pace.nodes())
    }

    /// One that always has the time for a look.
    fn rich(cover: &Cover) -> Scout {
        Scout { account: Duration::from_secs(1 << 20), ..Scout::new(cover).unwrap() }
    }

    #[test]
    fn a_scout_saves_nodes_and_no_cover() {
        for name in ["langford-8", "queens-8", "pentominoes-3x20"] {
            let cover = puzzle(name);
            let (expected, all) = walk(&cover, None);
            let (found, nodes) = walk(&cover, Some(rich(&cover)));
            assert_eq!(found, expected, "{name}");
            // Looks at the only branches of nodes would save a ninth of some.
            assert!(8 * nodes < 7 * all, "{name}: {nodes} nodes of {all}");
            // As much time as it gets.
            assert_eq!(walk(&cover, Scout::new(&cover)).0, expected, "{name}");
        }
    }

    #[test]
    fn a_look_rules_out_the_nodes_without_covers() {
        assert!(!walk(&coloured(), None).0.is_empty());
        let mut empty = 0;
        for cover in [coloured(), puzzle("word-square"), puzzle("petersen"), puzzle("langford-8")] {
            let (covers, _) = walk(&cover, None);
            let mut scout = rich(&cover);
            for one in 0..cover.len() as u32 {
                for other in 0..one {
                    let exists = covers.iter().any(|it| it.contains(&one) && it.contains(&other));
                    let can_be_a_node =
                        [one, other].iter().all(|&it| cover.can_choose(it as usize))
                            && !clash(&cover, one, other);
                    if can_be_a_node {
                        assert_eq!(scout.look(&[one, other], u64::MAX).0, !exists, "{one} {other}");
                        empty += u32::from(!exists);
                    }
                }
            }
        }
        assert!(empty > 100, "{empty}");
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
        assert!(!rich(&many).look(&[0], u64::MAX).0);
        let cover = puzzle("pentominoes-3x20");
        let mut scout = rich(&cover);
        let mut looks =
            (0..cover.len() as u32).map(|option| (option, scout.look(&[option], u64::MAX)));
        let (option, (_, nodes)) =
            looks.find(|(_, (is_empty, nodes))| *is_empty && *nodes > 100).unwrap();
        assert!(rich(&cover).look(&[option], nodes).0);
        assert!(!rich(&cover).look(&[option], nodes - 1).0);
    }

    #[test]
    fn a_look_is_paid_for_and_what_it_saves_comes_back() {
        let cover = puzzle("pentominoes-3x20");
        let covers = walk(&cover, None).0;
        let is_empty = |option: &u32| !covers.iter().any(|it| it.contains(option));
        let options = 0..cover.len() as u32;
        let with_covers = options.clone().find(|option| !is_empty(option)).unwrap();
        let without = options.clone().find(is_empty).unwrap();
        let before = Duration::from_secs(1);
        for option in [with_covers, without] {
            let mut scout = Scout { account: before, ..Scout::new(&cover).unwrap() };
            assert_eq!(scout.rules_out(&[option]), option == without);
            let mut expected = before + scout.walk.time / LOSS_PART - scout.looks.time;
            if option == without {
                expected += scout.walk.of_a_node() * scout.looks.nodes as u32;
            }
            assert_eq!(scout.account, expected);
        }
    }

    /// What is done with a cover is no time of the walk, and the nodes before it are none of the time after it.
    #[test]
    fn nodes_count_with_their_own_time() {
        let mut scout = Scout::new(&puzzle("langford-8")).unwrap();
        for _ in 1..NODES_BETWEEN {
            assert!(!scout.rules_out(&[0]));
        }
        assert_eq!(scout.nodes, NODES_BETWEEN - 1);
        scout.resume();
        for _ in 1..NODES_BETWEEN {
            assert!(!scout.rules_out(&[0]));
        }
        assert_eq!((scout.walk.nodes, scout.nodes), (0, NODES_BETWEEN - 1));
        scout.rules_out(&[0]);
        assert_eq!((scout.walk.nodes, scout.nodes), (NODES_BETWEEN, 0));
    }

    #[test]
    fn a_look_ends_at_the_first_cover() {
        let cover = puzzle("soma");
        let mut scout = rich(&cover);
        let (is_empty, nodes) = scout.look(&[], u64::MAX);
        let all = walk(&cover, None).1;
        assert!(!is_empty && nodes < all / 10, "{nodes} of {all} nodes");
    }

    #[test]
    fn looks_that_do_not_pay_end() {
        let cover = puzzle("langford-8");
        let mut scout = Scout::new(&cover).unwrap();
        assert_eq!(scout.affordable_nodes(), None);
        scout.account = Duration::from_micros(1000);
        scout.looks.add(10, Duration::from_micros(100));
        let entering = Duration::from_nanos(scout.encoded.masks.len() as u64);
        let expected = (Duration::from_micros(1000) - entering).as_nanos() / 10_000;
        assert_eq!(scout.affordable_nodes(), Some(expected as u64));
        scout.account = Duration::from_micros(150);
        assert_eq!(scout.affordable_nodes(), None);
    }
}
