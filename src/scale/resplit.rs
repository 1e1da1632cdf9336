//! The same problem in other amounts and other pieces.

use std::sync::Arc;

use crate::search::{Problem, Stop, Stopped, Tally};

/// A problem several times over: weak scaling gives `p` threads exactly `p`
/// times the subtrees of one.
#[derive(Debug, Clone, Copy)]
pub struct Repeated<'a, P> {
    /// The problem itself.
    pub problem: &'a P,
    /// How often.
    pub times: usize,
}

impl<P: Problem<Subtree: Send>> Problem for Repeated<'_, P> {
    type Subtree = Arc<P::Subtree>;

    fn identity(&self) -> String {
        format!("{} times={}", self.problem.identity(), self.times)
    }

    fn split(&self) -> Vec<Arc<P::Subtree>> {
        // Once: the serial part must not grow with the work.
        let subtrees: Vec<_> = self.problem.split().into_iter().map(Arc::new).collect();
        (0..self.times).flat_map(|_| subtrees.iter().cloned()).collect()
    }

    fn threads(&self) -> usize {
        self.problem.threads()
    }

    fn cost(&self, subtree: &Arc<P::Subtree>) -> u64 {
        self.problem.cost(subtree)
    }

    fn count(&self, subtree: &Arc<P::Subtree>, stop: &Stop) -> Result<Tally, Stopped> {
        self.problem.count(subtree, stop)
    }
}

/// A problem whose subtrees are handed out in `groups` bundles of neighbours.
#[derive(Debug, Clone, Copy)]
pub struct Grouped<'a, P> {
    /// The problem itself.
    pub problem: &'a P,
    /// Bundles; never more than there are subtrees.
    pub groups: usize,
}

impl<P: Problem> Problem for Grouped<'_, P> {
    type Subtree = Vec<P::Subtree>;

    fn identity(&self) -> String {
        format!("{} groups={}", self.problem.identity(), self.groups)
    }

    fn split(&self) -> Vec<Vec<P::Subtree>> {
        let subtrees = self.problem.split();
        let groups = self.groups.clamp(1, subtrees.len().max(1));
        let (size, larger) = (subtrees.len() / groups, subtrees.len() % groups);
        let mut rest = subtrees.into_iter();
        let sizes = (0..groups).map(|at| size + usize::from(at < larger));
        sizes.map(|size| rest.by_ref().take(size).collect()).collect()
    }

    fn threads(&self) -> usize {
        self.problem.threads()
    }

    fn cost(&self, group: &Vec<P::Subtree>) -> u64 {
        group.iter().map(|subtree| self.problem.cost(subtree)).sum()
    }

    /// # Panics
    /// If the subtotals of a group exceed `u128`.
    fn count(&self, group: &Vec<P::Subtree>, stop: &Stop) -> Result<Tally, Stopped> {
        group.iter().try_fold(Tally::default(), |sum, subtree| {
            let tally = self.problem.count(subtree, stop)?;
            Ok(sum.merge(tally).expect("the subtotals of a group fit in 128 bits"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queens::{Board, Count};
    use crate::search::{Options, Silent, run};

    fn solutions(problem: &impl Problem) -> (u128, usize) {
        let options = Options::new().threads(2);
        let outcome = run(problem, &options, &mut Silent).unwrap();
        (outcome.tally.solutions(), outcome.subtrees)
    }

    #[test]
    fn repeating_and_grouping_keep_the_count() {
        let problem = &Count::new(Board::plain(8).unwrap()).unwrap();
        let natural = problem.split().len();
        assert_eq!(solutions(&Repeated { problem, times: 3 }), (276, 3 * natural));
        for groups in [1, 2, 7, natural] {
            assert_eq!(solutions(&Grouped { problem, groups }), (92, groups));
        }
        assert_eq!(solutions(&Grouped { problem, groups: 10 * natural }), (92, natural));
    }
}
