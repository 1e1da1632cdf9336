//! A random solution, and random regions around its stars.

use super::{Wishes, neighbours};
use crate::board::{MAX_SIZE, full_row};
use tallyboard_base::random::Random;

/// The rows that are tried before a drawing is given up.
const MAX_TRIES: usize = 2_000;

/// A random set of stars: a set of columns for each row; `None` if this attempt fails.
pub fn draw_stars(size: usize, stars: usize, random: &mut Random) -> Option<Vec<u32>> {
    let left = [stars as u32; MAX_SIZE];
    let mut drawing = Drawing { size, stars, rows: Vec::new(), left, tries: 0 };
    drawing.complete(random).then_some(drawing.rows)
}

struct Drawing {
    size: usize,
    stars: usize,
    rows: Vec<u32>,
    /// The stars that each column lacks.
    left: [u32; MAX_SIZE],
    tries: usize,
}

impl Drawing {
    /// Draws the rows that are missing. Returns whether that was possible in the tries that are left.
    fn complete(&mut self, random: &mut Random) -> bool {
        if self.rows.len() == self.size {
            return true;
        }
        let rows_left = (self.size - self.rows.len()) as u32;
        let above = self.rows.last().copied().unwrap_or(0);
        let touched = above | above << 1 | above >> 1;
        // A column that lacks as many stars as every other row that is left can hold cannot wait.
        let mut free = 0;
        for column in 0..self.size {
            if self.left[column] > rows_left.div_ceil(2) {
                return false;
            }
            free |= u32::from(self.left[column] > 0) << column;
        }
        for _ in 0..4 {
            self.tries += 1;
            if self.tries > MAX_TRIES {
                return false;
            }
            let Some(row) = self.draw_row(free & !touched & full_row(self.size), random) else {
                return false;
            };
            self.rows.push(row);
            self.change(row, u32::wrapping_sub);
            if self.complete(random) {
                return true;
            }
            self.change(row, u32::wrapping_add);
            self.rows.pop();
        }
        false
    }

    fn change(&mut self, row: u32, by: fn(u32, u32) -> u32) {
        for column in 0..self.size {
            self.left[column] = by(self.left[column], row >> column & 1);
        }
    }

    /// A row of stars in `free` that do not touch.
    fn draw_row(&self, mut free: u32, random: &mut Random) -> Option<u32> {
        let mut row = 0;
        for _ in 0..self.stars {
            if free == 0 {
                return None;
            }
            let mut rest = free;
            for _ in 0..random.below(free.count_ones()) {
                rest &= rest - 1;
            }
            let cell = rest & rest.wrapping_neg();
            row |= cell;
            free &= !(cell | cell << 1 | cell >> 1);
        }
        Some(row)
    }
}

/// No region yet.
const NONE: u8 = u8::MAX;

/// Regions with the wished number of stars each that fill the board, numbered in the order of their first cells; `None` if this
/// attempt fails.
pub fn draw_regions(wishes: &Wishes, stars: &[u32], random: &mut Random) -> Option<Box<[u8]>> {
    let size = wishes.size;
    let mut cells = vec![NONE; size * size];
    let mut seeds = 0;
    for cell in 0..size * size {
        if stars[cell / size] >> (cell % size) & 1 == 1 {
            cells[cell] = seeds;
            seeds += 1;
        }
    }
    let largest = if wishes.stars == 1 { wishes.largest } else { size * size };
    grow(&mut cells, size, usize::from(seeds), largest, random)?;
    if wishes.stars > 1 {
        join(&mut cells, size, wishes.stars, random)?;
    }
    let mut sizes = [0; MAX_SIZE];
    let mut numbers = [NONE; MAX_SIZE * MAX_SIZE];
    let mut next = 0;
    for cell in &mut cells {
        let number = &mut numbers[usize::from(*cell)];
        if *number == NONE {
            *number = next;
            next += 1;
        }
        *cell = *number;
        sizes[usize::from(*cell)] += 1;
    }
    let fits = |&cells: &usize| (wishes.smallest..=wishes.largest).contains(&cells);
    sizes[..size].iter().all(fits).then(|| cells.into())
}

/// Gives each cell to a region beside it, in random order, some regions faster than others.
fn grow(
    cells: &mut [u8],
    size: usize,
    seeds: usize,
    largest: usize,
    random: &mut Random,
) -> Option<()> {
    let mut sizes = vec![1; seeds];
    let speeds: Vec<u32> = (0..seeds).map(|_| 1 + random.below(8)).collect();
    // The cells at the border of what is taken: a cell may stand here several times.
    let mut border: Vec<u16> = Vec::with_capacity(4 * cells.len());
    for cell in (0..cells.len()).filter(|&cell| cells[cell] != NONE) {
        border.extend(neighbours(cell, size).map(|beside| beside as u16));
    }
    let mut refusals = 0;
    while !border.is_empty() {
        let index = random.below(border.len() as u32) as usize;
        let cell = usize::from(border[index]);
        if cells[cell] != NONE {
            border.swap_remove(index);
            continue;
        }
        let mut beside = [NONE; 4];
        let mut found = 0;
        for other in neighbours(cell, size).filter(|&other| cells[other] != NONE) {
            beside[found] = cells[other];
            found += 1;
        }
        let region = beside[random.below(found as u32) as usize];
        let is_full = sizes[usize::from(region)] >= largest;
        if is_full || random.below(8) >= speeds[usize::from(region)] {
            refusals += 1;
            if refusals > 100 * cells.len() {
                return None;
            }
            continue;
        }
        cells[cell] = region;
        sizes[usize::from(region)] += 1;
        border.swap_remove(index);
        border.extend(neighbours(cell, size).map(|beside| beside as u16));
    }
    Some(())
}

/// Joins regions that lie side by side to groups of `stars`.
fn join(cells: &mut [u8], size: usize, stars: usize, random: &mut Random) -> Option<()> {
    let seeds = size * stars;
    let mut beside = vec![Vec::new(); seeds];
    for cell in 0..cells.len() {
        for other in neighbours(cell, size).filter(|&other| cells[other] != cells[cell]) {
            let list: &mut Vec<u8> = &mut beside[usize::from(cells[cell])];
            if !list.contains(&cells[other]) {
                list.push(cells[other]);
            }
        }
    }
    // A hundred attempts, each with the region that has the fewest free neighbours first.
    for _ in 0..100 {
        if let Some(groups) = group(&beside, stars, random) {
            cells.iter_mut().for_each(|cell| *cell = groups[usize::from(*cell)]);
            return Some(());
        }
    }
    None
}

/// The number of the group of each region.
fn group(beside: &[Vec<u8>], stars: usize, random: &mut Random) -> Option<Vec<u8>> {
    let mut groups = vec![NONE; beside.len()];
    for number in 0..beside.len() / stars {
        let free = |region: usize, groups: &[u8]| {
            beside[region].iter().filter(|&&other| groups[usize::from(other)] == NONE).count()
        };
        let lonely = (0..beside.len()).filter(|&region| groups[region] == NONE);
        let first = lonely.min_by_key(|&region| (free(region, &groups), random.bits()))?;
        groups[first] = number as u8;
        let mut members = vec![first];
        while members.len() < stars {
            let mut next: Vec<usize> = Vec::new();
            for &member in &members {
                next.extend(beside[member].iter().map(|&other| usize::from(other)));
            }
            next.retain(|&other| groups[other] == NONE);
            let chosen = *next.get(random.below(next.len().max(1) as u32) as usize)?;
            groups[chosen] = number as u8;
            members.push(chosen);
        }
    }
    Some(groups)
}
