//! The report as one HTML file without scripts.

use super::{pictures, text};
use crate::cells::Table;
use crate::compare::Comparison;
use crate::laws::FitOutcome;
use crate::report::{Report, Subject};
use tallyboard_base::figures::counted;
use tallyboard_picture::picture::{Picture, escape, style};

const PAGE_STYLE: &str = include_str!("page.css");
/// The words of a report with their formulas. `docs/scaling.md` explains the same words.
const GLOSSARY: &str = include_str!("glossary.html");

/// The page of one report, or of several reports side by side with their `names`.
pub fn render(reports: &[Report], names: &[String]) -> String {
    let [report] = reports else { return side_by_side(reports, names) };
    let title = title(report);
    let origin = format!("<p class=\"quiet\">{}</p>\n", escape(&brief_circumstances(report)));
    let mut body = format!("<h1>{}</h1>\n", escape(&title)) + &origin + &first_screen(report);
    body += &section("Reasons, machine and conditions", &reasons(report));
    body += &curves(report);
    body += &forecast(report);
    body += &lost_time(report);
    if let Some(pop) = text::pop(report) {
        body += &section(text::POP, &html_table(&pop));
    }
    if let Some(counts) = text::counts(report) {
        body += &section(text::COUNTERS, &html_table(&counts));
    }
    if let Some(ceilings) = text::ceilings(report) {
        body += &section(text::CAPACITY, &html_table(&ceilings));
    }
    body += &models(report);
    body += &section("Times", &html_table(&text::points(report)));
    page(&title, &body, report)
}

/// From this number on a page also has a line for each thread count, from report to report.
const MANY_REPORTS: usize = 3;

/// The page of several reports: the comparison, then each report.
fn side_by_side(reports: &[Report], names: &[String]) -> String {
    let Some(first) = reports.first() else { return String::new() };
    let title = format!("{}: {} reports side by side", first.subject.command, reports.len());
    let comparison = Comparison::of(reports);
    let caption =
        "Median time for the same amount of work, with its intervals. Both axes are logarithmic.";
    let picture = figure(&pictures::together(reports, names).draw(), caption);
    let items: String = names.iter().map(|name| format!("<li>{}</li>\n", escape(name))).collect();
    let mut body =
        format!("<h1>{}</h1>\n<p class=\"quiet\">{}</p>\n", escape(&title), circumstances(first));
    let list = format!("<ol>\n{items}</ol>\n");
    body += &if reports.len() >= MANY_REPORTS {
        let caption = "The same, report after report. The vertical axis is logarithmic.";
        two_columns(&picture, &figure(&pictures::history(reports).draw(), caption)) + &list
    } else {
        two_columns(&picture, &list)
    };
    let notes = comparison.notes.iter().map(|note| format!("<p>{}</p>\n", escape(note)));
    let table = html_table(&comparison.table(names)) + &notes.collect::<String>();
    body += &open_section("Compared with the first", &table);
    for (report, name) in reports.iter().zip(names) {
        let laws: String = report.models.iter().map(law).collect();
        body += &section(name, &(text_of_one(report) + &html_table(&text::points(report)) + &laws));
    }
    page(&title, &body, first)
}

fn page(title: &str, body: &str, report: &Report) -> String {
    let glossary = section("What the words mean", GLOSSARY);
    let version = escape(&report.tallyboard);
    let command =
        escape(&report.results.last().map_or(String::new(), |point| point.command.clone()));
    let origin = match &report.subject.source {
        Some(source) => format!("Fitted by tallyboard {version} to {}", escape(&source.file)),
        None => format!(
            "Measured by tallyboard {version}. Each run can be repeated with <code>{command}</code>"
        ),
    };
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>{}</title>\n<style>\n{PAGE_STYLE}{}</style>\n</head>\n<body>\n<main>\n{body}{glossary}<footer><p>{origin}.</p></footer>\n</main>\n</body>\n</html>\n",
        escape(title),
        style(),
    )
}

fn title(report: &Report) -> String {
    let Subject { problem, scaling, .. } = &report.subject;
    let (fewest, most) = (report.baseline(), counted(report.most_threads(), "thread"));
    format!("{problem}: {scaling} scaling from {fewest} to {most}")
}

/// When and on which machine it was measured, in how many rounds; or where the times are from.
fn brief_circumstances(report: &Report) -> String {
    let Subject { source, machine, conditions, .. } = &report.subject;
    if let Some(source) = source {
        return source.describe() + ".";
    }
    let runs = counted(report.results.first().map_or(0, |point| point.times.len()), "round");
    let began = conditions.began.as_ref().map_or_else(String::new, |it| format!(" {it} UTC"));
    format!("Measured{began} on {} in {runs}.", machine.describe_briefly())
}

/// Machine, conditions and rounds; or where the times are from.
fn circumstances(report: &Report) -> String {
    let subject = &report.subject;
    if let Some(source) = &subject.source {
        return escape(&source.describe()) + ".";
    }
    let runs = report.results.first().map_or(0, |point| point.times.len());
    let uncounted = subject.conditions.describe_uncounted();
    let uncounted = uncounted.map_or(String::new(), |why| format!("; {}", escape(&why)));
    format!(
        "{}. Meanwhile: {}{uncounted}. {}{}; {runs} interleaved runs of each thread count.",
        escape(&subject.machine.describe()),
        escape(&subject.conditions.describe()),
        if subject.is_command() { "Measured: " } else { "Kernel " },
        escape(&subject.method(";")),
    )
}

