//! A picture of a sudoku by rules: its rules in the grid, or named below it.

use std::f64::consts::FRAC_PI_6;
use std::fmt::Write;

use tallyboard_picture::Picture;
use tallyboard_picture::picture::Anchor;
use tallyboard_variants::rule::{Calculation, Line, Marked};
use tallyboard_variants::{Cell, Mark, Puzzle, Rule, Size, WholeGrid, value_to_char};

use super::grid::{self, CELL_PX, MARGIN_PX, line_px};

/// The height of a line of captions.
const CAPTION_PX: f64 = 18.0;
const CAPTION_TEXT_PX: f64 = 9.5;
const VALUE_TEXT_PX: f64 = 20.0;
const PENCIL_MARK_TEXT_PX: f64 = 7.0;
const SUM_TEXT_PX: f64 = 8.5;
/// The distance of an outline of cells from their sides.
const INSET_PX: f64 = 4.5;
/// The radius of the bulb of a thermometer and of the circle of an arrow.
const BULB_PX: f64 = 17.0;
/// The radius of a Kropki dot.
const DOT_PX: f64 = 5.5;
/// The characters of a pattern that is written below the grid.
const MOST_OF_A_PATTERN: usize = 40;
/// The length of the two lines at the tip of an arrow.
const BARB_PX: f64 = 9.0;

/// Distances from the upper left corner, to the right and down, in pixels.
type Point = (f64, f64);

/// Draws `puzzle`: rules of some cells into the grid, the names of rules of all cells below it. `solution` has a value for
/// each cell.
pub fn variant(puzzle: &Puzzle, solution: Option<&[u8]>) -> Picture {
    let side = puzzle.size().side();
    let captions = captions(puzzle, side as f64 * CELL_PX);
    let captions_px = captions.len() as f64 * CAPTION_PX;
    let mut picture = grid::picture(side, captions_px, "a sudoku by rules");
    let rules = puzzle.rules().rules();
    // What is drawn later covers what was drawn before.
    for rule in rules {
        draw_below(&mut picture, puzzle.size(), rule);
    }
    let regions = puzzle.rules().regions();
    grid::draw_lines(&mut picture, side, grid::CELL_PX, |row, column| {
        regions.as_ref().map(|numbers| numbers[row * side + column])
    });
    for rule in rules {
        draw_above(&mut picture, rule);
    }
    let char_of = |value| puzzle.size().value_to_char(value);
    for (index, &given) in puzzle.givens().iter().enumerate() {
        let cell = puzzle.size().cell(index);
        match (given, solution) {
            (0, Some(values)) => draw_value(&mut picture, cell, char_of(values[index]), "blue"),
            (0, None) => draw_pencil_marks(&mut picture, puzzle, cell),
            _ => draw_value(&mut picture, cell, char_of(given), "ink"),
        }
    }
    for (line, caption) in captions.iter().enumerate() {
        let y = line_px(side) + MARGIN_PX + line as f64 * CAPTION_PX;
        picture.text("ink", Anchor::Left, (MARGIN_PX, y), CAPTION_TEXT_PX, caption);
    }
    picture
}

/// The names of the rules that nothing in the grid shows, in lines of at most `width` pixels.
fn captions(puzzle: &Puzzle, width: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut names: Vec<String> = Vec::new();
    let size = puzzle.size();
    if size.first_value() != 1 {
        names.push(format!("values {}-{}", size.first_value(), size.last_value()));
    }
    for name in puzzle.rules().rules().iter().filter_map(caption) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    for name in names {
        match lines.last_mut() {
            Some(line)
                if Picture::text_width(&format!("{line}, {name}"), CAPTION_TEXT_PX) <= width =>
            {
                let _ = write!(line, ", {name}");
            }
            _ => lines.push(name),
        }
    }
    lines
}

