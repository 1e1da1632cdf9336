//! What a run is doing, on stderr if that is a terminal: a bar where the share done is known, else a
//! line. Both wait a second: shorter runs show nothing. Where there is a bar, SIGUSR1 is answered with
//! what it would say.
//!
//! A thread of their own draws them: whoever counts, writes or saves never waits for a terminal.

use std::cell::OnceCell;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::figures::{counted, grouped, percent};
use crate::search::{Observer, Progress};
use indicatif::{HumanBytes, HumanDuration, ProgressBar as Bar, ProgressDrawTarget, ProgressStyle};

use super::io::{ReadSoFar, note};
use super::signals::Interrupt;

/// Shorter runs show nothing.
const DELAY: Duration = Duration::from_secs(1);
const STEPS: u64 = 1000;
/// The most drawings that wait for the terminal. Further ones are dropped: nobody reads.
const MOST_WAITING: usize = 16;
/// How long a command waits for the terminal before it prints something else, or ends. A drawing takes
/// less than a millisecond where somebody reads.
const PATIENCE: Duration = Duration::from_millis(300);

/// What the drawing thread is asked for.
enum Order {
    /// To show this.
    Show { position: u64, message: String },
    /// To say this on a line of its own.
    Say(String),
    /// To take the line away, to hang up the first, and to wait until the second is hung up.
    Rest(Sender<()>, Receiver<()>),
}

/// A line on stderr, drawn by a thread that begins with the first order.
struct Line {
    bar: Bar,
    is_hidden: bool,
    painter: OnceCell<Painter>,
}

struct Painter {
    orders: Option<SyncSender<Order>>,
    /// Hung up at the end of the thread.
    ended: Receiver<()>,
}

impl Line {
    /// A line as `template` wants it; hidden if `quiet`, or if stderr is no terminal.
    fn new(quiet: bool, length: Option<u64>, template: &str) -> Self {
        let target =
            if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let style = ProgressStyle::with_template(template).expect("a valid template");
        let bar = Bar::with_draw_target(length, target).with_style(style);
        // Not to be asked later: the bar is locked while it is drawn.
        Self { is_hidden: bar.is_hidden(), bar, painter: OnceCell::new() }
    }

    fn order(&self, order: Order) {
        let painter = self.painter.get_or_init(|| Painter::begin(self.bar.clone()));
        if let Some(orders) = &painter.orders {
            // Full if nobody reads.
            let _ = orders.try_send(order);
        }
    }

    /// Runs `print` without the line in between.
    fn suspend(&self, print: impl FnOnce()) {
        if self.is_hidden {
            return print();
        }
        let ((resting, rests), (go_on, told)) = (channel(), channel());
        self.order(Order::Rest(resting, told));
        let _ = rests.recv_timeout(PATIENCE);
        print();
        drop(go_on);
    }
}

impl Painter {
    fn begin(bar: Bar) -> Self {
        let (orders, receiver) = sync_channel(MOST_WAITING);
        let (ending, ended) = channel();
        let paint = move || {
            paint(&bar, &receiver);
            drop(ending);
        };
        // Without a thread to be had nothing is drawn.
        let thread = thread::Builder::new().name("terminal".into()).spawn(paint);
        Self { orders: thread.is_ok().then_some(orders), ended }
    }
}

/// Carries out `orders` until the last is.
fn paint(bar: &Bar, orders: &Receiver<Order>) {
    loop {
        match orders.recv_timeout(DELAY) {
            Ok(Order::Show { position, message }) => {
                bar.set_position(position);
                bar.set_message(message);
            }
            Ok(Order::Say(text)) => bar.suspend(|| note(text)),
            Ok(Order::Rest(resting, told)) => bar.suspend(|| {
                drop(resting);
                let _ = told.recv();
            }),
            // The time goes on while nothing new is said.
            Err(RecvTimeoutError::Timeout) => bar.tick(),
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    bar.finish_and_clear();
}

impl Drop for Painter {
    fn drop(&mut self) {
        self.orders = None;
        // A terminal that nobody reads keeps the thread to the end of the program.
        let _ = self.ended.recv_timeout(PATIENCE);
    }
}

/// A bar with the share done and the time left.
pub struct ProgressBar {
    line: Line,
    asked: Arc<AtomicBool>,
}

impl ProgressBar {
    /// A bar that will show, unless `quiet` or stderr is no terminal.
    pub fn new(quiet: bool, interrupt: &Interrupt) -> Self {
        let line = Line::new(quiet, Some(STEPS), "{bar:30} {msg}");
        Self { line, asked: interrupt.progress_asked() }
    }

    /// Shows the share done and what there is to say, if the run has lasted long enough; says it to
    /// whoever has asked.
    pub fn draw(&self, elapsed: Duration, share: f64, message: impl Fn() -> String) {
        if self.asked.swap(false, Ordering::SeqCst) {
            self.line.order(Order::Say(format!("{}: {}", super::program(), message())));
        }
        if elapsed >= DELAY && !self.line.is_hidden {
            let position = (share * STEPS as f64) as u64;
            self.line.order(Order::Show { position, message: message() });
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
    output: &'a mut (dyn Write + Send),
    bar: ProgressBar,
    began: Instant,
    read: Arc<ReadSoFar>,
}

impl<'a> Watched<'a> {
    /// Its bar will show, unless `quiet` or stderr is no terminal.
    pub fn new(
        output: &'a mut (dyn Write + Send),
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

/// What is being done now, and for how long it has gone on.
pub struct StatusLine(Line);

impl StatusLine {
    /// A line that will show, unless `quiet` or stderr is no terminal.
    pub fn new(quiet: bool) -> Self {
        Self(Line::new(quiet, None, "{msg}, {elapsed}"))
    }

    /// Shows `what` from now on.
    pub fn show(&self, what: String) {
        if !self.0.is_hidden {
            self.0.order(Order::Show { position: 0, message: what });
        }
    }

    /// Prints something else without the line in between.
    pub fn suspend(&self, print: impl FnOnce()) {
        self.0.suspend(print);
    }
}

/// `41.3 %, 12 seconds left, 9,123,456 found`; until a subtree is finished nothing is known of
/// the solutions in those begun.
fn describe(progress: &Progress) -> String {
    let left = match progress.time_left() {
        Some(left) => format!("{} left", HumanDuration(left)),
        None => "estimating the time left".to_owned(),
    };
    let found = match progress.finished {
        0 => format!("none of {} finished", counted(progress.subtrees, "subtree")),
        _ => format!("{} found", grouped(progress.tally.solutions())),
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
