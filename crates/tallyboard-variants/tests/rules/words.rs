//! What the readers know of words, names and shortened JSON.

use crate::error::is_line_name;
use crate::global::WholeGrid;
use crate::rule::{Calculation, Line, Marked, Outside};
use tallyboard_variants::internals::lengthened;

/// By the names of lines a picture ends, and a slip in a name is told.
#[test]
fn a_line_of_every_kind_of_rule_is_known() {
    let names =
        WholeGrid::ALL.into_iter().filter(|rule| rule.is_of_one_word()).map(WholeGrid::name);
    let names = names.chain(Line::all(9).into_iter().map(Line::name));
    let names = names.chain(Outside::ALL.map(Outside::name));
    let names = names.chain(Marked::ALL.map(Marked::name));
    for name in names.chain(Calculation::ALL.map(Calculation::name)) {
        assert!(is_line_name(name), "{name}");
    }
}

#[test]
fn shortened_json_is_json_again() {
    for (short, long) in [
        ("{ce:[[,,{v:2}],[]],a:t,b:f}", r#"{"ce":[[{},{},{"v":2}],[{}]],"a":true,"b":false}"#),
        (r"{t:'it\'s',c:00FF00}", r#"{"t":"it's","c":"00FF00"}"#),
        ("{ca:[{v:'a,b: [c]'}],d:-3}", r#"{"ca":[{"v":"a,b: [c]"}],"d":-3}"#),
        ("{re:[[[0,0],[0,1]]],m:{}}", r#"{"re":[[[0,0],[0,1]]],"m":{}}"#),
    ] {
        assert_eq!(lengthened(short), long);
    }
}
