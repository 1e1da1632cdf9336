//! Rows of the table for sudokus with rules of their own.

use tallyboard_variants::{Form, KINDS, Kind, read_all, write};

use crate::document::{Document, MAX_PUZZLE_BYTES};
use crate::error::ReadError;
use crate::format::{Answer, Example, Format, Found, Game, Options, Probe, Read, Writer};
use crate::head::Head;

pub(crate) static ROWS: [Format; 20] = [
    Format {
        lacks: Some(lacks),
        write: Some(Writer::Variant(write)),
        ..row(
            Form::Text,
            &["txt"],
            "rules, a line each, and pictures of regions and givens",
            |head| ask(head, Form::Text),
            || one("a size, a rule, givens", "setters", RULES),
        )
    },
    row(
        Form::Link,
        &["url", "txt"],
        "a link of f-puzzles, SudokuPad or SudokuMaker that holds the puzzle",
        |head| ask(head, Form::Link),
        || one("of f-puzzles", "f-puzzles, SudokuPad", LINK),
    ),
    row(
        Form::FPuzzles,
        &["json"],
        "JSON of f-puzzles",
        |head| ask(head, Form::FPuzzles),
        || one("a diagonal", "f-puzzles", F_PUZZLES),
    ),
    row(
        Form::SudokuPad,
        &["json"],
        "JSON of SudokuPad",
        |head| ask(head, Form::SudokuPad),
        || one("a cage", "SudokuPad", SUDOKUPAD),
    ),
    row(
        Form::SudokuMaker,
        &["json"],
        "JSON of SudokuMaker",
        |head| ask(head, Form::SudokuMaker),
        || one("a cage and a dot", "SudokuMaker", SUDOKUMAKER),
    ),
    row(
        Form::Penpa,
        &["url", "txt"],
        "a link of Penpa",
        |head| ask(head, Form::Penpa),
        || one("a cage and givens", "Penpa", PENPA),
    ),
    row(
        Form::Pzpr,
        &["url", "txt"],
        "a sudoku or skyscrapers of puzz.link, as a link or saved",
        |head| ask(head, Form::Pzpr),
        || PZPR.to_vec(),
    ),
    row(
        Form::Solo,
        &["txt"],
        "a game id of Solo",
        |head| ask(head, Form::Solo),
        || one("without rules", "Simon Tatham's Solo", "2x2:a1b2_3c4d1a"),
    ),
    row(
        Form::GameId,
        &["txt"],
        "a game id of Unequal, Towers or Keen",
        |head| ask(head, Form::GameId),
        || kinds(Form::GameId),
    ),
    row(
        Form::Ksudoku,
        &["ksudoku", "xml"],
        "a game that KSudoku saved",
        |head| ask(head, Form::Ksudoku),
        || one("with a cage", "KSudoku", KSUDOKU),
    ),
    row(
        Form::Lettered,
        &["txt"],
        "a picture of cages by letters, and a clue for each",
        |head| ask(head, Form::Lettered),
        || kinds(Form::Lettered),
    ),
    row(
        Form::Arrows,
        &["txt"],
        "sums, and signs that point at them",
        |head| ask(head, Form::Arrows),
        || kinds(Form::Arrows),
    ),
    row(
        Form::Futoshiki,
        &["txt"],
        "a Latin square with signs between cells",
        |head| ask(head, Form::Futoshiki),
        || kinds(Form::Futoshiki),
    ),
    row(
        Form::Cages,
        &["txt", "json", "py"],
        "a list of cages",
        |head| ask(head, Form::Cages),
        || kinds(Form::Cages),
    ),
    row(
        Form::Skyscrapers,
        &["txt"],
        "a Latin square with what is seen from outside",
        |head| ask(head, Form::Skyscrapers),
        || kinds(Form::Skyscrapers),
    ),
    row(
        Form::Headed,
        &["txt", "json"],
        "pictures below the number of rows and of columns",
        |head| ask(head, Form::Headed),
        || kinds(Form::Headed),
    ),
    row(
        Form::Jigsaw,
        &["txt"],
        "regions and givens, a picture each",
        |head| ask(head, Form::Jigsaw),
        || kinds(Form::Jigsaw),
    ),
    row(
        Form::MiniZinc,
        &["dzn"],
        "the data of a MiniZinc model",
        |head| ask(head, Form::MiniZinc),
        || kinds(Form::MiniZinc),
    ),
    row(
        Form::Grid,
        &["txt"],
        "a grid of a size that is no sudoku's",
        |head| ask(head, Form::Grid),
        || one("six rows", "people", "12....\n......\n..3...\n......\n....4.\n......"),
    ),
    row(
        Form::LinkInText,
        &["txt", "md", "html"],
        "links among other words",
        |head| ask(head, Form::LinkInText),
        || one("a note", "people", "Open https://example.org/solo.html#2x2:a1b2_3c4d1a and play."),
    ),
];

const RULES: &str = "size 4\ndiagonal falling\ngivens\n12..\n34..\n..2.\n....";

