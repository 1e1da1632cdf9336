//! The ordered partitions of nine digits into three sets of three, and the relations between them.

use std::sync::LazyLock;

use tallyboard_base::array::array;
use tallyboard_base::bits::bits;

/// The number of partitions: 9! / 3!^3.
pub const PARTITION_COUNT: usize = 1680;
/// The number of partitions whose i-th set shares no digit with the i-th set of a given one, for each i.
const PARTNERS_PER_PARTITION: usize = 56;
/// The number of partitions that cross a given one: each of their sets shares one digit with each of its sets.
const CROSSINGS_PER_PARTITION: usize = 216;

/// All nine digits; digit 1 is bit 0.
pub const ALL: u16 = 0x1ff;

/// All partitions and their relations. The number of a partition is its index in `parts`.
pub struct Partitions {
    /// The three sets of each partition.
    pub parts: Vec<[u16; 3]>,
    /// For each partition and digit, the index (0 to 2) of the partition's set that has the digit.
    pub places: Vec<[u8; 9]>,
    /// For each partition, `[other, third]` for all such pairs: the i-th sets of the three together have all nine digits,
    /// for each i.
    pub partners: Vec<[[u16; 2]; PARTNERS_PER_PARTITION]>,
    /// For each partition, the partitions that cross it. If it is the columns of a box, these are the possible rows.
    pub crossing: Vec<[u16; CROSSINGS_PER_PARTITION]>,
    ranks: Ranks,
}

/// The partitions, made when first needed (some milliseconds).
pub static PARTITIONS: LazyLock<Partitions> = LazyLock::new(Partitions::new);

impl Partitions {
    fn new() -> Self {
        let parts: Vec<[u16; 3]> = partitions().collect();
        let place = |[_, second, third]: [u16; 3], digit: usize| {
            (second >> digit & 1) as u8 + 2 * (third >> digit & 1) as u8
        };
        let places = parts.iter().map(|&parts| array(|digit| place(parts, digit))).collect();
        let ranks = Ranks::new();
        let partners = parts.iter().map(|&parts| partners(parts, &ranks)).collect();
        let crossing = parts.iter().map(|&parts| crossing(parts, &ranks)).collect();
        Self { parts, places, partners, crossing, ranks }
    }

    /// The number of the partition into these sets.
    pub fn number(&self, parts: [u16; 3]) -> u16 {
        self.ranks.rank(parts)
    }
}

/// All partitions, ascending.
pub fn partitions() -> impl Iterator<Item = [u16; 3]> {
    triples(ALL).flat_map(|first| {
        let rest = ALL & !first;
        triples(rest).map(move |second| [first, second, rest & !second])
    })
}

/// The sets of three digits within a set, ascending.
pub fn triples(set: u16) -> impl Iterator<Item = u16> {
    (0..=set).filter(move |&part| part & !set == 0 && part.count_ones() == 3)
}

/// Finds the number of a partition.
struct Ranks {
    /// The rank of a set of three among the 84 sets of nine digits.
    among_nine: [u16; 512],
    /// The same among the 20 sets of six digits.
    among_six: [u16; 64],
}

impl Ranks {
    fn new() -> Self {
        let mut among_nine = [0; 512];
        let mut among_six = [0; 64];
        triples(ALL).zip(0..).for_each(|(set, rank)| among_nine[usize::from(set)] = rank);
        triples(0x3f).zip(0..).for_each(|(set, rank)| among_six[usize::from(set)] = rank);
        Self { among_nine, among_six }
    }

    fn rank(&self, [first, second, _]: [u16; 3]) -> u16 {
        let packed = packed(second, ALL & !first);
        self.among_nine[usize::from(first)] * 20 + self.among_six[usize::from(packed)]
    }
}

/// The digits of `set`, numbered anew by their ranks among those of `within`, which contains it.
pub fn packed(set: u16, within: u16) -> u16 {
    bits(set).fold(0, |packed, bit| packed | 1 << (within & (bit - 1)).count_ones())
}

fn partners([a, b, c]: [u16; 3], ranks: &Ranks) -> [[u16; 2]; PARTNERS_PER_PARTITION] {
    let candidates = triples(ALL & !a).flat_map(|first| {
        triples(ALL & !b & !first).map(move |second| [first, second, ALL & !first & !second])
    });
    collect_array(candidates.filter(|[.., third]| third & c == 0).map(|parts| {
        let [first, second, third] = parts;
        let taken = [a | first, b | second, c | third];
        [ranks.rank(parts), ranks.rank(array(|i| ALL & !taken[i]))]
    }))
}

fn crossing(parts: [u16; 3], ranks: &Ranks) -> [u16; CROSSINGS_PER_PARTITION] {
    collect_array(across(parts).flat_map(|first| {
        let rows = across(array(|i| parts[i] & !first));
        rows.map(move |second| ranks.rank([first, second, ALL & !first & !second]))
    }))
}

fn collect_array<T: std::fmt::Debug, const N: usize>(items: impl Iterator<Item = T>) -> [T; N] {
    items.collect::<Vec<_>>().try_into().expect("each partition has as many")
}

/// The sets with one digit of each part.
pub fn across([a, b, c]: [u16; 3]) -> impl Iterator<Item = u16> {
    bits(a).flat_map(move |a| bits(b).flat_map(move |b| bits(c).map(move |c| a | b | c)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_relation_is_what_it_says() {
        let Partitions { parts, partners, crossing, .. } = &*PARTITIONS;
        assert_eq!(parts.len(), PARTITION_COUNT);
        for (number, own) in parts.iter().enumerate().step_by(7) {
            let avoid = |other: &[u16; 3]| (0..3).all(|i| own[i] & other[i] == 0);
            let cross = |other: &[u16; 3]| {
                own.iter().all(|a| other.iter().all(|b| (a & b).count_ones() == 1))
            };
            let numbers = |holds: &dyn Fn(&[u16; 3]) -> bool| -> Vec<u16> {
                let all = 0..PARTITION_COUNT as u16;
                all.filter(|&other| holds(&parts[usize::from(other)])).collect()
            };
            let mut found: Vec<u16> = partners[number].iter().map(|pair| pair[0]).collect();
            found.sort_unstable();
            assert_eq!(found, numbers(&avoid));
            for &[one, other] in &partners[number] {
                let one = parts[usize::from(one)];
                let other = parts[usize::from(other)];
                assert!((0..3).all(|i| own[i] | one[i] | other[i] == ALL));
            }
            let mut found = crossing[number].to_vec();
            found.sort_unstable();
            assert_eq!(found, numbers(&cross));
        }
    }
}
