//! A bundle: all subtotals of a count in shards, in a folder that anyone can check. Its `README.txt`, whose text is
//! below, says what the other files are.
//!
//! The SHA-256 of `SHA256SUMS` is the *fingerprint* of the bundle. Once the fingerprint is published, everybody can see
//! whether a file was changed. A bundle is a folder, not an archive, so that standard tools can read its files.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use tallyboard_files::calls::{Call, fault_point};
use tallyboard_files::whole::{folder_of, sync_name, write_whole};

use super::results::sum;
use super::sealed::SealedFile;
use super::{FolderResults, MergeError, Provenance, Work};
use crate::{Overflow, Tally};

const README: &str = "README.txt";
const PLAN: &str = "plan.json";
const SHARDS: &str = "shards.json";
const SUBTOTALS: &str = "subtotals.csv.gz";
const SUMS: &str = "SHA256SUMS";
/// The files that `SHA256SUMS` lists, in its order.
const SUMMED: [&str; 4] = [README, PLAN, SHARDS, SUBTOTALS];

/// The first line of the subtotals.
const TITLE_LINE: &str = "subtree,shard,solutions";

/// A count in shards: the work of its plan, its subtotals, and who counted them.
#[derive(Debug, Clone, PartialEq)]
pub struct Bundle {
    /// The work that the subtotals belong to.
    pub work: Work,
    /// Each shard, in the order of their numbers.
    pub shards: Vec<ShardRecord>,
    /// The subtotal of each subtree, in the order of their numbers.
    pub subtotals: Vec<Subtotal>,
}

/// The subtotal of a subtree.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Subtotal {
    /// The shard that counted it.
    pub shard: usize,
    /// Its solutions.
    pub tally: Tally,
}

/// What a bundle says about one shard.
#[derive(Debug, Default, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShardRecord {
    /// Its number.
    pub shard: usize,
    /// How many subtrees it has.
    pub subtrees: usize,
    /// The sum of their subtotals.
    pub solutions: Tally,
    /// SHA-256 of its lines `subtree,shard,solutions`, each with its line break.
    pub sha256: String,
    /// Who counted it; none if its result does not say.
    pub provenance: Option<Provenance>,
}

/// The file `shards.json`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ShardList {
    work: Work,
    shards: Vec<ShardRecord>,
}

impl SealedFile for ShardList {
    const FORMAT: &'static str = "tallyboard bundle 1";
    const INDENTED: bool = true;
}

