//! The engine that merges equal states: items are covered in a fixed order, and what was chosen matters only as far as
//! later options can clash with it.
//!
//! ```text
//! states[first item] = { nothing forbidden: 1 }
//! for item in order:
//!     for (forbidden, count) in states[item]:
//!         for option whose first item in the order is this one, without a forbidden bit:
//!             after = forbidden and what the option forbids
//!             next = the first item that is not covered; if there is none, total += count
//!             states[next][after, less what no option of next or later has] += count
//! ```
//!
//! A bit of an item that is still to be covered stays, though no option may have it any more: it tells whether the item
//! is covered.

mod order;
mod table;

use order::Ordered;
use table::Table;

use crate::masks::Encoded;
use search::{Halt, Stop};

/// What a new state costs, in tests of an option against a state.
const COST_OF_A_STATE: u64 = 32;
/// Tests between two looks at the flag.
const WORK_BETWEEN_POLLS: u64 = 1 << 16;
/// More states than this are given up.
pub(crate) const MOST_BYTES: usize = 1 << 29;

/// The end of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The number of covers.
    Count(u128),
    /// It would have taken more work or memory than it might.
    GivenUp,
}

/// Counts the covers of `encoded` with at most `budget` work: a test of an option against a state is 1.
///
/// # Errors
/// [`Halt`] if the count was stopped, or does not fit in 128 bits.
pub(crate) fn count(encoded: &Encoded, budget: u64, stop: &Stop) -> Result<Outcome, Halt> {
    match encoded.words {
        1 => merge::<1>(encoded, budget, stop),
        2 => merge::<2>(encoded, budget, stop),
        3 => merge::<3>(encoded, budget, stop),
        4 => merge::<4>(encoded, budget, stop),
        6 => merge::<6>(encoded, budget, stop),
        _ => merge::<8>(encoded, budget, stop),
    }
}

fn merge<const W: usize>(encoded: &Encoded, budget: u64, stop: &Stop) -> Result<Outcome, Halt> {
    let ordered = Ordered::<W>::new(encoded);
    let items = ordered.items();
    let mut tables: Vec<Table<W>> = (0..items).map(|_| Table::new()).collect();
    let Some(first) = tables.first_mut() else { return Ok(Outcome::Count(1)) };
    first.add([0; W], 1, encoded.arithmetic);
    let mut bytes = first.bytes();
    let arithmetic = encoded.arithmetic;
    let mut total = 0_u128;
    let mut work = 0;
    let mut due = 0;
    for item in 0..items {
        let states = std::mem::replace(&mut tables[item], Table::new());
        bytes -= states.bytes();
        for (forbidden, count) in states.iter() {
            work += ordered.group(item).len() as u64;
            for option in ordered.group(item) {
                if meets(&option.mask, &forbidden) {
                    continue;
                }
                let mut after = forbidden;
                (0..W).for_each(|i| after[i] |= option.forbidden[i]);
                let next = first_open(&after, items);
                if next == items {
                    total = arithmetic.add(total, count).ok_or(Halt::Overflow)?;
                    continue;
                }
                let kept = ordered.kept(next);
                (0..W).for_each(|i| after[i] &= kept[i]);
                let before = tables[next].bytes();
                if !tables[next].add(after, count, arithmetic) {
                    return Err(Halt::Overflow);
                }
                bytes += tables[next].bytes() - before;
                work += COST_OF_A_STATE;
            }
            if work >= due {
                stop.check()?;
                due = work + WORK_BETWEEN_POLLS;
                if work >= budget || bytes > MOST_BYTES {
                    return Ok(Outcome::GivenUp);
                }
            }
        }
    }
    Ok(Outcome::Count(total))
}

fn meets<const W: usize>(a: &[u64; W], b: &[u64; W]) -> bool {
    (0..W).fold(0, |met, i| met | a[i] & b[i]) != 0
}

/// The first of the items, which are the lowest bits, that is not covered; `items` if all are.
fn first_open<const W: usize>(covered: &[u64; W], items: usize) -> usize {
    for (i, word) in covered.iter().enumerate() {
        if *word != u64::MAX {
            return items.min(64 * i + word.trailing_ones() as usize);
        }
    }
    items
}
