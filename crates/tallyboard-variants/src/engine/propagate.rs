//! Propagation: removes the candidates of a grid that the rules refute without a guess.
//!
//! ```text
//! repeat until nothing changes
//!   naked singles       if a cell has one candidate, its peers lose that value
//!   hidden singles      if one cell of a house can hold a value, that cell holds it
//!   locked candidates   if a cell is a peer of all cells of a house that can hold a value, it loses that value
//!   relations           a cell keeps what the table of the relation allows beside its partner's candidates
//!   clues               a clue removes the candidates that it refutes; if it has a value in one of its cells, as a cage has
//!                       that is in all sets of its sum, the peers of all of these lose that value
//! ```
//!
//! After a step that changed something, the loop begins again with the first step. Hidden singles and locked candidates of a value are
//! looked for in houses that have lost a place of it since they were last looked at: in the others nothing can have come up. A node is
//! dead if a cell has no candidate, or if no cell of a house can hold a value.

use tallyboard_base::bits::bits;

use super::state::{Cells, State};
use super::weights::Weights;
use crate::clue::{Clue, MOST_CELLS};
use crate::set::{Set256, insert, set_of};
use crate::tables::{Link, Tables};

/// The rules as the engine applies them.
#[derive(Debug)]
pub(crate) struct CompiledRules<C, const VALUES: usize> {
    pub all: C,
    pub all_values: u16,
    pub houses: Vec<C>,
    /// The houses of each cell: bit `h` is house `h`.
    pub houses_of: Vec<u128>,
    /// For each cell, the cells that differ from it.
    pub peers: Vec<C>,
    /// For each cell, the number of a relation's table in `images`, and the cells to which it has the relation.
    pub links: Vec<Vec<(usize, C)>>,
    /// As [`Tables::images`].
    pub images: Vec<Vec<u16>>,
    pub clues: Vec<Clue>,
    /// The cells of each clue.
    pub cells_of_clues: Vec<C>,
    /// The clues of each cell. Clue `n` has number `n % 256`: more than 256 clues share numbers.
    pub clues_of: Vec<Set256>,
    /// The cells with a relation or a clue.
    pub ruled: C,
    /// For each cell, the cells of its houses, relations and clues, counted once for each: what it weighs before any guess has failed.
    pub reach: Vec<u32>,
}

/// The cell and the value at which a node branches: with the value in one child, and without it in the other.
struct Branch {
    cell: usize,
    value: usize,
}

/// Houses that the engine uses for hidden singles and locked candidates: as many as a word has bits. Only dozens of extra
/// houses exceed it; the cells of the houses beyond are still peers.
const MOST_HOUSES: usize = 128;

impl<C: Cells, const VALUES: usize> CompiledRules<C, VALUES> {
    pub fn new(tables: &Tables) -> Self {
        let cells = tables.size.cells();
        let mut houses = Vec::new();
        let mut houses_of = vec![0_u128; cells];
        for (number, house) in tables.houses.iter().take(MOST_HOUSES).enumerate() {
            for &cell in &house.cells {
                houses_of[usize::from(cell)] |= 1 << number;
            }
            houses.push(C::from_wide(&set_of(house.cells.iter().copied())));
        }
        let mut links = Vec::new();
        let mut clues_of = vec![[0; 4]; cells];
        for (number, clue) in tables.clues.iter().enumerate() {
            for &cell in &clue.cells {
                insert(&mut clues_of[usize::from(cell)], number % 256);
            }
        }
        let mut reach = vec![1; cells];
        for rule in tables
            .houses
            .iter()
            .map(|house| &house.cells)
            .chain(tables.clues.iter().map(|clue| &clue.cells))
        {
            for &cell in rule {
                reach[usize::from(cell)] += rule.len() as u32;
            }
        }
        let mut all = C::EMPTY;
        let mut ruled = C::EMPTY;
        for cell in 0..cells {
            all |= C::one(cell);
            let links_of_cell = &tables.links[cell];
            let linked = |link: &Link| (link.relation, C::from_wide(&link.cells));
            let linked: Vec<(usize, C)> = links_of_cell.iter().map(linked).collect();
            reach[cell] += linked.iter().map(|(_, cells)| cells.count()).sum::<u32>();
            links.push(linked);
            if !links_of_cell.is_empty() || clues_of[cell] != [0; 4] {
                ruled |= C::one(cell);
            }
        }
        Self {
            all,
            all_values: tables.size.all_values(),
            houses,
            houses_of,
            peers: tables.peers.iter().map(C::from_wide).collect(),
            links,
            images: tables.images.clone(),
            clues: tables.clues.clone(),
            cells_of_clues: tables
                .clues
                .iter()
                .map(|clue| C::from_wide(&set_of(clue.cells.iter().copied())))
                .collect(),
            clues_of,
            ruled,
            reach,
        }
    }

