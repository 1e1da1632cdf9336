//! The program `tallyboard`: its command line, and a file for each command.

pub mod cluster;
pub mod cover;
mod generate;
mod help;
pub mod queens;
mod recognise;
mod records;
pub mod regions;
pub mod scale;
pub mod sudoku;
mod trace;
mod variant;

use std::env;
use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::commands::help::with_tips;
use crate::commands::recognise::{AnyArgs, command_line};
use crate::counting::{ShowArgs, Told, set_games, show};
use crate::games::{
    Covers, GAMES, Game, Regions, Sudokus, Variant, of_game, of_name, reads_a_puzzle,
};
use crate::terminal::process::{OwnCommand, begin, prepare};
use crate::terminal::{Args, ExitStatus};
use crate::verbs::{Below, Call, Place};

/// The `tallyboard` program: parses the command line, runs it, and turns the outcome into an exit code.
pub fn main() -> ExitCode {
    set_games(tell);
    begin("tallyboard", || run(&Program::read()?))
}

/// Count the solutions of board puzzles, exactly, on every core.
#[derive(Debug, clap::Parser)]
#[command(version, about, max_term_width = 100, propagate_version = true)]
pub struct Program {
    #[command(flatten)]
    pub args: Args,

    #[command(subcommand)]
    pub command: Command,
}

impl Program {
    /// Reads the command line.
    fn read() -> Result<Self, clap::Error> {
        let words: Vec<OsString> = env::args_os().collect();
        Self::parse_words(&words)
    }

    fn parse_words(words: &[OsString]) -> Result<Self, clap::Error> {
        // To add examples to all help pages takes longer than all else at the start, so it is done only for a call that
        // shows help or an error: such a call is parsed a second time.
        Self::try_parse_from(words).or_else(|_| {
            let mut program = Self::clap_command();
            let matches = program.try_get_matches_from_mut(words);
            Self::from_arg_matches(&matches.map_err(|error| with_tips(error, &program, words))?)
        })
    }

    /// The command line as clap's type, with examples on all help pages.
    fn clap_command() -> clap::Command {
        // clap defers the definition of a group of commands to its call. For help all are wanted now.
        let definitions: [(&str, Define); 7] = [
            ("queens", define::<queens::Command>),
            ("sudoku", |game| Call::<Below<Sudokus>>::define_now(define::<sudoku::Command>(game))),
            ("variant", |game| {
                Call::<Below<Variant>>::define_now(define::<variant::Command>(game))
            }),
            ("cover", |game| Call::<Below<Covers>>::define_now(define::<cover::Command>(game))),
            ("regions", |game| {
                Call::<Below<Regions>>::define_now(define::<regions::Command>(game))
            }),
            ("scale", define::<scale::Command>),
            ("cluster", define::<crate::cluster::Command<cluster::PlanFlags>>),
        ];
        let program = Self::command();
        // `mut_subcommand` moves a command to the end, so all commands are put back into the order of `Command`.
        let order: Vec<String> =
            program.get_subcommands().map(|command| command.get_name().to_owned()).collect();
        let program = definitions.into_iter().fold(program, |program, (name, define)| {
            // Replaces the deferred definition, which would define the group a second time, by one that does nothing.
            program.mut_subcommand(name, |command| define(command).defer(|defined| defined))
        });
        let program = Call::<Top>::define_now(program);
        let program = order
            .iter()
            .fold(program, |program, name| program.mut_subcommand(name, |command| command));
        help::with_examples_and_files(program)
    }
}

