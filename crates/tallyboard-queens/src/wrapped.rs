//! Boards with glued edges: a queen that leaves over one edge comes in over another.
//!
//! Where the right edge of a board is glued to the left edge with a twist, row r goes on in row n - 1 - r, so both are one
//! *lane*. No lane holds two queens. So a solution has one queen in each: n queens without a twist, and n / 2, rounded up, with one,
//! as J. Bell and B. Stevens count them (*Results for the n-queens problem on the Möbius board*, 2008).
//!
//! A board is a table of attacks alone, found by walking along each line. The search takes the lane with the fewest free squares.
//!
//! To turn a board by one column changes nothing but where its edges were glued. These turns take the first square of the
//! first lane to all others. So on a board without placed queens and closed squares the first lane has a queen on its first
//! square, and each solution counts as often as this lane has squares.
//!
//! On a torus there are solutions only if neither 2 nor 3 divides n (G. Pólya, 1918).

use std::sync::Arc;

use tallyboard_base::bits::bits;
use tallyboard_base::named::named;
use tallyboard_base::random::Random;
use tallyboard_base::statistics::Estimate;
use tallyboard_search::{Branches, Halt, NodeBudget, Overflow, Subtrees, Tree, estimate_leaves};

use crate::Square;
use crate::board::comma_list;
use crate::count::GAME;
use crate::position::full;

/// The largest number of squares of a lane: a bit of a word each.
const MAX_LANE: u32 = 64;

/// What a square board becomes when edges of it are glued.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Surface {
    /// The left edge is glued to the right one. A diagonal passes each row once, so the lines are those of a torus.
    Cylinder,
    /// As the cylinder, and the top edge is glued to the bottom one.
    Torus,
    /// The left edge is glued to the right one, turned upside down.
    Mobius,
    /// As the Möbius band, and the top edge is glued to the bottom one.
    Klein,
}

named! {
    /// All surfaces.
    Surface { Cylinder = "cylinder", Torus = "torus", Mobius = "mobius", Klein = "klein" }
}

/// A queen on its way along a line: its square, rows and columns counted from 0 at the top left, and its step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Way {
    row: i32,
    column: i32,
    down: i32,
    right: i32,
}

impl Surface {
    /// What it is called in a sentence.
    pub fn phrase(self) -> &'static str {
        match self {
            Self::Cylinder => "a cylinder",
            Self::Torus => "a torus",
            Self::Mobius => "a Möbius band",
            Self::Klein => "a Klein bottle",
        }
    }

    /// Whether a row goes on in another one.
    fn is_twisted(self) -> bool {
        matches!(self, Self::Mobius | Self::Klein)
    }

    /// The queens of a solution on n × n squares.
    pub fn queens(self, n: u32) -> u32 {
        if self.is_twisted() { n.div_ceil(2) } else { n }
    }

    /// The largest n that can be counted.
    pub fn max_n(self) -> u32 {
        if self.is_twisted() { MAX_LANE / 2 } else { MAX_LANE }
    }

    /// One step along a line; `None` where it ends at an edge that is not glued.
    fn step(self, n: i32, Way { row, column, down, right }: Way) -> Option<Way> {
        let mut way = Way { row: row + down, column: column + right, down, right };
        if !(0..n).contains(&way.column) {
            way.column = way.column.rem_euclid(n);
            if self.is_twisted() {
                way = Way { row: n - 1 - way.row, down: -down, ..way };
            }
        }
        if !(0..n).contains(&way.row) {
            if !matches!(self, Self::Torus | Self::Klein) {
                return None;
            }
            way.row = way.row.rem_euclid(n);
        }
        Some(way)
    }

    /// The lane of a square, and its place in the lane.
    fn place(self, n: u32, row: u32, column: u32) -> (usize, u32) {
        if self.is_twisted() && row >= self.queens(n) {
            ((n - 1 - row) as usize, n + column)
        } else {
            (row as usize, column)
        }
    }

    /// For each square by lane and place, the places of each lane that a queen there attacks, its own lane and square included.
    fn attacks(self, n: u32) -> Vec<u64> {
        let lanes = self.queens(n) as usize;
        let mut attacks = vec![0; lanes * MAX_LANE as usize * lanes];
        let mut attacked = |row: u32, column: u32| {
            let (lane, place) = self.place(n, row, column);
            let first = (lane * MAX_LANE as usize + place as usize) * lanes;
            let own = &mut attacks[first..][..lanes];
            let directions = (-1..=1).flat_map(|down| [-1, 0, 1].map(|right| (down, right)));
            for (down, right) in directions.filter(|&way| way != (0, 0)) {
                let start = Way { row: row as i32, column: column as i32, down, right };
                let mut way = Some(start);
                while let Some(now) = way {
                    let (lane, place) = self.place(n, now.row as u32, now.column as u32);
                    own[lane] |= 1 << place;
                    way = self.step(n as i32, now).filter(|&next| next != start);
                }
            }
        };
        (0..n).for_each(|row| (0..n).for_each(|column| attacked(row, column)));
        attacks
    }
}

