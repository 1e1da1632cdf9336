//! Values in brackets, as JSON, Python, JavaScript and other languages write them.
//!
//! All JSON is read, and beside it quotes of any kind, `(` and `)`, names without quotes, a comma behind the last item or none
//! between two items (as NumPy prints them), sets, and comments: `//`, `/* */`, `#`, and lines that begin with `|` or `;`.

use std::fmt;

use super::{MOST_DEPTH, Mistake};

/// A value and the line in which it begins, from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Value {
    /// The line.
    pub line: usize,
    /// What stands there.
    pub content: Content,
}

/// What a value is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// A number or a bare word, such as `true`, as it is written.
    Word(String),
    /// A text in quotes, without these and its escapes.
    Quoted(String),
    /// A list, a tuple or a set.
    List(Vec<Value>),
    /// An object or a dictionary, in the order of its members.
    Object(Vec<(String, Value)>),
}

impl Value {
    /// The value under the first of `names` that an object has; of a name that is there twice the last value, as in other readers.
    pub fn get(&self, names: &[&str]) -> Option<&Self> {
        let Content::Object(pairs) = &self.content else { return None };
        let value = |name: &&str| pairs.iter().rfind(|(key, _)| key == name).map(|pair| &pair.1);
        names.iter().find_map(value)
    }

    /// A word or a text in quotes.
    pub fn text(&self) -> Option<&str> {
        match &self.content {
            Content::Word(text) | Content::Quoted(text) => Some(text),
            _ => None,
        }
    }

    /// The items of a list; none of an object without members, which Python writes as it does an empty set in a list of sets.
    pub fn items(&self) -> Option<&[Self]> {
        match &self.content {
            Content::List(items) => Some(items),
            Content::Object(pairs) if pairs.is_empty() => Some(&[]),
            _ => None,
        }
    }
}

/// A value as messages name it: words and texts as they are, anything larger by its kind.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match &self.content {
            Content::Word(word) => write!(f, "'{word}'"),
            Content::Quoted(text) => write!(f, "{text:?}"),
            Content::List(_) => write!(f, "a list"),
            Content::Object(_) => write!(f, "an object"),
        }
    }
}

/// Reads the value that `text` begins with. Returns it, and the number of bytes up to its end.
///
/// # Errors
/// [`Mistake`] if there is no value, or one that has no end.
pub fn read(text: &str) -> Result<(Value, usize), Mistake> {
    let mut reader = Reader::new(text);
    let value = reader.value(0)?;
    Ok((value, reader.at))
}

/// Reads the value that a text consists of, perhaps behind a name and `=`, and with a `;` behind it.
///
/// # Errors
/// [`Mistake`] if it is none, or more.
pub fn read_only(text: &str) -> Result<Value, Mistake> {
    let mut reader = Reader::new(text);
    if reader.peek()?.is_some_and(is_of_name) {
        while reader.peek()?.is_some_and(is_of_name) {
            reader.word();
        }
        match reader.peek()? {
            Some('=') => reader.skip(1),
            found => return Err(reader.wrong(found, "'=' and a value in brackets")),
        }
    }
    let value = reader.value(0)?;
    if reader.peek()? == Some(';') {
        reader.skip(1);
    }
    match reader.peek()? {
        None => Ok(value),
        found => Err(reader.wrong(found, "nothing behind the last bracket")),
    }
}

/// The end of the value in brackets that bytes begin with, found piece by piece: brackets within quotes and comments are left out.
#[derive(Debug, Clone, Copy, Default)]
pub struct Brackets {
    depth: usize,
    within: Within,
}

/// What a byte stands in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Within {
    #[default]
    Nothing,
    /// Behind a `/` that may begin a comment.
    Slash,
    LineComment,
    Comment,
    /// Behind a `*` in a comment.
    Star,
    Quotes(u8),
    /// Behind a `\` within such quotes.
    Escape(u8),
}

