//! The memory that a count may take, decided in one place for runs, plans and requests to schedulers.

use crate::figures::{counted, mebibytes};
use crate::memory::{self, Room};
use crate::search::shard::PlanForecast;
use crate::search::thread_count;

/// Bytes that the program takes besides a count: 7 to 9 MiB were measured, more with a progress bar and a
/// journal.
const PROGRAM_BYTES: u64 = 16 << 20;

/// Bytes that a count leaves free for other processes of the machine.
const MARGIN_BYTES: u64 = 48 << 20;

/// How a problem is to be counted: on how many threads, within which memory.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    threads: usize,
    asked: Option<u64>,
    room: Option<Room>,
}

impl Settings {
    /// For a run on `threads` threads (0: as many as the environment says) that takes `asked` bytes at
    /// most, and no more than this machine has.
    pub(crate) fn here(threads: usize, asked: Option<u64>) -> Self {
        let threads = thread_count(threads);
        Self { threads, asked, room: memory::room(threads) }
    }

    /// For a run on `threads` threads without a limit on memory.
    pub(crate) fn unlimited(threads: usize) -> Self {
        Self { threads, asked: None, room: None }
    }

    /// The worker threads that will count.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Upper bound on the bytes that the problem's workers may take: the lesser of what the user allows and
    /// what the machine leaves; `None` if neither is known. The program refuses to count a problem whose
    /// [`memory`](crate::search::Problem::memory) is above it.
    pub fn memory(&self) -> Option<u64> {
        self.asked.into_iter().chain(self.left()).min()
    }

    /// The limit that the user sets, in bytes.
    pub(crate) fn asked(&self) -> Option<u64> {
        self.asked
    }

    /// The bytes that the machine leaves to the problem.
    pub(crate) fn left(&self) -> Option<u64> {
        self.room.map(|room| room.bytes.saturating_sub(PROGRAM_BYTES + MARGIN_BYTES))
    }

    /// The error of `what`, which needs `needed` bytes.
    pub(crate) fn too_little(&self, what: &str, needed: u64) -> NoRoom {
        let (limit, from, own) = match self.room {
            Some(room) if self.asked.is_none_or(|asked| self.left() < Some(asked)) => {
                (room.bytes, room.limit, PROGRAM_BYTES + MARGIN_BYTES)
            }
            _ => (self.asked.unwrap_or(u64::MAX), "--memory", 0),
        };
        let mut text = format!(
            "{what} needs {} of memory for {}, the limit is {} (limited by {from}",
            mebibytes(needed.saturating_add(own)),
            counted(self.threads, "thread"),
            at_most(limit)
        );
        if own > 0 {
            text += &format!("; {} of what it needs are for the program itself", mebibytes(own));
        }
        NoRoom(text + ")")
    }
}

/// A count needs more memory than there is; another machine, or this one later, may have it.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct NoRoom(String);

/// A limit as text for people, rounded down so that it never seems higher than it is.
fn at_most(bytes: u64) -> String {
    if bytes < 1 << 20 { counted(bytes, "byte") } else { mebibytes(bytes >> 20 << 20) }
}

/// The bytes that a process takes whose workers take `workers` bytes.
pub(crate) fn process_bytes(workers: u64) -> u64 {
    PROGRAM_BYTES.saturating_add(workers)
}

/// The MiB to ask a scheduler for, for a shard with `workers` worker threads. Given these, [`Settings::here`]
/// allows the count, and a tenth is left for cached pages of files and programs, which schedulers count too.
pub(crate) fn shard_mib(expected: &PlanForecast, workers: u32) -> u64 {
    let more = expected.memory_bytes_per_worker.saturating_mul(u64::from(workers - 1));
    let bytes = expected.memory_bytes.saturating_add(more);
    let bytes = bytes.saturating_add(bytes / 10).saturating_add(MARGIN_BYTES + PROGRAM_BYTES);
    bytes.div_ceil(1 << 20)
}

impl NoRoom {
    /// The error with `advice` on what to do.
    pub(crate) fn with(self, advice: &str) -> Self {
        Self(format!("{self}: {advice}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(asked: Option<u64>, room: u64) -> Settings {
        Settings { threads: 1, asked, room: Some(Room { bytes: room, limit: "the control group" }) }
    }

    /// A scheduler once gave less than the shard then asked for, so that it never began.
    #[test]
    fn what_a_scheduler_is_asked_for_is_enough_to_begin() {
        for need in [0, 1 << 20, 38 << 20, 46 << 20, 512 << 20, 9 << 30] {
            for (workers, per_worker) in [(1, 1 << 20), (8, 38 << 20), (64, 512 << 20)] {
                let (memory_bytes, memory_bytes_per_worker) = (process_bytes(need), per_worker);
                let expected =
                    PlanForecast { core_hours: None, memory_bytes, memory_bytes_per_worker };
                let given = shard_mib(&expected, workers) << 20;
                let all = need + per_worker * u64::from(workers - 1);
                // What the program has taken when it asks.
                let left = settings(None, given - PROGRAM_BYTES).memory().unwrap();
                assert!(left >= all, "{left} for {all}");
                assert!(given < 2 * all + (128 << 20), "{given} for {all}");
            }
        }
    }

    #[test]
    fn the_limit_that_is_named_is_the_one_that_counts() {
        let text = settings(None, 50 << 20).too_little("the count", 38 << 20).to_string();
        assert_eq!(
            text,
            "the count needs 102 MiB of memory for 1 thread, the limit is 50 MiB (limited by the \
             control group; 64 MiB of what it needs are for the program itself)"
        );
        let text = settings(Some(1 << 20), 9 << 30).too_little("it", 38 << 20).to_string();
        assert_eq!(
            text,
            "it needs 38 MiB of memory for 1 thread, the limit is 1 MiB (limited by --memory)"
        );
        let roomy = settings(Some(1 << 30), 9 << 30);
        assert_eq!((roomy.memory(), roomy.asked()), (Some(1 << 30), Some(1 << 30)));
        assert_eq!(
            settings(Some(9 << 30), 1 << 30).memory(),
            Some((1 << 30) - PROGRAM_BYTES - MARGIN_BYTES)
        );
    }
}
