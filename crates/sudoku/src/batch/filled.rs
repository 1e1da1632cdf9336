//! A vector that workers fill in place.

use std::mem::MaybeUninit;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use search::{Error, Parts, Stop, Stopped, ordered};

/// Work that makes a vector of items, a portion of them at a time.
pub struct Filling<'a, W, S, I> {
    /// The number of items.
    pub len: usize,
    /// The number of items that a worker makes at a time.
    pub portion: usize,
    /// Worker threads, as for [`ordered`].
    pub threads: usize,
    /// Ends the work.
    pub stop: &'a Stop,
    /// Makes a worker.
    pub worker: W,
    /// Works on the items of a portion.
    pub solve: S,
    /// Makes an item of the portion worked on last. The number is its place in the portion.
    pub item: I,
}

impl<W, S, I> Filling<'_, W, S, I> {
    /// The vector of all items; `None` after a stop.
    ///
    /// Each worker writes its own items where they stay. If a single thread gathered the items of all workers, its copies and
    /// page faults would take a third of the time in which a worker solves as many sudokus: more than four workers would have
    /// to wait.
    ///
    /// # Errors
    /// As for [`ordered`].
    pub fn fill<Worker, T: Send>(&self) -> Result<Option<Vec<T>>, Error>
    where
        W: Fn() -> Worker + Sync,
        S: Fn(&mut Worker, Range<usize>) -> Result<(), Stopped> + Sync,
        I: Fn(&Worker, usize) -> T + Sync,
    {
        let mut items = Vec::with_capacity(self.len);
        let room = &mut items.spare_capacity_mut()[..self.len];
        let written = AtomicUsize::new(0);
        let begins = (0..self.len).step_by(self.portion);
        let write =
            |worker: &mut Worker, portion: (usize, &mut [MaybeUninit<T>]), _: &Parts<()>| {
                let (begin, room) = portion;
                (self.solve)(worker, begin..begin + room.len())?;
                for (place, item) in room.iter_mut().enumerate() {
                    item.write((self.item)(worker, place));
                }
                written.fetch_add(room.len(), Relaxed);
                Ok(())
            };
        let portions = begins.zip(room.chunks_mut(self.portion));
        let go_on = |()| ControlFlow::<()>::Continue(());
        ordered(portions, self.threads, self.stop, &self.worker, write, go_on)?;
        if written.into_inner() < self.len {
            return Ok(None);
        }
        // SAFETY: there is room for `len` items, and as many were written: a portion counts once all of its own are.
        unsafe { items.set_len(self.len) };
        Ok(Some(items))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The squares of numbers below `len`, by workers that hold the first number of a portion.
    fn squares(len: usize, threads: usize, stop: &Stop) -> Option<Vec<String>> {
        let solve = |first: &mut usize, places: Range<usize>| {
            *first = places.start;
            stop.check()
        };
        let item = |first: &usize, place: usize| ((first + place) * (first + place)).to_string();
        let filling = Filling { len, portion: 3, threads, stop, worker: || 0, solve, item };
        filling.fill().unwrap()
    }

    #[test]
    fn each_item_is_at_its_place() {
        for len in [0, 1, 3, 100] {
            let expected: Vec<String> =
                (0..len).map(|number| (number * number).to_string()).collect();
            assert_eq!(squares(len, 1, &Stop::new()), Some(expected.clone()));
            assert_eq!(squares(len, 3, &Stop::new()), Some(expected));
        }
    }

    #[test]
    fn after_a_stop_there_is_no_vector() {
        let stop = Stop::new();
        stop.request();
        assert_eq!(squares(100, 2, &stop), None);
    }
}
