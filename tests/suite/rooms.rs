//! The structure of the code, kept by a test: arrows between files go down, in each crate and in the program.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::sources::without_tests;

/// The rooms of the program, from the ground up: each may use those before it.
const ROOMS: [&str; 8] =
    ["terminal", "counting", "games", "verbs", "scaling", "cluster", "commands", "program"];

/// A module, as the names from its crate's root to it.
type Module = Vec<String>;

/// The modules of one crate, and of each the modules that it uses.
struct Uses(BTreeMap<Module, BTreeSet<Module>>);

/// The modules below the folder `source`, with their texts.
fn modules(source: &Path) -> BTreeMap<Module, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![source.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == "rs") && !path.ends_with("main.rs") {
                let name = path.strip_prefix(source).unwrap().with_extension("");
                let mut module: Module =
                    name.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
                if matches!(module.last().unwrap().as_str(), "mod" | "lib") {
                    module.pop();
                }
                found.insert(module, fs::read_to_string(path).unwrap());
            }
        }
    }
    found
}

/// The text without comments and without unit tests, which may use what they like.
fn shipped(text: &str) -> String {
    let lines = without_tests(text).into_iter().map(|line| line.split("//").next().unwrap());
    lines.collect::<Vec<_>>().join("\n")
}

/// Splits the inside of braces at its commas, but not at those of inner braces.
fn items(inside: &str) -> Vec<&str> {
    let mut depth = 0;
    let mut start = 0;
    let mut items = Vec::new();
    for (at, letter) in inside.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                items.push(inside[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    items.push(inside[start..].trim());
    items
}

/// The paths that `tree` names, the tree of a `use`, each as its names.
fn paths(tree: &str, before: &[String], found: &mut Vec<Module>) {
    let (path, inside) = match tree.split_once('{') {
        Some((path, inside)) => (path, Some(inside.trim_end().trim_end_matches('}'))),
        None => (tree, None),
    };
    let path = path.split(" as ").next().unwrap();
    let names = path.split("::").map(str::trim).filter(|name| !name.is_empty());
    let whole: Module = before.iter().cloned().chain(names.map(str::to_owned)).collect();
    match inside {
        Some(inside) => items(inside).into_iter().for_each(|item| paths(item, &whole, found)),
        None => found.push(whole),
    }
}

/// Every path in `text` that begins with `crate`, `super` or `self`.
fn named_paths(text: &str) -> Vec<Module> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) =
        ["crate::", "super::", "self::"].iter().filter_map(|start| rest.find(start)).min()
    {
        let is_word = rest[..at].ends_with(|it: char| it.is_alphanumeric() || "_$".contains(it));
        rest = &rest[at..];
        let mut depth = 0;
        // A path ends behind its last name, and the tree of a `use` behind its last brace.
        let end = rest.find(|letter: char| {
            let was_inside = depth > 0;
            depth += i32::from(letter == '{') - i32::from(letter == '}');
            let is_path = letter.is_alphanumeric() || "_:{".contains(letter);
            depth < 0 || !(is_path || was_inside)
        });
        let path = &rest[..end.unwrap_or(rest.len())];
        if !is_word {
            paths(path, &[], &mut found);
        }
        rest = &rest[5..];
    }
    found
}

impl Uses {
    fn of(modules: &BTreeMap<Module, String>) -> Self {
        let handed_on = handed_on(modules);
        let mut uses = BTreeMap::new();
        for (module, text) in modules {
            let mut used = BTreeSet::new();
            let text = shipped(text);
            let of_children = used_children(module, &text, modules);
            for path in named_paths(&text).into_iter().chain(of_children) {
                let path = whole(path, &handed_on);
                let Some(target) = resolve(module, &path, modules) else { continue };
                if target != *module {
                    used.insert(target);
                }
            }
            uses.insert(module.clone(), used);
        }
        Self(uses)
    }

    /// Every module that can be reached from `from`.
    fn reached(&self, from: &Module) -> BTreeSet<&Module> {
        let mut reached = BTreeSet::new();
        let mut next: Vec<&Module> = self.0[from].iter().collect();
        while let Some(module) = next.pop() {
            if reached.insert(module) {
                next.extend(&self.0[module]);
            }
        }
        reached
    }

    /// The modules that reach themselves.
    fn circle(&self) -> Vec<String> {
        let is_in_circle = |module: &&Module| self.reached(module).contains(module);
        self.0.keys().filter(is_in_circle).map(|module| module.join("::")).collect()
    }
}

/// The paths of each `use` in `text` that begin with a child of `module`. What a module hands on, it does not use.
fn used_children(module: &Module, text: &str, modules: &BTreeMap<Module, String>) -> Vec<Module> {
    let mut found = Vec::new();
    for part in text.split("\nuse ").skip(1) {
        paths(part.split(';').next().unwrap(), &[], &mut found);
    }
    let is_child = |path: &Module| modules.contains_key(&[module, &path[..1]].concat());
    let children = found.into_iter().filter(is_child);
    children.map(|path| [&["self".to_owned()], &path[..]].concat()).collect()
}

