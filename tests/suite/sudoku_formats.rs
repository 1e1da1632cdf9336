//! Any bytes in any format end as documented: rows for every record, or a clear error; never a
//! panic.

use std::collections::BTreeMap;
use std::io::{Read, Write};

use crate::common::{PUZZLE, SOLUTION};
use proptest::prelude::*;
use tallyboard_files::compress::{self, Compression, Encoder};
use tallyboard_search::Stop;
use tallyboard_sudoku::format::{
    Column, Form, FormOptions, Format, KINDS, OnePuzzle, Row, RowUnit, Value, sniff,
};
use tallyboard_sudoku::sized::Size;
use tallyboard_sudoku::stream::{Settings, StreamError, Summary, solve_stream};

/// The rows, the sums and the bad lines of a stream.
pub type Found = (String, Summary, Vec<String>);

pub fn solve(text: impl AsRef<[u8]>, wanted: &FormOptions, threads: usize) -> Found {
    solve_in_chunks(text.as_ref(), wanted, threads, None)
}

fn solve_in_chunks(
    text: &[u8],
    wanted: &FormOptions,
    threads: usize,
    chunk_bytes: Option<usize>,
) -> Found {
    let form = Form::find(text, wanted).unwrap();
    let stop = Stop::new();
    solve_form(text, &form, Settings { threads, chunk_bytes, ..Settings::new(&stop) })
}

pub fn solve_form(text: &[u8], form: &Form, settings: Settings) -> Found {
    let (mut output, mut bad) = (Vec::new(), Vec::new());
    let summary = solve_stream(form, &mut { text }, &mut output, &settings, &mut |line| {
        bad.push(line.to_string());
    });
    (String::from_utf8_lossy(&output).into_owned(), summary.unwrap(), bad)
}

/// Options by which what the input states is compared.
pub fn check() -> FormOptions {
    FormOptions { check: true, ..FormOptions::default() }
}

/// Options for this format of the output.
pub fn to(output: Format) -> FormOptions {
    FormOptions { output: Some(output), ..FormOptions::default() }
}

/// Solves `text`, whose form is the one that is found, by several threads in tiny and large chunks, always to the same.
pub fn solve_as_found(text: impl AsRef<[u8]>) -> Found {
    solve_every_way(&text, &FormOptions::default())
}

/// The same, with the form that is wanted.
pub fn solve_every_way(text: impl AsRef<[u8]>, wanted: &FormOptions) -> Found {
    let text = text.as_ref();
    let first = solve(text, wanted, 1);
    for (threads, chunk_bytes) in
        [(1, 1), (2, 1), (3, 1), (8, 7), (2, 100), (3, 360), (2, 1000), (2, 1 << 20)]
    {
        let mut again = solve_in_chunks(text, wanted, threads, Some(chunk_bytes));
        (again.1.elapsed, again.1.threads) = (first.1.elapsed, first.1.threads);
        assert_eq!(again, first, "{threads} threads, {chunk_bytes} bytes");
    }
    first
}

#[test]
fn every_format_is_found_and_turned_into_every_other() {
    let lines = format!("{PUZZLE}\n{PUZZLE}\n");
    let plain = solve(&lines, &FormOptions::default(), 1).0;
    for middle in Format::WRITTEN {
        let text = solve(&lines, &to(middle), 1).0;
        let (rows, summary, _) = solve(&text, &to(Format::Lines), 1);
        assert_eq!(summary.puzzles(), 2, "{middle}: {text}");
        let puzzles = rows.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
        match middle {
            // Pictures show the solution.
            Format::Sdk | Format::Grid => {
                assert!(puzzles.eq(vec![format!("{SOLUTION}:1:{SOLUTION}"); 2]))
            }
            _ => assert!(puzzles.eq(plain.lines())),
        }
    }
}

#[test]
fn a_mark_carriage_returns_and_a_missing_line_break_change_nothing() {
    let csv = format!("id,quiz,solution\n1,{PUZZLE},{SOLUTION}\n2,\"{PUZZLE}\",\n");
    let marked = format!("\u{feff}{}", csv.trim_end().replace('\n', "\r\n"));
    let wanted = check();
    let expected = solve(&csv, &wanted, 1);
    let found = solve(&marked, &wanted, 1);
    assert_eq!((&expected.0, expected.1.lines, &expected.2), (&found.0, found.1.lines, &found.2));
    assert_eq!((expected.1.compared, expected.1.disagreements, expected.1.unstated), (1, 0, 1));
    assert!(expected.2[0].starts_with("line 3: no solution is stated here"), "{:?}", expected.2);
}

#[test]
fn bad_records_name_their_line() {
    let grid = "53..7....\n6..195...\n.98....6.\n8...6...3\n4..8.3..1\n7...2...6\n.6....28.\n...419..5\n....8..79\n";
    let short = grid.replace(".6....28.\n", ".6....28\n");
    let (rows, summary, bad) = solve(format!("{grid}\n{short}{grid}"), &FormOptions::default(), 2);
    assert_eq!((summary.unique, summary.bad), (2, 1));
    assert_eq!(bad, ["line 17: found 8 cells in this row of the grid, expected 9"]);
    assert!(rows.contains("!.6....28\n"));
}

#[test]
fn long_files_give_the_same_rows_for_every_thread_count() {
    let picture: String =
        (0..9).map(|row| format!("{}\n", &PUZZLE[row * 9..row * 9 + 9])).collect();
    for text in [format!("{PUZZLE} a note\n").repeat(3000), picture.repeat(3000)] {
        let expected = solve(&text, &FormOptions::default(), 1);
        assert_eq!(expected.1.unique, 3000);
        for threads in [2, 8] {
            assert_eq!(solve(&text, &FormOptions::default(), threads).0, expected.0);
        }
    }
}

