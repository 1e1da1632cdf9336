//! The scaling report finds what was put in: a serial part, imbalance and a lock, exactly on a simulated
//! clock; on the real one only what other processes cannot disturb.

use std::convert::Infallible;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::common::PUZZLE;
use crate::common::runs::{Folder, confined, exit_code_soon, output, signal, told, wait_until};
use crate::common::subject::{machine, subject};
use tallyboard_scale::forms::{data, text};
use tallyboard_scale::laws::Law;
use tallyboard_scale::measure::{Experiment, Rounds, Run, Series, Setting};
use tallyboard_scale::report::Report;
use tallyboard_scale::timer::{RunTimer, TimedProblem};
use tallyboard_scale::topology::Places;
use tallyboard_scale::workers::{Span, Workers};
use tallyboard_search::{Costs, Options, Problem, Silent, Stop, Stopped, Tally, run};

/// A problem of known shape; times in seconds.
struct Synthetic {
    /// Serial time before the first piece.
    serial: f64,
    /// Length of each piece without its locked part.
    pieces: Vec<f64>,
    /// Each piece then holds one lock for this long.
    locked: f64,
    /// Whether to keep a processor busy rather than sleep.
    busy: bool,
    lock: Mutex<()>,
}

impl Synthetic {
    fn new(serial: f64, pieces: Vec<f64>, locked: f64) -> Self {
        Self { serial, pieces, locked, busy: false, lock: Mutex::new(()) }
    }

    /// The run as a greedy scheduler would do it, on a simulated clock.
    fn simulate(&self, threads: usize) -> Run {
        let mut free = vec![self.serial; threads];
        let mut unlocked = 0.0f64;
        let mut spans = Vec::new();
        for piece in &self.pieces {
            let worker = (0..threads).min_by(|&a, &b| free[a].total_cmp(&free[b])).unwrap();
            let start = free[worker];
            let asks = start + piece;
            let end = if self.locked > 0.0 { asks.max(unlocked) + self.locked } else { asks };
            unlocked = end;
            free[worker] = end;
            spans.push(Span { worker, start, end, cpu: Some(end - start), subtrees: 1 });
        }
        let wall = free.into_iter().fold(0.0, f64::max);
        let workers = Some(Workers::from_spans(threads, wall, &spans));
        Run { wall, user: wall, workers, ..Run::default() }
    }

    fn pass(&self, seconds: f64) {
        let time = Duration::from_secs_f64(seconds);
        if !self.busy {
            return std::thread::sleep(time);
        }
        let began = Instant::now();
        while began.elapsed() < time {
            std::hint::spin_loop();
        }
    }
}

impl Problem for Synthetic {
    fn identity(&self) -> String {
        "synthetic".to_owned()
    }

    fn subtrees(&self) -> usize {
        self.pieces.len()
    }

    fn split(&self) -> Costs {
        self.pass(self.serial);
        Costs::new(self.pieces.iter().map(|piece| (piece * 1e6) as u64).collect())
    }

    fn count(&self, piece: usize, _stop: &Stop) -> Result<Tally, Stopped> {
        self.pass(self.pieces[piece]);
        if self.locked > 0.0 {
            let _held = self.lock.lock().unwrap();
            self.pass(self.locked);
        }
        Ok(Tally::new(1u64))
    }
}

fn report(series: &[Series], processors: usize) -> Report {
    Report::new(subject("synthetic", machine(processors)), series)
}

/// The report of a document, with what comparisons show of it.
fn read(text: &str) -> Report {
    let [report] = data::read(text).unwrap().try_into().unwrap();
    report
}

fn measure(threads: &[usize], rounds: usize, run: impl Fn(usize) -> Run) -> Report {
    let settings = threads.iter().map(|&t| Setting::threads(t)).collect();
    let plan = Experiment { settings, warmup: 0, rounds: Rounds::exactly(rounds) };
    let series = plan.measure(|s| Ok::<_, Infallible>(run(s.threads)), |_, _| {}).0;
    report(&series, 64)
}

fn simulated(problem: &Synthetic, threads: &[usize]) -> Report {
    measure(threads, 3, |threads| problem.simulate(threads))
}

fn real(problem: &Synthetic, threads: &[usize], rounds: usize) -> Report {
    measure(threads, rounds, |threads| {
        let timer = RunTimer::start(threads, &Places::default());
        let timed = TimedProblem { problem, timer: &timer };
        let options = Options::new().threads(threads);
        let outcome = run(&timed, &options, &mut Silent).unwrap();
        assert_eq!(outcome.tally.solutions(), problem.pieces.len() as u128);
        timer.finish()
    })
}

