//! A damaged journal is refused, or what is damaged is counted again; it never changes a count.

use std::path::{Path, PathBuf};

use tallyboard_queens::{Board, Count, known};
use tallyboard_search::journal::{Header, Journal, JournalError, Refusal, read};
use tallyboard_search::{FinishedSubtree, Observer, Options, Problem, run_split};

const N: u32 = 6;
const RECORD: usize = 48;

fn problem(n: u32) -> Count {
    Count::new(Board::new(n).unwrap()).unwrap()
}

fn header(problem: &Count) -> Header {
    Header::new(problem, &problem.split(), "all", None)
}

struct Save<'a>(&'a mut Journal);

impl Observer for Save<'_> {
    fn finished(&mut self, subtree: &FinishedSubtree) -> std::io::Result<()> {
        self.0.append_all(std::slice::from_ref(subtree))
    }
}

fn open(path: &Path, problem: &Count) -> Result<Journal, JournalError> {
    let subtrees = problem.split().len();
    Journal::resume(path, &header(problem), 1, |id| id < subtrees)
}

/// Goes on from the journal to the end. Gives the count, and how many subtrees were known.
fn resume(path: &Path) -> Result<(u128, usize), JournalError> {
    let problem = problem(N);
    let mut journal = open(path, &problem)?;
    let known = journal.found.subtotals.clone();
    let options = Options::new().threads(1).known(&known);
    let outcome = run_split(&problem, &problem.split(), &options, &mut Save(&mut journal)).unwrap();
    assert!(outcome.complete);
    Ok((outcome.tally.solutions(), known.len()))
}

/// A folder with a finished journal, and its bytes.
fn finished() -> (tempfile::TempDir, PathBuf, Vec<u8>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    assert_eq!(resume(&path).unwrap().0, known::solutions(N).unwrap());
    let bytes = std::fs::read(&path).unwrap();
    (folder, path, bytes)
}

fn header_length(bytes: &[u8]) -> usize {
    let breaks = bytes.iter().enumerate().filter(|&(_, &byte)| byte == b'\n');
    breaks.map(|(at, _)| at + 1).nth(2).unwrap()
}

#[test]
fn a_journal_cut_at_any_byte_goes_on_to_the_same_count() {
    let (_folder, path, bytes) = finished();
    let start = header_length(&bytes);
    for length in 0..=bytes.len() {
        std::fs::write(&path, &bytes[..length]).unwrap();
        let (count, known_subtrees) = resume(&path).unwrap();
        assert_eq!(Some(count), known::solutions(N), "cut at {length}");
        assert_eq!(known_subtrees, length.saturating_sub(start) / RECORD, "cut at {length}");
        // Nothing of the cut is left behind.
        let contents = read(&path).unwrap();
        assert_eq!((contents.damaged, contents.torn), (0, 0), "cut at {length}");
    }
}

#[test]
fn a_flipped_byte_is_refused_or_counted_again() {
    let (_folder, path, bytes) = finished();
    let start = header_length(&bytes);
    let records = (bytes.len() - start) / RECORD;
    for at in 0..bytes.len() {
        for flip in [0x01, 0x20, 0x80, 0xff] {
            let mut bad = bytes.clone();
            bad[at] ^= flip;
            std::fs::write(&path, &bad).unwrap();
            match resume(&path) {
                Ok((count, known_subtrees)) => {
                    assert!(at >= start, "a damaged header at {at} was taken");
                    assert_eq!(Some(count), known::solutions(N), "flip at {at}");
                    assert_eq!(known_subtrees, records - 1, "flip at {at}");
                }
                Err(error) => {
                    assert!(at < start, "one bad record at {at} spoilt the journal: {error}");
                    assert_eq!(std::fs::read(&path).unwrap(), bad, "a refused file was changed");
                }
            }
        }
    }
}

#[test]
fn zeros_at_the_end_are_dropped() {
    // What some file systems leave when the power fails.
    let (_folder, path, mut bytes) = finished();
    let records = (bytes.len() - header_length(&bytes)) / RECORD;
    let half = header_length(&bytes) + records / 2 * RECORD;
    bytes[half..].fill(0);
    std::fs::write(&path, &bytes).unwrap();
    assert_eq!(resume(&path).unwrap(), (known::solutions(N).unwrap(), records / 2));
}

