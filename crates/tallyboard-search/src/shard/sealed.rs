//! *Sealed* files: JSON that names its format and carries a checksum of its own contents.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use tallyboard_files::whole::write_whole;

/// The length of a beginning of a sealed file that contains the name of its format, whether indented or not.
const HEAD_BYTES: u64 = 256;

/// The contents of a sealed file. The checksum covers the format and the value, without line breaks and indentation.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SealedJson<T> {
    format: String,
    content: T,
    crc32: String,
}

/// Why a sealed file cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}: {kind}", path.display())]
pub struct SealError {
    /// The file.
    pub path: PathBuf,
    kind: SealErrorKind,
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
    #[error("{0}")]
    Contents(String),
}

impl SealError {
    /// Whether the file could be read but its contents are wrong. Reading it again will not help then.
    pub fn is_damage(&self) -> bool {
        !matches!(self.kind, SealErrorKind::Io(_))
    }
}

/// A value that is stored as a sealed file of its own.
pub trait SealedFile: Serialize + DeserializeOwned {
    /// The name of the format, with a number that changes whenever the format does.
    const FORMAT: &'static str;
    /// Whether the JSON is indented, for people to read.
    const INDENTED: bool;

    /// Fails if no program writes this value, with a phrase that says what was found and what was expected.
    fn check(&self) -> Result<(), String> {
        Ok(())
    }

    /// The bytes of the file; an error if the value has no JSON form.
    fn encode(&self) -> io::Result<Vec<u8>> {
        let crc32 = checksum(Self::FORMAT, &serde_json::to_vec(self)?);
        let sealed = SealedJson { format: Self::FORMAT.to_owned(), content: self, crc32 };
        let encode = if Self::INDENTED { serde_json::to_vec_pretty } else { serde_json::to_vec };
        let mut text = encode(&sealed)?;
        text.push(b'\n');
        Ok(text)
    }

    /// Writes the value to `path`, whole or not at all.
    fn write(&self, path: &Path) -> Result<(), SealError> {
        let written = self.encode().and_then(|text| write_whole(path, &text));
        written.map_err(|error| SealError { path: path.to_owned(), kind: error.into() })
    }

    /// Reads the value in the file at `path`.
    ///
    /// # Errors
    /// If the file cannot be read, is in another format, is damaged, or has a value that [`check`](Self::check)
    /// refuses.
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
            sealed.content.check().map_err(SealErrorKind::Contents)?;
            Ok(sealed.content)
        };
        decode().map_err(|kind| SealError { path: path.to_owned(), kind })
    }
}

/// The format of a sealed file, whose other fields are not read.
#[derive(Deserialize)]
struct FormatField {
    format: String,
}

/// Whether the file at `path` is undamaged and in another version of `T`'s format. The names of versions differ in their
/// number only. Indented files are not recognised, since their checksum does not cover the indentation.
pub(super) fn is_of_other_version<T: SealedFile>(path: &Path) -> bool {
    #[derive(Deserialize)]
    struct RawFile<'a> {
        format: String,
        #[serde(borrow)]
        content: &'a RawValue,
        crc32: String,
    }
    fn without_number(format: &str) -> &str {
        format.trim_end_matches(|c: char| c.is_ascii_digit())
    }
    let text = std::fs::read(path).unwrap_or_default();
    serde_json::from_slice(&text).is_ok_and(|RawFile { format, content, crc32 }| {
        format != T::FORMAT
            && without_number(&format) == without_number(T::FORMAT)
            && crc32 == checksum(&format, content.get().as_bytes())
    })
}

/// Whether the file at `path` begins as a plan or a result of any version. Other output must not replace such a file.
pub fn is_plan_or_result(path: &Path) -> bool {
    // A pipe or a device would block.
    if !path.is_file() {
        return false;
    }
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(HEAD_BYTES).read_to_end(&mut head));
    // Without white space, indented files begin as others do.
    head.retain(|byte| !byte.is_ascii_whitespace());
    let formats = [&br#"{"format":"tallyboardplan"#[..], br#"{"format":"tallyboardresult"#];
    read.is_ok() && formats.iter().any(|format| head.starts_with(format))
}

fn checksum(format: &str, content: &[u8]) -> String {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(format.as_bytes());
    hasher.update(content);
    format!("{:08x}", hasher.finalize())
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;

    use super::*;
    use crate::Costs;
    use crate::shard::{Plan, ShardResult, Work};
    use tallyboard_files::calls::{Call, fail_each};

    /// Writes `after` over `before`, with each call failing in turn.
    fn write_over<T: SealedFile + PartialEq + std::fmt::Debug>(before: &T, after: &T) {
        use Call::*;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sealed.json");
        let check = |calls: &[Call], error: SealError| {
            assert!(!error.is_damage() && error.to_string().contains("sealed.json: "), "{error}");
            let is_in_place = calls.contains(&OpenFolder);
            let expected = if is_in_place { after } else { before };
            assert_eq!(&T::read(&path).unwrap(), expected, "{calls:?}");
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "{calls:?} left something");
        };
        let calls = fail_each(|| before.write(&path).unwrap(), || after.write(&path), check);
        assert_eq!(calls, [Create, Write, Sync, Rename, OpenFolder, SyncFolder]);
        assert_eq!(&T::read(&path).unwrap(), after);
    }

    #[test]
    fn plans_and_results_are_written_whole_or_not_and_any_failure_is_reported() {
        let work = |identity: &str| Work::new(identity, 2, &Costs::equal(3));
        let plan = |identity| Plan { job: 5, work: work(identity), forecast: None };
        write_over(&plan("before"), &plan("after"));
        let result = |body| ShardResult { work: work("one"), shard: 1, body, provenance: None };
        write_over(&result(7), &result(8));
    }
}
