//! Pictures of search trees: dead ends have a cross, solutions a green ground.

use super::board::draw_board;
use crate::backtrack::{Descendants, Fate, Node};
use crate::trace::sudoku::Entry;
use tallyboard_base::figures::{counted, grouped};
use tallyboard_picture::picture::{Anchor, Picture};
use tallyboard_queens::{Board, Square};

const MARGIN_PX: f64 = 24.0;

/// A node with its place in the tree.
struct PlacedNode<'a, M> {
    node: &'a Node<M>,
    /// The number of leaves at its left; with a half if it stands between two leaves.
    x: f64,
    /// The index of its parent among the placed nodes.
    parent: Option<usize>,
}

impl<M> PlacedNode<'_, M> {
    /// The level of the node, 0 for the root.
    fn level(&self) -> usize {
        self.node.made.len()
    }

    /// The upper left corner of its box in a tree that begins at `top`.
    fn corner(&self, top: f64, spacing: &Spacing) -> (f64, f64) {
        let across = self.x * (spacing.box_side + spacing.gap_across);
        let down = self.level() as f64 * (spacing.box_side + spacing.gap_down);
        (MARGIN_PX + across, top + down)
    }
}

/// A tree with the place of each node: leaves stand side by side, parents above the middle of their children.
struct Layout<'a, M> {
    /// All nodes, parents before their children.
    placed: Vec<PlacedNode<'a, M>>,
    leaves: usize,
}

/// The side of a node's box, and the gaps between boxes.
struct Spacing {
    box_side: f64,
    gap_across: f64,
    gap_down: f64,
}

impl<'a, M: Copy> Layout<'a, M> {
    fn new(root: &'a Node<M>) -> Self {
        let mut layout = Self { placed: Vec::new(), leaves: 0 };
        layout.place(root, None);
        layout
    }

    /// Places a node and the subtree below it. Returns the `x` of the node.
    fn place(&mut self, node: &'a Node<M>, parent: Option<usize>) -> f64 {
        let index = self.placed.len();
        self.placed.push(PlacedNode { node, x: 0.0, parent });
        let xs: Vec<f64> =
            node.children.iter().map(|child| self.place(child, Some(index))).collect();
        let x = match (xs.first(), xs.last()) {
            (Some(first), Some(last)) => (first + last) / 2.0,
            _ => {
                self.leaves += 1;
                (self.leaves - 1) as f64
            }
        };
        self.placed[index].x = x;
        x
    }

    fn count(&self, fate: Fate) -> usize {
        self.placed.iter().filter(|placed| placed.node.fate == fate).count()
    }

    /// A title: the `subject` of the tree, and its size. A tree with a leaf that is neither a dead end nor a solution is
    /// cut there: it does not show how many solutions there are.
    fn title(&self, subject: &str) -> String {
        let nodes = || self.placed.iter().map(|placed| placed.node);
        let is_cut = nodes().any(|node| node.children.is_empty() && node.fate == Fate::Open);
        let solutions = match is_cut {
            true => "solutions lie deeper".to_owned(),
            false => counted(self.count(Fate::Solution), "solution"),
        };
        let dead_ends = counted(self.count(Fate::DeadEnd), "dead end");
        format!("{subject}: {}, {dead_ends}, {solutions}", counted(self.placed.len(), "node"))
    }

    /// Width and height of the tree.
    fn extent(&self, spacing: &Spacing) -> (f64, f64) {
        let width =
            self.leaves as f64 * (spacing.box_side + spacing.gap_across) - spacing.gap_across;
        let depth = self.placed[0].node.depth() as f64 * (spacing.box_side + spacing.gap_down);
        (width, depth + spacing.box_side)
    }

