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

/// Whether two identities are of problems of one kind that were read from different files: their fingerprints differ.
#[cfg(feature = "journal")]
pub(super) fn is_of_another_file(here: &str, there: &str) -> bool {
    let kind = |identity: &str| fields(identity)[0].0.to_owned();
    let fingerprints = [here, there].map(|identity| value(identity, "fingerprint"));
    kind(here) == kind(there)
        && matches!(fingerprints, [Some(ours), Some(theirs)] if ours != theirs)
}

/// The differences between two identities, as phrases; one phrase for all if the keys or the files differ.
#[cfg(feature = "journal")]
pub(super) fn differences(here: &str, there: &str) -> Vec<String> {
    if is_of_another_file(here, there) {
        // Sizes, and perhaps the engine, follow from the file.
        let [there, here] =
            [there, here].map(|identity| value(identity, "fingerprint").unwrap_or_default());
        return vec![format!(
            "the puzzle file differs from the one that was read there: its fingerprint is {there} there and \
             {here} here"
        )];
    }
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
    use super::{differences, is_of_another_file};

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
    #[test]
    fn another_file_is_named_as_one() {
        let six = "cover items=6 options=9 fingerprint=5f3a engine=masks algorithm=1 layout=3";
        let seven = "cover items=7 options=12 fingerprint=2fed engine=sets algorithm=2 layout=1";
        assert_eq!(
            differences(six, seven),
            [
                "the puzzle file differs from the one that was read there: its fingerprint is 2fed there and 5f3a here"
            ]
        );
        let other_engine = six.replace("masks", "sets");
        assert_eq!(differences(six, &other_engine), ["engine is sets there and masks here"]);
        assert!(!is_of_another_file(six, "variant size=9 fingerprint=2fed layout=1"));
        assert!(!is_of_another_file(six, TILES));
    }
}
