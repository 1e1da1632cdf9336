//! The plan of a count, and the result of one of its shards.

use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::{SealError, Split, sealed};
use crate::search::identity;

/// What all shards of a plan have in common. Results are merged only if theirs is equal.
///
/// The version of the program is no part of it: [`Problem::identity`](crate::search::Problem::identity)
/// names the algorithm and the layout by numbers that are raised on purpose.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Work {
    /// The problem, the engine, its algorithm and its layout.
    pub identity: String,
    /// The number of shards; they are numbered from 0.
    pub shards: usize,
    /// The number of subtrees in all.
    pub subtrees: usize,
    /// Fingerprint of the subtrees' costs.
    pub layout: String,
}

/// What a whole plan will take.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Forecast {
    /// The time; none if too few subtrees could be timed.
    pub core_hours: Option<CoreHours>,
    /// Memory of a process with one worker, in bytes.
    pub memory_bytes: u64,
    /// What each further worker adds, in bytes.
    pub memory_bytes_per_worker: u64,
}

/// Hours on one core of the machine that made the plan, all shards together.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CoreHours {
    /// The estimate.
    pub estimate: f64,
    /// The lower end of its 95 % interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// A count in shards. `J` tells what is counted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan<J> {
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
    /// The plan's.
    pub work: Work,
    /// Which shard.
    pub shard: usize,
    /// What was found.
    pub body: B,
}

const PLAN: &str = "tallyboard plan 2";
const RESULT: &str = "tallyboard result 2";

/// The problem of a plan is another one in this program or on this machine.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the plan is of other work: {0}; use the program that made the plan")]
pub struct Differs(String);

impl Work {
    /// That this program, on this machine, splits the problem as the plan says.
    ///
    /// # Errors
    /// What [`Differs`].
    pub fn check(&self, identity: &str, split: &Split) -> Result<(), Differs> {
        if self.identity != identity {
            return Err(Differs(identity::differences(identity, &self.identity).join("; ")));
        }
        let fingerprint = split.fingerprint();
        if self.layout != fingerprint || self.subtrees != split.costs().len() {
            let (there, here) = (&self.layout, fingerprint);
            return Err(Differs(format!("its subtrees are {there} there and {here} here")));
        }
        Ok(())
    }
}

impl<J: Serialize + DeserializeOwned> Plan<J> {
    /// Writes the plan to `path`.
    ///
    /// # Errors
    /// What the operating system says; a job that has no JSON form.
    pub fn write(&self, path: &Path) -> Result<(), SealError> {
        sealed::write(path, PLAN, self, true)
    }

    /// Reads the plan at `path`.
    ///
    /// # Errors
    /// If it cannot be read, is in another format, or is damaged.
    pub fn read(path: &Path) -> Result<Self, SealError> {
        sealed::read(path, PLAN)
    }
}

impl<B: Serialize + DeserializeOwned> ShardResult<B> {
    /// Writes the result to `path`, whole or not at all.
    ///
    /// # Errors
    /// What the operating system says.
    pub fn write(&self, path: &Path) -> Result<(), SealError> {
        sealed::write(path, RESULT, self, false)
    }

    /// Reads the result at `path`.
    ///
    /// # Errors
    /// If it cannot be read, is in another format, or is damaged.
    pub fn read(path: &Path) -> Result<Self, SealError> {
        sealed::read(path, RESULT)
    }

    /// Whether this is the result of some shard of `work`.
    pub fn belongs_to(&self, work: &Work) -> bool {
        self.work == *work && self.shard < work.shards
    }
}

/// The name of a file of shard `shard`: `shard-00017.json`.
pub fn file_name(shard: usize, suffix: &str) -> String {
    format!("shard-{shard:05}.{suffix}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queens::{Board, Count};
    use crate::search::Problem;

    #[test]
    fn a_plan_is_for_this_problem_and_these_subtrees() {
        let problem = Count::new(Board::plain(12).unwrap()).unwrap();
        let split = Split::new(&problem, &problem.split());
        let identity = problem.identity();
        let (subtrees, layout) = (split.costs().len(), split.fingerprint());
        let work = Work { identity: identity.clone(), shards: 3, subtrees, layout };
        assert_eq!(work.check(&identity, &split), Ok(()));
        assert!(work.check("another", &split).is_err());
        for other in [
            Work { layout: "00000000".to_owned(), ..work.clone() },
            Work { subtrees: subtrees + 1, ..work.clone() },
        ] {
            assert!(other.check(&identity, &split).is_err(), "{other:?}");
        }
    }
}
