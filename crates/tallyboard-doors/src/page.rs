//! The pages docs/formats.md and docs/formats/GAME.md, made of the table.

use crate::format::{Example, Format, Game};
use crate::recognise::FORMATS;

/// The characters of an example that a table shows.
const MOST_SHOWN: usize = 56;

/// The pages on the formats of files: the path of each below `docs/`, and its text.
pub fn pages() -> Vec<(String, String)> {
    let games = [Game::Sudoku, Game::Variant, Game::Regions, Game::Cover, Game::Queens];
    let path = |game: Game| format!("formats/{}.md", game.name());
    let mut overview = OVERVIEW.to_owned();
    for game in games {
        let names: Vec<String> = formats(game).map(|row| format!("`{}`", row.name)).collect();
        overview += &format!("| [{}]({}) | {} |\n", title(game), path(game), names.join(" "));
    }
    let mut pages = vec![("formats.md".to_owned(), overview)];
    pages.extend(games.map(|game| (path(game), page(game))));
    pages
}

fn formats(game: Game) -> impl Iterator<Item = &'static Format> {
    FORMATS.iter().copied().flatten().filter(move |format| format.game == game)
}

/// The page of one game: what is known by a name, the plainest example of each format, and how else it is spelt.
fn page(game: Game) -> String {
    let mut page = format!("# {}\n\n{}\n\n{}\n", title(game), session(game), about(game));
    page +=
        "\n| format | what it holds | read | written | names end with |\n|---|---|---|---|---|\n";
    for format in formats(game) {
        let yes = |is: bool| if is { "yes" } else { "" };
        let (name, about) = (format.name, format.about);
        let (read, written) = (yes(format.read.is_some()), yes(format.write.is_some()));
        let endings: Vec<String> =
            format.endings.iter().map(|ending| format!("`.{ending}`")).collect();
        let endings = endings.join(" ");
        page += &format!("| `{name}` | {about} | {read} | {written} | {endings} |\n");
    }
    page += "\n## An example of each\n";
    let mut others = String::new();
    for format in formats(game) {
        let mut examples = (format.examples)().into_iter();
        if let Some(Example { what, writers, text }) = examples.next() {
            page += &format!("\n`{}`: {what} ({writers})\n\n", format.name);
            page.extend(text.trim_end_matches('\n').lines().map(indented));
        }
        for Example { what, writers, text } in examples {
            let cells = [what, writers].map(|cell| cell.replace('|', "\\|"));
            let text = shortened(text);
            others += &format!("| `{}` | {} | `{text}` |\n", format.name, cells.join(" | "));
        }
    }
    if !others.is_empty() {
        page += "\n## Other spellings\n\n`⏎` is the end of a line, and `…` stands for the rest of the file.\n";
        page += "\n| format | what is particular | who writes so | how it begins |\n|---|---|---|---|\n";
        page += &others;
    }
    page
}

/// A line of a block of code.
fn indented(line: &str) -> String {
    format!("    {line}").trim_end().to_owned() + "\n"
}

/// The beginning of an example in one line, for a cell of a table.
fn shortened(text: &str) -> String {
    let line = text.trim_end_matches('\n').replace('\n', " ⏎ ");
    let shown = match line.char_indices().nth(MOST_SHOWN) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    };
    // A bar ends a cell, in code, too.
    shown.replace('|', "\\|")
}

const fn title(game: Game) -> &'static str {
    match game {
        Game::Variant => "Files of sudokus with further rules",
        Game::Sudoku => "Files of sudokus",
        Game::Regions => "Files of coloured boards and star battles",
        Game::Cover => "Files of exact covers",
        Game::Queens => "Files of boards of queens",
    }
}

/// The page of all games, up to the rows of its table.
const OVERVIEW: &str = "\
# What a file may hold

    $ printf 'p p g g b\\np r r r b\\np r r r b\\np r r r y\\nr r r y y\\n' > board.txt
    $ tallyboard solve board.txt
    AABBCADDDCADDDCADDDEDDDEE\t1\t3 1 5 2 4
    board.txt: taken for boards of coloured regions, as by `tallyboard regions solve`; --as GAME takes it for another
    …