impl Brackets {
    /// Takes the next bytes. Returns how many of them there are up to the bracket that closes the first one, if it is among them.
    pub fn end(&mut self, bytes: &[u8]) -> Option<usize> {
        for (at, &byte) in bytes.iter().enumerate() {
            self.within = match (self.within, byte) {
                (Within::Quotes(open), b'\\') => Within::Escape(open),
                (Within::Quotes(open), _) if byte != open => Within::Quotes(open),
                (Within::Escape(open), _) => Within::Quotes(open),
                (Within::Slash, b'/') => Within::LineComment,
                (Within::Slash, b'*') => Within::Comment,
                (Within::LineComment, _) if byte != b'\n' => Within::LineComment,
                (Within::Star, b'/') => Within::Nothing,
                (Within::Comment | Within::Star, b'*') => Within::Star,
                (Within::Comment | Within::Star, _) => Within::Comment,
                (Within::Quotes(_) | Within::LineComment, _) => Within::Nothing,
                (_, b'"' | b'\'' | b'`') => Within::Quotes(byte),
                (_, b'/') => Within::Slash,
                (_, b'#') => Within::LineComment,
                (_, b'[' | b'{' | b'(') => {
                    self.depth += 1;
                    Within::Nothing
                }
                (_, b']' | b'}' | b')') => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == 0 {
                        return Some(at + 1);
                    }
                    Within::Nothing
                }
                _ => Within::Nothing,
            };
        }
        None
    }
}

/// Whether a sign is part of a word.
fn is_of_word(sign: char) -> bool {
    sign.is_alphanumeric() || matches!(sign, '_' | '$' | '.' | '-' | '+')
}

/// Whether a sign is part of the name to which a value is given, or of its type.
fn is_of_name(sign: char) -> bool {
    sign.is_alphanumeric() || sign == '_'
}

/// Whether a word names something: no number does.
fn is_name(word: &str) -> bool {
    word.starts_with(|first: char| first.is_alphabetic() || matches!(first, '_' | '$'))
}

