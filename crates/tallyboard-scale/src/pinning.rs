//! Keeps threads on processors.

#[cfg(target_os = "linux")]
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// Pins the calling thread to processor `id`. Where the system refuses, or is not Linux, it runs anywhere.
pub(crate) fn pin_current(id: usize) {
    // The guard would set the thread free again.
    std::mem::forget(AffinityGuard::on(&[id]));
}

/// Keeps the calling thread, and threads that it starts, on some processors until the guard is dropped. Only Linux can.
#[derive(Debug)]
pub struct AffinityGuard {
    #[cfg(target_os = "linux")]
    before: CpuSet,
}

impl AffinityGuard {
    /// Keeps the threads on the processors `ids`. `None` if `ids` is empty, or if the system refuses.
    #[cfg(target_os = "linux")]
    pub fn on(ids: &[usize]) -> Option<Self> {
        let before = sched_getaffinity(None).ok().filter(|_| !ids.is_empty())?;
        let mut cpus = CpuSet::new();
        ids.iter().filter(|&&id| id < CpuSet::MAX_CPU).for_each(|&id| cpus.set(id));
        sched_setaffinity(None, &cpus).ok()?;
        Some(Self { before })
    }

    /// Refuses.
    #[cfg(not(target_os = "linux"))]
    pub fn on(_: &[usize]) -> Option<Self> {
        None
    }
}

#[cfg(target_os = "linux")]
impl Drop for AffinityGuard {
    fn drop(&mut self) {
        let _ = sched_setaffinity(None, &self.before);
    }
}
