//! Compares the methods by time, steps and success on boards of several sizes, with several seeds.

use std::time::{Duration, Instant};

use serde::Serialize;

use super::{Limits, Method, PlaceError, solve};

/// The measurements of a method on one board size.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Measurement {
    /// Name of the method.
    pub method: String,
    /// Board size.
    pub n: u32,
    /// Seeds tried; 1 for a method that uses none.
    pub tries: u64,
    /// Tries that found a solution within the limits.
    pub solved: u64,
    /// Median time of the tries that found a solution, in seconds.
    pub seconds: Option<f64>,
    /// Median steps of the tries that found a solution.
    pub steps: Option<u64>,
    /// Median restarts of the tries that found a solution.
    pub restarts: Option<u64>,
}

/// Runs every method on every size with the seeds `0..seeds`, each try within `limits`.
///
/// Calls `measured` with each measurement as soon as it is made. Sizes that a method does not take are left out. A
/// method that solves nothing on two sizes in a row is not tried on the sizes after them. Each method solves the
/// first size once before it is measured.
///
/// # Errors
/// [`PlaceError::TooManyRandomRows`], or [`PlaceError::Wrong`] if a method returns a wrong board.
pub fn compare(
    methods: &[Method],
    sizes: &[u32],
    seeds: u64,
    limits: &Limits,
    mut measured: impl FnMut(&Measurement),
) -> Result<Vec<Measurement>, PlaceError> {
    let mut measurements = Vec::new();
    for method in methods {
        // How many of the last sizes, in a row, it has not solved.
        let mut failures = 0;
        // Warms up the caches: at n = 8 the first solution took up to sixty times as long as the others.
        if let Some(&n) = sizes.iter().find(|&&n| n <= method.largest()) {
            let _ = solve(n, method, 0, limits);
        }
        for &n in sizes.iter().filter(|&&n| n <= method.largest()) {
            if failures == 2 {
                break;
            }
            let measurement = measure(method, n, seeds, limits)?;
            failures = if measurement.solved == 0 { failures + 1 } else { 0 };
            measured(&measurement);
            measurements.push(measurement);
        }
    }
    Ok(measurements)
}

fn measure(
    method: &Method,
    n: u32,
    seeds: u64,
    limits: &Limits,
) -> Result<Measurement, PlaceError> {
    let tries = if method.is_random() { seeds } else { 1 };
    let mut times = Vec::new();
    let mut steps = Vec::new();
    let mut restarts = Vec::new();
    for seed in 0..tries {
        let started = Instant::now();
        match solve(n, method, seed, limits) {
            Ok(found) => {
                times.push(started.elapsed());
                steps.push(found.steps);
                restarts.push(found.restarts);
            }
            Err(PlaceError::NoSolution(_) | PlaceError::GaveUp { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(Measurement {
        method: method.to_string(),
        n,
        tries,
        solved: times.len() as u64,
        seconds: median(times).map(|time: Duration| time.as_secs_f64()),
        steps: median(steps),
        restarts: median(restarts),
    })
}

fn median<T: Ord>(mut values: Vec<T>) -> Option<T> {
    values.sort_unstable();
    let middle = values.len().checked_sub(1)? / 2;
    values.into_iter().nth(middle)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_is_measured_on_every_size() {
        let limits = Limits { max_steps: Some(100_000), ..Limits::default() };
        let rows = compare(&Method::usual(), &[3, 8, 12], 3, &limits, |_| {}).unwrap();
        assert_eq!(rows.len(), 3 * Method::usual().len());
        for row in rows {
            assert_eq!(row.solved, if row.n == 3 { 0 } else { row.tries }, "{row:?}");
            assert_eq!(row.steps.is_some(), row.n != 3);
        }
    }

    #[test]
    fn settings_that_ask_for_too_much_are_an_error() {
        let method = Method::LasVegas { random_rows: Some(9) };
        let error = compare(&[method], &[8], 1, &Limits::default(), |_| {}).unwrap_err();
        assert_eq!(error, PlaceError::TooManyRandomRows { random_rows: 9, n: 8 });
    }
}
