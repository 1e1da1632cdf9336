//! The plan of a count: what is counted, and which shard counts which subtrees.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ffi::OsStr;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::sealed::SealedFile;
use crate::{Costs, differences};

/// Upper bound on the shards of a plan. Some commands make a list of all shards.
pub const MAX_SHARDS: usize = 100_000;

/// What all shards of a plan have in common. A merge takes results only if their `Work` is equal.
///
/// The version of the program is no part of it. The [identity](crate::Problem::identity) has numbers
/// for the algorithm and the layout instead, which change only if subtotals do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Work {
    /// The problem, the engine, its algorithm and its layout.
    pub identity: String,
    /// The number of shards; they are numbered from 0.
    pub shards: usize,
    /// The number of subtrees in all.
    pub subtrees: usize,
    /// The [fingerprint](Costs::fingerprint) of the subtrees' costs; in files it is called `layout`.
    #[serde(rename = "layout")]
    pub costs_fingerprint: String,
}

/// The time and memory that a whole plan will take.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanForecast {
    /// The time; `None` if too few subtrees could be timed.
    pub core_hours: Option<CoreHours>,
    /// Memory of a process with one worker, in bytes.
    pub memory_bytes: u64,
    /// Memory that each further worker adds, in bytes.
    pub memory_bytes_per_worker: u64,
}

/// Hours on one core of the machine that made the plan, all shards together.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CoreHours {
    /// The estimate.
    pub estimate: f64,
    /// The lower end of its 95 % interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// The plan of a count in shards. `J` holds the arguments of the problem.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan<J> {
    /// What is counted.
    pub job: J,
    /// The work that every result must name.
    pub work: Work,
    /// The time and memory that the whole plan will take, if the maker of the plan measured them.
    pub forecast: Option<PlanForecast>,
}

/// The error if this program, on this machine, splits the problem differently from what the plan says.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the plan is of other work: {0}")]
pub struct PlanMismatch(String);

impl Work {
    /// The work of counting all subtrees, with these `costs`, in so many shards.
    pub fn new(identity: impl Into<String>, shards: usize, costs: &Costs) -> Self {
        let identity = identity.into();
        Self { identity, shards, subtrees: costs.len(), costs_fingerprint: costs.fingerprint() }
    }

    /// Fails unless this program, on this machine, splits the problem as the plan says.
    pub fn check(&self, identity: &str, costs: &Costs) -> Result<(), PlanMismatch> {
        let here = Self::new(identity, self.shards, costs);
        here.ensure_named().map_err(PlanMismatch)?;
        if here == *self {
            return Ok(());
        }
        let remedy = if differences::is_of_another_file(identity, &self.identity) {
            "use the file that was planned"
        } else {
            "use the program that made the plan"
        };
        Err(PlanMismatch(format!("{}; {remedy}", here.differences(self))))
    }

    /// Fails unless there are 1 to [`MAX_SHARDS`] shards, and no more shards than subtrees; a plan without subtrees has one
    /// shard. The error says what was found and what was expected.
    pub(super) fn check_shards(&self) -> Result<(), String> {
        let most = self.subtrees.clamp(1, MAX_SHARDS);
        if (1..=most).contains(&self.shards) {
            return Ok(());
        }
        let shards = self.shards;
        let subtrees = self.subtrees;
        Err(format!("found {shards} shards for {subtrees} subtrees, expected 1 to {most}"))
    }

    /// Fails for a problem without an identity: nobody could tell its results from another problem's.
    fn ensure_named(&self) -> Result<(), String> {
        if self.identity.is_empty() {
            return Err(
                "found a problem without a name, expected one with `Problem::identity`".into()
            );
        }
        Ok(())
    }

    /// The difference between this work and the work `there`, as a phrase.
    pub(super) fn differences(&self, there: &Self) -> String {
        if self.identity != there.identity {
            return differences::between(&self.identity, &there.identity).join("; ");
        }
        if self.shards != there.shards {
            return format!("it has {} shards there and {} here", there.shards, self.shards);
        }
        if self.subtrees != there.subtrees {
            return format!("it has {} subtrees there and {} here", there.subtrees, self.subtrees);
        }
        format!(
            "the checksum of its subtrees is {} there and {} here",
            there.costs_fingerprint, self.costs_fingerprint
        )
    }
}

