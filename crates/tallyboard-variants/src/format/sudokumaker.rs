//! Puzzles that SudokuMaker exports: JSON with cells in reading order, and rules that have a number for their type.

use serde_json::{Map, Value};
use tallyboard_base::figures::counted;

use super::fpuzzles::cage_sum;
use super::json::{
    cell_value, foreign, in_part, inwards, is_absent, items, list, number, ray, region_rules, wrong,
};
use super::{Parsed, Read};
use crate::grid::{Cell, Size};
use crate::puzzle::Puzzle;
use crate::rule::{Calculation, Line, Mark, Marked, Outside, Rule};
use crate::rules::Rules;

/// The types of rules, by the names that the text form has for them as far as it has.
const TYPES: [(u64, &str); 45] = [
    (0, "givens"),
    (1, "regions"),
    (10, "diagonal falling"),
    (11, "diagonal rising"),
    (12, "anti-king"),
    (13, "anti-knight"),
    (14, "disjoint-groups"),
    (15, "non-consecutive"),
    (16, "global groups of values"),
    (100, "even"),
    (101, "odd"),
    (102, "maximum"),
    (103, "minimum"),
    (200, "difference"),
    (201, "ratio"),
    (202, "sum"),
    (300, "thermometer"),
    (301, "cage"),
    (302, "same"),
    (303, "quadruple"),
    (304, "look-and-say cage"),
    (305, "different"),
    (306, "circles"),
    (400, "renban"),
    (401, "whispers"),
    (402, "palindrome"),
    (403, "between"),
    (404, "region-sums"),
    (405, "sequence line"),
    (406, "line of groups of values"),
    (407, "lockout"),
    (408, "arrow"),
    (409, "double-arrow"),
    (500, "little-killer"),
    (501, "sandwich"),
    (502, "x-sum"),
    (503, "skyscraper"),
    (504, "numbered-room"),
    (600, "row-indexer"),
    (601, "column-indexer"),
    (1000, "script"),
    (2000, "cosmetic line"),
    (2001, "cosmetic cage"),
    (2002, "cosmetic symbol"),
    (2003, "rows and columns"),
];
/// The types of fog, which restricts no solution, are at least this.
const FOG: u64 = 4000;

/// The members of a puzzle, of its cells and of its rules that are read or restrict no solution.
const OF_PUZZLE: &str =
    "name author comment export type size width height minDigit maxDigit cells constraints";
const OF_CELL: &str = "given value candidates cornerPencilMarks colors";
const OF_RULE: &str = "type name style disabled cells cages clues lines groups regions thermometers slow minDifference \
                       singleRegionTotals bulbsWithArrows negative overrideNegativeRatios overrideNegativeDifferences \
                       definition input params symbols";

/// Whether JSON is a puzzle of SudokuMaker.
pub(super) fn is_puzzle(object: &Map<String, Value>) -> bool {
    object.contains_key("formatVersion") && object.get("puzzle").is_some_and(Value::is_object)
}

/// Reads a puzzle of SudokuMaker. Values that are not given are those of a solver, and so are candidates.
pub(super) fn read(document: &Map<String, Value>) -> Parsed<Read> {
    let version = &document["formatVersion"];
    if !version.as_str().is_some_and(|version| version.starts_with("1.")) {
        return Err(wrong("formatVersion", version, "a version that begins with 1."));
    }
    let puzzle = document["puzzle"].as_object().expect("`is_puzzle` has seen it");
    ensure_known(puzzle, OF_PUZZLE, "puzzle")?;
    let mut rules = rules_of_size(puzzle)?;
    let size = rules.size();
    let blocks = blocks(puzzle, size)?;
    let has = |name: &str| blocks.iter().any(|block| block.name == name);
    let mut drawings = Vec::new();
    // Rows and columns of other kinds of puzzles differ only if a rule says so.
    if is_custom(puzzle) && !has("rows and columns") {
        rules.add(Rule::NoLines).map_err(in_part("constraints"))?;
    }
    if !has("regions") {
        rules.add(Rule::NoRegions).map_err(in_part("constraints"))?;
    }
    for block in &blocks {
        drawings.extend(block.drawn()?);
        for rule in block.rules()? {
            rules.add(rule).map_err(in_part(block.name))?;
        }
    }
    for rule in negative_rules(&blocks)? {
        rules.add(rule).map_err(in_part("negative"))?;
    }
    let mut read = Puzzle::new(rules);
    for (index, cell) in list(puzzle, "cells")?.iter().enumerate() {
        let members = cell.as_object().ok_or_else(|| wrong("cells", cell, "an object"))?;
        ensure_known(members, OF_CELL, "cell")?;
        if cell["given"].as_bool() == Some(true) && !is_absent(&cell["value"]) {
            if !has("givens") {
                return Err(foreign("givens without their rule"));
            }
            let value = number("cells", &cell["value"])?;
            // A value below the first one becomes 0, which no grid has.
            let value = (value + 1).saturating_sub(size.first_value());
            let given = read.give(size.cell(index), u8::try_from(value).unwrap_or(u8::MAX));
            given.map_err(in_part("cells"))?;
        }
    }
    Ok(Read { puzzle: read, drawings })
}

