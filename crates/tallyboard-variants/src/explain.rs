//! The solution of a puzzle in steps that people take, each with the rule that it uses.
//!
//! The steps are singles, relations, cages and other clues, and locked candidates. Where none is left, a candidate is supposed that
//! leads to a contradiction by these steps alone. The explanation of a puzzle that needs more ends there.

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
    /// How many suppositions hold at the step: 0 or 1.
    pub depth: usize,
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
    /// No step is left.
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
    /// Explains the solution, as far as steps go.
    #[doc(hidden)]
    pub fn explain(&self) -> Explanation {
        self.explain_up_to(None)
    }

    /// The steps that the value of a cell follows from, of which the last fills it. They end earlier if it does not follow from
    /// steps, and there are none if the cell is given. The explanation ends [stuck](End::Stuck), since other cells stay open.
    #[doc(hidden)]
    pub fn explain_cell(&self, cell: Cell) -> Explanation {
        self.explain_up_to(self.size().index(cell))
    }

    fn explain_up_to(&self, cell: Option<usize>) -> Explanation {
        let tables = Tables::new(self.rules());
        let mut start = Progress::new(&tables, self);
        start.tell_empty_cell();
        let mut progress = start.clone();
        let mut taken = Vec::new();
        let mut end = progress.run(&mut taken, usize::MAX, cell);
        // The search is asked only where steps do not lead on.
        if end == End::Stuck && !cell.is_some_and(|cell| progress.filled[cell]) {
            let answer = Solver::of_tables(&tables).solve(self, 2);
            if answer.count < 2 {
                end = progress.run_with_trials(&mut taken, answer.first.as_deref(), cell);
            }
        }
        if let Some(cell) = cell.filter(|&cell| progress.filled[cell]) {
            progress = start.why(cell, taken);
            end = End::Stuck;
        }
        progress.explanation(self, end)
    }

    /// The first simple steps of the explanation, at most `most` of them. It ends [stuck](End::Stuck) where they are as many.
    #[doc(hidden)]
    pub fn first_steps(&self, most: usize) -> Explanation {
        let tables = Tables::new(self.rules());
        let mut progress = Progress::new(&tables, self);
        let end = progress.run(&mut Vec::new(), most, None);
        progress.explanation(self, end)
    }
}

/// What a step does, by numbers in the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Action {
    /// A cell of this house is the only one for the value of this bit.
    HiddenSingle(usize, u16),
    /// This cell has one candidate.
    NakedSingle(usize),
    /// This cell excludes candidates of another one by this of its relations.
    Relation(usize, usize),
    /// This clue excludes candidates.
    Clue(usize),
    /// All places of a value in this house see other cells.
    Locked(usize, u16),
    /// That this cell has the value of this bit leads to a contradiction.
    Trial(usize, u16),
}

/// A grid in the middle of its explanation.
#[derive(Clone)]
struct Progress<'a> {
    tables: &'a Tables,
    /// The candidates of each cell.
    sets: Vec<u16>,
    /// The cells whose value was removed from their peers.
    filled: Vec<bool>,
    /// How many suppositions hold.
    depth: usize,
    /// Whether the last step told a contradiction.
    is_told: bool,
    steps: Vec<Step>,
}

/// A contradiction is looked for in so many steps behind a supposition: people follow no longer ones.
const MOST_STEPS_OF_TRIAL: usize = 40;
/// A contradiction within so many steps is short enough: no shorter one is looked for.
const FEW_STEPS: usize = 5;
/// So many steps are tried behind suppositions in a whole explanation, which takes a second or so.
const MOST_TRIED_STEPS: usize = 10_000;

impl<'a> Progress<'a> {
    /// The grid with its givens.
    fn new(tables: &'a Tables, puzzle: &Puzzle) -> Self {
        let sets = Solver::of_tables(tables).start_of(puzzle);
        let filled = vec![false; sets.len()];
        let (depth, is_told, steps) = Default::default();
        let mut start = Self { tables, sets, filled, depth, is_told, steps };
        for (cell, _) in puzzle.givens().iter().enumerate().filter(|(_, given)| **given > 0) {
            start.fill(cell);
        }
        start
    }

