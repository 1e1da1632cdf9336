//! Rows of the table for exact covers.

use tallyboard_cover::Cover;
use tallyboard_cover::format::{Format as Syntax, Input, read as read_cover, read_problem};

use crate::document::{Document, MAX_PUZZLE_BYTES};
use crate::error::ReadError;
use crate::format::{Answer, Example, Format, Found, Game, Options, Probe, Read, Writer};
use crate::head::Head;

pub(crate) static ROWS: [Format; 12] = [
    row(
        Syntax::Picture,
        &["txt"],
        "a board and pieces, drawn",
        |head| ask(head, Syntax::Picture),
        || one("a board to fill", "people", "board:\n....\n....\npieces: flip\nD x any:\nxx"),
    ),
    row(
        Syntax::Pips,
        &["txt"],
        "dominoes with numbers, a board with regions, and rules for these",
        |head| ask(head, Syntax::Pips),
        || one("a sum, equal numbers and a bound", "people", PIPS),
    ),
    row(
        Syntax::PipsJson,
        &["json"],
        "the same as JSON, three boards of a day or one",
        |head| ask(head, Syntax::PipsJson),
        || one("one board", "the newspaper that publishes Pips, solvers", PIPS_JSON),
    ),
    row(
        Syntax::Ec,
        &["ec", "xcc"],
        "numbered items below `p ec`",
        |head| ask(head, Syntax::Ec),
        || EC.to_vec(),
    ),
    row(
        Syntax::Xmpuzzle,
        &["xmpuzzle"],
        "a puzzle of cubes, as BurrTools saves it",
        |head| ask(head, Syntax::Xmpuzzle),
        || one("cubes alone", "BurrTools", XMPUZZLE),
    ),
    row(
        Syntax::Samurai,
        &["txt"],
        "five sudokus that share boxes, as 21 rows",
        |head| ask(head, Syntax::Samurai),
        || one("blanks are dots", "people", SAMURAI),
    ),
    row(
        Syntax::Miniexact,
        &["txt"],
        "items in `< >`, options that end with `;`",
        |head| ask(head, Syntax::Miniexact),
        || {
            one(
                "with a secondary item",
                "miniexact",
                "< a b c d > [ x ]\na b x:1;\nc d x:1;\na c;\nb d;",
            )
        },
    ),
    row(
        Syntax::Matrix,
        &["txt"],
        "a row of 0 and 1 for each option",
        |head| ask(head, Syntax::Matrix),
        || MATRIX.to_vec(),
    ),
    row(
        Syntax::Lists,
        &["txt"],
        "the number of items of each option, and their numbers",
        |head| ask(head, Syntax::Lists),
        || LISTS.to_vec(),
    ),
    row(
        Syntax::Brackets,
        &["json", "py"],
        "lists in brackets, as JSON and Python write them",
        |head| ask(head, Syntax::Brackets),
        || BRACKETS.to_vec(),
    ),
    row(
        Syntax::Knuth,
        &["dlx", "txt"],
        "a line of items, then a line for each option",
        |head| ask(head, Syntax::Knuth),
        || KNUTH.to_vec(),
    ),
    Format {
        read: None,
        ..row(
            Syntax::Cnf,
            &["cnf"],
            "clauses in DIMACS with a model for each cover",
            |_| Answer::no("clauses say nothing of a board"),
            Vec::new,
        )
    },
];

const EC: [Example; 4] = [
    example(
        "as DIMACS writes problems",
        "solvers of exact covers",
        "p ec 4\ns 1 2\ns 3 4\ns 1 3\ns 2 4",
    ),
    example("with the number of options", "solvers of exact covers", "p ec 4 2\ns 1 2\ns 3 4"),
    example("a 0 ends an option", "miniexact", "p xc 4 0\n1 2 0\n3 4 0\n1 3 0\n2 4 0"),
    example(
        "a negative number is the colour of the secondary item before it",
        "miniexact",
        "p xcc 2 1\n1 3 -1 0\n2 3 -1 0\n1 3 -2 0\n2 0",
    ),
];

const MATRIX: [Example; 4] = [
    example("below its dimensions", "courses, judges", "3 4\n1 0 0 1\n0 1 1 0\n1 0 0 0"),
    example("alone", "courses", "1001\n0110\n1000"),
    example("below the names of its columns", "spreadsheets", "a b c d\n1 1 0 0\n0 0 1 1"),
    example("with commas", "spreadsheets", "a,b,c,d\n1,1,0,0\n0,0,1,1"),
];

const LISTS: [Example; 2] = [
    example("below the numbers of items and options", "judges", "4 4\n2 1 2\n2 3 4\n2 1 3\n2 2 4"),
    example("items from 0", "judges", "4 4\n2 0 1\n2 2 3\n2 0 2\n2 1 3"),
];

const BRACKETS: [Example; 3] = [
    example(
        "the items of each option",
        "scripts",
        "[[\"a\", \"b\"], [\"c\", \"d\"], [\"a\", \"c\"]]",
    ),
    example(
        "options with names",
        "scripts",
        "{\"X\": [\"a\", \"b\"], \"Y\": [\"c\"], \"Z\": [\"b\", \"c\"]}",
    ),
    example("a matrix", "scripts", "[[1, 0, 1], [0, 1, 0]]"),
];

