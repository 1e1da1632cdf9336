//! The text form of a puzzle, which setters write by hand: a line for each rule, and pictures for regions and givens.
//!
//! ```text
//! # a comment
//! size 6
//! regions
//! AAABBB
//! …
//! anti-knight
//! cage 7 r1c1 r1c2
//! givens
//! 1.....
//! …
//! ```

use std::fmt::Write;

use tallyboard_base::figures::counted;

use super::Parsed;
use crate::error::{Error, Place, is_line_name};
use crate::grid::{Cell, Size};
use crate::puzzle::{Puzzle, value_range, values_in};
use crate::rule::{Mark, Rule};
use crate::rules::Rules;

struct Reader<'a> {
    /// The lines that hold more than a comment, without their comments, and the number of each in the file, from 1.
    lines: Vec<(usize, &'a str)>,
    /// The index in `lines` of the next line to read.
    next: usize,
    /// The number of the line that an error is about.
    line: usize,
    rules: Rules,
    /// The picture of givens.
    givens: Option<Vec<CellText<'a>>>,
    /// The picture of candidates.
    candidates: Option<Vec<CellText<'a>>>,
    /// The candidates of single cells, each stated in a line.
    cells_with_candidates: Vec<CellText<'a>>,
}

/// The text that states the values of a cell, and the number of its line.
struct CellText<'a> {
    line: usize,
    cell: Cell,
    text: &'a str,
}

/// Reads the text form.
pub(crate) fn read(text: &str) -> Parsed<Puzzle> {
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    let lines: Vec<(usize, &str)> = (1..).zip(lines).filter(|line| !line.1.is_empty()).collect();
    // An empty file is more likely a failed download than a puzzle of the classic rules, whose count would not end.
    let &(line, first) = lines.first().ok_or((Place::Line(1), Error::Empty))?;
    let in_first_line = |error| (Place::Line(line), error);
    let stated_side = stated_side(first).map_err(in_first_line)?;
    let rules = Rules::new(stated_side.unwrap_or(9)).map_err(in_first_line)?;
    let mut reader = Reader {
        lines,
        next: usize::from(stated_side.is_some()),
        line,
        rules,
        givens: None,
        candidates: None,
        cells_with_candidates: Vec::new(),
    };
    reader.read().map_err(|error| (Place::Line(reader.line), error))
}

/// The side of the grid if the first line of the file states it, as `size 9` or `size 9x9`.
fn stated_side(line: &str) -> Result<Option<usize>, Error> {
    let mut words = line.split_whitespace();
    if words.next() != Some("size") {
        return Ok(None);
    }
    let size = words.collect::<Vec<_>>().join(" ");
    let mut sides = size.split(['x', '×']).map(str::trim);
    let side = sides.next().unwrap_or_default();
    match side.parse() {
        Ok(number) if sides.all(|other| other == side) => Ok(Some(number)),
        _ => Err(wrong_words("size", &size, "a side: 4, 6, 8, 9, 12 or 16")),
    }
}

impl<'a> Reader<'a> {
    fn read(&mut self) -> Result<Puzzle, Error> {
        while let Some(&(number, text)) = self.lines.get(self.next) {
            self.line = number;
            self.next += 1;
            self.read_line(text)?;
        }
        self.finish()
    }

    fn read_line(&mut self, text: &'a str) -> Result<(), Error> {
        let (name, words) = split_first_word(text);
        match name {
            "size" => Err(Error::LateSize),
            "givens" => {
                expect_nothing("givens", words)?;
                if self.givens.is_some() {
                    return Err(Error::PictureTwice("givens"));
                }
                self.givens = Some(self.read_picture("givens")?);
                Ok(())
            }
            "candidates" => self.read_candidates(words),
            "regions" => self.read_regions(words),
            _ => read_rules(name, words)?.into_iter().try_for_each(|rule| self.rules.add(rule)),
        }
    }

