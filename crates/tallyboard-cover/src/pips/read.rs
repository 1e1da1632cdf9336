//! Reading a drawn board of Pips.
//!
//! ```text
//! ; Three dominoes on a board with a hole.
//! board:
//! aab
//! .#b
//! c
//! dominoes: 0-1 2-2 1-3
//! regions:
//! a sum 4
//! b equal
//! c >0
//! ```
//!
//! * `;` begins a comment, and so does `|` at the beginning of a line; blank lines are skipped.
//! * `board:` begins the drawing. A letter is a cell of the region with this letter, `.` a cell without a rule, and `#` or a blank
//!   is no cell.
//! * `dominoes:` has the dominoes, two numbers of pips each, behind it or in the lines below. There may be several such lines.
//! * `regions:` begins the rules, a line each: a letter, then `sum 7`, `<4`, `>9`, `equal`, `unequal` or `empty`, which allows
//!   anything.

use super::{Domino, MOST_PIPS, Pips, Region, Rule};
use crate::mistake::{LocatedMistake, Mistake, mistake};
use crate::picture::{DrawnCell, Puzzle};

/// Whether a file is such a board: one of its lines has dominoes, before any has pieces.
pub(crate) fn has_dominoes(text: &str) -> bool {
    let lines = text.lines().map(|line| line.split(';').next().unwrap_or_default().trim());
    let mut lines =
        lines.filter(|line| !line.is_empty()).take_while(|line| !line.starts_with("pieces:"));
    // A piece of this name has a drawing below it.
    let is_domino =
        |line: &str| line.split_whitespace().next().is_some_and(|word| ends_of(word).is_ok());
    lines
        .by_ref()
        .find_map(|line| line.strip_prefix("dominoes:"))
        .is_some_and(|rest| !rest.is_empty() || lines.next().is_some_and(is_domino))
}

/// The part of the file that a line belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Within {
    #[default]
    Nothing,
    Board,
    Dominoes,
    Regions,
}

/// What was read of a file so far.
#[derive(Debug, Default)]
struct Reader {
    pips: Pips,
    within: Within,
    /// The number of the next row of the board.
    row: i32,
}

/// Reads a drawn board.
pub(crate) fn read(text: &str) -> Result<Puzzle, LocatedMistake> {
    let mut reader = Reader::default();
    let mut last = 1;
    for (number, line) in (1..).zip(text.lines()) {
        last = number;
        let line = line.split(';').next().unwrap_or_default().trim_end();
        if !line.trim().is_empty() && !line.starts_with('|') {
            reader.read_line(line, number).map_err(|error| (number, error))?;
        }
    }
    if reader.pips.board.is_empty() {
        return Err((
            last,
            mistake("no cell of a board", "'board:' and a drawing with '.' or letters"),
        ));
    }
    reader.ensure_rules()?;
    reader.pips.puzzle()
}

impl Reader {
    fn read_line(&mut self, line: &str, number: usize) -> Result<(), Mistake> {
        let has_board = self.pips.line > 0;
        match line.trim() {
            "board:" if has_board => return Err(mistake("a second board", "one")),
            "board:" => (self.within, self.pips.line) = (Within::Board, number),
            "regions:" => self.within = Within::Regions,
            other => match (other.strip_prefix("dominoes:"), self.within) {
                (Some(dominoes), _) => {
                    self.within = Within::Dominoes;
                    self.read_dominoes(dominoes, number)?;
                }
                (None, Within::Dominoes)
                    if other.starts_with(|sign: char| sign.is_ascii_digit()) =>
                {
                    self.read_dominoes(other, number)?;
                }
                (None, Within::Board) => self.read_row(line, number)?,
                (None, Within::Regions) => self.read_rule(other, number)?,
                (None, Within::Nothing | Within::Dominoes) => {
                    let expected = "'board:', 'dominoes:' or 'regions:'";
                    return Err(mistake(format!("'{other}'"), expected));
                }
            },
        }
        Ok(())
    }

