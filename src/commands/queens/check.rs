//! `tallyboard queens check`

use std::collections::BTreeSet;
use std::io::BufReader;
use std::path::PathBuf;

use anyhow::{Result, anyhow};
use tallyboard_base::figures::grouped;
use tallyboard_queens::text::{Reader, TextError};

use crate::terminal::{Args, ExitStatus, io, print_line};

#[derive(Debug, clap::Args)]
pub struct CheckArgs {
    /// Solutions in any of the formats, vectors with a 0 counted from 0; `-` is standard input
    #[arg(default_value = "-")]
    pub file: PathBuf,
}

/// Checks every placement of the input. For each wrong one, prints which queens attack each other.
pub fn run(flags: &CheckArgs, args: &Args) -> Result<ExitStatus> {
    let name = io::name(&flags.file);
    let mut reader = Reader::new(BufReader::with_capacity(1 << 20, io::open(&flags.file)?));
    let mut valid = 0_u64;
    let mut wrong = 0_u64;
    let mut sizes = BTreeSet::new();
    while let Some((line, placement)) =
        reader.next_placement().map_err(|error| with_input_name(error, &name))?
    {
        sizes.insert(placement.n());
        match placement.check() {
            Ok(()) => valid += 1,
            Err(flaw) => {
                wrong += 1;
                print_line(format_args!("{name}:{line}: {flaw}"))?;
            }
        }
    }
    if !args.quiet {
        let common_size = sizes.first().filter(|_| sizes.len() == 1);
        let of_size = common_size.map_or(String::new(), |&n| format!(" of n = {}", grouped(n)));
        print_line(format_args!("{} valid, {} wrong{of_size}", grouped(valid), grouped(wrong)))?;
    }
    if valid + wrong == 0 {
        return Err(anyhow!("{name}: found no placement of queens"));
    }
    Ok(if wrong == 0 { ExitStatus::Done } else { ExitStatus::Failed })
}

fn with_input_name(error: TextError, name: &str) -> anyhow::Error {
    match error {
        // Its text begins with the line.
        TextError::Bad { .. } => anyhow!("{name}:{error}"),
        error => anyhow::Error::new(error).context(name.to_owned()),
    }
}
