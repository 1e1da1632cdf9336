//! Upper bounds that the machine sets on any work of several threads: clock speed, memory bandwidth and latency.

use serde::{Deserialize, Serialize};

use super::counters::{bandwidth, clock};
use super::measure::Series;
use super::report::{Point, Report};
use super::topology::Machine;
use base::figures::{counted, mebibytes, percent, seconds};

/// A report warns of figures that change by more than this share.
const MAX_CHANGE: f64 = 0.25;

/// The capacity of the machine for a number of threads at once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Capacity {
    /// Clock speed of each thread's processor.
    pub hertz: f64,
    /// Bytes per second that all threads together read from memory.
    pub bytes_per_second: f64,
    /// For each cache level its size in bytes, and the seconds of a read that misses it and waits for the read before.
    pub latencies: Vec<(u64, f64)>,
}

/// The capacity for a number of threads before the runs and after them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ceiling {
    /// Number of threads.
    pub threads: usize,
    /// Before the first round.
    pub before: Capacity,
    /// After the last round.
    pub after: Capacity,
}

impl Ceiling {
    /// The better of both for each figure.
    pub fn best(&self) -> Capacity {
        let Self { before, after, .. } = self;
        let both = before.latencies.iter().zip(&after.latencies);
        Capacity {
            hertz: before.hertz.max(after.hertz),
            bytes_per_second: before.bytes_per_second.max(after.bytes_per_second),
            latencies: both.map(|((bytes, a), (_, b))| (*bytes, a.min(*b))).collect(),
        }
    }

    /// The figure that changed most: the larger of its two values over the smaller, and both in words.
    fn change(&self) -> (f64, String) {
        let Self { threads, before, after } = self;
        let threads = counted(*threads, "thread");
        let change = |what: &str, from: f64, to: f64, show: fn(f64) -> String| {
            let (factor, from, to) = ((from / to).max(to / from), show(from), show(to));
            (factor, format!("{what} with {threads} was {from} before the runs and {to} after"))
        };
        let latencies = before.latencies.iter().zip(&after.latencies);
        let latencies = latencies.map(|((bytes, from), (_, to))| {
            change(&format!("a read beyond {}", cache(*bytes)), *from, *to, seconds)
        });
        let (from, to) = (before.bytes_per_second, after.bytes_per_second);
        [
            change("the clock", before.hertz, after.hertz, clock),
            change("memory bandwidth", from, to, bandwidth),
        ]
        .into_iter()
        .chain(latencies)
        .fold((1.0, String::new()), |most, it| if it.0 > most.0 { it } else { most })
    }
}

/// The size of a cache in words.
pub(crate) fn cache(bytes: u64) -> String {
    if bytes < 1 << 20 { format!("{} KiB", bytes >> 10) } else { mebibytes(bytes) }
}

/// A warning if the machine changed during the runs: which figure of `ceilings` changed most.
pub(crate) fn warning(ceilings: &[Ceiling]) -> Option<String> {
    let most = ceilings.iter().map(Ceiling::change).max_by(|a, b| a.0.total_cmp(&b.0));
    let (_, words) = most.filter(|(factor, _)| *factor > 1.0 + MAX_CHANGE)?;
    Some(format!("the machine changed during the runs: {words}"))
}

/// The least time in which the machine's memory delivers the bytes that the work of `one` thread reads; `None` if the
/// bandwidth or the bytes are unknown.
pub(crate) fn delivery(one: &Series, ceilings: &[Ceiling], machine: &Machine) -> Option<f64> {
    let counts = one.typical().counts.filter(|_| machine.misses_go_to_memory())?;
    let most = ceilings.iter().map(|it| it.best().bytes_per_second).max_by(f64::total_cmp)?;
    Some(counts.bytes_read(machine.line_bytes()) / most)
}

/// How much of the memory bandwidth the work at `point` uses.
pub(crate) fn sentence(report: &Report, point: &Point) -> Option<String> {
    let most_rate = report.subject.conditions.capacity(point.threads)?.bytes_per_second;
    let most = bandwidth(most_rate);
    let (threads, machine) = (counted(point.threads, "thread"), &report.subject.machine);
    let Some(rate) = point.read_rate(machine.line_bytes()) else {
        return Some(format!(
            "Memory delivers up to {most} to {threads}. How much this work reads is unknown without the \
             processor's counters."
        ));
    };
    Some(if machine.misses_go_to_memory() {
        format!(
            "With {threads} this work reads {} from memory, {} of the {most} that memory delivers.",
            bandwidth(rate),
            percent(rate / most_rate)
        )
    } else {
        format!(
            "With {threads} this work reads {} from beyond the second cache, an unknown part of it from memory, \
             which delivers up to {most}.",
            bandwidth(rate)
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn capacity(hertz: f64, bytes_per_second: f64, near: f64, far: f64) -> Capacity {
        Capacity { hertz, bytes_per_second, latencies: vec![(32 << 10, near), (8 << 20, far)] }
    }

    #[test]
    fn the_better_of_two_moments_counts_and_the_largest_change_is_warned_of() {
        let before = capacity(2e9, 20e9, 4e-9, 28e-9);
        let ceiling = |threads, after| Ceiling { threads, before: before.clone(), after };
        let changed = ceiling(2, capacity(3e9, 10e9, 5e-9, 131e-9));
        assert_eq!(changed.best(), capacity(3e9, 20e9, 4e-9, 28e-9));
        let quiet = ceiling(1, capacity(2.5e9, 25e9, 5e-9, 34e-9));
        assert_eq!(warning(std::slice::from_ref(&quiet)), None);
        let says = |ceiling| warning(&[quiet.clone(), ceiling]).unwrap();
        assert_eq!(
            says(changed),
            "the machine changed during the runs: a read beyond 8 MiB with 2 threads was 28.0 ns before the runs and \
             131 ns after"
        );
        let slower = says(ceiling(4, capacity(1.5e9, 20e9, 4e-9, 28e-9)));
        assert!(slower.contains("the clock with 4 threads was 2.00 GHz"), "{slower}");
        let narrower = says(ceiling(1, capacity(2e9, 15e9, 4e-9, 28e-9)));
        assert!(narrower.contains("memory bandwidth with 1 thread was 20.000 GB/s"), "{narrower}");
        assert!(narrower.ends_with("and 15.000 GB/s after"), "{narrower}");
    }
}
