//! What `tallyboard sudoku` says and how it ends.

use crate::common::runs::{
    Folder, LONGEST, PROGRAM, command, ended, is_listening, output_of, shell_code, signal,
    status_of, sudoku, wait_until, watched,
};
use crate::common::{PUZZLE, SOLUTION};
use std::fs;
use std::process::Stdio;

#[test]
fn bad_lines_are_reported_and_kept_in_their_place() {
    let (code, out, err) = sudoku("solve", format!("{PUZZLE}\nwhat\n{PUZZLE}"));
    assert_eq!(code, 1);
    assert_eq!(out, format!("{PUZZLE}:1:{SOLUTION}\n!what\n{PUZZLE}:1:{SOLUTION}\n"));
    let (_, other_breaks, _) = sudoku("solve", format!("{PUZZLE}\r\nwhat\r\n{PUZZLE} x\r\n"));
    assert_eq!(other_breaks, out);
    assert!(err.contains("<stdin>:2: found 'w' in column 1, expected 1-9 or a blank"), "{err}");
    assert!(err.contains("2 puzzles: 2 unique, 0 without a solution"), "{err}");
}

#[test]
fn strict_ends_at_the_first_bad_line() {
    let (code, out, err) = sudoku("solve --strict", format!("{PUZZLE}\n123\n{PUZZLE}\n"));
    assert_eq!((code, out), (1, format!("{PUZZLE}:1:{SOLUTION}\n")));
    assert_eq!(err, "tallyboard: <stdin>:2: found 3 cells, expected 81\n");
    // In other formats a good row may begin with `!`, the mark of bad lines, and a bad one without.
    let (_, out, _) =
        sudoku("count --strict", format!("id,quiz\n!1,{PUZZLE}\n2,what\n3,{PUZZLE}\n"));
    assert_eq!(out, format!("id,quiz,count\n!1,{PUZZLE},1\n"));
}

#[test]
fn an_error_leaves_all_rows_before_it_in_a_redirected_file() {
    let folder = Folder::new();
    let good = format!("{PUZZLE}\n");
    folder.write("in.txt", format!("# so\n{}123\n{good}123\n", good.repeat(10_000)));
    for threads in ["1", "2"] {
        let mut command = folder.command(&format!("-q -j {threads} sudoku solve --strict in.txt"));
        command.stdout(fs::File::create(folder.at("out.txt")).unwrap());
        let (code, _, said) = ended(command.stderr(Stdio::piped()).spawn().unwrap());
        assert_eq!(code, 1);
        assert!(said.ends_with("in.txt:10002: found 3 cells, expected 81\n"), "{said}");
        let rows = folder.read("out.txt");
        let expected = format!("{PUZZLE}:1:{SOLUTION}\n").repeat(10_000);
        assert!(rows == format!("# so\n{expected}"), "{threads}");
    }
}

#[test]
fn limits_and_bare_solutions() {
    let empty = ".".repeat(81);
    let clash = format!("11{}", ".".repeat(79));
    let (code, out, _) = sudoku("solve --solutions-only", format!("{PUZZLE}\n{clash}\n"));
    assert_eq!((code, out), (0, format!("{SOLUTION}\n\n")));
    let (_, out, _) = sudoku("count --limit 1000", format!("{empty}\n{clash}\n"));
    assert_eq!(out, format!("{empty}:1000\n{clash}:0\n"));
    assert_eq!(sudoku("solve --limit 0", "").0, 2);
}

#[test]
fn a_missing_file_and_a_folder_are_named() {
    let (code, _, err) = sudoku("solve no/such/file", "");
    assert_eq!(code, 1);
    assert!(err.starts_with("tallyboard: cannot read no/such/file: "), "{err}");
    let (code, _, err) = sudoku("solve tests", "");
    assert_eq!(
        (code, err.as_str()),
        (1, "tallyboard: cannot read tests: found a folder, expected a file\n")
    );
}

#[test]
fn output_files_appear_whole_or_not_at_all() {
    let folder = Folder::new();
    folder.write("out.txt", "before");
    let bad = format!("{PUZZLE}\nwhat\n");
    assert_eq!(folder.feed("sudoku solve --strict -o out.txt", bad).0, 1);
    assert_eq!(folder.read("out.txt"), "before");
    assert_eq!(folder.feed("sudoku solve -o out.txt", PUZZLE).0, 0);
    assert_eq!(folder.read("out.txt"), format!("{PUZZLE}:1:{SOLUTION}\n"));
    assert_eq!(folder.files(), 1, "no temporary file stays");
}

