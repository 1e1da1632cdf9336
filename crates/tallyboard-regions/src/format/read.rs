//! The boards of a file, one after the other.

use std::collections::VecDeque;
use std::io::{self, BufRead};

use tallyboard_base::bound::{Line, MAX_DOCUMENT_BYTES, MAX_RECORD_BYTES, read_line, skip_line};
use tallyboard_base::figures::memory_size;
use tallyboard_base::text::Mistake;
use tallyboard_base::text::value::{self, Brackets, Content, Value};

use crate::board::{Board, MAX_SIZE};
use crate::format::Names;
use crate::format::codes::{is_head_of_pzpr, is_pzpr, is_sbn, of_pzpr, of_sbn};
use crate::format::text::{Cells, Named, Region, board, board_of_line, first_word, listed, words};

/// A board and where it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// The board.
    pub board: Board,
    /// What the file calls its regions.
    pub names: Names,
    /// The line of the file in which it begins, from 1.
    pub line: usize,
    /// The number of solutions that the file states.
    pub stated: Option<u64>,
}

/// Why a board could not be read.
#[non_exhaustive]
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file could not be read further.
    #[error("the input could not be read")]
    Io(#[from] io::Error),
    /// A mistake in the board that begins in this line.
    #[error("line {line}: {mistake}")]
    Mistake {
        /// The line, from 1.
        line: usize,
        /// What was found and expected.
        mistake: String,
        /// The board as it stands in the file, or its beginning.
        text: String,
    },
}

/// The fewest letters of a board in one line: smaller boards have no solution, and such lines are rows.
const SMALLEST_LINE: usize = 16;

/// What a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Rows or lists of cells, boards apart by blank lines.
    Rows,
    /// A board a line.
    Lines,
    /// A board a line, in codes of its borders.
    Sbn,
    /// Links of puzz.link, or texts that its editor saved.
    Pzpr,
    /// The place of the column with the boards, and what separates columns.
    Table(usize, char),
    /// Values of JSON.
    Json,
    /// A script with values.
    Script,
}

impl Kind {
    /// Whether boards stand in values.
    fn is_value(self) -> bool {
        matches!(self, Self::Json | Self::Script)
    }
}

/// The boards of a reader. Of lines, tables and JSON lines only one board is held at a time.
#[derive(Debug)]
pub struct Records<R> {
    reader: R,
    stars: Option<usize>,
    kind: Option<Kind>,
    /// Lines that were read to recognise the kind, the next first.
    lines: VecDeque<Text>,
    /// The number of lines that were taken.
    taken: usize,
    /// Boards of one value.
    ready: VecDeque<Record>,
    has_failed: bool,
}

/// A line, or the lines of a record.
#[derive(Debug, Default, Clone)]
struct Text {
    text: String,
    /// The lines behind the first.
    more_lines: usize,
    /// Why it cannot be read, if so, and in which of its lines, from 1: it is not all that stands in the file, or not as it stands there.
    mistake: Option<Located>,
}

impl Text {
    /// Adds the line behind this text.
    fn push(&mut self, line: &Self, most_bytes: usize) {
        self.more_lines += 1;
        if self.text.len() + line.text.len() < most_bytes {
            self.text.push('\n');
            self.text.push_str(&line.text);
        } else {
            self.mistake.get_or_insert_with(|| (1, too_long("text", most_bytes)));
        }
        if let (None, Some((_, mistake))) = (&self.mistake, &line.mistake) {
            self.mistake = Some((1 + self.more_lines, mistake.clone()));
        }
    }
}

fn too_long(what: &str, most_bytes: usize) -> String {
    let most = memory_size(most_bytes as u64);
    format!("found a {what} of more than {most}, expected a board")
}

impl<R: BufRead> Records<R> {
    /// The boards of `reader`, with this many stars in each row: by default what the file says, or 1.
    pub fn new(reader: R, stars: Option<usize>) -> Self {
        let (lines, ready) = Default::default();
        Self { reader, stars, kind: None, lines, taken: 0, ready, has_failed: false }
    }

    /// What the input holds, once the first board was asked for.
    pub fn kind(&self) -> Option<Kind> {
        self.kind
    }

