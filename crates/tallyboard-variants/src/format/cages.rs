//! Lists of cages: a line, an object or a list for each, with its number, its operation and its cells. With an operation in
//! any of them they are a KenKen, and without one a killer.

use serde_json::{Map, Value};
use tallyboard_base::text::lines;

use super::{Parsed, number_or_blank, script, with_givens};
use crate::error::{Error, Place};
use crate::grid::Cell;
use crate::puzzle::Puzzle;
use crate::rule::{Calculation, Rule};
use crate::rules::Rules;

/// A cage as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Cage {
    /// Its line, from 1; 0 where the whole text is one value.
    line: usize,
    operation: Option<Calculation>,
    value: u32,
    cells: Cells,
    /// Whether its cells say which of their numbers is the row, as `r1c2` does.
    is_named: bool,
}

/// How a cage names its cells.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Cells {
    /// Two numbers each, or a letter and a number.
    Pairs(Vec<(u32, u32)>),
    /// A number each, in reading order.
    Numbers(Vec<u32>),
}

impl Cells {
    fn len(&self) -> usize {
        match self {
            Self::Pairs(pairs) => pairs.len(),
            Self::Numbers(numbers) => numbers.len(),
        }
    }
}

/// What a text says: the side if it is stated, givens in reading order, and cages.
struct List {
    side: Option<usize>,
    /// The value of each cell, 0 for none; empty without a grid.
    givens: Vec<u8>,
    cages: Vec<Cage>,
    /// A member beside the cages that may be a rule.
    unknown: Option<String>,
}

/// Reads a list of cages; `None` if the text is of another form.
pub(super) fn read(text: &str) -> Option<Parsed<Puzzle>> {
    let list = match script::value(text) {
        Some(value) => of_value(&value)?,
        None if heads(text).is_some() => return None,
        None => of_codes(text).or_else(|| of_lines(text)).or_else(|| of_lines(&blocks(text)?))?,
    };
    let List { side, givens, cages, unknown } = list;
    // A cage of one cell states a value, and a list of such is no list of cages.
    if cages.len() < 2 || cages.iter().all(|cage| cage.cells.len() < 2) {
        return None;
    }
    let Placed { side, cells, are_exchanged } = match placed(side, &cages) {
        Ok(placed) => placed,
        // Numbers without an operation may be anything, and a dash may be a blank or a sign.
        Err(_) if cages.iter().all(|cage| is_vague(cage.operation)) => return None,
        Err(error) => return Some(Err((Place::Whole, error))),
    };
    if let Some(name) = unknown {
        let error = wrong("cages", &name, "the size, the cages, givens and a title");
        return Some(Err((Place::Whole, error)));
    }
    if are_exchanged && givens.iter().any(|&value| value > 0) {
        let found = "givens, and cages in order only if the column is the first number of a cell";
        let error = wrong("cages", found, "cells such as r1c2, which say what is the row");
        return Some(Err((Place::Whole, error)));
    }
    if !givens.is_empty() && givens.len() != side * side {
        return None;
    }
    let each = cages.iter().zip(cells);
    let each = each.map(|(cage, cells)| (cage.line, cage.operation, cage.value, cells));
    let puzzle = puzzle(side, each)
        .and_then(|puzzle| with_givens(puzzle, givens).map_err(|error| (Place::Whole, error)));
    Some(puzzle)
}

