//! Queens in coloured regions, and Star Battle: boards from files, their counts, and what is said and drawn of them.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use anstyle::{Ansi256Color, Color, Style};
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tallyboard_base::Kernel;
use tallyboard_base::cpu::Instructions;
use tallyboard_base::figures::counted;
use tallyboard_classroom::draw;
use tallyboard_doors::Document;
use tallyboard_picture::Picture;
use tallyboard_regions::format::{Names, ReadError, Record, Records, columns, line};
use tallyboard_regions::{
    Board, Count, Fact, Line, Rule, Solutions, Step, Verdict, explain, places, records_of,
};
use tallyboard_search::records::{RecordsError, Summary};

use super::{
    Explanation, FileArgs, Game, Method, Puzzle, Solution, TakeRecords, Tallying, Written,
    cell_name, ensure_no_cell,
};
use crate::counting::{Counting, Error, KERNEL, Resources, Run};
use crate::terminal::{Args, UsageError, cannot_read, info, io};

/// Queens in regions, and Star Battle.
pub struct Regions;

impl Game for Regions {
    fn name(&self) -> &'static str {
        "regions"
    }

    fn file_options(&self) -> &'static [&'static str] {
        &["number", "stars"]
    }

    fn method_options(&self) -> &'static [&'static str] {
        &["kernel"]
    }

    fn file_help(&self) -> &'static str {
        "The boards: rows of letters or numbers, lines of n x n letters, a table with a column `board`, JSON or TypeScript with \
         `regions` or `colorRegions`; `-` is standard input"
    }

    fn formats(&self) -> Vec<&'static str> {
        vec!["line", "rows"]
    }

    fn lacks(&self) -> &'static [&'static str] {
        &["describe"]
    }

    fn useless_options(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("count", "fundamental"),
            ("count", "by_values"),
            ("count", "modulo"),
            ("tally", "uncovered"),
            ("list", "svg"),
            ("list", "png"),
            ("explain", "cell"),
            ("explain", "html"),
        ]
    }

    fn read(&self, file: &FileArgs, args: &Args) -> Result<Box<dyn Puzzle>> {
        let record = read(file, args)?;
        report_cuts(&record, args);
        let number = file.number.unwrap_or(1);
        Ok(Box::new(RegionsPuzzle { file: file.file.clone(), stars: file.stars, number, record }))
    }

    fn with_records(
        &self,
        input: Box<dyn Read + Send>,
        file: &FileArgs,
        take: &mut TakeRecords,
    ) -> Result<Summary, RecordsError> {
        let FileArgs { file, stars, .. } = file.clone();
        // Files of many name no board by its number.
        let puzzle = |record| -> Box<dyn Puzzle> {
            Box::new(RegionsPuzzle { file: file.clone(), stars, number: 1, record })
        };
        let records = records_of(boards(input).map_err(RecordsError::Read)?, stars);
        take(Box::new(records.map(|record| Ok(record?.map(puzzle)))))
    }
}

/// The boards of the file at `path`, one after the other.
pub fn records(path: &Path, stars: Option<usize>) -> Result<Records<Box<dyn BufRead + Send>>> {
    let text = boards(io::open(path)?).with_context(|| cannot_read(path))?;
    Ok(Records::new(text, stars))
}

/// The boards of an input as text that [`Records`] reads.
pub fn boards(input: impl Read + Send + 'static) -> std::io::Result<Box<dyn BufRead + Send>> {
    let mut reader = BufReader::with_capacity(1 << 20, input);
    let begin = reader.fill_buf()?.trim_ascii_start();
    // Only links, perhaps below comments, are looked at more closely.
    if !begin.starts_with(b"http") && !begin.starts_with(b"#") {
        return Ok(Box::new(reader));
    }
    Ok(tallyboard_doors::boards(Document::new("", reader)?))
}

/// A mistake in a file as a message with its name.
pub fn mistake(path: &Path, error: ReadError) -> anyhow::Error {
    match error {
        ReadError::Io(error) => anyhow::Error::new(error).context(cannot_read(path)),
        error => UsageError(format!("{}: {error}", io::name(path))).into(),
    }
}

/// The board that is asked for. If it was not chosen and others follow, that is said.
fn read(FileArgs { file, number, stars, .. }: &FileArgs, args: &Args) -> Result<Record> {
    let Some(number) = *number else {
        let mut boards = records(file, *stars)?;
        let first = boards.next().ok_or_else(|| too_few(file, 0, 1))?;
        if boards.next().is_some() {
            info(args, "this is the first of several boards: `--number N` takes another");
        }
        return first.map_err(|error| mistake(file, error));
    };
    nth(file, *stars, number)
}

/// The board with this number, from 1, in the file at `path`.
fn nth(path: &Path, stars: Option<usize>, number: usize) -> Result<Record> {
    let mut found = 0;
    for record in records(path, stars)? {
        let record = record.map_err(|error| mistake(path, error))?;
        found += 1;
        if found == number as u64 {
            return Ok(record);
        }
    }
    Err(too_few(path, found, number))
}

