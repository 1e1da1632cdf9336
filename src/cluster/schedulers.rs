//! Scripts that submit the shards of a plan: for Slurm, HyperQueue and Kubernetes.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use tallyboard_base::figures::grouped;
use tallyboard_search::shard::Plan;

use super::plan::{Planned, ReadPlan};
use super::run::files_of_shards;
use crate::counting::{describe, shard_mib};
use crate::terminal::{
    ExitStatus, Output, UsageError, duration, ensure_apart, eprint_line, program_name, quoted,
    shell,
};

#[derive(Debug, clap::Args)]
pub struct ScriptArgs {
    /// The plan
    pub plan: PathBuf,

    /// The scheduler
    #[arg(long = "for", value_enum, value_name = "SCHEDULER")]
    pub scheduler: Option<Scheduler>,

    /// The folder for results, on a path that all machines share
    #[arg(long, default_value = "results", value_name = "FOLDER")]
    pub results: PathBuf,

    /// Cores for each shard
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub cpus: u32,

    /// Slurm: time limit of a shard, as Slurm takes it, or as 24h; one that reaches it is queued again and continues where
    /// it stopped; 24:00:00 by default
    #[arg(long, value_parser = slurm_time)]
    pub time: Option<String>,

    /// Slurm: partition
    #[arg(long, value_parser = word)]
    pub partition: Option<String>,

    /// Slurm: memory for each shard, as Slurm takes it (`4G`); the plan's forecast by default
    #[arg(long, value_parser = word)]
    pub mem: Option<String>,

    /// Kubernetes, which needs it: a container image with tallyboard on its PATH
    #[arg(long, value_parser = word)]
    pub image: Option<String>,

    /// Kubernetes: the claim of the volume mounted at /work, at whose top the plan and the folder for results are;
    /// tallyboard by default
    #[arg(long, value_parser = word)]
    pub claim: Option<String>,

    /// Kubernetes: pods at a time, 100,000 at most; 50 by default
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=MOST_PODS))]
    pub parallelism: Option<u32>,

    /// Write here instead of to standard output
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
}

/// What takes the shards of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Scheduler {
    /// Slurm: a job array
    Slurm,
    /// HyperQueue: a job file
    Hq,
    /// Kubernetes: an Indexed Job
    K8s,
}

impl ScriptArgs {
    /// Fails if an option is given that is of another scheduler.
    fn ensure_fit(&self, scheduler: Scheduler) -> Result<(), UsageError> {
        let options = [
            ("time", Scheduler::Slurm, self.time.is_some()),
            ("partition", Scheduler::Slurm, self.partition.is_some()),
            ("mem", Scheduler::Slurm, self.mem.is_some()),
            ("image", Scheduler::K8s, self.image.is_some()),
            ("claim", Scheduler::K8s, self.claim.is_some()),
            ("parallelism", Scheduler::K8s, self.parallelism.is_some()),
        ];
        match options.into_iter().find(|&(_, of, is_given)| is_given && of != scheduler) {
            None => Ok(()),
            Some((name, of, _)) => {
                Err(UsageError(format!("found --{name}, which is an option for {of:?} alone")))
            }
        }
    }
}

/// Reads a value that is put into a script or manifest without quotes.
pub fn word(text: &str) -> Result<String, String> {
    let is_allowed = |letter: char| letter.is_ascii_alphanumeric() || "-_.,:/@+".contains(letter);
    match text.chars().find(|&letter| !is_allowed(letter)) {
        None if !text.is_empty() => Ok(text.to_owned()),
        None => Err("found nothing, expected a word".to_owned()),
        Some(letter) => Err(format!("found {letter:?}, expected letters, digits and -_.,:/@+")),
    }
}

/// The plan that a script is for, and the values that go into the script.
pub struct Script {
    pub plan: Plan<Planned>,
    pub program: PathBuf,
    pub plan_path: PathBuf,
    pub results: PathBuf,
    /// Cores for each shard.
    pub cpus: u32,
}

fn absolute(path: &Path) -> Result<PathBuf> {
    std::path::absolute(path).with_context(|| format!("bad path {}", path.display()))
}