#[cfg(unix)]
#[test]
fn output_keeps_pipes_links_and_rights_as_they_are() {
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
    let folder = Folder::new();
    let at = |name: &str| folder.at(name);
    let solve_to = |name: &str| folder.feed(&format!("sudoku solve -o {name}"), PUZZLE).0;
    let rows = format!("{PUZZLE}:1:{SOLUTION}\n");

    assert!(std::process::Command::new("mkfifo").arg(at("pipe")).status().unwrap().success());
    let pipe = at("pipe");
    let reader = std::thread::spawn(move || fs::read_to_string(pipe).unwrap());
    assert_eq!(solve_to("pipe"), 0);
    // Still a pipe: a file in its place would leave the reader waiting for ever.
    assert!(fs::metadata(at("pipe")).unwrap().file_type().is_fifo());
    assert_eq!(reader.join().unwrap(), rows);

    folder.write("file", "before");
    fs::set_permissions(at("file"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink("file", at("link")).unwrap();
    assert_eq!(solve_to("link"), 0);
    assert!(fs::symlink_metadata(at("link")).unwrap().is_symlink());
    assert_eq!(folder.read("file"), rows);
    assert_eq!(fs::metadata(at("file")).unwrap().permissions().mode() & 0o777, 0o640);
}

#[test]
fn an_output_that_cannot_be_made_is_named_as_asked_for() {
    let folder = Folder::new();
    folder.write("file", "");
    for (name, why) in [("nowhere/rows", "No such file"), ("file/rows", "not a directory")] {
        let path = folder.at(name);
        let (code, out, err) = sudoku(&format!("solve -o {}", path.display()), PUZZLE);
        assert_eq!((code, out.as_str()), (1, ""));
        let said = err.replace(path.to_str().unwrap(), "PATH");
        assert!(said.starts_with(&format!("tallyboard: cannot write PATH: {why}")), "{err}");
        assert!(!said.contains(folder.path().to_str().unwrap()), "{err}");
    }
}

#[cfg(unix)]
#[test]
fn the_descriptor_that_a_name_stands_for_is_written_to() {
    let folder = Folder::new();
    let log = folder.at("log");
    fs::write(&log, "before\n").unwrap();
    let mut child = command("sudoku solve -q -o /dev/stdout")
        .stdin(Stdio::piped())
        .stdout(fs::File::options().append(true).open(&log).unwrap())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), PUZZLE.as_bytes()).unwrap();
    assert!(status_of(&mut child).success());
    let rows = format!("before\n{PUZZLE}:1:{SOLUTION}\n");
    assert_eq!(fs::read_to_string(&log).unwrap(), rows);
}

/// Runs `words` with a pipe for its input, into which `first` is written. Gives the rows that are
/// answered while the pipe stays open, then the exit code after SIGINT.
#[cfg(target_os = "linux")]
fn interrupted(words: &str, first: &str, rows: usize) -> (Vec<String>, Option<i32>) {
    use std::io::{BufRead, BufReader, Write};
    let mut program = command(words);
    let mut child =
        program.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(first.as_bytes()).unwrap();
    let output = BufReader::new(child.stdout.take().unwrap());
    let lines = output.lines().take(rows).map(Result::unwrap);
    let answered = watched(child.id(), LONGEST, || lines.collect());
    wait_until("it listens", || is_listening(&child));
    signal(&child, "INT");
    let code = shell_code(status_of(&mut child));
    drop(input);
    (answered, code)
}

#[cfg(target_os = "linux")]
#[test]
fn a_live_pipe_gets_its_answers_and_a_signal_is_heard_while_it_is_idle() {
    let row = format!("{PUZZLE}:1:{SOLUTION}");
    let text = format!("{PUZZLE}\n").repeat(3);
    for words in ["-j 1", "-j 2", "-j 2 --engine single"] {
        let words = format!("-q sudoku solve {words}");
        assert_eq!(interrupted(&words, &text, 3), (vec![row.clone(); 3], Some(130)), "{words}");
    }
    let counts = interrupted("-q sudoku count", &text, 3);
    assert_eq!(counts, (vec![format!("{PUZZLE}:1"); 3], Some(130)));
    let (forms, code) = interrupted("-q -j 3 sudoku canon", &text, 3);
    assert_eq!((forms.len(), code), (3, Some(130)));
    let four = format!("{}\n", ".".repeat(16));
    let (rows, code) = interrupted("-q sudoku solve --to csv", &four, 2);
    assert_eq!((rows.len(), code), (2, Some(130)));
}

