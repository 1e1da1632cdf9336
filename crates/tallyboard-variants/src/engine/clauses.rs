//! A puzzle as clauses: all of its solutions, if a search that learns from conflicts finds them to be few.
//!
//! Each candidate of a cell is a variable, or one of two that are the two values of one variable. Cells that a rule makes equal share
//! theirs, so that a sum sees them as one term. Rules of lines and sums go from layer to layer: a variable says whether a state was
//! reached, such as the sum of the cells so far.

use std::collections::BTreeMap;

use tallyboard_base::bits::bits;
use tallyboard_search::clauses::{Clauses, FewModels, Literal};
use tallyboard_search::{Stop, Stopped};

use super::propagate::CompiledRules;
use super::state::Cells;
use crate::automaton::Automaton;
use crate::clue::ClueKind;
use crate::occurrences::Occurrences;

/// A puzzle whose solutions are the models of clauses.
#[derive(Debug)]
pub(crate) struct PuzzleClauses {
    models: FewModels,
    /// For each cell, its candidates, each with its place among the literals of a model.
    cells: Vec<Vec<(u8, usize)>>,
}

/// The most literals of all clauses: they take about a tenth of a second then.
pub(crate) const MOST_LITERALS: usize = 1 << 21;

/// A step between two states of a line, by one of these literals.
struct Step {
    from: u32,
    by: Literal,
    to: u32,
}

/// The clauses that are being made.
struct Writer {
    clauses: Clauses,
    /// For each cell, the literal of each of its candidates.
    cells: Vec<BTreeMap<usize, Literal>>,
    /// The literals of all clauses, and the most that there may be.
    literals: usize,
    most: usize,
}

impl PuzzleClauses {
    /// The clauses of a grid with these candidates; `None` if they would have more than `most` literals, or for rules that have none.
    pub fn new<C: Cells, const VALUES: usize>(
        rules: &CompiledRules<C, VALUES>,
        candidates: &[u16],
        most: usize,
    ) -> Option<Self> {
        let has_clauses =
            |kind: &ClueKind| !matches!(kind, ClueKind::Circles(_) | ClueKind::Ranks(_));
        if !rules.clues.iter().all(|clue| has_clauses(&clue.kind)) {
            return None;
        }
        let equals = rules.equal_cells();
        let mut writer = Writer::new(candidates, &equals, most);
        writer.add_peers(rules);
        writer.add_houses(rules);
        writer.add_links(rules);
        writer.add_lines(rules);
        for clue in &rules.clues {
            let cells: Vec<usize> = clue.cells.iter().map(|&cell| cell.into()).collect();
            match &clue.kind {
                ClueKind::Sets(sets) => writer.add_sets(sets, &cells),
                ClueKind::Growing => writer.add_growing(&cells),
                ClueKind::Sum(sum) => writer.add_sum(sum.target(), sum.factors(), &cells, &equals),
                // `add_lines` has written these.
                ClueKind::Line(_) => {}
                ClueKind::Circles(_) | ClueKind::Ranks(_) => return None,
            }
            if writer.are_too_many() {
                return None;
            }
        }
        let mut literals = Vec::new();
        let mut places = BTreeMap::new();
        let mut place = |literal: Literal| {
            *places.entry(literal).or_insert_with(|| {
                literals.push(literal);
                literals.len() - 1
            })
        };
        let cells = writer.cells.iter().map(|cell| {
            cell.iter().map(|(&value, &literal)| (value as u8 + 1, place(literal))).collect()
        });
        let cells = cells.collect();
        Some(Self { models: FewModels::new(writer.clauses, literals), cells })
    }