    /// Draws the tree below `top`: first the links, then the boxes, with what `draw_node` draws inside.
    fn draw_at(
        &self,
        picture: &mut Picture,
        top: f64,
        spacing: &Spacing,
        draw_node: &mut impl FnMut(&mut Picture, &PlacedNode<'_, M>, (f64, f64)),
    ) {
        /// By how much the frame of a node is larger than its box, at each side.
        const PAD_PX: f64 = 5.0;
        for node in &self.placed {
            let Some(parent) = node.parent else { continue };
            let (parent_x, parent_y) = self.placed[parent].corner(top, spacing);
            let (x, y) = node.corner(top, spacing);
            let half = spacing.box_side / 2.0;
            let from = (parent_x + half, parent_y + spacing.box_side + PAD_PX);
            picture.line("faint", 1.2, from, (x + half, y - PAD_PX));
        }
        for node in &self.placed {
            let (x, y) = node.corner(top, spacing);
            let left = x - PAD_PX;
            let top = y - PAD_PX;
            let side = spacing.box_side + 2.0 * PAD_PX;
            match node.node.fate {
                Fate::Open => {}
                Fate::DeadEnd => picture.rect("dead", left, top, side, side),
                Fate::Solution => picture.rect("won", left, top, side, side),
            }
            draw_node(picture, node, (x, y));
            match node.node.fate {
                Fate::Open => {}
                Fate::Solution => {
                    let frame = format!("M{left:.1} {top:.1}h{side:.1}v{side:.1}h-{side:.1}z");
                    picture.path("green", 2.0, frame);
                }
                // The cross stands below the node, since the node itself shows why it is a dead end.
                Fate::DeadEnd => {
                    let arm = 5.0;
                    let middle = x + spacing.box_side / 2.0;
                    let low = y + spacing.box_side + PAD_PX + 3.0 + arm;
                    picture.line("red", 2.2, (middle - arm, low - arm), (middle + arm, low + arm));
                    picture.line("red", 2.2, (middle - arm, low + arm), (middle + arm, low - arm));
                }
            }
        }
    }
}

/// Draws trees one below the other under a title. `draw_node` draws a node inside its box, whose upper left corner it
/// gets.
fn draw_trees<M: Copy>(
    trees: &[Layout<'_, M>],
    spacing: &Spacing,
    title: &str,
    mut draw_node: impl FnMut(&mut Picture, &PlacedNode<'_, M>, (f64, f64)),
) -> Picture {
    const HEADING_PX: f64 = 30.0;
    const TITLE_PX: f64 = 12.0;
    let extents = trees.iter().map(|tree| tree.extent(spacing));
    let widest = extents.clone().map(|(width, _)| width).fold(0.0, f64::max);
    let width = widest.max(Picture::text_width(title, TITLE_PX)) + 2.0 * MARGIN_PX;
    let heights: f64 = extents.clone().map(|(_, height)| height + spacing.gap_down).sum();
    let height = MARGIN_PX + HEADING_PX + heights - spacing.gap_down + MARGIN_PX;
    let mut picture = Picture::new(width, height, title);
    picture.text("ink", Anchor::Left, (MARGIN_PX, MARGIN_PX + 12.0), TITLE_PX, title);
    let mut top = MARGIN_PX + HEADING_PX;
    for (tree, (_, height)) in trees.iter().zip(extents) {
        tree.draw_at(&mut picture, top, spacing, &mut draw_node);
        top += height + spacing.gap_down;
    }
    picture
}

/// Upper bound on the width of a tree of small boards, and of a sudoku's tree.
const MAX_WIDTH_PX: f64 = 1200.0;
/// Upper bound on the leaves of a tree whose depth the user has not chosen. The whole tree of 6 queens has 50.
const MAX_LEAVES: usize = 60;

/// The search tree of a board, cut below the first `depth` rows; without a `depth`, cut so that it fits on a
/// screen. The nodes of a whole tree are small boards, if they fit; otherwise each node is the square of its last queen. A
/// node at the cut has two numbers below it: the nodes and the solutions that are cut off.
///
/// ```
/// # mod tallyboard { pub mod queens { pub use ::tallyboard_queens::{*, front::*}; } }
/// use tallyboard::queens::Board;
///
/// let svg = tallyboard_classroom::draw::queens_tree(&Board::new(4)?, None).svg();
/// assert_eq!(svg.matches(r#"class="won""#).count(), 2);
/// # Ok::<(), tallyboard::queens::BoardError>(())
/// ```
pub fn queens_tree(board: &Board, depth: impl Into<Option<u32>>) -> Picture {
    let n = board.n();
    let root = match depth.into() {
        Some(depth) => Node::of_board(board, depth.min(n)),
        None => deepest_fitting_tree(board),
    };
    let tree = Layout::new(&root);
    let whole = root.below();
    let is_whole = root.size() as u64 == 1 + whole.nodes;
    let title = match is_whole {
        true => tree.title(&format!("{n} x {n} queens")),
        false => format!(
            "{n} x {n} queens, the first {}: {}, {} in all. Numbers below a node: its nodes, its solutions",
            counted(root.depth(), "rank"),
            counted(1 + whole.nodes, "node"),
            counted(whole.solutions, "solution")
        ),
    };
    let square = (64.0 / f64::from(n)).clamp(6.0, 18.0);
    let box_side = square * f64::from(n);
    let spacing = Spacing { box_side, gap_across: 22.0, gap_down: box_side * 0.6 + 22.0 };
    if is_whole && tree.extent(&spacing).0 <= MAX_WIDTH_PX {
        return draw_trees(&[tree], &spacing, &title, |picture, placed, corner| {
            let columns: Vec<u32> = placed.node.made.iter().map(|queen| queen.file()).collect();
            draw_board(picture, &columns, n as usize, corner, square);
        });
    }
    let spacing = Spacing { box_side: 16.0, gap_across: 12.0, gap_down: 30.0 };
    draw_trees(&[tree], &spacing, &title, |picture, placed, (x, y)| {
        let middle = x + spacing.box_side / 2.0;
        match placed.node.made.last() {
            Some(queen) => {
                let at = (middle, y + 12.0);
                picture.text("ink", Anchor::Middle, at, 8.0, &queen.to_string());
            }
            None => picture.circle("piece", (middle, y + spacing.box_side / 2.0), 4.0),
        }
        if let Some(Descendants { nodes, solutions }) = placed.node.cut {
            let numbers = [("faint", nodes), ("ink", solutions)];
            for (line, (class, number)) in numbers.into_iter().enumerate() {
                // Below the frame, one line for each number.
                let at = (middle, y + 26.0 + 10.0 * line as f64);
                picture.text(class, Anchor::Middle, at, 7.0, &grouped(number));
            }
        }
    })
}

/// The deepest tree that has at most [`MAX_LEAVES`] leaves.
fn deepest_fitting_tree(board: &Board) -> Node<Square> {
    let deeper = (2..=board.n()).map(|depth| Node::of_board(board, depth));
    let fits = deeper.take_while(|tree| tree.leaves() <= MAX_LEAVES);
    fits.last().unwrap_or_else(|| Node::of_board(board, 1))
}

/// The search tree over the first empty cells of a sudoku. Each level is a cell, named at the left: `r1c3` is in
/// the first row, third column. Each node is the digit that it puts into its level's cell. A tree that is too
/// wide is drawn in pieces, one below the other, each from the root.
pub fn sudoku_tree(root: &Node<Entry>) -> Picture {
    let tree = Layout::new(root);
    let title = tree.title(&format!("the first {}", counted(root.depth(), "empty cell")));
    let large = Spacing { box_side: 30.0, gap_across: 16.0, gap_down: 34.0 };
    let small = Spacing { box_side: 15.0, gap_across: 11.0, gap_down: 24.0 };
    let spacing = if tree.extent(&large).0 <= MAX_WIDTH_PX { large } else { small };
    let max_leaves = (MAX_WIDTH_PX / (spacing.box_side + spacing.gap_across)) as usize;
    let pieces = cut_into_pieces(root, max_leaves);
    let trees: Vec<_> = pieces.iter().map(Layout::new).collect();
    // The cell is written beside the first node of each level of a piece. Nodes come parents first, so that this node is
    // the first one below the levels that have their names.
    let mut last_named = 0;
    draw_trees(&trees, &spacing, &title, |picture, placed, (x, y)| {
        let side = spacing.box_side;
        let middle = x + side / 2.0;
        let entry = placed.node.made.last();
        match entry {
            None => last_named = 0,
            Some(Entry { cell, .. }) if placed.level() == last_named + 1 => {
                last_named += 1;
                // In the margin, at the left of the links.
                let at = (MARGIN_PX - 20.0, y - 10.0);
                picture.text("faint", Anchor::Left, at, 8.0, &cell.to_string());
            }
            Some(_) => {}
        }
        if placed.node.fate == Fate::Open {
            picture.rect("light", x - 3.0, y - 3.0, side + 6.0, side + 6.0);
        }
        match entry {
            Some(Entry { digit, .. }) => {
                let at = (middle + 0.5, y + 0.7 * side);
                picture.text("ink", Anchor::Middle, at, side / 2.0, &digit.to_string());
            }
            None => picture.circle("piece", (middle, y + side / 2.0), side / 6.0),
        }
    })
}

/// Cuts the tree into pieces of at most `max_leaves` leaves. Each piece is the root with some of the nodes below
/// it. Each leaf is in one piece; the pieces are in the order of their leaves.
fn cut_into_pieces(root: &Node<Entry>, max_leaves: usize) -> Vec<Node<Entry>> {
    let piece = |children| Node { children, ..root.clone() };
    let mut pieces = Vec::new();
    // The children of the piece that is being made, and their leaves.
    let mut group = Vec::new();
    let mut leaves_of_group = 0;
    for child in &root.children {
        let leaves = child.leaves();
        if !group.is_empty() && leaves_of_group + leaves > max_leaves {
            pieces.push(piece(std::mem::take(&mut group)));
            leaves_of_group = 0;
        }
        if leaves > max_leaves {
            pieces.extend(
                cut_into_pieces(child, max_leaves).into_iter().map(|below| piece(vec![below])),
            );
        } else {
            group.push(child.clone());
            leaves_of_group += leaves;
        }
    }
    if !group.is_empty() || root.children.is_empty() {
        pieces.push(piece(group));
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::sudoku::{Blanks, blanks};
    use tallyboard_sudoku::Grid;

    /// The tree over the first `cells` empty cells.
    fn tree(puzzle: &Grid, cells: usize) -> Node<Entry> {
        Node::tree(&Blanks::new(puzzle), cells, 600).unwrap()
    }

    fn width(svg: &str) -> f64 {
        let text = svg.split("width=\"").nth(1).unwrap();
        text.split('"').next().unwrap().parse().unwrap()
    }

    #[test]
    fn a_wide_tree_names_squares_instead_of_drawing_boards() {
        let tree = |n| queens_tree(&Board::new(n).unwrap(), None).svg();
        assert!(tree(4).contains("data-queens"));
        let six = tree(6);
        assert!(!six.contains("data-queens") && width(&six) < 1600.0, "{}", width(&six));
        assert_eq!(six.matches(r#"class="won""#).count(), 4);
    }

    #[test]
    fn a_tree_too_wide_for_a_screen_is_cut_and_says_what_lies_below() {
        let text = "8 x 8 queens, the first 2 ranks: 2,057 nodes, 92 solutions in all. ";
        let tree = |depth: Option<u32>| queens_tree(&Board::new(8).unwrap(), depth).svg();
        let cut = tree(None);
        assert!(cut.contains(text) && width(&cut) < 1600.0, "{cut}");
        assert_eq!(cut.matches("class=\"won\"").count() + cut.matches("class=\"dead\"").count(), 0);
        assert_eq!(tree(Some(2)), cut);
        let first = tree(Some(1));
        assert!(first.contains("the first 1 rank: ") && width(&first) < width(&cut));
        let boards = queens_tree(&Board::new(4).unwrap(), 9).svg();
        assert_eq!(boards, queens_tree(&Board::new(4).unwrap(), None).svg());
    }

    #[test]
    fn a_cut_tree_does_not_say_how_many_solutions_there_are() {
        let puzzle: Grid =
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
                .parse()
                .unwrap();
        let svg = sudoku_tree(&tree(&puzzle, 2)).svg();
        assert!(svg.contains("solutions lie deeper"), "{svg}");
        let cells: Vec<String> = blanks(&puzzle).take(2).map(|cell| cell.to_string()).collect();
        assert_eq!(cells, ["r1c3", "r1c4"]);
        for cell in cells {
            assert!(svg.contains(&format!(">{cell}</text>")), "{svg}");
        }
    }

    #[test]
    fn a_wide_tree_of_a_sudoku_is_drawn_in_pieces_that_hold_every_leaf_once() {
        let puzzle: Grid = format!("1{}", ".".repeat(80)).parse().unwrap();
        let root = tree(&puzzle, 3);
        let svg = sudoku_tree(&root).svg();
        assert!(
            root.leaves() > 300 && width(&svg) <= MAX_WIDTH_PX + 2.0 * MARGIN_PX,
            "{}",
            width(&svg)
        );
        let nodes = format!("the first 3 empty cells: {} nodes, 0 dead ends", root.size());
        assert!(svg.contains(&nodes), "{svg}");
        for most in [1, 7, 46, 400] {
            let pieces = cut_into_pieces(&root, most);
            let sum: usize = pieces.iter().map(Node::leaves).sum();
            assert_eq!(sum, root.leaves());
            assert!(pieces.iter().all(|piece| piece.leaves() <= most && piece.made.is_empty()));
            assert_eq!(pieces.len() == 1, most == 400);
        }
    }
}
