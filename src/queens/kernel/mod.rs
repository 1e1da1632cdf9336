//! The bitmask backtrackers: each counts the solutions below given start positions.
//!
//! A kernel never allocates per node, prints or spawns. Having one proves that this CPU can run it.

pub mod textbook;
