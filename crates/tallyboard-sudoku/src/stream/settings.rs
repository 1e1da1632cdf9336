//! How a stream is solved, as its caller wants it.

use std::sync::Mutex;

use crate::Solver;
use crate::classes::Classes;
use crate::columns::Row;
use tallyboard_search::Stop;

/// A function that runs its argument once; it may measure how long that takes.
pub type Around<'a> = &'a (dyn Fn(&mut dyn FnMut()) + Sync);

/// How to solve a stream.
#[derive(Clone, Copy)]
pub struct Settings<'a> {
    /// Solutions of one puzzle are counted up to this number.
    pub limit: u64,
    /// What is found and written for a puzzle.
    pub row: Row<'a>,
    /// Who solves the puzzles.
    pub solver: Solver,
    /// End at the first bad line.
    pub strict: bool,
    /// Worker threads; 0 takes `RAYON_NUM_THREADS` or else every logical core.
    pub threads: usize,
    /// Bytes of each chunk; by default the length follows the time that chunks take. Longer lines make their
    /// chunk longer.
    pub chunk_bytes: Option<usize>,
    /// Called by each worker around each chunk, with the solving of the chunk as its argument.
    pub around: Around<'a>,
    /// The classes of earlier puzzles, if only one row of each class is written. Several streams may share them.
    pub classes: Option<&'a Mutex<Classes>>,
    /// Raise this flag to end early. The stream raises it, too, when it fails, so that an input which
    /// polls it gives up waiting.
    pub stop: &'a Stop,
}

impl<'a> Settings<'a> {
    /// The usual settings: solutions are shown and proved unique by the fastest solver on every core. Bad lines
    /// are reported, and `stop` ends the stream.
    pub fn new(stop: &'a Stop) -> Self {
        Self {
            classes: None,
            limit: 2,
            row: Row::SOLUTION,
            solver: Solver::default(),
            strict: false,
            threads: 0,
            chunk_bytes: None,
            around: &|solve| solve(),
            stop,
        }
    }
}
