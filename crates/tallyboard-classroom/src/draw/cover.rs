//! A page of covers: a board each, with a colour for each piece and lines between pieces.

use std::collections::{BTreeMap, BTreeSet};

use tallyboard_base::figures::{counted, grouped};
use tallyboard_cover::format::Input;
use tallyboard_cover::picture::Grid;
use tallyboard_cover::{Board, PlacedPiece};
use tallyboard_picture::picture::{Anchor, PIECE_COLOURS, Picture};

/// Upper bound on the covers of a page.
pub const MAX_COVERS: usize = 200;

/// The longer side of a board, unless its cells would be too small or too large.
const BOARD_PX: f64 = 190.0;
const MIN_CELL_PX: f64 = 3.0;
const MAX_CELL_PX: f64 = 26.0;
/// The width of a page, unless one board alone is wider.
const PAGE_PX: f64 = 1_400.0;
const MARGIN_PX: f64 = 20.0;
const GAP_PX: f64 = 24.0;
const CAPTION_PX: f64 = 22.0;
const CAPTION_TEXT_PX: f64 = 10.0;
const HEADING_PX: f64 = 34.0;
const HEADING_TEXT_PX: f64 = 13.0;
/// Smaller names of pieces cannot be read.
const MIN_NAME_PX: f64 = 5.0;
/// The distance of two rows of hexagons or triangles whose width is 1: half the square root of 3.
const ROW_DISTANCE: f64 = 0.866_025_403_784_438_6;
/// The space between two layers of a cube, in cells.
const BETWEEN_LAYERS: f64 = 0.8;

/// A point of a board, in widths of a cell.
type Point = (f64, f64);

/// A side of a cell: its ends in thousandths of a cell, the smaller one first.
type Side = [(i64, i64); 2];

/// The shape of a board, which is the same in the picture of each cover. Lengths are in widths of a cell.
struct Drawing {
    grid: Grid,
    /// The corners of each cell, in their order around it.
    outlines: Vec<Vec<Point>>,
    /// The layer of each cell.
    layers: Vec<i32>,
    width: f64,
    height: f64,
}

/// Draws `solutions` of a problem, numbered from 1. `is_cut` says that there may be more.
pub fn covers(board: &Board, input: &Input, solutions: &[Vec<u32>], is_cut: bool) -> Picture {
    let drawing = Drawing::new(board);
    let unit = BOARD_PX / drawing.width.max(drawing.height);
    let unit = unit.clamp(MIN_CELL_PX, MAX_CELL_PX);
    let width = drawing.width * unit;
    let height = drawing.height * unit;
    let count = solutions.len().max(1) as f64;
    // With these the page is a little wider than high.
    let wanted_columns = (count * height / width).sqrt() * 1.2;
    let max_columns = (PAGE_PX / (width + GAP_PX)).floor().max(1.0);
    let columns = wanted_columns.ceil().clamp(1.0, max_columns).min(count);
    let rows = (count / columns).ceil();
    let column_px = width + GAP_PX;
    let row_px = height + CAPTION_PX + GAP_PX;
    let heading = match (is_cut, solutions.len()) {
        (true, 1) => "the first cover".to_owned(),
        (true, drawn) => format!("the first {} covers", grouped(drawn)),
        (false, drawn) => counted(drawn, "cover"),
    };
    let boards_px = columns * column_px - GAP_PX;
    let mut page = Picture::new(
        boards_px.max(Picture::text_width(&heading, HEADING_TEXT_PX)) + 2.0 * MARGIN_PX,
        HEADING_PX + MARGIN_PX + rows * row_px - GAP_PX + MARGIN_PX,
        &heading,
    );
    let heading_at = (MARGIN_PX, MARGIN_PX + 14.0);
    page.text("ink", Anchor::Left, heading_at, HEADING_TEXT_PX, &heading);
    for (index, solution) in solutions.iter().enumerate() {
        let x = MARGIN_PX + (index as f64 % columns) * column_px;
        let y = HEADING_PX + MARGIN_PX + (index as f64 / columns).floor() * row_px;
        drawing.draw(&mut page, &board.placed_pieces(input, solution), (x, y), unit);
        let caption_at = (x + width / 2.0, y + height + 16.0);
        let number = (index + 1).to_string();
        page.text("faint", Anchor::Middle, caption_at, CAPTION_TEXT_PX, &number);
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
        let points = || outlines.iter().flatten();
        let width = points().map(|point| point.0).fold(1.0, f64::max);
        let height = points().map(|point| point.1).fold(1.0, f64::max);
        Self { grid, outlines, layers, width, height }
    }

    /// Draws a cover, the pieces `laid`, with its upper left corner at `corner` and cells of `unit` pixels.
    fn draw(&self, page: &mut Picture, laid: &[PlacedPiece], corner: Point, unit: f64) {
        let to_page = |(x, y): Point| (corner.0 + x * unit, corner.1 + y * unit);
        // The piece on each cell.
        let mut owners = vec![None; self.outlines.len()];
        for (number, piece) in laid.iter().enumerate() {
            piece.cells.iter().for_each(|&cell| owners[cell] = Some(number));
        }
        let free = (0..owners.len()).filter(|&cell| owners[cell].is_none());
        page.area("light", self.path(free, &to_page));
        let sides = self.sides();
        let colours = colours(laid, &neighbours(&sides, &owners));
        for (piece, colour) in laid.iter().zip(colours) {
            page.piece(colour, self.path(piece.cells.iter().copied(), &to_page));
        }
        for piece in laid {
            for (&cell, sign) in piece.cells.iter().zip(&piece.signs) {
                let outline = &self.outlines[cell];
                let corners = outline.len() as f64;
                let x = outline.iter().map(|point| point.0).sum::<f64>() / corners;
                let y = outline.iter().map(|point| point.1).sum::<f64>() / corners;
                let size = unit * 0.5;
                let (x, y) = to_page((x, y));
                page.text("ink", Anchor::Middle, (x, y + size * 0.35), size, sign);
            }
        }
        let mut inner = String::new();
        let mut outer = String::new();
        for (side, cells) in &sides {
            let is_inner = cells.len() == 2
                && owners[cells[0]] == owners[cells[1]]
                && owners[cells[0]].is_some();
            let path = if is_inner { &mut inner } else { &mut outer };
            let [from, to] = side.map(|(x, y)| to_page((x as f64 / 1e3, y as f64 / 1e3)));
            path.push_str(&format!("M{:.1} {:.1}L{:.1} {:.1}", from.0, from.1, to.0, to.1));
        }
        page.path("grid", 0.5, inner);
        page.path("ink", 1.2, outer);
        if are_distinct(laid) {
            laid.iter().for_each(|piece| self.draw_name(page, piece, &to_page, unit));
        }
    }

    /// The outlines of cells as one path, with the points that `to_page` gives.
    fn path(&self, cells: impl Iterator<Item = usize>, to_page: &dyn Fn(Point) -> Point) -> String {
        let mut path = String::new();
        for cell in cells {
            for (number, &point) in self.outlines[cell].iter().enumerate() {
                let (x, y) = to_page(point);
                path.push_str(&format!("{}{x:.1} {y:.1}", if number == 0 { 'M' } else { 'L' }));
            }
            path.push('z');
        }
        path
    }

    /// The sides of all cells, each with the one or two cells that have it.
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
    fn draw_name(
        &self,
        page: &mut Picture,
        piece: &PlacedPiece,
        to_page: &dyn Fn(Point) -> Point,
        unit: f64,
    ) {
        let size = if self.grid == Grid::Triangle { unit * 0.3 } else { unit * 0.42 };
        if size < MIN_NAME_PX || Picture::text_width(&piece.name, size) > 0.8 * unit {
            return;
        }
        let layers: BTreeSet<i32> = piece.cells.iter().map(|&cell| self.layers[cell]).collect();
        for layer in layers {
            let cells = piece.cells.iter().filter(|&&cell| self.layers[cell] == layer);
            let centres: Vec<Point> = cells.map(|&cell| centre(&self.outlines[cell])).collect();
            let middle = centre(&centres);
            let distance = |point: &Point| (point.0 - middle.0).hypot(point.1 - middle.1);
            let nearest = centres.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)));
            if let Some(&nearest) = nearest {
                let (x, y) = to_page(nearest);
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
            let y = y * ROW_DISTANCE;
            // A hexagon is two sides high, and the next row begins after one and a half.
            let side = ROW_DISTANCE * 2.0 / 3.0;
            let corners = [(0.5, 0.0), (1.0, 0.5), (1.0, 1.5), (0.5, 2.0), (0.0, 1.5), (0.0, 0.5)];
            corners.map(|(right, down)| (x + right, y + down * side)).to_vec()
        }
        Grid::Triangle => {
            let [left, top] = [x / 2.0, y * ROW_DISTANCE];
            let bottom = top + ROW_DISTANCE;
            let points_up = (column + row) % 2 == 0;
            let (tip, base) = if points_up { (top, bottom) } else { (bottom, top) };
            vec![(left, base), (left + 0.5, tip), (left + 1.0, base)]
        }
    }
}

