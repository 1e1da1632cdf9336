//! A picture of queens in regions, or of a Star Battle.

use tallyboard_picture::Picture;
use tallyboard_picture::picture::Anchor;
use tallyboard_regions::Board;

use super::grid::{self, CELL_PX, line_px};

const STAR_TEXT_PX: f64 = 18.0;

/// The board as a picture: a colour for each region, lines between regions, queens or stars.
pub fn regions(board: &Board, stars: &[u32]) -> Picture {
    let size = board.size();
    let title = format!("{size} regions on a board of {size} rows");
    let mut picture = grid::picture(size, 0.0, &title);
    let region = |row: usize, column: usize| board.regions()[row * size + column];
    for row in 0..size {
        for column in 0..size {
            let (x, y) = (line_px(column), line_px(row));
            let path = format!("M{x} {y}h{CELL_PX}v{CELL_PX}h-{CELL_PX}z");
            picture.piece(region(row, column).into(), path);
        }
    }
    grid::draw_lines(&mut picture, size, grid::CELL_PX, region);
    for (row, &cells) in stars.iter().enumerate() {
        for column in (0..size).filter(|column| cells >> column & 1 == 1) {
            if board.stars() == 1 {
                let inset = CELL_PX * 0.14;
                picture.queen(line_px(column) + inset, line_px(row) + inset, CELL_PX - 2.0 * inset);
            } else {
                let middle = (
                    line_px(column) + CELL_PX / 2.0,
                    line_px(row) + CELL_PX / 2.0 + STAR_TEXT_PX / 2.0,
                );
                picture.text("ink", Anchor::Middle, middle, STAR_TEXT_PX, "★");
            }
        }
    }
    picture
}