    fn read_dominoes(&mut self, words: &str, line: usize) -> Result<(), Mistake> {
        for word in words.split_whitespace() {
            self.pips.dominoes.push(Domino { ends: ends_of(word)?, line });
        }
        Ok(())
    }

    fn read_row(&mut self, text: &str, line: usize) -> Result<(), Mistake> {
        for (column, mark) in text.chars().enumerate() {
            if matches!(mark, ' ' | '#') {
                continue;
            }
            if mark != '.' && !mark.is_alphabetic() {
                let expected = "'.', '#', a blank or the letter of a region";
                return Err(mistake(format!("{mark:?} in the board"), expected));
            }
            let place = [column as i32, self.row, 0];
            self.pips.board.push(DrawnCell { cell: place, place, mark, line });
        }
        self.row += 1;
        Ok(())
    }

    fn read_rule(&mut self, text: &str, line: usize) -> Result<(), Mistake> {
        let (name, rule) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let board = self.pips.board.iter().enumerate();
        let has_letter = |(_, cell): &(usize, &DrawnCell)| name.chars().eq([cell.mark]);
        let cells: Vec<usize> = board.filter(has_letter).map(|(number, _)| number).collect();
        if cells.is_empty() || name == "." {
            let found = format!("a rule for '{name}'");
            return Err(mistake(found, "a letter of the board above, then its rule"));
        }
        if self.pips.regions.iter().any(|region| region.name == name) {
            return Err(mistake(format!("a second rule for '{name}'"), "one"));
        }
        let rule = rule_of(rule.trim())?;
        self.pips.regions.push(Region { name: name.to_owned(), rule, cells, line });
        Ok(())
    }

    /// Fails for a cell of a region without a rule.
    fn ensure_rules(&self) -> Result<(), LocatedMistake> {
        let has_rule = |mark: char| {
            mark == '.' || self.pips.regions.iter().any(|region| region.name.chars().eq([mark]))
        };
        match self.pips.board.iter().find(|cell| !has_rule(cell.mark)) {
            None => Ok(()),
            Some(DrawnCell { mark, line, .. }) => {
                let expected =
                    format!("one below 'regions:', such as '{mark} sum 7' or '{mark} empty'");
                Err((*line, mistake(format!("no rule for the region {mark}"), expected)))
            }
        }
    }
}

/// The numbers of a domino, written `0-3`.
fn ends_of(word: &str) -> Result<[u32; 2], Mistake> {
    let number = |text: &str| text.parse().ok().filter(|&number| number <= MOST_PIPS);
    let ends = word.split_once('-').and_then(|(a, b)| Some([number(a)?, number(b)?]));
    ends.ok_or_else(|| {
        let expected =
            format!("two numbers of pips up to {MOST_PIPS} with '-' between them, such as 0-3");
        mistake(format!("'{word}' among the dominoes"), expected)
    })
}

/// The rule that stands behind the letter of a region.
fn rule_of(text: &str) -> Result<Rule, Mistake> {
    let number = |text: &str| text.trim().parse::<u32>().ok();
    let of = |sign: char, rule: fn(u32) -> Rule| text.strip_prefix(sign).and_then(number).map(rule);
    let rule = match (text, text.split_once(char::is_whitespace)) {
        ("equal", _) => Some(Rule::Equal),
        ("unequal", _) => Some(Rule::Unequal),
        ("empty", _) => Some(Rule::Free),
        (_, Some(("sum", sum))) => number(sum).map(Rule::Sum),
        _ => of('<', Rule::Less).or_else(|| of('>', Rule::Greater)),
    };
    rule.ok_or_else(|| {
        let expected =
            "'sum 7', '<4', '>9', 'equal', 'unequal' or 'empty', with numbers up to 4294967295";
        mistake(format!("the rule '{text}'"), expected)
    })
}
