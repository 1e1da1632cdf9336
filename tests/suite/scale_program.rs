//! Promise: what `scale` prints of a run of the program is what happened in it.

use crate::common::PUZZLE;
use crate::common::runs::{Folder, output, told};
use serde_json::Value;
use tallyboard_scale::forms::data;
use tallyboard_scale::report::Report;

fn document(folder: &Folder, words: &str) -> String {
    folder.succeed(&words.replacen(" -", " --json -", 1))
}

/// The report of a run, with what comparisons show of it.
fn report(folder: &Folder, words: &str) -> Report {
    data::read(&document(folder, words)).unwrap().remove(0)
}

/// The whole report of a run.
fn value(folder: &Folder, words: &str) -> Value {
    serde_json::from_str(&document(folder, words)).unwrap()
}

/// A puzzle, one with several solutions, one with none, and a line that is no puzzle.
#[test]
fn puzzles_of_every_kind_are_counted_as_puzzles_and_their_solutions_to_the_last() {
    let folder = Folder::new();
    let (many, none) = (PUZZLE.replace("53..7", "....."), PUZZLE.replace("53..7", "55..7"));
    folder.write("p.txt", format!("{PUZZLE}\n{many}\n{none}\n"));
    let found = report(&folder, "scale sudoku p.txt -P 2 -r 3 -w 0");
    for point in &found.results {
        let rate = 3.0 / point.median;
        assert!((point.rate.unwrap() / rate - 1.0).abs() < 1e-9, "{point:?}");
    }
    let weak = report(&folder, "scale sudoku p.txt -P 2 -r 3 -w 0 --weak");
    assert!((weak.results[1].rate.unwrap() * weak.results[1].median - 6.0).abs() < 1e-6);
    // One puzzle alone is split, and its solutions are what is counted.
    folder.write("many.txt", &many);
    let row = folder.succeed("-q sudoku count many.txt");
    let solutions: f64 = row.trim().rsplit(':').next().unwrap().parse().unwrap();
    let one = report(&folder, "scale sudoku many.txt --count -P 1 -r 3 -w 0");
    assert_eq!(one.subject.unit.as_deref(), Some("solutions"));
    assert!((one.results[0].rate.unwrap() * one.results[0].median / solutions - 1.0).abs() < 1e-9);
}

#[test]
fn weak_scaling_counts_the_solutions_of_all_the_boards() {
    let folder = Folder::new();
    let found = report(&folder, "scale queens 6 -P 3 -r 3 -w 0 --weak");
    let amounts = found.results.iter().map(|it| (it.rate.unwrap() * it.median).round());
    assert_eq!(amounts.collect::<Vec<_>>(), [4.0, 12.0]);
}

#[test]
fn the_kernel_asked_for_is_in_the_command_that_repeats_a_run() {
    let folder = Folder::new();
    folder.write("p.txt", format!("{PUZZLE}\nno puzzle\n"));
    let words = "scale sudoku p.txt --kernel portable -P 1 -r 1 -w 0";
    let found = report(&folder, words);
    let command = "tallyboard sudoku solve p.txt --kernel portable -j 1";
    assert_eq!(found.results[0].command, command);
    assert_eq!(folder.said(words), "sudoku p.txt: 1 bad line\n");
    folder.write("c.txt", "a b\na\nb\n");
    let found =
        report(&folder, "scale cover c.txt --engine masks --kernel portable -P 1 -r 1 -w 0");
    let command = "tallyboard cover count c.txt --engine masks --kernel portable -j 1";
    assert_eq!(found.results[0].command, command);
}

/// A message of more than a pipe holds.
#[cfg(unix)]
#[test]
fn of_a_long_standard_error_the_end_is_told() {
    let folder = Folder::new();
    let script = "head -c 200000 /dev/zero | tr '\\0' x >&2; echo the last words >&2; exit 1";
    folder.write("run.sh", script);
    let message =
        folder.fails("scale run -P 1 -r 1 -w 0 -- sh run.sh {threads}", 1, "xthe last words");
    assert!(message.len() < 70_000, "{}", message.len());
}

/// One process, told to run two threads: what the second has not done is serial. Samples may be too few on a busy machine.
#[cfg(target_os = "linux")]
#[test]
fn a_command_with_one_thread_of_two_is_serial() {
    let folder = Folder::new();
    let script = "i=0; while [ $i -lt 600000 ]; do i=$((i+1)); done";
    folder.write("run.sh", script);
    let found = value(&folder, "scale run -P 2 -r 1 -w 0 -- sh run.sh {threads}");
    let losses = &found["results"][1]["losses"];
    let share = |name: &str| losses[name].as_f64();
    // On a busy machine the one thread has no processor in many samples, in which nothing is active.
    if let Some(preempted) = share("preempted").filter(|share| *share < 0.2) {
        assert!(share("serial").unwrap() + preempted > share("gaps").unwrap(), "{losses}");
    }
}

