//! What the writers of scripts for schedulers share.

use std::path::{Path, PathBuf};

use crate::cli::identities::describe;
use crate::program::room::shard_mib;
use anyhow::{Context, Result};
use search::shard::Plan;

use super::job::{ReadPlan, Task};
use crate::cli::args::cluster::SubmitArgs;
use crate::cli::ending::Ending;
use crate::cli::io::{Output, ensure_apart};

/// The plan that a script is for, and the paths that go into it.
pub struct Script {
    pub plan: Plan<Task>,
    pub program: PathBuf,
    pub plan_path: PathBuf,
    pub results: PathBuf,
    /// Cores for each shard.
    pub cpus: u32,
}

impl Script {
    /// Reads the plan. All paths are made absolute, because jobs may start in other folders.
    ///
    /// # Errors
    /// If the script would overwrite the plan, or a path or the plan is unusable.
    fn new(submission: &SubmitArgs, read: ReadPlan) -> Result<Self> {
        ensure_apart([&*submission.plan], submission.output.as_deref())?;
        let absolute = |path: &Path| {
            std::path::absolute(path).with_context(|| format!("bad path {}", path.display()))
        };
        Ok(Self {
            plan: read(&submission.plan)?,
            program: std::env::current_exe().context("cannot tell where this program is")?,
            plan_path: absolute(&submission.plan)?,
            results: absolute(&submission.results)?,
            cpus: submission.cpus,
        })
    }

    /// The comment at the top: what is counted, and which version wrote the script.
    pub fn opening(&self) -> String {
        let identity = describe(&self.plan.work.identity);
        format!("# {identity}\n# Written by tallyboard {}", env!("CARGO_PKG_VERSION"))
    }

    /// The number of the last shard.
    pub fn last(&self) -> usize {
        self.plan.work.shards - 1
    }

    /// Memory for a shard in MiB, if the plan has a forecast.
    pub fn memory_mib(&self) -> Option<u64> {
        self.plan.forecast.map(|forecast| shard_mib(&forecast, self.cpus))
    }
}

/// Writes the `text` of a script to the output that `submission` names.
pub fn write(
    submission: &SubmitArgs,
    read: ReadPlan,
    text: impl FnOnce(&Script) -> Result<String>,
) -> Result<Ending> {
    let text = text(&Script::new(submission, read)?)?;
    Output::create(submission.output.as_deref())?.put(text)?;
    Ok(Ending::Done)
}

/// `text` as one shell word, quoted if necessary.
pub fn shell(text: impl AsRef<Path>) -> String {
    let text = text.as_ref().to_string_lossy();
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./".contains(letter);
    if !text.is_empty() && text.chars().all(plain) {
        return text.into_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// `text` as a quoted string of JSON, TOML or YAML.
pub fn quoted(text: impl AsRef<Path>) -> String {
    serde_json::Value::from(text.as_ref().to_string_lossy()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_paths_stay_one_word() {
        assert_eq!(shell("/a/plan-1.json"), "/a/plan-1.json");
        assert_eq!(shell("/my plan's $x"), r"'/my plan'\''s $x'");
        assert_eq!(quoted("a \"b\""), r#""a \"b\"""#);
    }
}
