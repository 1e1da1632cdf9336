//! What each rule says of a filled grid, by its definition alone. Solutions are checked by it before they are printed: it shares
//! no table with the search.

use crate::global::WholeGrid;
use crate::grid::{Cell, Size};
use crate::puzzle::Puzzle;
use crate::rule::{Calculation, Line, Mark, Marked, Outside, Rule};
use crate::rules::Rules;

impl Puzzle {
    /// Whether these values, one for each cell in reading order, are a solution.
    pub fn is_solved_by(&self, values: &[u8]) -> bool {
        let sets = self.candidates().sets();
        let is_candidate = |(&value, &set): (&u8, &u16)| {
            value.checked_sub(1).is_some_and(|bit| bit < 16 && set >> bit & 1 == 1)
        };
        values.len() == sets.len()
            && values.iter().zip(sets).all(is_candidate)
            && Filled { size: self.size(), values, rules: self.rules() }.obeys_all()
    }
}

/// A filled grid, and its rules.
struct Filled<'a> {
    size: Size,
    values: &'a [u8],
    rules: &'a Rules,
}

/// Whether each two values whose distance in the list is below `reach` satisfy `allows`.
fn each_pair(values: &[u32], reach: usize, allows: impl Fn(u32, u32) -> bool) -> bool {
    (0..values.len()).all(|second| {
        (second.saturating_sub(reach - 1)..second)
            .all(|first| allows(values[first], values[second]))
    })
}

fn differ(values: &[u32]) -> bool {
    each_pair(values, values.len().max(1), |a, b| a != b)
}

fn sum(values: &[u32]) -> u32 {
    values.iter().sum()
}

fn is_twice(a: u32, b: u32) -> bool {
    a == 2 * b || b == 2 * a
}

