//! Where the time of a run went.

use serde::Serialize;

use crate::measure::Run;
use crate::threads::OffCpu;
use crate::workers::Workers;

/// Where the time of a run's workers, or of a command's threads, went. Each figure is a share of `p T`, the time of `p`
/// threads in a run of `T` seconds. None is negative, and the six add up to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Losses {
    /// Processor time that the same work takes one thread, but no more than the processor time of this run.
    pub useful: f64,
    /// Processor time beyond `useful`: shared caches, memory, clock speed, hardware threads that share a core.
    pub slowdown: f64,
    /// Inside a piece of work, but without a processor: other programs or other threads have it. 0 if the system does not
    /// tell which time this is.
    pub preempted: f64,
    /// No worker is busy: splitting, reducing, starting.
    pub serial: f64,
    /// Idle before and between pieces while others work: stealing, waiting.
    pub gaps: f64,
    /// Idle after the last piece while others work: pieces are too long.
    pub tail: f64,
}

impl Losses {
    /// Divides the time of a run of workers. `one_thread` is the [processor time](Workers::cpu_seconds) that the same work
    /// takes one thread.
    pub fn of(run: &Workers, one_thread: f64) -> Self {
        let owned = run.wall * run.loads.len() as f64;
        // The clocks of processor time and of wall time differ by microseconds.
        let cpu_seconds = run.cpu_seconds().min(run.busy());
        let useful = one_thread.min(cpu_seconds);
        Self {
            useful: useful / owned,
            slowdown: (cpu_seconds - useful) / owned,
            preempted: (run.busy() - cpu_seconds) / owned,
            // Meanwhile none of the `p` workers is busy, so this is `p * serial` of `p * wall`.
            serial: run.serial / run.wall,
            gaps: run.loads.iter().map(|load| load.gaps).sum::<f64>() / owned,
            tail: run.loads.iter().map(|load| load.tail).sum::<f64>() / owned,
        }
    }

    /// Divides the time of a command's run. `one_thread` is the processor time that the same work takes one thread.
    /// Time asleep is divided in the proportions of `off_cpu`. Threads that take turns wait for each other, so `turns` become
    /// gaps. All time asleep counts as gaps if no sample shows any.
    pub fn of_command(threads: usize, run: &Run, off_cpu: &OffCpu, one_thread: f64) -> Self {
        let cpu = run.cpu_seconds();
        // The command may have run more threads than it was told to.
        let owned = (threads as f64 * run.wall).max(cpu + off_cpu.preempted);
        let useful = one_thread.min(cpu);
        let asleep_share = (owned - cpu - off_cpu.preempted) / owned;
        let sampled_seconds = off_cpu.serial + off_cpu.turns + off_cpu.tail;
        let [serial, gaps, tail] = if sampled_seconds > 0.0 {
            // Samples show these seconds roughly: they are scaled so that they add up to all time asleep.
            let share_per_second = asleep_share / sampled_seconds;
            [off_cpu.serial, off_cpu.turns, off_cpu.tail].map(|seconds| share_per_second * seconds)
        } else {
            [0.0, asleep_share, 0.0]
        };
        Self {
            useful: useful / owned,
            slowdown: (cpu - useful) / owned,
            preempted: off_cpu.preempted / owned,
            serial,
            gaps,
            tail,
        }
    }

    /// The six shares by name.
    pub fn parts(&self) -> [(&'static str, f64); 6] {
        [
            ("useful", self.useful),
            ("slowdown", self.slowdown),
            ("preempted", self.preempted),
            ("serial", self.serial),
            ("gaps", self.gaps),
            ("tail", self.tail),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_share_is_negative_when_the_work_took_less_than_on_one_thread() {
        let losses = Losses::of(&Workers::example(), 8.0);
        let parts = losses.parts().map(|part| part.1);
        assert!(parts.iter().all(|&part| part >= 0.0), "{losses:?}");
        assert!((parts.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{losses:?}");
        assert!((losses.useful - 5.5 / 20.0).abs() < 1e-12, "{losses:?}");
    }

    #[test]
    fn shares_of_a_command_sum_to_one_and_its_sleep_is_divided_as_seen() {
        let off_cpu = OffCpu { preempted: 2.0, serial: 3.0, turns: 1.0, tail: 0.0 };
        let run = |user| Run { wall: 10.0, user, ..Run::default() };
        // 20 s owned: 10 on a processor, of which one thread needs 8; 2 ready for one; 8 asleep.
        let losses = Losses::of_command(2, &run(10.0), &off_cpu, 8.0);
        let found = losses.parts().map(|part| part.1);
        let expected = [0.4, 0.1, 0.1, 0.3, 0.1, 0.0];
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{losses:?}");
        let losses = Losses::of_command(2, &run(10.0), &OffCpu::default(), 12.0);
        assert_eq!((losses.useful, losses.slowdown, losses.gaps), (0.5, 0.0, 0.5));
        // Four threads where two were asked for.
        let losses = Losses::of_command(2, &run(40.0), &off_cpu, 40.0);
        assert!((losses.useful - 40.0 / 42.0).abs() < 1e-12 && losses.gaps == 0.0, "{losses:?}");
    }
}
