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

use base::figures::counted;

use super::Parsed;
use crate::cell::Cell;
use crate::error::{Error, LINE_NAMES, Place};
use crate::puzzle::{Puzzle, value_range, values_in};
use crate::rule::{Mark, Rule};
use crate::rules::Rules;
use crate::size::Size;

/// A line that holds more than a comment, without its comment.
#[derive(Clone, Copy)]
struct Line<'a> {
    /// The number of the line in the file, from 1.
    number: usize,
    text: &'a str,
}

struct Reader<'a> {
    lines: Vec<Line<'a>>,
    /// The index in `lines` of the next line to read.
    next: usize,
    rules: Rules,
    /// The picture of givens.
    givens: Option<Vec<Row<'a>>>,
    /// The picture of candidates.
    candidates: Option<Vec<Row<'a>>>,
    /// The candidates of single cells, each stated in a line.
    cells_with_candidates: Vec<CellText>,
}

/// The characters that state the values of a cell, and the number of their line.
struct CellText {
    line: usize,
    cell: Cell,
    characters: Vec<char>,
}

/// The cells of a row of a picture, and the number of its line.
struct Row<'a> {
    line: usize,
    cells: Vec<&'a str>,
}

/// Reads the text form.
pub(crate) fn read(text: &str) -> Parsed<Puzzle> {
    let lines = text.lines().enumerate().map(|(index, line)| {
        let text = line.split('#').next().unwrap_or_default().trim();
        Line { number: index + 1, text }
    });
    let lines: Vec<Line> = lines.filter(|line| !line.text.is_empty()).collect();
    // An empty file is more likely a failed download than a puzzle of the classic rules, whose count would not end.
    if lines.is_empty() {
        return Err(at_line(1, Error::Empty));
    }
    let in_first_line = in_line(lines[0].number);
    let stated_side = stated_side(lines[0].text).map_err(&in_first_line)?;
    let rules = Rules::new(stated_side.unwrap_or(9)).map_err(in_first_line)?;
    let mut reader = Reader {
        lines,
        next: usize::from(stated_side.is_some()),
        rules,
        givens: None,
        candidates: None,
        cells_with_candidates: Vec::new(),
    };
    while let Some(&line) = reader.lines.get(reader.next) {
        reader.next += 1;
        reader.read_line(line)?;
    }
    reader.finish()
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
    fn read_line(&mut self, line: Line<'a>) -> Parsed<()> {
        let (name, words) = split_first_word(line.text);
        match name {
            "size" => Err(at_line(line.number, Error::LateSize)),
            "givens" => self.read_givens(line.number, words),
            "candidates" => self.read_candidates(line.number, words),
            "regions" => self.read_regions(line.number, words),
            _ => {
                for rule in read_rules(name, words).map_err(in_line(line.number))? {
                    self.rules.add(rule).map_err(in_line(line.number))?;
                }
                Ok(())
            }
        }
    }

    /// Reads the rows of a picture, which belongs to the rule in line `line`.
    fn read_picture(&mut self, line: usize, rule: &'static str) -> Parsed<Vec<Row<'a>>> {
        let side = self.rules.size().side();
        let mut rows = Vec::new();
        while let Some(&row) = self.lines.get(self.next) {
            let word = row.text.split_whitespace().next().unwrap_or_default();
            // The words `x` and `v` are cells of the picture rather than rules.
            let is_rule = word.len() > 1 && LINE_NAMES.contains(&word);
            if rows.len() == side || is_rule {
                break;
            }
            self.next += 1;
            if is_frame(row.text) {
                continue;
            }
            let cells = cells_of(row.text, side);
            if cells.len() != side {
                let found = cells_found(row.text);
                return Err(at_line(row.number, Error::Columns { rule, found, expected: side }));
            }
            rows.push(Row { line: row.number, cells });
        }
        if rows.len() != side {
            return Err(at_line(line, Error::Rows { rule, found: rows.len(), expected: side }));
        }
        // A frame may close the picture.
        if self.lines.get(self.next).is_some_and(|row| is_frame(row.text)) {
            self.next += 1;
        }
        Ok(rows)
    }

    fn read_regions(&mut self, line: usize, words: &str) -> Parsed<()> {
        match words {
            "none" => return self.rules.add(Rule::NoRegions).map_err(in_line(line)),
            "" => {}
            _ => {
                let expected = "nothing, and a picture below, or 'none'";
                return Err(at_line(line, wrong_words("regions", words, expected)));
            }
        }
        let rows = self.read_picture(line, "regions")?;
        let mut names: Vec<&str> = Vec::new();
        let mut numbers = Vec::new();
        for &name in rows.iter().flat_map(|row| &row.cells) {
            let number = names.iter().position(|&known| known == name).unwrap_or_else(|| {
                names.push(name);
                names.len() - 1
            });
            numbers.push(number);
        }
        let added = self.rules.add(Rule::Regions(numbers));
        added.map_err(|error| at_line(line, with_region_name(error, &names)))
    }

    fn read_givens(&mut self, line: usize, words: &str) -> Parsed<()> {
        expect_nothing("givens", words).map_err(in_line(line))?;
        if self.givens.is_some() {
            return Err(at_line(line, Error::PictureTwice("givens")));
        }
        self.givens = Some(self.read_picture(line, "givens")?);
        Ok(())
    }

    /// Either a picture, or a cell and its values in the line.
    fn read_candidates(&mut self, line: usize, words: &str) -> Parsed<()> {
        if words.is_empty() {
            if self.candidates.is_some() {
                return Err(at_line(line, Error::PictureTwice("candidates")));
            }
            self.candidates = Some(self.read_picture(line, "candidates")?);
            return Ok(());
        }
        let (cell, values) = split_first_word(words);
        let cell = read_cell("candidates", cell).map_err(in_line(line))?;
        let characters: Vec<char> = values.chars().filter(|c| !c.is_whitespace()).collect();
        if characters.is_empty() {
            let expected = "a cell and its values";
            return Err(at_line(line, wrong_words("candidates", words, expected)));
        }
        self.cells_with_candidates.push(CellText { line, cell, characters });
        Ok(())
    }

    fn finish(self) -> Parsed<Puzzle> {
        let mut puzzle = Puzzle::new(self.rules);
        let size = puzzle.size();
        for CellText { line, cell, characters } in cells_of_picture(self.givens) {
            if let Some(value) = given_value(size, cell, &characters).map_err(in_line(line))? {
                puzzle.give(cell, value).map_err(in_line(line))?;
            }
        }
        let single = self.cells_with_candidates.into_iter();
        for CellText { line, cell, characters } in single.chain(cells_of_picture(self.candidates)) {
            let values = candidate_values(size, cell, &characters).map_err(in_line(line))?;
            // A blank in a picture of candidates leaves a cell as it is.
            if !values.is_empty() {
                puzzle.allow(cell, &values).map_err(in_line(line))?;
            }
        }
        Ok(puzzle)
    }
}

/// The candidates of a cell, a character each; none for a blank.
fn candidate_values(size: Size, cell: Cell, characters: &[char]) -> Result<Vec<u8>, Error> {
    // In `10` the 0 would be read as a blank, but the setter meant ten.
    if characters.len() > 1 && characters.contains(&'0') {
        let found = characters.iter().collect();
        let tens = if size.side() > 9 { ", where A is 10," } else { "" };
        return Err(Error::Word { found, cell, expected: value_range(size) + tens });
    }
    values_in(size, cell, characters)
}

/// The value of a cell: a character, or a number of two digits; `None` for a blank.
fn given_value(size: Size, cell: Cell, characters: &[char]) -> Result<Option<u8>, Error> {
    if characters.len() == 1 {
        return Ok(values_in(size, cell, characters)?.first().copied());
    }
    let found: String = characters.iter().collect();
    match found.parse() {
        // Not `+2`, which is a number, too.
        Ok(value) if found.bytes().all(|byte| byte.is_ascii_digit()) => Ok(Some(value)),
        _ => {
            let mut expected = value_range(size);
            if size.side() > 9 {
                expected += &format!(", a number from 1 to {}", size.side());
            }
            Err(Error::Word { found, cell, expected })
        }
    }
}

/// A function for `map_err` that adds the number of the line to an error.
fn in_line(line: usize) -> impl Fn(Error) -> (Place, Error) {
    move |error| at_line(line, error)
}

fn at_line(line: usize, error: Error) -> (Place, Error) {
    (Place::Line(line), error)
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

fn cells_of_picture(rows: Option<Vec<Row>>) -> Vec<CellText> {
    let mut cells = Vec::new();
    for (number, row) in rows.unwrap_or_default().into_iter().enumerate() {
        for (column, text) in row.cells.into_iter().enumerate() {
            let cell = Cell::new(number + 1, column + 1);
            cells.push(CellText { line: row.line, cell, characters: text.chars().collect() });
        }
    }
    cells
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

fn read_cell(rule: &str, word: &str) -> Result<Cell, Error> {
    let error = || Error::CellOfRule { rule: rule.to_owned(), found: word.to_owned() };
    Cell::parse(word).ok_or_else(error)
}

fn read_cells(rule: &str, words: &str) -> Result<Vec<Cell>, Error> {
    words.split_whitespace().map(|word| read_cell(rule, word)).collect()
}

/// The rules that a line states: its first word is `name`.
fn read_rules(name: &str, words: &str) -> Result<Vec<Rule>, Error> {
    if let Some(rules) = global_rules(name) {
        expect_nothing(name, words)?;
        return Ok(rules);
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
fn global_rules(name: &str) -> Option<Vec<Rule>> {
    match name {
        "diagonals" => Some(vec![Rule::FallingDiagonal, Rule::RisingDiagonal]),
        "windoku" => Some(vec![Rule::Windoku]),
        "disjoint-groups" => Some(vec![Rule::DisjointGroups]),
        "anti-knight" => Some(vec![Rule::AntiKnight]),
        "anti-king" => Some(vec![Rule::AntiKing]),
        "non-consecutive" => Some(vec![Rule::NonConsecutive]),
        "all-dots-given" => Some(vec![Rule::AllDotsGiven]),
        "all-xv-given" => Some(vec![Rule::AllXvGiven]),
        _ => None,
    }
}

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

/// The text form of a puzzle, which [`read`] reads as an equal one.
pub(crate) fn write(puzzle: &Puzzle) -> String {
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
