//! Wall and processor time of the process and of single threads.

use std::time::Instant;

/// Processor time of the whole process so far, in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ProcessTime {
    /// Spent in the program.
    pub user: f64,
    /// Spent in the kernel on its behalf.
    pub system: f64,
}

/// What a stretch of the program cost, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// Time that passed.
    pub wall: f64,
    /// Processor time of all threads of the process in that stretch.
    pub cpu: ProcessTime,
}

/// Measures one stretch of the program.
#[derive(Debug)]
pub struct Stopwatch {
    wall: Instant,
    cpu: ProcessTime,
    read: fn() -> ProcessTime,
}

impl Stopwatch {
    /// Starts now.
    pub fn start() -> Self {
        Self::reading(process_time)
    }

    /// Starts now, for the processor time of the processes that this one starts and waits for.
    pub fn of_children() -> Self {
        Self::reading(children_time)
    }

    fn reading(read: fn() -> ProcessTime) -> Self {
        let cpu = read();
        Self { wall: Instant::now(), cpu, read }
    }

    /// The cost since the start.
    pub fn stop(&self) -> Cost {
        let wall = self.wall.elapsed().as_secs_f64();
        let now = (self.read)();
        let cpu =
            ProcessTime { user: now.user - self.cpu.user, system: now.system - self.cpu.system };
        Cost { wall, cpu }
    }
}

/// Processor time of the process; zero where the system does not tell.
pub fn process_time() -> ProcessTime {
    #[cfg(unix)]
    return usage(nix::sys::resource::UsageWho::RUSAGE_SELF);
    #[cfg(not(unix))]
    ProcessTime::default()
}

/// Processor time of the processes that this one has waited for; zero where the system does not tell.
pub fn children_time() -> ProcessTime {
    #[cfg(unix)]
    return usage(nix::sys::resource::UsageWho::RUSAGE_CHILDREN);
    #[cfg(not(unix))]
    ProcessTime::default()
}

#[cfg(unix)]
fn usage(who: nix::sys::resource::UsageWho) -> ProcessTime {
    let seconds = |t: nix::sys::time::TimeVal| t.tv_sec() as f64 + t.tv_usec() as f64 * 1e-6;
    let Ok(usage) = nix::sys::resource::getrusage(who) else { return ProcessTime::default() };
    ProcessTime { user: seconds(usage.user_time()), system: seconds(usage.system_time()) }
}

/// Processor time of the calling thread in seconds, `None` where the system
/// does not tell. Costs about a quarter of a microsecond.
pub fn thread_time() -> Option<f64> {
    #[cfg(any(
        target_os = "linux",
        target_os = "android",
        target_os = "macos",
        target_os = "freebsd"
    ))]
    {
        use nix::time::{ClockId, clock_gettime};
        let now = clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).ok()?;
        Some(now.tv_sec() as f64 + now.tv_nsec() as f64 * 1e-9)
    }
    #[cfg(not(any(
        target_os = "linux",
        target_os = "android",
        target_os = "macos",
        target_os = "freebsd"
    )))]
    None
}

/// Measures one stretch of the calling thread.
#[derive(Debug)]
pub struct ThreadWatch {
    wall: Instant,
    cpu: Option<f64>,
}

impl ThreadWatch {
    /// Starts now.
    pub fn start() -> Self {
        Self { wall: Instant::now(), cpu: thread_time() }
    }

    /// Processor time since the start in seconds, `None` where the system does not tell.
    pub fn cpu(&self) -> Option<f64> {
        Some(thread_time()? - self.cpu?)
    }

    /// Processor time since the start, or else the time that passed; seconds.
    pub fn seconds(&self) -> f64 {
        self.cpu().unwrap_or_else(|| self.wall.elapsed().as_secs_f64())
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;

    #[test]
    fn a_busy_thread_uses_its_own_and_the_process_time() {
        let watch = Stopwatch::start();
        let before = thread_time().unwrap();
        let mut turns = 0u64;
        while thread_time().unwrap() - before < 0.02 {
            turns = std::hint::black_box(turns + 1);
        }
        let cost = watch.stop();
        assert!(cost.cpu.user + cost.cpu.system > 0.01, "{cost:?}");
        assert!(cost.wall > 0.019, "{cost:?}");
    }
}
