//! A puzzle: rules, given values, and pencil marks.

use std::fmt;
use std::sync::Arc;

use tallyboard_base::bits::bits;

use crate::error::Error;
use tallyboard_base::text::is_blank;

use crate::grid::{Cell, Size, char_to_value, least_value, value_to_char};
use crate::rules::Rules;

/// Rules, and what is given in the grid.
///
/// ```
/// # mod tallyboard { pub use ::tallyboard_variants as variants; }
/// use tallyboard::variants::{Puzzle, Rules};
///
/// let mut puzzle = Puzzle::new(Rules::new(4)?);
/// puzzle.give("r1c1".parse()?, 3)?;
/// assert_eq!(puzzle.solutions().count(), 72);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Puzzle {
    rules: Arc<Rules>,
    candidates: Candidates,
    /// The given value of each cell; 0 for none.
    givens: Vec<u8>,
}

/// A set of values for each cell of a grid, in reading order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidates {
    size: Size,
    sets: Vec<u16>,
}

impl Candidates {
    pub(crate) fn new(size: Size, sets: Vec<u16>) -> Self {
        Self { size, sets }
    }

    /// The candidates of a cell, ascending; none for a cell outside of the grid.
    pub fn of(&self, cell: Cell) -> Vec<u8> {
        let set = self.size.index(cell).map_or(0, |index| self.sets[index]);
        values_of(set)
    }

    /// The number of candidates in all cells.
    pub fn total(&self) -> u32 {
        self.sets.iter().map(|set| set.count_ones()).sum()
    }

    /// For each cell in reading order, its candidates: bit 0 is value 1.
    pub fn sets(&self) -> &[u16] {
        &self.sets
    }

    /// The size of the grid.
    #[doc(hidden)]
    pub fn size(&self) -> Size {
        self.size
    }
}

/// The values of a set, ascending.
pub(crate) fn values_of(set: u16) -> Vec<u8> {
    bits(set).map(least_value).collect()
}

/// A line for each row, the cells in columns; `.` stands for a cell without a candidate.
impl fmt::Display for Candidates {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let texts: Vec<String> = self.sets.iter().map(|&set| set_text(self.size, set)).collect();
        let width = texts.iter().map(String::len).max().unwrap_or(1);
        for row in texts.chunks(self.size.side()) {
            let cells: Vec<String> = row.iter().map(|text| format!("{text:width$}")).collect();
            writeln!(f, "{}", cells.join(" ").trim_end())?;
        }
        Ok(())
    }
}

/// The values of a set as characters; `.` if there are none.
pub(crate) fn set_text(size: Size, set: u16) -> String {
    let text: String = values_of(set).into_iter().map(|value| size.value_to_char(value)).collect();
    if text.is_empty() { ".".to_owned() } else { text }
}

/// Whether `0` is the first value among these characters, as in hexadecimal numbers: another blank is used, and the last value,
/// which such numbers do not have, is not there.
pub(crate) fn begins_with_zero(size: Size, characters: impl Iterator<Item = char> + Clone) -> bool {
    let last = value_to_char(size.side() as u8);
    size.side() > 9
        && size.first_value() == 1
        && characters.clone().any(|c| c == '0')
        && characters.clone().any(is_blank)
        && !characters.clone().any(|c| c.to_ascii_uppercase() == last)
}

/// The character of the value that a character of such numbers stands for: `0` is the value 1. Blanks stay.
pub(crate) fn from_zero(size: Size, character: char) -> char {
    match character.to_digit(17) {
        Some(value) if (value as usize) < size.side() => value_to_char(value as u8 + 1),
        _ => character,
    }
}

/// The values of a size, for messages: `1-9`, or `1-9 and A-G`.
pub(crate) fn value_range(size: Size) -> String {
    let [first, last] = [1, size.side() as u8].map(|value| size.value_to_char(value));
    match first.is_ascii_digit() && !last.is_ascii_digit() {
        true => format!("{first}-9 and A-{last}"),
        false => format!("{first}-{last}"),
    }
}

impl Puzzle {
    /// An empty grid with these rules.
    pub fn new(rules: impl Into<Arc<Rules>>) -> Self {
        let rules = rules.into();
        let size = rules.size();
        let candidates = Candidates::new(size, vec![size.all_values(); size.cells()]);
        Self { rules, candidates, givens: vec![0; size.cells()] }
    }