impl Script {
    /// Reads the plan. All paths are made absolute, because jobs may start in other folders. Fails if the script would
    /// overwrite what its jobs read, or a path or the plan is unusable.
    fn new(submission: &ScriptArgs, read: ReadPlan) -> Result<Self> {
        let plan = read(&submission.plan)?;
        let mut inputs = files_of_shards(&submission.results)?;
        inputs.push(submission.plan.clone());
        ensure_apart(inputs.iter().map(PathBuf::as_path), submission.output.as_deref())?;
        Ok(Self {
            plan,
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

    /// The MiB of memory to ask for, for each shard, if the plan has a forecast.
    pub fn memory_mib(&self) -> Option<u64> {
        self.plan.forecast.map(|forecast| shard_mib(&forecast, self.cpus))
    }
}

/// Writes the script for the scheduler that the flags name, or that the command is called by.
pub fn run(flags: &ScriptArgs, called: Option<Scheduler>, read: ReadPlan) -> Result<ExitStatus> {
    let scheduler = match (called, flags.scheduler) {
        (Some(called), Some(named)) if called != named => {
            bail!(UsageError(format!("found --for of another scheduler, expected {called:?}")))
        }
        (called, named) => called.or(named),
    };
    let expected = || UsageError::of("expected --for slurm, --for hq or --for k8s");
    let scheduler = scheduler.ok_or_else(expected)?;
    flags.ensure_fit(scheduler)?;
    let no_image =
        || UsageError::of("expected --image: a container image with the program on its PATH");
    let image = flags.image.as_deref();
    if scheduler == Scheduler::K8s {
        image.ok_or_else(no_image)?;
    }
    let script = Script::new(flags, read)?;
    let text = match scheduler {
        Scheduler::Slurm => slurm_text(&script, flags),
        Scheduler::Hq => hyperqueue_text(&script),
        Scheduler::K8s => kubernetes_text(&script, flags, image.ok_or_else(no_image)?)?,
    };
    Output::create(flags.output.as_deref())?.put(text)?;
    Ok(ExitStatus::Done)
}

/// Reads a time limit in one of the forms that sbatch takes, and leaves it as it is, or in one of this program with a unit, such as
/// `24h`, which it writes as `hours:minutes:seconds`.
fn slurm_time(text: &str) -> Result<String, String> {
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let is_clock = |text: &str| text.split(':').count() <= 3 && text.split(':').all(is_number);
    let is_of_slurm = match text.split_once('-') {
        Some((days, clock)) => is_number(days) && is_clock(clock),
        None => is_clock(text) || ["infinite", "unlimited"].contains(&&*text.to_lowercase()),
    };
    if is_of_slurm {
        return Ok(text.to_owned());
    }
    let has_unit = text.ends_with(|letter: char| letter.is_ascii_alphabetic());
    let seconds = duration(text).ok().filter(|time| has_unit && !time.is_zero());
    let seconds = seconds.map(|time| time.as_secs_f64().ceil() as u64).ok_or_else(|| {
        format!("found '{text}', expected 24:00:00, 30 (minutes), 2-12 (days-hours) or 24h")
    })?;
    Ok(format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60))
}

/// The part of the script below the settings. `bash SCRIPT` submits it; Slurm runs the same file with `shard`
/// or `merge`.
const BODY: &str = include_str!("slurm.sh");

/// The most elements that an array can have with the default settings of Slurm, where `MaxArraySize` is 1,001.
const USUAL_MAX_SHARDS: usize = 1001;

/// The text of the script. Warns if the array has more elements than Slurm usually takes.
fn slurm_text(script: &Script, flags: &ScriptArgs) -> String {
    if script.plan.work.shards > USUAL_MAX_SHARDS {
        eprint_line(format_args!(
            "{}: the array has {} elements and Slurm takes {} by default: plan with fewer --shards, or see that \
             MaxArraySize is larger (scontrol show config)",
            program_name(),
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
        format!("#SBATCH --time={}", flags.time.as_deref().unwrap_or("24:00:00")),
        "#SBATCH --requeue".to_owned(),
        // The shell alone (B) gets the signal, which `slurm.sh` traps and hands on; a minute is enough for the last records of
        // the journal.
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
    lines.join("\n") + "\n\n" + &BODY.replace("@JOB_NAME@", &name)
}

/// The text of the job file. Comments at its top show the equivalent command.
fn hyperqueue_text(script: &Script) -> String {
    let name = script.plan.job.label();
    let last = script.last();
    let cpus = script.cpus;
    // The shell command that counts one shard. `HQ_TASK_ID` is known only to the shell that starts on the worker.
    let shard_command = format!(
        "exec {} cluster run {} --shard \"$HQ_TASK_ID\" -o {} --threads {cpus}",
        shell(&script.program),
        shell(&script.plan_path),
        shell(&script.results)
    );
    let opening = script.opening();
    let quoted_command = quoted(&shard_command);
    // HyperQueue counts `mem` in MiB.
    let memory = script.memory_mib();
    let option = memory.map(|mib| format!(" --resource mem={mib}")).unwrap_or_default();
    let request = memory.map(|mib| format!(", \"mem\" = {mib}")).unwrap_or_default();
    let command_line = format!(
        "hq submit --name {name} --array 0-{last} --cpus {cpus}{option} -- /bin/sh -c {}",
        shell(&shard_command)
    );
    // A task fails once it has lost `crash_limit` workers. Each loss costs a shard only the work since its last entry in the
    // journal, and allocations that end are usual, so the limit is far above HyperQueue's default.
    format!(
        "{opening}. Submit with: hq job submit-file THIS-FILE\n\
         # or without the file:\n\
         # {command_line}\n\
         \n\
         name = \"{name}\"\n\
         \n\
         [array]\n\
         ids = \"0-{last}\"\n\
         command = [\"/bin/sh\", \"-c\", {quoted_command}]\n\
         # A worker that ends takes its shard with it; the next worker goes on from the journal.\n\
         crash_limit = 100\n\
         \n\
         [[array.request]]\n\
         resources = {{ \"cpus\" = {cpus}{request} }}\n"
    )
}

/// Kubernetes refuses an Indexed Job that asks for more pods at a time.
const MOST_PODS: i64 = 100_000;

/// The MiB to ask for if the maker of the plan measured no forecast. Kubernetes ends what takes more, so this is far
/// above the 64 MiB that [`shard_mib`] adds for the program and as a margin.
const MIB_WITHOUT_FORECAST: u64 = 256;

/// The text of the manifest. The pods find the plan and the folder for results on the volume, by the last part of their paths.
fn kubernetes_text(script: &Script, flags: &ScriptArgs, image: &str) -> Result<String> {
    let plan = script.plan_path.file_name().context("the plan has no name")?;
    let results = script.results.file_name().context("the folder for results has no name")?;
    let on_volume = |name| quoted(Path::new("/work").join(name));
    Ok(format!(
        include_str!("kubernetes.yaml"),
        opening = script.opening(),
        name = script.plan.job.label(),
        shards = script.plan.work.shards,
        parallelism = flags.parallelism.unwrap_or(50),
        image = quoted(image),
        program = quoted(program_name()),
        plan = on_volume(plan),
        results = on_volume(results),
        claim = quoted(flags.claim.as_deref().unwrap_or("tallyboard")),
        cpus = script.cpus,
        memory = script.memory_mib().unwrap_or(MIB_WITHOUT_FORECAST),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The forms of sbatch(1), and times with a unit.
    #[test]
    fn a_time_limit_is_one_that_sbatch_takes() {
        for text in ["30", "30:30", "4:30:30", "4-12", "4-12:15", "4-12:15:30", "UNLIMITED"] {
            assert_eq!(slurm_time(text).as_deref(), Ok(text));
        }
        for (text, written) in [
            ("24h", "24:00:00"),
            ("90m", "1:30:00"),
            ("1.5h", "1:30:00"),
            ("61s", "0:01:01"),
            ("1ms", "0:00:01"),
        ] {
            assert_eq!(slurm_time(text).as_deref(), Ok(written));
        }
        for text in ["", "-1", "1-", "1:2:3:4", "4-1:2:3:4", "24 h", "1d", "0h", "1.5", "a:b", ":"]
        {
            assert!(slurm_time(text).is_err(), "{text}");
        }
    }
}
