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
use tallyboard_base::text::is_blank;

use super::Parsed;
use crate::error::{Error, Place, is_line_name};
use crate::global::WholeGrid;
use crate::grid::{Cell, Size};
use crate::pattern::Pattern;
use crate::puzzle::{Puzzle, begins_with_zero, from_zero, value_range, values_in};
use crate::rule::{Calculation, Line, Mark, Marked, Outside, Rule};
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
    if let Some((side, rows)) = bare_grid(&lines) {
        let rules = Rules::new(side).map_err(in_first_line)?;
        let mut reader = Reader::new(rows, line, rules);
        return reader.read_bare().map_err(|error| (Place::Line(reader.line), error));
    }
    if let Some((side, lines)) = grid_above_rules(&lines) {
        let rules = Rules::new(side).map_err(in_first_line)?;
        let mut reader = Reader::new(lines, line, rules);
        let read = reader.read_givens().and_then(|()| reader.read());
        return read.map_err(|error| (Place::Line(reader.line), error));
    }
    let stated_side = stated_side(first).map_err(in_first_line)?;
    let rules = Rules::new(stated_side.unwrap_or(9)).map_err(in_first_line)?;
    let mut reader = Reader::new(lines, line, rules);
    reader.next = usize::from(stated_side.is_some());
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
        _ => Err(wrong_words("size", &size, "a side from 3 to 16")),
    }
}