#[cfg(target_os = "linux")]
#[test]
fn a_signal_is_heard_in_the_middle_of_long_work() {
    let folder = Folder::new();
    let out = folder.at("out.txt");
    let sixteen = format!("{}\n", ".".repeat(256));
    let empty = format!("{}\n", ".".repeat(81));
    let out = out.to_str().unwrap();
    for (words, input) in [
        ("sudoku count --size 16", &sixteen),
        ("sudoku solve --engine single --limit 1000000000000", &empty),
        ("sudoku solve --limit 1000000000000", &empty),
        ("sudoku generate --clues 17", &empty),
        ("sudoku solve", &String::new()),
    ] {
        let words = format!("-q -j 2 {words} -o {out}");
        assert_eq!(interrupted(&words, input, 0).1, Some(130), "{words}");
        assert_eq!(folder.files(), 0, "{words}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_strict_run_ends_while_its_input_is_idle() {
    use std::io::Write;
    for threads in ["1", "3"] {
        let words = format!("-q -j {threads} sudoku solve --strict");
        let mut child = command(&words).stdin(Stdio::piped()).spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        // A number alone might stand above puzzles.
        input.write_all(b"12.\n").unwrap();
        assert_eq!(status_of(&mut child).code(), Some(1));
        drop(input);
    }
}

#[test]
fn rows_before_a_truncation_are_written() {
    use std::io::Write;
    let mut encoder = tallyboard_files::compress::Encoder::new(
        Vec::new(),
        tallyboard_files::compress::Compression::Gzip,
        1,
    )
    .unwrap();
    encoder.write_all(format!("{PUZZLE}\n").repeat(3).as_bytes()).unwrap();
    let data = encoder.finish().unwrap();
    for threads in ["1", "2"] {
        // Without the checksum at its end.
        let (code, out, err) = sudoku(&format!("solve -j {threads}"), &data[..data.len() - 6]);
        assert_eq!((code, out.lines().count()), (1, 3), "{err}");
        assert!(err.contains("the file is truncated"), "{err}");
    }
}

#[test]
fn bad_lines_by_the_million_are_counted() {
    for words in ["solve -q", "solve"] {
        let (code, out, err) = sudoku(words, "what\n".repeat(1234));
        assert_eq!((code, out), (1, "!what\n".repeat(1234)));
        assert_eq!(err.lines().filter(|line| line.contains("found 'w'")).count(), 100);
        assert!(err.contains("<stdin>: 1,134 more lines like these\n"), "{err}");
    }
}

#[test]
fn a_summary_may_be_json() {
    let folder = Folder::new();
    folder.write("puzzles", format!("{PUZZLE}\nwhat\n"));
    let (code, document, _) = folder.told("sudoku solve puzzles --json -o rows");
    let document: serde_json::Value = serde_json::from_str(&document).unwrap();
    assert_eq!((code, &document["unique"], &document["bad"]), (1, &1.into(), &1.into()));
    assert_eq!(sudoku("solve --json", PUZZLE).0, 2);
}

#[test]
fn impossible_wishes_are_refused() {
    let folder = Folder::new();
    let known = "no minimal puzzle with more is known";
    folder.fails("sudoku generate --minimal --clues 60", 2, known);
}

#[test]
fn kernels_are_checked_alike_everywhere() {
    let folder = Folder::new();
    let bad = |words: &str| folder.fail(&format!("{words} --kernel mmx"), 2);
    assert_eq!(bad("sudoku solve").lines().nth(1), bad("queens count 5").lines().nth(1));
}

#[test]
fn other_compressions_are_refused_by_name() {
    let folder = Folder::new();
    folder.write("puzzles", PUZZLE);
    folder.fails("sudoku solve puzzles -o rows.xz", 1, "found xz, expected gzip, zstd");
    for (data, name) in [(&b"\xfd7zXZ\0\0"[..], "xz"), (b"BZh91AY&SY", "bz2")] {
        let (code, _, err) = sudoku("solve", data);
        assert!(code == 1 && err.contains(&format!("found {name}, expected gzip, zstd")), "{err}");
    }
}

#[test]
fn a_name_in_capitals_is_compressed_as_well() {
    let folder = Folder::new();
    folder.succeed("sudoku generate 3 -o P.GZ -q");
    assert!(folder.bytes("P.GZ").starts_with(b"\x1f\x8b"));
    let solved = folder.succeed("sudoku solve P.GZ -q");
    assert_eq!(solved.lines().count(), 3);
}

#[test]
fn one_of_a_thing_is_no_plural() {
    let (_, _, err) = sudoku("solve -j 1", format!("{PUZZLE}\n5\n"));
    assert!(err.starts_with("<stdin>:2: found 1 cell, expected 81\n1 puzzle: 1 unique, "), "{err}");
    assert!(err.contains(" 0 with more than one, 1 bad line\n"), "{err}");
    let (_, _, err) = sudoku("canon", format!("{PUZZLE}\n"));
    assert!(err.starts_with("1 puzzle, 0 bad lines; "), "{err}");
}

#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_written_is_a_failure() {
    for word in ["--help", "--version"] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let (code, _, err) =
            ended(command(word).stdout(full).stderr(Stdio::piped()).spawn().unwrap());
        assert_eq!(code, 1, "{word}");
        assert!(err.starts_with("tallyboard: cannot write standard output: "), "{err}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn nobody_to_listen_is_no_panic() {
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let mut child = command("sudoku solve")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(full)
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), PUZZLE.as_bytes()).unwrap();
    let output = output_of(child);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(output.stdout, format!("{PUZZLE}:1:{SOLUTION}\n").as_bytes());
}

