//! What follows from the candidates of a grid without a guess.
//!
//! ```text
//! repeat until nothing changes
//!   a cell with one candidate takes it from all cells that it sees              (naked singles)
//!   a house with one cell for a value puts it there                             (hidden singles)
//!   a cell that sees all cells for a value in some house does not hold it       (locked candidates)
//!   a cell's candidates leave its partners what the relation's table says       (relations)
//!   clues over several cells take away what they refute                         (clues)
//! ```
//!
//! Each line starts again from the first one when it has changed something. A cell without a candidate, or a house
//! without a cell for a value, ends the node.

use super::cells::Cells;
use super::machine::Machine;
use super::state::State;
use crate::clue::MOST_CELLS;

/// How a node stands after propagation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It has no solution.
    Dead,
    /// Every cell is filled, and every rule holds.
    Solved,
    /// There is more than one candidate somewhere.
    Open,
}

/// How one line of the loop ended.
#[derive(PartialEq, Eq)]
enum Step {
    Dead,
    Changed,
    Quiet,
}

impl<C: Cells, const VALUES: usize> Machine<C, VALUES> {
    /// Draws all conclusions.
    pub fn propagate(&self, state: &mut State<C, VALUES>) -> Outcome {
        loop {
            if !self.place_naked(state) {
                return Outcome::Dead;
            }
            match self.place_hidden(state) {
                Step::Dead => return Outcome::Dead,
                Step::Changed => continue,
                Step::Quiet => {}
            }
            if self.lock_out(state) == Step::Changed {
                continue;
            }
            match self.follow_relations(state) {
                Step::Dead => return Outcome::Dead,
                Step::Changed => continue,
                Step::Quiet => {}
            }
            match self.follow_clues(state) {
                Step::Dead => return Outcome::Dead,
                Step::Changed => continue,
                Step::Quiet if state.placed == self.all => return Outcome::Solved,
                Step::Quiet => return Outcome::Open,
            }
        }
    }

    /// Places the value of each cell with one candidate; false if a cell has none.
    #[inline(always)]
    fn place_naked(&self, state: &mut State<C, VALUES>) -> bool {
        loop {
            let mut once = C::EMPTY;
            let mut twice = C::EMPTY;
            for value in 0..VALUES {
                twice |= once & state.boards[value];
                once |= state.boards[value];
            }
            if once != self.all {
                return false;
            }
            let naked = self.all.minus(twice).minus(state.placed);
            if naked.is_empty() {
                return true;
            }
            for value in 0..VALUES {
                let mut cells = naked & state.boards[value];
                while !cells.is_empty() {
                    let cell = cells.first();
                    self.place(state, cell, value);
                    // Cells that see each other cannot hold one value; the others are found empty.
                    cells = cells.without_first() & state.boards[value];
                }
            }
        }
    }

    /// Takes a value, the only candidate of `cell`, from all cells that it sees.
    #[inline(always)]
    fn place(&self, state: &mut State<C, VALUES>, cell: usize, value: usize) {
        state.placed |= C::one(cell);
        state.open[value] &= !self.houses_of[cell];
        state.remove(value, self.peers[cell]);
    }

    /// Places each value that has one cell in some house.
    #[inline(always)]
    fn place_hidden(&self, state: &mut State<C, VALUES>) -> Step {
        let mut changed = false;
        while state.dirty != 0 {
            let value = state.dirty.trailing_zeros() as usize;
            state.dirty &= state.dirty - 1;
            state.unlocked |= 1 << value;
            let mut open = state.open[value];
            while open != 0 {
                let house = self.houses[open.trailing_zeros() as usize];
                open &= open - 1;
                let places = state.boards[value] & house;
                if !places.without_first().is_empty() {
                    continue;
                }
                if places.is_empty() {
                    return Step::Dead;
                }
                for other in (0..VALUES).filter(|&other| other != value) {
                    state.remove(other, places);
                }
                self.place(state, places.first(), value);
                open &= state.open[value];
                changed = true;
            }
        }
        if changed { Step::Changed } else { Step::Quiet }
    }

    /// Takes a value from the cells that see all its places in some house.
    #[inline(always)]
    fn lock_out(&self, state: &mut State<C, VALUES>) -> Step {
        while state.unlocked != 0 {
            let value = state.unlocked.trailing_zeros() as usize;
            state.unlocked &= state.unlocked - 1;
            let mut open = state.open[value];
            let mut locked_out = C::EMPTY;
            while open != 0 {
                let house = self.houses[open.trailing_zeros() as usize];
                open &= open - 1;
                let board = state.boards[value];
                locked_out |= self.seen_by_all(board & house, board.minus(house));
            }
            state.remove(value, locked_out);
            if state.dirty != 0 {
                return Step::Changed;
            }
        }
        Step::Quiet
    }

    /// The cells of `others` that see all `places`.
    #[inline(always)]
    fn seen_by_all(&self, mut places: C, mut others: C) -> C {
        while !places.is_empty() && !others.is_empty() {
            others = others & self.peers[places.first()];
            places = places.without_first();
        }
        others
    }

    /// Applies the relations of cells whose candidates have changed, and notes the clues of these cells.
    #[inline(always)]
    fn follow_relations(&self, state: &mut State<C, VALUES>) -> Step {
        let mut stale = state.stale & self.ruled;
        state.stale = C::EMPTY;
        while !stale.is_empty() {
            let cell = stale.first();
            stale = stale.without_first();
            for (due, of_cell) in state.due.iter_mut().zip(self.clues_of[cell]) {
                *due |= of_cell;
            }
            if self.links[cell].is_empty() {
                continue;
            }
            let candidates = state.candidates(cell);
            if candidates == 0 {
                return Step::Dead;
            }
            for link in &self.links[cell] {
                let mut forbidden =
                    self.all_values & !self.images[link.image][usize::from(candidates)];
                while forbidden != 0 {
                    state.remove(forbidden.trailing_zeros() as usize, link.cells);
                    forbidden &= forbidden - 1;
                }
            }
        }
        if state.stale.is_empty() { Step::Quiet } else { Step::Changed }
    }

    /// Applies the clues that are due, until one has changed something.
    #[inline(always)]
    fn follow_clues(&self, state: &mut State<C, VALUES>) -> Step {
        for word in 0..state.due.len() {
            while state.due[word] != 0 {
                let bit = state.due[word].trailing_zeros() as usize;
                state.due[word] &= state.due[word] - 1;
                for clue in self.clues.iter().skip(64 * word + bit).step_by(256) {
                    let cells = &clue.cells[..];
                    let mut candidates = [0_u16; MOST_CELLS];
                    let candidates = &mut candidates[..cells.len()];
                    for (each, &cell) in candidates.iter_mut().zip(cells) {
                        *each = state.candidates(cell.into());
                    }
                    if candidates.contains(&0) || !clue.apply(candidates) {
                        return Step::Dead;
                    }
                    for (&kept, &cell) in candidates.iter().zip(cells) {
                        state.restrict(cell.into(), kept);
                    }
                }
                if !state.stale.is_empty() {
                    return Step::Changed;
                }
            }
        }
        Step::Quiet
    }
}