/// The search for all solutions on a board with glued edges.
#[derive(Debug, Clone)]
pub struct Wrapped {
    lanes: usize,
    attacks: Arc<[u64]>,
    /// The free squares of each lane before the first queen.
    open: Vec<u64>,
    /// The solutions that each one found stands for.
    weight: u64,
    /// Whether lanes are filled one after the other, by the plainest search.
    is_textbook: bool,
    identity: String,
    /// The free squares of each lane, for each number of queens.
    levels: Vec<u64>,
}

/// Some queens, which attack no other queen.
#[derive(Debug, Clone)]
pub struct Queens {
    /// The free squares of each lane.
    open: Vec<u64>,
    /// The lanes that have no queen.
    left: u64,
}

impl Wrapped {
    /// The board of n × n squares with queens on `placed`, where no queen may stand on `blocked`. `is_textbook` asks for a search
    /// without symmetries, theorems and a choice of lanes, which other searches are compared with.
    ///
    /// # Panics
    /// If `n` is 0 or above [`Surface::max_n`].
    pub fn new(
        surface: Surface,
        n: u32,
        placed: &[Square],
        blocked: &[Square],
        is_textbook: bool,
    ) -> Self {
        assert!((1..=surface.max_n()).contains(&n), "{n} rows on {}", surface.phrase());
        let lanes = surface.queens(n) as usize;
        let mut open = vec![0; lanes];
        for row in 0..n {
            let (lane, first) = surface.place(n, row, 0);
            open[lane] |= full(n) << first;
        }
        let place = |square: &Square| surface.place(n, n - 1 - square.rank(), square.file());
        for (lane, place) in placed.iter().map(place) {
            open[lane] &= 1 << place;
        }
        for (lane, place) in blocked.iter().map(place) {
            open[lane] &= !(1 << place);
        }
        let mut weight = 1;
        if !is_textbook && placed.is_empty() && blocked.is_empty() {
            weight = open[0].count_ones().into();
            open[0] = 1;
        }
        if !is_textbook && !surface.is_twisted() && (n.is_multiple_of(2) || n.is_multiple_of(3)) {
            open.fill(0);
        }
        let engine = if is_textbook { "textbook" } else { "lanes" };
        let (placed, blocked) = (comma_list(placed), comma_list(blocked));
        let identity = format!(
            "{GAME} board={surface} n={n} placed={placed} blocked={blocked} engine={engine} algorithm=1"
        );
        Self {
            lanes,
            attacks: surface.attacks(n).into(),
            open,
            weight,
            is_textbook,
            identity,
            levels: vec![0; lanes * lanes],
        }
    }

    /// This search, split.
    ///
    /// # Errors
    /// As [`Subtrees::new`].
    // Here rather than in the program, which is not optimised.
    pub fn split(self) -> Result<Subtrees<Self>, Overflow> {
        Subtrees::new(self)
    }

