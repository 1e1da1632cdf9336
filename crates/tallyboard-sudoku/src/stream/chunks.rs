//! Cuts an input into chunks of whole records.

use std::io::Read;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use crate::format::Form;
use memchr::memchr;
use tallyboard_base::bound::{MAX_RECORD_BYTES, MAX_WHOLE_BYTES};
use tallyboard_base::idle::Idle;
use tallyboard_files::read_some;

/// Upper bound on the length to which chunks are filled. A longer chunk could hold a record that is too long, and
/// the length of chunks must not decide which records are.
const MAX_CHUNK_BYTES: usize = MAX_RECORD_BYTES;

/// Why no further chunk can be read.
#[derive(Debug)]
pub enum ReadError {
    /// The input fails.
    Input(std::io::Error),
    /// The next line does not end within 256 MiB.
    Endless,
}

/// A piece of the input that is solved in one go, and memory for its rows.
#[derive(Default)]
pub struct Chunk {
    /// Whole records.
    pub text: Vec<u8>,
    /// The rows; at first those of an earlier chunk, whose memory they take.
    pub rows: Vec<u8>,
    /// The text is the first MiB of a record that is longer.
    pub is_too_long: bool,
}

/// The chunks of an input. A read that returns less than it could ends its chunk. So puzzles that were read are solved while
/// the input has no more for the moment.
pub struct Chunks<'a, R> {
    input: R,
    form: &'a Form,
    pace: &'a Pace,
    spares: &'a Idle<Chunk>,
    /// What was read after the last record of the last chunk.
    left_over: Vec<u8>,
    /// Whether the head was skipped.
    has_begun: bool,
    has_ended: bool,
}

impl<'a, R: Read> Chunks<'a, R> {
    /// The chunks of `input`, cut between records of `form`. `pace` says how long they are; a longer record makes its chunk
    /// grow, to 1 MiB at most. Chunks take the memory of `spares`.
    pub fn new(input: R, form: &'a Form, pace: &'a Pace, spares: &'a Idle<Chunk>) -> Self {
        let left_over = Vec::new();
        Self { input, form, pace, spares, left_over, has_begun: false, has_ended: false }
    }

    /// Skips a byte order mark and the form's preamble.
    fn skip_head(&mut self) -> std::io::Result<()> {
        let longest = self.form.longest_head() as u64;
        self.input.by_ref().take(longest).read_to_end(&mut self.left_over)?;
        let head = self.left_over.len() - self.form.without_head(&self.left_over).len();
        self.left_over.drain(..head);
        Ok(())
    }

    fn next_chunk(&mut self) -> Result<Option<Chunk>, ReadError> {
        if !self.has_begun {
            self.has_begun = true;
            self.skip_head().map_err(ReadError::Input)?;
        }
        if self.has_ended {
            return Ok(None);
        }
        let mut chunk = self.spares.take().unwrap_or_default();
        // Reading overwrites the old contents of the buffer. If it were cleared, it would have to be zeroed again.
        let text = &mut chunk.text;
        let carried = self.left_over.len();
        text.resize(text.len().max(carried), 0);
        text[..carried].copy_from_slice(&self.left_over);
        let (cut, end) = self.fill(text, carried)?;
        self.left_over.clear();
        chunk.is_too_long = cut == 0 && !self.has_ended;
        if chunk.is_too_long {
            self.skip_line(&text[MAX_RECORD_BYTES..end])?;
            text.truncate(MAX_RECORD_BYTES);
        } else {
            self.left_over.extend_from_slice(&text[cut..end]);
            text.truncate(cut);
        }
        Ok(Some(chunk))
    }

    /// Skips the rest of a line that is too long. `begin` is its beginning, which was read before; text may follow the line.
    fn skip_line(&mut self, begin: &[u8]) -> Result<(), ReadError> {
        let mut buffer = begin.to_vec();
        let mut skipped = 0;
        loop {
            if let Some(end) = memchr(b'\n', &buffer) {
                self.left_over.extend_from_slice(&buffer[end + 1..]);
                return Ok(());
            }
            skipped += buffer.len();
            if skipped > MAX_WHOLE_BYTES {
                return Err(ReadError::Endless);
            }
            buffer.resize(64 << 10, 0);
            let read = read_some(&mut self.input, &mut buffer).map_err(ReadError::Input)?;
            buffer.truncate(read);
            if read == 0 {
                self.has_ended = true;
                return Ok(());
            }
        }
    }

