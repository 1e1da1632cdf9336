//! The independent parts of a partly filled grid: connected components of its blank cells.

use crate::grid::PEERS;
use crate::single::GridState;
use tallyboard_base::bits::bits;

/// Only states with at most this many blank cells are examined: others hardly ever have several parts.
const MAX_BLANKS: usize = 48;

/// The independent parts of `state`, whose numbers of solutions multiply; `None` if there is one. Two blank cells are
/// connected if they share a house and a candidate. `state` must have no singles left.
pub fn components(state: &GridState) -> Option<Vec<GridState>> {
    let blank = state.blank_cells();
    if blank.is_empty() || blank.len() > MAX_BLANKS {
        return None;
    }
    let mut cells_with = [0_u128; 9];
    for &cell in blank {
        for bit in bits(state.candidates(cell.into())) {
            cells_with[bit.trailing_zeros() as usize] |= 1 << cell;
        }
    }
    let all = blank.iter().fold(0_u128, |all, &cell| all | 1 << cell);
    let mut parts = Vec::new();
    let mut unassigned = all;
    while unassigned != 0 {
        let first = unassigned & unassigned.wrapping_neg();
        let connected = flood(state, &cells_with, first);
        if connected == all {
            return None;
        }
        let own: Vec<u16> =
            blank.iter().copied().filter(|&cell| connected >> cell & 1 != 0).collect();
        parts.push(state.restricted_to(&own));
        unassigned &= !connected;
    }
    Some(parts)
}

/// The cells connected with those of `start`; `cells_with` has the blank cells with each candidate.
fn flood(state: &GridState, cells_with: &[u128; 9], start: u128) -> u128 {
    let mut reached = start;
    let mut frontier = start;
    while frontier != 0 {
        let cell = frontier.trailing_zeros() as usize;
        frontier &= frontier - 1;
        let sharing = bits(state.candidates(cell))
            .fold(0, |sharing, bit| sharing | cells_with[bit.trailing_zeros() as usize]);
        let new = PEERS[cell] & sharing & !reached;
        reached |= new;
        frontier |= new;
    }
    reached
}
