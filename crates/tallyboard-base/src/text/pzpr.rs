//! Puzzles of pzpr, the editor of puzz.link and pzv.jp: the parts of its links and of the texts that it saves.
//!
//! A link has the genre, the columns and the rows, and codes: `https://puzz.link/p?GENRE/COLUMNS/ROWS/CODES`. A text has `pzprv3`, the
//! genre, the rows, the columns (the side alone in a sudoku) and rows of words, a line each or with `/` between them.

use super::areas::areas;

/// A puzzle, of which no more than the genre and the size is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Puzzle {
    /// The name of its rules, one of those that have several.
    pub genre: String,
    /// Its columns.
    pub columns: usize,
    /// Its rows.
    pub rows: usize,
    /// What states the puzzle.
    pub body: Body,
}

/// What states a puzzle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body {
    /// The codes of a link.
    Codes(String),
    /// The words of each line of a text.
    Lines(Vec<Vec<String>>),
}

impl Puzzle {
    /// Its rows and columns, if they are as many.
    ///
    /// # Errors
    /// A board of another shape.
    pub fn side(&self) -> Result<usize, Wrong> {
        match self.rows == self.columns && self.rows > 1 {
            true => Ok(self.rows),
            false => {
                Err(Wrong::new(format!("{} rows of {} cells", self.rows, self.columns), "a square"))
            }
        }
    }
}

/// What is wrong with a puzzle.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("found {found}, expected {expected}")]
pub struct Wrong {
    /// What stands there.
    pub found: String,
    /// What should stand there.
    pub expected: &'static str,
}

impl Wrong {
    /// What was found, and what was expected.
    pub fn new(found: impl Into<String>, expected: &'static str) -> Self {
        Self { found: found.into(), expected }
    }
}

/// The genre of a text that is a puzzle of pzpr; `None` of another text.
pub fn genre(text: &str) -> Option<String> {
    Parts::of(text).map(|parts| parts.genre)
}

/// The puzzle of a text; `None` if it is none of pzpr.
///
/// # Errors
/// What is wrong with it.
pub fn read(text: &str) -> Option<Result<Puzzle, Wrong>> {
    Parts::of(text).map(Parts::puzzle)
}

/// A text, taken apart.
struct Parts {
    genre: String,
    variant: Option<String>,
    is_link: bool,
    /// What is behind the genre.
    rest: Vec<String>,
}

impl Parts {
    fn of(text: &str) -> Option<Self> {
        let text = text.trim();
        // Most texts show in their first letters that they are none, and may be long.
        let is_saved = text.starts_with("pzprv3") || text.starts_with("v:");
        (is_saved || begins_address(text)).then_some(())?;
        let query = query(text);
        let escaped = query.filter(|query| query.starts_with("pzprv3") || query.starts_with("v:"));
        let file = match escaped {
            Some(query) => query.replace("%20", " ").replace("%2F", "/").replace("%2f", "/"),
            None => text.to_owned(),
        };
        let in_one_line = !file.contains('\n') && file.contains('/');
        let mut lines: Vec<String> = match in_one_line {
            true => file.split('/').map(str::to_owned).collect(),
            false => file.lines().map(str::to_owned).collect(),
        };
        let variant_of = |parts: &mut Vec<String>| -> Option<String> {
            let name = parts.first()?.strip_prefix("v:")?.to_owned();
            parts.remove(0);
            Some(name)
        };
        let variant = variant_of(&mut lines);
        let version = lines.first().and_then(|first| first.trim().strip_prefix("pzprv3"));
        if version.is_some_and(|version| version.is_empty() || version.starts_with('.')) {
            let genre = canonical(lines.get(1)?.trim());
            return Some(Self { genre, variant, is_link: false, rest: lines.split_off(2) });
        }
        let mut rest: Vec<String> = query?.split('/').map(str::to_owned).collect();
        let mut variant = variant_of(&mut rest);
        let genre = rest.remove(0);
        let is_name = |name: &str| {
            !name.is_empty()
                && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        };
        if rest.is_empty() || !is_name(&genre) {
            return None;
        }
        variant = variant.or_else(|| variant_of(&mut rest));
        // Options of a few genres stand before the size.
        if rest.first().is_some_and(|option| option.parse::<usize>().is_err()) {
            rest.remove(0);
        }
        let plain = genre.trim_end_matches("_edit").trim_end_matches("_play");
        Some(Self { genre: canonical(plain), variant, is_link: true, rest })
    }

