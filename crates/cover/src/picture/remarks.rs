//! Why a drawn puzzle has no cover, where the drawing alone shows it.

use base::figures::{counted, grouped};

use super::{Drawn, Piece};
use crate::remarks::cut;

/// The remarks on a drawn puzzle. `is_covered` tells for each cell whether some piece can lie on it.
pub(super) fn of_drawing(board: &[Drawn], pieces: &[Piece], is_covered: &[bool]) -> Vec<String> {
    let mut remarks = Vec::new();
    let bare =
        board.iter().zip(is_covered).filter(|(cell, covered)| cell.mark != '?' && !**covered);
    let bare = bare.map(|(cell, _)| on_bare_cell(cell, pieces)).collect();
    remarks.extend(cut(bare));
    remarks.extend(on_sums(board, pieces));
    if !remarks.is_empty() {
        remarks.extend(on_missing_letters(board, pieces));
    }
    remarks
}

/// Letters of pieces that the board lacks. This is no reason by itself, since such a piece may lie on other cells, but a
/// hint beside one.
fn on_missing_letters(board: &[Drawn], pieces: &[Piece]) -> Vec<String> {
    let mut remarks = Vec::new();
    for Piece { name, line, on, .. } in pieces {
        for letter in on.chars().filter(|&letter| !board.iter().any(|cell| cell.mark == letter)) {
            remarks.push(format!(
                "line {line}: the piece {name} is on {letter}, the board has no {letter}"
            ));
        }
    }
    remarks
}

/// A cell that has to be covered, and on which no piece can lie.
fn on_bare_cell(cell: &Drawn, pieces: &[Piece]) -> String {
    let Drawn { line, mark, place: [column, ..], .. } = *cell;
    let column = column + 1;
    if mark == '.' || pieces.iter().any(|piece| piece.on.contains(mark)) {
        format!("line {line}: no piece fits on the {mark} in column {column}")
    } else {
        format!(
            "line {line}: no piece may cover the {mark} in column {column}: a letter is for pieces that are 'on {mark}'"
        )
    }
}

/// If the pieces cannot have as many cells as the board.
fn on_sums(board: &[Drawn], pieces: &[Piece]) -> Option<String> {
    let needed = board.iter().filter(|cell| cell.mark != '?').count() as u64;
    let most_covered = board.len() as u64;
    let mut least = 0_u64;
    // None if there is no bound.
    let mut most = Some(0_u64);
    let mut divisor = 0;
    for piece in pieces {
        let cells = piece.cells.len() as u64;
        divisor = greatest_common_divisor(divisor, cells);
        let (low, high) = match piece.bounds {
            Some((low, high)) => (low, Some(high)),
            None => (0, None),
        };
        least = least.saturating_add(cells.saturating_mul(low.into()));
        most =
            most.zip(high).map(|(sum, high)| sum.saturating_add(cells.saturating_mul(high.into())));
    }
    let board_cells = match needed == most_covered {
        true => grouped(needed),
        false => format!("{} to {}", grouped(needed), grouped(most_covered)),
    };
    if most.is_some_and(|most| most < needed) || least > most_covered {
        let pieces = match most {
            Some(most) if most == least => counted(most, "cell"),
            Some(most) => format!("{} to {}", grouped(least), counted(most, "cell")),
            None => format!("at least {}", counted(least, "cell")),
        };
        return Some(format!("the pieces have {pieces}, the board {board_cells}"));
    }
    let is_multiple = (needed..=most_covered).any(|cells| cells % divisor == 0);
    let text =
        || format!("the pieces cover a multiple of {divisor} cells, the board has {board_cells}");
    (!is_multiple).then(text)
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use crate::format::read;

    fn remarks(text: &str) -> Vec<String> {
        read(text.as_bytes(), "p").unwrap().remarks()
    }

    #[test]
    fn cells_and_items_that_nothing_covers_are_named() {
        assert_eq!(
            remarks("board:\n...A\npieces:\nD x any:\nx\n"),
            [
                "line 2: no piece may cover the A in column 4: a letter is for pieces that are 'on A'"
            ]
        );
        let x = remarks("board:\n..\n\nxx\npieces:\nD x any:\nxx\n");
        assert_eq!(x.len(), 2);
        assert!(x[0].starts_with("line 4: no piece may cover the x in column 1"), "{x:?}");
        // A wall keeps the piece from a cell.
        assert_eq!(
            remarks("board:\n..\n#.\n?#.\npieces: fixed\nD x any:\nxx\n"),
            [
                "line 3: no piece fits on the . in column 2",
                "line 4: no piece fits on the . in column 3"
            ]
        );
        assert_eq!(remarks("a 0:1|c b d | e\na b\n"), ["no option has item d"]);
        let many = remarks("a b c d e f g\na\n");
        assert_eq!((many.len(), &*many[5]), (6, "and 1 more"));
    }

    #[test]
    fn letters_that_the_board_has_not_are_named() {
        assert_eq!(
            remarks("board:\nA..\npieces:\nE on AB:\nxx\n"),
            [
                "the pieces have 2 cells, the board 3",
                "line 4: the piece E is on B, the board has no B"
            ]
        );
        // It has a cover.
        assert!(remarks("board:\nA.\npieces:\nE on AB:\nxx\n").is_empty());
    }

    #[test]
    fn sums_of_cells_that_cannot_be_are_named() {
        let of = |pieces: &str| remarks(&format!("board:\n....\n....\npieces:\n{pieces}"));
        assert_eq!(of("L:\nxx\nx\n"), ["the pieces have 3 cells, the board 8"]);
        assert_eq!(of("L x 1..2:\nxx\nx\n"), ["the pieces have 3 to 6 cells, the board 8"]);
        assert_eq!(
            of("L x 3:\nxx\nx\nD x any:\nxx\n"),
            ["the pieces have at least 9 cells, the board 8"]
        );
        assert_eq!(
            of("L x any:\nxx\nx\n"),
            ["the pieces cover a multiple of 3 cells, the board has 8"]
        );
        for possible in ["L x 1..4:\nxx\nx\nM x any:\nx\n", "D x 4:\nxx\n", "D x any:\nxx\n"] {
            assert_eq!(of(possible), Vec::<String>::new(), "{possible}");
        }
        let found = remarks("board:\n....?\npieces:\nL x any:\nxxx\n");
        assert_eq!(found, ["the pieces cover a multiple of 3 cells, the board has 4 to 5"]);
        // Cells that may be covered.
        assert!(remarks("board:\n..?\npieces:\nL:\nxxx\n").is_empty());
        let found = remarks("board:\n..??\npieces:\nM:\nx\n");
        assert_eq!(found, ["the pieces have 1 cell, the board 2 to 4"]);
    }
}