    /// For each cell, the first of those that relations make equal to it.
    pub fn equal_cells(&self) -> Vec<usize> {
        let is_equality = |image: usize| {
            bits(self.all_values).all(|value| self.images[image][usize::from(value)] == value)
        };
        let mut first: Vec<usize> = (0..self.links.len()).collect();
        for (cell, links) in self.links.iter().enumerate() {
            let equal = links.iter().filter(|&&(image, _)| is_equality(image));
            for mut others in equal.map(|&(_, others)| others) {
                while !others.is_empty() {
                    let pair = [first[cell], first[others.first()]];
                    let [least, most] = [pair[0].min(pair[1]), pair[0].max(pair[1])];
                    first
                        .iter_mut()
                        .filter(|first| **first == most)
                        .for_each(|first| *first = least);
                    others = others.without_first();
                }
            }
        }
        first
    }

    /// Whether these values of all cells, from 1, keep to the rules.
    pub fn allow(&self, values: &[u8]) -> bool {
        let candidates: Vec<u16> = values.iter().map(|&value| 1 << (value - 1)).collect();
        matches!(self.propagate(&mut self.state(&candidates)), Outcome::Solved)
    }

    /// The state of a grid with these candidates, to which no rule was applied.
    pub fn state(&self, candidates: &[u16]) -> State<C, VALUES> {
        let mut state = State {
            boards: [C::EMPTY; VALUES],
            open_houses: [0; VALUES],
            placed: C::EMPTY,
            changed: self.all,
            due_clues: [0; 4],
            due_for_hidden: self.all_values,
            due_for_locked: 0,
            sets: C::NO_SETS,
        };
        state.sets.as_mut()[..candidates.len()].copy_from_slice(candidates);
        for (cell, &set) in candidates.iter().enumerate() {
            for value in 0..VALUES {
                if set >> value & 1 == 1 {
                    state.boards[value] |= C::one(cell);
                }
            }
        }
        // A bit for each house; none if there is no house.
        let houses = u128::MAX.checked_shr(128 - self.houses.len() as u32).unwrap_or(0);
        state.open_houses[..self.all_values.count_ones() as usize].fill(houses);
        state
    }

    /// The candidates of each cell.
    pub fn candidates(&self, state: &State<C, VALUES>) -> Vec<u16> {
        (0..self.peers.len()).map(|cell| state.candidates(cell)).collect()
    }

    /// Where to branch in an open state: a cell with two candidates, or else a house with two cells for a value, or
    /// else a cell with the fewest candidates; the first in the order of cells, values and houses.
    fn branch(&self, state: &State<C, VALUES>) -> Branch {
        // `more_than[k]`: the cells with more than `k` candidates.
        let mut more_than = [C::EMPTY; 4];
        for value in 0..VALUES {
            let board = state.boards[value];
            more_than[3] |= more_than[2] & board;
            more_than[2] |= more_than[1] & board;
            more_than[1] |= more_than[0] & board;
            more_than[0] |= board;
        }
        let pairs = more_than[1].minus(more_than[2]);
        if !pairs.is_empty() {
            return self.branch_at(state, self.most_peers(pairs));
        }
        for value in 0..VALUES {
            for house in bits(state.open_houses[value]) {
                let places = state.boards[value] & self.houses[house.trailing_zeros() as usize];
                if places.without_first().is_one() {
                    return Branch { cell: places.first(), value };
                }
            }
        }
        let triples = more_than[2].minus(more_than[3]);
        if !triples.is_empty() {
            return self.branch_at(state, triples.first());
        }
        let mut unseen = more_than[3];
        let mut fewest = unseen.first();
        while !unseen.is_empty() {
            let cell = unseen.first();
            unseen = unseen.without_first();
            if state.candidates(cell).count_ones() < state.candidates(fewest).count_ones() {
                fewest = cell;
            }
        }
        self.branch_at(state, fewest)
    }

