//! What every counting problem gets: the trait of its arguments, and the verbs that count, estimate, verify and show it, each once.

mod arguments;
pub mod count;
pub mod estimate;
mod identities;
mod kinds;
mod resources;
mod run;
pub mod show;
pub mod verify;

pub(crate) use run::advise;

pub(crate) use arguments::{Answer, Details, KERNEL, KnownCount, share_done};
pub use arguments::{Counting, Error, Fact, Run, ToJson};
pub use count::CountFlags;
pub use estimate::{
    DrawFlags, OtherLoad, PATIENCE, SampleFlags, core_seconds, core_text, too_long,
};
pub use identities::{Told, describe, set_games};
pub(crate) use kinds::may_pass;
pub use resources::Resources;
pub(crate) use resources::{NoRoom, process_bytes, shard_mib};
pub use run::{Subtotals, report_found};
pub use show::ShowArgs;
