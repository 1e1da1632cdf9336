//! Orders of the items. How many states there are depends on nothing so much.

use crate::masks::Encoded;

/// An option whose items are numbered by the order.
#[derive(Debug, Clone, Copy)]
pub(super) struct Option<const W: usize> {
    pub mask: [u64; W],
    /// The bits that it forbids.
    pub forbidden: [u64; W],
}

/// A problem whose items are covered in the order of their bits.
#[derive(Debug)]
pub(super) struct Ordered<const W: usize> {
    /// The options, by their first items.
    groups: Vec<Vec<Option<W>>>,
    /// For each item, the bits that matter as long as it is the first that is not covered.
    kept: Vec<[u64; W]>,
}

impl<const W: usize> Ordered<W> {
    /// In the better of two orders: the one given, and a greedy one.
    pub fn new(encoded: &Encoded) -> Self {
        let items: Vec<usize> = (0..64 * W).filter(|&bit| has(&encoded.open, bit)).collect();
        let greedy = Self::in_order(encoded, &greedy::<W>(encoded, &items));
        let given = Self::in_order(encoded, &items);
        if greedy.states() < given.states() { greedy } else { given }
    }

    fn in_order(encoded: &Encoded, order: &[usize]) -> Self {
        // Where each bit goes: the items first, in their order. Bits of other kinds stay where they are, since the
        // items were the lowest ones before, too.
        let mut to: Vec<usize> = (0..64 * W).collect();
        order.iter().enumerate().for_each(|(place, &item)| to[item] = place);
        let mut groups = vec![Vec::new(); order.len()];
        for mask in encoded.masks.chunks_exact(W) {
            let forbidden = encoded.forbidden(mask);
            let option = Option { mask: moved(mask, &to), forbidden: moved(&forbidden, &to) };
            let first = (0..order.len()).find(|&item| has(&option.mask, item));
            // Each option has an item.
            if let Some(first) = first {
                groups[first].push(option);
            }
        }
        // All items before the first that is not covered are covered: their bits are the same in all states.
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

    pub fn items(&self) -> usize {
        self.groups.len()
    }

    pub fn group(&self, item: usize) -> &[Option<W>] {
        &self.groups[item]
    }

    pub fn kept(&self, item: usize) -> &[u64; W] {
        &self.kept[item]
    }

    /// An upper estimate of the number of states: two for each bit that is both set before and looked at later, over
    /// all items.
    fn states(&self) -> f64 {
        let mut before = [0; W];
        let mut states = 0.0;
        // The items that are covered for certain.
        let mut passed = 0.0;
        for (group, kept) in self.groups.iter().zip(&self.kept) {
            let width: u32 = (0..W).map(|i| (before[i] & kept[i]).count_ones()).sum();
            states += (f64::from(width) - passed).exp2();
            passed += 1.0;
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

fn moved<const W: usize>(mask: &[u64], to: &[usize]) -> [u64; W] {
    let mut moved = [0; W];
    for (i, &word) in mask.iter().enumerate() {
        let mut rest = word;
        while rest != 0 {
            let bit = to[64 * i + rest.trailing_zeros() as usize];
            moved[bit / 64] |= 1 << (bit % 64);
            rest &= rest - 1;
        }
    }
    moved
}

/// An order that always goes on with the item whose options reach the fewest new items; of several, the one that was
/// reached first.
fn greedy<const W: usize>(encoded: &Encoded, items: &[usize]) -> Vec<usize> {
    // The bits of all options of each item.
    let mut reach = vec![[0_u64; W]; 64 * W];
    for mask in encoded.masks.chunks_exact(W) {
        for &item in items.iter().filter(|&&item| has(mask, item)) {
            (0..W).for_each(|i| reach[item][i] |= mask[i]);
        }
    }
    let mut reached = [0_u64; W];
    let mut when = vec![usize::MAX; 64 * W];
    let mut left: Vec<usize> = items.to_vec();
    let mut order = Vec::with_capacity(items.len());
    while !left.is_empty() {
        let new_bits = |item: usize| -> u32 {
            (0..W).map(|i| (reach[item][i] & !reached[i]).count_ones()).sum()
        };
        let best = (0..left.len())
            .min_by_key(|&place| (new_bits(left[place]), when[left[place]], left[place]));
        let Some(best) = best else { break };
        let item = left.remove(best);
        (0..W).for_each(|i| reached[i] |= reach[item][i]);
        for &other in &left {
            if has(&reached, other) && when[other] == usize::MAX {
                when[other] = order.len();
            }
        }
        order.push(item);
    }
    order
}
