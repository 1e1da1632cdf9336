//! The forms of a report: text, a page, pictures, and data for other programs.

pub mod data;
pub mod html;
pub mod pictures;
pub mod text;
