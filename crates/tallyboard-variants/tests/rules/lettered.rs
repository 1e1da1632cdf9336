//! Pictures of letters, whose clues stand beside them.

const SMALL: &str = "|A|B|B|\n|A|C|D|\n|E|C|D|\nA=2/,B=6x,C=3x,D=1-,E=3\n";

/// The latin squares of side 3 that the clues allow, among all fillings.
fn squares() -> usize {
    let is_right = |square: &[u32]| {
        let differ = |a: usize, b: usize, c: usize| {
            square[a] != square[b] && square[b] != square[c] && square[a] != square[c]
        };
        (0..3).all(|i| differ(3 * i, 3 * i + 1, 3 * i + 2) && differ(i, i + 3, i + 6))
            && square[0].max(square[3]) == 2 * square[0].min(square[3])
            && square[1] * square[2] == 6
            && square[4] * square[7] == 3
            && square[5].abs_diff(square[8]) == 1
            && square[6] == 3
    };
    let square = |number: u32| -> Vec<u32> {
        (0..9).map(|place| number / 3_u32.pow(place) % 3 + 1).collect()
    };
    (0..3_u32.pow(9)).filter(|&number| is_right(&square(number))).count()
}

#[test]
fn operations_make_a_latin_square() {
    let bare = SMALL.replace('|', "").replace(',', "\n");
    let spaced = SMALL.replace('|', " ").replace("2/", "/2").replace('=', ":");
    assert!(squares() > 0);
    for text in [SMALL, &bare, &spaced] {
        let puzzle = tallyboard_variants::read(text.as_bytes(), "").unwrap();
        assert_eq!(puzzle.solutions().count(), squares(), "{text}");
    }
}

#[test]
fn sums_alone_make_a_killer_and_mistakes_are_named() {
    let row = |letters: &str| {
        letters.chars().map(|letter| format!("{letter} ")).collect::<String>() + "\n"
    };
    let grid: String =
        (b'A'..=b'I').map(|letter| row(&(letter as char).to_string().repeat(9))).collect();
    let clues: Vec<String> = (b'A'..=b'I').map(|letter| format!("{}=45", letter as char)).collect();
    let text = grid + &clues.join(", ");
    let puzzle = tallyboard_variants::read(text.as_bytes(), "").unwrap();
    assert_eq!(puzzle.solutions().take(3).count(), 3);
    let error =
        |text: &str| tallyboard_variants::read(text.as_bytes(), "f").unwrap_err().to_string();
    assert_eq!(
        error(&text.replace("C=45", "Z=45")),
        "f: C: found 'no clue', expected one such as A=24x beside the picture"
    );
    assert_eq!(
        error(&SMALL.replace("2/", "2?")),
        "f: line 4: cage: found '2?', expected a number with one of + - x / before or behind it"
    );
    assert!(error(&SMALL.replace("E=3", "E=3,F=3")).contains("line 4: F: found 'a clue'"));
}
