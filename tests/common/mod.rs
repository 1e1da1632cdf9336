//! What several test files share.
#![allow(dead_code, reason = "each test file uses its own part")]

pub mod sudoku_oracle;

use assert_cmd::Command;

/// The program.
pub fn tallyboard() -> Command {
    Command::cargo_bin("tallyboard").expect("the program is built")
}
