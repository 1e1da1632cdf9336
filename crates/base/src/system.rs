//! Reads the files in which the system describes itself: numbers, keys with numbers, control groups.

use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The content of the file at `path`, if it can be read and parsed as a `T`.
pub fn read<T: FromStr>(path: impl AsRef<Path>) -> Option<T> {
    fs::read_to_string(path).ok()?.trim().parse().ok()
}

/// The number after `key` in a file with a key and a number a line.
pub fn read_key(path: impl AsRef<Path>, key: &str) -> Option<u64> {
    let text = fs::read_to_string(path).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    line.split_whitespace().next()?.parse().ok()
}

/// The folders below `root` of this process's control group for `controller` and of all groups above it, and
/// whether they are of version 2 of control groups. A container may see its own group as the root, under
/// another name.
pub fn control_groups(root: &Path, controller: &str) -> Vec<(PathBuf, bool)> {
    let groups = fs::read_to_string(root.join("proc/self/cgroup")).unwrap_or_default();
    let mut folders = Vec::new();
    for line in groups.lines() {
        let &[_, controllers, group] = &line.splitn(3, ':').collect::<Vec<_>>()[..] else {
            continue;
        };
        let mounts = match controllers {
            "" => ["", "unified"],
            list if list.split(',').any(|name| name == controller) => [controller, list],
            _ => continue,
        };
        for mount in mounts.map(|name| root.join("sys/fs/cgroup").join(name)) {
            let own = mount.join(group.trim_start_matches('/'));
            let upward = own.ancestors().take_while(|folder| folder.starts_with(&mount));
            folders.extend(upward.map(|folder| (folder.to_owned(), controllers.is_empty())));
        }
    }
    folders
}

#[cfg(test)]
#[path = "system/made.rs"]
pub(crate) mod made;