#[test]
fn compressed_files_go_round() {
    let folder = Folder::new();
    let text = format!("{PUZZLE}\n").repeat(5000);
    for suffix in ["gz", "zst"] {
        let name = &format!("rows.{suffix}");
        let (code, _, err) = folder.feed(&format!("sudoku canon -o {name}"), &text);
        if suffix == "zst" && !cfg!(feature = "zstd") {
            assert!(code == 1 && err.contains("does not write it: use a name in .gz"), "{err}");
            assert!(!folder.at(name).exists());
            let level = ruzstd::encoding::CompressionLevel::Fastest;
            folder.write(name, ruzstd::encoding::compress_to_vec(text.as_bytes(), level));
        } else {
            assert_eq!(code, 0, "{err}");
        }
        let count = format!("sudoku count {name} --limit 2");
        assert_eq!(folder.succeed(&count).lines().count(), 5000);
        let data = folder.bytes(name);
        folder.write(name, &data[..data.len() - 6]);
        folder.fails(&count, 1, "data break off: the file is truncated");
    }
}

/// Of a puzzle without solution none may be stated, of one with several any that it has, in every format.
#[test]
fn checking_knows_puzzles_without_and_with_several_solutions() {
    let without = "55".to_owned() + &PUZZLE[2..];
    let several = ".".repeat(81);
    let other = SOLUTION.replace('1', "x").replace('2', "1").replace('x', "2");
    let cases = [
        (&without, "", true),
        (&without, SOLUTION, false),
        (&several, SOLUTION, true),
        (&several, &other, true),
        (&several, &without, false),
        (&several, "", false),
    ];
    for (puzzle, stated, is_right) in cases {
        let csv = format!("quiz,solution\n{PUZZLE},{SOLUTION}\n{puzzle},{stated}\n");
        let jsonl = [[PUZZLE, SOLUTION], [puzzle.as_str(), stated]].map(|[quiz, solution]| {
            format!("{{\"quiz\":\"{quiz}\",\"solution\":\"{solution}\"}}\n")
        });
        for (text, line) in [(csv, 3), (jsonl.concat(), 2)] {
            let (code, _, err) = sudoku("solve --check", &text);
            assert_eq!(code, i32::from(!is_right), "{text}{err}");
            assert_eq!(err.contains(&format!("<stdin>:{line}: ")), !is_right, "{text}{err}");
        }
    }
}