    /// Reads until `text` holds at least one whole record. Its first `end` bytes are from the input already. Returns where the
    /// last record ends, or 0 if the first one is too long; and where the bytes of the input end.
    fn fill(&mut self, text: &mut Vec<u8>, mut end: usize) -> Result<(usize, usize), ReadError> {
        let chunk_bytes = self.pace.bytes().min(MAX_CHUNK_BYTES);
        // A picture that only later text decides ends its chunk, though whole ones follow.
        if end > 0 && self.form.is_multi_line() {
            let cut = self.form.last_end(&text[..end]);
            if cut > 0 {
                return Ok((cut, end));
            }
        }
        loop {
            // At most one byte more than the longest record. So the position of a record in the chunk does not decide whether
            // it is too long.
            let grown = (end + end / 4 + 1).min(MAX_RECORD_BYTES + 1);
            let wanted = chunk_bytes.max(grown);
            text.resize(wanted, 0);
            // Whole records before an error have been returned.
            let read = read_some(&mut self.input, &mut text[end..]).map_err(ReadError::Input)?;
            if read == 0 {
                self.has_ended = true;
                return Ok((end, end));
            }
            // The text before this read holds no whole record. A record ends with a line or with the input.
            let may_end = memchr(b'\n', &text[end..end + read]).is_some();
            end += read;
            if may_end || end > MAX_RECORD_BYTES {
                match self.form.last_end(&text[..end]) {
                    0 if end <= MAX_RECORD_BYTES => {}
                    cut => return Ok((cut, end)),
                }
            }
        }
    }
}

impl<R: Read> Iterator for Chunks<'_, R> {
    type Item = Result<Chunk, ReadError>;

    /// The next chunk; after an error, none. Whole records before the error have been given out.
    fn next(&mut self) -> Option<Self::Item> {
        let next = self.next_chunk();
        self.has_ended |= next.is_err();
        next.transpose()
    }
}

// How much text a worker gets at a time.

/// The time that a chunk should take: far longer than passing it between threads, and short enough to keep all
/// workers busy where a few puzzles take long.
const TARGET_TIME: Duration = Duration::from_millis(10);
/// The length of the shortest chunks, and of the first ones, when no time has been measured yet: a few puzzles.
const MIN_CHUNK_BYTES: usize = 256;
/// The length of the longest chunks, unless a record is longer.
const LONGEST_CHUNK: usize = 128 << 10;

/// The length of chunks, learnt from the time that the chunk finished last took. A chunk of easy puzzles holds thousands, a
/// chunk of puzzles with millions of solutions one.
pub struct Pace {
    bytes: AtomicUsize,
    is_fixed: bool,
}

impl Pace {
    /// Chunks of `fixed` bytes, or as long as learnt by [`learn_from`](Self::learn_from).
    pub fn new(fixed: Option<usize>) -> Self {
        let bytes = AtomicUsize::new(fixed.unwrap_or(MIN_CHUNK_BYTES));
        Self { bytes, is_fixed: fixed.is_some() }
    }

    pub fn bytes(&self) -> usize {
        self.bytes.load(Relaxed)
    }

    /// Learns the length of the next chunks from a chunk of `bytes` bytes that took the time `elapsed`.
    pub fn learn_from(&self, bytes: usize, elapsed: Duration) {
        if !self.is_fixed {
            let wanted = bytes as u128 * TARGET_TIME.as_nanos() / elapsed.as_nanos().max(1);
            let wanted = usize::try_from(wanted).unwrap_or(LONGEST_CHUNK);
            self.bytes.store(wanted.clamp(MIN_CHUNK_BYTES, LONGEST_CHUNK), Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::ErrorKind::{self, BrokenPipe, Interrupted};

    /// All chunks of `input`, and the error after them.
    fn read_all(input: impl Read, chunk_bytes: usize) -> (Vec<Vec<u8>>, Option<ReadError>) {
        let form = Form::lines();
        let pace = Pace::new(Some(chunk_bytes));
        let mut given = Vec::new();
        let mut failed = None;
        let spares = Idle::default();
        for chunk in Chunks::new(input, &form, &pace, &spares) {
            match chunk {
                Ok(chunk) if chunk.is_too_long => given.push([&chunk.text[..], b"..."].concat()),
                Ok(chunk) => given.push(chunk.text),
                Err(error) => failed = Some(error),
            }
        }
        (given, failed)
    }

    /// Reads these texts or fails so, the last one first.
    struct Stumbling<'a>(Vec<Result<&'a [u8], ErrorKind>>);

    impl Read for Stumbling<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let Some(next) = self.0.pop() else { return Ok(0) };
            let text = next.map_err(std::io::Error::from)?;
            let read = text.len().min(buffer.len());
            buffer[..read].copy_from_slice(&text[..read]);
            if read < text.len() {
                self.0.push(Ok(&text[read..]));
            }
            Ok(read)
        }
    }

