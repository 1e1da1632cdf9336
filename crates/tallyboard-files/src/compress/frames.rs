//! A reader of Zstandard without its C library: frames one after the other, with their checksums.

use std::io::{BufRead, Error, ErrorKind, Read, Result, copy};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// The largest window that the C library accepts by default, in bytes.
const MAX_WINDOW_BYTES: u64 = 128 << 20;

/// The contents of the frames of a stream. Truncated data fail with [`ErrorKind::UnexpectedEof`],
/// damaged data with [`ErrorKind::InvalidData`].
///
/// The decoder keeps the last window of each frame until the frame ends. So who writes to a pipe and flushes may wait until a
/// window more was written before the reader gets that text.
pub struct Frames<R> {
    source: Source<R>,
    decoder: FrameDecoder,
    /// Whether a frame was entered but not left.
    is_in_frame: bool,
    /// The bytes of the frame that were returned.
    returned: u64,
}

impl<R: BufRead> Frames<R> {
    /// The contents of `source`, which begins with a frame.
    pub fn new(source: R) -> Self {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(MAX_WINDOW_BYTES);
        let source =
            Source { inner: source, has_ended: false, error: None, position: 0, descriptor: 0 };
        Frames { source, decoder, is_in_frame: false, returned: 0 }
    }

    /// Enters the next frame that holds data; `false` at the end of the stream.
    fn enter_frame(&mut self) -> Result<bool> {
        while !self.source.inner.fill_buf()?.is_empty() {
            self.source.position = 0;
            self.returned = 0;
            match self.decoder.init(&mut self.source) {
                Ok(()) => {
                    self.is_in_frame = true;
                    return Ok(true);
                }
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => self.skip(length.into())?,
                Err(error) => return Err(self.source.explain(error)),
            }
        }
        Ok(false)
    }

    /// Skips so many bytes of the source, which is truncated if it has fewer.
    fn skip(&mut self, length: u64) -> Result<()> {
        let skipped = copy(&mut (&mut self.source.inner).take(length), &mut std::io::sink())?;
        if skipped == length { Ok(()) } else { Err(ErrorKind::UnexpectedEof.into()) }
    }

    /// Ends a frame.
    ///
    /// # Errors
    /// If its checksum or its size differs from that of its contents.
    fn leave_frame(&mut self) -> Result<()> {
        self.is_in_frame = false;
        let (stated, found) = (self.decoder.content_size(), self.returned);
        if self.source.states_size() && stated != found {
            let size = format!("the size does not fit: found {found} bytes, expected {stated}");
            return Err(Error::new(ErrorKind::InvalidData, size));
        }
        let stated = self.decoder.get_checksum_from_data();
        if stated.is_none() || stated == self.decoder.get_calculated_checksum() {
            Ok(())
        } else {
            Err(Error::new(ErrorKind::InvalidData, "the checksum does not fit"))
        }
    }
}

impl<R: BufRead> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        while self.is_in_frame || self.enter_frame()? {
            while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                let one_block = BlockDecodingStrategy::UptoBlocks(1);
                if let Err(error) = self.decoder.decode_blocks(&mut self.source, one_block) {
                    return Err(self.source.explain(error));
                }
            }
            match self.decoder.read(buffer)? {
                0 => self.leave_frame()?,
                length => {
                    self.returned += length as u64;
                    return Ok(length);
                }
            }
        }
        Ok(0)
    }
}

/// The input of a decoder. It keeps the error of the input, because the decoder reports only its own.
struct Source<R> {
    inner: R,
    has_ended: bool,
    error: Option<Error>,
    /// The bytes of the frame that were read.
    position: u64,
    /// The byte behind the frame's magic number, which tells what its header has.
    descriptor: u8,
}

/// Where a frame's descriptor stands, in bytes from the start of the frame.
const DESCRIPTOR_AT: u64 = 4;

impl<R: Read> Read for Source<R> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let read = self.inner.read(buffer);
        if let Ok(length) = read {
            let at = DESCRIPTOR_AT.checked_sub(self.position).map(|at| at as usize);
            if let Some(&descriptor) = at.and_then(|at| buffer[..length].get(at)) {
                self.descriptor = descriptor;
            }
            self.position += length as u64;
        }
        self.has_ended |= matches!(read, Ok(0)) && !buffer.is_empty();
        read.map_err(|error| match error.kind() {
            ErrorKind::Interrupted => error,
            kind => {
                self.error = Some(error);
                kind.into()
            }
        })
    }
}

