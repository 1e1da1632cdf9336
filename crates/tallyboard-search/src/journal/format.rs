//! The bytes of a journal: its header, then a record of 48 bytes for each finished subtree.

use std::io::{self, Read};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::Refusal;
use crate::{Costs, FinishedSubtree, KnownSubtotals, MAX_THREADS, Problem, Tally, differences};

/// The first line of every journal; its number changes with the format.
const MAGIC: &str = "tallyboard journal 2\n";
/// With which the table of a tally begins.
pub(super) const TABLE_MAGIC: &str = "tallyboard table 1\n";
/// Length of the header's checksum line: eight hexadecimal digits and a line break.
const SEAL_BYTES: usize = 9;

/// The work that a journal belongs to. A run may resume a journal only if its header equals the run's own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// [`Problem::identity`](crate::Problem::identity), which names the algorithm too.
    pub identity: String,
    /// Which subtrees of the problem: `all`, or the name of a shard.
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

    /// The start value of the records' checksums, which ties records to this header.
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

    /// Reads the header at the start of `bytes`. Returns it with its length.
    fn decode(bytes: &[u8]) -> Result<(Self, usize), Refusal> {
        let after_magic = match bytes.strip_prefix(MAGIC.as_bytes()) {
            Some(rest) => rest,
            None if bytes.starts_with(TABLE_MAGIC.as_bytes()) => return Err(Refusal::Table),
            None => return Err(Refusal::NoJournal),
        };
        let line_end = after_magic.iter().position(|&byte| byte == b'\n').ok_or(Refusal::Header)?;
        let sealed_bytes = MAGIC.len() + line_end + 1;
        let (sealed, rest) = bytes.split_at(sealed_bytes);
        let seal = rest.get(..SEAL_BYTES).ok_or(Refusal::Header)?;
        let expected = format!("{:08x}\n", crc32fast::hash(sealed));
        if seal != expected.as_bytes() {
            return Err(Refusal::Header);
        }
        let header =
            serde_json::from_slice(&after_magic[..line_end]).map_err(|_| Refusal::Header)?;
        Ok((header, sealed_bytes + SEAL_BYTES))
    }

    /// The differences between this header and `found`, which was read from a file, as phrases. There are none if the
    /// headers are equal.
    pub(super) fn differences(&self, found: &Self) -> Vec<String> {
        if self.identity != found.identity {
            // All other differences follow from this one.
            return differences::between(&self.identity, &found.identity);
        }
        let mut phrases = Vec::new();
        let mut compare = |name: &str, here: &dyn ToString, there: &dyn ToString| {
            let here = here.to_string();
            let there = there.to_string();
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

/// The length of a record: 8 bytes of the id, 16 of the solutions, 8 of the cost, 8 of the microseconds, 4 of the threads
/// and 4 of the checksum, all little-endian.
const RECORD_BYTES: usize = 48;
/// The length of the part that the checksum covers.
const CHECKED_BYTES: usize = RECORD_BYTES - 4;

/// Upper bound on the length of a header. The longest that is written, of a large sudoku, has a thousand bytes.
const MAX_HEADER_BYTES: usize = 1 << 20;
/// The most bytes that are read from the file at a time.
const PIECE_BYTES: u64 = 1 << 16;

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
    /// The number of workers of the run that counted the subtree.
    pub threads: u32,
}

impl Record {
    /// The record of a subtree that one of `threads` workers has finished.
    pub(super) fn new(finished: &FinishedSubtree, threads: u32) -> Self {
        let FinishedSubtree { id, tally, cost, busy, .. } = *finished;
        Self { id, tally, cost, busy, threads }
    }

    /// The bytes of the record. `salt` ties it to its journal.
    pub(super) fn encode(&self, salt: u32) -> [u8; RECORD_BYTES] {
        let microseconds = u64::try_from(self.busy.as_micros()).unwrap_or(u64::MAX);
        let mut bytes = [0; RECORD_BYTES];
        bytes[..8].copy_from_slice(&(self.id as u64).to_le_bytes());
        bytes[8..24].copy_from_slice(&self.tally.solutions().to_le_bytes());
        bytes[24..32].copy_from_slice(&self.cost.to_le_bytes());
        bytes[32..40].copy_from_slice(&microseconds.to_le_bytes());
        bytes[40..CHECKED_BYTES].copy_from_slice(&self.threads.to_le_bytes());
        let checksum = checksum(&bytes[..CHECKED_BYTES], salt);
        bytes[CHECKED_BYTES..].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// Whether a run can have written these values. After damaged bytes every offset is tried, and there a checksum of 32
    /// bits alone would fit by chance once in four gigabytes. This check requires 58 more bits to be zero.
    fn is_plausible(&self) -> bool {
        const CENTURY: Duration = Duration::from_secs(100 * 366 * 24 * 3600);
        let is_thread_count = (1..=MAX_THREADS).contains(&(self.threads as usize));
        is_thread_count && self.id >> 40 == 0 && self.busy < CENTURY
    }

    /// Adds the record's subtotal to `subtotals`; [`Refusal::Contradiction`] if they have another one of the subtree.
    pub(super) fn add_to(&self, subtotals: &mut KnownSubtotals) -> Result<(), Refusal> {
        match subtotals.insert(self.id, self.tally) {
            Some(before) if before != self.tally => Err(Refusal::Contradiction(self.id)),
            _ => Ok(()),
        }
    }

    /// The record in `bytes`; `None` if the checksum differs.
    fn decode(bytes: &[u8; RECORD_BYTES], salt: u32) -> Option<Self> {
        let (fields, seal) = bytes.split_at(CHECKED_BYTES);
        if seal != checksum(fields, salt).to_le_bytes() {
            return None;
        }
        let solutions = u128::from_le_bytes(fields[8..24].try_into().ok()?);
        Some(Self {
            id: usize::try_from(number(&fields[..8])).ok()?,
            tally: Tally::new(solutions),
            cost: number(&fields[24..32]),
            busy: Duration::from_micros(number(&fields[32..40])),
            threads: u32::from_le_bytes(fields[40..CHECKED_BYTES].try_into().ok()?),
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

/// Iterates over the records of a journal, with a small buffer. A record is found at any byte offset where its checksum is
/// right, so stray bytes, which another process may write if the file system has no locks, hide none after them.
pub(super) struct Records<R> {
    input: R,
    salt: u32,
    /// Bytes read from the input. Those before index `position` are decoded.
    buffer: Vec<u8>,
    position: usize,
    is_at_end: bool,
    /// The number of bytes directly before `position` that belong to no record.
    gap: usize,
    /// The number of records found damaged so far: their checksum is wrong.
    pub damaged: usize,
    /// The number of bytes of half a record at the end; 0 before all records have been read.
    pub torn: usize,
}

impl<R: Read> Records<R> {
    /// Reads the header at the beginning of `input`.
    pub fn begin(input: R) -> Result<(Header, Self), Refusal> {
        let mut records = Self {
            input,
            salt: 0,
            buffer: Vec::new(),
            position: 0,
            is_at_end: false,
            gap: 0,
            damaged: 0,
            torn: 0,
        };
        while !records.is_at_end && !records.has_header() {
            records.fill()?;
        }
        let (header, length) = Header::decode(&records.buffer)?;
        records.salt = header.salt();
        records.position = length;
        Ok((header, records))
    }

    /// Whether the buffer has the three lines of a header, or so many bytes without them that the file has none.
    fn has_header(&self) -> bool {
        let lines = self.buffer.iter().filter(|&&byte| byte == b'\n').count();
        lines >= 3 || self.buffer.len() >= MAX_HEADER_BYTES
    }

    /// Drops the bytes before `position` and reads the next piece.
    fn fill(&mut self) -> io::Result<()> {
        self.buffer.drain(..self.position);
        self.position = 0;
        let before = self.buffer.len();
        self.input.by_ref().take(PIECE_BYTES).read_to_end(&mut self.buffer)?;
        self.is_at_end = self.buffer.len() == before;
        Ok(())
    }
}

impl<R: Read> Iterator for Records<R> {
    type Item = io::Result<Record>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if !self.is_at_end && self.buffer.len() - self.position < RECORD_BYTES {
                if let Err(error) = self.fill() {
                    return Some(Err(error));
                }
                continue;
            }
            let left = &self.buffer[self.position..];
            let Some(bytes) = left.first_chunk() else {
                // The end: what does not fill a record was cut off by a crash.
                let gap = std::mem::take(&mut self.gap) + left.len();
                self.position = self.buffer.len();
                self.damaged += gap / RECORD_BYTES;
                self.torn += gap % RECORD_BYTES;
                return None;
            };
            let record = Record::decode(bytes, self.salt);
            if let Some(record) = record.filter(|found| self.gap == 0 || found.is_plausible()) {
                self.position += RECORD_BYTES;
                self.damaged += std::mem::take(&mut self.gap).div_ceil(RECORD_BYTES);
                return Some(Ok(record));
            }
            self.position += 1;
            self.gap += 1;
        }
    }
}

/// What a journal holds.
#[non_exhaustive]
#[derive(Debug, Clone)]
pub struct Contents {
    /// The work it belongs to.
    pub header: Header,
    /// The sound records, in the order in which they were written.
    pub records: Vec<Record>,
    /// The number of records with a wrong checksum. Their subtrees have to be counted again.
    pub damaged: usize,
    /// The number of bytes of half a record at the end, which a crash has left.
    pub torn: usize,
}

impl Contents {
    pub(super) fn read(input: impl Read) -> Result<Self, Refusal> {
        let (header, mut reader) = Records::begin(input)?;
        let records = reader.by_ref().collect::<Result<_, _>>()?;
        Ok(Self { header, records, damaged: reader.damaged, torn: reader.torn })
    }

    /// The finished subtrees, each once, in the order of their numbers.
    pub fn finished(&self) -> Vec<Record> {
        let mut records = self.records.clone();
        records.sort_by_key(|record| record.id);
        records.dedup_by_key(|record| record.id);
        records
    }

    /// The subtotals by subtree; [`Refusal::Contradiction`] if records of one subtree disagree.
    pub fn subtotals(&self) -> Result<KnownSubtotals, Refusal> {
        let mut subtotals = KnownSubtotals::default();
        self.records.iter().try_for_each(|record| record.add_to(&mut subtotals))?;
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
    fn a_record_comes_back_and_neither_zeros_nor_that_of_another_journal_is_one() {
        assert_eq!(Record::decode(&sample().encode(1), 1), Some(sample()));
        assert_eq!(Record::decode(&sample().encode(1), 2), None);
        // Some file systems leave zeros at the end of a file when the power fails.
        assert_eq!(Record::decode(&[0; RECORD_BYTES], 1), None);
    }

    #[test]
    fn what_no_run_writes_is_no_record_where_a_checksum_may_fit_by_chance() {
        let costs = crate::Costs::equal(1);
        let header = Header::new(&crate::problem::tests::Six, &costs, "all", None);
        let found = |gap: &[u8], record: Record| {
            let bytes = [&header.encode(), gap, &record.encode(header.salt())].concat();
            Contents::read(&bytes[..]).unwrap().records.len()
        };
        let long = Duration::from_secs(1 << 32);
        for (record, is_plausible) in [
            (sample(), true),
            (Record { threads: 1024, ..sample() }, true),
            (Record { threads: 0, ..sample() }, false),
            (Record { threads: 1025, ..sample() }, false),
            (Record { id: 1 << 40, ..sample() }, false),
            (Record { busy: long, ..sample() }, false),
        ] {
            assert_eq!(found(&[], record), 1, "{record:?}");
            assert_eq!(found(&[0], record), usize::from(is_plausible), "{record:?}");
        }
    }

    #[test]
    fn no_flipped_bit_goes_unseen() {
        let good = sample().encode(3);
        for bit in 0..RECORD_BYTES * 8 {
            let mut bad = good;
            bad[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(Record::decode(&bad, 3), None, "bit {bit}");
        }
    }
}
