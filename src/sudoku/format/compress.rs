//! gzip and zstd around any format: told by the first bytes when read, by the file's suffix when
//! written.

use std::io::{self, BufRead, BufReader, Error, ErrorKind, Read, Write};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use flate2::write::GzEncoder;

/// How a file is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compression {
    /// Not at all.
    None,
    /// gzip, with any number of members.
    Gzip,
    /// Zstandard, with any number of frames.
    Zstd,
}

impl Compression {
    /// The compression that a file's name asks for: `.gz`, `.zst` or none.
    ///
    /// ```
    /// use tallyboard::sudoku::format::compress::Compression;
    /// assert_eq!(Compression::of_path("puzzles.csv.gz".as_ref()), Compression::Gzip);
    /// ```
    pub fn of_path(path: &Path) -> Self {
        match path.extension().and_then(|suffix| suffix.to_str()) {
            Some("gz") => Self::Gzip,
            Some("zst") => Self::Zstd,
            _ => Self::None,
        }
    }

    fn of_head(head: &[u8]) -> Self {
        match head {
            [0x1f, 0x8b, ..] => Self::Gzip,
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Self::Zstd,
            _ => Self::None,
        }
    }
}

/// `input` uncompressed, whatever it is.
///
/// # Errors
/// What `input` reports. Reading the result fails with a message of its own when the compressed
/// data break off.
pub fn reader(input: impl Read + Send + 'static) -> io::Result<Box<dyn Read + Send>> {
    let mut input = BufReader::with_capacity(64 << 10, input);
    Ok(match Compression::of_head(input.fill_buf()?) {
        Compression::None => Box::new(input),
        Compression::Gzip => Box::new(Whole { inner: MultiGzDecoder::new(input), name: "gzip" }),
        #[cfg(feature = "zstd")]
        Compression::Zstd => {
            Box::new(Whole { inner: zstd::Decoder::with_buffer(input)?, name: "zstd" })
        }
        #[cfg(not(feature = "zstd"))]
        Compression::Zstd => return Err(no_zstd()),
    })
}

/// Without the feature `zstd` the format is known, so that files in it are refused by name.
#[cfg(not(feature = "zstd"))]
fn no_zstd() -> Error {
    Error::new(ErrorKind::Unsupported, "found zstd data, which this build cannot read or write")
}

/// Says what happened when compressed data are not whole.
struct Whole<R> {
    inner: R,
    name: &'static str,
}

impl<R: Read> Read for Whole<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.inner.read(buffer).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => Error::new(
                ErrorKind::UnexpectedEof,
                format!("the {} data break off: the file is truncated", self.name),
            ),
            ErrorKind::InvalidInput | ErrorKind::InvalidData | ErrorKind::Other => Error::new(
                ErrorKind::InvalidData,
                format!("the {} data are damaged: {error}", self.name),
            ),
            _ => error,
        })
    }
}

/// Compresses what is written to it. [`Encoder::finish`] ends the data; without it they stay
/// truncated.
pub struct Encoder<W: Write>(Inner<W>);

enum Inner<W: Write> {
    None(W),
    Gzip(GzEncoder<W>),
    #[cfg(feature = "zstd")]
    Zstd(Box<zstd::Encoder<'static, W>>),
}

impl<W: Write> Encoder<W> {
    /// Compresses into `output`.
    ///
    /// # Errors
    /// If the zstd library has no memory, or this build does without it.
    pub fn new(output: W, compression: Compression) -> io::Result<Self> {
        Ok(Self(match compression {
            Compression::None => Inner::None(output),
            Compression::Gzip => Inner::Gzip(GzEncoder::new(output, flate2::Compression::fast())),
            #[cfg(feature = "zstd")]
            Compression::Zstd => Inner::Zstd(Box::new(zstd::Encoder::new(output, 1)?)),
            #[cfg(not(feature = "zstd"))]
            Compression::Zstd => return Err(no_zstd()),
        }))
    }

    /// Ends the compressed data and hands the output back.
    ///
    /// # Errors
    /// What the output reports.
    pub fn finish(self) -> io::Result<W> {
        match self.0 {
            Inner::None(output) => Ok(output),
            Inner::Gzip(encoder) => encoder.finish(),
            #[cfg(feature = "zstd")]
            Inner::Zstd(encoder) => encoder.finish(),
        }
    }
}

impl<W: Write> Write for Encoder<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Inner::None(output) => output.write(bytes),
            Inner::Gzip(encoder) => encoder.write(bytes),
            #[cfg(feature = "zstd")]
            Inner::Zstd(encoder) => encoder.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Inner::None(output) => output.flush(),
            // Flushing compressed data early would only make them longer.
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What this build knows.
    const KNOWN: &[Compression] = &[
        Compression::Gzip,
        #[cfg(feature = "zstd")]
        Compression::Zstd,
    ];

    fn packed(text: &[u8], compression: Compression) -> Vec<u8> {
        let mut encoder = Encoder::new(Vec::new(), compression).unwrap();
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    fn unpacked(data: Vec<u8>) -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        reader(io::Cursor::new(data))?.read_to_end(&mut text)?;
        Ok(text)
    }

    #[test]
    fn several_members_are_read_whole() {
        for &compression in KNOWN {
            let mut data = packed(b"one\n", compression);
            data.extend(packed(b"two\n", compression));
            assert_eq!(unpacked(data).unwrap(), b"one\ntwo\n");
        }
    }

    #[test]
    fn truncation_is_an_error_at_every_length() {
        for &compression in KNOWN {
            let data = packed(&b"123456789\n".repeat(50), compression);
            for length in 4..data.len() {
                let error = unpacked(data[..length].to_vec()).unwrap_err();
                assert!(error.to_string().contains("truncated"), "{length}: {error}");
            }
        }
    }
}