#[test]
fn an_endless_line_is_an_error_in_bounded_memory() {
    let form = Form::lines();
    let stop = Stop::new();
    let settings = Settings { threads: 1, ..Settings::new(&stop) };
    let mut text = b"# first\n".chain(std::io::repeat(b'5'));
    let error = solve_stream(&form, &mut text, &mut std::io::sink(), &settings, &mut |_| {});
    assert!(matches!(error, Err(StreamError::LongLine(2))), "{error:?}");
}

#[test]
fn lines_with_a_percent_sign_between_puzzles_are_comments() {
    let text = format!("% easy\n{PUZZLE}\n% hard, level 9\n{PUZZLE}\n");
    let (rows, _, bad) = solve(&text, &FormOptions::default(), 2);
    let row = format!("{PUZZLE}:1:{SOLUTION}\n");
    assert_eq!(rows, format!("% easy\n{row}% hard, level 9\n{row}"));
    assert!(bad.is_empty(), "{bad:?}");
}

#[test]
fn a_header_behind_comments_is_a_header_for_any_number_of_threads() {
    let comments = "# a comment of some length\n".repeat(20);
    let text = format!("{comments}\nid,quiz\n1,{PUZZLE}\n# between\n2,what\n");
    let (rows, summary, bad) = solve_as_found(&text);
    let expected =
        format!("{comments}id,quiz,count,found\n1,{PUZZLE},1,{SOLUTION}\n# between\n2,what,!,!\n");
    assert_eq!(rows, expected);
    assert_eq!((summary.lines, summary.unique, summary.bad), (25, 1, 1));
    assert!(bad[0].starts_with("line 25: found 'w' in column 1"), "{bad:?}");
}

#[test]
fn framed_pictures_keep_every_puzzle_whatever_their_line_breaks() {
    let to_grid = to(Format::Grid);
    let (framed, ..) = solve(format!("{PUZZLE}\n"), &to_grid, 1);
    let framed = format!("+---+---+---+\n{framed}+---+---+---+\n");
    for text in [framed.clone(), framed.replace('\n', "\r\n")] {
        let (_, summary, bad) = solve_as_found(text.repeat(12));
        assert_eq!((summary.puzzles(), bad), (12, Vec::new()));
    }
}

#[test]
fn quoted_columns_may_hold_line_breaks_and_rows_have_all_columns() {
    let text = format!(
        "note,quiz,more\r\n\"two\r\nlines, \"\"quoted\"\"\",{PUZZLE},\r\n{PUZZLE}\r\n,{PUZZLE},\"x\"\n"
    );
    let (rows, summary, bad) = solve_as_found(&text);
    let expected = format!(
        "note,quiz,more,count,found\n\"two\r\nlines, \"\"quoted\"\"\",{PUZZLE},,1,{SOLUTION}\n\
         \"{PUZZLE}\",,,!,!\n,{PUZZLE},\"x\",1,{SOLUTION}\n"
    );
    assert_eq!(rows, expected);
    assert_eq!((summary.lines, summary.unique), (5, 2));
    assert_eq!(bad, ["line 4: found 1 column, expected 3 as in the header"]);
    // A quote that is never closed spoils its own line.
    let text = format!("quiz,note\n{PUZZLE},\"a\n{PUZZLE},b\n");
    let (rows, summary, bad) = solve_as_found(&text);
    assert_eq!((summary.unique, summary.bad, bad.len()), (1, 1, 1));
    assert!(rows.contains(&format!("\"{PUZZLE},\"\"a\",,!,!\n{PUZZLE},b,1,")), "{rows}");
}

#[test]
fn json_records_are_read_as_json() {
    let escaped = PUZZLE.replace('5', "\\u0035");
    let text = format!(
        "# note\n{{\"name\":\"a \\\"b\\\" \\u00e9\",\"quiz\":\"{PUZZLE}\",\"solution\":{SOLUTION}}}\n\
         {{\"puzzle\":\"{}\",\"count\":12345678901234567890123,\"id\":1.50}}\n{{\"id\":1}}\n",
        escaped
    );
    let wanted = check();
    let (rows, summary, bad) = solve_every_way(&text, &wanted);
    let rows: Vec<&str> = rows.lines().collect();
    assert_eq!(rows[0], "{\"comment\":\"# note\"}");
    let source = text.lines().nth(1).unwrap().strip_suffix('}').unwrap();
    assert_eq!(rows[1], format!("{source},\"count\":1,\"found\":\"{SOLUTION}\"}}"));
    let expected =
        format!("{{\"puzzle\":\"{escaped}\",\"id\":1.50,\"count\":1,\"found\":\"{SOLUTION}\"}}");
    assert_eq!(rows[2], expected);
    assert!(rows[3].starts_with("{\"bad\":\"{\\\"id\\\":1}\""), "{}", rows[3]);
    assert_eq!((summary.unique, summary.bad, summary.unstated), (2, 1, 1));
    assert!(bad[0].starts_with("line 3: no solution is stated here"), "{bad:?}");
    // What was written is read again.
    let again = rows.join("\n");
    let (_, summary, _) = solve_as_found(&again);
    assert_eq!((summary.puzzles(), summary.bad), (2, 1));
}