`tallyboard solve FILE`, and every other command that takes a file of any game, knows the format of the file by its content. Each format
looks at the first 64 KiB and says that the file is in this format, may be, or is not; the surest is taken. `--as GAME` takes the file for
another game. If no format takes a file, the error names the two nearest formats. Files may be compressed by gzip or Zstandard.

Each page below has one example for each format, and the other spellings that are known. The pages are made of the table by which the
program recognises files, and a test reads every example.

| page | formats |
|---|---|
";

/// A command that reads a file of this game, and what it prints.
const fn session(game: Game) -> &'static str {
    match game {
        Game::Sudoku => {
            "    $ echo 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79 > easy.txt\n    \
             $ tallyboard -q solve easy.txt\n    \
             53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79:1:534678912672195348198342567859761423426853791713924856961537284287419635345286179"
        }
        Game::Variant => {
            "    $ printf 'size 4\\ndiagonal falling\\ngivens\\n12..\\n34..\\n..2.\\n....\\n' > diagonal.txt\n    \
             $ tallyboard -q count diagonal.txt\n    1"
        }
        Game::Regions => {
            "    $ printf 'AABB\\nAABB\\nCCDD\\nCCDD\\n' > board.txt\n    $ tallyboard -q count board.txt\n    2"
        }
        Game::Cover => {
            "    $ printf 'board:\\n....\\n....\\npieces: flip\\nD x any:\\nxx\\n' > dominoes.txt\n    \
             $ tallyboard -q count dominoes.txt\n    5"
        }
        Game::Queens => {
            "    $ printf '..*.\\n...Q\\n....\\n....\\n' > board.txt\n    $ tallyboard -q queens count board.txt\n    1"
        }
    }
}

const fn about(game: Game) -> &'static str {
    match game {
        Game::Sudoku => {
            "`tallyboard sudoku` finds the format by the share of lines that each one explains. `--format` names another; where two are close,\n\
             a message names both. Rows are written in the format of the input, or in the one that `--to` names. Documents, and pictures of\n\
             other sizes than 9 × 9, are read only: their rows are written as lines, and a message says so once.\n\n\
             Pencil marks are candidates: the count and the solution are those of the marks. Columns such as `rating` are refused where the marks\n\
             exclude more than the digits do."
        }
        Game::Variant => {
            "[variant_rules.md](../variant_rules.md) has the line of every rule. The formats from `lettered` on are those of other solvers. They\n\
             are known by the whole text: a file with one line of another kind is in none of them. Cages have to cover the grid. If any cage\n\
             names an operation, the puzzle is a KenKen. With sums alone it is a killer of 9 × 9 or, in a size without boxes, a Latin square\n\
             with sums. All examples of KenKen are the same puzzle, and so are those of futoshiki.\n\n\
             A file may hold several puzzles: a link, a game id or a value of JSON on each line, texts that begin with `size` each, or blocks\n\
             with an empty line between them. `solve` and `count` take one after the other, and `--number N` takes one of them. A text of any\n\
             other kind is searched for links that hold a puzzle."
        }
        Game::Regions => "[regions.md](../regions.md) says more of each format.",
        Game::Cover => {
            "[cover.md](../cover.md) tells how to draw a puzzle, and [pips.md](../pips.md) how to type a board of Pips.\n\
             [cover_options.md](../cover_options.md) says more of the other formats. `tallyboard cover convert` writes those that are marked as\n\
             written."
        }
        Game::Queens => {
            "In the format `squares` a board is still to be filled. The others hold placements: `tallyboard queens list --format` writes them, and\n\
             `queens check` reads them.\n\n\
             JSON of PyCSP3 (CSPLib 80) has the number of rows as `n`, and pairs of row and column in `queens` and `blocks`. Both numbers are\n\
             counted from 0, and rows from the top. `initial_board` has the rows of a picture, as in SymBench. Parameters of Essence (CSPLib 79\n\
             and 80) have pairs of row and column, too. Those of `blocks` are counted from 1, and those of the queens, `init`, from 0."
        }
    }
}
