//! *Sealed* files: JSON that names its format and carries a checksum of its own contents.

use std::io;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use base::durable::write_whole;

/// The contents of a sealed file. The checksum covers the format and the value, without line breaks and
/// indentation.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SealedJson<T> {
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
    what: SealErrorKind,
}

#[derive(Debug, thiserror::Error)]
enum SealErrorKind {
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
    /// Whether the file could be read but its contents are wrong. Reading it again will not help then.
    pub fn is_damage(&self) -> bool {
        !matches!(self.what, SealErrorKind::Io(_))
    }
}

/// A value that is stored as a sealed file of its own.
pub trait SealedFile: Serialize + DeserializeOwned {
    /// The name of the format, with a number that changes whenever the format does.
    const FORMAT: &'static str;
    /// Whether the JSON is indented, for people to read.
    const INDENTED: bool;

    /// The bytes of the file.
    ///
    /// # Errors
    /// If it has no JSON form.
    fn encode(&self) -> io::Result<Vec<u8>> {
        let crc32 = checksum(Self::FORMAT, &serde_json::to_vec(self)?);
        let sealed = SealedJson { format: Self::FORMAT.to_owned(), content: self, crc32 };
        let encode = if Self::INDENTED { serde_json::to_vec_pretty } else { serde_json::to_vec };
        let mut text = encode(&sealed)?;
        text.push(b'\n');
        Ok(text)
    }

    /// Writes it to `path`, whole or not at all.
    ///
    /// # Errors
    /// The operating system's error, or a value that has no JSON form.
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
            let not_json = |error| SealErrorKind::Json(Self::FORMAT, error);
            // The format is checked first: another format may have other fields, which would look like damage.
            let FormatField { format: found } = serde_json::from_slice(&text).map_err(not_json)?;
            if found != Self::FORMAT {
                return Err(SealErrorKind::Format { found, expected: Self::FORMAT });
            }
            let sealed: SealedJson<Self> = serde_json::from_slice(&text).map_err(not_json)?;
            let expected =
                checksum(Self::FORMAT, &serde_json::to_vec(&sealed.content).map_err(not_json)?);
            if sealed.crc32 != expected {
                return Err(SealErrorKind::Checksum { found: sealed.crc32, expected });
            }
            Ok(sealed.content)
        };
        decode().map_err(|what| SealError { path: path.to_owned(), what })
    }
}

#[derive(Deserialize)]
struct FormatField {
    format: String,
}

/// Whether the file at `path` is undamaged and in another version of `T`'s format: the names differ in their
/// number only. Indented files are not recognised, since their checksum does not cover the indentation.
pub(super) fn is_of_other_version<T: SealedFile>(path: &Path) -> bool {
    #[derive(Deserialize)]
    struct RawFile<'a> {
        format: String,
        #[serde(borrow)]
        content: &'a RawValue,
        crc32: String,
    }
    let kind = |format: &str| format.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned();
    let text = std::fs::read(path).unwrap_or_default();
    serde_json::from_slice(&text).is_ok_and(|RawFile { format, content, crc32 }| {
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
