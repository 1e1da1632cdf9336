//! The arguments of a counting problem, the problem that they give when it is split, and its answer.

use std::panic::{AssertUnwindSafe, catch_unwind};

use anyhow::{Context, Result, anyhow, bail, ensure};
use serde::de::DeserializeOwned;
use serde::{Serialize, Serializer};
use serde_json::Value;
use tallyboard_base::figures::{counted, grouped, memory_size};
use tallyboard_search::shard::most_dealt;
use tallyboard_search::{Costs, Problem, Stop, Tally, list_bytes, panic_message};

use super::identities::describe;
use crate::counting::resources::{NoRoom, Resources, process_bytes};
use crate::terminal::{Args, UsageError, info, known_fields, program_name, solutions_fields};

/// Why a problem cannot be counted as asked. Any error and any text becomes one with `?` or `into()`.
pub type Error = Box<dyn std::error::Error + Send + Sync>;

/// The arguments of a counting problem. Users type them, and plans hold them.
///
/// The doc comment of the type becomes the program's description. The options of the program itself (`--json`,
/// `-o`, `--threads` …) cannot be options of the problem too.
pub trait Counting: Serialize + DeserializeOwned + Clone + Send + Sync + 'static {
    /// The problem that the arguments describe.
    type Problem: Problem + 'static;

    /// The name of the program and of the problem: lower-case letters, digits and `-`.
    const NAME: &'static str;

    /// Arguments that the examples in the help show, as in `12`.
    const EXAMPLE: &'static str;

    /// Where [`known`](Self::known) counts are from, as in `OEIS A014552`.
    const SOURCE: &'static str = "";

    /// The noun for one solution in reports; its plural is formed with `s`. In JSON the key is `solutions`
    /// anyway.
    const NOUN: &'static str = "solution";

    /// Whether [`methods`](Self::methods) returns any; if not, the program has no `verify`.
    const HAS_METHODS: bool = false;

    /// Makes the problem that the arguments describe.
    ///
    /// # Errors
    /// A mistake in the arguments. The program prints the error and exits with 2, a shard with 42.
    fn problem(&self, settings: &Resources) -> Result<Self::Problem, Error>;

    /// The known count, if there is one. A finished count that differs is an error.
    fn known(&self) -> Option<u128> {
        None
    }

    /// Where the [`known`](Self::known) count of these arguments is from, if the source depends on them.
    fn source(&self) -> &'static str {
        Self::SOURCE
    }

    /// What is counted, for people, as in `18 queens`; by default from the problem's `identity`.
    fn title(&self, identity: &str) -> String {
        describe(identity)
    }

    /// A short name for a scheduler's job, of lower-case letters, digits and `-`.
    fn label(&self) -> String {
        Self::NAME.to_owned()
    }

    /// How the problem is counted, as pairs of a name and a value, such as `engine` and `blocks`.
    fn details(&self, problem: &Self::Problem) -> Vec<(&'static str, String)> {
        let _ = problem;
        Vec::new()
    }

    /// Remarks to print before the count begins, one a line.
    fn remarks(&self, problem: &Self::Problem, settings: &Resources) -> Vec<String> {
        let _ = (problem, settings);
        Vec::new()
    }

    /// These arguments, once with each method, for `verify` to compare. The most trusted method comes first:
    /// `cluster merge --recount` counts subtrees again by it, if it has the identity of the plan.
    fn methods(&self) -> Vec<Self> {
        Vec::new()
    }

    /// These arguments with the method that `identity` names. Plans and journals are continued by the method
    /// that began them, whose identity they hold. An identity of another problem changes nothing.
    #[must_use]
    fn with_method_of(&self, identity: &str) -> Self {
        let _ = identity;
        self.clone()
    }

    /// Why the file that these arguments name does not give the problem of `identity`: it holds another problem, or cannot
    /// be read. `None` if it gives that problem, or if no file is named. Also `None` if solutions are counted modulo a
    /// number, since the number of solutions cannot be computed without the problem then.
    #[doc(hidden)]
    fn unreadable(&self, identity: &str) -> Option<String> {
        let _ = identity;
        None
    }

    /// Checks a finished count by laws that it must obey, and returns facts that follow from it, such as the
    /// number of classes. If `stop` is raised meanwhile, the caller ignores the result.
    ///
    /// # Errors
    /// If `solutions` cannot be the count; the program exits with 1.
    fn check(&self, solutions: u128, stop: &Stop) -> Result<Vec<Fact>, Error> {
        let _ = (solutions, stop);
        Ok(Vec::new())
    }
}

