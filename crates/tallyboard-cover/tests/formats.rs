//! Promise: each format is read and written, and mistakes are reported with their line.

use tallyboard_cover::format::{self, Format, Input};
use tallyboard_cover::{Count, Cover};

fn read(text: &str) -> Cover {
    match format::read(text.as_bytes(), "puzzle").unwrap() {
        Input::Cover(cover) => cover,
        Input::Puzzle(_) => panic!("read as a drawing"),
    }
}

fn error(bytes: &[u8]) -> String {
    format::read(bytes, "p.txt").unwrap_err().to_string()
}

fn total(cover: &Cover) -> u128 {
    Count::new(cover).unwrap().total().unwrap()
}

const KNUTH: &str = "| A comment.

a b 1:2|c | x y
| Another.
a x:red
b c x:red y
b c
c\r
x
";

#[test]
fn knuths_format_is_read_and_written() {
    let cover = read(KNUTH);
    assert_eq!((cover.items().len(), cover.len()), (5, 5));
    assert!(cover.has_multiplicities());
    // a, then b c in two ways, with and without c.
    assert_eq!(total(&cover), 4);
    let again = read(&format::write(&cover, Format::Knuth).unwrap());
    assert_eq!(format::write(&again, Format::Knuth), format::write(&cover, Format::Knuth));
    assert_eq!(total(&again), 4);
    assert_eq!(total(&read("2|a b\na\na\na b\n")), 2);
    // An item that may be covered or not stays one.
    let optional = read("a 0:1|b\na\nb\n");
    assert_eq!(total(&optional), 2);
    assert_eq!(total(&read(&format::write(&optional, Format::Knuth).unwrap())), 2);
}

/// Names that differ only in the middle, and options of so many entries that these are not compared in pairs.
#[test]
fn long_names_and_long_options_are_read() {
    let names: Vec<String> =
        (0..40).map(|item| format!("the-beginning-{item:02}-and-the-end-of-a-name")).collect();
    let all = names.join(" ");
    let options: String = names.iter().map(|name| format!("{name}\n")).collect();
    assert_eq!(total(&read(&format!("{all}\n{all}\n{options}"))), 2);
    for repeated in [0, 15, 16, 17, 38] {
        let text = format!("{all}\n{all} {}\n", names[repeated]);
        assert!(error(text.as_bytes()).contains("twice in an option"), "{repeated}");
    }
    // An option that fails has no effect on the next one, which gets its number.
    let mut cover = read(&format!("{all}\n"));
    let twice = names.iter().chain([&names[20]]);
    assert!(cover.option(twice).is_err());
    assert!(cover.option(&names).is_ok());
}

#[test]
fn stated_counts_are_read() {
    let known = |text: &str| format::known_count(text.as_bytes());
    assert_eq!(known("| Many. count: 12,988,816, by all\na\n"), Some(12_988_816));
    assert_eq!(known("; count: 7; 2 up to symmetry\nboard:\n"), Some(7));
    assert_eq!(known("c count: 7.\np ec 1 1\n"), Some(7));
    for none in ["a\n| b\n", "| count: many\na\n", "| count:\na\n", "| count: ,\na\n", "count: 7\n"]
    {
        assert_eq!(known(none), None, "{none}");
    }
    let large = "| count: 340282366920938463463374607431768211456\n";
    assert_eq!(known(large), None);
    assert_eq!(format::known_remainder(large.as_bytes(), 1_000), Some(456));
}

#[test]
fn the_plain_formats_are_read_and_written() {
    let ec = read("c An example.\np ec 3 4\ns 1 2\n3\n1 0\n2 3\n");
    let matrix = read("110\n001\n1 0 0\n011\n");
    for (cover, format) in [(&ec, Format::Ec), (&matrix, Format::Matrix)] {
        assert_eq!(total(cover), 2);
        let text = format::write(cover, format).unwrap();
        assert_eq!(Format::of(&text), format);
        assert_eq!(format::write(&read(&text), format), Ok(text));
    }
    assert_eq!(format::write(&ec, Format::Matrix), format::write(&matrix, Format::Matrix));
    let coloured = read(KNUTH);
    assert!(
        format::write(&coloured, Format::Ec).is_err()
            && format::write(&coloured, Format::Matrix).is_err()
    );
}

