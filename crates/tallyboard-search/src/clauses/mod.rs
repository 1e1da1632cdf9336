//! Whether clauses can all be satisfied, by a search that learns a clause from each conflict.
//!
//! ```text
//! assign what clauses force (propagate.rs)
//! conflict:       learn the clause that would have forced another value earlier (learn.rs), return to where it forces it;
//!                 variables of conflicts weigh more
//! now and then:   return to the root, and forget half of the learned clauses
//! otherwise:      decide the heaviest variable, with the value that it had last
//! ```
//!
//! The learned clauses follow from those that were added, so they serve all later questions too. Searches of puzzles ask when they
//! have failed for long: a search without learning fails for the same reason again and again.

mod arena;
mod few;
mod heap;
mod learn;
mod pace;
mod propagate;
mod sums;

use std::ops::Not;

pub use self::few::{FEW, FewModels};

use self::arena::{Arena, Reference};
use self::heap::Heap;
use self::learn::Levels;
use self::pace::Pace;
use self::propagate::Watch;
use crate::{Stop, Stopped};

/// A variable that is true, or one that is false.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Literal(u32);

impl Literal {
    /// The number of its variable.
    fn variable(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Its place in lists of literals.
    fn place(self) -> usize {
        self.0 as usize
    }

    /// Whether it is true where its variable is false.
    fn is_negative(self) -> bool {
        self.0 & 1 == 1
    }
}

impl Not for Literal {
    type Output = Self;

    fn not(self) -> Self {
        Self(self.0 ^ 1)
    }
}

/// What is known of a literal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Value {
    False,
    True,
    Open,
}

/// What a [search](Clauses::solve) found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// A model: it satisfies all clauses and assumptions, and [`Clauses::value`] tells its values.
    Model,
    /// There is no model.
    None,
    /// The decisions that were allowed did not tell.
    GivenUp,
}

/// What is known of a variable while it has a value.
#[derive(Debug, Clone, Copy)]
struct Assigned {
    /// The number of decisions above.
    level: u32,
    /// The clause that forced it, if any.
    reason: Option<Reference>,
}

/// Clauses over variables, and what was learned of them.
#[derive(Debug, Clone)]
pub struct Clauses {
    arena: Arena,
    /// The learned clauses.
    learned: Vec<Reference>,
    /// The clauses that watch a literal, by its place.
    watches: Vec<Vec<Watch>>,
    values: Vec<Value>,
    assigned: Vec<Assigned>,
    /// The literals that are true, in the order in which they became so.
    trail: Vec<Literal>,
    /// Where in the trail each level begins.
    levels: Vec<usize>,
    /// The literals of the trail before this place have been propagated.
    propagated: usize,
    heap: Heap,
    /// The value that each variable had last.
    last: Vec<bool>,
    /// The values of the latest model.
    model: Vec<bool>,
    /// No clauses can be satisfied, whatever is assumed.
    is_contradiction: bool,
    decisions: u64,
    /// Marks of variables while a clause is learned.
    seen: Vec<bool>,
    /// The learned clauses that are kept before half are forgotten.
    most_learned: usize,
    pace: Pace,
    levels_of: Levels,
}

/// The learned clauses that are kept at first, and the growth each time they are halved.
const LEARNED: usize = 2_000;
const MORE_LEARNED: usize = 300;
/// Conflicts between two looks at the stop flag.
const POLL_INTERVAL: u64 = 1 << 8;

impl Default for Clauses {
    fn default() -> Self {
        Self::new()
    }
}

impl Clauses {
    /// No variables and no clauses.
    pub fn new() -> Self {
        let mut levels_of = Levels::default();
        levels_of.add();
        Self {
            arena: Arena::default(),
            learned: Vec::new(),
            watches: Vec::new(),
            values: Vec::new(),
            assigned: Vec::new(),
            trail: Vec::new(),
            levels: Vec::new(),
            propagated: 0,
            heap: Heap::default(),
            last: Vec::new(),
            model: Vec::new(),
            is_contradiction: false,
            decisions: 0,
            seen: Vec::new(),
            most_learned: LEARNED,
            pace: Pace::default(),
            levels_of,
        }
    }

    /// A new variable, as the literal that says it is true.
    ///
    /// # Panics
    /// If there are 2^31 variables.
    pub fn variable(&mut self) -> Literal {
        let number = self.assigned.len();
        let literal = Literal(u32::try_from(2 * number).expect("fewer than 2^31 variables"));
        self.watches.extend([Vec::new(), Vec::new()]);
        self.values.extend([Value::Open; 2]);
        self.assigned.push(Assigned { level: 0, reason: None });
        self.last.push(false);
        self.seen.push(false);
        self.levels_of.add();
        self.heap.add();
        literal
    }