#[test]
fn counts_beyond_64_bits_are_whole_in_every_form() {
    let count = u128::from(u64::MAX) + 7;
    for (output, row) in [
        (Format::Lines, format!("{PUZZLE}:{count}\n")),
        (Format::Csv, format!("puzzle,count\n{PUZZLE},{count}\n")),
        (
            Format::Jsonl,
            format!("{{\"puzzle\":\"{PUZZLE}\",\"count\":{count},\"count_text\":\"{count}\"}}\n"),
        ),
        (Format::Sdk, format!("#C solutions: {count}\n")),
        (Format::Grid, format!("#C solutions: {count}\n")),
    ] {
        let wanted = to(output);
        let form = Form::find(PUZZLE.as_bytes(), &wanted).unwrap();
        let single = OnePuzzle::find(&form, PUZZLE.as_bytes()).unwrap();
        assert_eq!(single.nine().unwrap().to_string(), PUZZLE);
        let rows = String::from_utf8(single.rows(count)).unwrap();
        assert!(rows.starts_with(&row), "{output}: {rows}");
    }
}

#[test]
fn pictures_may_have_headings() {
    let picture: String =
        (0..9).map(|row| format!("{}\n", &PUZZLE[row * 9..row * 9 + 9])).collect();
    let zeros = picture.replace('.', "0");
    let text = format!("Grid 01\n{zeros}Grid 02\n{zeros}");
    let lines = to(Format::Lines);
    let (rows, summary, _) = solve_every_way(&text, &lines);
    assert_eq!((summary.unique, summary.bad), (2, 0));
    assert!(rows.starts_with("# Grid 01\n53007") && rows.contains("\n# Grid 02\n"), "{rows}");
}

#[test]
fn what_is_no_text_and_no_records_is_refused_at_once() {
    let refused = |text: &[u8]| Form::find(text, &FormOptions::default()).unwrap_err().to_string();
    let wide = |big: bool| -> Vec<u8> {
        let unit = |unit: u16| if big { unit.to_be_bytes() } else { unit.to_le_bytes() };
        PUZZLE.encode_utf16().flat_map(unit).collect()
    };
    for text in [wide(false), wide(true), [&b"\xff\xfe"[..], &wide(false)].concat()] {
        assert!(refused(&text).starts_with("found UTF-16"), "{}", refused(&text));
    }
    let zeros = Form::find(&[0; 200], &FormOptions::default()).map_err(|error| error.to_string());
    assert!(!zeros.is_err_and(|error| error.contains("UTF-16")), "zeros are no text at all");
    for (head, name) in [
        (&b"PAR1\x15\x04"[..], "a Parquet file"),
        (b"ARROW1\0\0\xff\xff\xff\xff", "an Arrow (Feather) file"),
        (b"\xff\xff\xff\xff\x10\x01", "a stream of Arrow record batches"),
        (b"\x93NUMPY\x01\0", "a NumPy array"),
        (b"PK\x03\x04\x14\0", "a zip archive"),
        // Python 3.11 and pandas 3.1.1, protocols 2 to 5.
        (b"\x80\x02]q\0X", "a Python pickle"),
        (b"\x80\x03cpan", "a Python pickle"),
        (b"\x80\x04\x95\x5f\0", "a Python pickle"),
        (b"\x80\x05\x95\x1c\x03", "a Python pickle"),
    ] {
        let message = refused(head);
        assert!(message.starts_with(&format!("found {name}")), "{message}");
        assert!(message.contains("text or CSV") && message.lines().count() == 1, "{message}");
    }
    let lines = format!("PARIS\n{PUZZLE}\n");
    assert!(Form::find(lines.as_bytes(), &FormOptions::default()).is_ok(), "a title is no magic");
    for array in ["[]", "[{\"puzzle\": 1}, 2]"] {
        assert!(refused(array.as_bytes()).contains("jq -c"), "{}", refused(array.as_bytes()));
    }
    assert!(refused(b"<?xml version=\"1.0\"?>\n<puzzle/>\n").starts_with("found no document"));
}

#[test]
fn lines_may_state_their_solutions() {
    let wrong = SOLUTION.replace("534", "543");
    let text = format!("{PUZZLE},{SOLUTION}\n{PUZZLE}:1:{SOLUTION}\n{PUZZLE},{wrong}\n");
    let wanted = check();
    let (_, summary, bad) = solve_every_way(&text, &wanted);
    assert_eq!((summary.unique, summary.disagreements, bad.len()), (3, 1, 1));
    assert!(bad[0].starts_with("line 3: the solution stated here is 543"), "{bad:?}");
}

#[test]
fn bare_dashes_are_blanks_where_no_frame_may_be() {
    let rows: Vec<&str> = (0..9).map(|row| &PUZZLE[row * 9..row * 9 + 9]).collect();
    let mut blank = rows.clone();
    blank[4] = "---------";
    let framed =
        [&rows[..3], &["---------"], &rows[3..6], &["---------"], &rows[6..], &["---------"]];
    let pictures = [blank.concat(), PUZZLE.to_owned(), blank.concat()];
    let text = [blank.join("\n"), framed.concat().join("\n"), blank.join("\n")].join("\n");
    let lines = to(Format::Lines);
    let (rows, summary, bad) = solve_every_way(&text, &lines);
    assert_eq!((summary.puzzles(), bad), (3, Vec::new()));
    for (row, puzzle) in rows.lines().zip(pictures) {
        assert!(row.starts_with(&puzzle), "{row}");
    }
}

