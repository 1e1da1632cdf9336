//! Several puzzles in a file.

use tallyboard_variants::internals::KINDS;
use tallyboard_variants::{Located, read, read_all};

fn found(text: &str) -> Vec<Located> {
    read_all(text.as_bytes(), "f").unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn error(text: &str) -> String {
    read_all(text.as_bytes(), "f").unwrap_err().to_string()
}

#[test]
fn two_examples_of_a_form_are_two_puzzles_where_something_parts_them() {
    let mut parted = 0;
    for kind in KINDS {
        let text = format!("{0}\n\n{0}\n", kind.example);
        let puzzle = read(kind.example.as_bytes(), "").unwrap();
        // A form with empty lines of its own is parted by heads, or is refused.
        let Ok(found) = read_all(text.as_bytes(), "") else { continue };
        let lines: Vec<usize> = found.iter().map(|found| found.line).collect();
        assert_eq!(lines, [1, kind.example.lines().count() + 2], "{text}");
        assert!(found.iter().all(|found| found.puzzle == puzzle), "{text}");
        parted += 1;
    }
    assert!(parted > KINDS.len() / 2, "{parted} of {}", KINDS.len());
}

#[test]
fn puzzles_stand_in_lines_in_values_below_heads_and_in_blocks() {
    let id = "2x2:a1b2_3c4d1a";
    let one = &found(id)[0].puzzle;
    assert_eq!(
        one.solutions().take(9).count(),
        found(&format!("# a remark\n{id}"))[0].puzzle.solutions().take(9).count()
    );
    let link = format!("https://example.org/solo.html#{id}");
    for (text, lines) in [
        (format!("{id}\n\n# a remark\n{id}\n"), vec![1, 4]),
        (link.clone(), vec![1]),
        (format!("see {link}, and [this]({link}):\n\"{link}\"\n"), vec![1, 1, 2]),
    ] {
        let found = found(&text);
        let places: Vec<usize> = found.iter().map(|found| found.line).collect();
        assert_eq!(places, lines, "{text}");
        assert!(found.iter().all(|found| &found.puzzle == one), "{text}");
        assert!(found.iter().all(|found| found.is_in_text == text.contains("see ")), "{text}");
    }
    let rules = "size 4\ndiagonal falling\n\ngivens\n12..\n34..\n..2.\n....\n";
    let both = format!("# two\n{rules}\n{rules}");
    let places: Vec<usize> = found(&both).iter().map(|found| found.line).collect();
    assert_eq!(places, [2, 11]);
    assert_eq!(
        read(both.as_bytes(), "f").unwrap_err().to_string(),
        "f: line 11: found a second puzzle, of 2, expected one: --puzzle takes one of them by its number"
    );
    let six = "12....\n......\n..3...\n......\n....4.\n......\n";
    let one = &found(six)[0].puzzle;
    let line = six.replace('\n', "");
    for text in [format!("{six}\n\n{six}"), format!("{line}\n{line}\n")] {
        let found = found(&text);
        assert!(found.len() == 2 && found.iter().all(|found| &found.puzzle == one), "{text}");
        assert!(!tallyboard_variants::is_of_another_program(text.as_bytes()), "{text}");
    }
    // Sudokus, and a grid above rules.
    let nine = format!("{}\n", ".".repeat(81)).repeat(2);
    assert!(read_all(nine.as_bytes(), "").is_err());
    let ruled = found(&format!("{six}\nanti-king\n"));
    assert!(ruled.len() == 1 && ruled[0].puzzle.rules().rules().len() == 1);
    let cells = vec![["{}"; 4].join(","); 4].join("],[");
    let json = format!("{{\"size\": 4, \"grid\": [[{cells}]]}}");
    for text in
        [format!("{json}\n{json}"), format!("[\n{json},\n{json}\n]"), format!("{json} {json}")]
    {
        assert_eq!(found(&text).len(), 2, "{text}");
    }
}

#[test]
fn mistakes_are_told_with_their_line_in_the_file() {
    let rules = "size 4\ngivens\n12..\n34..\n..2.\n....\n";
    assert!(error(&format!("{rules}{}", rules.replace("34", "39"))).starts_with("f: line 10: "));
    assert!(error("2x2:a1b2_3c4d1a\n2x2:a1b2_3c9d1a\n").starts_with("f: line 2: "));
    assert!(
        error("one\nhttps://sudokupad.app/abcdefghij\n")
            .contains("line 2: found a link that holds no puzzle")
    );
    // A count of puzzles that is wrong, and a text that is none.
    let pairs = KINDS.iter().find(|kind| kind.example.starts_with("4 4")).unwrap().example;
    assert_eq!(found(&format!("2\n{pairs}\n{pairs}\n")).len(), 2);
    assert!(read_all(format!("3\n{pairs}\n{pairs}\n").as_bytes(), "").is_err());
    assert!(error("some words\n").contains("found 'some'"));
    let noted = error("size 4\nwhat # of https://example.org/solo.html#2x2:a1b2_3c4d1a\n");
    assert!(noted.contains("found 'what'"), "{noted}");
}
