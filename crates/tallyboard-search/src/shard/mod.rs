//! One problem on many machines: a plan names the shards, each machine counts some, a merge joins the results.
//!
//! ```text
//! plan ── shard 0 ── result 0 ─┐
//!      ├─ shard 1 ── result 1 ─┼─ merge ── the count
//!      └─ …                    ┘
//! ```
//!
//! Machines exchange files and nothing else. Every result names the [`Work`] that it belongs to, carries a
//! checksum of its contents, and lists its subtrees. So a merge can prove that each subtree enters the count
//! exactly once, even if several machines counted it.

#[cfg(feature = "bundles")]
mod bundle;
mod plan;
mod results;
mod sealed;

#[cfg(feature = "bundles")]
pub use bundle::{Bundle, BundleError, ShardRecord, Subtotal};
pub use plan::{
    CoreHours, MAX_SHARDS, Plan, PlanForecast, PlanMismatch, Work, deal, deal_one, file_name,
    is_file_name, most_dealt, ranges,
};
pub use results::{
    COMMIT, FolderResults, MergeError, Provenance, ShardResult, collect, other_work, sum,
};
pub use sealed::{SealError, SealedFile, is_plan_or_result};
