//! A page that shows a search step by step: the board, the search tree, and a sentence for each step.
//!
//! A page plays [`Step`]s. The trait [`Playable`] says how they look. Queens
//! ([`Rows`](crate::trace::queens::Rows)) and sudokus ([`Blanks`](crate::trace::sudoku::Blanks))
//! implement it, and any other puzzle can. In this example, three books stand side by side, and neighbours must
//! differ in colour:
//!
//! ```
//! use tallyboard_classroom::backtrack::{Puzzle, Step, Steps};
//! use tallyboard_classroom::play::{BoardLook, Page, Play, Playable, StepLook};
//!
//! struct Books;
//! type Book = (usize, usize); // its place and its colour
//!
//! impl Puzzle for Books {
//!     type Move = Book;
//!     type Reason = ();
//!     fn moves(&self, made: &[Book]) -> Option<Vec<Book>> {
//!         (made.len() < 3).then(|| (0..2).map(|colour| (made.len(), colour)).collect())
//!     }
//!     fn obstacle(&self, made: &[Book], tried: Book) -> Option<()> {
//!         made.last().is_some_and(|left| left.1 == tried.1).then_some(())
//!     }
//!     fn dead_end(&self, _: &[Book]) {}
//! }
//!
//! impl Playable<Book, ()> for Books {
//!     fn board(&self) -> BoardLook {
//!         let rules_out = vec![vec![1], vec![0, 2], vec![1]];
//!         BoardLook { rules_out, ..BoardLook::new(1, 3, ["R", "G"]) }
//!     }
//!     fn look(&self, step: &Step<Book, ()>) -> StepLook {
//!         let (phrase, shown) = match *step {
//!             Step::Refused { tried, .. } => ("{mark} has a neighbour of its colour", Some(tried)),
//!             Step::Made(placed) => ("{mark} comes to {cell}", Some(placed)),
//!             Step::Back { undone, .. } => ("{mark} leaves {cell}", Some(undone)),
//!             Step::DeadEnd(()) => ("a dead end", None),
//!             Step::Solution => ("a solution", None),
//!             Step::Over => ("every colour has been tried", None),
//!         };
//!         StepLook { cell: shown.map(|book| book.0), mark: shown.map(|book| book.1), ..phrase.into() }
//!     }
//! }
//!
//! let play = Play::new("Books", &Books, Steps::new(Books), 1000);
//! assert_eq!(play.shown().solutions, 2);
//! let page = Page::new("Three books", vec![play]).html();
//! assert!(page.starts_with("<!DOCTYPE html>"));
//! ```

mod page;
mod queens;
mod sudoku;

use std::borrow::Cow;

use serde::Serialize;

use crate::backtrack::{Counts, Step};
use page::Encoder;

pub use page::Page;
pub use queens::queens;
pub use sudoku::{reasons, sudoku};

/// Upper bound on the steps that are counted but not shown. So many take half a second for queens, two for a sudoku.
const MAX_COUNTED_STEPS: usize = 20_000_000;

/// How the steps of a search look, if its moves are `M` and the reasons against them `R`.
pub trait Playable<M, R> {
    /// The board before the first step.
    fn board(&self) -> BoardLook;

    /// What the page shows and says of a step.
    fn look(&self, step: &Step<M, R>) -> StepLook;
}

/// A board of cells that take marks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BoardLook {
    /// Rows of cells.
    pub rows: usize,
    /// Columns of cells. Cells are numbered in reading order from 0.
    pub columns: usize,
    /// The names of the cells.
    pub cell_names: Vec<String>,
    /// Names at the left of the rows, or none.
    pub row_names: Vec<String>,
    /// Names below the columns, or none.
    pub column_names: Vec<String>,
    /// The marks that cells may take.
    pub marks: Vec<String>,
    /// What is drawn for a mark instead of its text: a path of SVG in a square whose side is 100.
    pub mark_path: Option<String>,
    /// The side of boxes with a thick frame; 0 for none.
    pub box_side: usize,
    /// Whether the cells are light and dark like those of a chess board.
    pub is_checkered: bool,
    /// The cells that have a mark from the start, each with the number of the mark.
    pub given: Vec<(usize, usize)>,
    /// Cells that take no mark.
    pub closed: Vec<usize>,
    /// For each cell, the cells that may not have its mark.
    #[serde(serialize_with = "page::lists")]
    pub rules_out: Vec<Vec<usize>>,
}

