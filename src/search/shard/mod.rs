//! One problem on many machines: a plan names the shards, each machine counts some, a merge joins
//! the results.
//!
//! ```text
//! plan ── shard 0 ── result 0 ─┐
//!      ├─ shard 1 ── result 1 ─┼─ merge ── the count
//!      └─ …                    ┘
//! ```
//!
//! Nothing runs between the machines but files. Every result names the [`Work`] it belongs to, its
//! checksum fits only its contents, and it lists its subtrees, so that a merge can show that each
//! subtree was counted exactly once, whoever counted it and however often.

mod bundle;
mod plan;
mod provenance;
mod results;
mod sealed;

pub use bundle::{Bundle, BundleError, ShardRecord};
pub use plan::{CoreHours, Differs, Expected, Plan, Work, deal, file_name, ranges};
pub use provenance::Provenance;
pub use results::{Collected, MergeError, ShardResult, collect, other_work, sum};
pub use sealed::{InFile, SealError};
