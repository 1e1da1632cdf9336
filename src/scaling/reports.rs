//! The outputs of measurements, and measurements compared.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use base::figures::{counted, percent};
use scale::compare::{Comparison, Pair};
use scale::forms::{html, json, pictures as curve, rows, table};
use scale::report::{Report, names};

use crate::terminal::exit_status::{ExitStatus, UsageError};
use crate::terminal::io::{self, Output};
use crate::terminal::pictures::{self, PictureArgs};
use crate::terminal::print::eprint_line;

#[derive(Debug, clap::Args)]
pub struct ReportArgs {
    /// Print one JSON document, with the keys of hyperfine
    #[arg(long, group = "format")]
    pub json: bool,

    /// Print one line of CSV for each thread count
    #[arg(long, group = "format")]
    pub csv: bool,

    /// Print one line of JSON for each run, for Extra-P
    #[arg(long, group = "format")]
    pub extra_p: bool,

    /// Write to this file instead of to standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Also write the report as one HTML page with curves and tables
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    #[command(flatten)]
    pub pictures: PictureArgs,
}

impl ReportArgs {
    /// The files to write.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        let pages = self.output.iter().chain(&self.html).map(PathBuf::as_path);
        pages.chain(self.pictures.paths())
    }
}

#[derive(Debug, clap::Args)]
pub struct CompareArgs {
    /// JSON reports; each is compared with the first
    #[arg(required = true, value_name = "REPORT")]
    pub reports: Vec<PathBuf>,

    /// Print one JSON document
    #[arg(long)]
    pub json: bool,

    /// Also write the comparison as one HTML page
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// Exit with 1 if a report is slower than the first beyond chance, and by more than this share; for CI
    #[arg(long, value_name = "SHARE%", value_parser = share)]
    pub fail_above: Option<f64>,
}

/// A share in per cent, with the sign or without it. Below 1 the sign is needed: 0.05 may mean 5 %.
fn share(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix('%').unwrap_or(text).trim();
    match number.parse::<f64>() {
        Ok(share) if share > 0.0 && share < 1.0 && !text.ends_with('%') => {
            let as_share = 100.0 * share;
            Err(format!("expected a share such as 5%: write {share}% or {as_share}%"))
        }
        Ok(share) if share >= 0.0 && share.is_finite() => Ok(share / 100.0),
        _ => Err("expected a share such as 5%".to_owned()),
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
            |reports| Ok(json::write(&reports)?)
        } else if forms.csv {
            |reports| Ok(rows::csv(&reports))
        } else if forms.extra_p {
            |reports| Ok(rows::extra_p(&reports))
        } else {
            |reports| Ok(text(&reports))
        };
        let text = Output::create(forms.output.as_deref())?;
        let ReportArgs { html, pictures: PictureArgs { svg, png }, .. } = forms;
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
pub fn compare(flags: &CompareArgs) -> Result<ExitStatus> {
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
        return Err(UsageError(found.to_owned()).into());
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
    let Some(share) = flags.fail_above else { return Ok(ExitStatus::Done) };
    let by = |pair: &Pair| {
        let who =
            if titles.len() > 2 { format!("{}: ", titles[pair.other]) } else { String::new() };
        format!("{who}{} by {}", counted(pair.threads, "thread"), percent(pair.slowdown()))
    };
    let slower: Vec<String> = comparison.slower_by_more_than(share).map(by).collect();
    if slower.is_empty() {
        return Ok(ExitStatus::Done);
    }
    eprint_line(format_args!("slower by more than {}: {}", percent(share), slower.join(", ")));
    Ok(ExitStatus::Failed)
}

/// Reads the reports in a file.
fn read(path: &Path) -> Result<Vec<Report>> {
    let name = io::name(path);
    let text = std::io::read_to_string(io::open(path)?).with_context(|| io::cannot_read(path))?;
    json::read(&text)
        .with_context(|| format!("{name} is no report: expected the output of `scale … --json`"))
}