#[test]
fn a_serial_fraction_comes_back_exactly() {
    let problem = Synthetic::new(1.0, vec![0.25; 16], 0.0);
    let report = simulated(&problem, &[1, 2, 4, 8, 16]);
    for law in [Law::Amdahl, Law::Universal] {
        let fit =
            report.models.iter().filter_map(|m| m.fit()).find(|f| f.curve.law == law).unwrap();
        assert!((fit.curve.contention - 0.2).abs() < 1e-9, "{fit:?}");
        assert!(fit.curve.coherency.abs() < 1e-9 && fit.misfit < 1e-9, "{fit:?}");
        // T(32) = 1 + 4 / 32.
        assert!((fit.predictions[0].seconds - 1.125).abs() < 1e-9, "{fit:?}");
    }
    for point in report.results.iter().skip(1) {
        assert!((point.serial_fraction.unwrap() - 0.2).abs() < 1e-9);
        let losses = point.losses.unwrap();
        assert!((losses.serial - 1.0 / point.median).abs() < 1e-9);
        assert!(losses.tail.abs() + losses.gaps.abs() + losses.slowdown.abs() < 1e-9);
    }
}

#[test]
fn no_serial_fraction_of_more_than_all_is_told_and_large_numbers_are_grouped() {
    // Every further thread makes the whole slower.
    let run = |threads: usize| {
        let wall = threads as f64;
        Run { wall, user: wall, ..Run::default() }
    };
    let report = measure(&[1, 2, 4], 7, run);
    assert!(report.results[1].serial_fraction.unwrap() > 1.0, "programs get the figure");
    let text = text::render(&report);
    assert!(text.contains("contention over 100 % ± over 100 % ("), "{text}");
    assert!(!text.contains("speed-up at most"), "{text}");
    assert!(text.contains("Fewer threads are faster: one alone is."), "{text}");
    let shares = text.split_whitespace().zip(text.split_whitespace().skip(1));
    let mut shares = shares.filter(|(_, unit)| unit.starts_with('%')).map(|(share, _)| share);
    assert!(
        shares.all(|share| share
            .trim_start_matches('(')
            .parse::<f64>()
            .is_ok_and(|share| share <= 100.0)),
        "{text}"
    );
    let pieces = vec![0.25; 2000];
    let foretold = text::render(&simulated(&Synthetic::new(0.0, pieces, 0.0), &[1]));
    assert!(foretold.contains("1,024 ") && foretold.contains("2,000 pieces"), "{foretold}");
    assert!(foretold.contains("is more than 2,000 times as fast"), "{foretold}");
    assert!(!foretold.contains("1000") && !foretold.contains("2000"), "{foretold}");
}

#[test]
fn imbalance_comes_back_exactly_as_tail_and_bound() {
    // One piece is as long as all the others together.
    let mut pieces = vec![0.5; 8];
    pieces.insert(0, 4.0);
    let report = simulated(&Synthetic::new(0.0, pieces, 0.0), &[1, 2, 4]);
    let four = &report.results[2];
    assert!((four.median - 4.0).abs() < 1e-12);
    assert!((report.forecast.as_ref().unwrap().bound() - 2.0).abs() < 1e-12);
    let losses = four.losses.unwrap();
    // Sixteen seconds owned, eight worked: the other half is waiting for the long piece.
    assert!((losses.useful - 0.5).abs() < 1e-12 && (losses.tail - 0.5).abs() < 1e-12);
}

#[test]
fn one_thread_foretells_what_a_simulated_machine_does_with_many() {
    let pieces: Vec<f64> = (0..200).map(|i| 0.01 + f64::from(i * 37 % 101) / 50.0).collect();
    let problem = Synthetic::new(0.5, pieces, 0.0);
    let report = simulated(&problem, &[1]);
    let forecast = report.forecast.as_ref().unwrap();
    for threads in [1, 2, 16, 128, 1024] {
        let truth = problem.simulate(threads).wall;
        let predicted = forecast.at(threads).unwrap();
        assert!((predicted.seconds / truth - 1.0).abs() < 1e-9, "{threads}: {truth} {predicted:?}");
        assert!(predicted.speedup <= forecast.bound() * (1.0 + 1e-9));
    }
    let written: Value = serde_json::from_str(&data::write(&[report]).unwrap()).unwrap();
    assert_eq!(written["forecast"]["pieces"].as_array().unwrap().len(), 200);
}

