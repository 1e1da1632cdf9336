//! The bytes of a journal: its header, then finished subtrees of 48 bytes each.

use std::collections::HashMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::Refusal;
use crate::search::identity;
use crate::search::{Costs, Finished, Problem, Tally};

/// The first line of every journal; its number changes with the format.
const MAGIC: &str = "tallyboard journal 2\n";
/// Eight hexadecimal digits and a line break.
const SEAL: usize = 9;

/// The work that a journal belongs to. A journal is taken up only by exactly the same work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// [`Problem::identity`](crate::search::Problem::identity), which names the algorithm too.
    pub identity: String,
    /// Which of the subtrees: `all`, or the shard.
    pub part: String,
    /// Fingerprint of all subtrees of the problem.
    pub layout: String,
    /// The number of subtrees of this part.
    pub subtrees: usize,
    /// Their cost.
    pub cost: u64,
}

impl Header {
    /// The header of the journal for `part` of `problem`, the subtrees `only` or all of them.
    pub fn new(
        problem: &dyn Problem,
        costs: &Costs,
        part: impl Into<String>,
        only: Option<&[usize]>,
    ) -> Self {
        Self {
            identity: problem.identity(),
            part: part.into(),
            layout: costs.fingerprint(),
            subtrees: only.map_or(costs.len(), <[usize]>::len),
            cost: costs.sum(only),
        }
    }

    /// Ties the checksums of records to this header.
    pub(super) fn salt(&self) -> u32 {
        crc32fast::hash(&self.encode())
    }

    /// The bytes at the start of the file.
    pub(super) fn encode(&self) -> Vec<u8> {
        let fields = serde_json::to_string(self).expect("plain fields have a JSON form");
        let mut text = format!("{MAGIC}{fields}\n");
        let checksum = crc32fast::hash(text.as_bytes());
        text.push_str(&format!("{checksum:08x}\n"));
        text.into_bytes()
    }

    /// Reads the header at the start of `bytes`; gives its length too.
    fn decode(bytes: &[u8]) -> Result<(Self, usize), Refusal> {
        let fields = bytes.strip_prefix(MAGIC.as_bytes()).ok_or(Refusal::NoJournal)?;
        let line = fields.iter().position(|&byte| byte == b'\n').ok_or(Refusal::Header)?;
        let sealed = MAGIC.len() + line + 1;
        let seal = bytes.get(sealed..sealed + SEAL).ok_or(Refusal::Header)?;
        let expected = format!("{:08x}\n", crc32fast::hash(&bytes[..sealed]));
        if seal != expected.as_bytes() {
            return Err(Refusal::Header);
        }
        let header = serde_json::from_slice(&fields[..line]).map_err(|_| Refusal::Header)?;
        Ok((header, sealed + SEAL))
    }

    /// What differs from the header `found` in a file, a phrase each; empty if they are equal.
    pub(super) fn differences(&self, found: &Self) -> Vec<String> {
        if self.identity != found.identity {
            // The rest follows from it.
            return identity::differences(&self.identity, &found.identity);
        }
        let mut phrases = Vec::new();
        let mut compare = |name: &str, here: &dyn ToString, there: &dyn ToString| {
            let (here, there) = (here.to_string(), there.to_string());
            if here != there {
                phrases.push(format!("{name} is '{there}' there and '{here}' here"));
            }
        };
        compare("the part", &self.part, &found.part);
        compare("the layout", &self.layout, &found.layout);
        compare("the number of subtrees", &self.subtrees, &found.subtrees);
        compare("their cost", &self.cost, &found.cost);
        phrases
    }
}

/// The length of every record: id 8, solutions 16, cost 8, microseconds 8, threads 4, checksum 4,
/// all little-endian.
const LENGTH: usize = 48;
const SEALED: usize = LENGTH - 4;

/// One finished subtree.
#[non_exhaustive]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record {
    /// The stable number of the subtree.
    pub id: usize,
    /// Its subtotal.
    pub tally: Tally,
    /// Its relative cost.
    pub cost: u64,
    /// How long a worker was busy with it.
    pub busy: Duration,
    /// How many workers the run had that counted it.
    pub threads: u32,
}

impl Record {
    /// The record of a subtree that one of `threads` workers has finished.
    pub(super) fn new(finished: &Finished, threads: u32) -> Self {
        let Finished { id, tally, cost, busy, .. } = *finished;
        Self { id, tally, cost, busy, threads }
    }

    /// The bytes of the record. `salt` ties it to its journal.
    pub(super) fn encode(&self, salt: u32) -> [u8; LENGTH] {
        let microseconds = u64::try_from(self.busy.as_micros()).unwrap_or(u64::MAX);
        let mut bytes = [0; LENGTH];
        bytes[..8].copy_from_slice(&(self.id as u64).to_le_bytes());
        bytes[8..24].copy_from_slice(&self.tally.solutions().to_le_bytes());
        bytes[24..32].copy_from_slice(&self.cost.to_le_bytes());
        bytes[32..40].copy_from_slice(&microseconds.to_le_bytes());
        bytes[40..SEALED].copy_from_slice(&self.threads.to_le_bytes());
        let checksum = checksum(&bytes[..SEALED], salt);
        bytes[SEALED..].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// The record in `bytes`; `None` if its checksum does not fit.
    fn decode(bytes: &[u8; LENGTH], salt: u32) -> Option<Self> {
        let (fields, seal) = bytes.split_at(SEALED);
        if seal != checksum(fields, salt).to_le_bytes() {
            return None;
        }
        let solutions = u128::from_le_bytes(fields[8..24].try_into().ok()?);
        Some(Self {
            id: usize::try_from(number(&fields[..8])).ok()?,
            tally: Tally::new(solutions),
            cost: number(&fields[24..32]),
            busy: Duration::from_micros(number(&fields[32..40])),
            threads: u32::from_le_bytes(fields[40..SEALED].try_into().ok()?),
        })
    }
}

fn number(bytes: &[u8]) -> u64 {
    u64::from_le_bytes(bytes.try_into().expect("eight bytes"))
}

fn checksum(bytes: &[u8], salt: u32) -> u32 {
    let mut hasher = crc32fast::Hasher::new_with_initial(salt);
    hasher.update(bytes);
    hasher.finalize()
}

/// What a journal holds.
#[non_exhaustive]
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

impl Contents {
    pub(super) fn decode(bytes: &[u8]) -> Result<Self, Refusal> {
        let (header, start) = Header::decode(bytes)?;
        let salt = header.salt();
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

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Record {
        Record {
            id: 7,
            tally: Tally::new(u128::MAX - 5),
            cost: 99,
            busy: Duration::from_micros(1234),
            threads: 64,
        }
    }

    #[test]
    fn a_record_comes_back() {
        assert_eq!(Record::decode(&sample().encode(1), 1), Some(sample()));
    }

    #[test]
    fn neither_zeros_nor_what_belongs_to_another_journal_is_a_record() {
        // Some file systems leave zeros at the end of a file when the power fails.
        assert_eq!(Record::decode(&[0; LENGTH], 1), None);
        assert_eq!(Record::decode(&sample().encode(1), 2), None);
    }

    #[test]
    fn no_flipped_bit_goes_unseen() {
        let good = sample().encode(3);
        for bit in 0..LENGTH * 8 {
            let mut bad = good;
            bad[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(Record::decode(&bad, 3), None, "bit {bit}");
        }
    }
}
