//! Works on items in parallel and hands out the results in the order of the items, in bounded memory: for
//! output that must not depend on the number of threads.
//!
//! Workers draw items one at a time. The work on an item gives *parts* of a result. The worker whose part is
//! next in order calls `take` on it, and then on the parts after it that other workers have queued. So an
//! item stays in the caches of the core that drew it, and no thread has to be woken for `take`.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::iter::Fuse;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::driver::pool;
use super::{Error, Stop, Stopped, thread_count};

/// Upper bound on the items under way per worker: one is worked on, the others wait for a slower item before them.
pub const ITEMS_PER_WORKER: usize = 6;
/// Upper bound on the parts of one item that wait to be taken.
const MAX_PARTS_PER_ITEM: usize = 4;

/// Queues the parts of one item. [`push`](Self::push) blocks while too many of them wait to be taken.
pub struct Parts<'a, T> {
    push: &'a dyn Fn(T) -> ControlFlow<()>,
    /// Whether the run has ended.
    has_ended: &'a AtomicBool,
    stop: &'a Stop,
}

impl<T> Parts<'_, T> {
    /// Whether `take` would still get a part. Work that takes long between two parts should ask from time to time.
    pub fn wanted(&self) -> bool {
        !self.has_ended.load(Relaxed) && !self.stop.requested()
    }

    /// Queues a part. Breaks if no more parts will be taken.
    pub fn push(&self, part: T) -> ControlFlow<()> {
        (self.push)(part)
    }
}

/// Does `work` on every item on `threads` threads (0: automatic), each with its own worker from `make_worker`, and
/// calls `take` with the parts in the order of the items, and within an item in the order they were pushed.
///
/// * `take` runs on one worker at a time.
/// * One worker at a time draws an item, when it needs one. So there may be any number of items, and drawing one may
///   block.
/// * No item is begun after `take` has returned `Break` or `work` has returned `Stopped`. A worker that sees `stop` raised
///   when it has drawn an item does not begin it.
/// * The result is the break value of `take`, or `None` at the end or after a stop. All parts before the first unfinished
///   item have been taken then.
/// * With one thread everything runs on the thread of the caller.
///
/// # Errors
/// If the operating system gives no threads, or if any of the closures or the iterator panics. After a panic no
/// part of a later item is taken, and `stop` is raised: an iterator of items that blocks has to poll it.
pub fn ordered<I: Send, T: Send, W, B: Send>(
    items: impl Iterator<Item = I> + Send,
    threads: usize,
    stop: &Stop,
    make_worker: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, I, &Parts<T>) -> Result<(), Stopped> + Sync,
    mut take: impl FnMut(T) -> ControlFlow<B> + Send,
) -> Result<Option<B>, Error> {
    let guard = PanicGuard { stop, first: Mutex::new(None) };
    let mut items = items;
    let items = std::iter::from_fn(|| {
        let item = guard.catch("the source of the items", || items.next())??;
        (!stop.requested()).then_some(item)
    });
    let make_worker = || guard.catch("the maker of a worker", &make_worker);
    let work = |worker: &mut W, item, parts: &Parts<T>| {
        guard.catch("the work on an item", || work(worker, item, parts)).unwrap_or(Err(Stopped))
    };
    // The inner `None` stands for a panic, which breaks without a value.
    let take = |part| match guard.catch("the taker of results", || take(part)) {
        Some(taken) => taken.map_break(Some),
        None => ControlFlow::Break(None),
    };
    let break_value = if thread_count(threads) == 1 {
        on_caller(items, stop, make_worker, work, take)
    } else {
        on_pool(items, stop, &pool(threads)?, &make_worker, &work, take)
    };
    match guard.first.into_inner().expect("nobody panics holding it") {
        Some(error) => Err(error),
        None => Ok(break_value.flatten()),
    }
}

/// Catches the panics of the caller's closures and iterator. If one unwound through a worker, the other workers, and
/// threads that wait for input, would wait for ever.
struct PanicGuard<'a> {
    stop: &'a Stop,
    /// The first panic.
    first: Mutex<Option<Error>>,
}

