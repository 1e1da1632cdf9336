//! Journals that are begun, resumed, damaged, and whose disk fails.

use std::time::Duration;

use super::*;
use crate::problem::tests::Six;
use crate::{MAX_THREADS, Problem, Tally};

/// A folder, the path of a journal in it, and the header of that journal.
fn journal_of_six() -> (tempfile::TempDir, PathBuf, Header) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("j");
    let problem = Six;
    let header = Header::new(&problem, &problem.split(), "all", None);
    (folder, path, header)
}

fn subtree(id: usize) -> FinishedSubtree {
    FinishedSubtree { id, tally: Tally::new(id as u64), cost: 1, busy: Duration::ZERO }
}

#[test]
fn a_file_system_without_locks_is_told_apart_from_a_lock_that_is_taken() {
    assert!(has_lock(Ok(())).unwrap());
    let taken = has_lock(Err(TryLockError::WouldBlock)).unwrap_err();
    assert!(matches!(taken, Refusal::Locked), "{taken}");
    let unsupported = io::Error::from(io::ErrorKind::Unsupported);
    assert!(!has_lock(Err(TryLockError::Error(unsupported))).unwrap());
}

#[test]
fn a_problem_without_a_name_has_no_journal() {
    let (_folder, path, header) = journal_of_six();
    let unnamed = Header { identity: String::new(), ..header };
    let refused = Journal::create(&path, &unnamed, 1).unwrap_err().to_string();
    assert!(refused.ends_with("expected one with `Problem::identity`"), "{refused}");
    assert!(!path.exists());
}

/// Another process may be writing it now.
#[test]
fn half_a_record_or_header_is_cut_off_only_under_a_lock() {
    let (_folder, path, header) = journal_of_six();
    let begun = header.encode();
    let load = |bytes: &[u8], locked| {
        std::fs::write(&path, bytes).unwrap();
        let file = file_options().open(&path).unwrap();
        let mut journal = Journal::with_lock(&path, file, &header, 1).unwrap();
        journal.locked = locked;
        let loaded = journal.load(&header, |_| true);
        (loaded.map(|()| journal.found.torn), std::fs::read(&path).unwrap())
    };
    for locked in [false, true] {
        let torn = [&begun[..], &[7; 5]].concat();
        let (loaded, kept) = load(&torn, locked);
        assert_eq!((loaded.unwrap(), &kept), (5, if locked { &begun } else { &torn }));
        for length in [0, 9] {
            let (loaded, kept) = load(&begun[..length], locked);
            let is_refused = matches!(loaded, Err(Refusal::Header));
            assert_eq!(is_refused, length > 0 && !locked);
            assert_eq!(kept, if is_refused { &begun[..length] } else { &begun });
        }
    }
}

#[cfg(unix)]
mod failures {
    use super::*;
    use tallyboard_files::calls::{fail_each, failing};

    /// Begins a journal, or goes on with it, and appends two batches.
    fn write(path: &Path, header: &Header, is_new: bool) -> Result<(), String> {
        let journal = match is_new {
            true => Journal::create(path, header, 1),
            false => Journal::resume(path, header, 1, |_| true),
        };
        let mut journal = journal.map_err(|error| error.to_string())?;
        let mut append = || {
            journal.append_all(&[subtree(0), subtree(1)])?;
            journal.append_all(&[subtree(2)])?;
            journal.sync()
        };
        append().map_err(|error| error.to_string())
    }

    #[test]
    fn a_journal_is_on_the_disk_before_its_records_and_any_failure_is_reported() {
        use Call::*;
        let (_folder, path, header) = journal_of_six();
        let begun = header.encode();
        let torn = [&begun[..], &[7; 5]].concat();
        let half = &begun[..begun.len() / 2];
        let beginning = [Write, Sync, OpenFolder, SyncFolder];
        let cases: [(Option<&[u8]>, Vec<Call>); 5] = [
            (None, beginning.to_vec()),
            (Some(b""), beginning.to_vec()),
            (Some(half), [&[Cut], &beginning[..]].concat()),
            (Some(&begun), vec![]),
            (Some(&torn), vec![Cut, Sync]),
        ];
        for (there, before) in cases {
            let restore = || match there {
                Some(bytes) => std::fs::write(&path, bytes).unwrap(),
                None => drop(std::fs::remove_file(&path)),
            };
            let calls = fail_each(
                restore,
                || write(&path, &header, there.is_none()),
                |_, message| assert!(message.ends_with("j: no disk"), "{message}"),
            );
            assert_eq!(calls, [&[Create], &before[..], &[Write, Write, Sync]].concat());
            assert_eq!(subtotals(&path).unwrap().len(), 3);
        }
    }

    #[test]
    fn only_a_file_system_without_locks_goes_without_one() {
        use rustix::io::Errno;
        let lock_of = |errno: Errno| has_lock(Err(TryLockError::Error(errno.into())));
        for lacking in [Errno::NOLCK, Errno::NOSYS, Errno::OPNOTSUPP] {
            assert!(!lock_of(lacking).unwrap(), "{lacking}");
        }
        for broken in [Errno::IO, Errno::STALE, Errno::BADF] {
            assert!(matches!(lock_of(broken), Err(Refusal::Io(_))), "{broken}");
        }
        assert!(matches!(has_lock(Err(TryLockError::WouldBlock)), Err(Refusal::Locked)));
        assert!(has_lock(Ok(())).unwrap());
    }