    /// Reads a line ahead. Returns whether there was one.
    fn read_ahead(&mut self) -> io::Result<bool> {
        let mut line = Vec::with_capacity(128);
        let mut most = MAX_RECORD_BYTES;
        let mut read = read_line(&mut self.reader, &mut line, most)?;
        // Boards of a value may stand in one line.
        if read == Line::Long && self.kind.or_else(|| kind_of(&line)).is_some_and(Kind::is_value) {
            most = MAX_DOCUMENT_BYTES;
            read = read_line(&mut self.reader, &mut line, most - MAX_RECORD_BYTES)?;
        }
        let mut mistake = match read {
            Line::None if line.is_empty() => return Ok(false),
            Line::Long => {
                skip_line(&mut self.reader)?;
                Some(too_long("line", most))
            }
            _ => None,
        };
        let line = String::from_utf8(line).unwrap_or_else(|error| {
            let found = "found bytes that are no text in UTF-8, expected a board";
            mistake.get_or_insert(found.to_owned());
            String::from_utf8_lossy(error.as_bytes()).into_owned()
        });
        let mut line = match self.taken + self.lines.len() {
            0 => line.trim_start_matches('\u{feff}').to_owned(),
            _ => line,
        };
        line.truncate(line.trim_end_matches(['\n', '\r']).len());
        let mistake = mistake.map(|mistake| (1, mistake));
        self.lines.push_back(Text { text: line, more_lines: 0, mistake });
        Ok(true)
    }

    fn take(&mut self) -> io::Result<Option<Text>> {
        if self.lines.is_empty() {
            self.read_ahead()?;
        }
        let line = self.lines.pop_front();
        self.taken += usize::from(line.is_some());
        Ok(line)
    }

    /// The next line that is neither blank nor a comment.
    fn take_content(&mut self) -> io::Result<Option<Text>> {
        while let Some(line) = self.take()? {
            if !is_blank(&line.text) {
                return Ok(Some(line));
            }
        }
        Ok(None)
    }

    /// Finds out what the file holds by its first lines. They stay to be read.
    fn recognise(&mut self) -> io::Result<Kind> {
        let Some(first) = self.take_content()? else { return Ok(Kind::Lines) };
        self.taken -= 1;
        self.lines.push_front(first.clone());
        let first = first.text;
        if let Some(kind) = kind_of(first.as_bytes()) {
            return Ok(kind);
        }
        if is_pzpr(&first) {
            return Ok(Kind::Pzpr);
        }
        if is_sbn(first_word(&first)) {
            return Ok(Kind::Sbn);
        }
        for separator in [',', ';', '\t'] {
            let mut names = first.split(separator).map(|name| name.trim().trim_matches('"'));
            let place =
                names.position(|name| REGION_KEYS.iter().any(|key| key.eq_ignore_ascii_case(name)));
            if let Some(place) = place {
                self.take()?;
                return Ok(Kind::Table(place, separator));
            }
        }
        let cells = first_word(&first).chars().count();
        let is_square = cells >= SMALLEST_LINE && cells.isqrt().pow(2) == cells;
        if !is_square {
            return Ok(Kind::Rows);
        }
        if cells > MAX_SIZE || first.trim().chars().count() > cells {
            return Ok(Kind::Lines);
        }
        // A line of 16 letters is a small board or a row of a large one: it is a row if it stands in a block of 16 lines and
        // these are not all small boards, which have four regions each.
        while self.lines.len() <= cells && self.read_ahead()? {
            if self.lines.back().is_none_or(|line| is_blank(&line.text)) {
                break;
            }
        }
        let block = self.lines.iter().take_while(|line| !is_blank(&line.text));
        let is_small = |line: &Text| {
            let mut labels: Vec<char> = line.text.trim().chars().collect();
            labels.sort_unstable();
            labels.dedup();
            labels.len() == cells.isqrt()
        };
        let is_board = block.clone().count() == cells && !block.clone().all(is_small);
        Ok(if is_board { Kind::Rows } else { Kind::Lines })
    }