/// The puzzle of a side whose cages have these lines, operations, numbers and cells.
pub(super) fn puzzle(
    side: usize,
    cages: impl Iterator<Item = (usize, Option<Calculation>, u32, Vec<Cell>)> + Clone,
) -> Parsed<Puzzle> {
    let at = |error| (Place::Whole, error);
    let mut rules = Rules::new(side).map_err(at)?;
    let mut operations = cages.clone().filter(|cage| cage.3.len() > 1).map(|cage| cage.1);
    // Nine by nine with sums alone, the word or the sign beside each, is a killer, too.
    let is_killer = operations.clone().all(|operation| operation.is_none())
        || side == 9 && operations.all(|operation| operation == Some(Calculation::Sum));
    let has_boxes = rules.size().has_boxes();
    if is_killer && has_boxes && side != 9 {
        let found = format!("a grid of {side} × {side} whose cages have no operation");
        return Err(at(wrong("cages", &found, "an operation beside each number, as in 24x")));
    }
    if !(is_killer && has_boxes) {
        rules.add(Rule::NoRegions).map_err(at)?;
    }
    for (line, operation, value, cells) in cages {
        let rule = match operation {
            // A cage of one cell states its value, whatever sign it has.
            _ if cells.len() == 1 => Ok(Rule::Calculation(Calculation::Sum, value, cells)),
            _ if is_killer && has_boxes => Ok(Rule::Cage { sum: Some(value), cells }),
            Some(operation) => Ok(Rule::Calculation(operation, value, cells)),
            None if is_killer => Ok(Rule::Calculation(Calculation::Sum, value, cells)),
            None => Err(wrong("cage", &value.to_string(), "one of + - x / beside the number")),
        };
        let place = if line == 0 { Place::Whole } else { Place::Line(line) };
        rule.and_then(|rule| rules.add(rule)).map_err(|error| (place, error))?;
    }
    Ok(Puzzle::new(rules))
}

fn wrong(rule: &str, found: &str, expected: &'static str) -> Error {
    Error::Words { rule: rule.to_owned(), found: found.to_owned(), expected }
}

/// The operation that a sign or a word means, `Some(None)` for one that states a value; `None` for another word.
pub(super) fn operation(word: &str) -> Option<Option<Calculation>> {
    Some(match word.to_ascii_lowercase().as_str() {
        "+" | "add" | "plus" | "sum" | "addition" => Some(Calculation::Sum),
        "-" | "−" | "–" | "sub" | "minus" | "subtract" | "subtraction" | "difference" | "diff" => {
            Some(Calculation::Difference)
        }
        "x" | "*" | "×" | "·" | "mul" | "mult" | "multiply" | "times" | "product" | "prod"
        | "multiplication" => Some(Calculation::Product),
        "/" | "÷" | "div" | "divide" | "division" | "quotient" | "ratio" => {
            Some(Calculation::Quotient)
        }
        "" | "=" | "!" | "#" | "." | "none" | "null" | "equal" | "equals" | "eq" | "given"
        | "const" | "constant" | "no-op" | "noop" | "nop" => None,
        _ => return None,
    })
}

// Where the cells are.

/// Whether an operation is none, or a sign that text of any kind has.
fn is_vague(operation: Option<Calculation>) -> bool {
    matches!(operation, None | Some(Calculation::Difference))
}

/// Where cages are in a grid, of which they are a partition.
struct Placed {
    side: usize,
    cells: Vec<Vec<Cell>>,
    /// Whether the first of the two numbers of a cell was taken for its column.
    are_exchanged: bool,
}

/// Whether cages at these `places` come in reading order only if the first of the two numbers of a cell is the column, which no cell
/// denies.
fn are_exchanged(cages: &[Cage], places: &[Vec<(usize, usize)>]) -> bool {
    let may_be = |cage: &Cage| !cage.is_named && matches!(cage.cells, Cells::Pairs(_));
    let firsts = places.iter().filter_map(|places| places.iter().min().copied());
    let exchanged = places.iter().filter_map(|places| places.iter().map(|&(a, b)| (b, a)).min());
    cages.iter().all(may_be) && !firsts.is_sorted() && exchanged.is_sorted()
}

