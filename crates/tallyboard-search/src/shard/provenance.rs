//! Who counted a shard, with what, and how long it took.

use serde::{Deserialize, Serialize};

use tallyboard_base::clock::Times;

/// The run that made a result. Two results of one shard agree even if their provenance differs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provenance {
    /// The version of the program.
    pub version: String,
    /// The commit it was built from, if the builder named it in `TALLYBOARD_COMMIT`.
    pub commit: Option<String>,
    /// The kernel that counted, if there are several.
    pub kernel: Option<String>,
    /// The processor's model name.
    pub cpu: String,
    /// Seconds that the last run took.
    pub seconds: f64,
    /// Processor time of its threads together, in seconds.
    pub core_seconds: f64,
    /// The number of subtrees that the last run found finished in its journal. Earlier runs counted them, and nothing
    /// else is known of those runs.
    pub resumed: usize,
}

impl Provenance {
    /// The provenance of a run of this program on this machine.
    pub fn here(kernel: Option<String>, cpu: String, spent: Times, resumed: usize) -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            commit: option_env!("TALLYBOARD_COMMIT").map(str::to_owned),
            kernel,
            cpu,
            seconds: spent.wall,
            core_seconds: spent.user + spent.system,
            resumed,
        }
    }
}