    /// The rules.
    pub fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    /// The size of the grid.
    #[doc(hidden)]
    pub fn size(&self) -> Size {
        self.rules.size()
    }

    /// The given value of each cell in reading order; 0 for none.
    pub fn givens(&self) -> &[u8] {
        &self.givens
    }

    /// The candidates of each cell by its given or its pencil marks alone: rules remove none of them.
    pub fn candidates(&self) -> &Candidates {
        &self.candidates
    }

    /// Gives a value, counted from 1.
    ///
    /// # Errors
    /// [`Error`] if there is no such cell or value, or if the cell may not have it.
    pub fn give(&mut self, cell: Cell, value: u8) -> Result<(), Error> {
        self.allow(cell, &[value])?;
        let index = self.index(cell)?;
        self.givens[index] = value;
        Ok(())
    }

    /// Removes all candidates of a cell but these values.
    ///
    /// # Errors
    /// [`Error`] if there is no such cell or value, or if none is left.
    pub fn allow(&mut self, cell: Cell, values: &[u8]) -> Result<(), Error> {
        let index = self.index(cell)?;
        let mut set = 0;
        for &value in values {
            if value == 0 || usize::from(value) > self.size().side() {
                let most = self.size().side();
                return Err(Error::Value { found: value.into(), cell, least: 1, most });
            }
            set |= 1 << (value - 1);
        }
        if self.candidates.sets[index] & set == 0 {
            return Err(Error::Nothing(cell));
        }
        self.candidates.sets[index] &= set;
        Ok(())
    }

    fn index(&self, cell: Cell) -> Result<usize, Error> {
        let side = self.size().side();
        self.size().index(cell).ok_or(Error::NoCell { cell, side })
    }

    /// This puzzle with the givens of a line: a character for each cell, or one for each value of each cell (sukaku: 729
    /// characters at size 9). In sizes above 9, `0` is the first value where another character is the blank and the last value
    /// is not there, as in hexadecimal numbers.
    ///
    /// # Errors
    /// [`Error`] if the line has another length, a strange character, or leaves a cell without a value.
    pub fn with_line(&self, line: &str) -> Result<Self, Error> {
        let size = self.size();
        let characters: Vec<char> = line.chars().collect();
        let cells = size.cells();
        let marks = cells * size.side();
        if characters.len() != cells && characters.len() != marks {
            return Err(Error::Length { found: characters.len(), cells, marks });
        }
        let mut puzzle = self.clone();
        let has_marks = characters.len() > cells;
        let characters = match begins_with_zero(size, characters.iter().copied()) && !has_marks {
            true => characters.into_iter().map(|c| from_zero(size, c)).collect(),
            false => characters,
        };
        for (index, characters) in characters.chunks(characters.len() / cells).enumerate() {
            let cell = size.cell(index);
            let values = values_in(size, cell, characters.iter().copied())?;
            if has_marks {
                puzzle.allow(cell, &values)?;
            } else if let [value] = values[..] {
                puzzle.give(cell, value)?;
            }
        }
        Ok(puzzle)
    }

    /// The givens as a line: a character for each cell, `.` for none.
    pub fn line(&self) -> String {
        line(self.size(), &self.givens)
    }

    /// Whether some cell without a given has lost candidates by pencil marks.
    pub fn has_pencil_marks(&self) -> bool {
        let all = self.size().all_values();
        let mut cells = self.givens.iter().zip(&self.candidates.sets);
        cells.any(|(&given, &set)| given == 0 && set != all)
    }
}

/// The values for which `characters` stand; blanks are skipped.
pub(crate) fn values_in(
    size: Size,
    cell: Cell,
    characters: impl IntoIterator<Item = char>,
) -> Result<Vec<u8>, Error> {
    let mut values = Vec::new();
    for found in characters {
        match char_to_value(size, found) {
            Some(value) => values.push(value),
            None if found == '0' || is_blank(found) => {}
            None => {
                let expected = value_range(size);
                return Err(Error::Character { found, cell, expected });
            }
        }
    }
    Ok(values)
}

/// Values, counted from 1, as a line of characters; `.` for 0.
pub fn line(size: Size, values: &[u8]) -> String {
    let character = |&value: &u8| if value == 0 { '.' } else { size.value_to_char(value) };
    values.iter().map(character).collect()
}
