//! Kinds of cores on one machine, fast ones and slow ones, and what threads on them can do together.
//!
//! A thread on an efficiency core does a part of what one on a performance core does, and so does a second hardware
//! thread on a core that has one already. On such a machine p threads cannot be p times as fast as one.

use std::fs;
use std::iter::repeat_n;
use std::ops::RangeInclusive;
use std::path::Path;

use serde::{Deserialize, Serialize};

use tallyboard_base::system::read;

/// Processors whose cores are alike.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoreKind {
    /// Such as `performance`.
    pub name: String,
    /// The system's numbers of the processors.
    pub cpus: Vec<usize>,
}

/// How fast one kind of cores does the measured work, relative to a core of the fastest kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CoreCapacity {
    /// The kind.
    pub kind: String,
    /// Number of cores.
    pub cores: usize,
    /// Number of second hardware threads on them.
    pub siblings: usize,
    /// Work per second of one thread, as a share of that on a core of the fastest kind.
    pub capacity: f64,
    /// What a second thread on the core adds, in the same unit; `None` if there is none.
    pub sibling_capacity: Option<f64>,
}

impl CoreCapacity {
    /// The capacity of a kind with `cores` cores. The work takes `alone` seconds with one thread on a core, and `both`
    /// with two; `fastest` is the time of one thread on a core of the fastest kind.
    pub fn new(kind: &CoreKind, cores: usize, fastest: f64, alone: f64, both: Option<f64>) -> Self {
        let capacity = fastest / alone;
        Self {
            kind: kind.name.clone(),
            cores,
            siblings: kind.cpus.len() - cores,
            capacity,
            sibling_capacity: both.map(|both| (fastest / both - capacity).max(0.0)),
        }
    }
}

/// Names of kinds, the fastest first.
const KIND_NAMES: [&str; 3] = ["performance", "efficiency", "low-power"];
/// A core whose rating is less than this share of the next higher one is of another kind. The clocks of cores of one kind
/// differ by some per cent.
const MIN_SHARE_OF_SAME_KIND: f64 = 0.85;

/// The kinds of the processors `ids`, the fastest first. Empty if all are alike, or if the system does not tell.
pub(crate) fn read_kinds(root: &Path, ids: &[usize]) -> Vec<CoreKind> {
    let ratings: Option<Vec<(f64, usize)>> =
        ids.iter().map(|&id| Some((rating(root, id)?, id))).collect();
    let Some(mut ratings) = ratings else { return Vec::new() };
    ratings.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut kinds: Vec<CoreKind> = Vec::new();
    let mut previous = f64::INFINITY;
    for (rating, id) in ratings {
        let number = kinds.len();
        match kinds.last_mut() {
            Some(kind) if rating >= MIN_SHARE_OF_SAME_KIND * previous => kind.cpus.push(id),
            _ => kinds.push(CoreKind { name: kind_name(number), cpus: vec![id] }),
        }
        previous = rating;
    }
    if kinds.len() < 2 {
        return Vec::new();
    }
    kinds.iter_mut().for_each(|kind| kind.cpus.sort_unstable());
    kinds
}

/// The name of the kind that is the `index`-th fastest, counted from 0.
fn kind_name(index: usize) -> String {
    let name = KIND_NAMES.get(index).copied();
    name.map_or_else(|| format!("kind {}", index + 1), str::to_owned)
}

/// How fast a processor is, as the system says in a unit of its own: the capacity, or else the highest clock speed. The
/// clock speed of an Atom core counts half, since it does less in a cycle.
fn rating(root: &Path, id: usize) -> Option<f64> {
    let folder = root.join(format!("sys/devices/system/cpu/cpu{id}"));
    if let Some(capacity) = read::<f64>(folder.join("cpu_capacity")) {
        return Some(capacity);
    }
    let is_in = |kind: &str| {
        let list = fs::read_to_string(root.join(format!("sys/devices/{kind}/cpus"))).ok()?;
        Some(numbers(list.trim()).contains(&id))
    };
    let clock = read::<f64>(folder.join("cpufreq/cpuinfo_max_freq"));
    match is_in("cpu_atom") {
        Some(true) => Some(0.5 * clock.unwrap_or(1.0)),
        Some(false) => Some(clock.unwrap_or(1.0)),
        // Not a processor with two kinds of Intel's cores.
        None => clock,
    }
}

/// The numbers of a list such as `0-3,8`.
pub(crate) fn numbers(list: &str) -> Vec<usize> {
    list.split(',').filter_map(range).flatten().collect()
}

fn range(part: &str) -> Option<RangeInclusive<usize>> {
    let (first, last) = part.split_once('-').unwrap_or((part, part));
    Some(first.parse().ok()?..=last.parse().ok()?)
}

