//! Every placing method gives a solution, the same one for the same seed, or says why not.

use std::time::Duration;

use crate::common::cases::{between, each_case, one_of};
use tallyboard_queens::place::{
    self, LimitReached, Limits, Method, Opening, Order, PlaceError, has_solution, solve,
};
use tallyboard_search::Stop;

/// From the definition, without the library's own check.
fn is_solution(columns: &[u32]) -> bool {
    (0..columns.len()).all(|a| {
        (0..a).all(|b| {
            let apart = columns[a].abs_diff(columns[b]) as usize;
            apart != 0 && apart != a - b
        })
    })
}

/// Many times what any of these searches takes: one that would never end fails with it.
fn budget() -> Limits<'static> {
    Limits { max_steps: Some(50_000_000), ..Limits::default() }
}

#[test]
fn any_method_solves_any_board() {
    let methods = Method::all();
    each_case(256, |random| {
        let method = one_of(random, &methods);
        // Top down, the time explodes past some thirty rows.
        let top_down = *method == Method::Backtrack { order: Order::TopDown };
        let n = between(random, 0, if top_down { 25 } else { 60 }) as u32;
        let seed = random.bits();
        match solve(n, method, seed, &budget()) {
            Ok(found) => {
                assert_eq!(found.placement.n(), n as usize);
                assert!(is_solution(found.placement.columns()), "{method}: {:?}", found.placement);
                let again = solve(n, method, seed, &budget()).unwrap();
                assert_eq!(found, again, "{method}, {n} queens");
            }
            Err(error) => {
                assert!(!has_solution(n), "{method}: {error}");
                assert_eq!(error, PlaceError::NoSolution(n));
            }
        }
    });
}

#[test]
fn any_number_of_random_rows_will_do() {
    each_case(256, |random| {
        let n = between(random, 4, 14) as u32;
        let method = Method::LasVegas { random_rows: Some(between(random, 0, n.into()) as u32) };
        let found = solve(n, &method, random.bits(), &budget()).unwrap();
        assert!(is_solution(found.placement.columns()), "{method}: {:?}", found.placement);
    });
}

#[test]
fn seeds_give_different_boards() {
    for method in Method::all().into_iter().filter(Method::is_random) {
        let board = |seed| solve(40, &method, seed, &Limits::default()).unwrap().placement;
        assert!((1..5).any(|seed| board(seed) != board(0)), "{method}");
    }
}

#[test]
fn top_down_backtracking_finds_the_first_solution() {
    let method = Method::Backtrack { order: Order::TopDown };
    let found = solve(20, &method, 0, &Limits::default()).unwrap();
    assert_eq!(
        found.placement.columns(),
        [0, 2, 4, 1, 3, 12, 14, 11, 17, 19, 16, 8, 15, 18, 7, 9, 6, 13, 5, 10]
    );
}

#[test]
fn the_sizes_of_the_texts() {
    let backtrack = Method::Backtrack { order: Order::FewestFirst };
    let greedy = Method::GreedyRepair { opening: Opening::Careful };
    let las_vegas = Method::LasVegas { random_rows: None };
    let boards = [
        (&backtrack, vec![20, 30, 33, 200]),
        (&Method::Repair, vec![500, 550]),
        (&greedy, vec![200_000, 300_000, 1_000_000]),
        (&las_vegas, vec![36, 100, 200]),
        (&Method::Explicit, vec![1_000_000]),
    ];
    for (method, sizes) in boards {
        for n in sizes {
            let found = solve(n, method, 1, &Limits::default()).unwrap();
            assert_eq!(found.placement.n(), n as usize);
            assert_eq!(place::check(found.placement.columns()), Ok(()), "{method} {n}");
        }
    }
}

#[test]
fn limits_end_a_search_and_say_what_was_tried() {
    let top_down = Method::Backtrack { order: Order::TopDown };
    let steps = Limits { max_steps: Some(5000), ..Limits::default() };
    let error = solve(30, &top_down, 0, &steps).unwrap_err();
    assert_eq!(
        error.to_string(),
        "backtrack-top-down found no solution for n = 30: gave up at the limit of 5,000 steps, \
         after 5,000 steps and 0 restarts"
    );
    let stop = Stop::new();
    stop.request();
    let time = Limits { time: Some(Duration::ZERO), ..Limits::default() };
    let stopped = Limits { stop: Some(&stop), ..Limits::default() };
    for method in [top_down, Method::Repair, Method::GreedyRepair { opening: Opening::Random }] {
        for (limits, end) in
            [(&time, LimitReached::Time(Duration::ZERO)), (&stopped, LimitReached::Stopped)]
        {
            let error = solve(40_000, &method, 0, limits).unwrap_err();
            let PlaceError::GaveUp { limit, .. } = error else { panic!("{error}") };
            assert_eq!(limit, end);
        }
    }
}

#[test]
fn boards_past_a_method_are_refused() {
    let error = solve(u32::MAX, &Method::Repair, 0, &Limits::default()).unwrap_err();
    assert_eq!(error, PlaceError::TooLarge { method: Method::Repair, n: u32::MAX });
    let too_many = Method::LasVegas { random_rows: Some(9) };
    let error = solve(8, &too_many, 0, &Limits::default()).unwrap_err();
    assert_eq!(error, PlaceError::TooManyRandomRows { random_rows: 9, n: 8 });
}

/// A method is left when it fails on two sizes in succession, and not before.
#[test]
fn only_two_failures_in_succession_leave_a_method() {
    // From the top down 20 rows take 199,635 steps and 22 take 1.7 million; 21 and 23 take fewer than 30,000.
    let limits = Limits { max_steps: Some(50_000), ..Limits::default() };
    let method = Method::Backtrack { order: Order::TopDown };
    let measured = |sizes: &[u32]| -> Vec<(u32, u64)> {
        let rows = place::compare::compare(&[method], sizes, 1, &limits, |_| {}).unwrap();
        rows.iter().map(|row| (row.n, row.solved)).collect()
    };
    let with_successes = [(20, 0), (21, 1), (22, 0), (23, 1), (20, 0), (22, 0)];
    let sizes = with_successes.map(|(n, _)| n);
    assert_eq!(measured(&[&sizes[..], &[23, 21]].concat()), with_successes);
    assert_eq!(measured(&[2, 21, 3, 23]), [(2, 0), (21, 1), (3, 0), (23, 1)]);
    assert_eq!(measured(&[2, 3, 21]), [(2, 0), (3, 0)]);
}
