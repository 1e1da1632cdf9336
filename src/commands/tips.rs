//! What to type in place of a command line that leaves out the game or what to do, such as `tallyboard queens 8`.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::error::{ContextKind, ContextValue, Error};
use clap::{ArgMatches, Command, ValueHint};

use super::help::EXAMPLES;
use crate::terminal::quote::shell;

/// `error`, which `program` has found in `words`, with the calls that may have been meant.
pub fn with_tips(mut error: Error, program: &Command, words: &[OsString]) -> Error {
    let Some(ContextValue::String(unknown)) = error.get(ContextKind::InvalidSubcommand) else {
        return error;
    };
    let tips = tips(program, words, OsStr::new(unknown));
    if !tips.is_empty() {
        // A file may have a name that is like that of a command.
        error.remove(ContextKind::SuggestedSubcommand);
        let tips = tips.into_iter().map(|call| format!("did you mean `{call}`?").into()).collect();
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
    }
    error
}

/// `words` with what they lack before the `unknown` one: the game, or what to do, for which the first example of the game
/// stands. Only calls that the program can read, of files that exist.
fn tips(program: &Command, words: &[OsString], unknown: &OsStr) -> Vec<String> {
    let Some(place) = words.iter().position(|word| word == unknown) else { return Vec::new() };
    let (before, after) = words.split_at(place);
    let mut games = Vec::new();
    let mut tips = Vec::new();
    for example in EXAMPLES.lines() {
        let mut names = example.split_whitespace().skip(1);
        let (Some(game), Some(command)) = (names.next(), names.next()) else { continue };
        let is_first = !games.contains(&game);
        games.push(game);
        let missing: &[&str] = if unknown == command {
            &[game]
        } else if is_first && before.iter().any(|word| word == game) {
            &[command]
        } else if is_first && program.find_subcommand(command).is_none() {
            &[game, command]
        } else {
            continue;
        };
        let missing: Vec<OsString> = missing.iter().map(OsString::from).collect();
        let call = [before, &missing, after].concat();
        let read = program.clone().try_get_matches_from(&call);
        if read.is_ok_and(|matches| has_files(program, &matches)) {
            let words = call[1..].iter().map(|word| format!(" {}", shell(word)));
            let call = program.get_name().to_owned() + &words.collect::<String>();
            if !tips.contains(&call) {
                tips.push(call);
            }
        }
    }
    tips
}

/// Whether there is every file that is named without an option.
fn has_files(command: &Command, matches: &ArgMatches) -> bool {
    if let Some((name, matches)) = matches.subcommand() {
        return command.find_subcommand(name).is_some_and(|command| has_files(command, matches));
    }
    command
        .get_positionals()
        .filter(|arg| arg.get_value_hint() == ValueHint::AnyPath)
        .filter_map(|arg| matches.get_raw(arg.get_id().as_str()))
        .flatten()
        .all(|path| path == "-" || Path::new(path).exists())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::commands::Program;

    /// The lines of the message for `words`, of which `FILE` is a file that exists.
    fn told(words: &str) -> Vec<String> {
        let words: Vec<OsString> = words.split(' ').map(OsString::from).collect();
        let mut program = Program::command();
        let error = program.try_get_matches_from_mut(&words).unwrap_err();
        let text = with_tips(error, &program, &words).to_string();
        text.lines().filter_map(|line| line.strip_prefix("  tip: ").map(str::to_owned)).collect()
    }

    fn meant(words: &str) -> String {
        format!("did you mean `tallyboard {words}`?")
    }

    #[test]
    fn what_is_left_out_is_told() {
        // Tests run in the folder of the crate.
        let file = "Cargo.toml";
        let game = |game: &str| meant(&format!("{game} {file}"));
        assert_eq!(told(&format!("tallyboard cover {file}")), [game("cover count")]);
        assert_eq!(told(&format!("tallyboard sudoku {file}")), [game("sudoku solve")]);
        let every = ["sudoku solve", "variant solve", "cover count"].map(game);
        assert_eq!(told(&format!("tallyboard {file}")), every);
        let every = ["sudoku count", "variant count", "cover count"].map(game);
        assert_eq!(told(&format!("tallyboard count {file}")), every);
        assert_eq!(told("tallyboard queens 8"), [meant("queens count 8")]);
        assert_eq!(told("tallyboard 8"), [meant("queens count 8")]);
        assert_eq!(told("tallyboard count 8"), [meant("queens count 8")]);
        assert_eq!(told("tallyboard scale 8"), [meant("scale queens 8")]);
        let flags = told(&format!("/bin/tallyboard -j 2 cover {file} --fundamental"));
        assert_eq!(flags, [meant(&format!("-j 2 cover count {file} --fundamental"))]);
    }

    #[test]
    fn nothing_is_told_that_does_not_exist() {
        for words in [
            "cover no.txt",
            "no.txt",
            "sudoku 8",
            "queens Cargo.toml",
            "count no.txt",
            "queens 8 --json --no",
        ] {
            assert_eq!(told(&format!("tallyboard {words}")), [""; 0], "{words}");
        }
        assert_eq!(told("tallyboard queens cuont 8"), ["a similar subcommand exists: 'count'"]);
    }
}
