//! One solution for a board of any size, by the methods of the textbooks.
//!
//! | method | guarantees | cost | good to about |
//! |---|---|---|---|
//! | [`Explicit`](Method::Explicit) | always a solution | O(1) a queen | any n |
//! | [`Backtrack`](Method::Backtrack) | finds one or proves there is none | exponential | n = 33 top down, hundreds with fewest squares first |
//! | [`LasVegas`](Method::LasVegas) | none: random rows, then backtracking | many short searches | n = 200 |
//! | [`Repair`](Method::Repair) | none: sweeps of least-conflict moves | O(n) a move | thousands |
//! | [`GreedyRepair`](Method::GreedyRepair) | none: swaps of attacked queens | linear in practice | 10^8 |
//!
//! [`solve`] runs a method within [`Limits`] and checks the [`Placement`] that it returns. A board of 2 or 3
//! has no solution, which every method reports at once.
//!
//! ```
//! # mod tallyboard { pub mod queens { pub use ::tallyboard_queens::{*, front::*}; } }
//! use tallyboard::queens::place::{self, Limits, Method};
//!
//! let found = place::solve(8, &Method::Explicit, 0, &Limits::default())?;
//! assert_eq!(found.placement.check(), Ok(()));
//! println!("{}", found.placement);
//! # Ok::<(), place::PlaceError>(())
//! ```

mod backtrack;
mod budget;
mod check;
#[cfg(feature = "json")]
pub mod compare;
mod explicit;
mod repairs;

use std::fmt;
use std::str::FromStr;

use super::Board;
use super::text::Notation;
use backtrack::{backtrack, las_vegas, usual_random_rows};
use budget::Budget;
use repairs::{OccupiedLines, greedy_repair, repair};
use tallyboard_base::figures::counted;
use tallyboard_base::named::{UnknownName, find};
use tallyboard_base::random::Random;

pub use backtrack::Order;
pub use budget::{LimitReached, Limits};
pub use check::{Flaw, Line, check};
pub use explicit::{Progression, explicit};
pub use repairs::Opening;

/// Queens on an n x n board, one a row: entry r is the column of the queen in row r, from 0. As text it
/// is the vector of the literature, `2 4 1 3`.
///
/// A placement need not be a solution: [`Placement::check`] finds out.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Placement(Vec<u32>);

impl Placement {
    /// The placement with these columns, which are not checked.
    pub fn new(columns: Vec<u32>) -> Self {
        Placement(columns)
    }

    /// The column of each row's queen, both counted from 0.
    pub fn columns(&self) -> &[u32] {
        &self.0
    }

    /// Rows of the board, which is also the number of queens.
    pub fn n(&self) -> usize {
        self.0.len()
    }

    /// Whether no two queens attack each other; linear in n.
    pub fn check(&self) -> Result<(), Flaw> {
        check(&self.0)
    }
}

impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = Vec::new();
        Notation::Vector.append(self.0.iter().copied(), &mut text);
        f.pad(&String::from_utf8_lossy(&text))
    }
}

/// A way to find one solution, with the settings that belong to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// A construction without a search: queens a knight's move apart, in an order that depends on n modulo 6.
    Explicit,
    /// Row-by-row backtracking. A step places a queen. It takes a few nanoseconds top down up to n = 64, and
    /// O(n^2 / 64) with the row of fewest free squares first.
    Backtrack {
        /// The order in which the rows are filled.
        order: Order,
    },
    /// Sweeps over a random board that move each queen to a best square of its row: n moves a sweep, a few dozen
    /// sweeps. Published by Minton, Johnston, Philips and Laird (1990).
    Repair,
    /// Swaps of the columns of two rows. If no swap helps any more, the search starts again from another board.
    GreedyRepair {
        /// The board that a search begins with.
        opening: Opening,
    },
    /// Random free squares for the first rows, then backtracking. A try is given up if a random row has no
    /// free square, or if its backtracking has not ended after 10 n steps; so the time varies from seed to
    /// seed. With 0 random rows this is plain backtracking, with n it is pure chance. Described by Brassard
    /// and Bratley, *Fundamentals of Algorithmics*, 10.6.
    LasVegas {
        /// Rows filled at random before backtracking; `None` for seven tenths of them.
        random_rows: Option<u32>,
    },
}

