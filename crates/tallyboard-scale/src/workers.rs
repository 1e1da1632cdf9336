//! When each worker of a run was busy, and where the rest of its time went.
//!
//! `p` workers have `p T` seconds in a run of `T` seconds. Each second is of one of four kinds. `losses.rs` divides the
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

use serde::Serialize;

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
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
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
#[derive(Clone, Debug, PartialEq, Serialize)]
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

    /// Share of the workers' time outside of pieces.
    pub fn idle_share(&self) -> f64 {
        (1.0 - self.busy() / (self.wall * self.loads.len() as f64)).max(0.0)
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
}
