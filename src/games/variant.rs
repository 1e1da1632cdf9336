//! Sudokus by rules from a file: puzzles, their counts, and what is said and drawn of them.

use std::collections::HashSet;
use std::io::{BufReader, Read};
use std::path::PathBuf;

use anstyle::Style;
use anyhow::{Result, bail, ensure};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tallyboard_base::figures::counted;
use tallyboard_classroom::draw;
use tallyboard_picture::Picture;
use tallyboard_search::Stop;
use tallyboard_search::records::{BadRecord, Record, RecordsError, Summary};
use tallyboard_variants::{Cell, Count, End, Located, Records, Rule, Solver, line, write_rule};

use super::{
    Explanation, FileArgs, Found, Game, Method, Puzzle, Solution, TakeRecords, Tallying, Written,
};
use crate::counting::{Counting, Error, Resources, Run};
use crate::terminal::{Args, UsageError, eprint_line, io};

/// Sudokus by any rules.
pub struct Variant;

impl Game for Variant {
    fn name(&self) -> &'static str {
        "variant"
    }

    fn file_options(&self) -> &'static [&'static str] {
        &["number", "ignore-drawings"]
    }

    fn file_help(&self) -> &'static str {
        "Rules, givens and candidates, as docs/variants.md shows them, or a puzzle of f-puzzles or SudokuPad (JSON or a link), a link \
         of Penpa, or a game id of Solo; `-` is standard input"
    }

    // The variants have one engine and no kernels, whose counts `verify` could compare.
    fn formats(&self) -> Vec<&'static str> {
        vec!["text"]
    }

    fn lacks(&self) -> &'static [&'static str] {
        &["verify", "describe"]
    }

    fn useless_options(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("count", "fundamental"),
            ("count", "by_values"),
            ("count", "modulo"),
            ("tally", "uncovered"),
            ("list", "svg"),
            ("list", "png"),
            ("explain", "html"),
        ]
    }

    fn read(&self, file: &FileArgs, _: &Args) -> Result<Box<dyn Puzzle>> {
        Ok(Box::new(VariantPuzzle::new(file, None, read_one(file)?)))
    }

    fn read_all(&self, file: &FileArgs, _: &Args) -> Result<Vec<Box<dyn Puzzle>>> {
        let found = read_all(file)?;
        let is_one = found.len() == 1;
        let puzzle = |Located { line, puzzle, .. }| -> Box<dyn Puzzle> {
            Box::new(VariantPuzzle::new(file, (!is_one).then_some(line), puzzle))
        };
        Ok(found.into_iter().map(puzzle).collect())
    }

    fn with_records(
        &self,
        input: Box<dyn Read + Send>,
        file: &FileArgs,
        take: &mut TakeRecords,
    ) -> Result<Summary, RecordsError> {
        let name = io::name(&file.file);
        let records = Records::new(BufReader::new(input));
        take(Box::new(records.map(|record| {
            let (line, found) = match record? {
                Record::Puzzle(line, found) => (line, found),
                Record::Kept(text) => return Ok(Record::Kept(text)),
                Record::Bad(bad) => return Ok(Record::Bad(bad)),
            };
            Ok(match tell_left_out(&found, &name, file.ignore_drawings) {
                Ok(()) => {
                    let place = Some(found.line);
                    let puzzle = VariantPuzzle::new(file, place, found.puzzle);
                    Record::Puzzle(line, Box::new(puzzle) as Box<dyn Puzzle>)
                }
                Err(error) => {
                    let text = tallyboard_variants::write(&found.puzzle).into_bytes();
                    Record::Bad(BadRecord { line, mistake: error.to_string(), text })
                }
            })
        })))
    }
}

/// Reads one puzzle of the file.
pub fn read_one(file: &FileArgs) -> Result<tallyboard_variants::Puzzle> {
    let mut found = read_all(file)?;
    if found.len() > 1 {
        bail!(several(file, &found));
    }
    Ok(found.remove(0).puzzle)
}

/// The error of these puzzles where one is wanted.
fn several(file: &FileArgs, found: &[Located]) -> UsageError {
    UsageError(format!(
        "{}: line {}: found a second puzzle, of {}, expected one: --number takes one of them; `variant solve` and `variant count` \
         take all",
        io::name(&file.file),
        found[1].line,
        found.len()
    ))
}

