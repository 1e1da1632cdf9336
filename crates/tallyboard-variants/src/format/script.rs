//! Lists of Python and of other languages, read as JSON.

use serde_json::Value as Json;
use tallyboard_base::text::value::{self, Content, Value};

/// The list or object that a text is, perhaps behind a name and `=`, with quotes and brackets of any kind; `None` if it is another
/// text.
pub(super) fn value(text: &str) -> Option<Json> {
    let json = json(value::read_only(text).ok()?)?;
    (json.is_array() || json.is_object()).then_some(json)
}

fn json(value: Value) -> Option<Json> {
    Some(match value.content {
        Content::Word(word) => match &*word {
            "true" | "True" => true.into(),
            "false" | "False" => false.into(),
            "null" | "None" => Json::Null,
            number => Json::Number(number.parse().ok()?),
        },
        Content::Quoted(text) => text.into(),
        Content::List(items) => items.into_iter().map(json).collect::<Option<_>>()?,
        Content::Object(pairs) => {
            let pair = |(name, value)| Some((name, json(value)?));
            Json::Object(pairs.into_iter().map(pair).collect::<Option<_>>()?)
        }
    })
}
