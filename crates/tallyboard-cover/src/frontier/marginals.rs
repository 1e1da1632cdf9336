//! How many covers use each option, by states that are merged: forward and backward sums.
//!
//! The forward sum of a state is the number of ways to come to it, as in the count; its backward sum is the number of ways to go on
//! from it. An option that takes a state to a next one is used by forward sum times backward sum of the next one. So
//!
//! ```text
//! forward: as the count, but the states of all items are kept
//! for item in order, the last first:
//!     for (state, ways) in states[item]:
//!         for option that the state allows, which leads to the state `next`:
//!             uses[option] += ways * backward[next]
//!             backward[state] += backward[next]
//! ```
//!
//! Layout and cost: a state is its words and two numbers of 128 bits, and all states are kept: as many words as the count
//! has in all its tables together, and 16 bytes more for each state. The backward pass tests each option against each state once more, and
//! looks the next state up where the count adds to it.

use super::{
    FEWEST_ENTRIES, Limits, MOST_BYTES, Merge, Ordered, Table, WORK_BETWEEN_CHECKS, first_open,
    hash_words, intersects,
};
use crate::masks::Encoded;
use tallyboard_search::{Halt, Stop};

/// The number of covers of `encoded`, and for each of its masks the number of those that use it.
///
/// # Errors
/// [`Halt::Limit`] if all states take too much memory, [`Halt::Overflow`], [`Halt::Stopped`].
pub(crate) fn tally(encoded: &Encoded, stop: &Stop) -> Result<(u128, Vec<u128>), Halt> {
    match encoded.words {
        1 => tally_words::<1>(encoded, stop),
        2 => tally_words::<2>(encoded, stop),
        3 => tally_words::<3>(encoded, stop),
        4 => tally_words::<4>(encoded, stop),
        6 => tally_words::<6>(encoded, stop),
        _ => tally_words::<8>(encoded, stop),
    }
}

/// [`tally`] in the order that is estimated to have fewer states, or in the other one if that needs too much memory.
fn tally_words<const W: usize>(encoded: &Encoded, stop: &Stop) -> Result<(u128, Vec<u128>), Halt> {
    let [likely, other] = Ordered::<W>::both(encoded);
    match in_order(encoded, likely, stop) {
        Err(Halt::Limit) => in_order(encoded, other, stop),
        ended => ended,
    }
}

fn in_order<const W: usize>(
    encoded: &Encoded,
    ordered: Ordered<W>,
    stop: &Stop,
) -> Result<(u128, Vec<u128>), Halt> {
    let mut merge = Merge::new(ordered, encoded.arithmetic);
    let items = merge.tables.len();
    let limits = Limits { until: u64::MAX, budget: u64::MAX, most_bytes: MOST_BYTES };
    let mut kept: Vec<Table<W>> = Vec::with_capacity(items);
    let mut bytes = 0;
    while merge.done < items {
        let states = merge.tables[merge.done].clone();
        bytes += states.bytes();
        if bytes > MOST_BYTES {
            return Err(Halt::Limit);
        }
        kept.push(states);
        merge.cover(limits, stop).map_err(|ended| ended.why)?;
        merge.done += 1;
    }
    let mut uses = vec![0; encoded.len()];
    if merge.total > 0 {
        add_backward(&merge.ordered, &kept, &mut uses, stop)?;
    }
    Ok((merge.total, uses))
}

/// Adds up the uses of all options from the last item to the first. Every product and every sum is at most the number of
/// covers, but for those of states from which no way goes on.
fn add_backward<const W: usize>(
    ordered: &Ordered<W>,
    tables: &[Table<W>],
    uses: &mut [u128],
    stop: &Stop,
) -> Result<(), Halt> {
    let items = tables.len();
    let mut backward: Vec<Vec<u128>> = tables.iter().map(|_| Vec::new()).collect();
    let mut work = 0;
    for item in (0..items).rev() {
        let group = &ordered.groups[item];
        let mut sums = vec![0_u128; tables[item].entries.len()];
        let mut of_options = vec![0_u128; group.len()];
        for (&(forbidden, ways), sum) in tables[item].entries.iter().zip(&mut sums) {
            // An entry without ways is empty.
            if ways == 0 {
                continue;
            }
            for (option, of_option) in group.iter().zip(&mut of_options) {
                if intersects(&option.mask, &forbidden) {
                    continue;
                }
                let mut after = forbidden;
                (0..W).for_each(|i| after[i] |= option.forbidden[i]);
                let next = first_open(&after, items);
                let ways_on = if next == items {
                    1
                } else {
                    (0..W).for_each(|i| after[i] &= ordered.kept[next][i]);
                    backward[next][tables[next].index(&after)]
                };
                let used = ways.checked_mul(ways_on).ok_or(Halt::Overflow)?;
                *of_option = of_option.checked_add(used).ok_or(Halt::Overflow)?;
                *sum = sum.checked_add(ways_on).ok_or(Halt::Overflow)?;
            }
            work += group.len() as u64;
            if work >= WORK_BETWEEN_CHECKS {
                stop.check()?;
                work = 0;
            }
        }
        backward[item] = sums;
        for (&number, of_option) in ordered.numbers[item].iter().zip(of_options) {
            uses[number] = of_option;
        }
    }
    Ok(())
}

impl<const W: usize> Table<W> {
    /// The index of a state that is in the table.
    fn index(&self, state: &[u64; W]) -> usize {
        debug_assert!(self.entries.len() >= FEWEST_ENTRIES);
        let mask = self.entries.len() - 1;
        let mut index = hash_words(state) as usize & mask;
        while self.entries[index].0 != *state || self.entries[index].1 == 0 {
            index = (index + 1) & mask;
        }
        index
    }
}
