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

/// Upper bound on the items under way per worker: one is worked on, the others wait for a slower item before
/// them.
pub const ITEMS_PER_WORKER: usize = 6;
/// Upper bound on the parts of one item that wait to be taken.
const MAX_PARTS_PER_ITEM: usize = 4;

/// Queues the parts of one item. [`push`](Self::push) blocks while too many of them wait to be taken.
pub struct Parts<'a, T> {
    push: &'a dyn Fn(T) -> ControlFlow<()>,
    over: &'a AtomicBool,
    stop: &'a Stop,
}

impl<T> Parts<'_, T> {
    /// Whether `take` would still get a part. Work that takes long between two parts should ask from time to
    /// time.
    pub fn wanted(&self) -> bool {
        !self.over.load(Relaxed) && !self.stop.requested()
    }

    /// Queues a part. Breaks if no more parts will be taken.
    pub fn push(&self, part: T) -> ControlFlow<()> {
        (self.push)(part)
    }
}

/// Does `work` on every item on `threads` threads (0: automatic), each with its own state from `worker`, and
/// calls `take` with the parts in the order of the items, and within an item in the order they were pushed.
///
/// `take` runs on one worker at a time. No item is begun after `take` has broken or `work` has returned
/// `Stopped`, nor by a worker that sees `stop` raised when it has drawn the item. The result is the break value
/// of `take`, or `None` at the end or after a stop; all parts before the first unfinished item have been taken.
/// One worker at a time draws an item, when it needs one. So there may be any number of items, and drawing one
/// may block. With one thread everything runs on the caller's.
///
/// # Errors
/// If the operating system gives no threads, or if any of the closures or the iterator panics. After a panic no
/// part of a later item is taken, and `stop` is raised: an iterator of items that blocks has to poll it.
pub fn ordered<I: Send, T: Send, W, B: Send>(
    items: impl Iterator<Item = I> + Send,
    threads: usize,
    stop: &Stop,
    worker: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, I, &Parts<T>) -> Result<(), Stopped> + Sync,
    mut take: impl FnMut(T) -> ControlFlow<B> + Send,
) -> Result<Option<B>, Error> {
    let guard = PanicGuard { stop, first: Mutex::new(None) };
    let mut items = items;
    let items = std::iter::from_fn(|| {
        let item = guard.catch("the source of the items", || items.next())??;
        (!stop.requested()).then_some(item)
    });
    let worker = || guard.catch("the maker of a worker", &worker);
    let work = |own: &mut W, item, parts: &Parts<T>| {
        guard.catch("the work on an item", || work(own, item, parts)).unwrap_or(Err(Stopped))
    };
    let take = |part| match guard.catch("the taker of results", || take(part)) {
        Some(taken) => taken.map_break(Some),
        None => ControlFlow::Break(None),
    };
    let broken = if thread_count(threads) == 1 {
        on_caller(items, stop, worker, work, take)
    } else {
        on_pool(items, stop, &pool(threads)?, &worker, &work, take)
    };
    match guard.first.into_inner().expect("nobody panics holding it") {
        Some(error) => Err(error),
        None => Ok(broken.flatten()),
    }
}

/// Catches the panics of everything that is not this module's own. A panic that unwound through a worker would
/// leave the other workers, and whoever waits for input, waiting for ever.
struct PanicGuard<'a> {
    stop: &'a Stop,
    /// The first panic.
    first: Mutex<Option<Error>>,
}

impl PanicGuard<'_> {
    /// What `act` returns. If it panics: `None`, after `stop` was raised. The caller then ends the run, so nobody
    /// uses what `act` has left inconsistent.
    fn catch<R>(&self, what: &str, act: impl FnOnce() -> R) -> Option<R> {
        match catch_unwind(AssertUnwindSafe(act)) {
            Ok(returned) => Some(returned),
            Err(payload) => {
                let error = Error::panic(what.to_owned(), &*payload);
                self.first.lock().expect("nobody panics holding it").get_or_insert(error);
                self.stop.request();
                None
            }
        }
    }
}

