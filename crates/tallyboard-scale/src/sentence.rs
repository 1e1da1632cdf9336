//! What a sentence of a report is about. The topics are in the order in which a report has its sentences.

use std::borrow::Borrow;
use std::fmt;
use std::ops::Deref;

use serde::Serialize;
use tallyboard_base::named::named;

/// What a sentence is about. A report has at most one sentence of each topic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Topic {
    /// By how much several threads are faster than the fewest.
    Headline,
    /// Fewer threads are faster.
    Fewer,
    /// The main cause of what is lost.
    MainCause,
    /// What to do about it.
    WhatToDo,
    /// All losses, the largest first.
    LostTime,
    /// The speed-up without the time in which threads had no processor.
    Undisturbed,
    /// What more threads would give.
    MoreCores,
    /// The processor time of the helpers.
    Helpers,
    /// Why it is unknown where the time went.
    UnknownLosses,
    /// The memory that runs hold.
    Memory,
    /// What the work reads from memory.
    Bandwidth,
    /// Which node memory belongs to.
    FarMemory,
    /// Why a speed-up is larger than the number of threads.
    Superlinear,
    /// The pieces of one thread, and what they predict.
    Pieces,
}

named! {
    /// All topics, in the order of a report.
    Topic {
        Headline = "speed-up",
        Fewer = "fewer threads",
        MainCause = "main cause",
        WhatToDo = "what to do",
        LostTime = "lost time",
        Undisturbed = "undisturbed",
        MoreCores = "more cores",
        Helpers = "helpers",
        UnknownLosses = "unknown losses",
        Memory = "memory",
        Bandwidth = "bandwidth",
        FarMemory = "far memory",
        Superlinear = "more than linear",
        Pieces = "pieces",
    }
}

impl Topic {
    /// Whether its sentence is among those that a reader needs first. Why no losses are known is needed if no cause is.
    pub(crate) fn is_first(self, is_cause_known: bool) -> bool {
        match self {
            Self::UnknownLosses => !is_cause_known,
            topic => topic <= Self::MoreCores,
        }
    }
}

/// A sentence of a report with its topic. Its JSON is its text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Sentence {
    /// What it is about.
    #[serde(skip)]
    pub topic: Topic,
    /// The sentence, and further ones that belong to it.
    pub text: String,
}

impl Deref for Sentence {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl Borrow<str> for Sentence {
    fn borrow(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Sentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
