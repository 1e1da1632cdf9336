//! What the crate promises, a file for each promise, in one program.

mod agreement;
mod definitions;
mod formats;
mod oracle;
mod published;
mod subtrees;
mod support;
mod world;
