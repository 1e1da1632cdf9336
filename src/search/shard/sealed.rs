//! JSON files that name their format and carry a checksum of their own contents.

use std::io;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::durable::write_whole;

/// A value with its format and a checksum of both. The checksum leaves out line breaks and indentation.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sealed<T> {
    format: String,
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
    #[error("expected a file in the format '{0}': {1}")]
    Json(&'static str, serde_json::Error),
    #[error("found the format '{found}', expected '{expected}'")]
    Format { found: String, expected: &'static str },
    #[error("the file is damaged: its checksum is {found}, its contents have {expected}")]
    Checksum { found: String, expected: String },
}

impl SealError {
    /// Whether the file was read, and is wrong: reading it again will not help.
    pub fn is_damage(&self) -> bool {
        !matches!(self.what, What::Io(_))
    }
}

/// Values that are stored one to a file, with the name of the format and a checksum.
pub trait InFile: Serialize + DeserializeOwned {
    /// The name of the format; its number changes with it.
    const FORMAT: &'static str;
    /// Whether the JSON is indented, for people to read.
    const INDENTED: bool;

    /// The bytes of the file.
    ///
    /// # Errors
    /// If it has no JSON form.
    fn encode(&self) -> io::Result<Vec<u8>> {
        let crc32 = checksum(Self::FORMAT, &serde_json::to_vec(self)?);
        let sealed = Sealed { format: Self::FORMAT.to_owned(), content: self, crc32 };
        let encode = if Self::INDENTED { serde_json::to_vec_pretty } else { serde_json::to_vec };
        let mut text = encode(&sealed)?;
        text.push(b'\n');
        Ok(text)
    }

    /// Writes it to `path`, whole or not at all.
    ///
    /// # Errors
    /// What the operating system says; contents that have no JSON form.
    fn write(&self, path: &Path) -> Result<(), SealError> {
        let written = self.encode().and_then(|text| write_whole(path, &text));
        written.map_err(|error| SealError { path: path.to_owned(), what: error.into() })
    }

    /// Reads the value in the file at `path`.
    ///
    /// # Errors
    /// If the file cannot be read, is in another format, or is damaged.
    fn read(path: &Path) -> Result<Self, SealError> {
        let decode = || {
            let text = std::fs::read(path)?;
            let not_json = |error| What::Json(Self::FORMAT, error);
            // The format first: another one may have other fields, which would look like damage.
            let Headed { format: found } = serde_json::from_slice(&text).map_err(not_json)?;
            if found != Self::FORMAT {
                return Err(What::Format { found, expected: Self::FORMAT });
            }
            let sealed: Sealed<Self> = serde_json::from_slice(&text).map_err(not_json)?;
            let expected =
                checksum(Self::FORMAT, &serde_json::to_vec(&sealed.content).map_err(not_json)?);
            if sealed.crc32 != expected {
                return Err(What::Checksum { found: sealed.crc32, expected });
            }
            Ok(sealed.content)
        };
        decode().map_err(|what| SealError { path: path.to_owned(), what })
    }
}

#[derive(Deserialize)]
struct Headed {
    format: String,
}

/// Whether the file at `path` is undamaged and in the format of another version of `T`, one that differs in
/// its number only. Does not recognise indented files, whose checksum leaves the indentation out.
pub(super) fn is_of_other_version<T: InFile>(path: &Path) -> bool {
    #[derive(Deserialize)]
    struct Raw<'a> {
        format: String,
        #[serde(borrow)]
        content: &'a RawValue,
        crc32: String,
    }
    let kind = |format: &str| format.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned();
    let text = std::fs::read(path).unwrap_or_default();
    serde_json::from_slice(&text).is_ok_and(|Raw { format, content, crc32 }| {
        format != T::FORMAT
            && kind(&format) == kind(T::FORMAT)
            && crc32 == checksum(&format, content.get().as_bytes())
    })
}

fn checksum(format: &str, content: &[u8]) -> String {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(format.as_bytes());
    hasher.update(content);
    format!("{:08x}", hasher.finalize())
}
