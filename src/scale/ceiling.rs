//! What the machine gives to threads at once, whatever they do: clock speed, bytes from memory, and how long a
//! read takes. No work gets more.

use serde::{Deserialize, Serialize};

use super::counters::{bandwidth, clock};
use super::measure::Series;
use super::report::{Point, Report};
use super::topology::Machine;
use crate::figures::{counted, mebibytes, percent, seconds};

/// Figures that change by more than this share are told.
const WORTH_TELLING: f64 = 0.25;

/// What was measured at a moment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Given {
    /// Cycles a second of each thread's processor.
    pub hertz: f64,
    /// Bytes that all threads together read from memory in a second.
    pub bytes_per_second: f64,
    /// For each level of the caches its bytes, and the seconds of a read beyond it that waits for the one before.
    pub latencies: Vec<(u64, f64)>,
}

/// What a number of threads were given before the runs and after them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ceiling {
    /// As many at once.
    pub threads: usize,
    /// Before the first round.
    pub before: Given,
    /// After the last.
    pub after: Given,
}

impl Ceiling {
    /// The better of both for each figure.
    pub fn best(&self) -> Given {
        let Self { before, after, .. } = self;
        let both = before.latencies.iter().zip(&after.latencies);
        Given {
            hertz: before.hertz.max(after.hertz),
            bytes_per_second: before.bytes_per_second.max(after.bytes_per_second),
            latencies: both.map(|((bytes, a), (_, b))| (*bytes, a.min(*b))).collect(),
        }
    }

    /// How many times as large the larger of two figures is, and the two in words, of the figure that changed most.
    fn change(&self) -> (f64, String) {
        let Self { threads, before, after } = self;
        let threads = counted(*threads, "thread");
        let told = |what: &str, from: f64, to: f64, show: fn(f64) -> String| {
            let (factor, from, to) = ((from / to).max(to / from), show(from), show(to));
            (factor, format!("{what} with {threads} was {from} before the runs and {to} after"))
        };
        let latencies = before.latencies.iter().zip(&after.latencies);
        let latencies = latencies.map(|((bytes, from), (_, to))| {
            told(&format!("a read beyond {}", cache(*bytes)), *from, *to, seconds)
        });
        let (from, to) = (before.bytes_per_second, after.bytes_per_second);
        [
            told("the clock", before.hertz, after.hertz, clock),
            told("what memory gives", from, to, bandwidth),
        ]
        .into_iter()
        .chain(latencies)
        .fold((1.0, String::new()), |most, it| if it.0 > most.0 { it } else { most })
    }
}

/// The size of a cache for people.
pub(crate) fn cache(bytes: u64) -> String {
    if bytes < 1 << 20 { format!("{} KiB", bytes >> 10) } else { mebibytes(bytes) }
}

/// A machine that was another one after the runs, of all its `ceilings` by what changed most.
pub(crate) fn warning(ceilings: &[Ceiling]) -> Option<String> {
    let most = ceilings.iter().map(Ceiling::change).max_by(|a, b| a.0.total_cmp(&b.0));
    let (_, words) = most.filter(|(factor, _)| *factor > 1.0 + WORTH_TELLING)?;
    Some(format!("the machine changed meanwhile: {words}"))
}

/// The least time in which this machine's memory delivers what the work of `one` thread reads; `None` where either
/// is not known.
pub(crate) fn delivery(one: &Series, ceilings: &[Ceiling], machine: &Machine) -> Option<f64> {
    let counts = one.typical().counts.filter(|_| machine.misses_go_to_memory())?;
    let given = ceilings.iter().map(|it| it.best().bytes_per_second).max_by(f64::total_cmp)?;
    Some(counts.bytes_read(machine.line_bytes()) / given)
}

/// What the work at `point` reads of what the machine gives.
pub(crate) fn sentence(report: &Report, point: &Point) -> Option<String> {
    let given = report.subject.conditions.given(point.threads)?.bytes_per_second;
    let (threads, machine) = (counted(point.threads, "thread"), &report.subject.machine);
    let Some(read) = point.read_rate(machine.line_bytes()) else {
        return Some(format!(
            "The machine's memory gives {} to {threads}; how much of it this work reads is not known without \
             counters of the processor.",
            bandwidth(given)
        ));
    };
    Some(if machine.misses_go_to_memory() {
        format!(
            "This work reads {} from memory with {threads}, the machine gives {}: {} of it.",
            bandwidth(read),
            bandwidth(given),
            percent(read / given)
        )
    } else {
        format!(
            "This work reads {} from beyond the second cache with {threads}, an unknown part of it from memory, \
             of which the machine gives {}.",
            bandwidth(read),
            bandwidth(given)
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(hertz: f64, bytes_per_second: f64, near: f64, far: f64) -> Given {
        Given { hertz, bytes_per_second, latencies: vec![(32 << 10, near), (8 << 20, far)] }
    }

    #[test]
    fn the_better_of_two_moments_counts_and_the_largest_change_is_told() {
        let before = given(2e9, 20e9, 4e-9, 28e-9);
        let ceiling = |threads, after| Ceiling { threads, before: before.clone(), after };
        let changed = ceiling(2, given(3e9, 10e9, 5e-9, 131e-9));
        assert_eq!(changed.best(), given(3e9, 20e9, 4e-9, 28e-9));
        let quiet = ceiling(1, given(2.5e9, 25e9, 5e-9, 34e-9));
        assert_eq!(warning(std::slice::from_ref(&quiet)), None);
        let says = |ceiling| warning(&[quiet.clone(), ceiling]).unwrap();
        assert_eq!(
            says(changed),
            "the machine changed meanwhile: a read beyond 8 MiB with 2 threads was 28.0 ns before the runs and \
             131 ns after"
        );
        let slower = says(ceiling(4, given(1.5e9, 20e9, 4e-9, 28e-9)));
        assert!(slower.contains("the clock with 4 threads was 2.00 GHz"), "{slower}");
        let narrower = says(ceiling(1, given(2e9, 15e9, 4e-9, 28e-9)));
        assert!(narrower.contains("memory gives with 1 thread was 20.000 GB/s"), "{narrower}");
        assert!(narrower.ends_with("and 15.000 GB/s after"), "{narrower}");
    }
}
