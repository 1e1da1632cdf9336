//! `tallyboard serve`: answers the puzzle editor f-puzzles in a browser, in place of the program SudokuSolver for which its user
//! script was made, and by the same messages over a socket of this machine alone.

#[cfg(feature = "serve")]
mod answer;
#[cfg(feature = "serve")]
mod connection;
#[cfg(feature = "serve")]
mod origins;
#[cfg(feature = "serve")]
mod solver;

use anyhow::Result;

use crate::terminal::{Args, ExitStatus};

/// How to serve.
#[derive(Debug, clap::Args)]
pub struct ServeArgs {
    /// The port of this machine at which the editor's script connects; 0 takes a free one
    #[arg(long, default_value_t = 4545, value_name = "PORT")]
    port: u16,

    /// Also answer pages of this origin, such as `https://example.org`. Those of f-puzzles and SudokuPad and files of this machine are
    /// answered anyway, other pages never
    #[arg(long, value_name = "ORIGIN")]
    allow_origin: Vec<String>,

    /// Leave out drawings that stand for no rule; a puzzle with some is refused otherwise
    #[arg(long)]
    ignore_drawings: bool,
}

/// Builds without the feature name it.
#[cfg(not(feature = "serve"))]
pub fn run(flags: &ServeArgs, _: &Args) -> Result<ExitStatus> {
    let ServeArgs { port, allow_origin: _, ignore_drawings: _ } = flags;
    anyhow::bail!(crate::terminal::UsageError(format!(
        "this build does not serve at port {port}: build it with `--features serve`"
    )))
}

/// Listens until a signal comes.
#[cfg(feature = "serve")]
pub fn run(flags: &ServeArgs, args: &Args) -> Result<ExitStatus> {
    use std::sync::Arc;
    use std::time::Duration;

    use crate::terminal::{Interrupt, info, print_line};
    use connection::Server;
    use origins::Origins;

    /// How often it is asked whether a signal has come.
    const CHECK_INTERVAL: Duration = Duration::from_millis(50);
    let origins = Origins::new(&flags.allow_origin)?;
    let interrupt = Interrupt::listen_with_nothing_to_save();
    let listeners = connection::listen(flags.port)?;
    let address = listeners[0].local_addr()?;
    let server = Server {
        origins,
        threads: args.threads,
        ignore_drawings: flags.ignore_drawings,
        quiet: args.quiet,
    };
    let server = Arc::new(server);
    for listener in listeners {
        connection::start(listener, Arc::clone(&server))?;
    }
    print_line(format_args!("ws://{address}"))?;
    info(args, format_args!("answers pages of {}; Ctrl-C ends it", server.origins));
    while interrupt.signal().is_none() {
        std::thread::sleep(CHECK_INTERVAL);
    }
    Ok(interrupt.report_interruption(""))
}
