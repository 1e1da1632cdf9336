//! The processors that a run may use, with their kinds, caches and limits, and the order in which workers are pinned to
//! them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::RangeInclusive;
use std::path::Path;

use serde::{Deserialize, Serialize};

use tallyboard_base::cpu::NAMES_IN_CPUINFO;
use tallyboard_base::figures::counted;
use tallyboard_base::named::named;
use tallyboard_base::system::{ControlGroup, control_groups, entries, read, read_key};

/// One hardware thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cpu {
    /// The number that the system gives it.
    pub id: usize,
    /// Socket.
    pub package: usize,
    /// Core within the socket.
    pub core: usize,
    /// NUMA node; 0 if the system does not tell.
    #[serde(default)]
    pub node: usize,
}

/// The machine as seen by this process.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// Processor name as the system reports it.
    pub cpu: String,
    /// Operating system and instruction set, such as `linux x86_64`.
    pub system: String,
    /// The version of the operating system's kernel, such as `6.1.0`, if the system tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kernel: Option<String>,
    /// Hardware threads on which this process may run.
    pub cpus: Vec<Cpu>,
    /// Number of processors whose time the control group grants, if it sets a limit.
    pub cgroup_limit: Option<f64>,
    /// NUMA nodes of the machine; 1 if the system does not tell.
    #[serde(default = "one_node")]
    pub numa_nodes: usize,
    /// Bytes of all last-level caches of these processors, if the system tells.
    #[serde(default)]
    pub cache_bytes: Option<u64>,
    /// Bytes of one processor's data caches, the nearest level first; empty if the system does not tell.
    #[serde(default)]
    pub caches: Vec<u64>,
    /// Bytes of a cache line, if the system tells.
    #[serde(default)]
    pub cache_line_bytes: Option<u64>,
    /// The extensions of the instruction set that the processor has, of those that matter to counting.
    #[serde(default)]
    pub features: Vec<String>,
    /// The kinds of cores, the fastest first; empty if all are alike, or if the system does not tell.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kinds: Vec<CoreKind>,
}

fn one_node() -> usize {
    1
}

/// What [`Machine::missed_cache`] calls the first cache, whose misses tell little of memory.
pub(crate) const FIRST_CACHE: &str = "cache 1";

/// Where workers are placed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pin {
    /// Anywhere: workers are not pinned.
    #[default]
    None,
    /// One worker on each core, node after node; then the cores' second hardware threads.
    Cores,
    /// One worker on each core, the NUMA nodes in turn; then the cores' second hardware threads.
    Nodes,
    /// All hardware threads of a core before the next core.
    Threads,
}

named! {
    /// Every way to place workers.
    Pin { None = "none", Cores = "cores", Nodes = "nodes", Threads = "threads" }
}

/// The processors of a run's threads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// The processor of each worker; empty if workers are not pinned.
    pub workers: Vec<usize>,
    /// Processors of cores without a worker, for the other threads; empty if these may run anywhere.
    pub spare: Vec<usize>,
}

/// A processor as [`Machine::order`] compares it with others.
struct Place {
    id: usize,
    /// The index of its kind, which is 0 for the fastest.
    kind: usize,
    /// Its index among the hardware threads of its core.
    sibling: usize,
    /// Its index among the processors of its node that have the same `sibling`.
    turn: usize,
}

impl Machine {
    /// The machine this process runs on.
    pub fn here() -> Self {
        let allowed = allowed_processors().unwrap_or_else(|| (0..num_cpus::get()).collect());
        let mut machine = Self::read(Path::new("/"), &allowed);
        // Other systems than Linux describe no topology, so that each hardware thread counts as a core.
        if machine.cores() == machine.cpus.len() && !cfg!(target_os = "linux") {
            spread_over_cores(&mut machine.cpus, num_cpus::get_physical());
        }
        #[cfg(target_os = "macos")]
        {
            machine.kinds = super::topology::of_this_machine(&allowed);
        }
        machine
    }

    /// A machine of which nothing is known.
    pub(crate) fn unknown() -> Self {
        Self {
            cpu: "unknown processor".into(),
            system: "unknown system".into(),
            numa_nodes: 1,
            ..Self::default()
        }
    }

