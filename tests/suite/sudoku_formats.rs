//! Any bytes in any format end as documented: rows for every record, or a clear error; never a
//! panic.

use std::io::{Read, Write};

use proptest::prelude::*;
use tallyboard::search::Stop;
use tallyboard::sudoku::format::compress::{self, Compression, Encoder};
use tallyboard::sudoku::format::{Form, Format, Wanted};
use tallyboard::sudoku::sized::Size;
use tallyboard::sudoku::stream::{Settings, StreamError, Summary, solve_stream_as};

const PUZZLE: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const SOLUTION: &str =
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

fn solve(text: &[u8], wanted: &Wanted, threads: usize) -> (String, Summary, Vec<String>) {
    let form = Form::find(text, wanted).unwrap();
    let stop = Stop::new();
    let settings = Settings { threads, ..Settings::new(&stop) };
    let (mut output, mut bad) = (Vec::new(), Vec::new());
    let summary = solve_stream_as(&form, text, &mut output, &settings, &mut |line| {
        bad.push(line.to_string());
    });
    (String::from_utf8_lossy(&output).into_owned(), summary.unwrap(), bad)
}

#[test]
fn every_format_is_found_and_turned_into_every_other() {
    let lines = format!("{PUZZLE}\n{PUZZLE}\n");
    let plain = solve(lines.as_bytes(), &Wanted::default(), 1).0;
    for middle in Format::ALL {
        let to = Wanted { output: Some(middle), ..Wanted::default() };
        let text = solve(lines.as_bytes(), &to, 1).0;
        let back = Wanted { output: Some(Format::Lines), ..Wanted::default() };
        let (rows, summary, _) = solve(text.as_bytes(), &back, 1);
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
    let wanted = Wanted { check: true, ..Wanted::default() };
    let expected = solve(csv.as_bytes(), &wanted, 1);
    let found = solve(marked.as_bytes(), &wanted, 1);
    assert_eq!((&expected.0, expected.1.lines, &expected.2), (&found.0, found.1.lines, &found.2));
    assert_eq!(expected.1.disagreements, 1);
    assert!(
        expected.2[0].starts_with("line 3: the solution stated here is none"),
        "{:?}",
        expected.2
    );
}

#[test]
fn bad_records_name_their_line() {
    let grid = "53..7....\n6..195...\n.98....6.\n8...6...3\n4..8.3..1\n7...2...6\n.6....28.\n...419..5\n....8..79\n";
    let short = grid.replace(".6....28.\n", ".6....28\n");
    let (rows, summary, bad) =
        solve(format!("{grid}\n{short}{grid}").as_bytes(), &Wanted::default(), 2);
    assert_eq!((summary.unique, summary.bad), (2, 1));
    assert_eq!(bad, ["line 17: found 8 cells in this row of the grid, expected 9"]);
    assert!(rows.contains("!.6....28\n"));
}

#[test]
fn long_files_give_the_same_rows_for_every_thread_count() {
    let picture: String =
        (0..9).map(|row| format!("{}\n", &PUZZLE[row * 9..row * 9 + 9])).collect();
    for text in [format!("{PUZZLE} a note\n").repeat(3000), picture.repeat(3000)] {
        let expected = solve(text.as_bytes(), &Wanted::default(), 1);
        assert_eq!(expected.1.unique, 3000);
        for threads in [2, 8] {
            assert_eq!(solve(text.as_bytes(), &Wanted::default(), threads).0, expected.0);
        }
    }
}

#[test]
fn an_endless_line_is_an_error_in_bounded_memory() {
    let form = Form::LINES;
    let stop = Stop::new();
    let settings = Settings { threads: 1, ..Settings::new(&stop) };
    let text = b"# first\n".chain(std::io::repeat(b'5'));
    let error = solve_stream_as(&form, text, &mut std::io::sink(), &settings, &mut |_| {});
    assert!(matches!(error, Err(StreamError::LongLine(2))), "{error:?}");
}

fn any_wanted() -> impl Strategy<Value = Wanted> {
    let format = prop::option::of(prop::sample::select(Format::ALL.to_vec()));
    let size = prop::option::of(prop::sample::select(vec![Size::Four, Size::Nine, Size::Sixteen]));
    let flags = (any::<bool>(), any::<bool>());
    (format.clone(), format, size, flags).prop_map(|(format, output, size, (check, stats))| {
        Wanted { format, output, size, check, stats }
    })
}

/// Pieces that readers take for something, and some that they do not.
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

/// Solves `text` as `wanted`: rows for every line, however bad.
fn ends_well(text: &[u8], wanted: &Wanted) -> Result<(), TestCaseError> {
    let Ok(form) = Form::find(text, wanted) else { return Ok(()) };
    let stop = Stop::new();
    let settings = Settings { threads: 1, ..Settings::new(&stop) };
    let (mut bad, mut output) = (0, Vec::new());
    let summary = solve_stream_as(&form, text, &mut output, &settings, &mut |_| bad += 1).unwrap();
    prop_assert_eq!(summary.bad + summary.disagreements, bad);
    let breaks = text.iter().filter(|&&byte| byte == b'\n').count() as u64;
    prop_assert!(summary.lines == breaks || summary.lines == breaks + 1);
    prop_assert!(form.last_cut(text) <= text.len());
    Ok(())
}

fn read_as(format: Format) -> Wanted {
    Wanted { format: Some(format), size: Some(Size::Nine), ..Wanted::default() }
}

// ci/fuzz.sh runs these for as long as it is told.
proptest! {
    #[test]
    fn fuzz_any_form(text in any_text(), wanted in any_wanted()) {
        ends_well(&text, &wanted)?;
    }

    #[test]
    fn fuzz_lines(text in any_text()) {
        ends_well(&text, &Wanted { output: Some(Format::Csv), ..read_as(Format::Lines) })?;
    }

    #[test]
    fn fuzz_csv(text in any_text(), check in any::<bool>()) {
        let text = [&b"id,quiz,solution\n"[..], &text].concat();
        ends_well(&text, &Wanted { check, ..read_as(Format::Csv) })?;
    }

    #[test]
    fn fuzz_pictures(text in any_text()) {
        ends_well(&text, &read_as(Format::Grid))?;
    }

    #[test]
    fn fuzz_jsonl(text in any_text(), check in any::<bool>()) {
        ends_well(&text, &Wanted { check, ..read_as(Format::Jsonl) })?;
    }

    #[test]
    fn fuzz_other_sizes(text in any_text(), size in prop::sample::select(vec![Size::Four, Size::Nine])) {
        ends_well(&text, &Wanted { size: Some(size), ..Wanted::default() })?;
    }

    #[test]
    fn fuzz_compressed(
        text in any_text(),
        zstd in any::<bool>(),
        damage in prop::option::of((any::<prop::sample::Index>(), any::<u8>())),
        end in any::<prop::sample::Index>(),
    ) {
        let compression = if zstd { Compression::Zstd } else { Compression::Gzip };
        let mut encoder = Encoder::new(Vec::new(), compression).unwrap();
        encoder.write_all(&text).unwrap();
        let mut data = encoder.finish().unwrap();
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