/// Reads the puzzles of the file, or the one that was asked for. The error of a mistake in the file names its line.
pub fn read_all(file: &FileArgs) -> Result<Vec<Located>> {
    let bytes = io::read_puzzle(&file.file)?;
    let name = io::name(&file.file);
    let mut found = tallyboard_variants::read_all(&bytes, &name).map_err(UsageError::of)?;
    if let Some(number) = file.number {
        let count = found.len();
        if number > count {
            bail!(UsageError(format!("{name}: found puzzle {number}, expected 1 to {count}")));
        }
        found = vec![found.swap_remove(number - 1)];
    }
    for puzzle in &found {
        tell_left_out(puzzle, &name, file.ignore_drawings).map_err(|error| {
            let line = puzzle.line;
            let place = if line == 1 { String::new() } else { format!("line {line}: ") };
            UsageError(format!("{name}: {place}{error}"))
        })?;
    }
    Ok(found)
}

/// Tells what was left out of a puzzle of the file `name`. Fails if that are drawings, unless they are to be ignored.
fn tell_left_out(
    Located { line, drawings, is_in_text, .. }: &Located,
    name: &str,
    ignore_drawings: bool,
) -> Result<(), tallyboard_variants::Error> {
    if *is_in_text {
        eprint_line(format_args!(
            "{name}: line {line}: the puzzle is this link; other words are left out"
        ));
    }
    if drawings.is_empty() {
        return Ok(());
    }
    if !ignore_drawings {
        return Err(tallyboard_variants::Error::Drawings(drawings.clone()));
    }
    eprint_line(format_args!("{name}: left out: {}", drawings.join(", ")));
    Ok(())
}

/// A puzzle, and where it was read.
struct VariantPuzzle {
    file: PathBuf,
    /// The line where it begins, if there are others in the file.
    line: Option<usize>,
    puzzle: tallyboard_variants::Puzzle,
}

impl VariantPuzzle {
    /// The puzzle that was read from `file`, which begins in this line if there are others in it.
    fn new(file: &FileArgs, line: Option<usize>, puzzle: tallyboard_variants::Puzzle) -> Self {
        Self { file: file.file.clone(), line, puzzle }
    }

    /// All its solutions.
    fn job(&self) -> VariantFile {
        VariantFile {
            file: self.file.clone(),
            line: self.line,
            text: tallyboard_variants::write(&self.puzzle),
        }
    }
}

/// The values of a solution as the engine has them: each fits, since no grid has more than 16 values.
fn values(solution: &[u32]) -> Vec<u8> {
    solution.iter().map(|&value| value as u8).collect()
}

fn solution(values: Vec<u8>) -> Solution {
    values.into_iter().map(u32::from).collect()
}

impl Puzzle for VariantPuzzle {
    fn game(&self) -> &'static dyn Game {
        &Variant
    }

    fn title(&self) -> String {
        self.job().title()
    }

    fn line(&self) -> Option<usize> {
        self.line
    }

    fn counting(&self, _: &Method) -> Result<Box<dyn Counting>> {
        Ok(Box::new(self.job()))
    }

    fn solutions(&self) -> Result<Box<dyn Iterator<Item = Solution> + '_>> {
        Ok(Box::new(self.puzzle.solutions().map(solution)))
    }

    fn is_solved_by(&self, solution: &[u32]) -> bool {
        self.puzzle.is_solved_by(&values(solution))
    }

    fn solve(&self, limit: u64, stop: &Stop) -> Result<Found> {
        let answer = Solver::new(self.puzzle.rules()).solve_or_stop(&self.puzzle, limit, stop)?;
        Ok(Found { count: answer.count, first: answer.first.map(solution) })
    }

    fn row(&self, solution: &[u32]) -> String {
        line(self.puzzle.size(), &values(solution))
    }

    fn json(&self, solution: &[u32]) -> String {
        let rows: Vec<&[u32]> = solution.chunks(self.puzzle.size().side()).collect();
        json!(rows).to_string()
    }

    fn text(&self, solution: Option<&[u32]>) -> String {
        match solution {
            None => drawing(&self.puzzle, self.puzzle.givens()),
            Some(solution) => drawing(&self.puzzle, &values(solution)),
        }
    }

    fn picture(&self, solution: Option<&[u32]>) -> Result<Picture> {
        Ok(draw::variant(&self.puzzle, solution.map(values).as_deref()))
    }

    fn explain(&self, cell: Option<&str>) -> Result<Explanation> {
        let explanation = match cell {
            None => self.puzzle.explain(),
            Some(cell) => self.explain_cell(cell)?,
        };
        let step = |(index, step): (usize, &tallyboard_variants::Step)| {
            // What is filled under a supposition is taken back with it.
            let filled = step.filled.filter(|_| step.depth == 0);
            let (cell, value) = filled.map(|(cell, value)| (cell.to_string(), value)).unzip();
            json!({
                "step": index + 1, "depth": step.depth, "rule": step.rule, "text": step.text,
                "cell": cell, "value": value,
            })
        };
        let mut json: Vec<Value> = explanation.steps.iter().enumerate().map(step).collect();
        json.push(json!({ "end": match explanation.end {
            End::Contradiction => "contradiction",
            End::Solved => "solved",
            End::Stuck => "stuck",
        } }));
        let end = if cell.is_none() { self.end(&explanation)? } else { Vec::new() };
        let first = explanation.steps.first().map(|step| step.text.clone());
        Ok(Explanation {
            hint: first.unwrap_or_else(|| end.join("\n")),
            steps: explanation.steps.iter().map(|step| (step.depth, step.text.clone())).collect(),
            end,
            summary: None,
            json,
            failure: None,
        })
    }

    fn tally(&self) -> Result<Tallying> {
        let size = self.puzzle.size();
        let run = self.puzzle.tally();
        let count = run.problem().cells() / size.cells();
        let values: Vec<String> = (1..=count).map(|value| line(size, &[value as u8])).collect();
        let name = move |cell: usize| size.cell(cell).to_string();
        let table = Tallying::of_values(run, size.side(), values, name);
        let regions = self.puzzle.rules().regions();
        Ok(table.with_regions(regions.iter().flatten().copied()))
    }

    fn write(&self, to: Option<&str>) -> Result<Written> {
        if let Some(to) = to.filter(|to| *to != "text") {
            bail!(UsageError(format!("found the format {to}, expected text")));
        }
        Ok(Written { text: tallyboard_variants::write(&self.puzzle), lost: Vec::new() })
    }
}

