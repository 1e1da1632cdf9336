//! The grid of a sudoku or of queens in regions: cells of one size, and lines that are thick between regions.

use tallyboard_picture::Picture;

pub const CELL_PX: f64 = 48.0;
pub const MARGIN_PX: f64 = 20.0;

/// The distance of a line between cells from the upper or left end of the picture; lines are numbered from 0.
pub fn line_px(number: usize) -> f64 {
    MARGIN_PX + number as f64 * CELL_PX
}

/// An empty picture for a grid of `side` rows and columns, with `below` pixels of space under it.
pub fn picture(side: usize, below: f64, title: &str) -> Picture {
    let width = line_px(side) + MARGIN_PX;
    Picture::new(width, width + below, title)
}

/// Draws the sides of all cells, `cell_px` long: thick at the border and between cells whose `region`, a function of row and column,
/// differs.
pub fn draw_lines<T: PartialEq>(
    picture: &mut Picture,
    side: usize,
    cell_px: f64,
    region: impl Fn(usize, usize) -> T,
) {
    // Drawn last, so that no thin line crosses a thick one.
    let mut thick = Vec::new();
    let px = |number: usize| MARGIN_PX + number as f64 * cell_px;
    let at = |line: usize, along: usize| (px(line), px(along));
    let turned = |(x, y): (f64, f64)| (y, x);
    for line in 0..=side {
        picture.line("faint", 0.8, at(line, 0), at(line, side));
        picture.line("faint", 0.8, at(0, line), at(side, line));
        for cell in 0..side {
            let ends = [at(line, cell), at(line, cell + 1)];
            let is_border = line == 0 || line == side;
            if is_border || region(cell, line - 1) != region(cell, line) {
                thick.push(ends);
            }
            if is_border || region(line - 1, cell) != region(line, cell) {
                thick.push(ends.map(turned));
            }
        }
    }
    for [from, to] in thick {
        picture.line("ink", 2.2, from, to);
    }
}
