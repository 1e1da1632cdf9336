//! Rows of the table for boards of regions.

use tallyboard_regions::format::{Kind, Records, line};

use crate::document::Document;
use crate::error::ReadError;
use crate::format::{Answer, Example, Format, Found, Game, Options, Probe, Read, Writer};
use crate::head::{FirstBoard, Head};

pub(crate) static ROWS: [Format; 7] = [
    Format {
        name: "rows",
        endings: &["txt"],
        about: "a letter or number for each cell, a row a line",
        probe: |head| ask(head, |kind| kind == Kind::Rows),
        examples: || ROWS_OF_CELLS.to_vec(),
        ..ROW
    },
    Format {
        name: "lines",
        endings: &["txt"],
        about: "a board a line, n × n letters",
        probe: |head| ask(head, |kind| kind == Kind::Lines),
        write: Some(Writer::Board(line)),
        examples: || vec![example("letters", "this program", "AABBAABBCCDDCCDD")],
        ..ROW
    },
    Format {
        name: "sbn",
        endings: &["txt"],
        about: "star battles in SBN: the size, the stars and a bit for each border, a line each",
        probe: |head| ask(head, |kind| kind == Kind::Sbn),
        examples: || {
            vec![example("one star in six rows", "a collection of star battles", "661W9Agum9_Rym")]
        },
        ..ROW
    },
    Format {
        name: "pzpr",
        endings: &["url", "txt"],
        about: "star battles of puzz.link, as links or saved",
        probe: |head| ask(head, |kind| kind == Kind::Pzpr),
        examples: || PZPR.to_vec(),
        ..ROW
    },
    Format {
        name: "csv",
        endings: &["csv", "tsv"],
        about: "a table with a column `board`, `regions` or `cells`",
        probe: |head| ask(head, |kind| matches!(kind, Kind::Table(..))),
        examples: || {
            vec![example("a column of boards", "data sets", "id,board\n1,AABBAABBCCDDCCDD")]
        },
        ..ROW
    },
    Format {
        name: "json",
        endings: &["json", "jsonl"],
        about: "objects with `regions` or `colorRegions`, or lists of rows",
        probe: |head| ask(head, |kind| kind == Kind::Json),
        examples: || JSON.to_vec(),
        ..ROW
    },
    Format {
        name: "script",
        endings: &["ts", "js", "py"],
        about: "TypeScript, JavaScript or Python with such a value",
        probe: |head| ask(head, |kind| kind == Kind::Script),
        examples: || SCRIPTS.to_vec(),
        ..ROW
    },
];

/// What the rows have in common.
const ROW: Format = Format {
    name: "",
    game: Game::Regions,
    endings: &[],
    about: "",
    probe: |_| Answer::no(""),
    lacks: None,
    read: Some(read),
    write: None,
    examples: Vec::new,
};

const fn example(what: &'static str, writers: &'static str, text: &'static str) -> Example {
    Example { what, writers, text }
}

const ROWS_OF_CELLS: [Example; 5] = [
    example("letters", "people", "AABB\nAABB\nCCDD\nCCDD"),
    example(
        "numbers with blanks or commas between them",
        "spreadsheets",
        "1,1,2,2\n1,1,2,2\n3,3,4,4\n3,3,4,4",
    ),
    example("the number of rows and of stars above", "courses", "4\n1\nAABB\nAABB\nCCDD\nCCDD"),
    example(
        "cells in no region as `@` or `#`, below the numbers of rows, columns and stars",
        "puzzlekit",
        "5 5 1\n1 1 1 2 2\n1 3 3 2 2\n4 4 3 @ 5\n4 4 3 5 5\n4 4 @ 5 5",
    ),
    example(
        "the cells of each region, those of the solution before a bar",
        "programs that make boards",
        "4x4\n1,2 | 1,1 2,1 2,2\n2,4 | 1,3 1,4 2,3\n3,1 | 3,2 4,1 4,2\n4,3 | 3,3 3,4 4,4",
    ),
];

const PZPR: [Example; 2] = [
    example("a link", "puzz.link", "https://puzz.link/p?starbattle/6/6/1/4ilbhgdnmhou"),
    example(
        "a text",
        "puzz.link",
        "pzprv3\nstarbattle\n6\n6\n1\n6\n0 0 0 1 1 1 \n0 1 1 1 2 2 \n0 3 3 4 4 2 \n5 5 3 3 4 2 \n5 4 4 4 4 2 \n5 2 2 2 2 2 \n\
         . . . . . . \n. . . . . . \n. . . . . . \n. . . . . . \n. . . . . . \n. . . . . . ",
    ),
];

const JSON: [Example; 3] = [
    example(
        "an object with the regions",
        "programs that make boards",
        "{\"stars\": 1, \"regions\": [\"AABB\", \"AABB\", \"CCDD\", \"CCDD\"]}",
    ),
    example(
        "a collection of texts",
        "puzzlekit",
        "{\"data\": {\"1_4x4\": {\"problem\": \"4 4 1\\nA A B B\\nA A B B\\nC C D D\\nC C D D\"}}}",
    ),
    example(
        "a list of rows",
        "scripts",
        "[[\"A\",\"A\",\"B\",\"B\"],[\"A\",\"A\",\"B\",\"B\"],[\"C\",\"C\",\"D\",\"D\"],[\"C\",\"C\",\"D\",\"D\"]]",
    ),
];

const SCRIPTS: [Example; 2] = [
    example(
        "a level of a game",
        "TypeScript, JavaScript",
        "const level = {\n  size: 4,\n  colorRegions: [\n    [\"A\", \"A\", \"B\", \"B\"],\n    [\"A\", \"A\", \"B\", \"B\"],\n    \
         [\"C\", \"C\", \"D\", \"D\"],\n    [\"C\", \"C\", \"D\", \"D\"],\n  ],\n};",
    ),
    example(
        "a list with a name",
        "Python",
        "board = [\n  [0, 0, 1, 1],\n  [0, 0, 1, 1],\n  [2, 2, 3, 3],\n  [2, 2, 3, 3],\n]",
    ),
];

/// What a format says whose kind `is_kind` knows.
fn ask(head: &Head<'_>, is_kind: fn(Kind) -> bool) -> Answer {
    let Some(FirstBoard { kind, board }) = head.board() else {
        return Answer::no("the file is empty");
    };
    if !kind.is_some_and(is_kind) {
        return Answer::no("other boards begin so");
    }
    match board {
        Ok(_) => Probe::Maybe("the first board has as many regions as rows").into(),
        Err(_) if is_cut_value(head, *kind) => Probe::Maybe("a value with regions").into(),
        Err(error) => Answer::refused(&error.to_string()),
    }
}

/// Whether the beginning ends within a value that has the regions of boards.
fn is_cut_value(head: &Head<'_>, kind: Option<Kind>) -> bool {
    let has = |name: &str| head.text().is_some_and(|text| text.contains(name));
    !head.is_whole()
        && matches!(kind, Some(Kind::Json | Kind::Script))
        && (has("colorRegions") || has("regions") || has("\"problem\""))
}

fn read(document: Document, _: Option<Read>, options: &Options) -> Result<Found, ReadError> {
    Ok(Found::Regions(Records::new(document.into_reader(), options.stars)))
}
