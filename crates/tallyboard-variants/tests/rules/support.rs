//! A naive oracle: every Latin square is tried, and every rule is checked on the whole grid by code of its own.

use tallyboard_base::random::Random;

/// A filled grid: its side, its values in reading order, counted from 1, and how value 1 is written.
#[derive(Debug, Clone)]
pub struct Grid {
    pub side: usize,
    pub first: u8,
    pub values: Vec<u8>,
}

impl Grid {
    /// The value at a row and a column, each from 1, as it is written.
    pub fn at(&self, (row, column): Place) -> i32 {
        let value = i32::from(self.values[(row - 1) * self.side + column - 1]);
        value - 1 + i32::from(self.first)
    }
}

/// A row and a column, each from 1.
pub type Place = (usize, usize);

/// A rule: its line in the text form, and the check whether a filled grid obeys it.
pub struct StatedRule {
    pub line: String,
    pub holds: Box<dyn Fn(&Grid) -> bool>,
}

/// Every place of a grid, in reading order.
pub fn places(side: usize) -> Vec<Place> {
    (1..=side).flat_map(|row| (1..=side).map(move |column| (row, column))).collect()
}

pub fn name((row, column): Place) -> String {
    format!("r{row}c{column}")
}

pub fn names(places: &[Place]) -> String {
    places.iter().map(|&place| name(place)).collect::<Vec<_>>().join(" ")
}

fn all_differ(grid: &Grid, places: &[Place]) -> bool {
    let mut seen = 0_u64;
    places.iter().all(|&place| {
        let bit = 1 << grid.at(place);
        let is_new = seen & bit == 0;
        seen |= bit;
        is_new
    })
}

/// Whether each pair of places at a distance that `is_move` accepts obeys `allows`.
fn pairs_obey(
    grid: &Grid,
    is_move: impl Fn(usize, usize) -> bool,
    allows: impl Fn(Place, Place) -> bool,
) -> bool {
    let all = places(grid.side);
    all.iter().all(|&one| {
        all.iter().all(|&other| {
            let is_pair = is_move(one.0.abs_diff(other.0), one.1.abs_diff(other.1));
            !is_pair || allows(one, other)
        })
    })
}

pub fn stated(line: impl Into<String>, holds: impl Fn(&Grid) -> bool + 'static) -> StatedRule {
    StatedRule { line: line.into(), holds: Box::new(holds) }
}

/// The rules of boxes.
pub fn boxes(side: usize) -> StatedRule {
    let rows = match side {
        4 | 6 | 8 => 2,
        9 | 12 => 3,
        _ => 4,
    };
    let columns = side / rows;
    stated("", move |grid| {
        (0..side).all(|number| {
            let top = number / (side / columns) * rows;
            let left = number % (side / columns) * columns;
            let of_box: Vec<Place> = (0..side)
                .map(|cell| (top + cell / columns + 1, left + cell % columns + 1))
                .collect();
            all_differ(grid, &of_box)
        })
    })
}

/// Regions of any shape, connected or not: the boxes with some cells exchanged.
pub fn regions(side: usize, random: &mut Random) -> StatedRule {
    let columns = if side == 4 { 2 } else { 3 };
    let mut letters: Vec<u8> = places(side)
        .iter()
        .map(|(row, column)| {
            let number = (row - 1) / 2 * (side / columns) + (column - 1) / columns;
            b"PQRSTU"[number]
        })
        .collect();
    for _ in 0..3 {
        let one = random.below((side * side) as u32) as usize;
        let other = random.below((side * side) as u32) as usize;
        letters.swap(one, other);
    }
    let rows: Vec<&str> =
        letters.chunks(side).map(|row| std::str::from_utf8(row).unwrap()).collect();
    let line = format!("regions\n{}", rows.join("\n"));
    stated(line, move |grid| {
        b"PQRSTU"[..side].iter().all(|letter| {
            let cells = places(side).into_iter().zip(&letters).filter(|(_, l)| *l == letter);
            all_differ(grid, &cells.map(|(place, _)| place).collect::<Vec<_>>())
        })
    })
}