/// Both numbers of each cell, from 0.
fn places(side: usize, cages: &[Cage]) -> Vec<Vec<(usize, usize)>> {
    let all = cages.iter().flat_map(|cage| match &cage.cells {
        Cells::Pairs(pairs) => pairs.clone(),
        Cells::Numbers(numbers) => numbers.iter().map(|&number| (number, number)).collect(),
    });
    // A coordinate is 0 somewhere, or counts from 1; of a letter and a number each has a beginning of its own.
    let begin = |least: Option<u32>| least.map_or(0, |least| least.min(1));
    let begins = (begin(all.clone().map(|pair| pair.0).min()), begin(all.map(|pair| pair.1).min()));
    let index = |number: u32, begin: u32| number as usize - begin as usize;
    let pair = |&(a, b): &(u32, u32)| (index(a, begins.0), index(b, begins.1));
    let of_cage = |cage: &Cage| -> Vec<(usize, usize)> {
        match &cage.cells {
            Cells::Pairs(pairs) => pairs.iter().map(pair).collect(),
            Cells::Numbers(numbers) => numbers
                .iter()
                .map(|&number| index(number, begins.0))
                .map(|number| (number / side.max(1), number % side.max(1)))
                .collect(),
        }
    };
    cages.iter().map(of_cage).collect()
}

/// Places cages in a grid of the stated side, or else of as many cells as theirs. The first of two numbers is the row unless they
/// [are exchanged](are_exchanged).
fn placed(stated: Option<usize>, cages: &[Cage]) -> Result<Placed, Error> {
    let count: usize = cages.iter().map(|cage| cage.cells.len()).sum();
    let side = stated.unwrap_or(count.isqrt());
    let mut cells = places(side, cages);
    let are_exchanged = are_exchanged(cages, &cells);
    if are_exchanged {
        cells.iter_mut().flatten().for_each(|cell| *cell = (cell.1, cell.0));
    }
    let mut has_cage = vec![false; side * side];
    for &(row, column) in cells.iter().flatten() {
        let name = format!("row {}, column {}", row + 1, column + 1);
        if row >= side || column >= side {
            return Err(wrong("cages", &name, "cells of a square grid, each in one cage"));
        }
        if std::mem::replace(&mut has_cage[row * side + column], true) {
            return Err(wrong("cages", &format!("{name} twice"), "each cell in one cage"));
        }
    }
    if let Some(number) = has_cage.iter().position(|&has| !has) {
        let found = format!("no cage for row {}, column {}", number / side + 1, number % side + 1);
        return Err(wrong("cages", &found, "each cell in one cage"));
    }
    let cell = |(row, column)| Cell::new(row + 1, column + 1);
    let cells = cells.into_iter().map(|cells| cells.into_iter().map(cell).collect()).collect();
    Ok(Placed { side, cells, are_exchanged })
}

// Cages as lines.

/// The text with each block between empty lines as one line; `None` if it has no such blocks.
fn blocks(text: &str) -> Option<String> {
    let mut joined = String::new();
    for line in text.lines().map(str::trim) {
        joined += if line.is_empty() { "\n" } else { " " };
        joined += line;
    }
    joined.contains('\n').then_some(joined)
}

/// The lines of a text without comments, brackets at their ends and lines of brackets alone.
fn content(text: &str) -> impl Iterator<Item = (usize, &str)> + Clone {
    let is_bracket = |c: char| "[](){},;".contains(c) || c.is_whitespace();
    let lines = lines::content(text, &["#", "%", "//"]);
    let lines = lines.map(|(number, line)| (number, line.trim_end_matches(['.', ','])));
    lines.filter(move |(_, line)| !line.chars().all(is_bracket))
}

/// The list of a text with a line for each cage, perhaps below a grid of givens; `None` if a line is of another kind.
fn of_lines(text: &str) -> Option<List> {
    let lines: Vec<(usize, &str)> = content(text).collect();
    let numbers = |line: &str| -> Option<Vec<u32>> {
        line.split_whitespace().map(|word| word.parse().ok()).collect()
    };
    let mut stated = Vec::new();
    let mut above = 0;
    while let Some(found) = lines.get(above).and_then(|(_, line)| numbers(line))
        && found.len() <= 2
        && lines[above].1.len() < 6
        && stated.len() < 2
    {
        stated.extend(found);
        above += 1;
    }
    let lines = &lines[above..];
    of_cages(&stated, lines, Vec::new()).or_else(|| {
        let side = row_of_givens(lines.first()?.1)?.len();
        let (grid, below) = lines.split_at_checked(side)?;
        let rows: Vec<Vec<u8>> =
            grid.iter().map(|(_, row)| row_of_givens(row)).collect::<Option<_>>()?;
        let is_square = rows.iter().all(|row| row.len() == side);
        is_square.then(|| of_cages(&stated, below, rows.concat())).flatten()
    })
}

