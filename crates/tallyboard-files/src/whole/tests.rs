//! Whole files, links, and every failure on the way.

use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};

use super::*;
use crate::calls::{fail_each, failing};

/// Writes `path` with each call failing in turn, and lets `check` look at what a failed call leaves. Returns all calls.
fn fail_each_of(path: &Path, check: impl Fn(&[Call], String)) -> Vec<Call> {
    let prepare = || fs::write(path, "before").unwrap();
    let check = |calls: &[Call], error: io::Error| check(calls, error.to_string());
    let calls = fail_each(prepare, || write_whole(path, b"after"), check);
    assert_eq!(fs::read(path).unwrap(), b"after");
    calls
}

#[test]
fn a_file_is_synced_before_it_is_named_and_any_failure_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let calls = fail_each_of(&path, |calls, error| {
        let is_named = calls.contains(&Call::OpenFolder);
        let expected = if is_named { "after" } else { "before" };
        assert_eq!(fs::read_to_string(&path).unwrap(), expected, "{calls:?}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "{calls:?} left something");
        assert_eq!(error.contains("file is complete, but"), is_named, "{error}");
    });
    use Call::*;
    assert_eq!(calls, [Create, Write, Sync, Rename, OpenFolder, SyncFolder]);
}

#[test]
fn a_file_that_is_written_over_is_kept_whole_beside_it_at_any_failure() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    fs::write(&path, "").unwrap();
    fs::hard_link(&path, folder.path().join("twin")).unwrap();
    let copies = || {
        let names = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
        let is_copy = |path: &PathBuf| path.file_name().unwrap().as_encoded_bytes()[0] == b'.';
        names.filter(is_copy).collect::<Vec<_>>()
    };
    let calls = fail_each_of(&path, |calls, error| {
        let copies = copies();
        // Behind the first sync the file is written over.
        assert_eq!(copies.len(), usize::from(calls.len() > 3), "{calls:?}");
        for copy in copies {
            assert_eq!(fs::read(&copy).unwrap(), b"after", "{calls:?}");
            assert!(error.contains("file is incomplete") && error.contains("is whole"), "{error}");
            fs::remove_file(copy).unwrap();
        }
    });
    use Call::*;
    assert_eq!(calls, [Create, Write, Sync, Write, Cut, Sync]);
}

#[test]
fn a_folder_that_cannot_be_opened_or_synced_is_no_failure() {
    use rustix::io::Errno;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let written = |at, error| failing(at, error, || write_whole(&path, b"after")).0;
    let [opening, syncing] = [4, 5];
    written(opening, || Errno::ACCESS.into()).unwrap();
    written(syncing, || Errno::INVAL.into()).unwrap();
    written(syncing, || Errno::BADF.into()).unwrap();
    written(syncing, || Errno::OPNOTSUPP.into()).unwrap();
    written(opening, || Errno::MFILE.into()).unwrap_err();
    written(syncing, || Errno::IO.into()).unwrap_err();
    written(syncing, || Errno::NOSPC.into()).unwrap_err();
}

#[test]
fn names_links_and_further_names_stay() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    symlink("new", at("dangling")).unwrap();
    write_whole(&at("dangling"), b"one").unwrap();
    assert!(at("dangling").is_symlink());
    assert_eq!(fs::read(at("new")).unwrap(), b"one");

    fs::hard_link(at("new"), at("twin")).unwrap();
    let before = fs::metadata(at("new")).unwrap().ino();
    write_whole(&at("new"), b"longer").unwrap();
    assert_eq!(fs::read(at("twin")).unwrap(), b"longer");
    write_whole(&at("new"), b"short").unwrap();
    assert_eq!(fs::read(at("twin")).unwrap(), b"short");
    assert_eq!(fs::metadata(at("new")).unwrap().ino(), before);

    symlink("round", at("round")).unwrap();
    assert!(write_whole(&at("round"), b"").is_err());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 4, "nothing else stays");
}

#[test]
fn another_file_of_the_temporary_name_stays() {
    let folder = tempfile::tempdir().unwrap();
    let name = folder.path().join(".file.taken");
    fs::write(&name, "another's").unwrap();
    let created = TemporaryFile::create(name.clone(), folder.path().join("file"));
    assert_eq!(created.unwrap_err().kind(), io::ErrorKind::AlreadyExists);
    assert_eq!(fs::read_to_string(&name).unwrap(), "another's");
    assert!(unfinished().iter().all(|file| file.name != name));
}

/// File systems allow 255 bytes.
#[test]
fn a_name_may_be_as_long_as_the_system_allows() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a".repeat(255), "あ".repeat(85)] {
        write_whole(&folder.path().join(&name), name.as_bytes()).unwrap();
        assert_eq!(fs::read_to_string(folder.path().join(&name)).unwrap(), name);
    }
}

#[test]
fn an_unfinished_file_leaves_the_name_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    fs::write(&path, "before").unwrap();
    let mut file = WholeFile::create(&path).unwrap();
    file.write_all(b"after").unwrap();
    drop(file);
    assert_eq!(fs::read(&path).unwrap(), b"before");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}