/// A rule of the whole grid, by its number.
pub fn global_rule(number: u32) -> StatedRule {
    let is_beside = |rows, columns| rows + columns == 1;
    match number {
        0 => stated("diagonal falling", |grid| {
            let cells: Vec<Place> = (1..=grid.side).map(|at| (at, at)).collect();
            all_differ(grid, &cells)
        }),
        1 => stated("diagonal rising", |grid| {
            let cells: Vec<Place> = (1..=grid.side).map(|at| (at, grid.side + 1 - at)).collect();
            all_differ(grid, &cells)
        }),
        2 => {
            stated("diagonals", |grid| (global_rule(0).holds)(grid) && (global_rule(1).holds)(grid))
        }
        3 => stated("anti-knight", |grid| {
            let is_knight = |rows, columns| rows * columns == 2;
            pairs_obey(grid, is_knight, |one, other| grid.at(one) != grid.at(other))
        }),
        4 => stated("anti-king", |grid| {
            let is_king = |rows, columns| rows <= 1 && columns <= 1 && rows + columns > 0;
            pairs_obey(grid, is_king, |one, other| grid.at(one) != grid.at(other))
        }),
        5 => stated("non-consecutive", move |grid| {
            pairs_obey(grid, is_beside, |one, other| (grid.at(one) - grid.at(other)).abs() != 1)
        }),
        6 => stated("anti-taxicab", |grid| {
            let all = places(grid.side);
            all.iter().all(|&one| {
                all.iter().all(|&other| {
                    let steps = one.0.abs_diff(other.0) + one.1.abs_diff(other.1);
                    steps == 0 || grid.at(one) != steps as i32 || grid.at(other) != steps as i32
                })
            })
        }),
        7 | 8 => stated(["global-entropy", "global-modular"][number as usize - 7], move |grid| {
            let corners =
                places(grid.side).into_iter().filter(|&(row, column)| row.max(column) < grid.side);
            corners.into_iter().all(|(row, column)| {
                let square =
                    [(row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1)];
                let kind = |place: Place| match (number, grid.side) {
                    (8, _) => grid.at(place) % 3,
                    (_, 4) => [0, 1, 1, 2][grid.at(place) as usize - 1],
                    _ => (grid.at(place) - 1) / 2,
                };
                (0..3).all(|wanted| square.iter().any(|&place| kind(place) == wanted))
            })
        }),
        _ => stated("disjoint-groups", |grid| {
            let columns = if grid.side == 4 { 2 } else { 3 };
            (0..grid.side).all(|number| {
                let mut group = places(grid.side);
                group.retain(|(row, column)| {
                    (row - 1) % 2 * columns + (column - 1) % columns == number
                });
                all_differ(grid, &group)
            })
        }),
    }
}

/// A path of places, each of which touches the one before, none twice.
pub fn path(side: usize, length: usize, random: &mut Random) -> Vec<Place> {
    let start = (1 + random.below(side as u32) as usize, 1 + random.below(side as u32) as usize);
    let mut path = vec![start];
    while path.len() < length {
        let (row, column) = path[path.len() - 1];
        let next: Vec<Place> = places(side)
            .into_iter()
            .filter(|&place| {
                row.abs_diff(place.0).max(column.abs_diff(place.1)) == 1 && !path.contains(&place)
            })
            .collect();
        let Some(&place) = next.get(random.below(next.len().max(1) as u32) as usize) else { break };
        path.push(place);
    }
    path
}

/// Two places side by side.
fn neighbours(side: usize, random: &mut Random) -> [Place; 2] {
    let row = 1 + random.below(side as u32) as usize;
    let column = 1 + random.below(side as u32 - 1) as usize;
    let across = [(row, column), (row, column + 1)];
    if random.below(2) == 0 { across } else { across.map(|(row, column)| (column, row)) }
}

/// The cells of a cage, at most `most`: a path that ends before a cell of another cage.
fn cage_cells(side: usize, most: usize, caged: &[Place], random: &mut Random) -> Vec<Place> {
    let mut cells = Vec::new();
    for place in path(side, most, random) {
        if caged.contains(&place) {
            break;
        }
        cells.push(place);
    }
    cells
}

/// A cage with this sum, if it has one.
fn cage(cells: Vec<Place>, sum: Option<i32>) -> StatedRule {
    let stated_sum = sum.map_or(String::new(), |sum| format!("{sum} "));
    stated(format!("cage {stated_sum}{}", names(&cells)), move |grid| {
        all_differ(grid, &cells) && sum.is_none_or(|sum| sum_of(grid, &cells) == sum)
    })
}

fn sum_of(grid: &Grid, places: &[Place]) -> i32 {
    places.iter().map(|&place| grid.at(place)).sum()
}

