//! The puzzles of a file one after the other: in constant memory where a line, or a line with `size`, begins each.

use std::collections::VecDeque;
use std::io::{self, BufRead};

use tallyboard_base::bound::{
    Line, MAX_RECORD_BYTES, MAX_WHOLE_BYTES, read_line, read_whole, skip_line,
};
use tallyboard_base::figures::memory_size;
use tallyboard_base::text::lines::BYTE_ORDER_MARK;
use tallyboard_search::records::{BadRecord, Record};

use super::parts::{Part, is_head};
use super::{Located, each, is_alone, read_part};
use crate::error::{Error, Place};

/// How the puzzles of a file stand beside each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A puzzle of another program in each line.
    Lines,
    /// Puzzles in the text form, each from its line `size` on.
    Heads,
    /// Anything else. It is held whole.
    Whole,
}

/// The puzzles of a reader. What is no puzzle is a bad record, behind which the next one is read.
pub struct Records<R> {
    input: R,
    kind: Option<Kind>,
    /// The number of lines that were read.
    lines: u64,
    /// A line that was read ahead.
    ahead: Option<(u64, Vec<u8>, bool)>,
    /// Records of an input that is held whole.
    ready: VecDeque<Record<Located>>,
    has_ended: bool,
}

impl<R: BufRead> Records<R> {
    /// The puzzles of `input`.
    pub fn new(input: R) -> Self {
        let (ahead, ready) = Default::default();
        Self { input, kind: None, lines: 0, ahead, ready, has_ended: false }
    }

    /// The next line that has content, its number, and whether it is too long; comments are left out.
    fn line(&mut self) -> io::Result<Option<(u64, Vec<u8>, bool)>> {
        if let Some(line) = self.ahead.take() {
            return Ok(Some(line));
        }
        loop {
            let mut line = Vec::new();
            let is_long = match read_line(&mut self.input, &mut line, MAX_RECORD_BYTES)? {
                Line::None => return Ok(None),
                Line::Whole => false,
                Line::Long => true,
            };
            self.lines += 1;
            if self.lines == 1 && line.starts_with(BYTE_ORDER_MARK) {
                line.drain(..BYTE_ORDER_MARK.len());
            }
            let text = line.trim_ascii();
            if !text.is_empty() && !text.starts_with(b"#") {
                return Ok(Some((self.lines, line, is_long)));
            }
            if is_long {
                skip_line(&mut self.input)?;
            }
        }
    }

    /// Finds out by the first line with content how the puzzles stand. The line stays to be read.
    fn recognise(&mut self) -> io::Result<Kind> {
        let Some((number, line, is_long)) = self.line()? else { return Ok(Kind::Lines) };
        let kind = match str::from_utf8(&line) {
            Ok(text) if !is_long && is_alone(text.trim()) => Kind::Lines,
            Ok(text) if !is_long && is_head(text) => Kind::Heads,
            _ => Kind::Whole,
        };
        self.ahead = Some((number, line, is_long));
        Ok(kind)
    }

    /// Reads the rest of the input.
    fn read_whole(&mut self) -> io::Result<()> {
        let Some((number, line, _)) = self.ahead.take() else { return Ok(()) };
        // The lines before have no content.
        let mut text = vec![b'\n'; number as usize - 1];
        text.extend(line);
        text.append(&mut read_whole(&mut self.input, MAX_WHOLE_BYTES)?);
        let Ok(text) = str::from_utf8(&text) else {
            self.ready.push_back(bad(1, text.clone(), Error::NotUtf8.to_string()));
            return Ok(());
        };
        match each(text) {
            Ok(found) => self.ready.extend(found.map(|(part, read)| record(part, read))),
            Err(mistake) => {
                let part = Part { line: 1, text: text.into() };
                self.ready.push_back(record(part, Err(mistake)));
            }
        }
        Ok(())
    }

    /// Appends the lines up to the next head to `text`. Returns whether the puzzle is too long, or was so before.
    fn read_to_next_head(&mut self, text: &mut Vec<u8>, mut is_long: bool) -> io::Result<bool> {
        loop {
            let from = self.lines;
            let Some((number, line, is_long_line)) = self.line()? else { return Ok(is_long) };
            if !is_long_line && str::from_utf8(&line).is_ok_and(is_head) {
                self.ahead = Some((number, line, false));
                return Ok(is_long);
            }
            if is_long_line {
                skip_line(&mut self.input)?;
            }
            is_long |= is_long_line || text.len() + line.len() > MAX_RECORD_BYTES;
            if !is_long {
                // Lines without content count, and mean nothing.
                text.resize(text.len() + (number - from) as usize - 1, b'\n');
                text.extend(line);
            }
        }
    }

    /// The next record of an input with a line, or a line with `size`, for each.
    fn next_part(&mut self, kind: Kind) -> io::Result<Option<Record<Located>>> {
        let Some((number, mut text, mut is_long)) = self.line()? else { return Ok(None) };
        if is_long {
            skip_line(&mut self.input)?;
        }
        if kind == Kind::Heads {
            is_long = self.read_to_next_head(&mut text, is_long)?;
        }
        if is_long {
            let most = memory_size(MAX_RECORD_BYTES as u64);
            let mistake = format!("found more than {most}, expected one puzzle");
            return Ok(Some(bad(number, text, mistake)));
        }
        let Ok(words) = str::from_utf8(&text) else {
            return Ok(Some(bad(number, text, Error::NotUtf8.to_string())));
        };
        let words = if kind == Kind::Lines { words.trim() } else { words };
        let part = Part { line: number as usize, text: words.into() };
        let read = read_part(&part, false);
        Ok(Some(record(part, read)))
    }

    fn next_record(&mut self) -> io::Result<Option<Record<Located>>> {
        let kind = match self.kind {
            Some(kind) => kind,
            None => {
                let kind = self.recognise()?;
                if kind == Kind::Whole {
                    self.read_whole()?;
                }
                *self.kind.insert(kind)
            }
        };
        match kind {
            Kind::Whole => Ok(self.ready.pop_front()),
            kind => self.next_part(kind),
        }
    }
}

/// The record of a part of the file.
fn record(part: Part, read: Result<Located, (Place, Error)>) -> Record<Located> {
    match read {
        Ok(located) => Record::Puzzle(located.line as u64, located),
        Err((Place::Line(line), error)) => {
            bad(line as u64, part.text.as_bytes().into(), error.to_string())
        }
        Err((place, error)) => {
            bad(part.line as u64, part.text.as_bytes().into(), format!("{place}{error}"))
        }
    }
}

/// The longest text of a bad record.
const SHOWN: usize = 1 << 12;

fn bad(line: u64, mut text: Vec<u8>, mistake: String) -> Record<Located> {
    text.truncate(SHOWN);
    let text = text.trim_ascii().into();
    Record::Bad(BadRecord { line, mistake, text })
}

impl<R: BufRead> Iterator for Records<R> {
    type Item = io::Result<Record<Located>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.has_ended {
            return None;
        }
        let next = self.next_record().transpose();
        self.has_ended = !matches!(next, Some(Ok(_)));
        next
    }
}
