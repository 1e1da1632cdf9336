//! Wall and processor time of the process and of single threads.

use std::time::Instant;

/// Whose processor time is measured.
#[derive(Clone, Copy, Debug)]
enum ClockScope {
    Process,
    /// The processes that this one has waited for.
    Children,
}

/// Times that a [`Stopwatch`] has measured, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Times {
    /// Wall time.
    pub wall: f64,
    /// Processor time in user mode, summed over threads.
    pub user: f64,
    /// Processor time in the operating system, summed over threads.
    pub system: f64,
}

/// Measures wall and processor time from its start on.
#[derive(Debug)]
pub struct Stopwatch {
    scope: ClockScope,
    began: Instant,
    /// [`ClockScope::cpu`] at the start.
    cpu_before: [f64; 2],
}

impl Stopwatch {
    /// Starts now.
    pub fn start() -> Self {
        Self::of(ClockScope::Process)
    }

    /// Starts now, for the processor time of the processes that this one starts and waits for.
    pub fn of_children() -> Self {
        Self::of(ClockScope::Children)
    }

    fn of(scope: ClockScope) -> Self {
        Self { scope, cpu_before: scope.cpu(), began: Instant::now() }
    }

    /// The times since the start.
    pub fn stop(&self) -> Times {
        let wall = self.began.elapsed().as_secs_f64();
        let [user, system] = self.scope.cpu();
        let [user_before, system_before] = self.cpu_before;
        Times { wall, user: user - user_before, system: system - system_before }
    }
}

/// Seconds of processor time so far of this process and of those that it has waited for.
pub fn own_seconds() -> f64 {
    [ClockScope::Process, ClockScope::Children].iter().flat_map(|scope| scope.cpu()).sum()
}

impl ClockScope {
    /// Seconds of processor time so far, in user mode and in the operating system; zero where the system does not tell.
    #[cfg(unix)]
    fn cpu(self) -> [f64; 2] {
        use nix::sys::resource::{UsageWho, getrusage};
        let who = match self {
            Self::Process => UsageWho::RUSAGE_SELF,
            Self::Children => UsageWho::RUSAGE_CHILDREN,
        };
        let Ok(usage) = getrusage(who) else { return [0.0; 2] };
        [usage.user_time(), usage.system_time()]
            .map(|time| time.tv_sec() as f64 + time.tv_usec() as f64 * 1e-6)
    }

    #[cfg(not(unix))]
    fn cpu(self) -> [f64; 2] {
        [0.0; 2]
    }
}

/// Processor time of the calling thread in seconds, `None` where the system does not tell. A call takes about a quarter
/// of a microsecond.
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

/// Measures the time of the calling thread from its start on.
#[derive(Debug)]
pub struct ThreadWatch {
    began: Instant,
    /// [`thread_time`] at the start.
    cpu_before: Option<f64>,
}

impl ThreadWatch {
    /// Starts now.
    pub fn start() -> Self {
        Self { began: Instant::now(), cpu_before: thread_time() }
    }

    /// Processor time since the start in seconds, `None` where the system does not tell.
    pub fn cpu(&self) -> Option<f64> {
        Some(thread_time()? - self.cpu_before?)
    }

    /// Seconds of processor time since the start, or of wall time where the system tells no processor time.
    pub fn seconds(&self) -> f64 {
        self.cpu().unwrap_or_else(|| self.began.elapsed().as_secs_f64())
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_children_is_theirs_alone() {
        let own = Stopwatch::start();
        let children = Stopwatch::of_children();
        let before = own_seconds();
        let busy_loop = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done";
        let status = std::process::Command::new("sh").args(["-c", busy_loop]).status().unwrap();
        assert!(status.success());
        let own = own.stop();
        let children = children.stop();
        let cpu = |spent: Times| spent.user + spent.system;
        assert!(cpu(children) > 0.02, "{children:?}");
        assert!(own_seconds() - before >= cpu(children), "{children:?}");
        // Other tests of this process run meanwhile, but none waits for a child as long as this one.
        assert!(children.user > children.system, "{children:?}, {own:?}");
    }

    #[test]
    fn a_busy_thread_uses_its_own_and_the_process_time() {
        let watch = Stopwatch::start();
        let before = thread_time().unwrap();
        let mut turns = 0u64;
        while thread_time().unwrap() - before < 0.02 {
            turns = std::hint::black_box(turns + 1);
        }
        let cost = watch.stop();
        assert!(cost.user + cost.system > 0.01, "{cost:?}");
        assert!(cost.wall > 0.019, "{cost:?}");
    }
}
