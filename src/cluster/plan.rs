//! `cluster plan …`: the jobs that plans hold, and how they are dealt to shards.

use std::fmt;
use std::io::Write;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde::de::{DeserializeOwned, Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::json;
use tallyboard_base::figures::{core_estimate, core_time, counted, grouped, memory_size, percent};
use tallyboard_files::whole::{WholeFile, is_special};
use tallyboard_search::shard::{MAX_SHARDS, Plan, SealError, SealedFile, Work, deal};
use tallyboard_search::{Costs, Tally, thread_count};

use crate::counting::{
    Counting, OtherLoad, PATIENCE, Resources, Run, describe, estimate, shard_mib, too_long,
};
use crate::terminal::{Args, ExitStatus, cannot_read, file_to_write, info, program_name};

/// The arguments of a planned count, of any problem.
pub type Planned = Box<dyn Counting>;

/// A function that reads a plan: [`read`] for the problems of one program.
pub type ReadPlan = fn(&Path) -> Result<Plan<Planned>, SealError>;

/// Reads a plan that holds `P`: the arguments of one of the problems of a program, under the problem's name.
pub fn read<P: Serialize + DeserializeOwned + Into<Planned>>(
    path: &Path,
) -> Result<Plan<Planned>, SealError> {
    let Plan { job, work, forecast } = Plan::<P>::read(path)?;
    Ok(Plan { job: job.into(), work, forecast })
}

/// The arguments in plans of a program around one problem, under the name of the program.
pub struct OfProgram<T>(pub T);

impl<T: Counting + 'static> From<OfProgram<T>> for Planned {
    fn from(arguments: OfProgram<T>) -> Self {
        Box::new(arguments.0)
    }
}

impl<T: Serialize> Serialize for OfProgram<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map([(program_name(), &self.0)])
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for OfProgram<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(OfProgramVisitor(PhantomData))
    }
}

struct OfProgramVisitor<T>(PhantomData<T>);

impl<'de, T: DeserializeOwned> Visitor<'de> for OfProgramVisitor<T> {
    type Value = OfProgram<T>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "a plan of the problem `{}`", program_name())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<OfProgram<T>, A::Error> {
        match map.next_key::<String>()? {
            Some(name) if name == program_name() => Ok(OfProgram(map.next_value()?)),
            other => {
                let found = other.unwrap_or("nothing".to_owned());
                let expected = program_name();
                Err(A::Error::custom(format!("found the problem `{found}`, expected `{expected}`")))
            }
        }
    }
}

/// What a shard of a count found: every subtree with its subtotal.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CountBody {
    pub subtotals: Vec<(usize, Tally)>,
}

#[derive(Debug, clap::Args)]
pub struct PlanArgs {
    /// The number of shards, usually some hundreds, each a job for a scheduler
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MAX_SHARDS as i64))]
    pub shards: u32,

    /// The plan; `-` is standard output
    #[arg(short, long, value_name = "PLAN", value_parser = file_to_write())]
    pub output: PathBuf,
}

/// Plans the count that `arguments` describe, and prints a summary. `P` is what plans of the program hold.
pub fn plan<P: Serialize + DeserializeOwned>(
    arguments: &dyn Counting,
    planning: &PlanArgs,
    args: &Args,
) -> Result<ExitStatus> {
    let threads = thread_count(args.threads);
    let shards = planning.shards as usize;
    let run = arguments.prepare(&Resources::unlimited(threads).of_shards(shards))?;
    run.print_remarks(args);
    let work = work_of(&run, shards)?;
    // The plan names the method: another machine, or this one later, might choose another.
    let with_method = arguments.with_method_of(&work.identity);
    let arguments = with_method.as_deref().unwrap_or(arguments);
    // Through `P`, whose fields keep the order on which the checksum of a plan depends.
    let job: P = serde_json::from_value(json!({ arguments.name(): arguments.json()? }))?;
    let is_stdout = planning.output == Path::new("-");
    let path = if is_stdout { Path::new("/dev/stdout") } else { &planning.output };
    ensure_free(path, &job, &work)?;
    // Created before the forecast, which takes a while, so that a path that cannot be written fails at once.
    let cannot_write = || format!("cannot write {}", path.display());
    let mut file = WholeFile::create(path).with_context(cannot_write)?;
    info(args, balance(&run.costs, shards));
    if tallyboard_search::shard::COMMIT.is_none() {
        info(
            args,
            "this program does not know its commit, and neither will what shards find: \
             a build with TALLYBOARD_COMMIT=$(git rev-parse HEAD) does",
        );
    }
    let others = OtherLoad::watch();
    let forecast = Some(estimate::of_plan(arguments, &run, args.threads, shards)?);
    others.warn(args);
    let plan = Plan { job, work, forecast };
    file.write_all(&plan.encode()?).with_context(cannot_write)?;
    file.finish().with_context(cannot_write)?;
    info(args, report(&plan, path));
    Ok(ExitStatus::Done)
}

