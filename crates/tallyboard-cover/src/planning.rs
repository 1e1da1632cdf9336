//! The choice of an engine for a count, and the subtrees that are left to count then.

use std::sync::Arc;

use tallyboard_base::cpu::Instructions;
use tallyboard_search::{
    DESCENTS, Halt, NodeBudget, Splitting, Stop, Subtrees, Tree, estimated_nodes,
};

use crate::arithmetic::Arithmetic;
use crate::clauses::CoverClauses;
use crate::cover::Cover;
use crate::frontier::{self, Unfinished};
use crate::masks::{Encoded, MaskTree};
use crate::sets::SetTree;
use crate::settings::{CountError, Engine};

/// The engine of a count, and what it counts.
#[derive(Debug)]
pub(crate) struct Plan {
    pub engine: Engine,
    /// The number of options that were removed, because no cover can have them.
    pub removed: usize,
    pub work: Work,
}

/// What an engine counts, and what was counted while the plan was made.
#[derive(Debug)]
pub(crate) enum Work {
    /// Everything was counted while the plan was made: the covers, as [`Arithmetic`] has them, and the nodes visited.
    Counted {
        covers: u128,
        nodes: u64,
    },
    /// One subtree, for the frontier.
    Frontier(Encoded),
    Masks(Subtrees<MaskTree>),
    Sets(Subtrees<SetTree>),
    /// Clauses told all covers, so many, while the plan was made.
    Few(u128),
}

/// The most nodes of a first try, which counts small puzzles at once, and its most steps: about a quarter of a second.
const TRIAL_NODES: u64 = 1 << 11;
const MOST_TRIAL_STEPS: u64 = 1 << 26;
/// Units of work that take as long as a node of the search. A unit is a test of an option against a state of the frontier, or of
/// eight words against a mask.
const WORK_OF_A_NODE: u64 = 6;
/// Removing options may take one part in so many of the search's time, and at most so much work in a round: about a second.
const REDUCTION_PART: u64 = 10;
const MOST_REDUCTION_WORK: u64 = 1 << 28;
/// The frontier may take one part in so many of the search's time, to find out whether it is faster.
const FRONTIER_PART: u64 = 40;
/// The work that the frontier may take for any search: about a millisecond.
const FRONTIER_WORK: u64 = 1 << 18;
/// The most work of the frontier while a plan is made: a second or two. If it then seems to need no more than its part of the
/// search's time, it counts when the plan is carried out.
const MOST_FRONTIER_WORK: u64 = 1 << 29;

/// Components may take one node for so many of the search. A node of theirs takes up to thirty times as long as one of the masks.
const COMPONENTS_PART: u64 = 1 << 10;
/// The most nodes that components may take while a plan is made, and the most steps: about a second.
const MOST_COMPONENT_NODES: u64 = 1 << 17;
const MOST_COMPONENT_STEPS: u64 = 1 << 28;

/// The first try of a search over sets takes one part in so many of a trial. Then clauses are asked by as many guesses as a trial has
/// nodes, and then comes a whole trial.
const FIRST_TRIAL_PART: u64 = 8;

/// No clauses are asked of a cover with weights, and most counts below its nodes are remembered: its trial has so many times the nodes
/// of another, and so many times the most steps, about a second.
const WEIGHTED_NODES: u64 = 32;
const WEIGHTED_STEPS: u64 = 4;

/// The work of a count of a tree of at most `limit` nodes: it is counted at once.
fn trial<T: Tree>(tree: &mut T, limit: u64) -> Result<Option<Work>, CountError> {
    let stop = Stop::new();
    let mut budget = NodeBudget::limited(&stop, limit);
    match tree.count(&tree.root(), &mut budget) {
        Ok(covers) => Ok(Some(Work::Counted { covers, nodes: budget.nodes() })),
        Err(Halt::Overflow) => Err(CountError::Overflow),
        Err(Halt::Limit | Halt::Stopped) => Ok(None),
    }
}

/// The nodes of a first try, if each takes so many steps.
fn trial_nodes(steps_of_a_node: u64) -> u64 {
    TRIAL_NODES.min(MOST_TRIAL_STEPS / steps_of_a_node.max(1))
}

/// The subtrees of a tree with about so many nodes.
fn subtrees<T: Tree>(tree: T, nodes: u64) -> Result<Subtrees<T>, CountError> {
    Subtrees::with(tree, nodes, &Splitting::default()).map_err(|_| CountError::Overflow)
}

