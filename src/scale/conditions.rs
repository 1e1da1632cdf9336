//! What the machine was like while it was measured: its clock, and what others took of it.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::figures::percent;
use crate::system::read;

/// What the system told before and after the runs; what it keeps to itself is absent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Conditions {
    /// Who chooses the clock speed, such as `performance` or `powersave`.
    pub governor: Option<String>,
    /// Clock speed in MHz, mean of all processors: before and after the runs.
    pub megahertz: Option<(f64, f64)>,
    /// Share of all processors' time that the hypervisor gave to other machines.
    pub stolen: Option<f64>,
}

/// A moment of the machine.
#[derive(Debug)]
pub struct Moment {
    megahertz: Option<f64>,
    ticks: Option<Ticks>,
}

/// Time of all processors since the machine started.
#[derive(Clone, Copy, Debug)]
struct Ticks {
    all: u64,
    stolen: u64,
}

impl Moment {
    /// Now.
    pub fn now() -> Self {
        Self::read(Path::new("/"))
    }

    fn read(root: &Path) -> Self {
        Self { megahertz: megahertz(root), ticks: ticks(root) }
    }

    /// What lies between this moment and now.
    pub fn until_now(&self) -> Conditions {
        self.until(&Self::now(), Path::new("/"))
    }

    fn until(&self, end: &Self, root: &Path) -> Conditions {
        let stolen = self.ticks.zip(end.ticks).and_then(|(from, to)| {
            let all = to.all.checked_sub(from.all).filter(|&all| all > 0)?;
            Some(to.stolen.checked_sub(from.stolen)? as f64 / all as f64)
        });
        let governor = root.join("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
        Conditions {
            governor: read(governor),
            megahertz: self.megahertz.zip(end.megahertz),
            stolen,
        }
    }
}

impl Conditions {
    /// One line for people.
    pub fn describe(&self) -> String {
        let clock = match self.megahertz {
            Some((from, to)) => format!("{:.2} GHz before, {:.2} GHz after", from / 1e3, to / 1e3),
            None => "clock speed not told".to_owned(),
        };
        let governor = match &self.governor {
            Some(name) => format!("governor {name}"),
            None => "no governor told".to_owned(),
        };
        let stolen = match self.stolen {
            Some(share) => format!("{} of processor time stolen by other machines", percent(share)),
            None => "stolen time not told".to_owned(),
        };
        format!("{clock}, {governor}, {stolen}")
    }
}

fn megahertz(root: &Path) -> Option<f64> {
    let text = fs::read_to_string(root.join("proc/cpuinfo")).ok()?;
    let speeds: Vec<f64> = text
        .lines()
        .filter_map(|line| line.strip_prefix("cpu MHz")?.split_once(':')?.1.trim().parse().ok())
        .collect();
    (!speeds.is_empty()).then(|| crate::statistics::mean(&speeds))
}

/// The first line of `/proc/stat`: user nice system idle iowait irq softirq steal guest guest_nice, of
/// which the last two are contained in the first two.
fn ticks(root: &Path) -> Option<Ticks> {
    let text = fs::read_to_string(root.join("proc/stat")).ok()?;
    let fields = text.lines().next()?.strip_prefix("cpu ")?.split_whitespace();
    let fields: Vec<u64> = fields.take(8).map(|field| field.parse().ok()).collect::<Option<_>>()?;
    Some(Ticks { all: fields.iter().sum(), stolen: *fields.get(7)? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::with_files;

    #[test]
    fn what_was_stolen_is_the_difference_of_two_moments() {
        let cpuinfo = "cpu MHz\t\t: 2000.0\n\ncpu MHz\t\t: 3000.0\n";
        let at = |stat| with_files(&[("proc/cpuinfo", cpuinfo), ("proc/stat", stat)]);
        let before = at("cpu  100 0 0 900 0 0 0 50 30 0\ncpu0 1 2 3\n");
        let after = at("cpu  130 0 10 900 0 0 0 60 30 0\n");
        let [before, end] = [&before, &after].map(|root| Moment::read(root.path()));
        let found = before.until(&end, after.path());
        assert_eq!(found.stolen, Some(10.0 / 50.0));
        assert_eq!((found.megahertz, found.governor.clone()), (Some((2500.0, 2500.0)), None));
        assert_eq!(
            found.describe(),
            "2.50 GHz before, 2.50 GHz after, no governor told, 20.0 % of processor time stolen by other machines"
        );
    }

    #[test]
    fn a_machine_that_tells_nothing_has_no_conditions() {
        let nowhere = Path::new("/nonexistent");
        let found = Moment::read(nowhere).until(&Moment::read(nowhere), nowhere);
        assert_eq!(found, Conditions::default());
        assert_eq!(
            found.describe(),
            "clock speed not told, no governor told, stolen time not told"
        );
    }
}
