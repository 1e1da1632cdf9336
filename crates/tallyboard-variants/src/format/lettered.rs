//! Cages as a picture of letters with their clues below, as in `A=24x, B=5-`: a KenKen if clues have operations, and a killer if
//! none has.

use super::Parsed;
use crate::error::{Error, Place};
use crate::grid::{Cell, Size};
use crate::puzzle::Puzzle;
use crate::rule::{Calculation, Rule};
use crate::rules::Rules;

/// The parts of a text: the names of cages row by row, and each clue with the number of its line.
struct Cages<'a> {
    side: usize,
    names: Vec<&'a str>,
    clues: Vec<(usize, &'a str, &'a str)>,
}

/// The parts of a text; `None` if it is of another form.
fn parse(text: &str) -> Option<Cages<'_>> {
    let lines = (1..).zip(text.lines().map(str::trim)).filter(|(_, line)| !line.is_empty());
    let lines: Vec<(usize, &str)> = lines.collect();
    let side = cells(lines.first()?.1).len();
    let (rows, below) = lines.split_at_checked(side)?;
    let names: Vec<&str> = rows.iter().flat_map(|(_, row)| cells(row)).collect();
    let is_name = |name: &&str| name.starts_with(char::is_alphabetic);
    let are_rows = side > 2 && rows.iter().all(|(_, row)| cells(row).len() == side);
    let mut clues = Vec::new();
    for &(line, text) in below {
        for clue in text.split([',', ';']).flat_map(str::split_whitespace) {
            let (name, clue) = clue.split_once(['=', ':'])?;
            clues.push((line, name, clue));
        }
    }
    (are_rows && names.iter().all(is_name) && !clues.is_empty()).then_some(Cages {
        side,
        names,
        clues,
    })
}

/// The names of a row, between bars, commas or blanks, or a letter each.
fn cells(row: &str) -> Vec<&str> {
    let is_gap = |c: char| c.is_whitespace() || c == '|' || c == ',';
    let words: Vec<&str> = row.split(is_gap).filter(|word| !word.is_empty()).collect();
    match words[..] {
        [word] => word.split("").filter(|letter| !letter.is_empty()).collect(),
        _ => words,
    }
}

/// Whether a text is a picture of cages with clues.
pub(super) fn is_puzzle(text: &str) -> bool {
    parse(text).is_some()
}

/// Reads a picture of cages with clues.
pub(super) fn read(text: &str) -> Parsed<Puzzle> {
    let cages = parse(text).ok_or((Place::Line(1), Error::Empty))?;
    let is_killer = cages.clues.iter().all(|(.., clue)| clue.bytes().all(|c| c.is_ascii_digit()));
    let at = |error| (Place::Whole, error);
    let mut rules = Rules::new(cages.side).map_err(at)?;
    if is_killer && cages.side != 9 {
        let found = format!("a grid of {0} × {0} whose clues have no operation", cages.side);
        return Err(at(wrong("clues", &found, "an operation behind each number, as in 24x")));
    }
    if !is_killer {
        rules.add(Rule::NoRegions).map_err(at)?;
    }
    let size = rules.size();
    let mut clues = cages.clues.clone();
    let mut names = cages.names.clone();
    names.sort_unstable();
    names.dedup();
    for name in names {
        let found = clues.iter().position(|clue| clue.1 == name);
        let Some(found) = found else {
            return Err(at(wrong(name, "no clue", "one such as A=24x below the picture")));
        };
        let (line, _, clue) = clues.remove(found);
        let rule = rule(clue, cells_of(size, &cages.names, name), is_killer);
        rule.and_then(|rule| rules.add(rule)).map_err(|error| (Place::Line(line), error))?;
    }
    match clues.first() {
        Some(&(line, name, _)) => {
            Err((Place::Line(line), wrong(name, "a clue", "one for each cage of the picture")))
        }
        None => Ok(Puzzle::new(rules)),
    }
}

fn cells_of(size: Size, names: &[&str], name: &str) -> Vec<Cell> {
    let numbers = (0..names.len()).filter(|&number| names[number] == name);
    numbers.map(|number| size.cell(number)).collect()
}

