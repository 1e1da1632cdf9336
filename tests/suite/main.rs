//! All files of the suite in one binary, one file a promise. Linking the library only once is most of what
//! saves build time.

mod apart;
mod api;
mod audit;
mod away;
mod bounds;
mod cluster;
mod common;
mod cover_cli;
mod covers_of_games;
mod driver;
#[cfg(target_os = "linux")]
mod endings;
mod error_lines;
mod examples;
mod exceeded;
mod generate;
mod help;
mod journal;
mod limits;
mod misread;
mod names;
mod pages;
mod pairs;
mod place;
mod place_cli;
mod play;
mod problems_cli;
mod program;
mod queens_boards;
mod queens_cli;
mod readers;
mod recognise;
mod records;
mod regions;
mod resume;
mod rooms;
mod sample;
mod scale;
mod scale_causes;
mod scale_fit;
mod scale_program;
mod scale_report;
mod scale_sentences;
mod scale_tables;
#[cfg(feature = "serve")]
mod serve;
mod sessions;
mod shell;
#[cfg(target_os = "linux")]
mod signals;
mod subtrees;
mod sudoku_bands;
mod sudoku_cli;
mod sudoku_columns;
mod sudoku_engines;
mod sudoku_explain;
#[cfg(target_os = "linux")]
mod sudoku_files;
mod sudoku_formats;
mod sudoku_records;
mod sudoku_solvers;
mod tally;
mod tidy;
mod told;
mod trace_cli;
mod variants_cli;