#[test]
fn one_account_explains_the_efficiency_on_a_busy_machine() {
    // One thread gets a processor for half of the time, two threads for all of it.
    let run = |threads: usize| {
        let share = if threads == 1 { 0.5 } else { 1.0 };
        let (work, wall) = (8.0 / threads as f64, 8.0 / threads as f64 / share);
        let spans: Vec<Span> = (0..threads)
            .map(|worker| Span { worker, start: 0.0, end: wall, cpu: Some(work), subtrees: 1 })
            .collect();
        let workers = Some(Workers::from_spans(threads, wall, &spans));
        Run { wall, user: 8.0, workers, ..Run::default() }
    };
    let report = measure(&[1, 2], 7, run);
    let [one, two] = [0, 1].map(|at| report.results[at].losses.unwrap());
    assert!((report.results[1].efficiency - two.useful / one.useful).abs() < 1e-12);
    assert_eq!((one.preempted, two.preempted), (0.5, 0.0));
    let words = report.explanation.join("\n");
    assert!(words.contains("more than 2 times: one thread had a processor for 50.0 %"), "{words}");
    assert!(!words.contains("efficiency is"), "no rule between figures of different runs: {words}");
    assert!((report.forecast.unwrap().at(2).unwrap().speedup - 1.0).abs() < 1e-12);
}

#[test]
fn a_lock_limits_the_speedup_and_shows_as_slowdown() {
    let problem = Synthetic::new(0.0, vec![0.003; 4000], 0.001);
    let report = simulated(&problem, &[1, 2, 4, 8, 16]);
    let sixteen = &report.results[4];
    // 16 seconds of work, 4 of them under the lock.
    assert!((sixteen.speedup - 4.0).abs() < 0.01, "{}", sixteen.speedup);
    let losses = sixteen.losses.unwrap();
    assert!((losses.useful - 0.25).abs() < 0.01, "{losses:?}");
    assert!((losses.slowdown - 0.75).abs() < 0.01, "{losses:?}");
}

#[test]
fn on_the_real_clock_nothing_takes_less_than_was_put_in() {
    // Sleeping takes at least its time, however busy the machine is.
    let mut pieces = vec![0.005; 10];
    pieces.insert(0, 0.02);
    let report = real(&Synthetic::new(0.02, pieces, 0.0), &[1, 2, 4], 3);
    for point in &report.results {
        let workers = point.workers.as_ref().unwrap();
        assert!(workers.serial >= 0.02 && workers.longest() >= 0.02, "{workers:?}");
        assert!(workers.busy() >= 0.07 && workers.wall >= 0.04, "{workers:?}");
        let idle: f64 = workers.loads.iter().map(|load| load.gaps + load.tail).sum();
        let parts = workers.busy() + point.threads as f64 * workers.serial + idle;
        let owned = point.threads as f64 * workers.wall;
        assert!((parts - owned).abs() < 1e-9 * owned, "{parts} of {owned}");
    }
}

#[test]
fn busy_loops_under_one_lock_take_their_turns() {
    let mut problem = Synthetic::new(0.0, vec![0.0; 10], 0.002);
    problem.busy = true;
    let report = real(&problem, &[1, 2], 3);
    for point in &report.results {
        assert!(point.min >= 10.0 * 0.002, "{} threads took {}", point.threads, point.min);
    }
}

#[test]
fn a_place_that_cannot_be_written_ends_the_run_before_it_measures() {
    let folder = Folder::new();
    for form in ["--html no/r.html", "--svg no/r.svg", "--json -o no/r.json"] {
        // Measuring this would take hours.
        folder.fails(&format!("scale queens 24 {form}"), 1, "cannot write no/r.");
    }
}

#[test]
fn an_interrupt_leaves_a_report_of_the_whole_rounds() {
    let folder = Folder::new();
    for patience in [300, 3000, 30_000] {
        let mut child = folder.start("scale queens 8 -P 1,2 -r 60000 --json -o r.json");
        std::thread::sleep(Duration::from_millis(patience));
        signal(&child, "INT");
        assert_eq!(exit_code_soon(&mut child), Some(130));
        if folder.at("r.json").exists() {
            break;
        }
    }
    let report = read(&folder.read("r.json"));
    let rounds = report.results[0].times.len();
    assert!(report.warnings[0].starts_with(&format!("ended early: {rounds} round")));
    assert_eq!(report.results[1].times.len(), rounds);
}

