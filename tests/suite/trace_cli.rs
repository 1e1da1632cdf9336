//! Searches step by step: what is printed, and the pages that play it, decoded and played again here.

use std::collections::BTreeMap;

use crate::common::runs::Folder;
use crate::common::{PUZZLE, SOLUTION};
use serde_json::Value;

pub const DIGITS: &str =
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ!#$%()*+,-./:;=?@[]^_{|}~";

/// Writes a page with these words and reads its steps.
pub fn page(folder: &Folder, words: &str) -> (String, Value) {
    folder.succeed(&format!("{words} --html page.html"));
    let page = folder.read("page.html");
    let data = page.split("<script id=\"data\" type=\"application/json\">").nth(1).unwrap();
    let data = serde_json::from_str(data.split("</script>").next().unwrap()).unwrap();
    (page, data)
}

/// A step of a page.
#[derive(Debug, Default)]
pub struct Read {
    pub kind: String,
    pub sentence: String,
    pub cell: Option<usize>,
    pub mark: Option<usize>,
    pub struck: Vec<(usize, usize)>,
    pub by: Vec<usize>,
    pub area: Vec<usize>,
    to: Option<usize>,
}

/// The steps of one of a page's plays.
pub fn steps(play: &Value) -> Vec<Read> {
    let widths: Vec<usize> = serde_json::from_value(play["widths"].clone()).unwrap();
    let mut rest = play["steps"].as_str().unwrap().chars();
    let mut number = |width: usize| {
        let digits: Vec<char> = rest.by_ref().take(width).collect();
        let value = |digit: &char| DIGITS.find(*digit).unwrap();
        (digits.len() == width)
            .then(|| digits.iter().rev().fold(0, |sum, it| sum * DIGITS.len() + value(it)))
    };
    let names: Vec<String> = serde_json::from_value(play["board"]["cellNames"].clone()).unwrap();
    let marks: Vec<String> = serde_json::from_value(play["board"]["marks"].clone()).unwrap();
    let mut steps = Vec::new();
    while let Some(phrase) = number(widths[0]) {
        let phrase = &play["phrases"][phrase];
        let mut field =
            |at: usize, width| phrase["has"][at].as_bool().unwrap().then(|| number(width).unwrap());
        let (cell, mark) = (field(0, widths[1]), field(1, widths[2]));
        let by = field(2, widths[1]);
        let name =
            |names: &[String], at: Option<usize>| at.map_or(String::new(), |at| names[at].clone());
        let sentence = phrase["text"].as_str().unwrap().replace("{cell}", &name(&names, cell));
        let sentence = sentence.replace("{by}", &name(&names, by));
        let sentence = sentence.replace("{mark}", &name(&marks, mark));
        let kind = phrase["kind"].as_str().unwrap().to_owned();
        let by = by.into_iter().collect();
        steps.push(Read { kind, sentence, cell, mark, by, ..Read::default() });
    }
    for extra in play["extras"].as_array().unwrap() {
        let step = &mut steps[extra["step"].as_u64().unwrap() as usize - 1];
        step.to = extra["to"].as_u64().map(|to| to as usize);
        step.area = serde_json::from_value(extra["area"].clone()).unwrap_or_default();
        if let Ok(by) = serde_json::from_value(extra["by"].clone()) {
            step.by = by;
        }
        step.struck = serde_json::from_value(extra["struck"].clone()).unwrap_or_default();
    }
    steps
}

/// Plays the steps: the marks of the board at each solution, and nodes, dead ends and solutions.
fn played(play: &Value) -> (Vec<BTreeMap<usize, usize>>, [usize; 3]) {
    let given: Vec<(usize, usize)> =
        serde_json::from_value(play["board"]["given"].clone()).unwrap();
    let mut path: Vec<(Option<usize>, Option<usize>)> = Vec::new();
    let (mut solutions, mut counts) = (Vec::new(), [0; 3]);
    for step in steps(play) {
        match step.kind.as_str() {
            "p" => {
                path.push((step.cell, step.mark));
                counts[0] += 1;
            }
            "b" => path.truncate(step.to.unwrap_or(path.len() - 1)),
            "d" => counts[1] += 1,
            "s" => {
                counts[2] += 1;
                let made = path.iter().filter_map(|(cell, mark)| cell.zip(*mark));
                solutions.push(given.iter().copied().chain(made).collect());
            }
            _ => {}
        }
    }
    (solutions, counts)
}

