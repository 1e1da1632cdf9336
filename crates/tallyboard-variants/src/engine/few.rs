//! Searches that fail for long ask clauses for all solutions of the grid that they began with. If these are few, nothing is left to
//! search for.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tallyboard_search::clauses::FEW;
use tallyboard_search::{Stop, Stopped};

use super::clauses::{MOST_LITERALS, PuzzleClauses};
use super::propagate::CompiledRules;
use super::state::Cells;

/// The failures of searches before the first try: a power of two. There is another one each time that they have doubled.
const FIRST_TRY: u64 = 1 << 6;
/// The guesses of a try for each failure before it, and the literals that the clauses may have for each: either takes some times as
/// long as a failure at most.
const GUESSES: u64 = 4;
const LITERALS: usize = 1 << 10;

/// What clauses tell of the solutions of a grid. Searches below the same grid share it, and their failures count together.
#[derive(Debug)]
pub(crate) struct Few {
    /// The candidates of the grid.
    root: Vec<u16>,
    failures: AtomicU64,
    /// The solutions that searches have found themselves. Once they are no longer few, none asks any more.
    found: AtomicUsize,
    asked: Mutex<Asked>,
}

/// The solutions of a grid in ascending order.
pub(crate) type Solutions = Arc<[Vec<u8>]>;

#[derive(Debug, Default)]
struct Asked {
    clauses: Option<PuzzleClauses>,
    /// No try is of use any more.
    is_over: bool,
    all: Option<Solutions>,
}

impl Few {
    pub fn new(root: &[u16]) -> Self {
        Self {
            root: root.to_vec(),
            failures: AtomicU64::new(0),
            found: AtomicUsize::new(0),
            asked: Mutex::default(),
        }
    }

    /// All solutions of the grid, if an earlier try found them.
    pub fn known(&self) -> Option<Solutions> {
        self.asked().all.clone()
    }

    fn asked(&self) -> MutexGuard<'_, Asked> {
        // A thread that panicked during a try has left clauses that follow from those of the grid, whatever it did.
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a solution that a search has found itself.
    pub fn count_solution(&self) {
        // It does not overflow: a solution takes longer than a nanosecond.
        self.found.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a failure of a search without a limit. Returns all solutions of the grid, if it is time for a try and this finds that
    /// they are few.
    ///
    /// # Errors
    /// [`Stopped`] if `stop` is raised meanwhile.
    pub fn all_after_failure<C: Cells, const VALUES: usize>(
        &self,
        rules: &CompiledRules<C, VALUES>,
        stop: &Stop,
    ) -> Result<Option<Solutions>, Stopped> {
        // A failure takes longer than a nanosecond, so their number does not reach 2^64.
        let failures = 1 + self.failures.fetch_add(1, Ordering::Relaxed);
        let is_time = failures >= FIRST_TRY && failures.is_power_of_two();
        if !is_time || self.found.load(Ordering::Relaxed) > FEW {
            return Ok(None);
        }
        self.all_instead_of(failures, rules, stop)
    }

    /// Returns all solutions of the grid, if clauses tell in about the time of so many failures that they are few.
    ///
    /// # Errors
    /// [`Stopped`] if `stop` is raised meanwhile.
    pub fn all_instead_of<C: Cells, const VALUES: usize>(
        &self,
        failures: u64,
        rules: &CompiledRules<C, VALUES>,
        stop: &Stop,
    ) -> Result<Option<Solutions>, Stopped> {
        let mut asked = self.asked();
        if !asked.is_over {
            asked.ask(rules, &self.root, failures, stop)?;
        }
        Ok(asked.all.clone())
    }
}

impl Asked {
    fn ask<C: Cells, const VALUES: usize>(
        &mut self,
        rules: &CompiledRules<C, VALUES>,
        root: &[u16],
        failures: u64,
        stop: &Stop,
    ) -> Result<(), Stopped> {
        if self.clauses.is_none() {
            let most = (failures as usize).saturating_mul(LITERALS).min(MOST_LITERALS);
            self.clauses = PuzzleClauses::new(rules, root, most);
            self.is_over = self.clauses.is_none() && most == MOST_LITERALS;
        }
        let Some(clauses) = &mut self.clauses else { return Ok(()) };
        let found = clauses.all(failures.saturating_mul(GUESSES), stop)?;
        // What the clauses mean is checked by the engine, whose rules were not made of them.
        for solution in found.iter().flatten() {
            assert!(rules.allow(solution), "clauses told no solution: {solution:?}");
        }
        self.is_over = found.is_some() || clauses.are_many();
        self.all = found.map(Into::into);
        if self.is_over {
            self.clauses = None;
        }
        Ok(())
    }
}