impl<J: Serialize + DeserializeOwned> SealedFile for Plan<J> {
    const FORMAT: &'static str = "tallyboard plan 2";
    const INDENTED: bool = true;

    fn check(&self) -> Result<(), String> {
        self.work.ensure_named()?;
        self.work.check_shards()
    }
}

/// The subtrees of every shard, in ascending order.
///
/// Subtrees are dealt longest first, each to the shard whose cost so far is lowest. So the costs of two shards
/// differ by at most the cost of one subtree. Each shard gets subtrees of all lengths, so errors of the
/// estimated costs even out too. The deal depends on nothing but `costs` and `shards`.
///
/// ```
/// use tallyboard_search::{Costs, shard::deal};
/// assert_eq!(deal(&Costs::new(vec![9, 1, 5, 5]), 2), [vec![0, 1], vec![2, 3]]);
/// ```
pub fn deal(costs: &Costs, shards: usize) -> Vec<Vec<usize>> {
    let mut dealt = vec![Vec::new(); shards];
    for_each_dealt(costs, shards, |shard, id| dealt[shard].push(id));
    for subtrees in &mut dealt {
        subtrees.sort_unstable();
    }
    dealt
}

/// The subtrees of shard number `shard`, as [`deal`] gives them, without the lists of the other shards.
pub fn deal_one(costs: &Costs, shards: usize, shard: usize) -> Vec<usize> {
    let mut dealt = Vec::new();
    for_each_dealt(costs, shards, |receiver, id| {
        if receiver == shard {
            dealt.push(id);
        }
    });
    dealt.sort_unstable();
    dealt
}

/// The number of subtrees of the shard to which [`deal`] gives most. 0 shards count as one.
pub fn most_dealt(costs: &Costs, shards: usize) -> usize {
    match shards {
        0 | 1 => costs.len(),
        // Every cost is at least 1, so no shard gets a second subtree before each has one.
        _ if shards >= costs.len() => costs.len().min(1),
        _ => {
            let mut subtrees = vec![0; shards];
            for_each_dealt(costs, shards, |shard, _| subtrees[shard] += 1);
            subtrees.into_iter().max().unwrap_or(0)
        }
    }
}

/// Calls `give(shard, id)` for each subtree `id`, longest first, with the shard that gets it.
fn for_each_dealt(costs: &Costs, shards: usize, mut give: impl FnMut(usize, usize)) {
    let costs = costs.each();
    let mut longest_first: Vec<usize> = (0..costs.len()).collect();
    longest_first.sort_unstable_by_key(|&id| (Reverse(costs[id]), id));
    // The cost so far and the number of each shard, the lightest on top. Every cost is at least 1, so no shard gets a
    // second subtree before each has one, and shards beyond the number of subtrees get none.
    let mut lightest: BinaryHeap<Reverse<(u64, usize)>> =
        (0..shards.min(costs.len())).map(|shard| Reverse((0, shard))).collect();
    for id in longest_first {
        let Some(mut top) = lightest.peek_mut() else { break };
        let Reverse((load, shard)) = &mut *top;
        give(*shard, id);
        // The sum of all `Costs` fits in 64 bits.
        *load += costs[id];
    }
}

/// Ascending numbers as schedulers write them: `0,3-5,9`.
///
/// ```
/// use tallyboard_search::shard::ranges;
/// assert_eq!(ranges(&[0, 3, 4, 5, 9]), "0,3-5,9");
/// ```
pub fn ranges(numbers: &[usize]) -> String {
    numbers
        .chunk_by(|&a, &b| a + 1 == b)
        .map(|run| match run {
            [only] => only.to_string(),
            [first, .., last] => format!("{first}-{last}"),
            [] => String::new(),
        })
        .collect::<Vec<_>>()
        .join(",")
}

/// How the names of files of shards begin.
const FILE_PREFIX: &str = "shard-";

/// The name of a file of shard `shard`: `shard-00017.json`.
pub fn file_name(shard: usize, suffix: &str) -> String {
    format!("{FILE_PREFIX}{shard:05}.{suffix}")
}

