//! Promise: boards of Pips have the placements that a naive program finds, in each form that is read.

use std::collections::{BTreeMap, HashSet};

use tallyboard_base::random::Random;
use tallyboard_cover::format::{self, Format, Input};
use tallyboard_cover::picture::Puzzle;
use tallyboard_cover::{Count, Solutions};
use tallyboard_search::Stop;

fn puzzle(text: &str) -> Puzzle {
    match format::read(text.as_bytes(), "p").unwrap_or_else(|error| panic!("{error}\n{text}")) {
        Input::Puzzle(puzzle) => *puzzle,
        Input::Cover(_) => panic!("read as options"),
    }
}

fn error(text: &str) -> String {
    format::read(text.as_bytes(), "p").unwrap_err().to_string()
}

fn total(puzzle: &Puzzle) -> u128 {
    Count::new(puzzle.cover()).unwrap().total().unwrap()
}

/// A board as the naive program has it: the region of each cell, and the rule of each region as it is written in a file.
struct Board {
    width: usize,
    region: Vec<usize>,
    rules: Vec<String>,
    dominoes: Vec<[u32; 2]>,
}

impl Board {
    /// A board of whole rows. Its rules are those of a hidden filling.
    fn random(random: &mut Random) -> Self {
        let width = 2 + random.below(2) as usize;
        let rows = if width == 3 { 2 } else { 2 + random.below(2) as usize };
        let cells = width * rows;
        let names = 1 + random.below(4);
        let region: Vec<usize> = (0..cells).map(|_| random.below(names) as usize).collect();
        let pips = 2 + random.below(3);
        let values: Vec<u32> = (0..cells).map(|_| random.below(pips)).collect();
        // Two rows of three have a tiling with the first two cells of each row apart, so dominoes stand upright there.
        let dominoes = match width {
            2 => values.chunks(2).map(|two| [two[0], two[1]]).collect(),
            _ => (0..3).map(|column| [values[column], values[column + 3]]).collect(),
        };
        let rule = |number: usize| {
            let of_region = (0..cells).filter(|&cell| region[cell] == number);
            let found: Vec<u32> = of_region.map(|cell| values[cell]).collect();
            let sum: u32 = found.iter().sum();
            let different: HashSet<u32> = found.iter().copied().collect();
            match random.below(4) {
                0 if different.len() == 1 => "equal".to_owned(),
                1 if different.len() == found.len() => "unequal".to_owned(),
                2 => format!("<{}", sum + 1 + random.below(2)),
                3 if sum > 0 => format!(">{}", sum - 1),
                0 => "empty".to_owned(),
                _ => format!("sum {sum}"),
            }
        };
        let rules = (0..names as usize).map(rule).collect();
        Self { width, region, rules, dominoes }
    }

    fn letter(region: usize) -> char {
        (b'a' + region as u8) as char
    }

    fn drawn(&self) -> String {
        let mut text = "board:\n".to_owned();
        for row in self.region.chunks(self.width) {
            text.extend(row.iter().map(|&region| Self::letter(region)));
            text.push('\n');
        }
        text += "dominoes:";
        self.dominoes.iter().for_each(|[a, b]| text += &format!(" {a}-{b}"));
        text += "\nregions:\n";
        for (region, rule) in self.rules.iter().enumerate() {
            if self.region.contains(&region) {
                text += &format!("{} {rule}\n", Self::letter(region));
            }
        }
        text
    }

