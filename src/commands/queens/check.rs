//! `tallyboard queens check`

use std::io::BufReader;
use std::path::PathBuf;

use anyhow::{Result, anyhow};
use base::figures::grouped;
use queens::text::{Reader, TextError};

use crate::terminal::args::Args;
use crate::terminal::exit_status::ExitStatus;
use crate::terminal::io;
use crate::terminal::print::print_line;

#[derive(Debug, clap::Args)]
pub struct CheckArgs {
    /// Solutions in any of the formats, vectors with a 0 counted from 0; `-` is standard input
    #[arg(default_value = "-")]
    pub file: PathBuf,
}

/// Checks every placement of the input and names the attacking queens of those that are wrong.
pub fn run(flags: &CheckArgs, args: &Args) -> Result<ExitStatus> {
    let name = io::name(&flags.file);
    let mut reader = Reader::new(BufReader::with_capacity(1 << 20, io::open(&flags.file)?));
    let mut valid = 0_u64;
    let mut wrong = 0_u64;
    let mut size = None;
    let mut one_size = true;
    while let Some((line, placement)) = reader.next_placement().map_err(|e| located(&name, e))? {
        one_size &= size.replace(placement.n()).is_none_or(|before| before == placement.n());
        match placement.check() {
            Ok(()) => valid += 1,
            Err(flaw) => {
                wrong += 1;
                print_line(format_args!("{name}:{line}: {flaw}"))?;
            }
        }
    }
    if !args.quiet {
        let n = size.filter(|_| one_size);
        let of = n.map_or(String::new(), |n| format!(" of n = {}", grouped(n)));
        print_line(format_args!("{} valid, {} wrong{of}", grouped(valid), grouped(wrong)))?;
    }
    if valid + wrong == 0 {
        return Err(anyhow!("{name}: found no placement of queens"));
    }
    Ok(if wrong == 0 { ExitStatus::Done } else { ExitStatus::Failed })
}

fn located(name: &str, error: TextError) -> anyhow::Error {
    match error {
        TextError::Bad { .. } => anyhow!("{name}:{error}"),
        error => anyhow::Error::new(error).context(name.to_owned()),
    }
}
