//! `tallyboard regions draw`: a board in colours, as a picture or in the terminal.

use anstyle::{Ansi256Color, Color, Style};
use anyhow::Result;
use tallyboard_classroom::draw;
use tallyboard_regions::format::{columns, region_name};
use tallyboard_regions::{Board, Solutions};
use tallyboard_search::Error;

use super::{BoardArgs, report_cuts};
use crate::terminal::{Args, ExitStatus, PictureArgs, ensure_apart, info, pictures, print_line};

#[derive(Debug, clap::Args)]
pub struct DrawArgs {
    #[command(flatten)]
    pub board: BoardArgs,

    /// Draw a solution too; of several, the first of `list`
    #[arg(long)]
    pub solution: bool,

    #[command(flatten)]
    pub pictures: PictureArgs,
}

/// Draws the board: into files if some are named, or else on standard output, in the form that is read too.
pub fn run(flags: &DrawArgs, args: &Args) -> Result<ExitStatus> {
    ensure_apart([&*flags.board.file.file], flags.pictures.paths())?;
    let board = flags.board.read(args)?.board;
    report_cuts(&board, args);
    let solution = if flags.solution { Solutions::new(&board).next() } else { None };
    if flags.solution && solution.is_none() {
        info(args, "the board has no solution");
    }
    if let Some(stars) = &solution {
        Error::ensure_right(board.is_solved_by(stars), || columns(stars))?;
    }
    let given = || board.rows().iter().map(|row| row.stars).collect();
    let stars: Vec<u32> = solution.unwrap_or_else(given);
    if flags.pictures.wanted() {
        pictures::save(&draw::regions(&board, &stars), &flags.pictures)?;
    } else {
        print_line(text(&board, &stars))?;
    }
    Ok(ExitStatus::Done)
}

/// Backgrounds of the terminal's 256 colours on which black can be read. Neighbours in the list differ most.
const BACKGROUNDS: [u8; 12] = [117, 215, 120, 210, 183, 228, 80, 218, 252, 180, 155, 147];

/// The board as rows of names, where `*` marks a star and `-` a cell that is crossed out.
fn text(board: &Board, stars: &[u32]) -> String {
    let size = board.size();
    let mut rows = Vec::with_capacity(size);
    for row in 0..size {
        let mut text = String::new();
        for column in 0..size {
            let region = board.regions()[row * size + column];
            let colour = Ansi256Color(BACKGROUNDS[usize::from(region) % BACKGROUNDS.len()]);
            let style = Style::new().bg_color(Some(Color::Ansi256(colour)));
            let style = style.fg_color(Some(Color::Ansi256(Ansi256Color(16))));
            let is_crossed = board.rows()[row].possible >> column & 1 == 0;
            let mark = match (stars[row] >> column & 1, is_crossed) {
                (1, _) => '*',
                (_, true) => '-',
                _ => ' ',
            };
            text += &format!("{style}{}{mark}{style:#}", region_name(region));
            text.push_str(if column + 1 < size { " " } else { "" });
        }
        rows.push(text);
    }
    rows.join("\n")
}