impl Filled<'_> {
    /// The value of a cell as it is written.
    fn at(&self, index: usize) -> u32 {
        self.size.written(self.values[index]).into()
    }

    fn of(&self, cells: &[Cell]) -> Vec<u32> {
        cells.iter().filter_map(|&cell| Some(self.at(self.size.index(cell)?))).collect()
    }

    /// The values of the cells that `is_in` holds.
    fn those(&self, is_in: impl Fn(usize) -> bool) -> Vec<u32> {
        (0..self.values.len()).filter(|&cell| is_in(cell)).map(|cell| self.at(cell)).collect()
    }

    /// Whether the cells to which `part_of` gives one number differ, for each number below the side.
    fn parts_differ(&self, part_of: impl Fn(usize) -> usize) -> bool {
        (0..self.size.side()).all(|part| differ(&self.those(|cell| part_of(cell) == part)))
    }

    /// Whether each two cells at distances in rows and columns that `is_move` holds satisfy `allows`.
    fn moves_obey(
        &self,
        is_move: impl Fn(usize, usize) -> bool,
        allows: impl Fn(usize, usize) -> bool,
    ) -> bool {
        let side = self.size.side();
        let apart =
            |a: usize, b: usize| ((a / side).abs_diff(b / side), (a % side).abs_diff(b % side));
        (0..self.values.len()).all(|second| {
            (0..second).all(|first| {
                let (rows, columns) = apart(first, second);
                !is_move(rows, columns) || allows(first, second)
            })
        })
    }

    fn obeys_all(&self) -> bool {
        let side = self.size.side();
        let regions = self.rules.regions();
        let has_lines = self.rules.has_lines();
        (!has_lines
            || self.parts_differ(|cell| cell / side) && self.parts_differ(|cell| cell % side))
            && regions.is_none_or(|regions| self.parts_differ(|cell| regions[cell]))
            && self.rules.rules().iter().all(|rule| self.obeys(rule))
    }

    fn obeys(&self, rule: &Rule) -> bool {
        match rule {
            Rule::House(cells) | Rule::Different(cells) => differ(&self.of(cells)),
            Rule::Cage { sum: wanted, cells } => {
                let values = self.of(cells);
                differ(&values) && wanted.is_none_or(|wanted| sum(&values) == wanted)
            }
            Rule::CageRange { least, most, cells } => {
                let values = self.of(cells);
                differ(&values) && (*least..=*most).contains(&sum(&values))
            }
            Rule::Thermometer(cells) => each_pair(&self.of(cells), 2, |a, b| a < b),
            Rule::Arrow { circle, line } => {
                let number = self.of(circle).iter().fold(0, |number, digit| 10 * number + digit);
                number == sum(&self.of(line))
            }
            Rule::Mark(mark, cells) => {
                let values = self.of(cells);
                mark_allows(*mark, values[0], values[1])
            }
            Rule::Calculation(calculation, number, cells) => {
                calculates(*calculation, *number, &self.of(cells))
            }
            Rule::Line(Line::RegionSums, cells) => self.has_equal_parts(cells),
            Rule::Line(line, cells) => line_allows(*line, self.size, &self.of(cells)),
            Rule::Outside(Outside::FullRank, rank, cells) => self.has_rank(*rank, &self.of(cells)),
            Rule::Outside(outside, number, cells) => {
                outside_allows(*outside, *number, self.size, &self.of(cells))
            }
            Rule::Marked(marked, cells) => self.obeys_marks(*marked, cells),
            Rule::Quadruple(wanted, cells) => {
                let found = self.of(cells);
                let times =
                    |value: u8| found.iter().filter(|&&other| other == u32::from(value)).count();
                let wanted_times =
                    |value: u8| wanted.iter().filter(|&&other| other == value).count();
                wanted.iter().all(|&value| times(value) >= wanted_times(value))
            }
            Rule::Pattern(pattern, cells) => pattern.accepts(self.of(cells)),
            // Regions, rows and columns are judged with all of their kind.
            Rule::Regions(_) => true,
            Rule::Global(global) => self.obeys_global(*global),
        }
    }

    fn obeys_global(&self, rule: WholeGrid) -> bool {
        let side = self.size.side();
        let differ_at = |first, second| self.at(first) != self.at(second);
        let is_beside = |rows, columns| rows + columns == 1;
        let pair = |first, second| [self.size.cell(first), self.size.cell(second)];
        match rule {
            WholeGrid::FallingDiagonal => differ(&self.those(|cell| cell / side == cell % side)),
            WholeGrid::RisingDiagonal => {
                differ(&self.those(|cell| cell / side + cell % side + 1 == side))
            }
            WholeGrid::Windoku => self.windows_differ(),
            WholeGrid::DisjointGroups => {
                let (rows, columns) = self.size.box_shape();
                self.parts_differ(|cell| cell / side % rows * columns + cell % side % columns)
            }
            WholeGrid::AntiKnight => {
                self.moves_obey(|rows, columns| rows * columns == 2, differ_at)
            }
            WholeGrid::AntiKing => {
                self.moves_obey(|rows, columns| rows.max(columns) == 1, differ_at)
            }
            WholeGrid::NonConsecutive => self.moves_obey(is_beside, |first, second| {
                self.at(first).abs_diff(self.at(second)) != 1
            }),
            WholeGrid::AntiTaxicab => self.has_no_taxi(),
            WholeGrid::GlobalEntropy => self.squares_have_all(|value| third(self.size, value)),
            WholeGrid::GlobalModular => self.squares_have_all(|value| value % 3),
            WholeGrid::AllXvGiven => self.moves_obey(is_beside, |first, second| {
                let marks = self.rules.marks_between(pair(first, second));
                let total = self.at(first) + self.at(second);
                (total != 10 || marks.contains(&Mark::X))
                    && (total != 5 || marks.contains(&Mark::V))
            }),
            WholeGrid::AllDotsGiven
            | WholeGrid::AllDifferencesGiven
            | WholeGrid::AllRatiosGiven => self.moves_obey(is_beside, |first, second| {
                let (a, b) = (self.at(first), self.at(second));
                let is_near = a.abs_diff(b) == 1;
                let has_ratio = |ratio: &u32| a == ratio * b || b == ratio * a;
                self.rules.has_dot_between(pair(first, second))
                    || match rule {
                        WholeGrid::AllDotsGiven => !is_near && !is_twice(a, b),
                        WholeGrid::AllDifferencesGiven => !is_near,
                        _ => !self.rules.ratios().iter().any(has_ratio),
                    }
            }),
            WholeGrid::NoRegions | WholeGrid::NoLines => true,
        }
    }

    /// Whether the four extra boxes have no value twice.
    fn windows_differ(&self) -> bool {
        let side = self.size.side();
        // From one free line to the next one.
        let step = self.size.box_shape().0 + 1;
        let window = |cell: usize| [cell / side / step, cell % side / step];
        let is_free =
            |cell: usize| (cell / side).is_multiple_of(step) || (cell % side).is_multiple_of(step);
        let windows = (0..side / step).flat_map(|row| (0..side / step).map(move |at| [row, at]));
        windows
            .into_iter()
            .all(|wanted| differ(&self.those(|cell| !is_free(cell) && window(cell) == wanted)))
    }

    /// Whether no two cells hold the number of steps from one to the other.
    fn has_no_taxi(&self) -> bool {
        let steps = |one: Cell, other: Cell| {
            one.row().abs_diff(other.row()) + one.column().abs_diff(other.column())
        };
        self.moves_obey(
            |_, _| true,
            |first, second| {
                let apart = steps(self.size.cell(first), self.size.cell(second)) as u32;
                self.at(first) != apart || self.at(second) != apart
            },
        )
    }

    /// Whether each 2 × 2 square has values of all three kinds.
    fn squares_have_all(&self, kind: impl Fn(u32) -> u32) -> bool {
        let side = self.size.side();
        (0..side - 1).all(|row| {
            (0..side - 1).all(|column| {
                let at = row * side + column;
                let kinds = [at, at + 1, at + side, at + side + 1].map(|cell| kind(self.at(cell)));
                (0..3).all(|wanted| kinds.contains(&wanted))
            })
        })
    }

    fn has_equal_parts(&self, cells: &[Cell]) -> bool {
        let regions = self.rules.regions_of_cells();
        let mut parts: Vec<(usize, u32)> = Vec::new();
        for index in cells.iter().filter_map(|&cell| self.size.index(cell)) {
            let Some(region) = regions[index] else { continue };
            match parts.last_mut() {
                Some((last, sum)) if *last == region => *sum += self.at(index),
                _ => parts.push((region, self.at(index))),
            }
        }
        parts.iter().all(|part| part.1 == parts[0].1)
    }

    fn has_rank(&self, rank: u32, line: &[u32]) -> bool {
        let side = self.size.side();
        let mut lines = Vec::new();
        for number in 0..side {
            for line in
                [self.those(|cell| cell / side == number), self.those(|cell| cell % side == number)]
            {
                lines.push(line.iter().rev().copied().collect());
                lines.push(line);
            }
        }
        let less = lines.iter().filter(|other| other[..] < *line).count();
        let equal = lines.iter().filter(|other| other[..] == *line).count();
        equal == 1 && less + 1 == rank as usize
    }

    fn obeys_marks(&self, marked: Marked, cells: &[Cell]) -> bool {
        let values = self.of(cells);
        let side = self.size.side();
        let indices = cells.iter().filter_map(|&cell| self.size.index(cell));
        match marked {
            Marked::Odd => values.iter().all(|value| value % 2 == 1),
            Marked::Even => values.iter().all(|value| value % 2 == 0),
            Marked::Same => values.iter().all(|&value| value == values[0]),
            Marked::Circles => values.iter().all(|value| {
                values.iter().filter(|other| *other == value).count() == *value as usize
            }),
            Marked::Minimum | Marked::Maximum => {
                let is_marked = self.rules.marked(marked);
                indices.into_iter().all(|cell| {
                    self.size.neighbours(cell).filter(|&other| !is_marked[other]).all(|other| {
                        match marked {
                            Marked::Minimum => self.at(cell) < self.at(other),
                            _ => self.at(cell) > self.at(other),
                        }
                    })
                })
            }
            Marked::RowIndexer | Marked::ColumnIndexer | Marked::BoxIndexer => {
                indices.into_iter().all(|cell| {
                    let line: Vec<usize> = (0..self.size.cells())
                        .filter(|&other| match marked {
                            Marked::RowIndexer => other % side == cell % side,
                            Marked::ColumnIndexer => other / side == cell / side,
                            _ => self.size.box_of(other) == self.size.box_of(cell),
                        })
                        .collect();
                    let own = line.iter().position(|&other| other == cell).map(|at| at as u32 + 1);
                    Some(self.at(line[self.at(cell) as usize - 1])) == own
                })
            }
        }
    }
}

