//! Encodes steps for the program of the page: a number takes one or two characters, and each phrase is stored
//! once. `page.js` has the decoder.

use serde::{Serialize, Serializer};

use super::{BoardLook, StepLook};
use crate::backtrack::Step;

/// The digits of numbers: printable characters without a special meaning in JSON and HTML.
const DIGITS: &[u8; 87] =
    b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ!#$%()*+,-./:;=?@[]^_{|}~";

/// The number of digits for numbers below `limit`.
pub fn width(limit: usize) -> usize {
    let mut width = 1;
    while DIGITS.len().pow(width as u32) < limit {
        width += 1;
    }
    width
}

/// Appends `number` with `width` digits, the lowest first.
pub fn append(text: &mut String, mut number: usize, width: usize) {
    for _ in 0..width {
        text.push(char::from(DIGITS[number % DIGITS.len()]));
        number /= DIGITS.len();
    }
}

/// Writes each list of cells as one string. There is a list for each cell, so that the number of lists tells the width
/// of the cells' numbers.
pub fn lists<S: Serializer>(lists: &[Vec<usize>], serializer: S) -> Result<S::Ok, S::Error> {
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
    step: usize,
    /// The number of moves after the step, if the step takes back more than one move.
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    by: Vec<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    area: Vec<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    struck: Vec<(usize, usize)>,
}

/// Collects the steps of a play.
#[derive(Clone, Debug)]
pub struct Encoder {
    phrases: Vec<Phrase>,
    /// Each step's phrase, and its cell, its mark and the cell that is the only reason.
    steps: Vec<(usize, [Option<usize>; 3])>,
    extras: Vec<Extra>,
    /// The number of moves that are made after the steps so far.
    depth: usize,
    /// The numbers of cells and marks of the board.
    cells: usize,
    marks: usize,
}

/// All steps in the form that the page reads.
#[derive(Serialize)]
pub struct EncodedSteps<'a> {
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
