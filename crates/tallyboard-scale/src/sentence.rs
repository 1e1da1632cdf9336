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
    /// Why a speed-up is larger than the number of threads.
    Superlinear,
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
    /// Which of two laws holds better.
    Law,
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
    /// The pieces of one thread, and what they predict.
    Pieces,
}

named! {
    /// All topics, in the order of a report.
    Topic {
        Headline = "speed-up",
        Superlinear = "more than linear",
        Fewer = "fewer threads",
        MainCause = "main cause",
        WhatToDo = "what to do",
        LostTime = "lost time",
        Undisturbed = "undisturbed",
        MoreCores = "more cores",
        Law = "law",
        Helpers = "helpers",
        UnknownLosses = "unknown losses",
        Memory = "memory",
        Bandwidth = "bandwidth",
        FarMemory = "far memory",
        Pieces = "pieces",
    }
}

impl Topic {
    /// When its sentence is said, in words that follow "said".
    pub fn when(self) -> &'static str {
        match self {
            Self::Headline => "always",
            Self::Superlinear => {
                "if the speed-up is above the ideal one by 1 % or more, and its interval is above it too"
            }
            Self::Fewer => {
                "if fewer threads are faster by 5 % or more, and the interval of the step between both does not contain 1"
            }
            Self::MainCause => {
                "if the largest loss is a tenth of the threads' time or more; of times that another tool measured, if the efficiency is below 90 %"
            }
            Self::WhatToDo => "with every main cause",
            Self::LostTime => "if it is known where the time of several threads went",
            Self::Undisturbed => {
                "of a command whose threads waited for a processor for more than 5 % of their time"
            }
            Self::MoreCores => "if more than the fewest threads were measured, or pieces were",
            Self::Law => {
                "if both Amdahl's law and the universal scalability law were fitted: the latter is used if the interval of its coherency, or without intervals the misfit, shows that it is better"
            }
            Self::Helpers => "if helpers took 1 % of the workers' time or more",
            Self::UnknownLosses => "if it is not known where the time of several threads went",
            Self::Memory => "if the memory of two thread counts or more is known",
            Self::Bandwidth => "if --machine has measured what memory delivers",
            Self::FarMemory => "on machines of several NUMA nodes",
            Self::Pieces => "if the pieces of one thread were measured, in strong scaling",
        }
    }

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
