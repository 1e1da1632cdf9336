//! The readings of the processor's counters after a run, and what they say of its processor time.
//!
//! Processor time = instructions × cycles per instruction × seconds per cycle. If the same work takes more processor
//! time with more threads, the factor that grew most tells why.

use serde::Serialize;

use tallyboard_base::figures::with_prefix;

/// Readings of the counters after one run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Counts {
    /// Completed instructions.
    pub instructions: u64,
    /// Clock cycles in which a thread of the run had a processor.
    pub cycles: u64,
    /// Accesses that missed a cache; the processor decides which cache that is.
    pub cache_misses: u64,
    /// Processor time outside the kernel of the system, summed over threads, seconds.
    pub seconds: f64,
}

impl Counts {
    /// Completed instructions per cycle.
    pub fn instructions_per_cycle(&self) -> f64 {
        self.instructions as f64 / self.cycles as f64
    }

    /// Cache misses per thousand instructions.
    pub fn misses_per_thousand(&self) -> f64 {
        1e3 * self.cache_misses as f64 / self.instructions as f64
    }

    /// Clock speed while threads of the run had processors.
    pub fn hertz(&self) -> f64 {
        self.cycles as f64 / self.seconds
    }

    /// Bytes read past the cache that was missed: a line of `line_bytes` for each miss.
    pub fn bytes_read(&self, line_bytes: u64) -> f64 {
        self.cache_misses as f64 * line_bytes as f64
    }
}

/// By how much each factor of the processor time grew from one thread to several, for the same work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Growth {
    /// Ratio of the instructions.
    pub instructions: f64,
    /// Ratio of the cycles per instruction.
    pub cycles_per_instruction: f64,
    /// Ratio of the seconds per cycle.
    pub seconds_per_cycle: f64,
}

impl Growth {
    /// The growth from `one` thread to `many` threads that do `work` times the work.
    pub fn between(one: &Counts, many: &Counts, work: f64) -> Self {
        Self {
            instructions: many.instructions as f64 / (one.instructions as f64 * work),
            cycles_per_instruction: one.instructions_per_cycle() / many.instructions_per_cycle(),
            seconds_per_cycle: one.hertz() / many.hertz(),
        }
    }

    /// The growth in words.
    pub fn describe(&self) -> String {
        format!(
            "instructions × {:.2}, cycles per instruction × {:.2}, seconds per cycle × {:.2}",
            self.instructions, self.cycles_per_instruction, self.seconds_per_cycle
        )
    }
}

pub(crate) fn clock(hertz: f64) -> String {
    format!("{:.2} GHz", hertz / 1e9)
}

pub(crate) fn bandwidth(bytes_per_second: f64) -> String {
    with_prefix(bytes_per_second) + "B/s"
}

/// Whose instructions are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CounterScope {
    /// Those of the calling thread, and of the threads and programs that it starts.
    Own,
    /// Only those of the programs that the calling thread starts.
    Children,
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: Counts =
        Counts { instructions: 8_000, cycles: 4_000, cache_misses: 16, seconds: 2e-6 };

    #[test]
    fn figures_follow_from_counts_worked_out_by_hand() {
        assert_eq!((ONE.instructions_per_cycle(), ONE.misses_per_thousand()), (2.0, 2.0));
        assert_eq!((ONE.hertz().round(), ONE.bytes_read(64)), (2e9, 1024.0));
        assert_eq!((clock(2.596e9), bandwidth(12.34e9)), ("2.60 GHz".into(), "12.340 GB/s".into()));
        // Twice the work with 20,000 instructions, one a cycle, at half the speed.
        let two = Counts { instructions: 20_000, cycles: 20_000, cache_misses: 16, seconds: 20e-6 };
        let growth = Growth::between(&ONE, &two, 2.0);
        let Growth { instructions, cycles_per_instruction, seconds_per_cycle } = growth;
        assert_eq!((instructions, cycles_per_instruction), (1.25, 2.0));
        assert!((seconds_per_cycle - 2.0).abs() < 1e-12);
        // Together they are what the processor time of the same work grew by.
        assert!((1.25 * 2.0 * 2.0 - two.seconds / ONE.seconds / 2.0).abs() < 1e-12);
        assert_eq!(
            growth.describe(),
            "instructions × 1.25, cycles per instruction × 2.00, seconds per cycle × 2.00"
        );
    }
}