const KNUTH: [Example; 8] = [
    example("items and options", "Knuth's programs", "a b c d\na b\nc d\na c\nb d"),
    example("an item that may stay uncovered", "Knuth's programs", "a b | x\na x\nb x\na\nb"),
    example("colours", "Knuth's programs", "a b | x\na x:red\na x:blue\nb x:red"),
    example("an item that is covered once or twice", "Knuth's programs", "1:2|a b\na\na b\nb"),
    example(
        "an item whose weights add up to 5 or 6",
        "solvers of exact covers",
        "price[5:6] food drink\nfood price=2\nfood price=4\ndrink price=1\ndrink price=3",
    ),
    example("a symmetry", "this program", "| symmetry: (a b c d)\na b c d\na b\nb c\nc d\nd a"),
    example("the numbers of items and options above", "courses", "4 2\na b c d\na b\nc d"),
    example("comments", "solvers of exact covers", "| a comment\na b\na // an option\nb"),
];

const XMPUZZLE: &str = "<?xml version=\"1.0\"?>\n<puzzle version=\"2\">\n<gridType type=\"0\"/>\n<colors/>\n<shapes>\n\
<voxel x=\"2\" y=\"1\" z=\"1\" type=\"0\">##</voxel>\n<voxel x=\"2\" y=\"2\" z=\"1\" type=\"0\">####</voxel>\n</shapes>\n\
<problems>\n<problem state=\"0\">\n<shapes><shape id=\"0\" count=\"2\"/></shapes>\n<result id=\"1\"/>\n<bitmap/>\n</problem>\n\
</problems>\n</puzzle>";

const PIPS: &str =
    "board:\naab\n..b\ncc#\ndominoes: 0-1 2-2 1-3 1-4\nregions:\na sum 3\nb equal\nc >4";

const PIPS_JSON: &str = "{\"dominoes\": [[0, 1], [2, 2]], \"regions\": [{\"indices\": [[0, 0], [0, 1]], \"type\": \"sum\", \"target\": 3}, \
{\"indices\": [[1, 0]], \"type\": \"less\", \"target\": 2}, {\"indices\": [[1, 1]], \"type\": \"empty\"}]}";

const SAMURAI: &str = include_str!("samurai.txt");

const fn example(what: &'static str, writers: &'static str, text: &'static str) -> Example {
    Example { what, writers, text }
}

fn one(what: &'static str, writers: &'static str, text: &'static str) -> Vec<Example> {
    vec![example(what, writers, text)]
}

const fn row(
    syntax: Syntax,
    endings: &'static [&'static str],
    about: &'static str,
    probe: fn(&Head<'_>) -> Answer,
    examples: fn() -> Vec<Example>,
) -> Format {
    let write = match syntax {
        Syntax::Knuth | Syntax::Ec | Syntax::Matrix | Syntax::Brackets | Syntax::Cnf => {
            Some(Writer::Cover(syntax))
        }
        _ => None,
    };
    let (name, game) = (syntax.name(), Game::Cover);
    Format { name, game, endings, about, probe, lacks: None, read: Some(read), write, examples }
}

/// What the format `syntax` says.
fn ask(head: &Head<'_>, syntax: Syntax) -> Answer {
    if head.cover_format() != Some(syntax) {
        return Answer::no("other covers begin so");
    }
    match syntax {
        Syntax::Picture | Syntax::Pips | Syntax::PipsJson | Syntax::Ec | Syntax::Samurai => {
            return Probe::Sure.into();
        }
        // Other programs write XML, too.
        Syntax::Xmpuzzle => {
            return match head.text().is_some_and(|text| text.contains("<puzzle")) {
                true => Probe::Sure.into(),
                false => Answer::no("found no <puzzle>, expected one in a file of BurrTools"),
            };
        }
        // Whole lines of these are no problem of their own.
        Syntax::Lists | Syntax::Brackets | Syntax::Miniexact if !head.is_whole() => {
            return Probe::Maybe("it begins as such a list").into();
        }
        _ => {}
    }
    match read_cover(head.whole_lines(), "") {
        Ok(input) if is_problem(input.cover()) => Answer {
            probe: Probe::Maybe("all of its options are such items"),
            read: head.is_whole().then(|| Read::Cover(Box::new(input))),
        },
        Ok(_) => Answer::no("found no options of several items"),
        Err(error) => Answer::refused(&error.to_string()),
    }
}

/// Whether a cover may be meant: a text of any kind may be lines of one word, or shapes. A short word of letters and digits is an item.
fn is_problem(cover: &Cover) -> bool {
    /// The shortest line of cells, which is no item.
    const SHORTEST_GRID: usize = 16;
    let is_item = |name: &str| {
        name.len() < SHORTEST_GRID
            && name.starts_with(|sign: char| sign.is_ascii_alphabetic())
            && name.chars().all(|sign| sign.is_ascii_alphanumeric() || sign == '_')
    };
    match cover.items() {
        [] => false,
        [item] => is_item(item.name()),
        _ => !is_of_shapes(cover),
    }
}

/// Whether the options are shapes rather than places: cells by row and column, of which some are in no option.
fn is_of_shapes(cover: &Cover) -> bool {
    let mut has_option = vec![false; cover.items().len()];
    for entry in cover.options().flatten() {
        has_option[entry.item as usize] = true;
    }
    cover.items().iter().all(|item| item.name().starts_with('(')) && has_option.contains(&false)
}

fn read(document: Document, read: Option<Read>, options: &Options) -> Result<Found, ReadError> {
    if let Some(Read::Cover(input)) = read
        && options.problem.is_none_or(|number| number == 1)
    {
        return Ok(Found::Cover(input));
    }
    let (name, bytes) = document.into_bytes(MAX_PUZZLE_BYTES)?;
    let input: Input = read_problem(&bytes, &name, options.problem).map_err(ReadError::Cover)?;
    Ok(Found::Cover(Box::new(input)))
}
