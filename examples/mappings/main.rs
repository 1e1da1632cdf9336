//! Complete mappings of Z_n: permutations p of 0 to n - 1 for which i + p(i) modulo n is one, too.
//!
//! A count without backtracking, which shows what a subtree may be. By inclusion and exclusion over the sums
//! that may occur, the number of these permutations is
//!
//! ```text
//! T(n) = sum over A of (-1)^(n - |A|) per(A)            A: a subset of Z_n
//! per(A) = the number of permutations p with all i + p(i) in A
//!        = sum over B of (-1)^(n - |B|) product over i of (|(A + i) ∩ B| - t)
//! ```
//!
//! The last line is Ryser's formula where t is 0. It holds for every t: the sum over B takes the coefficient
//! of x_1 x_2 … x_n of a product of n linear terms, to which a constant term adds nothing.
//!
//! * Maps x -> ux + v (u a unit of Z_n) leave per(A) as it is. One A of each orbit is taken, times the length
//!   of the orbit.
//! * Rotations of B permute the factors. One B of each orbit is taken. If t is |A| / 2, then the complement
//!   of B only changes the sign of every factor, and belongs to its orbit.
//! * If t is |A| / 2, rounded down, then one factor or another is 0 for most B. `kernel.rs` finds the others
//!   among 512 at once.
//!
//! Terms are positive and negative, but subtotals are unsigned: they are residues modulo a power of two.

#[cfg(target_arch = "x86_64")]
mod avx512;
mod kernel;

pub use kernel::Kernel;
use kernel::Sets;
use tallyboard::search::{Costs, Options, Problem, Silent, Stop, Stopped, Tally, run};

/// Limits the subtrees. 4,096 take about 0.2 s each at n = 27.
const MAX_SUBTREES: usize = 4096;

/// Blocks of sets B that all A of a subtree go over in turn: 70 bytes each, so these stay in the second
/// cache.
const BLOCKS_PER_ROUND: usize = 4096;

/// The complete mappings of Z_n. Each subtree takes the sets A at every 4,096th place of their list.
pub struct Mappings {
    n: u32,
    kernel: Kernel,
    /// A set A of each orbit, and the length of the orbit.
    orbits: Vec<(u32, u32)>,
    /// The sets B, for A of even and of odd size.
    sets: [Sets; 2],
}

impl Mappings {
    /// # Panics
    /// If n is not from 1 to 31.
    pub fn new(n: u32, kernel: Kernel) -> Self {
        assert!((1..=31).contains(&n), "found n = {n}, expected 1 to 31");
        let units: Vec<u32> = (1..=n).filter(|&u| gcd(n, u) == 1).collect();
        let mut orbits = Vec::new();
        each_orbit(n, &units, false, |set, length| orbits.push((set, length)));
        let sets = [true, false].map(|complements| {
            let mut sets = Sets::new();
            each_orbit(n, &[1], complements, |set, length| sets.add(set, length));
            sets
        });
        Self { n, kernel, orbits, sets }
    }

    fn subtrees(&self) -> usize {
        self.orbits.len().min(MAX_SUBTREES)
    }

    /// The sets A of a subtree, and the lengths of their orbits.
    fn of_subtree(&self, subtree: usize) -> impl Iterator<Item = (u32, u32)> {
        self.orbits.iter().skip(subtree).step_by(self.subtrees()).copied()
    }
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Calls `visit` with the smallest set of each orbit, in order, and the length of the orbit: of subsets of
/// Z_n under the maps x -> ux + v for all u of `units`, and under complement if `complements`.
fn each_orbit(n: u32, units: &[u32], complements: bool, mut visit: impl FnMut(u32, u32)) {
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
                    let (word, bit) = (&mut seen[image as usize / 64], 1 << (image % 64));
                    length += u32::from(*word & bit == 0);
                    *word |= bit;
                }
            }
        }
        visit(set, length);
    }
}

/// `set` + `by`.
fn rotated(n: u32, set: u32, by: u32) -> u32 {
    (set << by | set >> (n - by)) & u32::MAX >> (32 - n)
}

/// One where the inclusion-exclusion adds a set of this size, minus one where it subtracts one.
fn sign(n: u32, size: u32) -> i128 {
    if (n - size).is_multiple_of(2) { 1 } else { -1 }
}

impl Problem for Mappings {
    fn identity(&self) -> String {
        format!("complete mappings n={} algorithm=1 layout=1", self.n)
    }

    fn split(&self) -> Costs {
        // An A of odd size has twice as many sets B.
        let cost = |(set, _): (u32, u32)| 1 + u64::from(set.count_ones() % 2);
        Costs::new((0..self.subtrees()).map(|id| self.of_subtree(id).map(cost).sum()).collect())
    }

    /// A power of two above n!, and so above the count. 4,096 residues add up to less than 2^126.
    fn modulus(&self) -> Option<u128> {
        let permutations: u128 = (1..=u128::from(self.n)).product();
        Some((permutations + 1).next_power_of_two())
    }

    fn count(&self, subtree: usize, stop: &Stop) -> Result<Tally, Stopped> {
        let sets_a: Vec<(u32, u32)> = self.of_subtree(subtree).collect();
        let mut permanents = vec![0i128; sets_a.len()];
        for (parity, sets) in self.sets.iter().enumerate() {
            for round in sets.rounds(BLOCKS_PER_ROUND) {
                for (&(a, _), permanent) in sets_a.iter().zip(&mut permanents) {
                    if a.count_ones() as usize % 2 == parity {
                        stop.check()?;
                        // Modulo 2^128, of which the modulus is a divisor.
                        let part = self.kernel.sum(self.n, a, round);
                        *permanent = permanent.wrapping_add(part);
                    }
                }
            }
        }
        let terms = sets_a.iter().zip(&permanents).map(|(&(a, length), &permanent)| {
            assert!(
                permanent >= 0,
                "found the permanent {permanent} of {a:b}, expected none below 0"
            );
            permanent.wrapping_mul(sign(self.n, a.count_ones()) * i128::from(length))
        });
        let sum = terms.fold(0i128, i128::wrapping_add) as u128;
        Ok(Tally::new(self.modulus().map_or(sum, |modulus| sum % modulus)))
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let n: u32 = std::env::args().nth(1).map_or(Ok(15), |n| n.parse())?;
    let kernel = if std::env::args().any(|word| word == "portable") {
        Kernel::portable()
    } else {
        Kernel::best()
    };
    let outcome = run(&Mappings::new(n, kernel), &Options::new(), &mut Silent)?;
    let Some(mappings) = outcome.whole() else { return Ok(()) };
    println!("{mappings} complete mappings of Z_{n} in {:?}", outcome.elapsed);
    Ok(())
}