/// The list of a text of numbers: the side and the number of cages, then a line for each of them: its operation, 1 to 4 for `+`, `-`,
/// `x` and `/`, its number, the number of its cells, and their rows and columns, with a value in brackets behind a cell that is given.
fn of_codes(text: &str) -> Option<List> {
    let mut lines = content(text).map(|(number, line)| (number, line.split_whitespace()));
    let number = |word: &str| word.parse::<usize>().ok();
    let head: Vec<usize> = lines.next()?.1.map(number).collect::<Option<_>>()?;
    let &[side, count] = &head[..] else { return None };
    let mut givens = vec![0; side.checked_mul(side).filter(|cells| *cells <= 256)?];
    let (mut cages, mut unknown) = (Vec::new(), None);
    for (line, mut words) in lines {
        let mut next = || number(words.next()?);
        let (code, value, length) = (next()?, next()?, next()?);
        let operation = match code {
            1 => Some(Calculation::Sum),
            2 => Some(Calculation::Difference),
            3 => Some(Calculation::Product),
            4 => Some(Calculation::Quotient),
            5 | 6 if length > 1 => {
                let name = if code == 5 { "modulo" } else { "power" };
                unknown = Some(format!("the operation {name}"));
                None
            }
            0 | 5 | 6 => None,
            _ => return None,
        };
        let mut words = words.peekable();
        let mut cells = Vec::new();
        for _ in 0..length {
            let (row, column) = (number(words.next()?)?, number(words.next()?)?);
            if !(1..=side).contains(&row) || !(1..=side).contains(&column) {
                return None;
            }
            if let Some(given) = words.next_if(|word| word.starts_with('[')) {
                let value = given.trim_matches(['[', ']']).parse().ok()?;
                givens[(row - 1) * side + column - 1] = value;
            }
            cells.push((row as u32, column as u32));
        }
        words.peek().is_none().then_some(())?;
        let (value, cells) = (u32::try_from(value).ok()?, Cells::Pairs(cells));
        cages.push(Cage { line, operation, value, cells, is_named: true });
    }
    (cages.len() == count).then_some(List { side: Some(side), givens, cages, unknown })
}

/// The list of these lines, a cage each, below these numbers and givens.
fn of_cages(stated: &[u32], lines: &[(usize, &str)], givens: Vec<u8>) -> Option<List> {
    let lines: Vec<Line> =
        lines.iter().map(|(number, line)| of_line(*number, line)).collect::<Option<_>>()?;
    let styles =
        [Style::Counted, Style::Plain, Style::ValueFirst, Style::ValueLast, Style::CountFirst];
    let mut lists = styles.into_iter().filter_map(|style| {
        let cages = lines.iter().map(|line| line.cage(style)).collect::<Option<Vec<_>>>()?;
        let side = side(stated, &cages)?;
        Some(List { side, givens: givens.clone(), cages, unknown: None })
    });
    let first = lists.next()?;
    match placed(first.side, &first.cages) {
        Ok(_) => Some(first),
        Err(_) => Some(lists.find(|list| placed(list.side, &list.cages).is_ok()).unwrap_or(first)),
    }
}

/// The side, if the numbers above cages, the side or the number of cages or both in any order, state it; `None` if they state
/// something else.
fn side(stated: &[u32], cages: &[Cage]) -> Option<Option<usize>> {
    let cells: usize = cages.iter().map(|cage| cage.cells.len()).sum();
    let is_known = |number: &&u32| {
        let number = **number as usize;
        number == cages.len() || number * number == cells
    };
    let has_pairs = cages.iter().any(|cage| matches!(cage.cells, Cells::Pairs(_)));
    match stated.iter().find(|number| !is_known(number)) {
        None => Some(Some(cells.isqrt())),
        // The side, so that cells are missing, or cages are.
        Some(&side) if has_pairs && side <= 16 => Some(Some(side as usize)),
        Some(_) => None,
    }
}

