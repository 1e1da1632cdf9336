//! The beginning of a document, and what it shows.

use std::cell::OnceCell;

use tallyboard_cover::format as cover;
use tallyboard_files::MAX_HEAD_BYTES;
use tallyboard_queens::text::are_boards;
use tallyboard_regions::format::{Kind, ReadError as BoardError, Record, Records};
use tallyboard_sudoku::format::{Form as SudokuForm, FormError, FormOptions, OnePuzzle};
use tallyboard_sudoku::sized::Puzzle;
use tallyboard_variants::{Beginning, Form, Located};

/// The most bytes of a document that are looked at to recognise it.
pub const HEAD_BYTES: usize = MAX_HEAD_BYTES;

/// The beginning of a document. What several formats ask of it is found once.
pub struct Head<'a> {
    bytes: &'a [u8],
    is_whole: bool,
    lines: &'a [u8],
    text: OnceCell<Option<&'a str>>,
    sudokus: OnceCell<SudokuLook>,
    board: OnceCell<Option<FirstBoard>>,
    repeats: OnceCell<bool>,
    variant: OnceCell<Option<Beginning>>,
    cover: OnceCell<Option<cover::Format>>,
    queens: OnceCell<bool>,
}

/// The first board of a document as one of regions, or what is wrong before it.
pub(crate) struct FirstBoard {
    pub kind: Option<Kind>,
    pub board: Result<Record, BoardError>,
}

impl<'a> Head<'a> {
    /// The beginning of a document; `is_whole` tells whether it is all of it.
    pub fn new(bytes: &'a [u8], is_whole: bool) -> Self {
        let end = match is_whole {
            true => bytes.len(),
            false => bytes.iter().rposition(|&byte| byte == b'\n').map_or(bytes.len(), |at| at + 1),
        };
        Self {
            bytes,
            is_whole,
            lines: &bytes[..end],
            text: OnceCell::new(),
            sudokus: OnceCell::new(),
            board: OnceCell::new(),
            repeats: OnceCell::new(),
            variant: OnceCell::new(),
            cover: OnceCell::new(),
            queens: OnceCell::new(),
        }
    }

    /// Its bytes.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Whether nothing follows.
    pub fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// The bytes up to the end of the last whole line, if something follows; otherwise all.
    pub fn whole_lines(&self) -> &'a [u8] {
        self.lines
    }

    /// The same as text without a byte order mark; `None` if it is no UTF-8.
    pub fn text(&self) -> Option<&'a str> {
        *self.text.get_or_init(|| {
            // A single line may be cut within a character.
            let text = match str::from_utf8(self.lines) {
                Err(error) if !self.is_whole && error.error_len().is_none() => {
                    str::from_utf8(&self.lines[..error.valid_up_to()])
                }
                text => text,
            };
            text.ok().map(|text| text.strip_prefix('\u{feff}').unwrap_or(text))
        })
    }

    /// The form of a variant that the text is in.
    pub(crate) fn variant(&self) -> Option<&Beginning> {
        let find = || {
            let text = self.text()?;
            let found = Beginning::find(text, self.is_whole);
            // Grids of the sizes that sudokus have are read as variants where they are none.
            if found.is_some() || self.is_sudoku() {
                return found;
            }
            Beginning::grid(text, self.is_whole)
        };
        self.variant.get_or_init(find).as_ref()
    }

    /// The first board of regions; `None` if the text is empty.
    pub(crate) fn board(&self) -> Option<&FirstBoard> {
        let find = || {
            let mut records = Records::new(self.lines, None);
            let board = records.next()?;
            Some(FirstBoard { kind: records.kind(), board })
        };
        self.board.get_or_init(find).as_ref()
    }

    /// Whether the first board is one of regions and no sudoku: in more than half of the rows a sign stands twice, and in some row or
    /// column one does that is not the most frequent sign, which may be a blank.
    pub(crate) fn repeats_in_rows(&self) -> bool {
        *self.repeats.get_or_init(|| match self.board() {
            Some(FirstBoard { board: Ok(record), .. }) => repeats_in_rows(record),
            _ => false,
        })
    }

    /// The format that the text would have as a cover; `None` if it is no text.
    pub(crate) fn cover_format(&self) -> Option<cover::Format> {
        *self.cover.get_or_init(|| Some(cover::Format::of(self.text()?)))
    }

    /// Whether the text is boards of queens to fill. Such marks without a digit would be an empty sudoku, too.
    pub(crate) fn is_board_of_queens(&self) -> bool {
        *self.queens.get_or_init(|| {
            // A board may be cut where something follows, unless a gap stands before it.
            let before_gap = |text: &'a str| text.rfind("\n\n").map_or("", |at| &text[..=at]);
            let boards = match self.is_whole {
                true => self.lines,
                false => self.text().map_or("", before_gap).as_bytes(),
            };
            are_boards(boards)
        })
    }

    /// Whether the text is rows of 0 and 1.
    pub(crate) fn is_matrix(&self) -> bool {
        self.cover_format() == Some(cover::Format::Matrix)
    }

    /// Whether the text is in a form of variants that no file of another game has. A picture without rules may be of another game, and
    /// links may stand in a table of sudokus.
    pub(crate) fn is_surely_variant(&self) -> bool {
        let has_rules = |found: &Located| !found.puzzle.rules().rules().is_empty();
        self.variant().is_some_and(|Beginning { form, read }| match form {
            Form::Grid | Form::LinkInText => false,
            Form::Ksudoku => read.as_ref().is_some_and(has_rules),
            Form::Text => read.as_ref().is_none_or(has_rules),
            _ => true,
        })
    }

    /// What the beginning shows of sudokus.
    pub(crate) fn sudokus(&self) -> &SudokuLook {
        self.sudokus.get_or_init(|| SudokuLook::of(self))
    }

    /// The puzzle of a short document that holds a single one.
    pub(crate) fn only_sudoku(&self) -> Option<&Puzzle> {
        self.sudokus().only.as_ref()
    }

    /// Whether at least half of the first records are sudokus, in any format, or whether they are a table that the reader of sudokus
    /// knows by its head.
    pub(crate) fn is_sudoku(&self) -> bool {
        let SudokuLook { form, puzzles, bad, .. } = self.sudokus();
        match form {
            // Rows of a matrix of 0 and 1 below its dimensions or names may be sudokus.
            Ok(_) => {
                *puzzles > 0
                    && puzzles >= bad
                    && !self.repeats_in_rows()
                    && !(*bad > 0 && self.is_matrix())
            }
            Err(error) => matches!(error, FormError::NoText(..) | FormError::NoPuzzleColumn(_)),
        }
    }
}