impl<R> Source<R> {
    /// Whether the frame's header states the size of the contents (RFC 8878, section 3.1.1.1.1): the decoder takes a size that is
    /// absent for 0.
    fn states_size(&self) -> bool {
        let (size_flag, single_segment) = (self.descriptor >> 6, self.descriptor >> 5 & 1);
        size_flag != 0 || single_segment != 0
    }

    /// The cause of the decoder's error: that of the source if there was one, which is kept for this call alone.
    fn explain(&mut self, error: FrameDecoderError) -> Error {
        match self.error.take() {
            Some(error) => error,
            None if self.has_ended => ErrorKind::UnexpectedEof.into(),
            None => Error::new(ErrorKind::InvalidData, error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    use super::*;

    /// Two frames as the `zstd` program writes them: `seq 1 3000 | zstd -3`, then `seq 3001 4000 |
    /// zstd -19 --no-check`.
    const BY_ZSTD: &[u8] = include_bytes!("../../../../tests/data/two_frames.zst");

    fn read(data: impl BufRead) -> Result<Vec<u8>> {
        let mut text = Vec::new();
        Frames::new(data).read_to_end(&mut text)?;
        Ok(text)
    }

    fn packed(text: &[u8]) -> Vec<u8> {
        compress_to_vec(text, CompressionLevel::Fastest)
    }

    #[test]
    fn frames_of_the_c_library_are_read() {
        let expected: String = (1..=4000).map(|number| format!("{number}\n")).collect();
        assert_eq!(read(BY_ZSTD).unwrap(), expected.as_bytes());
    }

    #[test]
    fn skippable_frames_are_skipped() {
        let skippable = b"\x5a\x2a\x4d\x18\x03\0\0\0abc";
        let data = [&packed(b"one"), &skippable[..], &packed(b"two"), skippable].concat();
        assert_eq!(read(&data[..]).unwrap(), b"onetwo");
        let error = read(&data[..data.len() - 1]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::UnexpectedEof);
    }

    #[test]
    fn a_wrong_checksum_is_damage() {
        let mut data = packed(b"123456789\n");
        *data.last_mut().unwrap() ^= 1;
        let error = read(&data[..]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidData);
        assert_eq!(error.to_string(), "the checksum does not fit");
    }

    /// A frame of one raw block, without a checksum, which states a size in one byte.
    fn stating(size: u8, text: &[u8]) -> Vec<u8> {
        let block = (text.len() << 3 | 1).to_le_bytes();
        [&[0x28, 0xb5, 0x2f, 0xfd, 0x20, size], &block[..3], text].concat()
    }

    /// `zstd -t` calls each of them corrupt but the second one.
    #[test]
    fn a_size_that_is_not_that_of_the_contents_is_damage() {
        for (size, text) in [(3, &b"four"[..]), (4, b"four"), (8, b"four"), (0, b"four"), (4, b"")]
        {
            let frames = [stating(size, text), packed(b"behind it")].concat();
            let read = read(&frames[..]);
            if usize::from(size) == text.len() {
                assert_eq!(read.unwrap(), b"fourbehind it");
                continue;
            }
            // Who finds it differs: a block that is larger than its frame is refused by the decoder.
            let error = read.unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidData, "{error}");
        }
        let error = read(&stating(164, &[b'.'; 82])[..]).unwrap_err();
        assert_eq!(error.to_string(), "the size does not fit: found 82 bytes, expected 164");
        assert_eq!(read(&stating(0, b"")[..]).unwrap(), b"");
    }

    #[test]
    fn the_reasons_of_the_source_are_told() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> Result<usize> {
                Err(Error::other("cable cut"))
            }
        }
        let head = Cursor::new(&BY_ZSTD[..100]);
        let error = read(std::io::BufReader::new(head.chain(Broken))).unwrap_err();
        assert_eq!(error.to_string(), "cable cut");
    }
}
