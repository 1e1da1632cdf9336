//! `tallyboard scale …`

mod command;
pub mod count;
mod measuring;
mod sudoku;

use std::path::Path;

use crate::figures::{counted, percent};
use crate::scale::compare::{Comparison, Pair};
use crate::scale::report::{Report, THREADS, html, pictures as curve, rows, table};
use anyhow::{Context, Result};

use super::args::scale::{Command, CompareArgs, ReportArgs};
use super::args::{Args, shared::PictureArgs};
use super::ending::Ending;
use super::io::{self, Output, note};
use super::pictures;
use super::queens::job::Queens;
use measuring::Measuring;

/// Measures one of the jobs, or compares two measurements.
pub fn run(command: &Command, args: &Args) -> Result<Ending> {
    match command {
        Command::Queens { n, measuring } => {
            let (job, problem) = (Queens::new(*n, &[], &[]), format!("queens {n}"));
            let command = format!("tallyboard queens count {n} -j {THREADS}");
            count::run(&job, &problem, command, measuring, args)
        }
        Command::Sudoku { file, count, solver, measuring } => {
            let solver = solver.solver()?;
            io::ensure_apart([&**file], measuring.report.paths())?;
            sudoku::measure(file, *count, solver, Measuring::begin(measuring, args)?)
        }
        Command::Run { command, measuring } => {
            command::measure(command, Measuring::begin(measuring, args)?)
        }
        Command::Compare(command) => compare(command),
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
    pub fn create(forms: &ReportArgs) -> Result<Self> {
        io::ensure_apart(None, forms.paths())?;
        let open = |file: &Option<_>| file.as_deref().map(|f| Output::create(Some(f))).transpose();
        let form: fn(&Report) -> Result<String> = if forms.json {
            |report| Ok(serde_json::to_string_pretty(report)? + "\n")
        } else if forms.csv {
            |report| Ok(rows::csv(report))
        } else if forms.extra_p {
            |report| Ok(rows::extra_p(report))
        } else {
            |report| Ok(table::render(report))
        };
        let text = Output::create(forms.output.as_deref())?;
        let ReportArgs { html, pictures: PictureArgs { svg, png }, .. } = forms;
        if png.is_some() {
            pictures::can_draw_png()?;
        }
        Ok(Self { html: open(html)?, svg: open(svg)?, png: open(png)?, text, form })
    }

    /// Writes the report in every form, whatever becomes of the others; the pages first, so that a
    /// closed pipe on standard output loses none. The first error is the result.
    pub fn write(self, report: &Report) -> Result<()> {
        let page = |output: Option<Output>, bytes: &dyn Fn() -> Result<Vec<u8>>| {
            output.map_or(Ok(()), |output| output.put(bytes()?))
        };
        let picture = || curve::standalone(report);
        let html = page(self.html, &|| Ok(html::render(report).into_bytes()));
        let svg = page(self.svg, &|| Ok(picture().svg().into_bytes()));
        let png = page(self.png, &|| pictures::png(&picture()));
        let text = (self.form)(report).and_then(|text| self.text.put(text));
        html.and(svg).and(png).and(text)
    }
}

/// Sets two measurements side by side.
pub fn compare(flags: &CompareArgs) -> Result<Ending> {
    let comparison = Comparison::of(&read(&flags.first)?, &read(&flags.second)?);
    let text = if flags.json {
        serde_json::to_string_pretty(&comparison)? + "\n"
    } else {
        comparison.table((&io::name(&flags.first), &io::name(&flags.second)))
    };
    Output::create(None)?.put(text)?;
    let Some(share) = flags.fail_above else { return Ok(Ending::Done) };
    let by = |pair: &Pair| {
        format!("{} by {}", counted(pair.threads, "thread"), percent(pair.slowdown()))
    };
    let slower: Vec<String> = comparison.slower_by_more_than(share).map(by).collect();
    if slower.is_empty() {
        return Ok(Ending::Done);
    }
    note(format_args!("slower by more than {}: {}", percent(share), slower.join(", ")));
    Ok(Ending::Failed)
}

fn read(path: &Path) -> Result<Report> {
    let name = io::name(path);
    let text = std::io::read_to_string(io::open(path)?).with_context(|| io::cannot_read(path))?;
    serde_json::from_str(&text)
        .with_context(|| format!("{name} is no measurement: expected what `scale … --json` prints"))
}
