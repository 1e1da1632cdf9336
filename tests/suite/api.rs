//! Promise: what the library keeps from version to version is a list, and a change of it is seen.

use std::fs;

use crate::common::golden;
use crate::common::sources::{sources, without_tests};

/// A user has to find a way through them.
const MOST_TYPES: usize = 87;

/// The crates whose names the front page has, and their folders.
const CRATES: [(&str, &str); 7] = [
    ("search", "crates/tallyboard-search/src"),
    ("queens", "crates/tallyboard-queens/src"),
    ("sudoku", "crates/tallyboard-sudoku/src"),
    ("cover", "crates/tallyboard-cover/src"),
    ("variants", "crates/tallyboard-variants/src"),
    ("regions", "crates/tallyboard-regions/src"),
    ("program", "src/counting"),
];

/// What signatures name of other crates, of the standard library, clap and serde, with blanks between.
const OF_OTHERS: &str = "\
    Arc Args AsRef Box Clone ControlFlow Copy Debug Default DeserializeOwned Display Duration Eq \
    Err ExitCode Fn FnMut From FromStr Hash Infallible Into IntoIterator Item Iterator Node Option \
    Ord Output PartialEq Path Range Read Result Self Send Serialize String Sync Target TryFrom \
    TryInto Value Vec";

/// The names that `source`, a module `path`, makes public by `pub use`, `pub mod` and definitions. What is hidden
/// from the documentation is left out.
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
            names.extend(used.filter(|_| !is_hidden).map(|name| format!("{module}{name}")));
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

/// The text of `source` without comments, attributes but `#[doc(hidden)]`, and tests, in lines.
fn code(source: &str) -> Vec<&str> {
    let mut is_attribute = false;
    let mut code = Vec::new();
    for line in without_tests(source) {
        let text = line.trim();
        is_attribute |= text.starts_with("#[") && text != "#[doc(hidden)]";
        if !is_attribute && !text.is_empty() && !text.starts_with("//") {
            code.push(line);
        }
        is_attribute &= !text.ends_with(']');
    }
    code
}

/// Cuts `lines` into parts, each of which begins with a line that is indented by `indent` blanks. Those behind
/// `#[doc(hidden)]` are left out.
fn shown_parts<'a>(lines: &[&'a str], indent: usize) -> Vec<Vec<&'a str>> {
    let mut parts: Vec<Vec<&str>> = Vec::new();
    let mut is_hidden = false;
    for &line in lines {
        let text = line.trim_start();
        let is_outermost = line.len() - text.len() == indent;
        let continues = text.starts_with(['}', ')', '{']) || text.starts_with("where");
        if is_outermost && text == "#[doc(hidden)]" {
            is_hidden = true;
        } else if is_outermost && !continues {
            parts.push(if is_hidden { Vec::new() } else { vec![line] });
            is_hidden = false;
        } else if let Some(part) = parts.last_mut().filter(|part| !part.is_empty()) {
            part.push(line);
        }
    }
    parts.into_iter().filter(|part| !part.is_empty()).collect()
}

/// The words of `text` that are names of types or traits.
fn type_names(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    // Constants are written in capitals, and parameters are a letter.
    words.filter(|word| {
        word.starts_with(|first: char| first.is_uppercase())
            && word.contains(|c: char| c.is_lowercase())
    })
}

/// What comes before the body of a function.
fn signature(lines: &[&str]) -> String {
    let text = lines.join(" ");
    text.split(['{', ';']).next().unwrap().to_owned()
}

/// The name of the function or type that `header`, the first line of an item, defines or has methods of.
fn subject(header: &str) -> &str {
    if let Some(function) = header.strip_prefix("pub fn ") {
        return function.split(['<', '(']).next().unwrap();
    }
    let of = header.split_once(" for ").map_or(header, |(_, of)| of);
    // Parameters of an implementation come first: `impl<R: Read> Answers<R> {`.
    let of =
        of.strip_prefix("impl<").and_then(|rest| rest.split_once("> ")).map_or(of, |(_, of)| of);
    let is_of_others = of.split('<').next().is_some_and(|path| path.contains("::"));
    type_names(of).next().filter(|_| !is_of_others).unwrap_or_default()
}