    #[test]
    fn a_folder_that_cannot_be_opened_or_synced_does_not_refuse_a_journal() {
        use rustix::io::Errno;
        let (_folder, path, header) = journal_of_six();
        let begin = |failing_call, error| {
            drop(std::fs::remove_file(&path));
            failing(failing_call, error, || write(&path, &header, true)).0
        };
        let [opening, syncing] = [3, 4];
        begin(opening, || Errno::ACCESS.into()).unwrap();
        begin(syncing, || Errno::INVAL.into()).unwrap();
    }
}

/// As on Windows, where a handle that appends may not cut the file.
#[test]
fn a_handle_that_writes_anywhere_appends_too() {
    let (_folder, path, header) = journal_of_six();
    let open =
        || OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
    let mut journal = Journal::with_lock(&path, open().unwrap(), &header, 1).unwrap();
    journal.begin(&header).unwrap();
    journal.append_all(&[subtree(0), subtree(1)]).unwrap();
    // Reading moves the place where a write would go.
    assert_eq!(journal.subtotals().unwrap().len(), 2);
    journal.append_all(&[subtree(2)]).unwrap();
    drop(journal);
    let whole = std::fs::read(&path).unwrap();
    std::fs::write(&path, [&whole[..], &[7; 5]].concat()).unwrap();
    let mut journal = Journal::with_lock(&path, open().unwrap(), &header, 1).unwrap();
    journal.load(&header, |_| true).unwrap();
    journal.append_all(&[subtree(3)]).unwrap();
    assert_eq!(
        journal.subtotals().unwrap(),
        (0..4).map(|id| (id, Tally::new(id as u64))).collect()
    );
    let contents = read(&path).unwrap();
    assert_eq!((contents.damaged, contents.torn), (0, 0));
}

#[test]
fn one_damaged_bit_costs_one_record_for_any_number_of_threads() {
    for threads in [0, 1, MAX_THREADS, MAX_THREADS + 1, usize::MAX] {
        let (_folder, path, header) = journal_of_six();
        let mut journal = Journal::create(&path, &header, threads).unwrap();
        journal.append_all(&[0, 1, 2].map(subtree)).unwrap();
        drop(journal);
        let mut bytes = std::fs::read(&path).unwrap();
        bytes[header.encode().len()] ^= 1;
        std::fs::write(&path, bytes).unwrap();
        let contents = read(&path).unwrap();
        assert_eq!((contents.records.len(), contents.damaged), (2, 1), "{threads} threads");
        let used = contents.records[0].threads as usize;
        assert!((1..=MAX_THREADS).contains(&used), "{used}");
    }
}

#[test]
fn a_file_of_zeros_that_no_run_has_left_is_refused_and_stays() {
    let (_folder, path, header) = journal_of_six();
    let begun = header.encode();
    for kept in [0, 10, begun.len() - 1] {
        for length in [begun.len() + 1, 5000, 100_000] {
            let mut bytes = begun[..kept].to_vec();
            bytes.resize(length, 0);
            std::fs::write(&path, &bytes).unwrap();
            let refusal = Journal::resume(&path, &header, 1, |_| true).unwrap_err().reason;
            assert!(matches!(refusal, Refusal::NoJournal | Refusal::Header), "{refusal}");
            assert_eq!(std::fs::read(&path).unwrap(), bytes, "a refused file was changed");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_to_no_file_is_named_by_every_way_to_open_it() {
    use std::os::unix::fs::symlink;
    let (folder, path, header) = journal_of_six();
    for target in ["nowhere", "no/where", "j"] {
        symlink(target, &path).unwrap();
        let created = Journal::create(&path, &header, 1).unwrap_err().to_string();
        let resumed = Journal::resume(&path, &header, 1, |_| true).unwrap_err().to_string();
        let shown = read(&path).unwrap_err().to_string();
        assert!(created.contains("found a link that leads to no file: "), "{created}");
        assert_eq!((&resumed, &shown), (&created, &created));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        std::fs::remove_file(&path).unwrap();
    }
}

/// What is appended behind the cut does not hide it.
#[test]
fn a_journal_that_is_cut_while_it_is_written_is_noticed() {
    for begins_anew in [true, false] {
        let (_folder, path, header) = journal_of_six();
        if !begins_anew {
            let mut before = Journal::create(&path, &header, 1).unwrap();
            before.append_all(&[subtree(0)]).unwrap();
        }
        let mut journal = Journal::resume(&path, &header, 1, |_| true).unwrap();
        journal.append_all(&[subtree(1)]).unwrap();
        journal.ensure_in_place().unwrap();
        let whole = path.metadata().unwrap().len();
        for length in [whole - 1, 0] {
            File::options().write(true).open(&path).unwrap().set_len(length).unwrap();
            let error = journal.ensure_in_place().unwrap_err();
            assert!(
                matches!(error.reason, Refusal::Cut(found, expected)
                if (found, expected) == (length, whole)),
                "{error}"
            );
        }
        journal.append_all(&[subtree(2)]).unwrap();
        journal.append_all(&[subtree(3)]).unwrap();
        assert!(matches!(journal.ensure_in_place().unwrap_err().reason, Refusal::Cut(..)));
    }
}
