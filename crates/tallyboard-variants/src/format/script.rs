//! Lists of Python and of other languages, read as JSON.

use serde_json::Value;

/// The list or object that a text is, perhaps behind a name and `=`, with quotes and brackets of any kind and a comma behind
/// the last item; `None` if it is another text.
pub(super) fn value(text: &str) -> Option<Value> {
    let text = text.trim().trim_end_matches(';').trim_end();
    let begin = text.find(['[', '{', '('])?;
    let name = text[..begin].trim_end();
    let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == ' ';
    if !name.is_empty() && !name.strip_suffix('=')?.chars().all(is_name) {
        return None;
    }
    let mut json = String::with_capacity(text.len());
    for c in text[begin..].chars() {
        match c {
            '(' => json.push('['),
            ')' | ']' | '}' => {
                if json.trim_end().ends_with(',') {
                    json.truncate(json.trim_end().len() - 1);
                }
                json.push(if c == ')' { ']' } else { c });
            }
            '\'' => json.push('"'),
            _ => json.push(c),
        }
    }
    let json = json.replace("None", "null");
    serde_json::from_str(&json).ok().filter(|value: &Value| value.is_array() || value.is_object())
}