    fn json(&self) -> String {
        let mut regions = Vec::new();
        for (region, rule) in self.rules.iter().enumerate() {
            let cells = (0..self.region.len()).filter(|&cell| self.region[cell] == region);
            let cells: Vec<[usize; 2]> =
                cells.map(|cell| [cell / self.width, cell % self.width]).collect();
            let (kind, target) = match rule.split_at(1) {
                ("<", target) => ("less", Some(target)),
                (">", target) => ("greater", Some(target)),
                _ if rule == "equal" => ("equals", None),
                _ => match rule.strip_prefix("sum ") {
                    Some(target) => ("sum", Some(target)),
                    None => (rule.as_str(), None),
                },
            };
            let target = target.map_or(String::new(), |target| format!(", \"target\": {target}"));
            if !cells.is_empty() {
                regions.push(format!("{{\"indices\": {cells:?}, \"type\": \"{kind}\"{target}}}"));
            }
        }
        format!("{{\"dominoes\": {:?},\n\"regions\": [{}]}}", self.dominoes, regions.join(",\n"))
    }

    /// All placements, each as the values of the cells.
    fn naive(&self) -> Vec<Vec<u32>> {
        let mut kinds: BTreeMap<[u32; 2], u32> = BTreeMap::new();
        self.dominoes
            .iter()
            .for_each(|[a, b]| *kinds.entry([*a.min(b), *a.max(b)]).or_default() += 1);
        let mut found = Vec::new();
        self.place(&mut vec![None; self.region.len()], &mut kinds, &mut found);
        found
    }

    fn place(
        &self,
        values: &mut Vec<Option<u32>>,
        left: &mut BTreeMap<[u32; 2], u32>,
        found: &mut Vec<Vec<u32>>,
    ) {
        let Some(first) = values.iter().position(Option::is_none) else {
            let values: Vec<u32> = values.iter().flatten().copied().collect();
            if self.are_right(&values) {
                found.push(values);
            }
            return;
        };
        let right = ((first + 1) % self.width > 0).then_some(first + 1);
        for second in right.into_iter().chain([first + self.width]) {
            if values.get(second) != Some(&None) {
                continue;
            }
            for ends in left.keys().copied().collect::<Vec<_>>() {
                if left[&ends] == 0 {
                    continue;
                }
                *left.get_mut(&ends).unwrap() -= 1;
                let ways: HashSet<[u32; 2]> = [ends, [ends[1], ends[0]]].into();
                for [a, b] in ways {
                    (values[first], values[second]) = (Some(a), Some(b));
                    self.place(values, left, found);
                    (values[first], values[second]) = (None, None);
                }
                *left.get_mut(&ends).unwrap() += 1;
            }
        }
    }

    fn are_right(&self, values: &[u32]) -> bool {
        self.rules.iter().enumerate().all(|(region, rule)| {
            let cells = (0..values.len()).filter(|&cell| self.region[cell] == region);
            let found: Vec<u32> = cells.map(|cell| values[cell]).collect();
            let sum: u32 = found.iter().sum();
            let different = found.iter().collect::<HashSet<_>>().len();
            match rule.split_at(1) {
                _ if found.is_empty() => true,
                ("<", bound) => sum < bound.parse().unwrap(),
                (">", bound) => sum > bound.parse().unwrap(),
                _ if rule == "equal" => different == 1,
                _ if rule == "unequal" => different == found.len(),
                _ if rule == "empty" => true,
                _ => rule == &format!("sum {sum}"),
            }
        })
    }
}

#[test]
fn random_boards_have_the_placements_that_a_naive_program_finds() {
    let mut random = Random::from_seed(80);
    let (mut several, mut with_equal_dominoes) = (0, 0);
    for _ in 0..300 {
        let board = Board::random(&mut random);
        let text = board.drawn();
        let mut expected = board.naive();
        let drawn = puzzle(&text);
        assert!(drawn.is_of_pips());
        assert_eq!(total(&drawn), expected.len() as u128, "{text}");
        assert_eq!(total(&puzzle(&board.json())), expected.len() as u128, "{text}");
        let listed = Solutions::new(drawn.cover());
        let mut listed: Vec<Vec<u32>> = listed
            .map(|found| drawn.values(&found).unwrap().into_iter().map(u32::from).collect())
            .collect();
        listed.sort();
        expected.sort();
        assert_eq!(listed, expected, "{text}");
        several += u32::from(expected.len() > 1);
        expected.dedup();
        assert_eq!(drawn.count_pictures(&Stop::new()), Ok(expected.len() as u128), "{text}");
        let items = drawn.cover().items().iter().take(board.dominoes.len());
        with_equal_dominoes += u32::from(
            items.take_while(|item| item.name().contains('-')).count() < board.dominoes.len(),
        );
    }
    assert!(several > 100 && with_equal_dominoes > 30, "{several} {with_equal_dominoes}");
}

