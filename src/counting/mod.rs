//! What every counting problem gets: its trait, and the commands that count, sample, verify and show it.

pub mod answer;
pub mod count;
pub mod forecast;
pub mod identities;
pub mod job;
pub mod journaled;
pub mod problem;
pub mod resources;
pub mod sample;
pub mod show;
pub mod verify;
pub mod watch;
