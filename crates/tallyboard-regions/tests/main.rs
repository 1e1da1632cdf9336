//! The tests of boards of regions, in one binary: the library alone has so few that its kernels would be compiled once more for
//! hardly anything.

mod boards;
mod engines;
mod formats;
/// The reader of scripts, whose own tests need no engine.
#[path = "../src/format/literal.rs"]
#[allow(dead_code, reason = "the tests of the file use a part of it")]
mod literal;
mod support;
