//! Lines of as many dashes as a row has cells: rows of blanks, or frames?
//!
//! Such a line is a frame only if the rows are whole without it. A picture may be whole in either way, as where its first row is
//! blank and another picture follows. Then all pictures up to the next line between pictures are cut in both ways, and the way is
//! taken in which none is left incomplete, and fewest repeat a value.
//!
//! What is decided for a picture among others is decided for the same lines alone, too: so that a chunk of an input may end behind
//! it.

use super::rows::{Dashes, PictureLine, Words, band, classify};
use super::syntax::Input;
use super::text::lines_with_breaks;

/// A line of a picture.
enum Item {
    /// The value of each cell, 0 for a blank, and the signs of blanks.
    Row { values: Vec<u16>, blanks: Vec<u8>, is_bare: bool },
    /// Dashes or underscores, perhaps without anything between them.
    Dashes { sign: u8, is_bare: bool },
}

/// The lines of pictures up to the next one that is between pictures.
struct Block {
    side: usize,
    /// The rows of a band, between which frames are.
    band: usize,
    items: Vec<Item>,
    /// Whether nothing follows that belongs to these pictures.
    is_whole: bool,
}

/// What the first lines of dashes in `text` are, which begins with a picture. `None` if later text of the input decides.
pub fn meaning(text: &[u8], input: Input, side: usize) -> Option<Dashes> {
    let mut block = Block { side, band: band(side), items: Vec::new(), is_whole: false };
    // The rows and the lines of dashes since the last empty line.
    let mut part = [0, 0];
    for line in lines_with_breaks(text) {
        if input == Input::Continues && !line.ends_with(b"\n") {
            return None;
        }
        match classify(line, side).0 {
            PictureLine::Frame => continue,
            PictureLine::Between if line.trim_ascii().is_empty() && block.is_in_bands(part) => {
                match part {
                    [_, 0] => part = [0, 0],
                    // All lines of this part are a band, or its rows are.
                    [rows, _] => return Some(Dashes::rows_if(rows != block.band)),
                }
                continue;
            }
            PictureLine::Between | PictureLine::OtherSection => {
                block.is_whole = true;
                return Some(block.decision());
            }
            // Words, or a row with a mistake.
            PictureLine::Row(count) if count != side => return Some(block.decision()),
            PictureLine::Dashes { sign, is_bare } => {
                part[1] += 1;
                block.items.push(Item::Dashes { sign, is_bare });
            }
            PictureLine::Row(_) => {
                part[0] += 1;
                block.items.push(Item::of(line, side));
            }
        }
        if let Some(decision) = block.early_decision() {
            return Some(decision);
        }
    }
    block.is_whole = true;
    (input == Input::HasEnded).then(|| block.decision())
}

impl Item {
    fn of(line: &[u8], side: usize) -> Self {
        let words = Words::of(line, side).words;
        let cells: Vec<&[u8]> = match words.len() == side {
            true => words,
            false => words.iter().flat_map(|word| word.chunks(1)).collect(),
        };
        let value = |cell: &&[u8]| match **cell {
            [] | [b'0' | b'x' | b'X'] => 0,
            [byte] if byte.is_ascii_alphanumeric() => u16::from(byte),
            // Numbers up to the side; pencil marks are longer than those of a grid of nine.
            [one, two] if side > 9 => u16::from_be_bytes([one, two]),
            _ => 0,
        };
        let values: Vec<u16> = cells.iter().map(value).collect();
        let is_blank = |cell: &&&[u8]| cell.len() == 1 && b"-._*?0".contains(&cell[0]);
        let blanks = cells.iter().filter(is_blank).map(|cell| cell[0]).collect();
        Self::Row { values, blanks, is_bare: line.trim_ascii().len() == side }
    }
}

