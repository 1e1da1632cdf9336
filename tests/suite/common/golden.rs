//! Expected answers in `tests/data`.

use std::path::PathBuf;

/// Compares `found` with the file `name` of `tests/data`.
///
/// # Panics
/// If they differ.
pub fn check(name: &str, found: &str) {
    let expected = expected(name, found);
    let mut pairs = expected.lines().zip(found.lines()).zip(1..);
    let first = pairs.find(|((expected, found), _)| expected != found);
    assert!(
        expected == found,
        "tests/data/{name} has something else, first (expected, found) and line: {first:?}; \
         renew it (TALLYBOARD_RENEW=1) if this is as it should be"
    );
}

/// The text of the file `name` of `tests/data`. `TALLYBOARD_RENEW=1 cargo test` writes these files anew from what was
/// `found`; read each changed line then.
pub fn expected(name: &str, found: &str) -> String {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    if std::env::var_os("TALLYBOARD_RENEW").is_some() {
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, found).unwrap();
    }
    std::fs::read_to_string(&file).unwrap_or_default()
}
