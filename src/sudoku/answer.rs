//! What a solver says of one grid.

use super::Grid;

/// The number of solutions found, and the first of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Answer {
    /// Solutions found; the search ended when this reached the limit.
    pub count: u64,
    /// The first solution found, if there is one.
    pub first: Option<Grid>,
}
