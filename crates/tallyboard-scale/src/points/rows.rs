//! The rows of a table: CSV (RFC 4180), a table in Markdown, or columns that blanks separate.

use super::PointsError;

/// A row, with the number of the line at which it begins.
#[derive(Clone)]
pub(super) struct Row {
    pub line: usize,
    pub fields: Vec<String>,
}

/// A table of a file, and the heading above it if the file has one.
pub(super) struct Table {
    pub title: Option<String>,
    /// The first is the header.
    pub rows: Vec<Row>,
}

/// The tables of `text`: those in Markdown, or else all of it as one. Empty lines are left out, and lines that begin with
/// `#`, but for one that has the names of the columns.
pub(super) fn tables(text: &str) -> Result<Vec<Table>, PointsError> {
    let tables = markdown(text);
    match tables.is_empty() {
        true => Ok(vec![Table { title: None, rows: rows(text)? }]),
        false => Ok(tables),
    }
}

fn rows(text: &str) -> Result<Vec<Row>, PointsError> {
    let delimiter = delimiter(text);
    let mut rows: Vec<Row> = Vec::new();
    let mut remark = None;
    let mut unread = text;
    let mut line = 1;
    while !unread.is_empty() {
        if let Some(after_mark) = unread.trim_start_matches([' ', '\t']).strip_prefix('#') {
            // A quote in a remark begins nothing.
            let (text, after) = after_mark.split_once('\n').unwrap_or((after_mark, ""));
            if rows.is_empty() {
                remark = Some(Row { line, fields: fields_of(text, delimiter) });
            }
            unread = after;
            line += 1;
            continue;
        }
        let (row, after) = first_row(unread, line, delimiter)?;
        let text_of_row = &unread[..unread.len() - after.len()];
        let is_empty = text_of_row.trim().is_empty();
        line += text_of_row.matches('\n').count();
        unread = after;
        if is_empty {
            continue;
        }
        if rows.is_empty() && row.fields.iter().all(|field| field.trim().parse::<f64>().is_ok()) {
            // Tools that plot want the names in a remark.
            rows.extend(remark.take().filter(|names| names.fields.len() == row.fields.len()));
        }
        let expected = rows.first().map_or(0, |header| header.fields.len());
        let blanks: Vec<String> = text_of_row.split_whitespace().map(str::to_owned).collect();
        // The header may have commas, and the rows below it blanks.
        let is_of_blanks = row.fields.len() == 1 && expected > 1 && blanks.len() == expected;
        rows.push(if is_of_blanks { Row { line: row.line, fields: blanks } } else { row });
    }
    Ok(rows)
}

/// The fields of a line without quotes.
fn fields_of(text: &str, delimiter: Option<char>) -> Vec<String> {
    match delimiter {
        Some(delimiter) => text.split(delimiter).map(|field| field.trim().to_owned()).collect(),
        None => text.split_whitespace().map(str::to_owned).collect(),
    }
}

/// The tables in Markdown, each under the last heading above it. A table that has the header of the one above it, and no
/// text between, is a part of that one.
fn markdown(text: &str) -> Vec<Table> {
    let is_rule = |row: &str| {
        row.contains("--") && row.contains('|') && row.chars().all(|it| "|:- \t".contains(it))
    };
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let mut tables: Vec<Table> = Vec::new();
    let mut title = None;
    let mut is_in_table = false;
    for (at, line) in lines.iter().enumerate() {
        let is_row = line.contains('|');
        if is_row && lines.get(at + 1).is_some_and(|next| is_rule(next)) {
            let header = markdown_row(at + 1, line);
            let above = tables.last().filter(|_| is_in_table);
            if above.is_none_or(|above| above.rows[0].fields != header.fields) {
                tables.push(Table { title: title.clone(), rows: Vec::new() });
            }
            tables.last_mut().expect("there is a table").rows.push(header);
            is_in_table = true;
        } else if is_in_table && is_row {
            if !is_rule(line) {
                let table = tables.last_mut().expect("there is a table");
                table.rows.push(markdown_row(at + 1, line));
            }
        } else if !line.is_empty() {
            is_in_table = false;
            let heading = line.trim_matches(['#', '*', ':', ' ']);
            let is_heading = line.starts_with('#') || line.starts_with("**") || line.ends_with(':');
            title = Some(heading.to_owned()).filter(|_| is_heading).or(title);
        }
    }
    tables
}

/// A row of Markdown, in which `<br>` is a blank.
fn markdown_row(line: usize, row: &str) -> Row {
    let inner = row.strip_prefix('|').unwrap_or(row);
    let inner = inner.strip_suffix('|').unwrap_or(inner);
    let clean = |field: &str| field.replace("<br>", " ").trim().trim_matches(['`', '*']).to_owned();
    Row { line, fields: inner.split('|').map(clean).collect() }
}

/// What separates the fields: a semicolon, a tab or a comma, the first of these that the header has; `None` for blanks.
/// Files with decimal commas have semicolons.
pub(super) fn delimiter(text: &str) -> Option<char> {
    let mut lines = text.lines();
    let header = lines.find(|line| !matches!(line.trim_start().chars().next(), None | Some('#')));
    // Google Benchmark tells of the machine in front of its table.
    let of_google = text.lines().find(|line| line.starts_with("name,iterations,"));
    let header = of_google.or(header).unwrap_or_default();
    let delimiter = [';', '\t', ','].into_iter().find(|delimiter| header.contains(*delimiter));
    // Several tabs in a row align columns, and separate two.
    delimiter.filter(|delimiter| *delimiter != '\t' || !header.contains("\t\t"))
}

/// The row at the beginning of `text`, which is in this line of the file, and the text behind it.
fn first_row(text: &str, line: usize, delimiter: Option<char>) -> Result<(Row, &str), PointsError> {
    let mut fields = vec![String::new()];
    let mut is_quoted = false;
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let field = fields.last_mut().expect("there is a field");
        match character {
            // Two quotes within quotes are one quote of the text.
            '"' if is_quoted && characters.next_if(|(_, next)| *next == '"').is_some() => {
                field.push('"');
            }
            '"' => is_quoted = !is_quoted,
            _ if Some(character) == delimiter && !is_quoted => fields.push(String::new()),
            // Any number of blanks is one separator.
            ' ' | '\t' if delimiter.is_none() && !is_quoted => {
                if !field.is_empty() {
                    fields.push(String::new());
                }
            }
            '\n' if !is_quoted => return Ok((row(line, fields, delimiter), &text[at + 1..])),
            '\r' => {}
            _ => field.push(character),
        }
    }
    if is_quoted {
        return Err(PointsError::at(line, "found a quote that is never closed, expected another"));
    }
    Ok((row(line, fields, delimiter), ""))
}

fn row(line: usize, mut fields: Vec<String>, delimiter: Option<char>) -> Row {
    // Blanks at the end separate nothing.
    if delimiter.is_none() && fields.len() > 1 && fields.last().is_some_and(String::is_empty) {
        fields.pop();
    }
    Row { line, fields }
}