/// The rule of a cage with a clue: a number, and an operation before or behind it.
fn rule(clue: &str, cells: Vec<Cell>, is_killer: bool) -> Result<Rule, Error> {
    let expected = "a number with one of + - x / before or behind it";
    let number = clue.trim_matches(|c: char| !c.is_ascii_digit());
    let operation = clue.replacen(number, "", 1);
    let value: u32 = number.parse().map_err(|_| wrong("cage", clue, expected))?;
    let calculation = match operation.as_str() {
        "" if is_killer => return Ok(Rule::Cage { sum: Some(value), cells }),
        // A cage of one cell states its value.
        "" if cells.len() == 1 => Calculation::Sum,
        "+" => Calculation::Sum,
        "-" | "−" => Calculation::Difference,
        "x" | "X" | "*" | "×" => Calculation::Product,
        "/" | "÷" => Calculation::Quotient,
        _ => return Err(wrong("cage", clue, expected)),
    };
    Ok(Rule::Calculation(calculation, value, cells))
}

fn wrong(rule: &str, found: &str, expected: &'static str) -> Error {
    Error::Words { rule: rule.to_owned(), found: found.to_owned(), expected }
}

#[cfg(test)]
mod tests {

    const SMALL: &str = "|A|B|B|\n|A|C|D|\n|E|C|D|\nA=2/,B=6x,C=3x,D=1-,E=3\n";

    /// The latin squares of side 3 that the clues allow, among all fillings.
    fn squares() -> usize {
        let is_right = |square: &[u32]| {
            let differ = |a: usize, b: usize, c: usize| {
                square[a] != square[b] && square[b] != square[c] && square[a] != square[c]
            };
            (0..3).all(|i| differ(3 * i, 3 * i + 1, 3 * i + 2) && differ(i, i + 3, i + 6))
                && square[0].max(square[3]) == 2 * square[0].min(square[3])
                && square[1] * square[2] == 6
                && square[4] * square[7] == 3
                && square[5].abs_diff(square[8]) == 1
                && square[6] == 3
        };
        let square = |number: u32| -> Vec<u32> {
            (0..9).map(|place| number / 3_u32.pow(place) % 3 + 1).collect()
        };
        (0..3_u32.pow(9)).filter(|&number| is_right(&square(number))).count()
    }

    #[test]
    fn operations_make_a_latin_square() {
        let bare = SMALL.replace('|', "").replace(',', "\n");
        let spaced = SMALL.replace('|', " ").replace("2/", "/2").replace('=', ":");
        assert!(squares() > 0);
        for text in [SMALL, &bare, &spaced] {
            let puzzle = super::super::read(text.as_bytes(), "").unwrap();
            assert_eq!(puzzle.solutions().count(), squares(), "{text}");
        }
    }

    #[test]
    fn sums_alone_make_a_killer_and_mistakes_are_named() {
        let row = |letters: &str| {
            letters.chars().map(|letter| format!("{letter} ")).collect::<String>() + "\n"
        };
        let grid: String =
            (b'A'..=b'I').map(|letter| row(&(letter as char).to_string().repeat(9))).collect();
        let clues: Vec<String> =
            (b'A'..=b'I').map(|letter| format!("{}=45", letter as char)).collect();
        let text = grid + &clues.join(", ");
        let puzzle = super::super::read(text.as_bytes(), "").unwrap();
        assert_eq!(puzzle.solutions().take(3).count(), 3);
        let error = |text: &str| super::super::read(text.as_bytes(), "f").unwrap_err().to_string();
        assert_eq!(
            error(&text.replace("C=45", "Z=45")),
            "f: C: found 'no clue', expected one such as A=24x below the picture"
        );
        assert_eq!(
            error(&SMALL.replace("2/", "2?")),
            "f: line 4: cage: found '2?', expected a number with one of + - x / before or behind it"
        );
        assert!(error(&SMALL.replace(['/', 'x', '-'], "")).contains("have no operation"));
        assert!(error(&SMALL.replace("E=3", "E=3,F=3")).contains("line 4: F: found 'a clue'"));
    }
}
