//! Random solved grids.
//!
//! ```text
//! the first box        any order of the digits
//! its band, its stack  the other boxes, each way to fill them as likely as any other
//! the other boxes      random choices among the candidates after singles; a dead end starts all over again
//! ```

use crate::single::state::{GridState, Propagation};
use crate::{CELLS, Grid};
use tallyboard_base::random::Random;

/// A random solved grid: any is possible, not all are equally likely.
pub fn solved_grid(random: &mut Random) -> Grid {
    loop {
        let mut state = GridState::new(&band_and_stack(random)).expect("no clash in them");
        loop {
            match state.propagate() {
                Propagation::Solved => {
                    return Grid::new(*state.cells()).expect("every cell is a digit");
                }
                Propagation::Dead => break,
                Propagation::Branch(choice) => state = state.child(choice.random(random)),
            }
        }
    }
}

/// A grid with its first band and its first stack filled.
fn band_and_stack(random: &mut Random) -> [u8; CELLS] {
    let mut first_box: [u8; 9] = std::array::from_fn(|index| index as u8 + 1);
    random.shuffle(&mut first_box);
    let mut cells = [0; CELLS];
    // The band by rows, then the stack by columns: how far the next cell of a line is and how far the next line is, in the
    // box and in the grid.
    for ([box_cell, box_line], [next_cell, next_line]) in [([1, 3], [1, 9]), ([3, 1], [9, 1])] {
        let lines =
            [0, 1, 2].map(|i| [0, 1, 2].map(|place| first_box[i * box_line + place * box_cell]));
        for (i, others) in rest_of_band(lines, random).into_iter().enumerate() {
            for (place, &digit) in lines[i].iter().chain(others.as_flattened()).enumerate() {
                cells[i * next_line + place * next_cell] = digit;
            }
        }
    }
    cells
}

/// The other two boxes of a band (or stack) whose first box has these lines, line by line.
///
/// Line `i` of the second box has `k` digits of line `i + 1` of the first box and 3 - `k` of line `i + 2`, modulo 3. There is
/// one way to choose the digits for `k` = 0 and 3, and 27 ways for 1 and 2.
fn rest_of_band(mut lines: [[u8; 3]; 3], random: &mut Random) -> [[[u8; 3]; 2]; 3] {
    lines.iter_mut().for_each(|line| random.shuffle(line));
    // One of the 1 + 27 + 27 + 1 ways.
    let k = match random.below(56) {
        0 => 0,
        1..28 => 1,
        28..55 => 2,
        _ => 3,
    };
    // `k` digits of one line, and the last of another.
    let mut mix = |first: usize, last: usize| {
        let mut mixed = lines[last % 3];
        mixed[..k].copy_from_slice(&lines[first % 3][..k]);
        random.shuffle(&mut mixed);
        mixed
    };
    [0, 1, 2].map(|line| [mix(line + 1, line + 2), mix(line + 2, line + 1)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve_up_to;

    #[test]
    fn every_band_is_as_likely_as_any_other() {
        let random = &mut Random::from_seed(1);
        let mut found = std::collections::BTreeMap::new();
        for _ in 0..56_000 {
            // The digits of the second box by lines; the third box has the rest.
            let mut sets = rest_of_band([[1, 2, 3], [4, 5, 6], [7, 8, 9]], random);
            let mut all: Vec<u8> = sets.iter().flat_map(|line| line[0]).collect();
            all.sort_unstable();
            assert_eq!(all, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
            sets.as_flattened_mut().iter_mut().for_each(|set| set.sort_unstable());
            *found.entry(sets).or_insert(0) += 1;
        }
        assert_eq!(found.len(), 56);
        // A thousand each, give or take five standard deviations.
        assert!(found.values().all(|&times| (840..1160).contains(&times)), "{found:?}");
    }

    #[test]
    fn grids_are_solved_and_differ() {
        let random = &mut Random::from_seed(2);
        let grids: Vec<Grid> = (0..100).map(|_| solved_grid(random)).collect();
        for grid in &grids {
            assert_eq!((grid.clues(), solve_up_to(grid, 2).count), (CELLS, 1));
        }
        // In each cell, each digit.
        for cell in 0..CELLS {
            let seen = grids.iter().fold(0, |seen, grid| seen | 1 << grid.cells()[cell]);
            assert_eq!(seen, 0b11_1111_1110_u32, "{cell}");
        }
    }
}
