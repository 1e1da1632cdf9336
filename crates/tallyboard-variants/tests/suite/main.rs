//! What the crate promises, a file for each promise, in one program.

mod agreement;
mod formats;
mod oracle;
mod published;
mod subtrees;
mod support;
