//! What pages and printed steps show is what their sentences say, worked out here from the rules.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::common::runs::Folder;
use crate::common::{PUZZLE, SOLUTION};
use crate::trace_cli::{DIGITS, Read, page, steps};

const HARD: &str =
    "..1...8.....6.4.......3.......72....4......5..9.....3.6.....2.1...8..7..31.......";

/// A puzzle in which a supposition leaves a house without a place for a digit.
const NO_PLACE: &str =
    "..2.......6......175...2....95.4.6..2..........193.7..4.36..8.5.7...9.6.....8...2";

/// The hard one, with all digits that are seen before the first locked candidates.
const LOCKED_FIRST: &str =
    ".31...8.....6.43......3.......72....4......5..9.....3.6.....2.1...8..7.331.......";

/// Cells by their number in reading order.
type Cells = BTreeSet<usize>;

/// The cells of a sudoku that a text names.
fn named(text: &str) -> Cells {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric());
    let number = |text: &str| text.parse::<usize>().ok().filter(|it| (1..=9).contains(it));
    let cell = |word: &str| {
        let (row, column) = word.strip_prefix('r')?.split_once('c')?;
        Some(number(row)? * 9 + number(column)? - 10)
    };
    words.filter_map(cell).collect()
}

/// The cells of `box 9` and the like.
fn house(name: &str) -> Cells {
    let (kind, number) = name.split_once(' ').unwrap();
    let number = number.parse::<usize>().unwrap() - 1;
    let is_in = |cell: &usize| match kind {
        "row" => cell / 9 == number,
        "column" => cell % 9 == number,
        _ => cell / 27 * 3 + cell % 9 / 3 == number,
    };
    (0..81).filter(is_in).collect()
}

/// What stands between two texts.
fn between<'a>(text: &'a str, from: &str, to: &str) -> &'a str {
    text.split_once(from).unwrap().1.split_once(to).unwrap().0
}

/// The lists of cells that a board is given as strings.
fn rules_out(board: &Value) -> Vec<Cells> {
    let lists = board["rulesOut"].as_array().unwrap();
    let width = if lists.len() > DIGITS.len() { 2 } else { 1 };
    let digit = |letter: &char| DIGITS.find(*letter).unwrap();
    let decoded = lists.iter().map(|list| {
        let letters: Vec<char> = list.as_str().unwrap().chars().collect();
        let numbers = letters.chunks(width);
        numbers
            .map(|it| it.iter().rev().fold(0, |sum, it| sum * DIGITS.len() + digit(it)))
            .collect()
    });
    decoded.collect()
}

fn strings(list: &Value) -> Vec<String> {
    serde_json::from_value(list.clone()).unwrap()
}

#[test]
fn the_boards_of_pages_know_the_rules() {
    let folder = Folder::new();
    let (_, data) = page(&folder, "-q queens trace 10 --place b9 --block d5 --steps 10");
    let board = &data["plays"][0]["board"];
    for (cell, ruled_out) in rules_out(board).into_iter().enumerate() {
        let attacked = (0..100_usize).filter(|other| {
            let (ranks, files) =
                ((cell / 10).abs_diff(other / 10), (cell % 10).abs_diff(other % 10));
            *other != cell && (ranks == 0 || files == 0 || ranks == files)
        });
        assert_eq!(ruled_out, attacked.collect(), "{cell}");
    }
    let names = strings(&board["cellNames"]);
    assert_eq!([&names[0], &names[9], &names[90], &names[99]], ["a10", "j10", "a1", "j1"]);
    let ranks: Vec<String> = (1..=10).rev().map(|rank| rank.to_string()).collect();
    assert_eq!(strings(&board["rowNames"]), ranks);
    assert_eq!(strings(&board["columnNames"]).concat(), "abcdefghij");
    // b9 keeps its rank for itself.
    let closed: Vec<usize> = serde_json::from_value(board["closed"].clone()).unwrap();
    let closed: Vec<&str> = closed.iter().map(|cell| names[*cell].as_str()).collect();
    assert_eq!(closed, ["a9", "c9", "d9", "e9", "f9", "g9", "h9", "i9", "j9", "d5"]);

    let (_, data) = page(&folder, &format!("-q sudoku trace {PUZZLE} --steps 10"));
    let board = &data["plays"][0]["board"];
    for (cell, ruled_out) in rules_out(board).into_iter().enumerate() {
        let (row, column) = (cell / 9, cell % 9);
        let houses = [("row", row), ("column", column), ("box", row / 3 * 3 + column / 3)];
        let mut peers: Cells = houses
            .iter()
            .flat_map(|(kind, number)| house(&format!("{kind} {}", number + 1)))
            .collect();
        peers.remove(&cell);
        assert_eq!(ruled_out, peers, "{cell}");
    }
    let ruled = |letter| (1..=9).map(|number| format!("{letter}{number}")).collect::<Vec<_>>();
    assert_eq!(strings(&board["rowNames"]), ruled('r'));
    assert_eq!(strings(&board["columnNames"]), ruled('c'));
}

