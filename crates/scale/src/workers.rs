//! When each worker of a run was busy, and where the rest of its time went.
//!
//! `p` workers over the wall time `T` own `p T` seconds. Each second is of one of four kinds. [`Losses`] divides the
//! first of them, *busy*, into three: useful, slowdown and preempted.
//!
//! ```text
//!            start                                        end
//! worker 0   |..####################..########|######......|      # busy
//! worker 1   |..####..##############|......................|      . idle
//!             ^^    ^^              ^^^^^^^^^^^            ^
//!           serial  gap             tail                   serial
//! ```
//!
//! * *busy*: the worker is inside a piece of work, with or without a processor.
//! * *serial*: no worker is busy. The program splits, reduces or starts.
//! * *gaps*: the worker is between its pieces, or before the first, while another is busy. It steals or waits.
//! * *tail*: the worker has done its last piece while another is busy.

use serde::{Deserialize, Serialize};

use super::measure::Run;
use super::threads::Idle;

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
    /// Processor time of each piece, in the order in which the worker began them; wall time if the system does not
    /// tell processor time.
    #[serde(skip)]
    pub efforts: Vec<f64>,
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
        let active = merged(&spans, 0.0);
        let busy: f64 = active.iter().map(|(start, end)| end - start).sum();
        let serial = (wall - busy).max(0.0);
        let loads = (0..threads).map(|worker| load(worker, wall, &spans, &active)).collect();
        Self { wall, serial, loads }
    }

    /// Busy time of all workers.
    pub fn busy(&self) -> f64 {
        self.loads.iter().map(|l| l.busy).sum()
    }

    /// Processor time of all pieces; their busy time if the system does not tell.
    pub fn effort(&self) -> f64 {
        let cpu: Option<f64> = self.loads.iter().map(|l| l.cpu).sum();
        cpu.unwrap_or_else(|| self.busy())
    }

    /// The longest piece of work. The run takes at least as long.
    pub fn longest(&self) -> f64 {
        self.loads.iter().map(|l| l.longest).fold(0.0, f64::max)
    }

    /// Subtrees finished by all workers.
    pub fn subtrees(&self) -> usize {
        self.loads.iter().map(|l| l.subtrees).sum()
    }

    /// Share of their busy time in which the workers had a processor; `None` if the system does not tell.
    pub fn granted(&self) -> Option<f64> {
        let cpu: f64 = self.loads.iter().map(|l| l.cpu).sum::<Option<f64>>()?;
        (self.busy() > 0.0).then(|| cpu / self.busy())
    }

    /// Processor time of every piece, worker by worker, in the order in which it began them.
    pub fn efforts(&self) -> impl Iterator<Item = f64> + '_ {
        self.loads.iter().flat_map(|l| l.efforts.iter().copied())
    }

    /// Share of the workers' time outside of pieces.
    pub fn idle(&self) -> f64 {
        (1.0 - self.busy() / (self.wall * self.loads.len() as f64)).max(0.0)
    }
}

/// Where the time of a run's workers, or of a command's threads, went. Each figure is a share of `p T`. None is
/// negative, and the six add up to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Losses {
    /// Processor time that the work takes one thread, or took here if that is less.
    pub useful: f64,
    /// Processor time beyond `useful`: shared caches, memory, clock speed, hardware threads that share a core.
    pub slowdown: f64,
    /// Inside a piece of work without a processor: other programs, helpers, or more threads than processors have it.
    /// 0 if the system does not tell.
    pub preempted: f64,
    /// No worker is busy: splitting, reducing, starting.
    pub serial: f64,
    /// Idle before and between pieces while others work: stealing, waiting.
    pub gaps: f64,
    /// Idle after the last piece while others work: pieces are too long.
    pub tail: f64,
}

impl Losses {
    /// Divides the time of a run of workers. `one_thread` is the [processor time](Workers::effort) that the same work
    /// takes one thread.
    pub fn of(run: &Workers, one_thread: f64) -> Self {
        let owned = run.wall * run.loads.len() as f64;
        let sum = |part: fn(&Load) -> f64| run.loads.iter().map(part).sum::<f64>() / owned;
        // The clocks of processor time and of wall time differ by microseconds.
        let effort = run.effort().min(run.busy());
        let useful = one_thread.min(effort);
        Self {
            useful: useful / owned,
            slowdown: (effort - useful) / owned,
            preempted: (run.busy() - effort) / owned,
            serial: run.serial / run.wall,
            gaps: sum(|l| l.gaps),
            tail: sum(|l| l.tail),
        }
    }