    /// The lines of the next record, in which a board or the boards of a value stand, and the number of the first.
    fn take_record(&mut self, kind: Kind) -> io::Result<Option<(usize, Text)>> {
        let Some(mut record) = self.take_content()? else { return Ok(None) };
        let begin = self.taken;
        match kind {
            Kind::Lines | Kind::Sbn | Kind::Table(..) => {}
            Kind::Pzpr if !is_head_of_pzpr(&record.text) => {}
            Kind::Rows | Kind::Pzpr => {
                while let Some(line) = self.take()?.filter(|line| !is_blank(&line.text)) {
                    record.push(&line, MAX_RECORD_BYTES);
                }
            }
            Kind::Json => {
                let mut brackets = Brackets::default();
                let mut end = brackets.end(record.text.as_bytes());
                let is_open = record.text.trim_start().starts_with(['{', '[']);
                while end.is_none() && is_open && record.mistake.is_none() {
                    let Some(next) = self.take()? else { break };
                    end = brackets.end(b"\n").or_else(|| brackets.end(next.text.as_bytes()));
                    record.push(&next, MAX_DOCUMENT_BYTES);
                }
                // What stands behind a value that was not read to its end is not known.
                self.has_failed = end.is_none() && is_open && record.mistake.is_some();
            }
            Kind::Script => {
                while let Some(next) = self.take()? {
                    record.push(&next, MAX_DOCUMENT_BYTES);
                    if record.mistake.is_some() {
                        self.has_failed = true;
                        break;
                    }
                }
            }
        }
        Ok(Some((begin, record)))
    }

    /// The next board, or the mistake in it.
    fn read(&mut self, kind: Kind) -> Result<Option<Record>, ReadError> {
        let Some((begin, Text { text, mistake, .. })) = self.take_record(kind)? else {
            return Ok(None);
        };
        let found = match mistake {
            Some(mistake) => Err(mistake),
            None => of_record(kind, &text, self.stars),
        };
        let found = found.map_err(|(line, mistake)| ReadError::Mistake {
            line: begin + line - 1,
            mistake,
            text,
        })?;
        self.ready = found.into();
        self.ready.iter_mut().for_each(|record| record.line += begin - 1);
        Ok(self.ready.pop_front())
    }
}

/// The boards of a record, with their lines in it, from 1; or the line of a mistake, and what it is.
fn of_record(kind: Kind, text: &str, stars: Option<usize>) -> Result<Vec<Record>, Located> {
    let unnamed = |board| (board, Names::default());
    let named = match kind {
        Kind::Lines => board_of_line(first_word(text), stars),
        Kind::Sbn => of_sbn(first_word(text), stars).map(unnamed),
        Kind::Pzpr => of_pzpr(text, stars).map(unnamed),
        Kind::Table(place, separator) => split_quoted(text, separator)
            .nth(place)
            .ok_or_else(|| format!("found no column {}, expected a board there", place + 1))
            .and_then(|field| board_of_line(field.trim().trim_matches('"'), stars)),
        Kind::Rows => of_block(&text.split('\n').collect::<Vec<_>>(), stars),
        Kind::Json => return of_json(text, stars),
        Kind::Script => return of_script(text, stars),
    };
    let record = |(board, names)| vec![Record { board, names, line: 1, stated: None }];
    named.map(record).map_err(|mistake| (1, mistake))
}

impl<R: BufRead> Iterator for Records<R> {
    type Item = Result<Record, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(ready) = self.ready.pop_front() {
            return Some(Ok(ready));
        }
        if self.has_failed {
            return None;
        }
        let read = match self.kind.map_or_else(|| self.recognise(), Ok) {
            Ok(kind) => {
                self.kind = Some(kind);
                self.read(kind).transpose()
            }
            Err(error) => Some(Err(error.into())),
        };
        // Boards behind a mistake are read; a file that cannot be read ends here.
        self.has_failed |= matches!(read, Some(Err(ReadError::Io(_))));
        read
    }
}

/// The board of lines that stand together: rows, or lists of cells.
fn of_block(lines: &[&str], stars: Option<usize>) -> Result<Named, String> {
    if let Some((regions, stated)) = listed(lines) {
        return Cells::of_places(&regions).and_then(|cells| board(&cells, stars.or(stated)));
    }
    let (above, stated) = above_rows(lines);
    // Before the cells are parted: a file of another game may be one block from its beginning to its end.
    let size = lines.len() - above;
    if size > MAX_SIZE {
        return Err(format!("found {size} rows, expected at most {MAX_SIZE}"));
    }
    let rows = lines[above..].iter().map(|line| words(line)).collect();
    Cells::of_rows(rows).and_then(|cells| board(&cells, stars.or(stated)))
}