/// Checks that a deduction marks on the board what its sentence names. What it marks, sorted by kind.
fn check_marked(step: &Read) -> &'static str {
    let text = step.sentence.as_str();
    let (cell, by, area): (Cells, Cells, Cells) = (
        step.cell.into_iter().collect(),
        step.by.iter().copied().collect(),
        step.area.iter().copied().collect(),
    );
    let struck = step.struck.iter().map(|it| it.0).collect::<Cells>();
    let holders = || if text.contains('(') { named(between(text, "(", ")")) } else { Cells::new() };
    let digit = |text: &str| step.mark.map(|mark| mark + 1) == text.parse().ok();
    if let Some((_, rest)) = text.split_once(" must be in ") {
        let (first, rest) =
            (text.split_once(" of ").unwrap(), rest.rsplit_once(", so ").unwrap().1);
        let (lost, last) = rest.split_once(" cannot be ").unwrap();
        assert!(digit(first.0) && digit(last), "{step:?}");
        assert_eq!(
            (area, by),
            (house(first.1.split_once(" must").unwrap().0), holders()),
            "{step:?}"
        );
        assert_eq!(struck, named(lost), "{step:?}");
        assert!(step.struck.iter().all(|it| digit(&(it.1 + 1).to_string())), "{step:?}");
        "locked"
    } else if let Some((_, rest)) = text.split_once(" has no other place for it") {
        let (found, place) = text.split_once(": ").unwrap();
        let place = house(place.split_once(" has").unwrap().0);
        assert!(digit(found.rsplit_once(' ').unwrap().1), "{step:?}");
        let by_there = if rest.is_empty() { Cells::new() } else { holders() };
        assert_eq!((cell, area, by), (named(found), place, by_there), "{step:?}");
        "hidden"
    } else if text.starts_with("no digit is left for ") {
        assert_eq!(area, named(text.split_once(": ").unwrap().0), "{step:?}");
        assert!(!by.is_empty(), "{step:?}");
        "no digit"
    } else if text.contains(" has no place left for ") {
        assert_eq!((area, by), (house(text.split_once(" has").unwrap().0), holders()), "{step:?}");
        "no place"
    } else if let Some((lost, digit)) = text.split_once(" cannot be ") {
        let lost = named(lost).into_iter().map(|cell| (cell, digit.parse::<usize>().unwrap() - 1));
        assert!(lost.eq(step.struck.iter().copied()), "{step:?}");
        "refuted"
    } else if text == "every cell is filled: the solution" {
        "solution"
    } else {
        // A naked single, a supposition, or the way back to before it.
        assert_eq!(cell, named(text.split_once(": ").unwrap_or((text, "")).0), "{step:?}");
        "cell"
    }
}

#[test]
fn a_deduction_marks_on_the_page_what_its_sentence_names() {
    let folder = Folder::new();
    let mut kinds = BTreeSet::new();
    for puzzle in [PUZZLE, NO_PLACE] {
        let (_, data) = page(&folder, &format!("-q sudoku explain {puzzle}"));
        let plays = data["plays"].as_array().unwrap();
        let names: Vec<_> = plays.iter().map(|play| play["name"].as_str().unwrap()).collect();
        assert_eq!(names, ["Reasons", "Search"]);
        assert_eq!(strings(&plays[0]["nouns"]), ["deductions", "contradictions", "solutions"]);
        kinds.extend(steps(&plays[0]).iter().map(check_marked));
    }
    let all = ["cell", "hidden", "locked", "no digit", "no place", "refuted", "solution"];
    assert_eq!(kinds.into_iter().collect::<Vec<_>>(), all);
}

