//! The same problem in other amounts and other pieces.

use std::ops::Range;

use crate::search::{Costs, Problem, Stop, Stopped, Tally};

/// A problem several times over: weak scaling gives `p` threads exactly `p`
/// times the subtrees of one.
#[derive(Clone, Copy)]
pub struct Repeated<'a> {
    problem: &'a dyn Problem,
    /// The subtrees of one.
    subtrees: usize,
    times: usize,
}

impl<'a> Repeated<'a> {
    /// `problem`, so many `times`.
    pub fn new(problem: &'a dyn Problem, times: usize) -> Self {
        Self { problem, subtrees: problem.split().len(), times }
    }
}

impl Problem for Repeated<'_> {
    fn identity(&self) -> String {
        format!("{} times={}", self.problem.identity(), self.times)
    }

    fn split(&self) -> Costs {
        // Once: the serial part must not grow with the work.
        Costs::new(self.problem.split().each().repeat(self.times))
    }

    fn threads(&self) -> usize {
        self.problem.threads()
    }

    fn count(&self, subtree: usize, stop: &Stop) -> Result<Tally, Stopped> {
        self.problem.count(subtree % self.subtrees, stop)
    }
}

/// A problem whose subtrees are handed out in bundles of neighbours.
#[derive(Clone, Copy)]
pub struct Grouped<'a> {
    problem: &'a dyn Problem,
    subtrees: usize,
    groups: usize,
}

impl<'a> Grouped<'a> {
    /// The subtrees of `problem` in so many `groups`, but no more than there are subtrees.
    pub fn new(problem: &'a dyn Problem, groups: usize) -> Self {
        let subtrees = problem.split().len();
        Self { problem, subtrees, groups: groups.clamp(1, subtrees.max(1)) }
    }

    /// The subtrees of a group; the first groups have one more where they cannot be equal.
    fn group(&self, group: usize) -> Range<usize> {
        let (size, larger) = (self.subtrees / self.groups, self.subtrees % self.groups);
        let start = |group: usize| group * size + group.min(larger);
        start(group)..start(group + 1)
    }
}

impl Problem for Grouped<'_> {
    fn identity(&self) -> String {
        format!("{} groups={}", self.problem.identity(), self.groups)
    }

    fn split(&self) -> Costs {
        let costs = self.problem.split();
        let sum = |group| costs.each()[self.group(group)].iter().sum();
        Costs::new((0..self.groups).map(sum).collect())
    }

    fn threads(&self) -> usize {
        self.problem.threads()
    }

    /// # Panics
    /// If the subtotals of a group exceed `u128`.
    fn count(&self, group: usize, stop: &Stop) -> Result<Tally, Stopped> {
        self.group(group).try_fold(Tally::default(), |sum, subtree| {
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

    fn solutions(problem: &dyn Problem) -> (u128, usize) {
        let options = Options::new().threads(2);
        let outcome = run(problem, &options, &mut Silent).unwrap();
        (outcome.tally.solutions(), outcome.subtrees)
    }

    #[test]
    fn repeating_and_grouping_keep_the_count() {
        let problem = &Count::new(Board::plain(8).unwrap()).unwrap();
        let natural = problem.split().len();
        assert_eq!(solutions(&Repeated::new(problem, 3)), (276, 3 * natural));
        for groups in [1, 2, 7, natural] {
            assert_eq!(solutions(&Grouped::new(problem, groups)), (92, groups));
        }
        assert_eq!(solutions(&Grouped::new(problem, 10 * natural)), (92, natural));
    }
}
