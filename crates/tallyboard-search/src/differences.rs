//! What differs between two identities, for people.

use super::identity::{fields, plain_words, value};

/// The key of the fingerprint of a file in an identity such as `cover items=6 options=9 fingerprint=5f3a engine=masks layout=3`:
/// the words before it are properties of the file, those behind it are the program's or the user's choice.
const FINGERPRINT: &str = "fingerprint";

/// Whether two identities are of problems of one kind that were read from different files: their fingerprints differ.
pub(super) fn is_of_another_file(here: &str, there: &str) -> bool {
    are_of_files(here, there) && value(here, FINGERPRINT) != value(there, FINGERPRINT)
}

/// Whether two identities are of problems of one kind that were read from files.
fn are_of_files(here: &str, there: &str) -> bool {
    fields(here)[0] == fields(there)[0]
        && [here, there].into_iter().all(|identity| value(identity, FINGERPRINT).is_some())
}

/// The differences between two identities that are not equal, as phrases, at least one.
pub(super) fn between(here: &str, there: &str) -> Vec<String> {
    let mut phrases = Vec::new();
    if is_of_another_file(here, there) {
        let [there, here] = [there, here].map(|identity| shown(identity, FINGERPRINT));
        phrases.push(format!(
            "the puzzle file differs from the one that was read there: its fingerprint is {there} there and \
             {here} here"
        ));
    }
    for key in keys_to_compare(here, there) {
        let [there, here] = [there, here].map(|identity| shown(identity, key));
        if there != here {
            phrases.push(format!("{key} is {there} there and {here} here"));
        }
    }
    // Identities may differ in what is not compared by key, but a caller takes them for equal if there is no phrase.
    if phrases.is_empty() {
        let [there, here] = [there, here].map(plain_words);
        phrases.push(format!("it is of '{there}' there and of '{here}' here"));
    }
    phrases
}

/// The keys by which two identities can be compared: of problems from files, the keys that do not follow from the file;
/// otherwise all keys, or none if the identities have different ones.
fn keys_to_compare<'a>(here: &'a str, there: &'a str) -> Vec<&'a str> {
    if are_of_files(here, there) {
        let only_here =
            keys_beside_file(here).into_iter().filter(|key| value(there, key).is_none());
        return keys_beside_file(there).into_iter().chain(only_here).collect();
    }
    let keys_there = keys(there);
    if keys(here) == keys_there { keys_there } else { Vec::new() }
}

/// The value under `key` for people.
fn shown<'a>(identity: &'a str, key: &str) -> &'a str {
    value(identity, key).filter(|value| !value.is_empty()).unwrap_or("nothing")
}

fn keys(identity: &str) -> Vec<&str> {
    fields(identity).into_iter().map(|(key, _)| key).collect()
}

/// The keys behind the fingerprint, whose values do not follow from the file.
fn keys_beside_file(identity: &str) -> Vec<&str> {
    keys(identity).into_iter().skip_while(|&key| key != FINGERPRINT).skip(1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TILES: &str = "tiles n=8 place= algorithm=1 layout=1";

    #[test]
    fn only_what_differs_is_named() {
        let nine = "tiles n=9 place=a1 algorithm=1 layout=1";
        assert_eq!(
            between(TILES, nine),
            ["n is 9 there and 8 here", "place is a1 there and nothing here"]
        );
        assert_eq!(between(nine, TILES)[1], "place is nothing there and a1 here");
    }

    #[test]
    fn another_problem_and_another_method_are_named_whole() {
        assert_eq!(
            between(TILES, "knots n=8 algorithm=1 layout=2"),
            ["it is of 'knots n=8' there and of 'tiles n=8' here"]
        );
        assert_eq!(
            between("sudoku grid=5 join layout=1", "sudoku grid=5 layout=1"),
            ["it is of 'sudoku grid=5' there and of 'sudoku grid=5 join' here"]
        );
    }
    #[test]
    fn another_file_is_named_as_one_and_hides_nothing_else() {
        let six = "cover items=6 options=9 fingerprint=5f3a engine=masks algorithm=1 layout=3";
        let file = "the puzzle file differs from the one that was read there: its fingerprint is 2fed there and 5f3a here";
        let edited = "cover items=7 options=12 fingerprint=2fed engine=masks algorithm=1 layout=3";
        assert_eq!(between(six, edited), [file]);
        let older = edited.replace("layout=3", "layout=2");
        assert_eq!(between(six, &older), [file, "layout is 2 there and 3 here"]);
        let modulo = edited.replace(" engine=masks", " modulo=7 engine=sets");
        let beside = ["modulo is 7 there and nothing here", "engine is sets there and masks here"];
        assert_eq!(between(six, &modulo), [file, beside[0], beside[1]]);
        let same_file = six.replace(" engine=masks", " modulo=7 engine=sets");
        assert_eq!(between(six, &same_file), beside);
        assert_eq!(between(&same_file, six)[1], "modulo is nothing there and 7 here");
        let alike = six.replace("items=6", "items=7");
        let whole = "it is of 'cover items=7 options=9 fingerprint=5f3a engine=masks' there and of \
                     'cover items=6 options=9 fingerprint=5f3a engine=masks' here";
        assert_eq!(between(six, &alike), [whole]);
        let other_engine = six.replace("masks", "sets");
        assert_eq!(between(six, &other_engine), ["engine is sets there and masks here"]);
        assert!(!is_of_another_file(six, "variant size=9 fingerprint=2fed layout=1"));
        assert!(!is_of_another_file(six, TILES));
    }
}