/// A fact that follows from a count.
#[derive(Debug, Clone, PartialEq)]
pub struct Fact {
    /// Its name in JSON.
    pub key: &'static str,
    /// Its value in JSON.
    pub value: Value,
    /// A line for people, without the line break.
    pub text: String,
}

/// If a count takes more bytes than this, the user is told before it begins.
const NOTABLE_BYTES: u64 = 500_000_000;

/// The arguments of a problem, of any type that implements [`Counting`]. Methods without a comment are those of
/// `Counting`.
pub(crate) trait Job: Send + Sync {
    fn name(&self) -> &'static str;
    fn label(&self) -> String;
    /// What a solution is called.
    fn noun(&self) -> &'static str;
    fn known(&self) -> KnownCount;
    fn methods(&self) -> Vec<Box<dyn Job>>;
    fn with_method_of(&self, identity: &str) -> Box<dyn Job>;
    fn unreadable(&self, identity: &str) -> Option<String>;
    fn check(&self, solutions: u128, stop: &Stop) -> Result<Vec<Fact>>;
    /// The number of solutions, given the `sum` of all subtotals.
    fn total(&self, sum: Tally) -> Result<u128>;
    /// The arguments as JSON, as a plan holds them.
    fn arguments(&self) -> Result<Value>;
    /// Makes the problem, checks all that can be checked before counting, and splits it.
    fn prepare(&self, resources: &Resources) -> Result<PreparedJob, PrepareError>;
}

impl<T: Counting> Job for T {
    fn name(&self) -> &'static str {
        T::NAME
    }

    fn label(&self) -> String {
        Counting::label(self)
    }

    fn noun(&self) -> &'static str {
        T::NOUN
    }

    fn known(&self) -> KnownCount {
        KnownCount { count: Counting::known(self), source: self.source() }
    }

    fn methods(&self) -> Vec<Box<dyn Job>> {
        let methods = Counting::methods(self).into_iter();
        methods.map(|method| Box::new(method) as Box<dyn Job>).collect()
    }

    fn with_method_of(&self, identity: &str) -> Box<dyn Job> {
        Box::new(Counting::with_method_of(self, identity))
    }

    fn unreadable(&self, identity: &str) -> Option<String> {
        Counting::unreadable(self, identity)
    }

    fn check(&self, solutions: u128, stop: &Stop) -> Result<Vec<Fact>> {
        Counting::check(self, solutions, stop).map_err(|error| anyhow!(error))
    }

    fn total(&self, sum: Tally) -> Result<u128> {
        // Only the problem knows its modulus, which is the same with any resources.
        let problem = problem_of(self, &Resources::unlimited(1))?;
        let modulus = catching_panics("`modulus` of the problem", || problem.modulus())?;
        Ok(reduced(sum, modulus))
    }

    fn arguments(&self) -> Result<Value> {
        serde_json::to_value(self).context("the arguments have no JSON form")
    }

    fn prepare(&self, resources: &Resources) -> Result<PreparedJob, PrepareError> {
        let problem = problem_of(self, resources)?;
        let details = catching_panics("`details` of the problem", || self.details(&problem))?;
        let remarks =
            catching_panics("`remarks` of the problem", || self.remarks(&problem, resources))?;
        let prepared = PreparedJob::new(Box::new(problem), resources.shards())?;
        prepared.ensure_fits(resources)?;
        let title = catching_panics("`title` of the problem", || self.title(&prepared.identity))?;
        Ok(PreparedJob { title, noun: T::NOUN, details: Details(details), remarks, ..prepared })
    }
}

/// The problem that the arguments describe.
fn problem_of<T: Counting>(
    arguments: &T,
    resources: &Resources,
) -> Result<T::Problem, PrepareError> {
    let problem = catching_panics("making the problem", || arguments.problem(resources))?;
    Ok(problem?)
}

/// The number of solutions, given the `sum` of all subtotals, which are residues if there is a `modulus`.
fn reduced(sum: Tally, modulus: Option<u128>) -> u128 {
    modulus.map_or(sum.solutions(), |modulus| sum.solutions() % modulus)
}

/// The share of the work that is done, by cost. Without any work, all of it is done.
pub(crate) fn share_done(cost_done: u64, cost: u64) -> f64 {
    if cost == 0 { 1.0 } else { cost_done as f64 / cost as f64 }
}

/// Why a job cannot be counted here.
pub(crate) enum PrepareError {
    /// Memory lacks: another machine, or this one later, may have it.
    NoRoom(NoRoom),
    /// A mistake in the arguments, or a panic of the problem.
    Failed(anyhow::Error),
}

