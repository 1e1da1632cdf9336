//! The search: a board in each lane, with its own stack of branches that were not taken yet.
//!
//! ```text
//! while a lane has a board
//!     a round on all lanes
//!     dead:                      return to the latest branch of the lane, or take the next board
//!     solved:                    count it; go on as if dead
//!     the round changed nothing: after many guesses, confine regions to intervals of lines; if that changes nothing either,
//!                                put the board without a star in a chosen cell on the stack, and go on with the star
//! ```

use super::confine::confine;
use super::lanes::{Lanes, Word};
use super::round::{Boards, round};
use super::starve::{RowFacts, fill_lines, room, starve};
use crate::board::{MAX_SIZE, Row};
use crate::position::{Layout, Position, choose};
use crate::solutions::{self, Step};
use tallyboard_search::{Stop, Stopped};

/// Rounds between two checks of the stop flag: some milliseconds.
const POLL_INTERVAL: u64 = 1 << 12;

/// How far a board is searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Look for no more solutions than this.
    pub solutions: u64,
    /// Give the board up before a guess beyond this many.
    pub guesses: u64,
}

impl Limits {
    /// All solutions, however long it takes.
    pub const NONE: Self = Self { solutions: u64::MAX, guesses: u64::MAX };

    /// Up to this many solutions, however long it takes.
    pub fn solutions(solutions: u64) -> Self {
        Self { solutions, ..Self::NONE }
    }
}

/// A board to be searched.
#[derive(Clone, Copy)]
pub struct Start<'a> {
    /// The region of each cell, row by row.
    pub regions: &'a [u8],
    /// What is known of each row.
    pub rows: &'a [Row],
}

/// Where the search asks for boards, and tells what it found. Boards have numbers in the order in which they were asked for.
pub trait Tasks {
    /// The next board; `None` if there is none, now and later.
    fn next(&mut self) -> Option<Start<'_>>;

    /// A solution of a board: the stars of each row.
    fn found(&mut self, number: usize, stars: &[u32]);

    /// So many further solutions of a board were found, after so many guesses; if it was given up, there may be more. It is called
    /// once for each board, with the number of all solutions or the limit; if boards are [shared](Self::shared) it
    /// may be called several times.
    fn finished(&mut self, number: usize, count: u64, guesses: u64, is_given_up: bool);

    /// Whether idle lanes take branches of busy ones. There must be no limit then.
    fn shared(&self) -> bool {
        false
    }

    /// Whether to go on after so many rounds of all lanes. Otherwise the search ends with what is [left](Self::left).
    fn goes_on(&mut self, _rounds: u64) -> bool {
        true
    }

    /// A position of a board that was not searched, since the search did not [go on](Self::goes_on).
    fn left(&mut self, _rows: &[Row]) {}
}

/// What a lane holds beside its board.
struct Lane<W: Word> {
    /// The number of its board.
    number: usize,
    count: u64,
    guesses: u64,
    /// For each branch not taken yet the rows of possible cells, then those of stars.
    stack: Vec<W>,
    /// The region of each cell.
    cells: [u8; MAX_SIZE * MAX_SIZE],
    /// The cells of its lines, once they are needed.
    lines: Vec<W::Block>,
}

/// The lanes and what waits for them.
struct Search<'a, W: Word> {
    boards: Boards<W>,
    lanes: Vec<Lane<W>>,
    /// The number of boards that were begun.
    begun: usize,
    tasks: &'a mut dyn Tasks,
    stars: u32,
    rows: Vec<RowFacts<W::Block>>,
}

/// Searches all boards of `tasks`, of `size` rows with `MORE` - 1 stars in each, within `limits`.
///
/// # Safety
/// The CPU has the instructions of `V`.
#[inline(always)]
pub unsafe fn search<V: Lanes, const MORE: usize>(
    size: usize,
    limits: Limits,
    tasks: &mut dyn Tasks,
    stop: &Stop,
) -> Result<(), Stopped> {
    let mut search = Search::<V::Word>::new(size, MORE as u32 - 1, tasks);
    let all = u32::MAX >> (32 - <V::Word as Word>::LANES);
    let mut active = search.fill(all);
    let mut rounds = 0_u64;
    while active != 0 {
        rounds += 1;
        if rounds.is_multiple_of(POLL_INTERVAL) {
            stop.check()?;
            if !search.tasks.goes_on(rounds) {
                search.leave_all(active);
                return Ok(());
            }
        }
        // SAFETY: the caller's promise.
        let found = unsafe { round::<V, MORE>(&mut search.boards) };
        let ended = active & (found.dead | !found.open);
        let mut left = ended;
        while left != 0 {
            let lane = left.trailing_zeros() as usize;
            left &= left - 1;
            let is_dead = found.dead >> lane & 1 == 1;
            if !search.leave(lane, is_dead, limits.solutions) {
                active &= !(1 << lane);
            }
        }
        let mut stuck = active & !ended & !found.changed;
        while stuck != 0 {
            let lane = stuck.trailing_zeros() as usize;
            stuck &= stuck - 1;
            // SAFETY: the caller's promise.
            if !unsafe { search.branch::<V, MORE>(lane, limits.guesses) } {
                active &= !(1 << lane);
            }
        }
        if active != all && search.tasks.shared() {
            active |= search.fill(all & !active);
        }
    }
    Ok(())
}

