//! Values with names are read by the names that they show.

use std::fmt::{Debug, Display};
use std::str::FromStr;

use tallyboard_base::{Kernel, UnknownName};
use tallyboard_queens::Engine;
use tallyboard_queens::place::Method;
use tallyboard_scale::topology::Pin;
use tallyboard_sudoku::{self, batch::Technique, format::Format};

fn is_read_back<T>(all: &[T])
where
    T: Copy + Display + FromStr<Err = UnknownName> + PartialEq + Debug,
{
    for &value in all {
        assert_eq!(value.to_string().parse(), Ok(value));
    }
}

#[test]
fn values_are_read_by_the_names_they_show() {
    is_read_back(&Kernel::ALL);
    is_read_back(&Engine::ALL);
    is_read_back(&Pin::ALL);
    is_read_back(&tallyboard_sudoku::Engine::ALL);
    is_read_back(&Technique::ALL);
    is_read_back(&Format::ALL);
    is_read_back(&Method::all());
    let error = "magic".parse::<Method>().unwrap_err().to_string();
    assert!(error.contains("greedy-repair"), "{error}");
    let error = "thirds".parse::<Engine>().unwrap_err().to_string();
    assert_eq!(error, "found 'thirds', expected halves, blocks, textbook");
}
