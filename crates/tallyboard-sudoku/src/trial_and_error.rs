//! Trial and error: how deep suppositions have to be nested until singles alone solve a puzzle; and backdoors, the fewest cells
//! that do it once they are known.
//!
//! The procedure T&E(n) is that of Denis Berthier, *Pattern-Based Constraint Satisfaction and Logic Puzzles*, section 5.6, with
//! singles as the rules that are repeated:
//!
//! ```text
//! T&E(0): fill in naked and hidden singles until there are none
//! T&E(n): repeat
//!     T&E(n - 1)
//!     for each candidate, in any order:
//!         suppose it, and let T&E(n - 1) work on the grid that this gives
//!         if that ends in a contradiction, remove the candidate
//! until nothing was removed
//! ```
//!
//! A solution that a supposition leads to is forgotten: nothing is guessed. No removal prevents another, so the order of the
//! candidates changes nothing. The true candidates of a puzzle with one solution lead to no contradiction, and are not tried.

use crate::Grid;
use crate::batch::{
    Base, Candidate, End, Puzzles, Solvers, assume, base_of, close, open_candidates, remove,
};
use tallyboard_search::{Stop, Stopped};

/// The solution of each puzzle; `None` of a puzzle that has not just one.
pub(super) fn only_solutions(
    puzzles: &Puzzles,
    solvers: &mut Solvers,
    stop: &Stop,
) -> Result<Vec<Option<Grid>>, Stopped> {
    let mut table = Puzzles::default();
    (0..puzzles.len()).for_each(|puzzle| table.push(&puzzles.puzzle(puzzle)));
    table.solve(solvers, 2, stop)?;
    let answers = (0..table.len()).map(|puzzle| table.answer(puzzle));
    Ok(answers.map(|answer| answer.first.filter(|_| answer.count == 1)).collect())
}

/// The depth of trial and error of each puzzle, given its only solution; `None` without one.
pub(super) fn depths(
    puzzles: &Puzzles,
    solutions: &[Option<Grid>],
    solvers: &mut Solvers,
    stop: &Stop,
) -> Result<Vec<Option<u32>>, Stopped> {
    of_each(puzzles, solutions, solvers, stop, Trials::depth)
}

/// How many of the candidates that singles leave T&E(1) removes, for each puzzle, given its only solution; `None` without one.
pub(super) fn removals(
    puzzles: &Puzzles,
    solutions: &[Option<Grid>],
    solvers: &mut Solvers,
    stop: &Stop,
) -> Result<Vec<Option<u32>>, Stopped> {
    of_each(puzzles, solutions, solvers, stop, Trials::removals)
}

/// The least number of cells whose values, once they are known, leave nothing but singles, for each puzzle, given its only solution;
/// `None` without one.
pub(super) fn backdoors(
    puzzles: &Puzzles,
    solutions: &[Option<Grid>],
    solvers: &mut Solvers,
    stop: &Stop,
) -> Result<Vec<Option<u32>>, Stopped> {
    of_each(puzzles, solutions, solvers, stop, Trials::backdoor)
}

/// What `find` finds for each puzzle that has a solution.
fn of_each<'a>(
    puzzles: &Puzzles,
    solutions: &[Option<Grid>],
    solvers: &'a mut Solvers,
    stop: &'a Stop,
    find: impl Fn(&mut Trials<'a>, Base, &Grid) -> Result<u32, Stopped>,
) -> Result<Vec<Option<u32>>, Stopped> {
    let mut trials = Trials { solvers, stop, ends: Vec::new() };
    let of_puzzle = |(puzzle, solution): (usize, &Option<Grid>)| {
        solution
            .as_ref()
            .map(|solution| find(&mut trials, base_of(&puzzles.puzzle(puzzle)), solution))
            .transpose()
    };
    solutions.iter().enumerate().map(of_puzzle).collect()
}

/// Suppositions that are tried in the lanes of the batch engine.
struct Trials<'a> {
    solvers: &'a mut Solvers,
    stop: &'a Stop,
    /// Of the last trials.
    ends: Vec<End>,
}

