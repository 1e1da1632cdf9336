//! The arrangement of a grid for the join: transposed or not, and the order of its bands and stacks.

use super::boxes::{Boxes, Cells, boxes, triples};
use super::orbits::Exchanges;
use crate::grid::ORDERS;

/// An image of the grid with equally many solutions.
pub struct Arrangement {
    /// Its cells.
    pub cells: Cells,
    /// The column and row partitions that its clues allow in each box.
    pub boxes: Boxes,
    /// The estimated cost of the join, in scalar products of vectors.
    cost: f64,
}

impl Arrangement {
    /// The arrangement of `cells` whose join is cheapest.
    pub fn best(cells: &Cells) -> Self {
        let all = Self::all(cells).into_iter();
        all.min_by(|a, b| a.cost.total_cmp(&b.cost)).expect("36 arrangements")
    }

    /// All arrangements that may differ in cost.
    pub fn all(cells: &Cells) -> Vec<Self> {
        let images = [*cells, std::array::from_fn(|cell| cells[cell % 9 * 9 + cell / 9])];
        let arranged = images.iter().flat_map(|cells| {
            let boxes = boxes(cells);
            let triples = [0, 1, 2].map(|stack| triples(&boxes, stack));
            let orders = ORDERS.into_iter().flat_map(|stacks| {
                // Exchanging the second and the third band does not change the cost.
                [[0, 1, 2], [1, 0, 2], [2, 0, 1]].map(|bands| (bands, stacks))
            });
            orders.map(move |order| Self::new(cells, &boxes, triples, order)).collect::<Vec<_>>()
        });
        arranged.collect()
    }

    fn new(
        cells: &Cells,
        boxes: &Boxes,
        triples: [usize; 3],
        (bands, stacks): ([usize; 3], [usize; 3]),
    ) -> Self {
        let cells: Cells = std::array::from_fn(|cell| {
            let row = cell / 9;
            let column = cell % 9;
            cells[(bands[row / 3] * 3 + row % 3) * 9 + stacks[column / 3] * 3 + column % 3]
        });
        let boxes = bands.map(|band| stacks.map(|stack| boxes[band][stack].clone()));
        let cost = cost(&boxes, stacks.map(|stack| triples[stack] as f64), &Exchanges::new(&cells));
        Self { cells, boxes, cost }
    }
}

/// The estimated cost of a join, in scalar products of vectors: the products themselves, and the slices. An
/// addition of rows counts as a product, and each row (64 numbers) of a slice takes about 70 additions. A batch has 32
/// pairs; three vectors are transposed in the time of a product. About 56 triples share a first partition.
fn cost(boxes: &Boxes, triples: [f64; 3], exchanges: &Exchanges) -> f64 {
    let columns = |band: usize, stack: usize| boxes[band][stack].columns.len() as f64;
    let slice = |band: usize| columns(band, 1) / 64.0 * columns(band, 2) * 70.0;
    let firsts = (triples[0] / exchanges.number()).max(1.0);
    let batches = (triples[0] * triples[2] / 32.0 / exchanges.number()).max(firsts);
    let batch = triples[1] + (columns(1, 1) + columns(2, 1)) / 3.0;
    batches * batch + firsts * (slice(1) + slice(2)) + firsts / 56.0 * slice(0)
}
