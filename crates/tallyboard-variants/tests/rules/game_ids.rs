//! Game ids that the programs of Simon Tatham's collection printed (`sgt-unequal --generate 3 6` and so on).

use tallyboard_variants::read;

/// The programs print no puzzle with more than one solution, and a misread one hardly has one.
#[test]
fn game_ids_have_one_solution() {
    for id in [
        "6:0,5,0,0,0,0,0UD,0,0U,0R,0U,0L,0,0,0U,0,0D,0,0,0U,0,0,0,0L,0U,0,0,0,3,4,0U,0L,0,0,0L,0,",
        "5a:0RD,0RDL,0DL,0,5,0U,0UR,0UL,0RD,0DL,0D,0RD,0DL,0URD,3UL,0UD,0UR,0UL,0U,0,0U,0,0R,0L,0,",
        "6:/1//2/////2/////2/2///3/3//3//2/3,2s3h2f",
        "5:2/1/2/3/2/1/2/3/2/4/2/3/2/4/1/2/1/2/2/5",
        "6:_3a_5a_10a__a4b_a3__aa_a5,m8d3s2m5s1m6s1m18a5a7a5m24s1s2a7a11d2",
        "5:_a3_a7_11a_ab,m15m12m4m20m8m3m60m2m15m8m5",
        "2x3k:zj,a___________abaaa_aa__a___a__b__aa_aabaa,11a13_5_7_9_3_6g16a5_9e8a5a5_7_10a7c",
        "4jk:p,da_abb_aa_a_,_a__a_acaa___a__,3_7a8a6b7a3b6b",
        // The letter of the difficulty, and the address of a page.
        "https://www.chiark.greenend.org.uk/~sgtatham/puzzles/js/unequal.html#4:0,0,2,0,0U,0,0R,0U,0,0,0D,0,0,0,0,0,",
        "4de:0,0,4,0,0,3,0,0,0,0,0U,0L,0,2,0,0",
    ] {
        let puzzle = read(id.as_bytes(), "id").unwrap_or_else(|error| panic!("{error}: {id}"));
        assert_eq!(puzzle.solve().count, 1, "{id}");
    }
}

/// A letter stands for so many cells, and a number without `x` is both numbers of a sudoku.
#[test]
fn shorter_ids_mean_the_same() {
    let solutions = |id: &str| {
        let puzzle = read(id.as_bytes(), "id").unwrap_or_else(|error| panic!("{error}: {id}"));
        puzzle.solutions().collect::<Vec<_>>()
    };
    let short = "https://example.org/unequal#4:a0L,a0L,3,0D,d0R,d0";
    assert_eq!(solutions("4:0,0L,0,0L,3,0D,0,0,0,0,0R,0,0,0,0,0,").len(), solutions(short).len());
    assert_eq!(solutions("2:a1b2_3c4d1a"), solutions("2x2:a1b2_3c4d1a"));
}

#[test]
fn what_is_wrong_in_a_game_id_is_told() {
    for (id, said) in [
        ("4:0,0L,0,0L,3,0D,0,0,0,0,0R,0,0,0,0,", "found '15 cells', expected as many"),
        ("4:0U,0L,0,0L,3,0D,0,0,0,0,0R,0,0,0,0,0", "found '0U', expected U, R, D or L"),
        ("4:0,5,0,0L,3,0D,0,0,0,0,0R,0,0,0,0,0", "r1c2"),
        ("4:3//////2/3/4/////2/", "Towers: found"),
        ("4:3//////2/3/4/////2//,5a", "cells"),
        ("4:aa_a___caa____a_,m6s1d4a6", "Keen: found '4 clues of 7 cages'"),
        ("4:aa_a___caa____a_,m6s1d4a6x2", "Keen: found 'x2'"),
        ("4:aa_a___caa____a,m6s1d4a6d2a4a6", "borders"),
        ("4:a999999999z999,m6s1d4a6d2a4a6", "borders"),
    ] {
        let error = read(id.as_bytes(), "id").expect_err(id).to_string();
        assert!(error.contains(said), "{id}: {error}");
    }
}
