//! Puzzles of BurrTools (`.xmpuzzle`, as XML that may be compressed): pieces of cubes, and shapes to assemble from them.
//!
//! They are read as the program itself does (`src/lib/voxel.cpp`, `problem.cpp` and `gridtype.cpp` of its repository). In a voxel
//! space `#` is a cube, `+` one that may stay empty, `_` none, and a number behind it is a colour; x runs first, then y, then z. A
//! problem names a result, and for each shape how often it is used: `count`, or `min` and `max`, or once. Pieces are turned, never
//! reflected. What tells how an assembly comes apart has no effect on a count: groups, weights, hot spots, stored solutions.

use std::collections::HashMap;

use tallyboard_base::text::xml::{self, Element};

use crate::mistake::{LocatedMistake, Mistake, located, mistake};
use crate::picture::{DrawnCell, Freedom, Grid, Piece, Puzzle};

/// The most cubes of a voxel space: a header that announces more is refused.
const MOST_VOXELS: usize = 1 << 20;

/// The path of a problem.
const PROBLEM: &str = "puzzle/problems/problem";

/// Whether a file is a puzzle of BurrTools, by its first line.
pub(super) fn begins_xmpuzzle(line: &str) -> bool {
    line.starts_with("<?xml") || line.starts_with("<puzzle")
}

/// Reads the problem with this number, from 1; without one the only problem.
pub(super) fn read(text: &str, problem: Option<usize>) -> Result<Puzzle, LocatedMistake> {
    let elements = xml::elements(text).map_err(located)?;
    let grid = elements.iter().find(|element| element.path == "puzzle/gridType");
    if let Some(grid) = grid
        && grid.attribute("type").is_some_and(|kind| kind != "0")
    {
        let kind = match grid.attribute("type") {
            Some("1") => "triangular prisms",
            Some("2") => "spheres",
            Some("3") => "rhombic tetrahedra",
            Some("4") => "tetrahedra and octahedra",
            _ => "an unknown grid",
        };
        return Err((
            grid.line,
            mistake(format!("a puzzle of {kind}"), "one of cubes (gridType 0)"),
        ));
    }
    let shapes: Vec<Shape> = elements
        .iter()
        .filter(|element| element.path == "puzzle/shapes/voxel")
        .enumerate()
        .map(|(number, element)| Shape::read(number, element))
        .collect::<Result<_, _>>()?;
    // Each problem with the elements up to the next one.
    let parts = elements.chunk_by(|_, next| next.path != PROBLEM);
    let problems: Vec<&[Element]> = parts.filter(|part| part[0].path == PROBLEM).collect();
    let number = match (problem, problems.len()) {
        (Some(number), several) if (1..=several).contains(&number) => number,
        (None, 1) => 1,
        (_, 0) => return Err((1, mistake("no problem", "one with a result and pieces"))),
        (None, several) => {
            let found = format!("{several} problems: {}", names(&problems));
            return Err((
                problems[0][0].line,
                mistake(found, "the number of one of them: --problem 1"),
            ));
        }
        (Some(number), _) => {
            let found = format!("no problem {number}");
            let expected = format!("one of {}", names(&problems));
            return Err((problems[0][0].line, mistake(found, expected)));
        }
    };
    assemble(problems[number - 1], &shapes)
}

/// The line and the name of each problem; none if the text cannot be read.
pub(super) fn places(text: &str) -> Vec<(usize, String)> {
    let elements = xml::elements(text).unwrap_or_default();
    let problems = elements.iter().filter(|element| element.path == PROBLEM);
    let name = |element: &Element| element.attribute("name").unwrap_or_default().to_owned();
    problems.map(|element| (element.line, name(element))).collect()
}

/// The names of problems, with their numbers.
fn names(problems: &[&[Element]]) -> String {
    let name = |(number, problem): (usize, &&[Element])| match problem[0].attribute("name") {
        None | Some("") => format!("{number}"),
        Some(name) => format!("{number} '{name}'"),
    };
    (1..).zip(problems).map(name).collect::<Vec<_>>().join(", ")
}

