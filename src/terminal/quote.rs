//! Paths and other text as words of a shell and strings of JSON, TOML or YAML.

use std::path::Path;

/// `text` as one shell word, quoted if necessary.
pub fn shell(text: impl AsRef<Path>) -> String {
    let text = text.as_ref().to_string_lossy();
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./".contains(letter);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.into_owned();
    }
    // A quote ends the quoted part, stands escaped, and begins another one.
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// `text` as a quoted string of JSON, TOML or YAML.
pub fn quoted(text: impl AsRef<Path>) -> String {
    serde_json::Value::from(text.as_ref().to_string_lossy()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_paths_stay_one_word() {
        assert_eq!(shell("/a/plan-1.json"), "/a/plan-1.json");
        assert_eq!(shell("/my plan's $x"), r"'/my plan'\''s $x'");
        assert_eq!(quoted("a \"b\""), r#""a \"b\"""#);
    }
}
