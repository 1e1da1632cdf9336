//! The rules of lines, of clues outside of the grid and of marked cells, each by its definition in a line.

use tallyboard_base::random::Random;

use crate::support::{Grid, Place, StatedRule, name, names, path, places, stated};

type Holds = fn(&[i32], i32) -> bool;

/// Whether each two values whose places are at a distance below `reach` satisfy `holds`.
fn near(values: &[i32], reach: usize, holds: impl Fn(i32, i32) -> bool) -> bool {
    let pairs = (0..values.len()).flat_map(|one| (0..one).map(move |other| (other, one)));
    pairs.filter(|(other, one)| one - other < reach).all(|(a, b)| holds(values[a], values[b]))
}

fn sum(values: &[i32]) -> i32 {
    values.iter().sum()
}

fn ends(values: &[i32]) -> (i32, i32) {
    let (first, last) = (values[0], values[values.len() - 1]);
    (first.min(last), first.max(last))
}

fn inner(values: &[i32]) -> &[i32] {
    &values[1..values.len() - 1]
}

fn third(value: i32, side: i32) -> i32 {
    if side == 4 { [0, 1, 1, 2][value as usize - 1] } else { (value - 1) / 2 }
}

/// Lines, and what holds for the values along them and the side of the grid.
const LINES: [(&str, Holds); 22] = [
    ("whispers 2", |v, _| near(v, 2, |a, b| (a - b).abs() >= 2)),
    ("whispers", |v, side| near(v, 2, |a, b| (a - b).abs() >= (side + 1) / 2)),
    ("palindrome", |v, _| v.iter().eq(v.iter().rev())),
    ("renban", |v, _| {
        near(v, v.len(), |a, b| a != b)
            && v.iter().max().unwrap() - v.iter().min().unwrap() == v.len() as i32 - 1
    }),
    ("between", |v, _| inner(v).iter().all(|&x| ends(v).0 < x && x < ends(v).1)),
    ("lockout 2", |v, _| {
        ends(v).1 - ends(v).0 >= 2 && inner(v).iter().all(|&x| x < ends(v).0 || x > ends(v).1)
    }),
    ("sum-line 5", |v, _| is_parts_of(v, 5)),
    ("sum-line 7", |v, _| is_parts_of(v, 7)),
    ("zipper", |v, _| {
        let n = v.len();
        let whole = if n % 2 == 1 { v[n / 2] } else { v[0] + v[n - 1] };
        (0..n / 2).all(|at| v[at] + v[n - 1 - at] == whole)
    }),
    ("modular 3", |v, _| near(v, 3, |a, b| a % 3 != b % 3)),
    ("modular 2", |v, _| near(v, 2, |a, b| a % 2 != b % 2)),
    ("entropic", |v, side| near(v, 3, |a, b| third(a, side) != third(b, side))),
    ("parity", |v, _| near(v, 2, |a, b| (a + b) % 2 == 1)),
    ("nabner", |v, _| near(v, v.len(), |a, b| (a - b).abs() > 1)),
    ("slow-thermometer", |v, _| near(v, 2, |a, b| a <= b)),
    ("greater", |v, _| near(v, 2, |a, b| a > b)),
    ("matches [135]*[246]{1,2}", |v, _| {
        let odds = v.iter().take_while(|&x| x % 2 == 1).count();
        (1..=2).contains(&(v.len() - odds)) && v[odds..].iter().all(|x| x % 2 == 0)
    }),
    ("matches .*(12|34).*", |v, _| v.windows(2).any(|pair| pair == [1, 2] || pair == [3, 4])),
    // The last value but one decides what the last one may be.
    ("automaton a:.:a,a:1:b,a:2:c,b:[3-6]:d,c:[^2]:d,d!", |v, _| {
        let [.., one, two] = *v else { return false };
        one == 1 && two >= 3 || one == 2 && two != 2
    }),
    ("lunchbox 0", |v, _| inner_sum(v) == Some(0)),
    ("lunchbox 3", |v, _| inner_sum(v) == Some(3)),
    ("double-arrow", |v, _| sum(&[v[0], v[v.len() - 1]]) == sum(inner(v))),
];

