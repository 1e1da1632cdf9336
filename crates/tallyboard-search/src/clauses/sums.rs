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

    /// Demands that at least `low` and at most `high` of these literals are true.
    ///
    /// A new variable for each literal and each number up to `high` says whether so many are true up to there (Sinz 2005, in both
    /// directions). Clauses are learned of these as of others, and say more than those of single literals.
    pub fn between(&mut self, literals: &[Literal], low: usize, high: usize) {
        let all = literals.len();
        let high = high.min(all);
        if low > high {
            return self.add(&[]);
        }
        if high == 1 && all <= FEW_PAIRS {
            return self.once(literals, low == 1);
        }
        // How many are true of those before, at 0 for none.
        let mut before = vec![Reached::Never; high + 2];
        before[0] = Reached::Always;
        for (place, &literal) in literals.iter().enumerate() {
            let mut after = before.clone();
            for (number, reached) in after.iter_mut().enumerate().skip(1) {
                // What is needed to have enough at the end, and what can be reached so far.
                let (must, can) = ((number + all).saturating_sub(place + 1) <= low, place + 1);
                *reached = match () {
                    () if number > high || number > can => Reached::Never,
                    () if must => Reached::Always,
                    () => Reached::If(self.variable()),
                };
            }
            for number in 1..high + 2 {
                let (same, less) = (before[number], before[number - 1]);
                self.step(literal, same, less, after[number]);
            }
            before = after;
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
