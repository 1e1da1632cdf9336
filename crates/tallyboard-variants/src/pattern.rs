//! Patterns of the values along a line that setters write: regular expressions, and automata step by step.
//!
//! Both become the states of one nondeterministic automaton. Of an expression these are its places for values (the automaton
//! of V. Glushkov, 1961): a place leads to those that may follow it, so that no step is without a value.

use std::collections::BTreeSet;
use std::fmt;

use crate::error::Error;
use crate::grid::value_to_char;

/// More than the patterns that people write, and few enough for a table of each cell.
const MOST_STATES: usize = 1_024;
/// The most brackets inside of others.
const MOST_BRACKETS: usize = 64;
/// The values of all sizes, 0 to 16: bit `v` is value `v`.
const ALL_VALUES: u32 = (1 << 17) - 1;
/// What an expression looks like, for messages.
const EXPRESSION: &str =
    "an expression of values, such as 1[2-4].*(56|65)?, with at most 1024 places, and cells";
/// What the steps of an automaton look like, for messages.
const STEPS: &str = "steps and ends between commas, such as odd:[13579]:even,even:.:odd,odd! with at most 1024 \
                     states, and cells";

/// A pattern that the values of some cells have to match, from the first cell to the last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    kind: Kind,
    text: String,
    /// For each state the values that lead to others. A line starts in state 0.
    steps: Vec<Vec<(u32, usize)>>,
    /// For each state whether a line may end in it.
    is_end: Vec<bool>,
}

/// How a pattern is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Expression,
    Steps,
}

impl Pattern {
    /// The pattern of a regular expression over values: `7`, `.` for any, `[1-35]` and `[^24]` for some, `()`, `|`, `*`, `+`,
    /// `?`, `{2}`, `{2,}` and `{2,4}`. All cells have to match it, not some of them.
    ///
    /// # Errors
    /// [`Error::Words`] if it is no such expression, or too long.
    pub fn expression(text: &str) -> Result<Self, Error> {
        let mut reader = Reader::new(text);
        let found = reader.alternatives().filter(|_| reader.rest().is_empty());
        let whole = found.ok_or_else(|| wrong("matches", text, EXPRESSION))?;
        let places = reader.places;
        let steps_to = |next: &BTreeSet<usize>| -> Vec<(u32, usize)> {
            next.iter().map(|&place| (places[place], place + 1)).collect()
        };
        let mut steps = vec![steps_to(&whole.first)];
        steps.extend(reader.next.iter().map(steps_to));
        let mut is_end = vec![whole.may_be_empty];
        is_end.extend((0..places.len()).map(|place| whole.last.contains(&place)));
        Ok(Self { kind: Kind::Expression, text: text.to_owned(), steps, is_end })
    }

    /// The pattern of an automaton: between commas, `from:values:to` for a step and `state!` for a state in which the line may
    /// end. Values are written as in an expression. The line starts in the first state, and may be in several at a time.
    ///
    /// # Errors
    /// [`Error::Words`] if these are no such steps, or too many states.
    pub fn steps(text: &str) -> Result<Self, Error> {
        let error = || wrong("automaton", text, STEPS);
        let mut names: Vec<&str> = Vec::new();
        let mut steps: Vec<Vec<(u32, usize)>> = Vec::new();
        let mut is_end: Vec<bool> = Vec::new();
        for item in text.split(',') {
            let mut state = |name| {
                let number = names.iter().position(|&known| known == name).unwrap_or(names.len());
                if number == names.len() {
                    names.push(name);
                    steps.push(Vec::new());
                    is_end.push(false);
                }
                let is_name = !name.is_empty() && name.chars().all(char::is_alphanumeric);
                (is_name && number < MOST_STATES).then_some(number).ok_or_else(error)
            };
            if let Some(name) = item.strip_suffix('!') {
                let end = state(name)?;
                is_end[end] = true;
                continue;
            }
            let [from, values, to] = item.split(':').collect::<Vec<_>>()[..] else {
                return Err(error());
            };
            let (from, to) = (state(from)?, state(to)?);
            let mut reader = Reader::new(values);
            let values = reader.values().filter(|_| reader.rest().is_empty()).ok_or_else(error)?;
            steps[from].push((values, to));
        }
        Ok(Self { kind: Kind::Steps, text: text.to_owned(), steps, is_end })
    }

