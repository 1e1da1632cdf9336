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

/// The text without its unit tests, which may use and name what they like.
pub fn without_tests(text: &str) -> &str {
    text.split("#[cfg(test)]\nmod tests").next().unwrap()
}
