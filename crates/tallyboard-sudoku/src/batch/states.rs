//! States in vectors, and piles of them.

use super::lanes::{Lanes, MAX_LANES, Set};
use super::layout::{PackedGrids, State, WORDS, state_from_planes};
use tallyboard_base::array::array;

/// States in lanes.
pub struct States<V> {
    pub state: State<V>,
    /// The number of each state's puzzle.
    pub puzzles: V,
    /// How many solutions of the puzzle each solution of the state counts for. It doubles only at a split of *twins* (see
    /// [`split`](super::branch::split)), which decides at least four of the 81 cells, so it is at most 2^20. 0 marks a
    /// state that is to be dropped. The pool of counts also keeps a flag in the highest bit.
    pub weights: V,
    /// The lanes that hold a state; the contents of the others are unspecified.
    pub lanes: u32,
}

impl<V: Lanes> States<V> {
    #[inline(always)]
    pub fn new() -> Self {
        let none = V::splat(0);
        Self { state: [none; WORDS], puzzles: none, weights: none, lanes: 0 }
    }

    /// Loads puzzles from `number` on, of `total` puzzles in all.
    #[inline(always)]
    pub fn load_puzzles(&mut self, grids: &[PackedGrids], number: usize, total: usize) {
        let numbers: [u32; MAX_LANES] = array(|lane| (number + lane) as u32);
        self.state = state_from_planes(&grids[number / MAX_LANES], number % MAX_LANES);
        (self.puzzles, self.weights) = (V::load(&numbers), V::splat(1));
        self.lanes = first_lanes(V::COUNT.min(total - number));
    }

    /// Copies the states in the lanes `from` of `other` to the lanes `to`, in order. `from` has at least as many lanes as
    /// `to`.
    #[inline(always)]
    pub fn insert(&mut self, to: u32, other: &Self, from: u32) {
        for word in 0..WORDS {
            self.state[word] = self.state[word].with(to, other.state[word], from);
        }
        self.puzzles = self.puzzles.with(to, other.puzzles, from);
        self.weights = self.weights.with(to, other.weights, from);
        self.lanes |= to;
    }

    #[inline(always)]
    pub fn drop_finished(&mut self, finished: impl Fn(usize) -> bool) {
        for lane in Set(self.lanes) {
            let finished = finished(self.puzzles.words()[lane] as usize);
            self.lanes &= !(u32::from(finished) << lane);
        }
    }

    /// Marks the states of a puzzle as to be dropped.
    #[inline(always)]
    pub fn forget(&mut self, puzzle: usize) {
        let own = self.puzzles.same(V::splat(puzzle as u32));
        self.weights = self.weights & !V::only(own);
    }
}

/// A stack of states: full vectors, and one that is being filled. Full vectors are moved by
/// swapping their boxes; only single states are copied word by word.
pub struct Pile<V> {
    /// Full vectors, then the one that is being filled, then unused ones.
    vectors: Vec<Box<States<V>>>,
    /// The number of full vectors, and so the index of the one that is being filled.
    full: usize,
    /// The number of states in the vector that is being filled.
    in_partial: usize,
}

impl<V: Lanes> Pile<V> {
    #[inline(always)]
    pub fn new() -> Self {
        Self { vectors: vec![Box::new(States::new())], full: 0, in_partial: 0 }
    }

    #[inline(always)]
    pub fn len(&self) -> usize {
        self.full * V::COUNT + self.in_partial
    }

    pub fn clear(&mut self) {
        (self.full, self.in_partial) = (0, 0);
    }

    /// Marks the states of a puzzle as to be dropped.
    #[inline(always)]
    pub fn forget(&mut self, puzzle: usize) {
        for states in &mut self.vectors[..=self.full] {
            states.forget(puzzle);
        }
    }

    /// Adds the states in these lanes of `work`.
    #[inline(always)]
    pub fn push(&mut self, lanes: u32, work: &States<V>) {
        // The states may fill a vector and begin the next one.
        if self.full + 2 > self.vectors.len() {
            self.grow();
        }
        let (count, room) = (lanes.count_ones() as usize, V::COUNT - self.in_partial);
        let to = (first_lanes(count) << self.in_partial) & first_lanes(V::COUNT);
        self.vectors[self.full].insert(to, work, lanes);
        self.in_partial += count;
        if count >= room {
            self.full += 1;
            self.in_partial -= V::COUNT;
            if self.in_partial > 0 {
                let rest = without_first(lanes, room);
                self.vectors[self.full].insert(first_lanes(self.in_partial), work, rest);
            }
        }
    }

