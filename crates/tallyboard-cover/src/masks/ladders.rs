//! Items that may be covered several times: each has a ladder of bits.
//!
//! A ladder has as many rungs as options may cover the item, one bit above the other in one word. The open rungs are the lowest
//! ones, one for each further option that may cover the item. An option of the item has all rungs, and closes the highest open
//! one. When no rung is open, the lowest is forbidden, and with it all options of the item.

use super::MAX_WORDS;
use super::bits::Window;
use tallyboard_base::array::array;

/// The most rungs of a ladder.
pub(super) const MOST_RUNGS: u32 = 64;

/// The ladders of a problem, as masks of `W` words.
#[derive(Debug, Clone, Copy)]
pub struct Ladders<const W: usize = MAX_WORDS> {
    /// The lowest rungs.
    lowest: [u64; W],
    /// The rungs with another rung of their ladder above them.
    linked: [u64; W],
    /// For each bit, how many options its item needs while the bit is open, in four binary digits as in
    /// `Counts` of the kernels: the last one is set for 8 or more, without the others. An item that is covered once
    /// needs one.
    needs: [[u64; W]; 4],
}

impl Ladders {
    /// No ladder: all open bits are of items that are covered once.
    pub fn none() -> Self {
        let mut needs = [[0; MAX_WORDS]; 4];
        needs[0] = [u64::MAX; MAX_WORDS];
        Self { lowest: [0; MAX_WORDS], linked: [0; MAX_WORDS], needs }
    }

    /// Adds the ladder of an item that is covered at least `low` and at most `high` times, from the bit `first` on. All rungs are
    /// in one word.
    pub fn add(&mut self, first: usize, low: u32, high: u32) {
        let word = first / 64;
        for rung in 0..high {
            let bit = 1 << (first as u32 % 64 + rung);
            if rung == 0 {
                self.lowest[word] |= bit;
            }
            if rung + 1 < high {
                self.linked[word] |= bit;
            }
            // With this rung open, the item may be covered `rung + 1` times, of which as many are needed as `low` is below `high`.
            let need = (rung + 1).saturating_sub(high - low).min(8);
            for (digit, needs) in self.needs.iter_mut().enumerate() {
                needs[word] = needs[word] & !bit | if need >> digit & 1 == 1 { bit } else { 0 };
            }
        }
    }

    /// The first `V` words.
    #[inline(always)]
    pub fn first<const V: usize>(&self) -> Ladders<V> {
        Ladders {
            lowest: array(|i| self.lowest[i]),
            linked: array(|i| self.linked[i]),
            needs: array(|digit| array(|i| self.needs[digit][i])),
        }
    }
}

impl<const W: usize> Ladders<W> {
    /// All rungs of word `i`.
    #[inline(always)]
    pub fn rungs(&self, i: usize) -> u64 {
        self.lowest[i] | self.linked[i] << 1
    }

    /// The bits of word `i` that stay open when an option with `mask` is chosen, where `open` are open.
    #[inline(always)]
    pub fn open_after(&self, i: usize, open: u64, mask: u64) -> u64 {
        open & !mask | (open & mask) >> 1 & self.linked[i]
    }

    /// The rungs of word `i` that an option with `mask` forbids, behind which `open` are open.
    #[inline(always)]
    pub fn forbidden(&self, i: usize, mask: u64, open: u64) -> u64 {
        mask & self.lowest[i] & !open
    }

    /// Whether no item that is still open needs an option. Then no option is live either, because each covers an item that is
    /// covered once.
    #[inline(always)]
    pub fn is_done(&self, open: &[u64; W]) -> bool {
        let mut needed = 0;
        for i in 0..W {
            needed |= open[i] & self.needed(i);
        }
        needed == 0
    }

    #[inline(always)]
    pub fn needed(&self, i: usize) -> u64 {
        let needs = &self.needs;
        needs[0][i] | needs[1][i] | needs[2][i] | needs[3][i]
    }