/// The name of a rule below the grid; `None` if the grid shows it.
fn caption(rule: &Rule) -> Option<String> {
    Some(match rule {
        Rule::Global(WholeGrid::NoRegions) => "no regions".to_owned(),
        Rule::Global(WholeGrid::NoLines) => "no rows and columns".to_owned(),
        Rule::Global(
            WholeGrid::FallingDiagonal | WholeGrid::RisingDiagonal | WholeGrid::Windoku,
        ) => {
            return None;
        }
        Rule::Global(global) => global.name().to_owned(),
        // The colour of a line tells its rule.
        Rule::Line(Line::Falling | Line::SlowThermometer, _) => return None,
        Rule::Line(line, _) => match line.number() {
            Some(number) => format!("{}: {} {number}", colour_name(*line), line.name()),
            None => format!("{}: {}", colour_name(*line), line.name()),
        },
        Rule::Outside(outside, ..) => outside.name().to_owned(),
        Rule::Pattern(pattern, _) => {
            let text = pattern.to_string();
            let is_short = text.chars().count() <= MOST_OF_A_PATTERN;
            format!("{} {}", pattern.name(), if is_short { &text } else { "…" })
        }
        Rule::Marked(
            marked @ (Marked::RowIndexer | Marked::ColumnIndexer | Marked::BoxIndexer),
            _,
        ) => marked.name().to_owned(),
        Rule::Marked(marked @ Marked::Circles, _) => format!("counting {}", marked.name()),
        Rule::Regions(_)
        | Rule::House(_)
        | Rule::Different(_)
        | Rule::Cage { .. }
        | Rule::CageRange { .. }
        | Rule::Thermometer(_)
        | Rule::Arrow { .. }
        | Rule::Mark(..)
        | Rule::Calculation(..)
        | Rule::Marked(..)
        | Rule::Quadruple(..) => return None,
    })
}

fn centre(cell: Cell) -> Point {
    // Rows and columns are counted from 1.
    let middle_of = |number: usize| line_px(number) - CELL_PX / 2.0;
    (middle_of(cell.column()), middle_of(cell.row()))
}

/// Draws what lies below the lines of the grid: tinted boxes, diagonals, thermometers and arrows.
fn draw_below(picture: &mut Picture, size: Size, rule: &Rule) {
    let last = line_px(size.side());
    match rule {
        Rule::Global(WholeGrid::Windoku) => {
            let begins = size.windows();
            let corners =
                begins.iter().flat_map(|&row| begins.iter().map(move |&left| (row, left)));
            for (row, column) in corners {
                let side = size.box_shape().0 as f64 * CELL_PX;
                picture.rect("found", line_px(column), line_px(row), side, side);
            }
        }
        Rule::Global(WholeGrid::FallingDiagonal) => {
            picture.line("blue", 1.2, (MARGIN_PX, MARGIN_PX), (last, last))
        }
        Rule::Global(WholeGrid::RisingDiagonal) => {
            picture.line("blue", 1.2, (MARGIN_PX, last), (last, MARGIN_PX))
        }
        Rule::Thermometer(cells) => {
            picture.circle("idle", centre(cells[0]), BULB_PX);
            let points: Vec<Point> = cells.iter().copied().map(centre).collect();
            picture.path("grid", 14.0, polyline(&points));
        }
        Rule::Arrow { circle, line } => draw_arrow(picture, circle, line),
        Rule::Line(Line::Falling, _) => {}
        Rule::Line(line, cells) => draw_line(picture, *line, cells),
        Rule::Pattern(_, cells) => {
            let points: Vec<Point> = cells.iter().copied().map(centre).collect();
            picture.dashed("grid", 3.0, "2 4", polyline(&points));
        }
        Rule::Marked(marked, cells) => {
            for &cell in cells {
                draw_marked(picture, *marked, cell);
            }
        }
        Rule::Regions(_)
        | Rule::Global(_)
        | Rule::House(_)
        | Rule::Different(_)
        | Rule::Cage { .. }
        | Rule::CageRange { .. }
        | Rule::Mark(..)
        | Rule::Calculation(..)
        | Rule::Outside(..)
        | Rule::Quadruple(..) => {}
    }
}

/// The class of a line's colour, and its name for people.
fn colour(line: Line) -> (&'static str, &'static str) {
    match line {
        Line::Whispers(_) | Line::Sums(_) => ("green", "green"),
        Line::Renban | Line::Nabner | Line::Zipper => ("violet", "violet"),
        Line::RegionSums | Line::Between | Line::Lockout(_) => ("blue", "blue"),
        Line::Entropic | Line::Modular(_) | Line::Parity => ("red", "red"),
        Line::Palindrome
        | Line::SlowThermometer
        | Line::Falling
        | Line::DoubleArrow
        | Line::Lunchbox(_) => ("grid", "grey"),
    }
}

