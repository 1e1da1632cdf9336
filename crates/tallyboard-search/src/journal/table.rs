//! A saved table: what is finished of a tally, in one file that is written whole each time.
//!
//! ```text
//! tallyboard table 1                                     what this file is
//! {"work":{…},"finished":[…],"solutions":…,"cells":[…]}  the work, its finished subtrees, and the sum of their tables
//! 5d41402a                                               checksum of the lines above
//! ```
//!
//! A process that is killed while it saves leaves the file before.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use tallyboard_files::whole::WholeFile;

use super::format::TABLE_MAGIC as MAGIC;
use super::{Header, JournalError, Refusal, ensure_file_or_none, has_lock};
use crate::{PartialTable, Table, Tabulate};

/// Upper bound on the bytes that are read: a table of ten million cells has fewer.
const MAX_BYTES: u64 = 1 << 29;

/// The file of a tally, locked against other processes.
#[derive(Debug)]
pub struct TableFile<'a> {
    path: &'a Path,
    work: Header,
    cells: usize,
    /// The file that was there first, and the one that was written last: each time another takes the name.
    locked: [Option<File>; 2],
}

/// The second line.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Saved {
    work: Header,
    finished: Vec<usize>,
    solutions: u128,
    cells: Vec<u128>,
}

impl Saved {
    /// What the bytes of a file say.
    fn of(bytes: &[u8]) -> Result<Self, Refusal> {
        let line = bytes.strip_prefix(MAGIC.as_bytes()).ok_or(Refusal::NoJournal)?;
        let end = line.iter().position(|&byte| byte == b'\n').ok_or(Refusal::Header)?;
        let (sealed, seal) = bytes.split_at(MAGIC.len() + end + 1);
        if seal != format!("{:08x}\n", crc32fast::hash(sealed)).as_bytes() {
            return Err(Refusal::Header);
        }
        serde_json::from_slice(&line[..end]).map_err(|_| Refusal::Header)
    }
}

fn bytes_of(file: &File) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(MAX_BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}

impl<'a> TableFile<'a> {
    /// The file at `path` for the table of `problem`, created empty if there is none.
    ///
    /// # Errors
    /// [`Refusal::Locked`] if another process has it, [`Refusal::Unnamed`], [`Refusal::Folder`] and the like.
    pub fn new(path: &'a Path, problem: &dyn Tabulate) -> Result<Self, JournalError> {
        let make = || {
            let identity = problem.identity();
            if identity.is_empty() {
                return Err(Refusal::Unnamed);
            }
            ensure_file_or_none(path)?;
            let costs = problem.split();
            let (layout, cost) = (costs.fingerprint(), costs.sum(None));
            let (part, subtrees) = ("table".to_owned(), costs.len());
            let work = Header { identity, part, layout, subtrees, cost };
            let file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
            has_lock(file.try_lock())?;
            Ok(Self { path, work, cells: problem.cells(), locked: [Some(file), None] })
        };
        make().map_err(JournalError::at(path))
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        self.path
    }

    /// An error of this file.
    pub fn refused(&self, reason: Refusal) -> JournalError {
        JournalError::at(self.path)(reason)
    }

    /// What is saved, if anything is.
    ///
    /// # Errors
    /// [`Refusal::OtherWork`] for the table of another problem, [`Refusal::Header`] for a file that is damaged, and others.
    pub fn read(&self) -> Result<Option<PartialTable>, JournalError> {
        let read = || match bytes_of(&File::open(self.path)?)? {
            bytes if bytes.is_empty() => Ok(None),
            bytes => self.decode(&bytes).map(Some),
        };
        read().map_err(JournalError::at(self.path))
    }

    /// Of the file at `path`: the work, the number of its finished subtrees, and of the solutions in them.
    ///
    /// # Errors
    /// [`Refusal::NoJournal`] if it is another file.
    pub fn progress(path: &Path) -> Result<(Header, usize, u128), JournalError> {
        let read = || {
            ensure_file_or_none(path)?;
            let saved = Saved::of(&bytes_of(&File::open(path)?)?)?;
            Ok((saved.work, saved.finished.len(), saved.solutions))
        };
        read().map_err(JournalError::at(path))
    }

