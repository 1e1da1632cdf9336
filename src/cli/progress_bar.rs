//! What a run is doing, on stderr if that is a terminal: a bar where the share done is known, else a
//! line. Both wait a second: shorter runs show nothing. Where there is a bar, SIGUSR1 is answered with
//! what it would say.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::figures::{counted, percent};
use crate::search::{Observer, Progress};
use indicatif::{HumanBytes, HumanDuration, ProgressBar as Bar, ProgressDrawTarget, ProgressStyle};

use super::io::{Output, ReadSoFar, note};
use super::signals::Interrupt;

/// Shorter runs show nothing.
const DELAY: Duration = Duration::from_secs(1);
const STEPS: u64 = 1000;

/// A line on stderr as `template` wants it; hidden if `quiet`, or if stderr is no terminal.
fn line(quiet: bool, length: Option<u64>, template: &str) -> Bar {
    let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let style = ProgressStyle::with_template(template).expect("a valid template");
    Bar::with_draw_target(length, target).with_style(style)
}

/// A bar with the share done and the time left.
pub struct ProgressBar {
    bar: Bar,
    asked: Arc<AtomicBool>,
}

impl ProgressBar {
    /// A bar that will show, unless `quiet` or stderr is no terminal.
    pub fn new(quiet: bool, interrupt: &Interrupt) -> Self {
        let bar = line(quiet, Some(STEPS), "{bar:30} {msg}");
        Self { bar, asked: interrupt.progress_asked() }
    }

    /// Shows the share done and what there is to say, if the run has lasted long enough; says it to
    /// whoever has asked.
    pub fn draw(&self, elapsed: Duration, share: f64, message: impl Fn() -> String) {
        if self.asked.swap(false, Ordering::SeqCst) {
            note(format_args!("tallyboard: {}", message()));
        }
        if elapsed >= DELAY && !self.bar.is_hidden() {
            self.bar.set_position((share * STEPS as f64) as u64);
            self.bar.set_message(message());
        }
    }
}

impl Observer for ProgressBar {
    fn tick(&mut self, progress: &Progress) -> io::Result<()> {
        self.draw(progress.elapsed, progress.share(), || describe(progress));
        Ok(())
    }
}

/// An output with a bar that shows how much of the input has been worked on.
pub struct Watched<'a> {
    output: &'a mut Output,
    bar: ProgressBar,
    began: Instant,
    read: Arc<ReadSoFar>,
}

impl<'a> Watched<'a> {
    /// Its bar will show, unless `quiet` or stderr is no terminal.
    pub fn new(
        output: &'a mut Output,
        quiet: bool,
        interrupt: &Interrupt,
        read: Arc<ReadSoFar>,
    ) -> Self {
        Self { output, bar: ProgressBar::new(quiet, interrupt), began: Instant::now(), read }
    }
}

impl Write for Watched<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.output.write(bytes)
    }

    /// Comes after each chunk.
    fn flush(&mut self) -> io::Result<()> {
        let (elapsed, (bytes, length)) = (self.began.elapsed(), self.read.now());
        let share = length.map_or(0.0, |length| (bytes as f64 / length as f64).min(1.0));
        self.bar.draw(elapsed, share, || describe_reading(elapsed, share, bytes));
        self.output.flush()
    }
}

/// `25.0 %, 30 seconds left, 1.00 MiB read`; without the first two where the end is not known.
fn describe_reading(elapsed: Duration, share: f64, bytes: u64) -> String {
    let read = HumanBytes(bytes);
    if share == 0.0 {
        return format!("{read} read");
    }
    let left = HumanDuration(elapsed.mul_f64((1.0 - share) / share));
    format!("{}, {left} left, {read} read", percent(share))
}

impl Drop for ProgressBar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// What is being done now, and for how long it has gone on.
pub struct StatusLine(Bar);

impl StatusLine {
    /// A line that will show, unless `quiet` or stderr is no terminal.
    pub fn new(quiet: bool) -> Self {
        Self(line(quiet, None, "{msg}, {elapsed}"))
    }

    /// Shows `what` from now on.
    pub fn show(&self, what: String) {
        self.0.set_message(what);
        if !self.0.is_hidden() {
            // Ticks by itself from then on, so that the time goes on while nothing new is said.
            self.0.enable_steady_tick(DELAY);
        }
    }

    /// Prints something else without the line in between.
    pub fn suspend(&self, print: impl FnOnce()) {
        self.0.suspend(print);
    }
}

impl Drop for StatusLine {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// `41.3 %, 12 seconds left, 9,123,456 solutions`; until a subtree is finished nothing is known of
/// the solutions in those begun.
fn describe(progress: &Progress) -> String {
    let left = match progress.time_left() {
        Some(left) => format!("{} left", HumanDuration(left)),
        None => "estimating the time left".to_owned(),
    };
    let found = match progress.finished {
        0 => format!("none of {} finished", counted(progress.subtrees, "subtree")),
        _ => counted(progress.tally.solutions(), "solution"),
    };
    format!("{}, {left}, {found}", percent(progress.share()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_follows_from_the_share_read() {
        let after = |share| describe_reading(Duration::from_secs(10), share, 1 << 20);
        assert_eq!(after(0.25), "25.0 %, 30 seconds left, 1.00 MiB read");
        assert_eq!(after(0.0), "1.00 MiB read");
    }
}
