//! Reads a bundle and makes all checks that need no counting.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, ErrorKind};
use std::path::Path;

use flate2::read::GzDecoder;

use super::{
    Bundle, BundleError, PLAN, README, SHARDS, SUBTOTALS, SUMS, SealedFile, ShardList, ShardRecord,
    TITLE_LINE, sha256, shard_records,
};
use crate::Tally;

impl Bundle {
    /// Reads the bundle in `folder`, and returns it with its fingerprint. Checks that the files are unchanged
    /// since the bundle was made, that it has each subtree once, and that the sums and checksums of the shards
    /// follow from its subtotals. The caller has to read the plan at [`Bundle::plan`] and to compare it with
    /// [`Bundle::work`].
    ///
    /// # Errors
    /// [`BundleError`] names the file and what is wrong with it.
    pub fn read(folder: &Path) -> Result<(Self, String), BundleError> {
        let path = folder.join(SUMS);
        let sums = fs::read(&path).map_err(|error| match error.kind() {
            ErrorKind::NotFound => BundleError::wrong(
                folder,
                format!("found no {SUMS} in it, expected a folder that `cluster bundle` made"),
            ),
            _ => BundleError::file(&path)(error),
        })?;
        let listed = parse_sums(&path, &sums)?;
        let mut files = BTreeMap::new();
        for name in [README, PLAN, SHARDS, SUBTOTALS] {
            let file = folder.join(name);
            let bytes = fs::read(&file).map_err(BundleError::file(&file))?;
            let Some(expected) = listed.get(name) else {
                return Err(BundleError::wrong(&path, format!("found no line for {name}")));
            };
            let found = sha256(&bytes);
            if found != *expected {
                let expected = expected.clone();
                return Err(BundleError::Changed { path: file, found, expected });
            }
            files.insert(name, bytes);
        }
        let list = folder.join(SHARDS);
        let ShardList { work, shards } =
            ShardList::read(&list).map_err(|error| BundleError::wrong(&list, error.to_string()))?;
        let path = folder.join(SUBTOTALS);
        let subtotals = subtotals(&path, &files[SUBTOTALS], work.shards)?;
        if subtotals.len() != work.subtrees {
            let (found, expected) = (subtotals.len(), work.subtrees);
            let what = format!("found {found} subtrees, expected {expected} by {SHARDS}");
            return Err(BundleError::wrong(&path, what));
        }
        compare(&list, &shards, &shard_records(work.shards, &subtotals)?)?;
        Ok((Self { work, shards, subtotals }, sha256(&sums)))
    }

    /// The plan of the bundle in `folder`.
    pub fn plan(folder: &Path) -> std::path::PathBuf {
        folder.join(PLAN)
    }
}

/// The checksums by name, in the format of `sha256sum`.
fn parse_sums(path: &Path, sums: &[u8]) -> Result<BTreeMap<String, String>, BundleError> {
    let mut listed = BTreeMap::new();
    for (number, line) in (1..).zip(String::from_utf8_lossy(sums).lines()) {
        let Some((sum, name)) = line.split_once("  ") else {
            let what = format!("line {number}: found '{line}', expected a SHA-256 and a name");
            return Err(BundleError::wrong(path, what));
        };
        if listed.insert(name.to_owned(), sum.to_owned()).is_some() {
            return Err(BundleError::wrong(path, format!("line {number}: {name} is listed twice")));
        }
    }
    Ok(listed)
}

/// The shard and the subtotal of each subtree, whose lines must be in the order of their numbers.
fn subtotals(
    path: &Path,
    compressed: &[u8],
    shards: usize,
) -> Result<Vec<(usize, Tally)>, BundleError> {
    let mut subtotals = Vec::new();
    for (number, line) in (1..).zip(BufReader::new(GzDecoder::new(compressed)).lines()) {
        let line = line.map_err(BundleError::file(path))?;
        let wrong = |expected: String| {
            let what = format!("line {number}: found '{line}', expected {expected}");
            BundleError::wrong(path, what)
        };
        if number == 1 {
            if line != TITLE_LINE {
                return Err(wrong(format!("'{TITLE_LINE}'")));
            }
            continue;
        }
        let id = subtotals.len();
        let fields: Vec<&str> = line.split(',').collect();
        let parsed = match fields[..] {
            [found, shard, solutions] => found
                .parse::<usize>()
                .ok()
                .zip(shard.parse::<usize>().ok().filter(|&shard| shard < shards))
                .zip(solutions.parse::<u128>().ok()),
            _ => None,
        };
        match parsed {
            Some(((found, shard), solutions)) if found == id => {
                subtotals.push((shard, Tally::new(solutions)));
            }
            Some(((found, _), _)) if found < id => {
                return Err(wrong(format!("subtree {id}: subtree {found} is there twice")));
            }
            _ => return Err(wrong(format!("subtree {id}, a shard below {shards}, a number"))),
        }
    }
    Ok(subtotals)
}

/// Fails unless the `listed` shards agree with `found`, which was computed from the subtotals. Provenance is not
/// compared.
fn compare(path: &Path, listed: &[ShardRecord], found: &[ShardRecord]) -> Result<(), BundleError> {
    let wrong = |what: String| Err(BundleError::wrong(path, what));
    for (place, record) in listed.iter().enumerate() {
        let shard = record.shard;
        if listed[..place].last().is_some_and(|before| before.shard == shard) {
            return wrong(format!("shard {shard} is listed twice"));
        }
        if shard != place {
            return wrong(format!("found shard {shard}, expected shard {place}"));
        }
        let Some(found) = found.get(shard) else {
            return wrong(format!("found shard {shard}, expected 0 to {}", found.len() - 1));
        };
        if record.subtrees != found.subtrees || record.solutions != found.solutions {
            return wrong(format!(
                "shard {shard} has {} subtrees with {} solutions here, {} with {} in {SUBTOTALS}",
                record.subtrees,
                record.solutions.solutions(),
                found.subtrees,
                found.solutions.solutions()
            ));
        }
        if record.sha256 != found.sha256 {
            return wrong(format!(
                "shard {shard}: its lines in {SUBTOTALS} have SHA-256 {}, expected {}",
                found.sha256, record.sha256
            ));
        }
    }
    if listed.len() != found.len() {
        return wrong(format!("found {} shards, expected {}", listed.len(), found.len()));
    }
    Ok(())
}
