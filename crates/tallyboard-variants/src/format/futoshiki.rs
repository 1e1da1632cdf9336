//! Futoshiki, Latin squares with signs between neighbours: as a picture with the signs, as a grid of values and grids of signs,
//! or as a grid and a list of pairs of cells.

use tallyboard_base::text::is_blank;

use super::{Parsed, is_blank_word, number_or_blank, with_givens};
use crate::error::Place;
use crate::grid::Cell;
use crate::puzzle::Puzzle;
use crate::rule::{Line, Rule};
use crate::rules::Rules;

/// What a text of any of the forms says.
pub(super) struct Futoshiki {
    pub side: usize,
    /// The value of each cell, 0 for none.
    pub values: Vec<u32>,
    /// Pairs of cells by row and column from 0, the less first, each with its line.
    pub signs: Vec<(usize, [(usize, usize); 2])>,
}

/// Reads a futoshiki; `None` if the text is of another form.
pub(super) fn read(text: &str) -> Option<Parsed<Puzzle>> {
    let found = three_grids(text).or_else(|| named_cells(text)).or_else(|| pairs(text));
    found.or_else(|| picture(text)).map(Futoshiki::puzzle)
}

impl Futoshiki {
    /// The puzzle of these values and signs.
    pub fn puzzle(self) -> Parsed<Puzzle> {
        let at = |error| (Place::Whole, error);
        let mut rules =
            Rules::new(self.side).and_then(|rules| rules.with(Rule::NoRegions)).map_err(at)?;
        let cell = |(row, column): (usize, usize)| Cell::new(row + 1, column + 1);
        for (line, [less, more]) in self.signs {
            let rule = Rule::Line(Line::Falling, vec![cell(more), cell(less)]);
            rules.add(rule).map_err(|error| (Place::Line(line), error))?;
        }
        with_givens(Puzzle::new(rules), self.values).map_err(at)
    }
}

/// The number of a line, from 1, and its words.
type Words<'a> = (usize, Vec<&'a str>);

/// The lines with content: their words are apart by blanks, commas or semicolons.
fn words(text: &str) -> Vec<Words<'_>> {
    let is_gap = |c: char| c.is_whitespace() || c == ',' || c == ';';
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default());
    let words = lines.map(|line| line.split(is_gap).filter(|word| !word.is_empty()).collect());
    (1..).zip(words).filter(|(_, words): &Words| !words.is_empty()).collect()
}

/// The values of rows of `side` words each.
fn values(rows: &[Words], side: usize) -> Option<Vec<u32>> {
    let value = |word: &str| number_or_blank(word).filter(|&value| value as usize <= side);
    let are_full = rows.iter().all(|(_, row)| row.len() == side);
    let cells = rows.iter().flat_map(|(_, row)| row).map(|word| value(word));
    are_full.then(|| cells.collect()).flatten()
}

/// A side, a row or a column. No board has a larger one, and products of a few of them have room in a word.
fn small(word: &str) -> Option<usize> {
    word.parse().ok().filter(|&number| number <= 1000)
}

/// The side that a first line states, and the lines below.
fn with_side<'a, 'b>(lines: &'b [Words<'a>]) -> Option<(usize, &'b [Words<'a>])> {
    match lines.split_first()? {
        ((_, words), rest) if words.len() == 1 => Some((small(words[0])?, rest)),
        _ => None,
    }
}

/// A grid of values, then one of signs between columns and one of signs between rows: `1`, `<` or `^` where the first is less,
/// `-1`, `>` or `v` where it is more, and 0 for none. The side may stand above.
fn three_grids(text: &str) -> Option<Futoshiki> {
    let lines = words(text);
    let (side, rows) = with_side(&lines).unwrap_or(((lines.len() + 1) / 3, &lines));
    if side < 3 || rows.len() != 3 * side - 1 {
        return None;
    }
    let (grid, signs) = rows.split_at(side);
    let (across, down) = signs.split_at(side);
    let sign = |word: &str| match word {
        "0" => Some(0),
        "1" | "<" | "^" | "∧" => Some(1),
        "-1" | ">" | "v" | "V" | "∨" => Some(-1),
        word => is_blank_word(word).then_some(0),
    };
    let mut found = Vec::new();
    for (rows, width, step) in [(across, side - 1, (0, 1)), (down, side, (1, 0))] {
        for (row, (line, signs)) in rows.iter().enumerate() {
            if signs.len() != width {
                return None;
            }
            for (column, word) in signs.iter().enumerate() {
                let (first, second) = ((row, column), (row + step.0, column + step.1));
                match sign(word)? {
                    1 => found.push((*line, [first, second])),
                    -1 => found.push((*line, [second, first])),
                    _ => {}
                }
            }
        }
    }
    Some(Futoshiki { side, values: values(grid, side)?, signs: found })
}

