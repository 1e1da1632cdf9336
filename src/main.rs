//! The `tallyboard` program: parse the command line, run it, turn the outcome into an exit code.

use std::process::ExitCode;

mod cli;

fn main() -> ExitCode {
    match cli::args::Args::read() {
        Ok(args) => match cli::run(&args) {
            Ok(ending) => ending.into(),
            Err(error) => cli::ending::report(&error),
        },
        Err(message) => cli::ending::print(&message),
    }
}
