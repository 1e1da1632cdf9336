//! Links of Penpa: deflated text in base 64, a line for each part of the editor's state.
//!
//! What is read are grids of squares with givens, killer cages, regions drawn by thick lines and the diagonals of its sudoku
//! grids, and star battles. Penpa draws everything else without saying what it means, so the rest counts as drawings.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};
use tallyboard_base::figures::counted;
use tallyboard_base::text::areas::areas;

use super::json::{foreign, is_absent, wrong};
use super::{Parsed, Read};
use crate::error::{Error, Place};
use crate::puzzle::Puzzle;
use crate::rule::Rule;
use crate::rules::Rules;

/// The names that Penpa shortens, of those that are read or counted as drawings. The last turns the escape of `z` back.
const SHORT_NAMES: [(&str, &str); 31] = [
    ("zO", "null"),
    ("z_", "\"__a\""),
    ("z7", "\"nobulbthermo\""),
    ("z6", "\"killercages\""),
    ("z4", "\"deletelineE\""),
    ("z5", "\"polygon\""),
    ("z0", "\"squareframe\""),
    ("zD", "\"direction\""),
    ("z3", "\"arrows\""),
    ("zT", "\"thermo\""),
    ("z2", "\"freelineE\""),
    ("zF", "\"freeline\""),
    ("z1", "\"numberS\""),
    ("z8", "\"command_replay\""),
    ("zU", "\"command_undo\""),
    ("zR", "\"command_redo\""),
    ("zB", "\"board\""),
    ("zP", "\"special\""),
    ("zY", "\"symbol\""),
    ("zN", "\"number\""),
    ("zC", "\"cage\""),
    ("zW", "\"wall\""),
    ("zE", "\"lineE\""),
    ("zL", "\"line\""),
    ("zS", "\"surface\""),
    ("zM", "\"edit_mode\""),
    ("zG", "\"grid\""),
    ("zA", "\"pu_a\""),
    ("zQ", "\"pu_q\""),
    ("z9", "\"qa\""),
    ("zZ", "z"),
];
/// Lines of the text: the head, the question, the answer, the cells of the board, and what the setter says that the puzzle is.
const HEAD: usize = 0;
const QUESTION: usize = 3;
const ANSWER: usize = 4;
const BOARD: usize = 5;
const TAGS: usize = 17;
/// The margin of cells at each side of a grid.
const MARGIN: usize = 2;

/// The deflated text in a link; `None` if the text is no link of Penpa.
pub(super) fn payload(text: &str) -> Option<&str> {
    let text = text.trim();
    if !text.starts_with("http") || !text.contains("penpa") || text.contains(char::is_whitespace) {
        return None;
    }
    let parameters = text.split(['#', '?', '&']);
    parameters.into_iter().find_map(|parameter| parameter.strip_prefix("p="))
}

/// Reads the deflated text.
pub(super) fn read(payload: &str) -> Parsed<Read> {
    let drawn = Drawn::new(payload)?;
    if drawn.has_stars() {
        let found = "a star battle of Penpa".to_owned();
        let expected = "a sudoku; `tallyboard regions` reads star battles";
        return Err((Place::Whole, Error::Json { found, expected }));
    }
    drawn.grid.read(&drawn.head, &drawn.question)
}

/// A star battle of Penpa.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StarBattle {
    /// The number of the region of each cell, row by row.
    pub regions: Vec<usize>,
    /// The stars of each row, if they are stated beside the board.
    pub stars: Option<usize>,
    /// The cells with a star that is given, in reading order from 0.
    pub given: Vec<usize>,
}

/// The star battle of a link of Penpa; `None` of another text.
///
/// # Errors
/// [`Error::Drawings`] if more is drawn.
pub fn star_battle(text: &str) -> Option<Result<StarBattle, Error>> {
    let drawn = Drawn::new(payload(text)?).ok().filter(Drawn::has_stars)?;
    Some(drawn.star_battle())
}

/// The parts of a link's text that are read.
struct Drawn {
    head: Vec<String>,
    grid: Grid,
    question: Map<String, Value>,
    answer: Value,
    /// What the setter says that the puzzle is.
    tags: Value,
}

