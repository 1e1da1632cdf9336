//! A page of covers: a board each, with a colour for each piece and lines between pieces.

use std::collections::{BTreeMap, BTreeSet};

use base::figures::{counted, grouped};
use cover::format::Input;
use cover::picture::Grid;
use cover::{Board, Laid};
use picture::picture::{Anchor, PIECE_COLOURS, Picture};

/// Upper bound on the boards of a page.
pub const MOST_DRAWN: usize = 200;

const MARGIN_PX: f64 = 20.0;
const GAP_PX: f64 = 24.0;
const CAPTION_PX: f64 = 22.0;
const HEADING_PX: f64 = 34.0;
const TITLE_PX: f64 = 13.0;
/// The distance of two rows of hexagons or triangles whose width is 1.
const ROW: f64 = 0.866_025_403_784_438_6;
/// The space between two layers of a cube, in cells.
const BETWEEN_LAYERS: f64 = 0.8;

/// A point of a board, in widths of a cell.
type Point = (f64, f64);

/// A side of a cell: its ends in thousandths of a cell, the smaller one first.
type Side = [(i64, i64); 2];

/// The board of a problem, as it is drawn again and again.
struct Drawing {
    grid: Grid,
    /// The corners of each cell, in their order around it.
    outlines: Vec<Vec<Point>>,
    layers: Vec<i32>,
    width: f64,
    height: f64,
}

/// Draws `solutions` of a problem, numbered from 1. `is_cut` says that there may be more.
pub fn page(board: &Board, input: &Input, solutions: &[Vec<u32>], is_cut: bool) -> Picture {
    let drawing = Drawing::new(board);
    let unit = (190.0 / drawing.width.max(drawing.height)).clamp(3.0, 26.0);
    let width = drawing.width * unit;
    let height = drawing.height * unit;
    let count = solutions.len().max(1) as f64;
    // A page that is a little wider than high, but not too wide.
    let wanted_columns = (count * height / width).sqrt() * 1.2;
    let most_columns = (1_400.0 / (width + GAP_PX)).floor().max(1.0);
    let columns = wanted_columns.ceil().clamp(1.0, most_columns).min(count);
    let rows = (count / columns).ceil();
    let title = match (is_cut, solutions.len()) {
        (true, 1) => "the first cover".to_owned(),
        (true, drawn) => format!("the first {} covers", grouped(drawn)),
        (false, drawn) => counted(drawn, "cover"),
    };
    let boards = columns * (width + GAP_PX) - GAP_PX;
    let mut page = Picture::new(
        boards.max(Picture::text_width(&title, TITLE_PX)) + 2.0 * MARGIN_PX,
        HEADING_PX + MARGIN_PX + rows * (height + CAPTION_PX + GAP_PX) - GAP_PX + MARGIN_PX,
        &title,
    );
    page.text("ink", Anchor::Left, (MARGIN_PX, MARGIN_PX + 14.0), TITLE_PX, &title);
    for (at, solution) in solutions.iter().enumerate() {
        let x = MARGIN_PX + (at as f64 % columns) * (width + GAP_PX);
        let y =
            HEADING_PX + MARGIN_PX + (at as f64 / columns).floor() * (height + CAPTION_PX + GAP_PX);
        drawing.draw(&mut page, &board.laid(input, solution), (x, y), unit);
        let number = (at + 1).to_string();
        let below = (x + width / 2.0, y + height + 16.0);
        page.text("faint", Anchor::Middle, below, 10.0, &number);
    }
    page
}

impl Drawing {
    fn new(board: &Board) -> Self {
        let grid = board.grid();
        let columns = board.places().iter().map(|place| place[0] + 1).max().unwrap_or(1);
        let layers: Vec<i32> = board.places().iter().map(|place| place[2]).collect();
        let outlines: Vec<Vec<Point>> =
            board.places().iter().map(|&place| outline(grid, place, columns)).collect();
        let most = |of: fn(&Point) -> f64| outlines.iter().flatten().map(of).fold(1.0, f64::max);
        let width = most(|point| point.0);
        let height = most(|point| point.1);
        Self { grid, outlines, layers, width, height }
    }

