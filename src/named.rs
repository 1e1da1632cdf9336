//! Enums whose values have names, for showing and for reading.

use std::fmt;

/// The error of a name that no value has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("found '{found}', expected {}", expected.join(", "))]
pub struct UnknownName {
    found: String,
    expected: Vec<String>,
}

/// The one of `all` that is called `name`.
pub(crate) fn find<T: Copy + fmt::Display>(all: &[T], name: &str) -> Result<T, UnknownName> {
    let found = all.iter().find(|item| item.to_string() == name);
    found.copied().ok_or_else(|| UnknownName {
        found: name.to_owned(),
        expected: all.iter().map(ToString::to_string).collect(),
    })
}

/// Names the values of an enum, in the order of `ALL`: `Display` shows the names, `FromStr` reads them.
macro_rules! named {
    ($(#[$all:meta])* $type:ident { $($value:ident = $name:literal),+ $(,)? }) => {
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
pub(crate) use named;

#[cfg(test)]
mod tests {
    use std::fmt::{Debug, Display};
    use std::str::FromStr;

    use crate::queens::Engine;
    use crate::scale::topology::Pin;
    use crate::sudoku::{self, batch::Technique, format::Format};
    use crate::{Kernel, UnknownName};

    fn is_read_back<T>(all: &[T])
    where
        T: Copy + Display + FromStr<Err = UnknownName> + PartialEq + Debug,
    {
        for &value in all {
            assert_eq!(value.to_string().parse(), Ok(value));
        }
    }

    #[test]
    fn values_are_read_by_the_names_they_show() {
        is_read_back(&Kernel::ALL);
        is_read_back(&Engine::ALL);
        is_read_back(&Pin::ALL);
        is_read_back(&sudoku::Engine::ALL);
        is_read_back(&Technique::ALL);
        is_read_back(&Format::ALL);
        let error = "thirds".parse::<Engine>().unwrap_err().to_string();
        assert_eq!(error, "found 'thirds', expected halves, blocks, textbook");
    }
}
