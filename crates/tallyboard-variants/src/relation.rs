//! What two values may be side by side: a relation, and the table that the engine reads.

use std::fmt;

use crate::size::Size;

/// A relation between the values of two cells. All are symmetric.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Relation {
    Consecutive,
    NotConsecutive,
    Double,
    NotDouble,
    SumIs(u32),
    SumIsNot(u32),
}

impl Relation {
    /// Whether the two values, from 1, may be in the two cells.
    pub fn allows(self, first: u32, second: u32) -> bool {
        match self {
            Self::Consecutive => first.abs_diff(second) == 1,
            Self::NotConsecutive => first.abs_diff(second) != 1,
            Self::Double => first == 2 * second || second == 2 * first,
            Self::NotDouble => first != 2 * second && second != 2 * first,
            Self::SumIs(sum) => first + second == sum,
            Self::SumIsNot(sum) => first + second != sum,
        }
    }

    /// For each set of values of a cell, a bit each, the values that its neighbour may have beside one of them.
    pub fn image(self, size: Size) -> Vec<u16> {
        let side = size.side() as u32;
        let mut beside_value = [0_u16; 16];
        for first in 1..=side {
            for second in 1..=side {
                if self.allows(first, second) {
                    beside_value[first as usize - 1] |= 1 << (second - 1);
                }
            }
        }
        let sets = 1_usize << side;
        let mut image = vec![0_u16; sets];
        for set in 1..sets {
            // The set without its least value is smaller, so its image is there.
            let least = set.trailing_zeros() as usize;
            image[set] = image[set & (set - 1)] | beside_value[least];
        }
        image
    }
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Consecutive => f.write_str("consecutive values"),
            Self::NotConsecutive => f.write_str("no consecutive values"),
            Self::Double => f.write_str("one value twice the other"),
            Self::NotDouble => f.write_str("no value twice the other"),
            Self::SumIs(sum) => write!(f, "the sum {sum}"),
            Self::SumIsNot(sum) => write!(f, "another sum than {sum}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_image_of_a_set_is_that_of_its_values() {
        let relations = [
            Relation::Consecutive,
            Relation::NotConsecutive,
            Relation::Double,
            Relation::NotDouble,
            Relation::SumIs(5),
            Relation::SumIsNot(10),
        ];
        let size = Size::new(6).unwrap();
        for relation in relations {
            let image = relation.image(size);
            assert_eq!(image.len(), 64);
            for set in 0..64_u16 {
                for second in 1..=6 {
                    let some = (1..=6)
                        .any(|first| set >> (first - 1) & 1 == 1 && relation.allows(first, second));
                    assert_eq!(image[set as usize] >> (second - 1) & 1 == 1, some);
                }
            }
        }
    }
}