/// The side of a grid that stands above rules as if the word `givens` stood over it, and the lines of both.
fn grid_above_rules<'a>(lines: &[(usize, &'a str)]) -> Option<(usize, Vec<(usize, &'a str)>)> {
    let is_rule = |(_, text): &(usize, &str)| {
        let word = text.split_whitespace().next().unwrap_or_default();
        word.len() > 1 && is_line_name(word)
    };
    let (grid, rules) = lines.split_at(lines.iter().position(is_rule)?);
    let (side, rows) = bare_grid(grid)?;
    Some((side, [&rows, rules].concat()))
}

/// The side of a grid that stands alone in a file, and its rows: a line of all cells, or a picture.
fn bare_grid<'a>(lines: &[(usize, &'a str)]) -> Option<(usize, Vec<(usize, &'a str)>)> {
    // Some names of rules have as many letters as a grid has cells.
    let first_word = lines.first()?.1.split_whitespace().next()?;
    if first_word.len() > 1 && is_line_name(first_word) {
        return None;
    }
    let is_cell = |c: char| c.is_ascii_alphanumeric() || is_blank(c);
    // A row of letters may be one of regions.
    let is_sign = |c: char| c.is_ascii_digit() || is_blank(c) && !c.is_alphabetic();
    let has_cell = |text: &str| text.contains(is_sign) || !text.contains(|c| !"xX |\t".contains(c));
    if let &[(number, text)] = lines {
        let side = text.len().isqrt();
        let is_grid = side * side == text.len() && side > 3 && text.chars().all(is_cell);
        let row = |row| (number, &text[row * side..][..side]);
        return (is_grid && has_cell(text)).then(|| (side, (0..side).map(row).collect()));
    }
    // The number of rows may stand above them.
    let above = lines[0].1.parse::<usize>().is_ok_and(|side| side + 1 == lines.len());
    let lines = &lines[usize::from(above)..];
    let sides = [9, 6, 4, 8, 12, 16, 10, 15, 14, 5, 7, 11, 13];
    let side = sides.into_iter().find(|&side| {
        let mut rows = lines.iter().filter(|(_, text)| !is_frame(text, side));
        let has_cells = |text: &str| {
            cells_of(text, side).len() == side
                && text.chars().all(|c| is_cell(c) || " |\t".contains(c))
        };
        rows.clone().count() == side && rows.all(|(_, text)| has_cells(text) && has_cell(text))
    });
    side.map(|side| (side, lines.to_vec()))
}

impl<'a> Reader<'a> {
    /// Reads these lines, of which the first has this number.
    fn new(lines: Vec<(usize, &'a str)>, line: usize, rules: Rules) -> Self {
        Self {
            lines,
            next: 0,
            line,
            rules,
            givens: None,
            candidates: None,
            cells_with_candidates: Vec::new(),
        }
    }

    /// Reads givens alone.
    fn read_bare(&mut self) -> Result<Puzzle, Error> {
        self.read_givens()?;
        self.finish()
    }

    fn read_givens(&mut self) -> Result<(), Error> {
        self.givens = Some(self.read_picture("givens")?);
        Ok(())
    }

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
            "values" => self.read_values(words),
            "givens" => {
                expect_nothing("givens", words)?;
                if self.givens.is_some() {
                    return Err(Error::PictureTwice("givens"));
                }
                self.read_givens()
            }
            "candidates" => self.read_candidates(words),
            "regions" => self.read_regions(words),
            _ => read_rules(self.rules.size(), name, words)?
                .into_iter()
                .try_for_each(|rule| self.rules.add(rule)),
        }
    }

    /// Reads the first and the last value.
    fn read_values(&mut self, words: &str) -> Result<(), Error> {
        let error =
            || wrong_words("values", words, "the first and the last value, such as 0-8 in size 9");
        let (first, last) = words.split_once('-').ok_or_else(error)?;
        let [first, last] = [first, last].map(|word| word.trim().parse::<u8>().ok());
        let rules = self.rules.clone().with_first_value(first.ok_or_else(error)?)?;
        if last.map(u32::from) != Some(rules.size().last_value()) {
            return Err(error());
        }
        self.rules = rules;
        Ok(())
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
            if is_frame(text, side) {
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
        // A frame may close the picture, and the name of the program that wrote it stand below.
        let is_below = |text: &str| {
            is_frame(text, side) || text == "Simple Sudoku" || text.starts_with("Version ")
        };
        while self.lines.get(self.next).is_some_and(|(_, text)| is_below(text)) {
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

    /// Either a picture, or in the line a cell, or cells in a row, a column or a diagonal, and their values.
    fn read_candidates(&mut self, words: &'a str) -> Result<(), Error> {
        if words.is_empty() {
            if self.candidates.is_some() {
                return Err(Error::PictureTwice("candidates"));
            }
            self.candidates = Some(self.read_picture("candidates")?);
            return Ok(());
        }
        let (cells, text) = split_first_word(words);
        let cells = read_cells("candidates", cells)?;
        if text.is_empty() {
            return Err(wrong_words("candidates", words, "a cell and its values"));
        }
        let line = self.line;
        self.cells_with_candidates.extend(cells.into_iter().map(|cell| CellText {
            line,
            cell,
            text,
        }));
        Ok(())
    }

    fn finish(&mut self) -> Result<Puzzle, Error> {
        self.rules.check_regions_stated()?;
        let mut puzzle = Puzzle::new(self.rules.clone());
        let size = puzzle.size();
        let givens = self.givens.iter().flatten();
        // Words of two characters are numbers, which have no hexadecimal digits beside them.
        let single = givens.clone().filter_map(|given| sole_character(given.text));
        let is_from_zero = single.clone().count() == size.cells() && begins_with_zero(size, single);
        for CellText { line, cell, text } in givens {
            self.line = *line;
            let shifted = sole_character(text).filter(|_| is_from_zero);
            let shifted = shifted.map(|character| from_zero(size, character).to_string());
            if let Some(value) = given_value(size, *cell, shifted.as_deref().unwrap_or(text))? {
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
    if text.len() > 1 && text.contains('0') && size.first_value() > 0 {
        let tens = if size.side() > 9 { ", where A is 10," } else { "" };
        return Err(Error::Word { found: text, cell, expected: value_range(size) + tens });
    }
    values_in(size, cell, text.chars())
}

/// The character of a word of one.
fn sole_character(word: &str) -> Option<char> {
    let mut characters = word.chars();
    characters.next().filter(|_| characters.next().is_none())
}

/// The value of a cell: a character, or a number of two digits; `None` for a blank.
fn given_value(size: Size, cell: Cell, text: &str) -> Result<Option<u8>, Error> {
    if text.chars().count() == 1 {
        return Ok(values_in(size, cell, text.chars())?.first().copied());
    }
    match text.parse::<u32>() {
        // Not `+2`, which is a number, too.
        Ok(value) if text.bytes().all(|byte| byte.is_ascii_digit()) => {
            let from_one = (value + 1).checked_sub(size.first_value()).filter(|&value| value > 0);
            let (least, most) = (size.first_value() as usize, size.last_value() as usize);
            let error = Error::Value { found: value, cell, least, most };
            Ok(Some(from_one.and_then(|value| u8::try_from(value).ok()).ok_or(error)?))
        }
        _ => {
            let mut expected = value_range(size);
            if size.side() > 9 {
                expected +=
                    &format!(", a number from {} to {}", size.first_value(), size.last_value());
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

/// Whether a line of a picture draws a frame: `+---+---+`, `*-----------*` or `:-------+----:`. A row of as many dashes as cells
/// is a row of blanks.
fn is_frame(text: &str, side: usize) -> bool {
    let is_drawn = |c| matches!(c, '-' | '+' | '|' | ' ' | '=' | '*' | '.' | ':' | '\'');
    let dashes = text.matches('-').count();
    text.chars().all(is_drawn)
        && (text.contains('+') || text.contains("--") && dashes != side && !text.contains(". "))
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

/// The cells that words name; `r1c1..r1c9` names a row, a column or a diagonal of them.
fn read_cells(rule: &str, words: &str) -> Result<Vec<Cell>, Error> {
    let mut cells = Vec::new();
    let is_gap = |sign: char| sign.is_whitespace() || sign == ',' || sign == ';';
    for word in words.split(is_gap).filter(|word| !word.is_empty()) {
        match word.split_once("..") {
            None => cells.push(read_cell(rule, word)?),
            Some((first, last)) => {
                let ends = [read_cell(rule, first)?, read_cell(rule, last)?];
                let line = line_between(ends).ok_or_else(|| {
                    wrong_words(
                        rule,
                        word,
                        "two cells of a row, a column or a diagonal around '..'",
                    )
                })?;
                cells.extend(line);
            }
        }
    }
    Ok(cells)
}

/// The cells from the first to the second in a straight line; `None` if there is none.
fn line_between([first, last]: [Cell; 2]) -> Option<impl Iterator<Item = Cell>> {
    let rows = last.row() as isize - first.row() as isize;
    let columns = last.column() as isize - first.column() as isize;
    let is_straight = rows == 0 || columns == 0 || rows.abs() == columns.abs();
    let at = move |number: isize, from: usize, step: isize| {
        from.wrapping_add_signed(number * step.signum())
    };
    let cell =
        move |number| Cell::new(at(number, first.row(), rows), at(number, first.column(), columns));
    is_straight.then(|| (0..=rows.abs().max(columns.abs())).map(cell))
}

/// The rules that a line states: its first word is `name`.
fn read_rules(size: Size, name: &str, words: &str) -> Result<Vec<Rule>, Error> {
    if name == "diagonals" {
        expect_nothing(name, words)?;
        return Ok(vec![Rule::FallingDiagonal, Rule::RisingDiagonal]);
    }
    if let Some(&global) = WholeGrid::ALL.iter().find(|it| it.is_of_one_word() && it.name() == name)
    {
        expect_nothing(name, words)?;
        return Ok(vec![Rule::Global(global)]);
    }
    if let Some(rule) = read_rule_with_number(size, name, words)? {
        return Ok(vec![rule]);
    }
    let rule = match name {
        "rows-and-columns" => match words {
            "none" => Rule::NoLines,
            _ => return Err(wrong_words(name, words, "none")),
        },
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
        "quadruple" => read_quadruple(size, words)?,
        "matches" | "automaton" => {
            let (pattern, cells) = split_first_word(words);
            let read = if name == "matches" { Pattern::expression } else { Pattern::steps };
            Rule::Pattern(read(pattern)?, read_cells(name, cells)?)
        }
        "kropki" => match split_first_word(words) {
            ("white", cells) => read_mark(name, Mark::White, cells)?,
            ("black", cells) => read_mark(name, Mark::Black, cells)?,
            _ => return Err(wrong_words(name, words, "white or black, and two cells")),
        },
        "x" => read_mark(name, Mark::X, words)?,
        "v" => read_mark(name, Mark::V, words)?,
        _ => match Marked::ALL.into_iter().find(|marked| marked.name() == name) {
            Some(marked) => Rule::Marked(marked, read_cells(name, words)?),
            None => return Err(Error::UnknownRule(name.to_owned())),
        },
    };
    Ok(vec![rule])
}

/// A rule whose line is its name, a number that some kinds need and some may have, and cells; `None` for other names.
fn read_rule_with_number(size: Size, name: &str, words: &str) -> Result<Option<Rule>, Error> {
    let (first, rest) = split_first_word(words);
    let number: Option<u32> = first.parse().ok();
    let line = Line::all(size.side() as u32).into_iter().find(|line| line.name() == name);
    let outside = Outside::ALL.into_iter().find(|outside| outside.name() == name);
    let calculation = Calculation::ALL.into_iter().find(|known| known.name() == name);
    if let Some(line) = line {
        let rule = match (line.number(), number) {
            (Some(_), Some(number)) => {
                Rule::Line(line.with_number(number), read_cells(name, rest)?)
            }
            (Some(0), None) => return Err(wrong_words(name, words, "a number, and cells")),
            _ => Rule::Line(line, read_cells(name, words)?),
        };
        return Ok(Some(rule));
    }
    if outside.is_none() && calculation.is_none() {
        return Ok(None);
    }
    let number = number.ok_or_else(|| wrong_words(name, words, "a number, and cells"))?;
    let cells = read_cells(name, rest)?;
    let of_outside = outside.map(|outside| Rule::Outside(outside, number, cells.clone()));
    Ok(of_outside.or(calculation.map(|known| Rule::Calculation(known, number, cells))))
}

fn read_quadruple(size: Size, words: &str) -> Result<Rule, Error> {
    let error = || wrong_words("quadruple", words, "values such as 137, and cells");
    let (values, cells) = split_first_word(words);
    let cells = read_cells("quadruple", cells)?;
    let &first = cells.first().ok_or_else(error)?;
    let values = values_in(size, first, values.chars())?;
    let values: Vec<u8> = values.into_iter().map(|value| size.written(value)).collect();
    if values.is_empty() { Err(error()) } else { Ok(Rule::Quadruple(values, cells)) }
}

/// Reads a sum or a range of sums, if there is one, and cells.
fn read_cage(words: &str) -> Result<Rule, Error> {
    let (first, cells) = split_first_word(words);
    let first = first.trim_end_matches([':', ',']);
    if let Ok(sum) = first.parse() {
        return Ok(Rule::Cage { sum: Some(sum), cells: read_cells("cage", cells)? });
    }
    if let Some((least, most)) = read_range(first) {
        return Ok(Rule::CageRange { least, most, cells: read_cells("cage", cells)? });
    }
    // A sum below 0, or too large for its type.
    if first.starts_with(|c: char| matches!(c, '-' | '<' | '>') || c.is_ascii_digit()) {
        let expected = "a sum from 1 on, a range as 9-12, <11 or >20, or cells alone";
        return Err(wrong_words("cage", first, expected));
    }
    Ok(Rule::Cage { sum: None, cells: read_cells("cage", words)? })
}

/// The least and the greatest number of `9-12`, `<11` or `>20`.
fn read_range(text: &str) -> Option<(u32, u32)> {
    /// More than any sum of a cage.
    const MOST_SUM: u32 = 1_000;
    if let Some(bound) = text.strip_prefix('<') {
        return Some((0, bound.parse::<u32>().ok()?.checked_sub(1)?));
    }
    if let Some(bound) = text.strip_prefix('>') {
        return Some((bound.parse::<u32>().ok()?.checked_add(1)?, MOST_SUM));
    }
    let (least, most) = text.split_once('-')?;
    Some((least.parse().ok()?, most.parse().ok()?))
}

fn read_mark(rule: &str, mark: Mark, words: &str) -> Result<Rule, Error> {
    match read_cells(rule, words)?[..] {
        [first, second] => Ok(Rule::Mark(mark, [first, second])),
        _ => Err(wrong_words(rule, words, "two cells")),
    }
}

/// A rule as the text form has it.
#[doc(hidden)]
pub fn write_rule(rule: &Rule) -> String {
    match rule {
        Rule::Mark(mark @ (Mark::White | Mark::Black), [first, second]) => {
            format!("kropki {} {first} {second}", mark.name())
        }
        rule => rule.to_string(),
    }
}

/// The text form of a puzzle, which [`read`](super::read) reads as an equal one.
pub fn write(puzzle: &Puzzle) -> String {
    let size = puzzle.size();
    let mut text = format!("size {}\n", size.side());
    if size.first_value() != 1 {
        let _ = writeln!(text, "values {}-{}", size.first_value(), size.last_value());
    }
    for rule in puzzle.rules().rules() {
        let _ = writeln!(text, "{}", write_rule(rule));
    }
    if puzzle.givens().iter().any(|&given| given > 0) {
        text.push_str("givens\n");
        for row in puzzle.givens().chunks(size.side()) {
            let _ = writeln!(text, "{}", crate::puzzle::line(size, row));
        }
    }
    if puzzle.has_pencil_marks() {
        let _ = write!(text, "candidates\n{}", puzzle.candidates());
    }
    text
}
