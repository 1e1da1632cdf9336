//! Promise: what the library keeps from version to version is a list, and a change of it is seen.

use std::fs;

use crate::common::golden;

/// A user has to find a way through them.
const MOST_TYPES: usize = 60;

/// The names that `source`, a module `path`, makes public by `pub use`, `pub mod` and definitions. What is in the
/// module `unstable`, or hidden from the documentation one by one, is left out.
fn public_names(source: &str, path: &str) -> Vec<String> {
    let mut modules = vec![path.to_owned()];
    let mut names = Vec::new();
    let mut statement = String::new();
    let mut is_hidden = false;
    // Indented functions are methods.
    let is_method = |line: &&str| line.starts_with(' ') && line.trim_start().starts_with("pub fn ");
    for line in source.lines().filter(|line| !is_method(line)).map(str::trim) {
        is_hidden |= line == "#[doc(hidden)]";
        if statement.is_empty() && !line.starts_with("pub ") {
            if line == "}" && modules.len() > 1 {
                modules.pop();
            }
            continue;
        }
        statement.push_str(line);
        let module = modules.concat();
        if let Some(name) = statement.strip_prefix("pub mod ").and_then(|it| it.strip_suffix(" {"))
        {
            modules.push(format!("{name}::"));
        } else if let Some(used) =
            statement.strip_prefix("pub use ").and_then(|it| it.strip_suffix(';'))
        {
            let used = used.rsplit("::").next().unwrap().trim_matches(['{', '}']);
            let used = used.split(',').map(str::trim).filter(|name| !name.is_empty());
            let is_shown = !is_hidden && !module.contains("unstable::");
            names.extend(used.filter(|_| is_shown).map(|name| format!("{module}{name}")));
        } else if let Some(name) = statement.strip_prefix("pub fn ") {
            names.push(format!("{module}{}", name.split(['<', '(']).next().unwrap()));
        } else if statement.starts_with("pub use ") {
            continue;
        }
        is_hidden = false;
        statement.clear();
    }
    names.sort();
    names
}

#[test]
fn what_is_public_is_meant() {
    let read = |name: &str| {
        fs::read_to_string(format!("{}/src/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
    };
    let mut names = public_names(&read("lib.rs"), "");
    names.extend(public_names(&read("program.rs"), "program::"));
    let is_type = |name: &&String| {
        name.rsplit("::").next().unwrap().starts_with(|first: char| first.is_uppercase())
    };
    let types = names.iter().filter(is_type).count();
    assert!(types <= MOST_TYPES, "found {types} types, expected {MOST_TYPES} at most");
    golden::check("api.txt", &format!("{}\n", names.join("\n")));
}
