//! Puzzles as covers.

use std::collections::BTreeSet;

use tallyboard_base::random::Random;
use tallyboard_cover::format::read;
use tallyboard_cover::{Cover, Entry, NO_COLOUR};

/// The folder of the gallery.
pub const GALLERY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../puzzles");

/// The text of a puzzle of the gallery.
pub fn gallery_text(name: &str) -> String {
    std::fs::read_to_string(format!("{GALLERY}/{name}.txt")).unwrap()
}

/// A puzzle of the gallery.
pub fn gallery(name: &str) -> Cover {
    read(gallery_text(name).as_bytes(), name).unwrap().cover().clone()
}

/// A cell of a board or a piece: its column and its row.
type Cell = [i32; 2];

/// The twelve pentominoes.
const PENTOMINOES: [(&str, &str); 12] = [
    ("F", ".xx/xx./.x."),
    ("I", "xxxxx"),
    ("L", "xxxx/x..."),
    ("N", "xxx./..xx"),
    ("P", "xx/xx/x."),
    ("T", "xxx/.x./.x."),
    ("U", "x.x/xxx"),
    ("V", "x../x../xxx"),
    ("W", "x../xx./.xx"),
    ("X", ".x./xxx/.x."),
    ("Y", "xxxx/.x.."),
    ("Z", "xx./.x./.xx"),
];

/// The images of a drawn piece, turned and flipped. Each begins with its least cell.
fn images(drawing: &str) -> Vec<Vec<Cell>> {
    let mut cells = Vec::new();
    for (y, row) in (0..).zip(drawing.split('/')) {
        cells.extend((0..).zip(row.chars()).filter(|cell| cell.1 == 'x').map(|(x, _)| [x, y]));
    }
    let maps: [fn(Cell) -> Cell; 2] = [|[x, y]| [-y, x], |[x, y]| [-x, y]];
    let mut images = vec![normal(cells)];
    let mut next = 0;
    while next < images.len() {
        for map in maps {
            let image = normal(images[next].iter().map(|&cell| map(cell)).collect());
            if !images.contains(&image) {
                images.push(image);
            }
        }
        next += 1;
    }
    images
}

fn normal(mut cells: Vec<Cell>) -> Vec<Cell> {
    let least = [0, 1].map(|axis| cells.iter().map(|cell| cell[axis]).min().unwrap());
    cells.iter_mut().for_each(|cell| *cell = [0, 1].map(|axis| cell[axis] - least[axis]));
    cells.sort_unstable();
    cells
}

/// A rectangle and drawn pieces, each used once if it has a name.
fn packing(width: i32, height: i32, pieces: &[(Option<&str>, &str)]) -> Cover {
    let mut cover = Cover::new();
    cover.primary(pieces.iter().filter_map(|piece| piece.0)).unwrap();
    let first_cell = cover.items().len();
    let board: Vec<Cell> = (0..width).flat_map(|x| (0..height).map(move |y| [x, y])).collect();
    cover.primary(board.iter().map(|[x, y]| format!("{x},{y},0"))).unwrap();
    for (name, drawing) in pieces {
        let piece = name.and_then(|name| cover.item(name));
        for image in images(drawing) {
            for anchor in &board {
                let moved = |cell: &Cell| [0, 1].map(|i| cell[i] - image[0][i] + anchor[i]);
                let place = |cell: &Cell| board.iter().position(|at| *at == moved(cell));
                let places: Option<Vec<usize>> = image.iter().map(place).collect();
                let Some(places) = places else { continue };
                let cells = places.into_iter().map(|place| (first_cell + place) as u32);
                let items = piece.into_iter().chain(cells);
                cover.add_option(items.map(|item| Entry { item, colour: NO_COLOUR })).unwrap();
            }
        }
    }
    cover
}

pub fn pentominoes(width: i32, height: i32) -> Cover {
    packing(width, height, &PENTOMINOES.map(|(name, drawing)| (Some(name), drawing)))
}

pub fn tiling(piece: &str, width: i32, height: i32) -> Cover {
    packing(width, height, &[(None, piece)])
}

/// Pairings of 1..n, of which one number's places are cut in half.
pub fn langford(n: i32) -> Cover {
    let mut cover = Cover::new();
    cover.primary((1..=n).map(|i| format!("n{i}"))).unwrap();
    cover.primary((1..=2 * n).map(|i| format!("s{i}"))).unwrap();
    for number in 1..=n {
        for first in 1..=2 * n - number - 1 {
            let second = first + number + 1;
            // One number's pairs lie in the first half only, so that of two mirror images one is left.
            if number == n - i32::from(n % 2 == 0) && first > n / 2 {
                continue;
            }
            cover
                .option([format!("n{number}"), format!("s{first}"), format!("s{second}")])
                .unwrap();
        }
    }
    cover
}