/// Cells of a board are a letter, a region's name, or have no rule; a domino of equal ends has one way round, and two equal dominoes
/// are not told apart.
#[test]
fn a_solution_says_which_domino_lies_where_and_which_way_round() {
    for (board, dominoes, expected) in [
        ("..", "1-2", 2),
        ("..", "2-2", 1),
        ("....", "1-1 1-1", 1),
        ("....", "1-2 2-1", 4),
        ("....", "1-2 1-3", 8),
        ("..\n..", "1-1 2-2", 4),
        (".\n.#\n", "0-99", 2),
    ] {
        let text = format!("board:\n{board}\ndominoes: {dominoes}\n");
        assert_eq!(total(&puzzle(&text)), expected, "{text}");
    }
    // Tabs part words as blanks do.
    let ruled = "board:\naa\ndominoes: 0-1\nregions:\na sum 1\n";
    assert_eq!(total(&puzzle(&ruled.replace(' ', "\t"))), total(&puzzle(ruled)));
}

#[test]
fn solutions_are_drawn_with_their_numbers() {
    let text = "; Three.\nboard:\na.b\n\nc.b\ndominoes: 0-1 2-2\ndominoes: 3-12\nregions:\na sum 0 ; A.\nb equal\nc >9\n";
    let drawn = puzzle(text);
    let found: Vec<Vec<u32>> = Solutions::new(drawn.cover()).collect();
    assert_eq!(found.len(), 1);
    assert_eq!(drawn.draw(&found[0]), " 0- 1  2\n       |\n12- 3  2\n");
    let options: Vec<String> =
        found[0].iter().map(|&option| drawn.option_text(option as usize)).collect();
    assert_eq!(options, ["0-1 1,1,1 2,1,1", "2-2 3,1,1 3,2,1 b:2", "3-12 2,2,1 1,2,1 c=12"]);
    assert_eq!(drawn.draw(&[]), ". . .\n\n. . .\n");
}

const DAY: &str = "{\"printDate\": \"2026-01-01\",
\"hard\": {\"id\": 3, \"dominoes\": [[0, 1]], \"regions\": [{\"indices\": [[4, 7], [4, 8]], \"type\": \"empty\"}]},
\"medium\": {\"id\": 0, \"dominoes\": null, \"regions\": null},
\"easy\": {\"dominoes\": [[1, 1]], \"regions\": [{\"indices\": [[0, 0], [1, 0]], \"type\": \"sum\", \"target\": 2}], \"solution\": []}}
";

#[test]
fn a_day_has_three_boards_that_are_numbered_by_their_level() {
    assert_eq!(Format::of(DAY), Format::PipsJson);
    let read = |number| format::read_problem(DAY.as_bytes(), "day", number);
    let counts = [1, 3].map(|number| {
        let input = read(Some(number)).unwrap();
        Count::new(input.cover()).unwrap().total().unwrap()
    });
    assert_eq!(counts, [1, 2]);
    let named = |(line, name): (usize, &str)| (line, name.to_owned());
    let expected = [(4, "easy"), (3, "medium"), (2, "hard")].map(named);
    assert_eq!(format::problems(DAY.as_bytes()), expected);
    let found = |number| read(number).unwrap_err().to_string();
    assert!(
        found(None).contains("line 1: found 3 problems: 1 (easy), 2 (medium), 3 (hard), expected")
    );
    assert!(
        found(Some(2))
            .contains("line 3: found 'null' for \"dominoes\", expected a list of dominoes")
    );
    assert!(found(Some(4)).contains("found no problem 4, expected one of 1 (easy)"));
    assert!(found(Some(0)).contains("found no problem 0"));
    let one = DAY.split_once("\"hard\": ").unwrap().1.split_once(",\n").unwrap().0;
    assert_eq!(total(&puzzle(one)), 2);
    let found = format::read_problem(one.as_bytes(), "one", Some(2)).unwrap_err().to_string();
    assert!(found.contains("found the problem 2 asked for, expected 1"), "{found}");
}