/// How many of these lines stand above the rows of a board, and the number of stars that they state: the number of rows, perhaps
/// that of columns, and perhaps that of stars in each, on one line or on two.
fn above_rows(lines: &[&str]) -> (usize, Option<usize>) {
    let number = |line: usize| lines.get(line).and_then(|line| line.trim().parse::<usize>().ok());
    let first = lines.first().map(|line| line.split_whitespace().map(str::parse).collect());
    let first: Vec<usize> = first.and_then(Result::ok).unwrap_or_default();
    let side = lines.len().saturating_sub(1);
    match first[..] {
        [rows, columns] if rows == columns && rows == side => return (1, None),
        [rows, columns, stars] if rows == columns && rows == side => return (1, Some(stars)),
        _ => {}
    }
    match (number(0), number(1)) {
        (Some(size), Some(stars)) if lines.len() == size + 2 => (2, Some(stars)),
        (Some(size), _) if lines.len() == size + 1 => (1, None),
        _ => (0, None),
    }
}

/// The kind of file whose first line begins so, if it holds values.
fn kind_of(line: &[u8]) -> Option<Kind> {
    const SCRIPT: [&str; 10] =
        ["import ", "export ", "const ", "let ", "var ", "//", "/*", "type ", "'use", "\"use"];
    // Of a line that was cut, the last character may be.
    let text = String::from_utf8_lossy(line);
    let begin = text.trim_start_matches('\u{feff}').trim_start();
    if begin.starts_with(['{', '[']) {
        return Some(Kind::Json);
    }
    let is_script = SCRIPT.iter().any(|word| begin.starts_with(word)) || is_assignment(begin);
    is_script.then_some(Kind::Script)
}

/// Whether a line separates boards.
fn is_blank(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.starts_with('#')
}

/// Whether a line of Python gives a list to a name.
fn is_assignment(line: &str) -> bool {
    line.split_once('=').is_some_and(|(name, value)| {
        let is_part_of_name = |c: char| c.is_alphanumeric() || c == '_';
        name.trim_end().chars().all(is_part_of_name) && value.trim_start().starts_with('[')
    })
}

/// The fields of a line, where a separator within double quotes is none.
fn split_quoted(line: &str, separator: char) -> impl Iterator<Item = &str> {
    let mut is_quoted = false;
    line.split(move |c| {
        is_quoted ^= c == '"';
        c == separator && !is_quoted
    })
}

// Boards in JSON and in scripts.

/// The line of a mistake in a text, from 1, and what was found and expected.
type Located = (usize, String);

fn located(mistake: Mistake) -> Located {
    (mistake.line, mistake.to_string())
}

/// The boards of one value.
fn of_json(text: &str, stars: Option<usize>) -> Result<Vec<Record>, Located> {
    let (value, end) = value::read(text).map_err(located)?;
    if let Some(found) = text[end..].trim().chars().next() {
        let line = text[..end].matches('\n').count() + 1;
        return Err((line, format!("found {found:?} behind a value, expected a new line")));
    }
    boards(&value, stars)
}

/// Names under which files have the regions.
pub const REGION_KEYS: [&str; 4] = ["regions", "colorRegions", "board", "cells"];
/// Names of stars that are given.
const GIVEN_KEYS: [&str; 3] = ["queens", "givens", "stars_given"];
/// Names of cells that are crossed out.
const BLOCKED_KEYS: [&str; 2] = ["blocked", "crossed"];

/// The boards of a value: an object, a list of rows, or a list of either.
fn boards(value: &Value, stars: Option<usize>) -> Result<Vec<Record>, Located> {
    let is_object = |item: &Value| matches!(item.content, Content::Object(_));
    let board = |item: &Value| board_of(item, stars).map_err(|error| (item.line, error));
    if let Some(Content::Object(members)) = value.get(&["data"]).map(|data| &data.content) {
        return members.iter().map(|(name, member)| of_collection(name, member, stars)).collect();
    }
    match &value.content {
        Content::List(items) if items.iter().any(is_object) => {
            let each = items.iter().enumerate().map(|(index, item)| {
                board(item).map_err(|(line, error)| (line, format!("board {}: {error}", index + 1)))
            });
            each.collect()
        }
        // Boards are lists of rows, and rows are lists or strings: three deep is a list of boards.
        Content::List(items) if depth(value) == 3 => items.iter().map(board).collect(),
        _ => Ok(vec![board(value)?]),
    }
}

