//! The steps by which people solve a board, and how hard it is by them.

use crate::board::{Board, full_row};
use crate::position::{Layout, Position, Verdict};

/// A row, a column or a region, counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Line {
    /// A row.
    Row(usize),
    /// A column.
    Column(usize),
    /// A region, by the number that the board gives it.
    Region(usize),
}

/// What a step reasons with, the easiest first. Each names the lines that it looks at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rule {
    /// Stars exclude the cells that they touch, and those of lines that have all their stars.
    Stars,
    /// A line has no more open cells than it lacks stars.
    Forced(Line),
    /// All cells of the first line that have a star or may have one lie in the second: so do its stars, and other cells of the
    /// second have none.
    Within(Line, Line),
    /// A star would leave too few cells to a line.
    Empties(Line),
    /// All cells of some lines that have a star or may have one lie in as many lines of another kind: other cells of these have
    /// none.
    Group {
        /// The lines whose cells are looked at.
        inner: Vec<Line>,
        /// The lines in which they lie.
        outer: Vec<Line>,
    },
    /// A star in the cell leads to a contradiction by the steps of [`Rule::Stars`] and [`Rule::Forced`] alone.
    Trial,
}

impl Rule {
    /// How hard it is to see, from 1 to 6.
    pub fn level(&self) -> u32 {
        match self {
            Self::Stars => 1,
            Self::Forced(_) => 1,
            Self::Within(..) => 2,
            Self::Empties(_) => 3,
            Self::Group { inner, .. } if inner.len() == 2 => 4,
            Self::Group { .. } => 5,
            Self::Trial => 6,
        }
    }
}

/// What a step shows of cells, each a row and a column from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fact {
    /// These cells have stars.
    Stars(Vec<(usize, usize)>),
    /// These cells have none.
    Crossed(Vec<(usize, usize)>),
}

/// A step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Why.
    pub rule: Rule,
    /// What follows.
    pub fact: Fact,
}

/// The steps of a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// In the order in which they were found: always one of the easiest.
    pub steps: Vec<Step>,
    /// How far they lead.
    pub verdict: Verdict,
    /// What is known after them.
    pub rows: Vec<crate::board::Row>,
}

impl Explanation {
    /// The level of the hardest step; `None` if the steps do not solve the board.
    pub fn grade(&self) -> Option<u32> {
        let solves = self.verdict == Verdict::Solved;
        solves.then(|| self.steps.iter().map(|step| step.rule.level()).max().unwrap_or(1))
    }
}

/// Solves a board as people do, by the easiest step each time, as far as the rules lead.
pub fn explain(board: &Board) -> Explanation {
    let mut reasoning =
        Reasoning { layout: Layout::new(board), position: Position::new(board), steps: Vec::new() };
    let verdict = loop {
        let mut checked = reasoning.position.clone();
        let is_dead = !checked.is_consistent(&reasoning.layout);
        let open = reasoning.position.rows.iter().any(|row| row.possible != row.stars);
        if is_dead {
            break Verdict::Dead;
        }
        if !open {
            break Verdict::Solved;
        }
        if !reasoning.step() {
            break Verdict::Open;
        }
    };
    Explanation { steps: reasoning.steps, verdict, rows: reasoning.position.rows.to_vec() }
}

struct Reasoning {
    layout: Layout,
    position: Position,
    steps: Vec<Step>,
}

/// A set of columns for each row.
type Cells = Vec<u32>;

impl Reasoning {
    fn size(&self) -> usize {
        self.layout.size
    }

    fn lines(&self) -> impl Iterator<Item = Line> + use<> {
        let size = self.size();
        let regions = (0..size).map(Line::Region);
        regions.chain((0..size).map(Line::Row)).chain((0..size).map(Line::Column))
    }

    /// The cells of a line that may have a star or have one.
    fn possible(&self, line: Line) -> Cells {
        let cells = self.layout.line(line);
        cells.iter().zip(&self.position.rows).map(|(cells, row)| cells & row.possible).collect()
    }

    /// The open cells of a line, and the stars that it lacks.
    fn open(&self, line: Line) -> (Cells, u32) {
        let cells = self.layout.line(line);
        let rows = &self.position.rows;
        let open = cells.iter().zip(rows).map(|(cells, row)| cells & row.possible & !row.stars);
        let placed: u32 = cells.iter().zip(rows).map(|(c, row)| (c & row.stars).count_ones()).sum();
        (open.collect(), self.layout.stars.saturating_sub(placed))
    }

    /// Takes one step. Returns whether there was one.
    fn step(&mut self) -> bool {
        self.cross_by_stars()
            || self.force()
            || self.within()
            || self.empties()
            || self.group(2)
            || self.group(3)
            || self.try_cells()
    }

    /// Crosses out the open ones of `cells`. Returns whether there were any.
    fn cross(&mut self, rule: Rule, cells: &[u32]) -> bool {
        let mut crossed = Vec::new();
        for (row, &cells) in cells.iter().enumerate() {
            let own = &mut self.position.rows[row];
            let out = cells & own.possible & !own.stars;
            own.possible &= !out;
            crossed.extend(columns(out).map(|column| (row, column)));
        }
        let has_any = !crossed.is_empty();
        if has_any {
            self.steps.push(Step { rule, fact: Fact::Crossed(crossed) });
        }
        has_any
    }

    fn cross_by_stars(&mut self) -> bool {
        let mut next = self.position.clone();
        next.exclude(&self.layout);
        let rows = self.position.rows.iter().zip(&next.rows);
        let out: Cells = rows.map(|(before, after)| before.possible & !after.possible).collect();
        self.cross(Rule::Stars, &out)
    }