impl PanicGuard<'_> {
    /// Returns what `call` returns. If `call` panics, raises `stop`, keeps the error of `what`, and returns `None`. The
    /// caller then ends the run, so nobody uses what `call` has left inconsistent.
    fn catch<R>(&self, what: &str, call: impl FnOnce() -> R) -> Option<R> {
        match catch_unwind(AssertUnwindSafe(call)) {
            Ok(returned) => Some(returned),
            Err(payload) => {
                let error = Error::panic(what, payload);
                self.first.lock().expect("nobody panics holding it").get_or_insert(error);
                self.stop.request();
                None
            }
        }
    }
}

/// [`ordered`] with all work on the calling thread.
fn on_caller<I, T, W, B>(
    items: impl Iterator<Item = I>,
    stop: &Stop,
    make_worker: impl Fn() -> Option<W>,
    work: impl Fn(&mut W, I, &Parts<T>) -> Result<(), Stopped>,
    take: impl FnMut(T) -> ControlFlow<B>,
) -> Option<B> {
    let break_value = Cell::new(None);
    let take = RefCell::new(take);
    let push = |part| take.borrow_mut()(part).map_break(|value| break_value.set(Some(value)));
    let has_ended = AtomicBool::new(false);
    let parts = Parts { push: &push, has_ended: &has_ended, stop };
    let mut worker = make_worker()?;
    for item in items {
        let worked = work(&mut worker, item, &parts);
        let value = break_value.take();
        if worked.is_err() || value.is_some() {
            return value;
        }
    }
    None
}

/// [`ordered`] with a worker on each thread of `pool`.
fn on_pool<I: Send, T: Send, W, B: Send>(
    items: impl Iterator<Item = I> + Send,
    stop: &Stop,
    pool: &rayon::ThreadPool,
    make_worker: &(impl Fn() -> Option<W> + Sync),
    work: &(impl Fn(&mut W, I, &Parts<T>) -> Result<(), Stopped> + Sync),
    take: impl FnMut(T) -> ControlFlow<B> + Send,
) -> Option<B> {
    let queue = ItemQueue {
        max_items: pool.current_num_threads() * ITEMS_PER_WORKER,
        items: Mutex::new(items.fuse()),
        take: Mutex::new(take),
        state: Mutex::new(State {
            passed: 0,
            slots: VecDeque::new(),
            is_closed: false,
            is_taking: false,
            break_value: None,
        }),
        changed: Condvar::new(),
        has_ended: AtomicBool::new(false),
    };
    pool.broadcast(|_| {
        let Some(mut worker) = make_worker() else { return };
        while let Some((number, item)) = queue.draw() {
            let push = |part| queue.push(number, part);
            let parts = Parts { push: &push, has_ended: &queue.has_ended, stop };
            let worked = work(&mut worker, item, &parts);
            queue.finish(number, worked);
        }
    });
    queue.state.into_inner().unwrap_or_else(PoisonError::into_inner).break_value
}

/// The items under way, in their order; all workers share it.
struct ItemQueue<I, F, T, B> {
    /// Upper bound on items under way.
    max_items: usize,
    items: Mutex<Fuse<I>>,
    /// Locked only by the worker that has set [`State::is_taking`], so no worker waits for it.
    take: Mutex<F>,
    /// Never locked while an item is drawn or worked on, or while `take` runs.
    state: Mutex<State<T, B>>,
    /// Notified when a part is taken, when all parts of an item have been taken, when no more items may be begun,
    /// and when the run ends.
    changed: Condvar,
    /// Whether the run has ended: no more parts are taken. Set only while the state is locked.
    has_ended: AtomicBool,
}

struct State<T, B> {
    /// Number of items whose parts have all been taken.
    passed: usize,
    /// A slot for each item after those, up to the last that was drawn.
    slots: VecDeque<Slot<T>>,
    /// Whether the work on an item was stopped. No part of a later item will be taken, so no item is begun.
    is_closed: bool,
    /// Whether a worker is taking parts. It also takes the parts that others queue meanwhile.
    is_taking: bool,
    break_value: Option<B>,
}

/// The parts of an item that wait to be taken.
struct Slot<T> {
    parts: VecDeque<T>,
    /// How the work on the item ended; `None` while it goes on.
    ended: Option<Result<(), Stopped>>,
}

