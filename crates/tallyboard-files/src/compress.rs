//! Compression of any format: recognised by the first bytes of an input, chosen by the suffix of an output.

mod encoder;
#[cfg(any(test, not(feature = "zstd")))]
mod frames;

use std::io::{self, BufRead, BufReader, Error, ErrorKind, Read};
use std::path::Path;

use flate2::bufread::GzDecoder;

pub use encoder::Encoder;

use crate::read_head;

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
    /// The compression that a file's name asks for: `.gz`, `.zst` (in small letters or large) or none.
    ///
    /// ```
    /// use tallyboard_files::compress::Compression;
    /// assert_eq!(Compression::of_path("puzzles.csv.gz".as_ref()).unwrap(), Compression::Gzip);
    /// assert_eq!(Compression::of_path("PUZZLES.GZ".as_ref()).unwrap(), Compression::Gzip);
    /// assert!(Compression::of_path("puzzles.csv.xz".as_ref()).is_err());
    /// ```
    ///
    /// # Errors
    /// If the name asks for a compression that is not known here.
    pub fn of_path(path: &Path) -> io::Result<Self> {
        let suffix = path.extension().and_then(|suffix| suffix.to_str()).unwrap_or_default();
        Self::of_kind(|kind| suffix.eq_ignore_ascii_case(kind.suffix))
    }

    /// The compression of a file with these first bytes.
    ///
    /// # Errors
    /// If this program cannot read it.
    pub fn of_head(head: &[u8]) -> io::Result<Self> {
        Self::of_kind(|kind| begins(head, kind.magic) == Some(true))
    }

    /// The compression of the first of [`KINDS`] that is wanted, if any is.
    fn of_kind(is_wanted: impl Fn(&Kind) -> bool) -> io::Result<Self> {
        let Some(Kind { suffix, compression, .. }) = KINDS.iter().find(|kind| is_wanted(kind))
        else {
            return Ok(Self::None);
        };
        compression.map_err(|tool| {
            let expected = "expected gzip, zstd or no compression; use a pipe to or from";
            Error::new(ErrorKind::Unsupported, format!("found {suffix}, {expected} {tool}"))
        })
    }
}

/// A way in which data may be compressed.
struct Kind {
    /// The first bytes of compressed data.
    magic: &'static [u8],
    /// The suffix of files.
    suffix: &'static str,
    /// The compression, or else the program that has to unpack the data.
    compression: Result<Compression, &'static str>,
}

const KINDS: [Kind; 5] = [
    Kind { magic: b"\x1f\x8b", suffix: "gz", compression: Ok(Compression::Gzip) },
    Kind { magic: b"\x28\xb5\x2f\xfd", suffix: "zst", compression: Ok(Compression::Zstd) },
    Kind { magic: SKIPPABLE, suffix: "zst", compression: Ok(Compression::Zstd) },
    Kind { magic: b"\xfd7zXZ\0", suffix: "xz", compression: Err("xz") },
    Kind { magic: b"BZh", suffix: "bz2", compression: Err("bzip2") },
];

/// The first bytes of a skippable frame of Zstandard. `pzstd` writes one before each frame of data. The low half of
/// the first byte may be anything.
const SKIPPABLE: &[u8] = b"\x50\x2a\x4d\x18";

/// Whether `head` begins with `magic`; `None` if `head` is too short to tell.
fn begins(head: &[u8], magic: &[u8]) -> Option<bool> {
    let mask = if magic == SKIPPABLE { 0xf0 } else { 0xff };
    let (&first, rest) = head.split_first()?;
    let length = head.len().min(magic.len());
    let is_same = first & mask == magic[0] && rest[..length - 1] == magic[1..length];
    if is_same && head.len() < magic.len() { None } else { Some(is_same) }
}

/// Uncompresses `input`, or passes it on if its first bytes show that it is not compressed.
///
/// # Errors
/// If `input` fails, or is compressed in another way. Reading the result fails with a message if
/// the compressed data are truncated or damaged.
pub fn reader(input: impl Read + Send + 'static) -> io::Result<Box<dyn Read + Send>> {
    let is_enough = |head: &[u8]| KINDS.iter().all(|kind| begins(head, kind.magic).is_some());
    let (head, input) = read_head(input, is_enough)?;
    Ok(match Compression::of_head(&head)? {
        Compression::None => Box::new(input),
        Compression::Gzip => {
            let inner = Members(Some(GzDecoder::new(buffered(input))));
            Box::new(DamageMessages { inner, name: "gzip" })
        }
        Compression::Zstd => {
            #[cfg(feature = "zstd")]
            let inner = zstd::Decoder::with_buffer(buffered(input))?;
            #[cfg(not(feature = "zstd"))]
            let inner = frames::Frames::new(buffered(input));
            Box::new(DamageMessages { inner, name: "zstd" })
        }
    })
}

