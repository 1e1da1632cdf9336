//! The independent parts of a partly filled grid: connected components of its blank cells.

use super::single::state::Nine;
use base::bits::bits;

/// Only states with at most this many blank cells are examined: larger ones hardly ever have several parts.
const MAX_BLANKS: usize = 48;

/// The peers of each cell: the other cells of its houses, as bits.
pub static PEERS: [u128; 81] = peers();

const fn peers() -> [u128; 81] {
    let mut peers = [0; 81];
    let mut cell = 0;
    while cell < 81 {
        let at = Nine::HOUSES[cell];
        let mut other = 0;
        while other < 81 {
            let there = Nine::HOUSES[other];
            let shared = at[0] == there[0] || at[1] == there[1] || at[2] == there[2];
            if shared && other != cell {
                peers[cell] |= 1 << other;
            }
            other += 1;
        }
        cell += 1;
    }
    peers
}

/// The independent parts of `state`, whose numbers of solutions multiply; `None` if there is one.
///
/// Two blank cells are connected if they share a house and a candidate. `state` must have no singles
/// left.
pub fn components(state: &Nine) -> Option<Vec<Nine>> {
    let blank = state.blank_cells();
    if blank.len() > MAX_BLANKS {
        return None;
    }
    let mut holds = [0_u128; 9];
    for &cell in blank {
        for bit in bits(state.candidates(cell.into())) {
            holds[bit.trailing_zeros() as usize] |= 1 << cell;
        }
    }
    let all = blank.iter().fold(0_u128, |all, &cell| all | 1 << cell);
    let first = flood(state, &holds, all & all.wrapping_neg());
    if first == all {
        return None;
    }
    let mut parts = vec![part(state, first)];
    let mut rest = all & !first;
    while rest != 0 {
        let next = flood(state, &holds, rest & rest.wrapping_neg());
        parts.push(part(state, next));
        rest &= !next;
    }
    Some(parts)
}

/// The cells connected with those of `start`.
fn flood(state: &Nine, holds: &[u128; 9], start: u128) -> u128 {
    let mut reached = start;
    let mut frontier = start;
    while frontier != 0 {
        let cell = frontier.trailing_zeros() as usize;
        frontier &= frontier - 1;
        let sharing = bits(state.candidates(cell))
            .fold(0, |sharing, bit| sharing | holds[bit.trailing_zeros() as usize]);
        let new = PEERS[cell] & sharing & !reached;
        reached |= new;
        frontier |= new;
    }
    reached
}

fn part(state: &Nine, cells: u128) -> Nine {
    let own: Vec<u16> =
        state.blank_cells().iter().copied().filter(|&cell| cells >> cell & 1 != 0).collect();
    state.restricted_to(&own)
}