/// The cells of a row of a grid, a character or a word of one each.
fn row_of_givens(line: &str) -> Option<Vec<u8>> {
    let words: Vec<&str> = line.split([' ', ',', '\t']).filter(|word| !word.is_empty()).collect();
    let cells: Vec<&str> = match words[..] {
        [word] if word.is_ascii() => (0..word.len()).map(|at| &word[at..=at]).collect(),
        _ => words,
    };
    let value = |cell: &&str| u8::try_from(number_or_blank(cell)?).ok().filter(|value| *value < 10);
    (cells.len() > 3).then(|| cells.iter().map(value).collect()).flatten()
}

/// The lines in which several lists begin, each with its side; `None` of one list, or of another text.
pub(super) fn heads(text: &str) -> Option<Vec<usize>> {
    let is_side = |line: &str| line.parse::<u32>().is_ok_and(|side| side <= 16);
    content(text).next().filter(|(_, line)| is_side(line))?;
    let (mut lists, mut last) = (Vec::new(), (0, String::new()));
    for (number, line) in content(text) {
        // The number of cages may stand below the side.
        if last.0 == 0 || is_side(line) && last.1.contains(' ') {
            lists.push(std::mem::replace(&mut last, (number, String::new())));
        }
        last.1 += line;
        last.1 += "\n";
    }
    lists.remove(0);
    lists.push(last);
    let is_list =
        |list: &(usize, String)| of_lines(&list.1).is_some_and(|list| list.cages.len() > 1);
    (lists.len() > 1 && lists.iter().all(is_list))
        .then(|| lists.iter().map(|list| list.0).collect())
}

/// What the numbers of a line mean that are no cells by their form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    /// The cage's number, the number of its cells, and cells in reading order.
    Counted,
    /// The cage's number, and cells in reading order.
    Plain,
    /// The cage's number, and the row and column of each cell.
    ValueFirst,
    /// The row and column of each cell, and the cage's number.
    ValueLast,
    /// The number of cells, the row and column of each, and the cage's number.
    CountFirst,
}

/// The parts of a line.
struct Line {
    number: usize,
    operation: Option<Option<Calculation>>,
    pairs: Vec<(u32, u32)>,
    /// Whether a pair says which number is the row.
    is_named: bool,
    /// The numbers that are no cells by their form.
    loose: Vec<u32>,
}

impl Line {
    fn cage(&self, style: Style) -> Option<Cage> {
        let loose = &self.loose[..];
        let pairs = |numbers: &[u32]| {
            let pairs = numbers.chunks_exact(2).map(|pair| (pair[0], pair[1]));
            (numbers.len() > 1 && numbers.len().is_multiple_of(2))
                .then(|| Cells::Pairs(pairs.collect()))
        };
        let (&value, cells) = match (style, loose) {
            (Style::Counted, [value, count]) if !self.pairs.is_empty() => {
                (*count as usize == self.pairs.len()).then_some(())?;
                (value, Cells::Pairs(self.pairs.clone()))
            }
            (Style::Plain, [value]) if !self.pairs.is_empty() => {
                (value, Cells::Pairs(self.pairs.clone()))
            }
            _ if !self.pairs.is_empty() => return None,
            (Style::Counted, [value, count, cells @ ..]) if *count as usize == cells.len() => {
                (value, Cells::Numbers(cells.to_vec()))
            }
            (Style::Plain, [value, cells @ ..]) => (value, Cells::Numbers(cells.to_vec())),
            (Style::ValueFirst, [value, cells @ ..]) => (value, pairs(cells)?),
            (Style::ValueLast, [cells @ .., value]) => (value, pairs(cells)?),
            (Style::CountFirst, [count, cells @ .., value])
                if 2 * *count as usize == cells.len() =>
            {
                (value, pairs(cells)?)
            }
            _ => return None,
        };
        let operation = self.operation.flatten();
        let is_named = self.is_named;
        (cells.len() > 0).then_some(Cage { line: self.number, operation, value, cells, is_named })
    }
}

