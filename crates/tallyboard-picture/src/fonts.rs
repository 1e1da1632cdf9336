//! The letters of pictures: their fonts, and an estimate of the space that a text takes.

/// Fonts without serifs, as a list of CSS: the first one that the system has is taken. Every system has one of them.
pub const FAMILIES: &str = r#"ui-sans-serif,system-ui,"Segoe UI","DejaVu Sans",Arial,sans-serif"#;

/// Height of a digit where a font's size is 1. In the fonts above it is between 0.70 and 0.73.
const DIGIT_HEIGHT: f64 = 0.72;

/// The size of a font whose digits are `digit_height` high.
pub fn font_size(digit_height: f64) -> f64 {
    digit_height / DIGIT_HEIGHT
}

/// The width of a text whose digits are `digit_height` high, in the widest of the fonts above.
pub fn text_width(text: &str, digit_height: f64) -> f64 {
    text.chars().map(advance).sum::<f64>() * font_size(digit_height)
}

/// The distance from a character to the next where the font's size is 1. Characters of about the same width share a
/// figure: the largest of theirs in DejaVu Sans, rounded up.
fn advance(character: char) -> f64 {
    match character {
        'i' | 'j' | 'l' | 'I' | 'J' | '.' | ',' | ':' | ' ' | '\'' | '/' => 0.34,
        'f' | 'r' | 't' | '(' | ')' | '-' => 0.42,
        'm' | 'M' | 'W' | '%' => 0.99,
        'w' | '+' | '=' | '×' | '<' | '>' | 'D' | 'G' | 'H' | 'N' | 'O' | 'Q' => 0.84,
        'A'..='Z' => 0.74,
        _ if character.is_ascii() => 0.64,
        'µ' | '²' | '³' => 0.64,
        // Letters of other scripts may be as wide as they are high.
        _ => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_letters_take_more_space_than_narrow_ones() {
        assert!(text_width("WWW", 10.0) > 2.5 * text_width("iii", 10.0));
        let short = text_width("0", 10.0);
        assert!((text_width("0000", 20.0) - 8.0 * short).abs() < 1e-9);
        assert_eq!(text_width("", 10.0), 0.0);
    }
}