/// The names that the root of the crate hands on, with their paths from there.
fn handed_on(modules: &BTreeMap<Module, String>) -> BTreeMap<String, Module> {
    let root = modules.get(&Vec::new()).map_or(String::new(), |text| shipped(text));
    let mut found = Vec::new();
    for part in root.split("pub use ").skip(1) {
        paths(part.split(';').next().unwrap(), &[], &mut found);
    }
    // A function may have the name of a module.
    let is_own = |path: &Module| {
        path.len() > 1
            && modules.contains_key(&path[..1])
            && !modules.contains_key(&path[path.len() - 1..])
    };
    let own = found.into_iter().filter(is_own);
    own.map(|path| (path.last().unwrap().clone(), path)).collect()
}

/// The path to where a name is from that the root of the crate hands on; other paths as they are.
fn whole(path: Module, handed_on: &BTreeMap<String, Module>) -> Module {
    match &path[..] {
        [first, name, rest @ ..] if first == "crate" && handed_on.contains_key(name) => {
            [&path[..1], &handed_on[name], rest].concat()
        }
        _ => path,
    }
}

/// The module that `path`, written in `module`, is in: the longest beginning of the path that is one. `None` if that
/// is no more than the parent of which the path names something: parents only hand names on.
fn resolve(module: &Module, path: &Module, modules: &BTreeMap<Module, String>) -> Option<Module> {
    let mut names = path.as_slice();
    let mut at = module.clone();
    match names.split_first()? {
        (first, rest) if first == "crate" => {
            at.clear();
            names = rest;
        }
        (first, rest) if first == "self" => names = rest,
        _ => {
            while let Some((first, rest)) = names.split_first().filter(|it| it.0 == "super") {
                debug_assert_eq!(first, "super");
                at.pop();
                names = rest;
            }
        }
    }
    let start = at.len();
    let mut found = None;
    for name in names {
        at.push(name.clone());
        if modules.contains_key(&at) {
            found = Some(at.clone());
        }
    }
    found.filter(|found| found.len() > start || !module.starts_with(found))
}

fn sources() -> Vec<PathBuf> {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
    let crates = fs::read_dir(repository.join("crates")).unwrap();
    let crates = crates.map(|entry| entry.unwrap().path().join("src"));
    crates.chain([repository.join("src")]).collect()
}

#[test]
fn no_module_uses_one_that_uses_it() {
    let mut arrows = Vec::new();
    for source in sources() {
        let uses = Uses::of(&modules(&source));
        for (module, used) in &uses.0 {
            let name = module.join("::");
            // Those arrows alone lie on a circle that lead back.
            let back = used.iter().filter(|used| uses.reached(used).contains(module));
            let lines = back.map(|used| format!("{name} uses {}", used.join("::")));
            arrows.extend(lines.map(|line| format!("{}: {line}", source.display())));
        }
    }
    assert!(arrows.is_empty(), "found circles:\n{}", arrows.join("\n"));
}

#[test]
fn rooms_of_the_program_use_lower_rooms_only() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let room = |module: &Module| ROOMS.iter().position(|room| *room == module[0]);
    for (module, used) in &Uses::of(&modules(&source)).0 {
        // The root of the crate names all rooms.
        let Some(floor) = module.first().and_then(|_| room(module)) else { continue };
        for other in used.iter().filter(|other| !other.is_empty()) {
            let below = room(other).is_some_and(|other| other <= floor);
            assert!(below, "{} uses {}", module.join("::"), other.join("::"));
            // These rooms hand names on in a `mod.rs` without arrows, so a circle through it would hide.
            let hides = other[..] == module[..1] && ["terminal", "counting"].contains(&&*module[0]);
            assert!(!hides, "{} names its own room: name the file", module.join("::"));
        }
    }
}

/// The test sees circles, and arrows that are hidden in braces.
#[test]
fn a_planted_circle_is_found() {
    let text = |text: &str| text.to_owned();
    let module = |name: &str| vec![name.to_owned()];
    let mut planted = BTreeMap::from([
        (module("low"), text("use std::fmt;\n")),
        (module("high"), text("use crate::{other::Thing, low::{A, B}};\n")),
        (module("other"), text("// use crate::high::C;\n")),
    ]);
    assert_eq!(Uses::of(&planted).circle(), [""; 0]);
    planted.insert(module("low"), text("fn f() { super::high::run() }\n"));
    assert_eq!(Uses::of(&planted).circle(), ["high", "low"]);
    let uses = Uses::of(&planted);
    let below: Vec<_> = uses.0[&module("high")].iter().map(|it| it.join("::")).collect();
    assert_eq!(below, ["low", "other"]);
    // A name may be taken from the root, which hands it on, and stand behind the tests of a file.
    planted.insert(Vec::new(), text("pub use low::{A, B as C};\npub use std::fmt;\n"));
    planted.insert(module("low"), text("#[cfg(test)]\nmod tests;\nuse super::high;\n"));
    planted.insert(module("high"), text("use crate::{fmt, A};\n"));
    assert_eq!(Uses::of(&planted).circle(), ["high", "low"]);
}
