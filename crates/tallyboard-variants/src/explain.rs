//! The solution of a puzzle in steps that people take, each with the rule that it uses.
//!
//! The steps are singles, relations, cages and other clues, and locked candidates. The explanation of a puzzle that needs
//! other steps ends where they are needed.

use std::collections::BTreeSet;

use tallyboard_base::bits::bits;

use crate::clue::Clue;
use crate::grid::{Cell, Size, least_value};
use crate::puzzle::{Candidates, Puzzle, set_text, values_of};
use crate::set::contains;
use crate::solver::Solver;
use crate::tables::{Group, Tables};

/// A step of an explanation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The rule that it uses, as in `row 3`, `anti-knight` or `cage of r1c1`.
    pub rule: String,
    /// The step in a sentence.
    pub text: String,
    /// The cell that it fills, and its value; `None` if the step only removes candidates.
    pub filled: Option<(Cell, u8)>,
}

/// How an explanation ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// Every cell is filled.
    Solved,
    /// A cell has no value left: there is no solution.
    Contradiction,
    /// No simple step is left.
    Stuck,
}

/// The steps, and the candidates that they leave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// The steps in their order.
    pub steps: Vec<Step>,
    /// How the explanation ends.
    pub end: End,
    /// The candidates that are left.
    pub candidates: Candidates,
}

impl Puzzle {
    /// Explains the solution, as far as simple steps go.
    #[doc(hidden)]
    pub fn explain(&self) -> Explanation {
        let mut explanation = self.first_steps(usize::MAX);
        // Filling a cell removes its value from its peers alone, so the other rules are checked at the end.
        let values: Vec<u8> =
            explanation.candidates.sets().iter().map(|&set| least_value(set)).collect();
        if explanation.end == End::Solved && !self.is_solved_by(&values) {
            explanation.end = End::Contradiction;
        }
        explanation
    }

    /// The first steps of the explanation, at most `most` of them. It ends [stuck](End::Stuck) where they are as many.
    #[doc(hidden)]
    pub fn first_steps(&self, most: usize) -> Explanation {
        let tables = Tables::new(self.rules());
        let start = Solver::of_tables(&tables).start_of(self);
        let given = self.givens().iter().map(|&given| given > 0).collect();
        explain(&tables, start, given, most)
    }
}

/// A grid in the middle of its explanation.
struct Progress<'a> {
    tables: &'a Tables,
    /// The candidates of each cell.
    sets: Vec<u16>,
    /// The cells whose value was removed from their peers.
    filled: Vec<bool>,
    steps: Vec<Step>,
}

/// Explains a grid with these candidates by at most `most` steps. `given` tells for each cell whether it is given.
fn explain(tables: &Tables, sets: Vec<u16>, given: Vec<bool>, most: usize) -> Explanation {
    let filled = vec![false; sets.len()];
    let mut progress = Progress { tables, sets, filled, steps: Vec::new() };
    for cell in (0..given.len()).filter(|&cell| given[cell]) {
        progress.fill(cell);
    }
    let end = loop {
        if progress.sets.contains(&0) {
            break End::Contradiction;
        }
        if progress.filled.iter().all(|&is_filled| is_filled) {
            break End::Solved;
        }
        let found = progress.steps.len() < most && progress.step();
        if !found {
            break End::Stuck;
        }
    };
    let candidates = Candidates::new(tables.size, progress.sets);
    Explanation { steps: progress.steps, end, candidates }
}

