//! Measures how fast each kind of cores does the work that is measured, on machines that have several kinds.

use anyhow::Result;
use tallyboard_base::statistics::median;
use tallyboard_scale::kinds::CoreCapacity;
use tallyboard_scale::measure::{Run, Setting};
use tallyboard_scale::topology::{Machine, Places};
use tallyboard_search::Stop;

use super::task::Task;
use crate::terminal::StatusLine;

/// The number of runs on each kind of cores. Their median is taken.
const RUNS: usize = 3;

/// The capacity of each kind of cores for the work of one value of the measurement's second parameter. It is measured with one thread
/// pinned to a core of the kind, and with two if the core has a second hardware thread. Empty if all cores are alike.
/// Fails with the first error of `run`.
pub fn measure(
    machine: &Machine,
    value: usize,
    stop: &Stop,
    status: &StatusLine,
    run: &mut impl FnMut(Task) -> Result<Run>,
) -> Result<Vec<CoreCapacity>> {
    let mut seconds = |cpus: &[usize]| {
        let setting = Setting { value, ..Setting::threads(cpus.len()) };
        let places = Places { workers: cpus.to_vec(), spare: Vec::new() };
        let mut walls = Vec::new();
        for _ in 0..RUNS {
            let measured = run(Task { setting: &setting, places: &places, stop })?;
            stop.check()?;
            walls.push(measured.wall);
        }
        anyhow::Ok(median(&walls))
    };
    let mut capacities = Vec::new();
    // Kinds are listed fastest first.
    let mut first_alone = None;
    for (kind, cpus, cores) in machine.sample_cores() {
        status.show(format!("measuring a {} core", kind.name));
        let alone = seconds(&cpus[..1])?;
        let both = cpus.get(..2).map(&mut seconds).transpose()?;
        let fastest = *first_alone.get_or_insert(alone);
        capacities.push(CoreCapacity::new(kind, cores, fastest, alone, both));
    }
    Ok(capacities)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tallyboard_scale::kinds::CoreKind;
    use tallyboard_scale::topology::Cpu;

    /// Two performance cores of two threads each, and one efficiency core.
    #[test]
    fn each_kind_is_measured_on_a_core_of_its_own() {
        let cpu = |id, core| Cpu { id, package: 0, core, node: 0 };
        let cpus = vec![cpu(0, 0), cpu(1, 0), cpu(2, 1), cpu(3, 1), cpu(4, 2)];
        let kind = |name: &str, cpus: &[usize]| CoreKind { name: name.into(), cpus: cpus.into() };
        let kinds = vec![kind("performance", &[0, 1, 2, 3]), kind("efficiency", &[4])];
        let machine = Machine { cpus, kinds, ..Machine::here() };
        let mut seen = Vec::new();
        let mut run = |task: Task| {
            seen.push((task.setting.threads, task.places.workers.clone()));
            // The first run of each is disturbed.
            let disturbed = if seen.len() % RUNS == 1 { 9.0 } else { 1.0 };
            let wall = match task.places.workers[..] {
                [4] => 2.0,
                [_] => 1.0,
                _ => 0.8,
            };
            Ok(Run { wall: wall * disturbed, ..Run::default() })
        };
        let status = StatusLine::new(true);
        let found = measure(&machine, 0, &Stop::new(), &status, &mut run).unwrap();
        seen.dedup();
        assert_eq!(seen, [(1, vec![0]), (2, vec![0, 1]), (1, vec![4])]);
        assert_eq!((found[0].capacity, found[0].sibling_capacity), (1.0, Some(0.25)));
        assert_eq!((found[0].cores, found[0].siblings), (2, 2));
        assert_eq!((found[1].capacity, found[1].sibling_capacity), (0.5, None));
        let alike = Machine { kinds: Vec::new(), ..machine };
        assert_eq!(measure(&alike, 0, &Stop::new(), &status, &mut |_| unreachable!()).unwrap(), []);
    }
}