/// A random rule of some cells, of the kind with this number, which the grid `model` obeys more often than not. `None` if this
/// attempt found no such rule. `caged` has the cells that are in cages.
pub fn local_rule(
    number: u32,
    model: &Grid,
    caged: &mut Vec<Place>,
    random: &mut Random,
) -> Option<StatedRule> {
    let side = model.side;
    match number {
        // A cage, with a sum and without.
        0 | 1 => {
            let (fewest, most) = if number == 0 { (1, 1 + random.below(4)) } else { (2, 3) };
            let cells = cage_cells(side, most as usize, caged, random);
            // A sum is the model's, so the values have to differ. Without one the model may break the rule.
            if cells.len() < fewest || number == 0 && !all_differ(model, &cells) {
                return None;
            }
            caged.extend(&cells);
            let sum = (number == 0).then(|| sum_of(model, &cells));
            Some(cage(cells, sum))
        }
        2 => {
            let mut cells = path(side, 2 + random.below(3) as usize, random);
            cells.sort_by_key(|&place| model.at(place));
            let touches = |pair: &[Place]| {
                pair[0].0.abs_diff(pair[1].0).max(pair[0].1.abs_diff(pair[1].1)) == 1
            };
            if !cells.windows(2).all(touches) {
                return None;
            }
            let line = format!("thermometer {}", names(&cells));
            Some(stated(line, move |grid| {
                cells.windows(2).all(|pair| grid.at(pair[0]) < grid.at(pair[1]))
            }))
        }
        // An arrow whose circle has one cell, or the two digits of a number.
        3 | 4 => {
            let (digits, length) = if number == 3 { (1, 2 + random.below(2)) } else { (2, 4) };
            let cells = path(side, digits + length as usize, random);
            if number == 4 && cells.len() < 6 {
                return None;
            }
            let (circle, line) = cells.split_at(digits);
            let text = format!("arrow {} = {}", names(circle), names(line));
            let holds = move |grid: &Grid| {
                let (circle, line) = cells.split_at(digits);
                let number = circle.iter().fold(0, |number, &place| 10 * number + grid.at(place));
                number == sum_of(grid, line)
            };
            (holds(model) || random.below(8) == 0).then(|| stated(text, holds))
        }
        5..=8 => {
            let mark = &MARKS[number as usize - 5];
            let pair = neighbours(side, random);
            let is_true = (mark.holds)(model.at(pair[0]), model.at(pair[1]));
            (is_true || random.below(16) == 0).then(|| marked(mark, pair))
        }
        // Any cells that differ: as many as a row has, or a few.
        9 | 10 => {
            let (name, most) = if number == 9 {
                ("house", side)
            } else {
                ("different", 2 + random.below(2) as usize)
            };
            let mut cells = places(side);
            random.shuffle(&mut cells);
            cells.truncate(most);
            if number == 9 && !all_differ(model, &cells) {
                return None;
            }
            Some(stated(format!("{name} {}", names(&cells)), move |grid| all_differ(grid, &cells)))
        }
        _ => {
            let mut cells = places(side);
            random.shuffle(&mut cells);
            let cell = cells[0];
            let mut values: Vec<i32> = (1..=side as i32).collect();
            random.shuffle(&mut values);
            values.truncate(2);
            values.push(model.at(cell));
            let digits: String = values.iter().map(|value| value.to_string()).collect();
            let line = format!("candidates {} {digits}", name(cell));
            Some(stated(line, move |grid| values.contains(&grid.at(cell))))
        }
    }
}

/// A mark: the words before its cells in the text form, and whether two values may be beside it.
struct Mark {
    words: &'static str,
    holds: fn(i32, i32) -> bool,
}

/// Cages of different values over the whole grid, each in a row or a column, so that sums of houses follow.
pub fn cages_everywhere(model: &Grid, random: &mut Random) -> Vec<StatedRule> {
    let mut free = places(model.side);
    let mut cages = Vec::new();
    while let Some(&start) = free.first() {
        let across = random.below(2) == 0;
        let wanted = 1 + random.below(4) as usize;
        let step =
            |at: usize| if across { (start.0, start.1 + at) } else { (start.0 + at, start.1) };
        let cells: Vec<Place> =
            (0..wanted).map(step).take_while(|place| free.contains(place)).collect();
        free.retain(|place| !cells.contains(place));
        let sum = sum_of(model, &cells);
        cages.push(cage(cells, Some(sum)));
    }
    cages
}

const WHITE: Mark = Mark { words: "kropki white", holds: |a, b| (a - b).abs() == 1 };
const BLACK: Mark = Mark { words: "kropki black", holds: |a, b| a == 2 * b || b == 2 * a };
const X: Mark = Mark { words: "x", holds: |a, b| a + b == 10 };
const V: Mark = Mark { words: "v", holds: |a, b| a + b == 5 };
const MARKS: [Mark; 4] = [WHITE, BLACK, X, V];

fn marked(mark: &Mark, [one, other]: [Place; 2]) -> StatedRule {
    let holds = mark.holds;
    let line = format!("{} {} {}", mark.words, name(one), name(other));
    stated(line, move |grid| holds(grid.at(one), grid.at(other)))
}

/// The marks of which all may be given: `all-dots-given` or `all-xv-given`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum MarkKind {
    Dots,
    Xv,
    /// Dots, of which any kind spares neighbours from being called not consecutive.
    Differences,
    /// Dots, of which any kind spares neighbours from being called no ratio.
    Ratios,
}

