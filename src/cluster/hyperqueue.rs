//! `tallyboard cluster hq PLAN`: a HyperQueue job file, and an equivalent command.

use super::script::Script;
use crate::terminal::{quoted, shell};

/// The text of the job file. Comments at its top show the equivalent command.
pub fn text(script: &Script) -> String {
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
