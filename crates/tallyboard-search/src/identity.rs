//! The text form of identities: a name, then `key=value` words for what is counted and by which algorithm.

use std::fmt;

/// The version of an engine. Journals and results stay valid across versions of the program as long as both
/// numbers stay the same. `tests/suite/subtrees.rs` fails if a change needed a new number and has none.
#[derive(Debug, Clone, Copy)]
pub struct Revision {
    /// Raise it when the subtotal of a subtree changes, for example because a mistake was mended.
    pub algorithm: u32,
    /// Raise it when the subtrees, their numbers or their costs change.
    pub layout: u32,
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "algorithm={} layout={}", self.algorithm, self.layout)
    }
}

/// An identity without the words that tell people nothing: those with an empty value, and the numbers of algorithm and
/// layout.
///
/// ```
/// use tallyboard_search::plain_words;
///
/// assert_eq!(plain_words("langford n=12 begin= algorithm=1 layout=1"), "langford n=12");
/// ```
pub fn plain_words(identity: &str) -> String {
    let is_left_out = |word: &&str| {
        word.ends_with('=') || word.starts_with("algorithm=") || word.starts_with("layout=")
    };
    let words: Vec<&str> = identity.split(' ').filter(|word| !is_left_out(word)).collect();
    words.join(" ")
}

/// The value that an identity has under `key`.
pub fn value<'a>(identity: &'a str, key: &str) -> Option<&'a str> {
    fields(identity).into_iter().find(|(name, _)| *name == key).map(|(_, value)| value)
}

/// The words of an identity as names and values.
pub(super) fn fields(identity: &str) -> Vec<(&str, &str)> {
    identity.split(' ').map(|word| word.split_once('=').unwrap_or((word, ""))).collect()
}
