//! What every counting problem gets: its trait, and the commands that count, sample, verify and show it.

mod answer;
pub mod count;
pub mod forecast;
mod identities;
mod job;
mod journaled;
mod problem;
mod resources;
pub mod sample;
pub mod show;
pub mod verify;
mod watch;

pub(crate) use answer::{Answer, Facts, KnownCount};
pub use count::CountFlags;
pub use forecast::{OtherLoad, PATIENCE, core_seconds, core_text, too_long};
pub use identities::describe;
pub(crate) use job::{Details, Job, PrepareError, PreparedJob, share_done, unreported_arguments};
pub use journaled::{JournalArgs, Runner};
pub use problem::{Counting, Error, Fact};
pub use resources::Resources;
pub(crate) use resources::{NoRoom, process_bytes, shard_mib};
pub use sample::SampleFlags;
pub use show::ShowArgs;
pub use watch::Subtotals;
