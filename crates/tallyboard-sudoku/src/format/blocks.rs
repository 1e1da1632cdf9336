//! What stands around the grids of pictures: words above them, and blocks that are no grids though some of their rows would be.

use super::FormError;
use super::picture;
use super::rows::{PictureLine, Words, classify, is_title};
use super::syntax::Input;
use super::text::lines_with_breaks;

/// The bytes at the head of an input by which its format is found.
pub const SCORED_BYTES: usize = 8 << 10;

/// Whether a line with the rest of its text is words above a grid of some size, rather than the first record.
pub fn is_above_grid(text: &[u8]) -> bool {
    [9, 16, 25, 4].into_iter().any(|side| is_title(text, side, Input::HasEnded) == Some(true))
}

/// The words, without hyphens, with which a line states a rule of the whole grid, or what its values are. No sudoku has such a rule,
/// and as a title its count would be that of another puzzle.
const RULES_OF_GRIDS: [&[u8]; 16] = [
    b"alldifferencesgiven",
    b"alldotsgiven",
    b"allratiosgiven",
    b"allxvgiven",
    b"antiking",
    b"antiknight",
    b"antitaxicab",
    b"diagonal",
    b"diagonals",
    b"disjointgroups",
    b"globalentropy",
    b"globalmodular",
    b"nonconsecutive",
    b"regions",
    b"rowsandcolumns",
    b"windoku",
];

/// Refuses a line that is a rule.
fn refuse_rules(head: &[u8]) -> Result<(), FormError> {
    // Most lines are rows.
    let is_text =
        |line: &[u8]| line.trim_ascii_start().first().is_some_and(u8::is_ascii_alphabetic);
    let is_rule = |line: &&[u8]| is_text(line) && (names_cells(line) || is_of_grids(line));
    match lines_with_breaks(head).find(is_rule) {
        Some(rule) => Err(FormError::Rule(String::from_utf8_lossy(rule.trim_ascii()).into_owned())),
        None => Ok(()),
    }
}

/// Whether a line is a rule of a whole grid: its name, and what a further word says.
fn is_of_grids(line: &[u8]) -> bool {
    const MOST_WORDS: usize = 2;
    let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let Some(first) = words.next() else { return false };
    let name: Vec<u8> =
        first.iter().filter(|byte| !b"-_:".contains(byte)).map(u8::to_ascii_lowercase).collect();
    let has_number = || words.clone().next().is_some_and(|word| word[0].is_ascii_digit());
    words.clone().count() < MOST_WORDS
        && match &name[..] {
            b"values" | b"stars" => has_number(),
            name => RULES_OF_GRIDS.contains(&name),
        }
}

/// Refuses pictures whose first rows are no grids of `side` rows, and such that have a rule above or below them. `text` is `head`, the
/// beginning of an input, from its first record on.
///
/// # Errors
/// [`FormError::Rule`] if a line is the rule of a variant,
/// [`FormError::Block`] if more rows stand together than grids have, [`FormError::Number`] if a number stands among them, and
/// [`FormError::NoDigit`] if no grid has a value, but blanks of two kinds.
pub fn refuse_others(head: &[u8], text: &[u8], side: usize) -> Result<(), FormError> {
    refuse_rules(head)?;
    // The rows that stand together first, with lines of dashes, and where they begin and end.
    let (mut rows, mut begin, mut end) = (0, 0, 0);
    for line in lines_with_breaks(text) {
        match classify(line, side).0 {
            PictureLine::Row(count) if count == side => {
                if let Some(number) = Words::of(line, side).number() {
                    return Err(FormError::Number(String::from_utf8_lossy(number).into_owned()));
                }
                rows += 1;
            }
            PictureLine::Dashes { .. } => rows += 1,
            PictureLine::Frame => {}
            _ if rows == 0 => begin = end + line.len(),
            _ => break,
        }
        end += line.len();
    }
    let is_cut = text.len() >= SCORED_BYTES;
    // If the first rows may be a grid, the last ones are one that lacks rows, which is told with its line.
    let may_be_grid = repeated_value(text, side).is_none() && !repeats_in_columns(text, side);
    if rows > side && !is_cut && !may_be_grid && !picture::are_whole(&text[begin..end], side) {
        return Err(FormError::Block { found: rows, expected: side });
    }
    match blanks_alone(text, side) {
        Some(blanks) if blanks.len() > 1 => Err(FormError::NoDigit(blanks)),
        _ => Ok(()),
    }
}

