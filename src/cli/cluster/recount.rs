//! What a merge can check where no table knows the count: some subtrees counted again, and the
//! symmetries that a plain board's solutions come in.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};

use crate::Kernel;
use crate::queens::{Engine, Fixed};
use crate::search::shard::Work;
use crate::search::{Options, Problem, Stopped, Tally, run_split};
use anyhow::{Result, bail};
use serde::Serialize;

use super::job::Queens;
use crate::cli::args::Args;
use crate::cli::io::note;
use crate::cli::problem::classes;
use crate::cli::signals::Interrupt;
use crate::cli::watch::Subtotals;

/// Up to this size the symmetric solutions are found in seconds.
const QUIET_TO: u32 = 24;

/// What was counted again, and agreed.
#[derive(Debug, Serialize)]
pub struct Recount {
    pub subtrees: usize,
    /// Of the work, by cost.
    pub share: f64,
    pub kernel: String,
}

impl Recount {
    /// Counts `number` of the subtrees again, drawn at random, with the kernel that has least in common
    /// with the others; `None` if a signal came first.
    pub fn run(
        job: &Queens,
        work: &Work,
        subtotals: &BTreeMap<usize, Tally>,
        number: u32,
        (args, interrupt): (&Args, &Interrupt),
    ) -> Result<Option<Self>> {
        let has_kernels = job.engine != Engine::Textbook.name();
        let problem = job.problem(has_kernels.then_some(Kernel::Portable), args.threads)?;
        let costs = problem.split();
        work.check(&problem.identity(), &costs)?;
        let only = draw(costs.len(), number as usize);
        let options = Options::new().stop(interrupt.stop()).only(&only[..]);
        let mut again = Subtotals::new(args.quiet, interrupt);
        if !run_split(&problem, &costs, &options, &mut again)?.complete {
            return Ok(None);
        }
        for (id, found) in again.tallies {
            let merged = subtotals.get(&id).copied().unwrap_or_default();
            if found != merged {
                bail!(
                    "WRONG COUNT: subtree {id} has {} in its result and {} counted again with kernel \
                     {}; see which is right with `tallyboard queens count {} --engine {} --subtree {id}`",
                    merged.solutions(),
                    found.solutions(),
                    problem.kernel(),
                    job.n,
                    job.engine
                );
            }
        }
        let share = costs.sum(Some(&only)) as f64 / costs.sum(None) as f64;
        Ok(Some(Self { subtrees: only.len(), share, kernel: problem.kernel() }))
    }
}

/// `number` of the numbers below `total`, all of them if there are no more; others in every run.
fn draw(total: usize, number: usize) -> Vec<usize> {
    let random = RandomState::new();
    let mut drawn: Vec<usize> = (0..total).collect();
    drawn.sort_by_cached_key(|id| random.hash_one(id));
    drawn.truncate(number);
    drawn
}

/// The solutions up to rotation and reflection, if the sum can be one of a plain board: all but the
/// symmetric ones come in eights. `None` if a signal came first.
pub fn up_to_symmetry(n: u32, solutions: u128, interrupt: &Interrupt) -> Result<Option<u128>> {
    if n > QUIET_TO {
        note(format_args!("searching the symmetric solutions, with which the sum is checked"));
    }
    match Fixed::search(n, interrupt.stop()) {
        Ok(fixed) => Ok(Some(classes(n, solutions, fixed)?.total())),
        Err(Stopped) => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draw_names_each_subtree_once_at_most() {
        for (total, number, expected) in [(10, 3, 3), (10, 10, 10), (10, 99, 10), (0, 5, 0)] {
            let mut drawn = draw(total, number);
            drawn.sort_unstable();
            drawn.dedup();
            assert_eq!(drawn.len(), expected);
            assert!(drawn.iter().all(|&id| id < total));
        }
        assert_ne!(draw(1000, 10), draw(1000, 10));
    }

    #[test]
    fn a_sum_that_is_off_by_less_than_eight_is_found_without_a_table() {
        let fixed = || Fixed::search(12, &crate::search::Stop::new()).unwrap();
        assert!(classes(12, 14200, fixed()).is_ok());
        for off in 1..8 {
            assert!(classes(12, 14200 + off, fixed()).is_err());
            assert!(classes(12, 14200 - off, fixed()).is_err());
        }
    }
}
