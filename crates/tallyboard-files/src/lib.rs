//! Files: compressed or not, whole or not at all, the first bytes of any input, and cells of CSV.
//!
//! This crate knows nothing of what the files hold.

#[cfg(feature = "whole")]
#[doc(hidden)]
pub mod calls;
#[cfg(feature = "compression")]
pub mod compress;
pub mod csv;
mod head;
#[cfg(feature = "whole")]
pub mod whole;

pub use head::{BegunInput, MAX_HEAD_BYTES, read_head, read_some};
