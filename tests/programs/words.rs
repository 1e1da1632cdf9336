//! Words of 0 and 1 without two 1s side by side, and every mistake that a problem can make: what
//! `tests/suite/program.rs` runs as somebody else's program.

use std::process::ExitCode;

use serde::{Deserialize, Serialize};
use tallyboard::program::{Counting, Error, Fact, Resources, Run};
use tallyboard::search::{Problem, Stop, Stopped, Tally};

/// Count words of 0 and 1 without two 1s side by side
#[derive(Debug, Clone, clap::Args, Serialize, Deserialize)]
struct Words {
    /// Digits of a word, from 5 to 60
    digits: u32,

    /// How to count
    #[arg(long, value_enum, default_value_t)]
    #[serde(default)]
    method: Method,

    /// Digits that every word begins with
    #[arg(long)]
    #[serde(default)]
    begin: Option<String>,

    /// Subtotals are told modulo this
    #[arg(long)]
    #[serde(default)]
    modulo: Option<u64>,

    /// What goes wrong
    #[arg(long, value_enum, default_value_t)]
    #[serde(default)]
    wrong: Wrong,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Method {
    /// Every word is looked at
    #[default]
    Search,
    /// The ends of words are counted by recursion
    Ends,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Wrong {
    #[default]
    Nothing,
    NoSubtrees,
    PanicInRun,
    PanicInSplit,
    PanicInIdentity,
    PanicInMemory,
    PanicInCount,
    LineBreak,
    NoIdentity,
    Known,
    Law,
    OneMethod,
    Moved,
    Memory,
    Slow,
}

/// A subtree for each beginning of four digits.
struct Beginnings {
    words: Words,
    threads: usize,
}

impl Counting for Words {
    fn run(&self, settings: &Resources) -> Result<Run, Error> {
        assert!(self.wrong != Wrong::PanicInRun, "a panic on purpose");
        if !(5..=60).contains(&self.digits) {
            return Err(format!("found {} digits, expected 5 to 60", self.digits).into());
        }
        let method = format!("{:?}", self.method).to_lowercase();
        let beginnings = Beginnings { words: self.clone(), threads: settings.threads() };
        Ok(Run::new(beginnings).detail("method", method))
    }

    /// The Fibonacci number F(digits + 2).
    fn known(&self) -> Option<u128> {
        if self.begin.is_some() || self.digits > 40 {
            return None;
        }
        let (mut one, mut next) = (1, 2);
        for _ in 0..self.digits {
            (one, next) = (next, one + next);
        }
        let one = self.modulo.map_or(one, |modulo| one % u128::from(modulo));
        Some(if self.wrong == Wrong::Known { one + 1 } else { one })
    }

    fn source(&self) -> &'static str {
        if self.modulo.is_some() { "a remainder of OEIS A000045" } else { "OEIS A000045" }
    }

    fn noun(&self) -> &'static str {
        "word"
    }

    fn methods(&self) -> Vec<Box<dyn Counting>> {
        let with = |method| Box::new(Self { method, ..self.clone() }) as Box<dyn Counting>;
        [Method::Ends, Method::Search].map(with).into()
    }

    /// Words that begin with 1 are fewer than the others.
    fn check(&self, solutions: u128, _: &Stop) -> Result<Vec<Fact>, Error> {
        if self.wrong == Wrong::Law {
            return Err("WRONG COUNT: a law is broken on purpose".into());
        }
        let text = format!("{} digits in all words", u128::from(self.digits) * solutions);
        Ok(vec![Fact { key: "digits_in_all", value: 1.into(), text }])
    }
}

impl Problem for Beginnings {
    fn identity(&self) -> String {
        assert!(self.words.wrong != Wrong::PanicInIdentity, "a panic on purpose");
        let revision = std::env::var("WORDS_ALGORITHM").unwrap_or("1".to_owned());
        let begin = self.words.begin.as_deref().unwrap_or_default();
        match self.words.wrong {
            Wrong::LineBreak => "words\nof two lines".to_owned(),
            Wrong::NoIdentity => " ".to_owned(),
            _ => {
                let digits = self.words.digits;
                format!("words digits={digits} begin={begin} algorithm={revision} layout=1")
            }
        }
    }

    fn subtrees(&self) -> usize {
        assert!(self.words.wrong != Wrong::PanicInSplit, "a panic on purpose");
        if self.words.wrong == Wrong::NoSubtrees { 0 } else { 16 }
    }

    fn threads(&self) -> usize {
        self.threads
    }

    fn modulus(&self) -> Option<u128> {
        self.words.modulo.map(u128::from)
    }

    fn memory(&self) -> u64 {
        assert!(self.words.wrong != Wrong::PanicInMemory, "a panic on purpose");
        let each = if self.words.wrong == Wrong::Memory { 300 << 20 } else { 1 << 20 };
        each * self.threads as u64
    }

    fn count(&self, beginning: usize, stop: &Stop) -> Result<Tally, Stopped> {
        let Words { digits, method, wrong, .. } = self.words;
        assert!(wrong != Wrong::PanicInCount || beginning != 9, "a panic on purpose");
        let fits = self
            .words
            .begin
            .as_ref()
            .is_none_or(|begin| format!("{beginning:04b}").starts_with(begin.as_str()));
        if !fits || beginning & beginning >> 1 != 0 {
            return Ok(Tally::default());
        }
        if wrong == Wrong::Slow {
            for _ in 0..20 {
                stop.check()?;
                std::thread::sleep(std::time::Duration::from_millis(10));
            }
        }
        let found = match method {
            Method::Ends => ends(digits - 4, beginning & 1 == 1),
            Method::Search => {
                let mut found = 0u64;
                for rest in 0..1u64 << (digits - 4) {
                    if rest % 100_000 == 0 {
                        stop.check()?;
                    }
                    let word = (beginning as u64) << (digits - 4) | rest;
                    found += u64::from(word & word >> 1 == 0);
                }
                match (wrong, beginning) {
                    (Wrong::OneMethod | Wrong::Moved, 2) => found + 1,
                    (Wrong::Moved, 0) => found - 1,
                    _ => found,
                }
            }
        };
        Ok(Tally::new(self.words.modulo.map_or(found, |modulo| found % modulo)))
    }
}

/// The number of words of `digits` digits after another digit, which is 1 if `after_one`.
fn ends(digits: u32, after_one: bool) -> u64 {
    match digits {
        0 => 1,
        _ if after_one => ends(digits - 1, false),
        _ => ends(digits - 1, false) + ends(digits - 1, true),
    }
}

fn main() -> ExitCode {
    tallyboard::program::main::<Words>("words", "30")
}