#[test]
fn a_header_that_never_reached_the_disk_is_begun_again() {
    // The length of the file is there after the power failed, its contents are not, or half of them.
    let (_folder, path, bytes) = finished();
    let start = header_length(&bytes);
    for (kept, zeros) in [(0, start), (0, start - 40), (start / 2, start - start / 2)] {
        let mut torn = bytes[..kept].to_vec();
        torn.resize(kept + zeros, 0);
        std::fs::write(&path, torn).unwrap();
        let (count, known_subtrees) = resume(&path).unwrap();
        assert_eq!((Some(count), known_subtrees), (known::solutions(N), 0), "{kept} bytes kept");
        assert_eq!(read(&path).unwrap().damaged, 0);
    }
    // Records came after a header that is gone: that is no loss of power, and nothing to begin again.
    let mut bad = bytes;
    bad[..start].fill(0);
    std::fs::write(&path, &bad).unwrap();
    assert!(matches!(resume(&path).unwrap_err().reason, Refusal::NoJournal));
    assert_eq!(std::fs::read(&path).unwrap(), bad, "a refused file was changed");
}

#[test]
fn records_of_another_journal_are_no_records_of_this_one() {
    let (_folder, path, bytes) = finished();
    let other = problem(7);
    std::fs::remove_file(&path).unwrap();
    let mut journal = open(&path, &other).unwrap();
    let options = Options::new().threads(1);
    let outcome = run_split(&other, &other.split(), &options, &mut Save(&mut journal)).unwrap();
    assert!(outcome.complete);
    drop(journal);
    let others = std::fs::read(&path).unwrap();
    let mut mixed = bytes[..header_length(&bytes)].to_vec();
    mixed.extend_from_slice(&others[header_length(&others)..]);
    std::fs::write(&path, mixed).unwrap();
    assert_eq!(resume(&path).unwrap(), (known::solutions(N).unwrap(), 0));
}

#[test]
fn a_subtree_that_is_there_twice_counts_once() {
    let (_folder, path, bytes) = finished();
    let mut twice = bytes.clone();
    twice.extend_from_slice(&bytes[header_length(&bytes)..]);
    std::fs::write(&path, twice).unwrap();
    assert_eq!(Some(resume(&path).unwrap().0), known::solutions(N));
}

/// Goes on from the journal `bytes`, in which `lost` subtrees are not to be found; afterwards all are.
fn goes_on(path: &Path, bytes: &[u8], lost: usize, what: &str) {
    std::fs::write(path, bytes).unwrap();
    let all = problem(N).split().len();
    assert_eq!(resume(path).unwrap(), (known::solutions(N).unwrap(), all - lost), "{what}");
    assert_eq!(resume(path).unwrap(), (known::solutions(N).unwrap(), all), "{what}, again");
}

#[test]
fn what_is_written_between_records_hides_none_of_them() {
    let (_folder, path, bytes) = finished();
    let (start, records) = (header_length(&bytes), (bytes.len() - header_length(&bytes)) / RECORD);
    // What another process writes where there are no locks: a part of a record, several, a header.
    for length in (1..2 * RECORD).chain([start, 5000]) {
        let foreign: Vec<u8> = bytes.iter().cycle().skip(start / 2).copied().take(length).collect();
        for before in [0, records / 2, records] {
            let at = start + before * RECORD;
            let mixed = [&bytes[..at], &foreign, &bytes[at..]].concat();
            goes_on(&path, &mixed, 0, &format!("{length} bytes before record {before}"));
        }
    }
}

#[test]
fn a_record_that_is_torn_in_the_middle_hides_no_other() {
    let (_folder, path, bytes) = finished();
    let start = header_length(&bytes);
    let second = start + RECORD;
    for missing in 1..RECORD {
        for from in [0, 20, RECORD - missing] {
            let to = (from + missing).min(RECORD);
            let torn = [&bytes[..second + from], &bytes[second + to..]].concat();
            goes_on(&path, &torn, 1, &format!("bytes {from} to {to}"));
        }
    }
}

/// Two processes append, and the operating system takes a part of what they write at a time.
#[test]
fn the_records_of_two_writers_are_all_found_but_those_that_were_cut() {
    let (_folder, path, bytes) = finished();
    let start = header_length(&bytes);
    let records: Vec<&[u8]> = bytes[start..].chunks(RECORD).collect();
    for cut in [1, 16, 47] {
        // One is written into the middle of another, whose halves are lost.
        let mut mixed = bytes[..start].to_vec();
        mixed.extend_from_slice(&records[0][..cut]);
        mixed.extend_from_slice(records[1]);
        mixed.extend_from_slice(&records[0][cut..]);
        records[2..].iter().for_each(|record| mixed.extend_from_slice(record));
        // Both have counted these.
        mixed.extend_from_slice(records[1]);
        goes_on(&path, &mixed, 1, &format!("cut at {cut}"));
    }
}