fn mark_allows(mark: Mark, a: u32, b: u32) -> bool {
    match mark {
        Mark::White => a.abs_diff(b) == 1,
        Mark::Black => is_twice(a, b),
        Mark::X => a + b == 10,
        Mark::V => a + b == 5,
    }
}

fn calculates(calculation: Calculation, number: u32, values: &[u32]) -> bool {
    let number = u64::from(number);
    let greatest = u64::from(values.iter().copied().max().unwrap_or(0));
    let all = values.iter().map(|&value| u64::from(value));
    let product = || all.clone().fold(1_u64, u64::saturating_mul);
    match calculation {
        Calculation::Sum => all.sum::<u64>() == number,
        Calculation::Product => product() == number,
        Calculation::Difference => 2 * greatest == all.sum::<u64>() + number,
        Calculation::Quotient => {
            let product = product();
            product > 0
                && u128::from(greatest * greatest) == u128::from(product) * u128::from(number)
        }
    }
}

/// 0, 1 or 2 for a low, a middle or a high value. The outer thirds are equal, and the middle one has what is left.
fn third(size: Size, value: u32) -> u32 {
    let outer = (size.side() as u32 + 1) / 3;
    u32::from(value >= size.first_value() + outer) + u32::from(value > size.last_value() - outer)
}