/// Fails if a member has another name than those that are known.
fn ensure_known(members: &Map<String, Value>, known: &str, what: &str) -> Parsed<()> {
    let is_unknown = |(name, value): &(&String, &Value)| {
        !known.split(' ').any(|known| known == *name) && !is_absent(value)
    };
    match members.iter().find(is_unknown) {
        Some((name, _)) => Err(foreign(format!("{name} of {what}"))),
        None => Ok(()),
    }
}

/// Whether a puzzle is of the kind whose grid and values may be any.
fn is_custom(puzzle: &Map<String, Value>) -> bool {
    puzzle.get("type").and_then(Value::as_str) == Some("custom")
}

/// The grid and its values, without rules.
fn rules_of_size(puzzle: &Map<String, Value>) -> Parsed<Rules> {
    let stated = |name: &str| puzzle.get(name).map(|value| number(name, value)).transpose();
    let kind = puzzle.get("type").unwrap_or(&Value::Null);
    if !is_custom(puzzle) && !matches!(kind.as_str(), None | Some("sudoku")) {
        return Err(wrong("type", kind, "sudoku or custom"));
    }
    let side = stated("width")?.or(stated("size")?).unwrap_or(9);
    if let Some(height) = stated("height")?.filter(|&height| height != side) {
        return Err(wrong("height", &height.into(), "as many rows as columns"));
    }
    let first = stated("minDigit")?.unwrap_or(1);
    let usual = if is_custom(puzzle) { 9 } else { first + side.saturating_sub(1) };
    let last = stated("maxDigit")?.unwrap_or(usual);
    let rules = Rules::new(side as usize).map_err(in_part("size"))?;
    if (last + 1).saturating_sub(first) != side {
        let values = format!("values from {first} to {last}").into();
        return Err(wrong("maxDigit", &values, "as many values as a row has cells"));
    }
    let cells = list(puzzle, "cells")?;
    if cells.len() != rules.size().cells() {
        return Err(wrong("cells", &counted(cells.len(), "cell").into(), "a square of them"));
    }
    let first = u8::try_from(first).unwrap_or(u8::MAX);
    rules.with_first_value(first).map_err(in_part("minDigit"))
}

/// A rule as it stands in the file.
struct Block<'a> {
    name: &'static str,
    item: &'a Value,
    size: Size,
}

/// The rules that are not switched off.
fn blocks(puzzle: &Map<String, Value>, size: Size) -> Parsed<Vec<Block<'_>>> {
    let mut blocks = Vec::new();
    for item in items(puzzle, "constraints")? {
        let members = item.as_object().ok_or_else(|| wrong("constraints", item, "an object"))?;
        let kind = item["type"].as_u64();
        if item["disabled"].as_bool() == Some(true) || kind.is_some_and(|kind| kind >= FOG) {
            continue;
        }
        let known = TYPES.iter().find(|(number, _)| Some(*number) == kind);
        let (_, name) = known.ok_or_else(|| foreign(format!("of type {}", item["type"])))?;
        ensure_known(members, OF_RULE, name)?;
        blocks.push(Block { name, item, size });
    }
    Ok(blocks)
}

