//! `tallyboard scale …`: measures how a job scales, and compares measurements.

#[cfg(unix)]
mod command;
pub mod count;
mod machine_probe;
mod measurement;
mod sudoku;

use std::path::Path;

use anyhow::{Context, Result};
use base::figures::{counted, percent};
use scale::compare::{Comparison, Pair};
use scale::report::{Document, Report, THREADS, html, names, pictures as curve, rows, table};

use super::args::scale::{Command, CompareArgs, ReportArgs};
use super::args::{Args, shared::PictureArgs};
use super::ending::{Ending, Usage};
use super::io::{self, Output, note};
use super::pictures;
use super::queens::job::Queens;
use measurement::Measurement;

/// Measures a job, or compares measurements.
pub fn run(command: &Command, args: &Args) -> Result<Ending> {
    match command {
        Command::Queens { n, flags } => {
            let (job, problem) = (Queens::new(*n, &[], &[]), format!("queens {n}"));
            let command = format!("tallyboard queens count {n} -j {THREADS}");
            count::run(&job, &problem, command, flags, args)
        }
        Command::Sudoku { file, count, solver, flags } => {
            let solver = solver.solver()?;
            io::ensure_apart([&**file], flags.report.paths())?;
            sudoku::measure(file, *count, solver, Measurement::begin(flags, args)?)
        }
        #[cfg(unix)]
        Command::Run { command, command_flags, flags } => {
            command::measure(command, command_flags, Measurement::begin(flags, args)?)
        }
        #[cfg(not(unix))]
        Command::Run { .. } => {
            anyhow::bail!(
                "scale run ends what the command starts by its process group: only Unix has these"
            )
        }
        Command::Compare(command) => compare(command),
    }
}

/// The outputs of a report. They are opened before the measurement, so that a bad path fails early.
pub struct Outputs {
    html: Option<Output>,
    svg: Option<Output>,
    png: Option<Output>,
    text: Output,
    form: fn(Vec<Report>) -> Result<String>,
}

impl Outputs {
    /// Opens every file asked for.
    pub fn create(forms: &ReportArgs) -> Result<Self> {
        io::ensure_apart(None, forms.paths())?;
        let open = |file: &Option<_>| file.as_deref().map(|f| Output::create(Some(f))).transpose();
        let form: fn(Vec<Report>) -> Result<String> = if forms.json {
            |reports| Ok(serde_json::to_string_pretty(&Document::new(reports))? + "\n")
        } else if forms.csv {
            |reports| Ok(rows::csv(&reports))
        } else if forms.extra_p {
            |reports| Ok(rows::extra_p(&reports))
        } else {
            |reports| Ok(text(&reports))
        };
        let text = Output::create(forms.output.as_deref())?;
        let ReportArgs { html, pictures: PictureArgs { svg, png }, .. } = forms;
        if png.is_some() {
            pictures::can_draw_png()?;
        }
        Ok(Self { html: open(html)?, svg: open(svg)?, png: open(png)?, text, form })
    }

    /// Writes the reports in every form, even if one form fails; returns the first error. Files come first, so that a
    /// closed pipe on standard output loses none.
    pub fn write(self, reports: Vec<Report>) -> Result<()> {
        let page = |output: Option<Output>, bytes: &dyn Fn() -> Result<Vec<u8>>| {
            output.map_or(Ok(()), |output| output.put(bytes()?))
        };
        let picture = || curve::standalone(&reports);
        let html = page(self.html, &|| Ok(html::render(&reports, &names(&reports)).into_bytes()));
        let svg = page(self.svg, &|| Ok(picture().svg().into_bytes()));
        let png = page(self.png, &|| pictures::png(&picture()));
        let text = (self.form)(reports).and_then(|text| self.text.put(text));
        html.and(svg).and(png).and(text)
    }
}

/// The reports as text, with a comparison if there are several.
fn text(reports: &[Report]) -> String {
    let mut text = reports.iter().map(table::render).collect::<Vec<_>>().join("\n");
    if reports.len() > 1 {
        text += "\nCompared with the first\n";
        text += &Comparison::of(reports).text(&names(reports));
    }
    text
}

/// Compares measurements.
pub fn compare(flags: &CompareArgs) -> Result<Ending> {
    let (mut reports, mut titles) = (Vec::new(), Vec::new());
    for path in &flags.reports {
        let found = read(path)?;
        let of_many = found.len() > 1;
        for (report, name) in found.iter().zip(names(&found)) {
            let file = io::name(path);
            titles.push(if of_many { format!("{file}, {name}") } else { file });
            reports.push(report.clone());
        }
    }
    if reports.len() < 2 {
        let found =
            "found one report: name a second file, or one with several values of --parameter";
        return Err(Usage(found.to_owned()).into());
    }
    let page = flags.html.as_deref().map(|path| Output::create(Some(path))).transpose()?;
    let comparison = Comparison::of(&reports);
    let text = if flags.json {
        serde_json::to_string_pretty(&comparison)? + "\n"
    } else {
        comparison.text(&titles)
    };
    if let Some(page) = page {
        page.put(html::render(&reports, &titles))?;
    }
    Output::create(None)?.put(text)?;
    let Some(share) = flags.fail_above else { return Ok(Ending::Done) };
    let by = |pair: &Pair| {
        let who =
            if titles.len() > 2 { format!("{}: ", titles[pair.other]) } else { String::new() };
        format!("{who}{} by {}", counted(pair.threads, "thread"), percent(pair.slowdown()))
    };
    let slower: Vec<String> = comparison.slower_by_more_than(share).map(by).collect();
    if slower.is_empty() {
        return Ok(Ending::Done);
    }
    note(format_args!("slower by more than {}: {}", percent(share), slower.join(", ")));
    Ok(Ending::Failed)
}

/// Reads the reports in a file.
fn read(path: &Path) -> Result<Vec<Report>> {
    let name = io::name(path);
    let text = std::io::read_to_string(io::open(path)?).with_context(|| io::cannot_read(path))?;
    Document::read(&text)
        .with_context(|| format!("{name} is no report: expected the output of `scale … --json`"))
}
