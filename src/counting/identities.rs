//! Identities of queens and sudokus as people read them.

use tallyboard_base::figures::grouped;
use tallyboard_search::{plain_words, value};

/// An identity for people: `20 queens, halves engine` for `queens n=20 placed= blocked= engine=halves algorithm=1
/// layout=1`. Identities of other problems are reduced to their [plain words](plain_words).
pub fn describe(identity: &str) -> String {
    let value = |key| value(identity, key).filter(|value| !value.is_empty());
    if identity.starts_with("queens ")
        && let Some(n) = value("n")
    {
        let mut text = format!("{n} queen{}", if n == "1" { "" } else { "s" });
        for (key, phrase) in [("placed", "placed on"), ("blocked", "closed squares")] {
            if let Some(squares) = value(key) {
                text += &format!(", {phrase} {}", squares.replace(',', ", "));
            }
        }
        if let Some(engine) = value("engine") {
            text += &format!(", {engine} engine");
        }
        return text;
    }
    if identity.starts_with("sudoku ")
        && let Some(grid) = value("grid")
    {
        let joined = identity.split(' ').any(|word| word == "join");
        return format!("the sudoku {grid}{}", if joined { ", bands joined" } else { "" });
    }
    match (value("bytes"), value("limit")) {
        (Some(bytes), Some(limit)) if identity.starts_with("sudoku file ") => {
            let bytes = bytes.parse::<u64>().map_or(bytes.to_owned(), grouped);
            format!("a file of sudokus, {bytes} bytes, solutions counted up to {limit}")
        }
        _ => plain_words(identity),
    }
}

#[cfg(test)]
mod tests {
    use tallyboard_queens::{Board, Count};
    use tallyboard_search::Problem;

    use super::*;

    #[test]
    fn queens_are_told_by_their_board_and_engine() {
        let count = Count::new(Board::new(8).unwrap()).unwrap();
        assert_eq!(describe(&count.identity()), "8 queens, blocks engine");
        let closed = Board::with(
            8,
            &["h4".parse().unwrap()],
            &["a1".parse().unwrap(), "b2".parse().unwrap()],
        );
        let closed = Count::new(closed.unwrap()).unwrap();
        let found = describe(&closed.identity());
        assert_eq!(found, "8 queens, placed on h4, closed squares a1, b2, blocks engine");
        let one = Count::new(Board::new(1).unwrap()).unwrap().identity();
        assert!(describe(&one).starts_with("1 queen, "), "{one}");
    }

    #[test]
    fn sudokus_are_told_by_their_grid_and_files_by_their_size() {
        assert_eq!(describe("sudoku grid=53..7 join layout=1"), "the sudoku 53..7, bands joined");
        assert_eq!(describe("sudoku grid=53..7 algorithm=1 layout=1"), "the sudoku 53..7");
        let file = "sudoku file bytes=8200000 limit=2 algorithm=1";
        let expected = "a file of sudokus, 8,200,000 bytes, solutions counted up to 2";
        assert_eq!(describe(file), expected);
    }

    #[test]
    fn other_problems_are_told_by_their_own_words() {
        assert_eq!(describe("synthetic"), "synthetic");
        assert_eq!(describe("langford n=12 begin= algorithm=1 layout=1"), "langford n=12");
        assert_eq!(describe("labels grid=7 algorithm=1 layout=1"), "labels grid=7");
    }
}