/// The kinds of Apple's processors, the fastest first, as `sysctl hw.perflevel0.logicalcpu` and so on tell them. These
/// tell only how many processors a level has: the numbers `ids` are dealt to the levels in order.
#[cfg(target_os = "macos")]
pub(crate) fn of_this_machine(ids: &[usize]) -> Vec<CoreKind> {
    let count = |level: usize| {
        let name = format!("hw.perflevel{level}.logicalcpu");
        let output = std::process::Command::new("/usr/sbin/sysctl").args(["-n", &name]).output();
        String::from_utf8(output.ok()?.stdout).ok()?.trim().parse::<usize>().ok()
    };
    let counts: Vec<usize> = (0..KIND_NAMES.len()).map_while(count).collect();
    if counts.len() < 2 || counts.iter().sum::<usize>() != ids.len() {
        return Vec::new();
    }
    let mut unassigned = ids.iter().copied();
    let kinds = counts.iter().enumerate().map(|(index, &count)| CoreKind {
        name: kind_name(index),
        cpus: unassigned.by_ref().take(count).collect(),
    });
    kinds.collect()
}

/// The most that `threads` threads can do, in multiples of one thread on a core of the fastest kind, if each takes the
/// free place of the largest capacity. `None` if no capacity was measured.
pub fn attainable(capacities: &[CoreCapacity], threads: usize) -> Option<f64> {
    let mut places = Vec::new();
    for kind in capacities {
        places.extend(repeat_n(kind.capacity, kind.cores));
        places.extend(repeat_n(kind.sibling_capacity.unwrap_or(0.0), kind.siblings));
    }
    places.sort_by(|a, b| b.total_cmp(a));
    (!places.is_empty()).then(|| places.iter().take(threads).sum())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake_files::with_files;

    /// The processors of each kind on a machine with a file of this name and content for each processor.
    fn kinds(file: &str, values: &[&str], more: &[(&str, &str)]) -> Vec<(String, Vec<usize>)> {
        let paths: Vec<String> =
            (0..values.len()).map(|id| format!("sys/devices/system/cpu/cpu{id}/{file}")).collect();
        let mut files: Vec<(&str, &str)> =
            paths.iter().zip(values).map(|(path, value)| (path.as_str(), *value)).collect();
        files.extend(more);
        let root = with_files(&files);
        let ids: Vec<usize> = (0..values.len()).collect();
        read_kinds(root.path(), &ids).into_iter().map(|kind| (kind.name, kind.cpus)).collect()
    }

    #[test]
    fn kinds_are_told_by_capacity_by_clock_and_by_their_counters() {
        let of = |name: &str, cpus: &[usize]| (name.to_owned(), cpus.to_vec());
        let arm = kinds("cpu_capacity", &["446", "446", "1024", "1024"], &[]);
        assert_eq!(arm, [of("performance", &[2, 3]), of("efficiency", &[0, 1])]);
        let clock = "cpufreq/cpuinfo_max_freq";
        let intel = kinds(clock, &["4900000", "4700000", "3600000", "2100000"], &[]);
        assert_eq!(intel.iter().map(|kind| kind.1.len()).collect::<Vec<_>>(), [2, 1, 1]);
        assert_eq!(intel[2].0, "low-power");
        // The same clock, and a core that does less in a cycle.
        let atom = [("sys/devices/cpu_atom/cpus", "1-2\n")];
        let found = kinds(clock, &["4000000"; 3], &atom);
        assert_eq!(found, [of("performance", &[0]), of("efficiency", &[1, 2])]);
    }

    #[test]
    fn cores_that_are_alike_are_of_no_kind() {
        let clock = "cpufreq/cpuinfo_max_freq";
        assert_eq!(kinds(clock, &["5700000", "5200000", "4900000"], &[]), []);
        assert_eq!(kinds("cpu_capacity", &["1024"; 4], &[]), []);
        assert_eq!(kinds("none", &["1"; 4], &[]), []);
        // From 85 % on.
        assert_eq!(kinds("cpu_capacity", &["1000", "851"], &[]), []);
        assert_eq!(kinds("cpu_capacity", &["1000", "849"], &[]).len(), 2);
        assert_eq!(kinds("cpu_capacity", &["1024"], &[]), []);
    }

    #[test]
    fn threads_take_the_places_of_the_largest_capacity_first() {
        let kind = |cores, siblings, capacity, sibling_capacity| CoreCapacity {
            kind: String::new(),
            cores,
            siblings,
            capacity,
            sibling_capacity,
        };
        let machine = [kind(2, 2, 1.0, Some(0.25)), kind(4, 0, 0.5, None)];
        let found = [1, 2, 3, 6, 7, 8, 100].map(|p| attainable(&machine, p).unwrap());
        assert_eq!(found, [1.0, 2.0, 2.5, 4.0, 4.25, 4.5, 4.5]);
        assert_eq!(attainable(&[], 4), None);
    }
}