/// The puzzle of the elements of a problem.
fn assemble(problem: &[Element], shapes: &[Shape]) -> Result<Puzzle, LocatedMistake> {
    let line = problem[0].line;
    let within = |path: &'static str| problem.iter().filter(move |element| element.path == path);
    let shape_of = |element: &Element| -> Result<&Shape, LocatedMistake> {
        let number: usize = number_in(element, "id")?.unwrap_or(usize::MAX);
        shapes.get(number).ok_or_else(|| {
            let expected = format!("the number of one of the {} shapes, from 0", shapes.len());
            (element.line, mistake(format!("the shape {number}"), expected))
        })
    };
    let result = within("puzzle/problems/problem/result").next();
    let result =
        shape_of(result.ok_or_else(|| (line, mistake("no result", "one in the problem")))?)?;
    let mut used = Vec::new();
    for element in within("puzzle/problems/problem/shapes/shape") {
        let shape = shape_of(element)?;
        let bounds = match (
            number_in(element, "count")?,
            number_in(element, "min")?,
            number_in(element, "max")?,
        ) {
            (Some(count), ..) => (count, count),
            (None, Some(low), Some(high)) => (low, high),
            _ => (1, 1),
        };
        if bounds.0 > bounds.1 {
            let found = format!("min {} and max {}", bounds.0, bounds.1);
            return Err((element.line, mistake(found, "a min that is not above the max")));
        }
        if bounds.1 > 0 {
            used.push((shape, bounds, element.line));
        }
    }
    ensure_colours(problem, result, &used)?;
    ensure_holes(&problem[0], result, &used)?;
    let board = result.board();
    let pieces = pieces(&used)?;
    Puzzle::new(Grid::Cube, board, &pieces)
}

type Used<'a> = (&'a Shape, (u32, u32), usize);

