//! Sudokus: one puzzle from a file or from its text, its count, and what is said and drawn of it.

use std::io::{self, Read};
use std::path::Path;

use anstyle::Style;
use anyhow::{Context, Error, Result, anyhow, bail, ensure};
use clap::builder::{PossibleValue, TypedValueParser};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tallyboard_base::figures::counted;
use tallyboard_classroom::draw;
use tallyboard_classroom::explain::{
    Conclusion, Deduction, Explanation as Reasons, Step, sentence,
};
use tallyboard_classroom::play::{self, Page};
use tallyboard_classroom::trace::sudoku::Entry;
use tallyboard_picture::Picture;
use tallyboard_search::records::{Record, RecordsError, Summary};
use tallyboard_search::{Error as SearchError, Stop, value};
use tallyboard_sudoku::format::{Form, FormOptions, OnePuzzle, sniff};
use tallyboard_sudoku::sized::{CountSized, Puzzle, Size, SizedGrid};
use tallyboard_sudoku::stream::with_records;
use tallyboard_sudoku::{Cell, CountOne, Engine, Grid, Solver};

use super::{Explanation, FileArgs, Found, Game, Method, Solution, TakeRecords, Tallying, Written};
use crate::counting::{self, Counting, Resources, Run, Told};
use crate::terminal::{self, Args, OrAuto, UsageError, choices};

/// Sudokus without other rules.
pub struct Sudokus;

impl Game for Sudokus {
    fn name(&self) -> &'static str {
        "sudoku"
    }

    fn file_options(&self) -> &'static [&'static str] {
        &["number"]
    }

    fn file_help(&self) -> &'static str {
        "The puzzle: 81 characters, or a file that holds it in any format; `-` is standard input"
    }

    fn formats(&self) -> Vec<&'static str> {
        Vec::new()
    }

    fn lacks(&self) -> &'static [&'static str] {
        &["convert", "describe"]
    }

    fn useless_options(&self) -> &'static [(&'static str, &'static str)] {
        &[("tally", "uncovered"), ("draw", "solution"), ("list", "svg"), ("list", "png")]
    }

    fn read(&self, file: &FileArgs, _: &Args) -> Result<Box<dyn super::Puzzle>> {
        // Text that is no UTF-8 is no puzzle, so it names a file.
        let puzzle = match (file.number, file.file.to_str()) {
            (Some(number), _) => nth(&file.file, number)?,
            (None, Some(text)) => read(text, ONE)?,
            (None, None) => read_file(&file.file, ONE)?,
        };
        Ok(Box::new(OneSudoku(puzzle)))
    }

    fn with_records(
        &self,
        input: Box<dyn Read + Send>,
        _: &FileArgs,
        take: &mut TakeRecords,
    ) -> Result<Summary, RecordsError> {
        let (head, mut input) = sniff(input).map_err(RecordsError::Read)?;
        let form = Form::find(&head, &FormOptions::default()).map_err(io::Error::other);
        let form = form.map_err(RecordsError::Read)?;
        with_records(&form, &mut input, |taken| {
            let puzzle = |puzzle| -> Box<dyn super::Puzzle> { Box::new(OneSudoku(puzzle)) };
            take(Box::new(taken.map(|record| Ok(record?.map(puzzle)))))
        })
    }

    fn tell(&self, identity: &str) -> Option<Told> {
        tell(identity)
    }
}

/// What a file is expected to hold, where an option chooses a puzzle.
const ONE: &str = "one puzzle, or --number with that of one of them";

/// One puzzle.
struct OneSudoku(Puzzle);

impl OneSudoku {
    /// The puzzle as one of any size.
    fn sized(&self) -> SizedGrid {
        match &self.0 {
            Puzzle::Nine(grid) => SizedGrid::from(grid),
            Puzzle::Sized(grid) => grid.clone(),
        }
    }

