//! Finished subtrees in an append-only file, so that a run survives whatever ends it.
//!
//! ```text
//! tallyboard journal 1                                   what this file is
//! {"version":…,"identity":…,"part":…,"subtrees":…,…}     the work it belongs to
//! 5d41402a                                               checksum of the lines above
//! record, record, …                                      48 bytes each, one a finished subtree
//! ```
//!
//! The rule that everything follows from: *a record counts only if its checksum fits this very
//! header.* Records have one length, so a damaged one does not hide those behind it; it is dropped,
//! and its subtree is counted again. What a crash has left half-written at the end is cut off.
//!
//! A record is handed to the operating system as soon as its subtree is finished, so a killed process
//! loses only the subtrees in its workers' hands; it is forced to the disk within
//! [`SYNC_INTERVAL`], so a machine that loses power forgets no more than that.
//! No time of day is stored or compared.

mod error;
mod file;
mod header;
mod reader;
mod record;

pub use error::{JournalError, Refusal};
pub use file::{Found, Journal, SYNC_INTERVAL};
pub use header::Header;
pub use reader::{Contents, read};
pub use record::Record;