/// The sum between the least and the greatest of different values.
fn inner_sum(v: &[i32]) -> Option<i32> {
    let of = |wanted: Option<&i32>| v.iter().position(|x| Some(x) == wanted);
    let (one, other) = (of(v.iter().min())?, of(v.iter().max())?);
    near(v, v.len(), |a, b| a != b).then(|| sum(&v[one.min(other) + 1..one.max(other)]))
}

/// Whether the values are parts with this sum, one behind the other.
fn is_parts_of(values: &[i32], part: i32) -> bool {
    let ends = |length: usize| sum(&values[..length]);
    let whole = ends(values.len());
    let is_end = |wanted| (1..=values.len()).any(|length| ends(length) == wanted);
    whole % part == 0 && (1..=whole / part).all(|number| is_end(number * part))
}

/// The word of a clue outside, and its number for the values of a row.
type OutsideClue = (&'static str, fn(&[i32], i32) -> i32);

const OUTSIDE: [OutsideClue; 4] = [
    ("sandwich", |v, side| {
        let at = |value| v.iter().position(|&x| x == value).unwrap();
        let (from, to) = (at(1).min(at(side)), at(1).max(at(side)));
        sum(&v[from + 1..to])
    }),
    ("skyscraper", |v, _| {
        (0..v.len()).filter(|&at| v[..at].iter().all(|&x| x < v[at])).count() as i32
    }),
    ("x-sum", |v, _| sum(&v[..v[0] as usize])),
    ("numbered-room", |v, _| v[v[0] as usize - 1]),
];

/// Numbers that the values of some cells give, equal or not.
/// The word of a calculation, and its result.
type Calculation = (&'static str, fn(&[i32]) -> Option<i32>);

const CALCULATIONS: [Calculation; 4] = [
    ("sum", |v| Some(sum(v))),
    ("product", |v| Some(v.iter().product())),
    ("difference", |v| Some(2 * v.iter().max()? - sum(v))),
    ("quotient", |v| {
        let greatest = *v.iter().max()?;
        let rest = v.iter().product::<i32>().checked_div(greatest)?;
        (greatest.checked_rem(rest)? == 0).then(|| greatest / rest)
    }),
];

/// The number of kinds of [`defined_rule`].
pub const KINDS: u32 = LINES.len() as u32 + OUTSIDE.len() as u32 + CALCULATIONS.len() as u32 + 13;

/// Whether the rules of the kind with this number, and their definitions here, do not expect values from 1.
pub fn is_of_any_values(number: u32) -> bool {
    /// Entropic lines, all clues outside but skyscrapers, indexers, patterns of certain values.
    const FROM_ONE: [&str; 7] = [
        "entropic",
        "sandwich",
        "x-sum",
        "numbered-room",
        "matches [135]*[246]{1,2}",
        "matches .*(12|34).*",
        "automaton a:.:a,a:1:b,a:2:c,b:[3-6]:d,c:[^2]:d,d!",
    ];
    let number = number as usize;
    let words = LINES.iter().map(|line| line.0).chain(OUTSIDE.iter().map(|clue| clue.0));
    match words.clone().nth(number) {
        Some(words) => !FROM_ONE.contains(&words),
        None => !(6..9).contains(&(number - words.count()).wrapping_sub(CALCULATIONS.len())),
    }
}

fn values_of(grid: &Grid, cells: &[Place]) -> Vec<i32> {
    cells.iter().map(|&place| grid.at(place)).collect()
}

/// A random rule of the kind with this number, which the grid `model` obeys more often than not. `None` if this attempt found
/// no such rule.
pub fn defined_rule(number: u32, model: &Grid, random: &mut Random) -> Option<StatedRule> {
    let side = model.side;
    let mut number = number as usize;
    if number < LINES.len() {
        let (words, holds) = LINES[number];
        let most = if side == 4 { 2 } else { 3 };
        let cells = path(side, 3 + random.below(most) as usize, random);
        let rule = stated(format!("{words} {}", names(&cells)), move |grid| {
            holds(&values_of(grid, &cells), side as i32)
        });
        let may_fail = random.below(40) == 0;
        return ((rule.holds)(model) || may_fail).then_some(rule);
    }
    number -= LINES.len();
    if number < OUTSIDE.len() {
        let (words, clue) = OUTSIDE[number];
        let line = 1 + random.below(side as u32) as usize;
        let mut cells: Vec<Place> = (1..=side).map(|at| (line, at)).collect();
        if random.below(2) == 0 {
            cells = cells.into_iter().map(|(row, column)| (column, row)).collect();
        }
        if random.below(2) == 0 {
            cells.reverse();
        }
        let wanted =
            clue(&values_of(model, &cells), side as i32) + i32::from(random.below(30) == 0);
        let ends = format!("{}..{}", name(cells[0]), name(cells[side - 1]));
        return Some(stated(format!("{words} {wanted} {ends}"), move |grid| {
            clue(&values_of(grid, &cells), side as i32) == wanted
        }));
    }
    number -= OUTSIDE.len();
    if number < CALCULATIONS.len() {
        let (words, calculation) = CALCULATIONS[number];
        let cells = path(side, 2 + random.below(2) as usize, random);
        let wanted = calculation(&values_of(model, &cells)).filter(|&wanted| wanted >= 0)?;
        return Some(stated(format!("{words} {wanted} {}", names(&cells)), move |grid| {
            calculation(&values_of(grid, &cells)) == Some(wanted)
        }));
    }
    marked_rule(number - CALCULATIONS.len(), model, random)
}

fn marked_rule(number: usize, model: &Grid, random: &mut Random) -> Option<StatedRule> {
    let side = model.side;
    let mut cells = places(side);
    random.shuffle(&mut cells);
    let one = cells[0];
    let rule = match number {
        0 | 1 => {
            let word = ["even", "odd"][number];
            cells.retain(|&place| model.at(place) % 2 == number as i32);
            cells.truncate(2);
            stated(format!("{word} {}", names(&cells)), move |grid| {
                values_of(grid, &cells).iter().all(|value| value % 2 == number as i32)
            })
        }
        2 | 3 => {
            let word = ["minimum", "maximum"][number - 2];
            // Beside each other now and then, so that the marked spare each other.
            let next = (one.0, if one.1 == side { one.1 - 1 } else { one.1 + 1 });
            let marked = if random.below(3) == 0 { vec![one, next] } else { vec![one] };
            stated(format!("{word} {}", names(&marked)), move |grid| {
                let is_beside = |a: Place, b: Place| a.0.abs_diff(b.0) + a.1.abs_diff(b.1) == 1;
                let pairs =
                    marked.iter().flat_map(|&one| places(side).into_iter().map(move |b| (one, b)));
                pairs.filter(|&(a, b)| is_beside(a, b) && !marked.contains(&b)).all(|(a, b)| {
                    if number == 2 { grid.at(a) < grid.at(b) } else { grid.at(a) > grid.at(b) }
                })
            })
        }
        4 => {
            cells.retain(|&place| model.at(place) == model.at(one));
            cells.truncate(2 + random.below(2) as usize);
            stated(format!("same {}", names(&cells)), move |grid| {
                near(&values_of(grid, &cells), cells.len(), |a, b| a == b)
            })
        }
        5 => {
            // Circles for one value or two, as many as each of them tells.
            let values = [model.at(cells[1]), model.at(cells[2])];
            let mut marked = Vec::new();
            for value in 1..=side as i32 {
                let of_value = cells.iter().filter(|&&place| model.at(place) == value);
                if values.contains(&value) {
                    marked.extend(of_value.take(value as usize));
                }
            }
            if marked.is_empty() {
                return None;
            }
            stated(format!("circles {}", names(&marked)), move |grid| {
                let found = values_of(grid, &marked);
                found
                    .iter()
                    .all(|value| found.iter().filter(|x| *x == value).count() as i32 == *value)
            })
        }
        6 => stated(format!("row-indexer {}", name(one)), move |grid| {
            grid.at((grid.at(one) as usize, one.1)) == one.0 as i32
        }),
        7 => stated(format!("column-indexer {}", name(one)), move |grid| {
            grid.at((one.0, grid.at(one) as usize)) == one.1 as i32
        }),
        8 => {
            let columns = if side == 4 { 2 } else { 3 };
            let top_left = ((one.0 - 1) / 2 * 2, (one.1 - 1) / columns * columns);
            let place = (one.0 - 1 - top_left.0) * columns + (one.1 - 1 - top_left.1);
            stated(format!("box-indexer {}", name(one)), move |grid| {
                let at = grid.at(one) as usize - 1;
                let cell = (top_left.0 + at / columns + 1, top_left.1 + at % columns + 1);
                grid.at(cell) == place as i32 + 1
            })
        }
        9 => {
            let corner = (one.0.min(side - 1), one.1.min(side - 1));
            let square =
                [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(r, c)| (corner.0 + r, corner.1 + c));
            let mut wanted = values_of(model, &square);
            random.shuffle(&mut wanted);
            wanted.truncate(1 + random.below(4) as usize);
            let digits: String = wanted.iter().map(i32::to_string).collect();
            stated(format!("quadruple {digits} {}", names(&square)), move |grid| {
                let found = values_of(grid, &square);
                let times = |list: &[i32], value| list.iter().filter(|&&x| x == value).count();
                wanted.iter().all(|&value| times(&found, value) >= times(&wanted, value))
            })
        }
        10 => {
            let cells = path(side, 3, random);
            let whole = sum(&values_of(model, &cells));
            let (least, most) = (whole - random.below(3) as i32, whole + random.below(2) as i32);
            stated(format!("cage {}-{most} {}", least.max(0), names(&cells)), move |grid| {
                let values = values_of(grid, &cells);
                near(&values, values.len(), |a, b| a != b) && (least..=most).contains(&sum(&values))
            })
        }
        11 => {
            let line = move |number: usize| -> Vec<Place> {
                let at = |at: usize| {
                    if number % 4 < 2 { (number / 4 + 1, at) } else { (at, number / 4 + 1) }
                };
                let mut cells: Vec<Place> = (1..=side).map(at).collect();
                if number % 2 == 1 {
                    cells.reverse();
                }
                cells
            };
            let cells = line(random.below(4 * side as u32) as usize);
            // The place of the line; none if another line equals it.
            let rank = move |grid: &Grid, cells: &[Place]| {
                let mine = values_of(grid, cells);
                let all: Vec<Vec<i32>> =
                    (0..4 * side).map(|number| values_of(grid, &line(number))).collect();
                let is_alone = all.iter().filter(|other| **other == mine).count() == 1;
                is_alone.then(|| all.iter().filter(|other| **other < mine).count() + 1)
            };
            let wanted = rank(model, &cells)?;
            let ends = format!("{}..{}", name(cells[0]), name(cells[side - 1]));
            stated(format!("full-rank {wanted} {ends}"), move |grid| {
                rank(grid, &cells) == Some(wanted)
            })
        }
        _ => {
            // Every diagonal from the first column down or up.
            let row = 1 + random.below(side as u32) as usize;
            let is_down = random.below(2) == 0;
            let length = if is_down { side + 1 - row } else { row };
            let at = |step: usize| (if is_down { row + step } else { row - step }, 1 + step);
            let cells: Vec<Place> = (0..length).map(at).collect();
            let wanted = sum(&values_of(model, &cells));
            let ends = format!("{}..{}", name(cells[0]), name(cells[length - 1]));
            stated(format!("little-killer {wanted} {ends}"), move |grid| {
                sum(&values_of(grid, &cells)) == wanted
            })
        }
    };
    let may_fail = random.below(40) == 0;
    ((rule.holds)(model) || may_fail).then_some(rule)
}

/// A line whose parts in each box have equal sums, of a grid with boxes.
pub fn region_sums(model: &Grid, random: &mut Random) -> Option<StatedRule> {
    let side = model.side;
    let columns = if side == 4 { 2 } else { 3 };
    let cells = path(side, 3 + random.below(3) as usize, random);
    let rule = stated(format!("region-sums {}", names(&cells)), move |grid| {
        let mut parts: Vec<((usize, usize), i32)> = Vec::new();
        for &(row, column) in &cells {
            let region = ((row - 1) / 2, (column - 1) / columns);
            match parts.last_mut() {
                Some((last, sum)) if *last == region => *sum += grid.at((row, column)),
                _ => parts.push((region, grid.at((row, column)))),
            }
        }
        parts.iter().all(|part| part.1 == parts[0].1)
    });
    (rule.holds)(model).then_some(rule)
}