/// The error of a file with fewer boards than asked for.
fn too_few(path: &Path, found: u64, expected: usize) -> anyhow::Error {
    let boards = counted(found, "board");
    // The formats as in the help of a file.
    UsageError(format!(
        "{}: found {boards}, expected at least {expected}: rows of letters or numbers, lines, a table, JSON or TypeScript",
        io::name(path)
    ))
    .into()
}

/// Tells the regions that lie in several parts: mostly a slip of whoever typed the board.
fn report_cuts(Record { board, names, .. }: &Record, args: &Args) {
    for (region, cell) in board.odd_cells() {
        let (name, cell) = (names.of(region.into()), place(&cell));
        info(
            args,
            format_args!("region {name} is in several parts: {cell} is apart from the rest"),
        );
    }
}

/// A board, and where it was read.
struct RegionsPuzzle {
    file: PathBuf,
    stars: Option<usize>,
    number: usize,
    record: Record,
}

impl Puzzle for RegionsPuzzle {
    fn game(&self) -> &'static dyn Game {
        &Regions
    }

    fn title(&self) -> String {
        title(&self.file, self.number)
    }

    fn counting(&self, method: &Method) -> Result<Box<dyn Counting>> {
        Ok(Box::new(RegionsFile {
            file: self.file.clone(),
            stars: self.stars,
            board: self.number,
            kernel: method.kernel,
            read: Some((self.record.board.clone(), self.record.stated)),
        }))
    }

    fn solutions(&self) -> Result<Box<dyn Iterator<Item = Solution> + '_>> {
        Ok(Box::new(Solutions::new(&self.record.board)))
    }

    fn is_solved_by(&self, solution: &[u32]) -> bool {
        self.record.board.is_solved_by(solution)
    }

    fn row(&self, solution: &[u32]) -> String {
        columns(solution)
    }

    fn json(&self, solution: &[u32]) -> String {
        places(solution)
    }

    fn cells(&self) -> Option<(&'static str, String)> {
        Some(("regions", line(&self.record.board)))
    }

    fn text(&self, solution: Option<&[u32]>) -> String {
        text(&self.record, &self.stars_of(solution))
    }

    fn picture(&self, solution: Option<&[u32]>) -> Result<Picture> {
        Ok(draw::regions(&self.record.board, &self.stars_of(solution)))
    }

    fn explain(&self, cell: Option<&str>) -> Result<Explanation> {
        ensure_no_cell(self.game(), cell)?;
        Ok(explanation(&self.record))
    }

    fn tally(&self) -> Result<Tallying> {
        let board = &self.record.board;
        let run = tallyboard_regions::tally(board);
        let size = board.size();
        let table = Tallying::of_squares(run, size, move |at| cell_name(at, size));
        Ok(table.with_regions(board.regions().iter().map(|&region| region.into())))
    }

    fn write(&self, to: Option<&str>) -> Result<Written> {
        let board = &self.record.board;
        let letters = line(board);
        let text = match to {
            None | Some("line") => letters + "\n",
            Some("rows") => {
                let rows = letters.as_bytes().chunks(board.size());
                rows.map(|row| String::from_utf8_lossy(row) + "\n").collect()
            }
            Some(other) => {
                return Err(
                    UsageError(format!("found the format {other}, expected line or rows")).into()
                );
            }
        };
        let is_marked = board
            .rows()
            .iter()
            .any(|row| row.stars != 0 || row.possible.count_ones() as usize != board.size());
        let lost = if is_marked {
            vec!["stars and crosses that are given".to_owned()]
        } else {
            Vec::new()
        };
        Ok(Written { text, lost })
    }
}

impl RegionsPuzzle {
    /// The stars to show: those of the solution, or those that are given.
    fn stars_of(&self, solution: Option<&[u32]>) -> Vec<u32> {
        let given = || self.record.board.rows().iter().map(|row| row.stars).collect();
        solution.map_or_else(given, <[u32]>::to_vec)
    }
}

/// All solutions of a board in a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RegionsFile {
    file: PathBuf,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stars: Option<usize>,
    /// The number of the board in the file, from 1.
    board: usize,
    /// All kernels find equal subtotals, so plans leave the choice to each machine.
    #[serde(skip)]
    kernel: Option<Kernel>,
    /// The board as it was read, and the number of solutions that the file states.
    #[serde(skip)]
    read: Option<(Board, Option<u64>)>,
}

/// What is counted of the board with this number, from 1.
fn title(file: &Path, number: usize) -> String {
    let number = if number == 1 { String::new() } else { format!(", board {number}") };
    format!("solutions of {}{number}", io::name(file))
}

impl RegionsFile {
    /// The board, and the number of solutions that the file states.
    fn board(&self) -> Result<(Board, Option<u64>)> {
        match &self.read {
            Some(read) => Ok(read.clone()),
            None => nth(&self.file, self.stars, self.board).map(|it| (it.board, it.stated)),
        }
    }
}

