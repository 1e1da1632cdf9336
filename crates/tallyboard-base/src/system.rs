//! Reads the files in which the system describes itself: numbers, keys with numbers, control groups.

use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The content of the file at `path`, if it can be read and parsed as a `T`.
pub fn read<T: FromStr>(path: impl AsRef<Path>) -> Option<T> {
    fs::read_to_string(path).ok()?.trim().parse().ok()
}

/// The paths of what is in `folder`; none if it cannot be read.
pub fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path())
}

/// The number after a key in a file with one key and one number a line. `prefix` is the key, with the character behind it
/// if another key begins with the same letters.
pub fn read_key(path: impl AsRef<Path>, prefix: &str) -> Option<u64> {
    let text = fs::read_to_string(path).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(prefix))?;
    line.split_whitespace().next()?.parse().ok()
}

/// A control group of processes.
pub struct ControlGroup {
    /// The folder of its files.
    pub folder: PathBuf,
    /// Whether it is of version 2 of control groups, whose files have other names.
    pub is_version_2: bool,
}

/// This process's control group for `controller`, and all groups above it, in the file system below `root`.
///
/// In a container, the name of the process's group may be the one outside the container, and then its folder does not
/// exist. The last group, whose folder is the mount point, is the container's own then.
pub fn control_groups(root: &Path, controller: &str) -> Vec<ControlGroup> {
    let groups = fs::read_to_string(root.join("proc/self/cgroup")).unwrap_or_default();
    let mut found = Vec::new();
    for line in groups.lines() {
        let &[_, controllers, group] = &line.splitn(3, ':').collect::<Vec<_>>()[..] else {
            continue;
        };
        let mounts = match controllers {
            // Version 2 is mounted at the top, or in a folder if version 1 is there, too.
            "" => ["", "unified"],
            // The folder has the name of one controller, or of all that share it.
            list if list.split(',').any(|name| name == controller) => [controller, list],
            _ => continue,
        };
        for mount in mounts.map(|name| root.join("sys/fs/cgroup").join(name)) {
            let own = mount.join(group.trim_start_matches('/'));
            let upward = own.ancestors().take_while(|folder| folder.starts_with(&mount));
            let is_version_2 = controllers.is_empty();
            found.extend(
                upward.map(|folder| ControlGroup { folder: folder.to_owned(), is_version_2 }),
            );
        }
    }
    found
}

#[cfg(test)]
pub(crate) mod fake_files;
