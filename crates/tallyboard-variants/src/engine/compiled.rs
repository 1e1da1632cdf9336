//! The rules with sets of cells of one width, and the choice of a cell at which the search branches.

use tallyboard_base::bits::bits;

use super::cells::Cells;
use super::state::State;
use crate::clue::Clue;
use crate::tables::{Link, Tables};
use crate::wide::{Set256, insert};

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
    /// The clues of each cell. Clue `n` has number `n % 256`: more than 256 clues share numbers.
    pub clues_of: Vec<Set256>,
    /// The cells with a relation or a clue.
    pub ruled: C,
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
            let links_of_cell = &tables.links[cell];
            let linked = |link: &Link| (link.relation, C::from_wide(&link.cells));
            links.push(links_of_cell.iter().map(linked).collect());
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
            clues_of,
            ruled,
        }
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
        };
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

    /// The branch at a cell: its least candidate.
    fn branch_at(&self, state: &State<C, VALUES>, cell: usize) -> Branch {
        Branch { cell, value: state.candidates(cell).trailing_zeros() as usize }
    }

    /// The two children of an open state: with the value of the branch, and without it.
    pub fn children(&self, state: &State<C, VALUES>) -> [State<C, VALUES>; 2] {
        let Branch { cell, value } = self.branch(state);
        let mut with = *state;
        with.restrict(cell, 1 << value);
        let mut without = *state;
        without.remove(value, C::one(cell));
        [with, without]
    }
}
