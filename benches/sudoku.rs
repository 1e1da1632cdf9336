//! Sudoku files, limit 2, one thread. Every bench asserts its answers.

mod timing;

use tallyboard_search::Stop;
use tallyboard_sudoku::format::Form;
use tallyboard_sudoku::stream::{Settings, solve_stream};
use timing::time;

/// Puzzles for when no file is at hand: a solved grid with ever other cells blanked.
fn made_here(count: usize) -> String {
    let solved =
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
    let blank = |line: usize| {
        solved.char_indices().map(
            move |(cell, digit)| {
                if (cell * 7 + line * 11) % 5 < 2 { '.' } else { digit }
            },
        )
    };
    (0..count).map(|line| blank(line).chain(['\n']).collect::<String>()).collect()
}

fn main() {
    let mut sets = vec![("made here".to_owned(), made_here(1000))];
    for name in ["easy_10k", "unbiased_20k", "17_clue_10k", "hardest_3k"] {
        if let Ok(text) = std::fs::read_to_string(format!("../shared/data/sudoku/{name}.txt")) {
            let thousand = text.lines().take(1000).map(|line| format!("{line}\n")).collect();
            sets.push((name.to_owned(), thousand));
        }
    }
    for (name, text) in sets {
        time(format!("a thousand sudokus, {name}"), || {
            let stop = Stop::new();
            let settings = Settings { strict: true, threads: 1, ..Settings::new(&stop) };
            let mut output = Vec::new();
            let (form, mut input) = (Form::lines(), text.as_bytes());
            let summary = solve_stream(&form, &mut input, &mut output, &settings, &mut |_| {})
                .expect("a run");
            assert_eq!(summary.puzzles(), 1000);
            assert_eq!(summary.none, 0);
        });
    }
}
