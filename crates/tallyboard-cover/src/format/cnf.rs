//! Clauses that have a model for each cover, so that any model counter can check a count.

use std::fmt::Write;

use crate::cover::{Cover, Kind, NO_COLOUR};

/// Up to so many options of an item, a clause forbids each two of them. For more, a chain of further variables is shorter.
const FEW: usize = 12;

/// The cover in DIMACS: a variable for each option, in their order. Further variables are determined by these, so that there are as
/// many models as covers. No item asks for several options.
pub(super) fn write(cover: &Cover) -> String {
    let mut clauses = Clauses { text: String::new(), number: 0, variables: cover.len().max(1) };
    let mut options_of_items: Vec<Vec<(usize, u32)>> = vec![Vec::new(); cover.items().len()];
    for option in 0..cover.len() {
        if !cover.can_choose(option) {
            clauses.add(&[-literal(option)]);
            continue;
        }
        for entry in cover.entries(option) {
            options_of_items[entry.item as usize].push((option, entry.colour));
        }
    }
    for (item, options) in cover.items().iter().zip(&options_of_items) {
        match item.kind() {
            Kind::Primary { low, .. } => {
                let literals: Vec<i64> =
                    options.iter().map(|&(option, _)| literal(option)).collect();
                if low > 0 && literals.is_empty() {
                    // No cover has this item, so no assignment is a model.
                    clauses.add(&[1]);
                    clauses.add(&[-1]);
                } else if low > 0 {
                    clauses.add(&literals);
                }
                clauses.at_most_one(&literals);
            }
            Kind::Secondary => clauses.same_colour(options),
        }
    }
    if cover.is_empty() {
        // The variable that stands for no option.
        clauses.add(&[-1]);
    }
    let Clauses { text, number, variables } = clauses;
    let items = cover.items().len();
    let options = cover.len();
    format!(
        "c {options} options of {items} items: variable n is true if the n-th option is chosen\n\
         p cnf {variables} {number}\n{text}"
    )
}

fn literal(option: usize) -> i64 {
    option as i64 + 1
}

struct Clauses {
    text: String,
    number: usize,
    variables: usize,
}

impl Clauses {
    fn add(&mut self, literals: &[i64]) {
        for literal in literals {
            let _ = write!(self.text, "{literal} ");
        }
        self.text.push_str("0\n");
        self.number += 1;
    }

    /// At most one of the literals is true.
    fn at_most_one(&mut self, literals: &[i64]) {
        if literals.len() <= FEW {
            for (number, &one) in literals.iter().enumerate() {
                literals[..number].iter().for_each(|&other| self.add(&[-other, -one]));
            }
            return;
        }
        // Whether one of the literals so far is true: a variable whose value these determine.
        let mut before = literals[0];
        for &literal in &literals[1..] {
            self.add(&[-before, -literal]);
            self.variables += 1;
            let now = self.variables as i64;
            self.add(&[-before, now]);
            self.add(&[-literal, now]);
            self.add(&[before, literal, -now]);
            before = now;
        }
    }

    /// No two of the options, unless they give the item the same colour.
    fn same_colour(&mut self, options: &[(usize, u32)]) {
        if options.iter().all(|option| option.1 == NO_COLOUR) {
            let literals: Vec<i64> = options.iter().map(|&(option, _)| literal(option)).collect();
            return self.at_most_one(&literals);
        }
        for (number, &(one, colour)) in options.iter().enumerate() {
            for &(other, other_colour) in &options[..number] {
                if colour == NO_COLOUR || colour != other_colour {
                    self.add(&[-literal(other), -literal(one)]);
                }
            }
        }
    }
}
