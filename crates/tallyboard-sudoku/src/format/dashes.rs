//! Lines of as many dashes as a row has cells: rows of blanks, or frames?
//!
//! Such a line is a frame only if the rows are whole without it. A picture may be whole in either way, as where its first row is
//! blank and another picture follows. Then all pictures up to the next line between pictures are cut in both ways, and the way is
//! taken in which none is left incomplete, and fewest repeat a value.
//!
//! What is decided for a picture among others is decided for the same lines alone, too: so that a chunk of an input may end behind
//! it.

use super::rows::{PictureLine, Words, band, classify};
use super::syntax::Input;
use super::text::lines_with_breaks;

/// A line of a picture.
enum Item {
    /// The value of each cell, 0 for a blank, and whether any blank is a dash or another sign.
    Row {
        values: Vec<u16>,
        has_dashes: bool,
        has_other_blanks: bool,
    },
    Dashes,
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

/// Whether the first lines of dashes in `text`, which begins with a picture, are rows; otherwise they are frames wherever a frame may
/// be: before the first row, and after each band. `None` if later text of the input decides.
pub fn are_rows(text: &[u8], input: Input, side: usize) -> Option<bool> {
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
                    [rows, _] => return Some(rows != block.band),
                }
                continue;
            }
            PictureLine::Between | PictureLine::OtherSection => {
                block.is_whole = true;
                return Some(block.decision());
            }
            // Words, or a row with a mistake.
            PictureLine::Row(count) if count != side => return Some(block.decision()),
            PictureLine::Dashes => {
                part[1] += 1;
                block.items.push(Item::Dashes);
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

/// Whether rows and lines of dashes, told by `true`, can be cut into whole grids of `side` rows.
pub fn are_grids(lines: &[bool], side: usize) -> bool {
    let item = |&is_dashes: &bool| match is_dashes {
        true => Item::Dashes,
        false => Item::Row { values: Vec::new(), has_dashes: true, has_other_blanks: false },
    };
    let items = lines.iter().map(item).collect();
    let block = Block { side, band: band(side), items, is_whole: true };
    block.costs().iter().any(Option::is_some)
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
        let has =
            |signs: &[u8]| cells.iter().any(|cell| cell.len() == 1 && signs.contains(&cell[0]));
        Self::Row { values, has_dashes: has(b"-"), has_other_blanks: has(b"._*?0") }
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
    fn early_decision(&self) -> Option<bool> {
        /// In pictures. Those behind a picture that is taken wrongly do not fit: a few of them show it.
        const MOST_PICTURES: usize = 32;
        let count = self.items.len();
        if count < self.side {
            return None;
        }
        let Framed { rows, .. } = self.framed(0);
        let is_known = !self.may_be_rows(0) || rows == self.side && !self.may_be_framed(0);
        if is_known || count >= MOST_PICTURES * self.side {
            return Some(self.decision());
        }
        if !count.is_multiple_of(self.side) || rows < self.side {
            return None;
        }
        let [as_rows, as_frames] = self.costs();
        (as_rows.is_none() || as_frames.is_none()).then(|| self.decision())
    }

    /// Whether the lines of dashes are rows.
    fn decision(&self) -> bool {
        match (self.may_be_rows(0), self.may_be_framed(0)) {
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
        }
    }

    /// Whether the first picture, which is whole in either way, is one without frames, where nothing behind it tells: if frames are not
    /// between all bands, and blanks are dashes or some line of dashes is a row anyway.
    fn are_likely_rows(&self) -> bool {
        let Framed { frames, has_dashes_as_row, .. } = self.framed(0);
        frames[1..].contains(&0) && (self.are_blanks(0) || has_dashes_as_row)
    }

    /// Whether the picture from `begin` on has dashes as blanks, and no others.
    fn are_blanks(&self, begin: usize) -> bool {
        self.blanks(begin) == [true, false]
    }

    /// Whether the picture from `begin` on, without frames, has dashes among other cells, and whether it has other blanks.
    fn blanks(&self, begin: usize) -> [bool; 2] {
        self.items[begin..].iter().take(self.side).fold([false; 2], |[dashes, others], item| {
            match item {
                Item::Row { has_dashes, has_other_blanks, .. } => {
                    [dashes | has_dashes, others | has_other_blanks]
                }
                Item::Dashes => [dashes, others],
            }
        })
    }

    /// Whether the picture from `begin` on is whole if its lines of dashes are rows.
    fn may_be_rows(&self, begin: usize) -> bool {
        self.items.len() - begin >= self.side && self.blanks(begin) != [false, true]
    }

    /// Whether the picture from `begin` on is whole if its lines of dashes are frames: one between all bands or none, and two at most
    /// above them, where one may be below the picture before it.
    fn may_be_framed(&self, begin: usize) -> bool {
        let Framed { frames, rows, .. } = self.framed(begin);
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
            let Framed { rows, end, items, .. } = self.framed(begin);
            let cost = |items: &[usize], rest: Option<usize>| {
                rest.map(|rest| rest + usize::from(self.repeats_a_value(items)))
            };
            let as_rows = match begin + self.side {
                end if end > count => (!self.is_whole).then_some(0),
                end if self.has_dashes(begin) && !self.may_be_rows(begin) => None,
                end => cost(&(begin..end).collect::<Vec<_>>(), best[end]),
            };
            let is_last_frame =
                self.is_whole && end + 1 == count && matches!(self.items[end], Item::Dashes);
            let as_frames = match self.may_be_framed(begin) {
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
        self.items[begin..].iter().take(self.side).any(|item| matches!(item, Item::Dashes))
    }

    /// Whether a picture of these rows has a value twice in a column or a box.
    fn repeats_a_value(&self, items: &[usize]) -> bool {
        let mut seen = std::collections::HashSet::new();
        items.iter().enumerate().any(|(row, &item)| match &self.items[item] {
            Item::Dashes => false,
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

    /// The picture from `begin` on if lines of dashes are frames wherever a frame may be.
    fn framed(&self, begin: usize) -> Framed {
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
            let is_dashes = matches!(item, Item::Dashes);
            if is_dashes && found.rows % self.band == 0 {
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