    /// The puzzle if it is 9 × 9.
    fn nine(&self) -> Result<&Grid> {
        match &self.0 {
            Puzzle::Nine(grid) => Ok(grid),
            Puzzle::Sized(grid) => {
                bail!("found another size, {}, expected one 9 × 9 puzzle", grid.size())
            }
        }
    }

    /// A solution as a grid that is written as the puzzle is. Each value fits: no grid has more than 25.
    fn solved(&self, solution: &[u32]) -> SizedGrid {
        self.sized().with_cells(solution.iter().map(|&value| value as u8).collect())
    }
}

/// Cells as numbers.
fn solution(cells: &[u8]) -> Solution {
    cells.iter().copied().map(u32::from).collect()
}

impl super::Puzzle for OneSudoku {
    fn game(&self) -> &'static dyn Game {
        &Sudokus
    }

    fn title(&self) -> String {
        title(&self.sized().to_string())
    }

    fn counting(&self, method: &Method) -> Result<Box<dyn Counting>> {
        let engine = method.engine.as_deref().map(str::parse).transpose()?;
        let solver = method.kernel.map_or(Ok(Solver::default()), Solver::batch);
        Ok(Box::new(Sudoku::new(self.0.clone(), engine, solver.map_err(UsageError::of)?)))
    }

    fn solutions(&self) -> Result<Box<dyn Iterator<Item = Solution> + '_>> {
        Ok(Box::new(self.nine()?.solutions().map(|grid| solution(grid.cells()))))
    }

    fn is_solved_by(&self, solution: &[u32]) -> bool {
        self.solved(solution).solves(&self.sized())
    }

    fn solve(&self, limit: u64, stop: &Stop) -> Result<Found> {
        let (count, first) = self.sized().solve(limit, stop)?;
        Ok(Found { count, first: first.map(|grid| solution(grid.cells())) })
    }

    fn row(&self, solution: &[u32]) -> String {
        self.solved(solution).to_string()
    }

    fn json(&self, solution: &[u32]) -> String {
        let rows: Vec<&[u32]> = solution.chunks(self.sized().size().side()).collect();
        json!(rows).to_string()
    }

    fn cells(&self) -> Option<(&'static str, String)> {
        Some(("puzzle", self.sized().to_string()))
    }

    fn text(&self, solution: Option<&[u32]>) -> String {
        let solved = solution.map(|it| self.solved(it));
        text(&self.sized(), solved.as_ref()).trim_end().to_owned()
    }

    fn picture(&self, solution: Option<&[u32]>) -> Result<Picture> {
        let solved = solution.map(|it| self.solved(it));
        Ok(draw::sudoku(&self.sized(), solved.as_ref()))
    }

    fn is_drawn_solved(&self) -> bool {
        true
    }

    fn explain(&self, cell: Option<&str>) -> Result<Explanation> {
        let cell: Option<Cell> = cell.map(str::parse).transpose().map_err(UsageError::of)?;
        let explanation = explanation(self.nine()?, cell)?;
        let has_solution = explanation.counts().solutions > 0;
        let steps: Vec<(usize, String)> = explanation
            .depths()
            .into_iter()
            .zip(explanation.steps().iter().map(sentence))
            .collect();
        let mut end = Vec::new();
        if has_solution {
            let puzzle = SizedGrid::from(explanation.puzzle());
            let (_, solution) = puzzle.solve(1, &Stop::new())?;
            end.push(format!("\n{}\n", text(&puzzle, solution.as_ref())));
        }
        let json = steps
            .iter()
            .zip(1..)
            .map(|((depth, text), step)| json!({ "step": step, "depth": depth, "text": text }));
        let ending = if has_solution { "solved" } else { "contradiction" };
        let json: Vec<Value> = json.chain([json!({ "end": ending })]).collect();
        Ok(Explanation {
            hint: hint(&explanation),
            end,
            summary: cell.is_none().then(|| summary(&explanation)),
            json,
            steps,
            failure: (!has_solution && cell.is_none())
                .then_some("no solution: the deductions end in a contradiction"),
        })
    }

    fn lesson(&self, cell: Option<&str>) -> Result<Page> {
        let cell: Option<Cell> = cell.map(str::parse).transpose().map_err(UsageError::of)?;
        let puzzle = self.nine()?;
        let explanation = explanation(puzzle, cell)?;
        let title = match cell {
            Some(cell) => format!("Why {cell} is {}", last_digit(&explanation)),
            None => "A sudoku, reason by reason".to_owned(),
        };
        let plays =
            vec![play::reasons(&explanation), play::sudoku(puzzle, super::DEFAULT_PAGE_STEPS)];
        Ok(Page::new(title, plays))
    }

    fn tally(&self) -> Result<Tallying> {
        let run = tallyboard_sudoku::tally(self.nine()?);
        let values: Vec<String> = (1..=9).map(|value| value.to_string()).collect();
        let table = Tallying::of_values(run, 9, values, |cell| Cell::new(cell).to_string());
        Ok(table.with_regions((0..81).map(|cell| cell / 27 * 3 + cell % 9 / 3)))
    }

    fn write(&self, _: Option<&str>) -> Result<Written> {
        bail!(UsageError::of("convert: `sudoku solve --to FORMAT` writes sudokus in other formats"))
    }
}

