//! The habits of this repository, kept by a test.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::sources::{sources, without_tests};

/// A file longer than this is about more than one thing.
const MOST_LINES: usize = 900;

/// A function with more lines, its signature and comments among them, does more than one thing.
const MOST_LINES_OF_A_FUNCTION: usize = 60;

/// Every Rust file of the program and of the crates that it is made of.
fn shipped() -> Vec<(String, String)> {
    [sources("src"), sources("crates")].concat()
}

/// The crates, from the ground up: height, name, and the crates that its manifest names for what it ships.
fn floors() -> Vec<(usize, String, Vec<String>)> {
    let folders = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/crates")).unwrap();
    let mut rest: Vec<(String, Vec<String>)> = folders
        .map(|folder| {
            let path = folder.unwrap().path();
            let manifest = fs::read_to_string(path.join("Cargo.toml")).unwrap();
            let (_, shipped) = manifest.split_once("\n[dependencies]\n").unwrap();
            let shipped = shipped.split("\n[dev-dependencies]").next().unwrap();
            let names = shipped.lines().filter_map(|line| line.strip_prefix("tallyboard-"));
            let names = names.map(|rest| rest.split(['.', ' ']).next().unwrap().to_owned());
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (
                name.strip_prefix("tallyboard-").expect("the name of a crate").to_owned(),
                names.collect(),
            )
        })
        .collect();
    rest.sort();
    let mut floors: Vec<(usize, String, Vec<String>)> = Vec::new();
    for height in 0.. {
        let stands = |name: &String| floors.iter().any(|(_, below, _)| below == name);
        let (floor, above): (Vec<_>, Vec<_>) =
            rest.into_iter().partition(|(_, below)| below.iter().all(stands));
        assert!(!floor.is_empty(), "each of these crates builds on another one: {above:?}");
        floors.extend(floor.into_iter().map(|(name, below)| (height, name, below)));
        rest = above;
        if rest.is_empty() {
            break;
        }
    }
    floors
}

#[test]
fn the_graph_of_crates_is_that_of_the_manifests() {
    let mut graph = String::new();
    for (height, name, mut below) in floors() {
        below.sort();
        let below = if below.is_empty() { "none".to_owned() } else { below.join(", ") };
        graph += &format!("    {height}      {name:10}  {below}\n");
    }
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/ARCHITECTURE.md")).unwrap();
    assert!(page.contains(&graph), "ARCHITECTURE.md, The crates: expected this graph\n{graph}");
}

/// The lines of `text` outside comments, numbered from 1.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_comment = |line: &str| line.trim_start().starts_with("//");
    text.lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line))
        .filter(move |l| !is_comment(l.1))
}

#[test]
fn files_open_with_what_they_are_about_and_stay_short() {
    for (name, text) in shipped() {
        assert!(text.starts_with("//! "), "{name}: expected a first line that begins with `//! `");
        let lines = text.lines().count();
        assert!(lines <= MOST_LINES, "{name}: found {lines} lines, expected {MOST_LINES} at most");
    }
}

/// A library whose own binary of tests is left out (`test = false`) is compiled by the package `tests/unit`, or it has its tests in `tests/`,
/// or there is the path of the file that they are in. Others would never run.
#[test]
fn no_unit_test_is_left_out() {
    let mut crates = 0;
    let unit = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/unit/Cargo.toml"));
    let unit = unit.unwrap();
    for folder in fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/crates")).unwrap() {
        let folder = folder.unwrap().path();
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        let of_library = manifest.split_once("\n[lib]\n").map_or("", |(_, rest)| rest);
        if !of_library.split("\n[").next().unwrap().contains("test = false") {
            continue;
        }
        crates += 1;
        let name = folder.file_name().unwrap().to_str().unwrap();
        if unit.contains(&format!("\"../../crates/{name}/src/lib.rs\"")) {
            continue;
        }
        let tests: String =
            sources(&format!("crates/{name}/tests")).into_iter().map(|(_, text)| text).collect();
        for (file, text) in sources(&format!("crates/{name}/src")) {
            let path = file.rsplit_once("/src/").unwrap().1;
            assert!(
                !text.contains("#[test]") || tests.contains(&format!("/src/{path}\"]")),
                "{file}: found a test that does not run, expected it in crates/{name}/tests, or the path of this file there"
            );
        }
    }
    assert!(crates > 0);
}

#[test]
fn functions_do_one_thing() {
    for (name, text) in shipped() {
        let is_test = name.ends_with("tests.rs")
            || name.split('/').any(|folder| ["tests", "benches"].contains(&folder));
        if is_test {
            continue;
        }
        for (line, lines) in functions(&without_tests(&text).join("\n")) {
            assert!(
                lines <= MOST_LINES_OF_A_FUNCTION,
                "{name}:{line}: found {lines} lines, expected {MOST_LINES_OF_A_FUNCTION} at most in a function"
            );
        }
    }
}

