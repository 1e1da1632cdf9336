//! The order of the items, on which the number of states depends most.

use tallyboard_base::bits::bits;

use crate::masks::Encoded;

/// An option, with the bits of items in the order in which they are covered.
#[derive(Debug, Clone, Copy)]
pub(super) struct OrderedOption<const W: usize> {
    pub mask: [u64; W],
    /// The bits that later options must not have.
    pub forbidden: [u64; W],
}

/// A problem whose items are covered in the order of their bits.
#[derive(Debug)]
pub(super) struct Ordered<const W: usize> {
    /// For each item, the options whose first item it is.
    pub groups: Vec<Vec<OrderedOption<W>>>,
    /// For each item, the bits of a state in which it is the first item that is not covered. Other bits make no difference.
    pub kept: Vec<[u64; W]>,
}

impl<const W: usize> Ordered<W> {
    /// Orders the items as they are or greedily, whichever has fewer estimated states.
    pub fn new(encoded: &Encoded) -> Self {
        let items: Vec<usize> = (0..64 * W).filter(|&bit| has(&encoded.open, bit)).collect();
        let greedy = Self::in_order(encoded, &greedy::<W>(encoded, &items));
        let given = Self::in_order(encoded, &items);
        if greedy.estimated_states() < given.estimated_states() { greedy } else { given }
    }

    fn in_order(encoded: &Encoded, order: &[usize]) -> Self {
        // The new place of each bit. The items have the lowest bits before and after, so the other bits stay in their places.
        let mut new_places: Vec<usize> = (0..64 * W).collect();
        order.iter().enumerate().for_each(|(place, &item)| new_places[item] = place);
        let mut groups = vec![Vec::new(); order.len()];
        for mask in encoded.masks.chunks_exact(W) {
            let forbidden = encoded.forbidden(mask);
            let option = OrderedOption {
                mask: permuted(mask, &new_places),
                forbidden: permuted(&forbidden, &new_places),
            };
            let first = (0..order.len()).find(|&item| has(&option.mask, item));
            // Each option has an item.
            if let Some(first) = first {
                groups[first].push(option);
            }
        }
        // A state keeps the bits of later options, and those of all items. The bits of items before the first one that is not
        // covered are set in all states, so they make no further states.
        let mut later = [0; W];
        (0..order.len()).for_each(|item| later[item / 64] |= 1 << (item % 64));
        let mut kept = vec![[0; W]; order.len()];
        for item in (0..order.len()).rev() {
            for option in &groups[item] {
                (0..W).for_each(|i| later[i] |= option.mask[i]);
            }
            kept[item] = later;
        }
        Self { groups, kept }
    }

    /// An upper estimate of the number of states: for each item 2^n, where n is the number of bits that earlier options can set
    /// and that its states keep.
    fn estimated_states(&self) -> f64 {
        let mut before = [0; W];
        let mut states = 0.0;
        // The earlier items, whose bits are set in all states of an item.
        let mut earlier = 0.0;
        for (group, kept) in self.groups.iter().zip(&self.kept) {
            let width: u32 = (0..W).map(|i| (before[i] & kept[i]).count_ones()).sum();
            states += (f64::from(width) - earlier).exp2();
            earlier += 1.0;
            for option in group {
                (0..W).for_each(|i| before[i] |= option.forbidden[i]);
            }
        }
        states
    }
}

fn has(mask: &[u64], bit: usize) -> bool {
    mask[bit / 64] >> (bit % 64) & 1 == 1
}

/// `mask` with each bit in its new place.
fn permuted<const W: usize>(mask: &[u64], new_places: &[usize]) -> [u64; W] {
    let mut permuted = [0; W];
    for (i, &word) in mask.iter().enumerate() {
        for bit in bits(word) {
            let place = new_places[64 * i + bit.trailing_zeros() as usize];
            permuted[place / 64] |= 1 << (place % 64);
        }
    }
    permuted
}

/// A greedy order: each next item is one whose options have the fewest bits that no option of the items before has. Of several
/// items, it is the one that such an option covered first.
fn greedy<const W: usize>(encoded: &Encoded, items: &[usize]) -> Vec<usize> {
    // The bits that some option of each item has.
    let mut reach = vec![[0_u64; W]; 64 * W];
    for mask in encoded.masks.chunks_exact(W) {
        for &item in items.iter().filter(|&&item| has(mask, item)) {
            (0..W).for_each(|i| reach[item][i] |= mask[i]);
        }
    }
    let mut reached = [0_u64; W];
    // For each item, the step at which it was reached.
    let mut reached_at = vec![usize::MAX; 64 * W];
    let mut left: Vec<usize> = items.to_vec();
    let mut order = Vec::with_capacity(items.len());
    loop {
        let new_bits = |item: usize| -> u32 {
            (0..W).map(|i| (reach[item][i] & !reached[i]).count_ones()).sum()
        };
        let best = (0..left.len())
            .min_by_key(|&place| (new_bits(left[place]), reached_at[left[place]], left[place]));
        let Some(best) = best else { break };
        let item = left.remove(best);
        (0..W).for_each(|i| reached[i] |= reach[item][i]);
        for &other in &left {
            if has(&reached, other) && reached_at[other] == usize::MAX {
                reached_at[other] = order.len();
            }
        }
        order.push(item);
    }
    order
}
