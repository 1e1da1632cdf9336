//! When each worker of a run was busy, and where the rest of its time went.
//!
//! `p` workers have `p T` seconds in a run of `T` seconds. Each second is of one of four kinds. [`Losses`] divides the
//! first kind, *busy*, into three: useful, slowdown and preempted.
//!
//! ```text
//!            start                                        end
//! worker 0   |..####################..########|######......|      # busy
//! worker 1   |..####..##############|......................|      . idle
//!             ^^    ^^              ^^^^^^^^^^^            ^
//!           serial  gap             tail                   serial
//! ```
//!
//! [`Load`] and [`Workers::serial`] say what the kinds are.

use serde::{Deserialize, Serialize};

use crate::threads::OffCpu;
use tallyboard_base::named::named;

/// One piece of work done by one worker; seconds since the run began.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// Worker number, from 0.
    pub worker: usize,
    /// When the worker began the piece.
    pub start: f64,
    /// When the worker finished the piece.
    pub end: f64,
    /// Processor time of the worker meanwhile; `None` if the system does not tell.
    pub cpu: Option<f64>,
    /// Subtrees in the piece.
    pub subtrees: usize,
}

/// What one worker did in one run; times in seconds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Load {
    /// Time inside pieces of work.
    pub busy: f64,
    /// Processor time inside pieces of work; `None` if the system does not tell.
    pub cpu: Option<f64>,
    /// Subtrees finished.
    pub subtrees: usize,
    /// Pieces of work finished.
    pub pieces: usize,
    /// Longest piece.
    pub longest: f64,
    /// Processor time of each piece, or its wall time if the system does not tell. The pieces are in the order in which
    /// the worker began them.
    #[serde(skip)]
    pub piece_seconds: Vec<f64>,
    /// Idle before and between its pieces while some other worker was busy.
    pub gaps: f64,
    /// Idle after its last piece while some other worker was busy.
    pub tail: f64,
    /// Start and end of each stretch of work; close stretches are merged for drawing.
    pub stretches: Vec<(f64, f64)>,
}

/// The workers of one run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Workers {
    /// Wall time of the run.
    pub wall: f64,
    /// Time in which no worker was busy.
    pub serial: f64,
    /// One load for each worker, idle ones included.
    pub loads: Vec<Load>,
}

/// Stretches closer than this share of the run are drawn as one.
const MAX_MERGED_GAP: f64 = 1.0 / 250.0;

impl Workers {
    /// Sums up the pieces of a run of `threads` workers that took `wall` seconds.
    pub fn from_spans(threads: usize, wall: f64, spans: &[Span]) -> Self {
        let mut spans = spans.to_vec();
        spans.sort_by(|a, b| a.start.total_cmp(&b.start));
        // When at least one worker was busy.
        let active = merged(&spans, 0.0);
        let active_seconds: f64 = active.iter().map(|(start, end)| end - start).sum();
        let serial = (wall - active_seconds).max(0.0);
        let loads = (0..threads).map(|worker| load(worker, wall, &spans, &active)).collect();
        Self { wall, serial, loads }
    }

    /// Busy time of all workers.
    pub fn busy(&self) -> f64 {
        self.loads.iter().map(|load| load.busy).sum()
    }

    /// Processor time of all pieces; their busy time if the system does not tell.
    pub fn cpu_seconds(&self) -> f64 {
        let cpu: Option<f64> = self.loads.iter().map(|load| load.cpu).sum();
        cpu.unwrap_or_else(|| self.busy())
    }

    /// Whether the system tells the processor time of all pieces.
    pub fn is_cpu_known(&self) -> bool {
        self.loads.iter().all(|load| load.cpu.is_some())
    }

    /// The longest piece of work. The run takes at least as long.
    pub fn longest(&self) -> f64 {
        self.loads.iter().map(|load| load.longest).fold(0.0, f64::max)
    }

    /// Subtrees finished by all workers.
    pub fn subtrees(&self) -> usize {
        self.loads.iter().map(|load| load.subtrees).sum()
    }