    fn force(&mut self) -> bool {
        for line in self.lines() {
            let (open, lacking) = self.open(line);
            if lacking > 0 && count(&open) == lacking {
                let mut stars = Vec::new();
                for (row, &cells) in open.iter().enumerate() {
                    self.position.rows[row].stars |= cells;
                    stars.extend(columns(cells).map(|column| (row, column)));
                }
                self.steps.push(Step { rule: Rule::Forced(line), fact: Fact::Stars(stars) });
                return true;
            }
        }
        false
    }

    /// Lines whose possible cells lie in one line of another kind. Lines that have their stars show nothing new.
    fn within(&mut self) -> bool {
        for inner in self.lines() {
            let cells = self.possible(inner);
            if self.open(inner).1 == 0 {
                continue;
            }
            for outer in self.lines().filter(|&outer| outer != inner) {
                let holder = self.layout.line(outer);
                if cells.iter().zip(&holder).all(|(cells, holder)| cells & !holder == 0) {
                    let out: Cells = holder.iter().zip(&cells).map(|(h, c)| h & !c).collect();
                    if self.cross(Rule::Within(inner, outer), &out) {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// The position with a star in one more cell, and what it excludes.
    fn with_star(&self, row: usize, column: usize) -> Position {
        let mut position = self.position.clone();
        position.rows[row].stars |= 1 << column;
        position.exclude(&self.layout);
        position
    }

    fn empties(&mut self) -> bool {
        for (row, column) in self.open_cells() {
            let next = self.with_star(row, column);
            for line in self.lines() {
                let cells = self.layout.line(line);
                let rows = next.rows.iter().zip(&cells);
                let left: u32 = rows.map(|(row, cells)| (row.possible & cells).count_ones()).sum();
                if left < self.layout.stars {
                    let mut out = vec![0; self.size()];
                    out[row] = 1 << column;
                    return self.cross(Rule::Empties(line), &out);
                }
            }
        }
        false
    }

    /// Looks for `count` lines of a kind whose possible cells lie in as many lines of another kind.
    fn group(&mut self, count: usize) -> bool {
        let size = self.size();
        let kinds: [fn(usize) -> Line; 3] = [Line::Region, Line::Row, Line::Column];
        for (inner, outer) in [(0, 1), (0, 2), (1, 0), (2, 0), (1, 2), (2, 1)] {
            // For each line of the inner kind the lines of the outer kind that it needs, as a set.
            let needs: Vec<u32> = (0..size)
                .map(|line| {
                    let cells = self.possible(kinds[inner](line));
                    (0..size)
                        .filter(|&other| {
                            let holder = self.layout.line(kinds[outer](other));
                            cells.iter().zip(&holder).any(|(cells, holder)| cells & holder != 0)
                        })
                        .fold(0, |set, other| set | 1 << other)
                })
                .collect();
            let open: Vec<usize> =
                (0..size).filter(|&line| self.open(kinds[inner](line)).1 > 0).collect();
            for chosen in combinations(&open, count) {
                let holders = chosen.iter().fold(0u32, |set, &line| set | needs[line]);
                if holders.count_ones() as usize != count {
                    continue;
                }
                let mut out = vec![0; size];
                for row in 0..size {
                    let cells = |line: Line| self.layout.line(line)[row];
                    let held =
                        columns(holders).fold(0, |set, line| set | cells(kinds[outer](line)));
                    let own = chosen.iter().fold(0, |set, &line| set | cells(kinds[inner](line)));
                    out[row] = held & !own;
                }
                let inner = chosen.iter().map(|&line| kinds[inner](line)).collect();
                let outer = columns(holders).map(kinds[outer]).collect();
                if self.cross(Rule::Group { inner, outer }, &out) {
                    return true;
                }
            }
        }
        false
    }

    fn try_cells(&mut self) -> bool {
        for (row, column) in self.open_cells() {
            if self.with_star(row, column).deduce(&self.layout) == Verdict::Dead {
                let mut out = vec![0; self.size()];
                out[row] = 1 << column;
                return self.cross(Rule::Trial, &out);
            }
        }
        false
    }

    fn open_cells(&self) -> Vec<(usize, usize)> {
        let rows = self.position.rows.iter().enumerate();
        rows.flat_map(|(row, own)| columns(own.possible & !own.stars).map(move |c| (row, c)))
            .collect()
    }
}

/// The columns of a set.
fn columns(set: u32) -> impl Iterator<Item = usize> {
    (0..u32::BITS as usize).filter(move |column| set >> column & 1 == 1)
}

fn count(cells: &[u32]) -> u32 {
    cells.iter().map(|cells| cells.count_ones()).sum()
}

/// All choices of `count` of the items, in order.
fn combinations(items: &[usize], count: usize) -> Vec<Vec<usize>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (index, &first) in items.iter().enumerate() {
        for mut rest in combinations(&items[index + 1..], count - 1) {
            rest.insert(0, first);
            all.push(rest);
        }
    }
    all
}

impl Layout {
    /// The cells of a line.
    fn line(&self, line: Line) -> Cells {
        match line {
            Line::Row(row) => {
                let mut cells = vec![0; self.size];
                cells[row] = full_row(self.size);
                cells
            }
            Line::Column(column) => vec![1 << column; self.size],
            Line::Region(region) => self.region(region).to_vec(),
        }
    }
}