#[test]
fn damage_is_told_in_records_and_bytes() {
    let (_folder, path, bytes) = finished();
    let middle = header_length(&bytes) + 2 * RECORD;
    let told = |foreign: &[u8], end: &[u8]| {
        let mixed = [&bytes[..middle], foreign, &bytes[middle..], end].concat();
        std::fs::write(&path, mixed).unwrap();
        let contents = read(&path).unwrap();
        (contents.damaged, contents.torn)
    };
    assert_eq!(told(&[], &[]), (0, 0));
    assert_eq!(told(&[7], &[]), (1, 0));
    assert_eq!(told(&[7; RECORD], &[]), (1, 0));
    assert_eq!(told(&[7; RECORD + 1], &[7; 3]), (2, 3));
    assert_eq!(told(&[], &[7; 2 * RECORD + 5]), (2, 5));
}

/// Written by version 0.2.0 before records were looked for at every byte.
#[test]
fn an_old_journal_is_read() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/journal_2");
    let contents = read(&path).unwrap();
    assert_eq!((contents.damaged, contents.torn), (0, 0));
    assert!(contents.header.identity.starts_with("queens n=6 "), "{}", contents.header.identity);
    assert_eq!(contents.records.len(), contents.header.subtrees);
    let total = contents.subtotals().unwrap().total().unwrap();
    assert_eq!(Some(total.solutions()), known::solutions(6));
    assert!(contents.records.iter().all(|record| record.threads == 2 && record.cost > 0));
}

/// Appends a sound record with a subtotal that no subtree has.
fn append_false(path: &Path, id: usize) {
    let problem = problem(N);
    let mut journal = Journal::resume(path, &header(&problem), 1, |_| true).unwrap();
    let false_record = FinishedSubtree {
        id,
        tally: tallyboard_search::Tally::new(1_000_000_u64),
        cost: 1,
        busy: std::time::Duration::ZERO,
    };
    journal.append_all(&[false_record]).unwrap();
    journal.sync().unwrap();
}

#[test]
fn two_subtotals_of_one_subtree_are_refused() {
    let (_folder, path, _) = finished();
    append_false(&path, 0);
    let reason = open(&path, &problem(N)).unwrap_err().reason;
    assert!(matches!(reason, Refusal::Contradiction(0)), "{reason}");
}

#[test]
fn a_subtree_that_the_problem_does_not_have_is_refused() {
    let (_folder, path, _) = finished();
    append_false(&path, 1_000_000);
    let reason = open(&path, &problem(N)).unwrap_err().reason;
    assert!(matches!(reason, Refusal::UnknownSubtree(1_000_000)), "{reason}");
}

#[test]
fn a_journal_of_other_work_is_refused_with_what_differs() {
    let (_folder, path, bytes) = finished();
    let mut other = header(&problem(N));
    other.identity = other.identity.replace("algorithm=1", "algorithm=2");
    let refusal = |other| Journal::resume(&path, other, 1, |_| true).unwrap_err().to_string();
    let error = refusal(&other);
    assert!(error.contains("algorithm is 1 there and 2 here"), "{error}");
    let other = Header { layout: "00000000".to_owned(), ..header(&problem(N)) };
    assert!(refusal(&other).contains("the layout is"), "{}", refusal(&other));
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
}

#[test]
fn only_one_writer_has_the_journal() {
    let (_folder, path, _) = finished();
    let first = open(&path, &problem(N)).unwrap();
    let reason = open(&path, &problem(N)).unwrap_err().reason;
    assert!(matches!(reason, Refusal::Locked), "{reason}");
    drop(first);
    assert!(open(&path, &problem(N)).is_ok());
}

/// The time of day decides nothing: nothing that saves, plans or merges even asks for it.
#[test]
fn no_clock_is_asked_for_the_time_of_day() {
    for folder in [
        "crates/tallyboard-search/src",
        "crates/tallyboard-search/src/journal",
        "crates/tallyboard-search/src/shard",
        "src/cluster",
    ] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                let text = std::fs::read_to_string(&path).unwrap();
                assert!(!text.contains("SystemTime"), "{}", path.display());
            }
        }
    }
}
