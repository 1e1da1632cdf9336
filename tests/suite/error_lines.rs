//! Promise: an error in line k of a file is told with line k, whatever stands before it, in every format that has lines.

use crate::common::PUZZLE;
use crate::common::runs::Folder;
use tallyboard_base::random::Random;

/// A command that reads the file `input`, and what that may hold.
struct Reader {
    words: &'static str,
    /// The lines that the file begins with.
    head: String,
    /// Pieces of whole lines, some of several, that may follow in any order. `P#` in them is a name for each.
    pieces: Vec<String>,
    /// A piece with an error in one line, from 0.
    wrong: (String, usize),
}

fn reader(words: &'static str, head: &str, pieces: &[&str], wrong: &str, line: usize) -> Reader {
    let pieces = pieces.iter().map(|&piece| piece.to_owned()).collect();
    Reader { words, head: head.to_owned(), pieces, wrong: (wrong.to_owned(), line) }
}

fn readers() -> Vec<Reader> {
    let rows: Vec<&str> = (0..9).map(|row| &PUZZLE[9 * row..9 * row + 9]).collect();
    let grid = rows.join("\n") + "\n";
    let apart = format!("{grid}\n");
    let short = grid.replacen(rows[4], &rows[4][1..], 1);
    let line = format!("{PUZZLE}\n");
    let of_csv = [format!("1,{PUZZLE}\n"), format!("\"a\nb\",{PUZZLE}\n")];
    let of_jsonl = format!("{{\"puzzle\":\"{PUZZLE}\"}}\n");
    let item = format!("\"{PUZZLE}\",\n");
    let twice = format!("\"{PUZZLE}\" \"{PUZZLE}\",\n");
    let board = "ABBBBBBBBBBBCBBCDDCCCCCDCECCFDCCCCFD\n";
    let queens = ["1 3 5 2 4\n", "\n", "2 4 1 3\n"];
    vec![
        reader("cover count", "a b c\n", &["a b\n", "| note\n", "\n", "c\n"], "zz\n", 0),
        reader("cover count", "p ec 3\n", &["1 2\n", "c note\n", "3\n"], "9\n", 0),
        reader("cover count", "110\n", &["001\n", "011\n"], "01x\n", 0),
        reader(
            "cover count",
            "board:\n....\npieces:\n",
            &["P# x any:\nxx\n", "; note\n", "\n", "P# x 0..9:\nx\nxx\n"],
            "Z x any:\nxx\nY x many:\nx\n",
            2,
        ),
        reader("cover count", "[[1,2],\n", &["[3],\n", "\n", "[1,\n2],\n"], "[?],\n", 0),
        reader(
            "variant count",
            "size 4\n",
            &["# note\n", "\n", "different r1c1 r2c3\n"],
            "frob r1c1\n",
            0,
        ),
        reader(
            "-q variant solve rules --strict",
            "",
            &["1234341221434321\n", "# note\n", "\n"],
            "12x\n",
            0,
        ),
        reader("-q sudoku solve --strict", &line, &[&line, "# note\n", "\n"], "12\n", 0),
        reader("-q sudoku solve --strict", "id,puzzle\n", &[&of_csv[0], &of_csv[1]], "2,12\n", 0),
        reader("-q sudoku solve --strict", &of_jsonl, &[&of_jsonl], "{\"puzzle\":\"1\"}\n", 0),
        // A document of JSON breaks off where it is wrong.
        reader("-q sudoku solve --strict", "[\n", &[&item, "\n"], &twice, 0),
        reader("-q sudoku solve --strict", &grid, &[&grid, &apart, "# note\n"], &short, 4),
        reader("-q regions solve --strict", board, &[board, "\n"], "AAB\n", 0),
        reader("queens check", "1 3 5 2 4\n", &queens, "1 x 3\n", 0),
        reader(
            "scale fit",
            "threads,seconds,note\n",
            &["1,10,\n", "2,6,\"a\nb\"\n", "4,3,\"\"\n"],
            "2,abc,\n",
            0,
        ),
    ]
}

#[test]
fn an_error_is_told_with_its_line() {
    let folder = Folder::new();
    folder.write("rules", "size 4\n");
    let mut random = Random::from_seed(1);
    for Reader { words, head, pieces, wrong: (wrong, line) } in readers() {
        for line_break in ["\n", "\r\n"] {
            for before in [0_u32, 1, 7, 40] {
                let mut text = head.clone();
                let named = |piece: &str, number: u32| piece.replace("P#", &format!("P{number}"));
                for number in 0..before {
                    let piece = &pieces[random.below(pieces.len() as u32) as usize];
                    text += &named(piece, number);
                }
                let expected = text.lines().count() + line + 1;
                let text = text + &wrong + &named(&pieces[0], before);
                let text = text.replace('\n', line_break);
                folder.write("input", &text);
                let (code, _, message) = folder.told(&format!("{words} input"));
                assert!(code > 0, "{words}: {text}");
                let is_told = [format!("line {expected}: "), format!(":{expected}: ")];
                assert!(
                    is_told.iter().any(|place| message.contains(place)),
                    "{words}: expected line {expected}, found {message}in {text}"
                );
            }
        }
    }
}
