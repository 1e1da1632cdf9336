//! The forms of a report: text, a page, pictures, and rows for other programs.

pub mod brief;
pub mod html;
pub mod json;
pub mod pictures;
mod points;
pub mod rows;
pub mod table;
