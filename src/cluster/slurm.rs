//! `tallyboard cluster slurm PLAN`: a job array and its merge job, in one script that a site can edit.

use base::figures::grouped;

use super::script::{Script, SubmitArgs, word};
use crate::terminal::{eprint_line, shell};

#[derive(Debug, clap::Args)]
pub struct SlurmArgs {
    #[command(flatten)]
    pub submission: SubmitArgs,

    /// Time limit of a shard; one that reaches it is queued again and continues where it stopped
    #[arg(long, default_value = "24:00:00", value_parser = word)]
    pub time: String,

    /// Partition
    #[arg(long, value_parser = word)]
    pub partition: Option<String>,

    /// Memory for each shard, as Slurm takes it (`4G`); the plan's forecast by default
    #[arg(long, value_parser = word)]
    pub mem: Option<String>,
}

/// The part of the script below the settings. `bash SCRIPT` submits it; Slurm runs the same file with `shard`
/// or `merge`.
const BODY: &str = include_str!("slurm.sh");

/// The most elements that an array can have with the default settings of Slurm, where `MaxArraySize` is 1,001.
const USUAL_MAX_SHARDS: usize = 1001;

/// The text of the script. Warns if the array has more elements than Slurm usually takes.
pub fn text(script: &Script, flags: &SlurmArgs) -> String {
    if script.plan.work.shards > USUAL_MAX_SHARDS {
        eprint_line(format_args!(
            "tallyboard: the array has {} elements and Slurm takes {} by default: plan with fewer --shards, or see \
             that MaxArraySize is larger (scontrol show config)",
            grouped(script.plan.work.shards),
            grouped(USUAL_MAX_SHARDS)
        ));
    }
    let name = script.plan.job.label();
    // Slurm replaces `%` and a letter in the names of logs; `%%` stands for the character itself.
    let logs = script.results.display().to_string().replace('%', "%%");
    let mut lines = vec![
        "#!/bin/bash".to_owned(),
        script.opening() + "; edit it freely, then: bash THIS-FILE",
        format!("#SBATCH --job-name={name}"),
        format!("#SBATCH --array=0-{}", script.last()),
        format!("#SBATCH --cpus-per-task={}", script.cpus),
        format!("#SBATCH --time={}", flags.time),
        "#SBATCH --requeue".to_owned(),
        "#SBATCH --signal=B:TERM@60".to_owned(),
        "#SBATCH --open-mode=append".to_owned(),
        // Slurm takes the rest of the line with or without the quotes.
        format!("#SBATCH --output=\"{logs}/shard-%a.log\""),
    ];
    let mebibytes = script.memory_mib().map(|mib| format!("{mib}M"));
    if let Some(memory) = flags.mem.clone().or(mebibytes) {
        lines.push(format!("#SBATCH --mem={memory}"));
    }
    if let Some(partition) = &flags.partition {
        lines.push(format!("#SBATCH --partition={partition}"));
    }
    lines.extend([
        String::new(),
        format!("tallyboard={}", shell(&script.program)),
        format!("plan={}", shell(&script.plan_path)),
        format!("results={}", shell(&script.results)),
        "# How often one shard may go back to the queue.".to_owned(),
        "restarts=100".to_owned(),
    ]);
    lines.join("\n") + "\n\n" + &BODY.replace("$SLURM_NAME", &name)
}
