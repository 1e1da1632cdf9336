//! How much memory a run may still take, by the machine, its control group and its limits.
//!
//! A count that outgrows one of them is killed, perhaps after hours, or aborts. So callers ask beforehand:
//! given [`Room::bytes`] as its limit, a count takes no more or refuses.

use std::fmt;
use std::path::Path;

use crate::figures::memory_size;
use crate::system::{ControlGroup, control_groups, read, read_key};

/// The memory that is left, and what limits it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    /// Bytes.
    pub bytes: u64,
    /// The limit that leaves the least.
    pub limit: &'static str,
    /// Bytes of address space that threads reserve, not contained in `bytes`; 0 if the limit does not count them.
    pub reserved: u64,
    /// Bytes that the limit leaves before threads reserve theirs.
    pub with_reserved: u64,
}

impl fmt::Display for Room {
    /// Such as `the machine leaves 512 MiB`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} leaves {}", self.limit, memory_size(self.with_reserved))?;
        if self.reserved > 0 {
            let reserved = memory_size(self.reserved.min(self.with_reserved));
            write!(f, ", of which threads reserve {reserved}")?;
        }
        Ok(())
    }
}

/// Address space that each thread reserves without using it: its stack, and the heap that the allocator keeps
/// for it (64 MiB with glibc).
const RESERVED_BYTES_PER_THREAD: u64 = 66 << 20;

/// The memory that this process may still take with `threads` more threads; `None` where the system tells nothing.
pub fn room(threads: usize) -> Option<Room> {
    let root = Path::new("/");
    let reserved = RESERVED_BYTES_PER_THREAD * threads as u64;
    let rooms = [
        machine(root).map(|left| Room::new(left, "the machine", 0)),
        control_group(root).map(|left| Room::new(left, "the control group", 0)),
        address_space(root)
            .map(|left| Room::new(left, "the limit on the address space (ulimit -v)", reserved)),
    ];
    rooms.into_iter().flatten().min_by_key(|room| room.bytes)
}

impl Room {
    /// The room if `limit` leaves `with_reserved` bytes, of which threads reserve `reserved` bytes.
    pub fn new(with_reserved: u64, limit: &'static str, reserved: u64) -> Self {
        let bytes = with_reserved.saturating_sub(reserved);
        Self { bytes, limit, reserved, with_reserved }
    }
}

/// The room for `threads` more threads if that is less than `needed` bytes.
pub fn too_little(needed: u64, threads: usize) -> Option<Room> {
    room(threads).filter(|room| room.bytes < needed)
}

/// The bytes that the machine can give without swapping.
fn machine(root: &Path) -> Option<u64> {
    read_key(root.join("proc/meminfo"), "MemAvailable:").map(|kib| kib * 1024)
}

/// The bytes that are left of the soft limit on the address space.
fn address_space(root: &Path) -> Option<u64> {
    // The line has the soft limit first. `unlimited` is not read as a number, so the result is `None`.
    let soft = read_key(root.join("proc/self/limits"), "Max address space")?;
    let used = read_key(root.join("proc/self/status"), "VmSize:").unwrap_or(0) * 1024;
    Some(soft.saturating_sub(used))
}

/// The bytes that are left to the control group of this process, or to a group above it that leaves less.
fn control_group(root: &Path) -> Option<u64> {
    control_groups(root, "memory").iter().filter_map(left_in_group).min()
}

/// The bytes that are left to the processes of `group`; `None` if it has no limit.
fn left_in_group(group: &ControlGroup) -> Option<u64> {
    let [limit_file, usage_file, cache_key] = if group.is_version_2 {
        ["memory.max", "memory.current", "inactive_file "]
    } else {
        ["memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file "]
    };
    // Where there is no limit, the file has the word `max`, which is not read as a number.
    let limit: u64 = read(group.folder.join(limit_file))?;
    let used: u64 = read(group.folder.join(usage_file))?;
    // The system gives the cache of files back before it refuses memory.
    let cache = read_key(group.folder.join("memory.stat"), cache_key).unwrap_or(0);
    Some(limit.saturating_sub(used.saturating_sub(cache)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::fake_files::with_files as system;

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
    fn what_is_available_is_neither_all_nor_what_is_free() {
        let text = "MemTotal: 9000 kB\nMemFree: 1000 kB\nMemAvailable: 4000 kB\n";
        assert_eq!(machine(system(&[("proc/meminfo", text)]).path()), Some(4000 << 10));
        assert_eq!(machine(system(&[]).path()), None);
    }

    #[test]
    fn each_thread_takes_address_space_of_its_own() {
        let limits = |soft| format!("Max address space {soft} unlimited bytes\n");
        let with = |soft: u64, threads| {
            let files = [
                ("proc/self/limits", &*limits(soft.to_string())),
                ("proc/self/status", "VmPeak: 9000 kB\nVmSize: 1024 kB\n"),
            ];
            let left = address_space(system(&files).path()).unwrap();
            Room::new(left, "the limit", RESERVED_BYTES_PER_THREAD * threads).bytes
        };
        assert_eq!(
            [0, 1, 3].map(|threads| with(200 << 20, threads)),
            [199, 133, 1].map(|mebibytes| mebibytes << 20)
        );
        assert_eq!(with(200 << 20, 4), 0);
        let unlimited = limits("unlimited".to_owned());
        assert_eq!(address_space(system(&[("proc/self/limits", &*unlimited)]).path()), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn this_machine_has_room() {
        let room = room(1).unwrap();
        assert!(room.bytes > 1 << 20, "{room:?}");
        assert_eq!(too_little(1 << 20, 1), None);
        let found = too_little(u64::MAX, 1).unwrap().to_string();
        assert!(found.starts_with(&format!("{} leaves ", room.limit)), "{found}");
    }
}
