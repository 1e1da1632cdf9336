//! The forms in which puzzles are written, and which of them a text is in by its beginning.

use serde_json::Value;
use tallyboard_base::named::named;

use super::link::Link;
use super::{
    Located, MOST_BYTES, Parsed, Read, arrows, cages, fpuzzles, futoshiki, game_ids, headed,
    jigsaw, ksudoku, lettered, link, minizinc, parts, pzpr, skyscrapers, sudokumaker, sudokupad,
    text,
};
use crate::error::is_line_name;
use crate::puzzle::Puzzle;

/// A form in which puzzles are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Form {
    /// A link of f-puzzles, SudokuMaker or SudokuPad.
    Link,
    /// JSON of f-puzzles.
    FPuzzles,
    /// JSON of SudokuPad.
    SudokuPad,
    /// JSON of SudokuMaker.
    SudokuMaker,
    /// A link of Penpa.
    Penpa,
    /// A link of puzz.link, or a text that its editor saved.
    Pzpr,
    /// A game id of Solo.
    Solo,
    /// A game id of Unequal, Towers or Keen.
    GameId,
    /// A game that KSudoku saved.
    Ksudoku,
    /// A picture of letters, and a clue for each.
    Lettered,
    /// A grid of sums and of signs that lead to them.
    Arrows,
    /// Latin squares with signs between cells.
    Futoshiki,
    /// Lists of cages.
    Cages,
    /// Latin squares with the numbers of what is seen from outside.
    Skyscrapers,
    /// Pictures below the number of rows and of columns.
    Headed,
    /// Regions and givens, a grid each.
    Jigsaw,
    /// The data of a MiniZinc model.
    MiniZinc,
    /// The text form of this crate.
    Text,
    /// A grid alone.
    Grid,
    /// Links among other words.
    LinkInText,
}

named! {
    /// All forms.
    Form {
        Link = "link",
        FPuzzles = "f-puzzles",
        SudokuPad = "sudokupad",
        SudokuMaker = "sudokumaker",
        Penpa = "penpa",
        Pzpr = "pzpr",
        Solo = "solo",
        GameId = "game-id",
        Ksudoku = "ksudoku",
        Lettered = "lettered",
        Arrows = "arrows",
        Futoshiki = "futoshiki",
        Cages = "cages",
        Skyscrapers = "skyscrapers",
        Headed = "puzzlekit",
        Jigsaw = "jigsaw",
        MiniZinc = "minizinc",
        Text = "rules",
        Grid = "grid",
        LinkInText = "links",
    }
}

/// What the beginning of a text shows.
#[derive(Debug)]
pub struct Beginning {
    /// The form of the first puzzle.
    pub form: Form,
    /// The puzzle, if the text is one and had to be read for this.
    pub read: Option<Located>,
}

impl Beginning {
    fn of(form: Form) -> Self {
        Self { form, read: None }
    }

    /// What a reader said of a whole text. A mistake is told by the reader once more.
    fn read(form: Form, read: Parsed<Read>) -> Self {
        let located =
            |Read { puzzle, drawings }| Located { line: 1, puzzle, drawings, is_in_text: false };
        Self { form, read: read.ok().map(located) }
    }

    /// The form of a text that is whole, or else of the whole lines at the beginning of a longer one; `None` if it is in no form, or a
    /// grid alone, which [`grid`](Self::grid) knows.
    pub fn find(text: &str, is_whole: bool) -> Option<Self> {
        let found = Self::of_one(text, is_whole).or_else(|| {
            let parts = parts::parts(text)?;
            Some(Self::of(Self::of_one(&parts.first()?.text, true)?.form))
        });
        found
            .or_else(|| of_text(text, is_whole))
            .or_else(|| parts::links(text)?.ok().map(|_| Self::of(Form::LinkInText)))
    }

    /// A text that is a grid alone, or several of sizes that no sudokus have, or begins with one.
    pub fn grid(text: &str, is_whole: bool) -> Option<Self> {
        // The largest grid with frames and wide cells is shorter.
        const MOST_BYTES: usize = 1 << 13;
        let is_short = is_whole && text.len() <= MOST_BYTES;
        if let Some(grid) = is_short.then(|| text::read(text).ok()).flatten() {
            return Some(Self::read(Form::Grid, Ok(Read::from(grid))));
        }
        parts::begins_with_grids(text, is_whole).then_some(Self::of(Form::Grid))
    }