struct Reader<'a> {
    text: &'a str,
    /// The index of the next byte.
    at: usize,
    /// The number of its line.
    line: usize,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        Self { text, at: 0, line: 1 }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Skips bytes without line breaks.
    fn skip(&mut self, bytes: usize) {
        self.at += bytes;
    }

    fn skip_lines(&mut self, bytes: usize) {
        self.line += self.rest()[..bytes].bytes().filter(|&byte| byte == b'\n').count();
        self.at += bytes;
    }

    /// The next sign that is no white space and in no comment. It stays to be read.
    fn peek(&mut self) -> Result<Option<char>, Mistake> {
        loop {
            let rest = self.rest();
            let Some(next) = rest.chars().next() else { return Ok(None) };
            let is_comment = match next {
                '#' => true,
                '/' => rest.starts_with("//"),
                '|' | ';' => self.begins_line(),
                _ => false,
            };
            if next.is_whitespace() {
                self.line += usize::from(next == '\n');
                self.at += next.len_utf8();
            } else if is_comment {
                self.skip(rest.find('\n').unwrap_or(rest.len()));
            } else if let Some(comment) = rest.strip_prefix("/*") {
                let end = comment.find("*/").ok_or_else(|| self.ended("'*/'"))?;
                self.skip_lines(end + 4);
            } else {
                return Ok(Some(next));
            }
        }
    }

    /// Whether nothing but white space stands before the next sign in its line.
    fn begins_line(&self) -> bool {
        let before = self.text[..self.at].trim_end_matches([' ', '\t']);
        before.is_empty() || before.ends_with('\n')
    }

    fn value(&mut self, depth: usize) -> Result<Value, Mistake> {
        let next = self.peek()?;
        let line = self.line;
        let content = match next {
            Some(open @ ('[' | '(' | '{')) => {
                if depth == MOST_DEPTH {
                    return Err(Mistake::too_deep(line, "brackets"));
                }
                self.skip(1);
                match open {
                    '[' => Content::List(self.items(Vec::new(), ']', depth)?),
                    '(' => Content::List(self.items(Vec::new(), ')', depth)?),
                    _ => self.braces(depth)?,
                }
            }
            Some(quote @ ('"' | '\'' | '`')) => Content::Quoted(self.quoted(quote)?),
            Some(sign) if is_of_word(sign) => Content::Word(self.word().to_owned()),
            found => return Err(self.wrong(found, "a value")),
        };
        Ok(Value { line, content })
    }

    /// The items up to the bracket `close`, behind those that were read.
    fn items(
        &mut self,
        mut items: Vec<Value>,
        close: char,
        depth: usize,
    ) -> Result<Vec<Value>, Mistake> {
        while !self.ends(close)? {
            items.push(self.value(depth + 1)?);
            self.comma(close)?;
        }
        Ok(items)
    }

    /// Takes the bracket `close` if it is next.
    fn ends(&mut self, close: char) -> Result<bool, Mistake> {
        let ends = self.peek()? == Some(close);
        self.skip(usize::from(ends));
        Ok(ends)
    }

    /// Takes the comma behind an item. It may be left out before a bracket, and where a gap is between two items.
    fn comma(&mut self, close: char) -> Result<(), Mistake> {
        let end = self.at;
        match self.peek()? {
            Some(',') => self.skip(1),
            Some(found) if found == close => {}
            Some('[' | '(' | '{') => {}
            Some(found) if self.at > end && (is_of_word(found) || "\"'`".contains(found)) => {}
            found => return Err(self.wrong(found, format!("',' or '{close}'"))),
        }
        Ok(())
    }

    /// What stands in braces: members with a colon, or in scripts the name of a variable alone; or the items of a set.
    fn braces(&mut self, depth: usize) -> Result<Content, Mistake> {
        let mut pairs: Vec<(String, Value)> = Vec::new();
        while !self.ends('}')? {
            let key = self.value(depth + 1)?;
            let has_colon = self.peek()? == Some(':');
            let name = match key.content {
                Content::Word(name) if has_colon || is_name(&name) => name,
                Content::Quoted(name) if has_colon => name,
                content if pairs.is_empty() && !has_colon => {
                    self.comma('}')?;
                    let first = Value { line: key.line, content };
                    return Ok(Content::List(self.items(vec![first], '}', depth)?));
                }
                Content::List(_) | Content::Object(_) => {
                    return Err(Mistake::new(key.line, "a list or an object", "a name"));
                }
                _ => {
                    let found = self.peek()?;
                    return Err(self.wrong(found, "':' and a value"));
                }
            };
            let value = if has_colon {
                self.skip(1);
                self.value(depth + 1)?
            } else {
                Value { line: key.line, content: Content::Word(name.clone()) }
            };
            pairs.push((name, value));
            self.comma('}')?;
        }
        Ok(Content::Object(pairs))
    }

    fn word(&mut self) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|sign| !is_of_word(sign)).unwrap_or(rest.len());
        self.skip(end);
        &rest[..end]
    }

    /// The text up to the quote that it begins with.
    fn quoted(&mut self, quote: char) -> Result<String, Mistake> {
        self.skip(1);
        let mut text = String::new();
        loop {
            let rest = self.rest();
            let end = rest.find([quote, '\\', '\n']);
            let end = end.ok_or_else(|| self.unended(quote, &format!("{text}{rest}")))?;
            text += &rest[..end];
            self.skip(end);
            match rest.as_bytes()[end] {
                b'\\' => text.push(self.escape()?),
                b'\n' if quote == '`' => {
                    text.push('\n');
                    self.skip_lines(1);
                }
                b'\n' => return Err(self.unended(quote, &text)),
                _ => {
                    self.skip(1);
                    return Ok(text);
                }
            }
        }
    }

    /// The sign that an escape stands for.
    fn escape(&mut self) -> Result<char, Mistake> {
        let sign = self.rest().chars().nth(1);
        let plain = match sign {
            Some(sign @ ('"' | '\'' | '`' | '\\' | '/')) => sign,
            Some('n') => '\n',
            Some('t') => '\t',
            Some('r') => '\r',
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('u') => return self.unicode(),
            _ => {
                let found = sign.map_or("'\\'".to_owned(), |sign| format!("'\\{sign}'"));
                return Err(Mistake::new(self.line, found, "an escape such as '\\\"' or '\\\\'"));
            }
        };
        self.skip(2);
        Ok(plain)
    }

    /// The sign with a number of four hexadecimal digits, or of two such numbers as in UTF-16.
    fn unicode(&mut self) -> Result<char, Mistake> {
        let unit = |text: &str| {
            let digits = text.strip_prefix("\\u")?.get(..4)?;
            let is_number = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
            is_number.then(|| u16::from_str_radix(digits, 16).ok()).flatten()
        };
        let rest = self.rest();
        let first = unit(rest);
        let second = rest.get(6..).and_then(unit);
        let units = first.into_iter().chain(second);
        match char::decode_utf16(units).next() {
            Some(Ok(sign)) => {
                self.skip(6 * sign.len_utf16());
                Ok(sign)
            }
            _ => Err(Mistake::new(self.line, "'\\u'", "it before the digits of a sign")),
        }
    }

    fn unended(&self, quote: char, text: &str) -> Mistake {
        let expected = "a text that ends with a quote in its line";
        Mistake::new(self.line, format!("{quote}{text}"), expected)
    }

    fn ended(&self, expected: &str) -> Mistake {
        Mistake::new(self.line, "the end of the file", expected)
    }

    fn wrong(&self, found: Option<char>, expected: impl Into<String>) -> Mistake {
        match found {
            None => self.ended(&expected.into()),
            Some(found) => Mistake::new(self.line, format!("{found:?}"), expected),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A value as JSON, words as they are.
    fn json(value: &Value) -> String {
        let of_pair = |(name, value): &(String, Value)| format!("{name:?}:{}", json(value));
        match &value.content {
            Content::Word(word) => word.clone(),
            Content::Quoted(text) => format!("{text:?}"),
            Content::List(items) => {
                format!("[{}]", items.iter().map(json).collect::<Vec<_>>().join(","))
            }
            Content::Object(pairs) => {
                format!("{{{}}}", pairs.iter().map(of_pair).collect::<Vec<_>>().join(","))
            }
        }
    }

    fn told(text: &str) -> String {
        match read_only(text) {
            Ok(value) => json(&value),
            Err(error) => format!("line {}: {error}", error.line),
        }
    }

    #[test]
    fn other_languages_write_the_same_values() {
        for (text, expected) in [
            ("[1, -2.5e+3, true, null,]", "[1,-2.5e+3,true,null]"),
            ("grid = ((1, 2), ['a', `b`]);", "[[1,2],[\"a\",\"b\"]]"),
            ("int grid = {{1, 2}, {3}}", "[[1,2],[3]]"),
            ("[[1 0 0]\n [0 1 1]]", "[[1,0,0],[0,1,1]]"),
            ("{1, 'a', 2}", "[1,\"a\",2]"),
            ("{'a': [1], b: {}, c}", "{\"a\":[1],\"b\":{},\"c\":c}"),
            ("# don't [\n[1, // it's [\n2 /* \" */]\n; \"\n| }\n", "[1,2]"),
            ("/*/ [ */[7]", "[7]"),
            (r#""a\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00""#, "\"a\\\"\\\\/\\u{8}\\u{c}\\n\\r\\té😀\""),
        ] {
            assert_eq!(told(text), expected, "{text}");
        }
        let lines = "[\n[1],\n// [\n[2]]";
        let value = read_only(lines).unwrap();
        assert_eq!(value.items().unwrap().iter().map(|it| it.line).collect::<Vec<_>>(), [2, 4]);
        assert_eq!(read("[1] rest").unwrap().1, 3);
        let twice = read_only("{a: 1, b: 2, a: 3}").unwrap();
        assert_eq!(twice.get(&["c", "a"]).and_then(Value::text), Some("3"));
    }

    #[test]
    fn mistakes_are_told_with_their_line() {
        for (text, expected) in [
            ("", "line 1: found the end of the file, expected a value"),
            ("[1,\n2", "line 2: found the end of the file, expected ',' or ']'"),
            ("[1,\n,2]", "line 2: found ',', expected a value"),
            ("[1\n;", "line 2: found the end of the file, expected ',' or ']'"),
            ("[1}", "line 1: found '}', expected ',' or ']'"),
            ("['a\n']", "line 1: found 'a, expected a text that ends with a quote in its line"),
            ("['\\q']", "line 1: found '\\q', expected an escape such as '\\\"' or '\\\\'"),
            ("['\\ud83d']", "line 1: found '\\u', expected it before the digits of a sign"),
            ("{[]: 1}", "line 1: found a list or an object, expected a name"),
            ("{a: 1, 'b'}", "line 1: found '}', expected ':' and a value"),
            ("[1] 2", "line 1: found '2', expected nothing behind the last bracket"),
            ("grid [1]", "line 1: found '[', expected '=' and a value in brackets"),
            ("[/*/7", "line 1: found the end of the file, expected '*/'"),
        ] {
            assert_eq!(told(text), expected, "{text}");
        }
        for open in ["[", "(", "{", "{a:"] {
            assert!(told(&open.repeat(100_000)).contains("nested deeper than 64"), "{open}");
        }
        let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        assert_eq!(told(&nested(MOST_DEPTH)), nested(MOST_DEPTH));
    }

    #[test]
    fn brackets_end_where_the_first_is_closed() {
        let text = b"[1, \"]\\\"]\", '}', // ] don't\n /* ] ' */ {`)`}, 3/4] rest";
        let whole = Brackets::default().end(text);
        assert_eq!(whole, Some(text.len() - 5));
        for cut in 0..text.len() {
            let mut brackets = Brackets::default();
            let end = brackets.end(&text[..cut]);
            let end = end.or_else(|| brackets.end(&text[cut..]).map(|end| cut + end));
            assert_eq!(end, whole, "{cut}");
        }
        assert_eq!(Brackets::default().end(b"[[]"), None);
    }
}