/// MacMahon's 24 squares of three colours on 4 x 6, edges matching, the border of one colour.
pub fn macmahon() -> Cover {
    let mut cover = Cover::new();
    let mut squares: Vec<[usize; 4]> = Vec::new();
    for code in 0..81 {
        let edges = [code % 3, code / 3 % 3, code / 9 % 3, code / 27];
        let turned = (0..4).map(|by| [0, 1, 2, 3].map(|i| edges[(i + by) % 4]));
        let least = turned.min().unwrap();
        if !squares.contains(&least) {
            squares.push(least);
        }
    }
    assert_eq!(squares.len(), 24);
    let colours = ["a", "b", "c"];
    let places =
        |rows, columns| (0..rows).flat_map(move |y| (0..columns).map(move |x| format!("{x},{y}")));
    cover.primary((0..squares.len()).map(|i| format!("t{i}"))).unwrap();
    cover.primary(places(4, 6).map(|place| format!("q{place}"))).unwrap();
    // The border is one item for each edge on it, which an option of its own gives the first colour.
    cover.primary(["border"]).unwrap();
    cover.secondary(places(5, 6).map(|place| format!("h{place}"))).unwrap();
    cover.secondary(places(4, 7).map(|place| format!("v{place}"))).unwrap();
    let mut border = vec!["border".to_owned()];
    for x in 0..6 {
        border.extend([format!("h{x},0:a"), format!("h{x},4:a")]);
    }
    for y in 0..4 {
        border.extend([format!("v0,{y}:a"), format!("v6,{y}:a")]);
    }
    cover.option(border).unwrap();
    for (i, edges) in squares.iter().enumerate() {
        let mut seen = Vec::new();
        for by in 0..4 {
            let edges = [0, 1, 2, 3].map(|i| colours[edges[(i + by) % 4]]);
            if seen.contains(&edges) {
                continue;
            }
            seen.push(edges);
            for (x, y) in (0..4).flat_map(|y| (0..6).map(move |x| (x, y))) {
                let (right, below) = (x + 1, y + 1);
                let option = [
                    format!("t{i}"),
                    format!("q{x},{y}"),
                    format!("h{x},{y}:{}", edges[0]),
                    format!("v{right},{y}:{}", edges[1]),
                    format!("h{x},{below}:{}", edges[2]),
                    format!("v{x},{y}:{}", edges[3]),
                ];
                cover.option(option).unwrap();
            }
        }
    }
    cover
}

/// A board of `side` x `side`, up to 5 x 5, covered by three to nine dominoes and single cells.
pub fn dominoes_and_cells(side: usize) -> Cover {
    let mut cover = Cover::new();
    cover.between("D", 3, 9).unwrap();
    let cells = || (0..side).flat_map(|x| (0..side).map(move |y| (x, y)));
    cover.primary(cells().map(|(x, y)| format!("{x}{y}"))).unwrap();
    for (x, y) in cells() {
        cover.option([format!("{x}{y}")]).unwrap();
        for (right, below) in [(x + 1, y), (x, y + 1)] {
            if right.max(below) < side {
                cover
                    .option(["D".to_owned(), format!("{x}{y}"), format!("{right}{below}")])
                    .unwrap();
            }
        }
    }
    cover
}

/// Some 900 random options of three items, among them those of one cover, which a search meets late.
pub fn planted() -> Cover {
    let mut random = Random::from_seed(0);
    let mut cover = Cover::new();
    cover.primary((0..600).map(|item| item.to_string())).unwrap();
    let mut items: Vec<u32> = (0..600).collect();
    random.shuffle(&mut items);
    let mut options: BTreeSet<Vec<u32>> = items.chunks(3).map(<[u32]>::to_vec).collect();
    while options.len() < 900 {
        let option: BTreeSet<u32> = (0..3).map(|_| random.below(600)).collect();
        options.extend((option.len() == 3).then(|| option.into_iter().collect()));
    }
    for option in options {
        let entry = |item| Entry { item, colour: NO_COLOUR };
        cover.add_option(option.into_iter().map(entry)).unwrap();
    }
    cover
}
