//! One round of deduction on a block of boards.
//!
//! ```text
//! what stars exclude goes out:   cells that they touch; of their row, column and region, once these have all their stars
//! lines with no cell to spare:   their cells get stars
//! a region within one line:      other cells of the line go out
//! a column within one region:    other cells of the region go out
//! lines with one cell to spare:  are marked, to branch there
//! ```
//!
//! Lines are rows, columns and regions. Stars of columns are counted by sets: the set `i` has the columns with more than `i`
//! of the cells so far, so that k + 1 sets tell fewer than k, k and more.

use super::lanes::{Lanes, Word};

/// The boards of a block in the middle of their search. Sets of columns are for each row, if nothing else is said.
pub struct Boards<W: Word> {
    /// The number of rows.
    pub size: usize,
    /// The cells that may have a star, those with one included.
    pub possible: Vec<W::Block>,
    /// The cells that have a star.
    pub stars: Vec<W::Block>,
    /// The cells of a region in a row, at `region * size + row`.
    pub regions: Vec<W::Block>,
    /// The open cells of a line with one cell to spare.
    pub in_pair: Vec<W::Block>,
    /// The open cells of two such lines or three.
    pub in_two_pairs: Vec<W::Block>,
    /// What the round finds of each region.
    pub facts: Vec<Facts<W::Block>>,
}

/// What a round finds of a region. Conditions are words of ones or zeros.
#[derive(Clone, Copy)]
pub struct Facts<B> {
    /// The rows with possible cells of the region: a set of rows.
    pub rows: B,
    /// The columns with such cells.
    pub columns: B,
    /// Whether it has all its stars.
    is_full: B,
    /// Whether it has no cell to spare.
    is_forced: B,
    /// Whether it has one cell to spare.
    is_pair: B,
    /// Whether it lies in one row.
    is_in_row: B,
    /// The column in which it lies alone, or none.
    only_column: B,
    /// The columns that the region may not use, because it owns others.
    out: B,
}

/// What a round found, a bit for each lane.
#[derive(Clone, Copy)]
pub struct Found {
    /// The board cannot be completed.
    pub dead: u32,
    /// A cell was still open before the round.
    pub open: u32,
    /// The round decided a cell.
    pub changed: u32,
}

/// [`Found`], a word for each lane: anything but 0 is yes.
struct Verdicts<V> {
    dead: V,
    open: V,
    changed: V,
}

impl<W: Word> Boards<W> {
    /// A block of empty boards.
    pub fn new(size: usize) -> Self {
        let rows = || vec![W::ZEROS; size];
        let none = W::ZEROS;
        let facts = Facts {
            rows: none,
            columns: none,
            is_full: none,
            is_forced: none,
            is_pair: none,
            is_in_row: none,
            only_column: none,
            out: none,
        };
        Self {
            size,
            possible: rows(),
            stars: rows(),
            regions: vec![W::ZEROS; size * size],
            in_pair: rows(),
            in_two_pairs: rows(),
            facts: vec![facts; size],
        }
    }

    /// The open cells of a row of one board.
    #[inline(always)]
    pub fn open(&self, row: usize, lane: usize) -> u32 {
        self.possible[row].as_ref()[lane].row() & !self.stars[row].as_ref()[lane].row()
    }

    /// Row and column of the first cell that `marks` has of one board.
    #[inline(always)]
    pub fn first_marked(&self, marks: &[W::Block], lane: usize) -> Option<(usize, usize)> {
        for row in 0..self.size {
            let cells = marks[row].as_ref()[lane].row();
            if cells != 0 {
                return Some((row, cells.trailing_zeros() as usize));
            }
        }
        None
    }
}

/// Adds cells to the sets that count stars of columns.
#[inline(always)]
pub fn add<V: Lanes, const MORE: usize>(at_least: &mut [V; MORE], cells: V) {
    for level in (1..MORE).rev() {
        at_least[level] = at_least[level].or(at_least[level - 1].and(cells));
    }
    at_least[0] = at_least[0].or(cells);
}

/// The number of cells that were [added](add), where columns with more than `MORE` count as `MORE`.
#[inline(always)]
pub fn total<V: Lanes, const MORE: usize>(at_least: &[V; MORE]) -> V {
    let mut sum = at_least[0].ones();
    for level in 1..MORE {
        sum = sum.plus(at_least[level].ones());
    }
    sum
}

/// Each word without its lowest bit.
#[inline(always)]
fn strip<V: Lanes>(word: V) -> V {
    word.and(word.less_one())
}

/// Whether a set has fewer than `stars` bits, whether it has no more than `stars`, and no more than one more.
#[inline(always)]
fn compare<V: Lanes>(word: V, stars: usize, zero: V) -> [V; 3] {
    let mut rest = word;
    for _ in 1..stars {
        rest = strip(rest);
    }
    let (one_less, two_less) = (strip(rest), strip(strip(rest)));
    [rest.equals(zero), one_less.equals(zero), two_less.equals(zero)]
}

