//! Golden values of every kind of picture: a test fails if what is drawn changes.

use super::*;
use crate::backtrack::Node;
use crate::trace::sudoku::Blanks;
use tallyboard_picture::chart::{Axis, Chart, Polyline};
use tallyboard_picture::picture::{Anchor, Picture};
use tallyboard_queens::Board;
use tallyboard_queens::place::compare::Measurement;
use tallyboard_sudoku::{Grid, solve_up_to};

fn measured(method: &str, n: u32, seconds: Option<f64>) -> Measurement {
    let tries = 5;
    let solved = 4;
    let method = method.to_owned();
    Measurement { method, n, tries, solved, seconds, steps: None, restarts: None }
}

/// Curves with a band, with dots and whiskers, dashed, and beyond the ends of the axes.
fn chart() -> Picture {
    let curve = |stroke, dashes, factor: f64| {
        let points = (1..=6).map(|x| (f64::from(x), factor * f64::from(x * x))).collect();
        Polyline::new(stroke, dashes, format!("{factor} x²"), points)
    };
    let intervals: Vec<_> = (1..=6).map(f64::from).map(|x| (x, x * x - 0.5, x * x + 1.0)).collect();
    let lines = vec![
        Polyline { intervals: intervals.clone(), ..curve("blue", "4 3", 1.0) },
        Polyline { intervals, dots: true, ..curve("orange", "", 1.1) },
        Polyline {
            label: "a label so long that it has a row of its own".into(),
            ..curve("red", "", 3.0)
        },
    ];
    let x = Axis::with_ticks_at("threads", &[1, 2, 4, 6]);
    let y = Axis::from_zero("speed-up", 37.0, |v| format!("{v:.0}"));
    Chart {
        description: "squares".into(),
        size: tallyboard_picture::chart::SMALL_SIZE_PX,
        x,
        y,
        lines,
    }
    .draw()
}

/// Texts in each place that a text can have.
fn texts() -> Picture {
    let mut picture = Picture::new(700.0, 300.0, "texts & <signs>");
    let all: String = (' '..='~').chain("µ×é".chars()).collect();
    picture.text("ink", Anchor::Left, (10.0, 40.0), 8.5, &all);
    picture.bold_text("blue", Anchor::Middle, (350.0, 80.0), 14.0, "Middle 7");
    picture.text("red", Anchor::Right, (690.0, 120.0), 11.0, "right, 1/2");
    picture.text_upward("green", (20.0, 200.0), 9.0, "upward");
    let mut small = Picture::new(100.0, 50.0, "small");
    small.rect("tint", 1.0, 2.0, 30.0, 40.0);
    small.circle("piece", (60.0, 25.0), 20.0);
    small.dashed("violet", 2.0, "3 2", "M5 5H90".into());
    picture.place(small, (300.0, 200.0));
    picture
}

/// Every kind of picture, by name.
fn gallery() -> Vec<(&'static str, Picture)> {
    let puzzle: Grid =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
            .parse()
            .unwrap();
    let solution = solve_up_to(&puzzle, 1).first;
    let rules = "size 4\ncage 3 r1c1 r1c2\nthermometer r4c1 r4c2\nkropki white r2c3 r2c4\ngivens\n....\n..1.\n....\n....\n";
    let rules = tallyboard_variants::read(rules.as_bytes(), "rules").unwrap();
    let queens = tallyboard_regions::Board::new(
        &[0, 0, 1, 1, 2, 0, 3, 3, 3, 2, 0, 3, 3, 3, 2, 0, 3, 3, 3, 4, 3, 3, 3, 4, 4],
        1,
    )
    .unwrap();
    let starred = tallyboard_regions::Solutions::new(&queens).next().unwrap();
    let pieces = "board:\n...\n...\npieces:\nD:\nxx\nL:\nxx\nxx\n";
    let pieces = tallyboard_cover::format::read(pieces.as_bytes(), "pieces").unwrap();
    let tiled = tallyboard_cover::Board::of(&pieces).unwrap();
    let laid: Vec<Vec<u32>> = tallyboard_cover::Solutions::new(pieces.cover()).collect();
    let two_cells = Node::tree(&Blanks::new(&puzzle), 2, 100).unwrap();
    let falling = |n: u32| (0..n).collect::<Vec<u32>>();
    let tree = |n| queens_tree(&Board::new(n).unwrap(), None);
    let two = [vec![1, 3, 0, 2], vec![2, 0, 3, 1]];
    let pages = |n: u32, boards| page("a page of boards", 98, &vec![falling(n); boards]);
    let curve = |method: &'static str, factor: f64| {
        [8, 20, 100, 1000].map(move |n| measured(method, n, Some(factor * f64::from(n))))
    };
    let rows = [curve("explicit", 1e-9), curve("repair", 2e-5)].concat();
    vec![
        ("board of 1", board(&[0])),
        ("board of 4", board(&two[0])),
        ("board of 27", board(&falling(27))),
        ("board of 130", board(&falling(130))),
        ("two boards", page("two", 1, &two)),
        ("many boards", pages(8, 30)),
        ("small boards", pages(30, 5)),
        ("sudoku", sudoku(&(&puzzle).into(), None)),
        ("solved sudoku", sudoku(&(&puzzle).into(), solution.as_ref().map(Into::into).as_ref())),
        ("variant", variant(&rules, None)),
        ("solved variant", variant(&rules, rules.solve().first.as_deref())),
        ("regions", regions(&queens, &[0; 5])),
        ("solved regions", regions(&queens, &starred)),
        ("covers", covers(&tiled, &pieces, &laid, false)),
        ("tree of boards", tree(4)),
        ("tree of squares", tree(6)),
        ("tree of a sudoku", sudoku_tree(&two_cells)),
        ("methods", methods(&rows)),
        ("chart", chart()),
        ("texts", texts()),
    ]
}

#[test]
fn pictures_are_as_they_were() {
    let lines = gallery().into_iter().map(|(name, picture)| {
        let svg = picture.svg();
        let marks = svg.lines().count();
        let checksum = crc32fast::hash(svg.as_bytes());
        format!(
            "{name}: {} x {}, {marks} lines, checksum {checksum:08x}\n",
            picture.width, picture.height
        )
    });
    crate::golden::check("pictures.txt", &lines.collect::<String>());
}

#[cfg(feature = "png")]
#[test]
fn every_picture_can_be_painted() {
    for (name, picture) in gallery() {
        assert!(picture.png().is_ok(), "{name}");
    }
    let escaped = page("<two> & \"more\"", 1, &[vec![1, 3, 0, 2], vec![2, 0, 3, 1]]);
    assert!(escaped.png().is_ok());
    assert!(board(&[]).png().is_ok());
}