    /// An estimate of the number of solutions by random descents.
    pub fn estimate(&mut self, descents: u64, seed: u64) -> Estimate {
        estimate_leaves(self, descents, seed)
    }

    /// The lane to fill next, and the number of its free squares.
    fn next_lane(&self, open: &[u64], left: u64) -> (usize, u32) {
        let lanes = bits(left).map(|lane: u64| lane.trailing_zeros() as usize);
        let mut counted = lanes.map(|lane| (lane, open[lane].count_ones()));
        let next = if self.is_textbook { counted.next() } else { counted.min_by_key(|it| it.1) };
        next.expect("a lane without a queen")
    }

    /// Writes the free squares after one more queen.
    fn put(&self, open: &[u64], lane: usize, square: u64, next: &mut [u64]) {
        let first = lane * MAX_LANE as usize + square.trailing_zeros() as usize;
        let attacks = &self.attacks[first * self.lanes..][..self.lanes];
        for ((next, open), attacks) in next.iter_mut().zip(open).zip(attacks) {
            *next = open & !attacks;
        }
    }

    /// The ways to fill the lanes `left`. They are counted one by one, so 64 bits hold them.
    fn fill(
        &self,
        open: &[u64],
        left: u64,
        levels: &mut [u64],
        budget: &mut NodeBudget<'_>,
    ) -> Result<u64, Halt> {
        budget.count_node()?;
        let (lane, squares) = self.next_lane(open, left);
        if left.is_power_of_two() {
            return Ok(squares.into());
        }
        let (next, levels) = levels.split_at_mut(self.lanes);
        let mut found = 0;
        for square in bits(open[lane]) {
            self.put(open, lane, square, next);
            found += self.fill(next, left & !(1 << lane), levels, budget)?;
        }
        Ok(found)
    }
}

impl Tree for Wrapped {
    type Node = Queens;

    fn root(&self) -> Queens {
        Queens { open: self.open.clone(), left: full(self.lanes as u32) }
    }

    fn branches(&mut self, Queens { open, left }: &Queens) -> Branches<Queens> {
        if *left == 0 {
            return Branches::Leaf(self.weight.into());
        }
        let (lane, squares) = self.next_lane(open, *left);
        if squares == 0 {
            return Branches::Leaf(0);
        }
        let child = |square| {
            let mut next = vec![0; self.lanes];
            self.put(open, lane, square, &mut next);
            Queens { open: next, left: left & !(1 << lane) }
        };
        Branches::Children(bits(open[lane]).map(child).collect())
    }

    fn descend(&mut self, node: &Queens, seed: u64) -> u64 {
        let mut random = Random::from_seed(seed);
        let Queens { mut open, mut left } = node.clone();
        let (mut nodes, mut width) = (1_u64, 1_u64);
        let mut next = vec![0; self.lanes];
        while left != 0 {
            let (lane, squares) = self.next_lane(&open, left);
            width = width.saturating_mul(squares.into());
            nodes = nodes.saturating_add(width);
            if squares == 0 {
                break;
            }
            let drawn = random.below(squares) as usize;
            let square = bits(open[lane]).nth(drawn).expect("a free square");
            self.put(&open, lane, square, &mut next);
            std::mem::swap(&mut open, &mut next);
            left &= !(1 << lane);
        }
        nodes
    }

    fn steps_of_a_descent(&self) -> u64 {
        (self.lanes * self.lanes) as u64
    }

    fn count(&mut self, node: &Queens, budget: &mut NodeBudget<'_>) -> Result<u128, Halt> {
        if node.left == 0 {
            budget.count_node()?;
            return Ok(self.weight.into());
        }
        let mut levels = std::mem::take(&mut self.levels);
        let found = self.fill(&node.open, node.left, &mut levels, budget);
        self.levels = levels;
        Ok(u128::from(found?) * u128::from(self.weight))
    }