#[test]
fn other_sizes_are_found_in_every_format_that_holds_them() {
    let (puzzle, solution) = ("1...............", "1234341221434321");
    for (text, size) in [
        (format!("id,quiz\n# so\n7,{puzzle}\n8,{solution}\n"), None),
        (format!("id,quiz\n7,{puzzle}\n8,{solution}\n"), Some(Size::Four)),
        (format!("{{\"puzzle\":\"{puzzle}\"}}\n{{\"puzzle\":\"{solution}\"}}\n"), None),
        (format!("{puzzle}\n{solution}\n"), None),
    ] {
        let wanted = FormOptions { size, output: Some(Format::Lines), ..FormOptions::default() };
        let (rows, summary, bad) = solve_every_way(&text, &wanted);
        assert_eq!((summary.many, summary.unique, bad), (1, 1, Vec::new()), "{text}");
        assert!(rows.contains(&format!("{solution}:1:{solution}\n")), "{rows}");
        // The record behind a header is waited for.
        let (head, _) = sniff(OneByOne(text.as_bytes())).unwrap();
        assert_eq!(Form::find(&head, &wanted).unwrap().size(), Size::Four, "{text}");
    }
    // What lines of other sizes state is compared, too.
    let text = format!("{puzzle},{solution}\n{puzzle}:1:{}\n", solution.replace("12", "21"));
    let wanted = check();
    let (_, summary, _) = solve_every_way(&text, &wanted);
    assert_eq!((summary.compared, summary.disagreements), (2, 1));
}

#[test]
fn a_number_may_stand_above_puzzles() {
    let rows: String = PUZZLE
        .as_bytes()
        .chunks(9)
        .map(|row| String::from_utf8_lossy(row).into_owned() + "\n")
        .collect();
    for (text, puzzles) in [
        (format!("9\n{rows}"), 1),
        (format!("9 9\n{rows}\n{rows}"), 2),
        (format!("3\n\n{rows}"), 1),
        (format!("2\n{PUZZLE}\n{PUZZLE}\n"), 2),
    ] {
        let (_, summary, bad) = solve_as_found(text.clone());
        assert_eq!((summary.unique, bad), (puzzles, vec![]), "{text}");
    }
    // Rows of four cells are numbers, too.
    let (_, summary, bad) = solve_as_found("1234\n3412\n2143\n4321\n");
    assert_eq!((summary.unique, bad), (1, vec![]));
}

/// `--column` names where in JSON the puzzles are, of documents over several lines and of one a line.
#[test]
fn puzzles_stand_under_a_path_in_json() {
    let under = |path: &str, text: &str| {
        let wanted = FormOptions { column: Some(path.to_owned()), ..FormOptions::default() };
        solve_every_way(text, &wanted)
    };
    let solved = solve_as_found(PUZZLE).0;
    let solution = solved.trim().rsplit(':').next().unwrap().to_owned();
    let grid = |cells: &str| {
        let rows = cells.as_bytes().chunks(9).map(|row| {
            let cells = row
                .iter()
                .map(|&cell| if cell == b'.' { "0".into() } else { char::from(cell).to_string() });
            format!("[{}]", cells.collect::<Vec<_>>().join(","))
        });
        format!("[{}]", rows.collect::<Vec<_>>().join(",\n"))
    };
    let (puzzle, answer) = (grid(PUZZLE), grid(&solution));
    let document = format!(
        "{{\n \"newboard\": {{\"grids\": [\n{{\"value\": {puzzle}, \"solution\": {answer}}}]}}, \"first\": \"{PUZZLE}\"\n}}\n"
    );
    let lines = document.replace('\n', "") + "\n";
    for text in [&document, &lines, &format!("{document}{document}"), &format!("{lines}{lines}")] {
        let documents = text.matches("newboard").count() as u64;
        for (path, is_solved) in [
            ("newboard.grids.value", false),
            ("newboard.grids.0.value", false),
            ("grids.value", false),
            ("newboard.grids.solution", true),
            ("first", false),
        ] {
            let (rows, summary, bad) = under(path, text);
            assert_eq!((summary.unique, &bad[..]), (documents, &[][..]), "{path}: {text}");
            let row = rows.lines().next().unwrap();
            assert!(row.starts_with(if is_solved { &solution } else { PUZZLE }), "{path}: {row}");
        }
        let (_, _, bad) = under("newboard.values", text);
        assert!(bad[0].contains("found nothing under \"newboard.values\""), "{bad:?}");
        assert!(bad[0].contains("are first, newboard"), "{bad:?}");
    }
    let (_, _, bad) = under("a.b", "{\"a\": {\"b\": \"12\"}}");
    assert_eq!(bad.len(), 1, "{bad:?}");
    let (_, summary, bad) =
        under("a.b", &format!("{{\"a\": {{\"b\": [\"{PUZZLE}\", \"{PUZZLE}\"]}}}}"));
    assert_eq!((summary.unique, bad.len()), (2, 0));
    // A member of an object a line may have a point in its name.
    let (_, summary, bad) = under("a.b", &format!("{{\"a.b\": \"{PUZZLE}\"}}\n"));
    assert_eq!((summary.unique, bad.len()), (1, 0));
}

#[test]
fn objects_with_rules_are_refused_and_lists_of_words_are_not() {
    let record = |member: &str| format!("{{\"puzzle\":\"{PUZZLE}\",{member}}}\n");
    for rules in ["\"areas\":[[0,1],[2,3]]", "\"cages\":[\"a\"]", "\"x\":{\"y\":[1]}"] {
        let (_, summary, bad) = solve_as_found(record(rules));
        assert_eq!((summary.puzzles(), bad.len()), (0, 1), "{rules}");
        assert!(bad[0].contains("rules of a variant"), "{bad:?}");
    }
    for other in ["\"tags\":[\"easy\",\"new\"]", "\"rules\":\"classic\"", "\"cages\":[]"] {
        assert_eq!(solve_as_found(record(other)).1.unique, 1, "{other}");
    }
}

