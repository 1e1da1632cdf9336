//! Promise: each format is read and written, and mistakes are reported with their line.

use tallyboard_base::random::Random;
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

/// An empty line below a comment, a comment amid the options, and a line that ends as on Windows: each is to be read over.
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
    // `a x:red` is in each cover. `b` is covered by `b c` or by `b c x:red y`, and `c` may be chosen beside either: 2 × 2.
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

/// The dialect of Pips solvers: bounds behind the item, weights, comments.
#[test]
fn weights_are_read_and_written() {
    let text = "a[2:2] b\na\nb\n// a=2 b\na b // two\na=2\n";
    let cover = read(text);
    assert!(cover.has_weights());
    // `a b` with `a`, and `b` with `a=2`.
    assert_eq!((cover.len(), total(&cover)), (4, 2));
    let written = format::write(&cover, Format::Knuth).unwrap();
    assert_eq!(written, "2:2|a b\na\nb\na b\na=2\n");
    assert_eq!(total(&read(&written)), 2);
    for format in [Format::Ec, Format::Matrix, Format::Brackets, Format::Cnf] {
        let error = format::write(&cover, format).unwrap_err();
        assert_eq!(error.to_string(), format!("the {format} format has no weights; dlx has"));
    }
    // A name with `=` in it is a name if there is such an item, and `1` is what an item without a weight has.
    assert!(!read("a a=2 //\na a=2\n// a\n").has_weights());
    assert!(!read("a\na=1\n").has_weights());
    // Each limit from both sides.
    for (bounds, covers) in
        [("3:4", 4), ("4:4", 2), ("4:5", 3), ("0:2", 2), ("6:6", 1), ("5:9", 2), ("7:9", 0)]
    {
        let text = format!("s[{bounds}] b\ns=1 b\ns=2 b\ns=2\ns=2\n");
        let naive = (0..16_u32).filter(|set| {
            let chosen: Vec<u32> = (0..4).filter(|option| set >> option & 1 == 1).collect();
            read(&text).is_solved_by(&chosen)
        });
        let found = (total(&read(&text)), naive.count() as u128);
        assert_eq!(found, (covers, covers), "{bounds}");
    }
}

#[test]
fn wrong_weights_and_bounds_are_refused_in_their_line() {
    let of = |text: &str| error(text.as_bytes());
    for weight in ["0", "-1", "+1", "4294967296", "", "x", "1.5", "1:red"] {
        let message = of(&format!("a[0:9] | x\na\na={weight}\n"));
        assert!(message.contains("line 3: found 'a="), "{message}");
        assert!(message.contains("expected a weight from 1 to 4294967295"), "{message}");
    }
    assert!(of("a | x\na x=2\n").contains("line 2: found the weight 2 on the secondary item 'x'"));
    assert!(of("a\nb=2\n").contains("line 2: found 'b=2' in an option, expected one of the items"));
    for bounds in ["a[1:4294967296]", "a[-1:2]", "a[1:]", "a[:]"] {
        let message = of(&format!("{bounds}\na\n"));
        assert!(message.contains(&format!("line 1: found '{bounds}', expected")), "{message}");
    }
    assert!(of("a[3:2]\na\n").contains("found 3:2 for the item 'a'"));
    assert!(of("a | x[1:2]\na x\n").contains("line 1: found 'x[1:2]'"));
    assert_eq!(total(&read("a[4294967295:4294967295]\na=4294967295\na=4294967294\na\n")), 2);
    let impossible = format::read(b"a[9:9]\na=4\na=3\n", "t").unwrap();
    assert_eq!(impossible.remarks(), ["all options of item a have the sum 7, below 9"]);
}

