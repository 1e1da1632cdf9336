//! What several test files share.

pub mod runs;
pub mod sudoku_oracle;

use assert_cmd::Command;

/// The program.
pub fn tallyboard() -> Command {
    Command::cargo_bin("tallyboard").expect("the program is built")
}
