//! Compresses what is written, in blocks that are gzip members or Zstandard frames of their own, so that several
//! threads can share the work. Blocks are cut by their length alone: the output never depends on the number of threads.

use std::io::{self, Error, Write};
use std::mem::take;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use zlib_rs::{DeflateConfig, ReturnCode, Strategy, compress_bound, compress_slice};

use super::Compression;

/// Bytes of text in a block. Compressed rows of sudokus are 0.4 % longer than as a single member.
const BLOCK_BYTES: usize = 256 << 10;
/// Upper bound on the blocks of a thread: one is compressed; the other waits to be compressed or to be taken back.
const BLOCKS_PER_THREAD: usize = 2;
/// Bytes of a gzip member in addition to its data.
const MEMBER_FRAME_BYTES: usize = 18;

/// Compresses what is written to it, on several threads. [`Encoder::finish`] ends the data; without it they stay
/// truncated. It cuts the text into blocks, gives them to threads in turn, and writes them in order.
#[must_use = "without `finish` the data stay truncated"]
pub struct Encoder<W> {
    output: W,
    compression: Compression,
    /// `None` until the first block shows which method of gzip is better.
    method: Option<Method>,
    /// The block that is being filled.
    open: Block,
    /// Blocks to be used again.
    spare: Vec<Block>,
    threads: usize,
    /// Empty until the second block.
    workers: Vec<Compressor>,
    /// The number of blocks given to the workers.
    given: usize,
    /// The number of blocks taken back. The next one comes from `workers[taken % threads]`.
    taken: usize,
    /// Whether a block was compressed or given to a worker.
    has_begun: bool,
}

impl<W: Write> Encoder<W> {
    /// Compresses into `output` on `threads` threads. With one thread, and as long as there is no more
    /// than a block of 256 KiB, the caller compresses.
    ///
    /// ```
    /// use std::io::{Read, Write};
    /// use tallyboard_files::compress::{Compression, Encoder, reader};
    ///
    /// let mut encoder = Encoder::new(Vec::new(), Compression::Gzip, 2)?;
    /// encoder.write_all(b"some text")?;
    /// let data = encoder.finish()?;
    /// let mut text = String::new();
    /// reader(std::io::Cursor::new(data))?.read_to_string(&mut text)?;
    /// assert_eq!(text, "some text");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    /// For Zstandard without the feature `zstd`.
    pub fn new(output: W, compression: Compression, threads: usize) -> io::Result<Self> {
        let method = match compression {
            Compression::None | Compression::Gzip => None,
            #[cfg(feature = "zstd")]
            Compression::Zstd => Some(Method::Zstd),
            #[cfg(not(feature = "zstd"))]
            Compression::Zstd => {
                return Err(Error::new(
                    io::ErrorKind::Unsupported,
                    "this build reads zstd but does not write it: use a name in .gz, a pipe to zstd, or \
                     a build with the feature `zstd`",
                ));
            }
        };
        Ok(Self {
            output,
            compression,
            method,
            open: Block::default(),
            spare: Vec::new(),
            threads: threads.max(1),
            workers: Vec::new(),
            given: 0,
            taken: 0,
            has_begun: false,
        })
    }

    /// Ends the compressed data and returns the output.
    ///
    /// # Errors
    /// What the output reports, and if the system gives no thread.
    pub fn finish(mut self) -> io::Result<W> {
        // Compressed data have a block even if the text is empty.
        let lacks_block = self.compression != Compression::None && !self.has_begun;
        if !self.open.text.is_empty() || lacks_block {
            self.end_block()?;
        }
        while self.taken < self.given {
            self.write_next()?;
        }
        Ok(self.output)
    }

    /// Has the open block compressed, and opens another.
    fn end_block(&mut self) -> io::Result<()> {
        let mut block = take(&mut self.open);
        match self.method {
            Some(method) if self.threads > 1 && self.has_begun => self.give(block, method)?,
            // The first block is compressed here: short data need no threads.
            Some(method) => {
                block.compress(method)?;
                self.write_block(block)?;
            }
            None => {
                self.method = Some(Method::choose(&mut block)?);
                self.write_block(block)?;
            }
        }
        self.has_begun = true;
        self.open = self.spare.pop().unwrap_or_default();
        Ok(())
    }