/// The texts of `item` that its users see: fields, variants, signatures of methods, what a trait is implemented with.
fn shown_texts(item: &[&str]) -> Vec<String> {
    let header = item[0];
    if header.starts_with("pub fn ") {
        return vec![signature(item)];
    }
    let is_trait_of_type = header.starts_with("impl") && header.contains(" for ");
    let is_enum = header.starts_with("pub enum");
    let is_whole = is_enum || header.starts_with("pub trait");
    let mut texts = Vec::new();
    if is_trait_of_type || header.starts_with("pub trait") {
        texts.push(header.split(" for ").next().unwrap().to_owned());
    } else if header.starts_with("pub struct") && header.contains("(pub ") {
        texts.push(header.split_once('(').unwrap().1.to_owned());
    }
    for member in shown_parts(&item[1..], 4) {
        let text = member[0].trim_start();
        let is_function = text.contains("fn ");
        let is_shown = if is_trait_of_type {
            text.starts_with("type ")
        } else {
            is_whole || text.starts_with("pub ")
        };
        if !is_shown {
            continue;
        }
        texts.push(if is_function { signature(&member) } else { member.join(" ") });
        if is_enum {
            let text = texts.pop().unwrap();
            // The name of the variant is no type.
            texts.extend(text.split_once(['(', '{']).map(|(_, fields)| fields.to_owned()));
        }
    }
    texts
}

/// The types that users of `names` meet in `source`, a file of the crate that the front page has as `module`, and that
/// are not in `names`.
fn unnamed(source: &str, module: &str, names: &[String]) -> Vec<String> {
    let is_name = |module: &str, name: &str| {
        names.iter().any(|path| match path.rsplit_once("::") {
            Some((of, last)) => last == name && of.split("::").next() == Some(module),
            None => path == name,
        })
    };
    let mut unnamed = Vec::new();
    for item in shown_parts(&code(source), 0) {
        let subject = subject(item[0]);
        let is_item = ["pub struct", "pub enum", "pub trait", "pub fn", "impl"]
            .iter()
            .any(|word| item[0].starts_with(word));
        if !is_item || !is_name(module, subject) {
            continue;
        }
        for text in shown_texts(&item) {
            let missing = type_names(&text).filter(|name| {
                !(is_name(module, name)
                    || is_name("search", name)
                    || OF_OTHERS.split(' ').any(|other| other == *name))
            });
            unnamed.extend(
                missing.map(|name| {
                    format!("{name}, which {module}::{subject} needs: {}", text.trim())
                }),
            );
        }
    }
    unnamed
}

/// The names of the front page.
fn front_names() -> Vec<String> {
    let read = |name: &str| {
        fs::read_to_string(format!("{}/src/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
    };
    let mut names = public_names(&read("lib.rs"), "");
    names.extend(public_names(&read("program.rs"), "program::"));
    names
}

#[test]
fn what_users_meet_has_a_name() {
    let names = front_names();
    let mut missing = Vec::new();
    for (module, folder) in CRATES {
        // A kernel has functions of the same names.
        for (_, text) in sources(folder).iter().filter(|(path, _)| !path.contains("/kernel/")) {
            missing.extend(unnamed(text, module, &names));
        }
    }
    assert!(missing.is_empty(), "hide these or name them in src/lib.rs:\n{}", missing.join("\n"));
}

#[test]
fn a_type_without_a_name_is_found() {
    let source = "
/// What Comments Name Is Free.
pub struct Board<'a> {
    #[error(\"Text\")]
    pub size: Size,
    squares: Vec<Private>,
}

impl<'a> Board<'a> {
    pub fn count(
        self,
        how: Option<How>,
    ) -> Result<u128, Error> {
        Inside::new()
    }

    #[doc(hidden)]
    pub fn hidden(self, settings: Settings) {}

    pub(crate) fn internal(self, plan: Plan) {}
}

impl From<Other> for Board<'_> {
    type Error = Mine;

    fn from(other: Other) -> Self {
        Inside::new()
    }
}

#[doc(hidden)]
impl From<Settings> for Board<'_> {}

pub enum Error {
    #[doc(hidden)]
    Engine(Engine),
    Word {
        /// Another.
        word: Word,
    },
}

pub fn solve(board: Board) -> Answer {
    Inside::new()
}

impl Else {
    pub fn free(self) -> Free {}
}
";
    let names = ["queens::Board", "queens::Error", "queens::solve"].map(str::to_owned);
    let found = unnamed(source, "queens", &names);
    let found: Vec<&str> = found.iter().map(|text| text.split(',').next().unwrap()).collect();
    assert_eq!(found, ["Size", "How", "Other", "Mine", "Word", "Answer"]);
}

#[test]
fn what_is_public_is_meant() {
    let names = front_names();
    let is_type = |name: &&String| {
        name.rsplit("::").next().unwrap().starts_with(|first: char| first.is_uppercase())
    };
    let types = names.iter().filter(is_type).count();
    assert!(types <= MOST_TYPES, "found {types} types, expected {MOST_TYPES} at most");
    golden::check("api.txt", &format!("{}\n", names.join("\n")));
}