    fn puzzle(self) -> Result<Puzzle, Wrong> {
        let Self { genre, variant, is_link, rest } = self;
        if let Some(variant) = variant {
            return Err(Wrong::new(
                format!("the variant '{variant}' of {genre}"),
                "its usual rules",
            ));
        }
        let size = |at: usize| {
            let found = rest.get(at).map_or("nothing", |word| word.trim());
            let size = found.parse::<usize>().ok().filter(|size| (1..=MOST_ROWS).contains(size));
            size.ok_or_else(|| Wrong::new(format!("'{found}' for the size"), "a number to 99"))
        };
        let (first, second) = (size(0)?, if genre == "sudoku" && !is_link { 0 } else { 1 });
        let second_size = size(second)?;
        let rest = &rest[second + 1..];
        if is_link {
            let mut codes = rest.join("/");
            codes.truncate(codes.trim_end_matches('/').len());
            return Ok(Puzzle {
                genre,
                columns: first,
                rows: second_size,
                body: Body::Codes(codes),
            });
        }
        let is_end = |line: &&String| {
            ["info:{", "history:{", "__HISTORY__", "http://"]
                .iter()
                .any(|end| line.starts_with(end))
        };
        let lines = rest.iter().take_while(|line| !is_end(line));
        let words = |line: &String| line.split_whitespace().map(str::to_owned).collect();
        let body = Body::Lines(lines.map(words).collect());
        Ok(Puzzle { genre, columns: second_size, rows: first, body })
    }
}

/// More rows are in no puzzle that is solved here.
const MOST_ROWS: usize = 99;

/// Whether a text begins with an address, of which the scheme may be left out.
fn begins_address(text: &str) -> bool {
    ["http", "puzz.link/", "pzv.jp/"].iter().any(|begin| text.starts_with(begin))
}

/// What stands behind the question mark of a link of pzpr, without parameters of the page; `None` of another text.
fn query(text: &str) -> Option<&str> {
    if !begins_address(text) || text.contains('\n') {
        return None;
    }
    let (address, mut query) = text.split_once('?')?;
    let is_page = ["/p", "/p.html", "/p.php"].iter().any(|page| address.ends_with(page));
    while let Some((parameter, behind)) = query.split_once('&') {
        if parameter.contains('/') || !parameter.contains('=') {
            break;
        }
        query = behind;
    }
    is_page.then_some(query)
}

/// One name of the rules that have several.
fn canonical(genre: &str) -> String {
    match genre {
        "building" | "skyscraper" => "skyscrapers",
        genre => genre,
    }
    .to_owned()
}

/// The first numbers of codes, `None` where there is none, and the codes behind them. A number is a digit of base 16, or `-` and two;
/// `g` to `z` stand for 1 to 20 places without one.
///
/// # Errors
/// What is wrong with it.
pub fn numbers(codes: &str, count: usize) -> Result<(Vec<Option<u32>>, &str), Wrong> {
    let mut numbers = Vec::with_capacity(count);
    let mut rest = codes;
    while let Some(code) = rest.chars().next().filter(|_| numbers.len() < count) {
        let (from, length) = if code == '-' { (1, 3) } else { (0, code.len_utf8()) };
        match code {
            'g'..='z' => {
                let blanks = code as usize - 'g' as usize + 1;
                numbers.resize((numbers.len() + blanks).min(count), None);
            }
            _ => {
                let digits = rest.get(from..length).unwrap_or("");
                let number = u32::from_str_radix(digits, 16);
                let wrong = |_| {
                    let expected = "numbers of base 16, and letters from g on for blanks";
                    Wrong::new(format!("'{rest}' in the codes of numbers"), expected)
                };
                numbers.push(Some(number.map_err(wrong)?));
            }
        }
        rest = &rest[length..];
    }
    // The editor writes blanks at the end, too. Fewer cells are those of a link that was cut.
    if numbers.len() < count {
        let found = format!("the end behind {} cells of {count}", numbers.len());
        return Err(Wrong::new(found, "a link that was copied whole"));
    }
    Ok((numbers, rest))
}

/// The area of each cell by the codes of its borders: a bit for each pair side by side, then one for each pair one above the other, five
/// in a digit of base 32.
///
/// # Errors
/// What is wrong with it.
pub fn areas_of(codes: &str, rows: usize, columns: usize) -> Result<Vec<usize>, Wrong> {
    const BITS: usize = 5;
    let (across, down) = (rows * (columns - 1), (rows - 1) * columns);
    let (first, second) = (across.div_ceil(BITS), down.div_ceil(BITS));
    let digits: Option<Vec<u32>> = codes.chars().map(|code| code.to_digit(32)).collect();
    let digits = digits.filter(|digits| digits.len() == first + second).ok_or_else(|| {
        Wrong::new(
            format!("'{codes}' for the borders"),
            "a digit of base 32 for five pairs of cells",
        )
    })?;
    let bit = |digits: &[u32], at: usize| digits[at / BITS] >> (BITS - 1 - at % BITS) & 1 == 1;
    Ok(areas(rows, columns, |one, other| match columns > 1 && other == one + 1 {
        true => bit(&digits[..first], one / columns * (columns - 1) + one % columns),
        false => bit(&digits[first..], one),
    }))
}