impl<'a, W: Word> Search<'a, W> {
    fn new(size: usize, stars: u32, tasks: &'a mut dyn Tasks) -> Self {
        assert!(size <= W::BITS);
        let lane = |_| {
            let cells = [0; MAX_SIZE * MAX_SIZE];
            Lane { number: 0, count: 0, guesses: 0, stack: Vec::new(), cells, lines: Vec::new() }
        };
        let lanes = (0..W::LANES).map(lane).collect();
        Self { boards: Boards::new(size), lanes, begun: 0, tasks, stars, rows: room::<W>(size) }
    }

    /// Puts boards into the lanes of the set `idle`, as far as there are any. Returns those that got one.
    fn fill(&mut self, idle: u32) -> u32 {
        let (mut filled, mut left) = (0, idle);
        while left != 0 {
            let lane = left.trailing_zeros() as usize;
            left &= left - 1;
            if !(self.begin(lane) || self.tasks.shared() && self.take(lane)) {
                break;
            }
            filled |= 1 << lane;
        }
        filled
    }

    /// Puts the next board into a lane. Returns whether there was one.
    fn begin(&mut self, lane: usize) -> bool {
        let size = self.boards.size;
        let Some(start) = self.tasks.next() else { return false };
        let (boards, own) = (&mut self.boards, &mut self.lanes[lane]);
        (own.number, own.count, own.guesses) = (self.begun, 0, 0);
        self.begun += 1;
        own.stack.clear();
        for cell in 0..size * size {
            own.cells[cell] = start.regions[cell];
        }
        own.lines.clear();
        for cells in &mut boards.regions {
            cells.as_mut()[lane] = W::of(0);
        }
        for row in 0..size {
            let regions = &start.regions[row * size..][..size];
            for column in 0..size {
                let region = usize::from(regions[column]);
                let cells = &mut boards.regions[region * size + row].as_mut()[lane];
                *cells = W::of(cells.row() | 1 << column);
            }
            boards.possible[row].as_mut()[lane] = W::of(start.rows[row].possible);
            boards.stars[row].as_mut()[lane] = W::of(start.rows[row].stars);
        }
        true
    }

    /// Puts the earliest branch of another lane, which is the largest, into an idle lane. Returns whether there was one.
    fn take(&mut self, lane: usize) -> bool {
        let size = self.boards.size;
        let mut donor = 0;
        for other in 1..W::LANES {
            if self.lanes[other].stack.len() > self.lanes[donor].stack.len() {
                donor = other;
            }
        }
        if self.lanes[donor].stack.is_empty() {
            return false;
        }
        let (number, cells) = (self.lanes[donor].number, self.lanes[donor].cells);
        let frame: Vec<W> = self.lanes[donor].stack.drain(..2 * size).collect();
        let own = &mut self.lanes[lane];
        (own.number, own.count, own.guesses, own.cells) = (number, 0, 0, cells);
        own.stack.clear();
        own.stack.extend_from_slice(&frame);
        for cells in &mut self.boards.regions {
            cells.as_mut()[lane] = cells.as_ref()[donor];
        }
        own.lines.clear();
        self.return_to_branch(lane)
    }

    /// Leaves a board that is dead or solved. Returns whether the lane has another.
    fn leave(&mut self, lane: usize, is_dead: bool, limit: u64) -> bool {
        let own = &mut self.lanes[lane];
        if !is_dead {
            // One solution takes longer than a nanosecond, so no count reaches 2^64.
            own.count += 1;
            let mut rows = [0; MAX_SIZE];
            let size = self.boards.size;
            for row in 0..size {
                rows[row] = self.boards.stars[row].as_ref()[lane].row();
            }
            self.tasks.found(own.number, &rows[..size]);
        }
        if own.count < limit && self.return_to_branch(lane) {
            return true;
        }
        self.finish(lane, false)
    }