    /// Reads the description of the processors `allowed` below `root` (`/` on a real machine).
    pub fn read(root: &Path, allowed: &[usize]) -> Self {
        let nodes = nodes(root);
        Self {
            cpu: cpu_name(root).unwrap_or_else(|| "unknown processor".into()),
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            kernel: read(root.join("proc/sys/kernel/osrelease")),
            cpus: allowed.iter().map(|&id| read_cpu(root, &nodes, id)).collect(),
            cgroup_limit: cgroup_limit(root),
            numa_nodes: nodes.len().max(1),
            cache_bytes: cache_bytes(root, allowed),
            caches: allowed.first().map_or_else(Vec::new, |&id| {
                caches(root, id).into_values().map(|(_, bytes)| bytes).collect()
            }),
            cache_line_bytes: read(
                root.join("sys/devices/system/cpu/cpu0/cache/index0/coherency_line_size"),
            ),
            features: features(root),
            kinds: read_kinds(root, allowed),
        }
    }

    /// Physical cores this process may use.
    pub fn cores(&self) -> usize {
        self.cpus.iter().map(|cpu| (cpu.package, cpu.core)).collect::<BTreeSet<_>>().len()
    }

    /// Threads that can each have a processor all the time: as many as there are hardware threads, or whole processors in
    /// the control group's limit if that is less; at least 1.
    pub fn processors(&self) -> usize {
        self.within_limit(f64::floor)
    }

    /// The threads that a measurement tries by default: a limit of 2.5 processors lets a third thread do something.
    pub fn threads_to_try(&self) -> usize {
        self.within_limit(f64::ceil)
    }

    fn within_limit(&self, whole: fn(f64) -> f64) -> usize {
        let limit = self.cgroup_limit.map_or(usize::MAX, |limit| whole(limit) as usize);
        self.cpus.len().min(limit).max(1)
    }