impl MarkKind {
    fn marks(self) -> [Mark; 2] {
        match self {
            Self::Dots | Self::Differences | Self::Ratios => [WHITE, BLACK],
            Self::Xv => [X, V],
        }
    }
}

/// All marks of a kind in a grid, of which one in fifty is left out.
pub fn all_marks(model: &Grid, kind: MarkKind, random: &mut Random) -> Vec<StatedRule> {
    let mut marks = Vec::new();
    for one in places(model.side) {
        for other in [(one.0 + 1, one.1), (one.0, one.1 + 1)] {
            if other.0.max(other.1) > model.side || random.below(50) == 0 {
                continue;
            }
            let mut kinds = kind.marks();
            // Between 1 and 2 either dot is right.
            if kind != MarkKind::Xv && random.below(2) == 1 {
                kinds.reverse();
            }
            let is_true = |mark: &&Mark| (mark.holds)(model.at(one), model.at(other));
            marks.extend(kinds.iter().find(is_true).map(|mark| marked(mark, [one, other])));
        }
    }
    marks
}

/// The rule that all marks of a kind are given. `others` are the other rules of the puzzle.
pub fn all_given(others: &[StatedRule], kind: MarkKind) -> StatedRule {
    let lines: Vec<String> = others.iter().map(|rule| rule.line.clone()).collect();
    let line = match kind {
        MarkKind::Dots => "all-dots-given",
        MarkKind::Xv => "all-xv-given",
        MarkKind::Differences => "all-differences-given",
        MarkKind::Ratios => "all-ratios-given",
    };
    // Differences and quotients of two neighbours are dots, too, and quotients state ratios.
    let calculations: Vec<Vec<String>> = lines
        .iter()
        .filter(|line| line.starts_with("difference ") || line.starts_with("quotient "))
        .map(|line| line.replace("..", " ").split(' ').map(str::to_owned).collect())
        .collect();
    let quotients = calculations.iter().filter(|words| words[0] == "quotient");
    let mut ratios: Vec<i32> = quotients.filter_map(|words| words[1].parse().ok()).collect();
    if ratios.is_empty() || lines.iter().any(|line| line.starts_with(BLACK.words)) {
        ratios.push(2);
    }
    stated(line, move |grid| {
        let is_beside = |rows, columns| rows + columns == 1;
        pairs_obey(grid, is_beside, |one, other| {
            let has_calculation = calculations.iter().any(|words| {
                [[one, other], [other, one]].iter().any(|pair| words[2..] == pair.map(name))
            });
            let [a, b] = [one, other].map(|cell| grid.at(cell));
            let is_ratio = ratios.iter().any(|&ratio| a == ratio * b || b == ratio * a);
            let is_given = |mark: &Mark| {
                let either_order = [[one, other], [other, one]].map(|pair| marked(mark, pair).line);
                lines.iter().any(|line| either_order.contains(line))
            };
            let is_true = |mark: &Mark| (mark.holds)(grid.at(one), grid.at(other));
            let marks = kind.marks();
            match kind {
                // Between 1 and 2 either dot will do.
                MarkKind::Dots if has_calculation => true,
                MarkKind::Dots => !marks.iter().any(is_true) || marks.iter().any(is_given),
                MarkKind::Differences | MarkKind::Ratios if has_calculation => true,
                MarkKind::Differences => !is_true(&WHITE) || marks.iter().any(is_given),
                MarkKind::Ratios => !is_ratio || marks.iter().any(is_given),
                MarkKind::Xv => marks.iter().all(|mark| !is_true(mark) || is_given(mark)),
            }
        })
    })
}

/// Every Latin square that agrees with the givens (0 for none), in reading order.
pub fn latin_squares(side: usize, first: u8, givens: &[u8], take: &mut dyn FnMut(&Grid)) {
    let mut grid = Grid { side, first, values: vec![0; side * side] };
    fill(&mut grid, 0, givens, take);
}

fn fill(grid: &mut Grid, cell: usize, givens: &[u8], take: &mut dyn FnMut(&Grid)) {
    if cell == givens.len() {
        return take(grid);
    }
    let side = grid.side;
    for value in 1..=side as u8 {
        let is_given = givens[cell] == 0 || givens[cell] == value;
        let row_before = &grid.values[cell / side * side..cell];
        let mut column_before = (cell % side..cell).step_by(side);
        let clashes =
            row_before.contains(&value) || column_before.any(|other| grid.values[other] == value);
        if is_given && !clashes {
            grid.values[cell] = value;
            fill(grid, cell + 1, givens, take);
        }
    }
    grid.values[cell] = 0;
}
