//! Decides how much memory a count may take, for runs, plans and requests to schedulers. *Room* is the memory that the
//! machine leaves to this process (`memory.rs`).

use tallyboard_base::figures::{counted, memory_limit, memory_size};
use tallyboard_base::memory::{self, Room};
use tallyboard_search::shard::PlanForecast;
use tallyboard_search::thread_count;

/// Bytes that the program takes in addition to a count. Measured: 7 to 9 MiB, and more with a progress bar and a
/// journal.
const PROGRAM_BYTES: u64 = 16 << 20;

/// Bytes that a count leaves free for other processes of the machine.
const MARGIN_BYTES: u64 = 48 << 20;

/// How to count a problem: the number of threads and the limits of memory.
#[derive(Debug, Clone, Copy)]
pub struct Resources {
    threads: usize,
    /// The user's limit (`--memory`), in bytes.
    asked: Option<u64>,
    /// The memory that this machine leaves; `None` if it is not known or does not matter.
    room: Option<Room>,
    /// The number of shards, one of which is counted.
    shards: usize,
}

impl Resources {
    /// For a run on `threads` threads (0: the automatic number) that takes at most `asked` bytes, and at most
    /// what this machine leaves.
    pub(crate) fn here(threads: usize, asked: Option<u64>) -> Self {
        let threads = thread_count(threads);
        Self { threads, asked, room: memory::room(threads), shards: 1 }
    }

    /// For a run on `threads` threads without a limit on memory.
    pub(crate) fn unlimited(threads: usize) -> Self {
        Self::elsewhere(threads, None)
    }

    /// For a run on `threads` threads that takes at most `asked` bytes, whatever this machine leaves.
    pub(crate) fn elsewhere(threads: usize, asked: Option<u64>) -> Self {
        Self { threads, asked, room: None, shards: 1 }
    }

    /// The same for a process that counts one of `shards` shards.
    pub(crate) fn of_shards(self, shards: usize) -> Self {
        Self { shards, ..self }
    }

    /// The number of shards, one of which is counted.
    pub(crate) fn shards(&self) -> usize {
        self.shards
    }

    /// The worker threads that will count.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Upper bound on the memory of the problem's workers and of its list of subtrees, in bytes. It is the lower of the user's
    /// limit and the memory that the machine leaves; `None` if neither is known. The program refuses to count a problem whose
    /// list and [`memory`](tallyboard_search::Problem::memory) together are larger, unless the latter is 0.
    pub fn memory(&self) -> Option<u64> {
        self.asked.into_iter().chain(self.left()).min()
    }

    /// The user's limit, in bytes.
    pub(crate) fn asked(&self) -> Option<u64> {
        self.asked
    }

    /// The bytes that the machine leaves to the problem, without those of the program itself and the margin for other
    /// processes.
    pub(crate) fn left(&self) -> Option<u64> {
        self.room.map(|room| room.bytes.saturating_sub(PROGRAM_BYTES + MARGIN_BYTES))
    }

    /// The error of `what`, which needs `needed` bytes, more than [`memory`](Self::memory) allows.
    pub(crate) fn too_little(&self, what: &str, needed: u64) -> NoRoom {
        let threads = counted(self.threads, "thread");
        let asked = self.asked.unwrap_or(u64::MAX);
        // The lower limit is named: the machine's, or else the user's.
        let Some(room) = self.room.filter(|_| self.left() < Some(asked) || self.asked.is_none())
        else {
            let needed = memory_size(needed);
            let limit = memory_limit(asked);
            return NoRoom::new(format!(
                "{what} needs {needed} of memory for {threads}, the limit is {limit} (limited by --memory)"
            ));
        };
        let own = PROGRAM_BYTES + MARGIN_BYTES;
        let mut text = format!(
            "{what} needs {} of memory for {threads}, {} are left (limited by {}; {} of what it needs are for the \
             program itself and as a margin for others",
            memory_size(needed.saturating_add(own + room.reserved)),
            memory_size(room.with_reserved),
            room.limit,
            memory_size(own)
        );
        if room.reserved > 0 {
            text += &format!(", {} for its threads", memory_size(room.reserved));
        }
        NoRoom::new(text + ")")
    }
}

/// The error of a count that needs more memory than it may take. Another machine, or this one later, may have it.
#[derive(Debug, thiserror::Error)]
#[error("{text}")]
pub(crate) struct NoRoom {
    text: String,
    /// The number of threads for which there is room, if there is for any.
    pub(crate) fitting: Option<usize>,
}

