//! How counts are added up: exactly, or modulo a number.

/// The addition of counts.
///
/// Modulo `m`, the count of no covers is 0, and any other count is the number from 1 to `m` in its residue class. So 0 means
/// that there is no cover, also modulo `m`: the memo and the frontier rely on that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Arithmetic {
    /// The modulus, at least 2; or 0 for exact sums, or [`UNTIL_FOUND`].
    modulus: u64,
}

/// In place of a modulus: sums overflow as soon as there is a cover.
const UNTIL_FOUND: u64 = 1;

impl Arithmetic {
    /// Every sum that is not 0 overflows, so that a search ends at the first cover below its root.
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

    /// The product of two counts; `None` if it does not fit in 128 bits.
    pub fn multiply(self, a: u128, b: u128) -> Option<u128> {
        match self.modulus() {
            // Both are at most the modulus, which has 64 bits.
            Some(_) => Some(self.count(a * b)),
            None => a.checked_mul(b),
        }
    }

    /// A number of solutions as a count.
    pub fn count(self, solutions: u128) -> u128 {
        match self.modulus() {
            Some(modulus) if solutions > 0 => (solutions - 1) % u128::from(modulus) + 1,
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
        for a in 0..20 {
            for b in 0..20 {
                let product = arithmetic.multiply(arithmetic.count(a), arithmetic.count(b));
                assert_eq!(product, Some(arithmetic.count(a * b)), "{a} x {b}");
            }
        }
        let largest = Arithmetic::new(Some(u64::MAX));
        assert_eq!(largest.multiply(u64::MAX.into(), u64::MAX.into()), Some(u64::MAX.into()));
        assert_eq!(largest.add(u64::MAX.into(), u64::MAX.into()), Some(u64::MAX.into()));
    }

    #[test]
    fn sums_until_a_cover_is_found_overflow_at_the_first_one() {
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
        assert_eq!(exact.multiply(u128::MAX / 3, 3), Some(u128::MAX));
        assert_eq!(exact.multiply(1 << 64, 1 << 64), None);
        assert_eq!(exact.solutions(exact.count(7)), 7);
    }
}
