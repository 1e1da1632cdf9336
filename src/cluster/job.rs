//! The jobs that plans hold, and the contents of their results.

use std::fmt;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use serde::de::{DeserializeOwned, Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tallyboard_search::Tally;
use tallyboard_search::shard::{Plan, SealError, SealedFile, Work};

use crate::counting::{Counting, Job};

/// The job of a plan, of any program.
pub enum PlannedJob {
    /// All solutions of a problem.
    Count(Box<dyn Job>),
    /// The puzzles of a file.
    File(Sudoku),
}

/// A function that reads a plan: [`read`] for the jobs of one program.
pub type ReadPlan = fn(&Path) -> Result<Plan<PlannedJob>, SealError>;

/// Reads a plan that holds `P`, the type of the jobs that one program writes into its plans.
pub fn read<P>(path: &Path) -> Result<Plan<PlannedJob>, SealError>
where
    P: Serialize + DeserializeOwned + Into<PlannedJob>,
{
    let Plan { job, work, forecast } = Plan::<P>::read(path)?;
    Ok(Plan { job: job.into(), work, forecast })
}

/// The job in plans of a program around one problem: the problem's arguments, under the problem's name.
pub struct ProgramJob<T>(pub T);

impl<T: Counting> From<ProgramJob<T>> for PlannedJob {
    fn from(job: ProgramJob<T>) -> Self {
        Self::Count(Box::new(job.0))
    }
}

impl<T: Counting> Serialize for ProgramJob<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map([(T::NAME, &self.0)])
    }
}

impl<'de, T: Counting> Deserialize<'de> for ProgramJob<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ProgramJobVisitor(PhantomData))
    }
}

struct ProgramJobVisitor<T>(PhantomData<T>);

impl<'de, T: Counting> Visitor<'de> for ProgramJobVisitor<T> {
    type Value = ProgramJob<T>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "a plan of the problem `{}`", T::NAME)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ProgramJob<T>, A::Error> {
        match map.next_key::<String>()? {
            Some(name) if name == T::NAME => Ok(ProgramJob(map.next_value()?)),
            other => {
                let found = other.unwrap_or("nothing".to_owned());
                let expected = T::NAME;
                Err(A::Error::custom(format!("found the problem `{found}`, expected `{expected}`")))
            }
        }
    }
}

/// The puzzles of a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sudoku {
    pub file: PathBuf,
    /// The number of solutions up to which those of a puzzle are counted.
    pub limit: u64,
    /// One for each shard, in the order of the file.
    pub pieces: Vec<Piece>,
}

/// A range of bytes of a file that consists of whole lines.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Piece {
    /// The offset of its first byte.
    pub start: u64,
    /// The offset behind its last byte.
    pub end: u64,
    /// The number of lines of the file before this piece.
    pub lines_before: u64,
    /// Checksum of the bytes.
    pub crc32: u32,
}

/// What a shard of a count found: every subtree with its subtotal.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CountBody {
    pub subtotals: Vec<(usize, Tally)>,
}

/// What a shard of sudokus found. Its rows are in a separate file in the folder of the result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SudokuBody {
    /// The length of the file of rows.
    pub bytes: u64,
    /// The checksum of the file of rows.
    pub crc32: u32,
    /// The number of puzzles with one solution.
    pub unique: u64,
    /// The number of puzzles without a solution.
    pub none: u64,
    /// The number of puzzles with more than one solution.
    pub many: u64,
    /// The number of lines that are no puzzle.
    pub bad: u64,
}

impl Sudoku {
    /// The length of the whole file.
    pub fn bytes(&self) -> u64 {
        self.pieces.last().map_or(0, |piece| piece.end)
    }

    /// The work that results of this job belong to.
    pub fn work(&self) -> Work {
        let mut hasher = crc32fast::Hasher::new();
        for piece in &self.pieces {
            hasher.update(&piece.end.to_le_bytes());
            hasher.update(&piece.crc32.to_le_bytes());
        }
        let bytes = self.bytes();
        Work {
            identity: format!("sudoku file bytes={bytes} limit={} algorithm=1", self.limit),
            shards: self.pieces.len(),
            subtrees: self.pieces.len(),
            // The pieces of the file are the subtrees.
            costs_fingerprint: format!("{:08x}", hasher.finalize()),
        }
    }
}

impl PlannedJob {
    /// A short name for scripts: `queens-22`.
    pub fn label(&self) -> String {
        match self {
            Self::Count(job) => job.label(),
            Self::File(_) => "sudoku".to_owned(),
        }
    }
}