#[test]
fn a_dead_end_marks_the_rank_or_the_cell_it_names() {
    let folder = Folder::new();
    let (_, data) = page(&folder, "-q queens trace 6");
    for step in steps(&data["plays"][0]).iter().filter(|step| step.kind == "d") {
        let rank: usize = between(&step.sentence, "rank ", " has").parse().unwrap();
        assert!(step.area.iter().copied().eq((6 - rank) * 6..(7 - rank) * 6), "{step:?}");
    }
    let (_, data) = page(&folder, &format!("-q sudoku trace {PUZZLE} --steps 300"));
    let read = steps(&data["plays"][0]);
    assert_eq!(read.len(), 300, "as many as --steps says");
    for step in read.iter().filter(|step| step.kind == "d") {
        let area: Cells = step.area.iter().copied().collect();
        assert_eq!(area, named(&step.sentence), "{step:?}");
    }
}

/// File and rank of a square, both from 1.
fn square(name: &str) -> (i32, i32) {
    let (file, rank) = name.split_at(1);
    (1 + i32::from(file.as_bytes()[0] - b'a'), rank.parse().unwrap())
}

#[test]
fn each_printed_step_of_queens_is_true_and_the_board_follows_it() {
    const N: i32 = 6;
    let folder = Folder::new();
    let printed = folder.succeed("queens trace 6 --all");
    let mut lines = printed.lines();
    let mut queens: Vec<(i32, i32)> = Vec::new();
    while let Some(line) = lines.next() {
        let text = line.split_once(": ").unwrap().1;
        let last = |text: &str| square(text.rsplit_once(' ').unwrap().1);
        let attacked = |to: (i32, i32)| {
            let line = |from: &(i32, i32)| match (to.0 - from.0, to.1 - from.1) {
                (0, _) => Some("file"),
                (files, ranks) if files == ranks => Some("rising diagonal"),
                (files, ranks) if files == -ranks => Some("falling diagonal"),
                _ => None,
            };
            queens.iter().find_map(|from| line(from).map(|line| (*from, line)))
        };
        if let Some((to, rest)) = text.split_once(" is attacked from ") {
            let (by, line) = rest.split_once(" along a ").unwrap();
            assert_eq!(attacked(square(to)), Some((square(by), line)), "{text}");
        } else if text.starts_with("a queen goes to ") {
            assert_eq!((attacked(last(text)), last(text).1), (None, N - queens.len() as i32));
            queens.push(last(text));
        } else if text.starts_with("back: ") {
            assert_eq!(queens.pop(), Some(last(text)), "{text}");
        } else if text.ends_with("a dead end") {
            let rank: i32 = between(text, "rank ", " has").parse().unwrap();
            assert_eq!(rank, N - queens.len() as i32);
            assert!((1..=N).all(|file| attacked((file, rank)).is_some()), "{text}");
        } else {
            assert_eq!(text == "a solution", queens.len() as i32 == N, "{text}");
        }
        if ["a queen", "back", "a solution"].iter().any(|start| text.starts_with(start)) {
            let shown: Vec<(i32, i32)> = (1..=N)
                .rev()
                .flat_map(|rank| {
                    // The rank's name stands before its squares.
                    let row = lines.next().unwrap().replace(' ', "");
                    let files = row.char_indices().filter(|it| it.1 == 'Q');
                    files.map(|(file, _)| (file as i32, rank)).collect::<Vec<_>>()
                })
                .collect();
            assert_eq!(lines.next().map(str::trim), Some("abcdef"));
            assert_eq!(shown, queens, "{text}");
        }
    }
}

#[test]
fn a_digit_is_refused_for_the_first_cell_that_has_it() {
    let folder = Folder::new();
    let (_, data) = page(&folder, &format!("-q sudoku trace {PUZZLE} --steps 3000"));
    let mut digits: Vec<u32> =
        PUZZLE.chars().map(|cell| cell.to_digit(10).unwrap_or_default()).collect();
    for step in steps(&data["plays"][0]) {
        let digit = step.mark.map_or(0, |mark| mark as u32 + 1);
        match step.kind.as_str() {
            "p" => digits[step.cell.unwrap()] = digit,
            "b" => digits[step.cell.unwrap()] = 0,
            "r" => {
                let cell = step.cell.unwrap();
                let shares = |kind: &str, other: usize| match kind {
                    "row" => cell / 9 == other / 9,
                    "column" => cell % 9 == other % 9,
                    _ => (cell / 27, cell % 9 / 3) == (other / 27, other % 9 / 3),
                };
                let kinds = ["row", "column", "box"];
                let holds = |other: &usize| {
                    digits[*other] == digit && kinds.iter().any(|kind| shares(kind, *other))
                };
                let by = (0..81).find(holds).unwrap();
                assert_eq!(step.by, [by], "{step:?}");
                let kind = kinds.iter().find(|kind| shares(kind, by)).unwrap();
                let said = format!(": r{}c{} in its {kind} is", by / 9 + 1, by % 9 + 1);
                assert!(step.sentence.ends_with(&said), "{step:?}");
            }
            _ => {}
        }
    }
}

