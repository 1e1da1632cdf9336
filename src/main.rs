//! The `tallyboard` program: parse the command line, run it, turn the outcome into an exit code.

use std::process::ExitCode;

use clap::Parser;

mod cli;

fn main() -> ExitCode {
    let args = cli::args::Args::parse();
    match cli::run(&args) {
        Ok(ending) => ending.into(),
        Err(error) => cli::ending::report(&error),
    }
}
