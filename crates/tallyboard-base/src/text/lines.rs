//! Lines of text: where they end, and which of them have content.

/// The byte order mark of UTF-8, with which editors on Windows begin a file.
pub const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// `text` without a byte order mark.
#[inline]
pub fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text)
}

/// The text of a file without a byte order mark.
///
/// # Errors
/// The line, from 1, with the first bytes that are no UTF-8.
pub fn text_of(bytes: &[u8]) -> Result<&str, usize> {
    let bytes = without_mark(bytes);
    let line = |end: usize| bytes[..end].iter().filter(|&&byte| byte == b'\n').count() + 1;
    std::str::from_utf8(bytes).map_err(|error| line(error.valid_up_to()))
}

/// A line without its end, LF or CRLF.
#[inline]
pub fn without_break(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// The lines of `text` that have content, without the white space around it, and their numbers from 1. A line that begins with
/// one of `comments` has none.
pub fn content<'a>(
    text: &'a str,
    comments: &'static [&'static str],
) -> impl Iterator<Item = (usize, &'a str)> + Clone {
    let is_comment = move |line: &str| comments.iter().any(|sign| line.starts_with(sign));
    let lines = (1..).zip(text.lines().map(str::trim));
    lines.filter(move |(_, line)| !line.is_empty() && !is_comment(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_lose_their_ends_and_files_their_mark() {
        assert_eq!(text_of(b"\xef\xbb\xbfa"), Ok("a"));
        assert_eq!(text_of(b"a\nb\n\xff"), Err(3));
        for (line, text) in [("a\r\n", "a"), ("a\n", "a"), ("a\r", "a"), ("\r\n", ""), ("", "")] {
            assert_eq!(without_break(line.as_bytes()), text.as_bytes());
        }
        let lines: Vec<_> = content(" a\r\n\n # b\n%\n// c\nd", &["#", "//"]).collect();
        assert_eq!(lines, [(1, "a"), (4, "%"), (6, "d")]);
    }
}
