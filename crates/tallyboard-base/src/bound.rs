//! The bounds of all readers: how much of an input is held before it is refused. Without them a device, a pipe or a file without line
//! breaks would take all memory.

use std::io::{self, BufRead, Read};

use crate::figures::memory_size;

/// The bytes of a record, such as a line or a picture. No puzzle takes more.
pub const MAX_RECORD_BYTES: usize = 1 << 20;
/// The bytes of a document whose values are all held at once, each in up to sixty bytes for one of the text.
pub const MAX_DOCUMENT_BYTES: usize = 16 << 20;
/// The bytes of a placement of queens: a vector of ten million takes 79 MB.
pub const MAX_VECTOR_BYTES: usize = 128 << 20;
/// The bytes of a file that is read whole, and of the rest of a line that is skipped.
pub const MAX_WHOLE_BYTES: usize = 256 << 20;

/// What [`read_line`] has read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Line {
    /// The input has ended.
    None,
    /// A line with its line break, which the last line may lack.
    Whole,
    /// The beginning of a longer line. The input goes on behind what was read.
    Long,
}

/// Appends the next line of `input` to `line`, at most `most` bytes of it.
///
/// # Errors
/// What `input` reports.
pub fn read_line(
    input: &mut (impl BufRead + ?Sized),
    line: &mut Vec<u8>,
    most: usize,
) -> io::Result<Line> {
    let mut limited = input.take(most as u64);
    let read = limited.read_until(b'\n', line)?;
    Ok(match read {
        0 if most > 0 => Line::None,
        _ if line.ends_with(b"\n") || read < most => Line::Whole,
        // The line may end here because the input does.
        _ if input.fill_buf()?.is_empty() => Line::Whole,
        _ => Line::Long,
    })
}

/// Skips the rest of a line.
///
/// # Errors
/// What `input` reports, or that the line has not ended after [`MAX_WHOLE_BYTES`].
pub fn skip_line(input: &mut (impl BufRead + ?Sized)) -> io::Result<()> {
    let mut skipped = 0;
    while skipped <= MAX_WHOLE_BYTES {
        let buffer = input.fill_buf()?;
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let taken = end.map_or(buffer.len(), |end| end + 1);
        let has_ended = end.is_some() || buffer.is_empty();
        input.consume(taken);
        if has_ended {
            return Ok(());
        }
        skipped += taken;
    }
    Err(io::Error::other(format!(
        "found no end of the line within {} MiB, expected a puzzle",
        MAX_WHOLE_BYTES >> 20
    )))
}

/// The rest of an input that is held whole, of at most `most` bytes.
///
/// # Errors
/// What `input` reports, or that there is more.
pub fn read_whole(input: &mut (impl Read + ?Sized), most: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(most as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > most {
        let most = memory_size(most as u64);
        return Err(io::Error::other(format!("found more than {most}, expected one puzzle")));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_as_long_as_may_be_and_no_longer() {
        for (text, first, line) in [
            ("", Line::None, ""),
            ("abc\nd", Line::Whole, "abc\n"),
            ("abcd", Line::Whole, "abcd"),
            ("abcd\n", Line::Long, "abcd"),
            ("abcde", Line::Long, "abcd"),
            ("\nabcde", Line::Whole, "\n"),
        ] {
            let (mut input, mut read) = (text.as_bytes(), Vec::new());
            assert_eq!(read_line(&mut input, &mut read, 4).unwrap(), first, "{text}");
            assert_eq!(read, line.as_bytes());
        }
        let (mut input, mut rest) = (&b"abcdefg\nh"[..], Vec::new());
        assert_eq!(read_line(&mut input, &mut Vec::new(), 4).unwrap(), Line::Long);
        skip_line(&mut input).unwrap();
        assert_eq!(read_line(&mut input, &mut rest, 4).unwrap(), Line::Whole);
        assert_eq!(rest, b"h");
        let mut endless = io::BufReader::new(io::repeat(b'x'));
        assert!(skip_line(&mut endless).unwrap_err().to_string().contains("within 256 MiB"));
    }
    #[test]
    fn an_input_without_an_end_is_not_held() {
        assert_eq!(read_whole(&mut &b"abc"[..], 3).unwrap(), b"abc");
        let endless = read_whole(&mut io::repeat(b'\n'), 1 << 20).unwrap_err();
        assert_eq!(endless.to_string(), "found more than 1 MiB, expected one puzzle");
    }
}