/// The parts of a line of a list; `None` if it has a part that no cage has.
fn of_line(number: usize, line: &str) -> Option<Line> {
    let mut found =
        Line { number, operation: None, pairs: Vec::new(), is_named: false, loose: Vec::new() };
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        if let Some((pair, length)) = pair(rest, line.len() == rest.len() || ends_gap(line, rest)) {
            found.pairs.push(pair);
            found.is_named |= is_named(&rest[..length]);
            rest = &rest[length..];
        } else if c.is_ascii_digit() {
            let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            found.loose.push(rest[..end].parse().ok()?);
            rest = &rest[end..];
        } else if c.is_alphabetic() {
            let end = rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len());
            if !["cage", "cell", "cells"].contains(&rest[..end].to_ascii_lowercase().as_str()) {
                set_once(&mut found.operation, operation(&rest[..end])?)?;
            }
            rest = &rest[end..];
        } else {
            if !(c.is_whitespace() || "[](){},;:|'\"".contains(c)) {
                set_once(&mut found.operation, operation(c.encode_utf8(&mut [0; 4]))?)?;
            }
            rest = &rest[c.len_utf8()..];
        }
    }
    Some(found)
}

/// Keeps the only operation of a line; fails at a second one.
fn set_once(place: &mut Option<Option<Calculation>>, found: Option<Calculation>) -> Option<()> {
    place.replace(found).is_none().then_some(())
}

/// Whether a gap or a bracket stands before `rest`, the end of `line`.
fn ends_gap(line: &str, rest: &str) -> bool {
    let is_gap = |c: char| !c.is_alphanumeric() && c != ',';
    line[..line.len() - rest.len()].ends_with(is_gap)
}

/// A cell at the beginning of a text, and its length: two numbers in brackets, two numbers with a comma alone between them, or
/// a letter and a number, which begin words.
fn pair(text: &str, begins_word: bool) -> Option<((u32, u32), usize)> {
    let number = |text: &str| {
        let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        Some((text[..end].parse::<u32>().ok()?, end))
    };
    let first = text.chars().next()?;
    if let Some(close) = "([{".find(first).map(|at| b")]}"[at] as char) {
        let inner = &text[1..1 + text[1..].find(close)?];
        let (a, b) = inner.split_once([',', ' '])?;
        return Some(((a.trim().parse().ok()?, b.trim().parse().ok()?), inner.len() + 2));
    }
    if !begins_word {
        return None;
    }
    if first.is_ascii_alphabetic() {
        let (a, end) = number(&text[1..])?;
        let ends = |end: usize| !text[end..].starts_with(|c: char| c.is_alphanumeric());
        if let Some(behind) = text[1 + end..].strip_prefix(['c', 'C'])
            && first.eq_ignore_ascii_case(&'r')
            && let Some((b, more)) = number(behind)
            && ends(end + more + 2)
        {
            return Some(((a, b), end + more + 2));
        }
        // `x4` is a product of 4.
        let letter = first.to_ascii_lowercase() as u32 - 'a' as u32 + 1;
        return (ends(end + 1) && letter <= 16).then_some(((letter, a), end + 1));
    }
    let (a, end) = number(text)?;
    let (b, more) = number(text[end..].strip_prefix(',')?)?;
    let behind = text[end + more + 1..].chars().next();
    behind
        .is_none_or(|c| c.is_whitespace() || ";)]|".contains(c))
        .then_some(((a, b), end + more + 1))
}

/// Whether the name of a cell says what is the row, as `r1c2` does.
fn is_named(cell: &str) -> bool {
    cell.starts_with(['r', 'R']) && cell.contains(['c', 'C'])
}

// Cages as JSON, or as lists of a script.

/// The names of members of a cage: its cells, its number, its operation, and what says nothing of it.
/// Pairs of C++ and Kotlin have the names `first` and `second`.
const CELLS: [&str; 10] = [
    "cells",
    "squares",
    "coords",
    "coordinates",
    "positions",
    "fields",
    "points",
    "indices",
    "cell_indices",
    "second",
];
const VALUES: [&str; 8] = ["sum", "value", "result", "target", "total", "goal", "clue", "first"];
const OPERATIONS: [&str; 6] = ["operation", "operator", "op", "symbol", "sign", "op_symbol"];
const NAMES: [&str; 5] = ["id", "name", "color", "colour", "label"];