/// The memory of a whole process, in bytes, if its workers take `workers` bytes.
pub(crate) fn process_bytes(workers: u64) -> u64 {
    PROGRAM_BYTES.saturating_add(workers)
}

/// The MiB that a shard with `workers` worker threads asks a scheduler for. With this much, [`Resources::here`]
/// allows the count.
pub(crate) fn shard_mib(expected: &PlanForecast, workers: u32) -> u64 {
    let more = expected.memory_bytes_per_worker.saturating_mul(u64::from(workers - 1));
    let bytes = expected.memory_bytes.saturating_add(more);
    // A tenth is for cached pages of files and programs, which schedulers count as memory. `Resources::left` subtracts the
    // bytes of the margin and the program. Those of the program are in the sum twice, in `memory_bytes` too, since the program
    // has taken some already when the shard asks what is left.
    let bytes = bytes.saturating_add(bytes / 10).saturating_add(MARGIN_BYTES + PROGRAM_BYTES);
    bytes.div_ceil(1 << 20)
}

impl NoRoom {
    fn new(text: String) -> Self {
        Self { text, fitting: None }
    }

    /// The error with `advice` on what to do.
    pub(crate) fn with(self, advice: &str) -> Self {
        Self { text: format!("{self}: {advice}"), ..self }
    }

    /// The error with the number of threads for which there is room; 0 is none.
    pub(crate) fn fitting(self, threads: usize) -> Self {
        match threads {
            0 => self,
            _ => Self { fitting: Some(threads), ..self.with(&format!("-j {threads} fits")) },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resources(asked: Option<u64>, room: u64) -> Resources {
        let room = Some(Room::new(room, "the control group", 0));
        Resources { threads: 1, asked, room, shards: 1 }
    }

    #[test]
    fn what_a_scheduler_is_asked_for_is_enough_to_begin() {
        for need in [0, 1 << 20, 38 << 20, 46 << 20, 512 << 20, 9 << 30] {
            for (workers, per_worker) in [(1, 1 << 20), (8, 38 << 20), (64, 512 << 20)] {
                let memory_bytes = process_bytes(need);
                let memory_bytes_per_worker = per_worker;
                let expected =
                    PlanForecast { core_hours: None, memory_bytes, memory_bytes_per_worker };
                let given = shard_mib(&expected, workers) << 20;
                let all = need + per_worker * u64::from(workers - 1);
                // The program itself has taken memory before it looks at what is left.
                let left = resources(None, given - PROGRAM_BYTES).memory().unwrap();
                assert!(left >= all, "{left} for {all}");
                assert!(given - all >= all / 10, "{given} for {all}: no tenth for cached pages");
                assert!(given < 2 * all + (128 << 20), "{given} for {all}");
            }
        }
    }

    #[test]
    fn the_limit_that_is_named_is_the_one_that_counts() {
        let text = resources(None, 50 << 20).too_little("the count", 38 << 20).to_string();
        assert_eq!(
            text,
            "the count needs 102 MiB of memory for 1 thread, 50 MiB are left (limited by the \
             control group; 64 MiB of what it needs are for the program itself and as a margin for others)"
        );
        let of_threads = Room::new(90 << 20, "the limit", 132 << 20);
        let confined = Resources { room: Some(of_threads), ..resources(None, 0) };
        assert_eq!(confined.memory(), Some(0));
        assert_eq!(
            confined.too_little("the count", 2 << 20).to_string(),
            "the count needs 198 MiB of memory for 1 thread, 90 MiB are left (limited by the limit; \
             64 MiB of what it needs are for the program itself and as a margin for others, 132 MiB for its threads)"
        );
        let text = resources(Some(1 << 20), 9 << 30).too_little("it", 38 << 20).to_string();
        assert_eq!(
            text,
            "it needs 38 MiB of memory for 1 thread, the limit is 1 MiB (limited by --memory)"
        );
        let roomy = resources(Some(1 << 30), 9 << 30);
        assert_eq!((roomy.memory(), roomy.asked()), (Some(1 << 30), Some(1 << 30)));
        assert_eq!(
            resources(Some(9 << 30), 1 << 30).memory(),
            Some((1 << 30) - PROGRAM_BYTES - MARGIN_BYTES)
        );
    }
}
