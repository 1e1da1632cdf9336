//! Search trees: dead ends crossed out, solutions on green.

use super::board::draw_board;
use super::picture::{Anchor, Picture};
use crate::figures::counted;
use crate::queens::trace::Node;
use crate::queens::{Board, Square};
use crate::sudoku::Grid;
use crate::sudoku::trace::{Guess, blanks};
use std::collections::HashSet;

const MARGIN: f64 = 24.0;

/// What became of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Open,
    DeadEnd,
    Solution,
}

/// A node with its place: x in units of a leaf's width, y in levels.
struct Placed<'a, T> {
    node: &'a T,
    x: f64,
    level: usize,
    parent: Option<usize>,
}

/// Puts parents over the middle of their children, leaves side by side.
fn lay_out<'a, T>(
    node: &'a T,
    children: &impl Fn(&'a T) -> &'a [T],
    level: usize,
    parent: Option<usize>,
    leaves: &mut f64,
    placed: &mut Vec<Placed<'a, T>>,
) -> f64 {
    let index = placed.len();
    placed.push(Placed { node, x: 0.0, level, parent });
    let xs: Vec<f64> = children(node)
        .iter()
        .map(|child| lay_out(child, children, level + 1, Some(index), leaves, placed))
        .collect();
    let x = match (xs.first(), xs.last()) {
        (Some(first), Some(last)) => (first + last) / 2.0,
        _ => {
            *leaves += 1.0;
            *leaves - 1.0
        }
    };
    placed[index].x = x;
    x
}

/// Size of a node's box and of the gaps between boxes.
struct Spacing {
    node: f64,
    across: f64,
    down: f64,
}

/// Draws links, then boxes with whatever `face` draws inside.
fn draw<T>(
    placed: &[Placed<'_, T>],
    spacing: &Spacing,
    title: &str,
    fate: impl Fn(&Placed<'_, T>) -> Fate,
    face: impl Fn(&mut Picture, &Placed<'_, T>, (f64, f64)),
) -> Picture {
    const HEADING: f64 = 30.0;
    const PAD: f64 = 5.0;
    let step = (spacing.node + spacing.across, spacing.node + spacing.down);
    let corner = |placed: &Placed<'_, T>| {
        (MARGIN + placed.x * step.0, MARGIN + HEADING + placed.level as f64 * step.1)
    };
    let right = placed.iter().map(|p| corner(p).0).fold(0.0, f64::max);
    let bottom = placed.iter().map(|p| corner(p).1).fold(0.0, f64::max);
    let width = (right + spacing.node + MARGIN).max(9.0 * title.len() as f64 + 2.0 * MARGIN);
    let mut svg = Picture::new(width, bottom + spacing.node + MARGIN, title);
    svg.text("ink", Anchor::Left, (MARGIN, MARGIN + 12.0), 13.0, false, title);
    for node in placed {
        let Some(parent) = node.parent else { continue };
        let (from, to) = (corner(&placed[parent]), corner(node));
        let half = spacing.node / 2.0;
        let from = (from.0 + half, from.1 + spacing.node + PAD);
        svg.line("faint", 1.2, from, (to.0 + half, to.1 - PAD));
    }
    for node in placed {
        let (x, y) = corner(node);
        let side = spacing.node + 2.0 * PAD;
        match fate(node) {
            Fate::Open => {}
            Fate::DeadEnd => svg.rect("dead", x - PAD, y - PAD, side, side),
            Fate::Solution => svg.rect("won", x - PAD, y - PAD, side, side),
        }
        face(&mut svg, node, (x, y));
        let (left, top, end) = (x - PAD, y - PAD, side);
        let frame = format!("M{left:.1} {top:.1}h{end:.1}v{end:.1}h-{end:.1}z");
        match fate(node) {
            Fate::Open => {}
            Fate::Solution => svg.path("green", 2.0, frame),
            // Below the node: what it shows is why it is dead.
            Fate::DeadEnd => {
                let (cross, mid) = (5.0, x + spacing.node / 2.0);
                let low = y + spacing.node + PAD + 3.0 + cross;
                svg.line("red", 2.2, (mid - cross, low - cross), (mid + cross, low + cross));
                svg.line("red", 2.2, (mid - cross, low + cross), (mid + cross, low - cross));
            }
        }
    }
    svg
}

/// Wider pictures are no good to look at.
const WIDEST: f64 = 1200.0;

/// The whole search tree of a board, every node a small board, or, where that would be too wide, the
/// square of the last queen.
///
/// ```
/// use tallyboard::queens::Board;
///
/// let svg = tallyboard::draw::queens_tree(&Board::plain(4)?).svg();
/// assert_eq!(svg.matches(r#"class="won""#).count(), 2);
/// # Ok::<(), tallyboard::queens::BoardError>(())
/// ```
pub fn queens_tree(board: &Board) -> Picture {
    let (n, root) = (board.n(), Node::tree(board));
    let mut placed = Vec::new();
    let mut leaves = 0.0;
    lay_out(&root, &|node: &Node| &node.children, 0, None, &mut leaves, &mut placed);
    let fate = |placed: &Placed<'_, Node>| {
        if placed.level == n as usize {
            Fate::Solution
        } else if placed.node.children.is_empty() {
            Fate::DeadEnd
        } else {
            Fate::Open
        }
    };
    let square = (64.0 / f64::from(n)).clamp(6.0, 18.0);
    let node = square * f64::from(n);
    let spacing = Spacing { node, across: 22.0, down: node * 0.6 + 22.0 };
    let title = title(&format!("{n} x {n} queens"), &placed, &fate);
    if leaves * (spacing.node + spacing.across) <= WIDEST {
        return draw(&placed, &spacing, &title, fate, |svg, placed, corner| {
            draw_board(svg, &placed.node.queens, n as usize, corner, square);
        });
    }
    let spacing = Spacing { node: 16.0, across: 12.0, down: 30.0 };
    draw(&placed, &spacing, &title, fate, |svg, placed, (x, y)| {
        let middle = x + spacing.node / 2.0;
        match placed.node.queens.last() {
            Some(&column) => {
                let square = Square::from_top(placed.level as u32 - 1, column, n).to_string();
                svg.text("ink", Anchor::Middle, (middle, y + 12.0), 8.0, false, &square);
            }
            None => svg.circle("piece", (middle, y + spacing.node / 2.0), 4.0),
        }
    })
}

/// The search tree over the first empty cells of `puzzle`, every node the digit it puts into the cell
/// that is named at the left of its level: `r1c3` is in the first row, third column.
pub fn sudoku_tree(puzzle: &Grid, root: &Guess) -> Picture {
    let mut placed = Vec::new();
    lay_out(root, &|guess: &Guess| &guess.children, 0, None, &mut 0.0, &mut placed);
    let fate = |placed: &Placed<'_, Guess>| {
        if placed.node.solved {
            Fate::Solution
        } else if placed.node.dead {
            Fate::DeadEnd
        } else {
            Fate::Open
        }
    };
    let spacing = Spacing { node: 30.0, across: 16.0, down: 34.0 };
    let levels = placed.iter().map(|placed| placed.level).max().unwrap_or(0);
    let title = title(&format!("the first {}", counted(levels, "empty cell")), &placed, &fate);
    let cells: Vec<String> = blanks(puzzle).take(levels).collect();
    // Every level begins with its leftmost node, which names it.
    let named = std::cell::Cell::new(0);
    draw(&placed, &spacing, &title, fate, |svg, placed, (x, y)| {
        let (node, middle) = (spacing.node, x + spacing.node / 2.0);
        if placed.level == named.get() + 1 {
            named.set(placed.level);
            let at = (MARGIN, y - 10.0);
            svg.text("faint", Anchor::Left, at, 8.0, false, &cells[placed.level - 1]);
        }
        if fate(placed) == Fate::Open {
            svg.rect("light", x - 3.0, y - 3.0, node + 6.0, node + 6.0);
        }
        match placed.node.digit {
            Some(digit) => {
                let text = digit.to_string();
                svg.text("ink", Anchor::Middle, (middle + 0.5, y + 21.0), 15.0, false, &text);
            }
            None => svg.circle("piece", (middle, y + node / 2.0), 5.0),
        }
    })
}

