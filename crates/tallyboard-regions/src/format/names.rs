//! What a file calls the regions of a board.

use std::borrow::Cow;

use super::region_name;
use crate::board::{Board, MAX_SIZE};

/// The names of a board's regions, by their numbers. Boards in codes of borders name none: theirs are those of [`region_name`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Names(Kept);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Kept {
    /// A letter or digit for each region: lines of many boards keep no text for each.
    Signs([u8; MAX_SIZE]),
    Words(Box<[String]>),
}

impl Default for Names {
    fn default() -> Self {
        Self(Kept::Signs(std::array::from_fn(|region| region_name(region as u8) as u8)))
    }
}

impl Names {
    /// A letter or digit for each region.
    pub(super) fn of_signs(signs: [u8; MAX_SIZE]) -> Self {
        Self(Kept::Signs(signs))
    }

    /// The names of the regions of `board`, of which `word` names that of a cell.
    pub(super) fn of_cells<'a>(board: &Board, word: impl Fn(usize) -> &'a str) -> Self {
        let first =
            |region: usize| board.regions().iter().position(|&own| usize::from(own) == region);
        let cells = (0..board.size()).filter_map(first);
        Self(Kept::Words(cells.map(|cell| word(cell).to_owned()).collect()))
    }

    /// The name of the region with this number.
    pub fn of(&self, region: usize) -> Cow<'_, str> {
        match &self.0 {
            Kept::Signs(signs) => char::from(signs[region]).to_string().into(),
            Kept::Words(words) => words[region].as_str().into(),
        }
    }
}