    fn explanation(self, puzzle: &Puzzle, mut end: End) -> Explanation {
        // Filling a cell removes its value from its peers alone, so the other rules are checked at the end.
        let values: Vec<u8> = self.sets.iter().map(|&set| least_value(set)).collect();
        if end == End::Solved && !puzzle.is_solved_by(&values) {
            end = End::Contradiction;
        }
        let candidates = Candidates::new(self.tables.size, self.sets);
        Explanation { steps: self.steps, end, candidates }
    }

    /// The simple actions, the easiest first.
    fn simple_actions(&self) -> impl Iterator<Item = Action> + use<'a> {
        let tables = self.tables;
        let in_houses = move |action: fn(usize, u16) -> Action| {
            (0..tables.houses.len()).flat_map(move |house| {
                bits(tables.size.all_values()).map(move |bit| action(house, bit))
            })
        };
        let links = |cell: usize| (0..tables.links[cell].len()).map(move |link| (cell, link));
        let cells = 0..tables.size.cells();
        in_houses(Action::HiddenSingle)
            .chain(cells.clone().map(Action::NakedSingle))
            .chain(cells.flat_map(links).map(|(cell, link)| Action::Relation(cell, link)))
            .chain((0..tables.clues.len()).map(Action::Clue))
            .chain(in_houses(Action::Locked))
    }

    /// Takes simple steps until `most` are `taken` or the `wanted` cell is filled. Returns how they end, in these cases with
    /// [`End::Stuck`].
    fn run(&mut self, taken: &mut Vec<Action>, most: usize, wanted: Option<usize>) -> End {
        loop {
            if self.sets.contains(&0) {
                return End::Contradiction;
            }
            if self.filled.iter().all(|&is_filled| is_filled) {
                return End::Solved;
            }
            if taken.len() >= most || wanted.is_some_and(|cell| self.filled[cell]) {
                return End::Stuck;
            }
            let Some(action) = self.simple_actions().find(|&action| self.take(action)) else {
                return End::Stuck;
            };
            taken.push(action);
        }
    }

    /// As [`run`](Self::run), and with trials of candidates that the only `solution` does not have.
    fn run_with_trials(
        &mut self,
        taken: &mut Vec<Action>,
        solution: Option<&[u8]>,
        wanted: Option<usize>,
    ) -> End {
        let mut left = MOST_TRIED_STEPS;
        loop {
            let end = self.run(taken, usize::MAX, wanted);
            if end != End::Stuck || wanted.is_some_and(|cell| self.filled[cell]) {
                return end;
            }
            let Some(action) = self.shortest_trial(solution, &mut left) else { return End::Stuck };
            self.take(action);
            taken.push(action);
        }
    }

    /// The trial with the fewest steps among the cells with the fewest candidates that have one; `None` also if no steps are `left` to
    /// try.
    fn shortest_trial(&self, solution: Option<&[u8]>, left: &mut usize) -> Option<Action> {
        let is_wrong =
            |cell: usize, bit: u16| solution.is_none_or(|values| least_value(bit) != values[cell]);
        for candidates in 2..=self.tables.size.side() as u32 {
            let mut found = None;
            let mut most = MOST_STEPS_OF_TRIAL;
            for cell in
                (0..self.sets.len()).filter(|&cell| self.sets[cell].count_ones() == candidates)
            {
                for bit in bits(self.sets[cell]).filter(|&bit| is_wrong(cell, bit)) {
                    if most <= FEW_STEPS || *left == 0 {
                        return found;
                    }
                    let (steps, refuted) = self.refute(cell, bit, most);
                    *left = left.saturating_sub(steps + 1);
                    if refuted.is_some() {
                        // Another one is better only if it is shorter.
                        most = steps.saturating_sub(1);
                        found = Some(Action::Trial(cell, bit));
                    }
                }
            }
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// Supposes that a cell has a value. Returns how many steps were taken, at most so many, and the grid behind them if they end in
    /// a contradiction.
    fn refute(&self, cell: usize, bit: u16, most: usize) -> (usize, Option<Self>) {
        let mut tried = Self { depth: self.depth + 1, steps: Vec::new(), ..self.clone() };
        tried.sets[cell] = bit;
        tried.fill(cell);
        let mut taken = Vec::new();
        if tried.run(&mut taken, most, None) != End::Contradiction {
            return (taken.len(), None);
        }
        // A clue that cannot be filled and a house without a place for a value are told by their steps.
        if !tried.is_told {
            tried.tell_empty_cell();
        }
        (taken.len(), Some(tried))
    }

    /// The steps, from here on, of the actions that the value of a cell follows from: those without which the others fill it, too, are
    /// left out, the last first. Actions before a trial stay.
    fn why(&self, cell: usize, mut taken: Vec<Action>) -> Self {
        let replayed = |actions: &[Action]| {
            let mut progress = self.clone();
            actions.iter().for_each(|&action| {
                progress.take(action);
            });
            progress
        };
        let is_trial = |action: &Action| matches!(action, Action::Trial(..));
        let least = taken.iter().rposition(is_trial).map_or(0, |trial| trial + 1);
        for at in (least..taken.len().saturating_sub(1)).rev() {
            let without = [&taken[..at], &taken[at + 1..]].concat();
            let progress = replayed(&without);
            if progress.filled[cell] && !progress.sets.contains(&0) {
                taken = without;
            }
        }
        replayed(&taken)
    }

    /// Does what `action` tells, and adds its step; `false` if it changes nothing.
    fn take(&mut self, action: Action) -> bool {
        match action {
            Action::HiddenSingle(house, bit) => self.take_hidden_single(house, bit),
            Action::NakedSingle(cell) => self.take_naked_single(cell),
            Action::Relation(cell, link) => self.take_relation(cell, link),
            Action::Clue(number) => self.take_clue(&self.tables.clues[number]),
            Action::Locked(house, bit) => self.take_locked(house, bit),
            Action::Trial(cell, bit) => self.take_trial(cell, bit),
        }
    }

    /// Removes a candidate whose supposition leads to a contradiction.
    fn take_trial(&mut self, cell: usize, bit: u16) -> bool {
        if self.sets[cell] & bit == 0 {
            return false;
        }
        let (_, refuted) = self.refute(cell, bit, MOST_STEPS_OF_TRIAL);
        let Some(tried) = refuted else { return false };
        let name = self.name(cell);
        let value = self.tables.size.value_to_char(least_value(bit));
        self.push("trial".to_owned(), format!("suppose that {name} were {value}"));
        self.steps.extend(tried.steps);
        self.push("trial".to_owned(), format!("so {name} cannot be {value}"));
        self.sets[cell] &= !bit;
        true
    }

    fn name(&self, cell: usize) -> String {
        self.tables.size.cell(cell).to_string()
    }

    fn names(&self, cells: &[usize]) -> String {
        let names: Vec<String> = cells.iter().map(|&cell| self.name(cell)).collect();
        names.join(", ")
    }

    /// Adds a step that tells a cell without candidates, if there is one.
    fn tell_empty_cell(&mut self) {
        let Some(cell) = self.sets.iter().position(|&set| set == 0) else { return };
        let sum = self.tables.why_sum(&[cell as u16], "");
        let because = sum.map_or(String::new(), |sum| format!(": {sum}"));
        self.push(String::new(), format!("{} has no value left{because}", self.name(cell)));
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
        self.steps.push(Step { depth: self.depth, rule, text, filled: None });
    }

    /// Adds the step that fills a cell with its only candidate.
    fn push_filled(&mut self, cell: usize, rule: String, reason: &str) {
        let value = least_value(self.sets[cell]);
        let text =
            format!("{} is {}: {reason}", self.name(cell), self.tables.size.value_to_char(value));
        let filled = Some((self.tables.size.cell(cell), value));
        self.steps.push(Step { depth: self.depth, rule, text, filled });
        self.fill(cell);
    }

    /// The cells of a house that can hold the value of `bit`.
    fn places(&self, house: &Group, bit: u16) -> impl Iterator<Item = usize> {
        let cells = house.cells.iter().map(|&cell| usize::from(cell));
        cells.filter(move |&cell| self.sets[cell] & bit != 0)
    }

    /// Fills the only cell of a house that can hold a value.
    fn take_hidden_single(&mut self, house: usize, bit: u16) -> bool {
        let house = &self.tables.houses[house];
        let [first, second] = {
            let mut places = self.places(house, bit);
            [places.next(), places.next()]
        };
        let Some(cell) = first else {
            let value = self.tables.size.value_to_char(least_value(bit));
            let text = format!("{} has no place left for {value}", house.name);
            // A cell without candidates ends the explanation as a contradiction.
            self.sets[usize::from(house.cells[0])] = 0;
            self.is_told = true;
            self.push(house.name.clone(), text);
            return true;
        };
        if second.is_some() || self.filled[cell] {
            return false;
        }
        self.sets[cell] = bit;
        let reason = format!("its only place in {}", house.name);
        self.push_filled(cell, house.name.clone(), &reason);
        true
    }

    /// Fills a cell with one candidate.
    fn take_naked_single(&mut self, cell: usize) -> bool {
        if !self.sets[cell].is_power_of_two() || self.filled[cell] {
            return false;
        }
        let rules = self.rules_that_see(cell);
        // The sum of one cell is known before any step.
        let sum = self.tables.why_sum(&[cell as u16], "");
        let reason = match sum.filter(|_| self.tables.start[cell] == self.sets[cell]) {
            Some(sum) => sum,
            None if rules.is_empty() => "no other value is left".to_owned(),
            None => format!("no other value is left, by {}", rules.join(", ")),
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
    fn take_relation(&mut self, cell: usize, link: usize) -> bool {
        let link = &self.tables.links[cell][link];
        let allowed = self.tables.images[link.relation][usize::from(self.sets[cell])];
        let loses =
            |&other: &usize| contains(&link.cells, other) && self.sets[other] & !allowed != 0;
        let Some(other) = (0..self.sets.len()).find(loses) else { return false };
        let relation = &self.tables.relations[link.relation].text;
        let sum = self.tables.why_sum(&[cell as u16, other as u16], relation);
        let text = format!(
            "{} is not {}: {} is {}, and they have {relation}{}",
            self.name(other),
            choices(self.tables.size, self.sets[other] & !allowed),
            self.name(cell),
            choices(self.tables.size, self.sets[cell]),
            sum.map_or(String::new(), |sum| format!(", as {sum}")),
        );
        self.sets[other] &= allowed;
        self.push(relation.clone(), text);
        true
    }

    /// Removes candidates by a clue, such as a cage, an arrow or a thermometer.
    fn take_clue(&mut self, clue: &Clue) -> bool {
        let before = self.sets_of(clue);
        let mut after = before.clone();
        let sum = |progress: &Self| progress.tables.why_sum(&clue.cells, &clue.name);
        let because = |sum: Option<String>| sum.map_or(String::new(), |sum| format!(", as {sum}"));
        if !clue.apply(&mut after) {
            self.sets[usize::from(clue.cells[0])] = 0;
            self.is_told = true;
            let text = format!("the {} cannot be filled{}", clue.name, because(sum(self)));
            self.push(clue.name.clone(), text);
            return true;
        }
        if before == after {
            return false;
        }
        let mut losses = Vec::new();
        for ((&cell, &before), &after) in clue.cells.iter().zip(&before).zip(&after) {
            if before != after {
                let lost = choices(self.tables.size, before & !after);
                losses.push(format!("{} is not {lost}", self.name(cell.into())));
                self.sets[usize::from(cell)] = after;
            }
        }
        let losses = losses.join(", ");
        let text = match sum(self) {
            Some(reason) => {
                let others: Vec<usize> = clue.cells.iter().map(|&cell| cell.into()).collect();
                let (sum, cells) = (&clue.name, self.names(&others));
                format!("{losses}: the {sum} for {cells} leaves nothing else, as {reason}")
            }
            None => format!("{losses}: the {} leaves nothing else", clue.name),
        };
        self.push(clue.name.clone(), text);
        true
    }

    /// Removes a value from the cells that are peers of all places of this value in a house.
    fn take_locked(&mut self, house: usize, bit: u16) -> bool {
        let house = &self.tables.houses[house];
        let places: Vec<usize> = self.places(house, bit).collect();
        let loses = |&other: &usize| {
            self.sets[other] & bit != 0
                && places.iter().all(|&place| contains(&self.tables.peers[place], other))
        };
        let losers: Vec<usize> = (0..self.sets.len()).filter(loses).collect();
        if losers.is_empty() || places.len() < 2 {
            return false;
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
        true
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
