//! Values as JSON writes them, and as scripts do: names without quotes, quotes of any kind, commas at the end.

/// A value. Numbers keep their text.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A string, a number or a bare word, such as `true`.
    Word(String),
    List(Vec<Value>),
    Object(Vec<(String, Value)>),
}

impl Value {
    /// The value under the first of `names` that an object has.
    pub fn get(&self, names: &[&str]) -> Option<&Self> {
        let Self::Object(pairs) = self else { return None };
        names.iter().find_map(|name| pairs.iter().find(|(key, _)| key == name)).map(|pair| &pair.1)
    }
}

/// Reads the value that `text` begins with. Returns it and the text behind it.
///
/// # Errors
/// What was found and expected.
pub fn read(text: &str) -> Result<(Value, &str), String> {
    let text = skip(text);
    let rest = |bytes: usize| &text[bytes..];
    match text.chars().next() {
        None => Err("found the end, expected a value".to_owned()),
        Some('[') => {
            let mut items = Vec::new();
            let mut text = skip(rest(1));
            while !text.starts_with(']') {
                let (item, behind) = read(text)?;
                items.push(item);
                text = next_item(behind, ']')?;
            }
            Ok((Value::List(items), &text[1..]))
        }
        Some('{') => {
            let mut pairs = Vec::new();
            let mut text = skip(rest(1));
            while !text.starts_with('}') {
                let (Value::Word(name), behind) = read(text)? else {
                    return Err("found a list or an object, expected a name".to_owned());
                };
                let behind = skip(behind);
                // In scripts a name may stand for a variable of that name.
                let (value, behind) = match behind.strip_prefix(':') {
                    Some(behind) => read(behind)?,
                    None => (Value::Word(name.clone()), behind),
                };
                pairs.push((name, value));
                text = next_item(behind, '}')?;
            }
            Ok((Value::Object(pairs), &text[1..]))
        }
        Some(quote @ ('"' | '\'' | '`')) => {
            let end = rest(1).find(quote).ok_or("found the end, expected a closing quote")?;
            // No name of a region or a key needs an escape.
            Ok((Value::Word(rest(1)[..end].to_owned()), rest(end + 2)))
        }
        Some(_) => {
            let is_word = |c: char| c.is_alphanumeric() || "_$.-+".contains(c);
            let end = text.find(|c| !is_word(c)).unwrap_or(text.len());
            match &text[..end] {
                "" => Err(format!("found {:?}, expected a value", text.chars().next().unwrap())),
                word => Ok((Value::Word(word.to_owned()), rest(end))),
            }
        }
    }
}

/// The text behind the comma after an item, or the text from the bracket `close` on, if that comes first.
fn next_item(text: &str, close: char) -> Result<&str, String> {
    let text = skip(text);
    match text.chars().next() {
        Some(',') => Ok(skip(&text[1..])),
        Some(c) if c == close => Ok(text),
        Some(c) => Err(format!("found {c:?}, expected ',' or '{close}'")),
        None => Err(format!("found the end, expected ',' or '{close}'")),
    }
}

/// The text behind white space and comments.
fn skip(mut text: &str) -> &str {
    loop {
        text = text.trim_start();
        let behind = match text.get(..2) {
            Some("//") => text.find('\n').map(|end| &text[end..]),
            Some("/*") => text[2..].find("*/").map(|end| &text[2 + end + 2..]),
            _ => return text,
        };
        text = behind.unwrap_or("");
    }
}

/// How many more brackets a line opens than it closes, those within quotes of [`read`] left out; brackets in comments count.
pub fn depth(line: &str) -> isize {
    let mut depth = 0;
    let mut quote = None;
    for c in line.chars() {
        match (quote, c) {
            (Some(open), _) if open == c => quote = None,
            (None, '"' | '\'' | '`') => quote = Some(c),
            (None, '[' | '{') => depth += 1,
            (None, ']' | '}') => depth -= 1,
            _ => {}
        }
    }
    depth
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_ends_at_a_mark_after_its_own_beginning() {
        assert_eq!(read("/*/ [ */7 rest"), Ok((Value::Word("7".to_owned()), " rest")));
        assert_eq!(read("/**/7"), Ok((Value::Word("7".to_owned()), "")));
        assert_eq!(read("/*/7"), Err("found the end, expected a value".to_owned()));
    }

    #[test]
    fn brackets_within_any_quotes_of_a_value_are_no_depth() {
        for quote in ['"', '\'', '`'] {
            assert_eq!(depth(&format!("[{quote}]]{{{quote}")), 1);
        }
        assert_eq!(depth("`\"`]"), -1);
        assert_eq!(depth("[ // ["), 2);
    }

    #[test]
    fn a_key_is_a_word() {
        for key in ["[]", "{}"] {
            let error = read(&format!("{{{key}: 1}}")).unwrap_err();
            assert_eq!(error, "found a list or an object, expected a name");
        }
    }
}
