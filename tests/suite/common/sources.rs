//! The source files of this repository.

use std::fs;
use std::path::PathBuf;

/// Every Rust file below `folder`, with its text and its path from the top of the repository.
pub fn sources(folder: &str) -> Vec<(String, String)> {
    let mut folders = vec![PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(folder)];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            if path.is_dir() && !path.ends_with("target") {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let name = path.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap();
                files.push((name.display().to_string(), fs::read_to_string(&path).unwrap()));
            }
        }
    }
    assert!(!files.is_empty());
    files
}

/// The lines of a text, empty where items for tests alone stand, which may use and name what they like.
pub fn without_tests(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().collect();
    while let Some(begin) = lines.iter().position(|line| *line == "#[cfg(test)]") {
        let is_end = |line: &&str| line.ends_with(';') && !line.starts_with(' ') || *line == "}";
        let end = lines[begin..].iter().position(is_end);
        let end = begin + end.expect("a semicolon, or the brace that closes the item");
        lines[begin..=end].fill("");
    }
    lines
}

#[test]
fn what_follows_a_test_module_is_no_test() {
    let text = "a\n#[cfg(test)]\nmod tests;\nb\n#[cfg(test)]\nmod more {\n    c;\n}\nd\n";
    assert_eq!(without_tests(text), ["a", "", "", "b", "", "", "", "", "d"]);
}
