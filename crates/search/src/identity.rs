//! The text form of identities: a name, then `key=value` words for what is counted and by which algorithm.

/// An identity without the words for people to skip: those with an empty value, and the numbers of algorithm and
/// layout.
///
/// ```
/// use tallyboard::unstable::search::plain_words;
///
/// assert_eq!(plain_words("langford n=12 begin= algorithm=1 layout=1"), "langford n=12");
/// ```
pub fn plain_words(identity: &str) -> String {
    let says_nothing = |word: &&str| {
        word.ends_with('=') || word.starts_with("algorithm=") || word.starts_with("layout=")
    };
    let words: Vec<&str> = identity.split(' ').filter(|word| !says_nothing(word)).collect();
    words.join(" ")
}

/// The value that an identity has under `key`.
pub fn value<'a>(identity: &'a str, key: &str) -> Option<&'a str> {
    fields(identity).into_iter().find(|(name, _)| *name == key).map(|(_, value)| value)
}

/// The differences between two identities, as phrases; one phrase for all if the keys differ.
#[cfg(feature = "journal")]
pub(super) fn differences(here: &str, there: &str) -> Vec<String> {
    let ours = fields(here);
    let theirs = fields(there);
    if ours.iter().map(|field| field.0).ne(theirs.iter().map(|field| field.0)) {
        let [there, here] = [there, here].map(plain_words);
        return vec![format!("it is of '{there}' there and of '{here}' here")];
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

#[cfg(all(test, feature = "journal"))]
mod tests {
    use super::differences;

    const TILES: &str = "tiles n=8 place= algorithm=1 layout=1";

    #[test]
    fn only_what_differs_is_named() {
        let nine = "tiles n=9 place=a1 algorithm=1 layout=1";
        assert_eq!(
            differences(TILES, nine),
            ["n is 9 there and 8 here", "place is a1 there and nothing here"]
        );
        assert_eq!(differences(nine, TILES)[1], "place is nothing there and a1 here");
    }

    #[test]
    fn another_problem_and_another_method_are_named_whole() {
        assert_eq!(
            differences(TILES, "knots n=8 algorithm=1 layout=2"),
            ["it is of 'knots n=8' there and of 'tiles n=8' here"]
        );
        assert_eq!(
            differences("sudoku grid=5 join layout=1", "sudoku grid=5 layout=1"),
            ["it is of 'sudoku grid=5' there and of 'sudoku grid=5 join' here"]
        );
    }
}