impl<I: Iterator, F: FnMut(T) -> ControlFlow<B>, T, B> ItemQueue<I, F, T, B> {
    fn state(&self) -> MutexGuard<'_, State<T, B>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn has_ended(&self) -> bool {
        self.has_ended.load(Relaxed)
    }

    /// Ends the run: no more parts are taken, and all waiting workers wake up. The argument shows that the caller has
    /// locked the state, so no worker is between its look at the flag and its wait.
    fn end(&self, _: &mut State<T, B>) {
        self.has_ended.store(true, Relaxed);
        self.changed.notify_all();
    }

    /// Whether a further item may be begun.
    fn may_begin(&self, state: &State<T, B>) -> bool {
        !self.has_ended() && !state.is_closed
    }

    /// The next item and its number; `None` at the end. Waits while too many are under way.
    fn draw(&self) -> Option<(usize, I::Item)> {
        let mut items = self.items.lock().unwrap_or_else(PoisonError::into_inner);
        let is_full =
            |state: &mut State<T, B>| self.may_begin(state) && state.slots.len() >= self.max_items;
        let waited = self.changed.wait_while(self.state(), is_full);
        let state = waited.unwrap_or_else(PoisonError::into_inner);
        if !self.may_begin(&state) {
            return None;
        }
        drop(state);
        let item = items.next()?;
        let mut state = self.state();
        // Drawing the item may have taken long.
        if !self.may_begin(&state) {
            return None;
        }
        state.slots.push_back(Slot { parts: VecDeque::new(), ended: None });
        Some((state.passed + state.slots.len() - 1, item))
    }

    /// Queues a part of item `number`. Blocks while too many of its parts wait.
    fn push(&self, number: usize, part: T) -> ControlFlow<()> {
        let is_full = |state: &mut State<T, B>| {
            !self.has_ended() && state.slot(number).parts.len() >= MAX_PARTS_PER_ITEM
        };
        let waited = self.changed.wait_while(self.state(), is_full);
        let mut state = waited.unwrap_or_else(PoisonError::into_inner);
        if !self.has_ended() {
            state.slot(number).parts.push_back(part);
            self.take_ready(state);
        }
        if self.has_ended() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Notes that the work on item `number` has ended: it queues no more parts.
    fn finish(&self, number: usize, ended: Result<(), Stopped>) {
        let mut state = self.state();
        if !self.has_ended() {
            if ended.is_err() {
                state.is_closed = true;
                self.changed.notify_all();
            }
            state.slot(number).ended = Some(ended);
            self.take_ready(state);
        }
    }

    /// Takes all parts that are next in order, unless another worker is doing so.
    fn take_ready<'a>(&'a self, mut state: MutexGuard<'a, State<T, B>>) {
        if state.is_taking {
            return;
        }
        state.is_taking = true;
        while !self.has_ended() {
            match state.next_ready() {
                Some(Ok(part)) => {
                    drop(state);
                    let mut take = self.take.lock().unwrap_or_else(PoisonError::into_inner);
                    let taken = take(part);
                    state = self.state();
                    match taken {
                        ControlFlow::Continue(()) => self.changed.notify_all(),
                        ControlFlow::Break(value) => {
                            state.break_value = Some(value);
                            self.end(&mut state);
                        }
                    }
                }
                Some(Err(Stopped)) => self.end(&mut state),
                None => break,
            }
        }
        state.is_taking = false;
        self.changed.notify_all();
    }
}

impl<T, B> State<T, B> {
    fn slot(&mut self, number: usize) -> &mut Slot<T> {
        &mut self.slots[number - self.passed]
    }

