//! Propagation: removes the candidates of a grid that the rules refute without a guess.
//!
//! ```text
//! repeat until nothing changes
//!   naked singles       if a cell has one candidate, its peers lose that value
//!   hidden singles      if one cell of a house can hold a value, that cell holds it
//!   locked candidates   if a cell is a peer of all cells of a house that can hold a value, it loses that value
//!   relations           a cell keeps what the table of the relation allows beside its partner's candidates
//!   clues               a clue removes the candidates that it refutes
//! ```
//!
//! After a step that changed something, the loop begins again with the first step. A node is dead if a cell has no candidate,
//! or if no cell of a house can hold a value.

use super::cells::Cells;
use super::compiled::CompiledRules;
use super::state::State;
use crate::clue::MOST_CELLS;

/// The state of a node after propagation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It has no solution.
    Dead,
    /// Every cell is filled, and every rule holds.
    Solved,
    /// There is more than one candidate somewhere.
    Open,
}

/// How one step of the loop ended.
#[derive(PartialEq, Eq)]
enum Step {
    Dead,
    Changed,
    Unchanged,
}

impl<C: Cells, const VALUES: usize> CompiledRules<C, VALUES> {
    /// Applies all rules until nothing changes.
    pub fn propagate(&self, state: &mut State<C, VALUES>) -> Outcome {
        loop {
            if !self.place_naked(state) {
                return Outcome::Dead;
            }
            let mut step = self.place_hidden(state);
            if step == Step::Unchanged {
                step = self.remove_locked(state);
            }
            if step == Step::Unchanged {
                step = self.apply_relations(state);
            }
            if step == Step::Unchanged {
                step = self.apply_clues(state);
            }
            match step {
                Step::Dead => return Outcome::Dead,
                Step::Changed => {}
                Step::Unchanged if state.placed == self.all => return Outcome::Solved,
                Step::Unchanged => return Outcome::Open,
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
                    // If two of these cells are peers, one has lost its only candidate: the next round finds it empty.
                    cells = cells.without_first() & state.boards[value];
                }
            }
        }
    }

    /// Removes a value, the only candidate of `cell`, from its peers.
    #[inline(always)]
    fn place(&self, state: &mut State<C, VALUES>, cell: usize, value: usize) {
        state.placed |= C::one(cell);
        state.open_houses[value] &= !self.houses_of[cell];
        state.remove(value, self.peers[cell]);
    }

    /// Places each value that only one cell of a house can hold.
    #[inline(always)]
    fn place_hidden(&self, state: &mut State<C, VALUES>) -> Step {
        let mut changed = false;
        while state.due_for_hidden != 0 {
            let value = state.due_for_hidden.trailing_zeros() as usize;
            state.due_for_hidden &= state.due_for_hidden - 1;
            state.due_for_locked |= 1 << value;
            let mut open = state.open_houses[value];
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
                open &= state.open_houses[value];
                changed = true;
            }
        }
        if changed { Step::Changed } else { Step::Unchanged }
    }

    /// Removes a value from the cells that are peers of all places of this value in a house.
    #[inline(always)]
    fn remove_locked(&self, state: &mut State<C, VALUES>) -> Step {
        while state.due_for_locked != 0 {
            let value = state.due_for_locked.trailing_zeros() as usize;
            state.due_for_locked &= state.due_for_locked - 1;
            let mut open = state.open_houses[value];
            let mut locked_out = C::EMPTY;
            while open != 0 {
                let house = self.houses[open.trailing_zeros() as usize];
                open &= open - 1;
                let board = state.boards[value];
                locked_out |= self.peers_of_all(board & house, board.minus(house));
            }
            state.remove(value, locked_out);
            if state.due_for_hidden != 0 {
                return Step::Changed;
            }
        }
        Step::Unchanged
    }

    /// The cells of `others` that are peers of all `places`.
    #[inline(always)]
    fn peers_of_all(&self, mut places: C, mut others: C) -> C {
        while !places.is_empty() && !others.is_empty() {
            others = others & self.peers[places.first()];
            places = places.without_first();
        }
        others
    }

    /// Applies the relations of cells that lost candidates. The clues of these cells become due.
    #[inline(always)]
    fn apply_relations(&self, state: &mut State<C, VALUES>) -> Step {
        let mut changed = state.changed & self.ruled;
        state.changed = C::EMPTY;
        while !changed.is_empty() {
            let cell = changed.first();
            changed = changed.without_first();
            for (due, clues) in state.due_clues.iter_mut().zip(self.clues_of[cell]) {
                *due |= clues;
            }
            if self.links[cell].is_empty() {
                continue;
            }
            let candidates = state.candidates(cell);
            if candidates == 0 {
                return Step::Dead;
            }
            for &(image, linked) in &self.links[cell] {
                let mut forbidden = self.all_values & !self.images[image][usize::from(candidates)];
                while forbidden != 0 {
                    state.remove(forbidden.trailing_zeros() as usize, linked);
                    forbidden &= forbidden - 1;
                }
            }
        }
        if state.changed.is_empty() { Step::Unchanged } else { Step::Changed }
    }

    /// Applies the clues that are due, until one has changed something.
    #[inline(always)]
    fn apply_clues(&self, state: &mut State<C, VALUES>) -> Step {
        for word in 0..state.due_clues.len() {
            while state.due_clues[word] != 0 {
                let bit = state.due_clues[word].trailing_zeros() as usize;
                state.due_clues[word] &= state.due_clues[word] - 1;
                // Clues whose numbers differ by 256 share a bit.
                for clue in self.clues.iter().skip(64 * word + bit).step_by(256) {
                    let cells = &clue.cells[..];
                    let mut candidates = [0_u16; MOST_CELLS];
                    let candidates = &mut candidates[..cells.len()];
                    for (set, &cell) in candidates.iter_mut().zip(cells) {
                        *set = state.candidates(cell.into());
                    }
                    if candidates.contains(&0) || !clue.apply(candidates) {
                        return Step::Dead;
                    }
                    for (&kept, &cell) in candidates.iter().zip(cells) {
                        state.restrict(cell.into(), kept);
                    }
                }
                if !state.changed.is_empty() {
                    return Step::Changed;
                }
            }
        }
        Step::Unchanged
    }
}