/// The list that a value is, or that an object has beside numbers, texts, a grid of givens and the solution.
fn of_value(value: &Value) -> Option<List> {
    let list = |cages| List { side: None, givens: Vec::new(), cages, unknown: None };
    match value {
        Value::Array(items) => match &items[..] {
            [only @ Value::Array(inner)] if inner.iter().all(|item| cage_of(item).is_some()) => {
                of_value(only)
            }
            _ => items.iter().map(cage_of).collect::<Option<_>>().map(list),
        },
        Value::Object(members) => {
            let mut found = None;
            let mut givens = Vec::new();
            for (name, member) in members.iter().filter(|member| !is_scalar(member.1)) {
                let name = name.to_ascii_lowercase();
                let is_solution = ["sol", "fill", "answer"].iter().any(|word| name.contains(word));
                match (of_value(member), grid(member)) {
                    (Some(list), _) if found.is_none() => found = Some(list),
                    (None, Some(_)) if is_solution => {}
                    (None, Some(grid)) if givens.is_empty() => givens = grid,
                    _ => return None,
                }
            }
            let found = found?;
            let mut unknown = members.iter().filter(|(name, member)| may_be_rule(name, member));
            let unknown = unknown.next().map(|(name, _)| format!("{name:?}"));
            Some(List { side: side_of(value), givens, unknown: found.unknown.or(unknown), ..found })
        }
        _ => None,
    }
}

/// Whether a value is a list of cages.
pub(super) fn is_list(value: &Value) -> bool {
    of_value(value).is_some_and(|list| list.cages.len() > 1)
}

fn is_scalar(value: &Value) -> bool {
    !value.is_array() && !value.is_object()
}

/// Names of members that say nothing about the solutions.
const REMARKS: [&str; 30] = [
    "author",
    "comment",
    "comments",
    "copyright",
    "created",
    "creator",
    "date",
    "description",
    "difficulty",
    "hash",
    "id",
    "key",
    "label",
    "language",
    "level",
    "link",
    "name",
    "notes",
    "number",
    "publisher",
    "rating",
    "seed",
    "solved",
    "source",
    "time",
    "title",
    "unique",
    "updated",
    "url",
    "version",
];
/// Names of members that name the game, and what they may say of a list of cages.
const GAME_NAMES: [&str; 4] = ["game", "kind", "type", "variant"];
const GAMES: [&str; 8] = [
    "calcudoku",
    "kendoku",
    "kenken",
    "killer",
    "killer sudoku",
    "killer-sudoku",
    "mathdoku",
    "sudoku",
];

/// Whether a number, a word or `true` beside the cages may be a rule.
fn may_be_rule(name: &str, member: &Value) -> bool {
    let name = name.to_ascii_lowercase().replace(['_', '-'], "");
    let is_game = |text: &str| GAMES.contains(&text.to_ascii_lowercase().as_str());
    match member {
        Value::Null | Value::Bool(false) | Value::Array(_) | Value::Object(_) => false,
        _ if REMARKS.iter().any(|remark| name.ends_with(remark)) => false,
        _ if SIDES.iter().any(|side| side.to_ascii_lowercase().replace('_', "") == name) => false,
        Value::String(text) => !(GAME_NAMES.contains(&name.as_str()) && is_game(text)),
        _ => true,
    }
}

/// The values of a square of numbers, in rows or in one list.
fn grid(value: &Value) -> Option<Vec<u8>> {
    let rows = value.as_array()?;
    let number = |cell: &Value| cell.as_u64().and_then(|value| u8::try_from(value).ok());
    if rows.len() > 15 && rows.len().isqrt().pow(2) == rows.len() && rows[0].is_number() {
        return rows.iter().map(number).collect();
    }
    let row = |row: &Value| row.as_array().filter(|row| row.len() == rows.len()).cloned();
    let cells = rows.iter().map(row).collect::<Option<Vec<_>>>()?.concat();
    cells.iter().map(number).collect()
}

