//! Boards as codes of their borders: star battles of pzpr, the editor of puzz.link, and of SBN, the notation of a collection.

use tallyboard_base::text::areas::areas;
use tallyboard_base::text::pzpr::{self, Body, Wrong};

use crate::board::Board;

/// Whether a line begins a board of pzpr, perhaps of rules that are not those of stars.
pub fn is_pzpr(line: &str) -> bool {
    is_head_of_pzpr(line) || pzpr::genre(line).is_some()
}

/// Whether a text that the editor of pzpr saved begins with this line.
pub fn is_head_of_pzpr(line: &str) -> bool {
    line.trim().strip_prefix("pzprv3").is_some_and(|version| !version.contains('/'))
}

/// The board of a link or a saved text of pzpr.
pub fn of_pzpr(text: &str, stars: Option<usize>) -> Result<Board, String> {
    let nothing = || "found no genre below pzprv3, expected starbattle".to_owned();
    let puzzle = pzpr::read(text).ok_or_else(nothing)?.map_err(|wrong| wrong.to_string())?;
    if puzzle.genre != "starbattle" {
        let genre = puzzle.genre;
        return Err(format!(
            "found a puzzle of puzz.link of the genre {genre}, expected starbattle"
        ));
    }
    let (labels, stated) = labels(&puzzle).map_err(|wrong| wrong.to_string())?;
    Board::new(&labels, stars.unwrap_or(stated)).map_err(|error| error.to_string())
}

/// The number of each cell's region, and the stars of each row.
fn labels(puzzle: &pzpr::Puzzle) -> Result<(Vec<u32>, usize), Wrong> {
    let side = puzzle.side()?;
    let stars = |word: &str| {
        let wrong = || Wrong::new(format!("'{word}' for the stars"), "their number");
        word.trim().parse::<usize>().map_err(|_| wrong())
    };
    match &puzzle.body {
        Body::Codes(codes) => {
            let (first, borders) = codes.split_once('/').unwrap_or((codes, ""));
            let areas = pzpr::areas_of(borders, side, side)?;
            Ok((areas.into_iter().map(|area| area as u32).collect(), stars(first)?))
        }
        Body::Lines(lines) => {
            // The number of stars and that of the regions, then the rows; those below are of whoever has begun to solve it.
            let words: Vec<&String> = lines.iter().take(2 + side).flatten().collect();
            let [first, _, cells @ ..] = &words[..] else {
                return Err(Wrong::new("nothing below the size", "the number of stars"));
            };
            let label = |word: &&String| word.parse::<u32>().ok();
            let labels: Option<Vec<u32>> = cells.iter().map(label).collect();
            let labels = labels.filter(|labels| labels.len() == side * side).ok_or_else(|| {
                Wrong::new(format!("{} cells", cells.len()), "the number of a region for each cell")
            })?;
            Ok((labels, stars(first)?))
        }
    }
}

/// The digits of SBN.
const DIGITS: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";

/// A board in SBN: twice a digit for its side, the stars, a letter, and a bit for each pair of neighbours that tells whether a border is
/// between them: row by row for those side by side, column by column for those one above the other. Bits without a meaning come
/// first. Behind them may be what a player has marked.
struct Sbn {
    side: usize,
    stars: usize,
    bits: Vec<bool>,
}

impl Sbn {
    /// `None` if a word is no such board.
    fn of(word: &str) -> Option<Self> {
        const BITS: usize = 6;
        const SMALLEST: usize = 5;
        const LARGEST: usize = 25;
        let digit = |byte: &u8| DIGITS.bytes().position(|digit| digit == *byte);
        let board = word.split('~').next().unwrap_or_default().as_bytes();
        let [first, second, stars, mark, codes @ ..] = board else { return None };
        let side =
            digit(first).filter(|side| first == second && (SMALLEST..=LARGEST).contains(side))?;
        let stars = digit(stars).filter(|stars| (1..10).contains(stars))?;
        let pairs = 2 * side * (side - 1);
        let count = pairs.div_ceil(BITS);
        let is_marked = *mark != b'W';
        if !mark.is_ascii_alphabetic() || codes.len() < count || codes.len() > count && !is_marked {
            return None;
        }
        let digits: Vec<usize> = codes.iter().map(digit).collect::<Option<_>>()?;
        // Letters of regions have as many cells as a square, and no more letters than rows.
        let cells = board.len();
        let labels = (0..cells).filter(|&at| !board[..at].contains(&board[at])).count();
        if cells.isqrt().pow(2) == cells && labels <= cells.isqrt() {
            return None;
        }
        let bit = |at: usize| digits[at / BITS] >> (BITS - 1 - at % BITS) & 1 == 1;
        let (gap, all) = (count * BITS - pairs, count * BITS);
        let is_sbn = !(0..gap).any(bit);
        is_sbn.then(|| Self { side, stars, bits: (gap..all).map(bit).collect() })
    }

    fn board(&self, stars: Option<usize>) -> Result<Board, String> {
        let Self { side, bits, .. } = self;
        let in_line = side - 1;
        let (across, down) = bits.split_at(side * in_line);
        let areas = areas(*side, *side, |one, other| match other - one {
            1 => across[one / side * in_line + one % side],
            _ => down[one % side * in_line + one / side],
        });
        let labels: Vec<u32> = areas.into_iter().map(|area| area as u32).collect();
        Board::new(&labels, stars.unwrap_or(self.stars)).map_err(|error| error.to_string())
    }
}

/// Whether a word is a board in SBN.
pub fn is_sbn(word: &str) -> bool {
    Sbn::of(word).is_some()
}

/// The board of a word in SBN.
pub fn of_sbn(word: &str, stars: Option<usize>) -> Result<Board, String> {
    let wrong = || {
        format!(
            "found '{word}', expected a board in SBN: two digits for the size, one for the stars, a letter and the borders"
        )
    };
    Sbn::of(word).ok_or_else(wrong)?.board(stars)
}
