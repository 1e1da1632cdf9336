//! All models of clauses, as long as they are few.

use super::{Clauses, Found, Literal};
use crate::{Stop, Stopped};

/// The models of clauses that differ in some variables, found one after the other. Each is excluded once it was found, so that the
/// end of the search says that there are no others. What a try learns serves the next one.
#[derive(Debug, Clone)]
pub struct FewModels {
    clauses: Clauses,
    /// The literals in which models differ.
    literals: Vec<Literal>,
    /// The values of these literals in each model.
    found: Vec<Vec<bool>>,
    is_complete: bool,
}

/// With more models than this, a search without clauses finds them sooner.
pub const FEW: usize = 64;

impl FewModels {
    /// The models of `clauses`; two that have the same values for `literals` count as one.
    pub fn new(clauses: Clauses, literals: Vec<Literal>) -> Self {
        Self { clauses, literals, found: Vec::new(), is_complete: false }
    }

    /// Looks for all models by at most so many further guesses, and returns the values of the literals in each, ascending; `None` if
    /// they are many, or if the guesses did not suffice.
    ///
    /// # Errors
    /// [`Stopped`] if `stop` is raised.
    pub fn all(&mut self, guesses: u64, stop: &Stop) -> Result<Option<&[Vec<bool>]>, Stopped> {
        let most = self.clauses.decisions().saturating_add(guesses);
        while !self.is_complete && !self.are_many() {
            let left = most.saturating_sub(self.clauses.decisions());
            match self.clauses.solve(&[], left, stop)? {
                Found::Model => self.keep_model(),
                Found::None => self.is_complete = true,
                Found::GivenUp => break,
            }
        }
        self.found.sort_unstable();
        Ok(self.is_complete.then_some(&self.found))
    }

    /// Whether there are so many models that further tries are of no use.
    pub fn are_many(&self) -> bool {
        self.found.len() > FEW
    }

    /// Keeps the latest model, and excludes it from then on.
    fn keep_model(&mut self) {
        let value = |&literal: &Literal| self.clauses.value(literal);
        let values: Vec<bool> = self.literals.iter().map(value).collect();
        let pairs = self.literals.iter().zip(&values);
        let other = pairs.map(|(&literal, &is_true)| if is_true { !literal } else { literal });
        let other: Vec<Literal> = other.collect();
        self.clauses.add(&other);
        self.found.push(values);
    }
}