    /// Gives `block` to the next worker. If all workers are full, the oldest block is written first.
    fn give(&mut self, block: Block, method: Method) -> io::Result<()> {
        if self.workers.is_empty() {
            for started in 0..self.threads {
                let worker = Compressor::start(method).map_err(|error| {
                    let threads = self.threads;
                    let found =
                        format!("the system gives {started} of {threads} threads that compress");
                    let message = format!("{found}: ask for fewer (-j): {error}");
                    Error::new(error.kind(), message)
                })?;
                self.workers.push(worker);
            }
        }
        if self.given - self.taken == self.threads * BLOCKS_PER_THREAD {
            self.write_next()?;
        }
        // If the thread has ended, `write_next` reports it.
        let _ = self.workers[self.given % self.threads].blocks.send(block);
        self.given += 1;
        Ok(())
    }

    /// Waits until the oldest block is compressed, and writes it.
    fn write_next(&mut self) -> io::Result<()> {
        let Ok(block) = self.workers[self.taken % self.threads].compressed.recv() else {
            return Err(Error::other("a thread that compresses has ended early"));
        };
        let block = block?;
        self.taken += 1;
        self.write_block(block)
    }

    fn write_block(&mut self, mut block: Block) -> io::Result<()> {
        self.output.write_all(&block.packed[..block.length])?;
        block.text.clear();
        self.spare.push(block);
        Ok(())
    }
}

impl<W: Write> Write for Encoder<W> {
    /// Accepts the first of `bytes`, as many as the block has room for.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.compression == Compression::None {
            return self.output.write(bytes);
        }
        let text = &mut self.open.text;
        let accepted = bytes.len().min(BLOCK_BYTES - text.len());
        text.extend_from_slice(&bytes[..accepted]);
        if text.len() == BLOCK_BYTES {
            self.end_block()?;
        }
        Ok(accepted)
    }

    /// Flushing compressed data early would only make them longer.
    fn flush(&mut self) -> io::Result<()> {
        if self.compression == Compression::None { self.output.flush() } else { Ok(()) }
    }
}

/// How a block is compressed.
#[derive(Clone, Copy)]
enum Method {
    /// gzip, with repetitions found by a quick search: best for most text.
    Repetitions,
    /// gzip by Huffman codes alone. Digits of sudokus hardly repeat: their rows shrink to 0.416 of
    /// their length instead of 0.45, in 0.6 of the time.
    Characters,
    #[cfg(feature = "zstd")]
    Zstd,
}

impl Method {
    /// The better method of gzip for a text whose first block is `block`. Compresses `block` by it.
    fn choose(block: &mut Block) -> io::Result<Self> {
        block.compress(Method::Characters)?;
        let by_characters = block.length;
        block.compress(Method::Repetitions)?;
        if block.length < by_characters {
            return Ok(Method::Repetitions);
        }
        // The buffer holds the other result.
        block.compress(Method::Characters)?;
        Ok(Method::Characters)
    }
}

/// Some text, and what it is compressed to. Both buffers are used again and again: fresh memory costs page faults.
#[derive(Default)]
struct Block {
    text: Vec<u8>,
    packed: Vec<u8>,
    /// Bytes of `packed` in use.
    length: usize,
}

impl Block {
    fn compress(&mut self, method: Method) -> io::Result<()> {
        let (level, strategy) = match method {
            Method::Repetitions => (2, Strategy::Default),
            Method::Characters => (1, Strategy::HuffmanOnly),
            #[cfg(feature = "zstd")]
            Method::Zstd => {
                self.packed = zstd::bulk::compress(&self.text, 1)?;
                self.length = self.packed.len();
                return Ok(());
            }
        };
        self.packed.resize(compress_bound(self.text.len()) + MEMBER_FRAME_BYTES, 0);
        // 15: the largest window, 32 KiB; 16 more: with a header and a checksum of gzip.
        let config = DeflateConfig { level, strategy, window_bits: 15 + 16, ..Default::default() };
        let (packed, code) = compress_slice(&mut self.packed, &self.text, config);
        self.length = packed.len();
        match code {
            ReturnCode::Ok => Ok(()),
            code => Err(Error::other(format!("cannot compress: {code:?}"))),
        }
    }
}

