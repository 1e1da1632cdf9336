//! The machine during a measurement: its clock speed, and the processor time that others took.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::ceiling::{Capacity, Ceiling};
use super::counters::{CounterScope, Counters};
use super::kinds::CoreCapacity;
use super::topology::Cpu;
use tallyboard_base::clock;
use tallyboard_base::figures::percent;
use tallyboard_base::memory;
use tallyboard_base::system::read;

/// What the system tells before and after the runs; `None` where it tells nothing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Conditions {
    /// Linux's policy for the clock speed, such as `performance` or `powersave`.
    pub governor: Option<String>,
    /// Clock speed in MHz before and after the runs, each the mean of all processors.
    pub megahertz: Option<(f64, f64)>,
    /// Share of the processors' time that the hypervisor gave to other machines.
    pub stolen: Option<f64>,
    /// Share of the processors' time that other programs of this machine took.
    pub others: Option<f64>,
    /// How fast each kind of cores does the work; empty if all are alike.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub capacities: Vec<CoreCapacity>,
    /// Bytes of memory that were left before the runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub room_bytes: Option<u64>,
    /// Why the processor's counters were not read, in words; `None` if they were read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uncounted: Option<String>,
    /// The machine's capacity for each number of threads; empty if it was not measured (`--machine`).
    #[serde(skip_deserializing, skip_serializing_if = "Vec::is_empty")]
    pub ceilings: Vec<Ceiling>,
}

/// Readings of the machine at one moment.
#[derive(Debug)]
pub struct Snapshot {
    megahertz: Option<f64>,
    ticks: Option<Ticks>,
    /// Processor time of this process and its children in seconds.
    own_seconds: f64,
    room_bytes: Option<u64>,
}

/// Ticks of the processors that this process may use, since the machine started or between two moments.
#[derive(Clone, Copy, Debug, Default)]
struct Ticks {
    all: u64,
    /// Spent in programs and in the kernel.
    busy: u64,
    stolen: u64,
}

/// Ticks per second in `/proc/stat`: the same on every architecture for which this program is built.
const TICKS_PER_SECOND: f64 = 100.0;

impl Ticks {
    /// The ticks between two moments; `None` if time stood still or ran backward.
    fn between(start: Self, end: Self) -> Option<Self> {
        Some(Self {
            all: end.all.checked_sub(start.all).filter(|&all| all > 0)?,
            busy: end.busy.checked_sub(start.busy)?,
            stolen: end.stolen.checked_sub(start.stolen)?,
        })
    }

    /// Other programs' share of all ticks. This program and its children took `own_seconds`.
    fn share_of_others(&self, own_seconds: f64) -> f64 {
        (self.busy as f64 - own_seconds * TICKS_PER_SECOND).max(0.0) / self.all as f64
    }
}

impl Snapshot {
    /// Reads the machine now; ticks are those of `cpus`.
    pub fn now(cpus: &[Cpu]) -> Self {
        let room_bytes = memory::room(0).map(|room| room.bytes);
        Self { room_bytes, ..Self::read(Path::new("/"), cpus, clock::own_seconds()) }
    }

    fn read(root: &Path, cpus: &[Cpu], own_seconds: f64) -> Self {
        Self { megahertz: megahertz(root), ticks: ticks(root, cpus), own_seconds, room_bytes: None }
    }

    /// The conditions from this moment until now, on the same processors.
    pub fn until_now(&self, cpus: &[Cpu]) -> Conditions {
        let uncounted = Counters::start(CounterScope::Own).err();
        Conditions { uncounted, ..self.until(&Self::now(cpus), Path::new("/")) }
    }

    /// Other programs' share of the processors' time from this moment until now.
    pub fn others_until_now(&self, cpus: &[Cpu]) -> Option<f64> {
        let passed = Ticks::between(self.ticks?, ticks(Path::new("/"), cpus)?)?;
        Some(passed.share_of_others(clock::own_seconds() - self.own_seconds))
    }

    fn until(&self, end: &Self, root: &Path) -> Conditions {
        let passed = self.ticks.zip(end.ticks);
        let passed = passed.and_then(|(start, end)| Ticks::between(start, end));
        let governor = root.join("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
        Conditions {
            governor: read(governor),
            megahertz: self.megahertz.zip(end.megahertz),
            stolen: passed.map(|ticks| ticks.stolen as f64 / ticks.all as f64),
            others: passed.map(|ticks| ticks.share_of_others(end.own_seconds - self.own_seconds)),
            room_bytes: self.room_bytes,
            ..Conditions::default()
        }
    }
}

impl Conditions {
    /// The machine's best capacity for `threads` threads.
    pub fn capacity(&self, threads: usize) -> Option<Capacity> {
        self.ceilings.iter().find(|ceiling| ceiling.threads == threads).map(Ceiling::best)
    }

    /// One line on why the processor's counters were not read.
    pub fn describe_uncounted(&self) -> Option<String> {
        let reason = self.uncounted.as_ref()?;
        Some(format!("the processor's counters were not read: {reason}"))
    }