#[test]
fn rules_in_a_saved_game_and_documents_without_puzzles_are_told_with_their_lines() {
    let kind = KINDS.iter().find(|kind| kind.example.contains("<ksudoku>")).unwrap();
    for (from, to, line) in [
        ("type=\"sudoku\"", "type=\"custom\"", 5),
        ("  </puzzle>", "  <cage size=\"2\">0 1</cage>\n  </puzzle>", 7),
        ("<values>", "<values>_", 6),
    ] {
        let (_, _, bad) = solve_as_found(kind.example.replace(from, to));
        assert_eq!(bad.len(), 1, "{bad:?}");
        assert!(bad[0].starts_with(&format!("line {line}: found ")), "{bad:?}");
    }
    let (_, summary, bad) = solve("[\n[1, 2],\n[3]\n]\n", &FormOptions::default(), 1);
    assert_eq!((summary.puzzles(), bad.len()), (0, 2), "each list for itself");
    let page = "<html>\n<p>5</p>\n";
    assert_eq!(solve(page, &FormOptions::default(), 1).1.puzzles(), 0);
}

/// Rows of a table as pandas writes them, in one line and in many: more text than one record may have.
#[test]
fn a_list_of_puzzles_in_json_is_read_member_by_member() {
    let member = format!("{{\"id\": 7, \"puzzle\": \"{PUZZLE}\", \"solution\": \"{SOLUTION}\"}}");
    let list = format!("\"{PUZZLE}\"");
    let rows = format!("[{}]", PUZZLE.replace("", ",").trim_matches(',').replace('.', "0"));
    for (member, count) in [(&member, 7000), (&list, 14_000), (&rows, 8000)] {
        for separator in [",", ",\n  "] {
            let text = format!("[{}]\n", vec![member.as_str(); count].join(separator));
            assert!(text.len() > 1 << 20);
            let (_, summary, bad) = solve(&text, &FormOptions::default(), 2);
            assert_eq!((summary.unique, bad), (count as u64, vec![]), "{separator:?}");
        }
        // A member that is no puzzle stays alone, and is told with its line.
        for (wrong, found) in [
            ("{\"puzzle\": 1}", "line 3"),
            ("17", "line 3"),
            ("\"5\"", "line 3"),
            ("{\"puzzle\":\n 1 2}", "line"),
        ] {
            let text = format!("[\n{member},\n{wrong},\n  {member}\n]\n");
            let (_, summary, bad) = solve_as_found(&text);
            assert_eq!(
                (summary.unique, summary.lines, bad.len()),
                (2, text.matches('\n').count() as u64, 1),
                "{text}"
            );
            assert!(bad[0].starts_with(found), "{bad:?}");
        }
        let (_, summary, bad) = solve_as_found(format!("[{member}, {member}"));
        assert_eq!((summary.unique, bad.len()), (1, 1), "a list without an end");
    }
}

#[test]
fn sections_of_a_file_are_one_puzzle_and_a_band_behind_an_empty_line_belongs_to_it() {
    let rows: Vec<&str> = (0..9).map(|row| &PUZZLE[row * 9..row * 9 + 9]).collect();
    let bands = [rows[..3].join("\n"), rows[3..6].join("\n"), rows[6..].join("\n")];
    let lines = to(Format::Lines);
    let (_, summary, bad) = solve_every_way(bands.join("\n\n"), &lines);
    assert_eq!((summary.unique, bad), (1, Vec::new()));
    // Three rows that no band follows are no puzzle, and what follows is one.
    let (_, summary, bad) =
        solve_every_way(format!("{}\n\n{}\n", bands[0], rows.join("\n")), &lines);
    assert_eq!((summary.unique, bad.len()), (1, 1));
    assert!(bad[0].starts_with("line 3: found a grid of 3 rows"), "{bad:?}");
    let sections = "[State]\n1\n2\n[CellColours]\n0,0\n";
    let text = format!("[Puzzle]\n{0}\n{sections}[Puzzle]\n{0}\n{sections}", rows.join("\n"));
    let (_, summary, bad) = solve_every_way(text, &lines);
    assert_eq!((summary.unique, summary.lines, bad), (2, 30, Vec::new()));
}

#[test]
fn pencil_marks_are_solved_exactly_and_other_columns_refuse_them() {
    // All candidates but one: of the two values that would do in two cells, it leaves one.
    let open: String = SOLUTION.chars().map(|digit| format!("{digit:.<9}")).collect();
    let both = |text: &str, cell: usize, marks: &str| {
        format!("{}{marks:.<9}{}", &text[..cell * 9], &text[cell * 9 + 9..])
    };
    // The rectangle r1c4 r1c5 r3c4 r3c5? Any cell may have any candidates: its solution stays the only one.
    let text = both(&both(&open, 0, "123456789"), 80, "19");
    let (rows, summary, _) = solve_as_found(format!("{text}\n"));
    assert_eq!((summary.unique, rows.contains(&format!(":1:{SOLUTION}"))), (1, true));
    let wrong = both(&text, 0, "12346789");
    assert_eq!(solve_as_found(format!("{wrong}\n")).1.none, 1);
    let form = Form::find(text.as_bytes(), &FormOptions::default()).unwrap();
    let stop = Stop::new();
    let (columns, marks) = ([Column::of(Value::Guesses)], both(&open, 0, "15"));
    let row = Row { columns: &columns, ..Row::SOLUTION };
    let (_, summary, bad) =
        solve_form(marks.as_bytes(), &form, Settings { row, ..Settings::new(&stop) });
    assert_eq!((summary.puzzles(), bad), (1, Vec::new()), "they exclude what the digits exclude");
    let (_, _, bad) = solve_form(wrong.as_bytes(), &form, Settings { row, ..Settings::new(&stop) });
    assert!(bad[0].contains("pencil marks"), "{bad:?}");
}

