//! The tree of commands: what each is called, what its options are, and what it does.
//!
//! Of all that the program does at its start the definition of commands takes longest, so a call defines no command but its own:
//! the words of the command line name it. Only what shows help, or a mistake, wants the whole tree.

use std::ffi::OsString;

use anyhow::Result;
use clap::error::ErrorKind;
use clap::{ArgMatches, Command};

use crate::games::{Game, of_game, reads_a_puzzle};
use crate::terminal::{Args, ExitStatus};

/// A command.
#[derive(Clone, Copy)]
pub struct Entry {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it does, for the help.
    pub about: &'static str,
    /// A line of the help's examples, if they do not stand in the program's list.
    pub example: &'static str,
    /// What it is.
    pub kind: Kind,
}

/// What a command is.
#[derive(Clone, Copy)]
pub enum Kind {
    /// A command with options.
    Leaf {
        /// Adds the options to the command, which stands below a game or at the top.
        define: fn(Command, Option<&'static dyn Game>) -> Command,
        /// Does it.
        run: fn(&ArgMatches, &Call) -> Result<ExitStatus>,
    },
    /// Commands below it.
    Group(&'static Level),
}

/// How a command was called.
#[derive(Clone, Copy)]
pub struct Call<'a> {
    /// The options that every command has.
    pub args: &'a Args,
    /// The game below which the command stands; none at the top.
    pub game: Option<&'static dyn Game>,
    /// All commands of the program.
    pub root: &'static Level,
}

/// Commands beside each other.
pub struct Level {
    /// The game whose commands they are.
    pub game: Option<&'static dyn Game>,
    /// Those before the verbs that all games have.
    pub first: &'static [Entry],
    /// These verbs, or none. A game has those that it does not lack, and of which it has no command of that name of its own.
    pub verbs: &'static [Entry],
    /// Those behind the verbs.
    pub last: &'static [Entry],
}

/// Commands, a line each: the name, the type of the options, what it does for the help, and the function that does it.
macro_rules! commands {
    ($($name:literal $options:ty: $about:expr => $run:expr;)*) => {
        [$($crate::verbs::tree::Entry {
            name: $name,
            about: $about,
            example: "",
            kind: $crate::verbs::tree::Kind::Leaf {
                define: |command, _| <$options as clap::Args>::augment_args(command),
                run: |matches, call| {
                    type Run = fn(&$options, &$crate::verbs::tree::Call) -> anyhow::Result<$crate::terminal::ExitStatus>;
                    let run: Run = $run;
                    run(&<$options as clap::FromArgMatches>::from_arg_matches(matches)?, call)
                },
            },
        }),*]
    };
}
pub(crate) use commands;

impl Level {
    /// All commands, in the order of the help.
    pub fn entries(&self) -> impl Iterator<Item = &'static Entry> {
        let lacking = self.game.map_or(&[][..], Game::lacks);
        let own = |name| self.first.iter().any(|entry| entry.name == name);
        let verbs = self.verbs.iter();
        let verbs = verbs.filter(move |verb| !lacking.contains(&verb.name) && !own(verb.name));
        self.first.iter().chain(verbs).chain(self.last)
    }

    /// Other names of this command.
    fn aliases(&self, name: &str) -> impl Iterator<Item = &'static str> {
        let former = self.game.map_or(&[][..], Game::former_names);
        former.iter().filter(move |(_, now)| *now == name).map(|(former, _)| *former)
    }

    /// The command with this name.
    pub fn find(&self, name: &str) -> Option<&'static Entry> {
        self.entries().find(|entry| {
            entry.name == name || self.aliases(entry.name).any(|former| former == name)
        })
    }

    /// Adds those commands to `group` that `path` names, the command of this level first; without a path all.
    pub fn define(&self, group: Command, path: Option<&[&'static Entry]>) -> Command {
        let (own, below) = match path {
            Some([]) => (Some(None), None),
            Some([own, below @ ..]) => (Some(Some(own.name)), Some(below)),
            None => (None, None),
        };
        let entries = self.entries().filter(|entry| own.is_none_or(|own| own == Some(entry.name)));
        let group = entries.fold(group, |group, entry| {
            let command = entry.command(self.game, below);
            group.subcommand(command.aliases(self.aliases(entry.name)))
        });
        group.subcommand_required(true).arg_required_else_help(true)
    }

    /// The commands that the words of a command line name, from this level down.
    pub fn path(&self, words: &[OsString]) -> Vec<&'static Entry> {
        let found = (0..).zip(words).find_map(|(at, word)| Some((at, self.find(word.to_str()?)?)));
        let Some((at, entry)) = found else { return Vec::new() };
        let below = match entry.kind {
            Kind::Group(level) => level.path(&words[at + 1..]),
            Kind::Leaf { .. } => Vec::new(),
        };
        [vec![entry], below].concat()
    }

    /// Runs the command that was called.
    pub fn run(&self, matches: &ArgMatches, call: Call) -> Result<ExitStatus> {
        let missing = || clap::Error::new(ErrorKind::MissingSubcommand);
        let (name, matches) = matches.subcommand().ok_or_else(missing)?;
        let entry = self.find(name).ok_or_else(missing)?;
        entry.run(matches, Call { game: self.game, ..call })
    }
}

impl Entry {
    /// The commands below it, if it is a group.
    pub fn level(&self) -> Option<&'static Level> {
        match self.kind {
            Kind::Group(level) => Some(level),
            Kind::Leaf { .. } => None,
        }
    }

    /// The command with its options, or with the commands below it that `path` names.
    pub fn command(
        &self,
        game: Option<&'static dyn Game>,
        path: Option<&[&'static Entry]>,
    ) -> Command {
        let command = Command::new(self.name);
        let command = match self.kind {
            Kind::Group(level) => level.define(command, path),
            Kind::Leaf { define, .. } => {
                let command = define(command, game);
                match game {
                    Some(game) if reads_a_puzzle(&command) => of_game(command, game),
                    _ => command,
                }
            }
        };
        command.about(self.about).long_about(None)
    }

    /// Runs the command with what was parsed of its options.
    pub fn run(&self, matches: &ArgMatches, call: Call) -> Result<ExitStatus> {
        match self.kind {
            Kind::Group(level) => level.run(matches, call),
            Kind::Leaf { run, .. } => run(matches, &call),
        }
    }
}
