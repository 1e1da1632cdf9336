//! The half-board join: counts a board without constraints by matching left with right half boards.
//!
//! Fix the set of rows that hold a queen in the left half of the board. The left half boards for
//! these rows and the right half boards for the other rows conflict only along diagonals that cross
//! the middle column. So a half board shrinks to a *key*: one bit for each of these diagonals that
//! it uses. The solutions are the pairs of a left and a right key without a common bit.
//!
//! ```text
//! for each subtree:                        some sets of rows above the middle × some below it [layout]
//!   for each pair of such sets:            the pair is a row set. Only those are counted whose solutions
//!                                          stand for all their images under the square's symmetries [case]
//!     left  = half boards for the rows     pairs of quarter boards [builder, from quarter]
//!     right = half boards for the rest
//!     solutions += disjoint pairs          split by busy diagonals, then test 512 keys at a time [join]
//! ```
//!
//! In the order of use: `plan` makes the problem of all this, `layout` cuts it into subtrees, `case` says which row sets count
//! and how often, `quarter` fills quarter boards, `builder` makes half boards of them, `slice` cuts lists that would be too
//! long, `join` counts pairs, `half` weighs these counts, and `kernel` has the loops of each instruction set. `subsets` has the
//! sets of rows and columns and the keys; `row_set` describes subtrees to the audit.
//!
//! A half board is in turn a pair of quarter boards, one above and one below the middle row, with
//! disjoint keys and complementary column sets. Building a half board takes about one nanosecond, which is less
//! than reading it back from memory that holds billions of them. Therefore lists are built again where they are
//! needed, and only those of one row set, or of a slice of it, are in memory at a time.

mod builder;
mod case;
mod half;
mod join;
mod kernel;
mod layout;
mod memory;
mod plan;
mod quarter;
mod row_set;
mod slice;
mod subsets;

pub(super) use layout::Subtree;
pub use plan::{Halves, HalvesError};
pub(super) use row_set::{Crossing, RowSet, WHOLE_ROW_SET};
use tallyboard_search::Revision;

/// The revision that stored subtotals belong to: [`Revision`] says when to raise a number.
pub(super) const REVISION: Revision = Revision { algorithm: 4, layout: 3 };

/// The smallest n at which the join is faster than the block backtracker, which has less to set up.
/// Both were measured for n = 14 to 18 (`benches/records/2026-11-21-queens.md`).
pub(super) const FASTEST_FROM: u32 = 16;