#[test]
fn checking_reports_each_disagreement_by_line() {
    let wrong = SOLUTION.replace("534", "543");
    let text = format!("quiz,solution\n{PUZZLE},{SOLUTION}\n{PUZZLE},{wrong}\n");
    let (code, _, err) = sudoku("solve --check", text);
    assert_eq!(code, 1);
    assert!(
        err.starts_with(&format!(
            "<stdin>:3: the solution stated here is {wrong}, found {SOLUTION}"
        )),
        "{err}"
    );
    let text = format!("quiz,solution\n{PUZZLE},{SOLUTION}\n");
    let (code, _, err) = sudoku("solve --check", text);
    assert!(code == 0 && err.contains("1 stated solution compared, all right\n"), "{err}");
    let (code, _, err) = sudoku("solve --check", "quiz,solution\n");
    assert!(code == 1 && err.contains("no stated solution to compare\n"), "{err}");
    let text = format!("quiz,solution\n{PUZZLE},{SOLUTION}\n{PUZZLE},\n{PUZZLE},{wrong}\n");
    let (code, _, err) = sudoku("solve --check", text);
    assert_eq!(code, 1);
    for said in [
        &format!("<stdin>:3: no solution is stated here, found {SOLUTION}\n"),
        "2 stated solutions compared, 1 wrong\n",
        "without a stated solution: 1\n",
        ", 0 bad lines\n",
    ] {
        assert!(err.contains(said), "{said} {err}");
    }
    let (code, _, err) = sudoku("solve --check", PUZZLE);
    assert_eq!(code, 1);
    assert!(err.contains("nothing to check: lines input states no solutions"), "{err}");
    let (code, _, err) = sudoku("solve --check", format!("{{\"puzzle\":\"{PUZZLE}\"}}\n"));
    assert_eq!(code, 1);
    assert!(err.contains("nothing to check: jsonl input states no solutions"), "{err}");
}

#[test]
fn stats_tell_how_each_puzzle_is_solved() {
    let hard = "98.7..6..75..4......3..8.7.5....7.3...94.........2.1..3.......1.9...5.8...52....6";
    let text = format!("# note\n{PUZZLE}\n{hard}\nwhat\n11{}\n", ".".repeat(79));
    let (code, out, _) = sudoku("solve --stats", text.clone());
    let rows: Vec<&str> = out.lines().collect();
    assert_eq!((code, rows.len(), rows[0], rows[3]), (1, 5, "# note", "!what"));
    assert_eq!(rows[1], format!("{PUZZLE}:1:{SOLUTION}:singles:0"));
    assert_eq!(rows[4], format!("11{}:0::singles:0", ".".repeat(79)));
    let (_, guesses) = rows[2].split_once(":guesses:").unwrap();
    assert!(guesses.parse::<u64>().unwrap() > 10, "{guesses} guesses");
    for other in ["-j 3", "--engine single", "--kernel portable"] {
        assert_eq!(sudoku(&format!("solve --stats {other}"), text.clone()).1, out, "{other}");
    }

    let one = |words: &str| sudoku(words, PUZZLE).1;
    assert_eq!(one("count --stats"), format!("{PUZZLE}:1:singles:0\n"));
    assert_eq!(one("solve --stats --solutions-only"), format!("{SOLUTION}:singles:0\n"));
    let json = one("solve --stats --to jsonl");
    assert!(json.contains("\"method\":\"singles\"") && json.contains("\"guesses\":0"), "{json}");
    let picture = one("solve --stats --to sdk");
    assert!(picture.starts_with("#C solutions: 1\n#C method: singles, guesses: 0\n"), "{picture}");
    let (_, csv, _) = sudoku("count --stats", format!("id,quiz\n1,{PUZZLE}\n2,what\n"));
    let expected = format!("id,quiz,count,method,guesses\n1,{PUZZLE},1,singles,0\n2,what,!,!,!\n");
    assert_eq!(csv, expected);
    let (code, _, err) = sudoku("solve --stats", ".".repeat(16));
    assert!(
        code == 1 && err.contains("the column method is one of 9 × 9 grids; found 4 × 4"),
        "{err}"
    );
}

#[test]
fn grids_with_more_solutions_than_can_be_looked_at_are_counted_by_every_engine() {
    let empty = ".".repeat(81);
    let all = "6670903752021072936960";
    for words in ["count --engine single", "count", "count --stats"] {
        let (code, out, _) = sudoku(words, format!("{empty}\n{PUZZLE}\n"));
        let rows: Vec<&str> = out.lines().collect();
        assert_eq!((code, rows.len()), (0, 2), "{words}");
        assert!(rows[0].starts_with(&format!("{empty}:{all}")), "{words} {out}");
        assert!(rows[1].starts_with(&format!("{PUZZLE}:1")), "{words} {out}");
    }
}

