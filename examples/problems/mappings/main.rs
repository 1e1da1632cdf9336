//! Complete mappings of Z_n: permutations p of 0 to n - 1 for which i + p(i) modulo n is a permutation, too.
//!
//! This count needs no backtracking: its subtrees are parts of a sum. By inclusion and exclusion over the values
//! that i + p(i) may have, the number of these permutations is
//!
//! ```text
//! T(n) = sum over A of (-1)^(n - |A|) per(A)            A: a subset of Z_n
//! per(A) = the number of permutations p with all i + p(i) in A
//!        = sum over B of (-1)^(n - |B|) product over i of (|(A + i) ∩ B| - t)
//! ```
//!
//! If t is 0, the last line is Ryser's formula. It holds for every t: the sum over B is the coefficient of
//! x_1 x_2 … x_n in a product of n linear terms, and constant terms do not change that coefficient.
//!
//! * Maps x -> ux + v (u a unit of Z_n) leave per(A) as it is. One A of each orbit is taken, times the length
//!   of the orbit.
//! * Rotations of B permute the factors. One B of each orbit is taken. If t is |A| / 2, then the complement
//!   of B only changes the sign of every factor, and belongs to its orbit.
//! * If t is |A| / 2, rounded down, then a factor is 0 for most B. `kernel.rs` finds the others, 512 B at once.
//!
//! Terms are positive and negative, but subtotals are unsigned: they are residues modulo a power of two.

#[cfg(target_arch = "x86_64")]
mod avx512;
mod kernel;
mod orbits;

use std::process::ExitCode;

pub use kernel::Kernel;
use kernel::{Instructions, Sets};
use orbits::{gcd, visit_orbits};
use serde::{Deserialize, Serialize};
use tallyboard::program::{Counting, Error, Fact, Resources, Run};
use tallyboard::search::{Costs, Problem, Stop, Stopped, Tally};

/// Count the permutations p of Z_n for which i + p(i) is a permutation, too
#[derive(Debug, Clone, clap::Args, Serialize, Deserialize)]
pub struct Arguments {
    /// Elements of the group, from 1 to 31; there is no such permutation if n is even
    n: u32,

    /// The instructions to use
    #[arg(long, value_enum, default_value_t)]
    kernel: Kernel,
}

impl Counting for Arguments {
    fn run(&self, _: &Resources) -> Result<Run, Error> {
        if !(1..=31).contains(&self.n) {
            return Err(format!("found n = {}, expected 1 to 31", self.n).into());
        }
        let mappings = Mappings::new(self.n, self.kernel);
        let kernel = mappings.instructions.name();
        let title = format!("complete mappings of Z_{}", self.n);
        Ok(Run::new(mappings).title(title).detail("kernel", kernel))
    }

    fn known(&self) -> Option<u128> {
        match self.n {
            n if n.is_multiple_of(2) => Some(0),
            21 => Some(5_778_121_715_415),
            25 => Some(41_609_568_918_940_625),
            _ => None,
        }
    }

    fn source(&self) -> &'static str {
        "OEIS A006717"
    }

    fn noun(&self) -> &'static str {
        "mapping"
    }

    fn methods(&self) -> Vec<Box<dyn Counting>> {
        let with = |kernel| Box::new(Self { kernel, ..self.clone() }) as Box<dyn Counting>;
        [Kernel::Portable, Kernel::Best].map(with).into()
    }

    /// One mapping in n has p(0) = 0. The number of these is odd (but 0 if n is even). It is divisible by 3 unless n is
    /// 1 modulo 3. It is -2 modulo n if n is prime, and divisible by n otherwise. OEIS A003111 lists these laws, of
    /// Cavenagh, McKay, McLeod, Stones and Wanless.
    fn check(&self, solutions: u128, _: &Stop) -> Result<Vec<Fact>, Error> {
        let n = u128::from(self.n);
        let fixed = solutions / n;
        let is_prime = (2..n).all(|divisor| !n.is_multiple_of(divisor));
        let laws = [
            solutions.is_multiple_of(n),
            if n.is_multiple_of(2) { solutions == 0 } else { fixed % 2 == 1 },
            n <= 3 || n % 3 == 1 || fixed.is_multiple_of(3),
            n == 2
                || if is_prime { (fixed + 2).is_multiple_of(n) } else { fixed.is_multiple_of(n) },
        ];
        match laws.iter().position(|holds| !holds) {
            Some(law) => Err(format!("WRONG COUNT: {solutions} breaks law {}", law + 1).into()),
            None => {
                let text = format!("{fixed} of them with p(0) = 0, a number that obeys its laws");
                Ok(vec![Fact { key: "fixed", value: fixed.to_string().into(), text }])
            }
        }
    }
}

