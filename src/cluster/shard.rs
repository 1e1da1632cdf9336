//! One shard of a plan: where its files are, and how it fails.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Error, Result, anyhow};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tallyboard_search::shard::{Provenance, SealedFile, ShardResult, Work, file_name, other_work};

use crate::terminal::{Args, ExitStatus, Interrupt, cannot_read, eprint_line, info};

/// Why a shard has no result, and how the program therefore ends.
pub struct Failure {
    pub error: Error,
    pub ending: ExitStatus,
}

impl Failure {
    /// A failure that another attempt will not mend: the plan, the program or the journal is wrong.
    pub fn permanent(error: impl Into<Error>) -> Self {
        Self { error: error.into(), ending: ExitStatus::Permanent }
    }
}

/// Another attempt may succeed: a full disk, a network that is away.
impl<E: Into<Error>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self { error: error.into(), ending: ExitStatus::Failed }
    }
}

/// One shard of a plan, and where its files are.
pub struct Shard<'a> {
    pub work: &'a Work,
    pub number: usize,
    pub folder: &'a Path,
    pub args: &'a Args,
    pub interrupt: &'a Interrupt,
}

impl Shard<'_> {
    /// The path of one of the shard's files.
    pub fn path(&self, suffix: &str) -> PathBuf {
        self.folder.join(file_name(self.number, suffix))
    }

    /// The result of this shard, if it is there and sound. Fails if the file has the result of another plan or shard,
    /// or cannot be read.
    pub fn result<B: Serialize + DeserializeOwned>(&self) -> Result<Option<B>, Failure> {
        let path = self.path("json");
        if !path.try_exists().with_context(|| cannot_read(&path))? {
            return Ok(None);
        }
        let error = match ShardResult::<B>::read(&path) {
            Ok(result) if result.belongs_to(self.work) && result.shard == self.number => {
                return Ok(Some(result.body));
            }
            Ok(_) => return Err(taken_by_another(&path, other_work(&path, self.work).as_deref())),
            Err(error) => error,
        };
        if !error.is_damage() {
            return Err(error.into());
        }
        // A sound result of another plan may look damaged, because its body has other fields.
        if let Some(how) = other_work(&path, self.work) {
            return Err(taken_by_another(&path, Some(&how)));
        }
        eprint_line(format_args!("{error}; counting the shard again"));
        Ok(None)
    }

    /// Writes the result, unless a shard of another plan has written its own there meanwhile.
    pub fn finish<B: Serialize + DeserializeOwned>(
        &self,
        body: B,
        provenance: Option<Provenance>,
    ) -> Result<(), Failure> {
        let path = self.path("json");
        if let Some(how) = other_work(&path, self.work) {
            return Err(taken_by_another(&path, Some(&how)));
        }
        let work = self.work.clone();
        let shard = self.number;
        ShardResult { work, shard, body, provenance }.write(&path)?;
        Ok(())
    }

    /// Prints a message about the shard, unless the user asked for quiet.
    pub fn info(&self, message: &str) {
        info(self.args, format_args!("shard {}: {message}", self.number));
    }
}

/// The failure of a shard whose file for the result, at `path`, holds the result of another plan or shard. `how` says what
/// differs in the work, if anything does.
fn taken_by_another(path: &Path, how: Option<&str>) -> Failure {
    Failure::permanent(anyhow!(
        "{}: found a result of another plan, shard or version; use a folder for each plan ({})",
        path.display(),
        how.unwrap_or("its shard has another number")
    ))
}

/// The files that shards have left in `folder`; none if there is no such folder. Fails if the folder cannot be read.
pub fn files_of_shards(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = match std::fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.with_context(|| cannot_read(folder))?,
    };
    let mut files = Vec::new();
    for entry in entries {
        let entry = entry.with_context(|| cannot_read(folder))?;
        if entry.file_name().as_encoded_bytes().starts_with(b"shard-") {
            files.push(entry.path());
        }
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_of_shards_are_found_and_a_folder_that_is_not_there_has_none() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("plan.json"), "").unwrap();
        let result = folder.path().join("shard-00000.json");
        std::fs::write(&result, "").unwrap();
        assert_eq!(files_of_shards(folder.path()).unwrap(), [result]);
        assert!(files_of_shards(&folder.path().join("none")).unwrap().is_empty());
    }

    /// Other systems do not tell a path through a file from a path that is not there.
    #[cfg(unix)]
    #[test]
    fn a_folder_that_cannot_be_read_is_an_error_and_not_a_missing_result() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let error = files_of_shards(file.path()).unwrap_err();
        assert!(error.to_string().starts_with("cannot read "), "{error}");
        let work = Work {
            identity: "six".to_owned(),
            shards: 1,
            subtrees: 1,
            costs_fingerprint: String::new(),
        };
        let shard = Shard {
            work: &work,
            number: 0,
            folder: file.path(),
            args: &Args::default(),
            interrupt: &Interrupt::default(),
        };
        let Err(Failure { error, ending }) = shard.result::<u8>() else {
            panic!("a path through a file was taken for a result that is not there")
        };
        assert!(error.to_string().starts_with("cannot read "), "{error}");
        assert_eq!(ending, ExitStatus::Failed);
    }
}