    /// Share of their busy time in which the workers had a processor; `None` if the system does not tell.
    pub fn share_on_processor(&self) -> Option<f64> {
        let cpu: f64 = self.loads.iter().map(|load| load.cpu).sum::<Option<f64>>()?;
        (self.busy() > 0.0).then(|| cpu / self.busy())
    }

    /// Processor time of every piece, worker by worker; the pieces of each in the order in which it began them.
    pub fn piece_seconds(&self) -> impl Iterator<Item = f64> + '_ {
        self.loads.iter().flat_map(|load| load.piece_seconds.iter().copied())
    }
}

/// Sums up the pieces of one `worker`. `active` has the stretches in which at least one worker was busy.
fn load(worker: usize, wall: f64, spans: &[Span], active: &[(f64, f64)]) -> Load {
    let own: Vec<Span> = spans.iter().filter(|span| span.worker == worker).copied().collect();
    let last_end = own.iter().map(|span| span.end).fold(0.0, f64::max);
    // From 0.0: an empty sum of floats is -0.0, and would be shown so.
    let busy = own.iter().fold(0.0, |sum, span| sum + (span.end - span.start));
    let cpu = own.iter().try_fold(0.0, |sum, span| Some(sum + span.cpu?));
    let mut active_before_end = 0.0;
    let mut active_after_end = 0.0;
    for &(start, end) in active {
        active_before_end += (end.min(last_end) - start).max(0.0);
        active_after_end += (end - start.max(last_end)).max(0.0);
    }
    Load {
        busy,
        cpu,
        subtrees: own.iter().map(|span| span.subtrees).sum(),
        pieces: own.len(),
        longest: own.iter().map(|span| span.end - span.start).fold(0.0, f64::max),
        piece_seconds: own.iter().map(|span| span.cpu.unwrap_or(span.end - span.start)).collect(),
        gaps: (active_before_end - busy).max(0.0),
        tail: active_after_end,
        stretches: merged(&own, wall * MAX_MERGED_GAP),
    }
}

/// The stretches that `spans` cover, which are sorted by their start. Gaps of at most `max_gap` are covered too.
fn merged(spans: &[Span], max_gap: f64) -> Vec<(f64, f64)> {
    let mut stretches: Vec<(f64, f64)> = Vec::new();
    for span in spans {
        match stretches.last_mut() {
            Some((_, end)) if span.start <= *end + max_gap => *end = end.max(span.end),
            _ => stretches.push((span.start, span.end)),
        }
    }
    stretches
}

#[cfg(test)]
impl Span {
    fn half_on_processor(worker: usize, start: f64, end: f64) -> Self {
        Self { worker, start, end, cpu: Some((end - start) / 2.0), subtrees: 3 }
    }
}

#[cfg(test)]
impl Workers {
    /// Two workers for 10 s: serial 1 s in front and 1 s behind, busy for 11 s together, half of that with a processor.
    pub(crate) fn example() -> Self {
        let pieces = [(0, 1.0, 5.0), (1, 2.0, 4.0), (0, 6.0, 9.0), (1, 4.5, 6.5)];
        let span = |(worker, start, end)| Span::half_on_processor(worker, start, end);
        Self::from_spans(2, 10.0, &pieces.map(span))
    }
}

/// A place of the threads' time; [`Losses`] says what each is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// [`Losses::useful`].
    Useful,
    /// [`Losses::slowdown`].
    Slowdown,
    /// [`Losses::preempted`].
    Preempted,
    /// [`Losses::serial`].
    Serial,
    /// [`Losses::gaps`].
    Gaps,
    /// [`Losses::tail`].
    Tail,
}

named! {
    /// The six places, by the names that tables and pictures have for them.
    Place {
        Useful = "useful",
        Slowdown = "slowdown",
        Preempted = "preempted",
        Serial = "serial",
        Gaps = "gaps",
        Tail = "tail",
    }
}

