//! The tests of boards of regions, in one binary: the library alone has so few that its kernels would be compiled once more for
//! hardly anything.

mod boards;
mod count;
mod engines;
mod formats;
mod support;
mod tally;
