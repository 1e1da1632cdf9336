//! `tallyboard queens list`

use std::io::Write;

use crate::plural::s;
use anyhow::{Result, ensure};
use tallyboard::draw;
use tallyboard::queens::solutions::{
    Distribution, Listing, Solutions, Wanted, WriteError, sample, write,
};
use tallyboard::queens::text::Notation;

use crate::cli::args::{
    Args,
    place::{List, ListFormat},
};
use crate::cli::ending::Ending;
use crate::cli::io::{Output, note};
use crate::cli::pictures;
use crate::cli::signals::Interrupt;

use super::count::{board, ensure_plain};

/// More boards than this are no page to look at.
const MOST_DRAWN: u64 = 400;

/// Streams the solutions, or draws a sample of them.
pub fn run(flags: &List, args: &Args) -> Result<Ending> {
    if let Some(wanted) = flags.sample {
        return run_sample(flags, wanted, args);
    }
    let interrupt = Interrupt::listen()?;
    if flags.fundamental {
        ensure_plain(&flags.squares, "--fundamental")?;
    }
    let solutions = Solutions::on(&board(flags.n, &flags.squares, args)?);
    let drawn = flags.format == ListFormat::Svg || flags.pictures.wanted();
    let limit = flags.limit.unwrap_or(u64::MAX);
    let form = Form::of(flags.format, flags.n);
    let listing = Listing {
        wanted: if flags.fundamental { Wanted::Fundamental } else { Wanted::All },
        skip: flags.skip,
        limit: if drawn { limit.min(MOST_DRAWN + 1) } else { limit },
        separator: form.separator,
        threads: args.threads,
        stop: interrupt.stop(),
    };
    let result = if drawn {
        draw_page(flags, &solutions, &listing)
    } else {
        let mut output = Output::create(flags.output.as_deref())?;
        stream(&solutions, &listing, &form, &mut output).and_then(|()| output.finish())
    };
    match result {
        Err(error) if error.downcast_ref().is_some_and(|e| matches!(e, WriteError::Stopped)) => {
            note("tallyboard: interrupted; the list is not whole");
            let signal = interrupt.signal().unwrap_or(signal_hook::consts::SIGINT);
            Ok(Ending::Interrupted { signal })
        }
        result => result.map(|()| Ending::Done),
    }
}

/// What stands around the solutions of a list.
struct Form {
    notation: Notation,
    begin: String,
    separator: &'static [u8],
    end: &'static str,
    /// Written in place of `end` if there is no solution.
    end_of_none: &'static str,
}

impl Form {
    fn of(format: ListFormat, n: u32) -> Self {
        let form = |notation, begin, separator, end, end_of_none| Self {
            notation,
            begin,
            separator,
            end,
            end_of_none,
        };
        match format {
            ListFormat::Board => form(Notation::Board, String::new(), b"\n", "", ""),
            ListFormat::Vector => form(Notation::Vector, String::new(), b"\n", "\n", ""),
            ListFormat::FenLike => form(Notation::Fen, String::new(), b"\n", "\n", ""),
            ListFormat::Json | ListFormat::Svg => {
                form(Notation::Json, "[\n".to_owned(), b",\n", "\n]\n", "]\n")
            }
            ListFormat::Csv => {
                let names: Vec<String> = (1..=n).rev().map(|rank| format!("rank{rank}")).collect();
                form(Notation::Csv, names.join(",") + "\n", b"\n", "\n", "")
            }
        }
    }
}

fn stream(
    solutions: &Solutions,
    listing: &Listing<'_>,
    form: &Form,
    output: &mut dyn Write,
) -> Result<()> {
    output.write_all(form.begin.as_bytes())?;
    let notation = form.notation;
    let append = |columns: &[u8], text: &mut Vec<u8>| {
        notation.append(columns.iter().map(|&column| column.into()), text);
    };
    let written = write(solutions, listing, append, output)?;
    let end = if written == 0 { form.end_of_none } else { form.end };
    Ok(output.write_all(end.as_bytes())?)
}

fn draw_page(flags: &List, solutions: &Solutions, listing: &Listing<'_>) -> Result<()> {
    let mut bytes = Vec::new();
    let listing = Listing { separator: b"", ..*listing };
    write(solutions, &listing, |columns, text| text.extend_from_slice(columns), &mut bytes)?;
    let boards: Vec<Vec<u32>> = bytes
        .chunks_exact(flags.n as usize)
        .map(|columns| columns.iter().map(|&column| column.into()).collect())
        .collect();
    ensure!(
        boards.len() as u64 <= MOST_DRAWN,
        "a page holds {MOST_DRAWN} boards and there are more; choose some with --limit and --skip"
    );
    output_page(flags, &boards)
}

fn output_page(flags: &List, boards: &[Vec<u32>]) -> Result<()> {
    let kind = if flags.fundamental { " fundamental" } else { "" };
    let (n, count) = (flags.n, boards.len());
    let title = format!("{n} queen{}: {count}{kind} solution{}", s(n), s(count));
    let svg = draw::page(&title, flags.skip + 1, boards);
    pictures::save(&svg, &flags.pictures)?;
    if flags.format == ListFormat::Svg {
        let mut output = Output::create(flags.output.as_deref())?;
        output.write_all(svg.as_bytes())?;
        output.finish()?;
    }
    Ok(())
}

fn run_sample(flags: &List, wanted: u32, args: &Args) -> Result<Ending> {
    let distribution = Distribution::usual(flags.n);
    if distribution == Distribution::RandomRows {
        ensure_plain(&flags.squares, "--sample beyond n = 15")?;
    }
    let board = board(flags.n, &flags.squares, args)?;
    let drawn = sample(&Solutions::on(&board), wanted as usize, distribution, flags.seed);
    if !args.quiet {
        note(format_args!(
            "{} solution{} of n = {} by seed {}: {}",
            drawn.len(),
            s(drawn.len()),
            flags.n,
            flags.seed,
            match distribution {
                Distribution::Uniform => "every solution equally likely, with replacement",
                Distribution::RandomRows =>
                    "random free squares row by row, so not all equally likely: \
                     solutions whose rows had few free squares are favoured",
            }
        ));
    }
    let boards: Vec<Vec<u32>> =
        drawn.iter().map(|columns| columns.iter().map(|&column| column.into()).collect()).collect();
    if flags.format == ListFormat::Svg || flags.pictures.wanted() {
        ensure!(boards.len() as u64 <= MOST_DRAWN, "a page holds {MOST_DRAWN} boards");
        output_page(flags, &boards)?;
        return Ok(Ending::Done);
    }
    let form = Form::of(flags.format, flags.n);
    let mut text = form.begin.clone().into_bytes();
    for (at, board) in boards.iter().enumerate() {
        if at > 0 {
            text.extend_from_slice(form.separator);
        }
        form.notation.append(board.iter().copied(), &mut text);
    }
    text.extend_from_slice(if boards.is_empty() { form.end_of_none } else { form.end }.as_bytes());
    let mut output = Output::create(flags.output.as_deref())?;
    output.write_all(&text)?;
    output.finish()?;
    Ok(Ending::Done)
}
