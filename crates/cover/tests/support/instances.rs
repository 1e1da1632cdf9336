//! Puzzles as covers.

use tallyboard_cover::{Cover, Entry, NO_COLOUR};

/// A cell of a board or a piece: coordinates of any grid.
type Cell = [i32; 3];

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

fn drawing(text: &str) -> Vec<Cell> {
    let mut cells = Vec::new();
    for (y, row) in text.split('/').enumerate() {
        for (x, _) in row.bytes().enumerate().filter(|(_, b)| *b != b'.') {
            cells.push([x as i32, y as i32, 0]);
        }
    }
    cells
}

fn normal(mut cells: Vec<Cell>) -> Vec<Cell> {
    let least: Vec<i32> =
        (0..3).map(|axis| cells.iter().map(|cell| cell[axis]).min().unwrap()).collect();
    for cell in &mut cells {
        (0..3).for_each(|axis| cell[axis] -= least[axis]);
    }
    cells.sort_unstable();
    cells
}

/// All images under the group that `generators` make.
fn images(cells: &[Cell], generators: &[fn(Cell) -> Cell]) -> Vec<Vec<Cell>> {
    let mut all = vec![normal(cells.to_vec())];
    let mut next = 0;
    while next < all.len() {
        for generator in generators {
            let image = normal(all[next].iter().map(|&cell| generator(cell)).collect());
            if !all.contains(&image) {
                all.push(image);
            }
        }
        next += 1;
    }
    all
}

const TURN_FLIP: [fn(Cell) -> Cell; 2] = [|[x, y, z]| [-y, x, z], |[x, y, z]| [-x, y, z]];
const TURN_SOLID: [fn(Cell) -> Cell; 2] = [|[x, y, z]| [-y, x, z], |[x, y, z]| [x, -z, y]];

/// A board and pieces, each used once if it has a name.
fn packing(board: &[Cell], pieces: &[(Option<&str>, Vec<Vec<Cell>>)]) -> Cover {
    let mut cover = Cover::new();
    cover.primary(pieces.iter().filter_map(|piece| piece.0)).unwrap();
    for cell in board {
        cover.primary([format!("{},{},{}", cell[0], cell[1], cell[2])]).unwrap();
    }
    let named = pieces.iter().filter(|piece| piece.0.is_some()).count();
    let mut number = 0;
    for (name, images) in pieces {
        for image in images {
            for anchor in board {
                let mut entries = Vec::new();
                if name.is_some() {
                    entries.push(Entry { item: number, colour: NO_COLOUR });
                }
                let places: Vec<_> = image
                    .iter()
                    .map(|cell| {
                        let first = image[0];
                        let at = [0, 1, 2].map(|axis| cell[axis] - first[axis] + anchor[axis]);
                        board.iter().position(|&cell| cell == at)
                    })
                    .collect();
                if places.iter().all(Option::is_some) {
                    entries.extend(
                        places
                            .into_iter()
                            .flatten()
                            .map(|place| Entry { item: (named + place) as u32, colour: 0 }),
                    );
                    cover.add_option(entries).unwrap();
                }
            }
        }
        number += u32::from(name.is_some());
    }
    cover
}

fn rectangle(width: i32, height: i32, closed: &[(i32, i32)]) -> Vec<Cell> {
    let mut board = Vec::new();
    for x in 0..width {
        for y in 0..height {
            if !closed.contains(&(x, y)) {
                board.push([x, y, 0]);
            }
        }
    }
    board
}

pub fn pentominoes(width: i32, height: i32, closed: &[(i32, i32)]) -> Cover {
    let pieces: Vec<_> = PENTOMINOES
        .iter()
        .map(|(name, text)| (Some(*name), images(&drawing(text), &TURN_FLIP)))
        .collect();
    packing(&rectangle(width, height, closed), &pieces)
}

pub fn eight_by_eight() -> Cover {
    pentominoes(8, 8, &[(3, 3), (3, 4), (4, 3), (4, 4)])
}

pub fn any_pentominoes(width: i32, height: i32) -> Cover {
    let pieces: Vec<_> =
        PENTOMINOES.iter().map(|(_, text)| (None, images(&drawing(text), &TURN_FLIP))).collect();
    packing(&rectangle(width, height, &[]), &pieces)
}

pub fn tiling(piece: &str, width: i32, height: i32) -> Cover {
    packing(&rectangle(width, height, &[]), &[(None, images(&drawing(piece), &TURN_FLIP))])
}