/// Where each outer function of formatted code begins, and how many lines it has.
fn functions(text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut open: Option<(usize, usize)> = None;
    for (line, code) in code(text) {
        let indent = code.len() - code.trim_start().len();
        match open {
            // Its closing brace, or the end of a signature without a body.
            Some((first, outer))
                if indent == outer
                    && (code.trim_start().starts_with('}') || code.ends_with(';')) =>
            {
                found.push((first, line - first + 1));
                open = None;
            }
            None if is_start_of_function(code) && !code.ends_with(['}', ';']) => {
                open = Some((line, indent));
            }
            _ => {}
        }
    }
    found
}

fn is_start_of_function(code: &str) -> bool {
    let mut words = code.trim_start().split(' ');
    let before = ["pub", "pub(crate)", "pub(super)", "const", "unsafe", "async"];
    words.find(|word| !before.contains(word)) == Some("fn")
}

#[test]
fn lengths_of_functions_are_counted() {
    let text = "\
fn one() {}
    pub fn three(
        x: u8,
    ) -> u8 {
        // A comment.
        x
    }
unsafe fn two<T>()
where
    T: Copy,
{
    let f = || {
        1
    };
}
    fn none(&self);
const FN: fn() = one;
";
    assert_eq!(functions(text), [(2, 6), (8, 8)]);
}

#[test]
fn only_kernels_are_unsafe() {
    for (name, text) in shipped() {
        // `cpu.rs` has the macro by which kernels are compiled.
        let is_kernel =
            name.split('/').any(|part| ["kernel", "batch", "codec", "cpu.rs"].contains(&part));
        for (line, code) in code(&text).filter(|(_, code)| is_unsafe(code)) {
            // A function that runs before `main`.
            let is_start =
                name.ends_with("terminal/os/unix.rs") && code.contains("unsafe(link_section = ");
            assert!(is_kernel || is_start, "{name}:{line}: found unsafe code outside a kernel");
        }
    }
}

/// Whether a line of code has the word `unsafe`: a block, a function, an implementation or an attribute.
fn is_unsafe(code: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    code.split(|c| !is_word(c)).any(|word| word == "unsafe")
}

#[test]
fn every_form_of_unsafe_code_is_seen() {
    for code in [
        "unsafe { x() }",
        "pub unsafe fn f()",
        "unsafe impl Send for X {}",
        "let f = unsafe\n{",
        "#[unsafe(no_mangle)]",
        "#[cfg_attr(unix, unsafe(link_section = \"x\"))]",
        "unsafe extern \"C\" {",
    ] {
        assert!(is_unsafe(code), "{code}");
    }
    assert!(!is_unsafe("deny(unsafe_op_in_unsafe_fn)"));
}

#[test]
fn only_the_command_line_prints() {
    for (name, text) in shipped() {
        for (line, code) in code(&text).filter(|(_, code)| code.contains("print")) {
            // Panics when the pipe is closed or the disk is full; `print_line` reports both.
            let to_stdout = code.contains(" println!(") || code.contains(" print!(");
            assert!(!to_stdout, "{name}:{line}: found println!, expected print_line");
            let to_stderr = code.contains("eprintln!(") || code.contains("eprint!(");
            assert!(!to_stderr, "{name}:{line}: found eprintln!, expected eprint_line");
        }
    }
}

#[test]
fn rayon_crossbeam_and_clap_stay_in_their_rooms() {
    let rooms = [
        ("rayon::", ["crates/tallyboard-search/"].as_slice()),
        ("crossbeam::", &["crates/tallyboard-search/"]),
        ("clap::", &["src/"]),
    ];
    for (name, text) in shipped() {
        for (used, allowed) in rooms {
            for (line, code) in code(&text) {
                let found = code.contains(used);
                let may = allowed.iter().any(|room| name.starts_with(room));
                assert!(may || !found, "{name}:{line}: found {used}, expected it in {allowed:?}");
            }
        }
    }
}

#[test]
fn nothing_is_left_for_later() {
    let marks = ["TODO", "FIXME", "XXX", "todo!", "unimplemented!", "dbg!"];
    for (name, text) in ["src", "crates", "benches", "examples"].into_iter().flat_map(present) {
        for (index, line) in text.lines().enumerate() {
            let found = marks.iter().find(|&&mark| line.contains(mark));
            assert!(found.is_none(), "{name}:{}: found {found:?}", index + 1);
        }
    }
}

fn present(folder: &str) -> Vec<(String, String)> {
    let there = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).is_dir();
    if there { sources(folder) } else { Vec::new() }
}