    /// Reads the cells of a picture, which belongs to the rule in the line before.
    fn read_picture(&mut self, rule: &'static str) -> Result<Vec<CellText<'a>>, Error> {
        let side = self.rules.size().side();
        let mut picture = Vec::new();
        let mut rows = 0;
        while let Some(&(line, text)) = self.lines.get(self.next) {
            let word = text.split_whitespace().next().unwrap_or_default();
            // The words `x` and `v` are cells of the picture rather than rules.
            let is_rule = word.len() > 1 && is_line_name(word);
            if rows == side || is_rule {
                break;
            }
            self.next += 1;
            if is_frame(text) {
                continue;
            }
            let cells = cells_of(text, side);
            if cells.len() != side {
                self.line = line;
                return Err(Error::Columns { rule, found: cells_found(text), expected: side });
            }
            rows += 1;
            let cell = |column| Cell::new(rows, column);
            let texts = cells.into_iter().zip(1..);
            picture.extend(texts.map(|(text, column)| CellText { line, cell: cell(column), text }));
        }
        if rows != side {
            return Err(Error::Rows { rule, found: rows, expected: side });
        }
        // A frame may close the picture.
        if self.lines.get(self.next).is_some_and(|(_, text)| is_frame(text)) {
            self.next += 1;
        }
        Ok(picture)
    }

    fn read_regions(&mut self, words: &str) -> Result<(), Error> {
        match words {
            "none" => return self.rules.add(Rule::NoRegions),
            "" => {}
            _ => {
                let expected = "nothing, and a picture below, or 'none'";
                return Err(wrong_words("regions", words, expected));
            }
        }
        let mut names: Vec<&str> = Vec::new();
        let mut numbers = Vec::new();
        for CellText { text: name, .. } in self.read_picture("regions")? {
            let number = names.iter().position(|&known| known == name).unwrap_or_else(|| {
                names.push(name);
                names.len() - 1
            });
            numbers.push(number);
        }
        self.rules.add(Rule::Regions(numbers)).map_err(|error| with_region_name(error, &names))
    }

    /// Either a picture, or a cell and its values in the line.
    fn read_candidates(&mut self, words: &'a str) -> Result<(), Error> {
        if words.is_empty() {
            if self.candidates.is_some() {
                return Err(Error::PictureTwice("candidates"));
            }
            self.candidates = Some(self.read_picture("candidates")?);
            return Ok(());
        }
        let (cell, text) = split_first_word(words);
        let cell = read_cell("candidates", cell)?;
        if text.is_empty() {
            return Err(wrong_words("candidates", words, "a cell and its values"));
        }
        self.cells_with_candidates.push(CellText { line: self.line, cell, text });
        Ok(())
    }

    fn finish(&mut self) -> Result<Puzzle, Error> {
        let mut puzzle = Puzzle::new(self.rules.clone());
        let size = puzzle.size();
        for CellText { line, cell, text } in self.givens.iter().flatten() {
            self.line = *line;
            if let Some(value) = given_value(size, *cell, text)? {
                puzzle.give(*cell, value)?;
            }
        }
        let in_picture = self.candidates.iter().flatten();
        for CellText { line, cell, text } in self.cells_with_candidates.iter().chain(in_picture) {
            self.line = *line;
            let values = candidate_values(size, *cell, text)?;
            // A blank in a picture of candidates leaves a cell as it is.
            if !values.is_empty() {
                puzzle.allow(*cell, &values)?;
            }
        }
        Ok(puzzle)
    }
}

/// The candidates of a cell, a character each; none for a blank.
fn candidate_values(size: Size, cell: Cell, text: &str) -> Result<Vec<u8>, Error> {
    let text = text.replace(char::is_whitespace, "");
    // In `10` the 0 would be read as a blank, but the setter meant ten.
    if text.len() > 1 && text.contains('0') {
        let tens = if size.side() > 9 { ", where A is 10," } else { "" };
        return Err(Error::Word { found: text, cell, expected: value_range(size) + tens });
    }
    values_in(size, cell, text.chars())
}

/// The value of a cell: a character, or a number of two digits; `None` for a blank.
fn given_value(size: Size, cell: Cell, text: &str) -> Result<Option<u8>, Error> {
    if text.chars().count() == 1 {
        return Ok(values_in(size, cell, text.chars())?.first().copied());
    }
    match text.parse() {
        // Not `+2`, which is a number, too.
        Ok(value) if text.bytes().all(|byte| byte.is_ascii_digit()) => Ok(Some(value)),
        _ => {
            let mut expected = value_range(size);
            if size.side() > 9 {
                expected += &format!(", a number from 1 to {}", size.side());
            }
            Err(Error::Word { found: text.to_owned(), cell, expected })
        }
    }
}

/// The error of words after the name of a rule.
fn wrong_words(rule: &str, found: &str, expected: &'static str) -> Error {
    Error::Words { rule: rule.to_owned(), found: found.to_owned(), expected }
}

/// The first word of a text, and the rest without the blanks around it.
fn split_first_word(text: &str) -> (&str, &str) {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim())
}

