//! [`Counting`]: the trait of the arguments of a counting problem.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tallyboard_search::{Problem, Stop};

use super::identities::describe;
use super::resources::Resources;

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
