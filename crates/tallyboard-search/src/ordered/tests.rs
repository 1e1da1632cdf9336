//! Order, ends and panics of runs whose results leave in the order of the items.

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