    /// The cache whose misses Linux counts; `None` if that is the last one, so that a miss is a read from memory. Its
    /// drivers count misses of the last cache on Intel's processors, of the second on AMD's and Hygon's, and of the first on
    /// ARM's.
    pub fn missed_cache(&self) -> Option<&'static str> {
        match self.system.rsplit(' ').next() {
            Some("x86_64" | "x86") => {
                let is_of_amd = self.cpu.contains("AMD") || self.cpu.contains("Hygon");
                is_of_amd.then_some("cache 2")
            }
            Some("aarch64" | "arm") => Some(FIRST_CACHE),
            _ => Some("a cache"),
        }
    }

    /// Bytes of a cache line: 64 on most processors.
    pub fn line_bytes(&self) -> u64 {
        self.cache_line_bytes.unwrap_or(64)
    }

    /// Number of NUMA nodes that have a processor which this process may use.
    pub fn usable_nodes(&self) -> usize {
        self.cpus.iter().map(|cpu| cpu.node).collect::<BTreeSet<_>>().len()
    }

    /// Processor numbers in the order in which workers take them; empty for [`Pin::None`]. After the last processor,
    /// workers begin again with the first.
    pub fn order(&self, pin: Pin) -> Vec<usize> {
        let mut cpus = self.cpus.clone();
        cpus.sort_by_key(|cpu| (cpu.node, cpu.package, cpu.core, cpu.id));
        let mut seen_in_core = BTreeMap::new();
        let mut seen_in_node = BTreeMap::new();
        let mut places = Vec::new();
        for Cpu { id, package, core, node } in cpus {
            let sibling = count_up(&mut seen_in_core, (package, core));
            let turn = count_up(&mut seen_in_node, (node, sibling));
            places.push(Place { id, kind: self.kind_of(id), sibling, turn });
        }
        // The sorts are stable: places of equal keys stay in the order of nodes, sockets and cores.
        match pin {
            Pin::None => return Vec::new(),
            Pin::Cores => places.sort_by_key(|place| (place.sibling, place.kind)),
            Pin::Nodes => places.sort_by_key(|place| (place.sibling, place.kind, place.turn)),
            Pin::Threads => places.sort_by_key(|place| place.kind),
        }
        places.into_iter().map(|place| place.id).collect()
    }

    /// The index of the kind of processor `id`; 0 if all are alike.
    fn kind_of(&self, id: usize) -> usize {
        self.kinds.iter().position(|kind| kind.cpus.contains(&id)).unwrap_or(0)
    }

    /// Places for `threads` workers and for the other threads of their run.
    pub fn places(&self, pin: Pin, threads: usize) -> Places {
        let order = self.order(pin);
        let workers: Vec<usize> = order.iter().cycle().take(threads).copied().collect();
        let taken: BTreeSet<_> = workers.iter().map(|&id| self.core_of(id)).collect();
        let is_spare = |id: &usize| !taken.contains(&self.core_of(*id));
        let spare = order.into_iter().filter(is_spare).collect();
        Places { workers, spare }
    }

    /// The socket and the core of processor `id`.
    fn core_of(&self, id: usize) -> Option<(usize, usize)> {
        self.cpus.iter().find(|cpu| cpu.id == id).map(|cpu| (cpu.package, cpu.core))
    }

    /// The numbers of cores of each kind; nothing if all are alike.
    pub(crate) fn kinds_in_words(&self) -> String {
        let words = self.kinds.iter().map(|kind| {
            let cores: BTreeSet<_> = kind.cpus.iter().map(|&id| self.core_of(id)).collect();
            format!("{} {}", cores.len(), kind.name)
        });
        words.collect::<Vec<_>>().join(", ")
    }

    /// One line for people.
    pub fn describe(&self) -> String {
        let cores = self.cores();
        let threads = self.cpus.len();
        let limit = match self.cgroup_limit {
            Some(limit) => format!("control group limit {limit} processors"),
            None => "no control group limit".into(),
        };
        let kinds = match self.kinds_in_words() {
            kinds if kinds.is_empty() => kinds,
            kinds => format!(" ({kinds})"),
        };
        let siblings = if threads > cores { " that share cores" } else { ", each a core" };
        let features = match &self.features[..] {
            [] => "instruction sets unknown".to_owned(),
            features => features.join(" "),
        };
        format!(
            "{}, {}{}, {}{siblings}, {}, {limit}, {}, {features}",
            self.cpu,
            counted(cores, "core"),
            kinds,
            counted(threads, "hardware thread"),
            counted(self.numa_nodes, "NUMA node"),
            self.describe_system()
        )
    }

    /// The processor, the number of its cores and the system with the version of its kernel: what tells machines apart.
    pub(crate) fn describe_briefly(&self) -> String {
        format!("{}, {}, {}", self.cpu, counted(self.cores(), "core"), self.describe_system())
    }

    fn describe_system(&self) -> String {
        match &self.kernel {
            Some(kernel) => format!("{}, kernel {kernel}", self.system),
            None => self.system.clone(),
        }
    }
}

/// Adds 1 to the count of `key`. Returns the count before.
fn count_up<K: Ord>(counts: &mut BTreeMap<K, usize>, key: K) -> usize {
    let count = counts.entry(key).or_default();
    *count += 1;
    *count - 1
}

/// Reads one hardware thread. If the system does not describe it, it counts as a core.
fn read_cpu(root: &Path, nodes: &[(usize, Vec<usize>)], id: usize) -> Cpu {
    let topology = root.join(format!("sys/devices/system/cpu/cpu{id}/topology"));
    Cpu {
        id,
        package: read(topology.join("physical_package_id")).unwrap_or(0),
        core: read(topology.join("core_id")).unwrap_or(id),
        node: nodes.iter().find(|(_, cpus)| cpus.contains(&id)).map_or(0, |(node, _)| *node),
    }
}

/// Numbers the cores if the system tells only how many there are. Such systems list the hardware threads of a core
/// next to each other.
fn spread_over_cores(cpus: &mut [Cpu], cores: usize) {
    let threads_per_core = cpus.len().div_ceil(cores.max(1)).max(1);
    for (index, cpu) in cpus.iter_mut().enumerate() {
        cpu.core = index / threads_per_core;
    }
}

