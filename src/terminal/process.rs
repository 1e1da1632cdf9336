//! The process of a program: its main thread, how it ends, and what every program can print of itself, with examples at
//! the end of its help pages.

use std::io::{self, ErrorKind, Write};
use std::num::NonZero;
use std::path::PathBuf;
use std::process::ExitCode;
use std::{fs, thread};

use anstream::{AutoStream, ColorChoice};
use anstyle::AnsiColor;
use anyhow::{Context, Result, anyhow};
use clap::Command;
use clap_complete::Shell;
use tallyboard_base::figures::counted;
use tallyboard_search::{MAX_THREADS, start};

use super::args::{Args, ExitStatus, UsageError, is_broken_pipe};
use super::io::Output;
use super::print::{eprint_line, eprint_styled, harmless, info, program_name, set_program_name};
use super::{os, signals};

/// The size of the program's stack: the default of most systems, whatever `ulimit -s` says.
const STACK_BYTES: usize = 8 << 20;

/// Runs the program that is called `name`, in a thread with a stack of [`STACK_BYTES`].
pub fn begin(
    name: &'static str,
    run: impl Fn() -> Result<ExitStatus> + Clone + Send + 'static,
) -> ExitCode {
    set_program_name(name);
    os::guard_closed_stdout();
    // Help and the version are `clap::Error`s too.
    let run_to_exit_code = move || match run().map_err(|error| error.downcast::<clap::Error>()) {
        Ok(ending) => {
            if let ExitStatus::Interrupted { signal } = ending {
                os::end_by(signal);
            }
            ending.into()
        }
        Err(Ok(message)) => print_clap(&message),
        Err(Err(error)) => report(&error),
    };
    let builder = thread::Builder::new().name("main".into()).stack_size(STACK_BYTES);
    match start(builder, run_to_exit_code.clone()) {
        // The panic has printed its message.
        Ok(thread) => thread.join().unwrap_or(ExitCode::from(101)),
        // If no thread can be started, the stack of this one has to do.
        Err(_) => run_to_exit_code(),
    }
}

/// More threads than this for each processor are remarked on.
const MANY_THREADS: usize = 64;

/// Prepares the process for a command: colours, what is odd about the number of threads, and signals.
///
/// # Errors
/// If signals cannot be listened for.
pub fn prepare(args: &Args) -> Result<()> {
    // On `auto` this looks at the terminal and at NO_COLOR.
    args.color.choice().write_global();
    if args.threads == 0
        && let Some(threads) = environment_threads()
        && threads > MAX_THREADS
    {
        info(args, format_args!("RAYON_NUM_THREADS={threads}: {MAX_THREADS} threads at most"));
    }
    let processors = thread::available_parallelism().map_or(1, NonZero::get);
    if args.threads > MANY_THREADS * processors {
        let (program, threads) = (program_name(), args.threads);
        let processors = counted(processors, "processor");
        info(
            args,
            format_args!(
                "{program}: {threads} threads for {processors}: to start them takes longer than they save"
            ),
        );
    }
    signals::begin()
}

/// The number of threads that `RAYON_NUM_THREADS` asks for; 0 and words ask for nothing.
pub fn environment_threads() -> Option<usize> {
    let threads: Option<usize> = std::env::var("RAYON_NUM_THREADS").ok()?.parse().ok();
    threads.filter(|&threads| threads > 0)
}

/// The options of `completions`.
#[derive(Debug, clap::Args)]
pub struct CompletionsArgs {
    /// The shell that reads it
    shell: Shell,
}

/// What `completions` does, for the help.
pub const ABOUT_COMPLETIONS: &str =
    "Print a script with which a shell completes commands and options when you press Tab";

impl CompletionsArgs {
    /// Prints the script for `program`.
    ///
    /// # Errors
    /// If standard output cannot be written.
    pub fn run(&self, mut program: clap::Command) -> Result<ExitStatus> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut program, program_name(), &mut script);
        Output::create(None)?.put(script)?;
        Ok(ExitStatus::Done)
    }
}

