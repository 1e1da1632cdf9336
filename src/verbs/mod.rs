//! The verbs that every game has: a file each, and a line each in [`VERBS`].
//!
//! A verb is a type with its options, and what it does with a puzzle. It stands at the top, where the game of a file is recognised, and
//! below each game that does not lack it and has no command of that name of its own.

mod convert;
mod count;
mod describe;
mod draw;
mod estimate;
pub mod explain;
mod list;
pub mod recognise;
pub mod tally;
pub mod tree;
mod verify;

use anyhow::Result;
use clap::{Arg, ArgMatches, Command};
use tree::{Call, Entry, Kind};

use crate::games::{FileArgs, GAMES, Game, Puzzle, ensure_fit, of_name};
use crate::terminal::{Args, ExitStatus};

/// Every verb, in the order of the help.
pub static VERBS: [Entry; 9] = [
    entry::<count::Count>(),
    entry::<list::List>(),
    entry::<draw::Draw>(),
    entry::<explain::Explain>(),
    entry::<tally::Tally>(),
    entry::<estimate::Estimate>(),
    entry::<verify::Verify>(),
    entry::<convert::Convert>(),
    entry::<describe::Describe>(),
];

/// What can be done with a puzzle of any game; the fields of the type are its options.
trait Verb: clap::Args {
    /// Its name on the command line.
    const NAME: &'static str;
    /// What it does, for the help.
    const ABOUT: &'static str;
    /// A command line for the help, with what it does behind `#`, and a line break.
    const EXAMPLE: &'static str = "";

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

const fn entry<V: Verb>() -> Entry {
    Entry {
        name: V::NAME,
        about: V::ABOUT,
        example: V::EXAMPLE,
        kind: Kind::Leaf { define: define::<V>, run: run::<V> },
    }
}

/// The option that names the game of a file.
const GAME: &str = "as";

/// Adds the options of a verb; at the top, where no game stands before it, the one that names the game.
fn define<V: Verb>(command: Command, game: Option<&'static dyn Game>) -> Command {
    let verb = V::augment_args(command);
    if game.is_some() {
        return verb;
    }
    let game = Arg::new(GAME).long(GAME).value_name("GAME").value_parser(GAMES.map(Game::name));
    verb.arg(game.help("Take the file for one of this game; found from its content by default"))
}

/// Runs a verb on a file of the game below which it stands, or of the one that is named or recognised.
fn run<V: Verb>(matches: &ArgMatches, call: &Call) -> Result<ExitStatus> {
    let verb = V::from_arg_matches(matches)?;
    let file = verb.file();
    let game = match call.game {
        Some(game) => game,
        None => match matches.get_one::<String>(GAME) {
            Some(name) => of_name(name).expect("one of the names that are read"),
            None => recognise::game_of(V::NAME, &file.file, call.args)?,
        },
    };
    ensure_fit(game, file, None)?;
    verb.run(Source { game, file }, call.args)
}
