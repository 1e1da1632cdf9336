//! Subsets of Z_n, a bit for each element, and their orbits under symmetries.

/// The greatest common divisor.
pub fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Calls `visit` for each orbit of subsets of Z_n under the maps x -> ux + v for all u of `units`, and under complement
/// if `complements`: with the smallest set of the orbit and with its length, in the order of these sets.
pub fn visit_orbits(n: u32, units: &[u32], complements: bool, mut visit: impl FnMut(u32, u32)) {
    let all = u32::MAX >> (32 - n);
    let mut seen = vec![0u64; (1usize << n).div_ceil(64)];
    for set in 0..=all {
        if seen[set as usize / 64] >> (set % 64) & 1 != 0 {
            continue;
        }
        let mut length = 0;
        for &unit in units {
            let elements = (0..n).filter(|element| set >> element & 1 != 0);
            let multiple = elements.map(|element| 1 << (element * unit % n)).sum();
            for image in (0..n).map(|by| rotated(n, multiple, by)) {
                for image in [image, if complements { all ^ image } else { image }] {
                    let word = &mut seen[image as usize / 64];
                    let bit = 1 << (image % 64);
                    length += u32::from(*word & bit == 0);
                    *word |= bit;
                }
            }
        }
        visit(set, length);
    }
}

/// `set` + `by`: each element moved on by `by`, modulo n.
pub fn rotated(n: u32, set: u32, by: u32) -> u32 {
    (set << by | set >> (n - by)) & u32::MAX >> (32 - n)
}
