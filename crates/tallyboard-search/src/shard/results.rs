//! The results of shards: who counted each, with what, and their sum, which checks that each subtree was counted exactly once.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io;
use std::path::{Path, PathBuf};

use tallyboard_base::clock::Times;

use super::sealed::{SealedFile, is_of_other_version};
use super::{Work, file_name};
use crate::{Overflow, Tally};

/// The commit that this program was built from, if the builder named it in `TALLYBOARD_COMMIT`.
pub const COMMIT: Option<&str> = option_env!("TALLYBOARD_COMMIT");

/// The run that made a result. Two results of one shard agree even if their provenance differs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provenance {
    /// The version of the program.
    pub version: String,
    /// The commit it was built from, if the builder named it in `TALLYBOARD_COMMIT`.
    pub commit: Option<String>,
    /// The kernel that counted, if there are several.
    pub kernel: Option<String>,
    /// The processor's model name.
    pub cpu: String,
    /// Seconds that the last run took.
    pub seconds: f64,
    /// Processor time of its threads together, in seconds.
    pub core_seconds: f64,
    /// The number of subtrees that the last run found finished in its journal. Earlier runs counted them, and nothing
    /// else is known of those runs.
    pub resumed: usize,
}

impl Provenance {
    /// The provenance of a run of this program on this machine.
    pub fn here(kernel: Option<String>, cpu: String, spent: Times, resumed: usize) -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            commit: COMMIT.map(str::to_owned),
            kernel,
            cpu,
            seconds: spent.wall,
            core_seconds: spent.user + spent.system,
            resumed,
        }
    }
}

/// The result of one shard. `B` holds what was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShardResult<B> {
    /// The work of the plan that it belongs to.
    pub work: Work,
    /// The number of the shard.
    pub shard: usize,
    /// What was found.
    pub body: B,
    /// Who counted; older results do not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provenance: Option<Provenance>,
}

impl<B: Serialize + DeserializeOwned> SealedFile for ShardResult<B> {
    const FORMAT: &'static str = "tallyboard result 2";
    const INDENTED: bool = false;
}

impl<B> ShardResult<B> {
    /// Whether this is the result of some shard of `work`.
    pub fn belongs_to(&self, work: &Work) -> bool {
        self.work == *work && self.shard < work.shards
    }
}

/// How the result at `path` differs from `work`, as a phrase, if it is an undamaged result of other work or of another
/// version of the program; otherwise `None`.
pub fn other_work(path: &Path, work: &Work) -> Option<String> {
    // The body is not decoded: that of other work may have other fields, which would be reported as damage.
    type AnyResult = ShardResult<Box<RawValue>>;
    match AnyResult::read(path) {
        Ok(result) if result.work != *work => Some(work.differences(&result.work)),
        Ok(_) => None,
        Err(_) => {
            is_of_other_version::<AnyResult>(path).then(|| "it has another format".to_owned())
        }
    }
}

/// The results in a folder.
#[derive(Debug)]
pub struct FolderResults<B> {
    /// What was found, by shard.
    pub bodies: BTreeMap<usize, B>,
    /// Who counted, by shard, of those results that say so.
    pub provenance: BTreeMap<usize, Provenance>,
    /// Shards without a sound result, ascending.
    pub missing: Vec<usize>,
    /// Messages: one for each damaged file; and one for each file that is named after a missing shard but holds the result of
    /// another.
    pub damaged: Vec<String>,
}

/// Why results cannot be merged.
#[non_exhaustive]
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// The folder cannot be read.
    #[error("cannot read {}: {}", .0.display(), .1)]
    Folder(PathBuf, io::Error),
    /// A result belongs to another plan, or was written by another version of the program.
    #[error("{}: found a result of another plan or version; use a folder for each plan ({how})", .path.display())]
    OtherPlan {
        /// The file of the result.
        path: PathBuf,
        /// How the result differs from the plan.
        how: String,
    },
    /// A result differs from an earlier one of the same shard.
    #[error("{}: disagrees with another result of shard {shard}; one of them is wrong", .path.display())]
    Disagree {
        /// The file of the later result.
        path: PathBuf,
        /// The number of the shard.
        shard: usize,
    },
    /// Subtrees are missing, are there twice, or have numbers that the work does not have.
    #[error("{0}")]
    Subtrees(String),
    /// The sum does not fit.
    #[error(transparent)]
    Overflow(#[from] Overflow),
}

