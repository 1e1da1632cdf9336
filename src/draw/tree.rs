//! Search trees: dead ends crossed out, solutions on green.

use super::board::draw_board;
use super::svg::{Anchor, Svg};
use crate::plural::s;
use crate::queens::trace::Node;
use crate::sudoku::trace::Guess;

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
struct Shape {
    node: f64,
    across: f64,
    down: f64,
}

/// Draws links, then boxes with whatever `face` draws inside.
fn draw<T>(
    placed: &[Placed<'_, T>],
    shape: &Shape,
    title: &str,
    fate: impl Fn(&Placed<'_, T>) -> Fate,
    face: impl Fn(&mut Svg, &Placed<'_, T>, (f64, f64)),
) -> String {
    const HEADING: f64 = 30.0;
    const PAD: f64 = 5.0;
    let step = (shape.node + shape.across, shape.node + shape.down);
    let corner = |placed: &Placed<'_, T>| {
        (MARGIN + placed.x * step.0, MARGIN + HEADING + placed.level as f64 * step.1)
    };
    let right = placed.iter().map(|p| corner(p).0).fold(0.0, f64::max);
    let bottom = placed.iter().map(|p| corner(p).1).fold(0.0, f64::max);
    let width = (right + shape.node + MARGIN).max(9.0 * title.len() as f64 + 2.0 * MARGIN);
    let mut svg = Svg::new(width, bottom + shape.node + MARGIN, title);
    svg.text("ink", Anchor::Left, (MARGIN, MARGIN + 12.0), 13.0, false, title);
    for node in placed {
        let Some(parent) = node.parent else { continue };
        let (from, to) = (corner(&placed[parent]), corner(node));
        let half = shape.node / 2.0;
        let from = (from.0 + half, from.1 + shape.node + PAD);
        svg.line("faint", 1.2, from, (to.0 + half, to.1 - PAD));
    }
    for node in placed {
        let (x, y) = corner(node);
        let side = shape.node + 2.0 * PAD;
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
            Fate::Solution => svg.path("green", 2.0, &frame),
            Fate::DeadEnd => {
                let (cross, mid, low) = (shape.node * 0.16, x + shape.node / 2.0, y + shape.node);
                svg.line("red", 2.2, (mid - cross, low - cross), (mid + cross, low + cross));
                svg.line("red", 2.2, (mid - cross, low + cross), (mid + cross, low - cross));
            }
        }
    }
    svg.finish()
}

/// The whole search tree of an n x n board, every node a small board.
///
/// ```
/// let svg = tallyboard::draw::queens_tree(4);
/// assert_eq!(svg.matches(r#"class="won""#).count(), 2);
/// ```
pub fn queens_tree(n: u32) -> String {
    let root = Node::tree(n);
    let mut placed = Vec::new();
    lay_out(&root, &|node: &Node| &node.children, 0, None, &mut 0.0, &mut placed);
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
    let shape = Shape { node, across: 22.0, down: node * 0.6 + 22.0 };
    let title = title(&format!("{n} x {n} queens"), &placed, &fate);
    draw(&placed, &shape, &title, fate, |svg, placed, corner| {
        draw_board(svg, &placed.node.queens, n as usize, corner, square);
    })
}

/// The search tree over the first empty cells of a sudoku, every node the digit it puts down.
pub fn sudoku_tree(root: &Guess) -> String {
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
    let shape = Shape { node: 30.0, across: 16.0, down: 34.0 };
    let levels = placed.iter().map(|placed| placed.level).max().unwrap_or(0);
    let title = title(&format!("the first {levels} empty cell{}", s(levels)), &placed, &fate);
    draw(&placed, &shape, &title, fate, |svg, placed, (x, y)| {
        let (node, middle) = (shape.node, x + shape.node / 2.0);
        if fate(placed) == Fate::Open {
            svg.rect("light", x - 3.0, y - 3.0, node + 6.0, node + 6.0);
        }
        match placed.node.digit {
            Some(digit) => {
                let text = digit.to_string();
                svg.text("ink", Anchor::Middle, (middle + 0.5, y + 21.0), 15.0, false, &text);
            }
            None => svg.circle("piece", middle, y + node / 2.0, 5.0),
        }
    })
}

fn title<T>(
    what: &str,
    placed: &[Placed<'_, T>],
    fate: &impl Fn(&Placed<'_, T>) -> Fate,
) -> String {
    let count = |wanted: Fate| placed.iter().filter(|placed| fate(placed) == wanted).count();
    let (nodes, dead_ends, solutions) = (placed.len(), count(Fate::DeadEnd), count(Fate::Solution));
    format!(
        "{what}: {nodes} node{}, {dead_ends} dead end{}, {solutions} solution{}",
        s(nodes),
        s(dead_ends),
        s(solutions)
    )
}