#[test]
fn a_count_of_another_size_that_has_no_end_says_so_and_can_be_estimated() {
    use std::io::{BufRead, BufReader, Write};
    let open = ".".repeat(256);
    let mut run = command("sudoku count")
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    run.stdin.take().unwrap().write_all(open.as_bytes()).unwrap();
    let mut said = String::new();
    let mut errors = BufReader::new(run.stderr.take().unwrap());
    watched(run.id(), LONGEST, || errors.read_line(&mut said).unwrap());
    run.kill().unwrap();
    status_of(&mut run);
    assert!(said.contains("--limit counts up to a number"), "{said}");
    let (code, out, err) = sudoku("count", ".".repeat(16));
    assert_eq!((code, out), (0, format!("{}:288\n", ".".repeat(16))));
    assert!(!err.contains("--limit"), "{err}");
    let (code, out, _) = sudoku("estimate -", ".".repeat(16));
    assert!(code == 0 && out.starts_with(&format!("{}:2", ".".repeat(16))), "{out}");
}

#[test]
fn one_puzzle_with_many_solutions_is_counted_whole() {
    let puzzle =
        "..............1..2..3....4.......5.6..6.....1..7.8.....1...6....5.......2..4...8.";
    for threads in ["1", "3"] {
        let (code, out, _) = sudoku(&format!("count -q -j {threads}"), puzzle);
        assert_eq!((code, out), (0, format!("{puzzle}:5008\n")));
    }
    // What else the input holds is there, too, and the puzzle stays as it is spelled.
    let zeros = puzzle.replace('.', "0");
    let (_, out, _) = sudoku("count -q", format!("# one\n\n{zeros} two\r\n"));
    assert_eq!(out, format!("# one\n\n{zeros}:5008\n"));
    let (_, out, _) = sudoku("count -q", format!("id,quiz\n7,{puzzle}\n"));
    assert_eq!(out, format!("id,quiz,count\n7,{puzzle},5008\n"));
    let (code, out, _) = sudoku("estimate -", puzzle);
    assert_eq!(code, 0);
    assert!(out.starts_with(&format!("{puzzle}:")) && out.contains(" to "), "{out}");
    // One or two descents give no interval.
    let hard = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";
    let (code, out, err) = sudoku("estimate - --probes 2", hard);
    assert_eq!((code, out), (0, format!("{hard}:unknown\n")));
    assert!(err.contains("2 random descents, none found a solution"), "{err}");
    assert_eq!(sudoku("estimate -", format!("{PUZZLE}\n{PUZZLE}")).0, 1);
}

#[test]
fn other_sizes_are_found_from_the_first_line() {
    let (code, out, _) = sudoku("count", format!("{}\n1...............\n", ".".repeat(16)));
    assert_eq!((code, out), (0, format!("{}:288\n1...............:72\n", ".".repeat(16))));
    let blank = vec!["0"; 625].join(" ");
    let (code, out, _) = sudoku("solve --limit 1 --solutions-only", blank);
    assert_eq!((code, out.split_whitespace().count()), (0, 625));
}

#[test]
fn generated_puzzles_are_the_same_for_the_same_seed() {
    let (code, first, _) = sudoku("generate 20 --clues 28 --seed 7", "");
    assert_eq!((code, first.lines().count()), (0, 20));
    assert_eq!(sudoku("generate 20 --clues 28 --seed 7", "").1, first);
    let (_, out, _) = sudoku("count --limit 2 -q", first.clone());
    assert!(out.lines().all(|line| line.ends_with(":1")));
    assert!(first.lines().all(|line| line.replace('.', "").len() == 28));
}

#[test]
fn a_hundred_thousand_puzzles_take_little_memory_and_any_thread_count() {
    let folder = Folder::new();
    folder.write("many.txt", format!("{PUZZLE}\n").repeat(100_000));
    let solve = |threads: u32| folder.succeed(&format!("sudoku solve -q -j {threads} many.txt"));
    let one = solve(1);
    assert_eq!(one.lines().count(), 100_000);
    assert!(one == solve(8), "rows depend on the number of threads");
}

#[cfg(target_os = "linux")]
mod linux {
    use super::*;

