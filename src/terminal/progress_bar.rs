//! Progress on stderr, if that is a terminal: a bar if the finished share is known, otherwise a line. A bar, and the line
//! of [`showing`], come after a second. SIGUSR1 prints the message of the bar, also without a terminal.
//!
//! A separate thread draws, so that counting, writing and saving never wait for a terminal.

use std::cell::OnceCell;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;
use indicatif::{HumanBytes, HumanDuration, ProgressBar as Bar, ProgressDrawTarget, ProgressStyle};
use tallyboard_base::figures::{counted, grouped, percent};
use tallyboard_search::{Observer, Progress};

use crate::terminal::io::ReadProgress;
use crate::terminal::print::{eprint_line, program_name};
use crate::terminal::signals::Interrupt;

/// The time after which progress is shown, and after which the elapsed time is drawn again.
const DELAY: Duration = Duration::from_secs(1);
/// The number of positions of a bar.
const STEPS: u64 = 1000;
/// Upper bound on drawings that wait for the terminal; further ones are dropped.
const MAX_WAITING: usize = 16;
/// How long to wait for the terminal before printing something else, or ending. If somebody reads it, a
/// drawing takes less than a millisecond.
const PATIENCE: Duration = Duration::from_millis(300);
/// Time between two checks for a signal during [`showing`].
const CHECK_INTERVAL: Duration = Duration::from_millis(50);

/// An order to the drawing thread.
enum Order {
    /// Show this bar and message.
    Show { position: u64, message: String },
    /// Print this on a separate line.
    Print(String),
    /// Remove the line, drop `paused` to report that, and wait until the sender of `resume` is dropped.
    Pause { paused: Sender<()>, resume: Receiver<()> },
}

/// A line on stderr, drawn by a thread that begins with the first order.
struct Line {
    bar: Bar,
    is_hidden: bool,
    painter: OnceCell<Painter>,
}

/// The drawing thread.
struct Painter {
    /// `None` if the thread could not be started.
    orders: Option<SyncSender<Order>>,
    /// Disconnected when the thread ends.
    ended: Receiver<()>,
}

impl Line {
    /// A line in the form of `template`, with a bar if there is a `length`. Hidden if `quiet`, or if stderr is no terminal.
    fn new(quiet: bool, length: Option<u64>, template: &str) -> Self {
        let target =
            if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let style = ProgressStyle::with_template(template).expect("a valid template");
        let bar = Bar::with_draw_target(length, target).with_style(style);
        // `bar.is_hidden` is called only here: later it would wait while the bar is drawn.
        Self { is_hidden: bar.is_hidden(), bar, painter: OnceCell::new() }
    }

    fn order(&self, order: Order) {
        let painter = self.painter.get_or_init(|| Painter::begin(self.bar.clone()));
        if let Some(orders) = &painter.orders {
            // If nobody reads the terminal, the queue is full, and the order is dropped.
            let _ = orders.try_send(order);
        }
    }

    /// Runs `print` while the line is removed.
    fn suspend(&self, print: impl FnOnce()) {
        if self.is_hidden {
            return print();
        }
        let (paused, is_paused) = channel();
        let (printed, resume) = channel();
        self.order(Order::Pause { paused, resume });
        let _ = is_paused.recv_timeout(PATIENCE);
        print();
        drop(printed);
    }
}

impl Painter {
    fn begin(bar: Bar) -> Self {
        let (orders, receiver) = sync_channel(MAX_WAITING);
        let (ending, ended) = channel();
        let paint = move || {
            paint(&bar, &receiver);
            drop(ending);
        };
        // If no thread can be started, nothing is drawn.
        let thread = thread::Builder::new().name("terminal".into()).spawn(paint);
        Self { orders: thread.is_ok().then_some(orders), ended }
    }
}

