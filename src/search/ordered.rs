//! Work in parallel, results in order, memory bounded: for output that must not depend on threads.

use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crossbeam::channel::{Receiver, Sender, bounded};

use super::driver::pool;
use super::{Error, Stop, Stopped, thread_count};

/// Items under way for each worker: one being worked on, some waiting to be, and some for one before
/// them that takes longer.
pub const ITEMS_PER_WORKER: usize = 6;
/// Parts that an item may have waiting to be taken.
const PARTS_PER_ITEM: usize = 4;

/// Where the work on one item leaves its results; full when the taker is behind.
pub struct Parts<'a, T> {
    outlet: Outlet<'a, T>,
    over: &'a AtomicBool,
    stop: &'a Stop,
}

enum Outlet<'a, T> {
    /// The taker itself, on the same thread.
    Direct(RefCell<&'a mut dyn FnMut(T) -> ControlFlow<()>>),
    /// To the taker's thread; `None` says that the item is done.
    Channel(Sender<Option<T>>),
}

impl<T> Parts<'_, T> {
    /// Whether a part would still be taken. Long work between two parts asks now and then.
    pub fn wanted(&self) -> bool {
        !self.over.load(Relaxed) && !self.stop.requested()
    }

    /// Hands a part on; breaks off once nobody wants any more.
    pub fn push(&self, part: T) -> ControlFlow<()> {
        match &self.outlet {
            Outlet::Direct(take) => take.borrow_mut()(part),
            Outlet::Channel(sender) => match sender.send(Some(part)) {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            },
        }
    }
}

/// Does `work` on every item on `threads` threads (0: automatic), each with a worker of its own from
/// `worker`, and hands the parts to `take` in the order of the items, and within an item in the order
/// they were pushed.
///
/// `take` runs on the calling thread. When it breaks off, when `stop` is raised, or when `work` says
/// that it was stopped, no further items are begun and the result is the break value of `take`
/// (`None` at the end or on a stop); what was done before the first unfinished item has been taken.
/// Items are drawn as they are needed, on a thread of their own, so there may be any number of them
/// and they may take their time. A single worker goes without any other thread.
///
/// # Errors
/// If the operating system gives no threads, or the work on an item panics: nothing after it is taken,
/// and `stop` is raised, so that items which poll it give up waiting.
pub fn ordered<I: Send, T: Send, W, B>(
    items: impl Iterator<Item = I> + Send,
    threads: usize,
    stop: &Stop,
    worker: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, I, &Parts<T>) -> Result<(), Stopped> + Sync,
    take: impl FnMut(T) -> ControlFlow<B>,
) -> Result<Option<B>, Error> {
    let items = items.take_while(|_| !stop.requested());
    let panic = Mutex::new(None);
    let work = |own: &mut W, item, parts: &Parts<T>| {
        catch_unwind(AssertUnwindSafe(|| work(own, item, parts))).unwrap_or_else(|payload| {
            let error = Error::panic("the work on an item".to_owned(), &*payload);
            panic.lock().expect("nobody panics holding it").get_or_insert(error);
            stop.request();
            Err(Stopped)
        })
    };
    let broken = if thread_count(threads) == 1 {
        alone(items, stop, worker(), work, take)
    } else {
        together(items, stop, &pool(threads)?, &worker, &work, take)
    };
    match panic.into_inner().expect("nobody panics holding it") {
        Some(error) => Err(error),
        None => Ok(broken),
    }
}

