//! Reads a bundle and makes all checks that need no counting.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, ErrorKind, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;

use super::{
    Bundle, BundleError, PLAN, SHARDS, SUBTOTALS, SUMMED, SUMS, SealedFile, ShardList, ShardRecord,
    Subtotal, TITLE_LINE, Work, sha256, shard_records, subtotal_line,
};
use crate::Tally;

/// Upper bound on the bytes of a line of subtotals that are read. The longest line that is written
/// has 82: numbers of 20, 20 and 39 digits, two commas and a line break.
const MAX_LINE_BYTES: u64 = 100;

impl Bundle {
    /// Reads the bundle in `folder`, and returns it with its fingerprint. Checks that the files are unchanged since the
    /// bundle was made, that it has each subtree once, and that the sums and checksums of the shards follow from its
    /// subtotals. The caller has to read the plan at [`Bundle::plan`] and to compare it with [`Bundle::work`].
    pub fn read(folder: &Path) -> Result<(Self, String), BundleError> {
        let sums_path = folder.join(SUMS);
        let sums = fs::read(&sums_path).map_err(|error| match error.kind() {
            ErrorKind::NotFound => BundleError::file(folder)(format!(
                "found no {SUMS} in it, expected a folder that `cluster bundle` made"
            )),
            _ => BundleError::file(&sums_path)(error),
        })?;
        let files = read_unchanged(folder, &sums_path, &sums)?;
        let list_path = folder.join(SHARDS);
        let ShardList { work, shards } =
            ShardList::read(&list_path).map_err(BundleError::file(&list_path))?;
        // Before anything is made for each shard: `work` may state any number of them.
        check_numbers(&list_path, &shards, &work)?;
        let subtotals_path = folder.join(SUBTOTALS);
        let subtotals = parse_subtotals(&subtotals_path, &files[SUBTOTALS], work.shards)?;
        if subtotals.len() != work.subtrees {
            let found = subtotals.len();
            let expected = work.subtrees;
            let what = format!("found {found} subtrees, expected {expected} by {SHARDS}");
            return Err(BundleError::file(&subtotals_path)(what));
        }
        check_records(&list_path, &shards, &shard_records(work.shards, &subtotals)?)?;
        Ok((Self { work, shards, subtotals }, sha256(&sums)))
    }

    /// The plan of the bundle in `folder`.
    pub fn plan(folder: &Path) -> std::path::PathBuf {
        folder.join(PLAN)
    }
}

/// The bytes of the files that `sums` lists, by name. Fails unless they have the checksums that `sums` states, and `sums`
/// lists nothing else.
fn read_unchanged(
    folder: &Path,
    sums_path: &Path,
    sums: &[u8],
) -> Result<BTreeMap<&'static str, Vec<u8>>, BundleError> {
    let listed = parse_sums(sums_path, sums)?;
    let mut files = BTreeMap::new();
    for name in SUMMED {
        let path = folder.join(name);
        let bytes = fs::read(&path).map_err(BundleError::file(&path))?;
        let Some(expected) = listed.get(name) else {
            return Err(BundleError::file(sums_path)(format!("found no line for {name}")));
        };
        let found = sha256(&bytes);
        if found != *expected {
            return Err(BundleError::file(&path)(format!(
                "found SHA-256 {found}, expected {expected} by SHA256SUMS; the file was changed or cut after the \
                 bundle was made, so fetch it again"
            )));
        }
        files.insert(name, bytes);
    }
    let expected: String =
        SUMMED.iter().map(|name| format!("{}  {name}\n", listed[*name])).collect();
    if sums != expected.as_bytes() {
        let what = "found other lines than those of the four files, expected them alone";
        return Err(BundleError::file(sums_path)(what));
    }
    Ok(files)
}

/// The checksums by name, from text in the format of `sha256sum`.
fn parse_sums(path: &Path, sums: &[u8]) -> Result<BTreeMap<String, String>, BundleError> {
    let mut listed = BTreeMap::new();
    for (number, line) in (1..).zip(String::from_utf8_lossy(sums).lines()) {
        let Some((sum, name)) = line.split_once("  ") else {
            let what = format!("line {number}: found '{line}', expected a SHA-256 and a name");
            return Err(BundleError::file(path)(what));
        };
        if listed.insert(name.to_owned(), sum.to_owned()).is_some() {
            return Err(BundleError::file(path)(format!("line {number}: {name} is listed twice")));
        }
    }
    Ok(listed)
}

