//! The outputs of measurements, and measurements compared.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::Value;
use tallyboard_base::figures::{counted, percent};
use tallyboard_base::system::entries;
use tallyboard_scale::compare::{Comparison, Pair};
use tallyboard_scale::forms::{data, html, pictures as curve, text};
use tallyboard_scale::points::{self, Points, PointsError, ReadOptions};
use tallyboard_scale::report::{COMMAND, Report, names};

use crate::terminal::{
    Args, ExitStatus, Output, PictureArgs, UsageError, eprint_line, info, io, pictures,
};

/// In which forms a report is written, and where.
#[derive(Debug, clap::Args)]
pub struct ReportArgs {
    /// Print one JSON document, with the keys of hyperfine
    #[arg(long, group = "format")]
    pub json: bool,

    /// Print one line of CSV for each thread count
    #[arg(long, group = "format")]
    pub csv: bool,

    /// Print the table and the findings as Markdown, for a pull request
    #[arg(long, group = "format")]
    pub markdown: bool,

    /// Print all tables and sentences instead of those that fit on a screen
    #[arg(long, group = "format")]
    pub details: bool,

    /// Write to this file instead of to standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Also write the report as one HTML page with curves and tables
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// Also write a badge: the efficiency of the most threads that have a processor each, with its interval
    #[arg(long, value_name = "FILE.svg")]
    pub badge: Option<PathBuf>,

    #[command(flatten)]
    pub pictures: PictureArgs,
}

impl ReportArgs {
    /// The files to write.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        let pages = [&self.output, &self.html, &self.badge].into_iter().flatten();
        let pages = pages.map(PathBuf::as_path);
        pages.chain(self.pictures.paths())
    }

    /// Prints the names of the files that were written on standard error.
    pub fn print_written(&self, args: &Args) {
        let files: Vec<String> =
            self.paths().filter(|&path| path != Path::new("-")).map(io::name).collect();
        if !files.is_empty() {
            info(args, format_args!("wrote {}", files.join(", ")));
        }
    }
}

/// The options of `scale compare`.
#[derive(Debug, clap::Args)]
pub struct CompareArgs {
    /// JSON reports, files that `scale fit` takes, or folders of reports, the oldest first; each is compared with
    /// the first
    #[arg(required = true, value_name = "REPORT")]
    pub reports: Vec<PathBuf>,

    /// Print one JSON document
    #[arg(long)]
    pub json: bool,

    /// Also write the comparison as one HTML page
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// Compare reports of different problems too, whose times tell of the problems
    #[arg(long)]
    pub different: bool,

    /// Exit with 1 if a report is slower than the first beyond chance, and by more than this share; for CI
    #[arg(long, value_name = "SHARE%", value_parser = share)]
    pub fail_above: Option<f64>,
}

/// Reads a share in per cent, with or without the sign. Below 1 the sign is needed: 0.05 may mean 5 %.
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
    badge: Option<Output>,
    svg: Option<Output>,
    png: Option<Output>,
    text: Output,
    /// Makes the content of `text`.
    render_text: fn(Vec<Report>) -> Result<String>,
}

impl Outputs {
    /// Opens every file asked for.
    pub fn create(forms: &ReportArgs) -> Result<Self> {
        io::ensure_apart(None, forms.paths())?;
        let open = |file: &Option<_>| file.as_deref().map(|f| Output::create(Some(f))).transpose();
        let render_text: fn(Vec<Report>) -> Result<String> = if forms.json {
            |reports| Ok(data::write(&reports)?)
        } else if forms.csv {
            |reports| Ok(data::csv(&reports))
        } else if forms.markdown {
            |reports| Ok(all_text(&reports, text::markdown, Comparison::markdown))
        } else if forms.details {
            |reports| Ok(all_text(&reports, text::render, Comparison::text))
        } else {
            |reports| Ok(all_text(&reports, text::brief, Comparison::text))
        };
        let text = Output::create(forms.output.as_deref())?;
        let ReportArgs { html, badge, pictures: PictureArgs { svg, png }, .. } = forms;
        let (html, badge) = (open(html)?, open(badge)?);
        Ok(Self { html, badge, svg: open(svg)?, png: open(png)?, text, render_text })
    }

    /// Writes the reports in every form, even if one form fails; returns the first error. Files come first, so that a
    /// closed pipe on standard output loses none.
    pub fn write(self, reports: Vec<Report>) -> Result<()> {
        let put = |output: Option<Output>, bytes: &dyn Fn() -> Result<Vec<u8>>| {
            output.map_or(Ok(()), |output| output.put(bytes()?))
        };
        let picture = || curve::standalone(&reports);
        let html = put(self.html, &|| Ok(html::render(&reports, &names(&reports)).into_bytes()));
        let svg = put(self.svg, &|| Ok(picture().svg().into_bytes()));
        let png = put(self.png, &|| pictures::png(&picture()));
        let badge = put(self.badge, &|| Ok(curve::badge(&reports).svg().into_bytes()));
        let text = (self.render_text)(reports).and_then(|text| self.text.put(text));
        html.and(badge).and(svg).and(png).and(text)
    }
}

