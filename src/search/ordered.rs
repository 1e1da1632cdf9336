//! Work in parallel, results in order, memory bounded: for output that must not depend on threads.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use crossbeam::channel::{Sender, bounded};

use super::driver::pool;
use super::{Error, Stop};

/// Items under way for each worker, and parts that an item may have waiting to be taken.
const ITEMS_PER_WORKER: usize = 8;
const PARTS_PER_ITEM: usize = 4;

/// Where the work on one item leaves its results; full when the taker is behind.
#[derive(Debug)]
pub struct Parts<'a, T> {
    sender: Sender<T>,
    ended: &'a AtomicBool,
    stop: &'a Stop,
}

impl<T> Parts<'_, T> {
    /// Whether a part would still be taken. Long work between two parts asks now and then.
    pub fn wanted(&self) -> bool {
        !self.ended.load(Ordering::Relaxed) && !self.stop.requested()
    }

    /// Hands a part on; breaks off once nobody wants any more.
    pub fn push(&self, part: T) -> ControlFlow<()> {
        match self.sender.send(part) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    }
}

/// Does `work` on every item on `threads` threads (0: automatic) and hands the parts to `take` in the
/// order of the items, and within an item in the order they were pushed.
///
/// `take` runs on the calling thread. When it breaks off, or `stop` is raised, no further items are
/// begun and the result is its break value (`None` at the end or on `stop`). Items are drawn as they
/// are needed, so there may be any number of them.
///
/// # Errors
/// If the operating system gives no threads, or the work on an item panics: nothing after it is taken.
pub fn ordered<I: Send, T: Send, B>(
    items: impl Iterator<Item = I>,
    threads: usize,
    stop: &Stop,
    work: impl Fn(I, &Parts<'_, T>) + Sync,
    mut take: impl FnMut(T) -> ControlFlow<B>,
) -> Result<Option<B>, Error> {
    let pool = pool(threads)?;
    let threads = pool.current_num_threads();
    let mut items = items.take_while(|_| !stop.requested());
    let panic = Mutex::new(None);
    let ended = &AtomicBool::new(false);
    let begin = |item, parts: Parts<'_, T>| {
        if let Err(payload) = catch_unwind(AssertUnwindSafe(|| work(item, &parts))) {
            let error = Error::panic("the work on an item".to_owned(), &*payload);
            panic.lock().expect("nobody panics holding it").get_or_insert(error);
        }
    };
    let begin = &begin;
    // First in, first out: the oldest item is always begun, so waiting for it comes to an end.
    pool.in_place_scope_fifo(|scope| {
        let mut under_way = VecDeque::new();
        loop {
            while under_way.len() < threads * ITEMS_PER_WORKER {
                let Some(item) = items.next() else { break };
                let (sender, receiver) = bounded(PARTS_PER_ITEM);
                let parts = Parts { sender, ended, stop };
                scope.spawn_fifo(move |_| begin(item, parts));
                under_way.push_back(receiver);
            }
            let Some(parts) = under_way.pop_front() else { return Ok(None) };
            for part in parts {
                if let ControlFlow::Break(value) = take(part) {
                    ended.store(true, Ordering::Relaxed);
                    return Ok(Some(value));
                }
            }
            // The parts of this item, and so all that follow, may be incomplete.
            if let Some(error) = panic.lock().expect("nobody panics holding it").take() {
                ended.store(true, Ordering::Relaxed);
                return Err(error);
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn push_item(item: u64, parts: &Parts<'_, u64>) {
        // Nobody listens after the end.
        let _ = parts.push(item);
    }

    #[test]
    fn parts_arrive_in_order_on_any_number_of_threads() {
        for threads in [1, 2, 5] {
            let mut taken = Vec::new();
            let work = |item: u32, parts: &Parts<'_, u32>| {
                // Later items are quicker, and some leave more parts than may wait.
                std::thread::sleep(std::time::Duration::from_micros(u64::from(200 - item)));
                for part in 0..item % 9 {
                    let _ = parts.push(100 * item + part);
                }
            };
            let end = ordered(0..200, threads, &Stop::new(), work, |part| {
                taken.push(part);
                ControlFlow::<()>::Continue(())
            });
            assert_eq!(end.unwrap(), None);
            let expected: Vec<u32> = (0..200)
                .flat_map(|item| (0..item % 9).map(move |part| 100 * item + part))
                .collect();
            assert_eq!(taken, expected);
        }
    }

    #[test]
    fn breaking_off_ends_an_endless_run() {
        let end = ordered(0u64.., 3, &Stop::new(), push_item, |item| {
            if item == 1000 { ControlFlow::Break(item) } else { ControlFlow::Continue(()) }
        });
        assert_eq!(end.unwrap(), Some(1000));
    }

    #[test]
    fn a_panic_ends_even_an_endless_run_with_an_error() {
        let work = |item: u64, parts: &Parts<'_, u64>| {
            assert!(item != 100, "planted");
            push_item(item, parts);
        };
        let mut taken = 0;
        let end = ordered(0u64.., 3, &Stop::new(), work, |item| {
            taken = item;
            ControlFlow::<()>::Continue(())
        });
        assert!(end.unwrap_err().to_string().contains("planted"));
        assert!(taken < 100, "item {taken} was taken without item 100 before it");
    }

    #[test]
    fn work_that_is_under_way_hears_that_no_more_is_wanted() {
        // All but the first item go on until then.
        let work = |item: u64, parts: &Parts<'_, u64>| {
            while item > 0 && parts.wanted() {
                std::thread::yield_now();
            }
            push_item(item, parts);
        };
        let end = ordered(0u64.., 3, &Stop::new(), work, ControlFlow::Break);
        assert_eq!(end.unwrap(), Some(0));
    }

    #[test]
    fn a_raised_flag_ends_it_too() {
        let stop = Stop::new();
        let end = ordered(0u64.., 2, &stop, push_item, |item| {
            if item == 50 {
                stop.request();
            }
            ControlFlow::<()>::Continue(())
        });
        assert_eq!(end.unwrap(), None);
    }
}