    /// Looks for all solutions by at most so many further guesses, and returns them in ascending order, each as its values in reading
    /// order, from 1; `None` if they are many, or if the guesses did not suffice.
    ///
    /// # Errors
    /// [`Stopped`] if `stop` is raised.
    pub fn all(&mut self, guesses: u64, stop: &Stop) -> Result<Option<Vec<Vec<u8>>>, Stopped> {
        let cells = &self.cells;
        let Some(models) = self.models.all(guesses, stop)? else { return Ok(None) };
        let value = |cell: &Vec<(u8, usize)>, model: &Vec<bool>| {
            let found = cell.iter().find(|&&(_, place)| model[place]);
            found.expect("each cell has a value in a model").0
        };
        let solution = |model| cells.iter().map(|cell| value(cell, model)).collect();
        let mut solutions: Vec<Vec<u8>> = models.iter().map(solution).collect();
        solutions.sort_unstable();
        Ok(Some(solutions))
    }

    /// Whether there are so many solutions that further tries are of no use.
    pub fn are_many(&self) -> bool {
        self.models.are_many()
    }
}

impl Writer {
    /// The candidates of cells of which those with the same number in `equals` have one value.
    fn new(candidates: &[u16], equals: &[usize], most: usize) -> Self {
        let mut sets = candidates.to_vec();
        for (cell, &first) in equals.iter().enumerate() {
            sets[first] &= candidates[cell];
        }
        let mut writer = Self { clauses: Clauses::new(), cells: Vec::new(), literals: 0, most };
        for (cell, &first) in equals.iter().enumerate() {
            let literals = if first < cell {
                writer.cells[first].clone()
            } else {
                writer.candidates(sets[cell])
            };
            writer.cells.push(literals);
        }
        writer
    }

    /// New variables for the candidates of a cell.
    fn candidates(&mut self, set: u16) -> BTreeMap<usize, Literal> {
        let values: Vec<usize> = bits(set).map(|bit| bit.trailing_zeros() as usize).collect();
        if let [one, other] = values[..] {
            let literal = self.clauses.variable();
            return BTreeMap::from([(one, literal), (other, !literal)]);
        }
        let literals: Vec<Literal> = values.iter().map(|_| self.clauses.variable()).collect();
        self.clauses.exactly(&literals, 1);
        values.into_iter().zip(literals).collect()
    }

    fn add(&mut self, literals: &[Literal]) {
        self.literals += literals.len();
        self.clauses.add(literals);
    }

    /// Whether there are more literals than there may be.
    fn are_too_many(&self) -> bool {
        self.literals > self.most
    }

    fn add_peers<C: Cells, const VALUES: usize>(&mut self, rules: &CompiledRules<C, VALUES>) {
        for (cell, &peers) in rules.peers.iter().enumerate() {
            for other in members(peers).filter(|&other| other < cell) {
                for (value, literal) in self.cells[cell].clone() {
                    if let Some(&same) = self.cells[other].get(&value) {
                        self.add(&[!literal, !same]);
                    }
                }
            }
        }
    }

    /// Each value is in a cell of each house.
    fn add_houses<C: Cells, const VALUES: usize>(&mut self, rules: &CompiledRules<C, VALUES>) {
        for &house in &rules.houses {
            for value in bits(rules.all_values).map(|bit| bit.trailing_zeros() as usize) {
                let places =
                    members(house).filter_map(|cell| self.cells[cell].get(&value).copied());
                let places: Vec<Literal> = places.collect();
                self.add(&places);
            }
        }
    }

    /// Rules of lines. Those over the same cells together bound in how many of these a value is; rules that say nothing else need no
    /// states.
    fn add_lines<C: Cells, const VALUES: usize>(&mut self, rules: &CompiledRules<C, VALUES>) {
        let mut bounds: BTreeMap<Vec<usize>, Occurrences> = BTreeMap::new();
        for clue in &rules.clues {
            let ClueKind::Line(automaton) = &clue.kind else { continue };
            let cells: Vec<usize> = clue.cells.iter().map(|&cell| cell.into()).collect();
            let mut sorted = cells.clone();
            sorted.sort_unstable();
            sorted.dedup();
            // A cell that is read twice counts once in no bound.
            let is_read_once = sorted.len() == cells.len();
            let Some(found) = Occurrences::of(automaton, cells.len(), VALUES) else {
                return self.add(&[]);
            };
            if !is_read_once || !found.are_all_of(automaton) {
                self.add_line(automaton, &cells);
            }
            if is_read_once {
                bounds.entry(sorted).and_modify(|known| known.restrict(&found)).or_insert(found);
            }
        }
        for (cells, occurrences) in bounds {
            for (value, &[least, most]) in occurrences.bounds().iter().enumerate() {
                let places = cells.iter().filter_map(|&cell| self.cells[cell].get(&value));
                let places: Vec<Literal> = places.copied().collect();
                self.add_between(&places, least, most);
            }
        }
    }

