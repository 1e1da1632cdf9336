//! Games that KSudoku saves: XML with a graph of groups and cages, and the givens.
//!
//! Cells are numbered from 0 column by column. A graph of the type `sudoku` has the usual rules; one of the type `custom` states
//! its groups. In a killer the cells of a cage differ, in a Mathdoku they may be equal.

use tallyboard_base::text::xml::{self, Element};

use super::Parsed;
use super::json::foreign;
use crate::error::{Error, Place};
use crate::grid::{Cell, Size};
use crate::puzzle::Puzzle;
use crate::rule::{Calculation, Rule};
use crate::rules::Rules;

/// Whether a text is a game of KSudoku.
pub(super) fn is_game(text: &str) -> bool {
    text.trim_start().starts_with('<') && text.contains("<ksudoku")
}

/// The number that an attribute must have.
fn number(element: &Element, name: &str) -> Result<u32, Error> {
    let value = element.attribute(name).unwrap_or_default();
    value.parse().map_err(|_| wrong(element, name, value, "a number"))
}

fn wrong(element: &Element, what: &str, found: &str, expected: &'static str) -> Error {
    let rule = format!("{what} of <{}>", element.name());
    Error::Words { rule, found: found.to_owned(), expected }
}

/// The cells whose numbers the text of an element has.
fn cells(element: &Element, size: Size) -> Result<Vec<Cell>, Error> {
    let cell = |word: &str| {
        let number = word.parse::<usize>().ok().filter(|&number| number < size.cells());
        number.map(|number| size.cell(transposed(size, number)))
    };
    let cells = element.text.split_whitespace().map(|word| {
        cell(word).ok_or_else(|| wrong(element, "cells", word, "the number of a cell, from 0"))
    });
    cells.collect()
}

/// The place in reading order of a cell with this number, which counts column by column.
fn transposed(size: Size, number: usize) -> usize {
    number % size.side() * size.side() + number / size.side()
}

/// Reads a game.
pub(super) fn read(text: &str) -> Parsed<Puzzle> {
    let missing = |rule: &str, found: String| {
        let expected = "a game that KSudoku saved";
        Error::Words { rule: rule.to_owned(), found, expected }
    };
    let elements = xml::elements(text)
        .map_err(|mistake| (Place::Line(mistake.line), missing("XML", mistake.found)))?;
    let find = |name: &str| elements.iter().find(|element| element.name() == name);
    let no_tag = |tag| (Place::Whole, missing(tag, "no such tag".to_owned()));
    let graph = find("graph").ok_or_else(|| no_tag("<graph>"))?;
    let values = find("values").ok_or_else(|| no_tag("<values>"))?;
    let at = |error| (Place::Part("graph".to_owned()), error);
    let mut rules = Rules::new(number(graph, "order").map_err(at)? as usize).map_err(at)?;
    match graph.attribute("type") {
        Some("sudoku") => {}
        Some("custom") => add_groups(graph, &elements, &mut rules)?,
        other => return Err(foreign(format!("graph of the type {}", other.unwrap_or("none")))),
    }
    rules.check_regions_stated().map_err(at)?;
    let mut puzzle = Puzzle::new(rules);
    give(values.text.trim(), &mut puzzle)
        .map_err(|error| (Place::Part("values".to_owned()), error))?;
    Ok(puzzle)
}

/// Adds what a graph of the type `custom` states.
fn add_groups(graph: &Element, elements: &[Element], rules: &mut Rules) -> Parsed<()> {
    let at = |error| (Place::Part("graph".to_owned()), error);
    let size = rules.size();
    let sides = ["sizeX", "sizeY", "sizeZ"].map(|name| number(graph, name));
    let [x, y, z] = sides;
    let sides = [x.map_err(at)?, y.map_err(at)?, z.map_err(at)?];
    if sides != [size.side() as u32, size.side() as u32, 1] {
        return Err(foreign(format!("board of {} × {} × {} cells", sides[0], sides[1], sides[2])));
    }
    let mut groups = Vec::new();
    let mut has_lines = false;
    let mut has_blocks = false;
    let is_killer = graph.attribute("specific-type") == Some("KillerSudoku");
    for element in elements {
        match element.name() {
            "sudokugroups" => {
                has_lines = true;
                has_blocks |= element.attribute("withblocks").is_none_or(|value| value == "1");
            }
            "clique" => groups.push(cells(element, size).map_err(at)?),
            "roxdokugroups" => return Err(foreign(element.name())),
            "cage" => add_cage(element, is_killer, rules)?,
            _ => {}
        }
    }
    let mut add = |rule| rules.add(rule).map_err(at);
    if !has_lines {
        add(Rule::NoLines)?;
    }
    if !has_blocks {
        let regions = regions_of(&groups, size);
        match regions {
            Some(regions) => {
                groups.clear();
                add(Rule::Regions(regions))?;
            }
            None => add(Rule::NoRegions)?,
        }
    }
    for cells in groups {
        let is_house = cells.len() == size.side();
        add(if is_house { Rule::House(cells) } else { Rule::Different(cells) })?;
    }
    Ok(())
}

/// The region of each cell, if the groups are regions: each as large as a row, every cell in one of them.
fn regions_of(groups: &[Vec<Cell>], size: Size) -> Option<Vec<usize>> {
    let mut regions = vec![None; size.cells()];
    for (number, cells) in groups.iter().enumerate() {
        for cell in cells {
            if regions[size.index(*cell)?].replace(number).is_some() || cells.len() != size.side() {
                return None;
            }
        }
    }
    regions.into_iter().collect()
}

/// Adds a cage. Its operators are numbered: none, division, subtraction, multiplication, addition.
fn add_cage(element: &Element, is_killer: bool, rules: &mut Rules) -> Parsed<()> {
    let at = |error| (Place::Part("cage".to_owned()), error);
    let cells = cells(element, rules.size()).map_err(at)?;
    let value = number(element, "value").map_err(at)?;
    let calculation = match (element.attribute("operator"), cells.len()) {
        // A cage of one cell states its value.
        (_, 1) | (Some("4"), _) => Calculation::Sum,
        (Some("1"), _) => Calculation::Quotient,
        (Some("2"), _) => Calculation::Difference,
        (Some("3"), _) => Calculation::Product,
        (other, _) => {
            let found = other.unwrap_or_default();
            return Err(at(wrong(element, "operator", found, "a number from 1 to 4")));
        }
    };
    let is_sum = calculation == Calculation::Sum;
    let rule = match is_killer && is_sum {
        true => Rule::Cage { sum: Some(value), cells },
        false => Rule::Calculation(calculation, value, cells),
    };
    rules.add(rule).map_err(at)
}

/// Gives the values: `_` for none, `b` for 1 and so on.
fn give(values: &str, puzzle: &mut Puzzle) -> Result<(), Error> {
    let size = puzzle.size();
    let found = values.chars().count();
    if found != size.cells() {
        let cells = size.cells();
        return Err(Error::Length { found, cells, marks: cells * size.side() });
    }
    for (number, letter) in values.chars().enumerate() {
        let cell = size.cell(transposed(size, number));
        match letter {
            '_' => {}
            'b'..='z' => puzzle.give(cell, letter as u8 - b'a')?,
            _ => {
                let (found, expected) = (letter.to_string(), "_ or a letter from b".to_owned());
                return Err(Error::Word { found, cell, expected });
            }
        }
    }
    Ok(())
}
