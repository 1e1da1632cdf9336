//! Walks that fail for long ask clauses for all covers. If these are few, the walk enters only nodes that have one of them.

use tallyboard_search::clauses::FEW;
use tallyboard_search::{Stop, Stopped};

use super::OptionSets;
use crate::clauses::CoverClauses;
use crate::cover::Cover;

/// The nodes of a walk before the first try, and by how much they grow from one try to the next. A try may take a guess for so many
/// of them: a guess takes a few times as long as a node.
const FIRST_TRY: u64 = 1 << 10;
const GROWTH: u64 = 4;
const NODES_OF_A_GUESS: u64 = 4;

/// All covers of a walk, once they are known.
#[derive(Debug)]
pub(super) struct Few {
    cover: Cover,
    clauses: Option<CoverClauses>,
    /// The nodes of the walk so far.
    nodes: u64,
    /// The nodes after which there is the next try; `None` if none is of use any more.
    next_try: Option<u64>,
    /// The covers that the walk has found. Once they are no longer few, it asks no more.
    found: usize,
    all: Option<Vec<Vec<u32>>>,
}

impl Few {
    /// Nothing is known of the covers yet; `None` if there are no clauses to ask.
    pub fn new(cover: &Cover) -> Option<Self> {
        let (clauses, all) = (None, None);
        CoverClauses::may_exist(cover).then(|| Self {
            cover: cover.clone(),
            clauses,
            nodes: 0,
            next_try: Some(FIRST_TRY),
            found: 0,
            all,
        })
    }

    /// Whether the current node of the sets is known to have no cover.
    ///
    /// # Errors
    /// [`Stopped`] if `stop` is raised during a try.
    pub fn rules_out(&mut self, sets: &OptionSets, stop: &Stop) -> Result<bool, Stopped> {
        self.nodes += 1;
        if self.next_try == Some(self.nodes) {
            self.try_clauses(stop)?;
        }
        let all = self.all.as_ref();
        Ok(all.is_some_and(|all| !all.iter().any(|cover| sets.leaves(cover))))
    }

    /// Counts a cover that the walk has found.
    pub fn count_cover(&mut self) {
        self.found += 1;
        if self.found > FEW {
            self.next_try = None;
        }
    }

    fn try_clauses(&mut self, stop: &Stop) -> Result<(), Stopped> {
        if self.clauses.is_none() {
            self.clauses = CoverClauses::new(&self.cover);
        }
        self.next_try = None;
        if let Some(clauses) = &mut self.clauses {
            self.all = clauses.all(&self.cover, self.nodes / NODES_OF_A_GUESS, stop)?;
            let is_over = self.all.is_some() || clauses.are_many();
            self.next_try = (!is_over).then(|| self.nodes.saturating_mul(GROWTH));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use tallyboard_base::random::Random;
    use tallyboard_search::NodeBudget;

    use super::super::Walk;
    use super::*;
    use crate::clauses::tests::random_cover;
    use crate::cover::{Entry, NO_COLOUR};

    /// The covers in the order of the walk, and its nodes.
    fn walk(cover: &Cover, few: Option<&mut Few>) -> (Vec<Vec<u32>>, u64) {
        let mut sets = OptionSets::new(cover).unwrap();
        let stop = Stop::new();
        let mut budget = NodeBudget::unlimited(&stop);
        let (mut walk, mut few, mut found) = (Walk::default(), few, Vec::new());
        while walk.next(&mut sets, &mut budget, None, few.as_deref_mut()).unwrap() {
            found.push(sets.chosen().to_vec());
        }
        (found, budget.nodes())
    }

    /// A try at a node of the walk, for which the clauses have guessed as often as it takes, unless the covers are many.
    fn asked(cover: &Cover, node: u64) -> Few {
        let mut few = Few::new(cover).unwrap();
        let mut clauses = CoverClauses::new(cover).unwrap();
        clauses.all(cover, u64::MAX, &Stop::new()).unwrap();
        (few.clauses, few.next_try) = (Some(clauses), Some(node));
        few
    }

    #[test]
    fn a_try_at_any_node_leaves_the_covers_and_their_order() {
        let mut random = Random::from_seed(85);
        for _ in 0..400 {
            let cover = random_cover(&mut random, 9, 24);
            let (expected, nodes) = walk(&cover, None);
            for node in [1, 2, 5] {
                let mut few = asked(&cover, node);
                let (found, fewer) = walk(&cover, Some(&mut few));
                assert_eq!(found, expected);
                assert!(fewer <= nodes, "{fewer} of {nodes} nodes");
            }
        }
    }

    #[test]
    fn a_walk_enters_no_node_without_a_cover_once_all_are_known() {
        let mut random = Random::from_seed(86);
        let mut cover = Cover::new();
        cover.primary((0..60).map(|item| item.to_string())).unwrap();
        for _ in 0..5 {
            let mut items: Vec<u32> = (0..60).collect();
            random.shuffle(&mut items);
            for three in items.chunks(3) {
                let entry = |&item| Entry { item, colour: NO_COLOUR };
                cover.add_option(three.iter().map(entry)).unwrap();
            }
        }
        let (expected, nodes) = walk(&cover, None);
        assert!((5..=64).contains(&expected.len()) && nodes > 1_000, "{} {nodes}", expected.len());
        let (found, fewer) = walk(&cover, Some(&mut asked(&cover, 20)));
        assert_eq!(found, expected);
        assert!(2 * fewer < nodes, "{fewer} of {nodes} nodes");
    }

    #[test]
    fn many_covers_end_the_tries() {
        let mut cover = Cover::new();
        cover.between("p", 0, 7).unwrap();
        for _ in 0..7 {
            cover.option(["p"]).unwrap();
        }
        let mut few = asked(&cover, 1);
        assert_eq!(walk(&cover, Some(&mut few)).0.len(), 128);
        assert!(few.next_try.is_none() && few.all.is_none());
        // A walk that has found many itself asks nobody.
        let mut few = Few::new(&cover).unwrap();
        few.next_try = Some(150);
        assert_eq!(walk(&cover, Some(&mut few)), walk(&cover, None));
        assert!(few.nodes > 150, "{}", few.nodes);
        assert!(few.next_try.is_none() && few.clauses.is_none());
    }
}
