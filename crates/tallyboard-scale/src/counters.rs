//! The processor's counters during a run: instructions, cycles and cache misses in programs, without the kernel's.
//!
//! Linux counts for the calling thread and for the threads and programs that it starts from then on. Most virtual
//! machines have no such counters.

use serde::{Deserialize, Serialize};
use tallyboard_base::figures::with_prefix;

#[cfg(all(target_os = "linux", feature = "counters"))]
pub use perf_events::Counters;

/// A type without values: counters are read on Linux only.
#[cfg(not(all(target_os = "linux", feature = "counters")))]
#[derive(Debug)]
pub enum Counters {}

#[cfg(not(all(target_os = "linux", feature = "counters")))]
impl Counters {
    /// Refuses, with the reason in words.
    pub fn start(_: CounterScope) -> Result<Self, String> {
        Err("read on Linux only".to_owned())
    }

    /// Never called, as there is no value.
    pub fn finish(self, _: f64) -> Option<Counts> {
        match self {}
    }
}

/// Readings of the counters after one run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
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

/// Reads the processor's counters on Linux, by `perf_event_open`.
#[cfg(all(target_os = "linux", feature = "counters"))]
mod perf_events {
    use std::io;

    use perf_event::events::{Event, Hardware};
    use perf_event::{Builder, CountAndTime, Counter};

    use super::{CounterScope, Counts};

    /// Running counters of instructions, cycles and cache misses.
    #[derive(Debug)]
    pub struct Counters {
        counters: [Counter; 3],
    }

    impl Counters {
        /// Starts to count, or says in words why the system does not.
        pub fn start(scope: CounterScope) -> Result<Self, String> {
            use Hardware::{CACHE_MISSES, CPU_CYCLES, INSTRUCTIONS};
            Self::counting([INSTRUCTIONS, CPU_CYCLES, CACHE_MISSES], scope)
                .map_err(|error| reason(&error))
        }

        /// Starts to count these events.
        fn counting<E: Into<Event> + Copy>(
            events: [E; 3],
            scope: CounterScope,
        ) -> io::Result<Self> {
            let [first, second, third] = events.map(|event| open(event.into(), scope));
            Ok(Self { counters: [first?, second?, third?] })
        }

        /// Stops and reads the counters. The run took `seconds` of processor time in user mode. `None` if a counter never
        /// ran.
        pub fn finish(self, seconds: f64) -> Option<Counts> {
            counts(self.readings()?, seconds)
        }

        fn readings(mut self) -> Option<[CountAndTime; 3]> {
            let [first, second, third] =
                self.counters.each_mut().map(|counter| counter.read_count_and_time().ok());
            Some([first?, second?, third?])
        }
    }

    /// A counter of `event` that counts from now on, or from the start of each program that is started.
    fn open(event: Event, scope: CounterScope) -> io::Result<Counter> {
        let mut builder = Builder::new().kind(event);
        builder.inherit(true).enable_on_exec(scope == CounterScope::Children);
        let mut counter = builder.build()?;
        if scope == CounterScope::Own {
            counter.enable()?;
        }
        Ok(counter)
    }

    fn reason(error: &io::Error) -> String {
        /// ENOENT and EOPNOTSUPP of Linux.
        const NO_SUCH_EVENT: [i32; 2] = [2, 95];
        match error.raw_os_error() {
            Some(code) if NO_SUCH_EVENT.contains(&code) => {
                "this machine has none, as most virtual ones".to_owned()
            }
            _ if error.kind() == io::ErrorKind::PermissionDenied => {
                "not permitted: /proc/sys/kernel/perf_event_paranoid has to be 2 or less, and a \
                 container has to allow perf_event_open"
                    .to_owned()
            }
            _ => format!("perf_event_open: {error}"),
        }
    }

    /// The figures of a run; `None` if a counter never ran, or if there were no instructions, cycles or seconds.
    fn counts(readings: [CountAndTime; 3], seconds: f64) -> Option<Counts> {
        let [instructions, cycles, cache_misses] = readings.map(estimate);
        let cache_misses = cache_misses?;
        // Ratios need these above 0.
        let instructions = instructions.filter(|&count| count > 0)?;
        let cycles = cycles.filter(|&count| count > 0)?;
        (seconds > 0.0).then_some(Counts { instructions, cycles, cache_misses, seconds })
    }

    /// The count scaled to the whole time; `None` if the counter never ran. If more counters are wanted than the processor has,
    /// they take turns.
    fn estimate(reading: CountAndTime) -> Option<u64> {
        let CountAndTime { count, time_enabled, time_running } = reading;
        let whole = count as f64 * time_enabled as f64 / time_running as f64;
        (time_running > 0).then(|| whole.round() as u64)
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn counters_that_took_turns_are_scaled_and_those_that_never_ran_tell_nothing() {
            let reading =
                |count, time_running| CountAndTime { count, time_enabled: 9, time_running };
            let readings = || [reading(100, 3), reading(100, 9), reading(0, 1)];
            let expected = Counts { instructions: 300, cycles: 100, cache_misses: 0, seconds: 1.0 };
            assert_eq!(counts(readings(), 1.0), Some(expected));
            assert_eq!(counts(readings(), 0.0), None);
            for at in 0..3 {
                let mut readings = readings();
                readings[at].time_running = 0;
                assert_eq!(counts(readings, 1.0), None);
            }
            assert_eq!(counts([(); 3].map(|()| reading(0, 9)), 1.0), None);
        }

        /// The kernel's own events are counted on every machine, where counting is allowed at all.
        #[test]
        fn what_threads_and_programs_do_is_counted_with_them() {
            use perf_event::events::Software::TASK_CLOCK;
            let burn = "i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done";
            let program = || {
                let status = std::process::Command::new("sh").args(["-c", burn]).status().unwrap();
                assert!(status.success());
            };
            let count = |scope, work: &(dyn Fn() + Sync)| {
                let counting = Counters::counting([TASK_CLOCK; 3], scope).ok()?;
                work();
                Some(counting.readings().unwrap()[0].count as f64 * 1e-9)
            };
            let spin = || {
                let watch = tallyboard_base::clock::ThreadWatch::start();
                while watch.seconds() < 0.03 {}
            };
            let threads =
                || std::thread::scope(|scope| (0..2).for_each(|_| drop(scope.spawn(spin))));
            let Some(own) = count(CounterScope::Own, &threads) else { return };
            assert!(own >= 0.06, "{own}");
            let programs = count(CounterScope::Children, &program).unwrap();
            assert!(programs > 0.01, "{programs}");
            // Neither its own work nor that of its threads is a program's.
            let nothing = count(CounterScope::Children, &threads).unwrap();
            assert!(nothing < 0.01, "{nothing}");
        }

        #[test]
        fn why_nothing_is_counted_is_said() {
            let reason = |code| reason(&std::io::Error::from_raw_os_error(code));
            assert!(reason(2).starts_with("this machine has none"));
            assert!(reason(13).starts_with("not permitted: /proc/sys/kernel/perf_event_paranoid"));
            assert!(reason(24).starts_with("perf_event_open: "));
            // Either it counts, or it says why not.
            match Counters::start(CounterScope::Own) {
                Ok(counting) => {
                    let found = counting.finish(1.0).unwrap();
                    assert!(found.instructions > 1000, "{found:?}");
                }
                Err(reason) => assert!(!reason.is_empty()),
            }
        }
    }
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