    fn identity(&self) -> String {
        self.identity.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::known;
    use tallyboard_search::count;

    /// A row from the top and a column.
    type Pair = (i32, i32);

    /// Whether a queen attacks a square, by the images of the square on a plane that the board tiles.
    fn attacks(surface: Surface, n: i32, (row, column): Pair, (other, far): Pair) -> bool {
        let rows = if matches!(surface, Surface::Torus | Surface::Klein) { 3 * n } else { 0 };
        // Images further away than three boards are on lines that an image nearer by is on as well.
        (-3..=3).any(|boards: i32| {
            let is_turned = surface.is_twisted() && boards % 2 != 0;
            let image = if is_turned { n - 1 - other } else { other };
            let across = (far + boards * n - column).abs();
            (-rows..=rows).step_by(n as usize).any(|away| {
                let down = (image + away - row).abs();
                down == 0 || across == 0 || down == across
            })
        })
    }

    /// The sets of `queens` squares of these that do not attack each other and hold all `placed`.
    fn naive(surface: Surface, n: i32, squares: &[Pair], placed: &[Pair], queens: u32) -> u64 {
        let Some((&square, later)) = squares.split_first() else { return u64::from(queens == 0) };
        let mut found = 0;
        if !placed.contains(&square) {
            found += naive(surface, n, later, placed, queens);
        }
        if queens > 0 {
            let is_free = |&&other: &&Pair| !attacks(surface, n, square, other);
            let free: Vec<Pair> = later.iter().filter(is_free).copied().collect();
            if placed.iter().all(|it| *it <= square || free.contains(it)) {
                found += naive(surface, n, &free, placed, queens - 1);
            }
        }
        found
    }

    fn counted(surface: Surface, n: u32, placed: &[Square], blocked: &[Square]) -> [u128; 2] {
        [false, true].map(|is_textbook| {
            let tree = Wrapped::new(surface, n, placed, blocked, is_textbook);
            count(&tree.split().unwrap()).unwrap()
        })
    }

    #[test]
    fn counts_are_those_of_a_naive_search_on_the_plane_that_the_board_tiles() {
        let mut random = Random::from_seed(81);
        let mut with_solutions = 0;
        for (surface, n) in Surface::ALL.into_iter().flat_map(|it| (1..=6).map(move |n| (it, n))) {
            for round in 0..4 {
                let mut squares: Vec<Square> =
                    (0..n * n).map(|i| Square::new(i % n, i / n)).collect();
                let mut some = |number: u32| -> Vec<Square> {
                    let drawn = (0..number).map(|_| {
                        squares.swap_remove(random.below_wide(squares.len() as u64) as usize)
                    });
                    drawn.collect()
                };
                let blocked = some(if round > 0 { n - 1 } else { 0 });
                let placed = some(u32::from(round > 1));
                let pair = |it: &Square| ((n - 1 - it.rank()) as i32, it.file() as i32);
                let mut open: Vec<Pair> = squares.iter().chain(&placed).map(pair).collect();
                open.sort_unstable();
                let placed_pairs: Vec<Pair> = placed.iter().map(pair).collect();
                let expected = naive(surface, n as i32, &open, &placed_pairs, surface.queens(n));
                let found = counted(surface, n, &placed, &blocked);
                let told = format!("{surface} {n} {placed:?} {blocked:?}");
                assert_eq!(found, [expected.into(); 2], "{told}");
                with_solutions += u32::from(expected > 0);
            }
        }
        assert!(with_solutions > 40, "{with_solutions}");
    }

    #[test]
    fn counts_are_the_published_ones() {
        for (surface, sizes) in
            [(Surface::Cylinder, 1..=11), (Surface::Torus, 1..=11), (Surface::Mobius, 1..=9)]
        {
            for n in sizes {
                let known = known::solutions_on(surface, n).unwrap();
                assert_eq!(counted(surface, n, &[], &[]), [known; 2], "{surface} {n}");
            }
        }
        assert_eq!(known::solutions_on(Surface::Torus, 31), Some(13_404_947_681_712));
        assert_eq!(known::solutions_on(Surface::Torus, 35), None);
    }
}