impl Counting for RegionsFile {
    fn run(&self, _: &Resources) -> Result<Run, Error> {
        let (board, _) = self.board()?;
        let instructions = self.kernel.map_or(Ok(Instructions::best()), Instructions::of)?;
        Ok(Run::new(Count::with(&board, instructions))
            .title(title(&self.file, self.board))
            .detail("size", board.size().to_string())
            .detail("stars", board.stars().to_string())
            .detail(KERNEL, instructions.kernel().to_string()))
    }

    fn name(&self) -> &'static str {
        Regions.name()
    }

    fn source(&self) -> &'static str {
        "the file"
    }

    /// The count that the file states.
    fn known(&self) -> Option<u128> {
        self.board().ok()?.1.map(u128::from)
    }

    fn methods(&self) -> Vec<Box<dyn Counting>> {
        let with =
            |kernel| Box::new(Self { kernel: Some(kernel), ..self.clone() }) as Box<dyn Counting>;
        Kernel::available().map(with).collect()
    }
}

/// Backgrounds of the terminal's 256 colours on which black can be read. Neighbours in the list differ most.
const BACKGROUNDS: [u8; 12] = [117, 215, 120, 210, 183, 228, 80, 218, 252, 180, 155, 147];

/// The board as rows of names, where `*` marks a star and `-` a cell that is crossed out.
fn text(Record { board, names, .. }: &Record, stars: &[u32]) -> String {
    let size = board.size();
    let signs = |region: usize| names.of(region).chars().count();
    let width = (0..size).map(signs).max().unwrap_or(1);
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
            let name = names.of(region.into());
            let cell = format!("{name}{mark}");
            text += &format!("{style}{cell:0$}{style:#}", width + 1);
            text.push_str(if column + 1 < size { " " } else { "" });
        }
        rows.push(text);
    }
    rows.join("\n")
}

/// The steps of a person, and the grade of the board by them.
fn explanation(Record { board, names, .. }: &Record) -> Explanation {
    let explanation = explain(board);
    let stars: Vec<u32> = explanation.rows.iter().map(|row| row.stars).collect();
    let documents: Vec<Value> = explanation
        .steps
        .iter()
        .map(|step| {
            let (does, cells) = match &step.fact {
                Fact::Stars(cells) => ("stars", cells),
                Fact::Crossed(cells) => ("crossed", cells),
            };
            json!({ "level": step.rule.level(), "reason": reason(&step.rule, names), does: cells })
        })
        .collect();
    let end = match (explanation.verdict, explanation.grade()) {
        (Verdict::Dead, _) => "a contradiction: the board has no solution".to_owned(),
        (_, Some(grade)) => format!("solved, level {grade} of 6: {}", columns(&stars)),
        _ => "these steps lead no further: the board has several solutions, or needs longer trials"
            .to_owned(),
    };
    Explanation {
        hint: explanation.steps.first().map_or_else(|| end.clone(), |step| sentence(step, names)),
        steps: explanation.steps.iter().map(|step| (0, sentence(step, names))).collect(),
        end: vec![end],
        summary: None,
        json: vec![json!({ "grade": explanation.grade(), "steps": documents })],
        failure: None,
    }
}

/// The name of a cell, by its row and column from 0.
pub fn place(&(row, column): &(usize, usize)) -> String {
    format!("r{}c{}", row + 1, column + 1)
}

fn sentence(step: &Step, names: &Names) -> String {
    let places = |cells: &[(usize, usize)]| cells.iter().map(place).collect::<Vec<_>>().join(" ");
    let fact = match &step.fact {
        Fact::Stars(cells) => format!("star {}", places(cells)),
        Fact::Crossed(cells) => format!("cross out {}", places(cells)),
    };
    format!("{}: {fact}", reason(&step.rule, names))
}

fn reason(rule: &Rule, names: &Names) -> String {
    let name = |line: Line| name(line, names);
    match rule {
        Rule::Stars => "beside a star, or a line that has all its stars".to_owned(),
        Rule::Forced(line) => format!("{} has no other cell left", name(*line)),
        Rule::Within(inner, outer) => format!("{} lies within {}", name(*inner), name(*outer)),
        Rule::Empties(line) => format!("a star there would leave {} too few cells", name(*line)),
        Rule::Group { inner, outer } => {
            let all = |lines: &[Line]| {
                lines.iter().map(|&line| name(line)).collect::<Vec<_>>().join(", ")
            };
            format!("{} lie within {}", all(inner), all(outer))
        }
        Rule::Trial => "a star there leads to a contradiction".to_owned(),
    }
}

fn name(line: Line, names: &Names) -> String {
    match line {
        Line::Row(row) => format!("row {}", row + 1),
        Line::Column(column) => format!("column {}", column + 1),
        Line::Region(region) => format!("region {}", names.of(region)),
    }
}
