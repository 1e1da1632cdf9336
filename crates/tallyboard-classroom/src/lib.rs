//! How puzzles are searched, shown to people.
//!
//! * [`backtrack`]: the search that is taught, step by step, for any puzzle; [`trace`]: of queens and of sudokus
//! * [`explain`]: the solution of a sudoku as a person reasons
//! * [`draw`]: pictures of boards, puzzles, solutions and search trees
//! * [`play`]: pages that play a search

pub mod backtrack;
pub mod draw;
pub mod explain;
#[cfg(test)]
#[path = "../../../tests/suite/common/golden.rs"]
mod golden;
pub mod play;
pub mod trace {
    //! The textbook search of each game, step by step.

    pub mod queens;
    pub mod sudoku;
}
