//! Pips: dominoes on a board whose regions have rules for the numbers on them.
//!
//! A solution is a *placement*: which domino lies where, and which way round. A domino with two equal ends has one way round.
//! Dominoes with the same two numbers are not told apart.
//!
//! As a cover, each domino is an item, and so is each cell. An option lays a domino on two neighbouring cells in one of its ways.
//! A region with a sum is an item whose options have the numbers in the region as weights; so is one with a bound. A region of
//! equal numbers is a secondary item, whose colours are these. A region of different numbers has a secondary item for each number.
//! A board of 32 cells has some 1,500 options of six entries.

mod draw;
mod json;
mod read;

use std::collections::{BTreeMap, HashMap};

use crate::cover::{Cover, CoverError, Entry, ItemId, Kind, NO_COLOUR};
use crate::mistake::{LocatedMistake, Mistake, mistake};
use crate::picture::{DrawnCell, Puzzle};
pub(crate) use json::{begins_json, places, read_json};
pub(crate) use read::{has_dominoes, read};
use tallyboard_base::figures::counted;

/// The largest number of pips on an end of a domino.
const MOST_PIPS: u32 = 99;

/// What the numbers in a region have to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rule {
    Sum(u32),
    Less(u32),
    Greater(u32),
    Equal,
    Unequal,
    /// Anything.
    Free,
}

/// A domino as it was read: the numbers on its ends, and its line.
#[derive(Debug, Clone, Copy)]
struct Domino {
    ends: [u32; 2],
    line: usize,
}

/// A region as it was read.
#[derive(Debug, Clone)]
struct Region {
    name: String,
    rule: Rule,
    /// Its cells, as indices in the board.
    cells: Vec<usize>,
    line: usize,
}

/// A puzzle as it was read. Cells that are in no region have no rule.
#[derive(Debug, Clone, Default)]
struct Pips {
    board: Vec<DrawnCell>,
    dominoes: Vec<Domino>,
    regions: Vec<Region>,
    /// The line of the board.
    line: usize,
}

/// What an end of a domino adds to an option on a cell of a region.
#[derive(Debug, Clone, Copy)]
enum Part {
    /// A weight of this item.
    Weight(ItemId),
    /// The colour of the number, of this item.
    Colour(ItemId),
    /// The item for the number: this one has the number 0.
    Number(ItemId),
}

impl Pips {
    /// The puzzle as a cover.
    fn puzzle(&self) -> Result<Puzzle, LocatedMistake> {
        self.ensure_enough_dominoes()?;
        self.regions.iter().try_for_each(|region| self.ensure_possible(region))?;
        let at_board = |error: CoverError| (self.line, error.into());
        let mut cover = Cover::new();
        let mut kinds: BTreeMap<[u32; 2], u32> = BTreeMap::new();
        for Domino { ends: [a, b], .. } in &self.dominoes {
            *kinds.entry([*a.min(b), *a.max(b)]).or_default() += 1;
        }
        let names: Vec<String> = kinds.keys().map(|[a, b]| format!("{a}-{b}")).collect();
        for (name, &uses) in names.iter().zip(kinds.values()) {
            cover.add_item(name, Kind::Primary { low: uses, high: uses }).map_err(at_board)?;
        }
        let first_cell = cover.items().len() as ItemId;
        crate::picture::add_cells(&mut cover, &self.board)?;
        let parts = self.add_regions(&mut cover)?;
        let mut laid = Laid { first_cell, parts, pieces: Vec::new(), ends: Vec::new() };
        for (kind, ends) in kinds.keys().enumerate() {
            for cells in self.pairs() {
                laid.lay(&mut cover, kind as u32, cells, *ends).map_err(at_board)?;
                if ends[0] != ends[1] {
                    let turned = [cells[1], cells[0]];
                    laid.lay(&mut cover, kind as u32, turned, *ends).map_err(at_board)?;
                }
            }
        }
        Ok(Puzzle::of_pips(cover, self.board.clone(), laid, names))
    }

    fn ensure_enough_dominoes(&self) -> Result<(), LocatedMistake> {
        let (dominoes, cells) = (self.dominoes.len(), self.board.len());
        if 2 * dominoes == cells {
            return Ok(());
        }
        let line = self.dominoes.last().map_or(self.line, |domino| domino.line);
        let expected = match cells % 2 {
            0 => format!("{} for the {cells} cells of the board", cells / 2),
            _ => format!("half as many as cells, but the board has {cells} cells"),
        };
        Err((line, mistake(counted(dominoes, "domino").replace("dominos", "dominoes"), expected)))
    }

