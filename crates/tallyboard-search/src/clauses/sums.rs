//! Numbers of true literals as clauses.

use super::{Clauses, Literal};

/// Whether a number is reached among the first literals.
#[derive(Debug, Clone, Copy)]
enum Reached {
    Always,
    Never,
    If(Literal),
}

impl Clauses {
    /// Demands that exactly so many of these literals are true.
    ///
    /// A new variable for each literal and each number up to `count` says whether so many are true up to there (Sinz 2005, in both
    /// directions). Clauses are learned of these as of others, and say more than those of single literals.
    pub fn exactly(&mut self, literals: &[Literal], count: usize) {
        let all = literals.len();
        if count > all {
            return self.add(&[]);
        }
        // How many are true of those before, at 0 for none.
        let mut before = vec![Reached::Never; count + 2];
        before[0] = Reached::Always;
        for (place, &literal) in literals.iter().enumerate() {
            let mut after = before.clone();
            for (number, reached) in after.iter_mut().enumerate().skip(1) {
                // What is needed to have enough at the end, and what can be reached so far.
                let (must, can) = ((number + all).saturating_sub(place + 1) <= count, place + 1);
                *reached = match () {
                    () if number > count || number > can => Reached::Never,
                    () if must => Reached::Always,
                    () => Reached::If(self.variable()),
                };
            }
            for number in 1..count + 2 {
                let (same, less) = (before[number], before[number - 1]);
                self.step(literal, same, less, after[number]);
            }
            before = after;
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