/// Reads every result (`*.json`) in `folder`. Of results of one shard that agree, the first is taken.
///
/// # Errors
/// [`MergeError`] if the folder cannot be read, holds a result of other work, or holds two results of one
/// shard that differ. A damaged file is no error here: its shard is missing, unless another file has it.
pub fn collect<B>(folder: &Path, work: &Work) -> Result<FolderResults<B>, MergeError>
where
    B: Serialize + DeserializeOwned + PartialEq,
{
    let mut bodies = BTreeMap::new();
    let mut provenance = BTreeMap::new();
    let mut damaged = Vec::new();
    let mut shards_by_file = BTreeMap::new();
    for path in results_in(folder)? {
        let result = match ShardResult::<B>::read(&path) {
            Ok(result) if result.belongs_to(work) => result,
            Ok(result) if result.work == *work => {
                let how = format!("found shard {}, of {}", result.shard, work.shards);
                return Err(MergeError::OtherPlan { path, how });
            }
            Ok(result) => {
                let how = work.differences(&result.work);
                return Err(MergeError::OtherPlan { path, how });
            }
            Err(error) => {
                if let Some(how) = other_work(&path, work) {
                    return Err(MergeError::OtherPlan { path, how });
                }
                damaged.push(error.to_string());
                continue;
            }
        };
        let shard = result.shard;
        shards_by_file.insert(path.clone(), shard);
        match bodies.entry(shard) {
            Entry::Vacant(vacant) => {
                vacant.insert(result.body);
                provenance.extend(result.provenance.map(|provenance| (shard, provenance)));
            }
            Entry::Occupied(before) if *before.get() != result.body => {
                return Err(MergeError::Disagree { path, shard });
            }
            Entry::Occupied(_) => {}
        }
    }
    let missing: Vec<usize> =
        (0..work.shards).filter(|shard| !bodies.contains_key(shard)).collect();
    for shard in &missing {
        let path = folder.join(file_name(*shard, "json"));
        if let Some(found) = shards_by_file.get(&path) {
            let path = path.display();
            damaged.push(format!(
                "{path}: found the result of shard {found}, expected that of shard {shard}; move it away"
            ));
        }
    }
    Ok(FolderResults { bodies, provenance, missing, damaged })
}

/// The files in `folder` that may be results, in the order of their names.
fn results_in(folder: &Path) -> Result<Vec<PathBuf>, MergeError> {
    let cannot_read = |error| MergeError::Folder(folder.to_owned(), error);
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(cannot_read)? {
        let path = entry.map_err(cannot_read)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.ends_with(".json") && !name.starts_with('.') {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

/// The sum of the subtotals of all shards. It takes memory in proportion to the subtotals, not to the number of subtrees
/// that `work` states, which may be wrong.
///
/// # Errors
/// Unless each of the work's subtrees is there exactly once, and if the sum exceeds `u128`.
pub fn sum<'a>(
    work: &Work,
    subtotals: impl IntoIterator<Item = &'a (usize, Tally)>,
) -> Result<Tally, MergeError> {
    let subtrees = work.subtrees;
    let mut ids = Vec::new();
    let mut total = Tally::default();
    for &(id, tally) in subtotals {
        if id >= subtrees {
            let wrong = format!("found subtree {id}, expected numbers below {subtrees}");
            return Err(MergeError::Subtrees(wrong));
        }
        ids.push(id);
        total = total.merge(tally)?;
    }
    ids.sort_unstable();
    // At the first place where the sorted numbers are not 0, 1, 2 …, a smaller number is one that is there twice, and a larger one
    // means that the number of the place is missing.
    let id = match ids.iter().enumerate().find(|&(expected, &id)| id != expected) {
        Some((expected, &id)) => id.min(expected),
        None if ids.len() < subtrees => ids.len(),
        None => return Ok(total),
    };
    let times = ids.iter().filter(|&&other| other == id).count();
    Err(MergeError::Subtrees(format!("subtree {id} was counted {times} times, expected once")))
}

#[cfg(test)]
mod tests {
    use crate::Costs;

    use super::*;

    fn work(subtrees: usize) -> Work {
        Work { subtrees, ..Work::new("made up", 1, &Costs::equal(0)) }
    }

    /// The sum of one solution for each of the subtrees `ids`, or the message of the error.
    fn sum_of(subtrees: usize, ids: &[usize]) -> Result<u128, String> {
        let subtotals: Vec<(usize, Tally)> = ids.iter().map(|&id| (id, Tally::new(1u8))).collect();
        let total = sum(&work(subtrees), &subtotals);
        total.map(|total| total.solutions()).map_err(|error| error.to_string())
    }

    #[test]
    fn a_result_belongs_to_a_shard_of_its_plan() {
        let of_shard = |shard| ShardResult { work: work(9), shard, body: (), provenance: None };
        let five = |shards| Work { shards, ..work(9) };
        let belongs = |shard, shards| {
            ShardResult { work: five(shards), ..of_shard(shard) }.belongs_to(&five(shards))
        };
        assert_eq!([0, 4, 5, 6].map(|shard| belongs(shard, 5)), [true, true, false, false]);
        assert!(!of_shard(0).belongs_to(&five(5)));
    }

    #[test]
    fn each_subtree_is_summed_once_in_any_order() {
        assert_eq!(sum_of(0, &[]), Ok(0));
        assert_eq!(sum_of(4, &[2, 0, 3, 1]), Ok(4));
        let times =
            |id, times| Err(format!("subtree {id} was counted {times} times, expected once"));
        assert_eq!(sum_of(4, &[2, 0, 3]), times(1, 0));
        assert_eq!(sum_of(4, &[2, 0, 1]), times(3, 0));
        assert_eq!(sum_of(4, &[2, 0, 3, 2, 1, 2]), times(2, 3));
        assert_eq!(sum_of(1, &[]), times(0, 0));
        assert_eq!(sum_of(1 << 62, &[0, 1]), times(2, 0));
        let unknown = "found subtree 4, expected numbers below 4".to_owned();
        assert_eq!(sum_of(4, &[0, 1, 2, 4]), Err(unknown));
    }
}