/// The subtotal of each subtree. The lines must be those that [`Bundle::write`] writes, byte for
/// byte: other programs read them too, and must not see other numbers than this one.
fn parse_subtotals(
    path: &Path,
    compressed: &[u8],
    shards: usize,
) -> Result<Vec<Subtotal>, BundleError> {
    // Reads all members of the gzip file, as `zcat` does. Unlike `zcat` it refuses other bytes behind them.
    let mut lines = BufReader::new(MultiGzDecoder::new(compressed));
    let mut subtotals = Vec::new();
    for number in 1.. {
        let mut line = Vec::new();
        let mut limited = lines.by_ref().take(MAX_LINE_BYTES);
        limited.read_until(b'\n', &mut line).map_err(BundleError::file(path))?;
        let wrong = |expected: String| {
            let found = line.strip_suffix(b"\n").unwrap_or(&line).escape_ascii();
            BundleError::file(path)(format!("line {number}: found '{found}', expected {expected}"))
        };
        if number == 1 {
            if line != format!("{TITLE_LINE}\n").as_bytes() {
                return Err(wrong(format!("'{TITLE_LINE}'")));
            }
            continue;
        }
        if line.is_empty() {
            break;
        }
        let id = subtotals.len();
        match parse_line(&line) {
            Some((found, subtotal)) if found == id && subtotal.shard < shards => {
                subtotals.push(subtotal);
            }
            Some((found, _)) if found < id => {
                return Err(wrong(format!("subtree {id}: subtree {found} is there twice")));
            }
            _ => {
                return Err(wrong(format!(
                    "subtree {id}, a shard below {shards}, a number and a line break, without further signs"
                )));
            }
        }
    }
    Ok(subtotals)
}

/// The subtree, the shard and the subtotal of a line. `None` if [`Bundle::write`] would not write the line so, for example
/// one with a plus sign before a number.
fn parse_line(line: &[u8]) -> Option<(usize, Subtotal)> {
    let text = std::str::from_utf8(line).ok()?.strip_suffix('\n')?;
    let (id, rest) = text.split_once(',')?;
    let (shard, solutions) = rest.split_once(',')?;
    let id = id.parse().ok()?;
    let shard = shard.parse().ok()?;
    let tally = Tally::new(solutions.parse::<u128>().ok()?);
    let subtotal = Subtotal { shard, tally };
    (subtotal_line(id, subtotal).as_bytes() == line).then_some((id, subtotal))
}

/// Fails unless the `listed` shards have the numbers of the shards of `work`, in their order.
fn check_numbers(path: &Path, listed: &[ShardRecord], work: &Work) -> Result<(), BundleError> {
    let wrong = |what: String| Err(BundleError::file(path)(what));
    work.check_shards().map_err(BundleError::file(path))?;
    for (expected, record) in listed.iter().enumerate() {
        let shard = record.shard;
        // The shards before this one have the expected numbers.
        if expected.checked_sub(1) == Some(shard) {
            return wrong(format!("shard {shard} is listed twice"));
        }
        if shard != expected {
            return wrong(format!("found shard {shard}, expected shard {expected}"));
        }
        if shard >= work.shards {
            return wrong(format!("found shard {shard}, expected 0 to {}", work.shards - 1));
        }
    }
    if listed.len() != work.shards {
        return wrong(format!("found {} shards, expected {}", listed.len(), work.shards));
    }
    Ok(())
}

/// Fails unless the `listed` shards agree with `found`, which was computed from the subtotals. Provenance is not
/// compared.
fn check_records(
    path: &Path,
    listed: &[ShardRecord],
    found: &[ShardRecord],
) -> Result<(), BundleError> {
    let wrong = |what: String| Err(BundleError::file(path)(what));
    for (record, found) in listed.iter().zip(found) {
        let shard = record.shard;
        let [here, there] = [record, found].map(|it| (it.subtrees, it.solutions.solutions()));
        if here != there {
            return wrong(format!(
                "shard {shard} has {} subtrees with {} solutions here, {} with {} in {SUBTOTALS}",
                here.0, here.1, there.0, there.1
            ));
        }
        if record.sha256 != found.sha256 {
            return wrong(format!(
                "shard {shard}: its lines in {SUBTOTALS} have SHA-256 {}, expected {}",
                found.sha256, record.sha256
            ));
        }
    }
    Ok(())
}
