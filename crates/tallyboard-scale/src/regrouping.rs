//! A problem whose subtrees are counted several times over, or joined to fewer and longer ones.

use std::ops::Range;

use tallyboard_search::{Costs, Problem, Stop, Stopped, Tally};

/// A problem each of whose subtrees is a range of another problem's subtrees.
#[derive(Clone)]
pub struct Regrouping<'a> {
    problem: &'a dyn Problem,
    /// For each subtree of this problem the range of `problem`'s subtrees.
    parts: Vec<Range<usize>>,
}

impl<'a> Regrouping<'a> {
    /// `problem` with each subtree counted `times` times: the work of weak scaling.
    pub fn repeated(problem: &'a dyn Problem, times: usize) -> Self {
        let subtrees = problem.split().len();
        let repeated = std::iter::repeat_n(0..subtrees, times).flatten();
        Self { problem, parts: repeated.map(|subtree| subtree..subtree + 1).collect() }
    }

    /// The subtrees of `problem` in `groups` groups, or in as many as there are subtrees if these are fewer. If the groups
    /// cannot be equal, the first ones have one subtree more.
    pub fn grouped(problem: &'a dyn Problem, groups: usize) -> Self {
        let subtrees = problem.split().len();
        let groups = groups.clamp(1, subtrees.max(1));
        let larger = subtrees % groups;
        let mut parts = Vec::new();
        let mut start = 0;
        for group in 0..groups {
            let end = start + subtrees / groups + usize::from(group < larger);
            parts.push(start..end);
            start = end;
        }
        Self { problem, parts }
    }
}

impl Problem for Regrouping<'_> {
    fn subtrees(&self) -> usize {
        self.parts.len()
    }

    fn split(&self) -> Costs {
        // The problem is split once, however often it is repeated.
        let costs = self.problem.split();
        let parts = self.parts.iter().map(|part| costs.each()[part.clone()].iter().sum());
        Costs::new(parts.collect())
    }

    fn threads(&self) -> usize {
        self.problem.threads()
    }

    fn modulus(&self) -> Option<u128> {
        self.problem.modulus()
    }

    /// # Panics
    /// If the subtotals of a part exceed `u128`.
    fn count(&self, part: usize, stop: &Stop) -> Result<Tally, Stopped> {
        self.parts[part].clone().try_fold(Tally::default(), |sum, subtree| {
            let tally = self.problem.count(subtree, stop)?;
            Ok(sum.merge(tally).expect("the subtotals of a part fit in 128 bits"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tallyboard_queens::{Board, Count};
    use tallyboard_search::{Options, Silent, run};

    fn solutions(problem: &dyn Problem) -> (u128, usize) {
        let options = Options::new().threads(2);
        let outcome = run(problem, &options, &mut Silent).unwrap();
        (outcome.tally.solutions(), outcome.subtrees)
    }

    #[test]
    fn repeating_and_grouping_keep_the_count() {
        let problem = &Count::new(Board::new(8).unwrap()).unwrap();
        let natural = problem.split().len();
        assert_eq!(solutions(&Regrouping::repeated(problem, 3)), (276, 3 * natural));
        for groups in [1, 2, 7, natural] {
            assert_eq!(solutions(&Regrouping::grouped(problem, groups)), (92, groups));
        }
        assert_eq!(solutions(&Regrouping::grouped(problem, 10 * natural)), (92, natural));
    }
}