impl Trials<'_> {
    /// The depth of a puzzle with this solution.
    fn depth(&mut self, mut base: Base, solution: &Grid) -> Result<u32, Stopped> {
        let mut depth = 0;
        while self.resolve(&mut base, depth, Some(solution))? != End::Solved {
            depth += 1;
        }
        Ok(depth)
    }

    /// The candidates that T&E(1) removes of those that singles leave, in a puzzle with this solution.
    fn removals(&mut self, mut base: Base, solution: &Grid) -> Result<u32, Stopped> {
        close(&mut base);
        let left = |base: &Base| false_candidates(base, Some(solution)).len() as u32;
        let before = left(&base);
        self.resolve(&mut base, 1, Some(solution))?;
        Ok(before - left(&base))
    }

    /// The size of the smallest backdoor of a puzzle with this solution.
    fn backdoor(&mut self, mut base: Base, solution: &Grid) -> Result<u32, Stopped> {
        if close(&mut base) == End::Solved {
            return Ok(0);
        }
        let mut size = 1;
        while !self.has_backdoor(&base, size, 0, solution)? {
            size += 1;
        }
        Ok(size)
    }

    /// T&E(`depth`); candidates of the `solution` are not tried.
    fn resolve(
        &mut self,
        base: &mut Base,
        depth: u32,
        solution: Option<&Grid>,
    ) -> Result<End, Stopped> {
        match depth {
            0 => Ok(close(base)),
            1 => self.resolve_by_singles(base, solution),
            _ => self.resolve_by_trials(base, depth, solution),
        }
    }

    /// T&E(1).
    fn resolve_by_singles(
        &mut self,
        base: &mut Base,
        solution: Option<&Grid>,
    ) -> Result<End, Stopped> {
        loop {
            let end = close(base);
            if end != End::Open {
                return Ok(end);
            }
            let candidates = false_candidates(base, solution);
            self.solvers.try_each(base, &candidates, &mut self.ends, self.stop)?;
            if !self.ends.contains(&End::Dead) {
                return Ok(End::Open);
            }
            let ends = candidates.iter().zip(&self.ends);
            let dead = ends.filter(|(_, end)| **end == End::Dead);
            dead.for_each(|(candidate, _)| remove(base, candidate));
        }
    }

    /// T&E(`depth`) for two and more. What is cheaper is tried first, again after each removal.
    fn resolve_by_trials(
        &mut self,
        base: &mut Base,
        depth: u32,
        solution: Option<&Grid>,
    ) -> Result<End, Stopped> {
        // Candidates that were tried since the last removal come last: few of them have a contradiction now.
        let mut tried = 0;
        loop {
            let end = self.resolve(base, depth - 1, solution)?;
            if end != End::Open {
                return Ok(end);
            }
            let mut candidates = false_candidates(base, solution);
            let number = candidates.len();
            candidates.rotate_left(tried % number);
            let Some(dead) = self.first_dead(base, &candidates, depth - 1)? else {
                return Ok(End::Open);
            };
            remove(base, &candidates[dead]);
            tried += dead;
        }
    }

    /// The first of these candidates that ends in a contradiction by T&E(`depth`).
    fn first_dead(
        &mut self,
        base: &Base,
        candidates: &[Candidate],
        depth: u32,
    ) -> Result<Option<usize>, Stopped> {
        for (number, candidate) in candidates.iter().enumerate() {
            let mut supposed = *base;
            assume(&mut supposed, 0, candidate);
            if self.resolve(&mut supposed, depth, None)? == End::Dead {
                return Ok(Some(number));
            }
        }
        Ok(None)
    }

    /// Whether the values of `size` cells, the first of them `from` or later, leave nothing but singles.
    fn has_backdoor(
        &mut self,
        base: &Base,
        size: u32,
        from: usize,
        solution: &Grid,
    ) -> Result<bool, Stopped> {
        let mut candidates = open_candidates(base);
        candidates.retain(|it| it.cell >= from && solution.cells()[it.cell] == it.digit);
        if size == 1 {
            self.solvers.try_each(base, &candidates, &mut self.ends, self.stop)?;
            return Ok(self.ends.contains(&End::Solved));
        }
        for candidate in candidates {
            let mut known = *base;
            assume(&mut known, 0, &candidate);
            close(&mut known);
            if self.has_backdoor(&known, size - 1, candidate.cell + 1, solution)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The candidates of cells that have several, but for those of the solution.
fn false_candidates(base: &Base, solution: Option<&Grid>) -> Vec<Candidate> {
    let mut candidates = open_candidates(base);
    if let Some(solution) = solution {
        candidates.retain(|it| solution.cells()[it.cell] != it.digit);
    }
    candidates
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Generator;
    use crate::grid::test_grids::changed;
    use crate::single::fill_singles;
    use crate::{Answer, CELLS, solve_up_to};
    use tallyboard_base::Kernel;

    /// Depths that D. Berthier published for puzzles of others: <https://github.com/denis-berthier/Sudoku-classif>, the lists
    /// Monhard-until-2023-08-15-TE23/TE3, Mat-2000000-18c/TE2-780-Blue and dob-2650-39c.
    const PUBLISHED: [(&str, u32); 5] = [
        ("987......6..95.....4.......3..21.65....5.3..2....96.31.3.1...2.....6.59.....2.1.3", 3),
        ("9876.....5.....96..4.......3...5.21....2..6.3...1.3.95.3...21.....31..2.....69.5.", 3),
        ("..............1.23.45.6.7..........4...2.3....6....8......4.6....1....8.2....6...", 2),
        ("..............1..2..3.4..5.......56..24..7...7...........6..3...7.2.8...5.......4", 2),
        (".................1...123..4..25.1.67.4..7.5.357..38412.6871.2.52.4..5.7875..82146", 1),
    ];

    /// The digits that each cell may have, a bit each.
    #[derive(Clone)]
    struct Plain([u16; CELLS]);

    /// The cells of every row, column and box.
    fn houses() -> Vec<[usize; 9]> {
        let of = |cells: fn(usize, usize) -> usize| {
            (0..9).map(move |house| std::array::from_fn(|at| cells(house, at)))
        };
        let rows = of(|house, at| 9 * house + at);
        let columns = of(|house, at| 9 * at + house);
        let boxes = of(|house, at| 27 * (house / 3) + 3 * (house % 3) + 9 * (at / 3) + at % 3);
        rows.chain(columns).chain(boxes).collect()
    }

    impl Plain {
        fn of(grid: &Grid) -> Self {
            Self(grid.cells().map(|digit| if digit == 0 { 0x3fe } else { 1 << digit }))
        }

        /// Singles, one after the other.
        fn close(&mut self, houses: &[[usize; 9]]) -> End {
            loop {
                let before = self.0;
                for house in houses {
                    for &cell in house {
                        let single = self.0[cell];
                        if single.count_ones() == 1 {
                            let others = house.iter().filter(|&&other| other != cell);
                            others.for_each(|&other| self.0[other] &= !single);
                        }
                    }
                    for digit in 1..=9 {
                        let mut places =
                            house.iter().filter(|&&cell| self.0[cell] >> digit & 1 == 1);
                        match (places.next(), places.next()) {
                            (None, _) => return End::Dead,
                            (Some(&cell), None) => self.0[cell] = 1 << digit,
                            _ => {}
                        }
                    }
                }
                if self.0.contains(&0) {
                    return End::Dead;
                }
                if self.0 == before {
                    let is_full = self.0.iter().all(|cell| cell.count_ones() == 1);
                    return if is_full { End::Solved } else { End::Open };
                }
            }
        }

        fn with(&self, cell: usize, digit: u8) -> Self {
            let mut supposed = self.clone();
            supposed.0[cell] = 1 << digit;
            supposed
        }

        fn candidates(&self) -> Vec<(usize, u8)> {
            let open = (0..CELLS).filter(|&cell| self.0[cell].count_ones() > 1);
            open.flat_map(|cell| (1..=9).map(move |digit| (cell, digit)))
                .filter(|&(cell, digit)| self.0[cell] >> digit & 1 == 1)
                .collect()
        }

        /// T&E(1), all candidates after each other, those of the solution among them.
        fn try_all(&mut self, houses: &[[usize; 9]]) -> End {
            loop {
                let end = self.close(houses);
                let candidates = self.candidates();
                let dead = candidates
                    .into_iter()
                    .find(|&(cell, digit)| self.with(cell, digit).close(houses) == End::Dead);
                match dead {
                    Some((cell, digit)) if end == End::Open => self.0[cell] &= !(1 << digit),
                    _ => return end,
                }
            }
        }
    }

    /// Puzzles that singles solve, that trials solve, with several solutions and with none.
    fn puzzles() -> Vec<Grid> {
        let (few, many) = (Generator::for_tests(None, 21), Generator::for_tests(Some(28), 22));
        let puzzle = |number: u64| {
            let generator = if number.is_multiple_of(3) { &many } else { &few };
            changed(&generator.puzzle(number), |cells| match number % 10 {
                4 => cells.iter_mut().step_by(11).for_each(|cell| *cell = 0),
                7 => cells[number as usize] = 1 + (number % 9) as u8,
                _ => {}
            })
        };
        (0..40).map(puzzle).collect()
    }

    type Find =
        fn(&Puzzles, &[Option<Grid>], &mut Solvers, &Stop) -> Result<Vec<Option<u32>>, Stopped>;

    fn of_grids(grids: &[Grid], find: Find) -> Vec<Option<u32>> {
        let (mut table, mut solvers, stop) = (Puzzles::default(), Solvers::best(), Stop::new());
        grids.iter().for_each(|grid| table.push(grid));
        let solutions = only_solutions(&table, &mut solvers, &stop).unwrap();
        find(&table, &solutions, &mut solvers, &stop).unwrap()
    }

    #[test]
    fn trials_end_as_singles_filled_in_one_by_one_do_in_every_kernel() {
        let houses = houses();
        let mut seen = [0; 3];
        for kernel in Kernel::available() {
            let mut solvers = Solvers::new(kernel).unwrap();
            let mut ends = Vec::new();
            for grid in puzzles() {
                let mut base = base_of(&grid);
                let mut plain = Plain::of(&grid);
                let end = close(&mut base);
                assert_eq!(end, plain.close(&houses), "{grid}");
                if end == End::Dead {
                    continue;
                }
                let candidates = open_candidates(&base);
                let named: Vec<(usize, u8)> =
                    candidates.iter().map(|it| (it.cell, it.digit)).collect();
                assert_eq!(named, plain.candidates(), "{grid}");
                solvers.try_each(&base, &candidates, &mut ends, &Stop::new()).unwrap();
                for (&(cell, digit), &end) in named.iter().zip(&ends) {
                    assert_eq!(
                        end,
                        plain.with(cell, digit).close(&houses),
                        "{grid} {cell} {digit}"
                    );
                    seen[end as usize] += 1;
                }
            }
        }
        assert!(seen.iter().all(|&ends| ends > 100), "{seen:?}");
    }

    #[test]
    fn depths_to_one_are_those_of_plain_trials() {
        let grids = puzzles();
        let found = of_grids(&grids, depths);
        let houses = houses();
        let mut seen = [0; 3];
        for (grid, found) in grids.iter().zip(found) {
            let Answer { count, .. } = solve_up_to(grid, 2);
            assert_eq!(found.is_some(), count == 1, "{grid}");
            let Some(depth) = found else { continue };
            let expected = if Plain::of(grid).close(&houses) == End::Solved {
                0
            } else if Plain::of(grid).try_all(&houses) == End::Solved {
                1
            } else {
                2
            };
            assert_eq!(depth.min(2), expected, "{grid}");
            seen[expected as usize] += 1;
        }
        assert!(seen[0] > 5 && seen[1] > 5, "{seen:?}");
    }

    #[test]
    fn removals_are_those_of_plain_trials() {
        let hard = PUBLISHED.map(|(grid, _)| grid.parse().unwrap());
        let grids: Vec<Grid> = puzzles().into_iter().chain(hard).collect();
        let found = of_grids(&grids, removals);
        let houses = houses();
        let mut seen = [0; 3];
        for (grid, (found, depth)) in grids.iter().zip(found.iter().zip(of_grids(&grids, depths))) {
            assert_eq!(found.is_some(), depth.is_some(), "{grid}");
            let (Some(found), Some(depth)) = (*found, depth) else { continue };
            let all = |plain: &Plain| plain.0.iter().map(|cell| cell.count_ones()).sum::<u32>();
            let mut plain = Plain::of(grid);
            plain.close(&houses);
            let before = all(&plain);
            plain.try_all(&houses);
            assert_eq!(found, before - all(&plain), "{grid}");
            // Of a puzzle of depth 1 nothing but its solution is left, and of a deeper one more.
            assert_eq!(found == before - CELLS as u32, depth < 2, "{grid}");
            seen[depth.min(2) as usize] += u32::from(found > 0);
        }
        assert!(seen[0] == 0 && seen[1] > 5 && seen[2] > 0, "{seen:?}");
    }

    #[test]
    fn depths_of_two_and_three_are_the_published_ones() {
        let grids = PUBLISHED.map(|(grid, _)| grid.parse().unwrap());
        let found = of_grids(&grids, depths);
        assert_eq!(found, PUBLISHED.map(|(_, depth)| Some(depth)));
    }

    #[test]
    fn backdoors_are_the_smallest_sets_of_cells_that_do() {
        let hard = PUBLISHED.map(|(grid, _)| grid.parse().unwrap());
        let grids: Vec<Grid> = puzzles().into_iter().chain(hard).collect();
        let found = of_grids(&grids, backdoors);
        let houses = houses();
        let mut seen = [0; 4];
        for (grid, found) in grids.iter().zip(found) {
            let answer = solve_up_to(grid, 2);
            assert_eq!(found.is_some(), answer.count == 1, "{grid}");
            let Some(size) = found else { continue };
            let solution = answer.first.unwrap();
            let does = |cells: &[usize]| {
                let mut plain = Plain::of(grid);
                cells.iter().for_each(|&cell| plain.0[cell] = 1 << solution.cells()[cell]);
                plain.close(&houses) == End::Solved
            };
            let pairs = || (0..CELLS).flat_map(|one| (0..one).map(move |other| [one, other]));
            let expected = if does(&[]) {
                0
            } else if (0..CELLS).any(|cell| does(&[cell])) {
                1
            } else if pairs().any(|pair| does(&pair)) {
                2
            } else {
                3
            };
            assert_eq!(size.min(3), expected, "{grid}");
            seen[expected as usize] += 1;
        }
        assert!(seen[..3].iter().all(|&puzzles| puzzles > 0), "{seen:?}");
    }

    #[test]
    fn backdoors_are_looked_for_among_all_cells_from_one_on() {
        let houses = houses();
        for (grid, _) in &PUBLISHED[2..4] {
            let grid: Grid = grid.parse().unwrap();
            let solution = solve_up_to(&grid, 1).first.unwrap();
            let does = |cells: [usize; 2]| {
                let mut plain = Plain::of(&grid);
                cells.iter().for_each(|&cell| plain.0[cell] = 1 << solution.cells()[cell]);
                plain.close(&houses) == End::Solved
            };
            let pairs = (0..CELLS).flat_map(|one| (one + 1..CELLS).map(move |other| [one, other]));
            let open = pairs.filter(|pair| pair.iter().all(|&cell| grid.cells()[cell] == 0));
            let found: Vec<[usize; 2]> = open.filter(|&pair| does(pair)).collect();
            let (mut base, stop) = (base_of(&grid), Stop::new());
            close(&mut base);
            let mut solvers = Solvers::best();
            let mut trials = Trials { solvers: &mut solvers, stop: &stop, ends: Vec::new() };
            for from in 0..CELLS {
                let expected = found.iter().any(|pair| pair[0] >= from);
                assert_eq!(trials.has_backdoor(&base, 2, from, &solution), Ok(expected), "{from}");
            }
            assert!(!found.is_empty() && found.iter().all(|pair| pair[0] < 79), "{found:?}");
        }
    }

    #[test]
    fn two_equal_clues_are_a_contradiction_if_and_only_if_they_share_a_house() {
        for (a, b) in (0..CELLS).flat_map(|a| (0..a).map(move |b| (a, b))) {
            let grid = changed(&Grid::default(), |cells| (cells[a], cells[b]) = (5, 5));
            let shares = houses().iter().any(|house| house.contains(&a) && house.contains(&b));
            assert_eq!(close(&mut base_of(&grid)) == End::Dead, shares, "{a} and {b}");
        }
    }

    #[test]
    fn what_singles_give_is_filled_in() {
        let houses = houses();
        let mut unfinished = 0;
        for grid in puzzles() {
            let mut plain = Plain::of(&grid);
            let expected = (plain.close(&houses) != End::Dead).then(|| {
                let digit =
                    |cell: u16| (cell.count_ones() == 1).then(|| cell.trailing_zeros() as u8);
                Grid::new(plain.0.map(|cell| digit(cell).unwrap_or(0))).unwrap()
            });
            assert_eq!(fill_singles(&grid), expected, "{grid}");
            unfinished += usize::from(expected.is_some_and(|it| it.clues() < CELLS));
        }
        assert!(unfinished > 10);
    }
}
