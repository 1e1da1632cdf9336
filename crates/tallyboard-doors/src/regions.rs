//! Rows of the table for boards of regions.

use std::io::{self, BufReader, Cursor};

use tallyboard_base::bound::{MAX_RECORD_BYTES, read_line};
use tallyboard_regions::format::{Kind, Records, line};
use tallyboard_variants::{StarBattle, star_battle};

use crate::document::{Document, Input};
use crate::error::ReadError;
use crate::format::{Answer, Example, Format, Found, Game, Options, Probe, Read, Writer};
use crate::head::{FirstBoard, Head};

pub(crate) static ROWS: [Format; 8] = [
    Format {
        name: "rows",
        endings: &["txt"],
        about: "a letter, a number or a coloured emoji for each cell, a row a line",
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
        name: "penpa",
        endings: &["url", "txt"],
        about: "star battles as links of Penpa",
        probe: |head| match head.text().is_some_and(is_penpa) {
            true => Probe::Sure.into(),
            false => Answer::no("no link of Penpa with stars"),
        },
        examples: || vec![example("a board with the number of stars beside it", "Penpa", PENPA)],
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

const ROWS_OF_CELLS: [Example; 6] = [
    example("letters", "people", "AABB\nAABB\nCCDD\nCCDD"),
    example(
        "coloured squares or circles as emoji",
        "people",
        "🟥🟥🟦🟦\n🟥🟥🟦🟦\n🟨🟨🟩🟩\n🟨🟨🟩🟩",
    ),
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

const PENPA: &str = "https://swaroopg92.github.io/penpa-edit/#m=edit&p=7ZRLb9pAEMfvfIpoz3PYh429vtEUeqHpA6oKWShyiFtQQU4NVNUif/fOjCfYUiNF4VDlUK129PM8dv/e1/7nsahLSLG5FDQYbJGPuLsk5q6lzTeHbZldweh4WFc1AsCHyQS+Fdt9OcgN15rl4BR8FkYQ3mW5sgq4G7WE8Ck7hfdZGEOYYUhhLoQpklFgEccdfuU40XXrNBr5Rhhxgbja1KtteTttPR+zPMxB0TxvuJpQ7apfpWrL+HtV7e425LgrDvgz+/XmQSL7433146gep2ggjFq5iyfkuk6uO8t1T8u1Ind/KOqLpLaFf4v0y6bBxf6MMm+znBR/6TDtcJadGlJzUs48/h/vCHoNxxYUsxizILNZCk44aNnOcSwIju1btpptzHbKOWMcxqQOTBqpDIcyCXHcchr1eIicCCfIqTDme8nxMfJQGPN90tV6yfdJj1Nkf661us23etjjBLmrtdqL34M1WvzERvwpWNv6rfEdW40sOYbYit90bIhdV+sk36HfSY6zyJLjHHIk4xDH4o96jLUR5Td05mjJr9lGbIe8FQlt+ouORf8YXLbrz8rJnQdzbsnlvBzkanz/vby6qepdscVrMVsXD6XCV6cZqN+Ke+7oEfv/EP3Th4gWXr+2c/fa5OBN4FVsNx1P7R8=";

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
    Ok(Found::Regions(Records::new(boards(document), options.stars)))
}

/// The text of boards that a document has: its own, unless it is links of Penpa, for each of which a board as JSON stands in the same line.
/// What is wrong with a link is an error of the input where it is read.
pub fn boards(document: Document) -> Input {
    let is_penpa = document.head().text().is_some_and(is_penpa);
    let input = document.into_reader();
    match is_penpa {
        true => Box::new(BufReader::new(Penpa { input, board: Cursor::default() })),
        false => input,
    }
}

/// Whether the first lines of a text are star battles of Penpa and comments.
fn is_penpa(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim).filter(|line| !is_comment(line)).peekable();
    // Most files show in their first bytes that they are none.
    lines.peek().is_some_and(|first| first.starts_with("http"))
        && lines.all(|line| star_battle(line).is_some())
}

fn is_comment(line: &str) -> bool {
    line.is_empty() || line.starts_with('#')
}

/// Star battles of Penpa, a link a line, as boards in JSON, a line each. Other lines stay as they are.
struct Penpa {
    input: Input,
    /// The line that is handed out.
    board: Cursor<Vec<u8>>,
}

impl io::Read for Penpa {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.board.read(buffer)?;
        if read > 0 || buffer.is_empty() {
            return Ok(read);
        }
        let mut line = Vec::new();
        // What is longer than a line may be is no link, and its parts are handed on as they are.
        read_line(&mut self.input, &mut line, MAX_RECORD_BYTES)?;
        let link = str::from_utf8(&line).map(str::trim).ok().filter(|line| !is_comment(line));
        if let Some(found) = link.and_then(star_battle) {
            let wrong = |error: tallyboard_variants::Error| {
                io::Error::new(io::ErrorKind::InvalidData, error.to_string())
            };
            line = (board_as_json(&found.map_err(wrong)?) + "\n").into_bytes();
        }
        self.board = Cursor::new(line);
        self.board.read(buffer)
    }
}

fn board_as_json(StarBattle { regions, stars, given }: &StarBattle) -> String {
    let side = regions.len().isqrt();
    let rows: Vec<&[usize]> = regions.chunks(side).collect();
    let given: Vec<[usize; 2]> = given.iter().map(|cell| [cell / side, cell % side]).collect();
    let stars = stars.map_or_else(String::new, |stars| format!("\"stars\": {stars}, "));
    format!("{{{stars}\"regions\": {rows:?}, \"queens\": {given:?}}}")
}
