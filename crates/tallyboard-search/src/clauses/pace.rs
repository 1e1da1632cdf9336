//! When to return to the root: once the clauses learned of late have more levels than those before (Audemard and Simon 2012).

/// Means of the ranks of learned clauses.
#[derive(Debug, Clone, Default)]
pub struct Pace {
    conflicts: u64,
    /// The conflicts before the search left the root.
    begun: u64,
    /// The mean of the last clauses, and of all for long.
    of_late: f64,
    for_long: f64,
}

/// The weight of the last clause in each mean.
const LATE: f64 = 1.0 / 32.0;
const LONG: f64 = 1.0 / 8_192.0;
/// The fewest conflicts between two returns.
const FEWEST: u64 = 50;
/// How much worse the last clauses are than the others when it is time to return.
const WORSE: f64 = 1.25;

impl Pace {
    /// The search leaves the root.
    pub fn begin(&mut self) {
        self.begun = self.conflicts;
        self.of_late = self.for_long;
    }

    /// A clause of this rank was learned.
    pub fn conflict(&mut self, rank: u32) {
        self.conflicts += 1;
        // The first clauses weigh as much as in a plain mean.
        let weight = |least: f64, of: u64| least.max(1.0 / of as f64);
        let rank = f64::from(rank);
        self.for_long += (rank - self.for_long) * weight(LONG, self.conflicts);
        self.of_late += (rank - self.of_late) * LATE;
    }

    /// Whether it is time to return to the root.
    pub fn is_over(&self) -> bool {
        self.conflicts - self.begun >= FEWEST && self.of_late > WORSE * self.for_long
    }

    /// The clauses that were learned.
    pub fn conflicts(&self) -> u64 {
        self.conflicts
    }
}