    fn decode(&self, bytes: &[u8]) -> Result<PartialTable, Refusal> {
        let saved = Saved::of(bytes)?;
        let differences = self.work.differences(&saved.work);
        if !differences.is_empty() {
            return Err(Refusal::OtherWork(differences));
        }
        let mut is_finished = vec![false; self.work.subtrees];
        for &subtree in &saved.finished {
            match is_finished.get_mut(subtree) {
                None => return Err(Refusal::UnknownSubtree(subtree)),
                Some(true) => return Err(Refusal::Contradiction(subtree)),
                Some(seen) => *seen = true,
            }
        }
        if saved.cells.len() > self.cells {
            return Err(Refusal::Header);
        }
        let table = Table::of_numbers(saved.solutions, saved.cells);
        Ok(PartialTable { finished: saved.finished, table })
    }

    /// Saves `made` in place of what the file had.
    ///
    /// # Errors
    /// What the operating system says, with the path.
    pub fn write(&mut self, made: &PartialTable) -> io::Result<()> {
        let saved = Saved {
            work: self.work.clone(),
            finished: made.finished.clone(),
            solutions: made.table.solutions(),
            cells: made.table.cells().to_vec(),
        };
        let mut text = MAGIC.to_owned() + &serde_json::to_string(&saved)? + "\n";
        text += &format!("{:08x}\n", crc32fast::hash(text.as_bytes()));
        self.replace(text.as_bytes()).map_err(|error| {
            io::Error::new(error.kind(), format!("table {}: {error}", self.path.display()))
        })
    }

    fn replace(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut file = WholeFile::create(self.path)?;
        file.write_all(bytes)?;
        let handle = file.handle()?;
        // Nobody else has the new file yet. Where nothing can be locked, the first file was not either.
        let _ = handle.try_lock();
        file.finish()?;
        self.locked[1] = Some(handle);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CellSum, Stop, Stopped};

    struct Named(&'static str);

    impl Tabulate for Named {
        fn cells(&self) -> usize {
            2
        }

        fn subtrees(&self) -> usize {
            3
        }

        fn tabulate(&self, _: usize, _: &Stop) -> Result<Table, Stopped> {
            Err(Stopped)
        }

        fn first(&self, _: u64, _: &Stop) -> Result<Table, Stopped> {
            Err(Stopped)
        }

        fn sums(&self) -> Vec<CellSum> {
            Vec::new()
        }

        fn identity(&self) -> String {
            self.0.to_owned()
        }
    }

    #[test]
    fn what_is_written_is_read_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = &folder.path().join("t");
        let mut file = TableFile::new(path, &Named("a n=1")).unwrap();
        assert_eq!(file.read().unwrap(), None);
        let table = Table::of_numbers(u128::MAX, vec![1, u128::MAX]);
        let made = PartialTable { finished: vec![2, 0], table };
        file.write(&made).unwrap();
        assert_eq!(file.read().unwrap().as_ref(), Some(&made));
        let (work, finished, solutions) = TableFile::progress(path).unwrap();
        assert_eq!(
            (&*work.identity, work.subtrees, finished, solutions),
            ("a n=1", 3, 2, u128::MAX)
        );
        // Under either name that the file had, and until the tally ends.
        let second = TableFile::new(path, &Named("a n=1")).unwrap_err().reason;
        assert!(matches!(second, Refusal::Locked), "{second}");
        drop(file);
        let other = TableFile::new(path, &Named("a n=2")).unwrap();
        let refused = other.read().unwrap_err().reason;
        assert!(matches!(&refused, Refusal::OtherWork(why) if why.len() == 1), "{refused}");
        assert!(matches!(TableFile::new(path, &Named("")).unwrap_err().reason, Refusal::Unnamed));
        drop(other);

        let file = TableFile::new(path, &Named("a n=1")).unwrap();
        let whole = std::fs::read(path).unwrap();
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 1;
            std::fs::write(path, damaged).unwrap();
            file.read().unwrap_err();
            std::fs::write(path, &whole[..at]).unwrap();
            // Whoever was killed before the first saving leaves an empty file.
            assert!(
                file.read().is_ok_and(|saved| saved.is_none() && at == 0)
                    || at > 0 && file.read().is_err()
            );
        }
    }

    #[test]
    fn subtrees_that_are_none_or_stand_twice_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = &folder.path().join("t");
        let mut file = TableFile::new(path, &Named("a")).unwrap();
        for (finished, wrong) in [(vec![0, 3], 3), (vec![1, 1], 1)] {
            file.write(&PartialTable { finished, table: Table::new(2) }).unwrap();
            match file.read().unwrap_err().reason {
                Refusal::UnknownSubtree(found) | Refusal::Contradiction(found) => {
                    assert_eq!(found, wrong);
                }
                refused => panic!("{refused}"),
            }
        }
        file.write(&PartialTable { finished: vec![], table: Table::new(3) }).unwrap();
        assert!(matches!(file.read().unwrap_err().reason, Refusal::Header));
    }
}
