//! By what texts the output of a tool is known, and how it is read.

use super::{GO, NO_WALL_TIME_OF_PERF, Points, PointsError, ReadOptions, Reader};
use super::{terminal, text};

/// Reads what a tool printed.
type ReadText = fn(&str, &mut Reader) -> Result<(), PointsError>;

/// A tool whose output is known by its texts.
struct Probe {
    tool: &'static str,
    /// Texts that all occur in its output.
    marks: &'static [&'static str],
    /// What to do if there is one thread count; or, without a reader, why it is not read.
    how: &'static str,
    read: Option<ReadText>,
}

/// The words for a tool whose times a person can copy.
macro_rules! as_csv {
    ($times:literal) => {
        concat!(
            "write a CSV with the header threads,time_ns and a row for each thread count (",
            $times,
            ")"
        )
    };
}

const PROBES: [Probe; 17] = [
    Probe { tool: "go test", marks: &["ns/op"], how: GO, read: Some(text::go) },
    Probe {
        tool: "sysbench",
        marks: &["Number of threads:", "total number of events"],
        how: "run it with --threads=1, 2, 4 and join what it prints",
        read: Some(text::sysbench),
    },
    Probe {
        tool: "likwid-bench",
        marks: &["LIKWID MICRO BENCHMARK"],
        how: "run it with -w S0:1GB:1, :2, :4 and join what it prints",
        read: Some(text::likwid),
    },
    Probe {
        tool: "STREAM",
        marks: &["STREAM version"],
        how: "build it with -fopenmp, run it with OMP_NUM_THREADS=1, 2, 4 and join what it prints",
        read: Some(text::stream),
    },
    Probe {
        tool: "NAS Parallel Benchmarks",
        marks: &["Benchmark Completed", "Time in seconds"],
        how: "run it with OMP_NUM_THREADS=1, 2, 4 and join what it prints",
        read: Some(text::nas),
    },
    Probe {
        tool: "GNU time",
        marks: &["Command being timed: ", "Elapsed (wall clock) time (h:mm:ss or m:ss): "],
        how: "run time -v with the number of threads in the command, as in env OMP_NUM_THREADS=4 …, and join what it prints",
        read: Some(text::gnu_time),
    },
    Probe {
        tool: "hyperfine",
        marks: &["Benchmark", "Time (", "σ"],
        how: "run hyperfine with --parameter-list threads 1,2,4 and {threads} in the command, and read its --export-json",
        read: Some(terminal::hyperfine),
    },
    Probe {
        tool: "hyperfine",
        marks: &["Benchmark", "Time (abs"],
        how: "run hyperfine with --parameter-list threads 1,2,4 and {threads} in the command, and read its --export-json",
        read: Some(terminal::hyperfine),
    },
    Probe {
        tool: "Google Benchmark",
        marks: &["Benchmark ", " Time ", " CPU ", " Iterations"],
        how: "use --benchmark_out=FILE",
        read: Some(terminal::google),
    },
    Probe {
        tool: "divan",
        marks: &["fastest", "slowest", "samples", "iters"],
        how: "use #[divan::bench(threads = [1, 2, 4])]",
        read: Some(terminal::divan),
    },
    Probe {
        tool: "asv",
        marks: &["\"commit_hash\"", "\"env_name\""],
        how: as_csv!("its times are seconds"),
        read: None,
    },
    Probe {
        tool: "Catch2",
        marks: &["<BenchmarkResults"],
        how: as_csv!("the values of its means are nanoseconds"),
        read: None,
    },
    Probe {
        tool: "mitata",
        marks: &["\"noop\"", "\"layout\""],
        how: as_csv!("stats.p50 are nanoseconds"),
        read: None,
    },
    Probe {
        tool: "nanobench",
        marks: &["medianAbsolutePercentError(elapsed)"],
        how: as_csv!("median(elapsed) are seconds"),
        read: None,
    },
    Probe {
        tool: "tango",
        marks: &["[ ", " ... ", "s ]"],
        how: as_csv!("the middle one of its times is the mean"),
        read: None,
    },
    Probe {
        tool: "tinybench",
        marks: &["\"samplesCount\"", "\"throughput\""],
        how: as_csv!("latency.p50 are milliseconds"),
        read: None,
    },
    Probe { tool: PERF, marks: &["task-clock"], how: NO_WALL_TIME_OF_PERF, read: None },
];

const PERF: &str = "perf stat";

/// The points of a text that one of the tools printed; `None` if it is of none of them.
pub(super) fn read(text: &str, options: &ReadOptions) -> Option<Result<Points, PointsError>> {
    // JSON may quote what a terminal shows; of it only tools that are not read are told here.
    let is_json = text.trim_start().starts_with(['{', '[']);
    let is_of = |probe: &&Probe| {
        !(is_json && probe.read.is_some()) && probe.marks.iter().all(|mark| text.contains(mark))
    };
    let probe = PROBES.iter().find(is_of)?;
    let Probe { tool, how, .. } = probe;
    let Some(read) = probe.read else {
        return Some(Err(PointsError::of_file(match *tool {
            PERF => (*how).to_owned(),
            tool => format!("found a file of {tool}, which is not read: {how}"),
        })));
    };
    let mut reader = Reader::new(tool, how, options);
    Some(read(text, &mut reader).and_then(|()| reader.finish()))
}