/// Names that differ only in the middle, and options of so many entries that these are not compared in pairs.
#[test]
fn long_names_and_long_options_are_read() {
    let names: Vec<String> =
        (0..40).map(|item| format!("the-beginning-{item:02}-and-the-end-of-a-name")).collect();
    let all = names.join(" ");
    let options: String = names.iter().map(|name| format!("{name}\n")).collect();
    assert_eq!(total(&read(&format!("{all}\n{all}\n{options}"))), 2);
    // On both sides of the length from which on entries are not compared in pairs: `LONG`, 16, in `cover.rs`.
    for repeated in [0, 15, 16, 17, 38] {
        let text = format!("{all}\n{all} {}\n", names[repeated]);
        assert!(error(text.as_bytes()).contains("twice in an option"), "{repeated}");
    }
    // An option that fails has no effect on the next one, which gets its number.
    let mut cover = read(&format!("{all}\n{all}\n"));
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
    assert_eq!(known(" \t| count: 7\n  c\tcount: 8\np\tec 1 1\n"), Some(7));
    assert_eq!(known("  c\tcount: 8\np\tec 1 1\n"), Some(8));
    for none in ["a\n| b\n", "| count: many\na\n", "| count:\na\n", "| count: ,\na\n", "count: 7\n"]
    {
        assert_eq!(known(none), None, "{none}");
    }
    // What follows the first line of the problem is part of it, and so is Knuth's option `c count:3`.
    assert_eq!(known("a\n| count: 7\n"), None);
    assert_eq!(known("c d | count\nc count:3\nd\n"), None);
    // A number that the end of the head cuts is not a count; one line further up it is whole.
    for (padding, expected) in
        [(format::HEAD_BYTES - 12, None), (format::HEAD_BYTES - 13, Some(16))]
    {
        let padding = "|".repeat(padding);
        assert_eq!(
            known(&format!("{padding}\n| count: 16\na\na\n")),
            expected,
            "{}",
            padding.len()
        );
    }
    let large = "| count: 340282366920938463463374607431768211456\n";
    assert_eq!(known(large), None);
    assert_eq!(format::known_remainder(large.as_bytes(), 1_000), Some(456));
}