    /// Fails if the dominoes cannot have such numbers, wherever they lie.
    fn ensure_possible(&self, region: &Region) -> Result<(), LocatedMistake> {
        let mut ends: Vec<u32> = self.dominoes.iter().flat_map(|domino| domino.ends).collect();
        ends.sort_unstable();
        let cells = region.cells.len();
        let least: u32 = ends[..cells].iter().sum();
        let most: u32 = ends[ends.len() - cells..].iter().sum();
        let wrong = |found: String, expected: String| -> Result<(), LocatedMistake> {
            let found =
                format!("{found} for the region {} of {}", region.name, counted(cells, "cell"));
            Err((region.line, mistake(found, expected)))
        };
        let of_ends = "the ends of the dominoes";
        match region.rule {
            Rule::Sum(sum) if sum < least || sum > most => wrong(
                format!("the sum {sum}"),
                format!("one from {least} to {most}, as {of_ends} have"),
            ),
            Rule::Less(bound) if bound <= least => wrong(
                format!("<{bound}"),
                format!("a number above {least}, the least sum of {of_ends}"),
            ),
            Rule::Greater(bound) if bound >= most => wrong(
                format!(">{bound}"),
                format!("a number below {most}, the largest sum of {of_ends}"),
            ),
            Rule::Equal if !ends.chunk_by(|a, b| a == b).any(|equal| equal.len() >= cells) => {
                wrong("equal".to_owned(), format!("so many equal numbers among {of_ends}"))
            }
            Rule::Unequal if ends.chunk_by(|a, b| a == b).count() < cells => {
                wrong("unequal".to_owned(), format!("so many different numbers among {of_ends}"))
            }
            _ => Ok(()),
        }
    }

    /// Adds the items of the regions. Returns what each cell adds to its options.
    fn add_regions(&self, cover: &mut Cover) -> Result<Vec<Option<Part>>, LocatedMistake> {
        let largest = self.dominoes.iter().flat_map(|domino| domino.ends).max().unwrap_or(0);
        let mut parts = vec![None; self.board.len()];
        for region in &self.regions {
            let at = |error: CoverError| (region.line, Mistake::from(error));
            let mut sum = |low, high| {
                let added = cover.add_item(&region.name, Kind::Primary { low, high });
                added.map(Part::Weight).map_err(at)
            };
            let part = match region.rule {
                Rule::Sum(sum_of_all) => sum(sum_of_all, sum_of_all)?,
                Rule::Less(bound) => sum(0, bound - 1)?,
                Rule::Greater(bound) => sum(bound + 1, largest * region.cells.len() as u32)?,
                Rule::Free => continue,
                Rule::Equal | Rule::Unequal if region.cells.len() == 1 => continue,
                Rule::Equal => {
                    let item = cover.add_item(&region.name, Kind::Secondary).map_err(at)?;
                    Part::Colour(item)
                }
                Rule::Unequal => {
                    let first = cover.items().len() as ItemId;
                    for number in 0..=largest {
                        let name = format!("{}-{number}", region.name);
                        cover.add_item(&name, Kind::Secondary).map_err(at)?;
                    }
                    Part::Number(first)
                }
            };
            region.cells.iter().for_each(|&cell| parts[cell] = Some(part));
        }
        Ok(parts)
    }

    /// The pairs of neighbouring cells, each once.
    fn pairs(&self) -> Vec<[u32; 2]> {
        let cells: HashMap<[i32; 3], u32> =
            self.board.iter().zip(0..).map(|(cell, number)| (cell.place, number)).collect();
        let mut pairs = Vec::new();
        for (cell, number) in self.board.iter().zip(0..) {
            let [column, row, layer] = cell.place;
            for neighbour in [[column + 1, row, layer], [column, row + 1, layer]] {
                pairs.extend(cells.get(&neighbour).map(|&other| [number, other]));
            }
        }
        pairs
    }
}

/// The options while they are made.
#[derive(Debug)]
pub(crate) struct Laid {
    pub first_cell: ItemId,
    parts: Vec<Option<Part>>,
    /// The number of the domino of each option.
    pub pieces: Vec<u32>,
    /// The numbers on the two cells of each option.
    pub ends: Vec<[u32; 2]>,
}

impl Laid {
    /// Adds the option that lays a domino on these cells, if it breaks no rule by itself.
    fn lay(
        &mut self,
        cover: &mut Cover,
        kind: u32,
        cells: [u32; 2],
        ends: [u32; 2],
    ) -> Result<(), CoverError> {
        let plain = |item| (Entry { item, colour: NO_COLOUR }, 1);
        let mut entries: Vec<(Entry, u32)> = vec![plain(kind)];
        entries.extend(cells.map(|cell| plain(self.first_cell + cell)));
        for (cell, number) in cells.into_iter().zip(ends) {
            let Some(part) = self.parts[cell as usize] else { continue };
            let (item, colour, weight) = match part {
                Part::Weight(_) if number == 0 => continue,
                Part::Weight(item) => (item, NO_COLOUR, number),
                Part::Colour(item) => (item, cover.colour(&number.to_string())?, 1),
                Part::Number(first) => (first + number, NO_COLOUR, 1),
            };
            match entries.iter_mut().find(|(entry, _)| entry.item == item) {
                None => entries.push((Entry { item, colour }, weight)),
                Some((_, sum)) if matches!(part, Part::Weight(_)) => *sum += weight,
                // Both ends of a double are equal.
                Some((entry, _)) if matches!(part, Part::Colour(_)) && entry.colour == colour => {}
                Some(_) => return Ok(()),
            }
        }
        cover.add_weighted_option(entries)?;
        self.pieces.push(kind);
        self.ends.push(ends);
        Ok(())
    }
}