/// The processor's name, under the first of the keys that this architecture has.
fn cpu_name(root: &Path) -> Option<String> {
    let text = fs::read_to_string(root.join("proc/cpuinfo")).ok()?;
    ["model name", "Model", "cpu model", "Hardware"].iter().find_map(|key| {
        let mut lines = text.lines().filter_map(|line| line.split_once(':'));
        let (_, name) = lines.find(|(found, _)| found.trim() == *key)?;
        Some(name.split_whitespace().collect::<Vec<_>>().join(" "))
    })
}

fn nodes(root: &Path) -> Vec<(usize, Vec<usize>)> {
    entries(&root.join("sys/devices/system/node")).filter_map(|path| node(&path)).collect()
}

/// The number of the node that the folder describes, and its processors.
fn node(folder: &Path) -> Option<(usize, Vec<usize>)> {
    let number = folder.file_name()?.to_str()?.strip_prefix("node")?.parse().ok()?;
    let cpus: String = read(folder.join("cpulist")).unwrap_or_default();
    Some((number, numbers(&cpus)))
}

/// Those of [`NAMES_IN_CPUINFO`] that the processor has.
fn features(root: &Path) -> Vec<String> {
    let text = fs::read_to_string(root.join("proc/cpuinfo")).unwrap_or_default();
    let line = text
        .lines()
        .find(|line| line.starts_with("flags") || line.starts_with("Features"))
        .unwrap_or_default();
    let flags: Vec<&str> = line.split_whitespace().collect();
    NAMES_IN_CPUINFO.split(' ').filter(|name| flags.contains(name)).map(String::from).collect()
}

/// The data caches of processor `id` by level: for each the list of the processors that share it, and its bytes.
pub(crate) fn caches(root: &Path, id: usize) -> BTreeMap<u32, (String, u64)> {
    let folder = root.join(format!("sys/devices/system/cpu/cpu{id}/cache"));
    entries(&folder).filter_map(|path| data_cache(&path, id)).collect()
}

/// The level, the sharers and the bytes of the cache that the folder describes, which is one of processor `id`. `None` if
/// it holds no data.
fn data_cache(folder: &Path, id: usize) -> Option<(u32, (String, u64))> {
    let kind: Option<String> = read(folder.join("type"));
    if kind.as_deref() == Some("Instruction") {
        return None;
    }
    let size: String = read(folder.join("size"))?;
    let kib: u64 = size.strip_suffix('K')?.parse().ok()?;
    let sharers = read(folder.join("shared_cpu_list")).unwrap_or(id.to_string());
    Some((read(folder.join("level"))?, (sharers, kib << 10)))
}

/// Bytes of the last-level caches of the processors `allowed`. A cache that several share counts once.
pub(crate) fn cache_bytes(root: &Path, allowed: &[usize]) -> Option<u64> {
    let last_level = |&id| caches(root, id).into_values().next_back();
    let distinct: BTreeSet<(String, u64)> = allowed.iter().filter_map(last_level).collect();
    (!distinct.is_empty()).then(|| distinct.iter().map(|(_, bytes)| bytes).sum())
}

/// The processors on which the calling thread may run; `None` if the system does not tell.
fn allowed_processors() -> Option<Vec<usize>> {
    #[cfg(target_os = "linux")]
    {
        use rustix::thread::{CpuSet, sched_getaffinity};
        let allowed = sched_getaffinity(None).ok()?;
        Some((0..CpuSet::MAX_CPU).filter(|&id| allowed.is_set(id)).collect())
    }
    #[cfg(not(target_os = "linux"))]
    None
}

/// The lowest processor limit of this process's control group and its parents.
pub(crate) fn cgroup_limit(root: &Path) -> Option<f64> {
    let groups = control_groups(root, "cpu").into_iter();
    groups.filter_map(|group| processor_limit(&group)).min_by(f64::total_cmp)
}

fn processor_limit(ControlGroup { folder, is_version_2 }: &ControlGroup) -> Option<f64> {
    if *is_version_2 {
        let text = fs::read_to_string(folder.join("cpu.max")).ok()?;
        let (quota, period) = text.trim().split_once(' ')?;
        return Some(quota.parse::<f64>().ok()? / period.parse::<f64>().ok()?);
    }
    let quota: f64 = read(folder.join("cpu.cfs_quota_us")).filter(|&quota| quota > 0.0)?;
    Some(quota / read::<f64>(folder.join("cpu.cfs_period_us"))?)
}