/// The side that an object states.
fn side_of(value: &Value) -> Option<usize> {
    let of = |name: &str| value.get(name)?.as_u64().and_then(|side| usize::try_from(side).ok());
    SIDES.iter().find_map(|name| of(name)).filter(|side| (3..=16).contains(side))
}

const SIDES: [&str; 12] = [
    "size",
    "n",
    "side",
    "dimension",
    "gridSize",
    "grid_size",
    "boardSize",
    "board_size",
    "rows",
    "columns",
    "width",
    "height",
];

fn cage_of(value: &Value) -> Option<Cage> {
    match value {
        Value::Object(members) => of_members(members),
        Value::Array(items) => {
            let (mut cells, mut number, mut sign) = (None, None, None);
            let mut is_named = false;
            for item in items {
                match item {
                    Value::Array(list) if cells.is_none() => {
                        cells = Some(cells_of(list)?);
                        is_named = list.iter().any(says_what_is_the_row);
                    }
                    Value::Number(found) if number.is_none() => number = found.as_u64(),
                    Value::String(word) if sign.is_none() => sign = Some(operation(word.trim())?),
                    Value::Null if sign.is_none() => sign = Some(None),
                    _ => return None,
                }
            }
            let value = u32::try_from(number?).ok()?;
            Some(Cage { line: 0, operation: sign.flatten(), value, cells: cells?, is_named })
        }
        _ => None,
    }
}

fn of_members(members: &Map<String, Value>) -> Option<Cage> {
    let known = [&CELLS[..], &VALUES, &OPERATIONS, &NAMES].concat();
    let is_unknown = |name: &String| !known.contains(&name.as_str());
    // Of two numbers it is not known which one is meant.
    let numbers = VALUES.iter().filter(|name| members.contains_key(**name)).count();
    if members.keys().any(is_unknown) || numbers > 1 {
        return None;
    }
    let member = |names: &[&str]| names.iter().find_map(|name| members.get(*name));
    let number = member(&VALUES)?;
    let number = number.as_u64().or_else(|| number.as_str()?.trim().parse().ok())?;
    let operation = match member(&OPERATIONS) {
        None | Some(Value::Null) => None,
        Some(word) => operation(word.as_str()?.trim())?,
    };
    let list = member(&CELLS)?.as_array()?;
    let is_named = list.iter().any(says_what_is_the_row);
    let value = u32::try_from(number).ok()?;
    Some(Cage { line: 0, operation, value, cells: cells_of(list)?, is_named })
}

fn says_what_is_the_row(cell: &Value) -> bool {
    match cell {
        Value::Object(members) => !members.contains_key("first"),
        Value::String(name) => is_named(name),
        _ => false,
    }
}

/// Cells as pairs, objects with row and column, names or numbers.
fn cells_of(list: &[Value]) -> Option<Cells> {
    let small = |value: &Value| value.as_u64().and_then(|number| u32::try_from(number).ok());
    let numbers: Option<Vec<u32>> = list.iter().map(small).collect();
    if let Some(numbers) = numbers {
        return (!numbers.is_empty()).then_some(Cells::Numbers(numbers));
    }
    let pair = |value: &Value| match value {
        Value::Array(pair) => match &pair[..] {
            [a, b] => Some((small(a)?, small(b)?)),
            _ => None,
        },
        Value::Object(members) => {
            let of = |names: &[&str]| names.iter().find_map(|name| small(members.get(*name)?));
            let pair = (
                of(&["row", "r", "y", "i", "first"])?,
                of(&["column", "col", "c", "x", "j", "second"])?,
            );
            (members.len() == 2).then_some(pair)
        }
        Value::String(name) => {
            self::pair(name, true).filter(|found| found.1 == name.len()).map(|found| found.0)
        }
        _ => None,
    };
    Some(Cells::Pairs(list.iter().map(pair).collect::<Option<_>>()?))
}