/// Upper bound on the number of subtrees. At n = 27 each takes about 0.2 s.
const MAX_SUBTREES: usize = 4096;

/// Blocks of sets B that all A of a subtree use in turn. A block has 70 bytes, so they stay in the second-level
/// cache.
const BLOCKS_PER_ROUND: usize = 4096;

/// The complete mappings of Z_n. Each subtree takes the sets A at every 4,096th place of their list.
pub struct Mappings {
    n: u32,
    instructions: Instructions,
    /// A set A of each orbit, and the length of the orbit.
    orbits: Vec<(u32, u32)>,
    /// The sets B, for A of even and of odd size.
    sets: [Sets; 2],
}

impl Mappings {
    /// For n from 1 to 31.
    pub fn new(n: u32, kernel: Kernel) -> Self {
        let units: Vec<u32> = (1..=n).filter(|&u| gcd(n, u) == 1).collect();
        let mut orbits = Vec::new();
        visit_orbits(n, &units, false, |set, length| orbits.push((set, length)));
        let sets = [true, false].map(|complements| {
            let mut sets = Sets::new();
            visit_orbits(n, &[1], complements, |set, length| sets.add(set, length));
            sets
        });
        Self { n, instructions: Instructions::of(kernel), orbits, sets }
    }

    fn subtrees(&self) -> usize {
        self.orbits.len().min(MAX_SUBTREES)
    }

    /// The sets A of a subtree, and the lengths of their orbits.
    fn sets_of(&self, subtree: usize) -> impl Iterator<Item = (u32, u32)> {
        self.orbits.iter().skip(subtree).step_by(self.subtrees()).copied()
    }
}

/// The sign of a set of this size in the inclusion and exclusion.
fn sign(n: u32, size: u32) -> i128 {
    if (n - size).is_multiple_of(2) { 1 } else { -1 }
}

impl Problem for Mappings {
    fn identity(&self) -> String {
        format!("complete mappings n={} algorithm=1 layout=1", self.n)
    }

    fn subtrees(&self) -> usize {
        Self::subtrees(self)
    }

    fn split(&self) -> Costs {
        // An A of odd size has twice as many sets B.
        let cost = |(set, _): (u32, u32)| 1 + u64::from(set.count_ones() % 2);
        Costs::new((0..self.subtrees()).map(|id| self.sets_of(id).map(cost).sum()).collect())
    }

    /// A power of two above n!, and so above the count. 4,096 residues add up to less than 2^126.
    fn modulus(&self) -> Option<u128> {
        let permutations: u128 = (1..=u128::from(self.n)).product();
        Some((permutations + 1).next_power_of_two())
    }

    fn count(&self, subtree: usize, stop: &Stop) -> Result<Tally, Stopped> {
        let sets_a: Vec<(u32, u32)> = self.sets_of(subtree).collect();
        let mut permanents = vec![0i128; sets_a.len()];
        for (parity, sets) in self.sets.iter().enumerate() {
            for round in sets.rounds(BLOCKS_PER_ROUND) {
                for (&(a, _), permanent) in sets_a.iter().zip(&mut permanents) {
                    if a.count_ones() as usize % 2 == parity {
                        stop.check()?;
                        // Modulo 2^128, of which the modulus is a divisor.
                        let part = self.instructions.sum(self.n, a, round);
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

fn main() -> ExitCode {
    tallyboard::program::main::<Arguments>("mappings", "21")
}