/// The first number of an index is the row, wherever the board begins.
#[test]
fn boards_of_json_lie_as_their_rows_and_columns_say() {
    for (indices, expected) in [
        ("[4, 7], [4, 8], [4, 9], [5, 9]", "1,1,1 2,1,1 3,1,1 3,2,1"),
        ("[7, 4], [8, 4], [9, 4], [9, 3]", "2,1,1 2,2,1 2,3,1 1,3,1"),
    ] {
        let text = format!(
            "{{\"dominoes\": [[0, 1], [2, 2]], \"regions\": [{{\"indices\": [{indices}], \"type\": \"empty\"}}]}}"
        );
        let puzzle = puzzle(&text);
        let cells: Vec<&str> = puzzle.cover().items()[2..].iter().map(|item| item.name()).collect();
        assert_eq!(cells.join(" "), expected);
    }
}

#[test]
fn mistakes_in_drawn_boards_are_told_with_their_lines() {
    let of = |board: &str, dominoes: &str, rules: &str| {
        error(&format!("board:\n{board}\ndominoes: {dominoes}\nregions:\n{rules}\n"))
    };
    for (board, dominoes, rules, expected) in [
        (
            "aa",
            "0-1",
            "a sum 2",
            "line 5: found the sum 2 for the region a of 2 cells, expected one from 1 to 1",
        ),
        ("aa", "0-1", "a sum 0", "line 5: found the sum 0 for the region a"),
        (
            "aa",
            "0-1",
            "a <1",
            "line 5: found <1 for the region a of 2 cells, expected a number above 1",
        ),
        (
            "aa",
            "0-1",
            "a >1",
            "line 5: found >1 for the region a of 2 cells, expected a number below 1",
        ),
        (
            "aa",
            "0-1",
            "a equal",
            "line 5: found equal for the region a of 2 cells, expected so many equal",
        ),
        (
            "aa",
            "1-1",
            "a unequal",
            "line 5: found unequal for the region a of 2 cells, expected so many",
        ),
        ("aa", "0-1 2-2", "a empty", "line 3: found 2 dominoes, expected 1 for the 2 cells"),
        ("....", "0-1", "", "line 3: found 1 domino, expected 2 for the 4 cells"),
        ("...", "0-1", "", "line 3: found 1 domino, expected half as many as cells"),
        (
            "aab.",
            "0-1 2-2",
            "a sum 1",
            "line 2: found no rule for the region b, expected one below",
        ),
        (
            "aa",
            "0-1",
            "a sum 1\nb sum 2",
            "line 6: found a rule for 'b', expected a letter of the board",
        ),
        ("aa", "0-1", "a sum 1\na <9", "line 6: found a second rule for 'a'"),
        (
            "aa",
            "0-1",
            "a sum 4294967296",
            "line 5: found the rule 'sum 4294967296', expected 'sum 7'",
        ),
        ("aa", "0-1", "a sum -1", "line 5: found the rule 'sum -1'"),
        ("aa", "0-1", "a", "line 5: found the rule ''"),
        (
            "aa",
            "0-100",
            "a empty",
            "line 3: found '0-100' among the dominoes, expected two numbers",
        ),
        ("aa", "01", "a empty", "line 3: found '01' among the dominoes"),
        ("a?", "0-1", "a empty", "line 2: found '?' in the board"),
    ] {
        let found = of(board, dominoes, rules);
        assert!(found.contains(expected), "{found}");
    }
    assert!(error("board:\n\ndominoes: 0-1\n").contains("line 3: found no cell of a board"));
    assert!(error("dominoes: 0-1\nx\n").contains("line 2: found 'x', expected 'board:'"));
    // A piece may be called so.
    assert_eq!(Format::of("board:\n..\npieces:\ndominoes:\nxx\n"), Format::Picture);
    assert_eq!(Format::of("board:\n..\ndominoes:\nxx\n"), Format::Picture);
}

