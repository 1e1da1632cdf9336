//! What the crate promises, a file for each promise, in one program.

mod agreement;
mod definitions;
mod edited;
mod explained;
mod formats;
mod game_ids;
mod ksudoku;
mod lettered;
mod oracle;
mod parts;
mod published;
mod pzpr;
mod records;
mod searches;
mod solvers;
mod sudokumaker;
mod support;
mod tally;
mod words;
mod world;

// Files of the library that need nothing else of it, with the tests in them.

use grid::Cell;

#[allow(dead_code)]
#[path = "../../src/automaton.rs"]
mod automaton;
#[allow(dead_code)]
#[path = "../../src/cell.rs"]
mod cell;
#[allow(dead_code)]
#[path = "../../src/clue.rs"]
mod clue;
#[allow(dead_code)]
#[path = "../../src/error.rs"]
mod error;
#[allow(dead_code)]
#[path = "../../src/global.rs"]
mod global;
#[allow(dead_code)]
#[path = "../../src/grid.rs"]
mod grid;
#[allow(dead_code)]
#[path = "../../src/format/lz.rs"]
mod lz;
#[allow(dead_code)]
#[path = "../../src/occurrences.rs"]
mod occurrences;
#[allow(dead_code)]
#[path = "../../src/pattern.rs"]
mod pattern;
#[allow(dead_code)]
#[path = "../../src/rule.rs"]
mod rule;
#[allow(dead_code)]
#[path = "../../src/set.rs"]
mod set;
#[allow(dead_code)]
#[path = "../../src/engine/state.rs"]
mod state;
#[allow(dead_code)]
#[path = "../../src/sums.rs"]
mod sums;
#[allow(dead_code)]
#[path = "../../src/engine/weights.rs"]
mod weights;
