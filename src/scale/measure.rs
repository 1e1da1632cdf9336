//! Times a job at several thread counts and sets the medians against one thread.

use std::time::Instant;

use serde::Serialize;

/// The times of one thread count.
#[derive(Debug, Clone, Serialize)]
pub struct Measurement {
    /// Worker threads.
    pub threads: usize,
    /// Wall times in seconds, in the order in which they were measured.
    pub times: Vec<f64>,
    /// Their median, in seconds.
    pub median: f64,
    /// Median time of one thread over this median.
    pub speed_up: f64,
    /// Speed-up for each thread.
    pub efficiency: f64,
}

/// The times of a job at several thread counts.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// What was run.
    pub job: String,
    /// Logical cores that this process may use.
    pub logical_cores: usize,
    /// Physical cores of the machine.
    pub physical_cores: usize,
    /// One entry a thread count, ascending.
    pub results: Vec<Measurement>,
}

/// 1, 2, 4 … and `max` itself.
///
/// ```
/// assert_eq!(tallyboard::scale::thread_ladder(6), [1, 2, 4, 6]);
/// ```
pub fn thread_ladder(max: usize) -> Vec<usize> {
    let mut ladder: Vec<usize> = std::iter::successors(Some(1), |&threads| Some(threads * 2))
        .take_while(|&t| t < max)
        .collect();
    ladder.push(max.max(1));
    ladder
}

/// Runs `work` `runs` times at each thread count and reports the medians.
///
/// The thread counts take turns, so that a drift of the machine falls on all of them alike.
///
/// # Errors
/// The first error of `work`.
pub fn measure<E>(
    job: &str,
    threads: &[usize],
    runs: usize,
    mut work: impl FnMut(usize) -> Result<(), E>,
) -> Result<Report, E> {
    let mut times = vec![Vec::with_capacity(runs); threads.len()];
    for _ in 0..runs {
        for (&threads, times) in threads.iter().zip(&mut times) {
            let began = Instant::now();
            work(threads)?;
            times.push(began.elapsed().as_secs_f64());
        }
    }
    let medians: Vec<f64> = times.iter().map(|times| median(times)).collect();
    let single = threads.iter().position(|&t| t == 1).map_or(f64::NAN, |index| medians[index]);
    let results = threads.iter().zip(times).zip(&medians).map(|((&threads, times), &median)| {
        let speed_up = single / median;
        Measurement { threads, times, median, speed_up, efficiency: speed_up / threads as f64 }
    });
    Ok(Report {
        job: job.to_owned(),
        logical_cores: num_cpus::get(),
        physical_cores: num_cpus::get_physical(),
        results: results.collect(),
    })
}

fn median(times: &[f64]) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => f64::NAN,
        odd if odd % 2 == 1 => sorted[middle],
        _ => (sorted[middle - 1] + sorted[middle]) / 2.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_are_the_middle() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
    }

    #[test]
    fn thread_counts_take_turns() {
        let mut seen = Vec::new();
        let report = measure("job", &[1, 2], 2, |threads| {
            seen.push(threads);
            Ok::<_, ()>(())
        });
        assert_eq!(seen, [1, 2, 1, 2]);
        assert_eq!(report.unwrap().results[0].efficiency, 1.0);
    }
}