#[test]
fn a_row_with_one_more_empty_column_than_its_header_is_that_of_some_programs() {
    let text = format!("puzzle,guesses\n{PUZZLE},0,\n{PUZZLE},1,\n");
    let (rows, summary, bad) = solve_as_found(&text);
    assert_eq!((summary.unique, bad), (2, Vec::new()));
    let expected =
        format!("puzzle,guesses,count,found\n{PUZZLE},0,1,{SOLUTION}\n{PUZZLE},1,1,{SOLUTION}\n");
    assert_eq!(rows, expected);
    for more in [",2", ",,"] {
        let (_, _, bad) = solve_as_found(format!("puzzle,guesses\n{PUZZLE},0{more}\n"));
        assert_eq!(bad.len(), usize::from(more != ","), "{more}: {bad:?}");
    }
}

#[test]
fn a_repeated_title_is_numbered_in_objects() {
    let text = format!("puzzle,note,note\n{PUZZLE},a,b\n");
    let (rows, ..) = solve(&text, &to(Format::Jsonl), 1);
    assert!(rows.contains("\"note\":\"a\",\"note_2\":\"b\""), "{rows}");
}

#[test]
fn an_image_has_no_solution_of_another_puzzle() {
    let images = Row { unit: RowUnit::Image { times: 1, seed: 1 }, ..Row::RECORD };
    let stop = Stop::new();
    for (text, has_stated) in [
        (format!("{PUZZLE},{SOLUTION}\n"), true),
        (format!("id {PUZZLE} {SOLUTION}\n"), false),
        (format!("puzzle,solution\n{PUZZLE},{}\n", SOLUTION.replace('5', "V")), false),
        (
            format!(
                "{{\"puzzle\":[{}],\"x\":1}}\n",
                PUZZLE
                    .replace('.', "0")
                    .chars()
                    .map(|c| c.to_string())
                    .collect::<Vec<_>>()
                    .join(",")
            ),
            false,
        ),
    ] {
        let form = Form::find(text.as_bytes(), &FormOptions::default()).unwrap();
        let (rows, _, bad) =
            solve_form(text.as_bytes(), &form, Settings { row: images, ..Settings::new(&stop) });
        assert_eq!(bad, Vec::<String>::new());
        let (_, summary, _) = solve(&rows, &FormOptions::default(), 1);
        assert_eq!(summary.unique, 1, "{rows}");
        assert!(!rows.contains(SOLUTION) && !rows.contains(PUZZLE), "{rows}");
        assert!(!rows.contains('V'), "{rows}");
        if has_stated {
            assert_eq!(solve(&rows, &check(), 1).1.disagreements, 0, "{rows}");
        }
    }
}

#[test]
fn pictures_of_other_sizes_are_lines_and_sizes_that_are_not_read_name_the_command() {
    for (text, puzzle) in [
        ("1 . | . .\n. . | 1 .\n----+----\n. 1 | . .\n. . | . 1\n", "1.....1..1.....1"),
        ("1...\n..1.\n.1..\n...1\n", "1.....1..1.....1"),
        ("1,,,\n,,1,\n,1,,\n,,,1\n", "1.....1..1.....1"),
    ] {
        let (rows, summary, bad) = solve_as_found(text);
        assert_eq!((summary.many, bad), (1, Vec::new()), "{text}");
        assert!(rows.starts_with(&format!("{puzzle}:2:")), "{rows}");
        let form = Form::find(text.as_bytes(), &FormOptions::default()).unwrap();
        assert_eq!((form.size(), form.remarks().len()), (Size::Four, 1));
    }
    let sixteen: String =
        (0..16).map(|row| format!("{}F{}\n", ".".repeat(row), ".".repeat(15 - row))).collect();
    let form = Form::find(sixteen.as_bytes(), &FormOptions::default()).unwrap();
    assert_eq!(form.size(), Size::Sixteen);
    for six in [format!("1{}\n", ".".repeat(35)), "1.....\n".to_owned() + &"......\n".repeat(5)] {
        let error = Form::find(six.as_bytes(), &FormOptions::default()).unwrap_err().to_string();
        assert!(error.contains("6 × 6") && error.contains("tallyboard variant solve"), "{error}");
    }
}

/// Gives a byte at a time.
struct OneByOne<'a>(&'a [u8]);

impl Read for OneByOne<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let length = buffer.len().min(1);
        self.0.read(&mut buffer[..length])
    }
}

#[test]
fn columns_of_an_earlier_run_are_replaced() {
    let text = format!("id,quiz,note\n1,{PUZZLE},\"a, \"\"b\"\"\"\n2,what,x\n3,{PUZZLE},y\n");
    let wanted = FormOptions::default();
    let (rows, ..) = solve(&text, &wanted, 1);
    assert!(rows.starts_with("id,quiz,note,count,found\n"), "{rows}");
    assert_eq!(solve_every_way(&rows, &wanted).0, rows);
}

#[test]
fn letters_mean_what_they_mean_in_the_first_line() {
    let solved: Vec<usize> = (0..256)
        .map(|cell| {
            let (row, column) = (cell / 16, cell % 16);
            (row * 4 + row / 4 + column) % 16
        })
        .collect();
    let spelled = |shown: &dyn Fn(usize, usize) -> bool| -> String {
        let cell = |(cell, &value): (usize, &usize)| match shown(cell, value) {
            true => char::from(b"123456789ABCDEFG"[value]),
            false => '.',
        };
        solved.iter().enumerate().map(cell).collect()
    };
    // The second puzzle shows letters alone.
    let first = spelled(&|cell, _| cell % 3 != 0);
    let second = spelled(&|_, value| value >= 9 || value == 0).replace('1', ".");
    let text = format!("{first}\n{second}\n");
    let (rows, ..) = solve_as_found(&text);
    let all = spelled(&|_, _| true);
    let rows: Vec<&str> = rows.lines().collect();
    assert_eq!(rows[0], format!("{first}:1:{all}"));
    let found = rows[1].rsplit(':').next().unwrap();
    let kept =
        second.bytes().zip(found.bytes()).all(|(given, cell)| given == b'.' || given == cell);
    assert!(kept && rows[1].starts_with(&second), "{}", rows[1]);
}

