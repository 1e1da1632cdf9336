//! One rule of a variant, the kinds of lines, clues and marks that rules have, and the line of a rule in the text form.

use std::fmt;

use tallyboard_base::named::named;

use crate::global::WholeGrid;
use crate::grid::{Cell, value_to_char};
use crate::pattern::Pattern;

/// A rule that holds in a grid besides its rows and columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rule {
    /// Regions in place of the boxes: the number of each cell's region, from 0, in reading order. A region has
    /// as many cells as a row.
    Regions(Vec<usize>),
    /// These cells, as many as a row has, hold all values.
    House(Vec<Cell>),
    /// These cells hold different values.
    Different(Vec<Cell>),
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
    /// Different values whose sum is in a range.
    CageRange {
        /// The least sum.
        least: u32,
        /// The greatest sum.
        most: u32,
        /// The cells, at most as many as a row has.
        cells: Vec<Cell>,
    },
    /// Values that give a number and may be equal.
    Calculation(Calculation, u32, Vec<Cell>),
    /// A line along which values obey a rule.
    Line(Line, Vec<Cell>),
    /// A clue outside of the grid, and the cells that it looks at, the nearest first.
    Outside(Outside, u32, Vec<Cell>),
    /// Marked cells.
    Marked(Marked, Vec<Cell>),
    /// These values, as they are written, are among those of the cells, each as often as it is listed.
    Quadruple(Vec<u8>, Vec<Cell>),
    /// The values of the cells, in their order, match a pattern. A cell may be there twice.
    Pattern(Pattern, Vec<Cell>),
    /// A rule of the whole grid.
    Global(WholeGrid),
}

/// Each of these rules of the whole grid, as a constant of [`Rule`].
macro_rules! constants {
    ($($global:ident)+) => {
        #[allow(non_upper_case_globals, reason = "they are used as the other rules are")]
        impl Rule {
            $(
                #[doc = concat!("[`WholeGrid::", stringify!($global), "`]")]
                pub const $global: Self = Self::Global(WholeGrid::$global);
            )+
        }
    };
}

constants! {
    NoRegions NoLines FallingDiagonal RisingDiagonal Windoku DisjointGroups AntiKnight AntiKing NonConsecutive AntiTaxicab GlobalEntropy GlobalModular AllDotsGiven AllXvGiven AllDifferencesGiven AllRatiosGiven
}

/// How the values of some cells give a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Calculation {
    /// Their sum.
    Sum,
    /// Their product.
    Product,
    /// The greatest less all others. Between two neighbours this is a dot.
    Difference,
    /// The greatest divided by all others. Between two neighbours this is a dot.
    Quotient,
}

