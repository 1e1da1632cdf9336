//! What the writers of scripts share.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::job::JobPlan;
use crate::cli::args::cluster::Submission;
use crate::cli::io::Output;

/// The plan that a script is for, and the paths that go into it.
pub struct Script {
    pub plan: JobPlan,
    pub program: PathBuf,
    pub plan_path: PathBuf,
    pub results: PathBuf,
}

impl Script {
    /// Reads the plan; all paths are made absolute, for jobs start in folders of their own.
    pub fn new(submission: &Submission) -> Result<Self> {
        let absolute = |path: &Path| {
            std::path::absolute(path).with_context(|| format!("bad path {}", path.display()))
        };
        Ok(Self {
            plan: JobPlan::read(&submission.plan)?,
            program: std::env::current_exe().context("cannot tell where this program is")?,
            plan_path: absolute(&submission.plan)?,
            results: absolute(&submission.results)?,
        })
    }

    /// The number of the last shard.
    pub fn last(&self) -> usize {
        self.plan.work.shards - 1
    }

    /// Memory for a shard on `cpus` cores in MiB, with a quarter to spare.
    pub fn memory_mib(&self, cpus: u32) -> Option<u64> {
        let forecast = self.plan.forecast?;
        let more = forecast.memory_bytes_per_worker * u64::from(cpus - 1);
        Some(((forecast.memory_bytes + more) * 5 / 4).div_ceil(1 << 20))
    }
}

/// Writes `text` to `target`, or to standard output.
pub fn write(text: &str, target: Option<&Path>) -> Result<()> {
    let mut output = Output::create(target)?;
    output.write_all(text.as_bytes())?;
    output.finish()
}

/// `text` as one word of a shell.
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
