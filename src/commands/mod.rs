//! The program `tallyboard`: its command line, and a file for each command.

pub mod cluster;
mod generate;
mod help;
pub mod queens;
pub mod regions;
pub mod scale;
mod serve;
mod solve;
pub mod sudoku;
mod trace;
mod variant;

use std::env;
use std::ffi::OsString;
use std::process::ExitCode;

use clap::{FromArgMatches, Subcommand};

use crate::cluster::Command as ClusterCommand;
use crate::commands::help::{definition, parse};
use crate::commands::solve::AnyArgs;
use crate::counting::{ShowArgs, Told, set_games, show};
use crate::games::{Covers, GAMES, Game, of_game, of_name, reads_a_puzzle};
use crate::terminal::process::{
    ABOUT_COMPLETIONS, ABOUT_MAN, CompletionsArgs, ManArgs, begin, prepare,
};
use crate::terminal::{Args, io};
use crate::verbs::VERBS;
use crate::verbs::tree::{Call, Entry, Kind, Level, commands};

/// The `tallyboard` program: parses the command line, runs it, and turns the outcome into an exit code.
pub fn main() -> ExitCode {
    set_games(tell);
    io::take_puzzles(tallyboard_doors::is_typed_puzzle);
    begin("tallyboard", || {
        let words: Vec<OsString> = env::args_os().collect();
        let matches = parse(&PROGRAM, &words)?;
        let args = &Args::from_arg_matches(&matches)?;
        prepare(args)?;
        PROGRAM.run(&matches, Call { args, game: None, root: &PROGRAM })
    })
}

/// The commands of the program.
static PROGRAM: Level = Level {
    game: None,
    first: &commands! {
        "solve" AnyArgs: "Solve the puzzles in a file of any game; of an exact cover, list one solution" =>
            |flags, call| solve::run("solve", flags, call);
        "count" AnyArgs: "Count all solutions of the puzzle in a file of any game; of placements of queens, check them" =>
            |flags, call| solve::run("count", flags, call);
    },
    verbs: &VERBS,
    last: &[
        group(
            "queens",
            "Count the placements of n queens that do not attack each other",
            &queens::COMMANDS,
        ),
        group("sudoku", "Solve and count files of sudokus", &sudoku::COMMANDS),
        group(
            "variant",
            "Solve, count, explain and make sudokus with further rules: jigsaw, killer, thermometers …",
            &variant::COMMANDS,
        ),
        group("cover", "Count tilings, packings and all other exact covers", &COVER_COMMANDS),
        group(
            "regions",
            "Solve, count, explain and make boards of LinkedIn's Queens and of Star Battle",
            &regions::COMMANDS,
        ),
        Entry {
            name: "scale",
            example: "",
            about: "Measure how much faster any program, or this machine, gets with more threads",
            kind: Kind::Leaf {
                define: |group, _| define::<scale::Command>(group),
                run: |matches, call| {
                    scale::run(&FromArgMatches::from_arg_matches(matches)?, call.args)
                },
            },
        },
        Entry {
            name: "cluster",
            example: "",
            about: "Deal a long count to many machines, and merge their results",
            kind: Kind::Leaf {
                define: |group, _| define::<ClusterCommand<cluster::PlanFlags>>(group),
                run: |matches, call| {
                    cluster::run(&FromArgMatches::from_arg_matches(matches)?, call.args)
                },
            },
        },
        OWN[0],
        OWN[1],
        OWN[2],
        OWN[3],
    ],
};

/// The commands that are of no game.
const OWN: [Entry; 4] = commands! {
    "serve" serve::ServeArgs: "Answer the web editor f-puzzles, in place of the program SudokuSolver (needs a build with `--features serve`)" => |flags, call| serve::run(flags, call.args);
    "show" ShowArgs: "Show how far a count with `--journal` is" => |flags, _| show::run(flags);
    "completions" CompletionsArgs: ABOUT_COMPLETIONS => |flags, call| flags.run(definition(call.root, None));
    "man" ManArgs: ABOUT_MAN => |flags, call| flags.run(definition(call.root, None));
};

/// The commands of covers.
static COVER_COMMANDS: Level = Level { game: Some(&Covers), first: &[], verbs: &VERBS, last: &[] };

const fn group(name: &'static str, about: &'static str, level: &'static Level) -> Entry {
    Entry { name, about, example: "", kind: Kind::Group(level) }
}

/// Adds the commands `C` to a group, and hides the options that their games have no use for.
fn define<C: Subcommand>(group: clap::Command) -> clap::Command {
    let group = C::augment_subcommands(group);
    fit_games(group.subcommand_required(true).arg_required_else_help(true), None)
}

/// Hides the options that `game`, or the game of which `command` has the name, has no use for, in `command` and all below it.
fn fit_games(command: clap::Command, game: Option<&'static dyn Game>) -> clap::Command {
    let game = of_name(command.get_name()).or(game);
    let command = match game {
        Some(game) if reads_a_puzzle(&command) => of_game(command, game),
        _ => command,
    };
    command.mut_subcommands(|below| fit_games(below, game))
}

/// Tells an identity in the words of the game that it is of.
fn tell(identity: &str) -> Option<Told> {
    queens::arguments::tell(identity).or_else(|| GAMES.iter().find_map(|game| game.tell(identity)))
}

/// The first of `items` that equals one before it.
fn first_repeated<T: PartialEq>(items: &[T]) -> Option<&T> {
    let mut places = 0..items.len();
    places.find(|&place| items[..place].contains(&items[place])).map(|place| &items[place])
}