/// Counts by the frontier or by components if `may_merge` and one of them is faster, and otherwise plans a search over masks.
pub(crate) fn plan_masks(
    cover: &Cover,
    encoded: Encoded,
    instructions: Instructions,
    may_merge: bool,
) -> Result<Plan, CountError> {
    let mut tree = MaskTree::new(Arc::new(encoded), instructions);
    let limit = trial_nodes(tree.steps_of_a_node());
    if let Some(work) = trial(&mut tree, limit)? {
        return Ok(Plan { engine: Engine::Masks, removed: 0, work });
    }
    let visited = tree.settle_looking_ahead();
    let mut nodes = (estimated_nodes(&mut tree, DESCENTS) as f64 * visited).max(1.0) as u64;
    let mut removed = 0;
    let most = (nodes.saturating_mul(WORK_OF_A_NODE) / REDUCTION_PART).min(MOST_REDUCTION_WORK);
    // A search that looks ahead leaves these options out by itself.
    if !tree.encoded.looks_ahead && tree.encoded.reduction_work() < most {
        removed = tree.reduce();
    }
    if removed > 0 {
        nodes = estimated_nodes(&mut tree, DESCENTS);
    }
    if may_merge {
        if tree.encoded.ladders.is_none()
            && let Some(work) = merge(&tree.encoded, nodes, MOST_FRONTIER_WORK)?
        {
            return Ok(Plan { engine: Engine::Frontier, removed, work });
        }
        if let Some(mut sets) = SetTree::new(cover, tree.encoded.arithmetic)
            && let Some(work) = count_by_components(&mut sets, nodes)?
        {
            return Ok(Plan { engine: Engine::Sets, removed, work });
        }
    }
    Ok(Plan { engine: Engine::Masks, removed, work: Work::Masks(subtrees(tree, nodes)?) })
}

/// Counts by the frontier if that takes a small part of the time of a search with so many nodes; leaves it for later if it takes
/// more than `most` work.
fn merge(encoded: &Encoded, nodes: u64, most: u64) -> Result<Option<Work>, CountError> {
    let budget = (nodes / FRONTIER_PART).saturating_mul(WORK_OF_A_NODE).max(FRONTIER_WORK);
    let at_once = budget.min(most);
    match frontier::count(encoded, at_once, &Stop::new()) {
        Ok(covers) => Ok(Some(Work::Counted { covers, nodes: 0 })),
        Err(Unfinished { why: Halt::Overflow, .. }) => Err(CountError::Overflow),
        Err(Unfinished { projected_work: Some(work), .. }) if at_once < work && work <= budget => {
            Ok(Some(Work::Frontier(encoded.clone())))
        }
        Err(_) => Ok(None),
    }
}

/// Counts by components, if that takes few of the nodes of the search: one part in [`COMPONENTS_PART`] of `nodes`.
fn count_by_components(tree: &mut SetTree, nodes: u64) -> Result<Option<Work>, CountError> {
    let affordable = MOST_COMPONENT_STEPS / tree.steps_of_a_node().max(1);
    match nodes / COMPONENTS_PART {
        0..=TRIAL_NODES => Ok(None),
        limit => trial(tree, limit.min(MOST_COMPONENT_NODES).min(affordable)),
    }
}

/// Counts by clauses, if they show by so many guesses that there are few covers.
fn count_by_clauses(cover: &Cover, arithmetic: Arithmetic, guesses: u64) -> Option<Work> {
    let mut clauses = CoverClauses::new(cover)?;
    let all = clauses.all(cover, guesses, &Stop::new());
    let all = all.expect("nobody raises this flag")?;
    Some(Work::Few(arithmetic.count(all.len() as u128)))
}

/// Counts a small cover, or one with few solutions if it `may_ask` clauses, at once, and plans a search over sets of options for
/// others.
pub(crate) fn plan_sets(
    cover: &Cover,
    arithmetic: Arithmetic,
    may_ask: bool,
) -> Result<Plan, CountError> {
    let mut tree = SetTree::new(cover, arithmetic).ok_or(CountError::TooManyEntries)?;
    let mut limit = trial_nodes(tree.steps_of_a_node());
    let mut work = None;
    if cover.has_weights() {
        let most_nodes = WEIGHTED_STEPS * MOST_TRIAL_STEPS / tree.steps_of_a_node().max(1);
        limit = most_nodes.min(WEIGHTED_NODES * TRIAL_NODES);
    } else if may_ask {
        work = trial(&mut tree, limit / FIRST_TRIAL_PART)?
            .or_else(|| count_by_clauses(cover, arithmetic, limit));
    }
    if work.is_none() {
        work = trial(&mut tree, limit)?;
    }
    if work.is_none() {
        let nodes = estimated_nodes(&mut tree, DESCENTS);
        work = match count_by_components(&mut tree, nodes)? {
            None => Some(Work::Sets(subtrees(tree, nodes)?)),
            counted => counted,
        };
    }
    let work = work.expect("it is counted, or split");
    Ok(Plan { engine: Engine::Sets, removed: 0, work })
}