fn colour_name(line: Line) -> &'static str {
    colour(line).1
}

/// Draws a line through the middles of its cells, with circles where its ends are special.
fn draw_line(picture: &mut Picture, line: Line, cells: &[Cell]) {
    let points: Vec<Point> = cells.iter().copied().map(centre).collect();
    let ends = [points[0], points[points.len() - 1]];
    picture.path(
        colour(line).0,
        if line == Line::SlowThermometer { 9.0 } else { 4.0 },
        polyline(&points),
    );
    let circled = match line {
        Line::Between | Line::DoubleArrow => &ends[..],
        Line::SlowThermometer => &ends[..1],
        Line::Whispers(_)
        | Line::Palindrome
        | Line::Renban
        | Line::Lockout(_)
        | Line::RegionSums
        | Line::Sums(_)
        | Line::Zipper
        | Line::Modular(_)
        | Line::Entropic
        | Line::Parity
        | Line::Nabner
        | Line::Lunchbox(_)
        | Line::Falling => &[],
    };
    for &end in circled {
        picture.circle("card", end, BULB_PX);
        picture.path("faint", 1.5, capsule(end, end));
    }
    if let Line::Lockout(_) = line {
        for (x, y) in ends {
            let corners = [(x, y - BULB_PX), (x + BULB_PX, y), (x, y + BULB_PX), (x - BULB_PX, y)];
            picture.path(colour(line).0, 1.5, polyline(&corners) + "Z");
        }
    }
}

/// Draws the mark of a cell: a circle for odd and counted values, a square for even ones, a triangle for extremes, a letter else.
fn draw_marked(picture: &mut Picture, marked: Marked, cell: Cell) {
    let (x, y) = centre(cell);
    match marked {
        Marked::Odd => picture.circle("idle", (x, y), BULB_PX),
        Marked::Even => {
            picture.rect("idle", x - BULB_PX, y - BULB_PX, 2.0 * BULB_PX, 2.0 * BULB_PX);
        }
        Marked::Circles => picture.path("faint", 1.5, capsule((x, y), (x, y))),
        Marked::Minimum | Marked::Maximum => {
            // The tip points into the cell for a minimum, and out of it for a maximum.
            let out = if marked == Marked::Maximum { 1.0 } else { -1.0 };
            for (right, down) in [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)] {
                let at = |along: f64, aside: f64| {
                    (x + right * along + down * aside, y + down * along + right * aside)
                };
                let tip = [at(18.0, 4.0), at(18.0 + 4.0 * out, 0.0), at(18.0, -4.0)];
                picture.path("faint", 1.2, polyline(&tip));
            }
        }
        Marked::Same => picture.circle("found", (x, y), BULB_PX),
        Marked::RowIndexer | Marked::ColumnIndexer | Marked::BoxIndexer => {
            let inset = CELL_PX / 2.0 - INSET_PX;
            picture.rect("idle", x - inset, y - inset, 2.0 * inset, 2.0 * inset);
        }
    }
}

/// The path of a line through all `points`.
fn polyline(points: &[Point]) -> String {
    let words: Vec<String> = points.iter().map(|(x, y)| format!("{x:.2} {y:.2}")).collect();
    format!("M{}", words.join("L"))
}

/// Draws the circle of an arrow, round one cell or two, and the line that leaves it at the cell nearer to the line.
fn draw_arrow(picture: &mut Picture, circle: &[Cell], line: &[Cell]) {
    let first = centre(circle[0]);
    let last = centre(circle[circle.len() - 1]);
    picture.path("faint", 1.5, capsule(first, last));
    let next = centre(line[0]);
    let start = if distance(first, next) < distance(last, next) { first } else { last };
    let mut points = vec![start];
    points.extend(line.iter().copied().map(centre));
    let end = points[points.len() - 1];
    let before_end = points[points.len() - 2];
    // The line begins at the circle, not at its centre.
    points[0] = towards(start, points[1], BULB_PX);
    picture.path("faint", 1.5, polyline(&points));
    let backwards = (before_end.1 - end.1).atan2(before_end.0 - end.0);
    let barb = |turn: f64| {
        let angle = backwards + turn;
        (end.0 + BARB_PX * angle.cos(), end.1 + BARB_PX * angle.sin())
    };
    picture.path("faint", 1.5, polyline(&[barb(FRAC_PI_6), end, barb(-FRAC_PI_6)]));
}

