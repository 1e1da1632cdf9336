//! What the header of a column says: thread counts, times, rates, speed-ups, sizes.

use super::Unit;

/// What the workers of a column are, the one that is taken first in front: of threads and processes in one file the
/// threads are counted, and each number of processes has a curve.
const WORKERS: &str =
    "thread job worker core cpu proc process processor task rank node gpu device p";
/// Words beside them that say nothing.
const FILLERS: &str = "parameter param num number of n nr no count total mpi omp max";

/// How early a column of thread counts is taken; `None` for other columns. `name` is in small letters.
pub(super) fn rank_of_workers(name: &str) -> Option<usize> {
    let words = words(name).filter(|word| !FILLERS.split(' ').any(|filler| filler == *word));
    let [word] = words.collect::<Vec<_>>().try_into().ok()?;
    let rank = |word: &str| WORKERS.split(' ').position(|known| known == word);
    let stem = word.strip_prefix("num").or(word.strip_prefix('n')).unwrap_or(word);
    // A column `cpu` or `core` may be a time, or the number of one of them.
    let is_ambiguous = ["cpu", "core", "proc", "process"].contains(&word);
    [word, stem].into_iter().filter(|_| !is_ambiguous).find_map(|word| {
        let plural =
            word.strip_suffix("es").and_then(rank).or(word.strip_suffix('s').and_then(rank));
        rank(word).or(plural)
    })
}

/// Whether a header is that of workers of each other worker, such as `threads/rank` or `tasks per node`.
pub(super) fn is_workers_of_each(name: &str) -> bool {
    let parts = name.split_once('/').or_else(|| name.split_once("per"));
    parts.is_some_and(|(workers, each)| {
        let each = each.trim_matches([' ', '_', '-']).to_owned() + "s";
        rank_of_workers(workers).is_some() && rank_of_workers(&each).is_some()
    })
}

/// Headers of times, without their unit. The first that a file has is taken: hyperfine's CSV has a median and a mean.
const TIMES: &str = "median mean time seconds wall wall_time real elapsed real_time time_wall_clock_median time_wall_clock_mean score";
/// Words of other headers of times, and those that make them times of something else.
const TIME_WORDS: &str = "time times seconds elapsed runtime walltime wallclock duration median mean average avg wall real";
const OTHER_TIME_WORDS: &str = "cpu user system sys std stddev stdev min max err error sd relative \
    speedup efficiency rate throughput start started end date timestamp";

/// The column of times among `names`, which are in small letters: the first known one, or else the only one whose header
/// speaks of time.
pub(super) fn column_of_times(names: &[String]) -> Option<usize> {
    let known = |known: &str| names.iter().position(|name| split_unit(name).0 == known);
    let speaking = || {
        let mut found = (0..names.len()).filter(|&at| speaks_of_time(&names[at]));
        found.next().filter(|_| found.next().is_none())
    };
    TIMES.split(' ').find_map(known).or_else(speaking)
}

/// The names that speak of time, if there are several.
pub(super) fn several_times(names: &[String]) -> Option<Vec<&str>> {
    let found = names.iter().map(|name| &**name).filter(|name| speaks_of_time(name));
    let found: Vec<&str> = found.collect();
    (found.len() > 1).then_some(found)
}

fn speaks_of_time(name: &str) -> bool {
    let has =
        |list: &str| words(name).any(|word| list.split_whitespace().any(|known| known == word));
    has(TIME_WORDS) && !has(OTHER_TIME_WORDS) && !is_rate(name)
}

/// Whether a header is that of a rate, such as `Mop/s`, `zone-cycles/cpu_second` or `throughput`: higher is better.
pub(super) fn is_rate(name: &str) -> bool {
    const RATES: &str =
        "rate throughput bandwidth flops mflops gflops tflops mlups glups iops qps rps";
    const SPANS: &str = "s sec second seconds h hour day";
    let of_a_span = |after: &str| {
        let last = words(after).last().unwrap_or_default();
        SPANS.split(' ').any(|unit| unit == last)
    };
    let is_ratio = name.split_once('/').is_some_and(|(_, after)| of_a_span(after))
        || name
            .split_once("per")
            .is_some_and(|(before, after)| before.ends_with(['_', ' ', '-']) && of_a_span(after));
    is_ratio || words(name).any(|word| RATES.split(' ').any(|known| known == word))
}

/// Whether a header is that of a speed-up.
pub(super) fn is_speedup(name: &str) -> bool {
    let letters: String = name.chars().filter(char::is_ascii_alphabetic).collect();
    letters.starts_with("speedup")
}

/// Whether a header is that of an amount of work: if it grows as the threads do, the scaling is weak.
pub(super) fn is_size(name: &str) -> bool {
    const SIZES: &str = "n m size sizes elements cells particles points rows items dofs dof atoms work bodies zones \
        bodies samples length problem unknowns flips iterations steps nx grid";
    words(name)
        .all(|word| SIZES.split_whitespace().chain(FILLERS.split(' ')).any(|known| known == word))
}

/// The number of threads in the header of a column that holds the figures of one: `core4`, `4 threads`, `4`.
/// Behind it stand the words around the number, which all such columns have in common.
pub(super) fn threads_of_wide_column(name: &str) -> Option<(usize, String)> {
    let start = name.find(|it: char| it.is_ascii_digit())?;
    let digits = name[start..].len()
        - name[start..].trim_start_matches(|it: char| it.is_ascii_digit()).len();
    let around = format!("{}{}", &name[..start], &name[start + digits..]);
    let around = words(&around).collect::<Vec<_>>().join(" ");
    let plural = if around.ends_with('s') { around } else { around + "s" };
    let is_of_workers = plural == "s" || (plural.len() > 2 && rank_of_workers(&plural).is_some());
    let threads = name[start..start + digits].parse().ok()?;
    (is_of_workers && threads > 0).then_some((threads, plural))
}