    #[test]
    fn memory_stays_below_64_mebibytes() {
        let folder = Folder::new();
        folder.write("many.txt", format!("{PUZZLE}\n").repeat(100_000));
        // A parent process of its own reports the peak of its child, whatever other tests run meanwhile.
        let script = "import resource, subprocess, sys\n\
             subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)\n\
             print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)";
        let measured = std::process::Command::new("python3")
            .args(["-c", script])
            .arg(PROGRAM)
            .args(["sudoku", "solve", "-q", "-j", "2", "many.txt"])
            .current_dir(folder.path())
            .output();
        let Ok(measured) = measured else {
            eprintln!("skipped: there is no python3 to read the peak memory with");
            return;
        };
        let kibibytes: u64 = String::from_utf8(measured.stdout).unwrap().trim().parse().unwrap();
        assert!(kibibytes < 64 << 10, "{kibibytes} KiB");
    }

    #[test]
    fn a_full_disk_is_an_error() {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let child =
            command("sudoku generate 100").stdout(full).stderr(Stdio::piped()).spawn().unwrap();
        let (code, _, said) = ended(child);
        assert_eq!(code, 1);
        assert!(said.contains("cannot write") && said.contains("space"), "{said}");
    }

    #[test]
    fn a_closed_pipe_is_a_quiet_success() {
        let mut child = Folder::new().start("sudoku generate 100000");
        drop(child.stdout.take());
        assert_eq!(ended(child), (0, String::new(), String::new()));
    }
}

/// A 16 × 16 grid with the first `open` rows left blank.
fn sixteen(open: usize) -> String {
    let value = |row: usize, column: usize| (4 * (row % 4) + row / 4 + column) % 16;
    let cell = |at: usize| match at / 16 {
        row if row < open => '.',
        row => char::from(b"123456789ABCDEFG"[value(row, at % 16)]),
    };
    (0..256).map(cell).collect()
}

#[test]
fn every_core_counts_a_single_puzzle_of_another_size_and_a_journal_keeps_it() {
    let puzzle = sixteen(3);
    // With a limit the puzzle is counted as a stream, on one core.
    let (_, expected, _) = sudoku("count --limit 1000000000", &puzzle);
    assert!(expected.starts_with(&puzzle) && !expected.ends_with(":1\n"), "{expected}");
    let folder = Folder::new();
    folder.write("puzzle", &puzzle);
    for more in ["--journal j", "--journal j --resume", ""] {
        let (code, rows, said) = folder.told(&format!("sudoku count puzzle -j 3 {more}"));
        assert_eq!((code, &rows), (0, &expected), "{said}");
        assert!(said.contains("threads 3, method enumeration"), "{said}");
    }
    let two = format!("{puzzle}\n{puzzle}\n");
    assert_eq!(sudoku("count", &two).1, expected.repeat(2));
}

/// Every verb takes one of several puzzles by its number, in any format, as if it stood in a file of its own.
#[test]
fn a_puzzle_of_many_is_taken_by_its_number() {
    let here = Folder::new();
    let second = PUZZLE.replace('3', ".");
    here.write("second", &second);
    here.write("lines", format!("# three\n{PUZZLE}\n\n{second}\n{PUZZLE}\n"));
    here.write("table", format!("id,puzzle\n1,{PUZZLE}\n2,{second}\n3,{PUZZLE}\n"));
    for file in ["lines", "table"] {
        for verb in ["list", "draw", "explain", "tally --json"] {
            let words = |rest: &str| format!("-q sudoku {verb} {rest}");
            let one = here.told(&words("second"));
            let taken = here.told(&words(&format!("{file} --number 2")));
            assert_eq!((taken.0, taken.1), (one.0, one.1), "{verb} {file}: {}", taken.2);
        }
        here.fails(
            &format!("sudoku list {file} --number 4"),
            2,
            "found 3 puzzles, expected at least 4",
        );
        here.fails(&format!("sudoku list {file}"), 1, "--number");
    }
    here.write("bad", format!("{PUZZLE}\nwhat\n{PUZZLE}\n"));
    here.succeed("sudoku list bad --number 1");
    here.fails("sudoku list bad --number 2", 1, "bad:2: found");
    // Of other sizes, too.
    here.write("small", format!("{}\n1{}\n", ".".repeat(16), ".".repeat(15)));
    here.prints("sudoku draw small --number 2", "1 2");
}