#[cfg(test)]
mod tests {
    use tallyboard_base::random::Random;
    use tallyboard_search::Problem;

    use super::*;

    /// Random options of three to eight items each.
    fn random_cover(items: u32, options: u32) -> Cover {
        let mut random = Random::from_seed(7);
        let mut cover = Cover::new();
        cover.primary((0..items).map(|item| item.to_string())).unwrap();
        for _ in 0..options {
            let mut chosen: Vec<u32> =
                (0..3 + random.below(6)).map(|_| random.below(items)).collect();
            chosen.sort_unstable();
            chosen.dedup();
            cover.option(chosen.iter().map(u32::to_string)).unwrap();
        }
        cover
    }

    /// Two places for each of `n` numbers, as many places apart as the number says.
    fn pairs(n: usize) -> Cover {
        let mut cover = Cover::new();
        let places = (1..=2 * n).map(|place| format!("s{place}"));
        cover.primary((1..=n).map(|number| number.to_string()).chain(places)).unwrap();
        for number in 1..=n {
            for place in 1..2 * n - number {
                let [one, other] = [place, place + number + 1].map(|place| format!("s{place}"));
                cover.option([number.to_string(), one, other]).unwrap();
            }
        }
        cover
    }

    /// Dominoes on a board of eight rows.
    fn dominoes(columns: usize) -> Cover {
        let row = ".".repeat(columns);
        let text = format!("board:\n{}pieces:\nd x any:\nxx\n", format!("{row}\n").repeat(8));
        crate::format::read(text.as_bytes(), "").unwrap().cover().clone()
    }

    #[test]
    fn a_long_frontier_is_left_for_later_and_one_that_grows_is_given_up() {
        let arithmetic = Arithmetic::new(Some(1_000_000_007));
        let merged = |cover: &Cover, nodes, most| {
            merge(&Encoded::new(cover, arithmetic).unwrap(), nodes, most).unwrap()
        };
        let board = dominoes(30);
        let Some(Work::Counted { covers, .. }) = merged(&board, u64::MAX, 1 << 24) else {
            panic!("this is enough to count at once");
        };
        let Some(Work::Frontier(encoded)) = merged(&board, u64::MAX, 1 << 18) else {
            panic!("this is worth a count later");
        };
        assert_eq!(frontier::count(&encoded, u64::MAX, &Stop::new()).unwrap(), covers);
        // A search of so few nodes is faster than all of the frontier.
        assert!(merged(&board, 1 << 21, 1 << 18).is_none());
        assert!(merged(&random_cover(300, 3_000), u64::MAX, 1 << 20).is_none());
    }

    /// Without a budget, each of these took minutes.
    #[test]
    fn many_options_are_split_as_far_as_the_budget_goes() {
        let most = Splitting::default().most_subtrees as usize;
        let narrow = plan_sets(&pairs(11), Arithmetic::default(), true).unwrap();
        let Work::Sets(subtrees) = narrow.work else { panic!("this is to be searched") };
        assert!(!subtrees.is_cut_short() && subtrees.subtrees() > 4);
        let wide = plan_sets(&random_cover(600, 20_000), Arithmetic::default(), true).unwrap();
        let Work::Sets(subtrees) = wide.work else { panic!("this is to be searched") };
        assert!(subtrees.is_cut_short());
        assert!((8..most / 10).contains(&subtrees.subtrees()), "{}", subtrees.subtrees());
    }

    #[test]
    #[ignore = "seconds in a release build"]
    fn many_masks_are_split_as_far_as_the_budget_goes() {
        let cover = random_cover(500, 20_000);
        let encoded = Encoded::new(&cover, Arithmetic::default()).unwrap();
        let wide = plan_masks(&cover, encoded, Instructions::best(), true).unwrap();
        let Work::Masks(subtrees) = wide.work else { panic!("this is to be searched") };
        assert!(subtrees.is_cut_short());
        let most = Splitting::default().most_subtrees as usize;
        assert!((8..most / 10).contains(&subtrees.subtrees()), "{}", subtrees.subtrees());
    }
}
