//! What a conflict teaches: a clause that forces, further up, the other value of one variable of the last level.

use super::arena::Reference;
use super::{Assigned, Clauses, Literal};

/// Learned clauses with so few levels are never forgotten.
const BEST_RANK: u32 = 2;

/// Counts the levels of literals.
#[derive(Debug, Clone, Default)]
pub struct Levels {
    /// The levels that were counted last have this stamp.
    stamp: u64,
    stamps: Vec<u64>,
}

impl Levels {
    /// There may be one level more.
    pub fn add(&mut self) {
        self.stamps.push(0);
    }

    /// The number of different levels in which these literals were assigned.
    fn count(&mut self, assigned: &[Assigned], literals: impl Iterator<Item = Literal>) -> u32 {
        self.stamp += 1;
        let mut count = 0;
        for literal in literals {
            let stamp = &mut self.stamps[assigned[literal.variable()].level as usize];
            count += u32::from(*stamp != self.stamp);
            *stamp = self.stamp;
        }
        count
    }
}

impl Clauses {
    /// Learns a clause from a false one, and returns to the level where it forces a literal. Without any decision
    /// the clauses contradict each other.
    pub(super) fn learn(&mut self, conflict: Reference) {
        if self.levels.is_empty() {
            self.is_contradiction = true;
            return;
        }
        let mut clause = self.resolve(conflict);
        self.shorten(&mut clause);
        self.heap.age();
        let level = |literal: &Literal| self.assigned[literal.variable()].level;
        // The second literal is the last of the others that became false, so that both can be watched.
        let second = (1..clause.len()).max_by_key(|&place| level(&clause[place]));
        let back = second.map_or(0, |place| level(&clause[place]));
        if let Some(place) = second {
            clause.swap(1, place);
        }
        let rank = self.levels_of.count(&self.assigned, clause.iter().copied());
        self.pace.conflict(rank);
        self.return_to(back as usize);
        let reason = (clause.len() > 1).then(|| {
            let reference = self.arena.add(&clause, rank);
            self.learned.push(reference);
            self.watch(reference);
            reference
        });
        self.assign(clause[0], reason);
    }

    /// The clause that follows from a false one and from the reasons of its literals, back to the first literal of the last level
    /// through which all of these go. That literal stands first. The variables of the others are left marked.
    fn resolve(&mut self, conflict: Reference) -> Vec<Literal> {
        let last = self.levels.len() as u32;
        let mut clause = vec![Literal(0)];
        let (mut reason, mut skipped) = (conflict, None);
        // The marked literals of the last level that were not resolved yet.
        let mut left = 0_usize;
        let mut place = self.trail.len();
        loop {
            self.renew_rank(reason);
            for literal in self.arena.literals(reason) {
                let variable = literal.variable();
                let level = self.assigned[variable].level;
                if Some(literal) == skipped || self.seen[variable] || level == 0 {
                    continue;
                }
                self.seen[variable] = true;
                self.heap.raise(variable);
                if level == last {
                    left += 1;
                } else {
                    clause.push(literal);
                }
            }
            let literal = loop {
                place -= 1;
                if self.seen[self.trail[place].variable()] {
                    break self.trail[place];
                }
            };
            self.seen[literal.variable()] = false;
            left -= 1;
            if left == 0 {
                clause[0] = !literal;
                return clause;
            }
            skipped = Some(literal);
            reason = self.assigned[literal.variable()].reason.expect("all but one were forced");
        }
    }

    /// Counts the levels of a learned clause again, which may be fewer now.
    fn renew_rank(&mut self, clause: Reference) {
        let before = self.arena.rank(clause);
        if before > BEST_RANK {
            let literals = self.arena.literals(clause);
            let rank = self.levels_of.count(&self.assigned, literals);
            if rank < before {
                self.arena.set_rank(clause, rank);
            }
        }
    }

    /// Leaves out the literals that follow from the falsehood of the others, and takes all marks away.
    fn shorten(&mut self, clause: &mut Vec<Literal>) {
        let mut marked: Vec<usize> = clause[1..].iter().map(|literal| literal.variable()).collect();
        let mut place = 1;
        let levels = clause[1..].iter().fold(0, |set, &literal| set | self.level_bit(literal));
        clause.retain(|&literal| {
            place += 1;
            place == 2 || !self.follows(literal, levels, &mut marked)
        });
        marked.iter().for_each(|&variable| self.seen[variable] = false);
    }

    /// A bit for the level of a literal. Several levels share one.
    fn level_bit(&self, literal: Literal) -> u64 {
        1 << (self.assigned[literal.variable()].level % 64)
    }

    /// Whether a false literal was forced by marked ones alone, through any number of reasons. Those on the way are marked then.
    fn follows(&mut self, literal: Literal, levels: u64, marked: &mut Vec<usize>) -> bool {
        if self.assigned[literal.variable()].reason.is_none() {
            return false;
        }
        let before = marked.len();
        let mut open = vec![literal];
        while let Some(literal) = open.pop() {
            let Some(reason) = self.assigned[literal.variable()].reason else { unreachable!() };
            for next in self.arena.literals(reason) {
                let variable = next.variable();
                let Assigned { level, reason } = self.assigned[variable];
                if self.seen[variable] || level == 0 || variable == literal.variable() {
                    continue;
                }
                if reason.is_none() || levels & self.level_bit(next) == 0 {
                    marked.drain(before..).for_each(|variable| self.seen[variable] = false);
                    return false;
                }
                self.seen[variable] = true;
                marked.push(variable);
                open.push(next);
            }
        }
        true
    }

    /// Forgets the half of the learned clauses whose literals lie in the most levels. It is called at the root.
    pub(super) fn forget(&mut self) {
        // What was forced at the root stays so, and nobody asks why.
        for literal in &self.trail {
            self.assigned[literal.variable()].reason = None;
        }
        let mut ranked = std::mem::take(&mut self.learned);
        // The order is stable: of equal ranks the later clauses stay.
        ranked.reverse();
        ranked.sort_by_key(|&clause| self.arena.rank(clause));
        let count = ranked.len();
        let kept: Vec<(Vec<Literal>, u32)> = ranked
            .iter()
            .enumerate()
            .filter(|&(place, &clause)| place < count / 2 || self.arena.rank(clause) <= BEST_RANK)
            .map(|(_, &clause)| (self.arena.literals(clause).collect(), self.arena.rank(clause)))
            .collect();
        self.most_learned = self.most_learned.max(kept.len()) + super::MORE_LEARNED;
        self.rebuild(&kept);
    }

    /// Puts the clauses that were added and these learned ones into a new arena, and watches them.
    fn rebuild(&mut self, learned: &[(Vec<Literal>, u32)]) {
        self.watches.iter_mut().for_each(Vec::clear);
        let old = std::mem::take(&mut self.arena);
        for clause in old.references().filter(|&clause| old.rank(clause) == 0) {
            let clause = self.arena.add(&old.literals(clause).collect::<Vec<_>>(), 0);
            self.watch(clause);
        }
        for (literals, rank) in learned {
            let clause = self.arena.add(literals, *rank);
            self.learned.push(clause);
            self.watch(clause);
        }
    }
}