fn pieces(used: &[Used<'_>]) -> Result<Vec<Piece>, LocatedMistake> {
    let mut uses: HashMap<&str, usize> = HashMap::new();
    used.iter().for_each(|(shape, ..)| *uses.entry(&shape.name).or_default() += 1);
    let mut pieces = Vec::new();
    for &(shape, bounds, line) in used {
        if let Some(voxel) = shape.voxels.iter().find(|voxel| voxel.may_be_empty) {
            let [x, y, z] = voxel.place;
            let found =
                format!("a cube that may stay empty in the piece '{}', at {x},{y},{z}", shape.name);
            return Err((shape.line, mistake(found, "such cubes in results only")));
        }
        let name = match uses[shape.name.as_str()] {
            1 => shape.name.clone(),
            _ => format!("{}-S{}", shape.name, shape.number + 1),
        };
        pieces.push(Piece {
            name,
            cells: shape.voxels.iter().map(|voxel| voxel.place).collect(),
            freedom: Freedom::Turn,
            bounds: Some(bounds),
            letters: String::new(),
            line,
            may_fit_nowhere: bounds.0 == 0,
        });
    }
    Ok(pieces)
}

/// Fails if a colour keeps a piece from a place: any colour may be where the result has none, and those that a pair names.
fn ensure_colours(
    problem: &[Element],
    result: &Shape,
    used: &[Used<'_>],
) -> Result<(), LocatedMistake> {
    let mut allowed = Vec::new();
    for pair in
        problem.iter().filter(|element| element.path == "puzzle/problems/problem/bitmap/pair")
    {
        allowed.push((number_in::<u32>(pair, "piece")?, number_in::<u32>(pair, "result")?));
    }
    for voxel in result.voxels.iter().filter(|voxel| voxel.colour > 0) {
        for (shape, ..) in used {
            for piece in shape.voxels.iter().filter(|piece| piece.colour > 0) {
                // The pairs number colours from 0, voxels from 1.
                let pair = (Some(piece.colour - 1), Some(voxel.colour - 1));
                if !allowed.contains(&pair) {
                    let found = format!(
                        "the colour {} of '{}', which may not be on the colour {} of the result",
                        piece.colour, shape.name, voxel.colour
                    );
                    return Err((
                        problem[0].line,
                        mistake(found, "a problem without rules of colours"),
                    ));
                }
            }
        }
    }
    Ok(())
}

/// Fails if the problem limits the cubes of the result that stay empty, and the pieces do not.
fn ensure_holes(
    problem: &Element,
    result: &Shape,
    used: &[Used<'_>],
) -> Result<(), LocatedMistake> {
    let Some(most) = number_in::<u64>(problem, "maxHoles")? else { return Ok(()) };
    let cubes = result.voxels.len() as u64;
    let optional = result.voxels.iter().filter(|voxel| voxel.may_be_empty).count() as u64;
    let least_covered: u64 = used
        .iter()
        .map(|(shape, bounds, _)| u64::from(bounds.0).saturating_mul(shape.voxels.len() as u64))
        .fold(0, u64::saturating_add);
    if most < optional.min(cubes.saturating_sub(least_covered)) {
        let expected = "a problem without maxHoles, or whose pieces leave fewer";
        return Err((problem.line, mistake(format!("at most {most} empty cubes"), expected)));
    }
    Ok(())
}

/// The number that an attribute has; `None` without the attribute.
fn number_in<T: std::str::FromStr>(
    element: &Element,
    name: &str,
) -> Result<Option<T>, LocatedMistake> {
    element.number(name).map_err(located)
}

/// A cube of a shape.
struct Voxel {
    place: [i32; 3],
    may_be_empty: bool,
    colour: u32,
}

/// A voxel space.
struct Shape {
    name: String,
    number: usize,
    voxels: Vec<Voxel>,
    line: usize,
}

impl Shape {
    fn read(number: usize, element: &Element<'_>) -> Result<Self, LocatedMistake> {
        let at = |error: Mistake| (element.line, error);
        let mut size = [0; 3];
        for (axis, name) in size.iter_mut().zip(["x", "y", "z"]) {
            let found: Option<usize> = number_in(element, name)?;
            *axis =
                found.ok_or_else(|| at(mistake("a voxel space", format!("its size {name}"))))?;
        }
        let total = size.iter().try_fold(1_usize, |product, &axis| product.checked_mul(axis));
        let total = total.filter(|&total| total <= MOST_VOXELS).ok_or_else(|| {
            at(mistake(format!("a voxel space of {size:?}"), "1,048,576 voxels at most"))
        })?;
        if let Some(kind) = element.attribute("type").filter(|&kind| kind != "0") {
            return Err(at(mistake(format!("voxels of type {kind}"), "type 0")));
        }
        let mut voxels = Vec::new();
        let mut index = 0;
        let mut signs = element.text.trim().chars().peekable();
        while let Some(sign) = signs.next() {
            if !matches!(sign, '#' | '+' | '_') {
                return Err(at(mistake(
                    format!("{sign:?} in a voxel space"),
                    "'#', '+', '_' or a colour",
                )));
            }
            let mut colour = 0;
            while let Some(digit) = signs.peek().and_then(|sign| sign.to_digit(10)) {
                colour = (10 * colour + digit).min(1 << 16);
                signs.next();
            }
            if sign != '_' {
                let (x, y, z) =
                    (index % size[0], index / size[0] % size[1], index / size[0] / size[1]);
                let place = [x as i32, y as i32, z as i32];
                voxels.push(Voxel { place, may_be_empty: sign == '+', colour });
            }
            index += 1;
            if index > total {
                break;
            }
        }
        if index != total {
            return Err(at(mistake(
                format!("{index} voxels or more"),
                format!("{total}, as x, y and z say"),
            )));
        }
        if voxels.is_empty() {
            return Err(at(mistake("a voxel space without cubes", "one at least")));
        }
        // A name of the program may hold what no item's name may.
        let is_kept =
            |c: &char| !c.is_whitespace() && !c.is_control() && !matches!(c, ',' | ':' | '|');
        let given: String =
            element.attribute("name").unwrap_or("").chars().filter(is_kept).collect();
        let name = if given.is_empty() { format!("S{}", number + 1) } else { given };
        Ok(Self { name, number, voxels, line: element.line })
    }

    fn board(&self) -> Vec<DrawnCell> {
        let cell = |voxel: &Voxel| DrawnCell {
            cell: voxel.place,
            place: voxel.place,
            mark: if voxel.may_be_empty { '?' } else { '.' },
            line: self.line,
        };
        self.voxels.iter().map(cell).collect()
    }
}