#[test]
fn a_page_of_queens_plays_every_solution_in_order() {
    let folder = Folder::new();
    for n in [1, 2, 4, 6, 8, 10] {
        let (page, data) = page(&folder, &format!("-q queens trace {n} --steps 400000"));
        let (solutions, counts) = played(&data["plays"][0]);
        let boards: Vec<String> = solutions
            .iter()
            .map(|board| {
                let files: Vec<String> =
                    board.keys().map(|cell| (cell % n + 1).to_string()).collect();
                files.join(" ") + "\n"
            })
            .collect();
        let listed = folder.succeed(&format!("-q queens list {n} --format vector"));
        assert_eq!(boards.concat(), listed, "{n}");
        if n == 8 {
            assert_eq!((counts[0], counts[2]), (2056, 92));
            assert!(page.len() < 300_000, "{}", page.len());
        }
        assert_eq!(data["plays"][0]["isWhole"], true);
        assert!(!page.contains("http:") && !page.contains("https:"), "the page needs a network");
    }
}

#[test]
fn the_page_says_what_the_program_prints() {
    let folder = Folder::new();
    for words in [
        "queens trace 5".to_owned(),
        "queens trace 6 --place b6 --block d5".to_owned(),
        format!("sudoku trace {PUZZLE} --steps 2000"),
    ] {
        let (_, data) = page(&folder, &format!("-q {words}"));
        let read = steps(&data["plays"][0]);
        let printed = folder.succeed(&format!("-q {words} --all"));
        let printed = printed.lines().filter_map(|line| {
            let (number, sentence) = line.split_once(": ")?;
            number.replace(',', "").parse::<usize>().ok().map(|number| (number, sentence))
        });
        let read = (1..).zip(read.iter().map(|step| step.sentence.as_str()));
        assert!(printed.eq(read), "{words}");
    }
}

#[test]
fn a_page_is_the_same_every_time() {
    let folder = Folder::new();
    let words = format!("-q sudoku explain {PUZZLE}");
    assert_eq!(page(&folder, &words), page(&folder, &words));
}

#[test]
fn a_page_of_a_sudoku_has_its_search_and_its_reasons() {
    let folder = Folder::new();
    let (page_text, data) = page(&folder, &format!("-q sudoku trace {PUZZLE}"));
    assert!(page_text.len() < 300_000, "{}", page_text.len());
    let names: Vec<&str> =
        data["plays"].as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["Search", "Reasons"]);
    for play in data["plays"].as_array().unwrap() {
        let (solutions, _) = played(play);
        let grids: Vec<String> = solutions
            .iter()
            .map(|board| board.values().map(|mark| (mark + 1).to_string()).collect())
            .collect();
        assert_eq!(grids, [SOLUTION], "{}", play["name"]);
    }
    let (_, data) = page(&folder, &format!("-q sudoku explain {PUZZLE} --cell r4c4"));
    assert_eq!(data["title"], "Why r4c4 is 7");
    let read = steps(&data["plays"][0]);
    assert!(read.last().unwrap().sentence.starts_with("r4c4 must be 7: "), "{read:?}");
    // Of several solutions there is only a search.
    let several = PUZZLE.replace('9', ".");
    let (_, data) = page(&folder, &format!("-q sudoku trace {several} --steps 100"));
    assert_eq!(data["plays"].as_array().unwrap().len(), 1);
}

#[test]
fn a_page_of_a_long_search_says_that_it_is_cut() {
    let folder = Folder::new();
    let told = folder.said("queens trace 9 --steps 500 --html page.html");
    let note = "The page holds the first 500 of 83,708 steps: ";
    assert!(told.starts_with(note), "{told}");
    assert!(told.ends_with("Open page.html in a browser to play it.\n"), "{told}");
    assert!(told.contains("of 8,393 nodes") && told.contains("of 352 solutions"), "{told}");
    let page = folder.read("page.html");
    assert!(page.contains(note));
    for name in ["title", "h1"] {
        let title = format!("<{name}>9 queens, searched step by step</{name}>");
        assert!(page.contains(&title), "{title}");
    }
    let (_, data) = self::page(&folder, "-q queens trace 9 --steps 500");
    assert_eq!(
        (steps(&data["plays"][0]).len(), data["plays"][0]["isWhole"].as_bool()),
        (500, Some(false))
    );
    // The default keeps every page small, also where the search would take days.
    let (page, data) = self::page(&folder, "-q queens trace 16");
    assert!(page.len() < 500_000, "{}", page.len());
    assert_eq!(steps(&data["plays"][0]).len(), 50_000);
    assert!(page.contains("steps of more than twenty million"));
}

#[test]
fn how_much_pruning_saves_is_said_exactly() {
    let folder = Folder::new();
    folder.says(
        "queens trace 8 --html page.html",
        ["The search tries 2,056 nodes, ", "19,173,960 nodes. That is 9,326 times as many."],
    );
    folder.prints("queens count 8 -v", "2,056 nodes of 19,173,960 without pruning");
}