/// The side, `START:`, a grid, `REL:`, and pairs of cells such as `A1;B1`, row `A`, of which the first is less.
fn named_cells(text: &str) -> Option<Futoshiki> {
    let lines = words(text);
    let (side, rest) = with_side(&lines)?;
    let is_title = |line: &Words, title: &str| matches!(line.1[..], [word] if word.trim_end_matches(':').eq_ignore_ascii_case(title));
    let (grid, pairs) = rest.split_at_checked(side + 1)?;
    if !is_title(grid.first()?, "START") || !is_title(pairs.first()?, "REL") {
        return None;
    }
    let cell = |word: &str| {
        let letter = word.chars().next().filter(char::is_ascii_alphabetic)?;
        let row = letter.to_ascii_uppercase() as usize - 'A' as usize;
        Some((row, word[1..].parse::<usize>().ok()?.checked_sub(1)?))
    };
    let pair = |(line, words): &Words| match words[..] {
        [less, more] => Some((*line, [cell(less)?, cell(more)?])),
        _ => None,
    };
    let signs = pairs[1..].iter().map(pair).collect::<Option<_>>()?;
    Some(Futoshiki { side, values: values(&grid[1..], side)?, signs })
}

/// Rows of numbers alone: the side and the number of pairs, perhaps below a 1 for one puzzle, a grid, and the pairs as the rows
/// and columns, from 1, of two neighbours, of which the first is less; the pairs may come before the grid. Or the side, the
/// number of givens, the givens as row, column and value, the number of pairs, and the pairs, of which the first is **more**.
fn pairs(text: &str) -> Option<Futoshiki> {
    let number = |word: &&str| small(word);
    let lines: Vec<(usize, Vec<usize>)> = words(text)
        .iter()
        .map(|(line, words)| Some((*line, words.iter().map(number).collect::<Option<_>>()?)))
        .collect::<Option<_>>()?;
    let of_four = |&(line, ref row): &(usize, Vec<usize>)| match row[..] {
        [a, b, c, d] if a.abs_diff(c) + b.abs_diff(d) == 1 && a * b * c * d > 0 => {
            Some((line, [(a - 1, b - 1), (c - 1, d - 1)]))
        }
        _ => None,
    };
    if let [(_, side), (_, givens), rest @ ..] = &lines[..]
        && let (&[side], &[givens]) = (&side[..], &givens[..])
    {
        let (givens, rest) = rest.split_at_checked(givens)?;
        let (count, rest) = rest.split_first()?;
        if count.1[..] != [rest.len()] || side > 16 {
            return None;
        }
        let mut values = vec![0; side * side];
        for (_, given) in givens {
            let &[row, column, value] = &given[..] else { return None };
            let is_in = |number: usize| (1..=side).contains(&number);
            if ![row, column, value].into_iter().all(is_in) {
                return None;
            }
            let place: &mut u32 = &mut values[(row - 1) * side + column - 1];
            if *place > 0 && *place != value as u32 {
                return None;
            }
            *place = value as u32;
        }
        let signs = rest.iter().map(of_four).collect::<Option<Vec<_>>>()?;
        let signs = signs.into_iter().map(|(line, [more, less])| (line, [less, more])).collect();
        return Some(Futoshiki { side, values, signs });
    }
    let (head, rest) = match &lines[..] {
        [(_, one), (_, head), rest @ ..] if one[..] == [1] => (head, rest),
        [(_, head), rest @ ..] => (head, rest),
        [] => return None,
    };
    let &[side, count] = &head[..] else { return None };
    if !(3..=16).contains(&side) || rest.len() != side + count {
        return None;
    }
    let is_grid = |rows: &[(usize, Vec<usize>)]| {
        rows.iter().all(|(_, row)| row.len() == side && row.iter().all(|&value| value <= side))
    };
    let splits = [rest.split_at(side), (&rest[count..], &rest[..count])];
    splits.into_iter().filter(|(grid, _)| is_grid(grid)).find_map(|(grid, signs)| {
        let values = grid.iter().flat_map(|(_, row)| row).map(|&value| value as u32).collect();
        Some(Futoshiki { side, values, signs: signs.iter().map(of_four).collect::<Option<_>>()? })
    })
}

/// The lines in which the puzzles of a file begin that [`pairs`] reads, perhaps below their number; `None` of another text, or of one
/// puzzle.
pub(super) fn heads(text: &str) -> Option<Vec<usize>> {
    // Most files of other games show in their first line that they are none.
    let is_short = |line: &str| line.split_whitespace().count() <= 2 && line.len() < 10;
    text.lines().next().filter(|line| is_short(line))?;
    let lines = words(text);
    let (count, mut rest) =
        with_side(&lines).map_or((None, &lines[..]), |(count, rest)| (Some(count), rest));
    let mut begins = Vec::new();
    while let Some((head, below)) = rest.split_first() {
        let &[side, pairs] = &head.1[..] else { return None };
        let (side, pairs) = (small(side)?, small(pairs)?);
        let (puzzle, next) = below.split_at_checked(side + pairs)?;
        values(&puzzle[..side], side).or_else(|| values(&puzzle[pairs..], side))?;
        begins.push(head.0);
        rest = next;
    }
    (begins.len() > 1 && count.is_none_or(|count| count == begins.len())).then_some(begins)
}