    /// The name of the rule in the text form.
    pub fn name(&self) -> &'static str {
        match self.kind {
            Kind::Expression => "matches",
            Kind::Steps => "automaton",
        }
    }

    /// The states after a value.
    pub(crate) fn after(&self, state: usize, value: u32) -> impl Iterator<Item = usize> {
        let steps = self.steps[state].iter();
        steps.filter(move |(values, _)| values >> value & 1 == 1).map(|&(_, next)| next)
    }

    /// Whether a line may end in a state.
    pub(crate) fn may_end(&self, state: usize) -> bool {
        self.is_end[state]
    }

    /// Whether the values match.
    pub(crate) fn accepts(&self, values: impl IntoIterator<Item = u32>) -> bool {
        let after = |states: BTreeSet<usize>, value| {
            states.into_iter().flat_map(|state| self.after(state, value)).collect()
        };
        let ends = values.into_iter().fold(BTreeSet::from([0]), after);
        ends.into_iter().any(|state| self.may_end(state))
    }
}

/// As it was written.
impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.text)
    }
}

fn wrong(rule: &str, found: &str, expected: &'static str) -> Error {
    Error::Words { rule: rule.to_owned(), found: found.to_owned(), expected }
}

/// A part of an expression: whether it may match nothing, and the places at which it may begin and end.
#[derive(Debug, Clone)]
struct Part {
    may_be_empty: bool,
    first: BTreeSet<usize>,
    last: BTreeSet<usize>,
}

impl Part {
    fn nothing() -> Self {
        Self { may_be_empty: true, first: BTreeSet::new(), last: BTreeSet::new() }
    }
}

/// Reads an expression; its methods return `None` where it is wrong.
struct Reader {
    characters: Vec<char>,
    at: usize,
    /// The brackets that are open.
    depth: usize,
    /// The values of each place.
    places: Vec<u32>,
    /// The places that may follow each place.
    next: Vec<BTreeSet<usize>>,
}

impl Reader {
    fn new(text: &str) -> Self {
        let characters = text.chars().collect();
        Self { characters, at: 0, depth: 0, places: Vec::new(), next: Vec::new() }
    }

    /// What was not read.
    fn rest(&self) -> &[char] {
        &self.characters[self.at..]
    }

    /// Reads `wanted` if it comes next.
    fn take(&mut self, wanted: char) -> bool {
        let is_next = self.rest().first() == Some(&wanted);
        self.at += usize::from(is_next);
        is_next
    }

    fn alternatives(&mut self) -> Option<Part> {
        let mut whole = self.sequence()?;
        while self.take('|') {
            let other = self.sequence()?;
            whole.may_be_empty |= other.may_be_empty;
            whole.first.extend(other.first);
            whole.last.extend(other.last);
        }
        Some(whole)
    }

    fn sequence(&mut self) -> Option<Part> {
        let mut whole = Part::nothing();
        while !matches!(self.rest().first(), None | Some('|' | ')')) {
            let part = self.repeated()?;
            whole = self.joined(whole, part);
        }
        Some(whole)
    }

    /// One part behind another.
    fn joined(&mut self, one: Part, other: Part) -> Part {
        for &place in &one.last {
            self.next[place].extend(&other.first);
        }
        let mut whole = Part {
            may_be_empty: one.may_be_empty && other.may_be_empty,
            first: one.first,
            last: other.last,
        };
        if one.may_be_empty {
            whole.first.extend(other.first);
        }
        if other.may_be_empty {
            whole.last.extend(one.last);
        }
        whole
    }

    /// A part, and how often it is there.
    fn repeated(&mut self) -> Option<Part> {
        let start = self.at;
        let mut part = self.single()?;
        let Some((least, most)) = self.times()? else { return Some(part) };
        let end = self.at;
        // A part that is there several times has places of its own for each time.
        let mut whole = Part::nothing();
        for time in 1..=most.unwrap_or(least.max(1)) {
            if time > 1 {
                self.at = start;
                part = self.single()?;
            }
            part.may_be_empty |= time > least;
            whole = self.joined(whole, part.clone());
        }
        if most.is_none() {
            for &place in &part.last {
                self.next[place].extend(&part.first);
            }
        }
        self.at = end;
        Some(whole)
    }

    /// How often the part before may be there: at least, and at most if there is such a number. `Some(None)`: once.
    fn times(&mut self) -> Option<Option<(usize, Option<usize>)>> {
        if self.take('*') {
            return Some(Some((0, None)));
        }
        if self.take('+') {
            return Some(Some((1, None)));
        }
        if self.take('?') {
            return Some(Some((0, Some(1))));
        }
        if !self.take('{') {
            return Some(None);
        }
        let least = self.number()?;
        let most = match self.take(',') {
            false => Some(least),
            true if self.rest().first() == Some(&'}') => None,
            true => Some(self.number()?),
        };
        let is_right = self.take('}') && most.is_none_or(|most| most >= least);
        is_right.then_some(Some((least, most)))
    }