/// Whether a file of this name may be one of a shard.
pub fn is_file_name(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(FILE_PREFIX.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Problem;
    use crate::problem::tests::Six;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_subtree_is_dealt_once_and_shards_differ_by_one_subtree_at_most(
            costs in prop::collection::vec(1_u64..10_000, 0..300),
            shards in 1_usize..40,
        ) {
            let costs = Costs::new(costs);
            let dealt = deal(&costs, shards);
            for (shard, ids) in dealt.iter().enumerate() {
                prop_assert_eq!(ids, &deal_one(&costs, shards, shard));
            }
            let most = dealt.iter().map(Vec::len).max().unwrap();
            prop_assert_eq!(most_dealt(&costs, shards), most);
            let mut all = dealt.concat();
            all.sort_unstable();
            prop_assert_eq!(all, (0..costs.len()).collect::<Vec<_>>());
            let loads: Vec<u64> = dealt.iter().map(|ids| costs.sum(Some(ids))).collect();
            let spread = loads.iter().max().unwrap() - loads.iter().min().unwrap();
            prop_assert!(spread <= costs.each().iter().copied().max().unwrap_or(0));
        }
    }

    #[test]
    fn costs_near_the_end_of_their_range_are_dealt_evenly() {
        let dealt = deal(&Costs::new(vec![u64::MAX; 6]), 3);
        assert!(dealt.iter().all(|ids| ids.len() == 2), "{dealt:?}");
    }

    #[test]
    fn any_number_of_shards_is_dealt_to() {
        let costs = Costs::new(vec![5, 9, 1]);
        for shards in [0, 3, usize::MAX] {
            assert_eq!(deal_one(&costs, shards, 7), [0; 0]);
        }
        assert_eq!([0, 1, 2].map(|shards| most_dealt(&costs, shards)), [3, 3, 2]);
        assert_eq!(deal_one(&costs, usize::MAX, 0), [1]);
    }

    #[test]
    fn a_plan_of_shards_that_no_plan_has_is_refused_when_it_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("plan.json");
        let read = |shards, subtrees| {
            let work = Work { subtrees, ..Work::new("six", shards, &Costs::equal(0)) };
            Plan { job: 1, work, forecast: None }.write(&path).unwrap();
            Plan::<u8>::read(&path)
        };
        for (shards, subtrees) in [(1, 0), (1, 7), (7, 7), (MAX_SHARDS, usize::MAX)] {
            read(shards, subtrees).unwrap();
        }
        let wrong = [(0, 0), (0, 7), (2, 0), (8, 7), (1 << 62, 7), (MAX_SHARDS + 1, usize::MAX)];
        for (shards, subtrees) in wrong {
            let error = read(shards, subtrees).unwrap_err();
            let expected = format!("plan.json: found {shards} shards for {subtrees} subtrees");
            assert!(error.to_string().contains(&expected), "{error}");
            assert!(error.is_damage(), "reading it again does not help");
        }
    }

    #[test]
    fn a_plan_is_for_this_problem_and_these_subtrees() {
        let problem = Six;
        let costs = problem.split();
        let identity = problem.identity();
        let subtrees = costs.len();
        let work = Work::new(&identity, 3, &costs);
        assert_eq!(work.check(&identity, &costs), Ok(()));
        assert!(work.check("another", &costs).is_err());
        let unnamed = Work { identity: String::new(), ..work.clone() };
        let refused = unnamed.check("", &costs).unwrap_err().to_string();
        assert!(refused.contains("found a problem without a name"), "{refused}");
        let fingerprint = "00000000".to_owned();
        let other_costs = Work { costs_fingerprint: fingerprint, ..work.clone() };
        let one_more = Work { subtrees: subtrees + 1, ..work };
        for (other, found) in [
            (other_costs, "the checksum of its subtrees is 00000000 there and ".to_owned()),
            (one_more, format!("it has {} subtrees there and {subtrees} here", subtrees + 1)),
        ] {
            let error = other.check(&identity, &costs).unwrap_err().to_string();
            assert!(error.contains(&found), "{error}");
        }
    }
}