/// The last probe follows the last run, which leaves a file.
#[test]
#[ignore = "probes the machine twice: ten seconds each"]
fn an_interrupt_in_the_last_probe_of_the_machine_is_told() {
    let folder = Folder::new();
    folder.write("run.sh", "touch done");
    let words = "scale run -P 1 -r 1 -w 0 --machine -o r.txt -- sh run.sh {threads}";
    let mut child = folder.start(words);
    wait_until("the run", || folder.at("done").exists());
    signal(&child, "INT");
    assert_eq!(exit_code_soon(&mut child), Some(130));
}

#[test]
fn any_command_is_measured_and_what_was_measured_before_a_failure_is_shown() {
    let folder = Folder::new();
    let script = "echo {threads} >> runs; test $(wc -l < runs) -lt 9";
    folder.write("run.sh", script.replace("{threads}", "$1"));
    let words = "scale run -P 1,2 -w 0 -r 10 -- sh run.sh {threads}";
    let (code, table, message) = folder.told(words);
    assert_eq!(code, 1);
    assert!(message.contains("ended early: 4 rounds measured"), "{message}");
    assert!(table.contains("sh run.sh {threads}") && table.contains("speed-up"), "{table}");
    let runs = folder.read("runs");
    let ones = runs.lines().take(8).filter(|line| *line == "1").count();
    assert_eq!((runs.lines().count(), ones), (9, 4));
    folder.fails("scale run -- true", 2, "found no {threads} in 'true'");
}

/// The program once waited for the process that held its standard error, and ignored the first signal
/// meanwhile.
#[test]
fn a_background_process_that_holds_standard_error_is_not_waited_for() {
    let folder = Folder::new();
    let script = "sleep 600.0074 & echo $! >> pids; echo from $1 >&2; test $1 = 1";
    folder.write("run.sh", script);
    folder.fails(
        "scale run -P 1,2 -r 1 -w 0 -- sh run.sh {threads}",
        1,
        ["from 2", "with 2 threads"],
    );
    for pid in folder.read("pids").lines() {
        std::process::Command::new("kill").arg(pid).status().unwrap();
    }
}

/// A second report, of runs that took `factor` times as long.
fn slower(folder: &Folder, factor: f64) {
    let text = folder.read("old.json");
    let mut json: Value = serde_json::from_str(&text).unwrap();
    for point in json["results"].as_array_mut().unwrap() {
        let times = [1.0, 1.01, 1.02, 1.03, 1.04, 1.05, 1.06].map(|time| time * factor);
        point["times"] = serde_json::json!(times);
        point["median"] = serde_json::json!(times[3]);
    }
    folder.write("new.json", json.to_string());
    if factor == 1.0 {
        std::fs::copy(folder.at("new.json"), folder.at("old.json")).unwrap();
    }
}

#[test]
fn a_slowdown_beyond_the_threshold_fails() {
    let folder = Folder::new();
    folder.succeed("scale queens 6 -P 1 -r 3 -w 0 --json -o old.json");
    slower(&folder, 1.0);
    let compare = |words: &str| format!("scale compare old.json new.json --fail-above {words}");
    folder.succeed(&compare("0"));
    slower(&folder, 1.2);
    folder.fails(&compare("5%"), 1, "slower by more than 5.0 %: 1 thread by 20.0 %");
    folder.prints(&compare("21"), "slower");
    slower(&folder, 0.8);
    folder.succeed(&compare("5%"));
    folder.fails(&compare("0.05"), 2, "write 0.05% or 5%");
    // Of three reports the one that is slower has its name.
    slower(&folder, 1.2);
    let three = "scale compare old.json old.json new.json --fail-above 5%";
    folder.fails(three, 1, "slower by more than 5.0 %: new.json: 1 thread by 20.0 %");
    folder.fails(&compare("five"), 2, "expected a share such as 5%");
}