#[test]
fn files_that_were_written_are_named_unless_one_wants_quiet() {
    let folder = Folder::new();
    let words = "scale queens 6 -P 1 -r 1 -w 0 --json -o r.json --html r.html";
    let (_, out, err) = folder.told(words);
    assert_eq!((out.as_str(), err.as_str()), ("", "wrote r.json, r.html\n"));
    let (_, out, err) = folder.told(&format!("-q {words}"));
    assert_eq!(out + &err, "");
    assert_eq!(folder.said("scale queens 6 -P 1 -r 1 -w 0 -o -"), "");
    assert_eq!(folder.said("scale compare r.json r.json --html c.html"), "wrote c.html\n");
}

#[test]
fn a_number_of_rounds_replaces_its_bounds() {
    let folder = Folder::new();
    let rounds = |words: &str| {
        report(&folder, &format!("scale queens 6 -P 1 -w 0 {words}")).results[0].times.len()
    };
    assert_eq!([rounds("-r 3 -m 4"), rounds("-r 3 -M 2"), rounds("-m 2 -M 2")], [3, 3, 2]);
    folder.fails("scale queens 6 -m 4 -M 2", 2, "found -M 2, expected at least the 4 rounds of -m");
}

#[test]
fn reports_of_different_work_are_compared_on_demand_alone() {
    let folder = Folder::new();
    for size in [6, 7] {
        folder.succeed(&format!("scale queens {size} -P 1 -r 3 -w 0 --json -o {size}.json"));
    }
    let expected = "found reports of 'queens 6' and 'queens 7', expected one problem";
    folder.fails("scale compare 6.json 7.json", 2, expected);
    folder.prints(
        "scale compare 6.json 7.json --different",
        "the problem differs: queens 6 / queens 7",
    );
    // Commands differ by their names only.
    for name in ["a", "b"] {
        folder.succeed(&format!(
            "scale run -P 1 -r 3 -w 0 --json -o {name} -- true {name}{{threads}}"
        ));
    }
    folder.prints("scale compare a b", "the problem differs");
}

/// A shell that holds 10 MB for each thread.
#[cfg(target_os = "linux")]
#[test]
fn the_peak_memory_of_a_command_is_that_of_gnu_time_and_grows_with_its_threads() {
    let folder = Folder::new();
    let script = "x=$(head -c $((10000000 * $1)) /dev/zero | tr '\\0' x)";
    folder.write("run.sh", script);
    let words = "scale run -P 1,2,4 -r 1 -w 0 -- sh run.sh {threads}";
    let found = value(&folder, words);
    let peak = |at: usize| found["results"][at]["resident_bytes"].as_f64().unwrap();
    assert!(peak(0) > 10e6 && peak(1) > 20e6 && peak(2) > 40e6, "{found}");
    let growth = &found["memory"];
    assert!(growth["each"].as_f64().unwrap() > 7e6, "{growth}");
    assert!(growth["room"].as_f64().unwrap() > 1e6 && found["conditions"]["room_bytes"].is_u64());
    let rows = folder.succeed(&words.replacen(" -", " --csv -", 1));
    let column = rows.lines().next().unwrap().split(',').position(|it| it == "resident_bytes");
    let cells = rows.lines().skip(1).map(|row| row.split(',').nth(column.unwrap()).unwrap());
    assert!(cells.clone().all(|cell| cell.parse::<f64>().unwrap() > 10e6), "{rows}");
    folder.prints(
        &words.replacen(" -", " --details -", 1),
        ["  memory\n", "more for each further thread"],
    );
    let gnu = std::process::Command::new("/usr/bin/time")
        .args(["-f", "%M", "sh", "run.sh", "4"])
        .current_dir(folder.path())
        .output();
    let Ok(gnu) = gnu else { return };
    let kib: f64 = String::from_utf8(gnu.stderr).unwrap().trim().parse().unwrap();
    assert!((peak(2) / (kib * 1024.0) - 1.0).abs() < 0.02, "{} and {kib} KiB", peak(2));
}

/// What one run held is not told of the next.
#[cfg(target_os = "linux")]
#[test]
fn the_programs_own_peak_is_told_of_each_run() {
    let folder = Folder::new();
    let found = value(&folder, "scale queens 8 -P 1,2 -r 2 -w 0");
    for point in found["results"].as_array().unwrap() {
        // Where the system forgets no peak, nothing is told.
        let bytes = point["resident_bytes"].as_f64();
        assert!(bytes.is_none_or(|bytes| (1e6..1e9).contains(&bytes)), "{point}");
    }
}

