//! `tallyboard sudoku draw` and `tallyboard sudoku tree`

use std::io::Read;
use std::path::Path;

use anstyle::Style;
use anyhow::{Context, Error, Result, anyhow, bail, ensure};
use tallyboard_classroom::backtrack::{Fate, Node};
use tallyboard_classroom::draw;
use tallyboard_classroom::trace::sudoku::{Blanks, Entry};
use tallyboard_search::Stop;
use tallyboard_sudoku::format::{Form, FormOptions, OnePuzzle};
use tallyboard_sudoku::sized::{Puzzle, Size, SizedGrid};
use tallyboard_sudoku::{Grid, solve_up_to};

use crate::terminal::{
    Args, ExitStatus, PictureArgs, UsageError, eprint_line, info, io, pictures, print_line,
};

#[derive(Debug, clap::Args)]
pub struct DrawArgs {
    /// The puzzle: 81 characters, or a file that holds it in any format
    pub puzzle: String,

    #[command(flatten)]
    pub pictures: PictureArgs,
}

#[derive(Debug, clap::Args)]
pub struct TreeArgs {
    /// The puzzle: 81 characters, or a file that holds it in any format
    pub puzzle: String,

    /// How many empty cells, in reading order, up to 8; the tree has 600 nodes at most
    #[arg(long, default_value_t = 3, value_name = "K", value_parser = clap::value_parser!(u8).range(1..=8))]
    pub cells: u8,

    #[command(flatten)]
    pub pictures: PictureArgs,
}

/// Upper bound on the nodes of a tree that is drawn.
const MAX_NODES: usize = 600;

/// Draws the puzzle with its first solution: into the pictures asked for, or else as text.
pub fn run(flags: &DrawArgs, args: &Args) -> Result<ExitStatus> {
    io::ensure_apart([Path::new(&flags.puzzle)], flags.pictures.paths())?;
    let puzzle = match read(&flags.puzzle, "one puzzle")? {
        Puzzle::Nine(grid) => SizedGrid::from(&grid),
        Puzzle::Sized(grid) => grid,
    };
    let (count, solution) = puzzle.solve(2, &Stop::new())?;
    if let Some(solution) = &solution {
        let is_right = solution.solves(&puzzle);
        tallyboard_search::Error::ensure_right(is_right, || solution.to_string())?;
    }
    if flags.pictures.wanted() {
        pictures::save(&draw::sudoku(&puzzle, solution.as_ref()), &flags.pictures)?;
    } else {
        print_line(text(&puzzle, solution.as_ref()).trim_end())?;
    }
    Ok(report_solutions(count, args))
}

/// Says if a drawn puzzle has no solution, or more than one: `count` is their number, up to 2. Returns how the command
/// ends.
pub fn report_solutions(count: u64, args: &Args) -> ExitStatus {
    if count == 0 {
        eprint_line("no solution: the puzzle is shown as it is");
        return ExitStatus::Failed;
    }
    if count > 1 {
        info(args, "more than one solution: the first is shown");
    }
    ExitStatus::Done
}

/// Draws the search tree: into the pictures asked for, or else as text.
pub fn run_tree(flags: &TreeArgs, args: &Args) -> Result<ExitStatus> {
    io::ensure_apart([Path::new(&flags.puzzle)], flags.pictures.paths())?;
    let puzzle = read_nine(&flags.puzzle)?;
    ensure!(puzzle.clues() < 81, "the puzzle has no empty cell, so there is no tree");
    let cell_count = usize::from(flags.cells);
    let root = Node::tree(&Blanks::new(&puzzle), cell_count, MAX_NODES).with_context(|| {
        format!(
            "the tree over {cell_count} cells has more than {MAX_NODES} nodes; try --cells {}",
            cell_count - 1
        )
    })?;
    if flags.pictures.wanted() {
        pictures::save(&draw::sudoku_tree(&root), &flags.pictures)?;
    } else {
        print_guesses(&root)?;
        if !args.quiet {
            print_line("r1c3 is the cell in row 1, column 3; * solved, x dead end")?;
        }
    }
    Ok(report_unsolvable(&puzzle))
}

/// Says if a puzzle whose search was shown has no solution. Returns how the command ends.
pub fn report_unsolvable(puzzle: &Grid) -> ExitStatus {
    if solve_up_to(puzzle, 1).count > 0 {
        return ExitStatus::Done;
    }
    eprint_line("no solution: every path ends");
    ExitStatus::Failed
}

/// Reads a 9 × 9 puzzle; `text` is the puzzle or the name of its file.
pub fn read_nine(text: &str) -> Result<Grid> {
    let expected = "one 9 × 9 puzzle";
    match read(text, expected)? {
        Puzzle::Nine(puzzle) => Ok(puzzle),
        Puzzle::Sized(_) => bail!("{text}: found another size, expected {expected}"),
    }
}