/// Fails if a shard takes more than `memory` bytes with one thread, which take the least.
pub fn ensure_fits(job: &dyn Counting, memory: Option<u64>, planning: &PlanArgs) -> Result<()> {
    let shards = planning.shards as usize;
    job.prepare(&Resources::elsewhere(1, memory).of_shards(shards)).map(drop)
}

/// Fails if `path` holds a plan of other work: without that plan, its results can no longer be merged.
fn ensure_free<P: Serialize + DeserializeOwned>(path: &Path, job: &P, work: &Work) -> Result<()> {
    if is_special(path) || !path.try_exists().with_context(|| cannot_read(path))? {
        return Ok(());
    }
    let json = |job: &P| serde_json::to_value(job).context("the plan has no JSON form");
    match Plan::<P>::read(path) {
        Ok(found) if found.work == *work && json(&found.job)? == json(job)? => Ok(()),
        Ok(found) => bail!(
            "{} holds another plan ({} in {} shards), whose results would no longer merge: name another \
             file, or remove this one",
            path.display(),
            describe(&found.work.identity),
            found.work.shards
        ),
        Err(error) if error.is_damage() => {
            Err(error).context("found a file that is no plan, expected a free name")
        }
        Err(error) => Err(error.into()),
    }
}

/// The work of a count in `shards` shards.
fn work_of(run: &Run, shards: usize) -> Result<Work> {
    let subtrees = run.costs.len();
    ensure!(
        shards <= subtrees.max(1),
        "found {shards} shards, expected at most {subtrees}: the count has no more subtrees"
    );
    Ok(Work::new(&run.identity, shards, &run.costs))
}

/// How evenly the work is dealt to shards, in words.
fn balance(costs: &Costs, shards: usize) -> String {
    let shard_costs = deal(costs, shards).into_iter().map(|ids| costs.sum(Some(&ids)));
    let longest = shard_costs.max().unwrap_or(0) as f64;
    let mean = costs.sum(None) as f64 / shards as f64;
    let excess = if mean > 0.0 { longest / mean - 1.0 } else { 0.0 };
    format!("the longest shard costs {} more than the mean", percent(excess))
}

/// The plan as text for people.
fn report<P>(plan: &Plan<P>, path: &Path) -> String {
    let work = &plan.work;
    let mut text = format!(
        "{}: {} in {} (0 to {}), {}",
        path.display(),
        describe(&work.identity),
        counted(work.shards, "shard"),
        grouped(work.shards - 1),
        counted(work.subtrees, "subtree")
    );
    if let Some(forecast) = plan.forecast {
        let seconds = |hours: f64| hours * 3600.0;
        text += &match forecast.core_hours {
            Some(hours) => format!(
                "\nexpected: {} in all, {} a shard, on cores like this one",
                core_estimate(seconds(hours.estimate), seconds(hours.low), seconds(hours.high)),
                core_time(seconds(hours.estimate / work.shards as f64))
            ),
            None => format!("\n{}", too_long(PATIENCE)),
        };
        text += &format!(
            "\nmemory to ask a scheduler for: {} a shard with one core, {} for each further core; a shard itself \
             takes up to {}",
            memory_size(shard_mib(&forecast, 1) << 20),
            memory_size((shard_mib(&forecast, 2) - shard_mib(&forecast, 1)) << 20),
            memory_size(forecast.memory_bytes)
        );
    }
    text
}