    /// Demands that one of these literals is true. Models found before may be excluded so.
    pub fn add(&mut self, literals: &[Literal]) {
        self.return_to(0);
        let mut kept = literals.to_vec();
        kept.sort_unstable();
        kept.dedup();
        let is_true = |&literal: &Literal| self.values[literal.place()] == Value::True;
        if kept.iter().any(is_true) || kept.windows(2).any(|pair| pair[0] == !pair[1]) {
            return;
        }
        kept.retain(|literal| self.values[literal.place()] == Value::Open);
        match kept[..] {
            [] => self.is_contradiction = true,
            [literal] => self.assign(literal, None),
            _ => {
                let clause = self.arena.add(&kept, 0);
                self.watch(clause);
            }
        }
    }

    /// Looks for a model in which all assumptions are true, with at most so many further decisions.
    ///
    /// # Errors
    /// [`Stopped`] if `stop` is raised.
    pub fn solve(
        &mut self,
        assumptions: &[Literal],
        most_decisions: u64,
        stop: &Stop,
    ) -> Result<Found, Stopped> {
        let most = self.decisions.saturating_add(most_decisions);
        loop {
            stop.check()?;
            let found = self.search(assumptions, most, stop);
            self.return_to(0);
            if let Some(found) = found? {
                return Ok(found);
            }
        }
    }

    /// Searches from the root until it is time to return there. Returns `None` then.
    fn search(
        &mut self,
        assumptions: &[Literal],
        most_decisions: u64,
        stop: &Stop,
    ) -> Result<Option<Found>, Stopped> {
        self.pace.begin();
        loop {
            if self.is_contradiction {
                return Ok(Some(Found::None));
            }
            if let Some(conflict) = self.propagate() {
                self.learn(conflict);
                if self.pace.conflicts().is_multiple_of(POLL_INTERVAL) {
                    stop.check()?;
                }
                continue;
            }
            if self.pace.is_over() {
                return Ok(None);
            }
            if self.levels.is_empty() && self.learned.len() >= self.most_learned {
                self.forget();
            }
            match self.next(assumptions, most_decisions) {
                Ok(literal) => {
                    self.levels.push(self.trail.len());
                    self.assign(literal, None);
                }
                Err(found) => return Ok(Some(found)),
            }
        }
    }

    /// The next literal to be made true: an assumption, or the heaviest open variable. If there is none, how the search ends.
    fn next(&mut self, assumptions: &[Literal], most_decisions: u64) -> Result<Literal, Found> {
        // Each assumption has a level of its own, which is empty if the literal is true already.
        while let Some(&literal) = assumptions.get(self.levels.len()) {
            match self.values[literal.place()] {
                Value::True => self.levels.push(self.trail.len()),
                Value::False => return Err(Found::None),
                Value::Open => return Ok(literal),
            }
        }
        let Some(variable) = self.next_variable() else {
            self.model = self.values.iter().step_by(2).map(|&value| value == Value::True).collect();
            return Err(Found::Model);
        };
        if self.decisions >= most_decisions {
            self.heap.insert(variable);
            return Err(Found::GivenUp);
        }
        self.decisions += 1;
        Ok(Literal((variable as u32) << 1 | u32::from(!self.last[variable])))
    }

    /// The heaviest variable without a value.
    fn next_variable(&mut self) -> Option<usize> {
        while let Some(variable) = self.heap.pop() {
            if self.values[2 * variable] == Value::Open {
                return Some(variable);
            }
        }
        None
    }

    /// Makes a literal true.
    fn assign(&mut self, literal: Literal, reason: Option<Reference>) {
        self.values[literal.place()] = Value::True;
        self.values[(!literal).place()] = Value::False;
        let level = self.levels.len() as u32;
        self.assigned[literal.variable()] = Assigned { level, reason };
        self.trail.push(literal);
    }

    /// Takes back what was decided below a level, and what followed.
    fn return_to(&mut self, level: usize) {
        let Some(&begin) = self.levels.get(level) else { return };
        for &literal in &self.trail[begin..] {
            let variable = literal.variable();
            self.values[literal.place()] = Value::Open;
            self.values[(!literal).place()] = Value::Open;
            self.last[variable] = !literal.is_negative();
            self.heap.insert(variable);
        }
        self.trail.truncate(begin);
        self.levels.truncate(level);
        self.propagated = begin;
    }

    /// The value of a literal in the latest model.
    ///
    /// # Panics
    /// If no model was found since the variable was made.
    pub fn value(&self, literal: Literal) -> bool {
        self.model[literal.variable()] != literal.is_negative()
    }

    /// The decisions of all searches so far, without assumptions.
    pub fn decisions(&self) -> u64 {
        self.decisions
    }
}

#[cfg(test)]
mod tests;
