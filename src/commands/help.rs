//! What helps at the command line of `tallyboard`: examples and the kinds of files behind the options of its help pages,
//! and what to type in place of a line that leaves out the game or its command, such as `tallyboard queens 8`.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::sync::LazyLock;

use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use clap::{ArgMatches, Command, ValueHint};

use crate::terminal::process::with_examples;
use crate::terminal::{Args, shell};
use crate::verbs::VERBS;
use crate::verbs::tree::{Entry, Level};

/// Every example. A pipe is an example of its first command. Those of verbs stand with them.
static EXAMPLES: LazyLock<String> = LazyLock::new(|| {
    include_str!("examples.txt").replace("VERBS\n", &VERBS.map(|verb| verb.example).concat())
});

/// What new users come for, on the first screen, with a command for each.
const JOBS: &str = "\
To do this                              type this
  solve the puzzle in a file            tallyboard solve FILE
  count the solutions for n queens      tallyboard queens count 16
  solve a file of a million sudokus     tallyboard sudoku solve puzzles.txt -o solved.txt
  solve a killer, a jigsaw, a variant   tallyboard variant solve FILE
  solve a puzzle from a link            tallyboard variant solve 'LINK'
  solve a board of LinkedIn's Queens    tallyboard regions solve FILE
  solve a Star Battle with two stars    tallyboard regions solve FILE --stars 2
  count tilings, any exact cover        tallyboard cover count FILE
  find one tiling, one exact cover      tallyboard cover list FILE --limit 1
  count the solutions with each value   tallyboard tally FILE
  count for weeks, on many machines     tallyboard cluster plan queens 26 --shards 500 -o q26.plan
  measure any program with threads      tallyboard scale run -- xz -T{threads} -kc BIGFILE
";

/// clap's usual order, with the jobs behind what the program is.
const ORDER: &str =
    "{about-with-newline}\n{before-help}{usage-heading} {usage}\n\n{all-args}{after-help}";

const FILES: &str = "\
What it reads (docs/formats.md shows an example of every format). The game of a file is found from
its content; `--as queens`, `sudoku`, `variant`, `regions` or `cover` names it:
  queens    a drawn board, or the column of each row's queen as a number, the top row first.
            Squares are named as in chess: a1 is at the bottom left. `solve` and `count` take a
            file with a board; to list or to tally it, type `queens list FILE`, `queens tally FILE`
  sudokus   81 characters a line, CSV, JSON lines, .sdk, pictures; also as gzip or zstd;
            `sudoku solve --to FORMAT` converts them, and `convert` does not take them
  variants  a rule a line, such as `cage 15 r1c1 r1c2`, and a picture of the givens:
            docs/variants.md; also links and files of f-puzzles, SudokuPad, Penpa and others
  regions   a letter for each cell, which names its colour: docs/regions.md
  covers    a picture of a board and of pieces: docs/cover.md; also options for dancing links;
            `explain` does not take them, and `describe` takes nothing else

What it writes:
  rows      puzzle:count:solution for each line that was read, where a count of 2 means two or
            more; `solve` writes a line that is no puzzle behind a `!`
  journals  `--journal FILE` saves each finished part of a count: `show FILE` tells how far it
            is, and the same command with `--resume` goes on
  plans     `cluster plan` writes a file that every machine reads, `cluster run` leaves a
            result for each part in a folder, and `cluster merge` adds them up
  reports   `scale … --json` is for `scale compare` and other programs, `--html` for people

Results go to standard output, or to -o FILE, which appears whole or not at all. Messages go to
standard error. Exit codes: 0 done, 1 something was wrong, 2 a mistake in the command,
128 + its number after a signal. `cluster run` has 42 and 75, too: see its help.";