/// The explanation of a puzzle, or of one of its cells.
fn explanation(puzzle: &Grid, cell: Option<Cell>) -> Result<Reasons> {
    let explanation = Reasons::of(puzzle)?;
    if explanation.counts().solutions > 0 {
        let filled = explanation.filled();
        SearchError::ensure_right(puzzle.is_solved_by(&filled), || filled.to_string())?;
    }
    let Some(cell) = cell else { return Ok(explanation) };
    let given = puzzle.cells()[cell.index()];
    if given != 0 {
        bail!(UsageError(format!("{cell} is given, it is {given}: expected an empty cell")));
    }
    let no_solution = "the puzzle has no solution, so no digit follows from it";
    ensure!(explanation.counts().solutions > 0, no_solution);
    explanation.why(cell).context(no_solution)
}

/// The digit of the cell that the explanation fills last.
fn last_digit(explanation: &Reasons) -> u8 {
    let last = explanation.steps().iter().rev().find_map(|step| match step {
        Step::Made(deduction) => deduction.conclusion.filled(),
        _ => None,
    });
    last.map_or(0, |entry| entry.digit)
}

/// The next deduction, as text.
fn hint(explanation: &Reasons) -> String {
    let steps = explanation.steps();
    match explanation.hint() {
        Some(Step::Made(Deduction {
            conclusion: Conclusion::Refutation(Entry { cell, digit }),
            because,
        })) => {
            // The last reason is the step that takes the supposition back. No deduction comes before the supposition, so all
            // steps before that one lead to the contradiction.
            let step_back = because.last().and_then(|fact| fact.step).unwrap_or(1);
            let length = counted(step_back as u64 - 1, "step");
            format!(
                "{cell} cannot be {digit}: supposing it leads to a contradiction in {length}, which \
                 are told without --hint"
            )
        }
        Some(step) => sentence(step),
        // Without a deduction, the first step says how the puzzle ends.
        None => sentence(&steps[0]),
    }
}

