//! The plural of the nouns in messages, the library's and the program's.

/// What a regular noun ends in after `count`: nothing after 1, otherwise `s`.
pub fn s<N: From<u8> + PartialEq>(count: N) -> &'static str {
    if count == N::from(1) { "" } else { "s" }
}

#[cfg(test)]
mod tests {
    use super::s;

    #[test]
    fn only_one_is_no_plural() {
        assert_eq!(
            format!("1 puzzle{}, 0 line{}, 2 row{}", s(1), s(0), s(2)),
            "1 puzzle, 0 lines, 2 rows"
        );
    }
}