    /// The cell of a set, which is not empty, that has the most peers in it; the first of several.
    fn most_peers(&self, cells: C) -> usize {
        let mut best = cells.first();
        let mut most = 0;
        let mut unseen = cells;
        while !unseen.is_empty() {
            let cell = unseen.first();
            unseen = unseen.without_first();
            let peers = (self.peers[cell] & cells).count();
            if peers > most {
                most = peers;
                best = cell;
            }
        }
        best
    }

    /// Where to branch by `weights`: at the cell with the most weight for a candidate, or else, if that has three candidates
    /// or more, at a value that one of two cells of a house holds, if one of these has more weight for each of both.
    fn heaviest(&self, state: &State<C, VALUES>, weights: &Weights) -> Branch {
        // Of fractions that are equal the first one counts.
        let is_more = |one: (u32, u32), other: (u32, u32)| {
            u64::from(one.0) * u64::from(other.1) > u64::from(other.0) * u64::from(one.1)
        };
        let mut best = Branch { cell: 0, value: 0 };
        let mut most = (0, 1);
        let mut unseen = self.all.minus(state.placed);
        while !unseen.is_empty() {
            let cell = unseen.first();
            unseen = unseen.without_first();
            let candidates = state.candidates(cell);
            let share = (weights.of(cell), candidates.count_ones());
            if is_more(share, most) {
                best = Branch { cell, value: candidates.trailing_zeros() as usize };
                most = share;
            }
        }
        if most.1 == 2 {
            return best;
        }
        for value in 0..VALUES {
            for house in bits(state.open_houses[value]) {
                let places = state.boards[value] & self.houses[house.trailing_zeros() as usize];
                let others = places.without_first();
                if !others.is_one() {
                    continue;
                }
                for cell in [places.first(), others.first()] {
                    if is_more((weights.of(cell), 2), most) {
                        best = Branch { cell, value };
                        most = (weights.of(cell), 2);
                    }
                }
            }
        }
        best
    }

    /// The branch at a cell: its least candidate.
    fn branch_at(&self, state: &State<C, VALUES>, cell: usize) -> Branch {
        Branch { cell, value: state.candidates(cell).trailing_zeros() as usize }
    }

    /// The two children of an open state: with the value of the branch, and without it; and the cell of the branch.
    pub fn children(
        &self,
        state: &State<C, VALUES>,
        weights: Option<&Weights>,
    ) -> ([State<C, VALUES>; 2], usize) {
        let Branch { cell, value } = match weights {
            Some(weights) => self.heaviest(state, weights),
            None => self.branch(state),
        };
        let mut with = *state;
        for other in bits(with.candidates(cell) & !(1 << value)) {
            with.remove(other.trailing_zeros() as usize, C::one(cell));
        }
        let mut without = *state;
        without.remove(value, C::one(cell));
        ([with, without], cell)
    }
}

/// The state of a node after propagation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome<C> {
    /// It has no solution: no values of these cells go together.
    Dead(C),
    /// Every cell is filled, and every rule holds.
    Solved,
    /// There is more than one candidate somewhere.
    Open,
}

/// The houses that have lost a place of each value since they were last looked at: bit `h` is house `h`.
struct DueHouses<const VALUES: usize> {
    for_hidden: [u128; VALUES],
    for_locked: [u128; VALUES],
}

/// How one step of the loop ended.
#[derive(PartialEq, Eq)]
enum Step<C> {
    /// As [`Outcome::Dead`].
    Dead(C),
    Changed,
    Unchanged,
}

