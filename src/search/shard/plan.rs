//! The plan of a count, and the result of one of its shards.

use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::{SealError, Sealed};

/// What all shards of a plan have in common. Results are merged only if theirs is equal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Work {
    /// The version of the program.
    pub version: String,
    /// The problem, the engine and the layout.
    pub identity: String,
    /// The number of shards; they are numbered from 0.
    pub shards: usize,
    /// The number of subtrees in all.
    pub subtrees: usize,
    /// Fingerprint of the layout.
    pub layout: String,
}

/// What a whole plan will take.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Forecast {
    /// Hours on one core of the machine that made the plan.
    pub core_hours: f64,
    /// The same for an average shard.
    pub core_hours_per_shard: f64,
    /// Memory of a process with one worker, in bytes.
    pub memory_bytes: u64,
    /// What each further worker adds, in bytes.
    pub memory_bytes_per_worker: u64,
}

/// A count in shards. `J` tells what is counted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan<J> {
    /// `tallyboard plan 1`.
    format: String,
    /// What is counted.
    pub job: J,
    /// What results must belong to.
    pub work: Work,
    /// What it will take, as far as known.
    pub forecast: Option<Forecast>,
}

/// The result of one shard. `B` tells what was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShardResult<B> {
    /// `tallyboard result 1`.
    format: String,
    /// The plan's.
    pub work: Work,
    /// Which shard.
    pub shard: usize,
    /// What was found.
    pub body: B,
}

const PLAN: &str = "tallyboard plan 1";
const RESULT: &str = "tallyboard result 1";

/// Why a plan cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// The file.
    #[error(transparent)]
    File(#[from] SealError),
    /// The format is another one.
    #[error("{}: found the format '{found}', expected '{PLAN}'", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What it says.
        found: String,
    },
    /// Another version made the plan.
    #[error(
        "the plan is of version {plan}, this is {here}: use that version, or make a new plan and \
         count again"
    )]
    Version {
        /// The plan's.
        plan: String,
        /// This program's.
        here: String,
    },
    /// The problem is another one on this machine.
    #[error("the plan's {what} is '{plan}', on this machine it is '{here}'")]
    Differs {
        /// What differs.
        what: &'static str,
        /// In the plan.
        plan: String,
        /// Here.
        here: String,
    },
}

impl Work {
    /// That this program, on this machine, splits the problem as the plan says.
    ///
    /// # Errors
    /// [`PlanError::Version`] or [`PlanError::Differs`].
    pub fn check(&self, identity: &str, layout: &super::Layout) -> Result<(), PlanError> {
        let differs = |what, plan: &str, here: String| PlanError::Differs {
            what,
            plan: plan.to_owned(),
            here,
        };
        if self.identity != identity {
            return Err(differs("problem", &self.identity, identity.to_owned()));
        }
        let fingerprint = layout.fingerprint();
        if self.layout != fingerprint || self.subtrees != layout.costs().len() {
            return Err(differs("layout", &self.layout, fingerprint));
        }
        Ok(())
    }
}

impl<J: Serialize + DeserializeOwned> Plan<J> {
    /// A plan for `job`.
    pub fn new(job: J, work: Work, forecast: Option<Forecast>) -> Self {
        Self { format: PLAN.to_owned(), job, work, forecast }
    }

    /// Writes the plan to `path`.
    ///
    /// # Errors
    /// What the operating system says.
    pub fn write(self, path: &Path) -> Result<(), SealError> {
        Sealed::write(path, self, true)
    }

    /// Reads the plan at `path`, which must be of version `version`.
    ///
    /// # Errors
    /// A [`PlanError`].
    pub fn read(path: &Path, version: &str) -> Result<Self, PlanError> {
        let plan: Self = Sealed::read(path, "plan").map_err(|error| {
            // Another version may write other fields, which look like damage.
            match version_in(path) {
                Some(plan) if plan != version => {
                    PlanError::Version { plan, here: version.to_owned() }
                }
                _ => error.into(),
            }
        })?;
        if plan.format != PLAN {
            return Err(PlanError::Format { path: path.to_owned(), found: plan.format });
        }
        if plan.work.version != version {
            let here = version.to_owned();
            return Err(PlanError::Version { plan: plan.work.version, here });
        }
        Ok(plan)
    }
}

impl<B: Serialize + DeserializeOwned> ShardResult<B> {
    /// The result of shard `shard`.
    pub fn new(work: Work, shard: usize, body: B) -> Self {
        Self { format: RESULT.to_owned(), work, shard, body }
    }

    /// Writes the result to `path`, whole or not at all.
    ///
    /// # Errors
    /// What the operating system says.
    pub fn write(self, path: &Path) -> Result<(), SealError> {
        Sealed::write(path, self, false)
    }

    /// Reads the result at `path`.
    ///
    /// # Errors
    /// If it cannot be read or is damaged.
    pub fn read(path: &Path) -> Result<Self, SealError> {
        Sealed::read(path, "result")
    }

    /// Whether this is the result of some shard of `work`.
    pub fn belongs_to(&self, work: &Work) -> bool {
        self.format == RESULT && self.work == *work && self.shard < work.shards
    }
}

/// The version that a plan names, whatever else is in it.
fn version_in(path: &Path) -> Option<String> {
    let plan: serde_json::Value = serde_json::from_slice(&std::fs::read(path).ok()?).ok()?;
    Some(plan.pointer("/content/work/version")?.as_str()?.to_owned())
}

/// The name of a file of shard `shard`: `shard-00017.json`.
pub fn file_name(shard: usize, suffix: &str) -> String {
    format!("shard-{shard:05}.{suffix}")
}
