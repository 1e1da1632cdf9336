//! Where searches have failed, which tells where to branch next.
//!
//! Puzzles with few and wide rules have no cell with two candidates for a long time, and then it matters more that the rules
//! that fail are met first. Each failure adds to the weights of the cells that it came from (the heuristic of weighted
//! degrees: F. Boussemart, F. Hemery, C. Lecoutre, L. Sais, 2004), and old failures fade.

use super::state::Cells;

/// A search with fewer failures goes by the number of candidates alone.
pub(crate) const FEW_FAILURES: u32 = 64;

/// The failures after which all weights are halved.
const FADING: u32 = 1 << 14;

/// The weight of each cell. It means nothing before the first failure, which most puzzles never meet.
#[derive(Debug)]
pub(crate) struct Weights {
    of: Vec<u32>,
    failures: u32,
}

impl Weights {
    pub fn new(cells: usize) -> Self {
        Self { of: vec![0; cells], failures: 0 }
    }

    /// Forgets all failures.
    pub fn forget(&mut self) {
        self.failures = 0;
    }

    pub fn of(&self, cell: usize) -> u32 {
        self.of[cell]
    }

    pub fn failures(&self) -> u32 {
        self.failures
    }

    /// Adds a failure: of `cells`, below a guess in `guess`. `start` has the weights before the first one, of which none is 0.
    pub fn fail<C: Cells>(&mut self, mut cells: C, guess: usize, start: &[u32]) {
        if self.failures == 0 {
            self.of.copy_from_slice(start);
        }
        self.of[guess] += 1;
        while !cells.is_empty() {
            self.of[cells.first()] += 1;
            cells = cells.without_first();
        }
        self.failures = self.failures.saturating_add(1);
        if self.failures.is_multiple_of(FADING) {
            // No weight becomes 0.
            self.of.iter_mut().for_each(|weight| *weight -= *weight / 2);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_add_to_their_cells_and_fade() {
        let start = [1, 5, 2];
        let mut weights = Weights::new(3);
        weights.fail(0b101_u64, 2, &start);
        assert_eq!([0, 1, 2].map(|cell| weights.of(cell)), [2, 5, 4]);
        while weights.failures() < FADING - 1 {
            weights.fail(0_u64, 1, &start);
        }
        assert_eq!(weights.of(1), 5 + FADING - 2);
        weights.fail(0_u64, 1, &start);
        // Half of what is odd is rounded up, so that 1 stays 1.
        assert_eq!([0, 1, 2].map(|cell| weights.of(cell)), [1, (5 + FADING - 1) / 2, 2]);
        weights.forget();
        weights.fail(0_u64, 0, &start);
        assert_eq!([0, 1, 2].map(|cell| weights.of(cell)), [2, 5, 2]);
    }
}
