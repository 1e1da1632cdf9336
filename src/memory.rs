//! How much memory a run may still take: what the machine, its control group and its limits leave.
//!
//! A count that outgrows any of them is killed hours later, or aborts. So it is asked beforehand:
//! `queens::Count` with [`Settings::memory`](crate::queens::Settings::memory) set to
//! [`Room::bytes`] takes less or refuses.

use std::fs;
use std::path::{Path, PathBuf};

/// The memory that is left, and who limits it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Room {
    /// Bytes.
    pub bytes: u64,
    /// What has the least left.
    pub limit: &'static str,
}

/// Addresses that each thread reserves without using them: its stack, and the heap that the
/// allocator keeps for it (64 MiB with glibc).
const RESERVED_PER_THREAD: u64 = 66 << 20;

/// The memory that this process may still take with `threads` more threads; `None` where the system
/// tells nothing.
pub fn room(threads: usize) -> Option<Room> {
    let root = Path::new("/");
    let proc = root.join("proc");
    let machine = read_table(&proc.join("meminfo"), "MemAvailable:").map(|kib| kib * 1024);
    [
        (machine, "the machine"),
        (control_group(root), "the control group"),
        (address_space(threads), "the limit on the address space (ulimit -v)"),
    ]
    .into_iter()
    .filter_map(|(bytes, limit)| Some(Room { bytes: bytes?, limit }))
    .min_by_key(|room| room.bytes)
}

/// The number behind `key` in a file of keys and numbers.
fn read_table(path: &Path, key: &str) -> Option<u64> {
    let text = fs::read_to_string(path).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    line.split_whitespace().next()?.parse().ok()
}

fn read_number(path: &Path) -> Option<u64> {
    fs::read_to_string(path).ok()?.trim().parse().ok()
}

/// What is left of the soft limit on the address space.
#[cfg(unix)]
fn address_space(threads: usize) -> Option<u64> {
    use nix::sys::resource::{RLIM_INFINITY, Resource, getrlimit};
    let (soft, _) = getrlimit(Resource::RLIMIT_AS).ok().filter(|limit| limit.0 != RLIM_INFINITY)?;
    let used = read_table(Path::new("/proc/self/status"), "VmSize:").unwrap_or(0) * 1024;
    Some(soft.saturating_sub(used).saturating_sub(RESERVED_PER_THREAD * threads as u64))
}

#[cfg(not(unix))]
fn address_space(_: usize) -> Option<u64> {
    None
}

/// The least that the control group of this process or one above it has left, in either version of
/// their file system below `root`.
fn control_group(root: &Path) -> Option<u64> {
    let groups = fs::read_to_string(root.join("proc/self/cgroup")).ok()?;
    let left = |line: &str| {
        let mut fields = line.splitn(3, ':');
        let (_, controllers, group) = (fields.next()?, fields.next()?, fields.next()?);
        let version = if controllers.is_empty() {
            Version {
                top: root.join("sys/fs/cgroup"),
                most: "memory.max",
                used: "memory.current",
                cache: "inactive_file ",
            }
        } else if controllers.split(',').any(|name| name == "memory") {
            Version {
                top: root.join("sys/fs/cgroup/memory"),
                most: "memory.limit_in_bytes",
                used: "memory.usage_in_bytes",
                cache: "total_inactive_file ",
            }
        } else {
            return None;
        };
        version.least_left(group)
    };
    groups.lines().filter_map(left).min()
}

/// The files of one version of control groups.
struct Version {
    top: PathBuf,
    most: &'static str,
    used: &'static str,
    /// What the group's cache of files can give back, in `memory.stat`.
    cache: &'static str,
}

impl Version {
    /// From `group` up to the top. A container may see its own group as the top, under another name.
    fn least_left(&self, group: &str) -> Option<u64> {
        let folder = self.top.join(group.trim_start_matches('/'));
        folder
            .ancestors()
            .take_while(|folder| folder.starts_with(&self.top))
            .filter_map(|f| self.left(f))
            .min()
    }

    fn left(&self, folder: &Path) -> Option<u64> {
        // `max`, which is no number, is no limit.
        let most = read_number(&folder.join(self.most))?;
        let used = read_number(&folder.join(self.used))?;
        let cache = read_table(&folder.join("memory.stat"), self.cache).unwrap_or(0);
        Some(most.saturating_sub(used.saturating_sub(cache)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file system with these files.
    fn system(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        root
    }

    #[test]
    fn a_group_of_version_two_has_what_the_tightest_above_it_leaves() {
        let root = system(&[
            ("proc/self/cgroup", "0::/jobs/7\n"),
            ("sys/fs/cgroup/jobs/7/memory.max", "max\n"),
            ("sys/fs/cgroup/jobs/7/memory.current", "50\n"),
            ("sys/fs/cgroup/jobs/memory.max", "1000\n"),
            ("sys/fs/cgroup/jobs/memory.current", "400\n"),
            ("sys/fs/cgroup/jobs/memory.stat", "anon 200\ninactive_file 150\n"),
        ]);
        assert_eq!(control_group(root.path()), Some(750));
    }

    #[test]
    fn a_group_of_version_one_is_found_by_its_controller() {
        let root = system(&[
            ("proc/self/cgroup", "5:cpu,cpuacct:/a\n4:memory:/b\n0::/c\n"),
            ("sys/fs/cgroup/memory/b/memory.limit_in_bytes", "2000\n"),
            ("sys/fs/cgroup/memory/b/memory.usage_in_bytes", "500\n"),
            ("sys/fs/cgroup/memory/b/memory.stat", "cache 9\ntotal_inactive_file 100\n"),
        ]);
        assert_eq!(control_group(root.path()), Some(1600));
    }

    #[test]
    fn a_container_sees_its_group_as_the_top() {
        let root = system(&[
            ("proc/self/cgroup", "0::/../../elsewhere\n"),
            ("sys/fs/cgroup/memory.max", "300\n"),
            ("sys/fs/cgroup/memory.current", "301\n"),
        ]);
        assert_eq!(control_group(root.path()), Some(0));
        assert_eq!(control_group(system(&[("proc/self/cgroup", "0::/\n")]).path()), None);
        assert_eq!(control_group(system(&[]).path()), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn this_machine_has_room() {
        let room = room(1).unwrap();
        assert!(room.bytes > 1 << 20, "{room:?}");
    }
}
