//! Reasons for which a drawn puzzle has no cover, as far as they are seen in the drawing.

use tallyboard_base::figures::{counted, grouped};

use super::{DrawnCell, Piece};
use crate::no_cover::shortened;

/// The remarks on a drawn puzzle. `is_covered` tells for each cell whether some placement covers it.
pub(super) fn of_drawing(
    board: &[DrawnCell],
    pieces: &[Piece],
    is_covered: &[bool],
) -> Vec<String> {
    let mut remarks = Vec::new();
    let bare =
        board.iter().zip(is_covered).filter(|(cell, is_covered)| cell.mark != '?' && !**is_covered);
    remarks.extend(shortened(bare.map(|(cell, _)| on_bare_cell(cell, pieces)).collect()));
    remarks.extend(on_sums(board, pieces));
    if !remarks.is_empty() {
        remarks.extend(on_missing_letters(board, pieces));
    }
    remarks
}

/// Letters of pieces that the board lacks. Such a piece may cover other cells, so this is a hint beside other remarks only.
fn on_missing_letters(board: &[DrawnCell], pieces: &[Piece]) -> Vec<String> {
    let mut remarks = Vec::new();
    let is_missing = |letter: &char| !board.iter().any(|cell| cell.mark == *letter);
    for Piece { name, line, letters, .. } in pieces {
        for letter in letters.chars().filter(is_missing) {
            remarks.push(format!(
                "line {line}: the piece {name} is on {letter}, the board has no {letter}"
            ));
        }
    }
    remarks
}

/// The remark on a cell that has to be covered, and that no placement covers.
fn on_bare_cell(cell: &DrawnCell, pieces: &[Piece]) -> String {
    let DrawnCell { line, mark, place: [column, ..], .. } = *cell;
    let column = column + 1;
    if mark == '.' || pieces.iter().any(|piece| piece.letters.contains(mark)) {
        format!("line {line}: no piece fits on the {mark} in column {column}")
    } else {
        format!(
            "line {line}: no piece may cover the {mark} in column {column}: a letter is for pieces that are 'on {mark}'"
        )
    }
}

/// The remark that the pieces cannot cover as many cells as the board has, if so.
fn on_sums(board: &[DrawnCell], pieces: &[Piece]) -> Option<String> {
    let needed = board.iter().filter(|cell| cell.mark != '?').count() as u64;
    let most_covered = board.len() as u64;
    let size = |piece: &Piece| piece.cells.len() as u64;
    let divisor = pieces.iter().map(size).fold(0, greatest_common_divisor);
    let least = pieces.iter().fold(0_u64, |least, piece| {
        let low = piece.bounds.map_or(0, |bounds| bounds.0);
        least.saturating_add(size(piece).saturating_mul(low.into()))
    });
    // `None` if there is no bound.
    let most = pieces.iter().try_fold(0_u64, |most, piece| {
        let (_, high) = piece.bounds?;
        Some(most.saturating_add(size(piece).saturating_mul(high.into())))
    });
    let board_cells = if needed == most_covered {
        grouped(needed)
    } else {
        format!("{} to {}", grouped(needed), grouped(most_covered))
    };
    if most.is_some_and(|most| most < needed) || least > most_covered {
        let pieces = match most {
            Some(most) if most == least => counted(most, "cell"),
            Some(most) => format!("{} to {}", grouped(least), counted(most, "cell")),
            None => format!("at least {}", counted(least, "cell")),
        };
        return Some(format!("the pieces have {pieces}, the board {board_cells}"));
    }
    if (needed..=most_covered).any(|cells| cells % divisor == 0) {
        return None;
    }
    Some(format!("the pieces cover a multiple of {divisor} cells, the board has {board_cells}"))
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
    fn letters_that_the_board_lacks_are_named() {
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
    fn pieces_that_cannot_cover_the_board_are_named() {
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
