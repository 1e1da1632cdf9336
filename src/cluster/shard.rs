//! One shard of a plan: where its files are, and how it fails.

use std::fs::DirEntry;
use std::path::{Path, PathBuf};

use anyhow::{Error, anyhow};
use search::shard::{Provenance, SealedFile, ShardResult, Work, file_name, other_work};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::terminal::args::Args;
use crate::terminal::exit_status::ExitStatus;
use crate::terminal::print::{eprint_line, info};
use crate::terminal::signals::Interrupt;

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

    /// The result of this shard, if it is there and sound.
    ///
    /// # Errors
    /// If the file has the result of another plan or shard, or cannot be read.
    pub fn result<B: Serialize + DeserializeOwned>(&self) -> Result<Option<B>, Failure> {
        let path = self.path("json");
        if !path.exists() {
            return Ok(None);
        }
        let error = match ShardResult::<B>::read(&path) {
            Ok(result) if result.belongs_to(self.work) && result.shard == self.number => {
                return Ok(Some(result.body));
            }
            Ok(_) => return Err(is_taken(&path, other_work(&path, self.work).as_deref())),
            Err(error) => error,
        };
        if !error.is_damage() {
            return Err(error.into());
        }
        // A sound result of another plan may look damaged, because its body has other fields.
        if let Some(how) = other_work(&path, self.work) {
            return Err(is_taken(&path, Some(&how)));
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
            return Err(is_taken(&path, Some(&how)));
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

/// The failure if the file for the result at `path` holds one of another plan or shard. `how` says what differs in the
/// work, if anything does.
fn is_taken(path: &Path, how: Option<&str>) -> Failure {
    Failure::permanent(anyhow!(
        "{}: found a result of another plan, shard or version; use a folder for each plan ({})",
        path.display(),
        how.unwrap_or("its shard has another number")
    ))
}

/// The files that shards have left in `folder`, if it is there.
pub fn files_of_shards(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let is_of_shard =
        |entry: &DirEntry| entry.file_name().as_encoded_bytes().starts_with(b"shard-");
    entries.filter(is_of_shard).map(|entry| entry.path()).collect()
}
