//! Boards with queens: one, or a page of them.

use tallyboard_base::figures::{counted, grouped, seconds};
use tallyboard_picture::chart::{Axis, Chart, Polyline};
use tallyboard_picture::picture::{Anchor, Picture};
use tallyboard_queens::Square;
use tallyboard_queens::place::check;
use tallyboard_queens::place::compare::Measurement;

/// Upper bound on the rows of a board that is drawn. With the smallest squares it is 1,600 pixels wide.
pub const MAX_BOARD_ROWS: u32 = 200;

const MARGIN_PX: f64 = 20.0;
/// Space for the names of ranks and files.
const LABEL_SPACE_PX: f64 = 18.0;

/// The side of a square: a board of `n` rows is 480 pixels wide, unless its squares would be too small or too large.
fn square_px(n: f64) -> f64 {
    (480.0 / n).clamp(8.0, 60.0)
}

/// A picture of one placement. `columns` has the column of each row's queen, from 0, from the top row down.
///
/// ```
/// let svg = tallyboard_classroom::draw::board(&[1, 3, 0, 2]).svg();
/// assert!(svg.contains(r#"data-queens="2 4 1 3""#));
/// ```
pub fn board(columns: &[u32]) -> Picture {
    let n = columns.len().max(1) as f64;
    let square = square_px(n);
    let side = n * square;
    let corner = (MARGIN_PX + LABEL_SPACE_PX, MARGIN_PX);
    let claim = if check(columns).is_ok() { ", none attacking another" } else { "" };
    let title = format!("{}{claim}", counted(columns.len(), "queen"));
    let picture_side = side + LABEL_SPACE_PX + 2.0 * MARGIN_PX;
    let mut picture = Picture::new(picture_side, picture_side, &title);
    draw_board(&mut picture, columns, columns.len(), corner, square);
    draw_labels(&mut picture, columns.len() as u32, corner, square, 10.0);
    picture
}

/// Writes the names of the ranks at the left of a board, and those of the files below it, with digits that are
/// `digit_height` high. If there is no space for all, writes every second name, every fifth, and so on.
fn draw_labels(picture: &mut Picture, n: u32, (x, y): (f64, f64), square: f64, digit_height: f64) {
    let last_file = Square::new(n.saturating_sub(1), 0).file_name();
    let longest = Picture::text_width(&last_file, digit_height);
    // With the gap between two names.
    let space = longest.max(digit_height) * 1.4;
    let step = [1, 2, 5, 10, 20, 50].into_iter().find(|&step| step as f64 * square >= space);
    let side = f64::from(n) * square;
    for index in (0..n).step_by(step.unwrap_or(100)) {
        let middle = (f64::from(index) + 0.5) * square;
        let rank = (x - 6.0, y + side - middle + digit_height / 2.0);
        picture.text("faint", Anchor::Right, rank, digit_height, &(index + 1).to_string());
        let file = (x + middle, y + side + digit_height + 6.0);
        let name = Square::new(index, 0).file_name();
        picture.text("faint", Anchor::Middle, file, digit_height, &name);
    }
}

/// A page of boards of one size, numbered from `first`.
pub fn page(title: &str, first: u64, boards: &[Vec<u32>]) -> Picture {
    const GAP_PX: f64 = 30.0;
    const CAPTION_PX: f64 = 34.0;
    const LABEL_HEIGHT_PX: f64 = 6.0;
    const HEADING_PX: f64 = 34.0;
    const TITLE_PX: f64 = 13.0;
    let n = boards.first().map_or(1, Vec::len);
    let square = (150.0 / n as f64).clamp(7.0, 24.0);
    let side = n as f64 * square;
    // A little wider than high.
    let across = (boards.len() as f64).sqrt().mul_add(1.3, 0.5).floor().clamp(1.0, 12.0) as usize;
    let down = boards.len().div_ceil(across).max(1);
    let boards_width = LABEL_SPACE_PX / 2.0 + across as f64 * (side + GAP_PX) - GAP_PX;
    let width = boards_width.max(Picture::text_width(title, TITLE_PX)) + 2.0 * MARGIN_PX;
    let height =
        HEADING_PX + MARGIN_PX + down as f64 * (side + CAPTION_PX + GAP_PX) - GAP_PX + MARGIN_PX;
    let mut picture = Picture::new(width, height, title);
    picture.text("ink", Anchor::Left, (MARGIN_PX, MARGIN_PX + 14.0), TITLE_PX, title);
    for (index, columns) in boards.iter().enumerate() {
        let x = MARGIN_PX + LABEL_SPACE_PX / 2.0 + (index % across) as f64 * (side + GAP_PX);
        let y = HEADING_PX + MARGIN_PX + (index / across) as f64 * (side + CAPTION_PX + GAP_PX);
        draw_board(&mut picture, columns, n, (x, y), square);
        draw_labels(&mut picture, n as u32, (x, y), square, LABEL_HEIGHT_PX);
        let number = (first + index as u64).to_string();
        picture.text("faint", Anchor::Middle, (x + side / 2.0, y + side + 29.0), 10.0, &number);
    }
    picture
}

