//! The algorithm of all kernels: depth first over *batches* of nodes.
//!
//! In scalar pseudocode, with a node = (columns, left, right, free): the columns taken, the columns
//! of the current row that diagonals running up or down attack, and the free squares of this row
//! that have not been tried yet.
//!
//! ```text
//! stack[0] = the node without queens
//! until every stack is empty:
//!     i = the deepest row whose stack holds a batch, else the first row whose stack is not empty
//!     for node in the last BATCH nodes of stack[i]:
//!         square = lowest bit of node.free; remove it from node.free
//!         keep node in stack[i] if it has free squares left
//!         child = (columns | square, (left | square) << gap[i], (right | square) >> gap[i])
//!         child.free = open[i + 1] & !(child.columns | child.left | child.right)
//!         push child to stack[i + 1] if child.free is not empty
//! ```
//!
//! Departures from it:
//!
//! 1. `N` nodes at a time. A stack is four arrays, one for each part of a node, so that a vector
//!    register holds one part of `N` nodes. "Keep" and "push" squeeze the nodes that stay to the
//!    front of the register, store all of it and move the stack's end by the number that stayed.
//!    Batches, rather than single vectors, keep a load far away from the store that it reads.
//! 2. The last two rows are counted, not pushed. Two columns are left, so the free squares of both
//!    rows give the count directly: 0, 1 or 2 ([`finish`]).
//! 3. In the last rows a child is pushed only if the rows after its first have a free square too, and
//!    at the very end only if each open column has a free square in one of its rows ([`expand`]).
//! 4. The children of the single first node are made one by one ([`seed`]).
//! 5. If the squares are tallied too, a node carries a trail of the queens that led to it (`trail.rs`): `G` groups of four
//!    more words. Without trails `G` is 0.

use super::nodes::{
    GROUPS_OF_16_BITS, GROUPS_OF_32_BITS, Lanes, MAX_ROWS, MAX_ROWS_AHEAD, StackMemory, Stacks,
    Start,
};
use super::trail::{self, Uses};
use tallyboard_base::array::array;
use tallyboard_search::{Stop, Stopped};

/// Counts the ways to complete `start`, which has at least four rows, and adds their squares to `uses`, if there are any.
///
/// # Safety
/// The CPU has the instructions of `V`, and a word of `V` is wider than any distance in `start` and
/// as wide as its columns.
#[inline(always)]
pub unsafe fn count<V: Lanes>(
    start: &Start,
    memory: &mut StackMemory,
    uses: Option<&mut Uses>,
    stop: &Stop,
) -> Result<u64, Stopped> {
    // SAFETY: the caller's promise.
    unsafe {
        match uses {
            None => search::<V, 0>(start, memory, &mut [], stop),
            Some(uses) => {
                let solutions = if size_of::<V::Word>() == 2 {
                    search::<V, { GROUPS_OF_16_BITS }>(start, memory, uses, stop)?
                } else {
                    search::<V, { GROUPS_OF_32_BITS }>(start, memory, uses, stop)?
                };
                trail::decode::<V>(&mut uses[..start.rows() - 2]);
                Ok(solutions)
            }
        }
    }
}

/// [`count`] of nodes with `G` groups of four words for their trails.
///
/// # Safety
/// As for [`count`].
#[inline(always)]
unsafe fn search<V: Lanes, const G: usize>(
    start: &Start,
    memory: &mut StackMemory,
    uses: &mut [[u64; MAX_ROWS]],
    stop: &Stop,
) -> Result<u64, Stopped> {
    let last = start.rows() - 3;
    let mut stacks = Stacks::<V, G>::new(memory, start.rows());
    // SAFETY: the caller's promise.
    unsafe { seed::<V, G>(start, &mut stacks) };
    // The first row whose stack is not empty, and the row to go on with.
    let (mut first, mut row) = (1, 1);
    // Grows by at most two per node, so a count of 64 bits would take decades to overflow.
    let mut total = 0;
    loop {
        if stacks.len[row] < V::BATCH {
            if row > first {
                row -= 1;
                continue;
            }
            if stacks.len[row] == 0 {
                if first == last {
                    return Ok(total);
                }
                first += 1;
                row = first;
                continue;
            }
        }
        stop.check()?;
        // SAFETY: the caller's promise; `row` is at most `last`, and each stack after it holds less than a
        // batch, because the loop goes back to an earlier row only then.
        unsafe {
            match start.rows() - row {
                3 => total += finish::<V, G>(start, row, &mut stacks, uses),
                4 => expand::<V, G, 2, true>(start, row, &mut stacks),
                5 => expand::<V, G, 3, true>(start, row, &mut stacks),
                6 | 7 => expand::<V, G, 1, false>(start, row, &mut stacks),
                _ => expand::<V, G, 0, false>(start, row, &mut stacks),
            }
        }
        row = (row + 1).min(last);
    }
}