/// Reads a puzzle; `text` is the puzzle or the name of its file. Errors say what was `expected`.
pub fn read(text: &str, expected: &str) -> Result<Puzzle> {
    let error = match text.parse::<Grid>() {
        Ok(puzzle) => return Ok(Puzzle::Nine(puzzle)),
        Err(error) => error,
    };
    let sized = Size::ALL.iter().find_map(|size| size.parse(text.as_bytes(), None).ok());
    if let Some(grid) = sized.filter(|grid| grid.size() != Size::Nine) {
        return Ok(Puzzle::Sized(grid));
    }
    let path = Path::new(text);
    if path != Path::new("-") && !path.exists() {
        let found = format!("found neither a puzzle ({error}) nor a file in '{text}'");
        bail!(UsageError(found));
    }
    let mut bytes = Vec::new();
    io::open(path)?.read_to_end(&mut bytes)?;
    let form = Form::find(&bytes, &FormOptions::default())?;
    match OnePuzzle::find(&form, &bytes) {
        Some(single) => Ok(single.puzzle().clone()),
        None => Err(not_one_puzzle(&form, &bytes, &io::name(path), expected)),
    }
}

/// The error if `text`, read from the input `name`, is not the single puzzle that was `expected`.
fn not_one_puzzle(form: &Form, text: &[u8], name: &str, expected: &str) -> Error {
    match OnePuzzle::first_bad(form, text) {
        Some(bad) => anyhow!("{name}:{}: {}", bad.line, bad.error),
        None => anyhow!(
            "{name}: found no puzzle or several, or another size, expected {expected}; of several, write one to a \
             separate file"
        ),
    }
}

/// Prints the entries below `node`, a line each: those for the next cell, and below each those for the cells after it.
fn print_guesses(node: &Node<Entry>) -> Result<()> {
    let level = node.made.len();
    for child in &node.children {
        let mark = match child.fate {
            Fate::Solution => " *",
            Fate::DeadEnd => " x",
            Fate::Open => "",
        };
        let Entry { cell, digit } = child.made[level];
        print_line(format_args!("{}{cell} = {digit}{mark}", "  ".repeat(level)))?;
        print_guesses(child)?;
    }
    Ok(())
}

/// The puzzle as text. If it has blanks and a solution, the solution follows to the right or below, with the values of the
/// puzzle in bold. Blanks and empty lines separate boxes.
pub fn text(puzzle: &SizedGrid, solution: Option<&SizedGrid>) -> String {
    let solution = solution.filter(|_| puzzle.cells().contains(&0));
    let Some(solution) = solution else {
        return lines(puzzle, puzzle, value_width(puzzle), Style::new().bold()).join("\n");
    };
    let value_width = value_width(solution);
    let left = lines(puzzle, puzzle, value_width, Style::new());
    let right = lines(puzzle, solution, value_width, Style::new().bold());
    // A blank follows each cell but the last, and a second one each box but the last.
    let side = puzzle.size().side();
    let width = side * (value_width + 1) + side.isqrt() - 2;
    if 2 * width + GAP.len() > SCREEN_WIDTH {
        return format!("{}\n\n{}", left.join("\n"), right.join("\n"));
    }
    let side_by_side = |(left, right): (&String, &String)| match left.as_str() {
        "" => String::new(),
        _ => format!("{left}{GAP}{right}"),
    };
    left.iter().zip(&right).map(side_by_side).collect::<Vec<_>>().join("\n")
}

/// The space between two grids.
const GAP: &str = "      ";
/// The characters in a line of a usual terminal.
const SCREEN_WIDTH: usize = 80;

/// The number of characters of the longest value.
fn value_width(grid: &SizedGrid) -> usize {
    (0..grid.cells().len()).map(|cell| grid.text(cell).len()).max().unwrap_or(1)
}

/// The lines of `shown`, with an empty line between boxes. Each value takes `width` characters. Blanks are
/// dots. Values of cells that are filled in `puzzle` have the style `given_style`.
pub fn lines(
    puzzle: &SizedGrid,
    shown: &SizedGrid,
    width: usize,
    given_style: Style,
) -> Vec<String> {
    let side = shown.size().side();
    let box_side = side.isqrt();
    let cell_text = |cell: usize| {
        let text = match shown.cells()[cell] {
            0 => ".".to_owned(),
            _ => shown.text(cell),
        };
        let text = format!("{text:>width$}");
        if puzzle.cells()[cell] == 0 { text } else { format!("{given_style}{text}{given_style:#}") }
    };
    let mut lines = Vec::new();
    for row in 0..side {
        if row > 0 && row.is_multiple_of(box_side) {
            lines.push(String::new());
        }
        let cells: Vec<String> = (row * side..(row + 1) * side).map(cell_text).collect();
        let boxes: Vec<String> = cells.chunks(box_side).map(|cells| cells.join(" ")).collect();
        lines.push(boxes.join("  "));
    }
    lines
}