/// The options of `man`.
#[derive(Debug, clap::Args)]
pub struct ManArgs {
    /// The folder; made if it does not exist
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// What `man` does, for the help.
pub const ABOUT_MAN: &str = "Write manual pages into a folder";

impl ManArgs {
    /// Writes the pages of `program`.
    ///
    /// # Errors
    /// If the folder cannot be made, or a page cannot be written.
    pub fn run(&self, program: clap::Command) -> Result<ExitStatus> {
        let cannot_write = || format!("cannot write manual pages into {}", self.folder.display());
        fs::create_dir_all(&self.folder).with_context(cannot_write)?;
        clap_mangen::generate_to(program, &self.folder).with_context(cannot_write)?;
        Ok(ExitStatus::Done)
    }
}

/// Prints `error` and its causes on stderr, and returns the exit code. A closed pipe is a success without a message: its
/// reader has all that it wanted.
fn report(error: &anyhow::Error) -> ExitCode {
    if is_broken_pipe(error) {
        return ExitCode::SUCCESS;
    }
    if os::is_stdout_closed() && is_of_stdout(error) {
        explain(&anyhow!("standard output is closed"));
    } else {
        explain(error);
    }
    // The exit code that clap has for its own errors.
    if error.is::<UsageError>() { ExitCode::from(2) } else { ExitCode::FAILURE }
}

/// Whether `error` comes from writing a closed standard output, which fails [as on a full disk](os::guard_closed_stdout).
fn is_of_stdout(error: &anyhow::Error) -> bool {
    let is_full = |cause: &(dyn std::error::Error + 'static)| {
        cause.downcast_ref().is_some_and(|error: &io::Error| error.kind() == ErrorKind::StorageFull)
    };
    let text = format!("{error:#}");
    let names_stdout = text.contains("standard output") || text.contains("/dev/stdout");
    names_stdout && error.chain().any(is_full)
}

/// Prints a message of clap: help and the version on stdout, mistakes on stderr.
fn print_clap(message: &clap::Error) -> ExitCode {
    match message.print().and_then(|()| io::stdout().flush()) {
        Err(error) if !message.use_stderr() => {
            report(&anyhow::Error::new(error).context("cannot write standard output"))
        }
        _ => ExitCode::from(message.exit_code() as u8),
    }
}

/// Prints `error` and its causes on stderr.
pub fn explain(error: &anyhow::Error) {
    let red = AnsiColor::Red.on_default().bold();
    let program = program_name();
    let text = format!("{error:#}");
    match AutoStream::choice(&io::stderr()) {
        ColorChoice::Never => eprint_line(format_args!("{program}: {text}")),
        _ => eprint_styled(format_args!("{red}{program}:{red:#} {}", harmless(&text))),
    }
}

/// Upper bound on the examples of one command.
const MAX_EXAMPLES: usize = 3;

/// Adds examples to the help of the command at `path`, and of the commands below it. Each gets the examples that call it.
pub fn with_examples(command: Command, path: &[String], examples: &str) -> Command {
    let names: Vec<String> = command.get_subcommands().map(|sub| sub.get_name().into()).collect();
    let command = names.into_iter().fold(command, |command, name| {
        let path = [path, std::slice::from_ref(&name)].concat();
        command.mut_subcommand(name, |sub| with_examples(sub, &path, examples))
    });
    match &lines(examples, path)[..] {
        [] => command,
        lines => command.after_help(section(lines)),
    }
}

/// The lines of `examples` that call the command at `path`, at most [`MAX_EXAMPLES`].
fn lines<'a>(examples: &'a str, path: &[String]) -> Vec<&'a str> {
    let calls = |line: &&str| {
        // The first word is the program.
        let words = line.split_whitespace().skip(1);
        path.iter().zip(words).all(|(name, word)| name == word)
    };
    examples.lines().filter(calls).take(MAX_EXAMPLES).collect()
}

/// `lines` as a section of a help page.
fn section(lines: &[&str]) -> String {
    lines.iter().fold("Examples:".to_owned(), |text, line| text + "\n  " + line)
}
