//! What clauses force. Each clause watches its first two literals: nothing follows from it before one of them is false.

use super::arena::{Marked, Reference};
use super::{Clauses, Literal, Value};

/// A clause that watches a literal.
#[derive(Debug, Clone, Copy)]
pub struct Watch {
    /// The clause, marked if it has no third literal, so that it need not be looked at in any case.
    clause: Marked,
    /// Another literal of the clause: while it is true, the clause need not be looked at.
    other: Literal,
}

impl Clauses {
    /// Watches the first two literals of a clause.
    pub(super) fn watch(&mut self, clause: Reference) {
        let [first, second] = [0, 1].map(|place| self.arena.literal(clause, place));
        let clause = Marked::new(clause, self.arena.len(clause) == 2);
        self.watches[first.place()].push(Watch { clause, other: second });
        self.watches[second.place()].push(Watch { clause, other: first });
    }

    /// Assigns what follows from the trail. Returns a clause that is false, if there is one.
    pub(super) fn propagate(&mut self) -> Option<Reference> {
        while let Some(&literal) = self.trail.get(self.propagated) {
            self.propagated += 1;
            let conflict = self.visit(!literal);
            if conflict.is_some() {
                return conflict;
            }
        }
        None
    }

    /// Looks at each clause that watches a literal which has become false.
    fn visit(&mut self, gone: Literal) -> Option<Reference> {
        let mut watches = std::mem::take(&mut self.watches[gone.place()]);
        let mut conflict = None;
        let (mut next, mut kept) = (0, 0);
        while let Some(&watch) = watches.get(next) {
            next += 1;
            let stays = match self.values[watch.other.place()] {
                Value::True => Some(watch.other),
                value if watch.clause.is_marked() => {
                    match value {
                        Value::Open => self.assign(watch.other, Some(watch.clause.clause())),
                        _ => conflict = Some(watch.clause.clause()),
                    }
                    Some(watch.other)
                }
                _ => self.visit_clause(gone, watch.clause.clause(), &mut conflict),
            };
            if let Some(other) = stays {
                watches[kept] = Watch { other, ..watch };
                kept += 1;
            }
            if conflict.is_some() {
                break;
            }
        }
        watches.copy_within(next.., kept);
        watches.truncate(watches.len() - (next - kept));
        self.watches[gone.place()] = watches;
        conflict
    }

    /// Looks for another literal of the clause to watch in place of `gone`; if there is none, the other watched one must be true.
    /// Returns the latter if the clause goes on watching `gone`.
    #[inline]
    fn visit_clause(
        &mut self,
        gone: Literal,
        clause: Reference,
        conflict: &mut Option<Reference>,
    ) -> Option<Literal> {
        let literals = self.arena.literals_mut(clause);
        if literals[0] == gone.0 {
            literals.swap(0, 1);
        }
        let first = Literal(literals[0]);
        let value = self.values[first.place()];
        if value == Value::True {
            return Some(first);
        }
        for place in 2..literals.len() {
            let literal = Literal(literals[place]);
            if self.values[literal.place()] != Value::False {
                literals.swap(1, place);
                let clause = Marked::new(clause, false);
                self.watches[literal.place()].push(Watch { clause, other: first });
                return None;
            }
        }
        match value {
            Value::Open => self.assign(first, Some(clause)),
            _ => *conflict = Some(clause),
        }
        Some(first)
    }
}