impl<C: Cells, const VALUES: usize> CompiledRules<C, VALUES> {
    /// Applies all rules until nothing changes.
    pub fn propagate(&self, state: &mut State<C, VALUES>) -> Outcome<C> {
        let mut due = self.due_houses(state);
        loop {
            let empty = self.place_naked(state, &mut due);
            if !empty.is_empty() {
                return Outcome::Dead(empty);
            }
            let mut step = self.place_hidden(state, &mut due);
            if step == Step::Unchanged {
                step = self.remove_locked(state, &mut due);
            }
            if step == Step::Unchanged {
                step = self.apply_relations(state, &mut due);
            }
            if step == Step::Unchanged {
                step = self.apply_clues(state, &mut due);
            }
            match step {
                Step::Dead(cells) => return Outcome::Dead(cells),
                Step::Changed => {}
                Step::Unchanged if state.placed == self.all => return Outcome::Solved,
                Step::Unchanged => return Outcome::Open,
            }
        }
    }

    /// The houses that are due before the first step, of cells and values that have changed.
    fn due_houses(&self, state: &State<C, VALUES>) -> DueHouses<VALUES> {
        let mut houses = 0;
        let mut changed = state.changed;
        while !changed.is_empty() {
            houses |= self.houses_of[changed.first()];
            changed = changed.without_first();
        }
        let mut for_hidden = [0; VALUES];
        for value in bits(state.due_for_hidden) {
            for_hidden[value.trailing_zeros() as usize] = houses;
        }
        DueHouses { for_hidden, for_locked: for_hidden }
    }

    /// Removes a value from the candidates of `cells`.
    #[inline(always)]
    fn remove(
        &self,
        state: &mut State<C, VALUES>,
        due: &mut DueHouses<VALUES>,
        value: usize,
        cells: C,
    ) {
        let mut houses = 0;
        state.remove_each(value, cells, |cell| houses |= self.houses_of[cell]);
        due.for_hidden[value] |= houses;
        due.for_locked[value] |= houses;
    }

    /// Places the value of each cell with one candidate, up to a grid in which cells have none. Returns these cells.
    #[inline(always)]
    fn place_naked(&self, state: &mut State<C, VALUES>, due: &mut DueHouses<VALUES>) -> C {
        loop {
            let mut once = C::EMPTY;
            let mut twice = C::EMPTY;
            for value in 0..VALUES {
                twice |= once & state.boards[value];
                once |= state.boards[value];
            }
            if once != self.all {
                return self.all.minus(once);
            }
            let naked = self.all.minus(twice).minus(state.placed);
            if naked.is_empty() {
                return C::EMPTY;
            }
            for value in 0..VALUES {
                let mut cells = naked & state.boards[value];
                while !cells.is_empty() {
                    let cell = cells.first();
                    self.place(state, due, cell, value);
                    // If two of these cells are peers, one has lost its only candidate: the next round finds it empty.
                    cells = cells.without_first() & state.boards[value];
                }
            }
        }
    }

    /// Removes a value, the only candidate of `cell`, from its peers.
    #[inline(always)]
    fn place(
        &self,
        state: &mut State<C, VALUES>,
        due: &mut DueHouses<VALUES>,
        cell: usize,
        value: usize,
    ) {
        state.placed |= C::one(cell);
        state.open_houses[value] &= !self.houses_of[cell];
        self.remove(state, due, value, self.peers[cell]);
    }

    /// Places each value that only one cell of a house can hold.
    #[inline(always)]
    fn place_hidden(&self, state: &mut State<C, VALUES>, due: &mut DueHouses<VALUES>) -> Step<C> {
        let mut changed = false;
        while state.due_for_hidden != 0 {
            let value = state.due_for_hidden.trailing_zeros() as usize;
            state.due_for_hidden &= state.due_for_hidden - 1;
            state.due_for_locked |= 1 << value;
            let mut open = due.for_hidden[value] & state.open_houses[value];
            due.for_hidden[value] = 0;
            while open != 0 {
                let number = open.trailing_zeros();
                let house = self.houses[number as usize];
                open &= open - 1;
                let places = state.boards[value] & house;
                if !places.without_first().is_empty() {
                    continue;
                }
                if places.is_empty() {
                    return Step::Dead(house.minus(state.placed));
                }
                for other in (0..VALUES).filter(|&other| other != value) {
                    self.remove(state, due, other, places);
                }
                self.place(state, due, places.first(), value);
                // Houses before this one wait for the next turn of this value.
                let behind = u128::MAX << number;
                open |= due.for_hidden[value] & behind;
                due.for_hidden[value] &= !behind;
                open &= state.open_houses[value];
                changed = true;
            }
        }
        if changed { Step::Changed } else { Step::Unchanged }
    }

