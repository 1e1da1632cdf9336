//! Rows of the table for placements of queens.

use tallyboard_queens::text::{Notation, Reader, read_boards};

use crate::document::{Document, MAX_PUZZLE_BYTES};
use crate::error::ReadError;
use crate::format::{
    Answer, BOARDS_OF_QUEENS, Example, Format, Found, Game, Options, Probe, Read, Writer,
};
use crate::head::Head;

pub(crate) static BOARDS: [Format; 1] = [Format {
    name: BOARDS_OF_QUEENS,
    endings: &["txt", "json", "param"],
    about: "a board with closed or taken squares, to fill",
    probe: ask_for_boards,
    read: Some(read_all_boards),
    examples: || TO_FILL.to_vec(),
    ..ROW
}];

const TO_FILL: [Example; 4] = [
    Example {
        what: "a picture",
        writers: "courses, judges (CSES)",
        text: ".*..\n..Q.\n....\n....",
    },
    Example {
        what: "sizes above pictures, 0 behind the last",
        writers: "judges (UVa)",
        text: "4\n.*..\n....\n....\n....\n0",
    },
    Example {
        what: "lists of squares",
        writers: "PyCSP3",
        text: "{\"n\": 4, \"queens\": [[1, 2]], \"blocks\": [[0, 1]]}",
    },
    Example {
        what: "parameters of Essence",
        writers: "CSPLib",
        text: "letting n = 4\nletting blocks = [[1, 2]]\nletting init = [[1, 2]]",
    },
];

pub(crate) static ROWS: [Format; 6] = [
    Format {
        name: "board",
        endings: &["txt"],
        about: "drawn, a row a line",
        probe: |head| ask(head, Kind::Board),
        write: Some(Writer::Placement(Notation::Board)),
        examples: || {
            one("with ranks and files", "this program", "4 .Q..\n3 ...Q\n2 Q...\n1 ..Q.\n  abcd")
        },
        ..ROW
    },
    Format {
        name: "vector",
        endings: &["txt"],
        about: "the column of each row's queen",
        probe: |head| ask(head, Kind::Vector),
        write: Some(Writer::Placement(Notation::Vector)),
        examples: || one("from 1", "programs, MiniZinc", "2 4 1 3"),
        ..ROW
    },
    Format {
        name: "csv",
        endings: &["csv"],
        about: "the same with commas",
        probe: |head| ask(head, Kind::Csv),
        write: Some(Writer::Placement(Notation::Csv)),
        examples: || one("below names of rows", "this program", "rank4,rank3,rank2,rank1\n2,4,1,3"),
        ..ROW
    },
    Format {
        name: "json",
        endings: &["json"],
        about: "arrays of rows or of columns",
        probe: |head| ask(head, Kind::Json),
        write: Some(Writer::Placement(Notation::Json)),
        examples: || {
            one("the rows of a board", "this program", "[\".Q..\",\"...Q\",\"Q...\",\"..Q.\"]")
        },
        ..ROW
    },
    Format {
        name: "fen",
        endings: &["fen"],
        about: "as positions of chess are written",
        probe: |head| ask(head, Kind::Fen),
        write: Some(Writer::Placement(Notation::Fen)),
        examples: || one("queens alone", "programs for chess", "1Q2/3Q/Q3/2Q1"),
        ..ROW
    },
    Format {
        name: "svg",
        endings: &["svg"],
        about: "a picture that this program drew",
        probe: |head| ask(head, Kind::Svg),
        examples: || {
            one("with the columns in it", "this program", "<svg data-queens=\"2 4 1 3\"></svg>")
        },
        ..ROW
    },
];

const ROW: Format = Format {
    name: "",
    game: Game::Queens,
    endings: &[],
    about: "",
    probe: |_| Answer::no(""),
    lacks: None,
    read: Some(read),
    write: None,
    examples: Vec::new,
};

fn one(what: &'static str, writers: &'static str, text: &'static str) -> Vec<Example> {
    vec![Example { what, writers, text }]
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Board,
    Vector,
    Csv,
    Json,
    Fen,
    Svg,
}

/// The notation of the first line that is no comment.
fn kind(text: &str) -> Option<Kind> {
    let mut lines = text.lines().map(str::trim);
    let line = lines.find(|line| !line.is_empty() && !line.starts_with('#'))?;
    let is_square = |c: char| c == 'Q' || c == '.';
    let row = line.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start();
    Some(match line.chars().next()? {
        '<' => Kind::Svg,
        '[' | '{' => Kind::Json,
        _ if !row.is_empty() && row.chars().all(is_square) => Kind::Board,
        _ if line.contains('Q') => Kind::Fen,
        _ if line.contains(',') => Kind::Csv,
        _ => Kind::Vector,
    })
}

/// Whether the text is boards of queens to fill, and no solution to check.
fn ask_for_boards(head: &Head<'_>) -> Answer {
    match head.is_board_of_queens() && !has_placement(head) {
        true => Probe::Sure.into(),
        false => Answer::no("found no closed or taken squares among free ones"),
    }
}

fn has_placement(head: &Head<'_>) -> bool {
    let kind = head.text().and_then(kind);
    kind.is_some_and(|kind| matches!(ask(head, kind).probe, Probe::Maybe(_)))
}

/// What the format of `wanted` says: whether the text begins with a solution of the queens problem, which is a question to
/// `queens check`.
fn ask(head: &Head<'_>, wanted: Kind) -> Answer {
    /// Smaller boards have one queen, or no solution.
    const SMALLEST: usize = 4;
    let Some(text) = head.text().filter(|text| kind(text) == Some(wanted)) else {
        return Answer::no("other placements begin so");
    };
    match Reader::new(text.as_bytes()).next_placement() {
        Ok(Some((_, placement))) if placement.n() >= SMALLEST && placement.check().is_ok() => {
            Probe::Maybe("the first placement is a solution of the queens problem").into()
        }
        Ok(_) => Answer::no("found no solution of the queens problem"),
        Err(error) => Answer::refused(&error.to_string()),
    }
}

fn read(document: Document, _: Option<Read>, _: &Options) -> Result<Found, ReadError> {
    Ok(Found::Placements(document.into_reader()))
}

fn read_all_boards(
    document: Document,
    _: Option<Read>,
    options: &Options,
) -> Result<Found, ReadError> {
    let (name, bytes) = document.into_bytes(MAX_PUZZLE_BYTES)?;
    match read_boards(&bytes, options.closed.as_deref()) {
        Ok(boards) => Ok(Found::QueensBoards(Box::new(boards))),
        Err(source) => Err(ReadError::Queens { name, source }),
    }
}
