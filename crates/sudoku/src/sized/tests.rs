//! Grids of every size are read, solved and written as the rules say.

use super::*;

#[test]
fn the_forms_say_the_same() {
    let digits = Size::Four.parse(b"1234............", None).unwrap();
    let letters = Size::Four.parse(b"abcd............", None).unwrap();
    let numbers = Size::Four.parse(b"1 2 3 4 0 0 0 0 0 0 0 0 0 0 0 0", None).unwrap();
    assert_eq!(digits.cells(), letters.cells());
    assert_eq!(digits.cells(), numbers.cells());
    for grid in [digits, letters, numbers] {
        let written = grid.to_string();
        assert_eq!(Size::Four.parse(written.as_bytes(), None).unwrap().cells(), grid.cells());
    }
}

#[test]
fn errors_say_what_was_found() {
    let error = |line: &str| Size::Four.parse(line.as_bytes(), None).unwrap_err().to_string();
    assert_eq!(error("123"), "found 3 cells, expected 16");
    assert_eq!(
        error("1235............"),
        "found \"5\" in cell 4, expected a value from 1 to 4 or a blank"
    );
}
