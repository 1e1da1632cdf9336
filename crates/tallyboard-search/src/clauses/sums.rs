//! Numbers of true literals as clauses.

use super::{Clauses, Literal};

/// Whether a number is reached among the first literals.
#[derive(Debug, Clone, Copy)]
enum Reached {
    Always,
    Never,
    If(Literal),
}

/// Of so many literals each pair is a clause where at most one may be true. That takes no new variables.
const FEW_PAIRS: usize = 16;

impl Clauses {
    /// Demands that exactly so many of these literals are true.
    pub fn exactly(&mut self, literals: &[Literal], count: usize) {
        self.between(literals, count, count);
    }

    /// [`exactly`](Self::exactly) for literals of which no two neighbours in the list may be true, as other clauses say. Half of the
    /// literals at most can then be true, which the numbers up to each place take into account.
    pub fn exactly_apart(&mut self, literals: &[Literal], count: usize) {
        self.count(literals, [count, count], 2);
    }

    /// Demands that at least `low` and at most `high` of these literals are true.
    pub fn between(&mut self, literals: &[Literal], low: usize, high: usize) {
        self.count(literals, [low, high], 1);
    }

    /// Demands that the number of true literals lies within bounds, where at most one of any `gap` in succession may be true.
    ///
    /// A new variable for each literal and each number up to the upper bound says whether so many are true up to there (Sinz 2005,
    /// in both directions). Clauses are learned of these as of others, and say more than those of single literals.
    fn count(&mut self, literals: &[Literal], [low, high]: [usize; 2], gap: usize) {
        let all = literals.len();
        // The most of so many literals in succession.
        let most = |literals: usize| literals.div_ceil(gap);
        let high = high.min(most(all));
        if low > high {
            return self.add(&[]);
        }
        if high == 1 && all <= FEW_PAIRS {
            return self.once(literals, low == 1);
        }
        // How many are true of those before each place, at 0 for none. Before the first are as many places as the last gap has.
        let mut start = vec![Reached::Never; high + 2];
        start[0] = Reached::Always;
        let mut before = vec![start; gap];
        for (place, &literal) in literals.iter().enumerate() {
            let same = &before[before.len() - 1];
            let less = &before[before.len() - gap];
            let mut after = same.clone();
            for (number, reached) in after.iter_mut().enumerate().skip(1) {
                // What is needed to have enough at the end, and what can be reached so far.
                let must = number + most(all - place - 1) <= low;
                *reached = match () {
                    () if number > high || number > most(place + 1) => Reached::Never,
                    () if must => Reached::Always,
                    () => Reached::If(self.variable()),
                };
            }
            for number in 1..high + 2 {
                self.step(literal, same[number], less[number - 1], after[number]);
            }
            before.push(after);
        }
    }

    /// Demands that no two of these literals are true, and one if `must`.
    fn once(&mut self, literals: &[Literal], must: bool) {
        if must {
            self.add(literals);
        }
        for (place, &literal) in literals.iter().enumerate() {
            literals[..place].iter().for_each(|&other| self.add(&[!literal, !other]));
        }
    }

    /// Demands that a number is reached with a literal if and only if it was before, or one less was and the literal is true.
    fn step(&mut self, literal: Literal, same: Reached, less: Reached, after: Reached) {
        self.implies(&[same], &[], after);
        self.implies(&[less], &[literal], after);
        self.implied(after, &[same, less], &[]);
        self.implied(after, &[same], &[literal]);
    }

    /// Demands `after` where all conditions hold.
    fn implies(&mut self, conditions: &[Reached], literals: &[Literal], after: Reached) {
        let mut clause: Vec<Literal> = literals.iter().map(|&literal| !literal).collect();
        for &condition in conditions {
            match condition {
                Reached::Always => {}
                Reached::Never => return,
                Reached::If(literal) => clause.push(!literal),
            }
        }
        match after {
            Reached::Always => return,
            Reached::Never => {}
            Reached::If(literal) => clause.push(literal),
        }
        self.add(&clause);
    }

    /// Demands one of the others where `after` holds.
    fn implied(&mut self, after: Reached, others: &[Reached], literals: &[Literal]) {
        let mut clause = literals.to_vec();
        match after {
            Reached::Always => {}
            Reached::Never => return,
            Reached::If(literal) => clause.push(!literal),
        }
        for &other in others {
            match other {
                Reached::Always => return,
                Reached::Never => {}
                Reached::If(literal) => clause.push(literal),
            }
        }
        self.add(&clause);
    }
}