    #[test]
    fn lines_before_a_failure_are_given_out() {
        for chunk_bytes in [1, 4, 100] {
            let failing = Stumbling(vec![Err(BrokenPipe), Ok(b"a\nb\nc")]);
            let (given, error) = read_all(failing, chunk_bytes);
            assert_eq!(given.concat(), b"a\nb\n");
            assert!(matches!(error, Some(ReadError::Input(error)) if error.kind() == BrokenPipe));
        }
    }

    /// In a line, and after a line that is too long, whose rest is skipped.
    #[test]
    fn an_interrupted_read_is_tried_again_and_any_other_failure_ends() {
        let long = vec![b'x'; MAX_RECORD_BYTES + 100];
        let cut = [&long[..MAX_RECORD_BYTES], b"..."].concat();
        for (line, given) in [(&b"a"[..], &b"a\n"[..]), (&long, &cut)] {
            let last_first = vec![Ok(&b"\nb\n"[..]), Err(Interrupted), Ok(line)];
            let (all, error) = read_all(Stumbling(last_first), 1000);
            assert!(error.is_none(), "{error:?}");
            assert_eq!(all.concat(), [given, b"b\n"].concat());
            let (_, error) = read_all(Stumbling(vec![Err(BrokenPipe), Ok(line)]), 1000);
            assert!(matches!(error, Some(ReadError::Input(error)) if error.kind() == BrokenPipe));
        }
    }

    #[test]
    fn whether_a_line_is_too_long_depends_on_its_length_alone() {
        for (before, after) in [(0, ""), (1, "\n"), (999, "\n.\n"), (1000, "")] {
            for length in [MAX_RECORD_BYTES - 1, MAX_RECORD_BYTES, MAX_RECORD_BYTES + 1, 3_000_000]
            {
                let before = "#\n".repeat(before);
                let text = format!("{before}{}{after}", "x".repeat(length));
                let cut = format!("{before}{}...", "x".repeat(MAX_RECORD_BYTES));
                let expected = match length <= MAX_RECORD_BYTES {
                    true => text.clone(),
                    false => cut + after.strip_prefix('\n').unwrap_or(after),
                };
                for chunk_bytes in [1000, 1 << 18, MAX_RECORD_BYTES, 1 << 22] {
                    let (given, error) = read_all(text.as_bytes(), chunk_bytes);
                    assert!(error.is_none(), "{error:?}");
                    let same = given.concat() == expected.as_bytes();
                    assert!(same, "{length} {after:?} {chunk_bytes}");
                }
            }
        }
    }
}

#[cfg(test)]
mod pace_tests {
    use super::*;

    #[test]
    fn chunks_follow_the_time_they_take_unless_their_length_is_fixed() {
        let pace = Pace::new(None);
        let fixed = Pace::new(Some(77));
        assert_eq!(pace.bytes(), MIN_CHUNK_BYTES);
        for (bytes, elapsed, learnt) in [
            (MIN_CHUNK_BYTES, Duration::from_micros(1), 1 << 17),
            (1 << 17, 8 * TARGET_TIME, 1 << 14),
            (1 << 14, Duration::from_secs(1000), MIN_CHUNK_BYTES),
            (0, Duration::ZERO, MIN_CHUNK_BYTES),
        ] {
            pace.learn_from(bytes, elapsed);
            fixed.learn_from(bytes, elapsed);
            assert_eq!((pace.bytes(), fixed.bytes()), (learnt, 77));
        }
    }
}