fn any_wanted() -> impl Strategy<Value = FormOptions> {
    let format = prop::option::of(prop::sample::select(Format::ALL.to_vec()));
    let size = prop::option::of(prop::sample::select(vec![Size::Four, Size::Nine, Size::Sixteen]));
    (format.clone(), format, size, any::<bool>()).prop_map(|(format, output, size, check)| {
        FormOptions { format, output, size, column: None, check }
    })
}

/// Pieces of text, some with a meaning to readers and some without.
fn any_text() -> impl Strategy<Value = Vec<u8>> {
    let pieces = vec![
        "quiz,solution\n",
        "puzzle;x\n",
        PUZZLE,
        SOLUTION,
        ",",
        "\n",
        "\r\n",
        "\"",
        "{\"puzzle\":\"",
        "\"}",
        "5.3",
        "|",
        "---+---\n",
        "#",
        "\u{feff}",
        "é",
        "│",
        "[",
        "1 2 3 4 ",
        "............",
    ];
    let piece = prop_oneof![
        4 => prop::sample::select(pieces).prop_map(|piece| piece.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..20),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// Solves `text` as `wanted`: rows for every line, however bad, and the same for several threads and
/// tiny chunks.
fn ends_well(text: &[u8], wanted: &FormOptions, way: Way) -> Result<(), TestCaseError> {
    let Ok(form) = Form::find(text, wanted) else { return Ok(()) };
    let (rows, summary, bad) = solve(text, wanted, 1);
    prop_assert_eq!(summary.bad + summary.disagreements + summary.unstated, bad.len() as u64);
    let breaks = text.iter().filter(|&&byte| byte == b'\n').count() as u64;
    prop_assert!(summary.lines == breaks || summary.lines == breaks + 1);
    prop_assert!(form.last_end(text) <= text.len());
    let (threads, chunk_bytes) = way;
    let (again, sums, bad_again) = solve_in_chunks(text, wanted, threads, Some(chunk_bytes));
    prop_assert_eq!((again, bad_again), (rows, bad));
    prop_assert_eq!((sums.lines, sums.puzzles()), (summary.lines, summary.puzzles()));
    Ok(())
}

/// Threads, and the bytes of a chunk.
type Way = (usize, usize);

fn any_way() -> impl Strategy<Value = Way> {
    (1..4_usize, prop_oneof![1..20_usize, 1..400_usize])
}

/// Records that are much alike, most of them as long as the others, under their header: puzzles with one
/// solution, with none and with many, bad ones and comments.
fn alike(format: Format) -> (&'static str, Vec<String>) {
    let zeros = PUZZLE.replace('.', "0");
    let crosses = PUZZLE.replacen('.', "x", 1);
    let stray = PUZZLE.replacen('.', "&", 1);
    let clash = PUZZLE.replacen("53", "55", 1);
    let many = PUZZLE.replace('9', ".");
    let puzzles = [PUZZLE, &zeros, &crosses, &stray, &clash, &many, SOLUTION];
    let of = |frames: &[&str]| -> Vec<String> {
        frames
            .iter()
            .flat_map(|frame| puzzles.iter().map(|puzzle| frame.replace('P', puzzle)))
            .map(|record| record.replace('S', SOLUTION))
            .collect()
    };
    match format {
        Format::Lines => (
            "",
            of(&[
                "P", "P\r", "P 12", "P,12", "P\r12", "P#é", "P:1:S", "P.", "P 1\r", "# P", "P x\r",
            ]),
        ),
        Format::Csv => (
            "id,n,quiz,solution\n",
            of(&[
                "1,2,P,S",
                "é,2,P,S",
                "1,0,P,S",
                "#,2,P,S",
                "1\",,P,S",
                "\",\",P,S",
                "1,2,P,S,",
                "1,,2,P,S",
                "1,2,P,S\r",
                "1,\r,P,S",
                "1,2,P,12\r",
                "1,2,P,123",
                "1,2,P;S",
                "1,2P,,S",
                "\"1\",2,P,S",
                "1,2,P,\"S\"",
                "1,2,P,",
                "1,2, P,S",
                "1,2,5P,S",
                "1,2,P ,S",
                "1,2,P5,S",
                "1, 2,P,S",
                ",,P,S",
                " , ,P,S",
                "\"a\",\"P\",P,",
            ]),
        ),
        Format::Jsonl => (
            "",
            of(&[
                r#"{"id":12,"quiz":"P"}"#,
                r#"{"id":10,"quiz":"P"}"#,
                r#"{"id":02,"quiz":"P"}"#,
                r#"{"id":1 ,"quiz":"P"}"#,
                r#"{"id":1-,"quiz":"P"}"#,
                r#"{"id":-0,"quiz":"P"}"#,
                r#"{"id":-1,"quiz":"P"}"#,
                r#"{"ie":12,"quiz":"P"}"#,
                r#"{"id":12;"quiz":"P"}"#,
                r#"{"id":12,"quip":"P"}"#,
                r#"{"id":12,"quiz":"P"} "#,
                r#"{"id":12,"quiz":"P" }"#,
                r#"{"id":12,"quiz":"P""#,
                "{\"id\":12,\"quiz\":\"P\"}\r",
                r##"#"id":12,"quiz":"P"}"##,
                r#"{"count":3,"quiz":"P"}"#,
                r#"{"found":3,"quiz":"P"}"#,
                r#"{"quiz":"P","n":"\u0031"}"#,
                r#"{"quiz":"P","n":"\ud8d1"}"#,
                r#"{"\u0071uiz":"P"}"#,
                r#"{"\u0072uiz":"P"}"#,
                r#"{"quiz":"P","solution":"S"}"#,
                r#"{"quiz":"P","solution":3.1}"#,
                r#"{"quiz":"P","solution":S}"#,
            ]),
        ),
        Format::Sdk | Format::Grid | Format::Document => ("", Vec::new()),
    }
}

/// The rows of these records together are those of each alone, in any form of row and output.
fn are_like_alone(
    format: Format,
    chosen: &[usize],
    output: Option<Format>,
    row: Row,
) -> Result<(), TestCaseError> {
    let (header, records) = alike(format);
    let wanted = FormOptions { output, ..read_as(format) };
    let stop = Stop::new();
    let solve = |text: &str| {
        // Records differ, but not their form.
        let first = match format {
            Format::Lines => PUZZLE,
            Format::Jsonl => &records[0],
            _ => header,
        };
        let form = Form::find(first.as_bytes(), &wanted).unwrap();
        solve_form(text.as_bytes(), &form, Settings { threads: 1, row, ..Settings::new(&stop) })
    };
    let (begin, ..) = solve(header);
    let (mut text, mut expected, mut wrong) = (header.to_owned(), begin.clone(), Vec::new());
    let lines_before = header.lines().count();
    let mut alone = BTreeMap::new();
    for (index, &record) in chosen.iter().enumerate() {
        let line = format!("{}\n", records[record % records.len()]);
        let (rows, _, bad) = alone
            .entry(record % records.len())
            .or_insert_with(|| solve(&format!("{header}{line}")));
        expected += &rows[begin.len()..];
        let here = format!("line {}", lines_before + 1);
        let there = format!("line {}", lines_before + 1 + index);
        wrong.extend(bad.iter().map(|bad| bad.replacen(&here, &there, 1)));
        text += &line;
    }
    let (rows, _, bad) = solve(&text);
    for (row, expected) in rows.lines().zip(expected.lines()) {
        prop_assert_eq!(row, expected);
    }
    prop_assert_eq!((rows.len(), bad), (expected.len(), wrong));
    Ok(())
}

#[test]
fn records_are_read_and_written_as_if_alone() {
    for format in [Format::Lines, Format::Csv, Format::Jsonl] {
        let number = alike(format).1.len();
        // Every record after every other.
        let chosen: Vec<usize> =
            (0..number).flat_map(|one| (0..number).flat_map(move |other| [one, other])).collect();
        for chosen in chosen.chunks(2 * number) {
            are_like_alone(format, chosen, None, Row::SOLUTION).unwrap();
        }
    }
}

fn read_as(format: Format) -> FormOptions {
    FormOptions { format: Some(format), size: Some(Size::Nine), ..FormOptions::default() }
}

// ci/fuzz.sh runs these for as long as it is told.
/// A frame of Zstandard, whatever the features of this build.
fn zstd_packed(text: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(text, ruzstd::encoding::CompressionLevel::Fastest)
}

fn gzip_packed(text: &[u8]) -> Vec<u8> {
    let mut encoder = Encoder::new(Vec::new(), Compression::Gzip, 1).unwrap();
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

proptest! {
    #[test]
    fn fuzz_any_form(way in any_way(), text in any_text(), wanted in any_wanted()) {
        ends_well(&text, &wanted, way)?;
    }

    #[test]
    fn fuzz_lines(way in any_way(), text in any_text()) {
        ends_well(&text, &FormOptions { output: Some(Format::Csv), ..read_as(Format::Lines) }, way)?;
    }

    #[test]
    fn fuzz_csv(way in any_way(), text in any_text(), check in any::<bool>()) {
        let text = [&b"id,quiz,solution\n"[..], &text].concat();
        ends_well(&text, &FormOptions { check, ..read_as(Format::Csv) }, way)?;
    }

    #[test]
    fn fuzz_neighbours(
        format in prop::sample::select(vec![Format::Lines, Format::Csv, Format::Jsonl]),
        chosen in prop::collection::vec(prop_oneof![4 => 0..2_usize, 1 => 0..200_usize], 1..12),
        output in prop::option::of(prop::sample::select(Format::WRITTEN.to_vec())),
        row in prop::sample::select(vec![Row::SOLUTION, Row::SOLUTION_ONLY, Row::COUNT]),
    ) {
        are_like_alone(format, &chosen, output, row)?;
    }

    #[test]
    fn fuzz_pictures(way in any_way(), text in any_text()) {
        ends_well(&text, &read_as(Format::Grid), way)?;
    }

    #[test]
    fn fuzz_jsonl(way in any_way(), text in any_text(), check in any::<bool>()) {
        ends_well(&text, &FormOptions { check, ..read_as(Format::Jsonl) }, way)?;
    }

    #[test]
    fn fuzz_other_sizes(way in any_way(), text in any_text(), size in prop::sample::select(vec![Size::Four, Size::Nine])) {
        ends_well(&text, &FormOptions { size: Some(size), ..FormOptions::default() }, way)?;
    }

    #[test]
    fn fuzz_compressed(
        text in any_text(),
        zstd in any::<bool>(),
        damage in prop::option::of((any::<prop::sample::Index>(), any::<u8>())),
        end in any::<prop::sample::Index>(),
    ) {
        let mut data = if zstd { zstd_packed(&text) } else { gzip_packed(&text) };
        if let Some((place, value)) = damage {
            let place = place.index(data.len());
            data[place] ^= value;
            data.truncate(end.index(data.len()) + 1);
        }
        let mut read = Vec::new();
        let ended = compress::reader(std::io::Cursor::new(data))
            .and_then(|reader| reader.take(1 << 24).read_to_end(&mut read));
        if damage.is_none() {
            ended.unwrap();
            prop_assert_eq!(read, text);
        }
    }
}