    /// So many of these literals are true, at least and at most.
    fn add_between(&mut self, literals: &[Literal], least: usize, most: usize) {
        match least {
            0 if most >= literals.len() => {}
            1 if most >= literals.len() => self.add(literals),
            _ => {
                self.clauses.between(literals, least, most);
                self.literals += literals.len() * literals.len().min(4 * most);
            }
        }
    }

    fn add_line(&mut self, automaton: &Automaton, cells: &[usize]) {
        let steps = |layer: usize| {
            let cell = &self.cells[cells[layer]];
            let steps = automaton.steps(layer).flat_map(|(from, values, to)| {
                let taken = cell.iter().filter(move |(value, _)| values >> **value & 1 == 1);
                taken.map(move |(_, &by)| Step { from, by, to })
            });
            steps.collect()
        };
        let layers: Vec<Vec<Step>> = (0..cells.len()).map(steps).collect();
        self.add_layers(layers);
    }

    fn add_links<C: Cells, const VALUES: usize>(&mut self, rules: &CompiledRules<C, VALUES>) {
        for (cell, links) in rules.links.iter().enumerate() {
            for &(image, linked) in links {
                for other in members(linked) {
                    self.relate(cell, other, |value| rules.images[image][1 << value]);
                }
            }
        }
    }

    /// Where a cell has a value, another has one of those `beside` it.
    fn relate(&mut self, cell: usize, other: usize, beside: impl Fn(usize) -> u16) {
        for (value, literal) in self.cells[cell].clone() {
            let allowed = beside(value);
            let others = self.cells[other].iter().filter(|(value, _)| allowed >> **value & 1 == 1);
            let clause: Vec<Literal> = others.map(|(_, &other)| other).chain([!literal]).collect();
            self.add(&clause);
        }
    }

    fn add_growing(&mut self, cells: &[usize]) {
        for pair in cells.windows(2) {
            self.relate(pair[0], pair[1], |value| !((2_u32 << value) - 1) as u16);
            self.relate(pair[1], pair[0], |value| ((1_u32 << value) - 1) as u16);
        }
    }

    /// The values of the cells, which differ, are together one of these sets.
    fn add_sets(&mut self, sets: &[u16], cells: &[usize]) {
        let chosen: Vec<Literal> = sets.iter().map(|_| self.clauses.variable()).collect();
        self.add(&chosen);
        for (&set, &is_chosen) in sets.iter().zip(&chosen) {
            let values = || bits(set).map(|bit| bit.trailing_zeros() as usize);
            let holds =
                |writer: &Self, cell: usize, value: usize| writer.cells[cell].get(&value).copied();
            for &cell in cells {
                let any = values().filter_map(|value| holds(self, cell, value));
                let clause: Vec<Literal> = any.chain([!is_chosen]).collect();
                self.add(&clause);
            }
            for value in values() {
                let any = cells.iter().filter_map(|&cell| holds(self, cell, value));
                let clause: Vec<Literal> = any.chain([!is_chosen]).collect();
                self.add(&clause);
            }
        }
    }