/// A thread that compresses the blocks it is sent, in order. It ends when the sender is dropped.
struct Compressor {
    blocks: SyncSender<Block>,
    compressed: Receiver<io::Result<Block>>,
}

impl Compressor {
    fn start(method: Method) -> io::Result<Self> {
        let (blocks, given) = sync_channel::<Block>(BLOCKS_PER_THREAD);
        let (done, compressed) = sync_channel(BLOCKS_PER_THREAD);
        std::thread::Builder::new().name("compressor".to_owned()).spawn(move || {
            for mut block in given {
                let result = block.compress(method).map(|()| block);
                // A send fails only after the output has failed.
                if done.send(result).is_err() {
                    return;
                }
            }
        })?;
        Ok(Self { blocks, compressed })
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::unpacked;
    use super::*;

    /// The data that `text` is compressed to, written in pieces of `piece` bytes.
    fn packed(text: &[u8], piece: usize, threads: usize) -> Vec<u8> {
        let mut encoder = Encoder::new(Vec::new(), Compression::Gzip, threads).unwrap();
        for piece in text.chunks(piece) {
            encoder.write_all(piece).unwrap();
            encoder.flush().unwrap();
        }
        encoder.finish().unwrap()
    }

    /// Digits without repetitions, and lines that repeat.
    fn texts(length: usize) -> [Vec<u8>; 2] {
        let mut state = 1_u64;
        let digits = std::iter::repeat_with(|| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            b'1' + (state >> 60) as u8 % 9
        });
        [digits.take(length).collect(), b"a line like any other\n".repeat(length / 22)]
    }

    #[test]
    fn the_data_depend_on_neither_threads_nor_pieces() {
        for text in texts(11 * BLOCK_BYTES + 77) {
            let alone = packed(&text, text.len(), 1);
            assert!(alone.len() < text.len() / 2, "{}", alone.len());
            for threads in [2, 3, 7] {
                for piece in [1 << 10, 81 * 1000, BLOCK_BYTES, 3 * BLOCK_BYTES + 1] {
                    assert!(packed(&text, piece, threads) == alone, "{threads} {piece}");
                }
            }
            assert!(unpacked(alone).unwrap() == text);
        }
    }

    #[test]
    fn texts_of_any_length_about_that_of_a_block_come_back() {
        let [digits, _] = texts(2 * BLOCK_BYTES + 1);
        for length in [0, 1, BLOCK_BYTES - 1, BLOCK_BYTES, BLOCK_BYTES + 1, 2 * BLOCK_BYTES] {
            for threads in [1, 2] {
                let data = packed(&digits[..length], 100_000, threads);
                assert!(data.starts_with(b"\x1f\x8b"), "{length}");
                assert!(unpacked(data).unwrap() == digits[..length], "{length}");
            }
        }
    }

    #[test]
    fn each_text_is_compressed_by_what_suits_it() {
        let mut block = Block::default();
        for (text, is_by_characters) in texts(BLOCK_BYTES).into_iter().zip([true, false]) {
            block.text = text;
            let method = Method::choose(&mut block).unwrap();
            assert_eq!(matches!(method, Method::Characters), is_by_characters);
            assert!(unpacked(block.packed[..block.length].to_vec()).unwrap() == block.text);
        }
    }

    #[test]
    fn an_output_that_fails_ends_the_writing() {
        struct Full(usize);
        impl Write for Full {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                self.0 = self.0.checked_sub(bytes.len()).ok_or(io::ErrorKind::StorageFull)?;
                Ok(bytes.len())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        for threads in [1, 2] {
            let mut encoder = Encoder::new(Full(1 << 20), Compression::Gzip, threads).unwrap();
            let [digits, _] = texts(1 << 20);
            let failed = (0..20).find_map(|_| encoder.write_all(&digits).err());
            assert_eq!(failed.expect("a full disk").kind(), io::ErrorKind::StorageFull);
        }
    }
}