/// The lines of a file in `folder`.
fn lines(folder: &Folder, name: &str) -> Vec<String> {
    let text = std::fs::read_to_string(folder.at(name)).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

/// Runs the program with these arguments, one of which may hold blanks.
fn with_words(folder: &Folder, words: &[&str]) -> (i32, String, String) {
    told(output(folder.command("").args(words)))
}

#[test]
fn what_is_done_around_the_runs_is_done_when_it_should_be_and_costs_them_nothing() {
    let folder = Folder::new();
    let line = "scale run -P 1,2 -w 1 -r 2 --json -- sh run.sh {threads}".split(' ');
    let mut words: Vec<&str> = line.collect();
    let hooks = [
        ("--setup", "echo setup {threads} >> log"),
        (
            "--prepare",
            "echo prepare {threads} >> log; i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done",
        ),
        ("--cleanup", "echo cleanup {threads} >> log"),
    ];
    for (flag, text) in hooks {
        words.splice(2..2, [flag, text]);
    }
    folder.write("run.sh", "echo run $1 >> log");
    let (code, out, err) = with_words(&folder, &words);
    assert_eq!((code, err.as_str()), (0, ""));
    // Counting takes a processor longer than starting a shell does.
    let most = read(&out).results.iter().map(|p| p.cpu.unwrap()).fold(0.0, f64::max);
    assert!(most < 0.1, "{most}");
    let log = lines(&folder, "log");
    assert_eq!(log[..2], ["setup 1", "setup 2"]);
    assert_eq!(log[14..], ["cleanup 1", "cleanup 2"], "{log:?}");
    for pair in log[2..14].chunks(2) {
        let prepared = pair[0].strip_prefix("prepare ");
        assert!(prepared.is_some() && prepared == pair[1].strip_prefix("run "), "{log:?}");
    }
}

#[test]
fn a_failure_in_front_of_a_run_is_named_and_what_was_set_up_is_cleaned_up() {
    let folder = Folder::new();
    let words =
        ["scale", "run", "-P", "1", "-r", "1", "-w", "0", "--cleanup", "echo {threads} > log"];
    let command = ["--", "true", "{threads}"];
    for (flag, text) in [("--prepare", "echo no >&2; exit 3"), ("--setup", "exit 3")] {
        let (code, _, err) = with_words(&folder, &[&words[..], &[flag, text], &command].concat());
        assert_eq!(code, 1);
        let named = format!("{flag} '{text}' (append '|| true' if it may fail)");
        assert!(err.contains(&named), "{err}");
        assert!(err.contains("exit status: 3"), "{err}");
        assert_eq!(lines(&folder, "log"), ["1"]);
        std::fs::remove_file(folder.at("log")).unwrap();
    }
    let (code, _, err) = with_words(&folder, &[&words[..9], &["exit 4"], &command[..]].concat());
    assert!(code == 1 && err.contains("--cleanup 'exit 4'"), "{err}");
}

#[test]
fn failures_are_ignored_on_demand_and_told() {
    let folder = Folder::new();
    folder.write("run.sh", "test $1 = 1 || exit 7");
    let words = "scale run -P 1,2 -w 0 -r 3 -i --json -- sh run.sh {threads}";
    let report = read(&folder.succeed(words));
    assert_eq!(report.results[0].exit_codes, [0; 3]);
    assert_eq!(report.results[1].exit_codes, [7; 3]);
    let warned =
        report.warnings.iter().any(|it| it.starts_with("3 of 3 runs with 2 threads failed"));
    assert!(warned, "{:?}", report.warnings);
    let killed = "scale run -P 1 -w 0 -r 1 -i --json -- sh -c kill${IFS}-9${IFS}$$ {threads}";
    assert_eq!(read(&folder.succeed(killed)).results[0].exit_codes, [137]);
}

#[test]
fn the_values_of_a_second_parameter_are_measured_in_the_same_rounds() {
    let folder = Folder::new();
    folder.write("run.sh", "echo $2 $1 >> log");
    let run = "scale run -P 1,2 -w 0 -r 3 --parameter level 1,9";
    let command = "-- sh run.sh {threads} {level}";
    let json =
        folder.succeed(&format!("{run} --json -o r.json --html r.html --svg r.svg {command}"));
    assert_eq!(json, "");
    for round in lines(&folder, "log").chunks(4) {
        let mut round = round.to_vec();
        round.sort_unstable();
        assert_eq!(round, ["1 1", "1 2", "9 1", "9 2"]);
    }
    let text = folder.read("r.json");
    let json: Value = serde_json::from_str(&text).unwrap();
    let result = &json["reports"][1]["results"][1];
    assert_eq!(result["command"], "sh run.sh 2 9");
    assert_eq!(result["parameters"], serde_json::json!({"threads": "2", "level": "9"}));
    let page = folder.read("r.html");
    assert!(page.contains("<h2>level = 9</h2>") && page.contains("Compared with the first"));
    assert!(folder.read("r.svg").contains("level = 9"));
    let compared = folder.succeed("scale compare r.json --html c.html");
    assert!(compared.starts_with("threads"), "{compared}");
    assert!(compared.contains("r.json, level = 9"), "{compared}");
    let page = folder.read("c.html");
    assert!(page.contains("r.json, level = 1") && page.contains("<p>too few runs for 2 rows"));
    assert!(!page.contains("the problem differs"), "{page}");
    let three = folder.succeed("scale compare r.json r.json");
    assert!(three.starts_with("1: r.json, level = 1\n2: r.json, level = 9\n3: r.json"), "{three}");
    let parts =
        ["sh run.sh {threads} 1 (strong", "sh run.sh {threads} 9 (", "Compared with the first"];
    folder.prints(&format!("{run} {command}"), parts);
    let csv = folder.succeed(&format!("{run} --csv {command}"));
    assert!(csv.starts_with("level,threads,") && csv.contains("\n9,2,"), "{csv}");
    for (words, expected) in [
        ("--parameter other 1,2", "found no {other} in"),
        ("--parameter threads 1,2", "found the name 'threads'"),
        ("--parameter level 1,2,1", "found a value twice in '1,2,1'"),
    ] {
        folder.fails(&format!("scale run {words} {command}"), 2, expected);
    }
    folder.write("one.json", json["reports"][0].to_string());
    folder.fails("scale compare one.json", 2, "name a second file");
}

#[test]
fn commands_behind_versus_are_measured_in_the_same_rounds_and_compared() {
    let folder = Folder::new();
    let run = "scale run -P 1,2 -r 3 -w 0 --rest 0.01";
    let words: Vec<&str> = run.split(' ').chain(["--markdown"]).collect();
    let command = [
        "--",
        "sh",
        "-c",
        "echo a{threads} >>log",
        "--versus",
        "sh",
        "-c",
        "echo b{threads} >>log",
    ];
    let (code, out, error) = with_words(&folder, &[&words[..], &command].concat());
    assert_eq!(code, 0, "{error}");
    assert!(out.contains("Compared with the first") && out.contains("x as fast |"), "{out}");
    assert!(out.contains("| command = sh -c echo a{threads} >>log |"), "{out}");
    let log = folder.read("log");
    for round in log.lines().collect::<Vec<_>>().chunks(4) {
        let mut round = round.to_vec();
        round.sort_unstable();
        assert_eq!(round, ["a1", "a2", "b1", "b2"]);
    }
    assert_eq!(log.lines().count(), 12, "{log}");
    folder.fails(
        &format!("{run} -- true {{threads}} --versus true {{threads}}"),
        2,
        "one command twice",
    );
    folder.fails(
        &format!("{run} -- true {{threads}} --versus false"),
        2,
        "found no {threads} in 'false'",
    );
    folder.fails(
        &format!("{run} --parameter a 1 -- true {{threads}} --versus false {{threads}}"),
        2,
        "one of them",
    );
    folder.fails("scale run --rest x -- true {threads}", 2, "expected seconds, such as 2 or 0.5");
}

#[test]
fn an_amount_gives_a_rate() {
    let folder = Folder::new();
    let words = ["scale", "run", "-P", "1", "-r", "1", "-w", "0", "--json", "--amount"];
    let command = ["--", "sh", "-c", "sleep 0.05", "{threads}"];
    let (_, out, _) = with_words(&folder, &[&words[..], &["500 requests"], &command].concat());
    let report = read(&out);
    let point = &report.results[0];
    assert!((point.rate.unwrap() - 500.0 / point.median).abs() < 1e-6, "{point:?}");
    assert!(text::render(&report).contains("  requests/s\n"));
    for wrong in ["500", "many requests", "inf requests", "0 requests"] {
        let words = [&words[..], &[wrong], &command].concat();
        let (code, _, message) = with_words(&folder, &words);
        assert!(code == 2 && message.contains("a number above 0 and a unit"), "{message}");
    }
}

#[test]
fn assignments_in_front_of_a_command_set_its_variables() {
    let folder = Folder::new();
    folder.write("run.sh", "echo $LEFT$RIGHT >> seen");
    let words = "scale run -P 1,2 -r 1 -w 0 --json -- LEFT={threads} RIGHT=a=b sh run.sh";
    let report = read(&folder.succeed(words));
    assert_eq!(report.results[1].command, "LEFT=2 RIGHT=a=b sh run.sh");
    let seen = folder.read("seen");
    let mut seen: Vec<&str> = seen.lines().collect();
    seen.sort_unstable();
    assert_eq!(seen, ["1a=b", "2a=b"]);
    folder.fails("scale run -- N={threads}", 2, "found no command in 'N={threads}'");
    // No name: a program.
    folder.fails("scale run -P 1 -r 1 -w 0 -- ./2={threads}", 1, "cannot run ./2=1");
    let help = folder.succeed("scale run --help");
    for flag in ["--weak", "--pin"] {
        assert!(!help.contains(flag), "{help}");
    }
}

#[test]
fn a_command_is_repeated_as_it_was_run_and_ends_with_its_children() {
    let folder = Folder::new();
    let json = folder.succeed("scale run -P 2 -r 1 -w 0 --json -- true {threads}");
    let report = read(&json);
    assert_eq!(report.results[1].command, "true 2");
    for option in ["--weak", "--pin cores"] {
        let name = option.split(' ').next().unwrap();
        let refused = format!("scale run does not take {name}; leave it out");
        folder.fails(&format!("scale run {option} -- true {{threads}}"), 2, &refused);
    }
    folder.write("run.sh", "sleep 600.0073 & echo $! > pid; wait");
    let mut child = folder.start("scale run -P 1 -r 1 -w 0 -- sh run.sh {threads}");
    let pid = || std::fs::read_to_string(folder.at("pid")).unwrap_or_default();
    wait_until("it runs", || pid().ends_with('\n'));
    signal(&child, "TERM");
    assert_eq!(exit_code_soon(&mut child), Some(143));
    // The process that inherits the killed `sleep` takes a moment to reap it.
    let gone = || {
        let state = std::fs::read_to_string(format!("/proc/{}/stat", pid().trim()));
        state.is_err() || state.unwrap().contains(") Z ")
    };
    wait_until("what the command started is gone", gone);
}

#[test]
fn sudokus_are_counted_and_read_in_any_format() {
    let folder = Folder::new();
    folder.write("p.csv", format!("puzzle\n{PUZZLE}\n"));
    folder.write("many.txt", format!("{}\n{PUZZLE}\n", PUZZLE.replace("53..7", ".....")));
    folder.write("one.txt", PUZZLE.replace("53..7", "....."));
    for words in [
        "scale sudoku p.csv",
        "scale sudoku many.txt --count --engine single",
        "scale sudoku many.txt --count --kernel portable",
        "scale sudoku one.txt --count",
    ] {
        let (code, out, err) = folder.told(&format!("{words} -P 2 -r 1 -w 0 --json"));
        assert_eq!((code, err.as_str()), (0, ""), "{words}");
        let report = read(&out);
        let verb = if words.contains("--count") { "count" } else { "solve" };
        let command = &report.results[1].command;
        assert!(command.starts_with(&format!("tallyboard sudoku {verb} ")), "{command}");
        assert!(command.ends_with(" -j 2"), "{command}");
    }
    folder.fail("scale sudoku -", 2);
    folder.fail("scale sudoku p.csv --weak", 2);
    folder.fail("scale queens 8 -P 1100", 2);
}

#[test]
fn json_has_the_keys_of_hyperfine_and_reads_back() {
    let text = Folder::new().succeed("scale queens 8 -P 1,2 -r 3 --json");
    let json: Value = serde_json::from_str(&text).unwrap();
    for (result, threads) in json["results"].as_array().unwrap().iter().zip(["1", "2"]) {
        for key in ["mean", "stddev", "median", "min", "max", "user", "system"] {
            assert!(result[key].is_f64(), "{key}: {}", result[key]);
        }
        assert_eq!(result["times"].as_array().unwrap().len(), 3);
        assert_eq!(result["parameters"]["threads"], threads);
        assert!(result["command"].as_str().unwrap().ends_with(&format!("-j {threads}")));
    }
    let report = read(&text);
    assert_eq!(report.results.len(), 2);
    assert!(report.models.iter().all(|m| m.fit().is_none()), "two points are no curve");
}

#[test]
fn csv_and_markdown_have_a_line_for_each_point() {
    let csv = Folder::new().succeed("scale queens 7 -P 2 -r 2 --csv");
    let columns: Vec<usize> = csv.lines().map(|line| line.split(',').count()).collect();
    assert_eq!(columns.len(), 3, "a header, 1 thread, 2 threads");
    assert!(columns.iter().all(|&count| count == columns[0]), "{columns:?}");
    let markdown = Folder::new().succeed("scale queens 7 --max 2 -r 2 --markdown");
    let rows: Vec<&str> = markdown.lines().filter(|line| line.starts_with('|')).collect();
    let cells: Vec<usize> = rows.iter().map(|row| row.matches('|').count()).collect();
    assert_eq!((rows.len(), &cells[1..]), (4, &[cells[0]; 3][..]), "{markdown}");
    assert!(rows[1].starts_with("| --: |") && markdown.starts_with("**queens 7 (strong"));
}

#[test]
fn one_command_gives_a_page_without_scripts() {
    let folder = Folder::new();
    folder.succeed(
        "scale queens 8 -P 1,2 -r 3 --pin nodes --machine --html r.html --svg r.svg \
         --json -o r.json",
    );
    let html = folder.read("r.html");
    assert!(html.starts_with("<!DOCTYPE html>") && html.ends_with("</html>\n"));
    assert_eq!(html.matches("<svg").count(), 6, "curves, forecast, bars, timeline");
    for outside in ["<script", "<link", "src=", "href=", "@import", "url("] {
        assert!(!html.contains(outside), "{outside}");
    }
    assert!(html.contains("<h2>What the machine can deliver</h2>"));
    let text = folder.read("r.json");
    let measured: Value = serde_json::from_str(&text).unwrap();
    let processors = read(&text).subject.machine.processors();
    let ceilings = measured["conditions"]["ceilings"].as_array().unwrap();
    let threads: Vec<&Value> = ceilings.iter().map(|it| &it["threads"]).collect();
    let mut expected: Vec<usize> = vec![1, 2, processors];
    expected.retain(|it| *it <= processors);
    expected.dedup();
    assert_eq!(threads, expected);
    let picture = folder.read("r.svg");
    assert!(picture.contains("prefers-color-scheme") && picture.contains("rotate(-90)"));
    if cfg!(feature = "png") {
        folder.succeed("scale queens 6 -P 1 -r 1 --png r.png");
        assert!(folder.bytes("r.png").starts_with(b"\x89PNG"));
    }
    let same = folder.prints("scale compare r.json r.json", "unclear");
    assert!(!same.contains("faster\n"), "{same}");
}

#[cfg(target_os = "linux")]
#[test]
fn memory_that_is_not_there_is_not_measured() {
    let (code, _, said) = confined(&Folder::new(), 200_000, "scale queens 6 -r 1 --machine");
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("--machine needs ") && said.contains("(ulimit -v) leaves "), "{said}");
}