impl BoardLook {
    /// A board whose cells are named by their number, from 1. No cell rules out a mark of another.
    pub fn new<T: Into<String>>(
        rows: usize,
        columns: usize,
        marks: impl IntoIterator<Item = T>,
    ) -> Self {
        Self {
            rows,
            columns,
            cell_names: (1..=rows * columns).map(|cell| cell.to_string()).collect(),
            row_names: Vec::new(),
            column_names: Vec::new(),
            marks: marks.into_iter().map(Into::into).collect(),
            mark_path: None,
            box_side: 0,
            is_checkered: false,
            given: Vec::new(),
            closed: Vec::new(),
            rules_out: vec![Vec::new(); rows * columns],
        }
    }

    /// The sentence of a step: its phrase with the names filled in.
    pub fn sentence(&self, look: &StepLook) -> String {
        let text = look.phrase.replace("{cell}", name(&self.cell_names, look.cell));
        let text = text.replace("{mark}", name(&self.marks, look.mark));
        text.replace("{by}", name(&self.cell_names, look.by.first().copied()))
    }
}

/// The name with this index; empty if there is none.
fn name(names: &[String], index: Option<usize>) -> &str {
    index.and_then(|index| names.get(index)).map_or("", String::as_str)
}

/// What the page shows and says of a step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StepLook {
    /// A sentence that says what happens, without a capital and a full stop. `{cell}`, `{mark}` and `{by}` stand
    /// for the names of the cell, of its mark, and of the first cell that is a reason.
    pub phrase: Cow<'static, str>,
    /// The cell that takes, loses or is refused a mark.
    pub cell: Option<usize>,
    /// The mark.
    pub mark: Option<usize>,
    /// The cells whose marks are a reason.
    pub by: Vec<usize>,
    /// A group of cells that the sentence names, such as a row.
    pub area: Vec<usize>,
    /// Cell and mark of each candidate that the step strikes out, in addition to those that the rules exclude.
    pub struck: Vec<(usize, usize)>,
}

impl From<&'static str> for StepLook {
    /// The look of a step that only says something.
    fn from(phrase: &'static str) -> Self {
        Self { phrase: phrase.into(), ..Self::default() }
    }
}

/// Steps with their looks, to be played by a [`Page`].
#[derive(Clone, Debug)]
pub struct Play {
    name: String,
    board: BoardLook,
    /// The words for nodes, dead ends and solutions.
    nouns: [&'static str; 3],
    /// Paragraphs below the board.
    notes: Vec<String>,
    /// The counts of the steps that are shown.
    shown: Counts,
    /// The counts of the whole search; `None` if it is too long to be counted.
    whole: Option<Counts>,
    encoder: Encoder,
}

impl Play {
    /// A play of the first `most_steps` steps. The steps after them are only counted.
    pub fn new<M, R>(
        name: impl Into<String>,
        playable: &impl Playable<M, R>,
        steps: impl IntoIterator<Item = Step<M, R>>,
        most_steps: usize,
    ) -> Self {
        let board = playable.board();
        let mut encoder = Encoder::new(&board);
        let mut shown = Counts::default();
        let mut steps = steps.into_iter().fuse();
        for step in steps.by_ref().take(most_steps) {
            shown.add(&step);
            encoder.add(&step, playable.look(&step));
        }
        let mut whole = shown;
        steps.by_ref().take(MAX_COUNTED_STEPS).for_each(|step| whole.add(&step));
        let is_counted = steps.next().is_none();
        Self {
            name: name.into(),
            board,
            nouns: ["nodes tried", "dead ends", "solutions"],
            notes: Vec::new(),
            shown,
            whole: is_counted.then_some(whole),
            encoder,
        }
    }

    /// The counts of the steps that are shown.
    pub fn shown(&self) -> Counts {
        self.shown
    }

    /// Adds a paragraph that stands below the board.
    pub fn note(&mut self, text: impl Into<String>) {
        self.notes.push(text.into());
    }
}
