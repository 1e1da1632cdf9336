//! Cuts an input into blocks of whole records.

use std::io::{ErrorKind, Read};

use super::{Form, sniff};

/// A longer line is no puzzle of any size. Keeping it could take all memory, and skipping it could
/// take for ever: devices and pipes may never end a line.
pub const LONGEST_RECORD: usize = 1 << 20;

/// The largest block that callers get: with the records that make it grow it stays far below 4 GiB, so
/// that places in a block fit 32 bits.
const LARGEST_BLOCK: usize = 1 << 30;

/// Why no further block can be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The input fails.
    #[error(transparent)]
    Input(#[from] std::io::Error),
    /// The next record does not end within 1 MiB.
    #[error("found no end of the record within 1 MiB, expected a puzzle")]
    Endless,
}

/// The blocks of an input.
pub struct Blocks<'a, R> {
    input: R,
    form: &'a Form,
    block_bytes: usize,
    /// What was read behind the last record of the last block.
    rest: Vec<u8>,
    begun: bool,
    ended: bool,
    /// Why there is nothing to read behind the last block.
    failed: Option<std::io::Error>,
}

impl<'a, R: Read> Blocks<'a, R> {
    /// The blocks of `input`, cut as `form` wants, filled to `block_bytes`; records longer than
    /// this make their block grow, to 1 MiB at most. No block is filled over 1 GiB.
    pub fn new(input: R, form: &'a Form, block_bytes: usize) -> Self {
        let block_bytes = block_bytes.min(LARGEST_BLOCK);
        let (rest, begun, ended, failed) = (Vec::new(), false, false, None);
        Self { input, form, block_bytes, rest, begun, ended, failed }
    }

    /// Fills the following blocks to so many bytes, as [`new`](Self::new) says.
    pub fn fill_to(&mut self, block_bytes: usize) {
        self.block_bytes = block_bytes.min(LARGEST_BLOCK);
    }

    /// The next block, in the memory of `buffer`, whose old content does not matter; `None` at the
    /// end of the input.
    ///
    /// # Errors
    /// [`ReadError`]; whole records before the error have been given out in earlier blocks.
    pub fn next(&mut self, mut buffer: Vec<u8>) -> Result<Option<Vec<u8>>, ReadError> {
        if self.ended {
            return Ok(None);
        }
        if let Some(error) = self.failed.take() {
            return Err(error.into());
        }
        // What the buffer held before is read over: clearing it would mean to zero it again.
        let begun = self.rest.len();
        buffer.resize(buffer.len().max(begun), 0);
        buffer[..begun].copy_from_slice(&self.rest);
        let (cut, end) = self.fill(&mut buffer, begun)?;
        self.rest.clear();
        self.rest.extend_from_slice(&buffer[cut..end]);
        buffer.truncate(cut);
        if !self.begun {
            self.begun = true;
            let mark = buffer.len() - sniff::without_mark(&buffer).len();
            buffer.drain(..mark);
        }
        Ok(Some(buffer))
    }

    /// Reads until `text`, whose first `end` bytes are the input's already, holds a block with at
    /// least one record; where its last record ends, and where the input's bytes end.
    fn fill(&mut self, text: &mut Vec<u8>, mut end: usize) -> Result<(usize, usize), ReadError> {
        loop {
            // No further than it takes to see that the record is too long: whether it is must not
            // depend on where it lies.
            let grown = (end + end / 4 + 1).min(LONGEST_RECORD + 1);
            let wanted = self.block_bytes.max(grown);
            text.resize(wanted, 0);
            let (length, read) = read_full(&mut self.input, &mut text[end..]);
            end += length;
            if let Err(error) = read {
                let cut = self.form.last_cut(&text[..end]);
                if cut == 0 {
                    return Err(error.into());
                }
                self.failed = Some(error);
                return Ok((cut, end));
            }
            if length == 0 {
                self.ended = true;
                return Ok((end, end));
            }
            if end >= self.block_bytes {
                let cut = self.form.last_cut(&text[..end]);
                if cut > 0 {
                    return Ok((cut, end));
                }
                if end > LONGEST_RECORD {
                    return Err(ReadError::Endless);
                }
            }
        }
    }
}

/// Reads until `target` is full or the input ends or fails; the number of bytes read.
fn read_full(input: &mut impl Read, target: &mut [u8]) -> (usize, std::io::Result<()>) {
    let mut length = 0;
    while length < target.len() {
        match input.read(&mut target[length..]) {
            Ok(0) => break,
            Ok(more) => length += more,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return (length, Err(error)),
        }
    }
    (length, Ok(()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All blocks of `text`, one after the other, if there is an end to every line.
    fn read_all(text: &str, block_bytes: usize) -> Option<String> {
        let mut blocks = Blocks::new(text.as_bytes(), &Form::LINES, block_bytes);
        let mut given = String::new();
        loop {
            match blocks.next(Vec::new()) {
                Ok(Some(block)) => given += std::str::from_utf8(&block).unwrap(),
                Ok(None) => return Some(given),
                Err(error) => {
                    assert!(matches!(error, ReadError::Endless));
                    return None;
                }
            }
        }
    }

    #[test]
    fn lines_before_a_failure_are_given_out() {
        struct Failing;
        impl Read for Failing {
            fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
                Err(std::io::Error::other("gone"))
            }
        }
        for block_bytes in [1, 4, 100] {
            let mut blocks = Blocks::new(b"a\nb\nc".chain(Failing), &Form::LINES, block_bytes);
            let mut given = Vec::new();
            let error = loop {
                match blocks.next(Vec::new()) {
                    Ok(block) => given.extend(block.expect("no end")),
                    Err(error) => break error,
                }
            };
            assert_eq!((given.as_slice(), error.to_string().as_str()), (&b"a\nb\n"[..], "gone"));
        }
    }

    #[test]
    fn whether_a_line_is_too_long_depends_on_its_length_alone() {
        for (before, after) in [(0, ""), (1, "\n"), (999, "\n.\n"), (1000, "")] {
            for length in LONGEST_RECORD - 1..=LONGEST_RECORD + 1 {
                let text = format!("{}{}{after}", "#\n".repeat(before), "x".repeat(length));
                for block_bytes in [1000, 1 << 18, LONGEST_RECORD] {
                    let given = read_all(&text, block_bytes);
                    let fits = length <= LONGEST_RECORD;
                    assert!(
                        given == fits.then(|| text.clone()),
                        "{length} {after:?} {block_bytes}"
                    );
                }
            }
        }
    }
}
