//! Values that are read by the names they show.

use std::fmt;

/// A name that none of the values has.
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