/// The outline of all points whose distance from the line between two points is at most [`BULB_PX`]; a circle if these
/// are the same.
fn capsule(first: Point, last: Point) -> String {
    let length = distance(first, last);
    // A step of that distance from the first point to the last.
    let (right, down) = match length {
        0.0 => (BULB_PX, 0.0),
        _ => ((last.0 - first.0) / length * BULB_PX, (last.1 - first.1) / length * BULB_PX),
    };
    let arc = |(x, y): Point| format!("A{BULB_PX} {BULB_PX} 0 0 1 {x:.2} {y:.2}");
    format!(
        "M{:.2} {:.2}{}L{:.2} {:.2}{}Z",
        first.0 - down,
        first.1 + right,
        arc((first.0 + down, first.1 - right)),
        last.0 + down,
        last.1 - right,
        arc((last.0 - down, last.1 + right)),
    )
}

fn distance(from: Point, to: Point) -> f64 {
    (to.0 - from.0).hypot(to.1 - from.1)
}

/// The point at the distance `length` from `from` on the way to `to`.
fn towards(from: Point, to: Point, length: f64) -> Point {
    let share = length / distance(from, to);
    (from.0 + share * (to.0 - from.0), from.1 + share * (to.1 - from.1))
}

/// Draws what lies above the lines of the grid: cages, extra houses, and marks between cells.
fn draw_above(picture: &mut Picture, rule: &Rule) {
    match rule {
        Rule::Cage { sum, cells } => {
            picture.dashed("ink", 1.0, "4 3", outline(cells));
            if let Some(sum) = sum {
                draw_sum(picture, &sum.to_string(), cells);
            }
        }
        Rule::CageRange { least, most, cells } => {
            picture.dashed("ink", 1.0, "4 3", outline(cells));
            draw_sum(picture, &format!("{least}-{most}"), cells);
        }
        Rule::Calculation(calculation, number, cells) => {
            picture.dashed("violet", 1.0, "4 3", outline(cells));
            draw_sum(picture, &format!("{number}{}", sign(*calculation)), cells);
        }
        Rule::Quadruple(values, cells) => {
            let values: String = values.iter().copied().map(value_to_char).collect();
            let (x, y) = middle(cells);
            picture.circle("card", (x, y), 9.0);
            picture.text("ink", Anchor::Middle, (x, y + 3.5), SUM_TEXT_PX, &values);
        }
        Rule::Line(Line::Falling, cells) => {
            for pair in cells.windows(2) {
                draw_greater(picture, centre(pair[0]), centre(pair[1]));
            }
        }
        Rule::Outside(_, number, cells) => draw_outside(picture, *number, cells),
        Rule::House(cells) => picture.path("violet", 1.4, outline(cells)),
        Rule::Different(cells) => picture.dashed("violet", 1.2, "1.5 4", outline(cells)),
        Rule::Mark(mark, [first, second]) => {
            let first = centre(*first);
            let second = centre(*second);
            draw_mark(picture, *mark, ((first.0 + second.0) / 2.0, (first.1 + second.1) / 2.0));
        }
        Rule::Regions(_)
        | Rule::Global(_)
        | Rule::Thermometer(_)
        | Rule::Arrow { .. }
        | Rule::Line(..)
        | Rule::Pattern(..)
        | Rule::Marked(..) => {}
    }
}

/// The sign of a calculation.
fn sign(calculation: Calculation) -> &'static str {
    match calculation {
        Calculation::Sum => "+",
        Calculation::Product => "×",
        Calculation::Difference => "-",
        Calculation::Quotient => ":",
    }
}

/// The middle of cells.
fn middle(cells: &[Cell]) -> Point {
    let number = cells.len() as f64;
    let points = cells.iter().copied().map(centre);
    let (x, y) = points.fold((0.0, 0.0), |(x, y), point| (x + point.0, y + point.1));
    (x / number, y / number)
}

