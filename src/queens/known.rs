//! The counts that are known, to check finished runs against.

/// Q(n), the number of all solutions, for n = 1 to 27. Source: OEIS A000170.
const SOLUTIONS: [u64; 27] = [
    1,
    0,
    0,
    2,
    10,
    4,
    40,
    92,
    352,
    724,
    2_680,
    14_200,
    73_712,
    365_596,
    2_279_184,
    14_772_512,
    95_815_104,
    666_090_624,
    4_968_057_848,
    39_029_188_884,
    314_666_222_712,
    2_691_008_701_644,
    24_233_937_684_440,
    227_514_171_973_736,
    2_207_893_435_808_352,
    22_317_699_616_364_044,
    234_907_967_154_122_528,
];

/// The number of all solutions on the plain n × n board, where it is known (n = 1 to 27;
/// OEIS A000170).
///
/// ```
/// assert_eq!(tallyboard::queens::known::solutions(8), Some(92));
/// assert_eq!(tallyboard::queens::known::solutions(28), None);
/// ```
pub fn solutions(n: u32) -> Option<u128> {
    let index = usize::try_from(n).ok()?.checked_sub(1)?;
    SOLUTIONS.get(index).map(|&count| count.into())
}
