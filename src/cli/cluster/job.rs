//! What a plan counts.

use std::path::PathBuf;

use crate::Kernel;
use crate::queens::{Board, Count, Engine, Settings, Square};
use crate::search::Tally;
use crate::search::shard::{Plan, Work};
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use crate::cli::problem::fitting;

/// What a plan counts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Job {
    Queens(Queens),
    Sudoku(Sudoku),
}

/// All solutions on a board.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Queens {
    pub n: u32,
    /// Queens that stand already, and closed squares.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub placed: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocked: Vec<String>,
    /// The engine that the subtrees belong to.
    pub engine: String,
}

/// The puzzles of a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sudoku {
    pub file: PathBuf,
    pub limit: u64,
    /// One for each shard, in the order of the file.
    pub pieces: Vec<Piece>,
}

/// A range of whole lines.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Piece {
    pub start: u64,
    pub end: u64,
    /// Lines of the file before this piece.
    pub lines_before: u64,
    /// Checksum of the bytes.
    pub crc32: u32,
}

/// What a shard of queens found: every subtree with its subtotal.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QueensBody {
    pub subtotals: Vec<(usize, Tally)>,
}

/// What a shard of sudokus found; the rows are in a file beside the result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SudokuBody {
    pub bytes: u64,
    pub crc32: u32,
    pub unique: u64,
    pub none: u64,
    pub many: u64,
    pub bad: u64,
}

impl Queens {
    /// The problem as the plan wants it counted, by `kernel` on `threads` threads, in the memory that
    /// this machine has.
    ///
    /// # Errors
    /// [`NoRoom`](crate::cli::problem::NoRoom) if that is too little.
    pub fn problem(&self, kernel: impl Into<Option<Kernel>>, threads: usize) -> Result<Count> {
        let engine: Engine = self.engine.parse().context("the plan's engine")?;
        let settings = Settings::new().engine(engine).kernel(kernel);
        Ok(fitting(self.board()?, settings, None, threads)?.0)
    }

    /// The board to count.
    pub fn board(&self) -> Result<Board> {
        let squares = |names: &[String]| -> Result<Vec<Square>> {
            names.iter().map(|name| Ok(name.parse()?)).collect()
        };
        Ok(Board::new(self.n, &squares(&self.placed)?, &squares(&self.blocked)?)?)
    }
}

impl Sudoku {
    /// The length of the whole file.
    pub fn bytes(&self) -> u64 {
        self.pieces.last().map_or(0, |piece| piece.end)
    }

    /// What results of this job belong to.
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
            layout: format!("{:08x}", hasher.finalize()),
        }
    }
}

impl Job {
    /// A short name for scripts: `queens-22`.
    pub fn name(&self) -> String {
        match self {
            Self::Queens(queens) => format!("queens-{}", queens.n),
            Self::Sudoku(_) => "sudoku".to_owned(),
        }
    }
}

/// The plan of a job.
pub type JobPlan = Plan<Job>;