    /// One line for people.
    pub fn describe(&self) -> String {
        let clock = match self.megahertz {
            Some((before, after)) => {
                format!("{:.2} GHz before and {:.2} GHz after", before / 1e3, after / 1e3)
            }
            None => "unknown".to_owned(),
        };
        format!(
            "clock speed {clock}, governor {}, processor time taken by other machines {}, by other programs {}",
            self.governor.as_deref().unwrap_or("unknown"),
            share_or_unknown(self.stolen),
            share_or_unknown(self.others)
        )
    }
}

pub(crate) fn share_or_unknown(share: Option<f64>) -> String {
    share.map_or("unknown".to_owned(), percent)
}

/// The mean clock speed of all processors in MHz.
fn megahertz(root: &Path) -> Option<f64> {
    let text = fs::read_to_string(root.join("proc/cpuinfo")).ok()?;
    let speed = |line: &str| {
        let (_, speed) = line.strip_prefix("cpu MHz")?.split_once(':')?;
        speed.trim().parse().ok()
    };
    let speeds: Vec<f64> = text.lines().filter_map(speed).collect();
    (!speeds.is_empty()).then(|| tallyboard_base::statistics::mean(&speeds))
}

/// The sum of the lines of `cpus` in `/proc/stat`. A line has the ticks: user nice system idle iowait irq softirq steal
/// guest guest_nice. The last two are left out, as the first two contain them.
fn ticks(root: &Path, cpus: &[Cpu]) -> Option<Ticks> {
    let text = fs::read_to_string(root.join("proc/stat")).ok()?;
    let mut sum = Ticks::default();
    for Cpu { id, .. } in cpus {
        let name = format!("cpu{id} ");
        let fields = text.lines().find_map(|line| line.strip_prefix(&*name))?.split_whitespace();
        let fields: Vec<u64> =
            fields.take(8).map(|field| field.parse().ok()).collect::<Option<_>>()?;
        let [user, nice, system, idle, iowait, irq, softirq, stolen] = fields[..] else {
            return None;
        };
        let busy = user + nice + system + irq + softirq;
        sum.all += busy + idle + iowait + stolen;
        sum.busy += busy;
        sum.stolen += stolen;
    }
    Some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake_files::with_files;

    #[test]
    fn what_was_stolen_is_the_difference_of_two_moments() {
        let cpuinfo = "cpu MHz\t\t: 2000.0\n\ncpu MHz\t\t: 3000.0\n";
        let at = |info, stat| with_files(&[("proc/cpuinfo", info), ("proc/stat", stat)]);
        // Two processors that this process may use, and one that it may not.
        let cpus = [0, 2].map(|id| Cpu { id, package: 0, core: id, node: 0 });
        let before = at(
            cpuinfo,
            "cpu  9 9\ncpu0 100 0 0 900 0 0 0 50 30 0\ncpu1 1 2 3 4 5 6 7 8\ncpu2 0 0 0 0 0 0 0 0\n",
        );
        let faster = cpuinfo.replace("3000", "3400");
        let after = at(
            &faster,
            "cpu  9 9\ncpu0 130 0 10 900 0 0 0 60 30 0\ncpu1 9 9 9 9 9 9 9 9\ncpu2 1 2 4 8 16 32 64 23\n",
        );
        let before = Snapshot::read(before.path(), &cpus, 1.0);
        let end = Snapshot::read(after.path(), &cpus, 1.73);
        let found = before.until(&end, after.path());
        // Of 50 and 150 ticks 10 and 23 were stolen; 40 and 103 were busy, 73 of them here.
        assert_eq!(found.stolen, Some(33.0 / 200.0));
        assert!((found.others.unwrap() - 70.0 / 200.0).abs() < 1e-12, "{found:?}");
        assert_eq!((found.megahertz, found.governor.clone()), (Some((2500.0, 2700.0)), None));
        assert_eq!(
            found.describe(),
            "clock speed 2.50 GHz before and 2.70 GHz after, governor unknown, processor time taken by other \
             machines 16.5 %, by other programs 35.0 %"
        );
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn conditions_until_now_have_the_share_of_others_and_why_nothing_was_counted() {
        let cpus = crate::topology::Machine::here().cpus;
        let snapshot = Snapshot::now(&cpus);
        // Longer than a tick.
        std::thread::sleep(std::time::Duration::from_millis(60));
        let others = snapshot.others_until_now(&cpus).unwrap();
        assert!((0.0..=1.0).contains(&others), "{others}");
        let found = snapshot.until_now(&cpus);
        assert!(found.others.is_some());
        assert_eq!(found.uncounted, Counters::start(CounterScope::Own).err());
    }

    #[test]
    fn a_machine_that_tells_nothing_has_no_conditions() {
        let nowhere = Path::new("/nonexistent");
        let snapshot =
            || Snapshot::read(nowhere, &[Cpu { id: 0, package: 0, core: 0, node: 0 }], 0.0);
        let found = snapshot().until(&snapshot(), nowhere);
        assert_eq!(found, Conditions::default());
        assert_eq!(
            found.describe(),
            "clock speed unknown, governor unknown, processor time taken by other machines unknown, by other programs \
             unknown"
        );
    }
}