/// Fills the stack of the second row with one node for each open square of the first.
///
/// # Safety
/// As for [`count`].
#[inline(always)]
unsafe fn seed<V: Lanes, const G: usize>(start: &Start, stacks: &mut Stacks<V, G>) {
    let parts = stacks.parts(1);
    let mut untried = start.open(0);
    while untried != 0 {
        let square = untried & untried.wrapping_neg();
        untried ^= square;
        let (left, right) = (square << start.gap(0), square >> start.gap(0));
        let free = start.open(1) & !(square | left | right);
        let node = [square, left, right, free];
        if G > 0 {
            // SAFETY: the caller's promise; a stack has room for 32 nodes and a vector.
            unsafe { trail::begin::<V, G>(square, stacks, stacks.len[1]) };
        }
        for part in 0..4 {
            // SAFETY: the caller's promise; a stack has room for 32 nodes and a vector.
            unsafe { V::splat(node[part]).store(parts[part].add(stacks.len[1])) };
        }
        stacks.len[1] += usize::from(free != 0);
    }
}

/// The nodes of one batch, and how many of them stay.
struct Batch<V: Lanes, const G: usize> {
    stack: [*mut V::Word; 4],
    trails: [[*mut V::Word; 4]; G],
    next: usize,
    end: usize,
    kept: usize,
}

impl<V: Lanes, const G: usize> Batch<V, G> {
    /// The last batch of row `row`'s stack. It begins at a multiple of `N`, so that loads are aligned.
    ///
    /// # Safety
    /// As for [`count`].
    #[inline(always)]
    unsafe fn last(row: usize, stacks: &Stacks<V, G>) -> Self {
        let stack = stacks.parts(row);
        let end = stacks.len[row];
        let begin = end.saturating_sub(V::BATCH) / V::N * V::N;
        // The lanes past the end become nodes whose columns are all taken and that have no free square. So
        // they have no children and are not kept.
        // SAFETY: the caller's promise; a stack has room for a vector past its end.
        unsafe {
            V::splat(u32::MAX).store(stack[0].add(end));
            V::splat(0).store(stack[3].add(end));
        }
        Self { stack, trails: trail::words(stacks, row, row), next: begin, end, kept: begin }
    }

    /// Takes the next vector of nodes: tries one square of each, keeps those with squares left,
    /// and returns columns, left and right, and the trails, with the queens on these squares.
    ///
    /// # Safety
    /// `next` is below `end`; and as for [`count`].
    #[inline(always)]
    unsafe fn step(&mut self) -> ([V; 3], [[V; 4]; G]) {
        // SAFETY: the caller's promise; nodes are kept at indexes that have been read before.
        unsafe {
            let [columns, left, right, free] =
                array(|part| V::load(self.stack[part].add(self.next)));
            let mut trails = trail::load::<V, G>(&self.trails, self.next, columns);
            self.next += V::N;
            let rest = free.without_lowest();
            let square = free.xor(rest);
            let keep = rest.meets(rest);
            let to = array(|part| self.stack[part].add(self.kept));
            trail::squeeze(keep, trails, &self.trails, self.kept);
            self.kept += V::squeeze(keep, [columns, left, right, rest], to);
            trail::append(&mut trails, square);
            ([columns.or(square), left.or(square), right.or(square)], trails)
        }
    }
}

