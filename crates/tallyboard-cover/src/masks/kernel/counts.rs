//! Dropping options, and counting the options of each item.

use tallyboard_base::array::array;

use super::{Lanes, is_zero};
use crate::masks::workspace::List;

/// For each item, the number of live options that cover it, in four binary digits. The last digit is set if the number is 8 or
/// more.
pub struct Counts<const W: usize> {
    pub digits: [[u64; W]; 4],
}

impl<const W: usize> Counts<W> {
    /// The items that some option covers.
    #[inline(always)]
    pub fn union(&self) -> [u64; W] {
        let d = &self.digits;
        array(|i| d[0][i] | d[1][i] | d[2][i] | d[3][i])
    }

    /// The items that one option covers.
    #[inline(always)]
    pub fn singles(&self) -> [u64; W] {
        let d = &self.digits;
        array(|i| d[0][i] & !(d[1][i] | d[2][i] | d[3][i]))
    }

    /// The items of `open` that the fewest options cover; `None` if each has 8 or more.
    #[inline(always)]
    pub fn least(&self, open: [u64; W]) -> Option<[u64; W]> {
        let mut least: [u64; W] = array(|i| open[i] & !self.digits[3][i]);
        if is_zero(&least) {
            return None;
        }
        for digit in (0..3).rev() {
            let fewer: [u64; W] = array(|i| least[i] & !self.digits[digit][i]);
            let none = is_zero(&fewer);
            least = array(|i| if none { least[i] } else { fewer[i] });
        }
        Some(least)
    }
}

/// Copies the options of `from` without forbidden bits to `to`, and counts the options of each item.
///
/// # Safety
/// The CPU has the instructions of `V`; the arrays of both lists lie in the arena, with room for as many options as
/// `from` has, rounded up to whole vectors of eight.
#[inline(always)]
pub unsafe fn pass<V: Lanes, const W: usize>(
    arena: *mut u64,
    from: List,
    to: &mut List,
    forbidden: [u64; W],
) -> Counts<W> {
    // SAFETY: the caller's promise. What is written is no longer than what was read: if `to` begins where `from` does,
    // no vector is overwritten before it is read.
    unsafe {
        let forbidden: [V; W] = array(|i| V::splat(forbidden[i]));
        let mut digits = [[V::splat(0); 4]; W];
        let mut len = 0;
        let mut at = 0;
        while at < from.len {
            let words: [V; W] = array(|i| V::load(arena.add(from.begin + i * from.stride + at)));
            let mut clash = words[0].and(forbidden[0]);
            for i in 1..W {
                clash = clash.or_and(words[i], forbidden[i]);
            }
            let live = V::both(clash.zeros(), V::first(from.len - at));
            for i in 0..W {
                words[i].squeeze(live, arena.add(to.begin + i * to.stride + len));
                let kept = words[i].keep(live);
                let d = &mut digits[i];
                let twos = d[0].and(kept);
                let fours = d[1].and(twos);
                d[3] = d[3].or_and(d[2], fours);
                d[2] = d[2].xor(fours);
                d[1] = d[1].xor(twos);
                d[0] = d[0].xor(kept);
            }
            len += V::bits(live).count_ones() as usize;
            at += V::N;
        }
        to.len = len;
        across::<V, W>(digits)
    }
}

/// The union of the options of `list` without forbidden bits.
///
/// # Safety
/// As of [`pass`].
#[inline(always)]
pub unsafe fn union_of_live<V: Lanes, const W: usize>(
    arena: *const u64,
    list: List,
    forbidden: [u64; W],
) -> [u64; W] {
    // SAFETY: the caller's promise; an array of eight words holds a vector.
    unsafe {
        let forbidden: [V; W] = array(|i| V::splat(forbidden[i]));
        let mut union = [V::splat(0); W];
        let mut at = 0;
        while at < list.len {
            let words: [V; W] = array(|i| V::load(arena.add(list.begin + i * list.stride + at)));
            let mut clash = words[0].and(forbidden[0]);
            for i in 1..W {
                clash = clash.or_and(words[i], forbidden[i]);
            }
            let live = V::both(clash.zeros(), V::first(list.len - at));
            for i in 0..W {
                union[i] = union[i].or(words[i].keep(live));
            }
            at += V::N;
        }
        array(|i| {
            let mut all = union[i];
            if V::STAGES > 0 {
                all = all.or(all.other_half::<0>());
            }
            if V::STAGES > 1 {
                all = all.or(all.other_half::<1>());
            }
            if V::STAGES > 2 {
                all = all.or(all.other_half::<2>());
            }
            let mut lanes = [0; 8];
            all.store(lanes.as_mut_ptr());
            lanes[0]
        })
    }
}

/// Adds the counts of the lanes.
#[inline(always)]
unsafe fn across<V: Lanes, const W: usize>(mut digits: [[V; 4]; W]) -> Counts<W> {
    let mut vectors = W;
    if V::STAGES > 0 {
        vectors = halve::<V, W, 0>(&mut digits, vectors);
    }
    if V::STAGES > 1 {
        vectors = halve::<V, W, 1>(&mut digits, vectors);
    }
    if V::STAGES > 2 {
        vectors = halve::<V, W, 2>(&mut digits, vectors);
    }
    // SAFETY: an array of eight words holds a vector.
    unsafe {
        let mut lanes = [[[0_u64; 8]; 4]; W];
        let mut i = 0;
        while i < vectors {
            digits[i][0].store(lanes[i][0].as_mut_ptr());
            digits[i][1].store(lanes[i][1].as_mut_ptr());
            digits[i][2].store(lanes[i][2].as_mut_ptr());
            digits[i][3].store(lanes[i][3].as_mut_ptr());
            i += 1;
        }
        Counts {
            digits: array(|d| {
                array(|word| {
                    let (vector, lane) = V::place(word);
                    lanes[vector][d][lane]
                })
            }),
        }
    }
}