/// The constants of a round.
#[derive(Clone, Copy)]
struct Constants<V> {
    zero: V,
    ones: V,
    /// All columns.
    full: V,
    /// The numbers k - 1 and fewer are found by comparing with k and k + 1.
    stars: V,
    one_more: V,
}

impl<V: Lanes> Constants<V> {
    #[inline(always)]
    fn not(self, word: V) -> V {
        self.ones.without(word)
    }
}

/// Takes out what cannot be, then places stars that have no other cell.
///
/// # Safety
/// The CPU has the instructions of `V`.
#[inline(always)]
pub unsafe fn round<V: Lanes, const MORE: usize>(boards: &mut Boards<V::Word>) -> Found {
    let n = boards.size;
    // SAFETY: the caller's promise.
    let constants = unsafe {
        let full = V::splat(crate::board::full_row(n));
        let (stars, one_more) = (V::splat(MORE as u32 - 1), V::splat(MORE as u32));
        Constants { zero: V::splat(0), ones: V::splat(u32::MAX), full, stars, one_more }
    };
    let zero = constants.zero;
    // The lengths are those of the loops below, which the compiler then need not check.
    assert!(n > 0 && boards.possible.len() == n && boards.stars.len() == n);
    assert!(boards.regions.len() == n * n && boards.facts.len() == n);
    assert!(boards.in_pair.len() == n && boards.in_two_pairs.len() == n);
    let mut verdicts = Verdicts { dead: zero, open: zero, changed: zero };
    // SAFETY: the caller's promise.
    unsafe {
        exclude::<V, MORE>(boards, constants, &mut verdicts);
        place::<V, MORE>(boards, constants, &mut verdicts);
    }
    let some = |word: V| !word.equals(zero).bits();
    Found { dead: some(verdicts.dead), open: some(verdicts.open), changed: some(verdicts.changed) }
}

/// Takes out what stars exclude.
///
/// # Safety
/// As for [`round`].
#[inline(always)]
unsafe fn exclude<V: Lanes, const MORE: usize>(
    boards: &mut Boards<V::Word>,
    constants: Constants<V>,
    verdicts: &mut Verdicts<V>,
) {
    let (n, stars, zero) = (boards.size, MORE - 1, constants.zero);
    let load = |block: &<V::Word as Word>::Block| {
        // SAFETY: the caller's promise.
        unsafe { V::load(block) }
    };
    let mut columns = [zero; MORE];
    for row in 0..n {
        add(&mut columns, load(&boards.stars[row]));
    }
    verdicts.dead = verdicts.dead.or(columns[stars]);
    for region in 0..n {
        let mut cells = [zero; MORE];
        let rows = &boards.regions[region * n..][..n];
        for row in 0..n {
            add(&mut cells, load(&rows[row]).and(load(&boards.stars[row])));
        }
        let (is_fewer, is_most) = compare_total(&cells, constants);
        verdicts.dead = verdicts.dead.or(constants.not(is_most));
        constants.not(is_fewer).store(&mut boards.facts[region].is_full);
    }
    let mut above = zero;
    let mut here = load(&boards.stars[0]);
    for row in 0..n {
        let below = if row + 1 < n { load(&boards.stars[row + 1]) } else { zero };
        let beside = here.or(above).or(below);
        let touched = above.or(below).or(beside.up()).or(beside.down());
        let mut out = columns[stars - 1].or(touched);
        for region in 0..n {
            let cells = load(&boards.regions[region * n + row]);
            out = out.or(cells.and(load(&boards.facts[region].is_full)));
        }
        let [is_fewer, is_most, _] = compare(here, stars, zero);
        out = out.or(constants.not(is_fewer));
        verdicts.dead = verdicts.dead.or(here.and(touched)).or(constants.not(is_most));
        let before = load(&boards.possible[row]);
        let after = before.without(out).or(here);
        verdicts.open = verdicts.open.or(before.xor(here));
        verdicts.changed = verdicts.changed.or(before.xor(after));
        after.store(&mut boards.possible[row]);
        above = here;
        here = below;
    }
}

/// Whether fewer than k cells were added, and whether no more than k were.
#[inline(always)]
fn compare_total<V: Lanes, const MORE: usize>(
    at_least: &[V; MORE],
    constants: Constants<V>,
) -> (V, V) {
    let zero = constants.zero;
    if MORE == 2 {
        let is_most = strip(at_least[0]).or(at_least[1]).equals(zero);
        return (at_least[0].equals(zero), is_most);
    }
    let sum = total(at_least);
    let mut rest = sum;
    let mut is_fewer = rest.equals(zero);
    for _ in 2..MORE {
        rest = rest.less_one();
        is_fewer = is_fewer.or(rest.equals(zero));
    }
    (is_fewer, is_fewer.or(sum.equals(constants.stars)))
}