    /// The open bits whose item needs all of its options; `None` if one needs more than it has. `counts` are the numbers of
    /// options, as digits like those of what is needed.
    #[inline(never)]
    pub fn forced(&self, counts: &[[u64; W]; 4], open: &[u64; W]) -> Option<[u64; W]> {
        let mut forced = [0; W];
        let mut lacking = 0;
        for i in 0..W {
            let (mut fewer, mut equal) = (0, u64::MAX);
            for digit in 0..3 {
                let (count, need) = (counts[digit][i], self.needs[digit][i]);
                fewer = !count & need | !(count ^ need) & fewer;
                equal &= !(count ^ need);
            }
            let few = open[i] & !counts[3][i];
            let is_many_needed = self.needs[3][i];
            lacking |= few & (is_many_needed | fewer);
            forced[i] = few & !is_many_needed & equal & self.needed(i);
        }
        (lacking == 0).then_some(forced)
    }

    /// The open items to branch on: those that exactly one more option has to cover. Behind an option of another item, which
    /// more than one may cover, options of the item could be chosen in any order.
    #[inline(never)]
    pub fn branches(&self, open: &[u64; W]) -> [u64; W] {
        array(|i| {
            let higher = self.linked[i] << 1;
            let with_higher = open[i] >> 1 & self.linked[i];
            open[i] & self.needed(i) & !higher & !with_higher
        })
    }

    /// The ladders of masks that are packed through `window`, which keeps the bits in `kept`; `None` if a ladder would get into
    /// two words.
    #[inline(never)]
    pub(super) fn packed(&self, window: &Window, kept: &[u64; W]) -> Option<Ladders> {
        let pack = |mask: &[u64; W]| {
            let mut packed = [0; MAX_WORDS];
            window.extract(mask, &mut packed);
            packed
        };
        let linked: [u64; W] = array(|i| self.linked[i] & kept[i] & kept[i] >> 1);
        let linked = pack(&linked);
        let is_whole = linked.iter().all(|linked| linked >> 63 == 0);
        let needs = array(|digit| pack(&self.needs[digit]));
        is_whole.then(|| Ladders { lowest: pack(&self.lowest), linked, needs })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is needed and what stays open, against plain numbers.
    #[test]
    fn rungs_count_down() {
        for high in 1..=12_u32 {
            for low in 0..=high {
                let mut ladders = Ladders::none();
                ladders.add(5, low, high);
                let ladders = ladders.first::<1>();
                let mask = ((1_u64 << high) - 1) << 5;
                // Two items beside the ladder stay as they are.
                let mut open = mask | 1 << 4 | 1 << (5 + high);
                for left in (0..high).rev() {
                    open = ladders.open_after(0, open, mask);
                    assert_eq!(open & mask, ((1 << left) - 1) << 5, "{low} {high}");
                    assert_eq!(ladders.forbidden(0, mask, open) != 0, left == 0);
                    let needed = left.saturating_sub(high - low);
                    assert_eq!(ladders.is_done(&[open & mask]), needed == 0);
                    let is_branch = ladders.branches(&[open]) == [open];
                    assert_eq!(is_branch, left == 0 || left == 1 && low == high, "{low} {high}");
                    for count in 0..=9_u32 {
                        let digits: [[u64; 1]; 4] = array(|digit| {
                            let is_set =
                                if digit == 3 { count >= 8 } else { count >> digit & 1 == 1 };
                            [if is_set { mask } else { 0 }]
                        });
                        let found = ladders.forced(&digits, &[open & mask]);
                        if needed < 8 {
                            let all = needed == count && needed > 0;
                            let expected = (count >= needed).then_some([if all {
                                1 << (4 + left)
                            } else {
                                0
                            }]);
                            assert_eq!(found, expected, "{low} {high} {left} {count}");
                        } else {
                            assert_eq!(found, (count >= 8).then_some([0]));
                        }
                    }
                }
                assert_eq!(open, 1 << 4 | 1 << (5 + high));
            }
        }
    }
}
