//! `tallyboard scale …`

mod command;
mod compare;
mod plan;
mod queens;
mod sudoku;

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use tallyboard::scale::report::{Report, csv, extrap, html, pictures as curve, table};

use super::args::Args;
use super::args::place::Pictures;
use super::args::scale::{self as args, Command};
use super::ending::Ending;
use super::io::Output;
use super::pictures;
use plan::Measuring;

/// Measures one of the jobs, or compares two measurements.
pub fn run(command: &Command, args: &Args) -> Result<Ending> {
    match command {
        Command::Queens { n, measuring } => {
            queens::measure(*n, &Measuring::begin(measuring, args)?)
        }
        Command::Sudoku { file, count, way, measuring } => {
            let solver = way.solver()?;
            sudoku::measure(file, *count, solver, &Measuring::begin(measuring, args)?)
        }
        Command::Run { command, measuring } => {
            command::measure(command, &Measuring::begin(measuring, args)?)
        }
        Command::Compare(command) => compare::run(command).map(|()| Ending::Done),
    }
}

/// Where a report goes. Opened before anything is measured, so that nothing is measured in vain.
pub struct Outputs {
    html: Option<Output>,
    svg: Option<Output>,
    png: Option<Output>,
    text: Output,
    form: fn(&Report) -> Result<String>,
}

impl Outputs {
    /// Opens every file asked for.
    pub fn create(forms: &args::Report) -> Result<Self> {
        let open = |file: &Option<_>| file.as_deref().map(|f| Output::create(Some(f))).transpose();
        let form: fn(&Report) -> Result<String> = if forms.json {
            |report| Ok(report.to_json()? + "\n")
        } else if forms.csv {
            |report| Ok(csv::render(report))
        } else if forms.extra_p {
            |report| Ok(extrap::render(report))
        } else {
            |report| Ok(table::render(report))
        };
        let text = Output::create(forms.output.as_deref())?;
        let args::Report { html, pictures: Pictures { svg, png }, .. } = forms;
        if png.is_some() {
            pictures::can_draw_png()?;
        }
        Ok(Self { html: open(html)?, svg: open(svg)?, png: open(png)?, text, form })
    }

    /// Writes the report in every form, whatever becomes of the others; the pages first, so that a
    /// closed pipe on standard output loses none. The first error is the result.
    pub fn write(self, report: &Report) -> Result<()> {
        let page = |output: Option<Output>, bytes: &dyn Fn() -> Result<Vec<u8>>| {
            output.map_or(Ok(()), |output| put(output, &bytes()?))
        };
        let picture = || curve::standalone(report);
        let html = page(self.html, &|| Ok(html::render(report).into_bytes()));
        let svg = page(self.svg, &|| Ok(picture().into_bytes()));
        let png = page(self.png, &|| pictures::png(&picture()));
        let text = (self.form)(report).and_then(|text| put(self.text, text.as_bytes()));
        html.and(svg).and(png).and(text)
    }
}

/// Writes `text` to `file`, or to standard output.
fn print(file: Option<&Path>, text: &str) -> Result<()> {
    put(Output::create(file)?, text.as_bytes())
}

fn put(mut output: Output, bytes: &[u8]) -> Result<()> {
    output.write_all(bytes).context("cannot write the report")?;
    output.finish()
}
