//! The tests of exact covers, in one binary, which is linked once.

mod formats;
mod oracle;
mod pictures;
mod pips;
mod subtrees;
mod support;
mod symmetries;