/// Expands the last batch of row `row`.
///
/// Looks at `ROWS_AHEAD` rows after the next one, and drops a child if one of the first two has no free
/// square. With `COVER`, these are all the rows left; then a child is also dropped if an open column has
/// no free square in any of them.
///
/// # Safety
/// `row + 1 + ROWS_AHEAD` is a row of the start, the next row's stack holds less than a batch, and as for
/// [`count`].
#[inline(always)]
unsafe fn expand<V: Lanes, const G: usize, const ROWS_AHEAD: usize, const COVER: bool>(
    start: &Start,
    row: usize,
    stacks: &mut Stacks<V, G>,
) {
    const { assert!(ROWS_AHEAD <= MAX_ROWS_AHEAD) };
    let to = stacks.parts(row + 1);
    let trails_to = trail::words(stacks, row + 1, row);
    let mut pushed = stacks.len[row + 1];
    let ahead = |look| (0..=look).map(|step| start.gap(row + 1 + step)).sum();
    // SAFETY: the caller's promise.
    unsafe {
        let gap = V::distance(start.gap(row));
        let open = V::splat(start.open(row + 1));
        let gap_ahead: [_; ROWS_AHEAD] = array(|look| V::distance(ahead(look)));
        let open_ahead: [_; ROWS_AHEAD] = array(|look| V::splat(start.open(row + 2 + look)));
        let all_columns = V::splat(start.columns());
        let mut batch = Batch::<V, G>::last(row, stacks);
        while batch.next < batch.end {
            let ([columns, left, right], trails) = batch.step();
            let (left, right) = (left.up(gap), right.down(gap));
            let free = columns.nor(left, right).and(open);
            let mut alive = free.meets(free);
            let mut reached = free.or(columns);
            for look in 0..ROWS_AHEAD {
                let free = columns.nor(left.up(gap_ahead[look]), right.down(gap_ahead[look]));
                if look < 2 {
                    alive = V::both(alive, free.meets(open_ahead[look]));
                }
                reached = reached.or_and(free, open_ahead[look]);
            }
            if COVER {
                alive = V::both(alive, reached.equals(all_columns));
            }
            let end = array(|part| to[part].add(pushed));
            trail::squeeze(alive, trails, &trails_to, pushed);
            pushed += V::squeeze(alive, [columns, left, right, free], end);
        }
        stacks.len[row] = batch.kept;
    }
    stacks.len[row + 1] = pushed;
}

/// Tries one square of each node in the last batch of the third row from the end, and counts the
/// ways to fill the last two rows. With trails, adds the squares of these ways to `uses`.
///
/// Two columns are left. Let `f` and `g` be the free squares of the two rows. There is a way if both are
/// nonempty and `f | g` is both columns, and a second way if `f & g` is both columns too. If the columns
/// are as far apart as the rows, there is none: any two queens would attack each other.
///
/// # Safety
/// As for [`count`].
#[inline(always)]
unsafe fn finish<V: Lanes, const G: usize>(
    start: &Start,
    row: usize,
    stacks: &mut Stacks<V, G>,
    uses: &mut [[u64; MAX_ROWS]],
) -> u64 {
    let mut total = 0;
    // The stack of the next row is never used otherwise: it gets the nodes that have solutions.
    let (to, trails_to) = (stacks.parts(row + 1), trail::words(stacks, row + 1, row));
    let mut hits = 0;
    // SAFETY: the caller's promise.
    unsafe {
        let (gap, last_gap) = (V::distance(start.gap(row)), V::distance(start.gap(row + 1)));
        let (open, last_open) = (V::splat(start.open(row + 1)), V::splat(start.open(row + 2)));
        let all_columns = V::splat(start.columns());
        let mut batch = Batch::<V, G>::last(row, stacks);
        while batch.next < batch.end {
            let ([columns, left, right], trails) = batch.step();
            let (left, right) = (left.up(gap), right.down(gap));
            let f = columns.nor(left, right).and(open);
            let g = columns.nor(left.up(last_gap), right.down(last_gap)).and(last_open);
            let last_columns = columns.xor(all_columns);
            let reached = columns.or(f).or(g).equals(all_columns);
            let both_free = V::both(V::both(reached, f.meets(f)), g.meets(g));
            let attacking = last_columns.meets(last_columns.up(last_gap));
            let one_way = V::but_not(both_free, attacking);
            let two_ways = V::both(one_way, columns.or_and(f, g).equals(all_columns));
            total += V::lanes(one_way) + V::lanes(two_ways);
            if G > 0 {
                trail::squeeze(one_way, trails, &trails_to, hits);
                let to = array(|part| to[part].add(hits));
                hits += V::squeeze(one_way, [columns, f, g, g], to);
            }
        }
        stacks.len[row] = batch.kept;
        if G > 0 {
            trail::add_uses(start, row, stacks, hits, uses);
        }
    }
    total
}
