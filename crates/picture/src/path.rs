//! Parses the SVG paths that this crate writes, with the commands `M L H V C S h v z`.

use tiny_skia::{Path, PathBuilder};

/// The outline that `text` describes. `None` if there is none, as for a single point.
///
/// # Panics
/// If it has other commands, or a wrong number of numbers.
pub fn parse(text: &str) -> Option<Path> {
    let mut cursor = Cursor { path: PathBuilder::new(), at: (0.0, 0.0), mirrored: None };
    let mut rest = text;
    while let Some(command) = rest.chars().next() {
        let body = &rest[command.len_utf8()..];
        let end = body.find(|it: char| it.is_ascii_alphabetic()).unwrap_or(body.len());
        let drawn = numbers(&body[..end]).and_then(|numbers| cursor.draw(command, &numbers));
        drawn.unwrap_or_else(|| panic!("found the path '{text}', expected M L H V C S h v z"));
        rest = &body[end..];
    }
    cursor.path.finish()
}

/// Numbers separated by blanks, by a sign, or by a second decimal point.
fn numbers(text: &str) -> Option<Vec<f32>> {
    let mut numbers = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let mut points = 0;
        let length = rest
            .char_indices()
            .find(|&(at, it)| {
                points += u32::from(it == '.');
                it == ' ' || (it == '-' && at > 0) || points > 1
            })
            .map_or(rest.len(), |(at, _)| at);
        numbers.push(rest[..length].parse().ok()?);
        rest = rest[length..].trim_start();
    }
    Some(numbers)
}

struct Cursor {
    path: PathBuilder,
    at: (f32, f32),
    /// After a curve: the first control point of a smooth curve that continues it.
    mirrored: Option<(f32, f32)>,
}

impl Cursor {
    /// Carries out a command. If there are numbers for several commands, repeats it.
    fn draw(&mut self, command: char, numbers: &[f32]) -> Option<()> {
        let size = match command {
            'z' | 'Z' => {
                self.path.close();
                return numbers.is_empty().then_some(());
            }
            'H' | 'V' | 'h' | 'v' => 1,
            'M' | 'L' => 2,
            'S' => 4,
            'C' => 6,
            _ => return None,
        };
        if numbers.is_empty() || !numbers.len().is_multiple_of(size) {
            return None;
        }
        for (turn, numbers) in numbers.chunks_exact(size).enumerate() {
            let (x, y) = self.at;
            let mirrored = self.mirrored.take().unwrap_or(self.at);
            match (command, numbers) {
                // Further points after a move are lines.
                ('M', &[x, y]) if turn == 0 => {
                    self.path.move_to(x, y);
                    self.at = (x, y);
                }
                ('M' | 'L', &[x, y]) => self.line_to(x, y),
                ('H', &[x]) => self.line_to(x, y),
                ('V', &[y]) => self.line_to(x, y),
                ('h', &[right]) => self.line_to(x + right, y),
                ('v', &[down]) => self.line_to(x, y + down),
                ('C', &[x1, y1, x2, y2, x, y]) => self.curve_to((x1, y1), (x2, y2), (x, y)),
                ('S', &[x2, y2, x, y]) => self.curve_to(mirrored, (x2, y2), (x, y)),
                _ => return None,
            }
        }
        Some(())
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.path.line_to(x, y);
        self.at = (x, y);
    }

    fn curve_to(&mut self, first: (f32, f32), second: (f32, f32), end: (f32, f32)) {
        self.path.cubic_to(first.0, first.1, second.0, second.1, end.0, end.1);
        self.at = end;
        self.mirrored = Some((2.0 * end.0 - second.0, 2.0 * end.1 - second.1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::glyphs::glyph;

    #[test]
    fn every_glyph_is_a_path() {
        for character in (' '..='~').filter(|&it| it != ' ') {
            let (path, advance) = glyph(character);
            let bounds = parse(path).unwrap().bounds();
            let inside = bounds.left() >= -1.0 && f64::from(bounds.right()) <= advance;
            assert!(inside && bounds.top() >= -1.5 && bounds.bottom() <= 19.0, "{character}");
        }
    }

    #[test]
    fn numbers_need_no_blanks_between_them() {
        assert_eq!(numbers("1.7.9 3 0-.2 14"), Some(vec![1.7, 0.9, 3.0, 0.0, -0.2, 14.0]));
    }

    #[test]
    fn relative_and_smooth_commands_go_on_from_the_last_point() {
        let square = parse("M2 3h4v4h-4z").unwrap().bounds();
        assert_eq!(
            (square.left(), square.top(), square.right(), square.bottom()),
            (2., 3., 6., 7.)
        );
        assert_eq!(parse("M0 0C0 1 2 3 4 4S6 2 8 0"), parse("M0 0C0 1 2 3 4 4C6 5 6 2 8 0"));
        assert_eq!(parse("M0 0L1 1 2 0"), parse("M0 0L1 1L2 0"));
    }

    #[test]
    fn a_lone_point_has_no_outline() {
        assert_eq!((parse("M1 2"), parse("")), (None, None));
    }

    #[test]
    fn what_is_no_path_is_refused() {
        for text in ["Q0 0 1 1", "M1", "M1 2 3", "L", "M0 0z1", "M0 0L1 x"] {
            assert!(std::panic::catch_unwind(|| parse(text)).is_err(), "{text}");
        }
    }
}
