//! The arguments of a counting problem, the problem that they give when it is split, and its answer.

use std::panic::{AssertUnwindSafe, catch_unwind};

use anyhow::{Context, Result, anyhow, bail, ensure};
use serde::{Serialize, Serializer};
use serde_json::Value;
use tallyboard_base::figures::{counted, grouped, memory_size};
use tallyboard_search::shard::most_dealt;
use tallyboard_search::{Costs, Problem, Stop, Tally, list_bytes, panic_message};

use super::identities::describe;
use super::kinds::unmade;
use crate::counting::resources::{NoRoom, Resources, process_bytes};
use crate::terminal::{Args, info, known_fields, program_name, solutions_fields};

/// Why a problem cannot be counted as asked. Any error and any text becomes one with `?` or `into()`.
pub type Error = Box<dyn std::error::Error + Send + Sync>;

/// The arguments of a counting problem: what users type, and what plans hold. They are the one door to every verb: count,
/// estimate, verify, plan.
///
/// The doc comment of the type becomes the program's description. The options of the program itself (`--json`,
/// `-o`, `--threads` …) cannot be options of the problem too.
pub trait Counting: ToJson + Send + Sync {
    /// The run that the arguments describe: the problem, with what reports say of how it is counted. `resources` are the threads
    /// and the memory that it may take.
    ///
    /// # Errors
    /// A mistake in the arguments: the program prints the error and exits with 2, a shard with 42. If an [`io::Error`](std::io::Error)
    /// is the error or one of its sources, as where a file cannot be read, the program and the shard exit with 1.
    fn run(&self, resources: &Resources) -> Result<Run, Error>;

