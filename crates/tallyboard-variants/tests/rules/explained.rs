//! Promise: each sentence of an explanation is true. Here sentences are read, and every cell, value and sum that they name is compared
//! with what arithmetic finds in the text of the puzzle.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use tallyboard_variants::{End, Explanation, Generator, Puzzle, Rule, Rules, read, write};

/// Two values that a relation allows.
type Allows = fn(u32, u32) -> bool;

/// Relations of two cells, as sentences name them and as the text form does.
const RELATIONS: [(&str, &str, Allows); 2] = [
    ("consecutive values", "kropki white ", |a, b| a.abs_diff(b) == 1),
    ("one value twice the other", "kropki black ", |a, b| a == 2 * b || b == 2 * a),
];

/// What a puzzle states, by its text.
#[derive(Default)]
struct Stated {
    side: usize,
    /// Cells with all values, by their names.
    houses: BTreeMap<String, Vec<usize>>,
    /// Other cells that differ, by the names of their rules.
    groups: Vec<(String, Vec<usize>)>,
    /// Cages with their sums.
    cages: Vec<(Vec<usize>, u32)>,
    thermometers: Vec<Vec<usize>>,
    /// Two cells each, and what they have.
    pairs: Vec<(Vec<usize>, &'static str)>,
}

impl Stated {
    fn of(puzzle: &Puzzle) -> Self {
        let text = write(puzzle);
        let side = puzzle.size().side();
        let mut stated = Self { side, ..Self::default() };
        let cells = || 0..side * side;
        stated.add_houses("row", |cell| cell / side);
        stated.add_houses("column", |cell| cell % side);
        let mut letters: Vec<char> = Vec::new();
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            let (name, rest) = line.split_once(' ').unwrap_or((line, ""));
            match name {
                "regions" if rest == "none" => {}
                "regions" => {
                    letters = lines.by_ref().take(side).flat_map(str::chars).collect();
                }
                "cage" => {
                    let (sum, rest) = rest.split_once(' ').unwrap();
                    let of_cage = stated.cells(rest);
                    let first = stated.name(of_cage[0]);
                    stated.groups.push((format!("cage of {first}"), of_cage.clone()));
                    stated.cages.push((of_cage, sum.parse().unwrap()));
                }
                "thermometer" => stated.thermometers.push(stated.cells(rest)),
                "different" => stated.groups.push((name.to_owned(), stated.cells(rest))),
                "anti-knight" | "anti-king" => {
                    for (one, other) in cells().flat_map(|one| cells().map(move |it| (one, it))) {
                        let rows = (one / side).abs_diff(other / side);
                        let columns = (one % side).abs_diff(other % side);
                        let is_knight = name == "anti-knight" && rows * columns == 2;
                        if is_knight || name == "anti-king" && rows.max(columns) == 1 {
                            stated.groups.push((name.to_owned(), vec![one, other]));
                        }
                    }
                }
                "kropki" => {
                    let dot = RELATIONS.iter().find(|(_, dot, _)| line.starts_with(dot)).unwrap();
                    stated.pairs.push((stated.cells(&line[dot.1.len()..]), dot.0));
                }
                "givens" => drop(lines.by_ref().take(side).count()),
                _ => assert_eq!(name, "size", "{text}"),
            }
        }
        match side {
            _ if !letters.is_empty() => {
                // Regions are numbered as they are first seen.
                let mut seen: Vec<char> = Vec::new();
                letters.iter().for_each(|it| {
                    if !seen.contains(it) {
                        seen.push(*it);
                    }
                });
                stated.add_houses("region", |cell| {
                    seen.iter().position(|it| *it == letters[cell]).unwrap()
                });
            }
            4 | 6 | 9 => {
                let high = if side == 9 { 3 } else { 2 };
                let wide = side / high;
                stated.add_houses("region", |cell| cell / side / high * high + cell % side / wide);
            }
            _ => {}
        }
        stated
    }