impl Method {
    /// The methods with their usual settings, in the order in which the comparison shows them.
    pub fn usual() -> [Method; 6] {
        [
            Method::Explicit,
            Method::Backtrack { order: Order::FewestFirst },
            Method::Backtrack { order: Order::TopDown },
            Method::LasVegas { random_rows: None },
            Method::Repair,
            Method::GreedyRepair { opening: Opening::Careful },
        ]
    }

    /// Every method that has a name: the [`usual`](Self::usual) ones, and greedy repair from a random start.
    pub fn all() -> [Method; 7] {
        let mut all = [Method::GreedyRepair { opening: Opening::Random }; 7];
        all[..6].copy_from_slice(&Self::usual());
        all
    }

    /// Whether the answer depends on the seed.
    pub fn is_random(&self) -> bool {
        !matches!(self, Method::Explicit | Method::Backtrack { .. })
    }

    /// The largest n that the method takes: larger boards would need too much memory or time.
    pub fn largest(&self) -> u32 {
        match self {
            Method::Explicit => u32::MAX,
            Method::Backtrack { .. } | Method::LasVegas { .. } => 100_000,
            Method::Repair => 10_000_000,
            Method::GreedyRepair { .. } => 1 << 31,
        }
    }

    /// Upper bound on the bytes of memory that each row of a board takes.
    pub fn bytes_per_row(&self) -> u64 {
        // The column of its queen.
        4 + match self {
            // Each row adds two rising and two falling diagonals: a byte each for greedy repair, less for the others.
            Method::Explicit
            | Method::Backtrack { .. }
            | Method::LasVegas { .. }
            | Method::GreedyRepair { .. } => 4,
            // Counts of four bytes, for a column and four diagonals.
            Method::Repair => 4 + 16,
        }
    }

    /// Its name, such as `greedy-repair`.
    pub fn name(&self) -> &'static str {
        match self {
            Method::Explicit => "explicit",
            Method::Backtrack { order: Order::FewestFirst } => "backtrack",
            Method::Backtrack { order: Order::TopDown } => "backtrack-top-down",
            Method::Repair => "repair",
            Method::GreedyRepair { opening: Opening::Careful } => "greedy-repair",
            Method::GreedyRepair { opening: Opening::Random } => "greedy-repair-random",
            Method::LasVegas { .. } => "las-vegas",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[doc(hidden)]
impl FromStr for Method {
    type Err = UnknownName;

    /// The names that [`Method`]'s `Display` writes.
    fn from_str(name: &str) -> Result<Self, UnknownName> {
        find(&Method::all(), name)
    }
}

/// A solution that a method has found, and the work that it took.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Solution {
    /// The solution.
    pub placement: Placement,
    /// The number of queens placed or moved; for greedy repair, of squares and swaps tried.
    pub steps: u64,
    /// The number of starts after the first.
    pub restarts: u64,
}

/// The reason why a method returns no solution.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlaceError {
    /// Boards of 2 and 3.
    #[error("no solution exists for n = {0}")]
    NoSolution(u32),
    /// A limit was reached before a solution was found.
    #[error(
        "{method} found no solution for n = {n}: gave up at {limit}, \
         after {} and {}",
        counted(*steps, "step"), counted(*restarts, "restart")
    )]
    GaveUp {
        /// The method.
        method: Method,
        /// Board size.
        n: u32,
        /// The limit.
        limit: LimitReached,
        /// Steps spent.
        steps: u64,
        /// The number of starts after the first.
        restarts: u64,
    },
    /// The search ended without a solution: the constraints allow none.
    #[error("no solution exists with these placed queens and closed squares")]
    NoCompletion,
    /// The board is above [`Method::largest`].
    #[error("{method} takes boards up to n = {}, not {n}; try {}", method.largest(), methods_for(*n))]
    TooLarge {
        /// The method asked for.
        method: Method,
        /// Board size.
        n: u32,
    },
    /// More random rows were asked for than the board has rows.
    #[error("las-vegas was asked for {random_rows} random rows on a board of {n}")]
    TooManyRandomRows {
        /// The number asked for.
        random_rows: u32,
        /// Board size.
        n: u32,
    },
    /// A method returned a board that is no solution: a bug of this crate.
    #[error("{method} returned a board that is no solution for n = {n}: {flaw}")]
    Wrong {
        /// The method.
        method: Method,
        /// Board size.
        n: u32,
        /// What is wrong with the board.
        flaw: Flaw,
    },
}