/// With `pipefail`, a script fails now and then whose reader leaves a pipe before the writer is through.
#[test]
fn no_script_leaves_a_pipe_early() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["ci", "benches", "findings"]
        .map(|folder| root.join(folder))
        .into_iter()
        .filter(|folder| folder.is_dir());
    let files = folders.flat_map(|folder| fs::read_dir(folder).unwrap());
    for path in files.map(|file| file.unwrap().path()) {
        if path.extension().is_none_or(|extension| extension != "sh") {
            continue;
        }
        for (index, line) in fs::read_to_string(&path).unwrap().lines().enumerate() {
            let leaves = ["| head", "| grep -q", "| grep -m"]
                .into_iter()
                .find(|reader| line.contains(reader));
            assert!(leaves.is_none(), "{}:{}: found {leaves:?}", path.display(), index + 1);
        }
    }
}

/// The oldest compiler that Cargo.toml names must suffice for every package it needs.
#[test]
fn no_dependency_needs_a_newer_compiler() {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--locked", "--filter-platform"])
        .arg(format!("{}-unknown-linux-gnu", std::env::consts::ARCH))
        .args(["--manifest-path", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let ours = version(env!("CARGO_PKG_RUST_VERSION"));
    let packages = metadata["packages"].as_array().unwrap();
    for package in packages {
        if let Some(needed) = package["rust_version"].as_str() {
            let name = &package["name"];
            assert!(version(needed) <= ours, "{name} needs rustc {needed}, Cargo.toml says less");
        }
    }
}

fn version(text: &str) -> Vec<u32> {
    text.split('.').take(2).map(|part| part.parse().unwrap()).collect()
}

/// The usual build is Rust from top to bottom; the library alone knows no command line and no pictures.
#[test]
fn nothing_in_c_is_compiled_unless_asked_for() {
    let tree = |features: &str| {
        let output = Command::new(env!("CARGO"))
            .args(["tree", "--locked", "--prefix", "none", "--edges", "normal,build"])
            .args(["--format", "{p}", features])
            .args(["--manifest-path", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")])
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines().filter_map(|line| Some(line.split_once(' ')?.0.to_owned())).collect::<Vec<_>>()
    };
    let unwanted = ["cc", "cmake", "clap", "resvg", "tiny-skia", "zstd-sys"];
    let with = |features| {
        let packages = tree(features);
        unwanted.into_iter().filter(|name| packages.iter().any(|found| found == name)).collect()
    };
    let none: Vec<_> = with("--no-default-features");
    assert_eq!(none, [""; 0]);
    let usual: Vec<_> = with("--features=default");
    assert_eq!(usual, ["clap"], "no C, so no C compiler");
    let all: Vec<_> = with("--all-features");
    assert_eq!(all, ["cc", "clap", "resvg", "tiny-skia", "zstd-sys"], "the test would see them");
}

#[test]
fn the_page_about_a_problem_of_your_own_shows_the_examples_that_are_compiled() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |name: &str| fs::read_to_string(repository.join(name)).unwrap();
    let page = read("docs/your_own_problem.md");
    let blocks = page.split("```rust\n").skip(1);
    let mut programs = blocks.map(|block| block.split_once("```\n").unwrap().0);
    let whole = programs.next().unwrap();
    assert!(whole == read("examples/problems/pairings.rs"), "expected the program of the page");
    let example = read("examples/problems/langford.rs");
    let parts: Vec<&str> = programs.collect();
    assert_eq!(parts.len(), 2);
    for part in parts {
        assert!(example.contains(part), "examples/problems/langford.rs: expected {part}");
    }
}

/// A command that stands at the left edge outside of a fence lost the four blanks that make it code.
#[test]
fn commands_in_pages_stand_in_blocks_of_code() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
    let in_folder = |folder: &str| fs::read_dir(repository.join(folder)).unwrap();
    let pages = in_folder("docs")
        .chain(in_folder("docs/formats"))
        .chain(in_folder("."))
        .map(|entry| entry.unwrap().path());
    let mut commands = 0;
    for page in pages.filter(|path| path.extension().is_some_and(|ending| ending == "md")) {
        let mut is_fenced = false;
        for (index, line) in fs::read_to_string(&page).unwrap().lines().enumerate() {
            is_fenced ^= line.starts_with("```");
            commands += usize::from(is_command(line.trim_start()));
            let is_bare = !is_fenced && is_command(line);
            assert!(!is_bare, "{}:{}: expected four blanks before it", page.display(), index + 1);
        }
    }
    assert!(commands > 50, "found {commands} commands in all pages");
}

fn is_command(line: &str) -> bool {
    let mut words = line.split(' ');
    let games = ["queens", "sudoku", "variant", "cover", "regions", "scale", "cluster", "-q"];
    match words.next() {
        Some("tallyboard") => words.next().is_some_and(|word| games.contains(&word)),
        Some("cargo") => true,
        _ => false,
    }
}