#[test]
fn the_plain_formats_are_read_and_written() {
    let ec = read("c An example.\np ec 3\ns 1 2\ns 3\ns 1\ns 2 3\n");
    // Also with the number of options, without the letter, and with a 0 at the end.
    assert_eq!(total(&read("p ec 3 4\n1 2\n3\n1 0\ns 2 3 0\n")), 2);
    // Tabs part words as blanks do.
    assert_eq!(total(&read("c\tone\np\tec\t3  4\n1\t2\nc\tx\n3\n1 0\ns\t2 3 0\n")), 2);
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
fn comments_before_lists_and_colours_without_names() {
    assert_eq!(total(&read("| a = b, see [1]\nx = [[\"a\"]]\n")), 1);
    assert_eq!(total(&read("< a > [ x ]\na x: red;\n")), 1);
    for (text, found) in
        [("< a > [ x ]\na x: ;\n", "';'"), ("< a > [ x ]\na x:", "end of the file")]
    {
        assert!(error(text.as_bytes()).contains(found), "{text}");
    }
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
    let wrong: [(&[u8], &str); 19] = [
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
        (b"p ec 3 1 1\n", "p.txt, line 1: found 'p ec 3 1 1', expected 'p ec'"),
        (b"p xc 3\n", "p.txt, line 1: found 'p xc 3', expected 'p ec'"),
        // One item more than `MOST_ITEMS` of `ec.rs`.
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

/// The forms in which public instances come: those of DXD (arXiv 2604.14627) begin with `p ec` and the number of items alone, as the
/// files bell, doublefact, kts15, sts15 and latin do, or are counted lists, as its files run_set.
#[test]
fn published_forms_are_read() {
    // The partitions of a set of three: a Bell number.
    let bell = "c bell-3\np ec 3\ns 1\ns 2\ns 3\ns 1 2\ns 1 3\ns 2 3\ns 1 2 3\n";
    assert_eq!(total(&read(bell)), 5);
    assert_eq!(total(&read(&format!("; count: 5\n| A comment.\n{bell}"))), 5);
    // The same as lists, from 1 and from 0.
    assert_eq!(total(&read("3 7\n1 1\n1 2\n1 3\n2 1 2\n2 1 3\n2 2 3\n3 1 2 3\n")), 5);
    assert_eq!(total(&read("3 7\n1 0\n1 1\n1 2\n2 0 1\n2 0 2\n2 1 2\n3 0 1 2\n")), 5);
    let neither = error(b"5 2\n2 1 2\n2 3 4\n");
    assert!(
        neither.starts_with("p.txt, line 1: found items from 1 to 4, expected 0 to 4, or 1 to 5"),
        "{neither}"
    );
    assert!(error(b"3 4\n1 1\n2 2 3\n").contains("found 2 options, expected 4"));
    // With the numbers of items and options above names, which Knuth's format has not.
    let named = "3 7\nx y z\nx\ny\nz\nx y\nx z\ny z\nx y z\n";
    assert_eq!(total(&read(named)), 5);
    // Of the options only those with x are chosen, one of four.
    assert_eq!(total(&read(&named.replacen("x y z", "x | y z", 1))), 4);
    let wrong = error(named.replace("3 7", "3 8").as_bytes());
    assert!(wrong.contains("read as Knuth's format"), "{wrong}");
    let wrong = error(named.replace("\ny z\n", "\ny w\n").as_bytes());
    assert!(wrong.starts_with("p.txt, line 8: found 'w'"), "{wrong}");
    // Numbers that are items stay items.
    assert_eq!(total(&read("1 2\n1\n2\n")), 1);
    // Those of miniexact: primary and secondary items, options that end with 0, negative colours.
    assert_eq!(total(&read("p xc 2 1\n1 3 0\n2 0 2 3\n0\n")), 1);
    assert_eq!(total(&read("c x\np xcc 2 1\n1 3 -1 0\n2 3 -1 0\n2 3 -2 0\n2 0\n")), 2);
    assert!(error(b"p xc 2 0\n1 0\n2\n").contains("found an option without an end"));
    assert!(error(b"p ec 2\ns 1 0 2\n").contains("line 2: found a 0 before the end"));
}

const ROWS: [&str; 6] = ["1 0 0 0", "0 1 1 0", "1 0 0 1", "0 0 1 1", "0 1 0 0", "0 0 1 0"];

#[test]
fn matrices_are_read_in_every_clothing() {
    let rows = ROWS.join("\n");
    let lists = ROWS.map(|row| format!("[{}]", row.replace(' ', ",")));
    // A name may be there once.
    let mut number = 0;
    let named = lists.clone().map(|list| {
        number += 1;
        format!("'A{number}': {list}")
    });
    let all = [
        rows.clone(),
        rows.replace(' ', ""),
        format!("; count: 3\n| A matrix.\n{rows}"),
        rows.replace(' ', ","),
        rows.replace(' ', "; "),
        format!("6 4\n{}", rows.replace(' ', ",")),
        format!("4\n{rows}"),
        format!("6 4\n{rows}"),
        // Columns, rows and how many options are chosen, and names of columns.
        format!("4 6 2\n{rows}"),
        format!("one two three four\n{rows}"),
        format!("abcc\n{}", rows.replace(' ', "")),
        format!("one,two,three,four\n{}", rows.replace(' ', ",")),
        format!("[{}]", lists.join(",")),
        format!("[\n{}\n]\n", lists.join(",\n")),
        format!("matrix = [{}] # six rows", lists.join(", ").replace('[', "(").replace(']', ")")),
        format!("{{{}}}", named.join(", ")),
        format!("[{}]", lists.join(",").replace('1', "true").replace('0', "False")),
        // As numpy prints it.
        format!("[[{}]]", ROWS.join("]\n [")),
    ];
    for text in all {
        assert_eq!(total(&read(&text)), 3, "{text}");
    }
    assert!(error(format!("5 4\n{rows}\n").as_bytes()).contains("found 6 rows, expected 5"));
    assert!(format::read(format!("4 5 2\n{rows}").as_bytes(), "").is_err());
    assert!(format::read(format!("one two three\n{rows}").as_bytes(), "").is_err());
    // An item whose name is a row of digits makes an option of it.
    assert_eq!(total(&read("a 11 b\na b\n11\n")), 1);
    assert_eq!(total(&read("a 110 b\n110\n110\n")), 0);
    // Names of items with commas are none of its columns.
    assert_eq!(total(&read("0,0 0,1 1,0 1,1\n0,0 0,1\n1,0 1,1\n0,0 1,0\n0,1 1,1\n")), 2);
    assert_eq!(total(&read("0,0 0,1\n0,0 0,1\n")), 1);
    // A matrix of two rows, or two options of one item each.
    assert!(error(b"2 2\n1 0\n1 1\n").contains("found what may be a matrix or counted lists"));
    // Rows whose first one is no line of dimensions.
    assert_eq!(total(&read("10\n01\n")), 1);
}

#[test]
fn lists_in_brackets_are_options() {
    assert_eq!(total(&read("[[1, 4, 7], [1, 4], [4, 5, 7], [3, 5, 6], [2, 3, 6, 7], [2, 7]]")), 1);
    assert_eq!(
        total(&read("Y = {\n 'A': ['a', \"b\"], # one\n 'B': ('c',),\n 3: {'a', 'b', 'c'},\n}\n")),
        2
    );
    for (text, expected) in [
        ("[[1, 'a']]", "line 1: found \"a\" among both numbers"),
        ("[[1, 2],\n[1.5]]", "line 2: found '1.5', expected a whole number"),
        ("[[1, 2],\n[3]", "line 2: found the end of the file"),
        ("[[1, 1], [2]]", "found the item '1' twice in an option"),
        ("[['a b']]", "found the name \"a b\""),
        ("[['a\n']]", "line 1: found 'a, expected a text that ends with a quote"),
        ("[[1]] [2]", "found '[', expected nothing behind"),
    ] {
        let found = error(text.as_bytes());
        assert!(found.contains(expected), "{found}");
    }
    let mut quoted = Cover::new();
    quoted.primary(["\\", "it's", "\""]).unwrap().option(["\\", "\"", "it's"]).unwrap();
    let text = format::write(&quoted, Format::Brackets).unwrap();
    assert_eq!(format::write(&read(&text), Format::Brackets), Ok(text));
}

/// Two numbers above rows of 0 and 1 are the dimensions of a matrix, or the numbers of items and of lists, whichever they fit.
#[test]
fn what_a_header_states_is_compared_with_what_is_below() {
    assert_eq!(format::Format::of("3 2\n1 0\n1 1\n"), Format::Lists);
    assert_eq!(total(&read("3 2\n1 0\n1 1\n")), 0);
    assert_eq!(format::Format::of("3 2\n1 0\n1 1\n0 1\n"), Format::Matrix);
    assert_eq!(total(&read("3 1\n0\n")), 0, "a list without items");
    assert_eq!(total(&read("p ec 2\ns\t1\ns 2\ns\t1\t2\n")), 2);
    for (text, expected) in [
        ("p ec 70000\n1\n", "line 1: found 70000 items in a file of 13 bytes"),
        ("p xc 60000 10000\n1 0\n", "line 1: found 70000 items"),
        ("70000 1\n1 5\n", "line 1: found 70000 items"),
        ("3 1\n1 99999999999999999999\n", "found"),
    ] {
        let found = error(text.as_bytes());
        assert!(found.contains(expected), "{found}");
    }
}

/// The counts are those of miniexact 1.6.1 with `-e -c` and `-e -m`, on these texts.
#[test]
fn the_dialect_of_miniexact_is_read() {
    assert_eq!(total(&read("< a b c d e f g >\nc e;\na d g;\nb c f;\na d f;\nb g;\nd e g;\n")), 1);
    assert_eq!(total(&read("<a b c>\na b;c;\na;b c;\n")), 2);
    assert_eq!(total(&read("< a:1;2 b >\n[ x y ]\na x:R;\na b x:R y;\nb;\na x:G;\n")), 4);
    assert_eq!(total(&read("< a:2 b >\na b;\na;\na\n")), 2);
    // The file may end with a point, which is no part of the last colour.
    for end in [".", " .\n", "\n.\n", ";"] {
        assert_eq!(total(&read(&format!("< a b >\n[ x ]\na x:R;\nb x:R{end}"))), 1, "{end}");
    }
    for (text, expected) in [
        ("< a b\n", "found the end of the file, expected '>'"),
        ("< a:x >\na;\n", "line 1: found 'x', expected how often"),
        ("< a >\nb;\n", "line 2: found 'b' in an option"),
        ("< a ; >\na;\n", "line 1: found ';', expected the name"),
    ] {
        let found = error(text.as_bytes());
        assert!(found.contains(expected), "{found}");
    }
}

#[test]
fn a_problem_without_options_is_asked_about() {
    for text in ["a b c\n", "..oo\n", "1 2 3 a\n| no more\n"] {
        let found = error(text.as_bytes());
        assert!(found.contains("found a line of items alone"), "{found}");
    }
    let mut cover = Cover::new();
    cover.primary(["a"]).unwrap();
    for format in [Format::Knuth, Format::Matrix, Format::Brackets] {
        assert!(format::write(&cover, format).unwrap_err().to_string().contains("without options"));
    }
    let text = format::write(&cover, Format::Ec).unwrap();
    assert_eq!(total(&read(&text)), 0);
    // Lists have no place for an item that no option has, which would be lost.
    cover.primary(["b"]).unwrap().option(["a"]).unwrap();
    assert!(format::write(&cover, Format::Brackets).is_err());
}

/// The models of clauses, by trying every assignment.
fn models(text: &str) -> u32 {
    let mut lines = text.lines().filter(|line| !line.starts_with('c'));
    let header: Vec<&str> = lines.next().unwrap().split(' ').collect();
    let variables: u32 = header[2].parse().unwrap();
    let clauses: Vec<Vec<i32>> = lines
        .map(|line| {
            line.split(' ')
                .map(|word| word.parse().unwrap())
                .take_while(|&word| word != 0)
                .collect()
        })
        .collect();
    assert_eq!(clauses.len().to_string(), header[3]);
    let holds = |values: u32, literal: i32| {
        (values >> (literal.unsigned_abs() - 1) & 1 == 1) == (literal > 0)
    };
    (0..1 << variables)
        .filter(|&values| {
            clauses.iter().all(|clause| clause.iter().any(|&literal| holds(values, literal)))
        })
        .count() as u32
}

#[test]
fn clauses_have_a_model_for_each_cover() {
    let clauses = |cover: &Cover| models(&format::write(cover, Format::Cnf).unwrap());
    for text in [
        "a b | x y\na x:red\na x:green\nb x:red y\nb\nb y x\nx\n",
        "a 0:1|b 0|z\na\nb\na b\nb z\n",
        "a b\na\n",
        "a b | x\na x\nb x\na\nb\na b x\n",
    ] {
        let cover = read(text);
        assert_eq!(u128::from(clauses(&cover)), total(&cover), "{text}");
    }
    // On both sides of the number of options from which on a chain of variables is written, which is 13.
    for options in [12, 13] {
        let cover = read(&format!("a\n{}", "a\n".repeat(options)));
        assert_eq!(clauses(&cover), options as u32);
    }
    assert_eq!(clauses(&Cover::new()), 1);
    assert!(format::write(&read("2|a\na\na\n"), Format::Cnf).is_err());
}

/// Options without a colour exclude each other and every colour; those of one colour go together.
#[test]
fn clauses_know_colours_beside_options_without_one() {
    let mut random = Random::from_seed(1);
    let mut several = 0;
    for _ in 0..150 {
        let mut text = "a b c | x y\n".to_owned();
        for _ in 0..8 {
            let mut items: Vec<String> = ["a", "b", "c"]
                .iter()
                .filter(|_| random.below(3) == 0)
                .map(|it| (*it).into())
                .collect();
            for name in ["x", "y"] {
                items.extend(match random.below(5) {
                    0 | 1 => Some(name.to_owned()),
                    2 => Some(format!("{name}:red")),
                    3 => Some(format!("{name}:green")),
                    _ => None,
                });
            }
            if !items.is_empty() {
                text += &(items.join(" ") + "\n");
            }
        }
        let cover = read(&text);
        let covers = total(&cover);
        several += u32::from(covers > 1);
        let clauses = format::write(&cover, Format::Cnf).unwrap();
        assert_eq!(u128::from(models(&clauses)), covers, "{text}");
    }
    assert!(several > 20, "{several}");
}

/// Two problems of a 2 x 2 x 1 board in the form of BurrTools.
const BURR: &str = r##"<?xml version="1.0"?>
<puzzle version="2">
  <gridType type="0"/>
  <colors><color red="1" green="2" blue="3"/></colors>
  <shapes>
    <voxel x="2" y="1" z="1" type="0" name="a rod">##</voxel>
    <voxel x="1" y="1" z="1" type="0">#1</voxel>
    <voxel x="2" y="2" z="1" type="0" name="board">####</voxel>
    <voxel x="3" y="1" z="1" type="0">#+#1</voxel>
  </shapes>
  <problems>
    <problem name="rods" state="2" assemblies="1">
      <shapes><shape id="0" count="2"/></shapes>
      <result id="2"/>
      <bitmap/>
    </problem>
    <problem name="either" state="0">
      <shapes><shape id="0" min="0" max="1"/><shape id="1" min="0" max="4"/><shape id="3" count="0"/></shapes>
      <result id="2"/>
      <bitmap/>
    </problem>
    <problem state="0">
      <shapes><shape id="1" count="2"/></shapes>
      <result id="3"/>
      <bitmap><pair piece="0" result="0"/></bitmap>
    </problem>
    <problem maxHoles="0">
      <shapes><shape id="1" min="0" max="3"/></shapes>
      <result id="3"/>
      <bitmap><pair piece="0" result="0"/></bitmap>
    </problem>
    <problem>
      <shapes><shape id="1" count="2"/></shapes>
      <result id="3"/>
      <bitmap/>
    </problem>
  </problems>
  <comment/>
</puzzle>
"##;

/// A problem is refused only if it may leave more cubes empty than it allows: two of four cubes may be here, and pieces
/// cover some at least.
#[test]
fn a_number_of_holes_that_pieces_keep_is_no_rule() {
    for (pieces, least_covered) in
        [("min=\"0\" max=\"4\"", 0), ("min=\"3\" max=\"4\"", 3), ("count=\"4\"", 4)]
    {
        for most in 0..4_u64 {
            let text =
                BURR.replace(">#+#1<", ">#++#<").replace("x=\"3\" y=\"1\"", "x=\"4\" y=\"1\"");
            let text = text.replace("maxHoles=\"0\"", &format!("maxHoles=\"{most}\""));
            let text = text.replace("min=\"0\" max=\"3\"", pieces);
            let found = format::read_problem(text.as_bytes(), "p.xmpuzzle", Some(4));
            let may_be_empty = 2.min(4 - least_covered);
            assert_eq!(found.is_ok(), most >= may_be_empty, "{pieces}, {most}: {found:?}");
        }
    }
}

/// What a sign stands for is read once: `&amp;lt;` is `&lt;` and not `<`.
#[test]
fn signs_of_attributes_are_read_once() {
    let signs = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")];
    for (written, meant) in signs {
        for (name, expected) in [
            (format!("a{written}b"), format!("a{meant}b")),
            (written.replacen('&', "&amp;", 1), written.to_owned()),
            (format!("{written}{written}"), format!("{meant}{meant}")),
        ] {
            let text = BURR.replace("\"a rod\"", &format!("\"{name}\""));
            let found = format::read_problem(text.as_bytes(), "p", Some(1)).unwrap();
            let cover = found.cover();
            assert_eq!(cover.items()[0].name(), expected, "{name}");
        }
    }
}

#[test]
fn puzzles_of_burrtools_are_read() {
    let read = |problem| format::read_problem(BURR.as_bytes(), "p.xmpuzzle", problem);
    let covers = |problem: usize| total(read(Some(problem)).unwrap().cover());
    // Two rods; then a rod in four places and two cubes, or four cubes; then two cubes on the ends.
    assert_eq!([1, 2, 3].map(covers), [2, 5, 1]);
    for (problem, expected) in [
        (
            None,
            "line 12: found 5 problems: 1 'rods', 2 'either', 3, 4, 5, expected the number of one",
        ),
        (Some(6), "found no problem 6"),
        (Some(4), "found at most 0 empty cubes"),
        (Some(5), "found the colour 1 of 'S2', which may not be on the colour 1 of the result"),
    ] {
        let found = read(problem).unwrap_err().to_string();
        assert!(found.contains(expected), "{found}");
    }
    // The second colour of a piece may be on the first of the result, not the first on the second.
    let colours = BURR.replace(
        "blue=\"3\"/></colors>",
        "blue=\"3\"/><color red=\"4\" green=\"5\" blue=\"6\"/></colors>",
    );
    for (piece, pair, is_read) in [
        ("#2", "piece=\"1\" result=\"0\"", true),
        ("#2", "piece=\"0\" result=\"1\"", false),
        ("#2", "piece=\"0\" result=\"0\"", false),
    ] {
        let text = colours.replace(">#1</voxel>", &format!(">{piece}</voxel>"));
        let text = text.replacen("piece=\"0\" result=\"0\"", pair, 1);
        let found = format::read_problem(text.as_bytes(), "p.xmpuzzle", Some(3));
        assert_eq!(found.is_ok(), is_read, "{pair}: {found:?}");
    }
    for (from, to, expected) in [
        ("gridType type=\"0\"", "gridType type=\"2\"", "line 3: found a puzzle of spheres"),
        (">####<", ">###<", "line 8: found 3 voxels or more, expected 4"),
        (">####<", ">##x#<", "line 8: found 'x' in a voxel space"),
        ("</shapes>", "</shape>", "found '</shape>', expected '</shapes>'"),
        ("<result id=\"2\"/>", "<result id=\"9\"/>", "found the shape 9"),
    ] {
        let text = BURR.replacen(from, to, 1);
        let found = format::read_problem(text.as_bytes(), "p", Some(1)).unwrap_err().to_string();
        assert!(found.contains(expected), "{found}");
    }
    // Other files have one problem.
    assert!(format::read_problem(b"a\na\n", "p", Some(1)).is_ok());
    assert!(format::read_problem(b"a\na\n", "p", Some(2)).is_err());
}

/// Five full sudokus whose shared boxes agree, without the values 1 and 2: each row, column and box has two blanks, so that those
/// that see each other are filled in two ways.
#[test]
fn a_samurai_is_five_sudokus_that_share_boxes() {
    let grids = [(0, 0), (0, 12), (6, 6), (12, 0), (12, 12)];
    let of = |row: usize, column: usize| -> Vec<usize> {
        let is_in = |&at: &usize| {
            let (top, left) = grids[at];
            (top..top + 9).contains(&row) && (left..left + 9).contains(&column)
        };
        (0..5).filter(is_in).collect()
    };
    let value = |row: usize, column: usize| (3 * (row % 3) + row / 3 + column) % 9 + 1;
    let picture = |sign: &dyn Fn(usize, usize) -> String| -> String {
        let row = |row| (0..21).map(|column| sign(row, column)).collect::<String>() + "\n";
        (0..21).map(row).collect()
    };
    let full = |row: usize, column: usize| match of(row, column).len() {
        0 => ".".to_owned(),
        _ => value(row, column).to_string(),
    };
    assert_eq!(total(&read(&picture(&full))), 1);
    let blanked = |row: usize, column: usize| {
        let is_blank = !of(row, column).is_empty() && value(row, column) < 3;
        if is_blank { "0".to_owned() } else { full(row, column) }
    };
    let blanks: Vec<(usize, usize)> = (0..21)
        .flat_map(|row| (0..21).map(move |column| (row, column)))
        .filter(|&(row, column)| blanked(row, column) == "0")
        .collect();
    let sees = |a: (usize, usize), b: (usize, usize)| {
        let shares = of(a.0, a.1).iter().any(|grid| of(b.0, b.1).contains(grid));
        shares && (a.0 == b.0 || a.1 == b.1 || (a.0 / 3, a.1 / 3) == (b.0 / 3, b.1 / 3))
    };
    let mut parts = 0;
    let mut rest = blanks;
    while let Some(first) = rest.pop() {
        parts += 1;
        let mut part = vec![first];
        while let Some(cell) = part.pop() {
            let (seen, others) = rest.iter().partition(|&&other| sees(cell, other));
            part.extend::<Vec<_>>(seen);
            rest = others;
        }
    }
    let text = picture(&blanked);
    assert_eq!(Format::of(&text), Format::Samurai);
    assert_eq!(total(&read(&text)), 1 << parts);
    let commas = picture(&|row, column| blanked(row, column) + if column < 20 { "," } else { "" });
    let left_out = picture(&|row, column| {
        if of(row, column).is_empty() { String::new() } else { blanked(row, column) }
    });
    for text in [commas, left_out] {
        assert_eq!(total(&read(&text)), 1 << parts, "{text}");
    }
    // A value outside of the sudokus, or a row less, is no samurai.
    let outside = picture(&|row, column| {
        if (row, column) == (0, 10) { "7".into() } else { full(row, column) }
    });
    assert_ne!(Format::of(&outside), Format::Samurai);
    assert_ne!(Format::of(text_without_first_line(&outside)), Format::Samurai);
}

/// One full sudoku goes on in all directions, so that each arrangement is filled by it, and blanks of one cell have one value.
#[test]
fn arrangements_of_sudokus_are_known_by_their_places() {
    let value = |row: usize, column: usize| (3 * (row % 3) + row / 3 + column) % 9 + 1;
    let eleven = [
        (0, 0),
        (0, 12),
        (0, 24),
        (0, 36),
        (6, 6),
        (6, 18),
        (6, 30),
        (12, 0),
        (12, 12),
        (12, 24),
        (12, 36),
    ];
    let sumo = [
        (0, 0),
        (0, 12),
        (0, 24),
        (6, 6),
        (6, 18),
        (12, 0),
        (12, 12),
        (12, 24),
        (18, 6),
        (18, 18),
        (24, 0),
        (24, 12),
        (24, 24),
    ];
    let arrangements: [&[(usize, usize)]; 6] = [
        &[(0, 3), (3, 12), (6, 6), (9, 0), (12, 9)],
        &[(0, 6), (6, 0), (6, 12), (12, 6)],
        &[(0, 0), (0, 12), (0, 24), (6, 6), (6, 18), (12, 0), (12, 12), (12, 24)],
        &eleven,
        &sumo,
        &[(0, 0), (0, 3), (3, 0), (3, 3)],
    ];
    for grids in arrangements {
        let height = grids.iter().map(|grid| grid.0 + 9).max().unwrap();
        let width = grids.iter().map(|grid| grid.1 + 9).max().unwrap();
        let is_in = |row: usize, column: usize| {
            let has = |&(top, left): &(usize, usize)| {
                (top..top + 9).contains(&row) && (left..left + 9).contains(&column)
            };
            grids.iter().any(has)
        };
        let picture = |wrong: Option<(usize, usize)>| {
            let sign = |row: usize, column: usize| match (
                wrong == Some((row, column)),
                is_in(row, column),
            ) {
                (true, _) => "5".to_owned(),
                (_, true) if !(row + column).is_multiple_of(7) => value(row, column).to_string(),
                _ => "-".to_owned(),
            };
            let row = |row| {
                (0..width).map(|column| sign(row, column)).collect::<Vec<_>>().join(" ") + "\n"
            };
            (0..height).map(row).collect::<String>()
        };
        let whole = format!("{height} {width}\n{}", picture(None));
        assert_eq!(Format::of(&whole), Format::Samurai, "{whole}");
        assert_eq!(total(&read(&whole)), 1, "{whole}");
        // Twelve rows without their number may be one sudoku.
        let is_known = Format::of(&picture(None)) == Format::Samurai;
        assert_eq!(is_known, height != 12, "{whole}");
        let outside = (0..height).flat_map(|row| (0..width).map(move |column| (row, column)));
        if let Some(outside) = { outside }.find(|&(row, column)| !is_in(row, column)) {
            assert_ne!(Format::of(&picture(Some(outside))), Format::Samurai, "{grids:?}");
        }
    }
}

fn text_without_first_line(text: &str) -> &str {
    text.split_once('\n').unwrap().1
}

/// A comment may stand behind the items as it does behind an option, and an item may still begin as one.
#[test]
fn a_comment_behind_the_items_is_no_item() {
    let read = |text: &str| match format::read(text.as_bytes(), "p") {
        Ok(input) => Ok(format::write(input.cover(), Format::Knuth).unwrap()),
        Err(error) => Err(error.to_string()),
    };
    let plain = read("a b | c\na c\nb\n").unwrap();
    for items in ["a b | c // the items", "a b | c //x a a", "a b | c //", "a b | c // a | b | c"] {
        assert_eq!(read(&format!("{items}\na c // first\nb\n")), Ok(plain.clone()), "{items}");
    }
    // An item of an option.
    let odd = "a //b\na //b\n";
    assert_eq!(read(odd), Ok(odd.to_owned()));
    // What is no item is told as if there were no comment.
    let wrong = read("a b // c\na c\nb\n").unwrap_err();
    assert!(wrong.contains("line 2: found 'c'"), "{wrong}");
}