/// The methods to advise for a board of `n` that another method refuses.
fn methods_for(n: u32) -> &'static str {
    let greedy = Method::GreedyRepair { opening: Opening::Careful };
    if n <= greedy.largest() { "greedy-repair or explicit" } else { "explicit" }
}

/// Whether queens can be placed on an n x n board at all (a board of 0 has the empty solution).
pub fn has_solution(n: u32) -> bool {
    !matches!(n, 2 | 3)
}

/// One solution of a board with placed queens and closed squares, by backtracking, checked before it is
/// returned.
///
/// # Errors
/// [`PlaceError`], if there is no solution or a limit was reached before one was found.
pub fn solve_board(board: &Board, order: Order, limits: &Limits) -> Result<Solution, PlaceError> {
    let mut budget = Budget::new(limits);
    let placed = backtrack(OccupiedLines::on(board), order, &mut budget).transpose();
    let placed = placed.ok_or(PlaceError::NoCompletion)?;
    checked(board.n(), Method::Backtrack { order }, placed, &budget)
}

/// The placement that `method` has found as a [`Solution`]; an error if it found none or a wrong one.
fn checked(
    n: u32,
    method: Method,
    placed: Result<Placement, LimitReached>,
    budget: &Budget,
) -> Result<Solution, PlaceError> {
    let steps = budget.steps;
    let restarts = budget.restarts;
    let placement =
        placed.map_err(|limit| PlaceError::GaveUp { method, n, limit, steps, restarts })?;
    placement.check().map_err(|flaw| PlaceError::Wrong { method, n, flaw })?;
    Ok(Solution { placement, steps, restarts })
}

/// One solution for an n x n board, checked before it is returned.
///
/// Only random methods use the seed. On boards up to a million, a method ends within a tenth of a second
/// after its time limit. Memory is O(n): 8 bytes per row for greedy repair, 4 for the explicit
/// construction.
///
/// # Errors
/// [`PlaceError`], if there is no solution, a limit was reached before one was found, or the board or the settings are
/// out of range.
pub fn solve(n: u32, method: &Method, seed: u64, limits: &Limits) -> Result<Solution, PlaceError> {
    if n > method.largest() {
        return Err(PlaceError::TooLarge { method: *method, n });
    }
    if !has_solution(n) {
        return Err(PlaceError::NoSolution(n));
    }
    let mut budget = Budget::new(limits);
    let mut random = Random::from_seed(seed);
    let placed = match *method {
        Method::Explicit => {
            let mut columns = Vec::with_capacity(n as usize);
            let runs = explicit(n).expect("n is not 2 or 3");
            runs.into_iter().for_each(|run| columns.extend(run.columns()));
            Ok(Placement::new(columns))
        }
        Method::Backtrack { order } => backtrack(OccupiedLines::new(n), order, &mut budget)
            .map(|placed| placed.expect("every board but 2 and 3 has a solution")),
        Method::Repair => repair(n, &mut random, &mut budget),
        Method::GreedyRepair { opening } => greedy_repair(n, opening, &mut random, &mut budget),
        Method::LasVegas { random_rows } => {
            let random_rows = random_rows.unwrap_or_else(|| usual_random_rows(n));
            if random_rows > n {
                return Err(PlaceError::TooManyRandomRows { random_rows, n });
            }
            las_vegas(n, random_rows, &mut random, &mut budget)
        }
    };
    checked(n, *method, placed, &budget)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_say_what_they_take_and_whether_the_seed_matters() {
        let found =
            Method::usual().map(|method| (method.name(), method.largest(), method.is_random()));
        let expected = [
            ("explicit", 4_294_967_295, false),
            ("backtrack", 100_000, false),
            ("backtrack-top-down", 100_000, false),
            ("las-vegas", 100_000, true),
            ("repair", 10_000_000, true),
            ("greedy-repair", 2_147_483_648, true),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_method_whose_board_is_too_large_is_not_advised_to_itself() {
        for method in Method::all() {
            let Some(n) = method.largest().checked_add(1) else { continue };
            let refused = solve(n, &method, 0, &Limits::default()).unwrap_err().to_string();
            let advice = refused.split_once("; try ").unwrap().1;
            for name in advice.split(" or ") {
                assert!(name.parse::<Method>().unwrap().largest() >= n, "{refused}");
            }
        }
    }
}