/// What a reader needs first: the main sentences, the curve, the table, the first warning.
fn first_screen(report: &Report) -> String {
    let mut out = paragraphs("<p class=\"main\">", report.summary());
    let fewest = match report.baseline() {
        1 => "one thread".to_owned(),
        fewest => format!("{fewest} threads"),
    };
    let caption =
        format!("Speed-up: the work done in the same time, in multiples of that of {fewest}.");
    let speedup = figure(&pictures::speedup(report).draw(), &caption);
    out += &html_table(&text::brief_points(report));
    out += &speedup;
    let Some((first, others)) = report.warnings.split_first() else { return out };
    out += &warning(first);
    if !others.is_empty() {
        let warnings: String = others.iter().map(|text| warning(text)).collect();
        let number = counted(others.len(), "more warning");
        out += &format!("<details><summary>{number}</summary>\n{warnings}</details>\n");
    }
    out
}

fn warning(text: &str) -> String {
    format!("<p class=\"warning\"><strong>Warning:</strong> {}</p>\n", escape(text))
}

/// The sentences that are not on the first screen, and where and how the times were measured.
fn reasons(report: &Report) -> String {
    paragraphs("<p>", report.remarks())
        + &format!("<p class=\"quiet\">{}</p>\n", circumstances(report))
}

/// A paragraph for each sentence; `tag` begins it.
fn paragraphs<'a>(tag: &str, sentences: impl IntoIterator<Item = &'a str>) -> String {
    sentences.into_iter().map(|sentence| format!("{tag}{}</p>\n", escape(sentence))).collect()
}

/// Machine, sentences and warnings of a report among several.
fn text_of_one(report: &Report) -> String {
    let mut out = format!("<p class=\"quiet\">{}</p>\n", circumstances(report));
    out += &paragraphs("<p>", report.explanation.iter().map(|it| &**it));
    out + &report.warnings.iter().map(|text| warning(text)).collect::<String>()
}

fn curves(report: &Report) -> String {
    let caption = "Efficiency: speed-up over number of threads.";
    let efficiency = figure(&pictures::efficiency(report).draw(), caption);
    let caption = "Throughput: units of work per second.";
    let rate = pictures::rate(report).map(|chart| figure(&chart.draw(), caption));
    section("More curves", &two_columns(&efficiency, &rate.unwrap_or_default()))
}

fn forecast(report: &Report) -> String {
    let Some(chart) = pictures::forecast(report) else { return String::new() };
    let caption = "Dashed: predicted from the pieces of work of one thread, dealt to more cores in the same order. Dots: measured.";
    let table = html_table(&text::forecast(report));
    section("On more cores", &two_columns(&figure(&chart.draw(), caption), &table))
}

fn lost_time(report: &Report) -> String {
    let Some(bars) = pictures::losses(report) else { return String::new() };
    let threads = report.main_point().map_or(1, |point| point.threads);
    let caption = "Each bar is the time of all threads at one thread count, in the run closest to the median.";
    let bars = figure(&bars, caption);
    let heading = text::losses_heading(report);
    let losses = html_table(&text::losses(report));
    let Some(timeline) = pictures::timeline(report) else {
        return section(heading, &two_columns(&bars, &losses));
    };
    let threads = counted(threads, "thread");
    let caption =
        format!("{threads}: a row for each worker, coloured while it was inside a piece of work.");
    let pictures = two_columns(&bars, &figure(&timeline, &caption));
    section(heading, &(pictures + &losses + &worker_by_worker(report, &threads)))
}

/// A table of the workers, folded if there are many.
fn worker_by_worker(report: &Report, threads: &str) -> String {
    const MANY_ROWS: usize = 16;
    let table = text::workers(report);
    let heading = format!("Worker by worker, {threads}");
    let is_long = table.0.len() > MANY_ROWS;
    let table = html_table(&table);
    if is_long {
        format!("<details><summary><strong>{heading}</strong></summary>\n{table}</details>\n")
    } else {
        format!("<h3>{heading}</h3>\n{table}")
    }
}

fn models(report: &Report) -> String {
    section("Models", &report.models.iter().map(law).collect::<String>())
}

fn law(model: &FitOutcome) -> String {
    format!("<p>{}</p>\n", escape(&text::law(model)))
}

/// Two parts of the page side by side if the window is wide enough.
fn two_columns(one: &str, other: &str) -> String {
    format!("<div class=\"pair\">\n{one}{other}</div>\n")
}

/// A part of the page that is folded away until its heading is clicked.
fn section(heading: &str, content: &str) -> String {
    format!("<details>\n<summary><h2>{}</h2></summary>\n{content}</details>\n", escape(heading))
}

/// A part of the page that is always seen.
fn open_section(heading: &str, content: &str) -> String {
    format!("<section>\n<h2>{}</h2>\n{content}</section>\n", escape(heading))
}

fn figure(picture: &Picture, caption: &str) -> String {
    format!("<figure>{}<figcaption>{}</figcaption></figure>\n", picture.inline(), escape(caption))
}

/// A table that scrolls by itself on a narrow screen.
fn html_table(Table(rows): &Table) -> String {
    let Some((header, body)) = rows.split_first() else { return String::new() };
    let header = cells(header, "<th scope=\"col\">", "</th>");
    let row = |row: &Vec<String>| format!("<tr>{}</tr>\n", cells(row, "<td>", "</td>"));
    let body: String = body.iter().map(row).collect();
    format!(
        "<div class=\"scroll\" tabindex=\"0\"><table>\n<thead><tr>{header}</tr></thead>\n<tbody>\n{body}</tbody></table></div>\n"
    )
}

/// The cells of a row, each between the tags `open` and `close`.
fn cells(row: &[String], open: &str, close: &str) -> String {
    row.iter().map(|cell| format!("{open}{}{close}", escape(cell))).collect()
}
