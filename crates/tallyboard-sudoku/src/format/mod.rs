//! The formats of sudokus: how a stream's text is cut, read and written.
//!
//! A format is a type with the trait `Syntax`. It finds where records end, by which the input is cut into chunks; it
//! reads the records of a chunk into a `Table`, which any solver answers; and it writes the rows of a table that was
//! read in any format. What a stream begins with is read once, by `Opening` (`sniff.rs`); the `Form` of a stream
//! follows from that and from what the caller wants.

#[cfg(feature = "compression")]
pub mod compress;
mod csv;
mod form;
#[cfg(all(feature = "compression", any(test, not(feature = "zstd"))))]
mod frames;
mod jsonl;
mod lines;
mod one;
mod options;
mod picture;
mod sniff;
mod syntax;
mod table;
mod text;

pub use super::columns::{Column, RecordPart, Row, RowUnit, Value};
pub use form::Form;
pub use one::OnePuzzle;
pub use options::{FormError, FormOptions, Format};
pub use sniff::{SniffedInput, sniff};
pub(super) use table::{RowOptions, Rows, Table};