impl Progress<'_> {
    fn name(&self, cell: usize) -> String {
        self.tables.size.cell(cell).to_string()
    }

    fn names(&self, cells: &[usize]) -> String {
        let names: Vec<String> = cells.iter().map(|&cell| self.name(cell)).collect();
        names.join(", ")
    }

    /// Takes the simplest step that there is.
    fn step(&mut self) -> bool {
        self.step_by_hidden_single()
            || self.step_by_naked_single()
            || self.step_by_relation()
            || self.step_by_clue()
            || self.step_by_locked_candidates()
    }

    /// Removes the value of a cell with one candidate from its peers.
    fn fill(&mut self, cell: usize) {
        self.filled[cell] = true;
        let value = self.sets[cell];
        for other in 0..self.sets.len() {
            if contains(&self.tables.peers[cell], other) {
                self.sets[other] &= !value;
            }
        }
    }

    /// Adds a step that fills no cell.
    fn push(&mut self, rule: String, text: String) {
        self.steps.push(Step { rule, text, filled: None });
    }

    /// Adds the step that fills a cell with its only candidate.
    fn push_filled(&mut self, cell: usize, rule: String, reason: &str) {
        let value = least_value(self.sets[cell]);
        let text =
            format!("{} is {}: {reason}", self.name(cell), self.tables.size.value_to_char(value));
        let filled = Some((self.tables.size.cell(cell), value));
        self.steps.push(Step { rule, text, filled });
        self.fill(cell);
    }

    /// The cells of a house that can hold the value of `bit`.
    fn places(&self, house: &Group, bit: u16) -> impl Iterator<Item = usize> {
        let cells = house.cells.iter().map(|&cell| usize::from(cell));
        cells.filter(move |&cell| self.sets[cell] & bit != 0)
    }

    /// Fills the only cell of a house that can hold a value.
    fn step_by_hidden_single(&mut self) -> bool {
        for house in &self.tables.houses {
            for bit in bits(self.tables.size.all_values()) {
                let [first, second] = {
                    let mut places = self.places(house, bit);
                    [places.next(), places.next()]
                };
                let Some(cell) = first else {
                    let value = self.tables.size.value_to_char(least_value(bit));
                    let text = format!("{} has no place left for {value}", house.name);
                    // A cell without candidates ends the explanation as a contradiction.
                    self.sets[usize::from(house.cells[0])] = 0;
                    self.push(house.name.clone(), text);
                    return true;
                };
                if second.is_none() && !self.filled[cell] {
                    self.sets[cell] = bit;
                    let reason = format!("its only place in {}", house.name);
                    self.push_filled(cell, house.name.clone(), &reason);
                    return true;
                }
            }
        }
        false
    }

    /// Fills a cell with one candidate.
    fn step_by_naked_single(&mut self) -> bool {
        let is_single = |&cell: &usize| self.sets[cell].is_power_of_two() && !self.filled[cell];
        let Some(cell) = (0..self.sets.len()).find(is_single) else { return false };
        let rules = self.rules_that_see(cell);
        let reason = if rules.is_empty() {
            "no other value is left".to_owned()
        } else {
            format!("no other value is left, by {}", rules.join(", "))
        };
        self.push_filled(cell, rules.join(", "), &reason);
        true
    }

    /// The rules by which filled cells exclude values from a cell.
    fn rules_that_see(&self, cell: usize) -> Vec<String> {
        let mut rules = BTreeSet::new();
        let mut missing = self.tables.size.all_values() & !self.sets[cell];
        for other in (0..self.sets.len()).filter(|&other| self.filled[other]) {
            if missing & self.sets[other] == 0 {
                continue;
            }
            if let Some(rule) = self.tables.why_different(cell as u16, other as u16) {
                rules.insert(rule.to_owned());
                missing &= !self.sets[other];
            }
        }
        rules.into_iter().collect()
    }

    /// Removes candidates of a cell by its relation to another cell.
    fn step_by_relation(&mut self) -> bool {
        for cell in 0..self.sets.len() {
            for link in &self.tables.links[cell] {
                let allowed = self.tables.images[link.relation][usize::from(self.sets[cell])];
                let loses = |&other: &usize| {
                    contains(&link.cells, other) && self.sets[other] & !allowed != 0
                };
                let Some(other) = (0..self.sets.len()).find(loses) else { continue };
                let text = format!(
                    "{} is not {}: {} is {}, and they have {}",
                    self.name(other),
                    choices(self.tables.size, self.sets[other] & !allowed),
                    self.name(cell),
                    choices(self.tables.size, self.sets[cell]),
                    self.tables.relations[link.relation].text
                );
                self.sets[other] &= allowed;
                self.push(self.tables.relations[link.relation].text.clone(), text);
                return true;
            }
        }
        false
    }

    /// Removes candidates by a clue, such as a cage, an arrow or a thermometer.
    fn step_by_clue(&mut self) -> bool {
        for clue in &self.tables.clues {
            let before = self.sets_of(clue);
            let mut after = before.clone();
            if !clue.apply(&mut after) {
                self.sets[usize::from(clue.cells[0])] = 0;
                let text = format!("the {} cannot be filled", clue.name);
                self.push(clue.name.clone(), text);
                return true;
            }
            if before == after {
                continue;
            }
            let mut losses = Vec::new();
            for ((&cell, &before), &after) in clue.cells.iter().zip(&before).zip(&after) {
                if before != after {
                    let lost = choices(self.tables.size, before & !after);
                    losses.push(format!("{} is not {lost}", self.name(cell.into())));
                    self.sets[usize::from(cell)] = after;
                }
            }
            let text = format!("{}: the {} leaves nothing else", losses.join(", "), clue.name);
            self.push(clue.name.clone(), text);
            return true;
        }
        false
    }

    /// Removes a value from the cells that are peers of all places of this value in a house.
    fn step_by_locked_candidates(&mut self) -> bool {
        for house in &self.tables.houses {
            for bit in bits(self.tables.size.all_values()) {
                let places: Vec<usize> = self.places(house, bit).collect();
                let loses = |&other: &usize| {
                    self.sets[other] & bit != 0
                        && places.iter().all(|&place| contains(&self.tables.peers[place], other))
                };
                let losers: Vec<usize> = (0..self.sets.len()).filter(loses).collect();
                if losers.is_empty() || places.len() < 2 {
                    continue;
                }
                let value = self.tables.size.value_to_char(least_value(bit));
                let text = format!(
                    "{} {} not {value}: {} has it in {}, all of which see it",
                    self.names(&losers),
                    if losers.len() == 1 { "is" } else { "are" },
                    house.name,
                    self.names(&places)
                );
                losers.iter().for_each(|&cell| self.sets[cell] &= !bit);
                self.push(house.name.clone(), text);
                return true;
            }
        }
        false
    }

    /// The candidates of the cells of a clue.
    fn sets_of(&self, clue: &Clue) -> Vec<u16> {
        clue.cells.iter().map(|&cell| self.sets[usize::from(cell)]).collect()
    }
}

/// The values of a set with `or` between the last two; `.` if there are none.
fn choices(size: Size, set: u16) -> String {
    let texts: Vec<String> =
        values_of(set).into_iter().map(|value| size.value_to_char(value).to_string()).collect();
    match &texts[..] {
        [] => set_text(size, set),
        [single] => single.clone(),
        [before @ .., last] => format!("{} or {last}", before.join(", ")),
    }
}
