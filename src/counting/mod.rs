//! What every counting problem gets: its trait, and the commands that count, sample, verify and show it.

mod arguments;
pub mod count;
pub mod estimate;
mod identities;
mod resources;
mod run;
pub mod show;
pub mod verify;

pub(crate) use arguments::{Answer, Details, Facts, Job, KnownCount, PrepareError, PreparedJob};
pub use arguments::{Counting, Error, Fact};
pub(crate) use arguments::{share_done, unreported_arguments};
pub use count::CountFlags;
pub use estimate::{OtherLoad, PATIENCE, SampleFlags, core_seconds, core_text, too_long};
pub use identities::describe;
pub use resources::Resources;
pub(crate) use resources::{NoRoom, process_bytes, shard_mib};
pub use run::{JournalArgs, Runner, Subtotals};
pub use show::ShowArgs;