    /// Tells what was found of a board. Returns whether the lane has another.
    fn finish(&mut self, lane: usize, is_given_up: bool) -> bool {
        let own = &self.lanes[lane];
        self.tasks.finished(own.number, own.count, own.guesses, is_given_up);
        self.begin(lane)
    }

    /// Tells the positions of these lanes that were not searched.
    fn leave_all(&mut self, active: u32) {
        let size = self.boards.size;
        for lane in (0..W::LANES).filter(|lane| active >> lane & 1 == 1) {
            loop {
                let row = |row: usize| Row {
                    possible: self.boards.possible[row].as_ref()[lane].row(),
                    stars: self.boards.stars[row].as_ref()[lane].row(),
                };
                let rows: Vec<Row> = (0..size).map(row).collect();
                self.tasks.left(&rows);
                if !self.return_to_branch(lane) {
                    break;
                }
            }
            let own = &self.lanes[lane];
            self.tasks.finished(own.number, own.count, own.guesses, false);
        }
    }

    /// Puts the latest branch of a lane into it. Returns whether there was one.
    fn return_to_branch(&mut self, lane: usize) -> bool {
        let (boards, own) = (&mut self.boards, &mut self.lanes[lane]);
        let size = boards.size;
        let Some(base) = own.stack.len().checked_sub(2 * size) else { return false };
        for row in 0..size {
            boards.possible[row].as_mut()[lane] = own.stack[base + row];
            boards.stars[row].as_mut()[lane] = own.stack[base + size + row];
        }
        own.stack.truncate(base);
        true
    }

    /// Chooses a cell, puts the board without a star there on the stack, and goes on with the star; or gives the board up. Returns
    /// whether the lane has a board.
    ///
    /// # Safety
    /// The CPU has the instructions of `V`.
    #[inline(always)]
    unsafe fn branch<V: Lanes<Word = W>, const MORE: usize>(
        &mut self,
        lane: usize,
        most: u64,
    ) -> bool {
        let (boards, own) = (&mut self.boards, &mut self.lanes[lane]);
        // Either takes as long as several guesses of a board with one star a row, so it pays where boards take many.
        let most_guesses = if MORE == 2 { 8 } else { 0 };
        if own.guesses >= most_guesses {
            if own.lines.is_empty() {
                fill_lines::<W>(&mut own.lines, boards.size, &own.cells);
            }
            // SAFETY: the caller's promise.
            if unsafe { starve::<V, MORE>(boards, lane, &own.lines, &mut self.rows) }
                || confine(boards, lane)
            {
                return true;
            }
        }
        if own.guesses >= most {
            return self.finish(lane, true);
        }
        let size = boards.size;
        let mut rows = [Row::default(); MAX_SIZE];
        for row in 0..size {
            let possible = boards.possible[row].as_ref()[lane].row();
            rows[row] = Row { possible, stars: boards.stars[row].as_ref()[lane].row() };
        }
        let rows = &rows[..size];
        let marked = match boards.first_marked(&boards.in_two_pairs, lane) {
            None => boards.first_marked(&boards.in_pair, lane),
            marked => marked,
        };
        let (row, column) = match marked {
            Some(cell) => cell,
            None => choose(self.stars, rows, &own.cells),
        };
        own.guesses += 1;
        let mut frame = [W::default(); 2 * MAX_SIZE];
        for row in 0..size {
            frame[row] = W::of(rows[row].possible);
            frame[size + row] = W::of(rows[row].stars);
        }
        frame[row] = W::of(rows[row].possible & !(1 << column));
        own.stack.extend_from_slice(&frame[..2 * size]);
        boards.stars[row].as_mut()[lane] = W::of(rows[row].stars | 1 << column);
        true
    }
}

/// `search` board by board, for any number of stars. The clauses of a board are asked after so many dead ends one after the other.
pub fn plain(
    limits: Limits,
    stars: usize,
    patience: u64,
    tasks: &mut dyn Tasks,
    stop: &Stop,
) -> Result<(), Stopped> {
    for number in 0.. {
        let Some(start) = tasks.next() else { break };
        let position = Position { rows: start.rows.into() };
        let layout = Layout::of(start.regions, stars);
        let mut search = solutions::Search::new(layout, vec![position], patience);
        let (mut count, mut is_given_up) = (0, false);
        while count < limits.solutions {
            match search.next(limits.guesses, stop)? {
                Step::Solution(stars) => {
                    count += 1;
                    tasks.found(number, &stars);
                }
                Step::End => break,
                Step::GivenUp => {
                    is_given_up = true;
                    break;
                }
            }
        }
        tasks.finished(number, count, search.guesses(), is_given_up);
    }
    Ok(())
}
