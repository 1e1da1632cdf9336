//! The elements of an XML document. What no puzzle has is left out: declarations, instructions, sections of plain characters.

use super::{MOST_DEPTH, Mistake};

/// An element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Element<'a> {
    /// The names of the elements around it and its own, with `/` between them.
    pub path: String,
    /// What stands between its first tag and the next tag.
    pub text: &'a str,
    /// The line of its first tag, from 1.
    pub line: usize,
    attributes: Vec<(&'a str, String)>,
}

impl Element<'_> {
    /// Its own name.
    pub fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or_default()
    }

    /// The value of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|attribute| attribute.0 == name).map(|found| found.1.as_str())
    }

    /// The number that an attribute has; `None` without the attribute.
    ///
    /// # Errors
    /// [`Mistake`] if it is no number.
    pub fn number<T: std::str::FromStr>(&self, name: &str) -> Result<Option<T>, Mistake> {
        let number = |text: &str| {
            let found = || Mistake::new(self.line, format!("{name}=\"{text}\""), "a number");
            text.trim().parse().map_err(|_| found())
        };
        self.attribute(name).map(number).transpose()
    }
}

/// All elements, in the order of their first tags.
///
/// # Errors
/// [`Mistake`] if a tag has no end, or is no end of the element that is open.
pub fn elements(text: &str) -> Result<Vec<Element<'_>>, Mistake> {
    let mut found: Vec<Element> = Vec::new();
    let mut open: Vec<&str> = Vec::new();
    let (mut at, mut line) = (0, 1);
    while let Some(begin) = text[at..].find('<').map(|begin| at + begin) {
        line += text[at..begin].matches('\n').count();
        let length = length_of_tag(&text[begin..])
            .ok_or_else(|| Mistake::new(line, "a tag without an end", "'>'"))?;
        at = begin + length;
        let own_line = line;
        line += text[begin..at].matches('\n').count();
        let tag = &text[begin + 1..at - 1];
        if tag.starts_with(['?', '!']) {
            continue;
        }
        if let Some(name) = tag.strip_prefix('/') {
            let expected = open.pop();
            if expected != Some(name.trim()) {
                let expected =
                    expected.map_or("no further tag".to_owned(), |name| format!("'</{name}>'"));
                return Err(Mistake::new(own_line, format!("'<{tag}>'"), expected));
            }
            continue;
        }
        let (tag, is_closed) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
        let name = tag.split_whitespace().next().unwrap_or_default();
        let attributes = attributes(&tag[name.len()..]).ok_or_else(|| {
            Mistake::new(own_line, format!("'<{tag}>'"), "attributes such as x=\"3\"")
        })?;
        open.push(name);
        if open.len() > MOST_DEPTH {
            return Err(Mistake::too_deep(own_line, "elements"));
        }
        let end = text[at..].find('<').map_or(text.len(), |end| at + end);
        let content = if is_closed { "" } else { &text[at..end] };
        found.push(Element { path: open.join("/"), text: content, line: own_line, attributes });
        if is_closed {
            open.pop();
        }
    }
    match open.last() {
        Some(name) => {
            let last = text.lines().count();
            Err(Mistake::new(last, "the end of the file", format!("'</{name}>'")))
        }
        None => Ok(found),
    }
}

/// The length of the tag or comment that a text begins with; `None` if it has no end. A `>` within quotes ends no tag.
fn length_of_tag(text: &str) -> Option<usize> {
    if let Some(comment) = text.strip_prefix("<!--") {
        return comment.find("-->").map(|end| end + 7);
    }
    let mut quote = None;
    let end = text.bytes().position(|byte| {
        match (quote, byte) {
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'>') => return true,
            (Some(open), _) if open == byte => quote = None,
            _ => {}
        }
        false
    });
    end.map(|end| end + 1)
}

/// The attributes of a tag; `None` if they are not well formed.
fn attributes(mut text: &str) -> Option<Vec<(&str, String)>> {
    let mut attributes = Vec::new();
    loop {
        text = text.trim_start();
        if text.is_empty() {
            return Some(attributes);
        }
        let (name, rest) = text.split_once('=')?;
        let rest = rest.trim_start();
        let quote = rest.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
        let (value, behind) = rest[1..].split_once(quote)?;
        attributes.push((name.trim_end(), unescaped(value)));
        text = behind;
    }
}

/// A text whose entities are replaced by what they stand for. What is no entity stays.
pub fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('&') {
        plain += before;
        let entity = behind.split_once(';').and_then(|(name, behind)| Some((sign(name)?, behind)));
        match entity {
            Some((sign, behind)) => {
                plain.push(sign);
                rest = behind;
            }
            None => {
                plain.push('&');
                rest = behind;
            }
        }
    }
    plain + rest
}

/// The sign that an entity of this name stands for.
fn sign(name: &str) -> Option<char> {
    match name {
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        "amp" => Some('&'),
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(digits) => u32::from_str_radix(digits, 16),
                None => number.parse(),
            };
            char::from_u32(code.ok()?)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_have_paths_attributes_and_text() {
        let text = "<?xml version=\"1.0\"?>\n<!-- <x> -->\n<a k = 'x>y' b=\"&lt;&#65;&#x42;&amp;lt;&c\">\n t <b/>u<c n=\"7\"/></a>";
        let found = elements(text).unwrap();
        let paths: Vec<_> =
            found.iter().map(|it| (it.path.as_str(), it.name(), it.text.trim(), it.line)).collect();
        assert_eq!(paths, [("a", "a", "t", 3), ("a/b", "b", "", 4), ("a/c", "c", "", 4)]);
        assert_eq!(found[0].attribute("k"), Some("x>y"));
        assert_eq!(found[0].attribute("b"), Some("<AB&lt;&c"));
        assert_eq!(found[2].number::<u32>("n"), Ok(Some(7)));
        assert_eq!(found[2].number::<u32>("m"), Ok(None));
        assert!(found[0].number::<u32>("k").is_err());
    }

    #[test]
    fn mistakes_are_told_with_their_line() {
        let error = |text: &str| {
            let error = elements(text).unwrap_err();
            (error.line, error.to_string())
        };
        assert_eq!(error("<a>\n</b>"), (2, "found '</b>', expected '</a>'".to_owned()));
        assert_eq!(error("<a>\nb"), (2, "found the end of the file, expected '</a>'".to_owned()));
        assert_eq!(error("\n</a>"), (2, "found '</a>', expected no further tag".to_owned()));
        assert_eq!(error("<a b>").1, "found '<a b>', expected attributes such as x=\"3\"");
        for open in ["<a", "<!-- a", "<a b=\"", "<!-->"] {
            assert_eq!(error(open).1, "found a tag without an end, expected '>'", "{open}");
        }
        let nested = |depth: usize| format!("{}{}", "<a>".repeat(depth), "</a>".repeat(depth));
        assert_eq!(elements(&nested(MOST_DEPTH)).unwrap().len(), MOST_DEPTH);
        assert!(error(&nested(MOST_DEPTH + 1)).1.contains("nested deeper than 64"));
    }
}
