//! The settings of a count, and the errors of a cover that cannot be counted.

use tallyboard_base::named::named;
use tallyboard_base::{Kernel, KernelMissing};
use tallyboard_search::Revision;

/// An algorithm that counts covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Engine {
    /// A search over masks, which remembers counts: for at most 512 bits. An option that covers an item with a multiplicity has to
    /// cover one without.
    Masks,
    /// Covers items in a fixed order and merges equal states: for at most 512 bits, without multiplicities. It is fast where a piece
    /// has no item of its own, as those for any number of times.
    Frontier,
    /// A search over sets of options, for every cover.
    Sets,
}

named! {
    /// All engines.
    Engine { Masks = "masks", Frontier = "frontier", Sets = "sets" }
}

impl Engine {
    /// The revision of the engine.
    pub(crate) const fn revision(self) -> Revision {
        match self {
            Self::Masks => Revision { algorithm: 1, layout: 7 },
            Self::Sets => Revision { algorithm: 1, layout: 6 },
            Self::Frontier => Revision { algorithm: 1, layout: 1 },
        }
    }
}

/// Why a cover cannot be counted.
#[non_exhaustive]
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CountError {
    /// More covers than 128 bits can count.
    #[error("more than 2^128 - 1 covers")]
    Overflow,
    /// The frontier has too many states.
    #[error("the frontier engine needs more than 512 MiB; the masks engine needs far less")]
    Memory,
    /// More entries than 32 bits can number.
    #[error("found more than 4294967295 entries in all options, expected fewer")]
    TooManyEntries,
    // The next two need hidden settings: `engine` and `kernel`.
    /// The engine that the settings name cannot count this cover.
    #[doc(hidden)]
    #[error(
        "the {0} engine takes at most 512 bits for items and colours, no weights, and of multiplicities {taken}; the sets engine takes every cover",
        taken = match .0 {
            Engine::Masks => "only those of options with a primary item for one option",
            _ => "none",
        }
    )]
    NotFor(Engine),
    /// The CPU lacks instructions.
    #[doc(hidden)]
    #[error(transparent)]
    Kernel(KernelMissing),
}

/// The settings of a count. What is not set is chosen for the cover and the CPU.
#[derive(Debug, Clone, Copy, Default)]
pub struct Settings {
    pub(crate) engine: Option<Engine>,
    pub(crate) kernel: Option<Kernel>,
    pub(crate) modulus: Option<u64>,
}

impl Settings {
    /// The fastest engine and kernel.
    pub fn new() -> Self {
        Self::default()
    }

    /// Counts with this engine.
    #[doc(hidden)]
    #[must_use]
    pub fn engine(self, engine: impl Into<Option<Engine>>) -> Self {
        Self { engine: engine.into(), ..self }
    }

    /// Counts modulo a number, for problems with more than 2^128 - 1 covers.
    ///
    /// # Panics
    /// If the number is 0 or 1.
    #[must_use]
    pub fn modulo(self, modulus: impl Into<Option<u64>>) -> Self {
        let modulus = modulus.into();
        assert!(modulus.is_none_or(|modulus| modulus >= 2), "found a modulus below 2");
        Self { modulus, ..self }
    }

    /// Counts with this kernel.
    #[doc(hidden)]
    #[must_use]
    pub fn kernel(self, kernel: impl Into<Option<Kernel>>) -> Self {
        Self { kernel: kernel.into(), ..self }
    }
}
