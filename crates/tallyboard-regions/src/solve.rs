//! Boards in memory, solved up to a limit.

use crate::batch::{self, Limits, Start, Tasks};
use crate::board::Board;
use tallyboard_base::cpu::Instructions;
use tallyboard_search::{Stop, Stopped};

/// The solutions that an [`Answer`] keeps.
pub const KEPT: usize = 2;

/// What was found of a board.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The number of solutions, at most the limit.
    pub count: u64,
    /// Whether the board was given up, and may have more.
    pub is_given_up: bool,
    /// The number of cells that were tried because nothing else was left. It depends on the board and the limit alone.
    pub guesses: u64,
    size: usize,
    /// The first solutions, one after the other.
    stars: Vec<u32>,
}

impl Answer {
    /// The first solutions, up to 2 of them: each a set of columns for each row.
    pub fn solutions(&self) -> impl Iterator<Item = &[u32]> {
        self.stars.chunks_exact(self.size.max(1))
    }

    /// Whether there is exactly one solution. The limit must have been above 1.
    pub fn is_unique(&self) -> bool {
        self.count == 1 && !self.is_given_up
    }
}

/// Boards of one size, in the order in which they are searched.
struct Batch<'a> {
    boards: &'a [Board],
    /// The places of the boards in `boards`.
    places: &'a [usize],
    next: usize,
    /// Whether there is no limit. Idle lanes then take branches of busy ones.
    is_unlimited: bool,
    answers: &'a mut [Answer],
}

impl Tasks for Batch<'_> {
    fn next(&mut self) -> Option<Start<'_>> {
        let board = &self.boards[*self.places.get(self.next)?];
        self.next += 1;
        Some(Start { regions: board.regions(), rows: board.rows() })
    }

    fn found(&mut self, number: usize, stars: &[u32]) {
        let kept = &mut self.answers[self.places[number]].stars;
        if kept.len() < KEPT * stars.len() {
            kept.extend_from_slice(stars);
        }
    }

    fn finished(&mut self, number: usize, count: u64, guesses: u64, is_given_up: bool) {
        let answer = &mut self.answers[self.places[number]];
        answer.count += count;
        answer.guesses += guesses;
        answer.is_given_up |= is_given_up;
    }

    fn shared(&self) -> bool {
        self.is_unlimited
    }
}

/// Solves each board, and finds out whether its solution is the only one.
///
/// ```
/// use tallyboard_regions::{Board, solve};
///
/// let board = Board::new(&[0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 1, 2, 3, 3, 3], 1)?;
/// let answers = solve(&[board]);
/// assert!(answers[0].is_unique());
/// assert_eq!(answers[0].solutions().next(), Some(&[0b0010, 0b1000, 0b0001, 0b0100][..]));
/// # Ok::<(), tallyboard_regions::BoardError>(())
/// ```
pub fn solve(boards: &[Board]) -> Vec<Answer> {
    let limits = Limits::solutions(2);
    solve_all(boards, limits, Instructions::best(), &Stop::new()).expect("nobody raises this flag")
}

/// The guesses that a board may take in the lanes, and more than most take. Beyond them its clauses learn from each failure.
const MOST_IN_LANES: u64 = 1_000;
/// A board with so many solutions by then fails seldom, and stays in the lanes.
const MANY_SOLUTIONS: u64 = MOST_IN_LANES / 32;

/// Looks for solutions of each board within `limits`.
///
/// # Errors
/// [`Stopped`] if `stop` is raised.
pub fn solve_all(
    boards: &[Board],
    limits: Limits,
    instructions: Instructions,
    stop: &Stop,
) -> Result<Vec<Answer>, Stopped> {
    if limits == Limits::NONE || limits.guesses <= MOST_IN_LANES {
        return solve_in_lanes(boards, limits, instructions, stop);
    }
    let first = Limits { guesses: MOST_IN_LANES, ..limits };
    // Boards without lanes are searched to the end, so that nothing is done twice.
    let mut answers = each_kind(boards, limits, |size, stars, tasks| {
        let limits = if batch::has_lanes(stars) { first } else { limits };
        batch::run(instructions, size, stars, limits, tasks, stop)
    })?;
    let left_lanes =
        |&place: &usize| answers[place].is_given_up && batch::has_lanes(boards[place].stars());
    let given_up = (0..boards.len()).filter(left_lanes);
    let (easy, hard): (Vec<usize>, Vec<usize>) =
        given_up.partition(|&place| answers[place].count >= MANY_SOLUTIONS);
    let those = |places: &[usize]| -> Vec<Board> {
        places.iter().map(|&place| boards[place].clone()).collect()
    };
    let again = solve_in_lanes(&those(&easy), limits, instructions, stop)?;
    easy.into_iter().zip(again).for_each(|(place, answer)| answers[place] = answer);
    let rest = Limits { guesses: limits.guesses - MOST_IN_LANES, ..limits };
    let again = solve_by_clauses(&those(&hard), rest, stop)?;
    for (place, mut answer) in hard.into_iter().zip(again) {
        answer.guesses += MOST_IN_LANES;
        answers[place] = answer;
    }
    Ok(answers)
}

/// [`solve_all`] by the lanes alone, however long it takes.
///
/// # Errors
/// [`Stopped`] if `stop` is raised.
pub(crate) fn solve_in_lanes(
    boards: &[Board],
    limits: Limits,
    instructions: Instructions,
    stop: &Stop,
) -> Result<Vec<Answer>, Stopped> {
    each_kind(boards, limits, |size, stars, tasks| {
        batch::run(instructions, size, stars, limits, tasks, stop)
    })
}

/// [`solve_all`] without vectors: board by board, by the plain search that the kernels are checked against.
///
/// # Errors
/// [`Stopped`] if `stop` is raised.
pub fn solve_plain(boards: &[Board], limits: Limits, stop: &Stop) -> Result<Vec<Answer>, Stopped> {
    each_kind(boards, limits, |_, stars, tasks| batch::plain(limits, stars, u64::MAX, tasks, stop))
}

/// [`solve_all`] by the clauses of each board from its first guess on.
///
/// # Errors
/// [`Stopped`] if `stop` is raised.
#[doc(hidden)]
pub fn solve_by_clauses(
    boards: &[Board],
    limits: Limits,
    stop: &Stop,
) -> Result<Vec<Answer>, Stopped> {
    each_kind(boards, limits, |_, stars, tasks| batch::plain(limits, stars, 0, tasks, stop))
}

/// The answers of all boards, by a search that takes boards of one size and number of stars at a time.
fn each_kind(
    boards: &[Board],
    limits: Limits,
    mut search: impl FnMut(usize, usize, &mut dyn Tasks) -> Result<(), Stopped>,
) -> Result<Vec<Answer>, Stopped> {
    let mut answers: Vec<Answer> =
        boards.iter().map(|board| Answer { size: board.size(), ..Answer::default() }).collect();
    let kind = |place: usize| (boards[place].size(), boards[place].stars());
    let mut places: Vec<usize> = (0..boards.len()).collect();
    places.sort_by_key(|&place| kind(place));
    for places in places.chunk_by(|&a, &b| kind(a) == kind(b)) {
        let (size, stars) = kind(places[0]);
        let is_unlimited = limits == Limits::NONE;
        let answers = &mut answers;
        search(size, stars, &mut Batch { boards, places, next: 0, is_unlimited, answers })?;
    }
    Ok(answers)
}