/// What to say of a first picture that has a value twice in a row: its count is 0, but it may be another puzzle.
pub fn repeated_value(text: &[u8], side: usize) -> Option<String> {
    let is_row = |line: &&[u8]| classify(line, side).0 == PictureLine::Row(side);
    let rows = lines_with_breaks(text).filter(is_row).take(side);
    (1..).zip(rows).find_map(|(number, line)| {
        let words = Words::of(line, side).words;
        let is_value = |byte: &u8| byte.is_ascii_alphanumeric() && !b"0xX".contains(byte);
        let cells: Vec<u8> = match words.len() == side {
            true => words
                .into_iter()
                .filter_map(|word| <[u8; 1]>::try_from(word).ok())
                .flatten()
                .collect(),
            false => words.concat(),
        };
        let mut values = cells.iter().filter(|byte| is_value(byte)).enumerate();
        let twice = values.find(|(at, value)| {
            cells.iter().filter(|byte| is_value(byte)).take(*at).any(|before| before == *value)
        });
        twice.map(|(_, &value)| {
            format!("two {} in row {number}: perhaps no sudoku", char::from(value))
        })
    })
}

/// Whether a value stands twice in a column of the first picture, of rows with a character a cell.
fn repeats_in_columns(text: &[u8], side: usize) -> bool {
    let is_row = |line: &&[u8]| classify(line, side).0 == PictureLine::Row(side);
    let mut seen = std::collections::BTreeSet::new();
    let rows = lines_with_breaks(text).filter(is_row).take(side);
    rows.map(|line| Words::of(line, side).words.concat()).any(|cells| {
        let values = cells.into_iter().enumerate();
        let mut values =
            values.filter(|(_, byte)| byte.is_ascii_alphanumeric() && !b"0xX".contains(byte));
        values.any(|value| !seen.insert(value))
    })
}

/// Whether a line is a rule of a variant, with cells such as `r1c3`.
fn names_cells(line: &[u8]) -> bool {
    let mut words = line.split(|byte| byte.is_ascii_whitespace() || b".,=+-<>".contains(byte));
    words.any(|word| {
        let cell = word.strip_prefix(b"r").or_else(|| word.strip_prefix(b"R"));
        let numbers = cell.map(|cell| cell.split(|byte| byte.eq_ignore_ascii_case(&b'c')));
        numbers.is_some_and(|numbers| {
            numbers.clone().count() == 2
                && numbers
                    .into_iter()
                    .all(|number| !number.is_empty() && number.iter().all(u8::is_ascii_digit))
        })
    })
}

/// The kinds of blanks in the rows of pictures; `None` if a row has a value.
fn blanks_alone(text: &[u8], side: usize) -> Option<Vec<char>> {
    let mut blanks = Vec::new();
    for line in lines_with_breaks(text).take_while(|line| line.ends_with(b"\n")) {
        if classify(line, side).0 != PictureLine::Row(side) {
            continue;
        }
        for &byte in Words::of(line, side).words.into_iter().flatten() {
            match byte {
                b'.' | b'_' | b'*' | b'-' | b'?' | b'0' | b'x' | b'X' => {
                    let blank = char::from(byte.to_ascii_lowercase());
                    if !blanks.contains(&blank) {
                        blanks.push(blank);
                    }
                }
                _ => return None,
            }
        }
    }
    Some(blanks)
}
