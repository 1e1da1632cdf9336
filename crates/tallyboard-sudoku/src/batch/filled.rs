//! A vector that workers fill in place.

use std::mem::MaybeUninit;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use tallyboard_search::{Error, Parts, Stop, Stopped, ordered};

/// A vector of `len` items, made by workers on `threads` threads, `portion` items at a time: `solve` works on the items of a
/// portion, then `item` makes each of them, given its place in the portion. No one else raises the flag that `solve` gets.
///
/// Each worker writes its own items where they stay. If a single thread gathered the items of all workers, its copies and
/// page faults would take a third of the time in which a worker solves as many sudokus: more than four workers would have
/// to wait.
///
/// # Errors
/// As for [`ordered`].
pub fn fill<W, T: Send>(
    len: usize,
    portion: usize,
    threads: usize,
    make_worker: impl Fn() -> W + Sync,
    solve: impl Fn(&mut W, Range<usize>, &Stop) -> Result<(), Stopped> + Sync,
    item: impl Fn(&W, usize) -> T + Sync,
) -> Result<Vec<T>, Error> {
    let mut items = Vec::with_capacity(len);
    let room = &mut items.spare_capacity_mut()[..len];
    let written = AtomicUsize::new(0);
    let stop = Stop::new();
    let write = |worker: &mut W, portion: (usize, &mut [MaybeUninit<T>]), _: &Parts<()>| {
        let (begin, room) = portion;
        solve(worker, begin..begin + room.len(), &stop)?;
        for (place, target) in room.iter_mut().enumerate() {
            target.write(item(worker, place));
        }
        written.fetch_add(room.len(), Relaxed);
        Ok(())
    };
    let portions = (0..len).step_by(portion).zip(room.chunks_mut(portion));
    let go_on = |()| ControlFlow::<()>::Continue(());
    ordered(portions, threads, &stop, make_worker, write, go_on)?;
    assert_eq!(written.into_inner(), len, "nobody has stopped the work");
    // SAFETY: there is room for `len` items, and as many were written: a portion counts once all of its own are.
    unsafe { items.set_len(len) };
    Ok(items)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_item_is_at_its_place() {
        // The workers hold the first number of a portion.
        let solve = |first: &mut usize, places: Range<usize>, stop: &Stop| {
            *first = places.start;
            stop.check()
        };
        for (len, threads) in [0, 1, 3, 100].into_iter().flat_map(|len| [(len, 1), (len, 3)]) {
            let item = |first: &usize, place: usize| (first + place).to_string();
            let found = fill(len, 3, threads, || 0, solve, item).unwrap();
            assert_eq!(found, (0..len).map(|number| number.to_string()).collect::<Vec<_>>());
        }
    }

    #[test]
    #[should_panic(expected = "nobody has stopped the work")]
    fn a_vector_that_is_not_full_is_not_given_out() {
        let stop_later = |_: &mut (), places: Range<usize>, _: &Stop| {
            if places.start > 0 { Err(Stopped) } else { Ok(()) }
        };
        let _ = fill(9, 3, 1, || (), stop_later, |(), place| place);
    }
}
