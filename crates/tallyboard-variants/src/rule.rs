//! One rule of a variant, and its line in the text form.

use std::fmt;

use crate::grid::Cell;

/// A rule that holds in a grid besides its rows and columns.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rule {
    /// Regions in place of the boxes: the number of each cell's region, from 0, in reading order. A region has
    /// as many cells as a row.
    Regions(Vec<usize>),
    /// Rows and columns alone: a Latin square.
    NoRegions,
    /// The diagonal from the top left to the bottom right has all values.
    FallingDiagonal,
    /// The diagonal from the bottom left to the top right has all values.
    RisingDiagonal,
    /// Four more 3 × 3 boxes, a cell from the border and a cell apart, have all values. Size 9 alone.
    Windoku,
    /// The cells with the same place in their boxes have all values.
    DisjointGroups,
    /// These cells, as many as a row has, hold all values.
    House(Vec<Cell>),
    /// These cells hold different values.
    Different(Vec<Cell>),
    /// Cells a knight's move apart differ.
    AntiKnight,
    /// Cells that touch, also at a corner, differ.
    AntiKing,
    /// Cells that share a side hold no consecutive values.
    NonConsecutive,
    /// Different values, and this sum of them if there is one.
    Cage {
        /// The sum of the values.
        sum: Option<u32>,
        /// The cells, at most as many as a row has.
        cells: Vec<Cell>,
    },
    /// Values grow from the bulb, the first cell, to the end.
    Thermometer(Vec<Cell>),
    /// The values along the line have the sum in the circle. A circle of two cells holds a number of two digits:
    /// ten times the value of the first, plus that of the second.
    Arrow {
        /// The circle: one cell or two.
        circle: Vec<Cell>,
        /// The line that starts at the circle.
        line: Vec<Cell>,
    },
    /// A mark between two cells that share a side.
    Mark(Mark, [Cell; 2]),
    /// All dots are given: neighbours without a dot are not consecutive, and neither is twice the other.
    AllDotsGiven,
    /// All X and V are given: neighbours without X do not sum up to 10, and neighbours without V not to 5.
    AllXvGiven,
}

/// What a mark between two cells says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mark {
    /// A white Kropki dot: the values are consecutive.
    White,
    /// A black Kropki dot: one value is twice the other.
    Black,
    /// The values sum up to 10.
    X,
    /// The values sum up to 5.
    V,
}

impl Mark {
    /// The name in the text form.
    pub fn name(self) -> &'static str {
        match self {
            Self::White => "white",
            Self::Black => "black",
            Self::X => "x",
            Self::V => "v",
        }
    }
}

impl Rule {
    /// The name in the text form, which messages use too.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Regions(_) | Self::NoRegions => "regions",
            Self::FallingDiagonal => "diagonal falling",
            Self::RisingDiagonal => "diagonal rising",
            Self::Windoku => "windoku",
            Self::DisjointGroups => "disjoint-groups",
            Self::House(_) => "house",
            Self::Different(_) => "different",
            Self::AntiKnight => "anti-knight",
            Self::AntiKing => "anti-king",
            Self::NonConsecutive => "non-consecutive",
            Self::Cage { .. } => "cage",
            Self::Thermometer(_) => "thermometer",
            Self::Arrow { .. } => "arrow",
            Self::Mark(mark, _) => mark.name(),
            Self::AllDotsGiven => "all-dots-given",
            Self::AllXvGiven => "all-xv-given",
        }
    }

    /// The cells that the rule names; none for rules of the whole grid.
    pub fn cells(&self) -> Vec<Cell> {
        match self {
            Self::House(cells) | Self::Different(cells) | Self::Thermometer(cells) => cells.clone(),
            Self::Cage { cells, .. } => cells.clone(),
            Self::Arrow { circle, line } => [&circle[..], &line[..]].concat(),
            Self::Mark(_, cells) => cells.to_vec(),
            _ => Vec::new(),
        }
    }
}

/// Cells with blanks between them.
fn words(cells: &[Cell]) -> String {
    cells.iter().map(Cell::to_string).collect::<Vec<_>>().join(" ")
}

/// The character of a region with this number, from 0.
pub(crate) fn region_letter(number: usize) -> char {
    (b'A' + number as u8) as char
}

/// The line of the text form; of regions, the head and the picture.
impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let name = self.name();
        match self {
            Self::Regions(numbers) => {
                f.write_str(name)?;
                let side = numbers.len().isqrt().max(1);
                for row in numbers.chunks(side) {
                    let letters: String = row.iter().copied().map(region_letter).collect();
                    write!(f, "\n{letters}")?;
                }
                Ok(())
            }
            Self::NoRegions => write!(f, "{name} none"),
            Self::Cage { sum: Some(sum), cells } => write!(f, "{name} {sum} {}", words(cells)),
            Self::Arrow { circle, line } => write!(f, "{name} {} = {}", words(circle), words(line)),
            _ => {
                f.write_str(name)?;
                let cells = self.cells();
                if cells.is_empty() { Ok(()) } else { write!(f, " {}", words(&cells)) }
            }
        }
    }
}