/// The rules that say that all marks are given. Neighbours with a dot of the other kind are spared, as the members of both kinds say.
fn negative_rules(blocks: &[Block<'_>]) -> Parsed<Vec<Rule>> {
    let of = |name: &'static str| blocks.iter().filter(move |block| block.name == name);
    let has_clues = |block: &Block<'_>| !is_absent(&block.item["clues"]);
    // Whether blocks of this kind spare their pairs.
    let spares = |name, member: &str| {
        of(name).all(|it| !has_clues(it) || it.item[member].as_bool() == Some(true))
    };
    let mut rules = Vec::new();
    for block in ["difference", "ratio", "sum"].into_iter().flat_map(of) {
        let mut negative: Vec<u32> = block.each("negative", |it| number("negative", it))?;
        negative.sort_unstable();
        let is_usual = |it: &Value| number("clues", &it["value"]).is_ok_and(|value| value == 2);
        match (block.name, &negative[..]) {
            (_, []) => {}
            ("difference", [1]) if spares("ratio", "overrideNegativeDifferences") => {
                rules.push(Rule::AllDifferencesGiven);
            }
            ("ratio", [2])
                if spares("difference", "overrideNegativeRatios")
                    && of("ratio").all(|it| {
                        it.list("clues").is_ok_and(|clues| clues.iter().all(is_usual))
                    }) =>
            {
                rules.push(Rule::AllRatiosGiven);
            }
            ("sum", [5, 10]) => rules.push(Rule::AllXvGiven),
            (name, others) => return Err(foreign(format!("negative {name} {others:?}"))),
        }
    }
    if of("non-consecutive").next().is_some() && of("difference").chain(of("ratio")).any(has_clues)
    {
        return Err(foreign("non-consecutive beside dots"));
    }
    Ok(rules)
}

impl Block<'_> {
    /// The items of a member that is a list; none without it.
    fn list(&self, member: &str) -> Parsed<&[Value]> {
        match &self.item[member] {
            Value::Null => Ok(&[]),
            Value::Array(items) => Ok(items),
            other => Err(wrong(member, other, "a list")),
        }
    }

    /// What is read of each item of a member.
    fn each<T>(&self, member: &str, read: impl Fn(&Value) -> Parsed<T>) -> Parsed<Vec<T>> {
        self.list(member)?.iter().map(read).collect()
    }

    /// Cells by their numbers in reading order, from 0.
    fn cells(&self, numbers: &Value) -> Parsed<Vec<Cell>> {
        let cell = |found: &Value| {
            let index = number(self.name, found)? as usize;
            let is_inside = index < self.size.cells();
            is_inside
                .then(|| self.size.cell(index))
                .ok_or_else(|| wrong(self.name, found, "the number of a cell"))
        };
        let numbers = numbers.as_array();
        numbers
            .ok_or_else(|| wrong(self.name, self.item, "lists of cells"))?
            .iter()
            .map(cell)
            .collect()
    }

    /// What is only drawn.
    fn drawn(&self) -> Parsed<Option<String>> {
        let part = match self.name {
            "cosmetic line" => "lines",
            "cosmetic cage" => "cages",
            "cosmetic symbol" => "symbols",
            _ => return Ok(None),
        };
        let number = self.list(part)?.len();
        Ok((number > 0).then(|| counted(number, self.name)))
    }

    /// Its rules.
    fn rules(&self) -> Parsed<Vec<Rule>> {
        let side = self.size.side() as u32;
        if let Some(line) = Line::all(side).into_iter().find(|line| line.name() == self.name) {
            return self.lines(line);
        }
        if let Some(outside) = Outside::ALL.into_iter().find(|it| it.name() == self.name) {
            return self.each("clues", |it| self.outside(outside, it));
        }
        let marked = Marked::ALL.into_iter().find(|it| it.name() == self.name);
        if let Some(marked) = marked.filter(|&marked| marked != Marked::Same) {
            let cells = self.cells(&self.item["cells"])?;
            self.ensure_apart(marked, &cells)?;
            return Ok(Vec::from_iter((!cells.is_empty()).then_some(Rule::Marked(marked, cells))));
        }
        match self.name {
            "givens" | "rows and columns" => Ok(Vec::new()),
            "cosmetic line" | "cosmetic cage" | "cosmetic symbol" => Ok(Vec::new()),
            "regions" => self.regions(),
            "difference" | "ratio" | "sum" => self.each("clues", |it| self.mark(it)),
            "thermometer" if self.item["slow"].as_bool() == Some(true) => self
                .each("thermometers", |it| Ok(Rule::Line(Line::SlowThermometer, self.cells(it)?))),
            "thermometer" => self.each("thermometers", |it| Ok(Rule::Thermometer(self.cells(it)?))),
            "cage" => self.cages(),
            "same" => self.each("groups", |it| Ok(Rule::Marked(Marked::Same, self.cells(it)?))),
            "quadruple" => self.each("clues", |it| self.quadruple(it)),
            "arrow" => Ok(self.each("bulbsWithArrows", |it| self.arrows(it))?.concat()),
            "different" => Ok(vec![Rule::Different(self.cells(&self.item["cells"])?)]),
            "line of groups of values" => self.lines(self.groups()?),
            "global groups of values" => match self.groups()? {
                Line::Entropic => Ok(vec![Rule::GlobalEntropy]),
                Line::Modular(3) => Ok(vec![Rule::GlobalModular]),
                _ => Err(foreign(self.name)),
            },
            "script" => {
                let name = self.item["definition"]["name"].as_str().unwrap_or_default();
                Err(foreign(format!("script {name}")))
            }
            name => switch(name).map(|rule| vec![rule]).ok_or_else(|| foreign(name)),
        }
    }

    /// Fails if a least or greatest cell lies beside another one: files do not show whether these are compared.
    fn ensure_apart(&self, marked: Marked, cells: &[Cell]) -> Parsed<()> {
        let numbers: Vec<usize> = cells.iter().filter_map(|&cell| self.size.index(cell)).collect();
        let touches =
            |&cell: &usize| self.size.neighbours(cell).any(|near| numbers.contains(&near));
        match marked {
            Marked::Minimum | Marked::Maximum if numbers.iter().any(touches) => {
                Err(foreign(format!("{} of cells side by side", self.name)))
            }
            _ => Ok(()),
        }
    }

    fn regions(&self) -> Parsed<Vec<Rule>> {
        // A negative number stands for no region.
        let of_cell = |found: &Value| match found.as_i64() {
            Some(number) => Ok(usize::try_from(number).ok()),
            None => Err(wrong("regions", found, "a number")),
        };
        let numbers = self.each("regions", of_cell)?;
        if numbers.len() != self.size.cells() {
            let found = counted(numbers.len(), "cell").into();
            return Err(wrong("regions", &found, "a region for each cell"));
        }
        Ok(region_rules(&numbers, self.size))
    }

    fn lines(&self, line: Line) -> Parsed<Vec<Rule>> {
        if self.item["singleRegionTotals"].as_bool() == Some(true) {
            return Err(foreign("region-sums with one total for a region"));
        }
        let line = match line {
            Line::Whispers(_) => line.with_number(number(self.name, &self.item["minDifference"])?),
            line => line,
        };
        self.each("lines", |it| Ok(Rule::Line(line, self.cells(it)?)))
    }

    /// The line on which cells side by side have values of different groups. A group has a bit for each value.
    fn groups(&self) -> Parsed<Line> {
        let mut groups = self.each("groups", |it| number(self.name, it))?;
        groups.sort_unstable();
        let side = self.size.side() as u32;
        let has_groups = |group_of: &dyn Fn(u32) -> u32, number: u32| {
            let values = |group| self.size.values().filter(move |&value| group_of(value) == group);
            let set = |group| values(group).fold(0, |set, value| set | 1 << value);
            let mut sets: Vec<u32> = (0..number).map(set).collect();
            sets.sort_unstable();
            sets == groups
        };
        if side == 9 && has_groups(&|value| (value - self.size.first_value()) / 3, 3) {
            return Ok(Line::Entropic);
        }
        let remainders = (2..side).find(|&by| has_groups(&|value| value % by, by));
        remainders.map(Line::Modular).ok_or_else(|| foreign(self.name))
    }

    /// The rule of a clue between two cells. Each row has, by their numbers from 0, its left edge, the edges between its cells, and
    /// those below its cells.
    fn mark(&self, clue: &Value) -> Parsed<Rule> {
        let side = self.size.side();
        let edge = number(self.name, &clue["edge"])? as usize;
        let (row, place) = (edge / (2 * side) + 1, edge % (2 * side));
        let pair = match place {
            0 => return Err(wrong(self.name, clue, "an edge between two cells")),
            left if left < side => [Cell::new(row, left), Cell::new(row, left + 1)],
            below => [row, row + 1].map(|row| Cell::new(row, below - side + 1)),
        };
        let value = number(self.name, &clue["value"])?;
        Ok(match (self.name, value) {
            ("difference", 1) => Rule::Mark(Mark::White, pair),
            ("ratio", 2) => Rule::Mark(Mark::Black, pair),
            ("sum", 5) => Rule::Mark(Mark::V, pair),
            ("sum", 10) => Rule::Mark(Mark::X, pair),
            ("difference", _) => Rule::Calculation(Calculation::Difference, value, pair.to_vec()),
            ("ratio", _) => Rule::Calculation(Calculation::Quotient, value, pair.to_vec()),
            _ => Rule::Calculation(Calculation::Sum, value, pair.to_vec()),
        })
    }

    fn cages(&self) -> Parsed<Vec<Rule>> {
        let cage = |item: &Value| {
            // Cages without a sum have 0.
            let sum = cage_sum(self.name, &item["value"])?.filter(|&sum| sum > 0);
            Ok(Rule::Cage { sum, cells: self.cells(&item["cells"])? })
        };
        // A cage of one cell without a sum states nothing.
        let states =
            |rule: &Rule| rule.cells().len() > 1 || !matches!(rule, Rule::Cage { sum: None, .. });
        Ok(self.each("cages", cage)?.into_iter().filter(states).collect())
    }

    /// The rule of values around a corner. Corners are counted from 0 in reading order, those on the border as well.
    fn quadruple(&self, clue: &Value) -> Parsed<Rule> {
        let corner = number(self.name, &clue["corner"])? as usize;
        let side = self.size.side();
        let (row, column) = (corner / (side + 1), corner % (side + 1));
        let around = [(row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1)];
        let cells = around.map(|(row, column)| Cell::new(row, column)).to_vec();
        let digits = clue["digits"].as_array().map(Vec::as_slice).unwrap_or_default();
        let digits = digits.iter().map(|digit| cell_value(self.name, digit));
        Ok(Rule::Quadruple(digits.collect::<Parsed<_>>()?, cells))
    }

    /// The arrows of a circle, each of which begins in it.
    fn arrows(&self, item: &Value) -> Parsed<Vec<Rule>> {
        let mut circle = self.cells(&item["bulbCells"])?;
        circle.sort_unstable();
        let mut rules = Vec::new();
        for line in item["arrows"].as_array().into_iter().flatten() {
            match self.cells(line)?.split_first() {
                Some((first, line)) if circle.contains(first) && !line.is_empty() => {
                    rules.push(Rule::Arrow { circle: circle.clone(), line: line.to_vec() });
                }
                _ => return Err(wrong(self.name, line, "a line that begins in its circle")),
            }
        }
        Ok(rules)
    }

    /// The rule of a clue in the frame of cells around the grid, which are counted from 0 in reading order with those of the grid.
    fn outside(&self, outside: Outside, clue: &Value) -> Parsed<Rule> {
        let outer = number(self.name, &clue["outerCell"])? as usize;
        let wide = self.size.side() + 2;
        let at = ((outer / wide) as isize, (outer % wide) as isize);
        let cells = match (outside, clue["diagonal"].as_i64()) {
            (Outside::LittleKiller, Some(1)) => {
                [ray(self.size, at, (1, -1)), ray(self.size, at, (-1, 1))].concat()
            }
            (Outside::LittleKiller, Some(-1)) => {
                [ray(self.size, at, (1, 1)), ray(self.size, at, (-1, -1))].concat()
            }
            (Outside::LittleKiller, _) => Vec::new(),
            _ => ray(self.size, at, inwards(self.size, at)),
        };
        if cells.is_empty() {
            return Err(wrong(self.name, clue, "a cell beside the grid"));
        }
        Ok(Rule::Outside(outside, number(self.name, &clue["value"])?, cells))
    }
}

/// The rule of a type that has nothing but its name.
fn switch(name: &str) -> Option<Rule> {
    Some(match name {
        "diagonal falling" => Rule::FallingDiagonal,
        "diagonal rising" => Rule::RisingDiagonal,
        "anti-king" => Rule::AntiKing,
        "anti-knight" => Rule::AntiKnight,
        "disjoint-groups" => Rule::DisjointGroups,
        "non-consecutive" => Rule::NonConsecutive,
        _ => return None,
    })
}