    fn number(&mut self) -> Option<usize> {
        let digits = self.rest().iter().take_while(|c| c.is_ascii_digit()).count();
        let text: String = self.rest()[..digits].iter().collect();
        self.at += digits;
        text.parse().ok().filter(|&number| number <= 255)
    }

    /// An expression in brackets, or a place for one value.
    fn single(&mut self) -> Option<Part> {
        if self.take('(') {
            self.depth += 1;
            let inner =
                if self.depth < MOST_BRACKETS { self.alternatives()? } else { return None };
            self.depth -= 1;
            // Brackets around nothing could be repeated without an end.
            return (self.take(')') && !inner.first.is_empty()).then_some(inner);
        }
        let values = self.values()?;
        let place = self.places.len();
        self.places.push(values);
        self.next.push(BTreeSet::new());
        let itself = BTreeSet::from([place]);
        let part = Part { may_be_empty: false, first: itself.clone(), last: itself };
        (place + 1 < MOST_STATES).then_some(part)
    }

    /// A value, `.` or a class such as `[^1-35]`.
    fn values(&mut self) -> Option<u32> {
        if self.take('.') {
            return Some(ALL_VALUES);
        }
        if !self.take('[') {
            return Some(1 << self.value()?);
        }
        let is_without = self.take('^');
        let mut set = 0;
        while !self.take(']') {
            let first = self.value()?;
            let last = if self.take('-') { self.value()? } else { first };
            if last < first {
                return None;
            }
            set |= (2 << last) - (1 << first);
        }
        Some(if is_without { ALL_VALUES & !set } else { set })
    }

    fn value(&mut self) -> Option<u32> {
        let &character = self.rest().first()?;
        self.at += 1;
        (0..=16)
            .find(|&value| value_to_char(value) == character.to_ascii_uppercase())
            .map(u32::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &Pattern, values: &str) -> bool {
        pattern.accepts(values.chars().filter_map(|c| c.to_digit(17)))
    }

    #[test]
    fn expressions_match_what_they_say() {
        for (text, right, wrong) in [
            ("12", "12", "1 2 21 122"),
            ("1|23", "1 23", "13 3 123"),
            ("[1-35]", "1 2 3 5", "4 6 12"),
            ("[^1-35]4", "44 64 04", "14 54"),
            ("(12)*", "12 1212", "1 121 21"),
            ("(12)+3", "123 12123", "3 1213"),
            ("1?2", "2 12", "1 112"),
            ("1{2}", "11", "1 111"),
            ("(1|2){2,}3", "123 1113 21213", "13 3"),
            ("1{0,2}2", "2 12 112", "1112 1"),
            ("1{0}2", "2", "12"),
            (".*9A", "9A 89A 99A", "9 A9"),
            ("(1?2?)*3", "3 13 23 2113", "1 4"),
        ] {
            let pattern = Pattern::expression(text).unwrap();
            assert_eq!(pattern.to_string(), text);
            right.split(' ').for_each(|line| assert!(matches(&pattern, line), "{text} {line}"));
            wrong.split(' ').for_each(|line| assert!(!matches(&pattern, line), "{text} {line}"));
        }
        assert!(matches(&Pattern::expression("1*").unwrap(), ""));
        for wrong in [
            "(", "1)", "()", "(|)*", "[", "[3-1]", "[1", "*", "1**", "1{", "1{2", "1{3,2}", "x",
            "1{1025}",
        ] {
            assert!(Pattern::expression(wrong).is_err(), "{wrong}");
        }
        assert!(Pattern::expression(&("(".repeat(63) + "1" + &")".repeat(63))).is_ok());
        assert!(Pattern::expression(&("(".repeat(64) + "1" + &")".repeat(64))).is_err());
        assert!(Pattern::expression(&"1".repeat(1_023)).is_ok());
        assert!(Pattern::expression(&"1".repeat(1_024)).is_err());
    }

    #[test]
    fn automata_follow_their_steps() {
        let turns = Pattern::steps("odd:[13579]:even,even:[2468]:odd,even!").unwrap();
        for (line, expected) in [("1", true), ("123", true), ("12", false), ("21", false)] {
            assert_eq!(matches(&turns, line), expected, "{line}");
        }
        // In several states at a time: the last value but one is 3.
        let choice = Pattern::steps("a:.:a,a:3:b,b:.:c,c!").unwrap();
        assert!(matches(&choice, "1334") && !matches(&choice, "1343"));
        for wrong in ["", "a", "a:1", "a:12:b", "a:1:b:2", ":1:b", "a:1:b,!", "a:x:b"] {
            assert!(Pattern::steps(wrong).is_err(), "{wrong}");
        }
    }
}