impl Block {
    /// Whether an empty line may stand between the bands of the first picture, of which the lines since the last empty line are
    /// one.
    fn is_in_bands(&self, [rows, dashes]: [usize; 2]) -> bool {
        self.band < self.side
            && self.items.len() < self.side + dashes
            && (rows == self.band || rows + dashes == self.band)
    }

    /// As [`decision`](Self::decision), where more may follow: `None` if that may decide. It is asked behind each line, so that what
    /// decides is the text, not how much of it is at hand.
    fn early_decision(&self) -> Option<Dashes> {
        /// In pictures. Those behind a picture that is taken wrongly do not fit: a few of them show it.
        const MOST_PICTURES: usize = 32;
        let count = self.items.len();
        if count < self.side {
            return None;
        }
        let is_open = |&dashes: &Dashes| {
            self.tells_rows(dashes, count) && self.framed(0, dashes).rows < self.side
        };
        if count < MOST_PICTURES * self.side && Dashes::TOLD_APART.iter().any(is_open) {
            return None;
        }
        let Framed { rows, .. } = self.framed(0, Dashes::Frames);
        let is_known = self.told_apart().is_some()
            || !self.may_be_rows(0)
            || rows == self.side && !self.may_be_framed(0, Dashes::Frames);
        if is_known || count >= MOST_PICTURES * self.side {
            return Some(self.decision());
        }
        if !count.is_multiple_of(self.side) || rows < self.side {
            return None;
        }
        let [as_rows, as_frames] = self.costs();
        (as_rows.is_none() || as_frames.is_none()).then(|| self.decision())
    }

    /// What the lines of dashes are.
    fn decision(&self) -> Dashes {
        if let Some(dashes) = self.told_apart() {
            return dashes;
        }
        Dashes::rows_if(match (self.may_be_rows(0), self.may_be_framed(0, Dashes::Frames)) {
            (true, false) => true,
            (false, true) => false,
            // Rows are missing: those that would be blank may be among them.
            (false, false) => self.items.len() < self.side && self.are_blanks(0),
            (true, true) => match self.costs() {
                [Some(_), None] => true,
                [None, Some(_)] => false,
                [Some(as_rows), Some(as_frames)] if as_rows != as_frames => as_rows < as_frames,
                _ => self.are_likely_rows(),
            },
        })
    }

    /// How blank rows of the first picture are told from frames by their look, if it is whole so. If the sign alone tells them, frames
    /// stand between all bands: either sign might be that of a blank row above.
    fn told_apart(&self) -> Option<Dashes> {
        Dashes::TOLD_APART.into_iter().find(|&dashes| {
            let Framed { frames, end, .. } = self.framed(0, dashes);
            self.may_be_framed(0, dashes)
                && (dashes == Dashes::RowsIfSpaced || !frames[1..].contains(&0))
                && self.tells_rows(dashes, end)
        })
    }

    /// Whether the first lines, so many, have frames that are told so from blank rows: their rows have signs between cells, and some
    /// line of dashes has none; or their blanks, or blank rows, have one of the two
    /// signs, and some line of dashes has the other.
    fn tells_rows(&self, dashes: Dashes, count: usize) -> bool {
        let items = &self.items[..count];
        let has_blank = |sign: u8| {
            items
                .iter()
                .any(|item| matches!(item, Item::Row { blanks, .. } if blanks.contains(&sign)))
        };
        let are_rows = match dashes {
            Dashes::RowsIf(blank) => {
                let is_row =
                    |item: &Item| matches!(item, Item::Dashes { sign, .. } if *sign == blank);
                !has_blank(b'-' + b'_' - blank) && (has_blank(blank) || items.iter().any(is_row))
            }
            _ => {
                let row = items.iter().find(|item| matches!(item, Item::Row { .. }));
                matches!(row, Some(Item::Row { is_bare: false, .. }))
            }
        };
        let is_frame = |item: &Item| match *item {
            Item::Dashes { sign, is_bare } => dashes.may_be_frame(sign, is_bare),
            Item::Row { .. } => false,
        };
        are_rows && items.iter().any(is_frame)
    }

