//! The known counts, with which finished counts are compared.

use crate::wrapped::Surface;

/// For n = 1 to 27: Q(n), the number of all solutions (OEIS A000170), and the number of solutions up to rotation
/// and reflection (OEIS A002562).
const KNOWN: [(u64, u64); 27] = [
    (1, 1),
    (0, 0),
    (0, 0),
    (2, 1),
    (10, 2),
    (4, 1),
    (40, 6),
    (92, 12),
    (352, 46),
    (724, 92),
    (2_680, 341),
    (14_200, 1_787),
    (73_712, 9_233),
    (365_596, 45_752),
    (2_279_184, 285_053),
    (14_772_512, 1_846_955),
    (95_815_104, 11_977_939),
    (666_090_624, 83_263_591),
    (4_968_057_848, 621_012_754),
    (39_029_188_884, 4_878_666_808),
    (314_666_222_712, 39_333_324_973),
    (2_691_008_701_644, 336_376_244_042),
    (24_233_937_684_440, 3_029_242_658_210),
    (227_514_171_973_736, 28_439_272_956_934),
    (2_207_893_435_808_352, 275_986_683_743_434),
    (22_317_699_616_364_044, 2_789_712_466_510_289),
    (234_907_967_154_122_528, 29_363_495_934_315_694),
];

fn known(n: u32) -> Option<(u64, u64)> {
    KNOWN.get(usize::try_from(n).ok()?.checked_sub(1)?).copied()
}

/// The number of all solutions on the plain n × n board, if it is known (n = 1 to 27; OEIS A000170).
///
/// ```
/// # mod tallyboard { pub mod queens { pub use ::tallyboard_queens::{*, front::*}; } }
/// assert_eq!(tallyboard::queens::known::solutions(8), Some(92));
/// assert_eq!(tallyboard::queens::known::solutions(28), None);
/// ```
pub fn solutions(n: u32) -> Option<u128> {
    Some(known(n)?.0.into())
}

/// For odd n = 1, 5, 7, 11 … that 3 does not divide: the solutions on a torus (OEIS A007705). For other n there are none.
const ON_TORUS: [u64; 11] = [
    1,
    10,
    28,
    88,
    4_524,
    140_692,
    820_496,
    128_850_048,
    1_957_725_000,
    605_917_055_356,
    13_404_947_681_712,
];

/// For n = 1 to 16: the solutions on a Möbius band (OEIS A137279).
const ON_MOBIUS: [u64; 16] = [
    1,
    4,
    0,
    16,
    40,
    192,
    560,
    3_328,
    11_772,
    63_840,
    259_336,
    1_550_976,
    7_169_656,
    42_410_256,
    234_044_160,
    1_366_190_592,
];

/// The number of all solutions on a board of n × n squares with glued edges, if it is known: on a torus and a cylinder for
/// n = 1 to 34, on a Möbius band for n = 1 to 16.
#[doc(hidden)]
pub fn solutions_on(surface: Surface, n: u32) -> Option<u128> {
    let known = match surface {
        Surface::Cylinder | Surface::Torus if n > 34 => None,
        Surface::Cylinder | Surface::Torus => match n % 6 {
            // 1, 5, 7, 11 … in turn.
            1 | 5 => ON_TORUS.get(n as usize / 3).copied(),
            _ => Some(0),
        },
        Surface::Mobius => ON_MOBIUS.get((n as usize).checked_sub(1)?).copied(),
        Surface::Klein => None,
    };
    known.map(Into::into)
}

/// Where [`solutions_on`] has its numbers from.
#[doc(hidden)]
pub fn source_on(surface: Surface) -> &'static str {
    match surface {
        Surface::Cylinder | Surface::Torus => "OEIS A007705",
        Surface::Mobius => "OEIS A137279",
        Surface::Klein => "",
    }
}

/// A finished count that contradicts the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("WRONG COUNT for n = {n}: found {found}, expected {expected} (OEIS A000170)")]
pub struct WrongCount {
    /// The board size.
    pub n: u32,
    /// The count.
    pub found: u128,
    /// What the table says.
    pub expected: u128,
}

/// Compares a finished count of the plain n × n board with the table. Returns whether the table has this n.
///
/// ```
/// use tallyboard_queens::known::check;
/// assert_eq!((check(8, 92), check(28, 92)), (Ok(true), Ok(false)));
/// assert!(check(8, 91).is_err());
/// ```
///
/// # Errors
/// [`WrongCount`] if they differ.
#[doc(hidden)]
pub fn check(n: u32, found: u128) -> Result<bool, WrongCount> {
    match solutions(n) {
        Some(expected) if expected != found => Err(WrongCount { n, found, expected }),
        expected => Ok(expected.is_some()),
    }
}

/// The number of solutions on the plain n × n board up to rotation and reflection, where it is
/// known (n = 1 to 27; OEIS A002562).
///
/// ```
/// # mod tallyboard { pub mod queens { pub use ::tallyboard_queens::{*, front::*}; } }
/// assert_eq!(tallyboard::queens::known::classes(8), Some(12));
/// ```
pub fn classes(n: u32) -> Option<u128> {
    Some(known(n)?.1.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Classes, SymmetricSolutions};
    use tallyboard_search::Stop;

    /// For n = 1 to 27, the solutions that a half turn leaves as they are (OEIS A032522), and those
    /// that a quarter turn does (OEIS A033148).
    const SYMMETRIC: [(u64, u64); 27] = [
        (1, 1),
        (0, 0),
        (0, 0),
        (2, 2),
        (2, 2),
        (4, 0),
        (8, 0),
        (4, 0),
        (16, 0),
        (12, 0),
        (48, 0),
        (80, 8),
        (136, 8),
        (420, 0),
        (1_240, 0),
        (3_000, 64),
        (8_152, 128),
        (18_104, 0),
        (44_184, 0),
        (144_620, 480),
        (375_664, 704),
        (1_250_692, 0),
        (3_581_240, 0),
        (11_675_080, 3_328),
        (34_132_592, 3_264),
        (115_718_268, 0),
        (320_403_024, 0),
    ];

    /// By Burnside's lemma, eight times the number of classes is the sum, over the eight symmetries, of the solutions
    /// that each leaves unchanged: [`Classes::of`] adds up the classes of each size.
    #[test]
    fn all_solutions_and_classes_agree_with_the_symmetric_ones() {
        let known = KNOWN.into_iter().zip(SYMMETRIC);
        for (n, ((all, classes), (half_turn, quarter_turn))) in (1..).zip(known) {
            let symmetric = SymmetricSolutions { half_turn, quarter_turn };
            if n <= 20 {
                let found = SymmetricSolutions::search(n, &Stop::new());
                assert_eq!(found, Ok(symmetric), "n = {n}");
            }
            let by_size = Classes::of(n, all.into(), symmetric).unwrap();
            assert_eq!(by_size.total(), u128::from(classes), "n = {n}");
            assert_eq!(solutions(n), Some(all.into()));
            assert_eq!(super::classes(n), Some(classes.into()));
            assert_eq!(check(n, (all + 1).into()).unwrap_err().expected, u128::from(all));
        }
        assert_eq!((solutions(0), solutions(28), super::classes(28)), (None, None, None));
    }
}