pub fn soma() -> Cover {
    let pieces: [(&str, &[Cell]); 7] = [
        ("V", &[[0, 0, 0], [1, 0, 0], [0, 1, 0]]),
        ("L", &[[0, 0, 0], [1, 0, 0], [2, 0, 0], [0, 1, 0]]),
        ("T", &[[0, 0, 0], [1, 0, 0], [2, 0, 0], [1, 1, 0]]),
        ("Z", &[[0, 0, 0], [1, 0, 0], [1, 1, 0], [2, 1, 0]]),
        ("A", &[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]),
        ("B", &[[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 0, 1]]),
        ("P", &[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 1, 1]]),
    ];
    let mut board = Vec::new();
    for x in 0..3 {
        for y in 0..3 {
            for z in 0..3 {
                board.push([x, y, z]);
            }
        }
    }
    let pieces: Vec<_> =
        pieces.iter().map(|(name, cells)| (Some(*name), images(cells, &TURN_SOLID))).collect();
    packing(&board, &pieces)
}

/// A triangle has coordinates x, y, z whose sum is 1 (pointing up) or 2 (pointing down); two that share an edge differ
/// by 1 in one coordinate.
pub fn hexiamonds() -> Cover {
    let mut frontier: Vec<Vec<Cell>> = vec![vec![[0, 0, 1]]];
    let turn = |[x, y, z]: Cell| [1 - y, 1 - z, 1 - x];
    let flip = |[x, y, z]: Cell| [y, x, z];
    let move_home = |cells: Vec<Cell>| -> Vec<Cell> {
        // Translations keep the sum.
        let x = cells.iter().map(|cell| cell[0]).min().unwrap();
        let y = cells.iter().map(|cell| cell[1]).min().unwrap();
        let mut cells: Vec<Cell> =
            cells.into_iter().map(|cell| [cell[0] - x, cell[1] - y, cell[2] + x + y]).collect();
        cells.sort_unstable();
        cells
    };
    let images = |cells: &Vec<Cell>| {
        let mut all = vec![move_home(cells.clone())];
        let mut next = 0;
        while next < all.len() {
            for image in [
                move_home(all[next].iter().map(|&cell| turn(cell)).collect()),
                move_home(all[next].iter().map(|&cell| flip(cell)).collect()),
            ] {
                if !all.contains(&image) {
                    all.push(image);
                }
            }
            next += 1;
        }
        all.sort();
        all
    };
    for _ in 1..6 {
        let mut next: Vec<Vec<Cell>> = Vec::new();
        for cells in &frontier {
            for cell in cells {
                for axis in 0..3 {
                    let mut neighbour = *cell;
                    neighbour[axis] += if cell.iter().sum::<i32>() == 1 { 1 } else { -1 };
                    if !cells.contains(&neighbour) {
                        let mut grown = cells.clone();
                        grown.push(neighbour);
                        let canonical = images(&grown).swap_remove(0);
                        if !next.contains(&canonical) {
                            next.push(canonical);
                        }
                    }
                }
            }
        }
        frontier = next;
    }
    assert_eq!(frontier.len(), 12, "there are twelve hexiamonds");
    let mut board = Vec::new();
    for x in 0..6 {
        for y in 0..6 {
            board.push([x, y, 1 - x - y]);
            board.push([x, y, 2 - x - y]);
        }
    }
    let names: Vec<String> = (0..12).map(|i| format!("H{i}")).collect();
    let pieces: Vec<_> = frontier
        .iter()
        .zip(&names)
        .map(|(cells, name)| (Some(name.as_str()), images(cells)))
        .collect();
    packing(&board, &pieces)
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

pub fn queens(n: i32) -> Cover {
    let mut cover = Cover::new();
    // Rows and columns from the middle outwards, as they are chosen in this order where they tie.
    let outwards = |i: i32| if i % 2 == 0 { n / 2 + i / 2 } else { n / 2 - i / 2 - 1 };
    for i in (0..n).map(outwards) {
        cover.primary([format!("r{i}"), format!("c{i}")]).unwrap();
    }
    cover.secondary((1..2 * n - 2).map(|i| format!("a{i}"))).unwrap();
    cover.secondary((1..2 * n - 2).map(|i| format!("b{i}"))).unwrap();
    for r in 0..n {
        for c in 0..n {
            let mut option = vec![format!("r{r}"), format!("c{c}")];
            let up = r + c;
            let down = n - 1 - r + c;
            option.extend((1..2 * n - 2).contains(&up).then(|| format!("a{up}")));
            option.extend((1..2 * n - 2).contains(&down).then(|| format!("b{down}")));
            cover.option(option).unwrap();
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
    for (i, _) in squares.iter().enumerate() {
        cover.primary([format!("t{i}")]).unwrap();
    }
    for y in 0..4 {
        for x in 0..6 {
            cover.primary([format!("q{x},{y}")]).unwrap();
        }
    }
    // The border is one item for each edge on it, which an option of its own gives the first colour.
    cover.primary(["border"]).unwrap();
    for y in 0..=4 {
        for x in 0..6 {
            cover.secondary([format!("h{x},{y}")]).unwrap();
        }
    }
    for y in 0..4 {
        for x in 0..=6 {
            cover.secondary([format!("v{x},{y}")]).unwrap();
        }
    }
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
            for y in 0..4 {
                for x in 0..6 {
                    let (right, below) = (x + 1, y + 1);
                    cover
                        .option([
                            format!("t{i}"),
                            format!("q{x},{y}"),
                            format!("h{x},{y}:{}", edges[0]),
                            format!("v{right},{y}:{}", edges[1]),
                            format!("h{x},{below}:{}", edges[2]),
                            format!("v{x},{y}:{}", edges[3]),
                        ])
                        .unwrap();
                }
            }
        }
    }
    cover
}

pub fn latin(n: usize) -> Cover {
    let mut cover = Cover::new();
    for kind in ["p", "r", "c"] {
        for i in 0..n {
            for j in 0..n {
                cover.primary([format!("{kind}{i}{j}")]).unwrap();
            }
        }
    }
    for i in 0..n {
        for j in 0..n {
            for k in 0..n {
                cover.option([format!("p{i}{j}"), format!("r{i}{k}"), format!("c{j}{k}")]).unwrap();
            }
        }
    }
    cover
}

/// Partitions of n things: an option for each set of them.
pub fn bell(n: u32) -> Cover {
    let mut cover = Cover::new();
    cover.primary((0..n).map(|i| i.to_string())).unwrap();
    for set in 1_u32..1 << n {
        cover
            .add_option(
                (0..n).filter(|i| set >> i & 1 == 1).map(|item| Entry { item, colour: NO_COLOUR }),
            )
            .unwrap();
    }
    cover
}

/// Partitions of the pairs of n things into triples.
pub fn steiner(n: usize) -> Cover {
    let mut cover = Cover::new();
    for a in 0..n {
        for b in a + 1..n {
            cover.primary([format!("{a}-{b}")]).unwrap();
        }
    }
    for a in 0..n {
        for b in a + 1..n {
            for c in b + 1..n {
                cover.option([format!("{a}-{b}"), format!("{a}-{c}"), format!("{b}-{c}")]).unwrap();
            }
        }
    }
    cover
}

/// A board of `side` x `side`, up to 5 x 5, covered by three to nine dominoes and single cells.
pub fn dominoes_and_cells(side: usize) -> Cover {
    let mut cover = Cover::new();
    cover.between("D", 3, 9).unwrap();
    for x in 0..side {
        for y in 0..side {
            cover.primary([format!("{x}{y}")]).unwrap();
        }
    }
    for x in 0..side {
        for y in 0..side {
            cover.option([format!("{x}{y}")]).unwrap();
            if x + 1 < side {
                cover.option(["D".to_owned(), format!("{x}{y}"), format!("{}{y}", x + 1)]).unwrap();
            }
            if y + 1 < side {
                cover.option(["D".to_owned(), format!("{x}{y}"), format!("{x}{}", y + 1)]).unwrap();
            }
        }
    }
    cover
}

/// Colourings of a graph: a colour for each vertex, colours of neighbours differ.
pub fn colourings(vertices: usize, edges: &[(usize, usize)], colours: usize) -> Cover {
    let mut cover = Cover::new();
    cover.primary((0..vertices).map(|vertex| format!("v{vertex}"))).unwrap();
    for (edge, _) in edges.iter().enumerate() {
        cover.secondary((0..colours).map(|colour| format!("e{edge}.{colour}"))).unwrap();
    }
    for vertex in 0..vertices {
        for colour in 0..colours {
            let mut option = vec![format!("v{vertex}")];
            for (edge, ends) in edges.iter().enumerate() {
                if ends.0 == vertex || ends.1 == vertex {
                    option.push(format!("e{edge}.{colour}"));
                }
            }
            cover.option(option).unwrap();
        }
    }
    cover
}

pub fn petersen() -> Cover {
    let mut edges = Vec::new();
    for i in 0..5 {
        edges.extend([(i, (i + 1) % 5), (i, i + 5), (i + 5, (i + 2) % 5 + 5)]);
    }
    colourings(10, &edges, 3)
}