const LINK: &str = "https://www.f-puzzles.com/?load=N4IgzglgXgpiBcAWANCA5gJwgEwQbT1ADcBDAGwFc54BGVNCImAOwQBcMqBfZY8qhACZ6jFu04wewKVwC6yQiFKVqAZhFNW8Dt15L+1FOlFadk3jPmEZe5QPjDjm8bulXpFz2/khsEEmgA9szkALQukkA===";

const F_PUZZLES: &str = "{\"size\": 4, \"grid\": [[{\"value\": 1, \"given\": true}, {}, {}, {}], [{}, {}, {}, {}], [{}, {}, {}, {}], [{}, {}, {}, {}]], \"diagonal+\": true}";

const SUDOKUPAD: &str = "{\"cells\": [[{\"value\": 1}, {}, {}, {}], [{}, {}, {}, {}], [{}, {}, {}, {}], [{}, {}, {}, {}]], \"cages\": [{\"cells\": [[0, 1], [0, 2]], \"value\": 5, \"unique\": true}]}";

const SUDOKUMAKER: &str = "{\"formatVersion\": \"1.5.0\", \"puzzle\": {\"size\": 4, \"cells\": [{\"given\": true, \"value\": 1}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}], \"constraints\": [{\"type\": 0}, {\"type\": 1, \"regions\": [0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3]}, {\"type\": 301, \"cages\": [{\"cells\": [1, 2], \"value\": 5}]}, {\"type\": 200, \"clues\": [{\"value\": 1, \"edge\": 25}], \"negative\": []}]}}";

const PENPA: &str = "https://swaroopg92.github.io/penpa-edit/#m=edit&p=bY89C8IwEIb3/gq5+R2S1La5bA466qBbCSKoKBb8aAulpf/dS6xO8l7Iw8NdPur2eL+1mEtSCwUdwiquIg+lpuyuTXVyswaLtrncX252ALBZrXA+VPUJXVJOnT4Zenb0aPdPGoWXbiDLYEXOgIoMNo0kN7COZNMvsQabH/GHDHiaYGhVCI7otZyaGkuupIygvah1UHkwRgxIU7C5K0tt5UPeo9+6YZQ3jUlUMdn/3YcuKeooeQM=";

const PZPR: [Example; 3] = [
    Example {
        what: "a link of a sudoku",
        writers: "puzz.link, pzv.jp",
        text: "https://puzz.link/p?sudoku/4/4/g1k23k3g",
    },
    Example {
        what: "a link of skyscrapers",
        writers: "puzz.link",
        text: "https://puzz.link/p?skyscrapers/4/4/k13h4j3g",
    },
    Example {
        what: "skyscrapers as a text",
        writers: "puzz.link",
        text: "pzprv3\nskyscrapers\n4\n4\n. . . . . . \n. . . . . . \n4 . . . . . \n. . . . . 3 \n. . . . . . \n. . 1 3 . . ",
    },
];

const KSUDOKU: &str = "<ksudoku><graph type=\"custom\" order=\"4\" sizeX=\"4\" sizeY=\"4\" sizeZ=\"1\"><sudokugroups at=\"0\"/><cage operator=\"4\" value=\"3\" size=\"2\">0 1</cage></graph><values>________________</values></ksudoku>";

fn one(what: &'static str, writers: &'static str, text: &'static str) -> Vec<Example> {
    vec![Example { what, writers, text }]
}

fn kinds(form: Form) -> Vec<Example> {
    let example =
        |kind: &Kind| Example { what: kind.name, writers: kind.writers, text: kind.example };
    KINDS.iter().filter(|kind| kind.form == form).map(example).collect()
}

const fn row(
    form: Form,
    endings: &'static [&'static str],
    about: &'static str,
    probe: fn(&Head<'_>) -> Answer,
    examples: fn() -> Vec<Example>,
) -> Format {
    let (name, game) = (form.name(), Game::Variant);
    Format {
        name,
        game,
        endings,
        about,
        probe,
        lacks: None,
        read: Some(read),
        write: None,
        examples,
    }
}

/// What the format `form` says.
fn ask(head: &Head<'_>, form: Form) -> Answer {
    let Some(beginning) = head.variant() else { return Answer::no("another text") };
    if beginning.form != form {
        return Answer::no("other variants begin so");
    }
    let probe = match head.is_surely_variant() {
        true => Probe::Sure,
        false if head.is_sudoku() || head.repeats_in_rows() => {
            return Answer::no("found no rules, expected some beside the picture");
        }
        false => Probe::Maybe("of no other game"),
    };
    Answer { probe, read: beginning.read.clone().map(|found| Read::Variants(vec![found])) }
}

/// Why a text is no variant.
fn lacks(head: &Head<'_>) -> Answer {
    match read_all(head.whole_lines(), "") {
        Ok(_) => Answer::no("another text"),
        Err(error) => Answer::refused(&error.to_string()),
    }
}

fn read(document: Document, read: Option<Read>, _: &Options) -> Result<Found, ReadError> {
    if let Some(Read::Variants(found)) = read {
        return Ok(Found::Variants(found));
    }
    let (name, bytes) = document.into_bytes(MAX_PUZZLE_BYTES)?;
    read_all(&bytes, &name).map(Found::Variants).map_err(ReadError::Variant)
}