/// Places stars that have no other cell, and takes out cells by lines that lie in one another.
///
/// # Safety
/// As for [`round`].
#[inline(always)]
unsafe fn place<V: Lanes, const MORE: usize>(
    boards: &mut Boards<V::Word>,
    constants: Constants<V>,
    verdicts: &mut Verdicts<V>,
) {
    let (n, stars, zero) = (boards.size, MORE - 1, constants.zero);
    let load = |block: &<V::Word as Word>::Block| {
        // SAFETY: the caller's promise.
        unsafe { V::load(block) }
    };
    let mut columns = [zero; MORE];
    let mut several_to_spare = zero;
    for row in 0..n {
        let possible = load(&boards.possible[row]);
        several_to_spare = several_to_spare.or(columns[stars].and(possible));
        add(&mut columns, possible);
    }
    verdicts.dead = verdicts.dead.or(constants.full.without(columns[stars - 1]));
    // SAFETY: the caller's promise.
    unsafe { survey::<V, MORE>(boards, constants, verdicts) };
    for row in 0..n {
        let possible = load(&boards.possible[row]);
        let mut placed = columns[stars - 1].without(columns[stars]);
        let (mut out, mut pairs) = (zero, zero);
        for region in 0..n {
            let cells = load(&boards.regions[region * n + row]);
            let facts = &boards.facts[region];
            placed = placed.or(cells.and(load(&facts.is_forced)));
            pairs = pairs.or(cells.and(load(&facts.is_pair)));
            out = out.or(cells.and(load(&facts.out))).or(load(&facts.only_column).without(cells));
            let is_here = load(&facts.is_in_row).without(cells.and(possible).equals(zero));
            out = out.or(is_here.without(cells));
        }
        let [is_fewer, is_most, is_pair] = compare(possible, stars, zero);
        verdicts.dead = verdicts.dead.or(is_fewer);
        let before = load(&boards.stars[row]);
        let after = before.or(placed.or(is_most).and(possible));
        let left = possible.without(out).or(after);
        verdicts.changed = verdicts.changed.or(before.xor(after)).or(possible.xor(left));
        after.store(&mut boards.stars[row]);
        left.store(&mut boards.possible[row]);
        let open = possible.without(after);
        let by_column = columns[stars].without(several_to_spare).and(open);
        let (by_region, by_row) = (pairs.and(open), is_pair.without(is_most).and(open));
        let in_two = by_column.and(by_region).or(by_row.and(by_column.or(by_region)));
        by_column.or(by_region).or(by_row).store(&mut boards.in_pair[row]);
        in_two.store(&mut boards.in_two_pairs[row]);
    }
}

/// Looks where the possible cells of each region lie.
///
/// # Safety
/// As for [`round`].
#[inline(always)]
unsafe fn survey<V: Lanes, const MORE: usize>(
    boards: &mut Boards<V::Word>,
    constants: Constants<V>,
    verdicts: &mut Verdicts<V>,
) {
    let (n, zero) = (boards.size, constants.zero);
    let load = |block: &<V::Word as Word>::Block| {
        // SAFETY: the caller's promise.
        unsafe { V::load(block) }
    };
    // The columns with cells of any region, and those with cells of several.
    let (mut any, mut several) = (zero, zero);
    for region in 0..n {
        let mut cells = [zero; MORE];
        let mut taken_rows = zero;
        let rows = &boards.regions[region * n..][..n];
        for row in 0..n {
            let own = load(&rows[row]).and(load(&boards.possible[row]));
            add(&mut cells, own);
            // SAFETY: the caller's promise.
            let row = unsafe { V::splat(1 << row) };
            taken_rows = taken_rows.or(row.without(own.equals(zero)));
        }
        let (is_fewer, is_most) = compare_total(&cells, constants);
        verdicts.dead = verdicts.dead.or(is_fewer);
        several = several.or(any.and(cells[0]));
        any = any.or(cells[0]);
        let facts = &mut boards.facts[region];
        is_most.store(&mut facts.is_forced);
        total(&cells).equals(constants.one_more).store(&mut facts.is_pair);
        taken_rows.store(&mut facts.rows);
        strip(taken_rows).equals(zero).store(&mut facts.is_in_row);
        cells[0].store(&mut facts.columns);
        cells[0].and(strip(cells[0]).equals(zero)).store(&mut facts.only_column);
    }
    for facts in &mut boards.facts {
        let own = load(&facts.columns).without(several);
        constants.not(own.or(own.equals(zero))).store(&mut facts.out);
    }
}
