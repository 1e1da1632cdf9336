//! One table of the formats of all games: each row looks at the first bytes of a file, says whether it is in that format, and reads
//! it.
//!
//! ```
//! use tallyboard_doors::{Document, Found, Game, Options, recognise};
//!
//! let document = Document::new("board.txt", &b"AABB\nAABB\nCCDD\nCCDD\n"[..])?;
//! let recognised = recognise(&document, None)?;
//! assert_eq!(recognised.format().game, Game::Regions);
//! let Found::Regions(boards) = recognised.read(document, &Options::default())? else { panic!() };
//! assert_eq!(boards.count(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`Document`] is an input that is opened once: its first 64 KiB are there to be looked at, the rest is read by whoever takes it.
//! [`recognise`] asks all rows of [`FORMATS`]; the surest wins. A row that had to read a puzzle to know it hands it on, so that
//! [`Recognised::read`] reads nothing twice.
//!
//! To add a format is to write a row, in the file of its game, with its probe, its reader and an example; tests and the pages
//! `docs/formats/GAME.md` find it there.

mod cover;
mod document;
mod error;
mod format;
mod head;
mod looks;
mod notes;
mod page;
mod queens;
mod recognise;
mod regions;
mod sudoku;
mod typed;
mod variants;

pub use document::{Document, Input};
pub use error::ReadError;
pub use format::{Answer, Example, Format, Found, Game, Missing, Options, Probe, Read, Writer};
pub use head::{HEAD_BYTES, Head};
pub use notes::{note_on_boxes, note_on_stars};
pub use page::pages;
pub use recognise::{FORMATS, Recognised, Unrecognised, recognise};
pub use regions::boards;
pub use typed::is_typed_puzzle;