    fn draw(&self, page: &mut Picture, laid: &[Laid], corner: Point, unit: f64) {
        let at = |(x, y): Point| (corner.0 + x * unit, corner.1 + y * unit);
        // The piece on each cell.
        let mut owners = vec![None; self.outlines.len()];
        for (number, piece) in laid.iter().enumerate() {
            piece.cells.iter().for_each(|&cell| owners[cell] = Some(number));
        }
        let free = (0..owners.len()).filter(|&cell| owners[cell].is_none());
        page.area("light", self.path(free, &at));
        let sides = self.sides();
        let colours = colours(laid, &neighbours(&sides, &owners));
        for (piece, colour) in laid.iter().zip(colours) {
            page.piece(colour, self.path(piece.cells.iter().copied(), &at));
        }
        let mut inner = String::new();
        let mut outer = String::new();
        for (side, cells) in &sides {
            let is_inner = cells.len() == 2
                && owners[cells[0]] == owners[cells[1]]
                && owners[cells[0]].is_some();
            let path = if is_inner { &mut inner } else { &mut outer };
            let [from, to] = side.map(|(x, y)| at((x as f64 / 1e3, y as f64 / 1e3)));
            path.push_str(&format!("M{:.1} {:.1}L{:.1} {:.1}", from.0, from.1, to.0, to.1));
        }
        page.path("grid", 0.5, inner);
        page.path("ink", 1.2, outer);
        if is_each_once(laid) {
            laid.iter().for_each(|piece| self.name(page, piece, &at, unit));
        }
    }

    /// The outlines of cells as one path.
    fn path(&self, cells: impl Iterator<Item = usize>, at: &dyn Fn(Point) -> Point) -> String {
        let mut path = String::new();
        for cell in cells {
            for (number, &point) in self.outlines[cell].iter().enumerate() {
                let (x, y) = at(point);
                path.push_str(&format!("{}{x:.1} {y:.1}", if number == 0 { 'M' } else { 'L' }));
            }
            path.push('z');
        }
        path
    }

    /// The sides of all cells, and the one or two cells that each belongs to.
    fn sides(&self) -> BTreeMap<Side, Vec<usize>> {
        let mut sides: BTreeMap<Side, Vec<usize>> = BTreeMap::new();
        let rounded = |(x, y): Point| ((x * 1e3).round() as i64, (y * 1e3).round() as i64);
        for (cell, outline) in self.outlines.iter().enumerate() {
            for (number, &from) in outline.iter().enumerate() {
                let to = outline[(number + 1) % outline.len()];
                let mut side = [rounded(from), rounded(to)];
                side.sort_unstable();
                sides.entry(side).or_default().push(cell);
            }
        }
        sides
    }

    /// Writes the name of a piece once in each layer that it is in, if it is short enough for a cell.
    fn name(&self, page: &mut Picture, piece: &Laid, at: &dyn Fn(Point) -> Point, unit: f64) {
        let size = if self.grid == Grid::Triangle { unit * 0.3 } else { unit * 0.42 };
        if size < 5.0 || Picture::text_width(&piece.name, size) > 0.8 * unit {
            return;
        }
        let layers: BTreeSet<i32> = piece.cells.iter().map(|&cell| self.layers[cell]).collect();
        for layer in layers {
            let cells = piece.cells.iter().filter(|&&cell| self.layers[cell] == layer);
            let centres: Vec<Point> = cells.map(|&cell| centre(&self.outlines[cell])).collect();
            let middle = centre(&centres);
            let away = |point: &Point| (point.0 - middle.0).hypot(point.1 - middle.1);
            let nearest = centres.iter().min_by(|a, b| away(a).total_cmp(&away(b)));
            if let Some(&nearest) = nearest {
                let (x, y) = at(nearest);
                page.text("ink", Anchor::Middle, (x, y + size / 2.0), size, &piece.name);
            }
        }
    }
}

/// The corners of a cell. The layers of a cube, each `columns` wide, stand side by side.
fn outline(grid: Grid, [column, row, layer]: [i32; 3], columns: i32) -> Vec<Point> {
    let [x, y] = [f64::from(column), f64::from(row)];
    match grid {
        Grid::Square | Grid::Cube => {
            let x = x + f64::from(layer) * (f64::from(columns) + BETWEEN_LAYERS);
            vec![(x, y), (x + 1.0, y), (x + 1.0, y + 1.0), (x, y + 1.0)]
        }
        Grid::Hex => {
            let x = x + if row % 2 == 1 { 0.5 } else { 0.0 };
            let y = y * ROW;
            // Two thirds of the distance of two rows.
            let side = ROW * 2.0 / 3.0;
            let corners = [(0.5, 0.0), (1.0, 0.5), (1.0, 1.5), (0.5, 2.0), (0.0, 1.5), (0.0, 0.5)];
            corners.map(|(right, down)| (x + right, y + down * side)).to_vec()
        }
        Grid::Triangle => {
            let [left, top] = [x / 2.0, y * ROW];
            let (tip, base) =
                if (column + row) % 2 == 0 { (top, top + ROW) } else { (top + ROW, top) };
            vec![(left, base), (left + 0.5, tip), (left + 1.0, base)]
        }
    }
}