/// Replaces the name of a region in `error`. The rules only know the region's number, which they write as a letter; the
/// picture has the name that the setter gave it.
fn with_region_name(error: Error, names: &[&str]) -> Error {
    let Error::RegionSize { region, cell, found, expected } = error else { return error };
    // Region 0 is `A`.
    let letter = region.chars().next().unwrap_or('A');
    let number = (letter as usize).wrapping_sub('A' as usize);
    let region = names.get(number).map_or(region, |&name| name.to_owned());
    Error::RegionSize { region, cell, found, expected }
}

/// Whether a line of a picture draws a frame: `+---+---+`.
fn is_frame(text: &str) -> bool {
    text.contains('+') && text.chars().all(|c| matches!(c, '-' | '+' | '|' | ' ' | '='))
}

/// The cells of a row of a picture: its words if there are as many as `side`, or else its characters. Bars are skipped.
fn cells_of(row: &str, side: usize) -> Vec<&str> {
    let words = words_of(row);
    if words.len() == side {
        return words;
    }
    words.into_iter().flat_map(characters).collect()
}

/// The words of a row, without bars.
fn words_of(row: &str) -> Vec<&str> {
    let is_gap = |c: char| c.is_whitespace() || c == '|';
    row.split(is_gap).filter(|word| !word.is_empty()).collect()
}

/// The number of cells of a row that has too few or too many, for a message. In a row with a word such as `10`, either the
/// words or the characters may be meant as cells, so the text has both numbers.
fn cells_found(row: &str) -> String {
    let words = words_of(row);
    let cells: usize = words.iter().map(|word| word.chars().count()).sum();
    if words.len() == 1 || words.len() == cells {
        return counted(cells, "cell");
    }
    format!("{} and {}", counted(words.len(), "word"), counted(cells, "character"))
}

/// The characters of a word, each as a string slice.
fn characters(word: &str) -> impl Iterator<Item = &str> {
    word.char_indices().map(|(start, c)| &word[start..start + c.len_utf8()])
}

fn expect_nothing(rule: &str, words: &str) -> Result<(), Error> {
    if words.is_empty() { Ok(()) } else { Err(wrong_words(rule, words, "nothing in this line")) }
}

/// The cell that a word of a rule names.
pub(super) fn read_cell(rule: &str, word: &str) -> Result<Cell, Error> {
    let error = || Error::CellOfRule { rule: rule.to_owned(), found: word.to_owned() };
    Cell::parse(word).ok_or_else(error)
}

fn read_cells(rule: &str, words: &str) -> Result<Vec<Cell>, Error> {
    words.split_whitespace().map(|word| read_cell(rule, word)).collect()
}

