//! The rules in the form that one width of cells needs, and where the search branches.

use base::bits::bits;

use super::cells::Cells;
use super::state::State;
use crate::clue::Clue;
use crate::tables::Tables;
use crate::wide::insert;

/// Cells that a cell has one relation to.
#[derive(Debug)]
pub(crate) struct LinkedCells<C> {
    pub image: usize,
    pub cells: C,
}

/// The rules.
#[derive(Debug)]
pub(crate) struct Machine<C, const VALUES: usize> {
    pub all: C,
    pub all_values: u16,
    pub houses: Vec<C>,
    /// The houses of each cell, as bits.
    pub houses_of: Vec<u128>,
    pub peers: Vec<C>,
    pub links: Vec<Vec<LinkedCells<C>>>,
    pub images: Vec<Vec<u16>>,
    pub clues: Vec<Clue>,
    /// The clues of each cell, as bits.
    pub clues_of: Vec<[u64; 4]>,
    /// The cells with a relation or a clue.
    pub ruled: C,
    cells: usize,
}

/// A branching: a value for a cell, or not.
struct Branch {
    cell: usize,
    value: usize,
}

/// Houses that the engine looks at: as many as a word has bits. More would be extra houses by the dozen; their cells
/// still differ.
const MOST_HOUSES: usize = 128;

impl<C: Cells, const VALUES: usize> Machine<C, VALUES> {
    pub fn new(tables: &Tables) -> Self {
        let cells = tables.size.cells();
        let mut houses = Vec::new();
        let mut houses_of = vec![0_u128; cells];
        for (number, house) in tables.houses.iter().take(MOST_HOUSES).enumerate() {
            let mut set = C::EMPTY;
            for &cell in &house.cells {
                set |= C::one(cell.into());
                houses_of[usize::from(cell)] |= 1 << number;
            }
            houses.push(set);
        }
        let mut links = Vec::new();
        let mut clues_of = vec![[0; 4]; cells];
        for (number, clue) in tables.clues.iter().enumerate() {
            for &cell in &clue.cells {
                insert(&mut clues_of[usize::from(cell)], number % 256);
            }
        }
        let mut all = C::EMPTY;
        let mut ruled = C::EMPTY;
        for cell in 0..cells {
            all |= C::one(cell);
            let of_cell = tables.links[cell].iter();
            let of_cell = of_cell
                .map(|link| LinkedCells { image: link.image, cells: C::narrow(&link.cells) });
            links.push(of_cell.collect::<Vec<_>>());
            if !links[cell].is_empty() || clues_of[cell] != [0; 4] {
                ruled |= C::one(cell);
            }
        }
        Self {
            all,
            all_values: tables.size.all_values(),
            houses,
            houses_of,
            peers: tables.peers.iter().map(C::narrow).collect(),
            links,
            images: tables.images.clone(),
            clues: tables.clues.clone(),
            clues_of,
            ruled,
            cells,
        }
    }

    /// The state of a grid with these candidates, nothing drawn from them yet.
    pub fn state(&self, candidates: &[u16]) -> State<C, VALUES> {
        let mut state = State {
            boards: [C::EMPTY; VALUES],
            open: [0; VALUES],
            placed: C::EMPTY,
            stale: self.all,
            due: [0; 4],
            dirty: self.all_values,
            unlocked: 0,
        };
        for (cell, &each) in candidates.iter().enumerate() {
            for value in 0..VALUES {
                if each >> value & 1 == 1 {
                    state.boards[value] |= C::one(cell);
                }
            }
        }
        let houses = u128::MAX.checked_shr(128 - self.houses.len() as u32).unwrap_or(0);
        for value in 0..VALUES {
            if self.all_values >> value & 1 == 1 {
                state.open[value] = houses;
            }
        }
        state
    }

    /// The candidates of each cell.
    pub fn candidates(&self, state: &State<C, VALUES>) -> Vec<u16> {
        (0..self.cells).map(|cell| state.candidates(cell)).collect()
    }

    /// Where to branch in an open state: a cell with two candidates, or else a house with two cells for a value, or
    /// else a cell with the fewest candidates; the first in the order of cells, values and houses.
    fn branch(&self, state: &State<C, VALUES>) -> Branch {
        // `at_least[k]`: the cells with more than `k` candidates.
        let mut at_least = [C::EMPTY; 4];
        for value in 0..VALUES {
            let board = state.boards[value];
            at_least[3] |= at_least[2] & board;
            at_least[2] |= at_least[1] & board;
            at_least[1] |= at_least[0] & board;
            at_least[0] |= board;
        }
        let pairs = at_least[1].minus(at_least[2]);
        if !pairs.is_empty() {
            return self.least_value(state, self.most_linked(pairs));
        }
        for value in 0..VALUES {
            for house in bits(state.open[value]) {
                let places = state.boards[value] & self.houses[house.trailing_zeros() as usize];
                if places.without_first().is_one() {
                    return Branch { cell: places.first(), value };
                }
            }
        }
        let triples = at_least[2].minus(at_least[3]);
        if !triples.is_empty() {
            return self.least_value(state, triples.first());
        }
        let mut rest = at_least[3];
        let mut fewest = rest.first();
        while !rest.is_empty() {
            let cell = rest.first();
            if state.candidates(cell).count_ones() < state.candidates(fewest).count_ones() {
                fewest = cell;
            }
            rest = rest.without_first();
        }
        self.least_value(state, fewest)
    }

    /// The cell that sees the most others of a set.
    fn most_linked(&self, cells: C) -> usize {
        let mut best = cells.first();
        let mut most = 0;
        let mut rest = cells;
        while !rest.is_empty() {
            let cell = rest.first();
            rest = rest.without_first();
            let seen = (self.peers[cell] & cells).count();
            if seen > most {
                most = seen;
                best = cell;
            }
        }
        best
    }

    fn least_value(&self, state: &State<C, VALUES>, cell: usize) -> Branch {
        Branch { cell, value: state.candidates(cell).trailing_zeros() as usize }
    }

    /// The two states below an open one: with the value of the branching, and without it.
    pub fn split(&self, state: &State<C, VALUES>) -> [State<C, VALUES>; 2] {
        let Branch { cell, value } = self.branch(state);
        let mut with = *state;
        with.restrict(cell, 1 << value);
        let mut without = *state;
        without.remove(value, C::one(cell));
        [with, without]
    }
}