/// The words of a header: letters and digits between other characters.
fn words(name: &str) -> impl Iterator<Item = &str> {
    name.split(|it: char| !it.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// The name and the unit in a header such as `time_ms`, `time (ms)` or `time [ms]`.
pub(super) fn split_unit(header: &str) -> (&str, Option<Unit>) {
    let bare = header.trim_end_matches([')', ']']);
    let parts = bare.rsplit_once(['(', '[', '_', ' ']);
    let Some((name, suffix)) = parts else { return (header, None) };
    match Unit::from_name(suffix) {
        // `time_min` may be the least time: minutes need the option.
        None | Some(Unit::Minutes) => (header, None),
        unit => (name.trim_end_matches([' ', '_', '(', '[']), unit),
    }
}

/// The number of threads in a command, and the command with `{threads}` in its place: the only number behind a word or
/// an option that means threads, such as `-j 4`, `-T4` or `OMP_NUM_THREADS=4`.
pub(super) fn threads_of_command(command: &str) -> Option<(usize, String)> {
    const OPTIONS: &str = "-j -t -T -P -np -n -w -c -p";
    let mut found = None;
    let mut before = String::new();
    for (at, token) in tokens(command) {
        let digits = token.trim_start_matches(|it: char| !it.is_ascii_digit());
        let name = token[..token.len() - digits.len()].trim_end_matches(['=', ':']);
        let names = if name.is_empty() { &before } else { name };
        let is_of_threads = OPTIONS.split(' ').any(|option| option == names)
            || rank_of_workers(&names.trim_start_matches('-').to_lowercase()).is_some();
        if is_of_threads && let Ok(threads) = digits.parse::<usize>() {
            if found.is_some() {
                return None;
            }
            let place = at + token.len() - digits.len();
            let rest = &command[place + digits.len()..];
            found = Some((threads, format!("{}{{threads}}{rest}", &command[..place])));
        }
        before = token.to_owned();
    }
    found
}

/// The words of a command with their places.
fn tokens(command: &str) -> impl Iterator<Item = (usize, &str)> {
    let places = command.split_whitespace();
    places.map(move |token| (token.as_ptr() as usize - command.as_ptr() as usize, token))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_known_however_they_are_written() {
        for name in [
            "threads",
            "thread",
            "num_threads",
            "nthreads",
            "n_threads",
            "# threads",
            "omp_num_threads",
            "parameter_threads",
            "jobs",
            "nworkers",
            "cores",
            "cpus",
            "ncpus",
            "num mpi ranks",
            "num nodes",
            "processes",
            "number of processors",
            "p",
            "nprocs",
            "gpus",
        ] {
            assert!(rank_of_workers(name).is_some(), "{name}");
        }
        for name in
            ["cpu", "n", "time", "cpu_time", "thread time", "difficulty", "core", "process", "nop"]
        {
            assert_eq!(rank_of_workers(name), None, "{name}");
        }
        assert!(rank_of_workers("n_threads") < rank_of_workers("n_procs"));
        let times =
            |names: &str| column_of_times(&names.split(',').map(str::to_owned).collect::<Vec<_>>());
        assert_eq!(times("n_procs,time_taken,problem_size"), Some(1));
        assert_eq!(times("nworkers,mean_time"), Some(1));
        assert_eq!(times("a,mean,median"), Some(2));
        assert_eq!((times("a,run time,total time"), times("a,cpu time,user")), (None, None));
        for name in [
            "zone-cycles/cpu_second",
            "mop/s",
            "mop/s total",
            "req/s",
            "ops per second",
            "throughput",
            "gflops",
            "performance (ns/day)",
        ] {
            assert_eq!(is_rate(name), name != "mop/s total", "{name}");
        }
        assert!(!is_rate("time/step") && !is_rate("seconds") && !is_rate("temperature"));
        assert!(is_speedup("speed-up") && is_speedup("speedup (x)") && !is_speedup("speed"));
        for name in ["threads/rank", "tasks_per_node", "threads per process", "ranks per core"] {
            assert!(is_workers_of_each(name), "{name}");
        }
        assert!(
            !["threads", "time/step", "supercores", "mb/s"].into_iter().any(is_workers_of_each)
        );
        assert!(
            is_size("n") && is_size("problem_size") && is_size("num particles") && !is_size("name")
        );
    }

    #[test]
    fn thread_counts_stand_in_headers_and_commands() {
        let wide = |name: &str| threads_of_wide_column(name).map(|(threads, _)| threads);
        assert_eq!(["core1", "16 threads", "1 thread", "8"].map(wide), [1, 16, 1, 8].map(Some));
        assert_eq!(["core", "level4", "p95", "0"].map(wide), [None; 4]);
        for (command, threads, rest) in [
            ("./a -j 4 7", 4, "./a -j {threads} 7"),
            ("OMP_NUM_THREADS=8 ./a.out 100", 8, "OMP_NUM_THREADS={threads} ./a.out 100"),
            ("xz -T2 -9 f", 2, "xz -T{threads} -9 f"),
            ("./a --threads=16", 16, "./a --threads={threads}"),
        ] {
            assert_eq!(threads_of_command(command), Some((threads, rest.to_owned())));
        }
        assert_eq!(
            (threads_of_command("sleep 1"), threads_of_command("a -j 2 -t 3")),
            (None, None)
        );
    }
}