fn line_allows(line: Line, size: Size, values: &[u32]) -> bool {
    let length = values.len();
    let ends = [values[0], values[length - 1]];
    let (low, high) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
    let inner = &values[1..length - 1];
    match line {
        Line::Whispers(least) => each_pair(values, 2, |a, b| a.abs_diff(b) >= least),
        Line::Palindrome => values.iter().eq(values.iter().rev()),
        Line::Renban => {
            let greatest = values.iter().max().unwrap_or(&0);
            let least = values.iter().min().unwrap_or(&0);
            differ(values) && greatest - least + 1 == length as u32
        }
        Line::Between => inner.iter().all(|&value| low < value && value < high),
        Line::Lockout(least) => {
            high - low >= least && inner.iter().all(|&value| value < low || value > high)
        }
        Line::Sums(part) => {
            let reached: Vec<u32> = (1..=length).map(|end| sum(&values[..end])).collect();
            let whole = reached[length - 1];
            whole.is_multiple_of(part)
                && (1..=whole / part).all(|times| reached.contains(&(times * part)))
        }
        Line::Zipper => {
            let whole = if length % 2 == 1 { values[length / 2] } else { ends[0] + ends[1] };
            (0..length / 2).all(|at| values[at] + values[length - 1 - at] == whole)
        }
        Line::Modular(modulus) => {
            each_pair(values, modulus as usize, |a, b| a % modulus != b % modulus)
        }
        Line::Entropic => each_pair(values, 3, |a, b| third(size, a) != third(size, b)),
        Line::Parity => each_pair(values, 2, |a, b| a % 2 != b % 2),
        Line::Nabner => each_pair(values, length, |a, b| a.abs_diff(b) > 1),
        Line::SlowThermometer => each_pair(values, 2, |a, b| a <= b),
        Line::Falling => each_pair(values, 2, |a, b| a > b),
        Line::DoubleArrow => sum(&ends) == sum(inner),
        Line::Lunchbox(wanted) => {
            let place = |value: Option<&u32>| values.iter().position(|other| Some(other) == value);
            let crusts = (place(values.iter().min()), place(values.iter().max()));
            let (Some(one), Some(other)) = crusts else { return false };
            differ(values) && sum(&values[one.min(other) + 1..one.max(other)]) == wanted
        }
        // Needs the regions, and is judged where they are known.
        Line::RegionSums => true,
    }
}

fn outside_allows(outside: Outside, number: u32, size: Size, values: &[u32]) -> bool {
    match outside {
        Outside::LittleKiller => sum(values) == number,
        Outside::Sandwich => {
            let is_crust =
                |&at: &usize| [size.first_value(), size.last_value()].contains(&values[at]);
            match (0..values.len()).filter(is_crust).collect::<Vec<_>>()[..] {
                [from, to] => sum(&values[from + 1..to]) == number,
                _ => false,
            }
        }
        Outside::Skyscraper => {
            let is_seen = |&at: &usize| {
                values[at] > 0 && values[..at].iter().all(|&before| before < values[at])
            };
            (0..values.len()).filter(is_seen).count() == number as usize
        }
        Outside::XSum => values.get(..values[0] as usize).is_some_and(|first| sum(first) == number),
        Outside::NumberedRoom => values.get(values[0] as usize - 1) == Some(&number),
        // Needs all rows and columns, and is judged where they are known.
        Outside::FullRank => true,
    }
}
