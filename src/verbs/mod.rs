//! The verbs that every game has: a file each, and a line each in [`VERBS`].
//!
//! A verb is a type with its options, and what it does with a puzzle. It stands at the top, where the game of a file is recognised, and
//! below each game that does not lack it.

mod convert;
mod describe;
mod draw;
mod estimate;
pub mod explain;
mod list;
pub mod tally;
mod verify;

use std::marker::PhantomData;
use std::path::Path;

use anyhow::Result;
use clap::{ArgMatches, Command, FromArgMatches, Subcommand};

use crate::games::{FileArgs, Game, OneGame, Puzzle, ensure_fit, of_game};
use crate::terminal::{Args, ExitStatus};

/// The verbs at a place.
struct Verbs<P>(PhantomData<P>);

impl<P: Place> Verbs<P> {
    /// Every verb, in the order of the help.
    const ALL: [Entry; 8] = [
        entry::<list::List, P>(),
        entry::<draw::Draw, P>(),
        entry::<explain::Explain, P>(),
        entry::<tally::Tally, P>(),
        entry::<estimate::Estimate, P>(),
        entry::<verify::Verify, P>(),
        entry::<convert::Convert, P>(),
        entry::<describe::Describe, P>(),
    ];
}

/// What can be done with a puzzle of any game; the fields of the type are its options.
trait Verb: clap::Args {
    /// Its name on the command line.
    const NAME: &'static str;
    /// What it does, for the help.
    const ABOUT: &'static str;

    /// Which puzzle is asked for.
    fn file(&self) -> &FileArgs;

    /// Does it. The options of the file fit the game.
    fn run(&self, puzzles: Source, args: &Args) -> Result<ExitStatus>;
}

/// Where the puzzle of a verb comes from.
struct Source<'a> {
    game: &'static dyn Game,
    file: &'a FileArgs,
}

impl Source<'_> {
    /// Reads the puzzle.
    fn read(&self, args: &Args) -> Result<Box<dyn Puzzle>> {
        self.game.read(self.file, args)
    }
}

/// A line of the table of verbs.
#[derive(Clone, Copy)]
struct Entry {
    name: &'static str,
    about: &'static str,
    /// Adds the options to the command.
    define: fn(Command) -> Command,
    run: fn(&ArgMatches, &Args) -> Result<ExitStatus>,
}

const fn entry<V: Verb, P: Place>() -> Entry {
    let define = |command| P::define(V::augment_args(command).about(V::ABOUT).long_about(None));
    Entry { name: V::NAME, about: V::ABOUT, define, run: run::<V, P> }
}

/// Runs a verb on a file of the game of its place.
fn run<V: Verb, P: Place>(matches: &ArgMatches, args: &Args) -> Result<ExitStatus> {
    let verb = V::from_arg_matches(matches)?;
    let file = verb.file();
    let game = P::game_of(V::NAME, &file.file, matches, args)?;
    ensure_fit(game, file, None)?;
    verb.run(Source { game, file }, args)
}

/// Where verbs stand: at the top of the program, or below a game.
pub trait Place {
    /// The game below which they stand; none at the top.
    fn game() -> Option<&'static dyn Game>;

    /// Adds what a verb has besides at this place.
    fn define(verb: Command) -> Command;

    /// The game of the file at this path, for the verb of this name, whose command line gave these `matches`.
    ///
    /// # Errors
    /// If the file cannot be read, or is of no game that is known.
    fn game_of(
        verb: &str,
        file: &Path,
        matches: &ArgMatches,
        args: &Args,
    ) -> Result<&'static dyn Game>;
}

/// The place below a game.
#[derive(Debug)]
pub struct Below<G>(PhantomData<G>);

impl<G: OneGame> Place for Below<G> {
    fn game() -> Option<&'static dyn Game> {
        Some(G::GAME)
    }

    fn define(verb: Command) -> Command {
        of_game(verb, G::GAME)
    }

    fn game_of(_: &str, _: &Path, _: &ArgMatches, _: &Args) -> Result<&'static dyn Game> {
        Ok(G::GAME)
    }
}

/// A verb that was called at a place, with its options.
pub struct Call<P> {
    name: &'static str,
    matches: ArgMatches,
    place: PhantomData<P>,
}

impl<P> std::fmt::Debug for Call<P> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Call").field("name", &self.name).finish_non_exhaustive()
    }
}

impl<P: Place> Call<P> {
    /// The verbs of this place: those that its game does not lack.
    fn verbs() -> impl Iterator<Item = Entry> {
        let lacking = P::game().map_or(&[][..], Game::lacks);
        Verbs::<P>::ALL.into_iter().filter(|verb| !lacking.contains(&verb.name))
    }

    /// Defines the verbs of `group` now, which clap would do when one is called.
    pub fn define_now(group: Command) -> Command {
        Self::verbs().fold(group, |group, verb| {
            // Replaces the deferred definition, which would define the verb a second time, by one that does nothing.
            group.mut_subcommand(verb.name, |command| {
                (verb.define)(command).defer(|defined| defined)
            })
        })
    }

    /// Runs the verb.
    pub fn run(&self, args: &Args) -> Result<ExitStatus> {
        let entry = Self::verbs().find(|verb| verb.name == self.name).expect("it was parsed");
        (entry.run)(&self.matches, args)
    }
}

impl<P: Place> Subcommand for Call<P> {
    fn augment_subcommands(group: Command) -> Command {
        let former = P::game().map_or(&[][..], Game::former_names);
        let command = |verb: Entry| {
            let former = former.iter().filter(|(_, now)| *now == verb.name).map(|(name, _)| *name);
            Command::new(verb.name).aliases(former).about(verb.about).defer(verb.define)
        };
        group.subcommands(Self::verbs().map(command))
    }

    fn augment_subcommands_for_update(group: Command) -> Command {
        Self::augment_subcommands(group)
    }

    fn has_subcommand(name: &str) -> bool {
        Self::verbs().any(|verb| verb.name == name)
    }
}

impl<P: Place> FromArgMatches for Call<P> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let called = matches.subcommand().and_then(|(name, matches)| {
            Some((Self::verbs().find(|verb| verb.name == name)?.name, matches.clone()))
        });
        let missing = || clap::Error::new(clap::error::ErrorKind::MissingSubcommand);
        let (name, matches) = called.ok_or_else(missing)?;
        Ok(Self { name, matches, place: PhantomData })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
