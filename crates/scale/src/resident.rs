//! The memory that a process held at most, as the system counts it, and its growth with the threads.

use std::fs;

use serde::Serialize;

use base::system::read_key;

/// Forgets the peak of this process so far: from now on [`own_peak`] is the most that it held since. False where the
/// system has no such thing: peaks then include what came before.
pub fn forget_peak() -> bool {
    // From proc_pid_clear_refs(5): 5 resets the peak resident set size.
    fs::write("/proc/self/clear_refs", "5").is_ok()
}

/// Bytes that this process held at most, if the system tells.
pub fn own_peak() -> Option<u64> {
    read_key("/proc/self/status", "VmHWM:").map(|kib| kib << 10)
}

/// The peak of a command in bytes. `waited` is what the system tells at its end: the largest process, which counts from
/// the moment at which it was a copy of this program, whose own peak was `own`. `sampled` is the most that all of its
/// processes held in a sample.
pub fn peak_of_command(waited: Option<u64>, own: Option<u64>, sampled: Option<u64>) -> Option<u64> {
    let is_of_command = |waited: &u64| sampled.is_none() || own.is_none_or(|own| *waited > own);
    waited.filter(is_of_command).max(sampled)
}

/// A line through the peaks of all thread counts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MemoryGrowth {
    /// Bytes that a run with one thread holds.
    pub one: f64,
    /// Bytes that each further thread adds; never below 0.
    pub each: f64,
    /// Bytes that were left on the machine before the runs, if the system told.
    pub room: Option<u64>,
    /// The fewest threads that need more than the room; `None` if there are none below a million.
    pub too_many: Option<usize>,
}

/// The largest number of threads asked about.
const MOST_THREADS: f64 = 1e6;

impl MemoryGrowth {
    /// The least squares line through `peaks`, thread counts and bytes; `None` for fewer than two.
    pub(crate) fn of(peaks: impl Iterator<Item = (usize, u64)>, room: Option<u64>) -> Option<Self> {
        let peaks: Vec<(f64, f64)> =
            peaks.map(|(p, bytes)| (p as f64 - 1.0, bytes as f64)).collect();
        if peaks.len() < 2 {
            return None;
        }
        let number = peaks.len() as f64;
        let mean_x = peaks.iter().map(|it| it.0).sum::<f64>() / number;
        let mean_y = peaks.iter().map(|it| it.1).sum::<f64>() / number;
        let products: f64 = peaks.iter().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
        let squares: f64 = peaks.iter().map(|(x, _)| (x - mean_x).powi(2)).sum();
        let each = (products / squares).max(0.0);
        let one = mean_y - each * mean_x;
        let mut growth = Self { one, each, room, too_many: None };
        growth.too_many = room.and_then(|room| growth.fewest_beyond(room as f64));
        Some(growth)
    }

    /// Bytes that a run with `threads` threads holds.
    pub fn at(&self, threads: usize) -> f64 {
        self.one + self.each * (threads as f64 - 1.0)
    }

    /// The fewest threads that need more than `room` bytes.
    fn fewest_beyond(&self, room: f64) -> Option<usize> {
        if self.one > room {
            return Some(1);
        }
        // So many further threads fit: without end if they need nothing.
        let further = ((room - self.one) / self.each).floor();
        (further < MOST_THREADS).then(|| further as usize + 2)
    }

    /// Whether more threads need more memory by a figure that is no noise: a tenth more at the most threads measured.
    pub fn grows(&self, most_threads: usize) -> bool {
        self.at(most_threads) > 1.1 * self.one
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(one: f64, each: f64) -> MemoryGrowth {
        MemoryGrowth { one, each, room: None, too_many: None }
    }

    #[test]
    fn the_fewest_threads_that_do_not_fit_are_the_first_beyond_the_room() {
        // 100, 110, 120 … bytes.
        let line_10 = line(100.0, 10.0);
        assert_eq!(
            [99.0, 100.0, 109.0, 110.0, 195.0].map(|room| line_10.fewest_beyond(room)),
            [Some(1), Some(2), Some(2), Some(3), Some(11)]
        );
        let threads = line_10.fewest_beyond(195.0).unwrap();
        assert!(line_10.at(threads) > 195.0 && line_10.at(threads - 1) <= 195.0);
        assert_eq!(line(100.0, 0.0).fewest_beyond(195.0), None);
        assert_eq!(line(100.0, 1e-6).fewest_beyond(195.0), None);
        assert!(line(100.0, 4.0).grows(4) && !line(100.0, 3.0).grows(4));
    }

    #[test]
    fn what_the_command_held_is_told_apart_from_this_program() {
        // The end tells 8 bytes, of which this program had 5 before.
        assert_eq!(peak_of_command(Some(8), Some(5), Some(7)), Some(8));
        assert_eq!(peak_of_command(Some(8), Some(5), Some(9)), Some(9));
        assert_eq!(peak_of_command(Some(5), Some(5), Some(2)), Some(2));
        assert_eq!(peak_of_command(Some(5), Some(5), None), Some(5));
        assert_eq!(peak_of_command(None, None, None), None);
    }

    /// 64 MiB that are written and given back count until they are forgotten.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_forgotten_peak_is_not_told_again() {
        const BYTES: usize = 64 << 20;
        let before = own_peak().unwrap();
        drop(std::hint::black_box(vec![1u8; BYTES]));
        let after = own_peak().unwrap();
        assert!(after >= before && after > BYTES as u64, "{before} {after}");
        // Other tests of this process hold memory too, but less.
        if forget_peak() {
            assert!(own_peak().unwrap() < after, "{after}");
        }
    }
}
