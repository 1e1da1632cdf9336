//! `tallyboard queens check`

use std::io::BufReader;

use anyhow::{Result, anyhow};
use base::figures::grouped;
use queens::text::{Reader, TextError};

use crate::cli::args::{Args, place::CheckArgs};
use crate::cli::ending::Ending;
use crate::cli::io::{self, say};

/// Checks every placement of the input and names the attacking queens of those that are wrong.
pub fn run(flags: &CheckArgs, args: &Args) -> Result<Ending> {
    let name = io::name(&flags.file);
    let mut reader = Reader::new(BufReader::with_capacity(1 << 20, io::open(&flags.file)?));
    let (mut valid, mut wrong) = (0u64, 0u64);
    let mut size = None;
    let mut one_size = true;
    while let Some((line, placement)) = reader.next_placement().map_err(|e| located(&name, e))? {
        one_size &= size.replace(placement.n()).is_none_or(|before| before == placement.n());
        match placement.check() {
            Ok(()) => valid += 1,
            Err(flaw) => {
                wrong += 1;
                say(format_args!("{name}:{line}: {flaw}"))?;
            }
        }
    }
    if !args.quiet {
        let n = size.filter(|_| one_size);
        let of = n.map_or(String::new(), |n| format!(" of n = {}", grouped(n)));
        say(format_args!("{} valid, {} wrong{of}", grouped(valid), grouped(wrong)))?;
    }
    if valid + wrong == 0 {
        return Err(anyhow!("{name}: found no placement of queens"));
    }
    Ok(if wrong == 0 { Ending::Done } else { Ending::Failed })
}

fn located(name: &str, error: TextError) -> anyhow::Error {
    match error {
        TextError::Bad { .. } => anyhow!("{name}:{error}"),
        error => anyhow::Error::new(error).context(name.to_owned()),
    }
}
