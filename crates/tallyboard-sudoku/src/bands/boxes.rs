//! The partitions that the clues allow for the rows and the columns of each box.

use super::partitions::{PARTITION_COUNT, PARTITIONS};
use crate::CELLS;

/// The cells of a grid, row by row; 0 is a blank.
pub type Cells = [u8; CELLS];

/// The partitions that one side of a box may have, ascending. The sides of a box are its rows and its columns.
#[derive(Debug, Default, Clone)]
pub struct Choices {
    /// The numbers of the partitions.
    pub all: Vec<u16>,
    /// The index of each partition in `all`; `None` if it is not there.
    place: Vec<Option<u16>>,
}

impl Choices {
    /// The partitions for which `holds` is true.
    fn new(mut holds: impl FnMut(u16) -> bool) -> Self {
        let all: Vec<u16> =
            (0..PARTITION_COUNT as u16).filter(|&partition| holds(partition)).collect();
        let mut place = vec![None; PARTITION_COUNT];
        all.iter().zip(0..).for_each(|(&partition, at)| place[usize::from(partition)] = Some(at));
        Self { all, place }
    }

    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// The index of a partition in `all`, if it is there.
    pub fn place(&self, partition: u16) -> Option<u16> {
        self.place[usize::from(partition)]
    }

    pub fn has(&self, partition: u16) -> bool {
        self.place(partition).is_some()
    }

    /// The triples that begin with `partition`. Each is given by two indexes: of its second partition in `self.all`,
    /// and of its third in `other.all`.
    pub fn partners<'a>(
        &'a self,
        partition: u16,
        other: &'a Self,
    ) -> impl Iterator<Item = [u16; 2]> + 'a {
        let pairs = PARTITIONS.partners[usize::from(partition)].iter();
        pairs.filter_map(move |&[a, b]| Some([self.place(a)?, other.place(b)?]))
    }
}

/// Both sides of a box.
#[derive(Debug, Default, Clone)]
pub struct BoxChoices {
    /// The partitions of the digits into the three rows of the box.
    pub rows: Choices,
    /// The partitions of the digits into its three columns.
    pub columns: Choices,
}

/// The sides of all boxes, by band and stack.
pub type Boxes = [[BoxChoices; 3]; 3];

/// The partitions that the clues of `cells` allow. If a clue has a digit in a line, the digit is not in that line
/// of the other boxes.
pub fn boxes(cells: &Cells) -> Boxes {
    std::array::from_fn(|band| {
        std::array::from_fn(|stack| {
            // For each digit, the lines of the box that may hold it, a bit each.
            let mut rows = [0b111; 9];
            let mut columns = [0b111; 9];
            for (cell, &digit) in cells.iter().enumerate().filter(|(_, digit)| **digit > 0) {
                let row = cell / 9;
                let column = cell % 9;
                let digit = usize::from(digit) - 1;
                let in_band = row / 3 == band;
                let in_stack = column / 3 == stack;
                if in_band {
                    restrict(&mut rows[digit], row % 3, in_stack);
                }
                if in_stack {
                    restrict(&mut columns[digit], column % 3, in_band);
                }
            }
            crossed(choices_within(&rows), choices_within(&columns))
        })
    })
}

/// Restricts the lines of a digit to `line` alone if the clue is in this box, or else to the other lines.
fn restrict(lines: &mut u8, line: usize, in_this_box: bool) {
    *lines &= if in_this_box { 1 << line } else { !(1 << line) };
}

/// The partitions that have each digit in one of its lines.
fn choices_within(lines: &[u8; 9]) -> Choices {
    Choices::new(|partition| {
        let places = &PARTITIONS.places[usize::from(partition)];
        lines.iter().zip(places).all(|(lines, place)| lines >> place & 1 != 0)
    })
}

/// Drops the partitions that no partition of the other side crosses.
fn crossed(rows: Choices, columns: Choices) -> BoxChoices {
    let meets = |one: &Choices, other: &Choices| {
        Choices::new(|partition| {
            let crossing = &PARTITIONS.crossing[usize::from(partition)];
            one.has(partition) && crossing.iter().any(|&crossing| other.has(crossing))
        })
    };
    BoxChoices { columns: meets(&columns, &rows), rows: meets(&rows, &columns) }
}

/// The number of ways to choose columns for the three boxes of a stack.
pub fn triples(boxes: &Boxes, stack: usize) -> usize {
    let [first, second, third] = [0, 1, 2].map(|band: usize| &boxes[band][stack].columns);
    first.all.iter().map(|&partition| second.partners(partition, third).count()).sum()
}