/// Why a bundle cannot be written or trusted.
#[non_exhaustive]
#[derive(Debug, thiserror::Error)]
pub enum BundleError {
    /// A file, and what is wrong with it.
    #[error("{}: {}", .0.display(), .1)]
    File(PathBuf, String),
    /// The results are not those of a whole count.
    #[error(transparent)]
    Merge(#[from] MergeError),
    /// The sum does not fit.
    #[error(transparent)]
    Overflow(#[from] Overflow),
}

impl BundleError {
    /// Adds the `path` to what is wrong.
    fn file<E: ToString>(path: &Path) -> impl FnOnce(E) -> Self {
        |error| Self::File(path.to_owned(), error.to_string())
    }
}

impl Bundle {
    /// The bundle of `collected`, the results of a whole count.
    ///
    /// # Errors
    /// [`BundleError::Merge`] unless each subtree of `work` is there exactly once.
    pub fn new<B>(
        work: &Work,
        collected: &FolderResults<B>,
        subtotals_of: impl Fn(&B) -> &[(usize, Tally)],
    ) -> Result<Self, BundleError> {
        sum(work, collected.bodies.values().flat_map(&subtotals_of))?;
        let mut subtotals = vec![Subtotal::default(); work.subtrees];
        for (&shard, body) in &collected.bodies {
            for &(id, tally) in subtotals_of(body) {
                subtotals[id] = Subtotal { shard, tally };
            }
        }
        let mut shards = shard_records(work.shards, &subtotals)?;
        for record in &mut shards {
            record.provenance = collected.provenance.get(&record.shard).cloned();
        }
        Ok(Self { work: work.clone(), shards, subtotals })
    }

    /// The sum of all subtotals.
    pub fn solutions(&self) -> Result<Tally, Overflow> {
        self.subtotals.iter().try_fold(Tally::default(), |sum, subtotal| sum.merge(subtotal.tally))
    }
}

/// The records of all shards, computed from the subtotals, without provenance.
fn shard_records(shards: usize, subtotals: &[Subtotal]) -> Result<Vec<ShardRecord>, BundleError> {
    let empty = |shard| ShardRecord { shard, ..ShardRecord::default() };
    let mut records: Vec<ShardRecord> = (0..shards).map(empty).collect();
    let mut hashers = vec![Sha256::new(); shards];
    for (id, &subtotal) in subtotals.iter().enumerate() {
        let record = &mut records[subtotal.shard];
        record.subtrees += 1;
        record.solutions = record.solutions.merge(subtotal.tally)?;
        hashers[subtotal.shard].update(subtotal_line(id, subtotal));
    }
    for (record, hasher) in records.iter_mut().zip(hashers) {
        record.sha256 = hex(hasher);
    }
    Ok(records)
}

/// The line of a subtree in the list of subtotals.
fn subtotal_line(id: usize, Subtotal { shard, tally }: Subtotal) -> String {
    format!("{id},{shard},{}\n", tally.solutions())
}

fn hex(hasher: Sha256) -> String {
    hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// SHA-256 of these bytes, in hexadecimal digits.
fn sha256(bytes: &[u8]) -> String {
    hex(Sha256::new_with_prefix(bytes))
}

const README_TEXT: &str = "\
A count in shards by tallyboard, with the subtotals that add up to it.

plan.json         what was counted, and how it was cut into subtrees and dealt to shards
shards.json       for each shard who counted it, its sum, and the SHA-256 of its lines in subtotals.csv.gz
subtotals.csv.gz  subtree,shard,solutions: a line for each subtree; all solutions added up are the count (of a
                  problem that counts modulo a number, the sum modulo that number)
SHA256SUMS        SHA-256 of each of these files; that of SHA256SUMS itself is the fingerprint of the bundle

Without the program:

    sha256sum -c SHA256SUMS
    sha256sum SHA256SUMS
    zcat subtotals.csv.gz | awk -F, 'NR > 1 { print $3 }' | paste -sd+ | bc
    zcat subtotals.csv.gz | awk -F, '$2 == 17' | sha256sum

With it, from the folder above this one (tallyboard, or the program of the problem):

    tallyboard cluster check FOLDER
    tallyboard cluster check FOLDER --share 0.001 --seed 1
";

impl Bundle {
    /// Writes the bundle of a plan, whose file has the bytes `plan`, as the new folder `folder`. Returns its
    /// fingerprint.
    ///
    /// # Errors
    /// If `folder` is there already, or cannot be written.
    pub fn write(&self, plan: &[u8], folder: &Path) -> Result<String, BundleError> {
        if let Some(suffix) = archive_suffix(folder) {
            let what = format!(
                "found the name of an archive ({suffix}), expected that of a folder: pack the folder afterwards"
            );
            return Err(BundleError::file(folder)(what));
        }
        if fs::symlink_metadata(folder).is_ok() {
            return Err(BundleError::file(folder)("found something, expected a free name"));
        }
        let mut name = std::ffi::OsString::from(".");
        name.push(folder.file_name().unwrap_or_default());
        name.push(format!(".{}.unfinished", std::process::id()));
        let unfinished = folder_of(folder).join(name);
        fs::create_dir(&unfinished).map_err(BundleError::file(&unfinished))?;
        let written = self.write_files(plan, &unfinished).and_then(|fingerprint| {
            take_name(&unfinished, folder).map_err(BundleError::file(folder))?;
            Ok(fingerprint)
        });
        if written.is_err() {
            // The folder is incomplete. Only this program uses its name, so nothing else is deleted.
            let _ = fs::remove_dir_all(&unfinished);
        }
        written
    }

    /// Writes the files of the bundle into `folder`. Returns the fingerprint.
    fn write_files(&self, plan: &[u8], folder: &Path) -> Result<String, BundleError> {
        let list = ShardList { work: self.work.clone(), shards: self.shards.clone() };
        let shards = list.encode().map_err(BundleError::file(&folder.join(SHARDS)))?;
        let subtotals = self.compressed().map_err(BundleError::file(&folder.join(SUBTOTALS)))?;
        let files: [(&str, &[u8]); 4] = [
            (README, README_TEXT.as_bytes()),
            (PLAN, plan),
            (SHARDS, &shards),
            (SUBTOTALS, &subtotals),
        ];
        let mut sums = String::new();
        for (name, bytes) in files {
            write_file(&folder.join(name), bytes)?;
            sums += &format!("{}  {name}\n", sha256(bytes));
        }
        write_file(&folder.join(SUMS), sums.as_bytes())?;
        Ok(sha256(sums.as_bytes()))
    }

    /// The file of subtotals. Equal subtotals give equal bytes.
    fn compressed(&self) -> io::Result<Vec<u8>> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        writeln!(encoder, "{TITLE_LINE}")?;
        for (id, &subtotal) in self.subtotals.iter().enumerate() {
            encoder.write_all(subtotal_line(id, subtotal).as_bytes())?;
        }
        encoder.finish()
    }
}

/// Renames the complete folder `unfinished` to `folder`.
fn take_name(unfinished: &Path, folder: &Path) -> io::Result<()> {
    fault_point(Call::Rename)?;
    fs::rename(unfinished, folder)?;
    sync_name(folder)
}

/// The suffix of the name of `folder`, if people give it to packed folders.
fn archive_suffix(folder: &Path) -> Option<&'static str> {
    const SUFFIXES: [&str; 6] = [".tar", ".tgz", ".gz", ".zst", ".xz", ".zip"];
    let name = folder.file_name()?.to_str()?.to_ascii_lowercase();
    SUFFIXES.into_iter().find(|suffix| name.ends_with(suffix))
}

fn write_file(path: &Path, bytes: &[u8]) -> Result<(), BundleError> {
    write_whole(path, bytes).map_err(BundleError::file(path))
}

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

#[cfg(test)]
mod tests;
