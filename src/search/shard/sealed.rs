//! JSON files that carry a checksum of their own contents.

use std::io;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::search::durable::write_whole;

/// A value with the checksum of its JSON form. Every byte that means something is covered; line
/// breaks and indentation are free.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sealed<T> {
    content: T,
    crc32: String,
}

/// Why a sealed file cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}: {what}", path.display())]
pub struct SealError {
    /// The file.
    pub path: PathBuf,
    what: What,
}

#[derive(Debug, thiserror::Error)]
enum What {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("found no {0} of this program's: {1}")]
    Json(&'static str, serde_json::Error),
    #[error("the file is damaged: its checksum is {found}, its contents have {expected}")]
    Checksum { found: String, expected: String },
}

impl SealError {
    /// Whether the file was read, and is wrong: reading it again will not help.
    pub fn is_damage(&self) -> bool {
        !matches!(self.what, What::Io(_))
    }
}

impl<T: Serialize + DeserializeOwned> Sealed<T> {
    /// Writes `content` to `path`, whole or not at all, indented if people are to read it.
    ///
    /// # Errors
    /// What the operating system says.
    pub fn write(path: &Path, content: T, indented: bool) -> Result<(), SealError> {
        let fail = |what: What| SealError { path: path.to_owned(), what };
        let crc32 = checksum(&content);
        let sealed = Self { content, crc32 };
        let encode = if indented { serde_json::to_vec_pretty } else { serde_json::to_vec };
        let mut text = encode(&sealed).map_err(|error| fail(io::Error::from(error).into()))?;
        text.push(b'\n');
        write_whole(path, &text).map_err(|error| fail(error.into()))
    }

    /// Reads the value at `path`; `kind` names what is expected there.
    ///
    /// # Errors
    /// If the file cannot be read, is something else, or is damaged.
    pub fn read(path: &Path, kind: &'static str) -> Result<T, SealError> {
        let fail = |what: What| SealError { path: path.to_owned(), what };
        let text = std::fs::read(path).map_err(|error| fail(error.into()))?;
        let sealed: Self =
            serde_json::from_slice(&text).map_err(|error| fail(What::Json(kind, error)))?;
        let expected = checksum(&sealed.content);
        if sealed.crc32 != expected {
            return Err(fail(What::Checksum { found: sealed.crc32, expected }));
        }
        Ok(sealed.content)
    }
}

fn checksum(content: &impl Serialize) -> String {
    let text = serde_json::to_vec(content).expect("plain fields have a JSON form");
    format!("{:08x}", crc32fast::hash(&text))
}
