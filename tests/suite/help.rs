//! Every help page and the errors that people meet most, word for word: a change is seen.
//!
//! `TALLYBOARD_RENEW=1 cargo test help` writes the files anew.

use crate::common::golden;
use crate::common::runs::{Folder, run_with_input};
use tallyboard_base::Kernel;

fn help(path: &[String]) -> String {
    let words = [path, &["--help".to_owned()]].concat().join(" ");
    let (code, page, said) = run_with_input(&words, "");
    assert!(code == 0 && said.is_empty(), "{path:?}: {said}");
    page
}

/// The commands below, from the list on a help page.
fn below(page: &str) -> Vec<String> {
    let list = page.lines().skip_while(|line| *line != "Commands:").skip(1);
    let list = list.take_while(|line| !line.is_empty());
    // Continued descriptions begin further to the right.
    let names = list.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    names
        .filter(|name| !name.is_empty())
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect()
}

/// Leaves the names of kernels out, so that what is kept does not change with another kernel.
fn without_kernels(text: &str) -> String {
    let names = Kernel::ALL.map(Kernel::name).join(", ");
    text.replace(&format!("[possible values: auto, {names}]"), "[possible values: auto, …]")
}

/// Every command and group of commands, by its words, with its page.
fn pages() -> Vec<(Vec<String>, String)> {
    let (mut open, mut pages) = (vec![Vec::new()], Vec::new());
    while let Some(path) = open.pop() {
        let page = help(&path);
        open.extend(below(&page).into_iter().map(|name| [&path[..], &[name]].concat()));
        pages.push((path, page));
    }
    pages
}

/// Every command that is no group of commands, by its words and with its page.
pub fn commands() -> Vec<(String, String)> {
    let pages = pages().into_iter().filter(|(_, page)| below(page).is_empty());
    pages.map(|(path, page)| (path.join(" "), page)).collect()
}

#[test]
fn every_help_page_is_as_it_was() {
    let pages = pages();
    for (path, page) in &pages {
        let name = [&["tallyboard".to_owned()], &path[..]].concat().join("-") + ".txt";
        golden::check(&format!("help/{name}"), &without_kernels(page));
    }
    assert!(pages.len() > 25, "{}", pages.len());
}

#[test]
fn what_people_get_wrong_is_said_as_it_was() {
    let folder = Folder::new();
    folder.write("bad.txt", "53..7\n");
    let mut told = String::new();
    for words in [
        "",
        "queens",
        "queens cuont 8",
        "queens 8",
        "cover bad.txt",
        "queens count",
        "queens count eight",
        "queens count 33",
        "queens count 8 --place i1",
        "queens count 8 --place 1a",
        "queens count 8 --place a1,a2",
        "queens count 8 --kernel sse",
        "queens count 8 --memory much",
        "queens count 8 --resume",
        "queens one 3",
        "queens one 10 --method explicit --k 3",
        "queens list 8 --seed 1",
        "queens check no.txt",
        "show no.journal",
        "sudoku solve no.txt",
        "sudoku solve bad.txt",
        "sudoku solve bad.txt --to xml",
        "sudoku solve bad.txt --size 9xq",
        "sudoku draw 53..7",
        "scale queens 8 -m 5 -M 2",
        "scale run -- true",
        "scale run --pin cores -- true {threads}",
        "scale compare bad.txt bad.txt",
        "cluster run no.plan --shard 0 -o results",
    ] {
        let (code, _, text) = folder.told(words);
        let timeless = |line: &&str| !line.starts_with("time ");
        let text: String = text.lines().filter(timeless).map(|line| format!("{line}\n")).collect();
        told += &format!("$ tallyboard {words}\n{text}exit {code}\n\n");
    }
    golden::check("help/errors.txt", &without_kernels(&told));
}