    /// Divides the time of a command's run. `one_thread` is the processor time that the same work takes one thread.
    /// Time asleep is divided in the proportions of `idle`.
    pub fn of_command(threads: usize, run: &Run, idle: &Idle, one_thread: f64) -> Self {
        let cpu = run.cpu_seconds();
        // The command may have run more threads than it was told to.
        let owned = (threads as f64 * run.wall).max(cpu + idle.preempted);
        let useful = one_thread.min(cpu);
        let asleep = (owned - cpu - idle.preempted) / owned;
        let seen = idle.serial + idle.turns + idle.tail;
        let share = |part: f64| if seen > 0.0 { asleep * part / seen } else { 0.0 };
        Self {
            useful: useful / owned,
            slowdown: (cpu - useful) / owned,
            preempted: idle.preempted / owned,
            serial: share(idle.serial),
            gaps: if seen > 0.0 { share(idle.turns) } else { asleep },
            tail: share(idle.tail),
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

fn load(worker: usize, wall: f64, spans: &[Span], active: &[(f64, f64)]) -> Load {
    let own: Vec<Span> = spans.iter().filter(|s| s.worker == worker).copied().collect();
    let last_end = own.iter().map(|s| s.end).fold(0.0, f64::max);
    // From 0.0: an empty sum of floats is -0.0, and would be shown so.
    let busy = own.iter().fold(0.0, |sum, s| sum + (s.end - s.start));
    let (mut early, mut late) = (0.0, 0.0);
    for &(start, end) in active {
        early += (end.min(last_end) - start).max(0.0);
        late += (end - start.max(last_end)).max(0.0);
    }
    Load {
        busy,
        cpu: own.iter().map(|s| s.cpu).sum(),
        subtrees: own.iter().map(|s| s.subtrees).sum(),
        pieces: own.len(),
        longest: own.iter().map(|s| s.end - s.start).fold(0.0, f64::max),
        efforts: own.iter().map(|s| s.cpu.unwrap_or(s.end - s.start)).collect(),
        gaps: (early - busy).max(0.0),
        tail: late,
        stretches: merged(&own, wall * MAX_MERGED_GAP),
    }
}

/// Joins neighbours of `spans`, sorted by start, if the gap between them is at most `gap`.
fn merged(spans: &[Span], gap: f64) -> Vec<(f64, f64)> {
    let mut out: Vec<(f64, f64)> = Vec::new();
    for span in spans {
        match out.last_mut() {
            Some((_, end)) if span.start <= *end + gap => *end = end.max(span.end),
            _ => out.push((span.start, span.end)),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(worker: usize, start: f64, end: f64) -> Span {
        Span { worker, start, end, cpu: Some((end - start) / 2.0), subtrees: 3 }
    }

    /// Two workers for 10 s: serial 1 s in front and 1 s behind.
    fn example() -> Workers {
        let spans = [span(0, 1.0, 5.0), span(1, 2.0, 4.0), span(0, 6.0, 9.0), span(1, 4.5, 6.5)];
        Workers::from_spans(2, 10.0, &spans)
    }

    #[test]
    fn every_second_is_accounted_for() {
        let run = example();
        assert_eq!(run.serial, 2.0);
        assert_eq!(run.busy(), 11.0);
        assert_eq!(run.longest(), 4.0);
        assert_eq!((run.subtrees(), run.granted()), (12, Some(0.5)));
        // Worker 0 waits from 5 to 6 while 1 works; worker 1 from 1 to 2, from
        // 4 to 4.5, and from 6.5 to the end of the work at 9.
        assert_eq!((run.loads[0].gaps, run.loads[0].tail), (1.0, 0.0));
        assert_eq!((run.loads[1].gaps, run.loads[1].tail), (1.5, 2.5));
        // Half of the 11 busy seconds had a processor, and one thread needs 5.
        let l = Losses::of(&run, 5.0);
        assert!((l.parts().iter().map(|part| part.1).sum::<f64>() - 1.0).abs() < 1e-12, "{l:?}");
        assert!((l.useful - 0.25).abs() < 1e-12 && (l.slowdown - 0.025).abs() < 1e-12);
        assert!((l.preempted - 0.275).abs() < 1e-12, "{l:?}");
    }

    #[test]
    fn no_share_is_negative_when_the_work_took_less_than_on_one_thread() {
        let l = Losses::of(&example(), 8.0);
        let parts = l.parts().map(|part| part.1);
        assert!(parts.iter().all(|&part| part >= 0.0), "{l:?}");
        assert!((parts.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{l:?}");
        assert!((l.useful - 5.5 / 20.0).abs() < 1e-12, "{l:?}");
    }

    #[test]
    fn a_worker_without_work_is_all_tail() {
        let run = Workers::from_spans(2, 4.0, &[span(0, 0.0, 4.0)]);
        assert_eq!(run.loads[1].tail, 4.0);
        assert_eq!(run.loads[1].pieces, 0);
        assert_eq!(run.serial, 0.0);
    }

    #[test]
    fn shares_of_a_command_sum_to_one_and_its_sleep_is_divided_as_seen() {
        let idle = Idle { preempted: 2.0, serial: 3.0, turns: 1.0, tail: 0.0 };
        let run = |user| Run { wall: 10.0, user, ..Run::default() };
        // 20 s owned: 10 on a processor, of which one thread needs 8; 2 ready for one; 8 asleep.
        let l = Losses::of_command(2, &run(10.0), &idle, 8.0);
        let found = l.parts().map(|part| part.1);
        let expected = [0.4, 0.1, 0.1, 0.3, 0.1, 0.0];
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{l:?}");
        let l = Losses::of_command(2, &run(10.0), &Idle::default(), 12.0);
        assert_eq!((l.useful, l.slowdown, l.gaps), (0.5, 0.0, 0.5));
        // Four threads where two were asked for.
        let l = Losses::of_command(2, &run(40.0), &idle, 40.0);
        assert!((l.useful - 40.0 / 42.0).abs() < 1e-12 && l.gaps == 0.0, "{l:?}");
    }

    #[test]
    fn close_stretches_are_drawn_as_one() {
        let spans: Vec<Span> =
            (0..1000).map(|i| span(0, f64::from(i), f64::from(i) + 0.99)).collect();
        let run = Workers::from_spans(1, 1000.0, &spans);
        assert_eq!(run.loads[0].stretches.len(), 1);
        assert!((run.loads[0].busy - 990.0).abs() < 1e-6);
        assert_eq!(run.loads[0].pieces, 1000);
    }
}