    fn add_houses(&mut self, kind: &str, number: impl Fn(usize) -> usize) {
        for house in 0..self.side {
            let cells = (0..self.side * self.side).filter(|&cell| number(cell) == house).collect();
            self.houses.insert(format!("{kind} {}", house + 1), cells);
        }
    }

    /// The number of a cell by its name.
    fn cell(&self, name: &str) -> usize {
        let (row, column) = name.strip_prefix('r').unwrap().split_once('c').unwrap();
        let number = |text: &str| text.parse::<usize>().unwrap() - 1;
        number(row) * self.side + number(column)
    }

    fn name(&self, cell: usize) -> String {
        format!("r{}c{}", cell / self.side + 1, cell % self.side + 1)
    }

    /// The cells of names with commas or blanks between them.
    fn cells(&self, names: &str) -> Vec<usize> {
        names
            .replace(" and ", " ")
            .split([',', ' '])
            .filter(|it| !it.is_empty())
            .map(|it| self.cell(it))
            .collect()
    }

    /// Whether two cells differ by a house or another rule.
    fn differ(&self, one: usize, other: usize) -> bool {
        let groups = self.groups.iter().map(|(_, cells)| cells);
        one != other
            && self.houses.values().chain(groups).any(|it| it.contains(&one) && it.contains(&other))
    }

    /// The cells and the sum that a reason gives, of which each part is checked: `row 1 has the sum 10, and the cage of r1c1 in it has
    /// 4`, or `the cages of r1c1 and r1c3 have the sum 13, and row 1, which they cover, has 10`.
    fn sum(&self, reason: &str) -> (Vec<usize>, i64) {
        let parts = reason.split_once(" the sum ");
        let (first, rest) = parts.unwrap_or_else(|| panic!("no sum is told: {reason}"));
        let (first, verb) = first.rsplit_once(' ').unwrap();
        let (sum, second) = rest.split_once(", and ").unwrap();
        let has = [verb, " ", sum].concat();
        if let Some((cages, have)) = second.split_once(" in it ") {
            self.difference([first, &has], [cages, have], false)
        } else {
            let (area, have) = second.split_once(", which they cover, ").unwrap();
            self.difference([area, have], [first, &has], true)
        }
    }

    /// The cells that are in the area alone, or in the cages alone, and their sum. Both sums are told as `has N` or `have N`.
    fn difference(
        &self,
        [area, of_area]: [&str; 2],
        [cages, of_cages]: [&str; 2],
        is_outside: bool,
    ) -> (Vec<usize>, i64) {
        let number = |text: &str, is_one: bool| -> i64 {
            let verb = if is_one { "has " } else { "have " };
            text.strip_prefix(verb).unwrap_or_else(|| panic!("{text}")).parse().unwrap()
        };
        let houses = self.houses_of(area);
        let of_houses = (1..=self.side as i64).sum::<i64>() * houses.len() as i64;
        assert_eq!(number(of_area, houses.len() == 1), of_houses, "{area}");
        let in_area: BTreeSet<usize> = houses.into_iter().flatten().copied().collect();
        let (kind, names) = cages.split_once(" of ").unwrap();
        let firsts = self.cells(names);
        assert_eq!(kind, if firsts.len() == 1 { "the cage" } else { "the cages" });
        let of_cell = |first: &usize| {
            let found = self.cages.iter().find(|(cells, _)| cells[0] == *first);
            found.unwrap_or_else(|| panic!("no cage of {}", self.name(*first)))
        };
        let named: Vec<&(Vec<usize>, u32)> = firsts.iter().map(of_cell).collect();
        let total: i64 = named.iter().map(|(_, sum)| i64::from(*sum)).sum();
        assert_eq!(number(of_cages, firsts.len() == 1), total, "{cages}");
        let in_cages: BTreeSet<usize> =
            named.iter().flat_map(|(cells, _)| cells).copied().collect();
        let is_in_area = |cell: &usize| in_area.contains(cell);
        if is_outside {
            assert!(in_area.is_subset(&in_cages), "{area} is not covered by {cages}");
            let meets = |(cells, _): &&(Vec<usize>, u32)| cells.iter().any(is_in_area);
            assert!(named.iter().all(meets), "a cage beside {area}: {cages}");
            (in_cages.difference(&in_area).copied().collect(), total - of_houses)
        } else {
            assert!(in_cages.iter().all(is_in_area), "a cage out of {area}: {cages}");
            (in_area.difference(&in_cages).copied().collect(), of_houses - total)
        }
    }