/// Carries out `orders` until their sender is dropped.
fn paint(bar: &Bar, orders: &Receiver<Order>) {
    loop {
        match orders.recv_timeout(DELAY) {
            Ok(Order::Show { position, message }) => {
                bar.set_position(position);
                bar.set_message(message);
            }
            Ok(Order::Print(text)) => bar.suspend(|| eprint_line(text)),
            Ok(Order::Pause { paused, resume }) => bar.suspend(|| {
                drop(paused);
                let _ = resume.recv();
            }),
            // Updates the elapsed time.
            Err(RecvTimeoutError::Timeout) => bar.tick(),
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    bar.finish_and_clear();
}

impl Drop for Painter {
    fn drop(&mut self) {
        self.orders = None;
        // If nobody reads the terminal, the thread waits to the end of the program.
        let _ = self.ended.recv_timeout(PATIENCE);
    }
}

/// A bar with the share done and the time left.
pub struct ProgressBar {
    line: Line,
    /// See [`Interrupt::progress_asked`].
    progress_asked: Arc<AtomicBool>,
}

impl ProgressBar {
    /// A bar that will show, unless `quiet` or stderr is no terminal.
    pub fn new(quiet: bool, interrupt: &Interrupt) -> Self {
        let line = Line::new(quiet, Some(STEPS), "{bar:30} {msg}");
        Self { line, progress_asked: interrupt.progress_asked() }
    }

    /// Shows the share and the message, if the run has lasted long enough; prints the message if a signal has
    /// asked for it.
    pub fn draw(&self, elapsed: Duration, share: f64, message: impl Fn() -> String) {
        if self.progress_asked.swap(false, Ordering::SeqCst) {
            self.line.order(Order::Print(format!("{}: {}", program_name(), message())));
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

/// An output with a bar that shows how much of the input has been read.
pub struct BarOutput<'a> {
    output: &'a mut (dyn Write + Send),
    bar: ProgressBar,
    began: Instant,
    read: Arc<ReadProgress>,
}

impl<'a> BarOutput<'a> {
    /// With a bar that will show, unless `quiet` or stderr is no terminal.
    pub fn new(
        output: &'a mut (dyn Write + Send),
        quiet: bool,
        interrupt: &Interrupt,
        read: Arc<ReadProgress>,
    ) -> Self {
        Self { output, bar: ProgressBar::new(quiet, interrupt), began: Instant::now(), read }
    }
}

impl Write for BarOutput<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.output.write(bytes)
    }

    /// Draws the bar too: streams call this after each chunk.
    fn flush(&mut self) -> io::Result<()> {
        let elapsed = self.began.elapsed();
        let (bytes, length) = self.read.now();
        let share = length.map_or(0.0, |length| (bytes as f64 / length as f64).min(1.0));
        self.bar.draw(elapsed, share, || describe_reading(elapsed, share, bytes));
        self.output.flush()
    }
}

/// `25.0 %, 30 seconds left, 1.00 MiB read`, or `1.00 MiB read` if the length of the input is unknown.
fn describe_reading(elapsed: Duration, share: f64, bytes: u64) -> String {
    let read = HumanBytes(bytes);
    if share == 0.0 {
        return format!("{read} read");
    }
    let left = HumanDuration(elapsed.mul_f64((1.0 - share) / share));
    format!("{}, {left} left, {read} read", percent(share))
}

/// A line that says what is being done, and for how long.
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

    /// Runs `print` while the line is removed.
    pub fn suspend(&self, print: impl FnOnce()) {
        self.0.suspend(print);
    }
}

/// Does `work`, and meanwhile shows `what` it is and how long it has lasted. A signal ends the program within a second.
pub fn showing<T>(what: &str, quiet: bool, work: impl FnOnce() -> T) -> Result<T> {
    let status = StatusLine::new(quiet);
    if status.0.is_hidden {
        return Ok(work());
    }
    // Without a listener, a signal would end the program at once and leave the line on the terminal.
    let interrupt = Interrupt::listen_with_nothing_to_save();
    Ok(watching(status, &|| what.to_owned(), &interrupt, work))
}

/// Does `work`, and meanwhile shows on the line what `describe` returns then, and prints it if a signal asks for it.
pub fn watching<T>(
    status: StatusLine,
    describe: &(dyn Fn() -> String + Sync),
    interrupt: &Interrupt,
    work: impl FnOnce() -> T,
) -> T {
    let (working, is_done) = channel::<()>();
    thread::scope(|scope| {
        let watch = move || watch_work(&status, describe, interrupt, &is_done);
        // If no thread can be started, nothing is shown.
        let _ = thread::Builder::new().spawn_scoped(scope, watch);
        let result = work();
        drop(working);
        result
    })
}

/// Shows what `describe` returns from [`DELAY`] on, until the other end of `is_done` is dropped or a signal comes.
fn watch_work(
    status: &StatusLine,
    describe: &(dyn Fn() -> String + Sync),
    interrupt: &Interrupt,
    is_done: &Receiver<()>,
) {
    let progress_asked = interrupt.progress_asked();
    let mut shown = Instant::now();
    while is_done.recv_timeout(CHECK_INTERVAL) == Err(RecvTimeoutError::Timeout) {
        if interrupt.signal().is_some() {
            return;
        }
        if progress_asked.swap(false, Ordering::SeqCst) {
            status.0.order(Order::Print(format!("{}: {}", program_name(), describe())));
        }
        if shown.elapsed() >= DELAY {
            status.show(describe());
            shown = Instant::now();
        }
    }
}

/// `41.3 %, 12 seconds left, 9,123,456 found`. Only the solutions of finished subtrees are found.
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