/// A control group of this name with a tenth of a processor, removed in the end; `None` where none can be made.
#[cfg(target_os = "linux")]
struct Quota(std::path::PathBuf);

#[cfg(target_os = "linux")]
impl Quota {
    fn make() -> Option<Self> {
        let name = format!("tallyboard-{}", std::process::id());
        // Version 2, or the hierarchy of version 1.
        let settings: [(&str, &[(&str, &str)]); 2] = [
            ("/sys/fs/cgroup", &[("cpu.max", "10000 100000")]),
            (
                "/sys/fs/cgroup/cpu",
                &[("cpu.cfs_period_us", "100000"), ("cpu.cfs_quota_us", "10000")],
            ),
        ];
        settings.iter().find_map(|(mount, files)| {
            let folder = std::path::Path::new(mount).join(&name);
            std::fs::create_dir(&folder).ok()?;
            let quota = Self(folder);
            let is_set = |(file, text): &(&str, &str)| {
                quota.0.join(file).exists() && std::fs::write(quota.0.join(file), text).is_ok()
            };
            files.iter().all(is_set).then_some(quota)
        })
    }
}

#[cfg(target_os = "linux")]
impl Drop for Quota {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir(&self.0);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn in_a_group_with_a_quota_the_quota_is_the_cause() {
    let Some(quota) = Quota::make() else {
        eprintln!("SKIPPED: no control group with a quota can be made here");
        return;
    };
    let group = quota.0.join("cgroup.procs");
    let tallyboard = env!("CARGO_BIN_EXE_tallyboard");
    let script = format!(
        "echo $$ >{} && exec {tallyboard} -q scale queens 15 -P 1,2 -r 3 -w 0",
        group.display()
    );
    let output = output(std::process::Command::new("sh").args(["-c", &script]));
    let text = String::from_utf8_lossy(&output.stdout);
    let words = "Main cause: the quota of the control group";
    // Where other programs left less than the quota grants, they are the cause.
    let is_cause = text.contains(words) && text.contains("it grants 0.10 processors");
    let is_busy = ["the machine was busy", "Main cause: busy neighbours"];
    assert!(is_cause || is_busy.iter().any(|told| text.contains(told)), "{text}{output:?}");
    assert!(text.contains("share the 0.10 processors of the control group's quota"), "{text}");
}

#[test]
fn a_command_in_quotes_gets_a_hint() {
    let found = output(Folder::new().command("scale run --").arg("xz -T{threads} f"));
    let (code, _, error) = told(found);
    assert_eq!(code, 2);
    assert!(error.contains("one word with blanks, 'xz -T{threads} f'"), "{error}");
    assert!(error.contains("leave the quotes out"), "{error}");
}

#[test]
fn a_saved_report_becomes_a_badge() {
    let folder = Folder::new();
    folder.write("a.csv", "threads,time\n1,10\n2,6\n4,4\n");
    folder.succeed("scale fit a.csv --json -o a.json");
    folder.says("scale show a.json --badge a.svg", "wrote a.svg");
    assert!(folder.read("a.svg").contains("efficiency, 4 threads: 62.5 %<"));
    let report = data::read(&std::fs::read_to_string("tests/data/scale/strong.json").unwrap());
    let badge = tallyboard_scale::forms::pictures::badge(&report.unwrap()).svg();
    assert!(badge.contains("efficiency, 4 threads: 75.0 % (70.0 % to 78.9 %)<"), "{badge}");
}

#[test]
fn reports_in_a_folder_are_compared_oldest_first_and_drawn_one_after_the_other() {
    let folder = Folder::new();
    std::fs::create_dir(folder.at("all")).unwrap();
    for (name, day, seconds) in [("a", 28, 12), ("b", 26, 10), ("c", 27, 11)] {
        folder.write("t.csv", format!("threads,time\n1,{seconds}\n2,{}\n", seconds - 4));
        let mut report: Value =
            serde_json::from_str(&folder.succeed("scale fit t.csv --json")).unwrap();
        report["conditions"]["began"] = format!("2026-11-{day} 20:15").into();
        folder.write(format!("all/{name}.json"), report.to_string());
    }
    folder.write("all/other.json", "{}");
    let order = "1: all/b.json\n2: all/c.json\n3: all/a.json\n";
    folder.prints("scale compare all --html all.html", order);
    let page = folder.read("all.html");
    assert!(page.contains("Median times of 3 reports") && page.contains(">2 threads<"), "{page}");
    folder.fails("scale compare all/other.json all/a.json", 1, "no report of `scale … --json`");
}
