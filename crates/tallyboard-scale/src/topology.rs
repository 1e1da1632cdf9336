//! The processors that a run may use, with their cores, caches and limits, and the order in which workers are pinned to
//! them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::caches::{cache_bytes, caches};
use super::cgroup::cgroup_limit;
use super::kinds::{CoreKind, numbers, read_kinds};
use tallyboard_base::figures::counted;
use tallyboard_base::named::named;
use tallyboard_base::system::{entries, read};

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

/// The instructions that kernels use, by their names in `/proc/cpuinfo`.
const FEATURES: &str =
    "popcnt bmi2 avx2 avx512f avx512bw avx512vl avx512_vbmi2 avx512_vpopcntdq asimd";

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
        let allowed: Vec<usize> = core_affinity::get_core_ids().map_or_else(
            || (0..num_cpus::get()).collect(),
            |cores| cores.into_iter().map(|core| core.id).collect(),
        );
        let mut machine = Self::read(Path::new("/"), &allowed);
        // Other systems than Linux describe no topology, so that each hardware thread counts as a core.
        if machine.cores() == machine.cpus.len() && !cfg!(target_os = "linux") {
            spread_over_cores(&mut machine.cpus, num_cpus::get_physical());
        }
        #[cfg(target_os = "macos")]
        {
            machine.kinds = super::kinds::of_this_machine(&allowed);
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

    /// Threads that can run at once: the hardware threads, or the control group's limit if that is less; at least 1.
    pub fn processors(&self) -> usize {
        let limit = self.cgroup_limit.map_or(usize::MAX, |limit| limit.ceil() as usize);
        self.cpus.len().min(limit).max(1)
    }

    /// Whether a counted cache miss is a read from memory. AMD's processors count the misses of the second of three
    /// levels.
    pub fn misses_go_to_memory(&self) -> bool {
        !self.cpu.contains("AMD")
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

    /// For each kind the processors of one of its cores, and the number of its cores.
    pub fn sample_cores(&self) -> Vec<(&CoreKind, Vec<usize>, usize)> {
        let mut samples = Vec::new();
        for kind in &self.kinds {
            let Some(&first) = kind.cpus.first() else { continue };
            let sampled_core = self.core_of(first);
            let in_sampled_core = |id: &usize| self.core_of(*id) == sampled_core;
            let cores: BTreeSet<_> = kind.cpus.iter().map(|&id| self.core_of(id)).collect();
            let cpus = kind.cpus.iter().copied().filter(in_sampled_core).collect();
            samples.push((kind, cpus, cores.len()));
        }
        samples
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

    /// The numbers of cores of each kind in brackets; nothing if all are alike.
    fn kinds_in_words(&self) -> String {
        let samples = self.sample_cores();
        let words: Vec<String> =
            samples.iter().map(|(kind, _, cores)| format!("{cores} {}", kind.name)).collect();
        if words.is_empty() { String::new() } else { format!(" ({})", words.join(", ")) }
    }

    /// One line for people.
    pub fn describe(&self) -> String {
        let cores = self.cores();
        let threads = self.cpus.len();
        let limit = match self.cgroup_limit {
            Some(limit) => format!("control group limit {limit} processors"),
            None => "no control group limit".into(),
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
            self.kinds_in_words(),
            counted(threads, "hardware thread"),
            counted(self.numa_nodes, "NUMA node"),
            self.system
        )
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

/// Those of [`FEATURES`] that the processor has.
fn features(root: &Path) -> Vec<String> {
    let text = fs::read_to_string(root.join("proc/cpuinfo")).unwrap_or_default();
    let line = text
        .lines()
        .find(|line| line.starts_with("flags") || line.starts_with("Features"))
        .unwrap_or_default();
    let flags: Vec<&str> = line.split_whitespace().collect();
    FEATURES.split(' ').filter(|name| flags.contains(name)).map(String::from).collect()
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
    fn the_limit_of_the_group_is_the_machine_s_and_is_rounded_up_to_processors() {
        let root = with_files(&[
            ("proc/self/cgroup", "0::/outer/inner\n"),
            ("sys/fs/cgroup/outer/cpu.max", "150000 100000\n"),
        ]);
        let machine = Machine::read(root.path(), &[0, 1, 2, 3]);
        assert_eq!((machine.cgroup_limit, machine.processors()), (Some(1.5), 2));
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
}
