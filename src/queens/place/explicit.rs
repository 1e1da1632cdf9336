//! A solution written down at once, for every board but 2 and 3.
//!
//! Even columns first, then the odd ones; for n = 2 or 3 (mod 6) the two runs meet badly and are
//! mended at their ends. With columns counted from 1 and m = n mod 6:
//!
//! - even: 2, 4, 6, ... as far as the board goes; if m = 3 the leading 2 goes to the end;
//! - odd: 1, 3, 5, ...; if m = 2 it starts 3, 1, 7, 9, 11, ... and ends with 5; if m = 3 it starts
//!   5, 7, 9, ... and ends with 1, 3.
//!
//! The construction was published by E. Pauls (Deutsche Schachzeitung, 1874) in a similar form;
//! the one here is the usual one of the textbooks.

/// The columns of a solution, row by row from 0, or `None` for n = 2 and 3.
///
/// Costs a few operations a row and no memory, so it can be written out for any n.
///
/// ```
/// use tallyboard::queens::place::explicit;
///
/// assert_eq!(explicit(8).unwrap().collect::<Vec<_>>(), [1, 3, 5, 7, 2, 0, 6, 4]);
/// assert!(explicit(3).is_none());
/// ```
pub fn explicit(n: u32) -> Option<Explicit> {
    super::exists(n).then(|| Explicit { runs: runs(n), at: 0 })
}

/// The iterator of [`explicit`].
#[derive(Clone, Debug)]
pub struct Explicit {
    runs: [Progression; 6],
    at: usize,
}

/// Columns `next, next + 2, ...`, `left` of them: all that the construction is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progression {
    /// Its first column, from 0.
    pub next: u32,
    /// How many columns it has.
    pub left: u32,
}

impl Explicit {
    /// The rest of the columns as runs in steps of 2, for writers that format a run faster than
    /// its columns one by one.
    pub fn runs(&self) -> impl Iterator<Item = Progression> + '_ {
        self.runs[self.at.min(self.runs.len())..].iter().copied().filter(|run| run.left > 0)
    }
}

/// The runs for a board of n (not 2 or 3), columns counted from 0, so that the odd ones come first.
fn runs(n: u32) -> [Progression; 6] {
    let run = |next, left| Progression { next, left };
    let (evens, odds) = (n / 2, n - n / 2);
    let none = run(0, 0);
    match n % 6 {
        2 => [run(1, evens), run(2, 1), run(0, 1), run(6, odds - 3), run(4, 1), none],
        3 => [run(3, evens - 1), run(1, 1), run(4, odds - 2), run(0, 2), none, none],
        _ => [run(1, evens), run(0, odds), none, none, none, none],
    }
}

impl Iterator for Explicit {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        loop {
            let run = self.runs.get_mut(self.at)?;
            if run.left > 0 {
                let column = run.next;
                run.left -= 1;
                // Wraps only past the last column of the largest board, which is never read.
                run.next = run.next.wrapping_add(2);
                return Some(column);
            }
            self.at += 1;
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.runs().map(|run| run.left as usize).sum();
        (left, Some(left))
    }
}

impl ExactSizeIterator for Explicit {}

#[cfg(test)]
mod tests {
    use super::super::check;
    use super::*;

    #[test]
    fn every_board_up_to_2000() {
        for n in (0..=2000).filter(|&n| super::super::exists(n)) {
            let columns: Vec<u32> = explicit(n).unwrap().collect();
            assert_eq!(columns.len(), n as usize);
            assert_eq!(check(&columns), Ok(()), "n = {n}");
        }
    }

    #[test]
    fn none_for_2_and_3() {
        assert!(explicit(2).is_none());
        assert!(explicit(3).is_none());
    }

    #[test]
    fn the_length_is_known_from_the_start() {
        let mut columns = explicit(1_000_000_000).unwrap();
        assert_eq!(columns.len(), 1_000_000_000);
        assert_eq!(columns.nth(4), Some(9));
        assert_eq!(columns.len(), 999_999_995);
        assert_eq!(explicit(u32::MAX).unwrap().len(), u32::MAX as usize);
    }
}
