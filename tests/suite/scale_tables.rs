//! Promise: `scale fit` reads times as people and tools write them, or refuses them by what they are. Each text has the
//! form of a public report; the right answers are those of its own figures.

use tallyboard_scale::forms::text;
use tallyboard_scale::points::{self, ReadOptions};
use tallyboard_scale::report::{Parameter, Report, Scaling};

/// A text, what it is, and what to find in each curve: its name, and speed-ups by thread count.
type Case = (&'static str, &'static str, &'static [(&'static str, &'static [(usize, f64)])]);

const STRONG: [Case; 29] = [
    (
        "speed-ups in a wide table",
        "difficulty,core1,core2,core4\n0.0,1.0,0.789,1.937\n7.3,1.0,0.787,1.107\n8.2,1.0,2.5,3.9\n",
        &[
            ("0.0", &[(2, 0.789), (4, 1.937)]),
            ("7.3", &[(2, 0.787), (4, 1.107)]),
            ("8.2", &[(4, 3.9)]),
        ],
    ),
    (
        "times in a wide table",
        "algo,1 thread,2 threads,4 threads\na,8,4.5,3\nb,9,6,5\n",
        &[("a", &[(2, 8.0 / 4.5), (4, 8.0 / 3.0)]), ("b", &[(4, 1.8)])],
    ),
    (
        "threads across",
        "threads,1,2,4\nrun time,8,4.5,3\n",
        &[("x", &[(2, 8.0 / 4.5), (4, 8.0 / 3.0)])],
    ),
    (
        "processes and threads",
        "n_procs,n_threads,time_taken,problem_size\n1,1,5.82,10\n1,3,2.20,10\n1,11,0.90,10\n2,1,3.05,10\n2,3,1.29,10\n2,11,0.66,10\n",
        &[("1", &[(3, 5.82 / 2.2), (11, 5.82 / 0.9)]), ("2", &[(11, 3.05 / 0.66)])],
    ),
    (
        "workers and mean times",
        "nworkers,mean_time\n1,4.38756\n2,2.48663\n24,0.628273\n",
        &[("x", &[(24, 4.38756 / 0.628273)])],
    ),
    (
        "algorithms in a column",
        "algo,n,threads,reps,seconds,correct\nbitonic,4194304,1,5,0.67993,1\nbitonic,4194304,10,5,0.11765,1\nradix,4194304,1,5,0.0152727,1\nradix,4194304,10,5,0.00408871,1\n",
        &[("bitonic", &[(10, 0.67993 / 0.11765)]), ("radix", &[(10, 0.0152727 / 0.00408871)])],
    ),
    (
        "speed-ups and efficiencies beside times",
        "threads,time_us,speedup,efficiency\n1,5229,1.0,1.0\n2,5888,.8880,.4440\n16,8038,.6505,.0406\n",
        &[("x", &[(16, 5229.0 / 8038.0)])],
    ),
    (
        "rates below a header in quotes",
        "\"Num MPI ranks\",\"Num nodes\",\"zone-cycles/cpu_second\"\n1 1 6.430207e+07\n2 1 1.015839e+08\n64 16 1.411365e+09\n",
        &[("x", &[(2, 1.015839 / 0.6430207), (64, 141.1365 / 6.430207)])],
    ),
    (
        "speed-ups alone",
        "threads,speedup,efficiency\n2,1.95,0.98\n4,3.70,0.93\n112,25.57,0.23\n",
        &[("x", &[(2, 1.95), (4, 3.7), (112, 25.57)])],
    ),
    (
        "Markdown with units behind the times, from 32 threads on",
        "On KNL:\n\n| Threads | Time      |\n| ----- | -------------- |\n|    32 | 117.2 sec |\n|    64 | 64.41 sec |\n|   256 | 61.59 sec |\n\nThat is all.\n",
        &[("x", &[(64, 117.2 / 64.41), (256, 117.2 / 61.59)])],
    ),
    (
        "Markdown of hyperfine with two programs",
        "| Command | # Threads | # Flips | Mean [s] | Min [s] | Max [s] |\n| :--- | --: | --: | ---: | ---: | ---: |\n| NumPy | 1 | 10,000 | 42.381 ± 0.129 | 42.164 | 42.584 |\n| Rust | 1 | 10,000 | 9.475 ± 0.005 | 9.472 | 9.486 |\n| NumPy | 4 | 10,000 | 10.830 ± 0.151 | 10.492 | 11.017 |\n| Rust | 4 | 10,000 | 2.659 ± 0.375 | 2.376 | 3.370 |\n",
        &[("NumPy", &[(4, 42.381 / 10.83)]), ("Rust", &[(4, 9.475 / 2.659)])],
    ),
    (
        "Markdown of hyperfine whose commands name the threads",
        "| Command | Mean [ms] | Min [ms] | Max [ms] | Relative |\n|:---|---:|---:|---:|---:|\n| `xz -T1 -k f` | 21.2 ± 0.3 | 20 | 22 | 2.0 |\n| `xz -T2 -k f` | 10.6 ± 0.2 | 10 | 11 | 1.00 |\n",
        &[("x", &[(2, 2.0)])],
    ),
    (
        "hyperfine's terminal",
        "Benchmark 1: sort --parallel=1 f\n  Time (mean ± σ):      40.2 ms ±   1.1 ms    [User: 38.0 ms, System: 2.1 ms]\n  Range (min … max):    39.0 ms …  42.0 ms    70 runs\n \nBenchmark 2: OMP_NUM_THREADS=4 sort f\n  Time (mean ± σ):      10.0 ms ±   1.1 ms    [User: 38.0 ms, System: 2.1 ms]\n",
        &[],
    ),
    (
        "hyperfine's terminal",
        "Benchmark 1: ./a -j 1\n  Time (mean ± σ):     1.204 s ±  0.011 s    [User: 1.1 s, System: 0.1 s]\n  Range (min … max):    1.1 s …  1.3 s    10 runs\n\nBenchmark 2: ./a -j 4\n  Time (mean ± σ):     301.0 ms ±   1.1 ms    [User: 1.1 s, System: 0.1 s]\n",
        &[("x", &[(4, 4.0)])],
    ),
    (
        "logs of NAS benchmarks",
        " CG Benchmark Completed.\n Class           =                        S\n Time in seconds =                     1.85\n Total threads   =                        1\n Mop/s total     =                    35.96\n CG Benchmark Completed.\n Class           =                        S\n Time in seconds =                     1.86\n Total threads   =                        1\n CG Benchmark Completed.\n Class           =                        S\n Time in seconds =                     0.95\n Total threads   =                        2\n",
        &[("x", &[(2, 1.855 / 0.95)])],
    ),
    (
        "lines of a log",
        "num_threads: 1\nallocating 1000 MB\ntime: 4.8 s\nnum_threads: 4\nallocating 1000 MB\ntime: 1.2 s\n",
        &[("x", &[(4, 4.0)])],
    ),
    (
        "a line a run",
        "Using 1 threads: elapsed = 900 ms (sum 3.14)\nUsing 2 threads: elapsed = 500 ms (sum 3.14)\n",
        &[("x", &[(2, 1.8)])],
    ),
    (
        "columns of blanks below a remark",
        "# threads time_ms  gflops\n1  80.0  1.0\n2  44.0  1.8\n4  25.0  3.2\n",
        &[("x", &[(2, 80.0 / 44.0), (4, 3.2)])],
    ),
    (
        "a wide table with a unit behind each time, and one of its speed-ups",
        "# Results\n\n| Strategy | 1 Thread | 2 Threads | 4 Threads |\n|---|---|---|---|\n| **1: Regions** | 0.048s | 0.024s | 0.016s |\n| **2: Tasks** | 0.12s | 0.04s | 0.03s |\n\n## Speedup (relative to 1 Thread)\n\n| Strategy | 2 Threads | 4 Threads | Best |\n|---|---|---|---|\n| **1: Regions** | 2.00x | 3.00x | **3.00x** |\n",
        &[("1: Regions", &[(2, 2.0), (4, 3.0)]), ("2: Tasks", &[(4, 4.0)])],
    ),
    (
        "a wide table with speed-ups behind the times",
        "| Impl | np=1 | np=2 | Speedup vs Serial |\n|---|---|---|---|\n| mpi_2d | 12.0s | 6.0s | 2.0x |\n| row | 14.0s | 10s | 1.2x |\n",
        &[("mpi_2d", &[(2, 2.0)]), ("row", &[(2, 1.4)])],
    ),
    (
        "speed-ups with an x behind",
        "| Program | 2 threads | 4 threads |\n|---|---|---|\n| a | 1.90x | 3.5x |\n",
        &[("x", &[(2, 1.9), (4, 3.5)])],
    ),
    (
        "line breaks of HTML in the header",
        "|Thread<br>Count|Wall Clock<br>Time|User Time|System Time|Speedup|\n|:--:|--:|--:|--:|:--:|\n|1|16.85|14.01| 0.57|1.00|\n|2| 7.74|14.21| 0.55| 2.18|\n",
        &[("x", &[(2, 16.85 / 7.74)])],
    ),
    (
        "a table under each heading",
        "# Results\n\n## N = 100\n\n| Threads | Average Time |\n|---|---|\n| 1 | 17ms |\n| 4 | 7ms |\n\n![Graph](N_100.png)\n\n## N = 1000\n\n| Threads | Average Time |\n|---|---|\n| 1 | 295ms |\n| 4 | 140ms |\n",
        &[("N = 100", &[(4, 17.0 / 7.0)]), ("N = 1000", &[(4, 295.0 / 140.0)])],
    ),
    (
        "a table of something else in front",
        "Machine:\n\n| Part | Value |\n|---|---|\n| CPU | x |\n\n| Threads | Time |\n|---|---|\n| 1 | 3 |\n| 2 | 2 |\n",
        &[("x", &[(2, 1.5)])],
    ),
    (
        "tables of Markdown joined, with an empty line between",
        "| Threads | Time |\n|---|---|\n| 1 | 3 |\n\n| Threads | Time |\n|---|---|\n| 2 | 2 |\n",
        &[("x", &[(2, 1.5)])],
    ),
    (
        "several tabs between columns, and empty lines",
        "Threads\tTime\t\t\tIter\tTemp\n1\t12.5\t1000\t0.33\n\n4\t3.5\t1000\t0.33\n\n",
        &[("x", &[(4, 12.5 / 3.5)])],
    ),
    (
        "a shell's time behind a number of threads",
        "Result for 1 Threads:\n\nreal\t1m12.5s\nuser\t1m12.1s\nsys\t0m0.2s\nResult for 4 Threads:\n\nreal\t0m20.5s\nuser\t1m15.1s\nsys\t0m0.2s\n",
        &[("x", &[(4, 72.5 / 20.5)])],
    ),
    (
        "processor time in front of the wall time",
        "threads: 1\nCPU time: 4.0 s\nWall time: 4.1 s\nthreads: 2\nCPU time: 4.2 s\nWall time: 2.1 s\n",
        &[("x", &[(2, 4.1 / 2.1)])],
    ),
    (
        "nanoseconds a day",
        "| MPI ranks | Performance (ns/day) |\n|---|---|\n| 1 | 15.5 |\n| 8 | 78.9 |\n",
        &[("x", &[(8, 78.9 / 15.5)])],
    ),
];

fn fitted(text: &str, options: &ReadOptions) -> Result<Vec<Report>, String> {
    let found = points::read(text, options).and_then(|it| points::reports("file", it));
    found.map_err(|error| error.to_string())
}

fn check(reports: &[Report], (what, _, curves): &Case) {
    if reports.len() > 1 {
        for report in reports {
            let Parameter { name, value } = report.subject.parameter.as_ref().unwrap();
            let heading = format!("file, {name} = {value} (strong scaling");
            assert!(text::brief(report).starts_with(&heading), "{what}: {heading}");
        }
    }
    let name = |report: &Report| {
        report.subject.parameter.as_ref().map_or("x".to_owned(), |it| it.value.clone())
    };
    let names: Vec<String> = reports.iter().map(name).collect();
    for (curve, speedups) in *curves {
        let report = reports.iter().find(|report| name(report) == *curve);
        let report = report.unwrap_or_else(|| panic!("{what}: no {curve} among {names:?}"));
        for (threads, expected) in *speedups {
            let found = report.point(*threads).unwrap_or_else(|| panic!("{what}: {threads}"));
            assert!((found.speedup / expected - 1.0).abs() < 1e-9, "{what}, {threads}: {found:?}");
        }
    }
    assert!(curves.is_empty() || names.len() == curves.len(), "{what}: {names:?}");
}

#[test]
fn tables_logs_and_terminals_have_the_speed_ups_of_their_figures() {
    for case in STRONG {
        match fitted(case.1, &ReadOptions::default()) {
            Ok(reports) => {
                assert!(
                    reports.iter().all(|it| it.subject.scaling == Scaling::Strong),
                    "{}",
                    case.0
                );
                check(&reports, &case);
            }
            // Two commands that are not one with several thread counts.
            Err(error) => assert!(
                case.2.is_empty() && error.contains("one thread count"),
                "{}: {error}",
                case.0
            ),
        }
    }
}

/// Of speed-ups alone the serial fraction at 112 threads is that of Karp and Flatt.
#[test]
fn what_is_understood_beyond_the_words_of_a_file_is_told() {
    let speedups = fitted(STRONG[8].1, &ReadOptions::default()).unwrap().remove(0);
    let share = (1.0 / 25.57 - 1.0 / 112.0) / (1.0 - 1.0 / 112.0);
    assert!((speedups.point(112).unwrap().serial_fraction.unwrap() - share).abs() < 1e-9);
    for (case, words) in [
        (0, "so these are speed-ups"),
        (7, "zone-cycles/cpu_second is higher if faster"),
        (8, "the file has speed-ups and no times"),
    ] {
        let report = fitted(STRONG[case].1, &ReadOptions::default()).unwrap().remove(0);
        assert!(report.warnings.iter().any(|it| it.contains(words)), "{:?}", report.warnings);
    }
}

/// GNU time 1.9 wrote such a report for each run: its first time is that of the program on a processor.
#[test]
fn reports_of_gnu_time_have_the_elapsed_time_and_the_peak() {
    let run = |above: &str, command: &str, elapsed: &str| {
        format!(
            "{above}\tCommand being timed: \"{command}\"\n\tUser time (seconds): 4.01\n\tSystem time (seconds): 0.02\n\tPercent of CPU this job got: 99%\n\tElapsed (wall clock) time (h:mm:ss or m:ss): {elapsed}\n\tMaximum resident set size (kbytes): 2048\n\tExit status: 0\n"
        )
    };
    let of_commands = run("", "env OMP_NUM_THREADS=1 ./a", "1:00:04.05")
        + &run("", "env OMP_NUM_THREADS=2 ./a", "30:02.5");
    let of_lines = run("OMP_NUM_THREADS=1\n", "./a", "1:00:04.05")
        + &run("OMP_NUM_THREADS=2\n", "./a", "30:02.5");
    for text in [of_commands, of_lines] {
        let [report] = fitted(&text, &ReadOptions::default()).unwrap().try_into().unwrap();
        let two = report.point(2).unwrap();
        assert!((two.speedup / (3604.05 / 1802.5) - 1.0).abs() < 1e-9, "{text}");
        assert_eq!((two.user, two.resident_bytes), (Some(4.01), Some(2 << 20)));
    }
    let error = fitted(&run("", "./a", "0:01"), &ReadOptions::default()).unwrap_err();
    assert!(error.contains("run time -v with the number of threads in the command"), "{error}");
}

#[test]
fn rows_of_several_kinds_that_make_no_curves_are_told() {
    let text = "threads,host,time\n1,a,8\n2,a,5\n4,b,2\n";
    let report = fitted(text, &ReadOptions::default()).unwrap().remove(0);
    let told = "all rows are taken as one curve, though they differ in host: --curve 'host'";
    assert!(report.warnings.iter().any(|it| it.starts_with(told)), "{:?}", report.warnings);
}

/// "16 threads are 0.03 times as fast" was said of a weak scaling whose efficiency is 2.8 %.
#[test]
fn sizes_that_grow_with_the_threads_make_weak_scaling() {
    let text = "threads,N,time_us,efficiency\n1,10000,74,1.0\n2,20000,382,.1937\n4,40000,719,.1029\n16,160000,2640,.0280\n";
    let report = fitted(text, &ReadOptions::default()).unwrap().remove(0);
    assert_eq!(report.subject.scaling, Scaling::Weak);
    assert!((report.point(16).unwrap().efficiency - 74.0 / 2640.0).abs() < 1e-9);
    assert!(report.warnings.iter().any(|it| it.starts_with("n grows as the threads do")));
    let strong = ReadOptions { scaling: Some(Scaling::Strong), ..ReadOptions::default() };
    let report = fitted(text, &strong).unwrap().remove(0);
    assert!((report.point(16).unwrap().speedup - 74.0 / 2640.0).abs() < 1e-9);
    // Sizes that grow otherwise, and nodes beside ranks, say nothing of the kind.
    for text in
        ["threads,N,time\n1,10,4\n2,20,3\n4,41,2\n", "ranks,nodes,time\n4,1,4\n8,2,3\n16,4,2\n"]
    {
        let report = fitted(text, &ReadOptions::default()).unwrap().remove(0);
        assert_eq!(report.subject.scaling, Scaling::Strong, "{text}");
    }
    let text = "threads,time\n1,10\n2,11\n";
    let named = |options: &ReadOptions| {
        let found =
            points::read(text, options).and_then(|it| points::reports("weak_scaling.csv", it));
        found.map(|reports| reports[0].subject.scaling).map_err(|error| error.to_string())
    };
    let error = named(&ReadOptions::default()).unwrap_err();
    assert!(error.contains("say --weak if") && error.contains("or --strong"), "{error}");
    assert_eq!(named(&strong), Ok(Scaling::Strong));
    // A folder's name tells nothing of the file, and a file that is named strong is not weak.
    for name in ["weak/scaling.csv", "weak/strong_scaling.csv", "strong_and_weak.csv"] {
        let found = points::read(text, &ReadOptions::default())
            .and_then(|it| points::reports(name, it))
            .unwrap();
        assert_eq!(found[0].subject.scaling, Scaling::Strong, "{name}");
    }
    // divan's threads do all of the work each.
    let divan = "d         fastest       │ slowest       │ median        │ mean          │ samples │ iters\n╰─ steps                │               │               │               │         │\n   ├─ t=1  10.2 µs       │ 10.52 µs      │ 10.33 µs      │ 10.37 µs      │ 5       │ 5\n   ╰─ t=2  9.468 µs      │ 11.06 µs      │ 10.57 µs      │ 10.44 µs      │ 6       │ 6\n";
    let report = fitted(divan, &ReadOptions::default()).unwrap().remove(0);
    assert_eq!((report.subject.scaling, &*report.subject.problem), (Scaling::Weak, "steps"));
    assert!((report.point(2).unwrap().efficiency - 10.33 / 10.57).abs() < 1e-9);
}

#[test]
fn what_tells_no_speed_up_is_refused_by_what_it_is() {
    for (text, expected) in [
        (
            "-----\nBenchmark                            Time             CPU   Iterations\n-----\nBM_threaded/threads:1         10910273 ns     10910863 ns            1\n",
            "line 4: found BM_threaded/threads:1, whose time is that of one thread or that over the threads, as the version decides, which what the terminal shows lacks: use --benchmark_out=FILE",
        ),
        (
            "# started on Mon Sep 28 10:00:00 2026\n\n455.70,msec,task-clock,455700000,100.00,5.998,CPUs utilized\n1383462596,,cycles:u,455000000,100.00,,\n",
            "found what perf stat counts, expected wall times: perf names no number of threads",
        ),
        (
            "threads,dq,event,value\n1,64,task-clock,4105.2\n2,64,task-clock,4188.7\n",
            "found what perf stat counts, expected wall times",
        ),
        (
            "threads,dq,event,value\n1,64,cycles,4105.2\n2,64,cycles,4188.7\n",
            "line 2: found what perf stat counts",
        ),
        (
            "size,core1,core2\n5,1,0.6\n7,1,0.7\n",
            "line 1: found 1 for one thread in every row, expected times, or speed-ups",
        ),
        (
            "### 1 cores ###\nNumber of threads for each rank: 16\nSolver time: 1.3 seconds\n### 2 cores ###\nNumber of threads for each rank: 8\nSolver time: 0.9 seconds\n",
            "line 2: found 'number of threads for each rank: 16', so that the workers are a product",
        ),
        (
            "ranks,threads/rank,ns/day\n1,1,4\n8,7,20\n",
            "line 3: found another threads/rank than in line 2, so that the workers are a product",
        ),
        (
            "1 1000 0.5\n2 1000 0.3\n",
            "line 1: found numbers and no names of columns, expected one of thread counts",
        ),
        (
            "n_threads,check_time,transpose_time\n1,1,2\n2,1,2\n",
            "line 1: found the columns n_threads, check_time, transpose_time, expected one of times, such as time (name it with --time-column, or with --rate-column if higher is better); check_time and transpose_time may each be times",
        ),
        (
            "name,iterations,real_time,cpu_time,time_unit\n\"sort/threads:1_mean\",3,10.1,10.1,ns\n\"sort/threads:1_median\",3,10.1,10.1,ns\n",
            "line 2: found only aggregates such as sort/threads:1_mean, expected the runs: leave out --benchmark_report_aggregates_only",
        ),
        (
            "a,b\n1,2\n",
            "line 1: found the columns a, b, expected one of thread counts, such as threads (name it with --threads-column) and one of times, such as time (name it with --time-column, or with --rate-column",
        ),
    ] {
        let error = fitted(text, &ReadOptions::default()).unwrap_err();
        assert!(error.starts_with(expected), "{text}: {error}");
    }
    let rate = ReadOptions { rate: Some("good".to_owned()), ..ReadOptions::default() };
    let report = fitted("threads,good\n1,5\n2,9\n", &rate).unwrap().remove(0);
    assert!((report.point(2).unwrap().speedup - 1.8).abs() < 1e-12);
    // hyperfine 2.0.0 writes so after a scan, and OpenMP names its variable so.
    let report = fitted("OMP_NUM_THREADS time\n1.0 8\n2.0 4\n", &ReadOptions::default()).unwrap();
    assert!((report[0].point(2).unwrap().speedup - 2.0).abs() < 1e-12);
}