fn title<T>(
    what: &str,
    placed: &[Placed<'_, T>],
    fate: &impl Fn(&Placed<'_, T>) -> Fate,
) -> String {
    let count = |wanted: Fate| placed.iter().filter(|placed| fate(placed) == wanted).count();
    let solutions = if is_cut(placed, fate) {
        "solutions lie deeper".to_owned()
    } else {
        counted(count(Fate::Solution), "solution")
    };
    let (nodes, dead_ends) = (placed.len(), count(Fate::DeadEnd));
    format!("{what}: {}, {}, {solutions}", counted(nodes, "node"), counted(dead_ends, "dead end"))
}

/// Whether the tree ends at nodes that are neither dead ends nor solutions.
fn is_cut<T>(placed: &[Placed<'_, T>], fate: &impl Fn(&Placed<'_, T>) -> Fate) -> bool {
    let is_parent: HashSet<usize> = placed.iter().filter_map(|placed| placed.parent).collect();
    (0..placed.len()).any(|at| !is_parent.contains(&at) && fate(&placed[at]) == Fate::Open)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn width(svg: &str) -> f64 {
        let text = svg.split("width=\"").nth(1).unwrap();
        text.split('"').next().unwrap().parse().unwrap()
    }

    #[test]
    fn a_wide_tree_names_squares_instead_of_drawing_boards() {
        let tree = |n| queens_tree(&Board::plain(n).unwrap()).svg();
        assert!(tree(4).contains("data-queens"));
        let six = tree(6);
        assert!(!six.contains("data-queens") && width(&six) < 1600.0, "{}", width(&six));
        assert_eq!(six.matches(r#"class="won""#).count(), 4);
    }

    #[test]
    fn a_cut_tree_does_not_say_how_many_solutions_there_are() {
        let puzzle: Grid =
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
                .parse()
                .unwrap();
        let svg = sudoku_tree(&puzzle, &Guess::tree(&puzzle, 2, 100).unwrap()).svg();
        assert!(svg.contains("solutions lie deeper"), "{svg}");
        assert_eq!(blanks(&puzzle).take(2).collect::<Vec<_>>(), ["r1c3", "r1c4"]);
        // The names of the two cells, drawn as strokes: eight characters.
        assert!(svg.matches("scale(0.5714)").count() >= 8);
    }
}