/// A board of a collection of puzzlekit: rows below their numbers in a text with the name `problem`.
fn of_collection(name: &str, member: &Value, stars: Option<usize>) -> Result<Record, Located> {
    let line = member.line;
    let located = |error| (line, format!("{name}: {error}"));
    let text = member.get(&["problem"]).and_then(Value::text);
    let text =
        text.ok_or_else(|| located("found no text under \"problem\", expected rows".to_owned()))?;
    let (board, names) = of_block(&text.split('\n').collect::<Vec<_>>(), stars).map_err(located)?;
    Ok(Record { board, names, line, stated: None })
}

fn depth(value: &Value) -> usize {
    match &value.content {
        Content::List(items) => 1 + items.first().map_or(0, depth),
        _ => 0,
    }
}

/// The board of an object or of a list of rows.
fn board_of(value: &Value, stars: Option<usize>) -> Result<Record, String> {
    let number = |names: &[&str]| match value.get(names).and_then(Value::text) {
        Some(word) => {
            let error = |_| format!("found {word:?} under {:?}, expected a number", names[0]);
            word.parse::<u64>().map(Some).map_err(error)
        }
        None => Ok(None),
    };
    let stated = number(&["solutionsCount", "solutions"])?;
    let stars =
        stars.map_or_else(|| number(&["stars"]).map(|k| k.map(|k| k as usize)), |k| Ok(Some(k)))?;
    let mut cells = match &value.content {
        Content::Object(members) => match value.get(&REGION_KEYS) {
            Some(regions) => rows(regions)?,
            None => of_members(members).ok_or(
                "found an object without \"regions\" and \"colorRegions\", expected one of them, or a list of cells for each region",
            )??,
        },
        _ => rows(value)?,
    };
    let size = cells.size();
    for (names, is_star) in [(&GIVEN_KEYS[..], true), (&BLOCKED_KEYS[..], false)] {
        for name in names {
            if let Some(places) = value.get(&[*name]) {
                let places = marks(places, name, size)?;
                cells.marks.extend(places.map(|(row, column)| (row, column, is_star)));
            }
        }
    }
    let (board, names) = board(&cells, stars)?;
    Ok(Record { board, names, line: value.line, stated })
}

/// The cells of an object with a list of places `[row, column]` for each region; `None` of another object.
fn of_members(members: &[(String, Value)]) -> Option<Result<Cells, String>> {
    let number = |value: &Value| value.text()?.parse().ok();
    let place = |value: &Value| match value.items()? {
        [row, column] => Some((number(row)?, number(column)?)),
        _ => None,
    };
    let region = |(name, value): &(String, Value)| {
        Some((name.clone(), value.items()?.iter().map(place).collect::<Option<_>>()?))
    };
    let regions: Vec<Region> = members.iter().map(region).collect::<Option<_>>()?;
    Some(Cells::of_places(&regions))
}

/// The cells of a list of rows, or of a string.
fn rows(value: &Value) -> Result<Cells, String> {
    let word = |value: &Value| {
        let error = || format!("found {value}, expected the letter or number of a region");
        value.text().map(str::to_owned).ok_or_else(error)
    };
    let row = |value: &Value| match (value.items(), value.text()) {
        (Some(cells), _) => cells.iter().map(word).collect::<Result<Vec<_>, _>>(),
        (_, Some(cells)) => Ok(cells.chars().map(String::from).collect()),
        _ => Err(format!("found {value}, expected a row of the board")),
    };
    match (value.items(), value.text()) {
        (Some(rows), _) => Cells::of_rows(rows.iter().map(row).collect::<Result<_, _>>()?),
        (_, Some(cells)) => Cells::of_line(cells),
        _ => Err(format!("found {value}, expected the rows of a board")),
    }
}