impl Drawn {
    fn new(payload: &str) -> Parsed<Self> {
        let text = inflate(payload).ok_or_else(|| {
            let found = "a link of Penpa whose puzzle cannot be decompressed".to_owned();
            (Place::Whole, Error::Json { found, expected: "the whole link" })
        })?;
        let lines: Vec<&str> = text.lines().collect();
        let line = |number: usize| lines.get(number).copied().unwrap_or_default();
        let json = |number: usize| serde_json::from_str(line(number)).unwrap_or(Value::Null);
        let head: Vec<String> = line(HEAD).split(',').map(str::to_owned).collect();
        if !matches!(&head[0][..], "square" | "sudoku") {
            return Err(foreign(format!("grid of the kind {}", head[0])));
        }
        let Value::Object(question) = json(QUESTION) else {
            return Err(wrong("link", &json(QUESTION), "the question of a puzzle of Penpa"));
        };
        let grid = Grid::new(&head, &json(BOARD))?;
        Ok(Self { head, grid, question, answer: json(ANSWER), tags: json(TAGS) })
    }

    /// Whether stars are drawn, or said to be meant, and no cell has a number.
    fn has_stars(&self) -> bool {
        let is_tagged =
            self.tags.as_array().is_some_and(|tags| tags.contains(&"starbattle".into()));
        let are_stars = |part: &Value| {
            let symbols = part.as_object().filter(|symbols| !symbols.is_empty());
            symbols.is_some_and(|symbols| symbols.values().all(is_star))
        };
        let is_drawn = are_stars(field(&self.question, "symbol"))
            || are_stars(self.answer.get("symbol").unwrap_or(&Value::Null));
        let numbers = field(&self.question, "number").as_object();
        let mut cells = numbers.into_iter().flatten().filter_map(|(key, _)| key.parse().ok());
        (is_tagged || is_drawn) && !cells.any(|number| self.grid.cell(number).is_some())
    }

    fn star_battle(&self) -> Result<StarBattle, Error> {
        let Self { grid, question, .. } = self;
        let (regions, other_lines) = grid.regions(field(question, "lineE"));
        let mut drawings = Vec::new();
        if other_lines > 0 {
            drawings.push(counted(other_lines, "line"));
        }
        let texts = field(question, "number").as_object().into_iter().flatten();
        let texts: Vec<String> = texts.map(|(_, entry)| text_of(entry)).collect();
        let stars = match &texts[..] {
            [] => None,
            [text] if text.parse::<usize>().is_ok() => text.parse().ok(),
            texts => {
                drawings.push(counted(texts.len(), "text"));
                None
            }
        };
        let symbols = field(question, "symbol").as_object().into_iter().flatten();
        let (of_stars, others): (Vec<_>, Vec<_>) = symbols.partition(|(_, symbol)| is_star(symbol));
        if !others.is_empty() {
            drawings.push(counted(others.len(), "symbol"));
        }
        let cells = of_stars.iter().filter_map(|(key, _)| grid.cell(key.parse().ok()?));
        let is_known =
            |name: &str| matches!(name, "lineE" | "number" | "symbol") || is_silent(name);
        drawings.extend(others_drawn(question, is_known)?);
        match drawings.is_empty() {
            true => Ok(StarBattle { regions, stars, given: cells.collect() }),
            false => Err(Error::Drawings(drawings)),
        }
    }
}

/// Whether a symbol is a star.
fn is_star(symbol: &Value) -> bool {
    symbol[1] == "star"
}

/// The text of a number, which may be one.
fn text_of(entry: &Value) -> String {
    entry[0].as_str().map_or_else(|| entry[0].to_string(), |text| text.trim().to_owned())
}

/// Whether a part of the question states nothing.
fn is_silent(name: &str) -> bool {
    matches!(name, "command_redo" | "command_undo" | "command_replay" | "board")
}

/// What is drawn in parts of the question that are not known.
fn others_drawn(
    question: &Map<String, Value>,
    is_known: impl Fn(&str) -> bool,
) -> Result<Vec<String>, Error> {
    let mut drawings = Vec::new();
    for (name, value) in question.iter().filter(|(name, _)| !is_known(name)) {
        let entries = value.as_object().map(Map::len).or(value.as_array().map(Vec::len));
        match entries {
            Some(0) => {}
            // The names of some parts are plurals.
            Some(entries) => drawings.push(counted(entries, name.trim_end_matches('s'))),
            None if is_absent(value) => {}
            None => return Err(Error::Foreign(name.clone())),
        }
    }
    Ok(drawings)
}

