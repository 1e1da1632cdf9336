//! `tallyboard cluster k8s PLAN`: an Indexed Job, one index a shard.

use anyhow::{Context, Result};

use super::script::{Script, SubmitArgs, word};
use crate::terminal::quoted;

#[derive(Debug, clap::Args)]
pub struct KubernetesArgs {
    #[command(flatten)]
    pub submission: SubmitArgs,

    /// A container image with tallyboard on its PATH
    #[arg(long, value_parser = word)]
    pub image: String,

    /// The claim of the volume that holds plan and results, mounted at /work
    #[arg(long, default_value = "tallyboard", value_parser = word)]
    pub claim: String,

    /// Pods at a time, 100,000 at most
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=MOST_PODS))]
    pub parallelism: u32,
}

/// Kubernetes refuses an Indexed Job that asks for more pods at a time.
const MOST_PODS: i64 = 100_000;

/// The text of the manifest.
pub fn text(script: &Script, flags: &KubernetesArgs) -> Result<String> {
    let plan = script.plan_path.file_name().context("the plan has no name")?;
    Ok(format!(
        include_str!("kubernetes.yaml"),
        opening = script.opening(),
        name = script.plan.job.label(),
        shards = script.plan.work.shards,
        parallelism = flags.parallelism,
        image = quoted(&flags.image),
        program = quoted(crate::terminal::program_name()),
        plan = quoted(std::path::Path::new("/work").join(plan)),
        claim = quoted(&flags.claim),
        cpus = script.cpus,
        memory = script.memory_mib().unwrap_or(256),
    ))
}
