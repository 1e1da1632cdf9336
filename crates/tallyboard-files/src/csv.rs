//! Cells of CSV, as they are written.

/// Appends a cell to `out`, in quotes if its text has the delimiter, a quote or a line break.
#[inline]
pub fn write_column(text: &[u8], delimiter: u8, out: &mut Vec<u8>) {
    if text.iter().any(|byte| [delimiter, b'"', b'\n', b'\r'].contains(byte)) {
        quote(text, out);
    } else {
        out.extend_from_slice(text);
    }
}

/// Appends a cell in quotes to `out`. A quote in its text is written twice.
#[inline]
pub fn quote(text: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    for &byte in text {
        if byte == b'"' {
            out.push(byte);
        }
        out.push(byte);
    }
    out.push(b'"');
}

/// A cell between commas, in quotes if its text needs them.
///
/// ```
/// use tallyboard_files::csv::cell;
/// assert_eq!((cell("a b").as_str(), cell("a, \"b\"").as_str()), ("a b", "\"a, \"\"b\"\"\""));
/// ```
pub fn cell(text: &str) -> String {
    let mut out = Vec::new();
    write_column(text.as_bytes(), b',', &mut out);
    String::from_utf8_lossy(&out).into_owned()
}