/// Draws the sign that opens to the greater of two values.
fn draw_greater(picture: &mut Picture, greater: Point, less: Point) {
    let between = ((greater.0 + less.0) / 2.0, (greater.1 + less.1) / 2.0);
    let tip = towards(between, less, 4.0);
    let open = towards(between, greater, 4.0);
    let aside = ((tip.1 - open.1) * 0.6, (open.0 - tip.0) * 0.6);
    let ends = [(open.0 + aside.0, open.1 + aside.1), tip, (open.0 - aside.0, open.1 - aside.1)];
    picture.path("ink", 1.4, polyline(&ends));
}

/// Writes a clue outside of the grid beside the first cell that it looks at; of a diagonal, at the corner of that cell.
fn draw_outside(picture: &mut Picture, number: u32, cells: &[Cell]) {
    let first = centre(cells[0]);
    // A diagonal of one cell is as good as one to the lower right.
    let next = cells.get(1).copied().map_or((first.0 + CELL_PX, first.1 + CELL_PX), centre);
    let step = |from: f64, to: f64| if from == to { 0.0 } else { (to - from).signum() };
    let apart = CELL_PX / 2.0 + 9.0;
    let at =
        (first.0 - step(first.0, next.0) * apart, first.1 - step(first.1, next.1) * apart + 3.5);
    picture.text("ink", Anchor::Middle, at, CAPTION_TEXT_PX, &number.to_string());
}

/// Writes the sum of a cage into its first cell in reading order, on a background that interrupts the dashes.
fn draw_sum(picture: &mut Picture, sum: &str, cells: &[Cell]) {
    let Some(first) = cells.iter().min_by_key(|cell| (cell.row(), cell.column())) else { return };
    let centre = centre(*first);
    let x = centre.0 - CELL_PX / 2.0 + 2.0;
    let y = centre.1 - CELL_PX / 2.0 + 2.0;
    picture.rect("card", x, y, Picture::text_width(sum, SUM_TEXT_PX) + 2.0, SUM_TEXT_PX + 3.0);
    picture.text("ink", Anchor::Left, (x + 1.0, y + 10.0), SUM_TEXT_PX, sum);
}

fn draw_mark(picture: &mut Picture, mark: Mark, at: Point) {
    match mark {
        Mark::White | Mark::Black => {
            picture.circle("piece", at, DOT_PX);
            if mark == Mark::White {
                picture.circle("card", at, DOT_PX - 1.3);
            }
        }
        Mark::X | Mark::V => {
            picture.circle("card", at, 7.0);
            let name = mark.name().to_uppercase();
            picture.bold_text("ink", Anchor::Middle, (at.0, at.1 + 4.5), 9.0, &name);
        }
    }
}

/// A cell by its row and column, or a step from a cell to a neighbour: down, and to the right.
type Square = (i32, i32);

fn add(square: Square, step: Square) -> Square {
    (square.0 + step.0, square.1 + step.1)
}

/// Lines a little inside the border of these cells, wherever they lie.
fn outline(cells: &[Cell]) -> String {
    let squares: Vec<Square> =
        cells.iter().map(|cell| (cell.row() as i32, cell.column() as i32)).collect();
    let mut path = String::new();
    for &square in &squares {
        for out in [(-1, 0), (0, 1), (1, 0), (0, -1)] {
            if !squares.contains(&add(square, out)) {
                let along = (out.1, out.0);
                let back = (-along.0, -along.1);
                let ends = [back, along].map(|end| end_of_side(&squares, square, out, end));
                path += &polyline(&ends);
            }
        }
    }
    path
}

/// One end of the line that an outline has along a side of a square. A step `out` crosses that side, and the end is the one
/// in the direction `along`. The line is shorter than the side by the inset at a corner of the border that points outward,
/// and longer at one that points inward.
fn end_of_side(squares: &[Square], square: Square, out: Square, along: Square) -> Point {
    let next = add(square, along);
    let lengthened = match (squares.contains(&next), squares.contains(&add(next, out))) {
        (false, _) => -INSET_PX,
        (true, false) => 0.0,
        (true, true) => INSET_PX,
    };
    let outward = CELL_PX / 2.0 - INSET_PX;
    let sideways = CELL_PX / 2.0 + lengthened;
    let offset = |out: i32, along: i32| f64::from(out) * outward + f64::from(along) * sideways;
    let (x, y) = centre(Cell::new(square.0 as usize, square.1 as usize));
    (x + offset(out.1, along.1), y + offset(out.0, along.0))
}