/// The command line as clap's type: all of it, with examples on all help pages, or only the commands of a path.
pub fn definition(root: &Level, path: Option<&[&'static Entry]>) -> Command {
    let program = Command::new("tallyboard")
        .version(env!("CARGO_PKG_VERSION"))
        .max_term_width(100)
        .propagate_version(true);
    let program = <Args as clap::Args>::augment_args(program).about(env!("CARGO_PKG_DESCRIPTION"));
    let program = root.define(program, path);
    if path.is_some() { program } else { with_examples_and_files(program) }
}

/// Reads a command line.
pub fn parse(root: &Level, words: &[OsString]) -> Result<ArgMatches, Error> {
    let path = root.path(words.get(1..).unwrap_or_default());
    match definition(root, Some(&path)).try_get_matches_from(words) {
        // Help and mistakes are told with all that could have been typed.
        Err(error) if error.kind() != ErrorKind::DisplayVersion => {
            let mut program = definition(root, None);
            let matches = program.try_get_matches_from_mut(words);
            matches.map_err(|error| with_tips(error, &program, words))
        }
        matches => matches,
    }
}

/// Adds examples to the help page of every command, and to that of the program the jobs and the kinds of files.
fn with_examples_and_files(program: Command) -> Command {
    let program = with_examples(program, &[], &EXAMPLES);
    program.help_template(ORDER).before_help(JOBS).after_help("").after_long_help(FILES)
}

/// Adds to `error`, which `program` has found in `words`, the calls that may have been meant.
fn with_tips(mut error: Error, program: &Command, words: &[OsString]) -> Error {
    let is_command = error.get(ContextKind::InvalidSubcommand).is_some();
    let kind = if is_command { ContextKind::InvalidSubcommand } else { ContextKind::InvalidArg };
    let Some(ContextValue::String(unknown)) = error.get(kind) else { return error };
    let before: Vec<&OsStr> = words
        .iter()
        .map(OsString::as_os_str)
        .take_while(|word| *word != unknown.as_str())
        .collect();
    if let Some(now) = renamed(&before, unknown) {
        error.remove(ContextKind::SuggestedSubcommand);
        error.remove(ContextKind::SuggestedArg);
        let tip = vec![format!("it is `{now}` now").into()];
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tip));
        return error;
    }
    if !is_command {
        return error;
    }
    let tips = tips(program, words, OsStr::new(unknown));
    if !tips.is_empty() {
        // clap suggests a command with a similar name, but the unknown word may be a file.
        error.remove(ContextKind::SuggestedSubcommand);
        error.remove(ContextKind::SuggestedArg);
        let tips = tips.into_iter().map(|call| format!("did you mean `{call}`?").into()).collect();
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
    }
    error
}

/// The calls that may have been meant by `words`, in which the word `unknown` stands where the program expects a command.
/// Each call has what is missing before that word: `solve` or `count` before a file, the game, its command, or both. A missing
/// command is that of the game's first example. Only calls that the program can read, of files that exist.
fn tips(program: &Command, words: &[OsString], unknown: &OsStr) -> Vec<String> {
    let Some(place) = words.iter().position(|word| word == unknown) else { return Vec::new() };
    let (before, after) = words.split_at(place);
    let mut tips = Vec::new();
    for missing in missing_words(program, before, unknown) {
        let missing: Vec<OsString> = missing.iter().map(OsString::from).collect();
        let call = [before, &missing, after].concat();
        if is_possible(program, &call) {
            let words = call[1..].iter().map(|word| format!(" {}", shell(word)));
            let tip = program.get_name().to_owned() + &words.collect::<String>();
            if !tips.contains(&tip) {
                tips.push(tip);
            }
        }
    }
    tips
}

/// What may be missing between the words `before` and `unknown`, one or two words each.
fn missing_words<'a>(
    program: &Command,
    before: &[OsString],
    unknown: &'a OsStr,
) -> Vec<Vec<&'a str>> {
    if Path::new(unknown).is_file() && !before.iter().any(|word| has_commands(program, word)) {
        // The game of a file is recognised.
        return vec![vec!["solve"], vec!["count"]];
    }
    let mut games = Vec::new();
    let mut missing = Vec::new();
    for example in EXAMPLES.lines() {
        let mut names = example.split_whitespace().skip(1);
        let (Some(game), Some(command)) = (names.next(), names.next()) else { continue };
        if !has_commands(program, OsStr::new(game)) {
            continue;
        }
        let is_first_of_game = !games.contains(&game);
        games.push(game);
        if unknown == command {
            missing.push(vec![game]);
        } else if is_first_of_game && before.iter().any(|word| word == game) {
            missing.push(vec![command]);
        // `scale queens` is a command above a game: whoever leaves out both means the game.
        } else if is_first_of_game && !has_commands(program, OsStr::new(command)) {
            missing.push(vec![game, command]);
        }
    }
    missing
}

