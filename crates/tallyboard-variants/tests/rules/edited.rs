//! A puzzle that an editor passes on counts as the editor shows it, with what was entered or without.

use serde_json::{Value, json};
use tallyboard_variants::{Edited, End, Estimator, Puzzle, Rules, read_edited};

/// A puzzle of 4 × 4 cells with these contents of its first cells.
fn puzzle(contents: &[Value]) -> Value {
    let mut cells = contents.to_vec();
    cells.resize(16, json!({}));
    let rows: Vec<&[Value]> = cells.chunks(4).collect();
    json!({ "size": 4, "grid": rows })
}

fn packed(puzzle: &Value) -> String {
    lz_str::compress_to_base64(puzzle.to_string().encode_utf16().collect::<Vec<u16>>())
}

fn read(puzzle: &Value, with_entries: bool) -> Edited {
    read_edited(&packed(puzzle), with_entries).unwrap()
}

#[test]
fn what_was_entered_counts_if_it_is_asked_for() {
    let mut puzzle = puzzle(&[
        json!({ "value": 1, "given": true }),
        json!({ "value": 2 }),
        json!({ "centerPencilMarks": [3, 4], "givenPencilMarks": [4] }),
        json!({ "givenPencilMarks": [3] }),
    ]);
    puzzle["truecandidatesoptions"] = json!(["logical"]);
    let given = read(&puzzle, false);
    assert_eq!(given.puzzle.givens()[..4], [1, 0, 0, 0]);
    assert_eq!(given.puzzle.candidates().sets()[..4], [1, 15, 8, 4]);
    assert_eq!(given.wishes, ["logical"]);
    let entered = read(&puzzle, true);
    assert_eq!(entered.puzzle.givens()[..4], [1, 2, 0, 0]);
    assert_eq!(entered.puzzle.candidates().sets()[..4], [1, 2, 12, 4]);
    assert_eq!(entered.shown[..5], [1, 2, 12, 0, 0]);
    assert_eq!(read_edited(&format!("?load={}", packed(&puzzle)), true).unwrap(), entered);
}

#[test]
fn what_is_no_puzzle_is_refused_in_words() {
    let refused = |data: &str| read_edited(data, false).unwrap_err().to_string();
    for (data, expected) in [
        ("", "found no text that lz-string has compressed"),
        ("N4Ig", "found no text that lz-string has compressed"),
        (&packed(&json!([1, 2])), "'data': found [1,2], expected a puzzle of f-puzzles"),
        (&packed(&json!({ "size": 4 })), "expected a puzzle of f-puzzles"),
        (&packed(&puzzle(&[json!({ "value": 9, "given": true })])), "found the value 9"),
        (&packed(&puzzle(&[json!({ "value": "x" })])), "'grid': found \"x\", expected a number"),
    ] {
        let message = refused(data);
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn numbers_of_a_capped_table_are_those_of_the_whole_one_or_the_limit() {
    for cells in [
        &[][..],
        &[json!({ "value": 1, "given": true })],
        &[json!({}), json!({ "givenPencilMarks": [2, 3] })],
    ] {
        let puzzle = read(&puzzle(cells), false).puzzle;
        let whole = puzzle.tally().run().unwrap();
        for most in [1, 2, 7, 30, 1 << 50] {
            for threads in [1, 3] {
                let capped = puzzle.tally_up_to(most).threads(threads).run().unwrap();
                let expected: Vec<u128> =
                    whole.cells().iter().map(|&number| number.min(most.into())).collect();
                assert_eq!(capped.cells(), expected, "{cells:?}, {most} at most");
            }
        }
    }
    let none = json!({ "givenPencilMarks": [1] });
    let none = read(&puzzle(&[none.clone(), none]), false).puzzle;
    assert_eq!(none.tally_up_to(1).run().unwrap().cells(), [0; 64]);
}

#[test]
fn estimates_of_small_puzzles_are_exact_and_of_large_ones_near() {
    let estimate = |side, descents| {
        Estimator::new(&Puzzle::new(Rules::new(side).unwrap())).estimate(descents, 1)
    };
    let small = estimate(4, 100_000);
    assert!(small.exact && (small.ln - 288_f64.ln()).abs() < 1e-9, "{small:?}");
    // There are 28,200,960 grids of 6 × 6 cells.
    let large = estimate(6, 10_000);
    let ratio = large.ln.exp() / 28_200_960.0;
    assert!((0.8..1.25).contains(&ratio), "{ratio}");
}

#[test]
fn first_steps_are_those_of_the_whole_explanation() {
    let given = |value: u8| json!({ "value": value, "given": true });
    let cells = [given(1), given(2), given(3), json!({}), given(3), json!({}), given(1)];
    let puzzle = read(&puzzle(&cells), false).puzzle;
    let whole = puzzle.explain();
    assert!(whole.steps.len() > 2 && whole.end == End::Stuck, "{whole:?}");
    for most in 0..=whole.steps.len() + 1 {
        let first = puzzle.first_steps(most);
        assert_eq!(first.steps, whole.steps[..most.min(whole.steps.len())]);
        assert_eq!(first.candidates == whole.candidates, most >= whole.steps.len(), "{most}");
    }
}