/// The text of a link, with its names in full.
fn inflate(payload: &str) -> Option<String> {
    /// More than any puzzle, so that no link takes all memory.
    const MOST_BYTES: u64 = 1 << 24;
    let bytes = from_base64(&super::link::without_escapes(payload))?;
    let mut text = String::new();
    let inflater = flate2::read::DeflateDecoder::new(&bytes[..]);
    std::io::Read::read_to_string(&mut std::io::Read::take(inflater, MOST_BYTES), &mut text)
        .ok()?;
    Some(SHORT_NAMES.iter().fold(text, |text, (short, long)| text.replace(short, long)))
}

/// The bytes of base 64; `None` if a character is none of its alphabet or bits are missing.
fn from_base64(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() * 3 / 4);
    let mut bits = 0_u32;
    let mut length = 0;
    for byte in text.trim_end_matches('=').bytes() {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(value);
        length += 6;
        if length >= 8 {
            length -= 8;
            bytes.push((bits >> length) as u8);
        }
    }
    Some(bytes)
}

/// The board: its side, and where its cells are among those of the editor, which has a margin.
struct Grid {
    side: usize,
    /// Cells in a row of the editor.
    width: usize,
    /// All of its cells.
    all: usize,
    /// The number of the first cell.
    first: usize,
}

/// A part of the question; nothing if it is not there.
fn field<'a>(question: &'a Map<String, Value>, name: &str) -> &'a Value {
    question.get(name).unwrap_or(&Value::Null)
}

impl Grid {
    fn new(head: &[String], board: &Value) -> Parsed<Self> {
        let size = |at: usize| head.get(at).and_then(|text| text.parse::<usize>().ok());
        let (Some(columns), Some(rows)) = (size(1), size(2)) else {
            return Err(wrong("link", &Value::from(head.join(",")), "a grid with its size"));
        };
        let width = columns + 2 * MARGIN;
        let all = width * (rows + 2 * MARGIN);
        // Each number is the difference to the one before.
        let mut last = 0_i64;
        let differences = board.as_array().into_iter().flatten().filter_map(Value::as_i64);
        let cells: BTreeSet<i64> = differences
            .map(|difference| {
                last += difference;
                last
            })
            .collect();
        let first = cells.first().copied().and_then(|first| usize::try_from(first).ok());
        let (side, first) = (cells.len().isqrt(), first.unwrap_or(0));
        let square = (0..side * side).map(|at| (first + at / side * width + at % side) as i64);
        if side == 0 || !cells.iter().copied().eq(square) {
            return Err(wrong("link", board, "a square grid"));
        }
        Ok(Self { side, width, all, first })
    }

    /// The number of a cell of the board, from 0, by its number in the editor.
    fn cell(&self, number: usize) -> Option<usize> {
        let from_first = number.checked_sub(self.first)?;
        let (row, column) = (from_first / self.width, from_first % self.width);
        (row < self.side && column < self.side).then_some(row * self.side + column)
    }

    fn read(&self, head: &[String], question: &Map<String, Value>) -> Parsed<Read> {
        let place = |error| (Place::Whole, error);
        let mut rules = Rules::new(self.side).map_err(place)?;
        let size = rules.size();
        let mut drawings = Vec::new();
        let (regions, other_lines) = self.regions(field(question, "lineE"));
        let flag = |at: usize| head.get(at).is_some_and(|flag| flag == "1");
        let is_sudoku = head[0] == "sudoku";
        let (is_falling, is_rising) = (is_sudoku && flag(11), is_sudoku && flag(14));
        if other_lines > 0 {
            drawings.push(counted(other_lines, "line"));
        }
        let boxes: Vec<usize> = (0..size.cells()).map(|cell| size.box_of(cell)).collect();
        if regions.iter().all(|&region| region == 0) {
            rules.add(Rule::NoRegions).map_err(place)?;
        } else if regions != boxes || !size.has_boxes() {
            rules.add(Rule::Regions(regions)).map_err(place)?;
        }
        if is_falling {
            rules.add(Rule::FallingDiagonal).map_err(place)?;
        }
        if is_rising {
            rules.add(Rule::RisingDiagonal).map_err(place)?;
        }
        let unused = self.add_cages(question, &mut rules)?;
        if unused > 0 {
            drawings.push(counted(unused, "small number"));
        }
        let mut puzzle = Puzzle::new(rules);
        let texts = self.give(question, &mut puzzle)?;
        if texts > 0 {
            drawings.push(counted(texts, "text"));
        }
        let is_read =
            |name: &str| matches!(name, "number" | "numberS" | "lineE" | "cage" | "killercages");
        let others = others_drawn(question, |name| is_read(name) || is_silent(name));
        drawings.extend(others.map_err(place)?);
        Ok(Read { puzzle, drawings })
    }