#[test]
fn a_byte_order_mark_is_skipped() {
    assert_eq!(total(&read("\u{feff}a\na\n")), 1);
    // Also before a count or a symmetry in the first line.
    assert_eq!(format::known_count("\u{feff}| count: 7\na\n".as_bytes()), Some(7));
    let text = "\u{feff}| symmetry: (a b)\na b\na\nb\n";
    let symmetries = format::read_symmetries(text.as_bytes(), "p.txt", &read(text));
    assert_eq!(symmetries.unwrap().len(), 1);
}

#[test]
fn misspelt_symmetries_are_reported() {
    let text = |line: &str| format!("a b\n{line}\na\nb\n");
    let symmetries = |line: &str| {
        let text = text(line);
        format::read_symmetries(text.as_bytes(), "p.txt", &read(&text)).map(|found| found.len())
    };
    for line in ["| symmetry: (a b)", "| Symmetry : (a b)"] {
        assert_eq!(symmetries(line).unwrap(), 1, "{line}");
    }
    for (key, line) in [("symetry", "| symetry: (a b)"), ("symmetries", "|Symmetries: (a b)")] {
        let expected = format!("p.txt, line 2: found '{key}:', expected 'symmetry:'");
        assert_eq!(symmetries(line).unwrap_err().to_string(), expected);
    }
    // Comments for people.
    for line in [
        "| symmetries: two",
        "| items: (a b)",
        "| The count: see below.",
        "| asymmetry: (a b) is not here",
        "| count: unknown",
        "| court: 4 x 5",
    ] {
        assert_eq!(symmetries(line).unwrap(), 0, "{line}");
    }
}

#[test]
fn mistakes_are_reported_with_their_line() {
    let wrong: [(&[u8], &str); 18] = [
        (b"", "p.txt, line 1: found the end of the file, expected a drawn puzzle"),
        (b"| only a comment\n", "p.txt, line 2: found the end of the file"),
        (b"a b | c | d\n", "p.txt, line 1: found a second '|'"),
        (b"a b a\n", "p.txt, line 1: found the item 'a' twice"),
        (b"2:1|a\n", "p.txt, line 1: found 2:1 for the item 'a'"),
        (b"x:y|a\n", "p.txt, line 1: found 'x:y|a', expected low:high|item"),
        (b"a | 1:2|b\n", "p.txt, line 1: found '1:2|b', expected low:high|item"),
        (b"a\n\na b\n", "p.txt, line 3: found 'b' in an option"),
        (b"a b\na a\n", "p.txt, line 2: found the item 'a' twice in an option"),
        (b"a\na:red\n", "p.txt, line 2: found the colour 'red' on the primary item 'a'"),
        (b"a b\na | b\n", "p.txt, line 2: found '|' in an option"),
        (b"a b\na\nb \xff\n", "p.txt, line 3: found bytes that are no UTF-8"),
        (b"p ec 3\n", "p.txt, line 1: found 'p ec 3', expected 'p ec'"),
        (b"p ec 16777217 1\n1\n", "p.txt, line 1: found 'p ec 16777217 1', expected 'p ec'"),
        (b"p ec 3 1\n4\n", "p.txt, line 2: found '4', expected an item's number from 1 to 3"),
        (b"p ec 3 2\n1\n", "p.txt, line 2: found 1 options, expected 2"),
        (b"011\n01\n", "p.txt, line 2: found 2 columns, expected 3"),
        (b"011\n0110\n", "p.txt, line 2: found 4 columns, expected 3"),
    ];
    for (text, expected) in wrong {
        let found = error(text);
        assert!(found.starts_with(expected), "{found}");
    }
    // A drawing without its first line is taken for Knuth's format.
    let headless = error(b"...\n...\npieces: flip\n");
    assert!(headless.starts_with("p.txt, line 3: found 'pieces'"), "{headless}");
    assert!(
        headless.contains("(read as Knuth's format: the first line begins neither with 'board:'")
    );
    assert!(!error(b"").contains("Knuth"));
}
