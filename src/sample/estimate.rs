//! From drawn subtrees to the whole: an unbiased estimate and its 95 % interval.

use crate::scale::stats::student_t;

/// An estimated total.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Total {
    /// The estimate, right on average.
    pub value: f64,
    /// Its standard error.
    pub standard_error: f64,
    /// The lower end of the 95 % interval (Student's t), at least 0.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

impl Total {
    /// Half the width of the interval, as a share of the value.
    pub fn relative_margin(&self) -> f64 {
        (self.high - self.value) / self.value
    }

    /// Whether `truth` lies in the interval, but for rounding.
    pub fn holds(&self, truth: f64) -> bool {
        let rounding = truth * 1e-12;
        (self.low - rounding..=self.high + rounding).contains(&truth)
    }
}

/// What one round of draws has found: for each stratum finished, in random order, what either
/// draw alone would give for the whole.
#[derive(Debug, Clone, Default)]
pub(super) struct Round {
    /// How many strata the round has.
    pub strata: usize,
    pub pairs: Vec<[f64; 2]>,
}

/// A part of the variance, and the degrees of freedom that it was estimated from.
type Component = (f64, f64);

impl Round {
    fn mean(&self) -> f64 {
        self.pairs.iter().map(|[a, b]| (a + b) / 2.0).sum::<f64>() / self.pairs.len() as f64
    }

    /// The parts of the variance of the mean, each times `weight`². `None` if a single stratum is
    /// all that is finished of several: that says nothing of the others.
    ///
    /// Within a stratum, half the squared difference of the pair. If the round was interrupted, the
    /// finished strata are a random sample of all, without replacement, and their scatter comes on
    /// top (Cochran, *Sampling techniques*, 1977, section 11.3).
    fn components(&self, weight: f64, found: &mut Vec<Component>) -> Option<()> {
        let (done, all) = (self.pairs.len() as f64, self.strata as f64);
        for [a, b] in &self.pairs {
            found.push(((a - b).powi(2) / 4.0 / (done * all) * weight.powi(2), 1.0));
        }
        if self.pairs.len() < self.strata {
            if self.pairs.len() < 2 {
                return None;
            }
            let mean = self.mean();
            let squares: f64 = self.pairs.iter().map(|[a, b]| ((a + b) / 2.0 - mean).powi(2)).sum();
            let between = squares / (done - 1.0) / done * (1.0 - done / all);
            found.push((between * weight.powi(2), done - 1.0));
        }
        Some(())
    }
}

/// The estimate from all rounds, each weighted by its draws; `None` without enough of them for an
/// interval.
pub(super) fn estimate(rounds: &[Round]) -> Option<Total> {
    let rounds = || rounds.iter().filter(|round| !round.pairs.is_empty());
    let draws: usize = rounds().map(|round| round.pairs.len()).sum();
    if draws == 0 {
        return None;
    }
    let (mut value, mut components) = (0.0, Vec::new());
    for round in rounds() {
        let weight = round.pairs.len() as f64 / draws as f64;
        value += weight * round.mean();
        round.components(weight, &mut components)?;
    }
    let variance: f64 = components.iter().map(|(part, _)| part).sum();
    // Satterthwaite's degrees of freedom.
    let spread: f64 = components.iter().map(|(part, freedom)| part.powi(2) / freedom).sum();
    let freedom = if spread > 0.0 { variance.powi(2) / spread } else { draws as f64 };
    let margin = student_t(freedom) * variance.sqrt();
    Some(Total {
        value,
        standard_error: variance.sqrt(),
        low: (value - margin).max(0.0),
        high: value + margin,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finished_round_has_the_scatter_within_its_strata_alone() {
        let round = Round { strata: 2, pairs: vec![[1.0, 3.0], [101.0, 103.0]] };
        let found = estimate(&[round]).unwrap();
        assert_eq!(found.value, 52.0);
        // Either mean has the variance 1; half their sum has a half.
        assert!((found.standard_error.powi(2) - 0.5).abs() < 1e-12, "{found:?}");
    }

    #[test]
    fn an_interrupted_round_has_the_scatter_between_strata_too() {
        let round = Round { strata: 4, pairs: vec![[1.0, 3.0], [101.0, 103.0]] };
        let found = estimate(&[round]).unwrap();
        // Between: s² = 5000, by 2 strata, half of them left out: 1250. Within: 2 / (2 · 4).
        assert!((found.standard_error.powi(2) - 1250.25).abs() < 1e-9, "{found:?}");
        assert_eq!(estimate(&[Round { strata: 4, pairs: vec![[1.0, 3.0]] }]), None);
        assert_eq!(estimate(&[Round { strata: 4, pairs: vec![] }]), None);
    }

    #[test]
    fn rounds_count_by_their_draws() {
        let short = Round { strata: 1, pairs: vec![[10.0, 10.0]] };
        let long = Round { strata: 3, pairs: vec![[2.0, 2.0]; 3] };
        assert_eq!(estimate(&[short, long]).unwrap().value, 4.0);
    }
}