/// Places of cells: pairs of row and column counted from 0, or a word for each cell of a board of `size` rows, of which `0` and
/// `false` mark none.
fn marks(
    value: &Value,
    name: &str,
    size: usize,
) -> Result<impl Iterator<Item = (usize, usize)>, String> {
    let wrong = || {
        format!(
            "found no places under {name:?}, expected pairs [row, column] counted from 0, or a 0 or 1 for each cell"
        )
    };
    let number = |value: &Value| match value.text()? {
        "true" => Some(1),
        "false" => Some(0),
        word => word.parse::<usize>().ok(),
    };
    let numbers = |item: &Value| item.items()?.iter().map(number).collect::<Option<Vec<_>>>();
    let lists = value.items().and_then(|items| items.iter().map(numbers).collect::<Option<_>>());
    let lists: Vec<Vec<usize>> = lists.ok_or_else(wrong)?;
    let is_pairs = lists.iter().all(|list| list.len() == 2);
    let is_grid = lists.len() == size && lists.iter().all(|list| list.len() == size);
    if !is_pairs && !is_grid {
        return Err(wrong());
    }
    let mut places = Vec::new();
    for (row, list) in lists.iter().enumerate() {
        match list[..] {
            [row, column] if is_pairs => places.push((row, column)),
            _ => {
                places.extend((0..list.len()).filter(|&column| list[column] != 0).map(|c| (row, c)))
            }
        }
    }
    Ok(places.into_iter())
}

/// The boards of a script: each list behind the name of regions and a colon or an equals sign.
fn of_script(text: &str, stars: Option<usize>) -> Result<Vec<Record>, Located> {
    let mut found = Vec::new();
    // The place up to which the text was read, and the line there.
    let (mut at, mut line) = (0, 1);
    while let Some((begin, behind)) = next_regions(text, at) {
        line += text[at..begin].matches('\n').count();
        let first = line + text[begin..behind].matches('\n').count();
        let within = |(of_value, error): Located| (first + of_value - 1, error);
        let (value, length) = value::read(&text[behind..]).map_err(located).map_err(within)?;
        let mut record = board_of(&value, stars).map_err(|error| (line, error))?;
        record.line = line;
        at = behind + length;
        line += text[begin..at].matches('\n').count();
        let end = next_regions(text, at).map_or(text.len(), |(begin, _)| begin);
        record.stated = stated(&text[at..end]);
        found.push(record);
    }
    if found.is_empty() {
        found.extend(of_assignments(text, stars));
    }
    if found.is_empty() {
        let message = "found no list behind the name regions or colorRegions, expected the rows of a board there";
        return Err((1, message.to_owned()));
    }
    Ok(found)
}

/// The board of a script that has no name of regions: that of the only list behind an equals sign that is a square of regions.
fn of_assignments(text: &str, stars: Option<usize>) -> Option<Record> {
    let behind = text.match_indices('=').map(|(at, _)| at + 1);
    let mut boards = behind.filter_map(|at| {
        let (value, _) = value::read(&text[at..]).ok()?;
        let line = text[..at].matches('\n').count() + 1;
        (depth(&value) == 2)
            .then(|| board_of(&value, stars).ok())
            .flatten()
            .map(|record| Record { line, ..record })
    });
    boards.next().filter(|_| boards.next().is_none())
}

/// Where the name of regions stands from `at` on, and where the list behind it begins.
fn next_regions(text: &str, at: usize) -> Option<(usize, usize)> {
    let mut from = at;
    loop {
        let found = text[from..].find("egions").map(|place| from + place)?;
        let behind = found + "egions".len();
        let value = text[behind..].trim_start_matches(['"', '\'']).trim_start();
        if let Some(value) = value.strip_prefix([':', '=']).map(str::trim_start)
            && value.starts_with('[')
        {
            return Some((found, text.len() - value.len()));
        }
        from = behind;
    }
}

/// The number behind `solutionsCount:`.
fn stated(text: &str) -> Option<u64> {
    let (_, behind) = text.split_once("solutionsCount")?;
    let behind = behind.trim_start_matches(['"', '\'', ':', ' ']);
    let end = behind.find(|c: char| !c.is_ascii_digit()).unwrap_or(behind.len());
    behind[..end].parse().ok()
}