/// The reports as text by `render`, with their comparison by `compare` if there are several.
fn all_text(
    reports: &[Report],
    render: fn(&Report) -> String,
    compare: fn(&Comparison, &[String]) -> String,
) -> String {
    let mut text = reports.iter().map(render).collect::<Vec<_>>().join("\n");
    if reports.len() > 1 {
        text += "\nCompared with the first\n";
        text += &compare(&Comparison::of(reports), &names(reports));
    }
    text
}

/// Compares measurements.
pub fn compare(flags: &CompareArgs, args: &Args) -> Result<ExitStatus> {
    let paths = with_files_of_folders(&flags.reports)?;
    io::ensure_read_once(paths.iter().map(PathBuf::as_path))?;
    let mut reports = Vec::new();
    let mut titles = Vec::new();
    for path in &paths {
        let found = read_other(path)?;
        let is_one_of_many = found.len() > 1;
        for (report, name) in found.iter().zip(names(&found)) {
            let file = io::name(path);
            titles.push(if is_one_of_many { format!("{file}, {name}") } else { file });
            reports.push(report.clone());
        }
    }
    ensure_comparable(&reports, flags)?;
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
    if let Some(page) = &flags.html {
        info(args, format_args!("wrote {}", io::name(page)));
    }
    Output::create(None)?.put(text)?;
    let Some(share) = flags.fail_above else { return Ok(ExitStatus::Done) };
    let slower = comparison.slower_by_more_than(share);
    let slower: Vec<String> = slower.map(|pair| slowdown(pair, &titles)).collect();
    if slower.is_empty() {
        return Ok(ExitStatus::Done);
    }
    eprint_line(format_args!("slower by more than {}: {}", percent(share), slower.join(", ")));
    Ok(ExitStatus::Failed)
}

/// The `paths` with the reports in each folder in its place, the oldest first. A folder without reports may be
/// criterion's.
fn with_files_of_folders(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut all = Vec::new();
    for path in paths {
        let mut reports = Vec::new();
        for file in entries(path).filter(|it| it.extension().is_some_and(|it| it == "json")) {
            let text = std::fs::read_to_string(&file).with_context(|| io::cannot_read(&file))?;
            if is_report(&text) {
                let found = data::read(&text).with_context(|| io::name(&file))?;
                let began = found.first().and_then(|it| it.subject.conditions.began.clone());
                reports.push((began, file));
            }
        }
        reports.sort();
        if reports.is_empty() {
            all.push(path.clone());
        }
        all.extend(reports.into_iter().map(|(_, file)| file));
    }
    Ok(all)
}

/// Fails if there are fewer than two reports, or if they are of several problems and `--different` is not given.
fn ensure_comparable(reports: &[Report], flags: &CompareArgs) -> Result<(), UsageError> {
    if reports.len() < 2 {
        let found =
            "found one report: name a second file, or one with several values of --parameter";
        return Err(UsageError::of(found));
    }
    if !flags.different
        && let Some((first, other)) = different_problems(reports)
    {
        return Err(UsageError(format!(
            "found reports of '{first}' and '{other}', expected one problem: which is slower tells nothing of the program; --different compares them anyway"
        )));
    }
    Ok(())
}

/// By how much a pair is slower, with the title of its report if several are compared with the first.
fn slowdown(pair: &Pair, titles: &[String]) -> String {
    let title = if titles.len() > 2 { format!("{}: ", titles[pair.other]) } else { String::new() };
    format!("{title}{} by {}", counted(pair.threads, "thread"), percent(pair.slowdown()))
}

/// The problems of two reports that differ, the first report and another one. Reports of commands are left out: they may
/// differ by their names only, as two builds of one program do.
fn different_problems(reports: &[Report]) -> Option<(&str, &str)> {
    let subjects = reports.iter().map(|report| &report.subject);
    let mut subjects = subjects.filter(|subject| subject.kernel != COMMAND);
    let first = subjects.next()?;
    let other = subjects.find(|other| other.problem != first.problem)?;
    Some((&first.problem, &other.problem))
}

/// Reads reports to compare with others: of a file, or of times that another tool measured.
pub fn read_other(path: &Path) -> Result<Vec<Report>> {
    let found = read(path, &ReadOptions::default());
    // A file that was meant as a report was read as times. The message tells so, or its mistake would puzzle.
    found.map_err(|error| match error.is::<PointsError>() && !path.is_dir() {
        true => error.context("no report of `scale … --json`, so read as times of another tool"),
        false => error,
    })
}

/// Reads the reports in a file, or times that another tool measured, in a file or a folder, as `choice` says.
pub fn read(path: &Path, choice: &ReadOptions) -> Result<Vec<Report>> {
    let name = io::name(path);
    let of_points = |found: Result<Points, PointsError>| {
        found.and_then(|points| points::reports(&name, points)).with_context(|| name.clone())
    };
    if path.is_dir() {
        return of_points(points::of_folder(path, choice));
    }
    let text = io::read_text(path, "reports or times")?;
    if !is_report(&text) {
        return of_points(points::read(&text, choice));
    }
    data::read(&text)
        .with_context(|| format!("{name} is no report: expected the output of `scale … --json`"))
}

/// Whether `text` is a document of `scale … --json`.
fn is_report(text: &str) -> bool {
    let document: Value = serde_json::from_str(text).unwrap_or_default();
    ["tallyboard", "reports"].iter().any(|key| document.get(key).is_some())
}