    /// The houses of `row 3` or `rows 1 to 3`.
    fn houses_of(&self, area: &str) -> Vec<&Vec<usize>> {
        if let Some(house) = self.houses.get(area) {
            return vec![house];
        }
        let (kind, range) = area.split_once("s ").unwrap_or_else(|| panic!("no house {area}"));
        let (first, last) = range.split_once(" to ").unwrap();
        let numbers = first.parse::<usize>().unwrap()..=last.parse().unwrap();
        assert!(numbers.clone().count() > 1, "{area}");
        numbers.map(|number| &self.houses[&format!("{kind} {number}")]).collect()
    }
}

/// A grid to which sentences are applied.
#[derive(Clone)]
struct Replay<'a> {
    stated: &'a Stated,
    candidates: Vec<BTreeSet<u32>>,
    filled: Vec<bool>,
    /// Whether the last sentence told a contradiction.
    is_contradiction: bool,
}

/// Values in the order of a sentence: `1, 2 or 3`.
fn values(text: &str) -> BTreeSet<u32> {
    text.replace(" or ", ", ")
        .split(", ")
        .map(|it| it.parse().unwrap_or_else(|_| panic!("{text}")))
        .collect()
}

impl Replay<'_> {
    fn set(&mut self, cell: usize, value: u32) {
        self.candidates[cell] = BTreeSet::from([value]);
        self.fill(cell);
    }

    /// Takes the value of a cell from all that differ from it.
    fn fill(&mut self, cell: usize) {
        self.filled[cell] = true;
        let value = self.candidates[cell].first().copied();
        for other in 0..self.candidates.len() {
            if self.stated.differ(cell, other) {
                value.map(|value| self.candidates[other].remove(&value));
            }
        }
    }

    fn with(&self, cells: &[usize], value: u32) -> Vec<usize> {
        cells.iter().copied().filter(|&cell| self.candidates[cell].contains(&value)).collect()
    }

    /// Does what a sentence says, and fails if it is not true.
    fn apply(&mut self, text: &str) {
        self.is_contradiction = false;
        if let Some((house, value)) = text.split_once(" has no place left for ") {
            let cells = &self.stated.houses[house];
            assert!(self.with(cells, value.parse().unwrap()).is_empty(), "{text}");
            self.is_contradiction = true;
        } else if let Some((cell, reason)) = text.split_once(" has no value left") {
            let cell = self.stated.cell(cell);
            match reason.strip_prefix(": ") {
                Some(reason) => {
                    let (cells, sum) = self.stated.sum(reason);
                    assert_eq!(cells, [cell], "{text}");
                    let possible = u32::try_from(sum).ok();
                    assert!(
                        possible.is_none_or(|sum| !self.candidates[cell].contains(&sum)),
                        "{text}"
                    );
                }
                None => assert!(self.candidates[cell].is_empty(), "{text}"),
            }
            self.is_contradiction = true;
        } else if let Some((clue, reason)) = text.split_once(" cannot be filled") {
            let reason = reason.strip_prefix(", as ");
            let clue = self.clue(clue.strip_prefix("the ").unwrap(), reason);
            assert!(!self.can_be_filled(&clue, None), "{text}");
            self.is_contradiction = true;
        } else {
            let (claim, reason) = text.split_once(": ").unwrap_or_else(|| panic!("{text}"));
            match claim.split_once(" not ") {
                None => self.apply_single(claim, reason),
                Some(_) if reason.contains(", and they have ") => {
                    self.apply_relation(claim, reason)
                }
                Some((cells, value)) if reason.ends_with(", all of which see it") => {
                    self.apply_locked(cells, value, reason);
                }
                Some(_) => self.apply_clue(claim, reason),
            }
        }
    }

    fn apply_single(&mut self, claim: &str, reason: &str) {
        let (name, value) = claim.split_once(" is ").unwrap();
        let (cell, value) = (self.stated.cell(name), value.parse().unwrap());
        assert!(!self.filled[cell] && self.candidates[cell].contains(&value), "{claim}");
        if let Some(house) = reason.strip_prefix("its only place in ") {
            assert_eq!(self.with(&self.stated.houses[house], value), [cell], "{claim}: {reason}");
        } else if let Some(rules) = reason.strip_prefix("no other value is left") {
            assert_eq!(self.candidates[cell], BTreeSet::from([value]), "{claim}: {reason}");
            for rule in rules.trim_start_matches(", by ").split(", ").filter(|it| !it.is_empty()) {
                self.ensure_excludes(cell, rule);
            }
        } else {
            assert_eq!(self.stated.sum(reason), (vec![cell], value.into()), "{claim}: {reason}");
        }
        self.set(cell, value);
    }

    /// Fails unless a filled cell excludes another value of `cell` by this rule.
    fn ensure_excludes(&self, cell: usize, rule: &str) {
        let groups = self.stated.groups.iter().filter(|(name, _)| name == rule).map(|(_, it)| it);
        let mut groups = groups.chain(self.stated.houses.get(rule)).filter(|it| it.contains(&cell));
        assert!(
            groups.any(|it| it.iter().any(|&other| other != cell && self.filled[other])),
            "{rule} excludes nothing from {}",
            self.stated.name(cell)
        );
    }

    fn apply_relation(&mut self, claim: &str, reason: &str) {
        let (loser, lost) = claim.split_once(" is not ").unwrap();
        let (holder, relation) = reason.split_once(", and they have ").unwrap();
        let (holder, held) = holder.split_once(" is ").unwrap();
        let (relation, why) =
            relation.split_once(", as ").map_or((relation, None), |(it, why)| (it, Some(why)));
        let (loser, holder) = (self.stated.cell(loser), self.stated.cell(holder));
        assert_eq!(values(held), self.candidates[holder], "{claim}: {reason}");
        let mut both = [loser, holder];
        both.sort_unstable();
        let is_pair =
            |cells: &Vec<usize>| cells.len() == 2 && both.iter().all(|it| cells.contains(it));
        let sum = relation.strip_prefix("the sum ").map(|sum| sum.parse::<u32>().unwrap());
        match (sum, why) {
            (Some(sum), Some(why)) => {
                assert_eq!(self.stated.sum(why), (both.to_vec(), sum.into()), "{claim}: {reason}");
            }
            (Some(sum), None) => assert!(
                self.stated.cages.iter().any(|(cells, of_cage)| is_pair(cells) && *of_cage == sum),
                "no cage has this sum: {claim}: {reason}"
            ),
            (None, _) => assert!(
                self.stated.pairs.iter().any(|(cells, it)| is_pair(cells) && *it == relation),
                "no mark is there: {claim}: {reason}"
            ),
        }
        let allows = |a: u32, b: u32| match sum {
            Some(sum) => a + b == sum,
            None => RELATIONS.iter().find(|(name, ..)| *name == relation).unwrap().2(a, b),
        };
        let left = |it: &u32| !self.candidates[holder].iter().any(|held| allows(*it, *held));
        let expected: BTreeSet<u32> = self.candidates[loser].iter().copied().filter(left).collect();
        assert_eq!(values(lost), expected, "{claim}: {reason}");
        self.candidates[loser].retain(|it| !expected.contains(it));
    }

    fn apply_locked(&mut self, losers: &str, value: &str, reason: &str) {
        let (losers, verb) = losers.rsplit_once(' ').unwrap();
        let losers = self.stated.cells(losers);
        assert_eq!(verb, if losers.len() == 1 { "is" } else { "are" }, "{reason}");
        let value = value.parse().unwrap();
        let (house, places) = reason.split_once(" has it in ").unwrap();
        let places = self.stated.cells(places.strip_suffix(", all of which see it").unwrap());
        assert_eq!(self.with(&self.stated.houses[house], value), places, "{reason}");
        assert!(!losers.is_empty());
        for loser in losers {
            assert!(places.iter().all(|&place| self.stated.differ(place, loser)), "{reason}");
            assert!(self.candidates[loser].remove(&value), "{reason}");
        }
    }

    fn apply_clue(&mut self, claim: &str, reason: &str) {
        let (clue, why) = reason.split_once(" leaves nothing else").unwrap();
        let (clue, why) = (clue.strip_prefix("the ").unwrap(), why.strip_prefix(", as "));
        // A derived sum is told with its cells.
        let (name, told) =
            clue.split_once(" for ").map_or((clue, None), |(it, cells)| (it, Some(cells)));
        let clue = self.clue(name, why);
        if let Some(told) = told {
            assert_eq!(self.stated.cells(told), clue.cells, "{claim}: {reason}");
        }
        let mut lost: BTreeSet<(usize, u32)> = BTreeSet::new();
        // `r1c1 is not 1, 2 or 3, r1c2 is not 4`: a cell begins each part.
        for part in claim.split(", r").map(|it| it.trim_start_matches('r')) {
            let (cell, gone) = part.split_once(" is not ").unwrap();
            let cell = self.stated.cell(&format!("r{cell}"));
            lost.extend(values(gone).into_iter().map(|value| (cell, value)));
        }
        for &(cell, value) in &lost {
            assert!(self.candidates[cell].contains(&value), "{claim}: {reason}");
            assert!(!self.can_be_filled(&clue, Some((cell, value))), "{claim}: {reason}");
        }
        for (cell, value) in lost {
            self.candidates[cell].remove(&value);
        }
    }

    /// The cells of a clue that a sentence names, and what holds for their values.
    fn clue(&self, name: &str, why: Option<&str>) -> Clue {
        if let Some(cell) = name.strip_prefix("thermometer of ") {
            let cell = self.stated.cell(cell);
            let found = self.stated.thermometers.iter().find(|cells| cells[0] == cell);
            return Clue { cells: found.unwrap().clone(), sum: None };
        }
        let (cells, sum) = match name.strip_prefix("cage of ") {
            Some(cell) => {
                let cell = self.stated.cell(cell);
                let found = self.stated.cages.iter().find(|(cells, _)| cells[0] == cell);
                let (cells, sum) = found.unwrap_or_else(|| panic!("no {name}"));
                (cells.clone(), i64::from(*sum))
            }
            None => {
                let (cells, sum) =
                    self.stated.sum(why.unwrap_or_else(|| panic!("no reason: {name}")));
                assert_eq!(name, format!("sum {sum} left by houses and cages"));
                (cells, sum)
            }
        };
        Clue { cells, sum: Some(sum) }
    }

    /// Whether some candidates of its cells obey a clue, if one cell has this value.
    fn can_be_filled(&self, clue: &Clue, fixed: Option<(usize, u32)>) -> bool {
        let mut taken = Vec::new();
        self.fill_on(clue, fixed, &mut taken)
    }

    fn fill_on(&self, clue: &Clue, fixed: Option<(usize, u32)>, taken: &mut Vec<u32>) -> bool {
        let total: i64 = taken.iter().map(|&it| i64::from(it)).sum();
        let left = &clue.cells[taken.len()..];
        let Some(&cell) = left.first() else { return clue.sum.is_none_or(|sum| sum == total) };
        if let Some(sum) = clue.sum {
            let bound = |end: fn(&BTreeSet<u32>) -> Option<&u32>| -> i64 {
                left.iter()
                    .filter_map(|&it| end(&self.candidates[it]))
                    .map(|&it| i64::from(it))
                    .sum()
            };
            if !(total + bound(BTreeSet::first)..=total + bound(BTreeSet::last)).contains(&sum) {
                return false;
            }
        }
        for &value in &self.candidates[cell] {
            let before = || taken.iter().zip(&clue.cells);
            let is_other = fixed.is_some_and(|(at, it)| at == cell && it != value);
            let is_twice = before().any(|(it, at)| *it == value && self.stated.differ(*at, cell));
            let falls = clue.sum.is_none() && taken.last().is_some_and(|last| *last >= value);
            if is_other || is_twice || falls {
                continue;
            }
            taken.push(value);
            let is_filled = self.fill_on(clue, fixed, taken);
            taken.pop();
            if is_filled {
                return true;
            }
        }
        false
    }
}