    /// Adds all states of `work`; its contents are then unspecified.
    #[inline(always)]
    pub fn push_all(&mut self, work: &mut Box<States<V>>) {
        // `work` may become a full vector below the one that is being filled.
        if self.full + 2 > self.vectors.len() {
            self.grow();
        }
        let idle_lanes = first_lanes(V::COUNT) & !work.lanes;
        let idle = idle_lanes.count_ones() as usize;
        if idle <= self.in_partial {
            // States of the vector that is being filled fill `work` up. Then `work` takes its place, that vector
            // moves one place up, and the unused vector from there becomes the new `work`.
            self.in_partial -= idle;
            work.insert(idle_lanes, &self.vectors[self.full], first_lanes(idle) << self.in_partial);
            self.vectors.swap(self.full, self.full + 1);
            std::mem::swap(work, &mut self.vectors[self.full]);
            self.full += 1;
        } else {
            let count = V::COUNT - idle;
            self.vectors[self.full].insert(first_lanes(count) << self.in_partial, work, work.lanes);
            self.in_partial += count;
        }
    }

    /// Puts a full vector into `work`, or all states if they do not fill one.
    #[inline(always)]
    pub fn pop(&mut self, work: &mut Box<States<V>>) {
        if self.full > 0 {
            self.full -= 1;
            self.vectors.swap(self.full, self.full + 1);
            std::mem::swap(work, &mut self.vectors[self.full + 1]);
            work.lanes = first_lanes(V::COUNT);
        } else {
            std::mem::swap(work, &mut self.vectors[0]);
            work.lanes = first_lanes(self.in_partial);
            self.in_partial = 0;
        }
    }

    #[cold]
    fn grow(&mut self) {
        self.vectors.push(Box::new(States::new()));
    }
}

#[inline(always)]
pub fn first_lanes(count: usize) -> u32 {
    (1_u32 << count).wrapping_sub(1)
}

#[inline(always)]
fn without_first(mut lanes: u32, count: usize) -> u32 {
    for _ in 0..count {
        lanes &= lanes - 1;
    }
    lanes
}

// `first_lanes` shifts by the number of lanes, which has to be below the number of bits.
const _: () = assert!(MAX_LANES < 32, "a set of lanes has a bit more than there are lanes");

#[cfg(test)]
mod tests {
    use super::super::lanes::Words;
    use super::*;

    type Eight = Words<8>;

    /// States that are told apart by every word.
    fn numbered(begin: u32) -> States<Eight> {
        let lanes = |word: u32| Words(array(|lane| 100 * (begin + lane as u32) + word));
        States {
            state: array(|word| lanes(word as u32)),
            puzzles: lanes(27),
            weights: lanes(28),
            lanes: 0xff,
        }
    }

    /// The numbers of the states in lanes, whose words must belong together.
    fn numbers(work: &States<Eight>) -> Vec<u32> {
        let lanes = (0..8).filter(|lane| work.lanes >> lane & 1 == 1);
        lanes
            .map(|lane| {
                let words = work.state.iter().chain([&work.puzzles, &work.weights]);
                let words: Vec<u32> = words.map(|word| word.0[lane]).collect();
                assert_eq!(words, (0..29).map(|word| words[0] + word).collect::<Vec<_>>());
                words[0] / 100
            })
            .collect()
    }

    #[test]
    fn what_is_pushed_comes_back_once_and_whole() {
        for all_lanes in [false, true] {
            let (mut pile, mut pushed, mut popped) = (Pile::new(), Vec::new(), Vec::new());
            for (turn, lanes) in
                [0xff, 0x12, 0, 0xef, 0x80, 0x7f, 1, 0xff, 0x55].into_iter().enumerate()
            {
                let mut work = Box::new(numbered(8 * turn as u32));
                work.lanes = lanes;
                pushed.extend(numbers(&work));
                if all_lanes {
                    pile.push_all(&mut work);
                } else {
                    pile.push(lanes, &work);
                }
                assert_eq!(pile.len(), pushed.len() - popped.len());
                if turn % 3 == 2 {
                    pile.pop(&mut work);
                    assert_eq!(work.lanes, 0xff);
                    popped.extend(numbers(&work));
                }
            }
            while pile.len() > 0 {
                let mut work = Box::new(numbered(1000));
                pile.pop(&mut work);
                popped.extend(numbers(&work));
            }
            popped.sort_unstable();
            assert_eq!(popped, pushed, "all of a vector: {all_lanes}");
        }
    }

    #[test]
    fn full_vectors_come_back_last_first_however_many_there_are() {
        let mut pile = Pile::new();
        for begin in (0..8000).step_by(8) {
            pile.push(0xff, &numbered(begin));
        }
        let mut work = Box::new(States::new());
        for begin in (0..8000).step_by(8).rev() {
            pile.pop(&mut work);
            assert_eq!(numbers(&work), (begin..begin + 8).collect::<Vec<_>>());
        }
        assert_eq!(pile.len(), 0);
    }
}