impl VariantPuzzle {
    /// The steps that the value of one cell follows from.
    fn explain_cell(&self, name: &str) -> Result<tallyboard_variants::Explanation> {
        let puzzle = &self.puzzle;
        let side = puzzle.size().side();
        let cell = Cell::parse(name).and_then(|cell| Some((cell, puzzle.size().index(cell)?)));
        let expected =
            || format!("found '{name}', expected a cell such as r3c5, up to r{side}c{side}");
        let (cell, index) = cell.ok_or_else(|| UsageError(expected()))?;
        let given = puzzle.givens()[index];
        if given > 0 {
            let value = line(puzzle.size(), &[given]);
            bail!(UsageError(format!("{cell} is given, it is {value}: expected an empty cell")));
        }
        ensure!(
            Solver::new(puzzle.rules()).solve(puzzle, 1).count > 0,
            "the puzzle has no solution, so no value follows from it"
        );
        let explanation = puzzle.explain_cell(cell);
        let is_filled = |step: &tallyboard_variants::Step| {
            step.depth == 0 && step.filled.is_some_and(|(filled, _)| filled == cell)
        };
        ensure!(
            explanation.steps.last().is_some_and(is_filled),
            "the value of {cell} does not follow by steps: the puzzle has several solutions, or needs longer trials"
        );
        Ok(explanation)
    }

    /// The solution behind the steps, or what is left to search.
    fn end(&self, explanation: &tallyboard_variants::Explanation) -> Result<Vec<String>> {
        let puzzle = &self.puzzle;
        let checked = |values: Vec<u8>| -> Result<String> {
            ensure_solved(puzzle, &values)?;
            Ok(rows(puzzle, &values))
        };
        Ok(match explanation.end {
            End::Contradiction => vec!["there is no solution".to_owned()],
            End::Solved => {
                // One candidate is left in each cell: a bit, of which number 0 stands for the value 1.
                let sets = explanation.candidates.sets();
                vec![checked(sets.iter().map(|set| set.trailing_zeros() as u8 + 1).collect())?]
            }
            End::Stuck => {
                let excess = explanation.candidates.total() as usize - puzzle.size().cells();
                let excess = counted(excess, "candidate");
                let answer = Solver::new(puzzle.rules()).solve(puzzle, 2);
                let verdict = match answer.count {
                    0 => "by search there is no solution",
                    1 => "by search there is one solution",
                    _ => "by search there is more than one solution; the first:",
                };
                let mut lines = vec![
                    format!("no step is left; {excess} too many:"),
                    explanation.candidates.to_string().trim_end().to_owned(),
                    verdict.to_owned(),
                ];
                lines.extend(answer.first.map(checked).transpose()?);
                lines
            }
        })
    }
}

/// Fails if values that the engine found are no solution by the definitions of the rules.
pub fn ensure_solved(
    puzzle: &tallyboard_variants::Puzzle,
    values: &[u8],
) -> Result<(), tallyboard_search::Error> {
    let is_right = puzzle.is_solved_by(values);
    tallyboard_search::Error::ensure_right(is_right, || line(puzzle.size(), values))
}

