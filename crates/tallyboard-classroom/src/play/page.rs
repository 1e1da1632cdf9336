//! Writes the page: one HTML file with style, program and steps.

use serde::{Serialize, Serializer};
use tallyboard_base::figures::{counted, grouped};
use tallyboard_picture::picture::escape;

use super::{BoardLook, Play, StepLook};
use crate::backtrack::{Counts, Step};

const TEMPLATE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const PROGRAM: &str = include_str!("page.js");

/// A page that needs no other file and no network.
#[derive(Clone, Debug)]
pub struct Page {
    title: String,
    plays: Vec<Play>,
}

/// The JSON that the page's program reads.
#[derive(Serialize)]
struct Data<'a> {
    title: &'a str,
    plays: Vec<PlayData<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PlayData<'a> {
    name: &'a str,
    board: &'a BoardLook,
    nouns: [&'static str; 3],
    notes: Vec<String>,
    is_whole: bool,
    #[serde(flatten)]
    encoded: EncodedSteps<'a>,
}

impl Page {
    /// A page of some plays, the first of which is shown first.
    pub fn new(title: impl Into<String>, plays: Vec<Play>) -> Self {
        Self { title: title.into(), plays }
    }

    /// The notes of the first play: a sentence on its length, then those added by [`Play::note`].
    pub fn notes(&self) -> Vec<String> {
        self.plays.first().map(notes).unwrap_or_default()
    }

    /// The page in HTML.
    pub fn html(&self) -> String {
        let plays = self.plays.iter().map(|play| PlayData {
            name: &play.name,
            board: &play.board,
            nouns: play.nouns,
            notes: notes(play),
            is_whole: play.whole == Some(play.shown),
            encoded: play.encoder.encoded(),
        });
        let data = Data { title: &self.title, plays: plays.collect() };
        let json = serde_json::to_string(&data).expect("nothing in a page is unfit for JSON");
        // Text such as </script> must not end the script.
        let json = json.replace('<', "\\u003c");
        let title = escape(&self.title);
        filled(&[("title", &title), ("style", STYLE), ("program", PROGRAM), ("data", &json)])
    }
}

/// The template with each `{{name}}` replaced by the part of that name. Names within parts are not replaced.
fn filled(parts: &[(&str, &str)]) -> String {
    let mut pieces = TEMPLATE.split("{{");
    let mut page = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (name, rest) = piece.split_once("}}").expect("each name in the template ends");
        let part = parts.iter().find(|part| part.0 == name).expect("each name has its part");
        page.push_str(part.1);
        page.push_str(rest);
    }
    page
}

fn notes(play: &Play) -> Vec<String> {
    [vec![length_note(play)], play.notes.clone()].concat()
}

/// A sentence that says how much of the search the page holds.
fn length_note(play: &Play) -> String {
    let Counts { steps, nodes, solutions, .. } = play.shown;
    let shown = counted(steps, "step");
    let steps = grouped(steps);
    match play.whole {
        Some(Counts { steps: 1, .. }) => "The page holds the only step.".to_owned(),
        Some(whole) if whole.steps == play.shown.steps => format!("The page holds all {shown}."),
        Some(whole) => format!(
            "The page holds the first {steps} of {} steps: {} of {} nodes, {} of {} solutions. With --steps \
             K it holds the first K.",
            grouped(whole.steps),
            grouped(nodes),
            grouped(whole.nodes),
            grouped(solutions),
            grouped(whole.solutions),
        ),
        None => format!(
            "The page holds the first {steps} steps of more than twenty million. With --steps K it holds the first \
             K."
        ),
    }
}

// Encodes steps for the program of the page: a number takes one or two characters, and each phrase is stored
// once. `page.js` has the decoder.

/// The digits of numbers: printable characters without a special meaning in JSON and HTML.
const DIGITS: &[u8; 87] =
    b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ!#$%()*+,-./:;=?@[]^_{|}~";

/// The number of digits for numbers below `limit`.
fn width(limit: usize) -> usize {
    let mut width = 1;
    while DIGITS.len().pow(width as u32) < limit {
        width += 1;
    }
    width
}

/// Appends `number` with `width` digits, the lowest first.
fn append(text: &mut String, mut number: usize, width: usize) {
    for _ in 0..width {
        text.push(char::from(DIGITS[number % DIGITS.len()]));
        number /= DIGITS.len();
    }
}

/// Writes each list of cells as one string. There is a list for each cell, so that the number of lists tells the width
/// of the cells' numbers.
pub(super) fn lists<S: Serializer>(lists: &[Vec<usize>], serializer: S) -> Result<S::Ok, S::Error> {
    let width = width(lists.len());
    serializer.collect_seq(lists.iter().map(|list| {
        let mut text = String::new();
        list.iter().for_each(|&cell| append(&mut text, cell, width));
        text
    }))
}

/// The kind of a step, as a letter.
fn kind<M, R>(step: &Step<M, R>) -> char {
    match step {
        Step::Refused { .. } => 'r',
        Step::Made(_) => 'p',
        Step::DeadEnd(_) => 'd',
        Step::Solution => 's',
        Step::Back { .. } => 'b',
        Step::Over => 'o',
    }
}