    /// Whether the first picture, which is whole in either way, is one without frames, where nothing behind it tells: if frames are not
    /// between all bands, and blanks are dashes or some line of dashes is a row anyway.
    fn are_likely_rows(&self) -> bool {
        let Framed { frames, has_dashes_as_row, .. } = self.framed(0, Dashes::Frames);
        frames[1..].contains(&0) && (self.are_blanks(0) || has_dashes_as_row)
    }

    /// Whether the picture from `begin` on has dashes as blanks, and no others.
    fn are_blanks(&self, begin: usize) -> bool {
        self.blanks(begin) == [true, false]
    }

    /// Whether the picture from `begin` on, without frames, has the sign of its lines of dashes among other cells, and whether it has
    /// other blanks.
    fn blanks(&self, begin: usize) -> [bool; 2] {
        let items = self.items[begin..].iter().take(self.side);
        let sign = items.clone().find_map(|item| match item {
            Item::Dashes { sign, .. } => Some(*sign),
            Item::Row { .. } => None,
        });
        let blanks = items.filter_map(|item| match item {
            Item::Dashes { .. } => None,
            Item::Row { blanks, .. } => Some(blanks),
        });
        let mut has = [false; 2];
        blanks.flatten().for_each(|&blank| has[usize::from(Some(blank) != sign)] = true);
        has
    }

    /// Whether the picture from `begin` on is whole if its lines of dashes are rows.
    fn may_be_rows(&self, begin: usize) -> bool {
        self.items.len() - begin >= self.side && self.blanks(begin) != [false, true]
    }

    /// Whether the picture from `begin` on is whole if its lines of dashes are frames, all or the bare ones: one between all bands or
    /// none, and two at most above them, where one may be below the picture before it.
    fn may_be_framed(&self, begin: usize, dashes: Dashes) -> bool {
        let Framed { frames, rows, .. } = self.framed(begin, dashes);
        let inner = &frames[1..];
        rows == self.side
            && frames[0] <= 2
            && (inner.iter().all(|&count| count == 1) || inner.iter().all(|&count| count == 0))
    }

    /// The number of pictures that repeat a value, if the lines of dashes of the first one are rows, and if they are frames, in the
    /// better way for all others; `None` if they cannot be cut into whole pictures. Of a block that goes on the last picture may lack
    /// rows.
    fn costs(&self) -> [Option<usize>; 2] {
        let count = self.items.len();
        // Those of the pictures from each item on.
        let mut best = vec![None; count + 1];
        best[count] = Some(0);
        let mut first = [None; 2];
        for begin in (0..count).rev() {
            let Framed { rows, end, items, .. } = self.framed(begin, Dashes::Frames);
            let cost = |items: &[usize], rest: Option<usize>| {
                rest.map(|rest| rest + usize::from(self.repeats_a_value(items)))
            };
            let as_rows = match begin + self.side {
                end if end > count => (!self.is_whole).then_some(0),
                _ if self.has_dashes(begin) && !self.may_be_rows(begin) => None,
                end => cost(&(begin..end).collect::<Vec<_>>(), best[end]),
            };
            let is_last_frame =
                self.is_whole && end + 1 == count && matches!(self.items[end], Item::Dashes { .. });
            let as_frames = match self.may_be_framed(begin, Dashes::Frames) {
                true if is_last_frame => cost(&items, Some(0)),
                true => cost(&items, best[end]),
                false => (rows < self.side && !self.is_whole).then_some(0),
            };
            first = [as_rows, as_frames];
            best[begin] = match first {
                [Some(one), Some(other)] => Some(one.min(other)),
                [one, other] => one.or(other),
            };
        }
        first
    }

    /// Whether one of the rows of the picture from `begin` on would be a line of dashes.
    fn has_dashes(&self, begin: usize) -> bool {
        self.items[begin..].iter().take(self.side).any(|item| matches!(item, Item::Dashes { .. }))
    }

