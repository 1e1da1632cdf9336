//! Checked counts that merge.

use serde::{Deserialize, Serialize};

/// The number of solutions found in one subtree, or in several merged ones.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    solutions: u128,
}

/// A count went over `u128::MAX`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the count does not fit in 128 bits")]
pub struct Overflow;

impl Tally {
    /// A tally of `solutions` solutions.
    pub fn new(solutions: impl Into<u128>) -> Self {
        Self { solutions: solutions.into() }
    }

    /// The number of solutions.
    pub fn solutions(self) -> u128 {
        self.solutions
    }

    /// Adds two tallies.
    ///
    /// ```
    /// use tallyboard::search::Tally;
    /// assert_eq!(Tally::new(40u64).merge(Tally::new(52u64)), Ok(Tally::new(92u64)));
    /// assert!(Tally::new(u128::MAX).merge(Tally::new(1u64)).is_err());
    /// ```
    pub fn merge(self, other: Self) -> Result<Self, Overflow> {
        let solutions = self.solutions.checked_add(other.solutions).ok_or(Overflow)?;
        Ok(Self { solutions })
    }
}