/// A phrase, with the numbers that follow it in a step.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
struct Phrase {
    kind: char,
    text: String,
    /// Whether these follow: a cell, a mark, a cell that is the reason. Steps of one kind and text may differ in it.
    has: [bool; 3],
}

/// Data of a step that few steps have.
#[derive(Clone, Debug, Serialize)]
struct Extra {
    /// The number of the step, from 1.
    step: usize,
    /// The number of moves after the step, if the step takes back more than one move.
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<usize>,
    /// The cells that are the reason, if they are not one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    by: Vec<usize>,
    /// The cells that the step looks at.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    area: Vec<usize>,
    /// Cells, each with a mark that it cannot have.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    struck: Vec<(usize, usize)>,
}

/// Collects the steps of a play.
#[derive(Clone, Debug)]
pub(super) struct Encoder {
    phrases: Vec<Phrase>,
    /// Each step's phrase, and its cell, its mark and the cell that is the only reason.
    steps: Vec<(usize, [Option<usize>; 3])>,
    extras: Vec<Extra>,
    /// The number of moves that are made after the steps so far.
    depth: usize,
    /// The number of cells of the board.
    cells: usize,
    /// The number of marks that its cells may have.
    marks: usize,
}

/// All steps in the form that the page reads.
#[derive(Serialize)]
pub(super) struct EncodedSteps<'a> {
    phrases: &'a [Phrase],
    /// The number of digits for a phrase, for a cell and for a mark.
    widths: [usize; 3],
    steps: String,
    extras: &'a [Extra],
}

impl Encoder {
    /// An encoder of steps on this board.
    pub fn new(board: &BoardLook) -> Self {
        let cells = board.rows * board.columns;
        let marks = board.marks.len();
        Self { phrases: Vec::new(), steps: Vec::new(), extras: Vec::new(), depth: 0, cells, marks }
    }

    /// Adds one more step.
    pub fn add<M, R>(&mut self, step: &Step<M, R>, look: StepLook) {
        let StepLook { phrase, cell, mark, by, area, struck } = look;
        let only_by = match by[..] {
            [only] => Some(only),
            _ => None,
        };
        let fields = [cell, mark, only_by];
        let has = fields.map(|field| field.is_some());
        let phrase = Phrase { kind: kind(step), text: phrase.into_owned(), has };
        let known = self.phrases.iter().position(|known| *known == phrase);
        let number = known.unwrap_or_else(|| {
            self.phrases.push(phrase);
            self.phrases.len() - 1
        });
        self.steps.push((number, fields));
        let by = if only_by.is_some() { Vec::new() } else { by };
        let to = match *step {
            Step::Made(_) => {
                self.depth += 1;
                None
            }
            Step::Back { to, .. } => {
                let is_one_less = to + 1 == self.depth;
                self.depth = to;
                (!is_one_less).then_some(to)
            }
            _ => None,
        };
        if to.is_some() || !by.is_empty() || !area.is_empty() || !struck.is_empty() {
            self.extras.push(Extra { step: self.steps.len(), to, by, area, struck });
        }
    }

    /// All steps.
    pub fn encoded(&self) -> EncodedSteps<'_> {
        let widths = [self.phrases.len(), self.cells, self.marks].map(width);
        let [phrase_width, cell_width, mark_width] = widths;
        let mut steps = String::new();
        for &(phrase, fields) in &self.steps {
            append(&mut steps, phrase, phrase_width);
            for (field, width) in fields.into_iter().zip([cell_width, mark_width, cell_width]) {
                if let Some(value) = field {
                    append(&mut steps, value, width);
                }
            }
        }
        EncodedSteps { phrases: &self.phrases, widths, steps, extras: &self.extras }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_ends_the_script_that_holds_it() {
        let board = tallyboard_queens::Board::new(2).unwrap();
        let mut play = crate::play::queens(&board, 9);
        let plain = Page::new("Two", vec![play.clone()]).html().matches("</script>").count();
        play.note("</script>");
        let noted = Page::new("Two", vec![play]).html();
        assert_eq!(noted.matches("</script>").count(), plain);
        assert!(noted.contains(r"\u003c/script>"));
    }

    #[test]
    fn a_title_stands_in_the_head_and_above_the_page_whatever_it_holds() {
        for title in ["4 queens", "{{data}} and {{no name}}"] {
            let page = Page::new(title, Vec::new()).html();
            for name in ["title", "h1"] {
                assert!(page.contains(&format!("<{name}>{title}</{name}>")), "{name} {title}");
            }
            assert_eq!(page.matches("\"plays\":[]").count(), 1);
        }
    }
}

#[cfg(test)]
mod encode_tests {
    use super::*;

    #[test]
    fn every_digit_is_its_own_and_harmless_in_a_page() {
        let mut digits = DIGITS.to_vec();
        digits.sort_unstable();
        digits.dedup();
        assert_eq!(digits.len(), DIGITS.len());
        assert!(digits.iter().all(|digit| digit.is_ascii_graphic()));
        assert!(!digits.iter().any(|digit| b"\"\\<>&'`".contains(digit)));
        assert_eq!([1, 87, 88, 7569, 7570].map(width), [1, 1, 2, 2, 3]);
        let mut text = String::new();
        append(&mut text, 87 * 2 + 5, 2);
        assert_eq!(text, "52");
    }
}
