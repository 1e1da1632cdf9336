//! The engine that merges equal states. Items are covered in a fixed order. A state is the set of forbidden bits that options of
//! later items may have: partial covers with equal states have equally many continuations, so they are counted together.
//!
//! ```text
//! states[first item] = { nothing forbidden: 1 }
//! for item in order:
//!     for (forbidden, count) in states[item]:
//!         for option whose first item in the order is this one, without a forbidden bit:
//!             after = forbidden and what the option forbids
//!             next = the first item that is not covered; if there is none, total += count
//!             states[next][after, without the bits that no option of next or later has] += count
//! ```
//!
//! The bit of an item after `next` is kept even if no later option has it: it tells whether the item is covered.

mod order;
mod table;

use order::Ordered;
use table::Table;

use crate::masks::Encoded;
use tallyboard_search::{Halt, Stop};

/// The work of adding a state. The unit of work is a test of an option against a state.
const WORK_OF_A_STATE: u64 = 32;
/// The work between two checks of the stop flag and the limits.
const WORK_BETWEEN_CHECKS: u64 = 1 << 16;
/// The count is given up if the tables of states take more memory.
pub(crate) const MOST_BYTES: usize = 1 << 29;

/// Counts the covers of `encoded` with at most `budget` work: a test of an option against a state is 1.
///
/// # Errors
/// [`Halt`] if the count was stopped, would take more work or memory than allowed, or does not fit in 128 bits.
pub(crate) fn count(encoded: &Encoded, budget: u64, stop: &Stop) -> Result<u128, Halt> {
    match encoded.words {
        1 => merge::<1>(encoded, budget, stop),
        2 => merge::<2>(encoded, budget, stop),
        3 => merge::<3>(encoded, budget, stop),
        4 => merge::<4>(encoded, budget, stop),
        6 => merge::<6>(encoded, budget, stop),
        _ => merge::<8>(encoded, budget, stop),
    }
}

fn merge<const W: usize>(encoded: &Encoded, budget: u64, stop: &Stop) -> Result<u128, Halt> {
    let Ordered { groups, kept } = Ordered::<W>::new(encoded);
    let items = groups.len();
    let mut tables: Vec<Table<W>> = (0..items).map(|_| Table::default()).collect();
    let Some(first) = tables.first_mut() else { return Ok(1) };
    first.add([0; W], 1, encoded.arithmetic);
    let mut bytes = first.bytes();
    let arithmetic = encoded.arithmetic;
    let mut total = 0_u128;
    let mut work = 0;
    let mut next_check = 0;
    for (item, group) in groups.iter().enumerate() {
        let states = std::mem::take(&mut tables[item]);
        bytes -= states.bytes();
        for (forbidden, count) in states.iter() {
            work += group.len() as u64;
            for option in group {
                if intersects(&option.mask, &forbidden) {
                    continue;
                }
                let mut after = forbidden;
                (0..W).for_each(|i| after[i] |= option.forbidden[i]);
                let next = first_open(&after, items);
                if next == items {
                    total = arithmetic.add(total, count).ok_or(Halt::Overflow)?;
                    continue;
                }
                let kept = &kept[next];
                (0..W).for_each(|i| after[i] &= kept[i]);
                let before = tables[next].bytes();
                if !tables[next].add(after, count, arithmetic) {
                    return Err(Halt::Overflow);
                }
                bytes += tables[next].bytes() - before;
                work += WORK_OF_A_STATE;
            }
            if work >= next_check {
                stop.check()?;
                next_check = work + WORK_BETWEEN_CHECKS;
                if work >= budget || bytes > MOST_BYTES {
                    return Err(Halt::Limit);
                }
            }
        }
    }
    Ok(total)
}

fn intersects<const W: usize>(a: &[u64; W], b: &[u64; W]) -> bool {
    (0..W).fold(0, |common, i| common | a[i] & b[i]) != 0
}

/// The first item that is not covered; `items` if all are covered. The items are the lowest bits.
fn first_open<const W: usize>(covered: &[u64; W], items: usize) -> usize {
    for (i, word) in covered.iter().enumerate() {
        if *word != u64::MAX {
            return items.min(64 * i + word.trailing_ones() as usize);
        }
    }
    items
}
