//! Saved games of KSudoku.

use tallyboard_variants::read;

/// A game on a board of this order, with what its graph states and its values.
fn game(graph: &str, groups: &str, values: &str) -> Vec<u8> {
    format!(
        "<!DOCTYPE ksudoku>\n<ksudoku>\n <game had-help=\"0\">\n  <puzzle>\n   <graph {graph}>\n{groups}   </graph>\n   \
         <values>{values}</values>\n  </puzzle>\n  <history/>\n </game>\n</ksudoku>\n"
    )
    .into_bytes()
}

const CUSTOM: &str = "order=\"4\" type=\"custom\" sizeX=\"4\" sizeY=\"4\" sizeZ=\"1\"";

#[test]
fn games_mean_what_the_text_form_says() {
    let blank = "_".repeat(16);
    let lines = "<sudokugroups at=\"0\" withblocks=\"0\"/>";
    let boxes = "<sudokugroups at=\"0\" withblocks=\"1\"/>";
    // Cells are numbered down the columns.
    let jigsaw = format!(
        "{lines}<clique size=\"4\">0 4 1 5 </clique><clique size=\"4\">8 12 13 14 </clique>\
         <clique size=\"4\">9 10 11 15 </clique><!-- <clique size=\"4\">0 1 2 3</clique> -->\
         <clique size=\"4\">2 6 3 7 </clique>"
    );
    let diagonal = format!("{boxes}<clique size=\"4\">0 5 10 15 </clique>");
    let cage = |operator, value, cells| {
        format!(
            "{boxes}<cage operator=\"{operator}\" value=\"{value}\" size=\"2\"> {cells} </cage>"
        )
    };
    let killer = &format!("{CUSTOM} specific-type=\"KillerSudoku\"");
    let mathdoku = &format!("{CUSTOM} specific-type=\"Mathdoku\"");
    for (game, text) in [
        (
            game("order=\"4\" type=\"sudoku\"", "", "_c______________"),
            "givens\n....\n2...\n....\n....\n",
        ),
        (game(CUSTOM, &jigsaw, &blank), "regions\nAABB\nAACB\nDDCB\nDDCC\n"),
        (game(CUSTOM, &diagonal, &blank), "diagonal falling\n"),
        (game(killer, &cage(4, 4, "0 5"), &blank), "cage 4 r1c1 r2c2\n"),
        (game(mathdoku, &cage(4, 4, "0 5"), &blank), "sum 4 r1c1 r2c2\n"),
        (game(mathdoku, &cage(3, 12, "0 1"), &blank), "product 12 r1c1 r2c1\n"),
        (game(mathdoku, &cage(2, 3, "0 4"), &blank), "difference 3 r1c1 r1c2\n"),
        (game(mathdoku, &cage(1, 4, "0 4"), &blank), "quotient 4 r1c1 r1c2\n"),
    ] {
        let found = read(&game, "game").unwrap();
        let expected = read(format!("size 4\n{text}").as_bytes(), "text").unwrap();
        let solutions = |puzzle: &tallyboard_variants::Puzzle| {
            puzzle
                .solutions()
                .map(|grid| format!("{grid:?}"))
                .collect::<std::collections::BTreeSet<_>>()
        };
        assert_eq!(solutions(&found), solutions(&expected), "{text}");
        assert!(!solutions(&found).is_empty(), "{text}");
    }
}

#[test]
fn boards_that_are_no_sudoku_are_refused_by_name() {
    let wide = "order=\"4\" type=\"custom\" sizeX=\"8\" sizeY=\"4\" sizeZ=\"1\"";
    for (graph, groups, found) in [
        (wide, "", "8 × 4 × 1"),
        ("order=\"4\" type=\"roxdoku\"", "", "roxdoku"),
        (CUSTOM, "<clique size=\"4\">0 1 2 99</clique>", "'99'"),
        (CUSTOM, "<cage operator=\"7\" value=\"3\" size=\"2\">0 1</cage>", "'7'"),
    ] {
        let error = read(&game(graph, groups, &"_".repeat(16)), "game").unwrap_err();
        assert!(error.to_string().contains(found), "{error}");
    }
    let error = read(&game(CUSTOM, "<sudokugroups at=\"0\"/>", "_"), "game").unwrap_err();
    assert!(error.to_string().contains("found 1"), "{error}");
}
