//! The plural of the nouns in messages.

/// What a regular noun ends in after `count`: nothing after 1, otherwise `s`.
///
/// ```
/// use tallyboard::plural::s;
/// assert_eq!(format!("1 puzzle{}, 0 line{}", s(1), s(0)), "1 puzzle, 0 lines");
/// ```
pub fn s<N: From<u8> + PartialEq>(count: N) -> &'static str {
    if count == N::from(1) { "" } else { "s" }
}
