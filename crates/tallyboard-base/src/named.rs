//! Enums whose values have names, for showing and for reading.

use std::fmt;

/// The error of a name that no value has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("found '{found}', expected {}", expected.join(", "))]
pub struct UnknownName {
    found: String,
    expected: Vec<String>,
}

/// The value among `all` that is called `name`.
pub fn find<T: Copy + fmt::Display>(all: &[T], name: &str) -> Result<T, UnknownName> {
    let found = all.iter().find(|item| item.to_string() == name);
    found.copied().ok_or_else(|| UnknownName {
        found: name.to_owned(),
        expected: all.iter().map(ToString::to_string).collect(),
    })
}

/// Names the values of an enum, in the order of `ALL`: `Display` shows the names, `FromStr` reads them.
#[doc(hidden)]
#[macro_export]
macro_rules! named {
    ($(#[$all:meta])* $type:ident { $($value:ident = $name:expr),+ $(,)? }) => {
        impl $type {
            $(#[$all])*
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$value),+];

            /// Its name, as [`FromStr`](std::str::FromStr) reads it.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $name),+
                }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::UnknownName;

            fn from_str(name: &str) -> Result<Self, $crate::UnknownName> {
                $crate::named::find(&Self::ALL, name)
            }
        }
    };
}
pub use crate::named;

/// Whether `word` is `name` with at most `max_mistakes` mistakes: letters too many, missing or wrong (the Levenshtein
/// distance).
pub fn is_near(word: &str, name: &str, max_mistakes: usize) -> bool {
    let name: Vec<char> = name.chars().collect();
    // A word as long as this has too many letters. It may be a whole file without line breaks, so its letters are not
    // counted to the end.
    if word.chars().nth(name.len() + max_mistakes).is_some() {
        return false;
    }
    // The distance between the letters read of the word and each beginning of the name.
    let mut mistakes: Vec<usize> = (0..=name.len()).collect();
    for (row, letter) in word.chars().enumerate() {
        let mut diagonal = row;
        mistakes[0] = row + 1;
        for (column, &expected) in name.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != expected);
            diagonal = mistakes[column + 1];
            mistakes[column + 1] = replaced.min(diagonal + 1).min(mistakes[column] + 1);
        }
    }
    mistakes[name.len()] <= max_mistakes
}

#[cfg(test)]
mod tests {
    #[test]
    fn words_with_few_mistakes_are_near() {
        for (word, most) in
            [("symmetry", 0), ("symetry", 1), ("simmetri", 2), ("symmetryy", 1), ("", 8)]
        {
            assert!(super::is_near(word, "symmetry", most), "{word}");
            assert!(most == 0 || !super::is_near(word, "symmetry", most - 1), "{word}");
        }
    }
}
