//! A set of classes of grids. The grids of a class are images of each other.

use std::hash::{DefaultHasher, Hasher};

use super::{Grid, canonical};

/// A hash of a class of grids: 96 bits, of which one is always set. The probability that two of ten million
/// classes share a hash is below 2 · 10^-15.
pub type Class = [u32; 3];

/// The class of a grid, which all of its images share.
pub fn class(grid: &Grid) -> Class {
    let form = canonical(grid);
    let hash = |salt: u8| {
        let mut hasher = DefaultHasher::new();
        hasher.write_u8(salt);
        hasher.write(form.cells());
        hasher.finish()
    };
    let low_bits = hash(0);
    let high_bits = hash(1);
    // A class is never `FREE`, because its last word is odd.
    [low_bits as u32, (low_bits >> 32) as u32, high_bits as u32 | 1]
}

/// A set of classes: open addressing with linear probing.
#[derive(Debug, Default)]
pub struct Classes {
    places: Vec<Class>,
    len: usize,
}

/// A place without a class.
const FREE: Class = [0; 3];
/// Places of the first table.
const MIN_PLACES: usize = 1 << 12;

impl Classes {
    /// Adds a class. Returns whether it is new.
    pub(super) fn insert(&mut self, class: Class) -> bool {
        // At a load of four fifths, a new class probes 13 places on average. The table grows by a
        // quarter, so a class takes 15 to 19 bytes.
        if self.len * 5 >= self.places.len() * 4 {
            let places = vec![FREE; MIN_PLACES.max(self.places.len() / 4 * 5)];
            let smaller = std::mem::replace(&mut self.places, places);
            for class in smaller.into_iter().filter(|&class| class != FREE) {
                let place = self.place(class);
                self.places[place] = class;
            }
        }
        let place = self.place(class);
        let is_new = self.places[place] == FREE;
        self.places[place] = class;
        self.len += usize::from(is_new);
        is_new
    }

    /// The place of a class, or the free place where it belongs.
    fn place(&self, class: Class) -> usize {
        let [low, high, _] = class.map(u128::from);
        let mut place = (((high << 32 | low) * self.places.len() as u128) >> 64) as usize;
        while self.places[place] != FREE && self.places[place] != class {
            place = if place + 1 == self.places.len() { 0 } else { place + 1 };
        }
        place
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use tallyboard_base::random::Random;

    #[test]
    fn a_class_is_new_once() {
        let mut classes = Classes::default();
        let mut expected = HashSet::new();
        let random = &mut Random::from_seed(2);
        for _ in 0..100_000 {
            let number = random.below(60_000).wrapping_mul(2_654_435_761);
            let class = [number.wrapping_mul(number | 1), number, 1];
            assert_eq!(classes.insert(class), expected.insert(class));
        }
        assert!(expected.len() > 40_000 && classes.len == expected.len());
        let bytes = classes.places.len() * size_of::<Class>();
        assert!(bytes < 19 * classes.len, "{bytes} bytes for {} classes", classes.len);
    }
}