/// Where the time of a run's workers, or of a command's threads, went. Each figure is a share of `p T`, the time of `p`
/// threads in a run of `T` seconds. None is negative, and the six add up to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
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

    /// Divides the time of a command's run of `wall` seconds and `cpu` processor seconds. `one_thread` is the processor time that the same work takes one thread.
    /// Time asleep is divided in the proportions of `off_cpu`. Threads that take turns wait for each other, so `turns` become
    /// gaps. All time asleep counts as gaps if no sample shows any.
    pub fn of_command(
        threads: usize,
        [wall, cpu]: [f64; 2],
        off_cpu: &OffCpu,
        one_thread: f64,
    ) -> Self {
        // The command may have run more threads than it was told to.
        let owned = (threads as f64 * wall).max(cpu + off_cpu.preempted);
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

    /// The share of each place.
    pub fn parts(&self) -> [(Place, f64); 6] {
        Place::ALL.map(|place| (place, self.of_place(place)))
    }

    /// The share of a place.
    fn of_place(&self, place: Place) -> f64 {
        match place {
            Place::Useful => self.useful,
            Place::Slowdown => self.slowdown,
            Place::Preempted => self.preempted,
            Place::Serial => self.serial,
            Place::Gaps => self.gaps,
            Place::Tail => self.tail,
        }
    }

    /// The places in which time is lost, the largest first.
    pub(crate) fn lost(&self) -> Vec<(Place, f64)> {
        let mut lost = self.parts()[1..].to_vec();
        lost.sort_by(|a, b| b.1.total_cmp(&a.1));
        lost
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_second_is_accounted_for() {
        let run = Workers::example();
        assert_eq!(run.serial, 2.0);
        assert_eq!(run.busy(), 11.0);
        assert_eq!(run.longest(), 4.0);
        assert_eq!((run.subtrees(), run.share_on_processor()), (12, Some(0.5)));
        // Worker 0 waits from 5 to 6 while 1 works; worker 1 from 1 to 2, from
        // 4 to 4.5, and from 6.5 to the end of the work at 9.
        assert_eq!((run.loads[0].gaps, run.loads[0].tail), (1.0, 0.0));
        assert_eq!((run.loads[1].gaps, run.loads[1].tail), (1.5, 2.5));
    }

    #[test]
    fn a_worker_without_work_is_all_tail() {
        let run = Workers::from_spans(2, 4.0, &[Span::half_on_processor(0, 0.0, 4.0)]);
        assert_eq!(run.loads[1].tail, 4.0);
        assert_eq!(run.loads[1].pieces, 0);
        assert!(run.loads[1].cpu.unwrap().is_sign_positive(), "it would be shown as -0.0");
        assert_eq!(run.serial, 0.0);
    }

    #[test]
    fn close_stretches_are_drawn_as_one() {
        let seconds = (0..1000).map(f64::from);
        let spans = seconds.map(|start| Span::half_on_processor(0, start, start + 0.99));
        let run = Workers::from_spans(1, 1000.0, &spans.collect::<Vec<_>>());
        assert_eq!(run.loads[0].stretches.len(), 1);
        assert!((run.loads[0].busy - 990.0).abs() < 1e-6);
        assert_eq!(run.loads[0].pieces, 1000);
    }

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
        // 20 s owned: 10 on a processor, of which one thread needs 8; 2 ready for one; 8 asleep.
        let losses = Losses::of_command(2, [10.0, 10.0], &off_cpu, 8.0);
        let found = losses.parts().map(|part| part.1);
        let expected = [0.4, 0.1, 0.1, 0.3, 0.1, 0.0];
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{losses:?}");
        let losses = Losses::of_command(2, [10.0, 10.0], &OffCpu::default(), 12.0);
        assert_eq!((losses.useful, losses.slowdown, losses.gaps), (0.5, 0.0, 0.5));
        // Four threads where two were asked for.
        let losses = Losses::of_command(2, [10.0, 40.0], &off_cpu, 40.0);
        assert!((losses.useful - 40.0 / 42.0).abs() < 1e-12 && losses.gaps == 0.0, "{losses:?}");
    }
}