    /// The name of the problem: lower-case letters, digits and `-`; by default that of the program.
    fn name(&self) -> &'static str {
        program_name()
    }

    /// The known count, if there is one. A finished count that differs is an error.
    fn known(&self) -> Option<u128> {
        None
    }

    /// Where the [`known`](Self::known) count of these arguments is from, as in `OEIS A014552`.
    fn source(&self) -> &'static str {
        ""
    }

    /// The noun for one solution in reports; its plural is formed with `s`. In JSON the key is `solutions`
    /// anyway.
    fn noun(&self) -> &'static str {
        "solution"
    }

    /// A short name for a scheduler's job, of lower-case letters, digits and `-`.
    fn label(&self) -> String {
        self.name().to_owned()
    }

    /// These arguments, once with each method, for `verify` to compare. The most trusted method comes first:
    /// `cluster merge --recount` counts subtrees again by it, if it has the identity of the plan.
    fn methods(&self) -> Vec<Box<dyn Counting>> {
        Vec::new()
    }

    /// These arguments with the method that `identity` names, if that makes a difference. Plans and journals are continued
    /// by the method that began them, whose identity they hold. An identity of another problem changes nothing.
    fn with_method_of(&self, identity: &str) -> Option<Box<dyn Counting>> {
        let _ = identity;
        None
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

/// What has a form in JSON: everything that implements `Serialize`.
pub trait ToJson {
    /// The value as JSON, as plans and reports hold it.
    ///
    /// # Errors
    /// If it has none, such as a path that is no UTF-8.
    fn to_json(&self) -> serde_json::Result<Value>;
}

impl<T: Serialize> ToJson for T {
    fn to_json(&self) -> serde_json::Result<Value> {
        serde_json::to_value(self)
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

/// What every verb asks of the arguments beside what their type answers.
impl dyn Counting + '_ {
    /// The known count and its source.
    pub(crate) fn known_count(&self) -> KnownCount {
        KnownCount { count: self.known(), source: self.source() }
    }

    /// The arguments as JSON, as a plan holds them.
    pub(crate) fn json(&self) -> Result<Value> {
        self.to_json().context("the arguments have no JSON form")
    }

    /// The arguments for a report in JSON, without those that are among the `reported` details.
    pub(crate) fn unreported(&self, reported: &Details) -> Result<Value> {
        let mut value = self.json()?;
        match &mut value {
            Value::Object(fields) => {
                fields.retain(|name, _| reported.0.iter().all(|(reported, _)| reported != name));
            }
            other => bail!("found arguments that are {other}, expected a struct with fields"),
        }
        Ok(value)
    }

    /// The facts that follow from a finished count; an error if it breaks a law.
    pub(crate) fn facts(&self, solutions: u128, stop: &Stop) -> Result<Facts> {
        self.check(solutions, stop).map(Facts).map_err(|error| anyhow!(error))
    }

    /// The number of solutions, given the `sum` of all subtotals.
    pub(crate) fn total(&self, sum: Tally) -> Result<u128> {
        // Only the problem knows its modulus, which is the same with any resources.
        let run = self.unsplit(&Resources::unlimited(1))?;
        let modulus = catching_panics("`modulus` of the problem", || run.problem.modulus())?;
        Ok(reduced(sum, modulus))
    }

    fn unsplit(&self, resources: &Resources) -> Result<Run> {
        catching_panics("making the problem", || self.run(resources))?.map_err(unmade)
    }

    /// Makes the run, checks all that can be checked before counting, and splits it.
    pub(crate) fn prepare(&self, resources: &Resources) -> Result<Run> {
        let run = self.unsplit(resources)?.split(resources)?;
        run.ensure_fits(resources)?;
        Ok(Run { noun: self.noun(), ..run })
    }
}

/// The number of solutions, given the `sum` of all subtotals, which are residues if there is a `modulus`.
fn reduced(sum: Tally, modulus: Option<u128>) -> u128 {
    modulus.map_or(sum.solutions(), |modulus| sum.solutions() % modulus)
}

/// The share of the work that is done, by cost. Without any work, all of it is done.
pub(crate) fn share_done(cost_done: u64, cost: u64) -> f64 {
    if cost == 0 { 1.0 } else { cost_done as f64 / cost as f64 }
}

/// Returns what `work` returns, or an error that names `what` if `work` panics.
fn catching_panics<T>(what: &str, work: impl FnOnce() -> T) -> Result<T> {
    catch_unwind(AssertUnwindSafe(work))
        .map_err(|payload| anyhow!("{what} panicked: {}", panic_message(&*payload)))
}

/// A problem to count, with what reports say of how it is counted. [`Counting::run`] makes it whole; the
/// verbs split it before they count.
pub struct Run {
    pub(crate) problem: Box<dyn Problem>,
    pub(crate) identity: String,
    pub(crate) costs: Costs,
    /// What is counted, for people.
    pub(crate) title: String,
    /// What a solution is called.
    pub(crate) noun: &'static str,
    pub(crate) details: Details,
    /// An upper estimate of the memory of the workers and the list of subtrees, in bytes.
    pub(crate) memory: u64,
    /// An upper estimate of the memory without the list of subtrees, in bytes.
    counting_memory: u64,
    /// What each worker takes of that.
    worker_memory: u64,
    remarks: Vec<String>,
}

impl<P: Problem + 'static> From<P> for Run {
    fn from(problem: P) -> Self {
        Self::new(problem)
    }
}

impl Run {
    /// The count of `problem`.
    #[must_use]
    pub fn new(problem: impl Problem + 'static) -> Self {
        Self {
            problem: Box::new(problem),
            identity: String::new(),
            costs: Costs::equal(0),
            title: String::new(),
            noun: "solution",
            details: Details::default(),
            memory: 0,
            counting_memory: 0,
            worker_memory: 0,
            remarks: Vec::new(),
        }
    }

    /// With these words for what is counted, as in `18 queens`; by default they are those of the problem's `identity`.
    #[must_use]
    pub fn title(self, title: impl Into<String>) -> Self {
        Self { title: title.into(), ..self }
    }

    /// With a name and a value of how the problem is counted, such as `engine` and `blocks`, after those given before. What
    /// methods of one identity differ in, such as the kernel, comes last: a recount names the last detail alone.
    #[must_use]
    pub fn detail(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.details.0.push((name, value.into()));
        self
    }

    /// With remarks to print before the count begins, one a line.
    #[must_use]
    pub fn remarks(self, remarks: Vec<String>) -> Self {
        Self { remarks, ..self }
    }

    /// Splits the problem, of which this process counts one shard on the threads of `resources`. Fails if the problem panics, or if
    /// its identity is empty or has control characters, which files cannot hold.
    pub(crate) fn split(self, resources: &Resources) -> Result<Self> {
        let Self { problem, title, .. } = &self;
        let identity = catching_panics("`identity` of the problem", || problem.identity())?;
        ensure!(
            !identity.trim().is_empty() && !identity.contains(char::is_control),
            "found the identity {identity:?}, expected one line of text: a name, then words such as n=8 \
             and algorithm=1"
        );
        let costs = catching_panics("`split` of the problem", || problem.split())?;
        let list = list_bytes(costs.len() as u64, most_dealt(&costs, resources.shards()) as u64);
        let (shared, worker_memory) = catching_panics("`memory` of the problem", || {
            (problem.memory(), problem.worker_memory())
        })?;
        let of_workers = worker_memory.saturating_mul(resources.threads() as u64);
        let counting_memory = shared.saturating_add(of_workers);
        let title = if title.is_empty() { describe(&identity) } else { title.clone() };
        let memory = counting_memory.saturating_add(list);
        Ok(Self { identity, costs, title, memory, counting_memory, worker_memory, ..self })
    }

    /// Fails if the count needs more memory than `resources` allow.
    pub(crate) fn ensure_fits(&self, resources: &Resources) -> Result<(), NoRoom> {
        // 0 is the default of `Problem::memory`, of backtrackers. What is left then is the list of subtrees, for which there is no
        // method that needs less.
        match resources.memory() {
            Some(limit) if self.counting_memory > 0 && self.memory > limit => {
                let refusal = resources.too_little("the count", self.memory);
                let of_workers = self.worker_memory.saturating_mul(resources.threads() as u64);
                let without_workers = self.memory.saturating_sub(of_workers);
                let fitting = limit.saturating_sub(without_workers).checked_div(self.worker_memory);
                Err(refusal.fitting(fitting.unwrap_or(0) as usize))
            }
            _ => Ok(()),
        }
    }

    /// The number of solutions, given the `sum` of all subtotals.
    pub(crate) fn total(&self, sum: Tally) -> u128 {
        reduced(sum, self.problem.modulus())
    }

    /// The answer of a finished count, given the `sum` of all subtotals. Fails if it is not the `known` count.
    pub(crate) fn answer(&self, sum: Tally, known: KnownCount) -> Result<Answer> {
        Answer::new(self.title.clone(), self.noun, self.total(sum), known)
    }

    /// Prints remarks before the count begins.
    pub(crate) fn print_remarks(&self, args: &Args) {
        for line in &self.remarks {
            info(args, format_args!("{}: {line}", program_name()));
        }
        if self.memory > NOTABLE_BYTES {
            let memory = memory_size(process_bytes(self.memory));
            info(args, format_args!("{}: takes up to {memory} of memory", program_name()));
        }
    }
}

/// The name of the detail that results keep as provenance.
pub(crate) const KERNEL: &str = "kernel";

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

        fn worker_memory(&self) -> u64 {
            1 << 16
        }
    }

    #[test]
    fn a_count_may_take_all_that_is_left_and_no_more() {
        let on_threads = |threads| Run::new(Large).split(&Resources::unlimited(threads)).unwrap();
        let prepared = on_threads(1);
        let memory = prepared.memory;
        assert!(memory > (1 << 20) + (1 << 16), "the list of subtrees comes on top");
        let fits = |bytes| prepared.ensure_fits(&Resources::here(1, Some(bytes))).is_ok();
        assert_eq!([memory - 1, memory, memory + 1].map(fits), [false, true, true]);
        // More threads than the machine has processors take more, too.
        assert_eq!([2, 64].map(|it| on_threads(it).memory - memory), [1 << 16, 63 << 16]);
        let refusal = |threads, bytes| {
            let refused = on_threads(threads).ensure_fits(&Resources::here(threads, Some(bytes)));
            refused.unwrap_err().to_string()
        };
        assert!(refusal(9, memory + (5 << 16)).ends_with("(limited by --memory): -j 6 fits"));
        assert!(refusal(9, memory - 1).ends_with("(limited by --memory)"));
    }
}