    /// The form of a text that is a single puzzle of another program.
    fn of_one(text: &str, is_whole: bool) -> Option<Self> {
        if !matches!(link::link(text), Link::None) {
            return Some(Self::of(Form::Link));
        }
        #[cfg(feature = "penpa")]
        if super::penpa::payload(text).is_some() && super::penpa::star_battle(text).is_none() {
            return Some(Self::of(Form::Penpa));
        }
        if text.trim_start().starts_with('{') {
            return of_object(text, is_whole);
        }
        if let Some(puzzle) = pzpr::read(text) {
            return Some(Self::read(Form::Pzpr, puzzle.map(Read::from)));
        }
        if let Some(id) = game_ids::game_id(text) {
            let form = if id.is_solo() { Form::Solo } else { Form::GameId };
            return Some(Self::read(form, id.read().map(Read::from)));
        }
        if ksudoku::is_game(text) {
            return Some(Self::read(Form::Ksudoku, ksudoku::read(text).map(Read::from)));
        }
        if !is_whole || text.len() > MOST_BYTES {
            return None;
        }
        let of_solver = |(form, read): &(Form, OfSolver)| {
            read(text).map(|puzzle| Self::read(*form, puzzle.map(Read::from)))
        };
        OF_SOLVERS.iter().find_map(of_solver)
    }
}

/// Reads a text of one form; `None` if it is of another.
type OfSolver = fn(&str) -> Option<Parsed<Puzzle>>;

/// The readers of the forms that solvers have. Each takes a text only if all of it is as its form wants it, so that the order
/// matters little.
pub(super) const OF_SOLVERS: [(Form, OfSolver); 8] = [
    (Form::Lettered, lettered::read),
    (Form::Arrows, arrows::read),
    (Form::Futoshiki, futoshiki::read),
    (Form::Cages, cages::read),
    (Form::Skyscrapers, skyscrapers::read),
    (Form::Jigsaw, jigsaw::read),
    (Form::Headed, headed::read),
    (Form::MiniZinc, minizinc::read),
];

/// The form of a text that begins as an object of JSON.
fn of_object(text: &str, is_whole: bool) -> Option<Beginning> {
    if !is_whole {
        // The text is cut, so that names alone show whose it is.
        let has = |name: &str| text.contains(&format!("\"{name}\""));
        return match () {
            () if has("grid") && has("size") => Some(Beginning::of(Form::FPuzzles)),
            () if has("formatVersion") && has("puzzle") => Some(Beginning::of(Form::SudokuMaker)),
            () if has("cells") && has("cages") => Some(Beginning::of(Form::SudokuPad)),
            () => None,
        };
    }
    let value: Value = serde_json::from_str(text).ok()?;
    if cages::is_list(&value)
        && let Some(puzzle) = cages::read(text)
    {
        return Some(Beginning::read(Form::Cages, puzzle.map(Read::from)));
    }
    match value {
        Value::Object(puzzle) if sudokumaker::is_puzzle(&puzzle) => {
            Some(Beginning::read(Form::SudokuMaker, sudokumaker::read(&puzzle)))
        }
        Value::Object(puzzle) if sudokupad::is_puzzle(&puzzle) => {
            Some(Beginning::read(Form::SudokuPad, sudokupad::read(&puzzle)))
        }
        Value::Object(puzzle) if fpuzzles::is_puzzle(&puzzle) => {
            Some(Beginning::read(Form::FPuzzles, fpuzzles::read(&puzzle)))
        }
        _ => None,
    }
}

/// The form of a text in the form of this crate, with rules or words above its pictures.
fn of_text(text: &str, is_whole: bool) -> Option<Beginning> {
    let content = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    let first = content.clone().find(|line| !line.is_empty())?;
    let mut words = first.split_whitespace();
    let word = words.next().unwrap_or_default();
    let is_size = word == "size"
        && words.next().is_some_and(|side| side.starts_with(|c: char| c.is_ascii_digit()));
    if is_size || word.len() > 1 && is_line_name(word) {
        if !is_whole {
            return Some(Beginning::of(Form::Text));
        }
        return match text::read(text) {
            Err(_) if !is_size => None,
            read => Some(Beginning::read(Form::Text, read.map(Read::from))),
        };
    }
    None
}
