//! Identities as people read them: a name, then `key=value` words that name a problem for files.

use crate::figures::grouped;

/// `20 queens, halves engine` for `queens n=20 placed= blocked= engine=halves algorithm=1 layout=1`;
/// of a problem that is not known here its words, but for empty ones and the numbers of algorithm and layout.
///
/// ```
/// use tallyboard::search::describe;
///
/// let identity = "queens n=8 placed=a1 blocked= engine=blocks algorithm=1 layout=1";
/// assert_eq!(describe(identity), "8 queens, placed on a1, blocks engine");
/// assert_eq!(describe("langford n=12 begin= algorithm=1 layout=1"), "langford n=12");
/// ```
pub fn describe(identity: &str) -> String {
    let value = |key| value(identity, key).filter(|value| !value.is_empty());
    if let Some(n) = value("n").filter(|_| identity.starts_with("queens ")) {
        let mut text = format!("{n} queen{}", if n == "1" { "" } else { "s" });
        for (key, phrase) in [("placed", "placed on"), ("blocked", "closed squares")] {
            if let Some(squares) = value(key) {
                text += &format!(", {phrase} {}", squares.replace(',', ", "));
            }
        }
        return value("engine").map_or(text.clone(), |engine| format!("{text}, {engine} engine"));
    }
    if let Some(grid) = value("grid") {
        return format!("the sudoku {grid}");
    }
    match (value("bytes"), value("limit")) {
        (Some(bytes), Some(limit)) => {
            let bytes = bytes.parse::<u64>().map_or(bytes.to_owned(), grouped);
            format!("a file of sudokus, {bytes} bytes, solutions counted up to {limit}")
        }
        _ => {
            let says_nothing = |word: &&str| {
                word.ends_with('=') || word.starts_with("algorithm=") || word.starts_with("layout=")
            };
            let words: Vec<&str> = identity.split(' ').filter(|word| !says_nothing(word)).collect();
            words.join(" ")
        }
    }
}

/// The value that an identity has under `key`.
pub(crate) fn value<'a>(identity: &'a str, key: &str) -> Option<&'a str> {
    fields(identity).into_iter().find(|(name, _)| *name == key).map(|(_, value)| value)
}

/// What differs between two identities, a phrase each.
pub(super) fn differences(here: &str, there: &str) -> Vec<String> {
    let (ours, theirs) = (fields(here), fields(there));
    if ours.iter().map(|field| field.0).ne(theirs.iter().map(|field| field.0)) {
        return vec![format!("it is of {} there and of {} here", describe(there), describe(here))];
    }
    let shown = |value: &str| if value.is_empty() { "nothing" } else { value }.to_owned();
    let pairs = ours.into_iter().zip(theirs).filter(|(ours, theirs)| ours != theirs);
    pairs
        .map(|((name, ours), (_, theirs))| {
            format!("{name} is {} there and {} here", shown(theirs), shown(ours))
        })
        .collect()
}

/// The words of an identity as names and values.
fn fields(identity: &str) -> Vec<(&str, &str)> {
    identity.split(' ').map(|word| word.split_once('=').unwrap_or((word, ""))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queens::{Board, Count};
    use crate::search::Problem;

    #[test]
    fn people_are_told_what_is_counted() {
        let count = Count::new(Board::plain(8).unwrap()).unwrap();
        assert_eq!(describe(&count.identity()), "8 queens, blocks engine");
        let closed = Board::new(8, &[], &["a1".parse().unwrap(), "b2".parse().unwrap()]).unwrap();
        let closed = Count::new(closed).unwrap();
        assert_eq!(describe(&closed.identity()), "8 queens, closed squares a1, b2, blocks engine");
        assert_eq!(describe("sudoku grid=53..7 join layout=1"), "the sudoku 53..7");
        assert_eq!(describe("synthetic"), "synthetic");
        let one = Count::new(Board::plain(1).unwrap()).unwrap().identity();
        assert!(describe(&one).starts_with("1 queen, "), "{one}");
        let file = "sudoku file bytes=8200000 limit=2 algorithm=1";
        assert!(describe(file).contains("8,200,000 bytes"), "{}", describe(file));
    }

    #[test]
    fn only_what_differs_is_named() {
        let [eight, nine] =
            [8, 9].map(|n| Count::new(Board::plain(n).unwrap()).unwrap().identity());
        assert_eq!(differences(&eight, &nine), ["n is 9 there and 8 here"]);
        let other = "sudoku grid=53..7 algorithm=1 layout=2";
        assert_eq!(
            differences(&eight, other),
            ["it is of the sudoku 53..7 there and of 8 queens, blocks engine here"]
        );
    }
}
