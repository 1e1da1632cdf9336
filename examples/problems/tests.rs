//! The problems give the counts that a naive search gives, and published ones.

use tallyboard::program::Counting;
use tallyboard_search::{Options, Problem, Silent, Stop, run};

#[path = "langford.rs"]
#[allow(dead_code)]
mod langford;
#[path = "mappings/main.rs"]
#[allow(dead_code)]
mod mappings;
#[path = "peaceful.rs"]
#[allow(dead_code)]
mod peaceful;

use langford::Langford;
use mappings::{Kernel, Mappings};
use peaceful::Peaceful;

/// The whole count, on two threads.
fn count(problem: &dyn Problem) -> u128 {
    run(problem, &Options::new().threads(2), &mut Silent).unwrap().whole().unwrap()
}

/// Langford pairings: every way to place the numbers from 1 on, one at a time, in a row of `places`.
fn pairings(places: &mut [u32], number: u32) -> u128 {
    let n = places.len() as u32 / 2;
    if number > n {
        return 1;
    }
    let mut found = 0;
    for left in 0..places.len() {
        let right = left + number as usize + 1;
        if right < places.len() && places[left] == 0 && places[right] == 0 {
            (places[left], places[right]) = (number, number);
            found += pairings(places, number + 1);
            (places[left], places[right]) = (0, 0);
        }
    }
    found
}

#[test]
fn langford_pairings_are_half_of_all_ways_to_place_the_numbers() {
    for n in 1..=9 {
        let all = pairings(&mut vec![0; 2 * n as usize], 1);
        assert_eq!(count(&Langford::new(n)) * 2, all, "{n}");
    }
    // OEIS A014552.
    assert_eq!(count(&Langford::new(11)), 17_792);
    assert_eq!(count(&Langford::new(12)), 108_144);
}

#[test]
#[ignore = "takes a minute without optimisation"]
fn langford_pairings_of_fifteen_pairs() {
    // OEIS A014552.
    assert_eq!(count(&Langford::new(15)), 39_809_640);
}

/// Sets of queens on the squares from `from` on, of a board of n rows, together with `queens`.
fn sets(n: usize, queens: &mut Vec<(usize, usize)>, from: usize) -> u128 {
    let mut found = 1;
    for (row, column) in (from..n * n).map(|square| (square / n, square % n)) {
        let safe = queens
            .iter()
            .all(|&(r, c)| r != row && c != column && r.abs_diff(row) != c.abs_diff(column));
        if safe {
            queens.push((row, column));
            found += sets(n, queens, row * n + column + 1);
            queens.pop();
        }
    }
    found
}

#[test]
fn sets_of_queens_are_those_of_a_search_by_squares() {
    for n in 1..=8 {
        assert_eq!(count(&Peaceful::new(n)), sets(n as usize, &mut Vec::new(), 0), "{n}");
    }
}

#[test]
#[ignore = "takes minutes without optimisation"]
fn sets_of_queens_on_larger_boards() {
    for n in 9..=10 {
        assert_eq!(count(&Peaceful::new(n)), sets(n as usize, &mut Vec::new(), 0), "{n}");
    }
}

/// Permutations of Z_n that begin with `images`, with sums all different.
fn permutations(n: usize, images: &mut Vec<usize>) -> u128 {
    let at = images.len();
    if at == n {
        return 1;
    }
    let mut found = 0;
    for image in 0..n {
        let sum = (at + image) % n;
        let fits = images.iter().enumerate().all(|(i, &p)| p != image && (i + p) % n != sum);
        if fits {
            images.push(image);
            found += permutations(n, images);
            images.pop();
        }
    }
    found
}

#[test]
fn complete_mappings_are_those_of_a_search_by_images() {
    for n in 1..=11 {
        assert_eq!(
            count(&Mappings::new(n, Kernel::Best)),
            permutations(n as usize, &mut Vec::new()),
            "{n}"
        );
    }
    // OEIS A006717: blocks of several orbits' lengths, and several subtrees.
    let published = [(13, 1_030_367), (15, 36_362_925), (17, 1_606_008_513), (19, 87_656_896_891)];
    for (n, expected) in published {
        assert_eq!(count(&Mappings::new(n, Kernel::Best)), expected, "{n}");
    }
}

#[test]
fn complete_mappings_do_not_depend_on_the_kernel() {
    for n in [12, 15, 17] {
        let (best, portable) = (Mappings::new(n, Kernel::Best), Mappings::new(n, Kernel::Portable));
        for subtree in 0..best.split().len() {
            let stop = Stop::new();
            assert_eq!(best.count(subtree, &stop), portable.count(subtree, &stop), "{n} {subtree}");
        }
    }
}

/// Other numbers than the counts break one law or another: `n` divides the count, a quotient is odd, and so on.
#[test]
fn laws_refuse_other_numbers_of_complete_mappings() {
    let arguments = |n: u32| -> mappings::Arguments {
        serde_json::from_value(serde_json::json!({"n": n, "kernel": "best"})).unwrap()
    };
    for (n, count) in [(1, 1), (2, 0), (3, 3), (9, 2025), (13, 1_030_367), (15, 36_362_925)] {
        assert!(arguments(n).check(count, &Stop::new()).is_ok(), "{n}");
        for other in [count + 1, count + u128::from(n), count + 2 * u128::from(n)] {
            let is_law_of_one = n == 1 || n == 3;
            let refused = arguments(n).check(other, &Stop::new()).is_err();
            assert!(refused || is_law_of_one, "{n}: {other}");
        }
    }
    let more = 1_030_367 + 13 * 6;
    assert!(arguments(13).check(more, &Stop::new()).is_err(), "not -2 modulo 13");
    let more = 36_362_925 + 15 * 6;
    assert!(arguments(15).check(more, &Stop::new()).is_err(), "no multiple of 15");
}
