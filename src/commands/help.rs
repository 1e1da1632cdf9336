//! What follows the options on the help pages of `tallyboard`: examples, and the kinds of files.

use clap::Command;

use crate::terminal::help::{lines, shown, with_examples};

/// Every example. A pipe is an example of its first command.
pub const EXAMPLES: &str = include_str!("examples.txt");

const FILES: &str = "\
Files:
  boards    pictures, vectors, CSV, JSON or FEN-like rows: `queens list --help` has them all,
            `queens check` reads them all. Squares are named as in chess, a1 at the bottom left;
            a vector has the file of each rank's queen, from 1 for a, the top rank first
  sudokus   one a line, CSV, .sdk, pictures or JSON lines, also as gzip or zstd, found from
            their first lines: `sudoku solve --help`
  variants  a line a rule, such as `cage 15 r1c1 r1c2`, and pictures of regions and givens:
            docs/variants.md; also what f-puzzles and SudokuPad export as JSON
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

/// Adds examples to the help page of every command, and the kinds of files to that of the program.
pub fn with_examples_and_files(program: Command) -> Command {
    let examples = shown(&lines(EXAMPLES, &[]));
    with_examples(program, &[], EXAMPLES).after_long_help(format!("{examples}\n\n{FILES}"))
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};

    use super::*;
    use crate::commands::Program;

    /// The names of all commands below `command`, except what clap adds.
    fn names(command: &Command) -> Vec<String> {
        let own = command.get_subcommands().filter(|sub| sub.get_name() != "help");
        own.flat_map(|sub| [vec![sub.get_name().to_owned()], names(sub)].concat()).collect()
    }

    #[test]
    fn help_has_the_commands_that_are_defined_when_a_game_is_called() {
        let mut deferred = Program::command();
        deferred.build();
        let expected = names(&deferred);
        assert!(expected.len() > 40, "{expected:?}");
        assert_eq!(names(&Program::clap_command()), expected);
    }

    #[test]
    fn every_command_has_examples_and_every_example_can_be_parsed() {
        fn check_examples(command: &Command, path: &[String]) {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(path == ["help"] || help.starts_with("Examples:\n"), "{path:?}: {help}");
            for sub in command.get_subcommands() {
                check_examples(sub, &[path, &[sub.get_name().to_owned()]].concat());
            }
        }
        check_examples(&Program::clap_command(), &[]);
        // Help pages are at most 100 columns wide, and wider lines are broken. Examples are indented by two.
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
