//! The data caches of processors, as the system describes them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use tallyboard_base::system::{entries, read};

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
