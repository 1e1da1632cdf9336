//! Rows of the table for sudokus.

use tallyboard_sudoku::format::{Form, FormError, Format as Syntax, KINDS, Kind, OnePuzzle};

use crate::document::Document;
use crate::error::ReadError;
use crate::format::{Answer, Example, Format, Found, Game, Options, Probe, Read, Writer};
use crate::head::{Head, SudokuLook};

pub(crate) static ROWS: [Format; 6] = [
    row(Syntax::Lines, &["txt", "sdm"], "one puzzle a line", lines, || examples(Syntax::Lines)),
    row(Syntax::Csv, &["csv", "tsv"], "a table with a column of puzzles", csv, || {
        examples(Syntax::Csv)
    }),
    row(Syntax::Jsonl, &["jsonl"], "an object of JSON a line", jsonl, || examples(Syntax::Jsonl)),
    row(Syntax::Grid, &["sdk", "ss", "sud"], "rows of cells, with frames or without", grid, || {
        examples(Syntax::Grid)
    }),
    row(Syntax::Document, &["xml", "json"], "JSON or XML of programs", document, || {
        examples(Syntax::Document)
    }),
    Format {
        read: None,
        ..row(Syntax::Sdk, &["sdk"], "nine rows of nine cells without frames", never, Vec::new)
    },
];

const fn row(
    syntax: Syntax,
    endings: &'static [&'static str],
    about: &'static str,
    probe: fn(&Head<'_>) -> Answer,
    examples: fn() -> Vec<Example>,
) -> Format {
    let write = match syntax {
        Syntax::Document => None,
        written => Some(Writer::Sudokus(written)),
    };
    let (name, game) = (syntax.name(), Game::Sudoku);
    Format { name, game, endings, about, probe, lacks: None, read: Some(read), write, examples }
}

fn examples(syntax: Syntax) -> Vec<Example> {
    let kinds = KINDS.iter().filter(|kind| kind.format == syntax);
    let example =
        |kind: &Kind| Example { what: kind.name, writers: kind.writers, text: kind.example };
    kinds.map(example).collect()
}

fn lines(head: &Head<'_>) -> Answer {
    ask(head, Syntax::Lines)
}

fn csv(head: &Head<'_>) -> Answer {
    ask(head, Syntax::Csv)
}

fn jsonl(head: &Head<'_>) -> Answer {
    ask(head, Syntax::Jsonl)
}

fn grid(head: &Head<'_>) -> Answer {
    ask(head, Syntax::Grid)
}

fn document(head: &Head<'_>) -> Answer {
    ask(head, Syntax::Document)
}

fn never(_: &Head<'_>) -> Answer {
    Answer::no("such files are read as `grid`")
}

/// What the format `syntax` says.
fn ask(head: &Head<'_>, syntax: Syntax) -> Answer {
    let SudokuLook { form, puzzles, bad, .. } = head.sudokus();
    let found = match form {
        Ok(form) => form.input_format(),
        // What is wrong with these is told by the reader.
        Err(FormError::NoPuzzleColumn(_)) => Syntax::Csv,
        Err(error) if error.is_of_rows() => Syntax::Grid,
        Err(_) => Syntax::Lines,
    };
    if found != syntax {
        return Answer::no("other sudokus begin so");
    }
    if !head.is_sudoku() {
        let lines = match form {
            // The rows of a grid of nine, at least.
            Err(error) if error.is_of_rows() => 9,
            _ => *puzzles as usize,
        };
        return Answer::behind(lines, why_not(head));
    }
    let is_sure = match form {
        // A picture may stand among rules of a variant, and rows of 0 and 1 may be a matrix.
        Ok(_) => {
            let is_other =
                head.is_matrix() || head.is_surely_variant() || head.is_board_of_queens();
            *bad == 0 && !is_other
        }
        Err(error) => matches!(error, FormError::NoText(..)),
    };
    let probe = match is_sure {
        true => Probe::Sure,
        false => Probe::Maybe("at least half of the first records are sudokus"),
    };
    let read = form.as_ref().ok().map(|form| Read::Sudokus(Box::new(form.clone())));
    Answer { probe, read }
}

/// Why the beginning is not one of sudokus.
fn why_not(head: &Head<'_>) -> String {
    match &head.sudokus().form {
        Err(error) => error.to_string(),
        Ok(_) if head.repeats_in_rows() => "a sign stands twice in most rows".to_owned(),
        Ok(form) => {
            let bad = OnePuzzle::first_bad(form, head.whole_lines());
            bad.map_or("no puzzle".to_owned(), |bad| bad.to_string())
        }
    }
}

/// The form of the stream, which is left unread.
fn read(document: Document, read: Option<Read>, options: &Options) -> Result<Found, ReadError> {
    if let (Some(Read::Sudokus(form)), None) = (read, &options.sudoku) {
        return Ok(Found::Sudokus(form, document));
    }
    let wanted = options.sudoku.clone().unwrap_or_default();
    match Form::find(document.head().bytes(), &wanted) {
        Ok(form) => Ok(Found::Sudokus(Box::new(form), document)),
        Err(source) => Err(ReadError::Sudokus { name: document.name().to_owned(), source }),
    }
}