/// The number of steps of each kind, as text. A refutation belongs to its supposition.
fn summary(explanation: &Reasons) -> String {
    let [mut naked, mut hidden, mut locked, mut supposed] = [0_u64; 4];
    for step in explanation.steps() {
        let Step::Made(deduction) = step else { continue };
        match deduction.conclusion {
            Conclusion::NakedSingle(_) => naked += 1,
            Conclusion::HiddenSingle(..) => hidden += 1,
            Conclusion::LockedCandidates { .. } => locked += 1,
            Conclusion::Supposition(_) => supposed += 1,
            Conclusion::Refutation(_) => {}
        }
    }
    let kinds = [
        (naked, "naked single"),
        (hidden, "hidden single"),
        (locked, "locked candidate"),
        (supposed, "failed supposition"),
    ];
    let found = kinds.into_iter().filter(|(count, _)| *count > 0);
    let found: Vec<String> = found.map(|(count, name)| counted(count, name)).collect();
    let steps = counted(explanation.steps().len() as u64, "step");
    if found.is_empty() { steps } else { format!("{steps}: {}", found.join(", ")) }
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
    if path != Path::new("-") && !path.exists() && terminal::io::typed(path).is_none() {
        let found = format!("found neither a puzzle ({error}) nor a file in '{text}'");
        bail!(UsageError(found));
    }
    read_file(path, expected)
}

/// Fails if an input is nothing but a link or a game id of another program, whose signs are no cells.
pub fn ensure_no_link(head: &[u8], path: &Path) -> Result<()> {
    let text = head.trim_ascii();
    let is_word = !text.iter().any(u8::is_ascii_whitespace) && !text.starts_with(b"{");
    if !is_word || !text.contains(&b':') || !tallyboard_variants::is_of_another_program(text) {
        return Ok(());
    }
    let (name, typed) = (terminal::io::name(path), terminal::shell(path));
    bail!(UsageError(format!(
        "{name}: found a link or a game id of another program, expected sudokus: `tallyboard solve {typed}` reads what it holds"
    )))
}

/// Reads the puzzle with this number, from 1, of a file that may have several.
fn nth(path: &Path, number: usize) -> Result<Puzzle> {
    let cannot_read = || terminal::io::cannot_read(path);
    let (head, mut input) = sniff(terminal::io::open(path)?).with_context(cannot_read)?;
    ensure_no_link(&head, path)?;
    let form = Form::find(&head, &FormOptions::default()).with_context(cannot_read)?;
    let name = terminal::io::name(path);
    with_records(&form, &mut input, |taken| {
        let mut found = 0;
        for record in taken {
            match record.with_context(cannot_read)? {
                Record::Kept(_) => {}
                Record::Bad(bad) => bail!("{name}:{}: {}", bad.line, bad.mistake),
                Record::Puzzle(_, puzzle) => {
                    found += 1;
                    if found == number {
                        return Ok(puzzle);
                    }
                }
            }
        }
        let found = counted(found, "puzzle");
        bail!(UsageError(format!("{name}: found {found}, expected at least {number}")))
    })
}