/// Draws a value in the middle of its cell; givens, in ink, are bold.
fn draw_value(picture: &mut Picture, cell: Cell, value: char, class: &str) {
    let (x, y) = centre(cell);
    let text = value.to_string();
    let at = (x, y + 10.0);
    if class == "ink" {
        picture.bold_text(class, Anchor::Middle, at, VALUE_TEXT_PX, &text);
    } else {
        picture.text(class, Anchor::Middle, at, VALUE_TEXT_PX, &text);
    }
}

/// Draws the candidates of a cell that the puzzle restricts, each at the place of its value.
fn draw_pencil_marks(picture: &mut Picture, puzzle: &Puzzle, cell: Cell) {
    let side = puzzle.size().side();
    let candidates = puzzle.candidates().of(cell);
    if candidates.len() == side {
        return;
    }
    let columns = (side as f64).sqrt().ceil();
    let pitch = (CELL_PX - 10.0) / columns;
    let (x, y) = centre(cell);
    for value in candidates {
        let place = f64::from(value - 1);
        let right = (place % columns - (columns - 1.0) / 2.0) * pitch;
        let down = ((place / columns).floor() - (columns - 1.0) / 2.0) * pitch;
        let at = (x + right, y + down + 3.5);
        let text = puzzle.size().value_to_char(value).to_string();
        picture.text("ink", Anchor::Middle, at, PENCIL_MARK_TEXT_PX, &text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn captions_name_all_rules_in_lines_as_long_as_the_grid_is_wide() {
        let text = "size 4\nregions none\nanti-knight\nanti-king\nnon-consecutive\nall-xv-given\n";
        let puzzle = tallyboard_variants::read(text.as_bytes(), "rules").unwrap();
        let width = 4.0 * CELL_PX;
        let lines = captions(&puzzle, width);
        assert_eq!(
            lines.join(", "),
            "no regions, anti-knight, anti-king, non-consecutive, all-xv-given"
        );
        assert!(lines.len() > 1);
        for line in &lines {
            assert!(Picture::text_width(line, CAPTION_TEXT_PX) <= width, "{line}");
        }
    }

    /// The length of all lines of a path of `M`, `L` and numbers.
    fn length(path: &str) -> f64 {
        let lines = path.split('M').skip(1).map(|line| {
            let points: Vec<Point> = line
                .split('L')
                .map(|point| point.split_once(' ').unwrap())
                .map(|(x, y)| (x.parse().unwrap(), y.parse().unwrap()))
                .collect();
            points.windows(2).map(|ends| distance(ends[0], ends[1])).sum::<f64>()
        });
        lines.sum()
    }

    /// An outline inside a border is shorter by twice the inset for each corner that points outward, and longer by as much
    /// for each that points inward.
    #[test]
    fn outlines_follow_the_border_inside_of_it() {
        let cells = |text: &str| -> Vec<Cell> {
            text.split(' ').map(|cell| cell.parse().unwrap()).collect()
        };
        let ring = "r1c1 r1c2 r1c3 r2c1 r2c3 r3c1 r3c2 r3c3";
        // Cells, the sides of their border, and its corners that point outward less those that point inward.
        for (text, sides, corners) in [
            ("r5c5", 4, 4),
            ("r1c1 r1c2 r2c1", 8, 4),
            ("r4c4 r4c5 r5c4 r5c5", 8, 4),
            ("r2c2 r1c2 r2c1 r2c3 r3c2", 12, 4),
            (ring, 16, 0),
            ("r1c1 r9c9", 8, 8),
        ] {
            let expected = f64::from(sides) * CELL_PX - f64::from(corners) * 2.0 * INSET_PX;
            let found = length(&outline(&cells(text)));
            assert!((found - expected).abs() < 0.1, "{text}: {found}, expected {expected}");
        }
    }
}