impl From<NoRoom> for PrepareError {
    fn from(error: NoRoom) -> Self {
        Self::NoRoom(error)
    }
}

impl From<anyhow::Error> for PrepareError {
    fn from(error: anyhow::Error) -> Self {
        Self::Failed(error)
    }
}

/// The error of a problem that could not be made. Any error but a lack of memory is a mistake in the arguments; its message
/// includes its causes.
impl From<Error> for PrepareError {
    fn from(error: Error) -> Self {
        match error.downcast::<NoRoom>() {
            Ok(no_room) => Self::NoRoom(*no_room),
            Err(error) => Self::Failed(UsageError(format!("{:#}", anyhow!(error))).into()),
        }
    }
}

impl From<PrepareError> for anyhow::Error {
    fn from(error: PrepareError) -> Self {
        match error {
            PrepareError::NoRoom(no_room) => no_room.into(),
            PrepareError::Failed(error) => error,
        }
    }
}

/// Returns what `work` returns, or an error that names `what` if `work` panics.
fn catching_panics<T>(what: &str, work: impl FnOnce() -> T) -> Result<T> {
    catch_unwind(AssertUnwindSafe(work))
        .map_err(|payload| anyhow!("{what} panicked: {}", panic_message(&*payload)))
}

/// A problem that is split and ready to be counted.
pub(crate) struct PreparedJob {
    pub problem: Box<dyn Problem>,
    pub identity: String,
    pub costs: Costs,
    /// What is counted, for people.
    pub title: String,
    /// What a solution is called.
    pub noun: &'static str,
    pub details: Details,
    /// An upper estimate of the memory of the workers and the list of subtrees, in bytes.
    pub memory: u64,
    /// An upper estimate of the memory of the workers alone, in bytes.
    worker_memory: u64,
    remarks: Vec<String>,
}

impl PreparedJob {
    /// Splits `problem`, of which this process counts one of `shards` shards. Fails if the problem panics, or if its
    /// identity is empty or has control characters, which files cannot hold.
    pub fn new(problem: Box<dyn Problem>, shards: usize) -> Result<Self> {
        let identity = catching_panics("`identity` of the problem", || problem.identity())?;
        ensure!(
            !identity.trim().is_empty() && !identity.contains(char::is_control),
            "found the identity {identity:?}, expected one line of text: a name, then words such as n=8 \
             and algorithm=1"
        );
        let costs = catching_panics("`split` of the problem", || problem.split())?;
        let list = list_bytes(costs.len() as u64, most_dealt(&costs, shards) as u64);
        let worker_memory = catching_panics("`memory` of the problem", || problem.memory())?;
        Ok(Self {
            problem,
            title: identity.clone(),
            identity,
            costs,
            noun: "solution",
            details: Details::default(),
            memory: worker_memory.saturating_add(list),
            worker_memory,
            remarks: Vec::new(),
        })
    }

    /// Fails if the count needs more memory than `resources` allow.
    pub fn ensure_fits(&self, resources: &Resources) -> Result<(), NoRoom> {
        // If the workers need no memory, the count is never refused: no other method needs less.
        match resources.memory() {
            Some(limit) if self.worker_memory > 0 && self.memory > limit => {
                Err(resources.too_little("the count", self.memory))
            }
            _ => Ok(()),
        }
    }

    /// The number of solutions, given the `sum` of all subtotals.
    pub fn total(&self, sum: Tally) -> u128 {
        reduced(sum, self.problem.modulus())
    }

    /// The answer of a finished count, given the `sum` of all subtotals. Fails if it is not the `known` count.
    pub fn answer(&self, sum: Tally, known: KnownCount) -> Result<Answer> {
        Answer::new(self.title.clone(), self.noun, self.total(sum), known)
    }

    /// Prints remarks before the count begins.
    pub fn print_remarks(&self, args: &Args) {
        for line in &self.remarks {
            info(args, format_args!("{}: {line}", program_name()));
        }
        if self.memory > NOTABLE_BYTES {
            let memory = memory_size(process_bytes(self.memory));
            info(args, format_args!("{}: takes up to {memory} of memory", program_name()));
        }
    }
}

