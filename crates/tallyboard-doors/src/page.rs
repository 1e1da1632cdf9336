//! The page docs/formats.md, made of the table.

use crate::format::{Format, Game};
use crate::recognise::FORMATS;

/// The page docs/formats.md.
pub fn page() -> String {
    let mut page = String::from(
        "# How a puzzle may be written\n\n\
         `tallyboard solve FILE` and `count FILE` know these formats by the content of the file: each looks at the first 64 KiB and says\n\
         that the file is in it, may be, or is not, and the surest is taken. `--as GAME` decides otherwise. This page is made of the\n\
         table by which it is tested: every example below is recognised and read by a test.\n",
    );
    for game in [Game::Sudoku, Game::Variant, Game::Regions, Game::Cover, Game::Queens] {
        let rows: Vec<&Format> =
            FORMATS.iter().copied().flatten().filter(|format| format.game == game).collect();
        page += &format!("\n# {}\n\n{}\n", title(game), about(game));
        page += "\n| format | what | read | written | names end with |\n|---|---|---|---|---|\n";
        for format in &rows {
            let yes = |is: bool| if is { "yes" } else { "" };
            let (name, about) = (format.name, format.about);
            let (read, written) = (yes(format.read.is_some()), yes(format.write.is_some()));
            let endings: Vec<String> =
                format.endings.iter().map(|ending| format!("`.{ending}`")).collect();
            let endings = endings.join(" ");
            page += &format!("| `{name}` | {about} | {read} | {written} | {endings} |\n");
        }
        page += "\n| example | format | who writes so |\n|---|---|---|\n";
        let examples =
            || rows.iter().flat_map(|row| (row.examples)().into_iter().map(move |one| (row, one)));
        for (format, example) in examples() {
            page += &format!("| {} | `{}` | {} |\n", example.what, format.name, example.writers);
        }
        for (format, example) in examples() {
            let text = example.text.trim_end_matches('\n');
            page += &format!("\n`{}`, {}:\n\n```text\n{text}\n```\n", format.name, example.what);
        }
    }
    page
}

const fn title(game: Game) -> &'static str {
    match game {
        Game::Variant => "Sudokus with rules of their own",
        Game::Sudoku => "Sudokus",
        Game::Regions => "Boards of coloured regions",
        Game::Cover => "Exact covers",
        Game::Queens => "Placements of queens",
    }
}

const fn about(game: Game) -> &'static str {
    match game {
        Game::Sudoku => {
            "`tallyboard sudoku` finds the format by the share of lines that each explains; `--format` names another, and where two are\n\
             close, standard error names both. Rows are written in the format of the input; `--to` names another. Documents, and pictures\n\
             of other sizes than 9 × 9, are read and not written: their rows are lines, and standard error says so once. Pencil marks are\n\
             candidates: the count and the solution are exact, and other columns than these and the clues are refused where the marks\n\
             exclude more than the digits do."
        }
        Game::Variant => {
            "`docs/variants.md` explains the rules. The forms of solvers, for Latin squares, cages and jigsaws, are known by all of their\n\
             text: a file with a line of another kind is in none of them. Cages must be a partition of the grid, with an operation in any\n\
             of them they are a KenKen, and with sums alone a killer of 9 × 9 or, where a size has no boxes, a Latin square with sums. All\n\
             examples of a game are the same puzzle.\n\n\
             A file of these, of the text form, of links, of game ids or of JSON may hold several puzzles: a line or a value of JSON each,\n\
             each from its line `size` or its side on, or blocks between empty lines; so may one of grids of 6 × 6 and other sizes that\n\
             `sudoku` does not read. `solve` and `count` take them one after the other, and `--puzzle N` takes one of them. In a text of any\n\
             other kind the links are read that hold a puzzle."
        }
        Game::Regions => "`docs/regions.md` says more of each.",
        Game::Cover => {
            "`docs/cover.md` says more of each; `tallyboard cover convert` writes those that are written."
        }
        Game::Queens => "`tallyboard queens list --format` writes them, `queens check` reads them.",
    }
}
