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
pub use crate::named;