    /// Whether a picture of these rows has a value twice in a column or a box.
    fn repeats_a_value(&self, items: &[usize]) -> bool {
        let mut seen = std::collections::HashSet::new();
        items.iter().enumerate().any(|(row, &item)| match &self.items[item] {
            Item::Dashes { .. } => false,
            Item::Row { values, .. } => {
                let given = values.iter().enumerate().filter(|(_, value)| **value != 0);
                let mut places = given.flat_map(|(column, &value)| {
                    let in_box = (true, row / self.band, column / self.band, value);
                    let in_box = (self.band < self.side).then_some(in_box);
                    in_box.into_iter().chain([(false, 0, column, value)])
                });
                places.any(|place| !seen.insert(place))
            }
        })
    }

    /// The picture from `begin` on if lines of dashes are so.
    fn framed(&self, begin: usize, dashes: Dashes) -> Framed {
        let mut found = Framed {
            frames: vec![0; self.side / self.band],
            rows: 0,
            items: Vec::new(),
            end: begin,
            has_dashes_as_row: false,
        };
        for (number, item) in self.items.iter().enumerate().skip(begin) {
            if found.rows == self.side {
                break;
            }
            let is_dashes = matches!(item, Item::Dashes { .. });
            let may_be_frame = match item {
                Item::Row { .. } => false,
                Item::Dashes { sign, is_bare } => dashes.may_be_frame(*sign, *is_bare),
            };
            if may_be_frame && found.rows.is_multiple_of(self.band) {
                found.frames[found.rows / self.band] += 1;
            } else {
                found.rows += 1;
                found.items.push(number);
                found.has_dashes_as_row |= is_dashes;
            }
            found.end += 1;
        }
        found
    }
}

/// A picture whose lines of dashes are frames wherever a frame may be.
struct Framed {
    /// The number of frames before each band.
    frames: Vec<usize>,
    rows: usize,
    /// Those of the rows.
    items: Vec<usize>,
    /// Where it ends among the items.
    end: usize,
    /// Whether a line of dashes is a row, as no frame may be there.
    has_dashes_as_row: bool,
}

#[cfg(test)]
mod tests {
    use crate::format::{Form, FormOptions, Format, Row};
    use crate::grid::test_grids::SOLVED;
    use crate::stream::{Settings, solve_stream};
    use tallyboard_base::random::Random;
    use tallyboard_search::Stop;

    /// The puzzles of a text in the form that is found, with dots as blanks; and what is wrong with its lines.
    fn puzzles(text: &str, threads: usize, chunk_bytes: usize) -> (Vec<String>, Vec<String>) {
        let wanted = FormOptions { output: Some(Format::Lines), ..FormOptions::default() };
        let form = Form::find(text.as_bytes(), &wanted).expect(text);
        let (mut rows, mut bad, stop) = (Vec::new(), Vec::new(), Stop::new());
        let settings = Settings { threads, chunk_bytes: Some(chunk_bytes), ..Settings::new(&stop) };
        let settings = Settings { row: Row::COUNT, ..settings };
        let report = &mut |line: &crate::error::BadLine| bad.push(line.to_string());
        solve_stream(&form, &mut text.as_bytes(), &mut rows, &settings, report).expect(text);
        let rows = String::from_utf8(rows).expect("rows are text");
        let cells = |row: &str| {
            let cells = row.split(':').next().unwrap_or_default();
            cells.replace(['-', '_', '0', '*', '?'], ".")
        };
        (rows.lines().map(cells).collect(), bad)
    }