/// The rules that a line states: its first word is `name`.
fn read_rules(name: &str, words: &str) -> Result<Vec<Rule>, Error> {
    if name == "diagonals" {
        expect_nothing(name, words)?;
        return Ok(vec![Rule::FallingDiagonal, Rule::RisingDiagonal]);
    }
    if let Some(rule) = OF_ONE_WORD.iter().find(|rule| rule.name() == name) {
        expect_nothing(name, words)?;
        return Ok(vec![rule.clone()]);
    }
    let rule = match name {
        "diagonal" => match words {
            "falling" => Rule::FallingDiagonal,
            "rising" => Rule::RisingDiagonal,
            _ => return Err(wrong_words(name, words, "falling or rising")),
        },
        "house" => Rule::House(read_cells(name, words)?),
        "different" => Rule::Different(read_cells(name, words)?),
        "thermometer" => Rule::Thermometer(read_cells(name, words)?),
        "cage" => read_cage(words)?,
        "arrow" => {
            let Some((circle, line)) = words.split_once('=') else {
                return Err(wrong_words(name, words, "the circle, '=', and the line"));
            };
            Rule::Arrow { circle: read_cells(name, circle)?, line: read_cells(name, line)? }
        }
        "kropki" => match split_first_word(words) {
            ("white", cells) => read_mark(name, Mark::White, cells)?,
            ("black", cells) => read_mark(name, Mark::Black, cells)?,
            _ => return Err(wrong_words(name, words, "white or black, and two cells")),
        },
        "x" => read_mark(name, Mark::X, words)?,
        "v" => read_mark(name, Mark::V, words)?,
        _ => return Err(Error::UnknownRule(name.to_owned())),
    };
    Ok(vec![rule])
}

/// The rules whose line is their name alone.
const OF_ONE_WORD: [Rule; 7] = [
    Rule::Windoku,
    Rule::DisjointGroups,
    Rule::AntiKnight,
    Rule::AntiKing,
    Rule::NonConsecutive,
    Rule::AllDotsGiven,
    Rule::AllXvGiven,
];

/// Reads a sum, if there is one, and cells.
fn read_cage(words: &str) -> Result<Rule, Error> {
    let (first, cells) = split_first_word(words);
    match first.parse() {
        Ok(sum) => Ok(Rule::Cage { sum: Some(sum), cells: read_cells("cage", cells)? }),
        // A sum below 0, or too large for its type.
        Err(_) if first.starts_with(|c: char| c == '-' || c.is_ascii_digit()) => {
            Err(wrong_words("cage", first, "a sum from 1 on, or cells alone"))
        }
        Err(_) => Ok(Rule::Cage { sum: None, cells: read_cells("cage", words)? }),
    }
}

fn read_mark(rule: &str, mark: Mark, words: &str) -> Result<Rule, Error> {
    match read_cells(rule, words)?[..] {
        [first, second] => Ok(Rule::Mark(mark, [first, second])),
        _ => Err(wrong_words(rule, words, "two cells")),
    }
}

/// The text form of a puzzle, which [`read`](super::read) reads as an equal one.
pub fn write(puzzle: &Puzzle) -> String {
    let size = puzzle.size();
    let mut text = format!("size {}\n", size.side());
    for rule in puzzle.rules().rules() {
        let line = match rule {
            Rule::Mark(mark @ (Mark::White | Mark::Black), [first, second]) => {
                format!("kropki {} {first} {second}", mark.name())
            }
            rule => rule.to_string(),
        };
        let _ = writeln!(text, "{line}");
    }
    if puzzle.givens().iter().any(|&given| given > 0) {
        text.push_str("givens\n");
        for row in puzzle.givens().chunks(size.side()) {
            let _ = writeln!(text, "{}", crate::puzzle::line(row));
        }
    }
    if puzzle.has_pencil_marks() {
        let _ = write!(text, "candidates\n{}", puzzle.candidates());
    }
    text
}