/// The steps that `sudoku explain` prints, and what it says below them.
fn explained(puzzle: &str) -> (Vec<String>, String) {
    let folder = Folder::new();
    let printed = folder.succeed(&format!("sudoku explain {puzzle}"));
    let (steps, rest) = printed.split_once("\n\n").unwrap();
    let steps = steps.lines().map(|line| line.split_once(". ").unwrap().1.to_owned());
    (steps.collect(), rest.lines().last().unwrap().to_owned())
}

#[test]
fn a_hint_and_the_summary_are_those_of_the_printed_steps() {
    let folder = Folder::new();
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/sudoku/hardest.txt");
    let hardest = std::fs::read_to_string(file).unwrap();
    let hardest = hardest.lines().find(|line| !line.starts_with('#')).unwrap();
    let mut refuted = false;
    for puzzle in [PUZZLE, HARD, NO_PLACE, LOCKED_FIRST, &hardest[..81]] {
        let (steps, summary) = explained(puzzle);
        let outside =
            |step: &&String| !["  ", "suppose", "back"].iter().any(|start| step.starts_with(start));
        let hint = steps.iter().find(outside).unwrap();
        let expected = match hint.strip_prefix("so ") {
            Some(lost) => {
                refuted = true;
                let back = steps.iter().position(|step| step.starts_with("back to where")).unwrap();
                format!(
                    "{lost}: supposing it leads to a contradiction in {back} steps, which are told \
                     without --hint\n"
                )
            }
            None => hint.clone() + "\n",
        };
        assert_eq!(folder.succeed(&format!("sudoku explain {puzzle} --hint")), expected);

        let count =
            |is: &dyn Fn(&str) -> bool| steps.iter().filter(|step| is(step.trim_start())).count();
        let hidden = count(&|step| step.contains(" has no other place for it"));
        let locked = count(&|step| step.contains(" must be in "));
        let naked = count(&|step| step.contains(" must be ")) - hidden - locked;
        let supposed = count(&|step| step.starts_with("suppose that "));
        let figures: Vec<usize> =
            summary.replace(',', "").split(' ').filter_map(|word| word.parse().ok()).collect();
        let expected: Vec<usize> = [steps.len(), naked, hidden, locked, supposed]
            .into_iter()
            .filter(|count| *count > 0)
            .collect();
        assert_eq!(figures, expected, "{summary}");
    }
    assert!(refuted, "a hint that refutes has been seen");
}

#[test]
fn the_printed_steps_are_those_of_the_library() {
    let golden = include_str!("../data/explained.txt");
    let golden: Vec<&str> = golden.lines().map(|line| line.split_once(". ").unwrap().1).collect();
    assert_eq!(explained(HARD).0, golden);
}

#[test]
fn what_a_page_does_not_show_is_counted_too() {
    let folder = Folder::new();
    let told = |words: &str| folder.fail(&format!("{words} --html page.html"), 0);
    let cut = told("queens trace 6 --steps 300");
    let counts = "of 1,097 steps: ";
    assert!(cut.contains("The search tries 152 nodes, ") && cut.contains(counts), "{cut}");
    // The counts of the first 300 steps, by the sentences that are printed.
    let printed = folder.succeed("-q queens trace 6 --all --steps 300");
    let count = |what: &str| printed.matches(what).count();
    let expected = format!(
        "{} of 152 nodes, {} of 4 solutions. ",
        count(": a queen goes to "),
        count(": a solution")
    );
    assert!(cut.contains(&expected), "{cut}");
    // 51 empty cells: 9 + 9² + … + 9⁵¹.
    let sudoku = told(&format!("sudoku trace {PUZZLE} --steps 10"));
    assert!(sudoku.contains("about 5.22 × 10^48 nodes."), "{sudoku}");
    assert!(
        told(&format!("sudoku explain {SOLUTION}")).starts_with("The page holds the only step.\n")
    );
}
