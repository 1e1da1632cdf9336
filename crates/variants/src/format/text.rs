//! The text form of a puzzle, which setters write by hand: a line a rule, and pictures for regions and givens.
//!
//! ```text
//! # what is behind a hash is skipped
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

use crate::cell::Cell;
use crate::error::{Error, NAMES};
use crate::puzzle::{Puzzle, value_range, values_in};
use crate::rule::{Mark, Rule};
use crate::rules::Rules;
use crate::size::Size;

/// A mistake and the number of its line, from 1.
type At<T> = Result<T, (usize, Error)>;

/// A line that says something.
#[derive(Clone, Copy)]
struct Line<'a> {
    number: usize,
    text: &'a str,
}

/// What was read so far.
struct Reader<'a> {
    lines: Vec<Line<'a>>,
    next: usize,
    rules: Rules,
    givens: Option<Vec<Row<'a>>>,
    /// The picture of candidates.
    candidates: Option<Vec<Row<'a>>>,
    /// Single cells with their candidates.
    cells_with_candidates: Vec<CellText>,
}

/// The number of a line, a cell, and the characters of its values.
type CellText = (usize, Cell, Vec<char>);

/// A row of a picture: the number of its line, and its cells.
type Row<'a> = (usize, Vec<&'a str>);

/// Reads the text form.
pub(crate) fn read(text: &str) -> At<Puzzle> {
    let lines = text.lines().enumerate().map(|(index, line)| {
        let text = line.split('#').next().unwrap_or_default().trim();
        Line { number: index + 1, text }
    });
    let lines: Vec<Line> = lines.filter(|line| !line.text.is_empty()).collect();
    // It would mean the plain rules. Whoever counts a download that failed would wait for ever.
    if lines.is_empty() {
        return Err((1, Error::Empty));
    }
    let (side, first) = read_size(&lines)?;
    let rules = Rules::new(side).map_err(|error| (lines[0].number, error))?;
    let mut reader = Reader {
        lines,
        next: first,
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

/// The side of the grid, 9 if no line says it, and the number of lines that this took.
fn read_size(lines: &[Line]) -> At<(usize, usize)> {
    let line = &lines[0];
    let mut words = line.text.split_whitespace();
    if words.next() != Some("size") {
        return Ok((9, 0));
    }
    let rest = words.collect::<Vec<_>>().join(" ");
    // Both `9` and `9x9`.
    let mut sides = rest.split(['x', '×']).map(str::trim);
    let first = sides.next().unwrap_or_default();
    let is_square = sides.all(|side| side == first);
    let side = first.parse().ok().filter(|_| is_square);
    let wrong = || Error::Words {
        rule: "size".to_owned(),
        found: rest.clone(),
        expected: "a side: 4, 6, 8, 9, 12 or 16",
    };
    Ok((side.ok_or_else(|| (line.number, wrong()))?, 1))
}

impl<'a> Reader<'a> {
    fn read_line(&mut self, line: Line<'a>) -> At<()> {
        let (name, rest) = line.text.split_once(char::is_whitespace).unwrap_or((line.text, ""));
        let rest = rest.trim();
        match name {
            "size" => Err((line.number, Error::LateSize)),
            "givens" => self.read_givens(line.number, rest),
            "candidates" => self.read_candidates(line.number, rest),
            "regions" => self.read_regions(line.number, rest),
            _ => {
                let rules = read_rule(name, rest).map_err(at(line.number))?;
                for rule in rules {
                    self.add(line.number, rule)?;
                }
                Ok(())
            }
        }
    }

    fn add(&mut self, line: usize, rule: Rule) -> At<()> {
        self.rules.add(rule).map_err(at(line))
    }

    /// The rows of a picture below line `line`: each as its cells.
    fn picture(&mut self, line: usize, rule: &'static str) -> At<Vec<Row<'a>>> {
        let side = self.rules.size().side();
        let mut rows = Vec::new();
        while let Some(&row) = self.lines.get(self.next) {
            let word = row.text.split_whitespace().next().unwrap_or_default();
            // A single letter is a cell of the picture rather than the rule `x` or `v`.
            if rows.len() == side || (word.len() > 1 && NAMES.contains(&word)) {
                break;
            }
            self.next += 1;
            if is_frame(row.text) {
                continue;
            }
            let cells = cells_of(row.text, side);
            if cells.len() != side {
                let found = cells_found(row.text);
                let mistake = Error::Columns { rule, found, expected: side };
                return Err((row.number, mistake));
            }
            rows.push((row.number, cells));
        }
        if rows.len() != side {
            return Err((line, Error::Rows { rule, found: rows.len(), expected: side }));
        }
        // A frame may close the picture.
        if self.lines.get(self.next).is_some_and(|row| is_frame(row.text)) {
            self.next += 1;
        }
        Ok(rows)
    }

    fn read_regions(&mut self, line: usize, rest: &str) -> At<()> {
        match rest {
            "none" => return self.add(line, Rule::NoRegions),
            "" => {}
            _ => {
                let expected = "nothing, and a picture below, or 'none'";
                let mistake =
                    Error::Words { rule: "regions".to_owned(), found: rest.to_owned(), expected };
                return Err((line, mistake));
            }
        }
        let rows = self.picture(line, "regions")?;
        let mut names: Vec<&str> = Vec::new();
        let mut numbers = Vec::new();
        for &name in rows.iter().flat_map(|(_, cells)| cells) {
            let number = names.iter().position(|&known| known == name).unwrap_or_else(|| {
                names.push(name);
                names.len() - 1
            });
            numbers.push(number);
        }
        let added = self.rules.add(Rule::Regions(numbers));
        added.map_err(|error| (line, with_region_name(error, &names)))
    }

    fn read_givens(&mut self, line: usize, rest: &str) -> At<()> {
        expect_nothing("givens", rest).map_err(at(line))?;
        if self.givens.is_some() {
            return Err((line, Error::PictureTwice("givens")));
        }
        self.givens = Some(self.picture(line, "givens")?);
        Ok(())
    }

    /// Either a picture, or a cell and its values in the line.
    fn read_candidates(&mut self, line: usize, rest: &str) -> At<()> {
        if rest.is_empty() {
            if self.candidates.is_some() {
                return Err((line, Error::PictureTwice("candidates")));
            }
            self.candidates = Some(self.picture(line, "candidates")?);
            return Ok(());
        }
        let (cell, values) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let cell = read_cell("candidates", cell).map_err(at(line))?;
        let values: Vec<char> = values.chars().filter(|c| !c.is_whitespace()).collect();
        if values.is_empty() {
            let expected = "a cell and its values";
            let found = rest.to_owned();
            return Err((line, Error::Words { rule: "candidates".to_owned(), found, expected }));
        }
        self.cells_with_candidates.push((line, cell, values));
        Ok(())
    }

    fn finish(self) -> At<Puzzle> {
        let mut puzzle = Puzzle::new(self.rules);
        let size = puzzle.size();
        for (line, cell, characters) in cells_of_picture(self.givens) {
            if let Some(value) = given_value(size, cell, &characters).map_err(at(line))? {
                puzzle.give(cell, value).map_err(at(line))?;
            }
        }
        let single = self.cells_with_candidates.into_iter();
        for (line, cell, characters) in single.chain(cells_of_picture(self.candidates)) {
            if characters.len() > 1 && characters.contains(&'0') {
                // It would be read as 1 and a blank, but the writer meant ten.
                let found = characters.iter().collect();
                let tens = if size.side() > 9 { ", where A is 10," } else { "" };
                let expected = value_range(size) + tens;
                return Err((line, Error::Word { found, cell, expected }));
            }
            let values = values_in(size, cell, &characters).map_err(at(line))?;
            // A blank in a picture of candidates leaves a cell as it is.
            if !values.is_empty() {
                puzzle.allow(cell, &values).map_err(at(line))?;
            }
        }
        Ok(puzzle)
    }
}

/// The value of a cell: a character, or a number of two digits; `None` for a blank.
fn given_value(size: Size, cell: Cell, characters: &[char]) -> Result<Option<u8>, Error> {
    let [single] = characters else {
        let found: String = characters.iter().collect();
        return match found.parse::<u8>() {
            Ok(value) if found.bytes().all(|byte| byte.is_ascii_digit()) => Ok(Some(value)),
            _ => {
                let mut expected = value_range(size);
                if size.side() > 9 {
                    expected += &format!(", a number from 1 to {}", size.side());
                }
                Err(Error::Word { found, cell, expected })
            }
        };
    };
    Ok(values_in(size, cell, &[*single])?.first().copied())
}

/// Names the line of an error.
fn at(line: usize) -> impl Fn(Error) -> (usize, Error) {
    move |error| (line, error)
}

/// The cells of a picture: for each the number of its line, the cell, and its characters.
fn cells_of_picture(rows: Option<Vec<Row>>) -> Vec<CellText> {
    let mut cells = Vec::new();
    for (row, (line, texts)) in rows.unwrap_or_default().into_iter().enumerate() {
        for (column, text) in texts.into_iter().enumerate() {
            cells.push((line, Cell::new(row + 1, column + 1), text.chars().collect()));
        }
    }
    cells
}

/// `error` with the letter that the picture has for its region.
fn with_region_name(error: Error, names: &[&str]) -> Error {
    let Error::RegionSize { region, cell, found, expected } = error else { return error };
    let letter = region.chars().next().unwrap_or('A');
    let number = (letter as usize).wrapping_sub('A' as usize);
    let region = names.get(number).map_or(region, |&name| name.to_owned());
    Error::RegionSize { region, cell, found, expected }
}

/// Whether a line of a picture draws a frame: `+---+---+`.
fn is_frame(text: &str) -> bool {
    text.contains('+') && text.chars().all(|c| matches!(c, '-' | '+' | '|' | ' ' | '='))
}

/// The cells of a row: its words, if there are as many as cells, or else its characters. Bars are skipped.
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

/// The cells of a row that has too few or too many, for a message. Where words have several characters, such as `10`, nobody
/// knows whether the words or the characters were meant, so both are told.
fn cells_found(row: &str) -> String {
    let words = words_of(row);
    let cells: usize = words.iter().map(|word| word.chars().count()).sum();
    if words.len() == 1 || words.len() == cells {
        return counted(cells, "cell");
    }
    format!("{} and {}", counted(words.len(), "word"), counted(cells, "character"))
}

/// Each character of a word as a text.
fn characters(word: &str) -> impl Iterator<Item = &str> {
    word.char_indices().map(|(at, c)| &word[at..at + c.len_utf8()])
}

fn expect_nothing(rule: &str, rest: &str) -> Result<(), Error> {
    if rest.is_empty() {
        return Ok(());
    }
    let expected = "nothing in this line";
    Err(Error::Words { rule: rule.to_owned(), found: rest.to_owned(), expected })
}

fn read_cell(rule: &str, word: &str) -> Result<Cell, Error> {
    let error = || Error::CellOfRule { rule: rule.to_owned(), found: word.to_owned() };
    Cell::parse(word).ok_or_else(error)
}

fn read_cells(rule: &str, words: &str) -> Result<Vec<Cell>, Error> {
    words.split_whitespace().map(|word| read_cell(rule, word)).collect()
}

/// The rules that a line states.
fn read_rule(name: &str, rest: &str) -> Result<Vec<Rule>, Error> {
    let wrong = |expected| Error::Words { rule: name.to_owned(), found: rest.to_owned(), expected };
    let plain = match name {
        "diagonals" => Some(vec![Rule::FallingDiagonal, Rule::RisingDiagonal]),
        "windoku" => Some(vec![Rule::Windoku]),
        "disjoint-groups" => Some(vec![Rule::DisjointGroups]),
        "anti-knight" => Some(vec![Rule::AntiKnight]),
        "anti-king" => Some(vec![Rule::AntiKing]),
        "non-consecutive" => Some(vec![Rule::NonConsecutive]),
        "all-dots-given" => Some(vec![Rule::AllDotsGiven]),
        "all-xv-given" => Some(vec![Rule::AllXvGiven]),
        _ => None,
    };
    if let Some(rules) = plain {
        expect_nothing(name, rest)?;
        return Ok(rules);
    }
    let rule = match name {
        "diagonal" => match rest {
            "falling" => Rule::FallingDiagonal,
            "rising" => Rule::RisingDiagonal,
            _ => return Err(wrong("falling or rising")),
        },
        "house" => Rule::House(read_cells(name, rest)?),
        "different" => Rule::Different(read_cells(name, rest)?),
        "thermometer" => Rule::Thermometer(read_cells(name, rest)?),
        "cage" => read_cage(rest)?,
        "arrow" => {
            let (circle, line) =
                rest.split_once('=').ok_or_else(|| wrong("the circle, '=', and the line"))?;
            Rule::Arrow { circle: read_cells(name, circle)?, line: read_cells(name, line)? }
        }
        "kropki" => {
            let (colour, cells) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            match colour {
                "white" => read_mark(Mark::White, cells)?,
                "black" => read_mark(Mark::Black, cells)?,
                _ => return Err(wrong("white or black, and two cells")),
            }
        }
        "x" => read_mark(Mark::X, rest)?,
        "v" => read_mark(Mark::V, rest)?,
        _ => return Err(Error::UnknownRule(name.to_owned())),
    };
    Ok(vec![rule])
}

/// A sum, if there is one, and cells.
fn read_cage(rest: &str) -> Result<Rule, Error> {
    let first = rest.split_whitespace().next().unwrap_or_default();
    match first.parse() {
        Ok(sum) => {
            let cells = rest.trim_start().strip_prefix(first).unwrap_or_default();
            Ok(Rule::Cage { sum: Some(sum), cells: read_cells("cage", cells)? })
        }
        // A sum below 0, or too large for its type.
        Err(_) if first.starts_with(|c: char| c == '-' || c.is_ascii_digit()) => {
            let expected = "a sum from 1 on, or cells alone";
            let found = first.to_owned();
            Err(Error::Words { rule: "cage".to_owned(), found, expected })
        }
        Err(_) => Ok(Rule::Cage { sum: None, cells: read_cells("cage", rest)? }),
    }
}

fn read_mark(mark: Mark, rest: &str) -> Result<Rule, Error> {
    match read_cells(mark.name(), rest)?[..] {
        [first, second] => Ok(Rule::Mark(mark, [first, second])),
        _ => {
            let found = rest.to_owned();
            Err(Error::Words { rule: mark.name().to_owned(), found, expected: "two cells" })
        }
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
