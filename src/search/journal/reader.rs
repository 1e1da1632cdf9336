//! Reading a journal: sound records are kept, everything else is counted and said.

use std::collections::HashMap;
use std::path::Path;

use super::record::LENGTH;
use super::{Header, JournalError, Record, Refusal};
use crate::search::Tally;

/// What a journal holds.
#[derive(Debug, Clone)]
pub struct Contents {
    /// The work it belongs to.
    pub header: Header,
    /// The sound records, in the order in which they were written.
    pub records: Vec<Record>,
    /// Records whose checksum does not fit; their subtrees are to be counted again.
    pub damaged: usize,
    /// Bytes at the end that are less than a record: the trace of a crash.
    pub torn: usize,
}

/// Reads the journal at `path`, which another process may be writing.
///
/// # Errors
/// If the file cannot be read, is no journal, or its header is damaged.
pub fn read(path: &Path) -> Result<Contents, JournalError> {
    let refuse = |reason| JournalError { path: path.to_owned(), reason };
    let bytes = std::fs::read(path).map_err(|error| refuse(error.into()))?;
    Contents::decode(&bytes).map_err(refuse)
}

impl Contents {
    pub(super) fn decode(bytes: &[u8]) -> Result<Self, Refusal> {
        let (header, start) = Header::decode(bytes)?;
        let salt = salt(&header);
        let (records, torn) = bytes[start..].as_chunks::<LENGTH>();
        let sound: Vec<Record> =
            records.iter().filter_map(|bytes| Record::decode(bytes, salt)).collect();
        Ok(Self { header, damaged: records.len() - sound.len(), records: sound, torn: torn.len() })
    }

    /// The subtotals by subtree; a subtree may be there twice if the subtotals agree.
    ///
    /// # Errors
    /// [`Refusal::Contradiction`] if they do not.
    pub fn subtotals(&self) -> Result<HashMap<usize, Tally>, Refusal> {
        let mut subtotals = HashMap::with_capacity(self.records.len());
        for record in &self.records {
            let before = subtotals.insert(record.id, record.tally);
            if before.is_some_and(|before| before != record.tally) {
                return Err(Refusal::Contradiction(record.id));
            }
        }
        Ok(subtotals)
    }
}

/// Ties the checksums of records to the header of their journal.
pub(super) fn salt(header: &Header) -> u32 {
    crc32fast::hash(&header.encode())
}
