//! Identities as people read them, in the words of the games that the program has.

use std::sync::OnceLock;

use tallyboard_search::plain_words;

/// What a game says of an identity of its own.
pub struct Told {
    /// What is counted and how: `20 queens, halves engine`.
    pub title: String,
    /// What a solution is called.
    pub noun: &'static str,
}

/// Tells an identity of one of the program's games, if it is one.
pub type Tell = fn(&str) -> Option<Told>;

static GAMES: OnceLock<Tell> = OnceLock::new();

/// Says once, at the start, how identities of the program's games are told.
pub fn set_games(tell: Tell) {
    GAMES.get_or_init(|| tell);
}

fn told(identity: &str) -> Option<Told> {
    GAMES.get().and_then(|tell| tell(identity))
}

/// An identity for people. Those of problems that are no game of the program are reduced to their [plain
/// words](plain_words): `langford n=12` for `langford n=12 begin= algorithm=1 layout=1`.
pub fn describe(identity: &str) -> String {
    told(identity).map_or_else(|| plain_words(identity), |told| told.title)
}

/// What a solution of the problem with this identity is called.
pub fn noun_of(identity: &str) -> &'static str {
    told(identity).map_or("solution", |told| told.noun)
}
