//! Promise: what README and the pages of `docs/` show is what the program prints, and their links lead somewhere.
//!
//! A command stands behind `$`, in a block that is indented by four blanks, and what it prints below it: standard output, then standard
//! error. A line `…` stands for any number of lines, and `…` at the end of a line for the rest of it, as where times stand. What `cat
//! FILE` shows of a file that is not there yet is written into that file. A picture that a command of `docs/` draws is kept in
//! `docs/pictures/` by the same name.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::golden;
use crate::common::runs::{Folder, shell};

/// A page that is longer is two pages.
const MOST_LINES: usize = 250;

/// Pages that name files of the sources.
const PAGES_OF_CODE: [&str; 2] = ["ARCHITECTURE.md", "docs/development/adding.md"];

/// Who has to read more than this first does not begin.
const MOST_WORDS: usize = 1_000;

/// Pages whose commands take other programs, and the scripts that run them.
const RUN_BY_SCRIPTS: [(&str, &str); 3] = [
    ("python.md", "ci/python_wheel.sh"),
    ("sudoku_data.md", "ci/sudoku_data.sh"),
    ("your_own_problem.md", "ci/your_own_problem.sh"),
];

fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The pages for users in `docs/`, in the order of their paths.
fn pages() -> Vec<PathBuf> {
    let in_folder = |folder: &str| {
        let entries = fs::read_dir(repository().join(folder)).unwrap();
        entries.map(|entry| entry.unwrap().path()).collect::<Vec<_>>()
    };
    let mut pages = [in_folder("docs"), in_folder("docs/formats")].concat();
    pages.retain(|path| path.extension().is_some_and(|ending| ending == "md"));
    pages.sort();
    pages
}

/// The blocks of a page that are indented by four blanks, without these.
fn blocks(page: &str) -> Vec<Vec<String>> {
    let mut blocks = Vec::new();
    let mut block = Vec::new();
    let mut is_fenced = false;
    for line in page.lines().chain(["end"]) {
        is_fenced ^= line.starts_with("```");
        match line.strip_prefix("    ") {
            Some(code) if !is_fenced => block.push(code.trim_end().to_owned()),
            None if line.is_empty() && !block.is_empty() => block.push(String::new()),
            _ if !block.is_empty() => {
                let length = block.iter().rposition(|line| !line.is_empty()).unwrap() + 1;
                block.truncate(length);
                blocks.push(std::mem::take(&mut block));
            }
            _ => {}
        }
    }
    blocks
}

fn is_session(block: &[String]) -> bool {
    block[0].starts_with("$ ")
}

/// Whether these lines are those that a page shows.
fn agree(shown: &[String], found: &[&str]) -> bool {
    let Some((line, rest)) = shown.split_first() else { return found.is_empty() };
    if line.trim() == "…" {
        return (0..=found.len()).any(|left_out| agree(rest, &found[left_out..]));
    }
    found.split_first().is_some_and(|(first, others)| {
        let is_equal = match line.strip_suffix('…') {
            Some(beginning) => first.starts_with(beginning),
            None => first.trim_end() == line,
        };
        is_equal && agree(rest, others)
    })
}

/// Runs the commands of a block in `folder`, and compares what they print.
fn run(page: &Path, folder: &Folder, block: &[String]) {
    let mut lines = block.iter().peekable();
    while let Some(command) = lines.next() {
        let command = command.strip_prefix("$ ").unwrap();
        let mut shown = Vec::new();
        while let Some(line) = lines.next_if(|line| !line.starts_with("$ ")) {
            shown.push(line.clone());
        }
        let is_new_file = |name: &&str| !name.contains(' ') && !folder.at(name).exists();
        if let Some(name) = command.strip_prefix("cat ").filter(is_new_file) {
            folder.write(name, shown.join("\n") + "\n");
        }
        let (_, out, err) = shell(folder, &command.replace("tallyboard ", "PROGRAM "));
        let found: Vec<&str> = out.lines().chain(err.lines()).collect();
        let page = page.display();
        assert!(agree(&shown, &found), "{page}: $ {command}\nshown {shown:#?}, found {found:#?}");
        if let Some(name) = command.split("--svg ").nth(1) {
            golden::check(&format!("../../docs/pictures/{name}"), &folder.read(name));
        }
    }
}

#[test]
fn every_page_begins_with_a_command_and_its_commands_print_what_it_shows() {
    let mut checked = 0;
    for path in pages() {
        let name = path.file_name().unwrap().to_str().unwrap();
        if RUN_BY_SCRIPTS.iter().any(|(page, _)| *page == name) {
            continue;
        }
        let page = fs::read_to_string(&path).unwrap();
        let blocks = blocks(&page);
        let has_first = blocks.first().is_some_and(|block| is_session(block));
        assert!(has_first, "{name}: expected a command behind `$`");
        let before = page.lines().take_while(|line| !line.starts_with("    $ ")).count();
        assert!(before <= 6, "{name}: {before} lines stand above its first command");
        let folder = Folder::new();
        for session in blocks.iter().filter(|block| is_session(block)) {
            run(&path, &folder, session);
            checked += 1;
        }
    }
    assert!(checked > 50, "{checked} blocks");
}

