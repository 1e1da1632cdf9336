//! The half-board join: counts a board without constraints by matching left with right half boards.
//!
//! Fix the set of rows that hold a queen in the left half of the board. The left half boards for
//! these rows and the right half boards for the other rows conflict only along diagonals that cross
//! the middle column. So a half board shrinks to a *key*: one bit for each of these diagonals that
//! it uses. The solutions are the pairs of a left and a right key without a common bit.
//!
//! ```text
//! for each subtree:                        layout: some row sets above the middle × some below it
//!   for each row set, one of each:         case, subsets: only those needed, so that each solution
//!                                          stands for all its images under the symmetries of the square
//!     left  = half boards for the rows     builder: pairs of quarters, found by filling
//!     right = half boards for the rest
//!     solutions += disjoint pairs          join: split by busy diagonals, then test 512 keys at a time
//! ```
//!
//! A half board is in turn a pair of quarter boards, one above and one below the middle row, with
//! disjoint keys and complementary column sets. Building a half board takes about one nanosecond. So
//! only the lists of one row set, or of a slice of it, are in memory at a time.

mod builder;
mod case;
mod join;
mod kernel;
mod layout;
mod plan;
mod quarter;
mod row_set;
mod slice;

pub(super) use layout::Subtree;
pub use plan::{Halves, HalvesError};
pub(super) use row_set::{Crossing, RowSet, WHOLE_ROW_SET};
use tallyboard_search::Revision;

/// The revision that stored subtotals belong to: [`Revision`] says when to raise a number.
pub(super) const REVISION: Revision = Revision { algorithm: 4, layout: 3 };

/// The smallest n at which the join is faster than the block backtracker, which has less to set up.
/// Both were measured for n = 14 to 18 (`benches/records/`).
pub(super) const FASTEST_FROM: u32 = 16;