/// Adds the two halves of the lanes of each vector, so that two vectors become one. The number of vectors and the stage
/// are constants, and no loop is left.
#[inline(always)]
fn halve<V: Lanes, const W: usize, const STAGE: usize>(
    digits: &mut [[V; 4]; W],
    vectors: usize,
) -> usize {
    // A single vector is folded with itself, which takes one permutation and not two.
    if vectors == 1 && (W == 1 || STAGE + 1 == V::STAGES) {
        let a = digits[0];
        digits[0] = add([
            (a[0], a[0].other_half::<STAGE>()),
            (a[1], a[1].other_half::<STAGE>()),
            (a[2], a[2].other_half::<STAGE>()),
            (a[3], a[3].other_half::<STAGE>()),
        ]);
        return 1;
    }
    let halved = vectors.div_ceil(2);
    let mut i = 0;
    while i < halved {
        let a = digits[2 * i];
        let b = if 2 * i + 1 < vectors { digits[2 * i + 1] } else { a };
        digits[i] = add([
            V::fold::<STAGE>(a[0], b[0]),
            V::fold::<STAGE>(a[1], b[1]),
            V::fold::<STAGE>(a[2], b[2]),
            V::fold::<STAGE>(a[3], b[3]),
        ]);
        i += 1;
    }
    halved
}

/// The sums of pairs of numbers of four binary digits. The last digit of a sum is set if it is 8 or more.
#[inline(always)]
fn add<V: Lanes>([ones, twos, fours, eights]: [(V, V); 4]) -> [V; 4] {
    let two = ones.0.and(ones.1);
    let four = twos.0.majority(twos.1, two);
    let eight = fours.0.majority(fours.1, four);
    [
        ones.0.xor(ones.1),
        twos.0.xor3(twos.1, two),
        fours.0.xor3(fours.1, four),
        eights.0.or(eights.1).or(eight),
    ]
}

/// The digits of a count in [`least_of_many`]: a list has fewer than 2^32 options.
const DIGITS: usize = 32;

/// The items of `open` that the fewest options cover, if each has 8 or more: counts with as many digits as are needed.
///
/// # Safety
/// As of [`pass`].
#[inline(always)]
pub unsafe fn least_of_many<V: Lanes, const W: usize>(
    arena: *const u64,
    list: List,
    open: [u64; W],
) -> [u64; W] {
    // The digits of the largest count of a lane, and of all lanes together.
    let in_a_lane = list.len.div_ceil(V::N);
    let lane_digits = (usize::BITS - in_a_lane.leading_zeros()) as usize;
    let digits = (usize::BITS - list.len.leading_zeros()) as usize;
    let mut sums = [[0_u64; W]; DIGITS];
    let mut word = 0;
    while word < W {
        // SAFETY: the caller's promise.
        let total = unsafe { count_exactly::<V>(arena, list, word, lane_digits, digits) };
        let mut digit = 0;
        while digit < digits {
            sums[digit][word] = total[digit];
            digit += 1;
        }
        word += 1;
    }
    let mut least = open;
    let mut digit = digits;
    while digit > 0 {
        digit -= 1;
        let fewer: [u64; W] = array(|i| least[i] & !sums[digit][i]);
        let none = is_zero(&fewer);
        least = array(|i| if none { least[i] } else { fewer[i] });
    }
    least
}

/// For each bit of a word, the number of options that have it, in binary digits.
///
/// # Safety
/// As of [`pass`].
#[inline(always)]
unsafe fn count_exactly<V: Lanes>(
    arena: *const u64,
    list: List,
    word: usize,
    lane_digits: usize,
    digits: usize,
) -> [u64; DIGITS] {
    // SAFETY: the caller's promise; an array of eight words holds a vector.
    unsafe {
        let zero = V::splat(0);
        let mut sums = [zero; DIGITS];
        let begin = list.begin + word * list.stride;
        let mut at = 0;
        while at < list.len {
            let mut carry = V::load(arena.add(begin + at)).keep(V::first(list.len - at));
            let mut digit = 0;
            while digit < lane_digits {
                let sum = sums[digit];
                sums[digit] = sum.xor(carry);
                carry = sum.and(carry);
                digit += 1;
            }
            at += V::N;
        }
        if V::STAGES > 0 {
            sum_halves::<V, 0>(&mut sums, digits);
        }
        if V::STAGES > 1 {
            sum_halves::<V, 1>(&mut sums, digits);
        }
        if V::STAGES > 2 {
            sum_halves::<V, 2>(&mut sums, digits);
        }
        let mut total = [0; DIGITS];
        let mut digit = 0;
        while digit < digits {
            let mut lanes = [0_u64; 8];
            sums[digit].store(lanes.as_mut_ptr());
            total[digit] = lanes[0];
            digit += 1;
        }
        total
    }
}

/// Adds the two halves of the lanes of a number.
///
/// # Safety
/// The CPU has the instructions of `V`.
#[inline(always)]
unsafe fn sum_halves<V: Lanes, const STAGE: usize>(sums: &mut [V; DIGITS], digits: usize) {
    // SAFETY: the caller's promise.
    let mut carry = unsafe { V::splat(0) };
    let mut digit = 0;
    while digit < digits {
        let (a, b) = V::fold::<STAGE>(sums[digit], sums[digit]);
        sums[digit] = a.xor3(b, carry);
        carry = a.majority(b, carry);
        digit += 1;
    }
}
