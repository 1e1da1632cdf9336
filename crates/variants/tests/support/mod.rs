//! A naive oracle: every Latin square is tried, and every rule is checked on the whole grid by code of its own.

use base::random::Random;

/// A filled grid: its side, and its values in reading order.
#[derive(Debug, Clone)]
pub struct Grid {
    pub side: usize,
    pub values: Vec<u8>,
}

impl Grid {
    /// The value at a row and a column, each from 1.
    pub fn at(&self, (row, column): Place) -> i32 {
        self.values[(row - 1) * self.side + column - 1].into()
    }
}

/// A row and a column, each from 1.
pub type Place = (usize, usize);

/// A line of the text form, and whether a filled grid obeys it.
pub struct Told {
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

fn told(line: impl Into<String>, holds: impl Fn(&Grid) -> bool + 'static) -> Told {
    Told { line: line.into(), holds: Box::new(holds) }
}

/// The rules of boxes.
pub fn boxes(side: usize) -> Told {
    let rows = match side {
        4 | 6 | 8 => 2,
        9 | 12 => 3,
        _ => 4,
    };
    let columns = side / rows;
    told("", move |grid| {
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

/// Regions of any shape, hanging together or not: the boxes with some cells exchanged.
pub fn regions(side: usize, random: &mut Random) -> Told {
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
    told(line, move |grid| {
        b"PQRSTU"[..side].iter().all(|letter| {
            let cells = places(side).into_iter().zip(&letters).filter(|(_, l)| *l == letter);
            all_differ(grid, &cells.map(|(place, _)| place).collect::<Vec<_>>())
        })
    })
}

/// A rule of the whole grid, by its number.
pub fn global(number: u32) -> Told {
    let is_beside = |rows, columns| rows + columns == 1;
    match number {
        0 => told("diagonal falling", |grid| {
            let cells: Vec<Place> = (1..=grid.side).map(|at| (at, at)).collect();
            all_differ(grid, &cells)
        }),
        1 => told("diagonal rising", |grid| {
            let cells: Vec<Place> = (1..=grid.side).map(|at| (at, grid.side + 1 - at)).collect();
            all_differ(grid, &cells)
        }),
        2 => told("diagonals", |grid| (global(0).holds)(grid) && (global(1).holds)(grid)),
        3 => told("anti-knight", |grid| {
            let is_knight = |rows, columns| rows * columns == 2;
            pairs_obey(grid, is_knight, |one, other| grid.at(one) != grid.at(other))
        }),
        4 => told("anti-king", |grid| {
            let is_king = |rows, columns| rows <= 1 && columns <= 1 && rows + columns > 0;
            pairs_obey(grid, is_king, |one, other| grid.at(one) != grid.at(other))
        }),
        5 => told("non-consecutive", move |grid| {
            pairs_obey(grid, is_beside, |one, other| (grid.at(one) - grid.at(other)).abs() != 1)
        }),
        _ => told("disjoint-groups", |grid| {
            let columns = if grid.side == 4 { 2 } else { 3 };
            (0..grid.side).all(|number| {
                let group: Vec<Place> = places(grid.side)
                    .into_iter()
                    .filter(|(row, column)| {
                        (row - 1) % 2 * columns + (column - 1) % columns == number
                    })
                    .collect();
                all_differ(grid, &group)
            })
        }),
    }
}

/// A path of places, each of which touches the one before, none twice.
fn path(side: usize, length: usize, random: &mut Random) -> Vec<Place> {
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

/// The places of a cage of neighbours, away from those `taken`.
fn blob(side: usize, most: usize, taken: &[Place], random: &mut Random) -> Vec<Place> {
    let mut blob: Vec<Place> = Vec::new();
    for place in path(side, most, random) {
        if taken.contains(&place) {
            break;
        }
        blob.push(place);
    }
    blob
}

fn sum_of(grid: &Grid, places: &[Place]) -> i32 {
    places.iter().map(|&place| grid.at(place)).sum()
}

/// A random rule of some cells, by its number; true in the grid `model` more often than not. `None` if no such rule
/// was found there.
pub fn local(
    number: u32,
    model: &Grid,
    caged: &mut Vec<Place>,
    random: &mut Random,
) -> Option<Told> {
    let side = model.side;
    match number {
        0 => {
            let cells = blob(side, 1 + random.below(4) as usize, caged, random);
            if cells.is_empty() || !all_differ(model, &cells) {
                return None;
            }
            caged.extend(&cells);
            let sum = sum_of(model, &cells);
            let line = format!("cage {sum} {}", names(&cells));
            Some(told(line, move |grid| all_differ(grid, &cells) && sum_of(grid, &cells) == sum))
        }
        1 => {
            let cells = blob(side, 3, caged, random);
            if cells.len() < 2 {
                return None;
            }
            caged.extend(&cells);
            Some(told(format!("cage {}", names(&cells)), move |grid| all_differ(grid, &cells)))
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
            Some(told(line, move |grid| {
                cells.windows(2).all(|pair| grid.at(pair[0]) < grid.at(pair[1]))
            }))
        }
        3 => {
            let cells = path(side, 3 + random.below(2) as usize, random);
            let (circle, line) = cells.split_at(1);
            let [circle, line] = [circle.to_vec(), line.to_vec()];
            if model.at(circle[0]) != sum_of(model, &line) && random.below(8) > 0 {
                return None;
            }
            let text = format!("arrow {} = {}", name(circle[0]), names(&line));
            Some(told(text, move |grid| grid.at(circle[0]) == sum_of(grid, &line)))
        }
        4 => {
            let cells = path(side, 2 + 4, random);
            if cells.len() < 6 {
                return None;
            }
            let (circle, line) = cells.split_at(2);
            let [circle, line] = [circle.to_vec(), line.to_vec()];
            let number = move |grid: &Grid| 10 * grid.at(circle[0]) + grid.at(circle[1]);
            let text = format!("arrow {} = {}", names(&cells[..2]), names(&line));
            if number(model) != sum_of(model, &line) && random.below(8) > 0 {
                return None;
            }
            Some(told(text, move |grid| number(grid) == sum_of(grid, &line)))
        }
        5..=8 => {
            let pair = neighbours(side, random);
            let (_, holds) = MARKS[number as usize - 5];
            let is_true = holds(model.at(pair[0]), model.at(pair[1]));
            (is_true || random.below(16) == 0).then(|| marked(number as usize - 5, pair))
        }
        9 => {
            let mut cells = places(side);
            random.shuffle(&mut cells);
            cells.truncate(side);
            if !all_differ(model, &cells) {
                return None;
            }
            Some(told(format!("house {}", names(&cells)), move |grid| all_differ(grid, &cells)))
        }
        10 => {
            let mut cells = places(side);
            random.shuffle(&mut cells);
            cells.truncate(2 + random.below(2) as usize);
            Some(told(format!("different {}", names(&cells)), move |grid| all_differ(grid, &cells)))
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
            Some(told(line, move |grid| values.contains(&grid.at(cell))))
        }
    }
}

/// What a mark says of the two values.
type Holds = fn(i32, i32) -> bool;

/// Cages of different values over the whole grid, each in a row or a column, so that sums of houses follow.
pub fn cages_everywhere(model: &Grid, random: &mut Random) -> Vec<Told> {
    let mut free = places(model.side);
    let mut cages = Vec::new();
    while let Some(&start) = free.first() {
        let across = random.below(2) == 0;
        let wanted = 1 + random.below(4) as usize;
        let step =
            |at: usize| if across { (start.0, start.1 + at) } else { (start.0 + at, start.1) };
        let cells: Vec<Place> = (0..wanted).map(step).take_while(|it| free.contains(it)).collect();
        free.retain(|place| !cells.contains(place));
        let sum = sum_of(model, &cells);
        let line = format!("cage {sum} {}", names(&cells));
        let holds = move |grid: &Grid| all_differ(grid, &cells) && sum_of(grid, &cells) == sum;
        cages.push(told(line, holds));
    }
    cages
}

/// The heads of marks, and what they say.
const MARKS: [(&str, Holds); 4] = [
    ("kropki white", |a, b| (a - b).abs() == 1),
    ("kropki black", |a, b| a == 2 * b || b == 2 * a),
    ("x", |a, b| a + b == 10),
    ("v", |a, b| a + b == 5),
];

fn marked(number: usize, [one, other]: [Place; 2]) -> Told {
    let (head, holds) = MARKS[number];
    let line = format!("{head} {} {}", name(one), name(other));
    told(line, move |grid| holds(grid.at(one), grid.at(other)))
}

/// All dots of a grid, or all its X and V; one in fifty is forgotten.
pub fn all_marks(model: &Grid, sums: bool, random: &mut Random) -> Vec<Told> {
    let mut marks = Vec::new();
    for one in places(model.side) {
        for other in [(one.0 + 1, one.1), (one.0, one.1 + 1)] {
            if other.0.max(other.1) > model.side || random.below(50) == 0 {
                continue;
            }
            // Either dot between 1 and 2.
            let first = if sums { 2 } else { random.below(2) as usize };
            for number in [first, if sums { 3 } else { 1 - first }] {
                if (MARKS[number].1)(model.at(one), model.at(other)) {
                    marks.push(marked(number, [one, other]));
                    break;
                }
            }
        }
    }
    marks
}

/// That all dots, or all X and V, are given: `lines` are those of the puzzle.
pub fn all_given(lines: &[String], sums: bool) -> Told {
    let heads: &[&str] = if sums { &["x ", "v "] } else { &["kropki white ", "kropki black "] };
    let marked = lines.to_vec();
    let line = if sums { "all-xv-given" } else { "all-dots-given" };
    told(line, move |grid| {
        let is_beside = |rows, columns| rows + columns == 1;
        pairs_obey(grid, is_beside, |one, other| {
            let has = |head: &str| {
                let texts = [
                    format!("{head}{} {}", name(one), name(other)),
                    format!("{head}{} {}", name(other), name(one)),
                ];
                marked.iter().any(|line| texts.contains(line))
            };
            let [a, b] = [grid.at(one), grid.at(other)];
            if sums {
                (a + b != 10 || has(heads[0])) && (a + b != 5 || has(heads[1]))
            } else {
                let is_dot = (a - b).abs() == 1 || a == 2 * b || b == 2 * a;
                !is_dot || has(heads[0]) || has(heads[1])
            }
        })
    })
}

/// Every Latin square that agrees with the givens (0 for none), in reading order.
pub fn latin_squares(side: usize, givens: &[u8], take: &mut dyn FnMut(&Grid)) {
    let mut grid = Grid { side, values: vec![0; side * side] };
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