// Pictures.

/// Rows of cells with `<` and `>` between them, and between two such rows a row with `^` and `v` below the cells, which points at
/// the less one. The side may stand above.
fn picture(text: &str) -> Option<Futoshiki> {
    if let Some(text) = without_commas(text) {
        return picture(&text);
    }
    let is_drawn = |c: char| c.is_ascii_digit() || is_blank(c) || " <>^vV∧∨·|\t\r".contains(c);
    if !text.contains(['<', '>', '^', 'v', 'V', '∧', '∨'])
        || !text.lines().all(|line| line.chars().all(is_drawn))
    {
        return None;
    }
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let all = (1..).zip(&lines).map(|(line, text)| (line, *text)).collect::<Vec<_>>();
    let has_side = lines
        .first()
        .is_some_and(|line| small(line).is_some_and(|side| lines.len() >= 2 * side && side > 2));
    let rows = if has_side { &all[1..] } else { &all[..] };
    let mut end = rows.len();
    while end > 0 && end % 2 == 0 && rows[end - 1].1.is_empty() {
        end -= 1;
    }
    let side = end.div_ceil(2);
    if side < 3 || end % 2 == 0 {
        return None;
    }
    [1, 2, 3, 4].into_iter().find_map(|pitch| of_pitch(&rows[..end], side, pitch))
}

/// A picture whose characters have commas between them, without these; `None` of another text.
fn without_commas(text: &str) -> Option<String> {
    let lines: Vec<&str> = text.trim_end().lines().collect();
    lines.first().filter(|line| line.contains(','))?;
    let line = |line: &&str| {
        let words: Vec<char> = line
            .split(',')
            .map(|word| match word.trim().chars().collect::<Vec<_>>()[..] {
                [] => Some(' '),
                [c] => Some(c),
                _ => None,
            })
            .collect::<Option<_>>()?;
        (lines.len() > 2 && words.len() == lines.len())
            .then(|| words.into_iter().collect::<String>())
    };
    Some(lines.iter().map(line).collect::<Option<Vec<_>>>()?.join("\n"))
}

/// The picture if its cells are so many characters apart.
fn of_pitch(rows: &[(usize, &str)], side: usize, pitch: usize) -> Option<Futoshiki> {
    let is_down = |c: char| "vV∨".contains(c);
    let is_up = |c: char| "^∧".contains(c);
    let (mut values, mut signs) = (vec![0; side * side], Vec::new());
    let mut reaches_end = false;
    for (number, &(line, text)) in rows.iter().enumerate() {
        let row = number / 2;
        let is_row_of_cells = number % 2 == 0;
        // Signs without gaps between them are as many as cells.
        let is_dense = !is_row_of_cells && !text.contains(' ') && text.chars().count() == side;
        let pitch = if is_dense { 1 } else { pitch };
        for (place, c) in text.chars().enumerate() {
            let (column, offset) = (place / pitch, place % pitch);
            let is_cell = offset == 0 && (pitch > 1 || is_dense || is_row_of_cells);
            match c {
                ' ' | '|' => {}
                _ if column >= side => return None,
                '<' | '>' if is_row_of_cells && offset > 0 && column + 1 < side => {
                    let (left, right) = ((row, column), (row, column + 1));
                    reaches_end |= column + 2 == side;
                    signs.push((line, if c == '<' { [left, right] } else { [right, left] }));
                }
                c if is_row_of_cells && is_cell => {
                    reaches_end |= column + 1 == side;
                    values[row * side + column] = match c.to_digit(10) {
                        Some(value) => value,
                        None if c == '·' || is_blank(c) => 0,
                        None => return None,
                    };
                }
                // Between rows, `<` and `>` may point down and up as between columns they do left and right.
                c if !is_row_of_cells && is_cell && (is_up(c) || c == '<') => {
                    signs.push((line, [(row, column), (row + 1, column)]));
                }
                c if !is_row_of_cells && is_cell && (is_down(c) || c == '>') => {
                    signs.push((line, [(row + 1, column), (row, column)]));
                }
                '.' | '_' | '-' => {}
                _ => return None,
            }
            reaches_end |= column + 1 == side;
        }
    }
    // A narrower pitch reads a wide picture, too, but not to its last column.
    (reaches_end && !signs.is_empty()).then_some(Futoshiki { side, values, signs })
}
