//! A picture of queens in regions, or of a Star Battle.

use tallyboard_picture::Picture;
use tallyboard_picture::picture::Anchor;
use tallyboard_regions::Board;

const CELL_PX: f64 = 44.0;
const MARGIN_PX: f64 = 16.0;
const STAR_TEXT_PX: f64 = 18.0;

/// The board as a picture: a colour for each region, lines between regions, queens or stars.
pub fn regions(board: &Board, stars: &[u32]) -> Picture {
    let size = board.size();
    let side = size as f64 * CELL_PX;
    let title = format!("{size} regions on a board of {size} rows");
    let mut picture = Picture::new(side + 2.0 * MARGIN_PX, side + 2.0 * MARGIN_PX, &title);
    let at = |line: usize| MARGIN_PX + line as f64 * CELL_PX;
    let region = |row: usize, column: usize| board.regions()[row * size + column];
    for row in 0..size {
        for column in 0..size {
            let (x, y) = (at(column), at(row));
            let path = format!("M{x} {y}h{CELL_PX}v{CELL_PX}h-{CELL_PX}z");
            picture.piece(region(row, column).into(), path);
        }
    }
    for line in 0..=size {
        for place in 0..size {
            let is_edge = line == 0 || line == size;
            let is_border = is_edge || region(place, line - 1) != region(place, line);
            let (class, width) = if is_border { ("ink", 2.5) } else { ("grid", 1.0) };
            picture.line(class, width, (at(line), at(place)), (at(line), at(place + 1)));
            let is_border = is_edge || region(line - 1, place) != region(line, place);
            let (class, width) = if is_border { ("ink", 2.5) } else { ("grid", 1.0) };
            picture.line(class, width, (at(place), at(line)), (at(place + 1), at(line)));
        }
    }
    for (row, &cells) in stars.iter().enumerate() {
        for column in (0..size).filter(|column| cells >> column & 1 == 1) {
            if board.stars() == 1 {
                let inset = CELL_PX * 0.14;
                picture.queen(at(column) + inset, at(row) + inset, CELL_PX - 2.0 * inset);
            } else {
                let middle =
                    (at(column) + CELL_PX / 2.0, at(row) + CELL_PX / 2.0 + STAR_TEXT_PX / 2.0);
                picture.text("ink", Anchor::Middle, middle, STAR_TEXT_PX, "★");
            }
        }
    }
    picture
}
