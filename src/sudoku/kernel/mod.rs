//! The solvers for one grid at a time.

pub mod single;
pub mod state;