fn repeats_in_rows(Record { board, .. }: &Record) -> bool {
    let (regions, size) = (board.regions(), board.size());
    let uses = |sign: &u8| regions.iter().filter(|other| *other == sign).count();
    let blank = regions.iter().max_by_key(|sign| uses(sign));
    let has_twice =
        |line: &[u8]| line.iter().enumerate().any(|(at, sign)| line[..at].contains(sign));
    let has_sign_twice = |line: Vec<u8>| {
        has_twice(&line.into_iter().filter(|sign| Some(sign) != blank).collect::<Vec<u8>>())
    };
    let column = |column| regions.iter().skip(column).step_by(size).copied().collect();
    2 * regions.chunks(size).filter(|row| has_twice(row)).count() > size
        && (regions.chunks(size).any(|row| has_sign_twice(row.to_vec()))
            || (0..size).any(|number| has_sign_twice(column(number))))
}

/// A puzzle drawn with wide frames is shorter.
const MOST_BYTES_OF_ONE: usize = 1 << 13;

/// What the beginning shows of sudokus.
pub(crate) struct SudokuLook {
    /// The form that the reader of sudokus finds.
    pub form: Result<SudokuForm, FormError>,
    /// The records at the beginning that are puzzles.
    pub puzzles: u64,
    /// Those that are none.
    pub bad: u64,
    /// The puzzle of a short document that holds a single one.
    pub only: Option<Puzzle>,
}

impl SudokuLook {
    fn of(head: &Head<'_>) -> Self {
        let text = head.whole_lines();
        let form = SudokuForm::find(text, &FormOptions::default());
        let is_short = head.is_whole() && text.len() <= MOST_BYTES_OF_ONE;
        let find_one = |form: &SudokuForm| Some(OnePuzzle::find(form, text)?.puzzle().clone());
        let only = form.as_ref().ok().filter(|_| is_short).and_then(find_one);
        let (puzzles, bad) = match (&form, &only) {
            (Err(_), _) => (0, 0),
            (Ok(_), Some(_)) => (1, 0),
            (Ok(form), None) => OnePuzzle::counts(form, text),
        };
        Self { form, puzzles, bad, only }
    }
}