/// Reads the puzzle of a file. Errors say what was `expected`.
fn read_file(path: &Path, expected: &str) -> Result<Puzzle> {
    let bytes = terminal::io::read_puzzle(path)?;
    ensure_no_link(&bytes, path)?;
    let form = Form::find(&bytes, &FormOptions::default())?;
    match OnePuzzle::find(&form, &bytes) {
        Some(single) => Ok(single.puzzle().clone()),
        None => Err(not_one_puzzle(&form, &bytes, &terminal::io::name(path), expected)),
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

/// What a count of this puzzle is called.
fn title(puzzle: &str) -> String {
    format!("the sudoku {puzzle}")
}

/// All solutions of one sudoku.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sudoku {
    /// The puzzle as text.
    puzzle: String,
    /// The name of the engine, on which the subtrees depend; `None` stands for the cheaper one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    method: Option<String>,
    /// The puzzle as it was read. It is `None` if the arguments come from a plan, which has the text alone.
    #[serde(skip)]
    read: Option<Puzzle>,
    /// All solvers find equal subtotals, so plans leave the choice to each machine.
    #[serde(skip)]
    solver: Solver,
}

impl Sudoku {
    /// The count of `puzzle`.
    pub fn new(puzzle: Puzzle, method: Option<Engine>, solver: Solver) -> Self {
        let text = match &puzzle {
            Puzzle::Nine(grid) => grid.to_string(),
            Puzzle::Sized(grid) => grid.to_string(),
        };
        let method = method.map(|engine| engine.name().to_owned());
        Self { puzzle: text, method, read: Some(puzzle), solver }
    }

    /// The same count by this engine.
    fn with_method(&self, engine: Engine) -> Box<dyn Counting> {
        Box::new(Self { method: Some(engine.name().to_owned()), ..self.clone() })
    }

    /// The puzzle, which is read again if these are the arguments of a plan.
    fn puzzle(&self) -> Result<Puzzle> {
        self.read.clone().map_or_else(|| read(&self.puzzle, "one puzzle"), Ok)
    }

    /// The run, which fails if the engine asked for cannot count the puzzle.
    fn make_run(&self) -> Result<Run> {
        let method: Option<Engine> = self.method.as_deref().map(str::parse).transpose()?;
        let run = match self.puzzle()? {
            Puzzle::Nine(grid) => {
                let problem = CountOne::with(grid, method, self.solver);
                let engine = problem.engine().name();
                Run::new(problem).detail("method", engine)
            }
            Puzzle::Sized(_) if method == Some(Engine::Join) => {
                bail!("bands are joined in 9 × 9 puzzles only")
            }
            Puzzle::Sized(grid) => {
                Run::new(CountSized::new(grid)).detail("method", Engine::Enumeration.name())
            }
        };
        Ok(run.title(title(&self.puzzle)))
    }
}

/// Reads `auto` or the name of a method.
pub fn methods() -> impl TypedValueParser<Value = OrAuto<Engine>> {
    let auto = PossibleValue::new("auto").help("The cheaper one");
    let name = |engine: Engine| PossibleValue::new(engine.name()).help(description(engine));
    choices(auto, Engine::ALL.map(name))
}

/// What an engine does, for the help.
fn description(engine: Engine) -> &'static str {
    match engine {
        Engine::Enumeration => "Every solution is found",
        Engine::Join => "Bands are joined",
    }
}

impl Counting for Sudoku {
    fn run(&self, _: &Resources) -> Result<Run, counting::Error> {
        Ok(self.make_run()?)
    }

    fn name(&self) -> &'static str {
        "sudoku"
    }

    /// Joined bands first, which share nothing with the search.
    fn methods(&self) -> Vec<Box<dyn Counting>> {
        match self.puzzle() {
            Ok(Puzzle::Nine(_)) => {
                [Engine::Join, Engine::Enumeration].map(|engine| self.with_method(engine)).into()
            }
            _ => Vec::new(),
        }
    }

    fn with_method_of(&self, identity: &str) -> Option<Box<dyn Counting>> {
        let own_grid = value(identity, "grid").filter(|_| self.method.is_none())?;
        let is_own = own_grid == self.puzzle && tell(identity).is_some();
        let engine = if is_joined(identity) { Engine::Join } else { Engine::Enumeration };
        is_own.then(|| self.with_method(engine))
    }
}

/// Whether the count with this identity joins bands: `CountOne` puts the word `join` into it.
fn is_joined(identity: &str) -> bool {
    identity.split(' ').any(|word| word == "join")
}

/// Tells the identity of a sudoku: `the sudoku 53..7…, bands joined`.
fn tell(identity: &str) -> Option<Told> {
    let grid = value(identity, "grid").filter(|_| tallyboard_sudoku::is_identity(identity))?;
    let how = if is_joined(identity) { ", bands joined" } else { "" };
    Some(Told { title: title(grid) + how, noun: Sudokus.noun() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sudokus_are_told_by_their_grid() {
        let told = |identity| tell(identity).map(|told| told.title);
        let joined = told("sudoku grid=53..7 join layout=1");
        assert_eq!(joined.as_deref(), Some("the sudoku 53..7, bands joined"));
        let found = told("sudoku grid=53..7 algorithm=1 layout=1");
        assert_eq!(found.as_deref(), Some("the sudoku 53..7"));
        assert_eq!(told("labels grid=7 algorithm=1 layout=1"), None);
    }
}