fn buffered<R: Read>(input: R) -> BufReader<R> {
    BufReader::with_capacity(64 << 10, input)
}

/// The members of gzip data, one after the other, and nothing but zeros after the last; `None` at the end.
struct Members<R>(Option<GzDecoder<R>>);

impl<R: BufRead> Read for Members<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.0 {
            let read = member.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            self.0 = match self.0.take() {
                Some(member) => next_member(member.into_inner())?,
                None => None,
            };
        }
        Ok(0)
    }
}

/// The next member, if there is one. Tapes and some archivers append zeros, which are skipped.
fn next_member<R: BufRead>(mut input: R) -> io::Result<Option<GzDecoder<R>>> {
    loop {
        let ahead = input.fill_buf()?;
        let zeros = ahead.iter().take_while(|&&byte| byte == 0).count();
        match ahead.get(zeros) {
            None if zeros == 0 => return Ok(None),
            None => input.consume(zeros),
            Some(0x1f) if zeros == 0 => return Ok(Some(GzDecoder::new(input))),
            Some(_) => {
                let found = "found other data behind the gzip data";
                return Err(Error::new(ErrorKind::Unsupported, found));
            }
        }
    }
}

/// Adds a message to the error of truncated or damaged data.
struct DamageMessages<R> {
    inner: R,
    name: &'static str,
}

impl<R: Read> Read for DamageMessages<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let name = self.name;
        self.inner.read(buffer).map_err(|error| match error.kind() {
            kind @ ErrorKind::UnexpectedEof => {
                Error::new(kind, format!("the {name} data break off: the file is truncated"))
            }
            ErrorKind::InvalidInput | ErrorKind::InvalidData | ErrorKind::Other => {
                Error::new(ErrorKind::InvalidData, format!("the {name} data are damaged: {error}"))
            }
            _ => error,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    use super::*;

    fn packed(text: &[u8], compression: Compression) -> Vec<u8> {
        if !cfg!(feature = "zstd") && compression == Compression::Zstd {
            return compress_to_vec(text, CompressionLevel::Fastest);
        }
        let mut encoder = Encoder::new(Vec::new(), compression, 1).unwrap();
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    pub(super) fn unpacked(data: Vec<u8>) -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        reader(io::Cursor::new(data))?.read_to_end(&mut text)?;
        Ok(text)
    }

    #[test]
    fn zeros_end_gzip_data_and_anything_else_is_named() {
        for members in [1, 2] {
            let data = packed(b"some text", Compression::Gzip).repeat(members);
            for zeros in [1, 512, 70_000] {
                let padded = [&data[..], &vec![0; zeros]].concat();
                assert_eq!(unpacked(padded).unwrap(), b"some text".repeat(members));
            }
            for other in [&b"hello"[..], &b"\0\0hello"[..]] {
                let error = unpacked([&data[..], other].concat()).unwrap_err();
                assert_eq!(error.to_string(), "found other data behind the gzip data");
            }
        }
    }

    #[test]
    fn frames_that_hold_no_text_may_come_first() {
        for low in 0..16 {
            // As pzstd does: the size of the next frame.
            let skippable = [&[0x50 | low, 0x2a, 0x4d, 0x18, 4, 0, 0, 0][..], b"size"].concat();
            let text = packed(b"one\n", Compression::Zstd);
            let data = [&skippable[..], &text, &skippable, &text].concat();
            assert_eq!(unpacked(data).unwrap(), b"one\none\n", "{low}");
        }
        for plain in [&b"_*M"[..], b"P", b"X*M\x17", b"\x50\x2a\x4d"] {
            assert_eq!(unpacked(plain.to_vec()).unwrap(), plain);
        }
    }

    #[test]
    fn truncation_is_an_error_at_every_length() {
        for compression in [Compression::Gzip, Compression::Zstd] {
            let data = packed(&b"123456789\n".repeat(50), compression);
            for length in 4..data.len() {
                let error = unpacked(data[..length].to_vec()).unwrap_err();
                assert!(error.to_string().contains("truncated"), "{length}: {error}");
            }
        }
    }

    #[test]
    fn data_that_arrive_byte_by_byte_are_recognised() {
        struct Slow(io::Cursor<Vec<u8>>);
        impl Read for Slow {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                let most = buffer.len().min(1);
                self.0.read(&mut buffer[..most])
            }
        }
        for compression in [Compression::Gzip, Compression::Zstd, Compression::None] {
            let mut text = Vec::new();
            let data = io::Cursor::new(packed(b"BZ: some text", compression));
            reader(Slow(data)).unwrap().read_to_end(&mut text).unwrap();
            assert_eq!(text, b"BZ: some text", "{compression:?}");
        }
    }
}
