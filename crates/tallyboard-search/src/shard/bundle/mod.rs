//! A bundle: all subtotals of a count in shards, in a folder that anyone can check. Its `README.txt`, whose text is in
//! `write.rs`, says what the other files are.
//!
//! The SHA-256 of `SHA256SUMS` is the *fingerprint* of the bundle. Once the fingerprint is published, everybody can see
//! whether a file was changed. A bundle is a folder, not an archive, so that standard tools can read its files.

mod read;
mod write;

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

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

#[cfg(test)]
mod tests;
