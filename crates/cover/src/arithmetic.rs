//! How counts are added up: exactly, or modulo a number.

/// Sums of counts.
///
/// Modulo `m` a count is 0 if there is nothing, and otherwise one of 1 to `m` in its residue class. So 0 still means
/// that nothing was found, which memo and frontier rely on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Arithmetic {
    /// The modulus, at least 2; 0 for exact sums, and [`UNTIL_FOUND`].
    modulus: u64,
}

/// Stands for sums that do not fit as soon as there is a cover.
const UNTIL_FOUND: u64 = 1;

impl Arithmetic {
    /// Sums that are 0 or do not fit: a search ends at the first cover that it comes to below its root.
    pub fn until_found() -> Self {
        Self { modulus: UNTIL_FOUND }
    }

    /// Sums modulo a number of at least 2, or exact ones.
    pub fn new(modulus: Option<u64>) -> Self {
        Self { modulus: modulus.unwrap_or(0) }
    }

    /// The modulus.
    pub fn modulus(self) -> Option<u64> {
        (self.modulus != 0).then_some(self.modulus)
    }

    /// The sum of two counts; `None` if it does not fit in 128 bits.
    #[inline(always)]
    pub fn add(self, a: u128, b: u128) -> Option<u128> {
        let sum = a.checked_add(b)?;
        let modulus = self.modulus as u128;
        if modulus == 0 || sum == 0 {
            return Some(sum);
        }
        if self.modulus == UNTIL_FOUND {
            return None;
        }
        Some(if sum > modulus { sum - modulus } else { sum })
    }

    /// A number of solutions as a count.
    pub fn count(self, solutions: u128) -> u128 {
        match (self.modulus(), solutions.checked_sub(1)) {
            (Some(modulus), Some(less)) => less % u128::from(modulus) + 1,
            _ => solutions,
        }
    }

    /// The number of solutions, or its residue, from a count.
    pub fn solutions(self, count: u128) -> u128 {
        self.modulus().map_or(count, |modulus| count % u128::from(modulus))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_modulo_a_number_are_zero_for_nothing_alone() {
        let arithmetic = Arithmetic::new(Some(5));
        for a in 0..20 {
            for b in 0..20 {
                let sum = arithmetic.add(arithmetic.count(a), arithmetic.count(b)).unwrap();
                assert_eq!(sum, arithmetic.count(a + b));
                assert_eq!(arithmetic.solutions(sum), (a + b) % 5);
                assert_eq!(sum == 0, a + b == 0, "{a} + {b}");
            }
        }
        let largest = Arithmetic::new(Some(u64::MAX));
        assert_eq!(largest.add(u64::MAX.into(), u64::MAX.into()), Some(u64::MAX.into()));
    }

    #[test]
    fn sums_until_something_is_found_hold_nothing_else() {
        let arithmetic = Arithmetic::until_found();
        assert_eq!(arithmetic.add(0, 0), Some(0));
        for (a, b) in [(0, 1), (1, 0), (2, 3)] {
            assert_eq!(arithmetic.add(a, b), None);
        }
    }

    #[test]
    fn exact_sums_end_at_128_bits() {
        let exact = Arithmetic::new(None);
        assert_eq!(exact.add(u128::MAX - 1, 1), Some(u128::MAX));
        assert_eq!(exact.add(u128::MAX, 1), None);
        assert_eq!(exact.solutions(exact.count(7)), 7);
    }
}
