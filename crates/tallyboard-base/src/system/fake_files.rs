//! Files as a machine has them in `/proc` and `/sys`, made for tests. Other crates' tests include this file too.

use std::fs;

/// A file system with these files.
pub fn with_files(files: &[(&str, &str)]) -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = root.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    root
}
