//! Upper bounds that the machine sets on any work of several threads: clock speed, memory bandwidth and latency.

use serde::Serialize;

/// The capacity of the machine for a number of threads at once.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Capacity {
    /// Clock speed of each thread's processor.
    pub hertz: f64,
    /// Bytes per second that all threads together read from memory.
    pub bytes_per_second: f64,
    /// For each cache level its bytes, and the seconds of a read that misses it. Each read waits for the one before.
    pub latencies: Vec<(u64, f64)>,
}

/// The capacity for a number of threads before the runs and after them.
#[derive(Clone, Debug, PartialEq, Serialize)]
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
}

#[cfg(test)]
impl Capacity {
    /// A capacity with latencies beyond a near and a far cache.
    pub(crate) fn example(hertz: f64, bytes_per_second: f64, near: f64, far: f64) -> Self {
        Self { hertz, bytes_per_second, latencies: vec![(32 << 10, near), (8 << 20, far)] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_better_of_two_moments_counts() {
        let before = Capacity::example(2e9, 20e9, 4e-9, 28e-9);
        let after = Capacity::example(3e9, 10e9, 5e-9, 131e-9);
        let ceiling = Ceiling { threads: 2, before, after };
        assert_eq!(ceiling.best(), Capacity::example(3e9, 20e9, 4e-9, 28e-9));
    }
}