/// How a problem is counted, as pairs of a name and a value.
#[derive(Debug, Default, Clone)]
pub(crate) struct Details(pub Vec<(&'static str, String)>);

impl Details {
    /// `, engine blocks, kernel avx2`, or nothing.
    pub fn text(&self) -> String {
        self.0.iter().map(|(name, value)| format!(", {name} {value}")).collect()
    }
}

impl Serialize for Details {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// The arguments of a job for a report in JSON, without those that are among the `reported` details.
pub(crate) fn unreported_arguments(job: &dyn Job, reported: &Details) -> Result<Value> {
    let mut value = job.arguments()?;
    match &mut value {
        Value::Object(fields) => {
            fields.retain(|name, _| reported.0.iter().all(|(reported, _)| reported != name));
        }
        other => bail!("found arguments that are {other}, expected a struct with fields"),
    }
    Ok(value)
}

/// The known count of a problem, if there is one, and its source. In JSON it is null if there is none.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct KnownCount {
    pub count: Option<u128>,
    pub source: &'static str,
}

impl KnownCount {
    /// ` (OEIS A000170)`, or nothing.
    pub fn source(&self) -> String {
        if self.source.is_empty() { String::new() } else { format!(" ({})", self.source) }
    }

    /// ` (known: 92, OEIS A000170)`, or nothing.
    pub fn note(&self) -> String {
        let source = if self.source.is_empty() { "" } else { ", " };
        let note = |count| format!(" (known: {}{source}{})", grouped(count), self.source);
        self.count.map_or(String::new(), note)
    }

    /// Fails if the known count of `what` is not the count that was found.
    pub fn check(&self, what: &str, found: u128) -> Result<()> {
        match self.count {
            Some(expected) if found != expected => {
                bail!("WRONG COUNT for {what}: found {found}, expected {expected}{}", self.source())
            }
            _ => Ok(()),
        }
    }
}

impl Serialize for KnownCount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        known_fields(&self.count, serializer)
    }
}

/// The number of solutions, which agrees with the known count if there is one, and the facts that follow from it. Reports
/// in JSON have its fields as their own.
#[derive(Debug, Serialize)]
pub(crate) struct Answer {
    #[serde(flatten, serialize_with = "solutions_fields")]
    pub solutions: u128,
    /// Empty until facts are derived.
    #[serde(flatten)]
    pub facts: Facts,
    #[serde(flatten)]
    known: KnownCount,
    /// What was counted, for people.
    #[serde(skip)]
    pub title: String,
    /// What a solution is called.
    #[serde(skip)]
    pub noun: &'static str,
}

impl Answer {
    /// The number of solutions of `title`. Fails if it is not the known count.
    pub fn new(
        title: String,
        noun: &'static str,
        solutions: u128,
        known: KnownCount,
    ) -> Result<Self> {
        known.check(&title, solutions)?;
        Ok(Self { solutions, facts: Facts::default(), known, title, noun })
    }

    /// `8 queens: 92 solutions`, the first line of a report.
    pub fn headline(&self) -> String {
        format!("{}: {}", self.title, counted(self.solutions, self.noun))
    }

    /// The last line of a report.
    pub fn agreement(&self) -> String {
        match self.known.count {
            Some(_) => format!("agrees with the known count{}", self.known.source()),
            None => "no known count to compare with".to_owned(),
        }
    }
}

/// Facts that are written into JSON as fields of the report.
#[derive(Debug, Default)]
pub(crate) struct Facts(pub Vec<Fact>);

impl Facts {
    /// A line for each.
    pub fn text(&self) -> String {
        self.0.iter().map(|fact| fact.text.clone() + "\n").collect()
    }
}

impl Serialize for Facts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|fact| (fact.key, &fact.value)))
    }
}

#[cfg(test)]
mod tests {
    use tallyboard_search::Stopped;

    use super::*;

    /// One subtree, and a worker that takes a mebibyte.
    struct Large;

    impl Problem for Large {
        fn identity(&self) -> String {
            "large algorithm=1 layout=1".to_owned()
        }

        fn subtrees(&self) -> usize {
            1
        }

        fn count(&self, _: usize, _: &Stop) -> Result<Tally, Stopped> {
            Ok(Tally::new(1u8))
        }

        fn memory(&self) -> u64 {
            1 << 20
        }
    }

    #[test]
    fn a_count_may_take_all_that_is_left_and_no_more() {
        let prepared = PreparedJob::new(Box::new(Large), 1).unwrap();
        let memory = prepared.memory;
        assert!(memory > 1 << 20, "the list of subtrees comes on top");
        let fits = |bytes| prepared.ensure_fits(&Resources::here(1, Some(bytes))).is_ok();
        assert_eq!([memory - 1, memory, memory + 1].map(fits), [false, true, true]);
    }
}