/// Cells whose values have a sum; without one they grow from the first to the last.
struct Clue {
    cells: Vec<usize>,
    sum: Option<i64>,
}

/// What was told in an explanation, so that a test sees that all kinds of sentences were.
#[derive(Debug, Default)]
struct Told {
    sums: usize,
    trials: usize,
    clues: usize,
    relations: usize,
    locked: usize,
}

/// Checks each sentence, and that what they leave is what the explanation says. No value of a solution is excluded.
fn check(puzzle: &Puzzle, explanation: &Explanation, told: &mut Told) {
    let stated = Stated::of(puzzle);
    let size = puzzle.size();
    let solutions: Vec<Vec<u8>> = puzzle.solutions().take(2).collect();
    let start = puzzle.first_steps(0).candidates;
    let of_cell = |cell| start.of(size.cell(cell)).into_iter().map(u32::from).collect();
    let candidates: Vec<BTreeSet<u32>> = (0..size.cells()).map(of_cell).collect();
    let filled: Vec<bool> = puzzle.givens().iter().map(|&given| given > 0).collect();
    let mut replay = Replay { stated: &stated, candidates, filled, is_contradiction: false };
    let mut before: Option<(Replay<'_>, usize, u32)> = None;
    for step in &explanation.steps {
        let text = &*step.text;
        told.sums += usize::from(text.contains("the sum") && text.contains(", and "));
        told.clues += usize::from(text.contains("leaves nothing else"));
        told.relations += usize::from(text.contains("they have"));
        told.locked += usize::from(text.contains("all of which see it"));
        if let Some(supposed) = text.strip_prefix("suppose that ") {
            let (cell, value) = supposed.split_once(" were ").unwrap();
            let (cell, value) = (stated.cell(cell), value.parse().unwrap());
            assert!(before.is_none() && step.depth == 0, "{text}");
            assert!(replay.candidates[cell].contains(&value), "{text}");
            assert!(replay.candidates[cell].len() > 1, "{text}");
            assert!(!solutions.iter().any(|it| u32::from(it[cell]) == value), "{text}");
            before = Some((replay.clone(), cell, value));
            replay.set(cell, value);
            told.trials += 1;
        } else if let Some(refuted) = text.strip_prefix("so ") {
            let (restored, cell, value) = before.take().expect("a supposition before");
            assert_eq!(refuted, format!("{} cannot be {value}", stated.name(cell)));
            assert!(replay.is_contradiction && step.depth == 0, "{text}");
            replay = restored;
            replay.candidates[cell].remove(&value);
        } else {
            assert_eq!(step.depth, usize::from(before.is_some()), "{text}");
            replay.apply(text);
        }
        if before.is_none() && !replay.is_contradiction {
            for (solution, (cell, left)) in
                solutions.iter().flat_map(|it| it.iter().zip(replay.candidates.iter().enumerate()))
            {
                assert!(
                    left.contains(&u32::from(*solution)),
                    "{} loses {solution}: {text}",
                    stated.name(cell)
                );
            }
        }
        if let Some((cell, value)) = step.filled {
            let cell = size.index(cell).unwrap();
            let begins = format!("{} is {value}: ", stated.name(cell));
            assert!(text.starts_with(&begins) && replay.filled[cell], "{text}");
        }
    }
    assert!(before.is_none(), "a supposition is left");
    if explanation.end == End::Contradiction {
        assert!(solutions.is_empty(), "{}", write(puzzle));
        return;
    }
    for (cell, left) in replay.candidates.iter().enumerate() {
        let told: BTreeSet<u32> =
            explanation.candidates.of(size.cell(cell)).into_iter().map(u32::from).collect();
        assert_eq!(*left, told, "{}: {}", stated.name(cell), write(puzzle));
    }
}

/// Checks the explanation of the whole and of some cells, of which the last step has to fill each.
fn check_with_cells(puzzle: &Puzzle, every: usize, told: &mut Told) {
    let whole = puzzle.explain();
    check(puzzle, &whole, told);
    if whole.end != End::Solved {
        return;
    }
    let solution = puzzle.solve().first.unwrap();
    for cell in (0..solution.len()).step_by(every).filter(|&cell| puzzle.givens()[cell] == 0) {
        let name = puzzle.size().cell(cell);
        let explanation = puzzle.explain_cell(name);
        check(puzzle, &explanation, told);
        let last = explanation.steps.last().unwrap();
        assert_eq!((last.filled, last.depth), (Some((name, solution[cell])), 0), "{name}");
        // What comes before it does not fill the cell, even for the time of a supposition that is kept.
        let fills = |step: &tallyboard_variants::Step| {
            step.depth == 0 && step.filled.is_some_and(|(filled, _)| filled == name)
        };
        assert_eq!(explanation.steps.iter().filter(|step| fills(step)).count(), 1, "{name}");
    }
}

#[test]
fn every_sentence_about_a_killer_is_true() {
    let mut told = Told::default();
    for side in [4, 5, 6] {
        for (seed, rule) in [(1, None), (2, Some(Rule::AntiKing)), (3, None)] {
            let mut rules = Rules::new(side).unwrap();
            if let Some(rule) = rule.filter(|_| side == 6) {
                rules.add(rule).unwrap();
            }
            let mut generator = Generator::new(rules, seed).unwrap();
            for number in 0..3 {
                let killer = generator.killer(number, 2 + (seed + number) as usize % 4);
                check_with_cells(&killer, 3, &mut told);
            }
        }
    }
    assert!(told.sums > 30 && told.clues > 10 && told.relations > 30, "{told:?}");
}

#[test]
fn every_sentence_about_published_puzzles_is_true() {
    let mut told = Told::default();
    for name in ["killer", "thermometers", "anti-knight", "classic-6x6", "jigsaw"] {
        let path = format!("{}/tests/published/{name}.txt", env!("CARGO_MANIFEST_DIR"));
        let puzzle = read(&fs::read(&path).unwrap(), name).unwrap();
        check_with_cells(&puzzle, 17, &mut told);
    }
    assert!(told.trials > 10 && told.locked > 5 && told.sums > 5, "{told:?}");
}

/// Rules that no grid obeys, of which the explanation finds a contradiction; and marks.
#[test]
fn every_sentence_about_what_cannot_be_is_true() {
    let mut told = Told::default();
    for (text, end) in [
        ("size 4\ncage 7 r1c1 r1c2\ncage 3 r1c3\n", End::Contradiction),
        ("size 4\ncage 4 r1c1 r1c2\ncage 4 r2c1 r2c2\n", End::Contradiction),
        (
            "size 4\ncage 9 r1c1 r1c2 r1c3\ncage 9 r2c1 r2c2 r2c3\ngivens\n...1\n....\n...2\n....\n",
            End::Contradiction,
        ),
        ("size 4\ngivens\n12..\n..34\n....\n....\n", End::Contradiction),
        (
            "size 4\nkropki black r1c1 r1c2\nkropki white r2c2 r3c2\ngivens\n4...\n....\n...1\n....\n",
            End::Stuck,
        ),
    ] {
        let puzzle = read(text.as_bytes(), "p").unwrap();
        let explanation = puzzle.explain();
        check(&puzzle, &explanation, &mut told);
        let texts: Vec<&str> = explanation.steps.iter().map(|step| &*step.text).collect();
        assert_eq!(explanation.end, end, "{text}{texts:#?}");
    }
}
