//! The memory that a process held at most, as the system counts it, and its growth with the threads.

use std::fs;

use serde::{Deserialize, Serialize};

use tallyboard_base::statistics;
use tallyboard_base::system::read_key;

/// Makes [`own_peak`] begin anew: from now on it is the most that this process has held since this call. False if the
/// system cannot do that; peaks then include what came before.
pub fn forget_peak() -> bool {
    // proc_pid_clear_refs(5): the value 5 resets the peak resident set size.
    fs::write("/proc/self/clear_refs", "5").is_ok()
}

/// Bytes that this process held at most, if the system tells.
pub fn own_peak() -> Option<u64> {
    read_key("/proc/self/status", "VmHWM:").map(|kib| kib << 10)
}

/// The peak of a command in bytes.
///
/// `at_end` is what the system tells when the command has ended: the peak of its largest process. A process begins as a
/// copy of this program, so that peak is no less than `own`, the peak of this program. `sampled` is the most that all
/// processes of the command held in a sample.
pub fn peak_of_command(at_end: Option<u64>, own: Option<u64>, sampled: Option<u64>) -> Option<u64> {
    // A peak at the end that is no more than this program's own may be that of the copy. It is then used only if there are no
    // samples.
    let is_of_command = |at_end: &u64| sampled.is_none() || own.is_none_or(|own| *at_end > own);
    at_end.filter(is_of_command).max(sampled)
}

/// A line through the peaks of all thread counts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MemoryGrowth {
    /// Bytes that a run with one thread holds.
    pub one: f64,
    /// Bytes that each further thread adds; never below 0.
    pub each: f64,
    /// Bytes that were left on the machine before the runs, if the system told.
    pub room: Option<u64>,
    /// The fewest threads that need more than the room; `None` if there are none up to a million, or if the room is unknown.
    pub too_many: Option<usize>,
}

/// Larger numbers of threads are not asked about.
const MAX_THREADS: f64 = 1e6;

impl MemoryGrowth {
    /// The line of least squares through `peaks`, pairs of a thread count and bytes; `None` for fewer than two.
    pub(crate) fn of(peaks: impl Iterator<Item = (usize, u64)>, room: Option<u64>) -> Option<Self> {
        // The line is over the further threads, so that it begins with one thread.
        let peaks = peaks.map(|(threads, bytes)| (threads as f64 - 1.0, bytes as f64));
        let (x, y): (Vec<f64>, Vec<f64>) = peaks.unzip();
        if x.len() < 2 {
            return None;
        }
        let mean_x = statistics::mean(&x);
        let mean_y = statistics::mean(&y);
        let products: f64 = x.iter().zip(&y).map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
        let squares: f64 = x.iter().map(|x| (x - mean_x).powi(2)).sum();
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
        // So many further threads fit: infinitely many if they need nothing.
        let further = ((room - self.one) / self.each).floor();
        // The first thread, those that fit, and one that does not.
        (further < MAX_THREADS).then(|| 1 + further as usize + 1)
    }

    /// Whether `most_threads`, the most that were measured, need so much more memory that it is no noise: a tenth.
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
