//! The end of each command's help: examples, and the kinds of files.

use clap::Command;

/// Every example, shown with the command that it calls first.
const EXAMPLES: &str = include_str!("examples.txt");
/// Upper bound on the examples of one command.
const MAX_EXAMPLES: usize = 3;

const FILES: &str = "\
Files:
  boards    pictures, vectors, CSV, JSON or FEN-like rows: `queens list --help` has them all,
            `queens check` reads them all. Squares are named as in chess, a1 at the bottom left;
            a vector has the file of each rank's queen, from 1 for a, the top rank first
  sudokus   one a line, CSV, .sdk, pictures or JSON lines, also as gzip or zstd, found from
            their first lines: `sudoku solve --help`
  rows      puzzle:count:solution, one for each line of the input; a line that is no puzzle
            comes back after a `!`
  journals  `--journal FILE` keeps every finished part of a count: `queens show FILE`
            tells how far it is, `--resume` continues it
  plans     `cluster plan` writes one file that every machine reads; `cluster run` leaves a
            result for each shard in a folder, and `cluster merge` adds them up
  reports   `scale … --json` for `scale compare` and other programs, `--html` for people

Results go to standard output, or to -o FILE, which appears whole or not at all; messages go to
standard error. Exit codes: 0 done, 1 something was wrong, 2 a mistake in the command,
128 + its number after a signal.";

/// Adds the ends of all help pages.
pub fn with_ends(program: Command) -> Command {
    let shown = shown(&lines(EXAMPLES, &[]));
    with_examples(program, &[], EXAMPLES).after_long_help(format!("{shown}\n\n{FILES}"))
}

/// Adds to the command at `path`, and to those below it, the examples that call them.
pub fn with_examples(command: Command, path: &[String], examples: &str) -> Command {
    let names: Vec<String> = command.get_subcommands().map(|sub| sub.get_name().into()).collect();
    let command = names.into_iter().fold(command, |command, name| {
        let path = [path, std::slice::from_ref(&name)].concat();
        command.mut_subcommand(name, |sub| with_examples(sub, &path, examples))
    });
    match &lines(examples, path)[..] {
        [] => command,
        own => command.after_help(shown(own)),
    }
}

/// Those of `examples` that call the command at `path`.
fn lines<'a>(examples: &'a str, path: &[String]) -> Vec<&'a str> {
    let calls = |line: &&str| {
        let words = line.split_whitespace().skip(1);
        path.iter().zip(words).all(|(name, word)| name == word)
    };
    examples.lines().filter(calls).take(MAX_EXAMPLES).collect()
}

fn shown(lines: &[&str]) -> String {
    lines.iter().fold("Examples:".to_owned(), |text, line| text + "\n  " + line)
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};

    use super::super::Program;
    use super::*;

    #[test]
    fn every_command_has_examples_and_every_example_is_one() {
        fn walk(command: &Command, path: &[String]) {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(path == ["help"] || help.starts_with("Examples:\n"), "{path:?}: {help}");
            for sub in command.get_subcommands() {
                walk(sub, &[path, &[sub.get_name().to_owned()]].concat());
            }
        }
        walk(&with_ends(Program::command()), &[]);
        // Wider lines are broken where the terminal ends.
        let widest = EXAMPLES.lines().map(|line| line.len() + 2).chain(FILES.lines().map(str::len));
        assert!(widest.max() <= Some(99));
        for line in EXAMPLES.lines() {
            for call in line.split('#').next().unwrap().split('|') {
                let parsed = Program::try_parse_from(call.split_whitespace());
                assert!(parsed.is_ok(), "{call}: {}", parsed.unwrap_err());
            }
        }
    }
}
