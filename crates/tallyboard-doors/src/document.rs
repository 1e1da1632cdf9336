//! An input that is opened once.

use std::fmt;
use std::io::{self, BufRead, BufReader, Cursor, Read};

use crate::error::ReadError;
use crate::head::{HEAD_BYTES, Head};

/// Upper bound on the bytes of a file of one puzzle. Without it, a file such as `/dev/zero` would take all memory.
pub(crate) const MAX_PUZZLE_BYTES: u64 = 256 << 20;

/// The text of a document, from its beginning.
pub type Input = Box<dyn BufRead + Send>;

/// An input, uncompressed, whose first bytes have been read.
pub struct Document {
    name: String,
    head: Vec<u8>,
    /// What follows the head; `None` if nothing does.
    rest: Option<Box<dyn Read + Send>>,
}

impl fmt::Debug for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.head.len();
        f.debug_struct("Document").field("name", &self.name).field("head", &bytes).finish()
    }
}

impl Document {
    /// Reads the first [`HEAD_BYTES`] bytes of `input`, or all of a shorter one. `name` is its name in messages.
    ///
    /// # Errors
    /// What `input` reports.
    pub fn new(name: impl Into<String>, input: impl Read + Send + 'static) -> io::Result<Self> {
        let mut input = Box::new(input);
        let mut head = Vec::new();
        // One more byte tells whether the head is the whole.
        input.by_ref().take(HEAD_BYTES as u64 + 1).read_to_end(&mut head)?;
        let is_whole = head.len() <= HEAD_BYTES;
        Ok(Self { name: name.into(), head, rest: (!is_whole).then_some(input) })
    }

    /// Its name in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What is looked at.
    pub fn head(&self) -> Head<'_> {
        let length = self.head.len().min(HEAD_BYTES);
        Head::new(&self.head[..length], self.rest.is_none())
    }

    /// The whole text, from its beginning.
    pub fn into_reader(self) -> Input {
        let head = Cursor::new(self.head);
        match self.rest {
            None => Box::new(head),
            // Large reads go to the input itself.
            Some(rest) => Box::new(BufReader::with_capacity(1 << 16, head.chain(rest))),
        }
    }

    /// All bytes, if they are no more than `limit`.
    ///
    /// # Errors
    /// [`ReadError::TooLong`], or what the input reports.
    pub fn into_bytes(self, limit: u64) -> Result<(String, Vec<u8>), ReadError> {
        let Self { name, head: mut bytes, rest } = self;
        if let Some(rest) = rest {
            let more = (limit + 1).saturating_sub(bytes.len() as u64);
            if let Err(source) = rest.take(more).read_to_end(&mut bytes) {
                return Err(ReadError::Io { name, source });
            }
        }
        if bytes.len() as u64 > limit {
            return Err(ReadError::TooLong { name, limit });
        }
        Ok((name, bytes))
    }
}
