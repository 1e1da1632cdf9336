//! The limit that control groups set on the processors of this process.

use std::fs;
use std::path::Path;

use tallyboard_base::system::{ControlGroup, control_groups, read};

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake_files::with_files;

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
}
