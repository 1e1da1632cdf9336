//! The `tallyboard` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    tallyboard::main()
}
