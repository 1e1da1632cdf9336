//! Writes the page: one HTML file with style, program and steps.

use serde::Serialize;

use super::encode::EncodedSteps;
use super::{BoardLook, Play};
use crate::backtrack::Counts;
use tallyboard_base::figures::{counted, grouped};
use tallyboard_picture::picture::escape;

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
    ///
    /// # Panics
    /// Never: all that a page holds can be written as JSON.
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