/// The grid for a terminal, with lines around its regions and the givens in bold, and its rules below.
fn drawing(puzzle: &tallyboard_variants::Puzzle, shown: &[u8]) -> String {
    let size = puzzle.size();
    let side = size.side();
    let regions = puzzle.rules().regions();
    // The region of a row and a column that are counted from 1; outside of the grid there is none.
    let region = |row: usize, column: usize| {
        let cell = size.index(Cell::new(row, column))?;
        Some(regions.as_ref().map_or(0, |regions| regions[cell]))
    };
    let mut lines = Vec::new();
    for row in 0..=side {
        // A border runs below this row, and one behind this column.
        let below = |column: usize| region(row, column) != region(row + 1, column);
        let behind = |row: usize, column: usize| region(row, column) != region(row, column + 1);
        if (1..=side).any(below) {
            let corner = |column: usize| {
                let ends = [
                    behind(row, column),
                    behind(row + 1, column),
                    below(column),
                    below(column + 1),
                ];
                CORNERS[ends.iter().rev().fold(0, |number, &end| 2 * number + usize::from(end))]
            };
            let border = |column: usize| if below(column) { "───" } else { "   " };
            let parts = (1..=side).map(|column| format!("{}{}", border(column), corner(column)));
            lines.push(format!("{}{}", corner(0), parts.collect::<String>()));
        }
        if row == side {
            break;
        }
        let mut line = "│".to_owned();
        for column in 1..=side {
            let cell = row * side + column - 1;
            let text = tallyboard_variants::line(size, &shown[cell..=cell]);
            let is_given = puzzle.givens()[cell] > 0;
            let style = if is_given { Style::new().bold() } else { Style::new() };
            let border = if behind(row + 1, column) { '│' } else { ' ' };
            line += &format!(" {style}{text}{style:#} {border}");
        }
        lines.push(line);
    }
    if size.first_value() != 1 {
        lines.push(format!("values {}-{}", size.first_value(), size.last_value()));
    }
    let is_drawn = regions.is_none_or(|regions| is_told_by_lines(&regions, side));
    let is_told = |rule: &&Rule| !is_drawn || !matches!(rule, Rule::Regions(_));
    lines.extend(puzzle.rules().rules().iter().filter(is_told).map(write_rule));
    if puzzle.has_pencil_marks() {
        lines.push(format!("candidates\n{}", puzzle.candidates()).trim_end().to_owned());
    }
    lines.join("\n")
}

/// Whether lines around the regions of a grid tell them, since the cells of each touch one another.
fn is_told_by_lines(regions: &[usize], side: usize) -> bool {
    // Each cell takes over the least cell of its part that a neighbour knows.
    let mut least: Vec<usize> = (0..regions.len()).collect();
    let joins = |cell: usize| {
        let right =
            (cell + 1 < regions.len() && !(cell + 1).is_multiple_of(side)).then_some(cell + 1);
        let below = (cell + side < regions.len()).then_some(cell + side);
        [right, below].into_iter().flatten().filter(move |&next| regions[next] == regions[cell])
    };
    let mut has_changed = true;
    while has_changed {
        has_changed = false;
        for cell in 0..regions.len() {
            for next in joins(cell) {
                let lesser = least[cell].min(least[next]);
                has_changed |= least[cell] != least[next];
                (least[cell], least[next]) = (lesser, lesser);
            }
        }
    }
    let parts = least.iter().zip(0..).filter(|&(&least, cell)| least == cell).count();
    parts == regions.iter().collect::<HashSet<_>>().len()
}

/// What stands where lines meet, by the numbers of those that do: 1 above, 2 below, 4 to the left and 8 to the right.
const CORNERS: [char; 16] =
    [' ', '╵', '╷', '│', '╴', '┘', '┐', '┤', '╶', '└', '┌', '├', '─', '┴', '┬', '┼'];

/// The values of a grid, a line a row.
pub fn rows(puzzle: &tallyboard_variants::Puzzle, values: &[u8]) -> String {
    let size = puzzle.size();
    let rows: Vec<String> = values.chunks(size.side()).map(|row| line(size, row)).collect();
    rows.join("\n")
}

/// All solutions of the puzzle in a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VariantFile {
    file: PathBuf,
    /// The line in which the puzzle begins, if there are others in the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    /// The puzzle when the file was read, in the text form.
    text: String,
}

impl VariantFile {
    /// What is counted.
    fn title(&self) -> String {
        let place = self.line.map_or(String::new(), |line| format!(", line {line}"));
        format!("solutions of {}{place}", io::name(&self.file))
    }
}

impl Counting for VariantFile {
    fn run(&self, _: &Resources) -> Result<Run, Error> {
        let puzzle = tallyboard_variants::read(self.text.as_bytes(), &io::name(&self.file))?;
        Ok(Run::new(Count::new(&puzzle)).title(self.title()))
    }

    fn name(&self) -> &'static str {
        Variant.name()
    }
}