    /// The sum of the values, each times its factor. Cells that are equal are one term.
    fn add_sum(
        &mut self,
        target: i64,
        factors: impl Iterator<Item = i64>,
        cells: &[usize],
        equals: &[usize],
    ) {
        let mut terms: Vec<(usize, i64)> = Vec::new();
        for (&cell, factor) in cells.iter().zip(factors) {
            match terms.iter_mut().find(|term| term.0 == equals[cell]) {
                Some(term) => term.1 += factor,
                None => terms.push((equals[cell], factor)),
            }
        }
        let product = |value: usize, factor: i64| (value as i64 + 1) * factor;
        // The least and the greatest sum of the terms behind each.
        let mut rests = vec![(0_i64, 0_i64)];
        for &(cell, factor) in terms.iter().rev() {
            let products = || self.cells[cell].keys().map(|&value| product(value, factor));
            let (low, high) = rests[rests.len() - 1];
            rests.push((low + products().min().unwrap_or(0), high + products().max().unwrap_or(0)));
        }
        rests.pop();
        let mut sums = BTreeMap::from([(0_i64, 0_u32)]);
        let mut layers = Vec::new();
        for (&(cell, factor), (low, high)) in terms.iter().zip(rests.into_iter().rev()) {
            let (mut next, mut steps) = (BTreeMap::new(), Vec::new());
            for (sum, from) in sums {
                for (&value, &by) in &self.cells[cell] {
                    let after = sum + product(value, factor);
                    if (target - high..=target - low).contains(&after) {
                        let fresh = next.len() as u32;
                        let to = *next.entry(after).or_insert(fresh);
                        steps.push(Step { from, by, to });
                    }
                }
            }
            layers.push(steps);
            sums = next;
        }
        self.add_layers(layers);
    }

    /// One step of each layer is taken, from state 0 before the first to any state behind the last.
    fn add_layers(&mut self, mut layers: Vec<Vec<Step>>) {
        keep_whole_ways(&mut layers);
        let start = self.clauses.variable();
        self.add(&[start]);
        let mut before = BTreeMap::from([(0, start)]);
        for steps in layers {
            if self.are_too_many() {
                return;
            }
            let mut after = BTreeMap::new();
            for step in &steps {
                after.entry(step.to).or_insert_with(|| self.clauses.variable());
            }
            // What one of a state and a literal, or a state alone, leads to, forward and back.
            let mut implied: BTreeMap<(Literal, Option<Literal>), Vec<Literal>> = BTreeMap::new();
            let literals: Vec<Literal> = {
                let mut by: Vec<Literal> = steps.iter().map(|step| step.by).collect();
                by.sort_unstable();
                by.dedup();
                by
            };
            // A cell with a value that has no step here would satisfy all of the clauses below.
            self.add(&literals);
            for &state in before.values().chain(after.values()) {
                implied.insert((state, None), Vec::new());
                for &by in &literals {
                    implied.insert((state, Some(by)), Vec::new());
                }
            }
            for Step { from, by, to } in steps {
                let (from, to) = (before[&from], after[&to]);
                for (state, other) in [(from, to), (to, from)] {
                    for by in [None, Some(by)] {
                        implied.entry((state, by)).or_default().push(other);
                    }
                }
            }
            for ((state, by), mut clause) in implied {
                clause.push(!state);
                clause.extend(by.map(|by| !by));
                self.add(&clause);
            }
            before = after;
        }
    }
}

/// Keeps the steps that lie on a way from state 0 to the end.
fn keep_whole_ways(layers: &mut [Vec<Step>]) {
    let mut reached = vec![0];
    for steps in layers.iter_mut() {
        steps.retain(|step| reached.binary_search(&step.from).is_ok());
        reached = steps.iter().map(|step| step.to).collect();
        reached.sort_unstable();
    }
    for layer in (1..layers.len()).rev() {
        let mut alive: Vec<u32> = layers[layer].iter().map(|step| step.from).collect();
        alive.sort_unstable();
        layers[layer - 1].retain(|step| alive.binary_search(&step.to).is_ok());
    }
}

/// The cells of a set.
fn members<C: Cells>(set: C) -> impl Iterator<Item = usize> {
    let mut left = set;
    std::iter::from_fn(move || {
        let first = (!left.is_empty()).then(|| left.first())?;
        left = left.without_first();
        Some(first)
    })
}