    /// Adds the killer cages, and returns how many small numbers are no sums of theirs.
    fn add_cages(&self, question: &Map<String, Value>, rules: &mut Rules) -> Parsed<usize> {
        let small = self.small_numbers(field(question, "numberS"));
        let mut used = BTreeSet::new();
        for cage in field(question, "killercages").as_array().into_iter().flatten() {
            let numbers = cage.as_array().into_iter().flatten().filter_map(Value::as_u64);
            let cells: Vec<usize> =
                numbers.filter_map(|number| self.cell(number as usize)).collect();
            let sum = cells.iter().find_map(|cell| small.get(cell).map(|&sum| (*cell, sum)));
            used.extend(sum.map(|(cell, _)| cell));
            let sum = sum.map(|(_, sum)| sum);
            let cells: Vec<_> = cells.into_iter().map(|cell| rules.size().cell(cell)).collect();
            if sum.is_some() || cells.len() > 1 {
                rules.add(Rule::Cage { sum, cells }).map_err(|error| (Place::Whole, error))?;
            }
        }
        Ok(field(question, "numberS").as_object().map_or(0, Map::len) - used.len())
    }

    /// Gives the large numbers, and returns how many other texts there are.
    fn give(&self, question: &Map<String, Value>, puzzle: &mut Puzzle) -> Parsed<usize> {
        let mut others = 0;
        for (number, entry) in field(question, "number").as_object().into_iter().flatten() {
            let cell = number.parse().ok().and_then(|number| self.cell(number));
            let text = text_of(entry);
            // Penpa itself takes texts of these two sizes for givens.
            let is_large = matches!(entry[2].as_str(), Some("1" | "10"));
            match (cell, text.parse::<u8>()) {
                (_, _) if text.is_empty() => {}
                (Some(cell), Ok(value)) if is_large && (1..=self.side).contains(&value.into()) => {
                    let cell = puzzle.size().cell(cell);
                    puzzle.give(cell, value).map_err(|error| (Place::Whole, error))?;
                }
                _ => others += 1,
            }
        }
        Ok(others)
    }

    /// The number of each cell's region, from 0 in reading order of their first cells, and the number of lines that are no
    /// borders of cells.
    fn regions(&self, lines: &Value) -> (Vec<usize>, usize) {
        let mut borders = BTreeSet::new();
        let mut others = 0;
        for (key, style) in lines.as_object().into_iter().flatten() {
            let ends = key.split_once(',').and_then(|(from, to)| {
                let corner = |text: &str| text.parse::<usize>().ok()?.checked_sub(self.all);
                Some((corner(from)?, corner(to)?))
            });
            let is_thick = matches!(style.as_u64(), Some(2 | 21));
            // The corner with a cell's number is its lower right one.
            match ends.filter(|_| is_thick) {
                // The diagonals of sudoku grids, which the head states, are drawn so, too.
                Some((from, to)) if to == from + self.width + 1 || from + self.width == to + 1 => {
                    false
                }
                Some((from, to)) if from == to + self.width - 1 || to + 1 == from + self.width => {
                    false
                }
                Some((from, to)) if to == from + 1 => borders.insert((to, to + self.width)),
                Some((from, to)) if to == from + self.width => borders.insert((to, to + 1)),
                _ => {
                    others += 1;
                    false
                }
            };
        }
        let at = |cell: usize| self.first + cell / self.side * self.width + cell % self.side;
        let regions =
            areas(self.side, self.side, |one, other| borders.contains(&(at(one), at(other))));
        (regions, others)
    }

    /// The numbers in the corners of cells.
    fn small_numbers(&self, entries: &Value) -> BTreeMap<usize, u32> {
        let mut numbers = BTreeMap::new();
        for (key, entry) in entries.as_object().into_iter().flatten() {
            // Each cell has four corners, numbered behind all cells.
            let corner = key.parse::<usize>().ok().and_then(|key| (key / 4).checked_sub(self.all));
            let cell = corner.and_then(|number| self.cell(number));
            let number = entry[0].as_str().and_then(|text| text.trim().parse().ok());
            if let (Some(cell), Some(number)) = (cell, number) {
                numbers.insert(cell, number);
            }
        }
        numbers
    }
}