/// Makes the enum of the kinds of lines from a table. A row has a kind and its name in the text form. A kind with a number also says which
/// number is usual in a grid of this side. As all lists of kinds are made from the table, none of them can lack a kind.
macro_rules! lines {
    (
        $(#[$of_all:meta])*
        pub enum Line {
            $($(#[$doc:meta])* $kind:ident $(($number:ident: |$side:pat_param| $usual:expr))? = $name:literal,)*
        }
    ) => {
        $(#[$of_all])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Line {
            $($(#[$doc])* $kind $((lines!(@type_of $number)))?,)*
        }

        impl Line {
            /// Every kind, with the numbers that are usual at a side. Lines with a sum have none that is usual.
            pub(crate) fn all(side: u32) -> Vec<Self> {
                vec![$(Self::$kind $(({ let $side = side; $usual }))?),*]
            }

            /// The name in the text form.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$kind { .. } => $name,)*
                }
            }

            /// The number of the rule; `None` if it has none.
            pub fn number(self) -> Option<u32> {
                match self {
                    $(Self::$kind $(($number))? => lines!(@some $($number)?),)*
                }
            }

            /// The same rule with another number; itself if it has none.
            pub(crate) fn with_number(mut self, number: u32) -> Self {
                match &mut self {
                    $(Self::$kind $(($number))? => { $(*$number = number;)? })*
                }
                self
            }
        }
    };
    (@type_of $number:ident) => { u32 };
    (@some $number:ident) => { Some($number) };
    (@some) => { None };
}

lines! {
    /// What holds along a line. Lines with a number take it from the rule.
    pub enum Line {
        /// Values side by side on the line differ by at least this.
        Whispers(least: |side| side.div_ceil(2)) = "whispers",
        /// The line reads the same from both ends.
        Palindrome = "palindrome",
        /// Different values without a gap, in any order.
        Renban = "renban",
        /// Values lie strictly between those of the two ends.
        Between = "between",
        /// The ends differ by at least this, and the other values lie outside of them.
        Lockout(least: |side| side.div_ceil(2).saturating_sub(1)) = "lockout",
        /// The parts of the line in each region have equal sums. A line that comes back into a region begins a new part.
        RegionSums = "region-sums",
        /// The line is parts with this sum each.
        Sums(sum: |_| 0) = "sum-line",
        /// Two cells as far from the middle have the same sum, that of the cell in the middle if there is one.
        Zipper = "zipper",
        /// As many cells in a row as this have different remainders by it.
        Modular(modulus: |_| 3) = "modular",
        /// Three cells in a row have a low value, a middle one and a high one.
        Entropic = "entropic",
        /// Odd and even values take turns.
        Parity = "parity",
        /// No two values of the line are equal or consecutive.
        Nabner = "nabner",
        /// Values do not fall from the first cell to the last.
        SlowThermometer = "slow-thermometer",
        /// Values fall from each cell to the next: the sign `>` between them.
        Falling = "greater",
        /// The two ends have the sum of the cells between them.
        DoubleArrow = "double-arrow",
        /// Different values, with this sum between the least and the greatest.
        Lunchbox(sum: |_| 0) = "lunchbox",
    }
}

/// What a clue outside of the grid says of the cells that it looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outside {
    /// Their sum.
    LittleKiller,
    /// The sum between the least and the greatest value of the row.
    Sandwich,
    /// How many values are greater than 0 and all before them.
    Skyscraper,
    /// The sum of as many cells as the first one tells.
    XSum,
    /// The value in the cell whose number the first one tells.
    NumberedRoom,
    /// The place of the line among all rows and columns, read as numbers from both ends, the least first.
    FullRank,
}

/// What a mark on cells says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Marked {
    /// An odd value.
    Odd,
    /// An even value.
    Even,
    /// Less than each neighbour that is not marked so.
    Minimum,
    /// More than each neighbour that is not marked so.
    Maximum,
    /// All have one value.
    Same,
    /// A value in one of these cells is in as many of them as it tells.
    Circles,
    /// A cell tells the row of its column in which the number of its own row is.
    RowIndexer,
    /// A cell tells the column of its row in which the number of its own column is.
    ColumnIndexer,
    /// A cell tells the place in its box in which the number of its own place is.
    BoxIndexer,
}

named! {
    /// All of them.
    Calculation { Sum = "sum", Product = "product", Difference = "difference", Quotient = "quotient" }
}

impl Line {
    /// Whether the line holds no value twice.
    pub(crate) fn has_different_values(self) -> bool {
        matches!(self, Self::Renban | Self::Nabner | Self::Lunchbox(_))
    }
}

named! {
    /// All of them.
    Outside {
        LittleKiller = "little-killer",
        Sandwich = "sandwich",
        Skyscraper = "skyscraper",
        XSum = "x-sum",
        NumberedRoom = "numbered-room",
        FullRank = "full-rank",
    }
}

named! {
    /// All of them.
    Marked {
        Odd = "odd",
        Even = "even",
        Minimum = "minimum",
        Maximum = "maximum",
        Same = "same",
        Circles = "circles",
        RowIndexer = "row-indexer",
        ColumnIndexer = "column-indexer",
        BoxIndexer = "box-indexer",
    }
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

named! {
    /// All of them.
    Mark { White = "white", Black = "black", X = "x", V = "v" }
}

impl Rule {
    /// The name in the text form, which messages use too.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Regions(_) => "regions",
            Self::Global(global) => global.name(),
            Self::House(_) => "house",
            Self::Different(_) => "different",
            Self::Cage { .. } => "cage",
            Self::Thermometer(_) => "thermometer",
            Self::Arrow { .. } => "arrow",
            Self::Mark(mark, _) => mark.name(),
            Self::CageRange { .. } => "cage",
            Self::Calculation(calculation, ..) => calculation.name(),
            Self::Line(line, _) => line.name(),
            Self::Outside(outside, ..) => outside.name(),
            Self::Marked(marked, _) => marked.name(),
            Self::Quadruple(..) => "quadruple",
            Self::Pattern(pattern, _) => pattern.name(),
        }
    }

    /// The cells that the rule names; none for rules of the whole grid.
    pub fn cells(&self) -> Vec<Cell> {
        match self {
            Self::House(cells) | Self::Different(cells) | Self::Thermometer(cells) => cells.clone(),
            Self::Cage { cells, .. } | Self::CageRange { cells, .. } => cells.clone(),
            Self::Calculation(_, _, cells) | Self::Outside(_, _, cells) => cells.clone(),
            Self::Line(_, cells) | Self::Marked(_, cells) => cells.clone(),
            Self::Quadruple(_, cells) | Self::Pattern(_, cells) => cells.clone(),
            Self::Arrow { circle, line } => [&circle[..], &line[..]].concat(),
            Self::Mark(_, cells) => cells.to_vec(),
            Self::Regions(_) | Self::Global(_) => Vec::new(),
        }
    }
}

impl Rule {
    /// Whether the rule counts cells by their values, from 1.
    pub(crate) fn counts_cells(&self) -> bool {
        use Marked::{BoxIndexer, ColumnIndexer, RowIndexer};
        match self {
            Self::Outside(outside, ..) => {
                matches!(outside, Outside::XSum | Outside::NumberedRoom)
            }
            Self::Marked(marked, _) => matches!(marked, RowIndexer | ColumnIndexer | BoxIndexer),
            _ => false,
        }
    }

    /// Whether a cell may be there twice: a line may cross itself, but two cells of a thermometer or a cage differ.
    pub(crate) fn may_repeat_cells(&self) -> bool {
        match self {
            Self::Line(line, _) => !line.has_different_values(),
            Self::Pattern(..) => true,
            Self::Calculation(calculation, ..) => *calculation == Calculation::Sum,
            _ => false,
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
            Self::Global(WholeGrid::NoRegions | WholeGrid::NoLines) => write!(f, "{name} none"),
            Self::CageRange { least, most, cells } => {
                write!(f, "{name} {least}-{most} {}", words(cells))
            }
            Self::Calculation(_, number, cells) | Self::Outside(_, number, cells) => {
                write!(f, "{name} {number} {}", words(cells))
            }
            Self::Line(line, cells) => match line.number() {
                Some(number) => write!(f, "{name} {number} {}", words(cells)),
                None => write!(f, "{name} {}", words(cells)),
            },
            Self::Quadruple(values, cells) => {
                let values: String = values.iter().copied().map(value_to_char).collect();
                write!(f, "{name} {values} {}", words(cells))
            }
            Self::Pattern(pattern, cells) => write!(f, "{name} {pattern} {}", words(cells)),
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