fn centre(points: &[Point]) -> Point {
    let count = points.len().max(1) as f64;
    let sum = points.iter().fold((0.0, 0.0), |sum, point| (sum.0 + point.0, sum.1 + point.1));
    (sum.0 / count, sum.1 / count)
}

/// The pairs of pieces that have a side in common, in both orders. `owners` has the piece on each cell.
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

/// Whether no two pieces laid are of one kind.
fn are_distinct(laid: &[PlacedPiece]) -> bool {
    let kinds: BTreeSet<usize> = laid.iter().map(|piece| piece.kind).collect();
    kinds.len() == laid.len()
}

/// The number of a colour for each piece laid: that of its kind if no two are of one kind, otherwise the first that no
/// neighbour has.
fn colours(laid: &[PlacedPiece], neighbours: &BTreeSet<(usize, usize)>) -> Vec<usize> {
    if are_distinct(laid) {
        return laid.iter().map(|piece| piece.kind).collect();
    }
    let mut colours: Vec<usize> = Vec::with_capacity(laid.len());
    for number in 0..laid.len() {
        let is_free = |colour: &usize| {
            let is_taken_by =
                |other| colours[other] == *colour && neighbours.contains(&(number, other));
            !(0..number).any(is_taken_by)
        };
        colours.push((0..PIECE_COLOURS).find(is_free).unwrap_or(number));
    }
    colours
}

#[cfg(test)]
mod tests {
    use super::*;
    use tallyboard_cover::Solutions;
    use tallyboard_cover::format::read;

    fn svg(text: &str) -> String {
        let input = read(text.as_bytes(), "p").unwrap();
        let board = Board::of(&input).unwrap();
        let solutions: Vec<Vec<u32>> = Solutions::new(input.cover()).collect();
        covers(&board, &input, &solutions, false).svg()
    }

    /// In every grid a cell has as many sides as corners, and two neighbours have one in common.
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
    fn neighbours_of_one_name_have_different_colours() {
        let svg = svg("board:\n....\npieces:\nD x any:\nxx\n");
        assert_eq!(svg.matches("class=\"p0\"").count(), 1);
        assert_eq!(svg.matches("class=\"p1\"").count(), 1);
        assert_eq!(svg.matches(">D</text>").count(), 0);
    }
}
