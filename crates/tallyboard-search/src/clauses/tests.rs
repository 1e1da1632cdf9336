//! Random clauses and sums against all assignments.

use tallyboard_base::random::Random;

use super::{Clauses, FewModels, Found, Literal};
use crate::Stop;

fn variables(clauses: &mut Clauses, number: usize) -> Vec<Literal> {
    (0..number).map(|_| clauses.variable()).collect()
}

fn solve(clauses: &mut Clauses, assumptions: &[Literal]) -> Found {
    clauses.solve(assumptions, u64::MAX, &Stop::new()).unwrap()
}

/// Every model, each excluded by a clause once it was found.
fn models(clauses: &mut Clauses, literals: &[Literal], assumptions: &[Literal]) -> Vec<u32> {
    let mut found = Vec::new();
    while solve(clauses, assumptions) == Found::Model {
        let values: Vec<bool> = literals.iter().map(|&literal| clauses.value(literal)).collect();
        found.push(values.iter().rev().fold(0, |word, &value| word << 1 | u32::from(value)));
        let other = literals.iter().zip(&values);
        let other: Vec<Literal> =
            other.map(|(&literal, &value)| if value { !literal } else { literal }).collect();
        clauses.add(&other);
    }
    found.sort_unstable();
    found
}

#[test]
fn models_of_random_clauses_are_those_of_all_assignments() {
    let mut random = Random::from_seed(7);
    let (mut with, mut without) = (0, 0);
    for round in 0..400 {
        let size = 4 + round % 8;
        let mut clauses = Clauses::new();
        let literals = variables(&mut clauses, size);
        let mut added: Vec<Vec<(usize, bool)>> = Vec::new();
        for _ in 0..size * 4 {
            let length = 1 + random.below(3).max(random.below(3));
            let one =
                |random: &mut Random| (random.below(size as u32) as usize, random.below(2) == 1);
            let clause: Vec<_> = (0..=length).map(|_| one(&mut random)).collect();
            let of = |&(variable, value): &(usize, bool)| {
                if value { literals[variable] } else { !literals[variable] }
            };
            clauses.add(&clause.iter().map(of).collect::<Vec<_>>());
            added.push(clause);
        }
        let holds = |word: u32| {
            let is_true = |&(variable, value): &(usize, bool)| (word >> variable & 1 == 1) == value;
            added.iter().all(|clause| clause.iter().any(is_true))
        };
        let all: Vec<u32> = (0..1 << size).filter(|&word| holds(word)).collect();
        // First those with the first variable, then all others: learned clauses outlive assumptions.
        let mut found = models(&mut clauses, &literals, &[literals[0], literals[1]]);
        assert!(found.iter().all(|word| word & 3 == 3));
        found.extend(models(&mut clauses, &literals, &[]));
        found.sort_unstable();
        assert_eq!(found, all);
        if all.is_empty() { without += 1 } else { with += 1 }
    }
    assert!(with > 50 && without > 50, "{with} {without}");
}

#[test]
fn so_many_are_true() {
    let bounds = |size: usize| {
        (0..=size + 1).flat_map(move |low| (low..=size + 2).map(move |high| (low, high)))
    };
    let small = (0..8).flat_map(|size| bounds(size).map(move |(low, high)| (size, low, high)));
    // Of more than sixteen literals even the sums up to 1 are counted.
    for (size, low, high) in small.chain([(17, 0, 1), (17, 1, 1), (13, 13, 20)]) {
        let mut clauses = Clauses::new();
        let literals = variables(&mut clauses, size);
        clauses.between(&literals, low, high);
        let is_right = |word: &u32| (low..=high).contains(&(word.count_ones() as usize));
        let expected: Vec<u32> = (0..1 << size).filter(is_right).collect();
        assert_eq!(models(&mut clauses, &literals, &[]), expected, "{low} to {high} of {size}");
    }
}

#[test]
fn so_many_are_true_where_no_two_neighbours_are() {
    let apart = |size: usize, count: usize| {
        let mut clauses = Clauses::new();
        let literals = variables(&mut clauses, size);
        literals.windows(2).for_each(|two| clauses.add(&[!two[0], !two[1]]));
        clauses.exactly_apart(&literals, count);
        (clauses, literals)
    };
    for (size, count) in (0..12).flat_map(|size| (0..=size).map(move |count| (size, count))) {
        let (mut clauses, literals) = apart(size, count);
        let is_right = |word: &u32| word.count_ones() as usize == count && word & word >> 1 == 0;
        let expected: Vec<u32> = (0..1 << size).filter(is_right).collect();
        assert_eq!(models(&mut clauses, &literals, &[]), expected, "{count} of {size}");
    }
    // Five of nine are the first, the third and so on, which takes no guess.
    let (mut clauses, literals) = apart(9, 5);
    assert_eq!(clauses.solve(&[literals[1]], 0, &Stop::new()).unwrap(), Found::None);
}

#[test]
fn few_models_are_all_found_and_many_are_not() {
    for size in [0, 3, 64, 70] {
        let mut clauses = Clauses::new();
        let literals = variables(&mut clauses, size);
        // A variable that no clause names, and in which models therefore do not differ.
        clauses.variable();
        clauses.exactly(&literals, size.min(1));
        let mut few = FewModels::new(clauses, literals.clone());
        let stop = Stop::new();
        assert!(size == 0 || few.all(0, &stop).unwrap().is_none(), "without a guess");
        let found = few.all(u64::MAX, &stop).unwrap().map(<[_]>::to_vec);
        let one = |place: usize| (0..size).map(|at| at + 1 == size.max(1) - place).collect();
        let expected: Vec<Vec<bool>> = (0..size.max(1)).map(one).collect();
        assert_eq!(found, (size <= 64).then_some(expected), "{size}");
        assert_eq!(few.are_many(), size > 64);
        // Once they are known, nothing is searched for.
        assert_eq!(few.all(0, &stop).unwrap().is_some(), size <= 64);
    }
}

/// Eight pigeons in seven holes, for which every search needs many conflicts: the search returns to the root, and forgets
/// learned clauses.
#[test]
fn pigeons_do_not_fit_but_for_one_hole_more() {
    for holes in [7, 8] {
        let mut clauses = Clauses::new();
        clauses.most_learned = 100;
        let rows: Vec<Vec<Literal>> = (0..8).map(|_| variables(&mut clauses, holes)).collect();
        for (number, row) in rows.iter().enumerate() {
            clauses.add(row);
            for other in &rows[..number] {
                row.iter().zip(other).for_each(|(&a, &b)| clauses.add(&[!a, !b]));
            }
        }
        let given_up = clauses.solve(&[], 2, &Stop::new()).unwrap();
        assert_eq!((given_up, clauses.decisions()), (Found::GivenUp, 2));
        let expected = if holes == 8 { Found::Model } else { Found::None };
        assert_eq!(solve(&mut clauses, &[]), expected);
        assert!(holes == 8 || clauses.most_learned > 100, "nothing was forgotten");
    }
}

#[test]
fn a_raised_flag_stops_the_search() {
    let mut clauses = Clauses::new();
    variables(&mut clauses, 3);
    let stop = Stop::new();
    stop.request();
    assert!(clauses.solve(&[], u64::MAX, &stop).is_err());
}