/// Whether `word` is a command of the program with commands below it, as games are.
fn has_commands(program: &Command, word: &OsStr) -> bool {
    word.to_str()
        .and_then(|word| program.find_subcommand(word))
        .is_some_and(Command::has_subcommands)
}

/// Whether `program` can read `call`, and all files exist that it names without an option.
fn is_possible(program: &Command, call: &[OsString]) -> bool {
    let matches = program.clone().try_get_matches_from(call);
    matches.is_ok_and(|matches| has_files(program, &matches))
}

/// Whether every file exists that is named without an option.
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

/// What to type now in place of `unknown`, a command or an option that is no more, behind the words `before`.
fn renamed(before: &[&OsStr], unknown: &str) -> Option<&'static str> {
    let has = |word: &str| before.iter().any(|before| *before == word);
    let game =
        ["queens", "sudoku", "variant", "cover", "regions"].into_iter().find(|game| has(game))?;
    match (game, unknown) {
        ("sudoku", "--estimate") if has("count") => Some("tallyboard sudoku estimate PUZZLE"),
        (_, "show") => Some("tallyboard show FILE"),
        ("queens", "sample") => Some("tallyboard queens estimate N --draws"),
        ("cover", "sample") => Some("tallyboard cover estimate FILE"),
        ("regions", "sample") => Some("tallyboard regions estimate FILE"),
        ("variant", "sample") => Some("tallyboard variant estimate FILE"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::commands::PROGRAM;

    use super::*;

    /// The values of all arguments, and the commands, from the program down.
    fn values(matches: &ArgMatches) -> Vec<String> {
        let value = |id: &clap::Id| {
            let raw = matches.try_get_raw(id.as_str()).ok().flatten();
            let raw: Option<Vec<&OsStr>> = raw.map(Iterator::collect);
            format!("{id} {raw:?} {:?}", matches.value_source(id.as_str()))
        };
        let mut values: Vec<String> = matches.ids().map(value).collect();
        values.sort();
        let below = matches.subcommand();
        values.extend(
            below.into_iter().flat_map(|(name, matches)| {
                [vec![name.to_owned()], self::values(matches)].concat()
            }),
        );
        values
    }

    #[test]
    fn every_command_has_examples_and_every_example_can_be_parsed() {
        fn check_examples(command: &Command, path: &[String]) {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let is_exempt = path.is_empty() || path == ["help"];
            assert!(is_exempt || help.starts_with("Examples:\n"), "{path:?}: {help}");
            // A name that is kept for those who know it says what it stands for.
            for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set()) {
                check_examples(sub, &[path, &[sub.get_name().to_owned()]].concat());
            }
        }
        check_examples(&definition(&PROGRAM, None), &[]);
        // Help pages are at most 100 columns wide, and wider lines are broken. Examples are indented by two.
        let texts = [JOBS, FILES].into_iter().flat_map(str::lines).map(str::len);
        assert!(EXAMPLES.lines().map(|line| line.len() + 2).chain(texts).max() <= Some(99));
        let jobs = JOBS.lines().filter_map(|line| Some(&line[line.find("tallyboard ")?..]));
        assert_eq!(jobs.clone().count(), JOBS.lines().count() - 1);
        for line in EXAMPLES.lines().chain(jobs) {
            for call in line.split('#').next().unwrap().split('|') {
                let words: Vec<OsString> = call.split_whitespace().map(OsString::from).collect();
                let found = parse(&PROGRAM, &words);
                assert!(found.is_ok(), "{call}: {}", found.unwrap_err());
                // A call defines the commands of its path alone, and reads what the whole program would read.
                let path = PROGRAM.path(&words[1..]);
                let narrow = definition(&PROGRAM, Some(&path)).try_get_matches_from(&words);
                let whole = definition(&PROGRAM, None).try_get_matches_from(&words);
                assert_eq!(values(&narrow.unwrap()), values(&whole.unwrap()), "{call}");
            }
        }
    }

    /// Those of the documents before games had one trait: what was typed then is typed still.
    #[test]
    fn command_lines_of_earlier_documents_are_read() {
        for line in include_str!("../../tests/data/command_lines.txt").lines() {
            let words: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
            let found = parse(&PROGRAM, &words);
            assert!(found.is_ok(), "{line}: {}", found.unwrap_err());
        }
    }

    #[test]
    fn a_word_that_names_a_command_in_another_place_is_read_as_by_the_whole_program() {
        for words in
            ["queens list 4 -o count", "-j 2 queens count 8", "solve sudoku", "sudoku solve count"]
        {
            let words = format!("tallyboard {words}");
            let words: Vec<OsString> = words.split(' ').map(OsString::from).collect();
            let whole = definition(&PROGRAM, None).try_get_matches_from(&words).unwrap();
            assert_eq!(values(&parse(&PROGRAM, &words).unwrap()), values(&whole), "{words:?}");
        }
    }

    /// The tips in the message for `words`.
    fn tips_for(words: &str) -> Vec<String> {
        let words: Vec<OsString> = words.split(' ').map(OsString::from).collect();
        let mut program = definition(&PROGRAM, None);
        let error = program.try_get_matches_from_mut(&words).unwrap_err();
        let text = with_tips(error, &program, &words).to_string();
        text.lines().filter_map(|line| line.strip_prefix("  tip: ").map(str::to_owned)).collect()
    }

    fn tip(words: &str) -> String {
        format!("did you mean `tallyboard {words}`?")
    }

    #[test]
    fn tips_name_what_is_left_out() {
        // Tests run in the folder of the crate.
        let file = "Cargo.toml";
        let game = |game: &str| tip(&format!("{game} {file}"));
        assert_eq!(tips_for(&format!("tallyboard cover {file}")), [game("cover count")]);
        assert_eq!(tips_for(&format!("tallyboard sudoku {file}")), [game("sudoku solve")]);
        let expected = ["solve", "count"].map(game);
        assert_eq!(tips_for(&format!("tallyboard {file}")), expected);
        assert_eq!(tips_for("tallyboard queens 8"), [tip("queens count 8")]);
        assert_eq!(tips_for("tallyboard 8"), [tip("queens count 8")]);
        assert_eq!(tips_for("tallyboard scale 8"), [tip("scale queens 8")]);
        let flags = tips_for(&format!("/bin/tallyboard -j 2 cover {file} --fundamental"));
        assert_eq!(flags, [tip(&format!("-j 2 cover count {file} --fundamental"))]);
    }

    #[test]
    fn old_names_are_told_the_new_ones() {
        let now = |words: &str, now: &str| {
            assert_eq!(tips_for(&format!("tallyboard {words}")), [format!("it is `{now}` now")]);
        };
        for game in ["queens", "cover", "variant"] {
            now(&format!("{game} show j"), "tallyboard show FILE");
        }
        now("queens sample 8 --subtrees 8", "tallyboard queens estimate N --draws");
        now("cover sample p", "tallyboard cover estimate FILE");
        now("variant sample p", "tallyboard variant estimate FILE");
        now("sudoku count p --estimate", "tallyboard sudoku estimate PUZZLE");
    }

    #[test]
    fn no_tip_names_a_file_that_does_not_exist() {
        for words in ["cover no.txt", "no.txt", "sudoku 8", "queens no.txt", "queens 8 --json --no"]
        {
            assert_eq!(tips_for(&format!("tallyboard {words}")), [""; 0], "{words}");
        }
        assert_eq!(tips_for("tallyboard queens cuont 8"), ["a similar subcommand exists: 'count'"]);
    }
}
