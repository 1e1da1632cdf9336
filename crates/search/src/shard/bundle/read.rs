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
        for name in SUMMED {
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
        let expected: String =
            SUMMED.iter().map(|name| format!("{}  {name}\n", listed[*name])).collect();
        if sums != expected.as_bytes() {
            let what = "found other lines than those of the four files, expected them alone";
            return Err(BundleError::wrong(&path, what));
        }
        let list = folder.join(SHARDS);
        let ShardList { work, shards } =
            ShardList::read(&list).map_err(|error| BundleError::wrong(&list, error.to_string()))?;
        // Before anything is made for each shard: `work` may state any number of them.
        compare_numbers(&list, &shards, &work)?;
        let path = folder.join(SUBTOTALS);
        let subtotals = subtotals(&path, &files[SUBTOTALS], work.shards)?;
        if subtotals.len() != work.subtrees {
            let found = subtotals.len();
            let expected = work.subtrees;
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

/// The subtotal of each subtree. The lines must be those that [`Bundle::write`] writes, byte for
/// byte: other programs read them too, and must not see other numbers than this one.
fn subtotals(path: &Path, compressed: &[u8], shards: usize) -> Result<Vec<Subtotal>, BundleError> {
    // All members, as `zcat` does, and unlike it nothing behind them.
    let mut lines = BufReader::new(MultiGzDecoder::new(compressed));
    let mut subtotals = Vec::new();
    for number in 1.. {
        let mut line = Vec::new();
        let mut piece = lines.by_ref().take(MAX_LINE_BYTES);
        piece.read_until(b'\n', &mut line).map_err(BundleError::file(path))?;
        let wrong = |expected: String| {
            let found = line.strip_suffix(b"\n").unwrap_or(&line).escape_ascii();
            let what = format!("line {number}: found '{found}', expected {expected}");
            BundleError::wrong(path, what)
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
                let line =
                    format!("subtree {id}, a shard below {shards}, a number and a line break");
                return Err(wrong(format!("{line}, without further signs")));
            }
        }
    }
    Ok(subtotals)
}

/// The subtree, the shard and the subtotal of a line; `None` if the writer would have written them otherwise,
/// for example without a plus sign.
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
fn compare_numbers(path: &Path, listed: &[ShardRecord], work: &Work) -> Result<(), BundleError> {
    let wrong = |what: String| Err(BundleError::wrong(path, what));
    if let Err(what) = work.check_shards() {
        return wrong(what);
    }
    for (place, record) in listed.iter().enumerate() {
        let shard = record.shard;
        if listed[..place].last().is_some_and(|before| before.shard == shard) {
            return wrong(format!("shard {shard} is listed twice"));
        }
        if shard != place {
            return wrong(format!("found shard {shard}, expected shard {place}"));
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
fn compare(path: &Path, listed: &[ShardRecord], found: &[ShardRecord]) -> Result<(), BundleError> {
    let wrong = |what: String| Err(BundleError::wrong(path, what));
    for (record, found) in listed.iter().zip(found) {
        let shard = record.shard;
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
    Ok(())
}