    /// The next part in order, or that the work on its item was stopped; `None` while that work goes on. Removes the items
    /// before it, whose parts have all been taken.
    fn next_ready(&mut self) -> Option<Result<T, Stopped>> {
        loop {
            let slot = self.slots.front_mut()?;
            if let Some(part) = slot.parts.pop_front() {
                return Some(Ok(part));
            }
            if let Err(stopped) = slot.ended? {
                return Some(Err(stopped));
            }
            self.slots.pop_front();
            self.passed += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;
    use std::time::Duration;

    use super::*;

    type WorkResult = Result<(), Stopped>;

    fn push_item(_: &mut (), item: u64, parts: &Parts<u64>) -> WorkResult {
        // Nobody listens after the end.
        let _ = parts.push(item);
        Ok(())
    }

    /// Everything taken, and how the run ended.
    fn taken(
        items: impl Iterator<Item = u64> + Send,
        threads: usize,
        stop: &Stop,
        work: impl Fn(&mut (), u64, &Parts<u64>) -> WorkResult + Sync,
    ) -> (Vec<u64>, Result<Option<()>, Error>) {
        let mut taken = Vec::new();
        let take = |part| {
            taken.push(part);
            ControlFlow::Continue(())
        };
        let end = ordered(items, threads, stop, || (), work, take);
        (taken, end)
    }

    #[test]
    fn parts_arrive_in_order_on_any_number_of_threads() {
        let parts_of = |item| (0..item % 9).map(move |part| 100 * item + part);
        for threads in [1, 2, 5] {
            let work = |_: &mut (), item, parts: &Parts<u64>| {
                // Later items are quicker, and some leave more parts than may wait.
                std::thread::sleep(std::time::Duration::from_micros(200 - item));
                let _ = parts_of(item).try_for_each(|part| parts.push(part));
                Ok(())
            };
            let (taken, end) = taken(0..200, threads, &Stop::new(), work);
            assert_eq!(end.unwrap(), None);
            assert!(taken.into_iter().eq((0..200).flat_map(parts_of)));
        }
    }

    #[test]
    fn breaking_off_ends_an_endless_run() {
        let take = |item| match item {
            1000 => ControlFlow::Break(item),
            _ => ControlFlow::Continue(()),
        };
        let end = ordered(0.., 3, &Stop::new(), || (), push_item, take);
        assert_eq!(end.unwrap(), Some(1000));
    }

    #[test]
    fn work_under_way_learns_that_no_more_parts_are_taken() {
        // The work on all but the first item goes on until then.
        let work = |_: &mut (), item: u64, parts: &Parts<u64>| {
            while item > 0 && parts.wanted() {
                std::thread::yield_now();
            }
            push_item(&mut (), item, parts)
        };
        let end = ordered(0u64.., 3, &Stop::new(), || (), work, ControlFlow::Break);
        assert_eq!(end.unwrap(), Some(0));
    }

    #[test]
    fn a_raised_flag_ends_it_too() {
        let stop = Stop::new();
        let work = |_: &mut (), item, parts: &Parts<u64>| {
            if item == 50 {
                stop.request();
            }
            push_item(&mut (), item, parts)
        };
        assert_eq!(taken(0.., 2, &stop, work).1.unwrap(), None);
    }

    /// Where a panic comes from.
    #[derive(Debug, Clone, Copy, PartialEq)]
    enum Culprit {
        Source,
        FirstWorker,
        LaterWorker,
        Work,
        TakeOnPush,
        TakeOnFinish,
    }

    /// A run that `culprit` ends with a panic while the next item is waited for, as in a pipe that is polled.
    /// Returns how it ended and what was taken.
    fn run_with(culprit: Culprit, threads: usize) -> (Result<Option<()>, Error>, Vec<u64>) {
        let stop = Stop::new();
        let mut next = 0;
        let items = std::iter::from_fn(|| {
            next += 1;
            assert!(culprit != Culprit::Source || next < 20, "rotten");
            while next >= 20 && !stop.requested() {
                std::thread::yield_now();
            }
            Some(next - 1)
        });
        let workers = AtomicUsize::new(0);
        let worker = || {
            let before = workers.fetch_add(1, Relaxed);
            let rotten =
                if culprit == Culprit::FirstWorker { before == 0 } else { before + 1 == threads };
            let is_worker = matches!(culprit, Culprit::FirstWorker | Culprit::LaterWorker);
            assert!(!(is_worker && rotten), "rotten");
        };
        let begun = AtomicUsize::new(0);
        let work = |_: &mut (), item: u64, parts: &Parts<u64>| {
            assert!(culprit != Culprit::Work || item != 10, "rotten");
            begun.fetch_add(1, Relaxed);
            if culprit == Culprit::TakeOnFinish && threads > 1 && item == 9 {
                // The part of item 10 is then taken when the work on this one is finished.
                while begun.load(Relaxed) < 11 {
                    std::thread::yield_now();
                }
                std::thread::sleep(Duration::from_millis(20));
            }
            push_item(&mut (), item, parts)
        };
        let mut taken = Vec::new();
        let take = |part| {
            let takes = matches!(culprit, Culprit::TakeOnPush | Culprit::TakeOnFinish);
            assert!(!takes || part != 10, "rotten");
            taken.push(part);
            ControlFlow::Continue(())
        };
        let ended = ordered(items, threads, &stop, worker, work, take);
        assert!(stop.requested(), "{culprit:?} on {threads} threads");
        (ended, taken)
    }

    #[test]
    fn a_panic_anywhere_ends_the_run_by_name_even_while_the_next_item_is_waited_for() {
        for (culprit, name) in [
            (Culprit::Source, "the source of the items"),
            (Culprit::FirstWorker, "the maker of a worker"),
            (Culprit::LaterWorker, "the maker of a worker"),
            (Culprit::Work, "the work on an item"),
            (Culprit::TakeOnPush, "the taker of results"),
            (Culprit::TakeOnFinish, "the taker of results"),
        ] {
            for threads in [1, 2, 3] {
                let (sender, receiver) = std::sync::mpsc::channel();
                std::thread::spawn(move || sender.send(run_with(culprit, threads)));
                let what = format!("{culprit:?} on {threads} threads");
                let ended = receiver.recv_timeout(Duration::from_secs(60));
                let (ended, taken) = ended.unwrap_or_else(|_| panic!("{what} waits for ever"));
                let message = ended.unwrap_err().to_string();
                assert_eq!(message, format!("{name} panicked: rotten"), "{what}");
                assert!(taken.iter().copied().eq(0..taken.len() as u64), "{what}: {taken:?}");
                if matches!(culprit, Culprit::Work | Culprit::TakeOnPush | Culprit::TakeOnFinish) {
                    assert_eq!(taken.len(), 10, "{what}");
                }
            }
        }
    }

    #[test]
    fn an_error_that_work_raises_is_the_error_of_the_run() {
        for threads in [1, 3] {
            let work = |_: &mut (), item: u32, _: &Parts<()>| {
                Error::ensure_right(item < 5, || item.to_string()).map_err(Error::raise).or(Ok(()))
            };
            let go_on = |()| ControlFlow::<()>::Continue(());
            let ended = ordered(0.., threads, &Stop::new(), || (), work, go_on);
            let message = ended.unwrap_err().to_string();
            let found = message.strip_prefix("found ").unwrap().split(',').next().unwrap();
            assert!(found.parse::<u32>().unwrap() >= 5, "{message}");
            assert!(message.contains("which breaks a rule: this is a mistake of the program"));
        }
    }

    #[test]
    fn no_item_is_begun_after_the_end() {
        // Item 0 breaks, or is stopped, while the other worker draws the next item.
        for is_stopped in [false, true] {
            let is_drawing = AtomicBool::new(false);
            let has_ended = AtomicBool::new(false);
            let items = (0..).inspect(|&item: &u64| {
                is_drawing.store(item == 1, Relaxed);
                while item == 1 && !has_ended.load(Relaxed) {
                    std::thread::yield_now();
                }
                // Time for the end to be noted.
                std::thread::sleep(Duration::from_millis(if item == 1 { 50 } else { 0 }));
            });
            let begun = AtomicUsize::new(0);
            let work = |_: &mut (), item: u64, parts: &Parts<u64>| {
                begun.fetch_add(1, Relaxed);
                while item == 0 && !is_drawing.load(Relaxed) {
                    std::thread::yield_now();
                }
                if is_stopped {
                    has_ended.store(true, Relaxed);
                    return Err(Stopped);
                }
                push_item(&mut (), item, parts)
            };
            let take = |_| {
                has_ended.store(true, Relaxed);
                ControlFlow::Break(())
            };
            let end = ordered(items, 2, &Stop::new(), || (), work, take).unwrap();
            assert_eq!(end.is_none(), is_stopped);
            assert_eq!(begun.into_inner(), 1);
        }
    }

    #[test]
    fn nothing_is_taken_behind_an_unfinished_item() {
        for threads in [1, 4] {
            let work = |_: &mut (), item: u64, parts: &Parts<u64>| match item {
                10 => Err(Stopped),
                _ => push_item(&mut (), item, parts),
            };
            let (taken, end) = taken(0..100, threads, &Stop::new(), work);
            assert_eq!((end.unwrap(), taken), (None, (0..10).collect()));
        }
    }
}