/// Processors whose cores are alike.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoreKind {
    /// Such as `performance`.
    pub name: String,
    /// The system's numbers of the processors.
    pub cpus: Vec<usize>,
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

/// How fast a processor is, as the system says in a unit of its own: the capacity, or else the highest clock speed. That
/// of an Atom core counts half, since it does less in a cycle, and that of a low-power one even less.
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
    match (is_in("cpu_lowpower"), is_in("cpu_atom")) {
        (Some(true), _) => Some(0.4 * clock.unwrap_or(1.0)),
        (_, Some(true)) => Some(0.5 * clock.unwrap_or(1.0)),
        // Not a processor with several kinds of Intel's cores.
        (None, None) => clock,
        _ => Some(clock.unwrap_or(1.0)),
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

/// Seconds of processor time that the limits of this process's control group and its parents have kept from it so far;
/// `None` if the system does not tell.
pub(crate) fn throttled_seconds(root: &Path) -> Option<f64> {
    let groups = control_groups(root, "cpu").into_iter();
    let seconds = groups.filter_map(|ControlGroup { folder, is_version_2 }| {
        let (key, unit) =
            if is_version_2 { ("throttled_usec", 1e-6) } else { ("throttled_time", 1e-9) };
        Some(read_key(folder.join("cpu.stat"), key)? as f64 * unit)
    });
    seconds.fold(None, |sum, seconds| Some(sum.unwrap_or(0.0) + seconds))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake_files::with_files;

    #[test]
    fn cores_come_before_their_second_threads() {
        let flags = "flags\t\t: fpu popcnt avx2 avx2x";
        let root = with_files(&[
            (
                "proc/cpuinfo",
                &format!("processor\t: 0\nmodel name\t: Example   CPU 9000\n{flags}\n"),
            ),
            ("sys/devices/system/node/node0/cpulist", "0-1,4-5\n"),
            ("sys/devices/system/node/node1/cpulist", "2-3,6,7\n"),
            ("sys/devices/system/node/possible", "0-1\n"),
            ("sys/devices/system/cpu/cpu0/cache/index0/coherency_line_size", "128\n"),
            ("sys/devices/system/cpu/cpu0/cache/index0/level", "1\n"),
            ("sys/devices/system/cpu/cpu0/cache/index0/size", "32K\n"),
            ("sys/devices/system/cpu/cpu0/cache/index0/type", "Data\n"),
            ("sys/devices/system/cpu/cpu0/cache/index1/level", "1\n"),
            ("sys/devices/system/cpu/cpu0/cache/index1/size", "64K\n"),
            ("sys/devices/system/cpu/cpu0/cache/index1/type", "Instruction\n"),
            ("sys/devices/system/cpu/cpu0/cache/index2/level", "2\n"),
            ("sys/devices/system/cpu/cpu0/cache/index2/size", "1024K\n"),
            ("sys/devices/system/cpu/cpu0/cache/index3/level", "3\n"),
            ("sys/devices/system/cpu/cpu0/cache/index3/size", "32768K\n"),
            ("sys/devices/system/cpu/cpu0/cache/index3/shared_cpu_list", "0-1,4-5\n"),
            ("sys/devices/system/cpu/cpu1/cache/index3/level", "3\n"),
            ("sys/devices/system/cpu/cpu1/cache/index3/size", "32768K\n"),
            ("sys/devices/system/cpu/cpu1/cache/index3/shared_cpu_list", "0-1,4-5\n"),
            ("sys/devices/system/cpu/cpu2/cache/index3/level", "3\n"),
            ("sys/devices/system/cpu/cpu2/cache/index3/size", "16384K\n"),
            ("sys/devices/system/cpu/cpu2/cache/index3/shared_cpu_list", "2-3,6-7\n"),
        ]);
        // Two sockets of two cores; siblings are i and i + 4.
        for id in 0..8 {
            let topology = root.path().join(format!("sys/devices/system/cpu/cpu{id}/topology"));
            fs::create_dir_all(&topology).unwrap();
            fs::write(topology.join("physical_package_id"), format!("{}\n", (id % 4) / 2)).unwrap();
            fs::write(topology.join("core_id"), format!("{}\n", id % 2)).unwrap();
        }
        let machine = Machine::read(root.path(), &[0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(machine.cores(), 4);
        assert_eq!(machine.order(Pin::Cores), [0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(machine.order(Pin::Threads), [0, 4, 1, 5, 2, 6, 3, 7]);
        assert!(machine.order(Pin::None).is_empty());
        // A core of each node in turn.
        assert_eq!(machine.order(Pin::Nodes), [0, 2, 1, 3, 4, 6, 5, 7]);
        assert_eq!(
            (machine.usable_nodes(), machine.cpus.iter().map(|cpu| cpu.node).sum::<usize>()),
            (2, 4)
        );
        // Beside three workers one core is spare, beside four none; a fifth shares a core.
        let of = |threads| machine.places(Pin::Nodes, threads);
        assert_eq!(of(3), Places { workers: vec![0, 2, 1], spare: vec![3, 7] });
        assert_eq!(of(5), Places { workers: vec![0, 2, 1, 3, 4], spare: vec![] });
        assert_eq!(of(9).workers[7..], [7, 0]);
        assert_eq!(machine.places(Pin::None, 3), Places::default());
        assert_eq!(machine.caches, [32 << 10, 1 << 20, 32 << 20]);
        assert_eq!((machine.cache_bytes, machine.line_bytes()), (Some(48 << 20), 128));
        assert_eq!(machine.cpu, "Example CPU 9000");
        assert_eq!(
            machine.describe(),
            format!(
                "Example CPU 9000, 4 cores, 8 hardware threads that share cores, 2 NUMA nodes, \
                 no control group limit, {}, popcnt avx2",
                machine.system
            )
        );
        let part = Machine::read(root.path(), &[1, 5, 6]);
        assert_eq!((part.cores(), part.order(Pin::Cores)), (2, vec![1, 6, 5]));
    }

    #[test]
    fn the_limit_of_the_group_is_the_machine_s_and_a_part_of_a_processor_is_none() {
        let root = with_files(&[
            ("proc/self/cgroup", "0::/outer/inner\n"),
            ("sys/fs/cgroup/outer/cpu.max", "150000 100000\n"),
        ]);
        let machine = Machine::read(root.path(), &[0, 1, 2, 3]);
        assert_eq!((machine.cgroup_limit, machine.processors()), (Some(1.5), 1));
        assert_eq!(machine.threads_to_try(), 2);
        let limited = |limit| Machine { cgroup_limit: Some(limit), ..machine.clone() };
        assert_eq!((limited(3.0).processors(), limited(3.0).threads_to_try()), (3, 3));
        assert_eq!((limited(0.5).processors(), limited(0.5).threads_to_try()), (1, 1));
        assert_eq!(limited(9.5).processors(), 4, "there are no more");
    }

    #[test]
    fn throttled_time_is_that_of_the_group_and_its_parents_in_either_version() {
        let root = with_files(&[
            ("proc/self/cgroup", "0::/outer/inner\n"),
            (
                "sys/fs/cgroup/outer/cpu.stat",
                "usage_usec 9\nnr_throttled 4\nthrottled_usec 2500000\n",
            ),
            ("sys/fs/cgroup/outer/inner/cpu.stat", "nr_throttled 1\nthrottled_usec 500000\n"),
        ]);
        assert_eq!(throttled_seconds(root.path()), Some(3.0));
        let root = with_files(&[
            ("proc/self/cgroup", "3:cpu,cpuacct:/box\n0::/\n"),
            (
                "sys/fs/cgroup/cpu/box/cpu.stat",
                "nr_periods 7\nnr_throttled 3\nthrottled_time 1500000000\n",
            ),
        ]);
        assert_eq!(throttled_seconds(root.path()), Some(1.5));
        assert_eq!(throttled_seconds(Path::new("/nonexistent")), None);
    }

    #[test]
    fn a_machine_that_tells_nothing_still_works() {
        let machine = Machine::read(Path::new("/nonexistent"), &[0, 1]);
        assert_eq!((machine.cores(), machine.processors(), machine.cgroup_limit), (2, 2, None));
        assert_eq!((&*machine.cpu, machine.line_bytes()), ("unknown processor", 64));
    }

    #[test]
    fn lists_of_processors_are_read() {
        assert_eq!(numbers("0-2,8,10-11\n".trim()), [0, 1, 2, 8, 10, 11]);
        assert_eq!(numbers(""), Vec::<usize>::new());
    }

    #[test]
    fn the_tightest_group_limit_counts_in_either_version() {
        let root = with_files(&[
            ("proc/self/cgroup", "0::/outer/inner\n"),
            ("sys/fs/cgroup/outer/cpu.max", "150000 100000\n"),
            ("sys/fs/cgroup/outer/inner/cpu.max", "max 100000\n"),
        ]);
        assert_eq!(cgroup_limit(root.path()), Some(1.5));
        let root = with_files(&[
            ("proc/self/cgroup", "3:cpu,cpuacct:/box\n0::/\n"),
            ("sys/fs/cgroup/cpu/box/cpu.cfs_quota_us", "300000\n"),
            ("sys/fs/cgroup/cpu/box/cpu.cfs_period_us", "100000\n"),
            ("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n"),
        ]);
        assert_eq!(cgroup_limit(root.path()), Some(3.0));
    }

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
        // Intel's third list, whatever the clock: a slow core is no fast one.
        let low = [atom[0], ("sys/devices/cpu_lowpower/cpus", "3\n")];
        let three = [of("performance", &[0]), of("efficiency", &[1, 2]), of("low-power", &[3])];
        assert_eq!(kinds(clock, &["5000000", "4600000", "4600000", "2500000"], &low), three);
        assert_eq!(kinds("topology/core_id", &["0", "1", "2", "3"], &low), three);
    }

    #[test]
    fn the_cache_whose_misses_are_counted_is_that_of_the_kernels_driver() {
        let of = |cpu: &str, system: &str| {
            let machine = Machine { cpu: cpu.into(), system: system.into(), ..Machine::unknown() };
            machine.missed_cache()
        };
        assert_eq!(of("Intel(R) Xeon(R) Platinum 8480+", "linux x86_64"), None);
        for cpu in ["AMD EPYC 9654 96-Core Processor", "Hygon C86 7285 32-core Processor"] {
            assert_eq!(of(cpu, "linux x86_64"), Some("cache 2"));
        }
        assert_eq!(of("unknown processor", "linux aarch64"), Some("cache 1"));
        assert_eq!(of("unknown processor", "linux riscv64"), Some("a cache"));
    }

    /// Two fast cores of two threads each, and two slow cores.
    #[test]
    fn fast_cores_are_taken_first_and_second_threads_last() {
        let cpus = [0, 0, 1, 1, 2, 3].iter().enumerate();
        let cpus = cpus.map(|(id, &core)| Cpu { id, package: 0, core, node: 0 }).collect();
        let kind = |name: &str, cpus: &[usize]| CoreKind { name: name.into(), cpus: cpus.into() };
        let kinds = vec![kind("performance", &[0, 1, 2, 3]), kind("efficiency", &[4, 5])];
        let mut machine = Machine { cpus, kinds, ..Machine::unknown() };
        assert_eq!(machine.order(Pin::Cores), [0, 2, 4, 5, 1, 3]);
        assert_eq!(machine.order(Pin::Threads), [0, 1, 2, 3, 4, 5]);
        let words = "4 cores (2 performance, 2 efficiency), 6 hardware threads";
        assert!(machine.describe().contains(words), "{}", machine.describe());
        // Slow cores may have the lowest numbers, as on ARM.
        machine.kinds.reverse();
        assert_eq!(machine.order(Pin::Cores), [4, 5, 0, 2, 1, 3]);
        assert_eq!(machine.order(Pin::Nodes), [4, 5, 0, 2, 1, 3]);
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
}