#[test]
fn what_cannot_be_traced_or_explained_is_said() {
    let folder = Folder::new();
    let clash = "55".to_owned() + &".".repeat(79);
    let impossible = "12345678.........9".to_owned() + &".".repeat(63);
    let empty = ".".repeat(81);
    for (words, code, told) in [
        ("queens trace 17 --html p.html".to_owned(), 2, "17 is not in 1..=16"),
        ("queens trace 8 --html no/such/p.html".to_owned(), 1, "cannot write no/such/p.html"),
        ("queens trace 8 --html p.html --animate 1s".to_owned(), 2, "cannot be used with"),
        ("queens trace 8 --steps 0".to_owned(), 2, "0 is not in 1..=2000000"),
        ("sudoku trace 53..7".to_owned(), 2, "found neither a puzzle"),
        (format!("sudoku trace {clash}"), 1, "r1c1 and r1c2 are both 5 in row 1"),
        (format!("sudoku explain {clash}"), 1, "r1c1 and r1c2 are both 5 in row 1"),
        (format!("sudoku trace {impossible} --steps 9"), 1, "no solution: every path ends"),
        (format!("sudoku explain {impossible}"), 1, "no solution: the deductions end in a contra"),
        (format!("sudoku explain {impossible} --cell r1c9"), 1, "has no solution, so no digit"),
        (format!("sudoku explain {empty}"), 1, "found several solutions, in which r1c1 is 1 or"),
        (format!("sudoku explain {PUZZLE} --cell r4c5"), 2, "r4c5 is given, it is 6"),
        (format!("sudoku explain {PUZZLE} --cell c4"), 2, "found the cell `c4`"),
        (format!("sudoku explain {PUZZLE} --hint --html p"), 2, "cannot be used with"),
        ("sudoku explain 1...............".to_owned(), 1, "found another size"),
    ] {
        folder.fails(&words, code, told);
    }
    assert!(!folder.at("p.html").exists());
    folder.write("puzzle", PUZZLE);
    folder.fails("sudoku trace puzzle --html puzzle", 2, "puzzle is read here");
    // A page that is there already is written over, whole.
    folder.write("page.html", "old");
    page(&folder, "-q queens trace 4");
}

#[test]
fn a_search_that_is_not_over_says_so() {
    let folder = Folder::new();
    let (solutions, steps) = ("--all goes on to further solutions", "a larger --steps shows more");
    for (words, expected) in [
        ("queens trace 4".to_owned(), solutions),
        ("queens trace 4 --steps 3".to_owned(), steps),
        ("queens trace 4 --all --steps 82".to_owned(), steps),
        ("queens trace 4 --all --steps 83".to_owned(), ""),
        ("queens trace 4 --all".to_owned(), ""),
        ("queens trace 3".to_owned(), ""),
        ("queens trace 4 -q".to_owned(), ""),
        (format!("sudoku trace {PUZZLE}"), solutions),
        (format!("sudoku trace {PUZZLE} --steps 3"), steps),
    ] {
        let expected = match expected {
            "" => String::new(),
            option => format!("the search is not over: {option}\n"),
        };
        assert_eq!(folder.fail(&words, 0), expected, "{words}");
    }
    let impossible = "12345678.........9".to_owned() + &".".repeat(63);
    let (_, told, _) = folder.told(&format!("sudoku explain {impossible}"));
    assert!(told.ends_with("so the puzzle has no solution\n2 steps\n"), "{told}");
}

#[test]
fn an_explanation_is_printed_with_its_reasons() {
    let folder = Folder::new();
    let hint = folder.succeed(&format!("sudoku explain {PUZZLE} --hint"));
    assert_eq!(hint, "r5c5 must be 5: row 5 has 1, 3, 4 and 8; column 5 has 2, 6, 7 and 9\n");
    let all = folder.succeed(&format!("sudoku explain {PUZZLE}"));
    assert!(all.starts_with(" 1. r5c5 must be 5: "), "{all}");
    assert!(all.contains("52. every cell is filled: the solution\n"), "{all}");
    assert!(all.ends_with("52 steps: 51 naked singles\n"), "{all}");
    let why = folder.succeed(&format!("sudoku explain {PUZZLE} --cell R4C4"));
    assert!(why.lines().last().unwrap().contains(". r4c4 must be 7: "), "{why}");
    assert!(why.lines().count() < all.lines().count());
    let hard = "..1...8.....6.4.......3.......72....4......5..9.....3.6.....2.1...8..7..31.......";
    let hint = folder.succeed(&format!("sudoku explain {hard} --hint"));
    assert!(hint.contains(" must be ") || hint.contains(" cannot be "), "{hint}");
}