    /// Removes a value from the cells that are peers of all places of this value in a house.
    #[inline(always)]
    fn remove_locked(&self, state: &mut State<C, VALUES>, due: &mut DueHouses<VALUES>) -> Step<C> {
        while state.due_for_locked != 0 {
            let value = state.due_for_locked.trailing_zeros() as usize;
            state.due_for_locked &= state.due_for_locked - 1;
            let mut open = state.open_houses[value] & due.for_locked[value];
            due.for_locked[value] = 0;
            let mut locked_out = C::EMPTY;
            while open != 0 {
                let house = self.houses[open.trailing_zeros() as usize];
                open &= open - 1;
                let board = state.boards[value];
                locked_out |= self.peers_of_all(board & house, board.minus(house));
            }
            self.remove(state, due, value, locked_out);
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
    fn apply_relations(
        &self,
        state: &mut State<C, VALUES>,
        due: &mut DueHouses<VALUES>,
    ) -> Step<C> {
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
                return Step::Dead(C::one(cell));
            }
            for &(image, linked) in &self.links[cell] {
                let mut forbidden = self.all_values & !self.images[image][usize::from(candidates)];
                while forbidden != 0 {
                    self.remove(state, due, forbidden.trailing_zeros() as usize, linked);
                    forbidden &= forbidden - 1;
                }
            }
        }
        if state.changed.is_empty() { Step::Unchanged } else { Step::Changed }
    }

    /// Applies the clues that are due, until one has changed something.
    #[inline(always)]
    fn apply_clues(&self, state: &mut State<C, VALUES>, due: &mut DueHouses<VALUES>) -> Step<C> {
        for word in 0..state.due_clues.len() {
            while state.due_clues[word] != 0 {
                let bit = state.due_clues[word].trailing_zeros() as usize;
                state.due_clues[word] &= state.due_clues[word] - 1;
                // Clues whose numbers differ by 256 share a bit.
                for number in (64 * word + bit..self.clues.len()).step_by(256) {
                    if !self.apply_clue(state, due, number) {
                        return Step::Dead(self.cells_of_clues[number]);
                    }
                }
                if !state.changed.is_empty() {
                    return Step::Changed;
                }
            }
        }
        Step::Unchanged
    }

    /// Applies a clue; false if no values of its cells go together.
    fn apply_clue(
        &self,
        state: &mut State<C, VALUES>,
        due: &mut DueHouses<VALUES>,
        number: usize,
    ) -> bool {
        let clue = &self.clues[number];
        let mut few = [0_u16; MOST_CELLS];
        let mut many = Vec::new();
        let candidates = match few.get_mut(..clue.cells.len()) {
            Some(few) => few,
            None => {
                many.resize(clue.cells.len(), 0);
                &mut many[..]
            }
        };
        let mut is_alive = true;
        for (set, &cell) in candidates.iter_mut().zip(&clue.cells) {
            *set = state.candidates(cell.into());
            is_alive &= *set != 0;
        }
        let Some(found) = is_alive.then(|| clue.keep(candidates)).flatten() else { return false };
        for (&kept, &cell) in candidates.iter().zip(&clue.cells) {
            let cell = usize::from(cell);
            for lost in bits(state.candidates(cell) & !kept) {
                self.remove(state, due, lost.trailing_zeros() as usize, C::one(cell));
            }
        }
        let mine = self.cells_of_clues[number];
        for value in bits(found).map(|bit| bit.trailing_zeros() as usize) {
            let board = state.boards[value];
            let others = self.peers_of_all(board & mine, board.minus(mine));
            self.remove(state, due, value, others);
        }
        true
    }
}