#[test]
fn mistakes_in_json_are_told_with_their_lines() {
    let of = |dominoes: &str, regions: &str| {
        error(&format!("{{\"dominoes\": [{dominoes}],\n\"regions\": [\n{regions}]}}"))
    };
    let region = |rest: &str| format!("{{\"indices\": [[0, 0], [0, 1]], {rest}}}");
    for (dominoes, regions, expected) in [
        (
            "[0, 1]",
            region("\"type\": \"sum\""),
            "line 3: found a region of type \"sum\" with no target",
        ),
        (
            "[0, 1]",
            region("\"type\": \"equals\", \"target\": 3"),
            "line 3: found a region of type \"equals\" with the target '3'",
        ),
        (
            "[0, 1]",
            region("\"type\": \"sum\", \"target\": 4294967296"),
            "line 3: found a region of type \"sum\" with the target",
        ),
        ("[0, 1]", region("\"type\": \"odd\""), "line 3: found a region of type \"odd\""),
        (
            "[0, 1]",
            region("\"type\": \"sum\", \"target\": 7"),
            "line 3: found the sum 7 for the region r1 of 2 cells",
        ),
        (
            "[0, 1, 2]",
            region("\"type\": \"empty\""),
            "line 1: found a list, expected a list of the two numbers of pips",
        ),
        ("[0, 1], [2, 2]", region("\"type\": \"empty\""), "line 1: found 2 dominoes, expected 1"),
        (
            "[0, 1]",
            "{\"indices\": [[0, 0], [0, 0]], \"type\": \"empty\"}".to_owned(),
            "line 3: found the cell [0, 0] in a second region",
        ),
        (
            "[0, 1]",
            "{\"indices\": [[0, -1], [0, 0]], \"type\": \"empty\"}".to_owned(),
            "line 3: found a list, expected the row and the column",
        ),
        (
            "[0, 1]",
            "{\"indices\": [], \"type\": \"empty\"}".to_owned(),
            "line 3: found a region without cells",
        ),
        ("", "{\"indices\": []}".to_owned(), "line 3: found a region without cells"),
    ] {
        let found = of(dominoes, &regions);
        assert!(found.contains(expected), "{found}");
    }
}

/// Dominoes may stand behind their word or below it, in lines of their own.
#[test]
fn dominoes_may_stand_in_the_lines_below() {
    let count = |dominoes: &str| {
        let text = format!("board:\naab\n..b\n{dominoes}regions:\na sum 3\nb equal\n");
        assert_eq!(Format::of(&text), Format::Pips, "{text}");
        let input =
            format::read(text.as_bytes(), "p").unwrap_or_else(|error| panic!("{error}: {text}"));
        Count::new(input.cover()).unwrap().total().unwrap()
    };
    let expected = count("dominoes: 1-2 3-3 0-4\n");
    assert!(expected > 0);
    for dominoes in [
        "dominoes:\n1-2 3-3 0-4\n",
        "dominoes:\n1-2\n\n3-3 ; a comment\n0-4\n",
        "dominoes: 1-2\n3-3 0-4\n",
        "dominoes: ; below\n1-2 3-3\ndominoes:\n0-4\n",
    ] {
        assert_eq!(count(dominoes), expected, "{dominoes}");
    }
    let wrong = format::read(b"board:\n..\ndominoes:\n1-2\n3\n", "p").unwrap_err();
    assert!(wrong.to_string().contains("line 5: found '3' among the dominoes"), "{wrong}");
}
