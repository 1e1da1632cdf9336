//! Exact covers, counted: with secondary items, colours and multiplicities.
//!
//! A [`Cover`] is made item by item or [read](mod@format) from a file; [`Count`] counts its solutions.

mod arithmetic;
mod board;
mod bounds;
mod clauses;
mod count;
mod cover;
pub mod format;
mod frontier;
mod hash;
mod masks;
mod mistake;
pub mod picture;
mod pips;
mod planning;
mod sets;
mod settings;
mod symmetry;
mod tally;

pub use board::{Board, PlacedPiece};
pub use count::{Count, fingerprint, is_identity};
pub use cover::{Cover, CoverError, Entry, Item, ItemId, Kind, NO_COLOUR};
pub use mistake::Mistake;
pub use sets::Solutions;
pub use settings::{CountError, Engine, Settings};
pub use symmetry::{Group, Symmetry};
pub use tally::{tally, tally_by, tally_uncovered};