fn centre(points: &[Point]) -> Point {
    let count = points.len().max(1) as f64;
    let sum = points.iter().fold((0.0, 0.0), |sum, point| (sum.0 + point.0, sum.1 + point.1));
    (sum.0 / count, sum.1 / count)
}

/// The pairs of pieces that have a side in common.
fn neighbours(
    sides: &BTreeMap<Side, Vec<usize>>,
    owners: &[Option<usize>],
) -> BTreeSet<(usize, usize)> {
    let mut pairs = BTreeSet::new();
    for cells in sides.values() {
        if let [a, b] = cells[..]
            && let (Some(a), Some(b)) = (owners[a], owners[b])
            && a != b
        {
            pairs.insert((a, b));
            pairs.insert((b, a));
        }
    }
    pairs
}

/// Whether no piece is laid twice.
fn is_each_once(laid: &[Laid]) -> bool {
    let pieces: BTreeSet<usize> = laid.iter().map(|piece| piece.piece).collect();
    pieces.len() == laid.len()
}

/// A colour for each piece: its own if no piece is used twice, otherwise the first that no neighbour has.
fn colours(laid: &[Laid], neighbours: &BTreeSet<(usize, usize)>) -> Vec<usize> {
    if is_each_once(laid) {
        return laid.iter().map(|piece| piece.piece).collect();
    }
    let mut colours: Vec<usize> = Vec::with_capacity(laid.len());
    for number in 0..laid.len() {
        let is_free = |colour: &usize| {
            !(0..number)
                .any(|other| colours[other] == *colour && neighbours.contains(&(number, other)))
        };
        colours.push((0..PIECE_COLOURS).find(is_free).unwrap_or(number));
    }
    colours
}

#[cfg(test)]
mod tests {
    use super::*;
    use cover::Solutions;
    use cover::format::read;

    fn svg(text: &str) -> String {
        let input = read(text.as_bytes(), "p").unwrap();
        let board = Board::of(&input).unwrap();
        let solutions: Vec<Vec<u32>> = Solutions::new(input.cover()).collect();
        page(&board, &input, &solutions, false).svg()
    }

    /// The corners of a cell as so many sides, of which two neighbours have one in common, in every grid.
    #[test]
    fn neighbours_have_a_side_in_common() {
        for (grid, sides, shared) in
            [("square", 4, 4), ("cube", 4, 4), ("hex", 6, 5), ("triangle", 3, 3)]
        {
            // Four cells in two rows: hexagons of odd rows stand to the right.
            let text = format!("grid: {grid}\nboard:\n..\n..\npieces:\nD x any:\nx\n");
            let input = read(text.as_bytes(), "p").unwrap();
            let drawing = Drawing::new(&Board::of(&input).unwrap());
            let found = drawing.sides();
            assert!(drawing.outlines.iter().all(|outline| outline.len() == sides), "{grid}");
            assert_eq!(found.values().filter(|cells| cells.len() == 2).count(), shared, "{grid}");
            assert_eq!(found.values().map(Vec::len).sum::<usize>(), 4 * sides, "{grid}");
        }
    }

    #[test]
    fn each_piece_has_its_colour_and_its_name() {
        let svg = svg("board:\n...\n...\npieces:\nD:\nxx\nL:\nxx\nxx\n");
        assert_eq!(svg.matches("class=\"p0\"").count(), 2, "two covers");
        assert_eq!(svg.matches("class=\"p1\"").count(), 2);
        assert_eq!(svg.matches(">D</text>").count(), 2);
        assert_eq!(svg.matches(">L</text>").count(), 2);
    }

    #[test]
    fn neighbours_of_one_name_have_other_colours() {
        let svg = svg("board:\n....\npieces:\nD x any:\nxx\n");
        assert_eq!(svg.matches("class=\"p0\"").count(), 1);
        assert_eq!(svg.matches("class=\"p1\"").count(), 1);
        assert_eq!(svg.matches(">D</text>").count(), 0);
    }
}