/// All work on the calling thread.
fn on_caller<I, T, W, B>(
    items: impl Iterator<Item = I>,
    stop: &Stop,
    worker: impl Fn() -> Option<W>,
    work: impl Fn(&mut W, I, &Parts<T>) -> Result<(), Stopped>,
    take: impl FnMut(T) -> ControlFlow<B>,
) -> Option<B> {
    let broken = Cell::new(None);
    let take = RefCell::new(take);
    let push = |part| take.borrow_mut()(part).map_break(|value| broken.set(Some(value)));
    let over = AtomicBool::new(false);
    let parts = Parts { push: &push, over: &over, stop };
    let mut own = worker()?;
    for item in items {
        let worked = work(&mut own, item, &parts);
        let value = broken.take();
        if worked.is_err() || value.is_some() {
            return value;
        }
    }
    None
}

/// A worker on each thread of `pool`.
fn on_pool<I: Send, T: Send, W, B: Send>(
    items: impl Iterator<Item = I> + Send,
    stop: &Stop,
    pool: &rayon::ThreadPool,
    worker: &(impl Fn() -> Option<W> + Sync),
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
            broken: None,
        }),
        changed: Condvar::new(),
        over: AtomicBool::new(false),
    };
    pool.broadcast(|_| {
        let Some(mut own) = worker() else { return };
        while let Some((number, item)) = queue.draw() {
            let push = |part| queue.push(number, part);
            let parts = Parts { push: &push, over: &queue.over, stop };
            let worked = work(&mut own, item, &parts);
            queue.finish(number, worked);
        }
    });
    queue.state.into_inner().unwrap_or_else(PoisonError::into_inner).broken
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
    over: AtomicBool,
}

struct State<T, B> {
    /// Number of items whose parts have all been taken.
    passed: usize,
    /// The items after those, up to the last that was drawn.
    slots: VecDeque<Slot<T>>,
    /// Whether the work on an item was stopped: no part of a later one will be taken, so none is begun.
    is_closed: bool,
    /// Whether a worker is taking parts. It also takes the parts that others queue meanwhile.
    is_taking: bool,
    /// The break value of `take`.
    broken: Option<B>,
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

    fn is_over(&self) -> bool {
        self.over.load(Relaxed)
    }

    /// Ends the run: no more parts are taken, and all waiting workers wake up.
    fn end(&self, _: &mut State<T, B>) {
        self.over.store(true, Relaxed);
        self.changed.notify_all();
    }

    /// Whether a further item may be begun.
    fn may_begin(&self, state: &State<T, B>) -> bool {
        !self.is_over() && !state.is_closed
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
            !self.is_over() && state.slot(number).parts.len() >= MAX_PARTS_PER_ITEM
        };
        let waited = self.changed.wait_while(self.state(), is_full);
        let mut state = waited.unwrap_or_else(PoisonError::into_inner);
        if !self.is_over() {
            state.slot(number).parts.push_back(part);
            self.take_ready(state);
        }
        if self.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Notes that the work on item `number` has ended: it queues no more parts.
    fn finish(&self, number: usize, ended: Result<(), Stopped>) {
        let mut state = self.state();
        if !self.is_over() {
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
        while !self.is_over() {
            match state.next_ready() {
                NextPart::Part(part) => {
                    drop(state);
                    let mut take = self.take.lock().unwrap_or_else(PoisonError::into_inner);
                    let taken = take(part);
                    state = self.state();
                    match taken {
                        ControlFlow::Continue(()) => self.changed.notify_all(),
                        ControlFlow::Break(value) => {
                            state.broken = Some(value);
                            self.end(&mut state);
                        }
                    }
                }
                NextPart::NotYet => break,
                NextPart::Stopped => self.end(&mut state),
            }
        }
        state.is_taking = false;
        self.changed.notify_all();
    }
}

/// What comes next in order.
enum NextPart<T> {
    Part(T),
    /// No part yet: the work on the next item goes on.
    NotYet,
    /// The work on the next item was stopped.
    Stopped,
}

impl<T, B> State<T, B> {
    fn slot(&mut self, number: usize) -> &mut Slot<T> {
        &mut self.slots[number - self.passed]
    }

    /// The next part in order. Removes the items before it, all of whose parts have been taken.
    fn next_ready(&mut self) -> NextPart<T> {
        while let Some(slot) = self.slots.front_mut() {
            if let Some(part) = slot.parts.pop_front() {
                return NextPart::Part(part);
            }
            match slot.ended {
                None => return NextPart::NotYet,
                Some(Err(Stopped)) => return NextPart::Stopped,
                Some(Ok(())) => {}
            }
            self.slots.pop_front();
            self.passed += 1;
        }
        NextPart::NotYet
    }
}

#[cfg(test)]
mod tests;