#[test]
fn weak_scaling_multiplies_the_work_of_both_jobs() {
    let folder = Folder::new();
    let report = folder.json("scale queens 8 -P 3 -r 1 --weak --json");
    let subtrees = |at: usize| -> u64 {
        let loads = report["results"][at]["workers"]["loads"].as_array().unwrap();
        loads.iter().map(|load| load["subtrees"].as_u64().unwrap()).sum()
    };
    assert_eq!(report["results"][1]["work"], 3.0);
    assert_eq!(subtrees(1), 3 * subtrees(0));
    assert!(report["forecast"].is_null());
    let words = folder.prints("scale queens 8 -P 3 -r 1 --weak --details", "Gustafson's law");
    assert!(!words.contains("Amdahl"), "{words}");

    folder.write("puzzles.txt", format!("{PUZZLE}\n{PUZZLE}"));
    folder.succeed("scale sudoku puzzles.txt -P 1,2 -r 2 --weak");
}

/// A speed-up below 1 is drawn below 1, not on the frame of the chart.
#[test]
fn the_prediction_shows_points_that_are_slower_than_one_thread() {
    let report = measure(&[1, 2, 4], 3, |threads| {
        let problem = Synthetic::new(0.0, vec![threads.pow(2) as f64; 8], 0.0);
        problem.simulate(threads)
    });
    assert!(report.results.iter().all(|p| p.threads == 1 || p.speedup < 1.0));
    let picture = tallyboard_scale::forms::pictures::standalone(&[report]).svg();
    // The right half is a group, shifted by the width of the left one.
    let (_, right) = picture.split_once(r#"<g transform="translate(420 26)">"#).unwrap();
    let right = right.split("</g>").next().unwrap();
    let dots = right.split(r#"stroke-width="7" d="M"#).skip(1);
    let mut heights: Vec<&str> = dots.map(|dot| dot.split([' ', 'L']).nth(1).unwrap()).collect();
    heights.sort_unstable();
    heights.dedup();
    assert_eq!(heights.len(), 3, "{heights:?}");
}