    /// A grid of nine rows of some symmetry, with blanks; some rows may be empty.
    fn grid(random: &mut Random) -> String {
        let pick = |random: &mut Random| {
            let mut order = [0, 1, 2];
            random.shuffle(&mut order);
            order
        };
        let (bands, rows) = (pick(random), pick(random));
        let (stacks, columns) = (pick(random), pick(random));
        let empty: Vec<u32> = (0..random.below(3)).map(|_| random.below(9)).collect();
        let blanks = random.below(4);
        let cell = |row: usize, column: usize| {
            let row = 3 * bands[row / 3] + rows[row % 3];
            SOLVED.as_bytes()[9 * row + 3 * stacks[column / 3] + columns[column % 3]]
        };
        let cells: Vec<u8> = (0..81).map(|at| cell(at / 9, at % 9)).collect();
        let shown = |(at, cell): (usize, u8)| {
            let is_blank = empty.contains(&(at as u32 / 9)) || random.below(8) < blanks;
            char::from(if is_blank { b'.' } else { cell })
        };
        cells.into_iter().enumerate().map(shown).collect()
    }

    /// A grid as people draw it: with `between` cells and `bar` between boxes, and a line of dashes or of other signs between bands and
    /// around, if any.
    fn drawn(
        grid: &str,
        blank: &str,
        [between, bar]: [&str; 2],
        frame: &str,
        is_around: bool,
    ) -> String {
        let row = |row: &str| {
            let cells: Vec<String> = row.chars().map(|cell| cell.to_string()).collect();
            let parts: Vec<String> = cells.chunks(3).map(|part| part.join(between)).collect();
            parts.join(bar).replace('.', blank) + "\n"
        };
        let frame = if frame.is_empty() { String::new() } else { format!("{frame}\n") };
        let rows: Vec<String> = (0..9).map(|at| row(&grid[9 * at..][..9])).collect();
        let bands = rows.chunks(3).map(<[String]>::concat).collect::<Vec<_>>().join(&frame);
        if is_around { format!("{frame}{bands}{frame}") } else { bands }
    }

    /// Grids in all ways to draw them are read as they were drawn, whatever chunks they are cut into.
    #[test]
    fn drawn_grids_are_read_as_they_were_drawn() {
        const BETWEEN: [[&str; 2]; 7] = [
            ["", ""],
            [" ", " "],
            [" ", " | "],
            ["\t", "\t"],
            [",", ","],
            ["", " "],
            [" | ", " | "],
        ];
        const BLANKS: [&str; 5] = ["-", "-", ".", "_", "0"];
        const FRAMES: [&str; 5] =
            ["", "---------", "------+-------+------", "===========", "---+---+---"];
        let mut random = Random::from_seed(85);
        let mut kinds = [0; 2];
        for _ in 0..150 {
            let pick = |random: &mut Random, count: usize| random.below(count as u32) as usize;
            let between = BETWEEN[pick(&mut random, BETWEEN.len())];
            let blank = BLANKS[pick(&mut random, BLANKS.len())];
            let frame = FRAMES[pick(&mut random, FRAMES.len())];
            // Blank rows of underscores beside frames of dashes are told apart only where signs stand between the cells.
            if blank == "_" && frame == "---------" && between[0].is_empty() {
                continue;
            }
            let is_around = random.below(2) == 0;
            let gap = ["", "\n", "# next\n"][pick(&mut random, 3)];
            let grids: Vec<String> = (0..1 + random.below(5)).map(|_| grid(&mut random)).collect();
            let draw = |grid: &String| drawn(grid, blank, between, frame, is_around);
            let text = grids.iter().map(draw).collect::<Vec<_>>().join(gap);
            kinds[usize::from(frame == "---------" && blank == "-")] += 1;
            for (threads, chunk_bytes) in [(1, 1 << 16), (1, 1), (2, 1 + pick(&mut random, 700))] {
                let (found, bad) = puzzles(&text, threads, chunk_bytes);
                let found: Vec<_> = found.into_iter().filter(|row| row.len() == 81).collect();
                assert_eq!((found, bad), (grids.clone(), vec![]), "{text}{threads} {chunk_bytes}");
            }
        }
        assert!(kinds.into_iter().all(|count| count > 5), "{kinds:?}");
    }
}