/// Draws an n x n board with queens in the `columns` of its first rows; a1, at the bottom left, is dark.
pub(super) fn draw_board(
    picture: &mut Picture,
    columns: &[u32],
    n: usize,
    (x, y): (f64, f64),
    square: f64,
) {
    let side = n as f64 * square;
    let mut dark = String::new();
    for row in 0..n {
        for column in ((row + n + 1) % 2..n).step_by(2) {
            let x = x + column as f64 * square;
            let y = y + row as f64 * square;
            dark.push_str(&format!("M{x:.2} {y:.2}h{square:.2}v{square:.2}h-{square:.2}z"));
        }
    }
    picture.board(columns, |picture| {
        picture.rect("light", x, y, side, side);
        picture.area("dark", dark);
        for (row, &column) in columns.iter().enumerate() {
            picture.queen(x + f64::from(column) * square, y + row as f64 * square, square);
        }
    });
}

// The chart that compares the methods of placing queens.

const STROKES: [&str; 7] = ["blue", "orange", "green", "red", "violet", "teal", "faint"];

/// Time over board size, a curve for each method, both axes logarithmic.
pub fn methods(rows: &[Measurement]) -> Picture {
    let mut lines: Vec<Polyline> = Vec::new();
    for row in rows {
        // The rows of a method follow each other.
        if lines.last().is_none_or(|last| last.label != row.method) {
            let stroke = STROKES[lines.len() % STROKES.len()];
            let line = Polyline::new(stroke, "", &row.method, Vec::new());
            lines.push(Polyline { dots: true, ..line });
        }
        // A logarithmic axis has no place for 0.
        let seconds = row.seconds.filter(|&seconds| seconds > 0.0);
        if let Some((line, seconds)) = lines.last_mut().zip(seconds) {
            line.points.push((row.n.into(), seconds));
        }
    }
    lines.retain(|line| !line.points.is_empty());
    let points = || lines.iter().flat_map(|line| &line.points);
    let x = Axis::logarithmic("n", 10.0, points().map(|point| point.0), |n| grouped(n as u64));
    let y = Axis::logarithmic("time of one solution", 10.0, points().map(|point| point.1), seconds);
    let description = "time of one solution of n queens, by method".to_owned();
    Chart { description, size: (680.0, 440.0), x, y, lines }.draw()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tallyboard_queens::text::Reader;

    #[test]
    fn a1_is_dark_and_named() {
        for n in [4u32, 5, 8] {
            let columns: Vec<u32> = (0..n).collect();
            let svg = board(&columns).svg();
            let square = square_px(n.into());
            let corner = (MARGIN_PX + LABEL_SPACE_PX, MARGIN_PX + f64::from(n - 1) * square);
            let dark = svg.lines().find(|line| line.contains(r#"class="dark""#)).unwrap();
            assert!(dark.contains(&format!("M{:.2} {:.2}h", corner.0, corner.1)), "{n}: {dark}");
            // A rank and a file for each row and column, a text each.
            assert_eq!(svg.matches(r#"class="faint""#).count(), 2 * n as usize, "{n}");
        }
        let large = board(&(0..100).collect::<Vec<u32>>()).svg();
        assert!(large.matches(r#"class="faint""#).count() < 100);
    }

    #[test]
    fn a_page_can_be_read_again() {
        let boards = vec![vec![1, 3, 0, 2], vec![2, 0, 3, 1]];
        let svg = page("two", 1, &boards).svg();
        let mut reader = Reader::new(svg.as_bytes());
        for board in boards {
            let (_, placement) = reader.next_placement().unwrap().unwrap();
            assert_eq!(placement.columns(), board);
        }
        assert!(reader.next_placement().unwrap().is_none());
        assert_eq!(svg.matches("href=\"#queen\"").count(), 8);
    }
}

#[cfg(test)]
mod methods_tests {
    use super::*;

    #[test]
    fn a_method_that_solved_nothing_is_left_out() {
        let row = |method: &str, seconds| Measurement {
            method: method.to_owned(),
            n: 8,
            tries: 1,
            solved: 1,
            seconds,
            steps: None,
            restarts: None,
        };
        let svg = methods(&[row("one", Some(1e-3)), row("two", None)]).svg();
        assert!(svg.contains("class=\"blue\"") && !svg.contains("class=\"orange\""));
        assert!(methods(&[]).svg().contains("</svg>"));
    }
}