#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// Solve a file of any game, which is recognised: as `sudoku solve`, `variant solve`, `regions solve` or `cover
    /// list --limit 1`
    Solve(AnyArgs),
    /// Count the solutions in a file of any game, which is recognised, as the game's own `count` does
    Count(AnyArgs),
    #[command(flatten)]
    Verb(Call<Top>),
    /// Count the placements of n queens that do not attack each other
    #[command(subcommand)]
    Queens(Deferred<queens::Command>),
    /// Solve and count files of sudokus
    #[command(subcommand)]
    Sudoku(Deferred<sudoku::Command>),
    /// Solve, count and make sudokus by any rules: jigsaw, diagonals, anti-knight, killer, thermometers …
    #[command(subcommand)]
    Variant(Deferred<variant::Command>),
    /// Count the exact covers of any puzzle in a file
    #[command(subcommand)]
    Cover(Deferred<cover::Command>),
    /// Solve, count, make and explain boards of queens in coloured regions, and Star Battle
    #[command(subcommand)]
    Regions(Deferred<regions::Command>),
    /// Measure how any program, or this machine, scales with threads
    #[command(subcommand)]
    Scale(Deferred<scale::Command>),
    /// Split a long run into shards for many machines, and merge their results
    #[command(subcommand)]
    Cluster(Deferred<crate::cluster::Command<cluster::PlanFlags>>),
    /// Show how far a count is, from its journal
    Show(ShowArgs),
    #[command(flatten)]
    Own(OwnCommand),
}

/// The commands `C` of a group, such as a game. `clap` gets their definitions only once the group is called, because most of the
/// time that the program takes to start goes to definitions.
#[derive(Debug)]
pub struct Deferred<C>(pub C);

impl<C: Subcommand> Subcommand for Deferred<C> {
    fn augment_subcommands(group: clap::Command) -> clap::Command {
        group.defer(define::<C>)
    }

    fn augment_subcommands_for_update(group: clap::Command) -> clap::Command {
        Self::augment_subcommands(group)
    }

    fn has_subcommand(name: &str) -> bool {
        C::has_subcommand(name)
    }
}

impl<C: FromArgMatches> FromArgMatches for Deferred<C> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        C::from_arg_matches(matches).map(Self)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.0.update_from_arg_matches(matches)
    }
}

/// The top of the program, where the game of a file is recognised.
#[derive(Debug)]
pub struct Top;

impl Place for Top {
    fn game() -> Option<&'static dyn Game> {
        None
    }

    fn define(verb: clap::Command) -> clap::Command {
        let game = clap::Arg::new(GAME).long(GAME).value_name("GAME");
        let game = game.value_parser(GAMES.map(Game::name));
        verb.arg(game.help("Take the file for one of this game; found from its content by default"))
    }

    fn game_of(
        verb: &str,
        file: &Path,
        matches: &ArgMatches,
        args: &Args,
    ) -> Result<&'static dyn Game> {
        match matches.get_one::<String>(GAME) {
            Some(name) => Ok(of_name(name).expect("one of the names that are read")),
            None => recognise::game_of(verb, file, args),
        }
    }
}

/// The option that names the game of a file.
const GAME: &str = "as";

/// Adds arguments and commands to a command.
type Define = fn(clap::Command) -> clap::Command;

/// Adds the commands `C` to a group such as a game, which keeps its own description.
fn define<C: Subcommand>(group: clap::Command) -> clap::Command {
    let about = group.get_about().cloned();
    fit_games(C::augment_subcommands(group).about(about.unwrap_or_default()), None)
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

/// Runs the command of the game that the file is of.
fn run_recognised(verb: &str, flags: &AnyArgs, args: &Args) -> Result<ExitStatus> {
    let words = command_line(verb, flags, env::args_os(), args)?;
    run(&Program::parse_words(&words)?)
}

/// Runs the command that `program` names.
fn run(program: &Program) -> Result<ExitStatus> {
    let Program { args, command } = program;
    prepare(args)?;
    match command {
        Command::Solve(flags) => run_recognised("solve", flags, args),
        Command::Count(flags) => run_recognised("count", flags, args),
        Command::Queens(Deferred(command)) => queens::run(command, args),
        Command::Sudoku(Deferred(command)) => sudoku::run(command, args),
        Command::Variant(Deferred(command)) => variant::run(command, args),
        Command::Cover(Deferred(command)) => cover::run(command, args),
        Command::Regions(Deferred(command)) => regions::run(command, args),
        Command::Scale(Deferred(command)) => scale::run(command, args),
        Command::Cluster(Deferred(command)) => cluster::run(command, args),
        Command::Show(flags) => show::run(flags),
        Command::Verb(call) => call.run(args),
        Command::Own(command) => command.run(Program::clap_command()),
    }
}