/// A table of rules has a line of a file in the first column.
#[test]
fn each_rule_of_a_variant_is_told_and_its_line_is_read() {
    let page = fs::read_to_string(repository().join("docs/variant_rules.md")).unwrap();
    let folder = Folder::new();
    let mut names = BTreeSet::new();
    for row in page.lines().filter_map(|line| line.strip_prefix("| `")) {
        let line = row.split('`').next().unwrap();
        let name = line.split(' ').next().unwrap();
        let size = if name == "size" { "" } else { "size 9\n" };
        // Below these alone stands a picture.
        let picture = match line {
            "regions" => {
                ["AAABBBCCC\n", "DDDEEEFFF\n", "GGGHHHIII\n"].map(|row| row.repeat(3)).concat()
            }
            "givens" => ".........\n".repeat(9),
            _ => String::new(),
        };
        folder.write("rule.txt", format!("{size}{line}\n{picture}"));
        folder.succeed("variant convert rule.txt");
        names.insert(name);
    }
    folder.write("rule.txt", "size 9\nno-such-rule\n");
    let all = format!("docs/variant_rules.md shows all {}\n", names.len());
    folder.fails("variant convert rule.txt", 2, &all);
}

#[test]
fn scripts_run_the_other_pages() {
    for (page, script) in RUN_BY_SCRIPTS {
        let script = fs::read_to_string(repository().join(script)).unwrap();
        assert!(script.contains(&format!("docs/{page}")), "{page}");
    }
}

#[test]
fn the_commands_of_the_readme_print_what_it_shows() {
    let path = repository().join("README.md");
    let folder = Folder::new();
    let blocks = blocks(&fs::read_to_string(&path).unwrap());
    let sessions: Vec<_> = blocks.iter().filter(|block| is_session(block)).collect();
    assert!(sessions.len() >= 4, "{} blocks with commands", sessions.len());
    for session in sessions {
        run(&path, &folder, session);
    }
}

/// The address is not known yet: whoever fills it in finds both places.
#[test]
fn the_readme_clones_the_repository_that_the_manifest_names_and_has_the_commands_of_ci() {
    let read = |name: &str| fs::read_to_string(repository().join(name)).unwrap();
    let manifest = read("Cargo.toml");
    let address =
        manifest.split("\nrepository = \"").nth(1).and_then(|rest| rest.split('"').next());
    let readme = read("README.md");
    assert!(readme.contains(&format!("git clone {}\n", address.unwrap())));
    let words = readme.split_whitespace().count();
    assert!(words <= MOST_WORDS, "{words} words in README.md");
    // The two commands of a new machine: one does the main job, one passes the tests. `.ci/run` begins with them.
    let ci = read(".ci/run");
    for command in ["cargo run --release -- queens count 15", "cargo test --release"] {
        assert!(readme.contains(&format!("\n    {command}\n")), "README.md without {command}");
        let in_ci = command.replace("--release", "--release --locked");
        assert!(ci.contains(&format!("\nsuite {in_ci}")), ".ci/run without {in_ci}");
    }
}

#[test]
fn no_page_is_too_long() {
    for page in pages() {
        let lines = fs::read_to_string(&page).unwrap().lines().count();
        assert!(lines <= MOST_LINES, "{}: {lines} lines", page.display());
    }
}

/// What a heading is called in an address.
fn anchor(heading: &str) -> String {
    let letters = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = letters.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[test]
fn links_lead_to_files_and_headings() {
    let others = ["README.md", "CONTRIBUTING.md", "docs/development/outside.md"];
    let others = [&others[..], &PAGES_OF_CODE].concat();
    let others = others.into_iter().map(|name| repository().join(name));
    let mut links = 0;
    for path in pages().into_iter().chain(others) {
        let page = fs::read_to_string(&path).unwrap();
        for link in page.split("](").skip(1).filter_map(|rest| rest.split([')', ' ']).next()) {
            if link.contains("://") {
                continue;
            }
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let target = match file {
                "" => path.clone(),
                file => path.parent().unwrap().join(file),
            };
            assert!(target.exists(), "{}: nothing is at {link}", path.display());
            if !heading.is_empty() {
                let text = fs::read_to_string(&target).unwrap();
                let mut headings = text.lines().filter(|line| line.starts_with('#'));
                assert!(headings.any(|line| anchor(line) == heading), "{}: {link}", path.display());
            }
            links += 1;
        }
    }
    assert!(links > 60, "{links} links");
}

/// A path is one of the repository, or begins with the name of a crate and is one of its sources.
#[test]
fn files_that_pages_about_the_code_name_are_there() {
    let mut paths = 0;
    for name in PAGES_OF_CODE {
        let page = fs::read_to_string(repository().join(name)).unwrap();
        let code = page.lines().filter(|line| !line.starts_with("    "));
        let spans = code.flat_map(|line| line.split('`').skip(1).step_by(2));
        for path in spans.filter(|span| span.contains('/') && !span.contains(' ')) {
            let (first, rest) = path.split_once('/').unwrap();
            let sources = repository().join(format!("crates/tallyboard-{first}/src"));
            let is_there = sources.join(rest).exists() && sources.exists();
            assert!(is_there || repository().join(path).exists(), "{name}: nothing is at {path}");
            paths += 1;
        }
    }
    assert!(paths > 60, "{paths} paths");
}

#[test]
fn the_pages_of_formats_are_made_of_the_table() {
    let made = tallyboard_doors::pages();
    for (path, page) in &made {
        golden::check(&format!("../../docs/{path}"), page);
    }
    let files = fs::read_dir(repository().join("docs/formats")).unwrap().count();
    assert_eq!(files + 1, made.len(), "a page of a game that is no more");
}