/// Workers on the threads of `pool`, a drawer on a thread of its own.
fn together<I: Send, T: Send, W, B>(
    items: impl Iterator<Item = I> + Send,
    stop: &Stop,
    pool: &rayon::ThreadPool,
    worker: &(impl Fn() -> W + Sync),
    work: &(impl Fn(&mut W, I, &Parts<T>) -> Result<(), Stopped> + Sync),
    take: impl FnMut(T) -> ControlFlow<B>,
) -> Option<B> {
    let under_way = pool.current_num_threads() * ITEMS_PER_WORKER;
    let over = AtomicBool::new(false);
    let (order, ordered) = bounded(under_way);
    // One more for the item whose parts are being taken: sending to the queue never blocks.
    let (queue, queued) = bounded::<(I, Sender<Option<T>>)>(under_way + 1);
    let crew = || {
        let mut own = worker();
        for (item, sender) in &queued {
            let parts = Parts { outlet: Outlet::Channel(sender.clone()), over: &over, stop };
            if over.load(Relaxed) || work(&mut own, item, &parts).is_err() {
                return;
            }
            // Nobody listens once the taker has broken off.
            let _ = sender.send(None);
        }
    };
    std::thread::scope(|scope| {
        let drawer = scope.spawn(move || {
            for item in items {
                let (sender, receiver) = bounded(PARTS_PER_ITEM);
                if order.send(receiver).is_err() || queue.send((item, sender)).is_err() {
                    return;
                }
            }
        });
        let crew = scope.spawn(|| pool.broadcast(|_| crew()));
        let broken = take_in_order(ordered, take);
        over.store(true, Relaxed);
        for ended in [crew.join().map(|_| ()), drawer.join()] {
            ended.unwrap_or_else(|panic| resume_unwind(panic));
        }
        broken
    })
}

/// One worker without company. Handing items from thread to thread would cost more than short work:
/// what they hold leaves the caches of the core that made it, and somebody is woken up for every item.
fn alone<I, T, W, B>(
    items: impl Iterator<Item = I>,
    stop: &Stop,
    mut worker: W,
    work: impl Fn(&mut W, I, &Parts<T>) -> Result<(), Stopped>,
    mut take: impl FnMut(T) -> ControlFlow<B>,
) -> Option<B> {
    let broken = Cell::new(None);
    let mut take = |part| take(part).map_break(|value| broken.set(Some(value)));
    let over = AtomicBool::new(false);
    let parts = Parts { outlet: Outlet::Direct(RefCell::new(&mut take)), over: &over, stop };
    for item in items {
        let worked = work(&mut worker, item, &parts);
        let value = broken.take();
        if worked.is_err() || value.is_some() {
            return value;
        }
    }
    None
}

/// Takes all parts, up to an item that comes to no end.
fn take_in_order<T, B>(
    order: Receiver<Receiver<Option<T>>>,
    mut take: impl FnMut(T) -> ControlFlow<B>,
) -> Option<B> {
    for item in order {
        while let Some(part) = item.recv().ok()? {
            if let ControlFlow::Break(value) = take(part) {
                return Some(value);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    type Worked = Result<(), Stopped>;

    fn push_item(_: &mut (), item: u64, parts: &Parts<u64>) -> Worked {
        // Nobody listens after the end.
        let _ = parts.push(item);
        Ok(())
    }

    /// Everything taken, and how the run ended.
    fn taken(
        items: impl Iterator<Item = u64> + Send,
        threads: usize,
        stop: &Stop,
        work: impl Fn(&mut (), u64, &Parts<u64>) -> Worked + Sync,
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
    fn work_that_is_under_way_hears_that_no_more_is_wanted() {
        // All but the first item go on until then.
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

    #[test]
    fn a_panic_ends_the_run_even_while_the_next_item_is_waited_for() {
        for threads in [1, 2, 3] {
            let stop = Stop::new();
            // Comes to no end before the flag is raised, as a pipe that is polled.
            let items = (0..20).chain(std::iter::from_fn(|| {
                while !stop.requested() {
                    std::thread::yield_now();
                }
                None
            }));
            let work = |_: &mut (), item: u64, parts: &Parts<u64>| {
                assert!(item != 10, "item ten is rotten");
                push_item(&mut (), item, parts)
            };
            let (taken, end) = taken(items, threads, &stop, work);
            assert!(end.unwrap_err().to_string().ends_with("panicked: item ten is rotten"));
            assert!(taken.into_iter().eq(0..10));
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
