//! An input's first bytes, read before the rest.

use std::io::{self, Cursor, Read};

/// The most bytes that are read at a time, and with which a head is long enough to be recognised.
pub const MAX_HEAD_BYTES: usize = 64 << 10;

/// An input whose first bytes have been read before. The end of the input, or an error, is read only once: a
/// terminal would wait until the user types the end again.
pub struct BegunInput<R> {
    bytes: Cursor<Vec<u8>>,
    /// The error after the first bytes.
    error: Option<io::Error>,
    /// None at the end.
    input: Option<R>,
}

impl<R: Read> Read for BegunInput<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.bytes.read(buffer)?;
        if read > 0 || buffer.is_empty() {
            return Ok(read);
        }
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        let Some(input) = &mut self.input else { return Ok(0) };
        let read = input.read(buffer)?;
        if read == 0 {
            self.input = None;
        }
        Ok(read)
    }
}

/// Reads the first bytes of `input` until they are `enough`. Returns them, and the whole input. If `input` fails after its
/// first bytes, reading the whole input fails at that point.
///
/// # Errors
/// What `input` reports before its first byte.
pub fn read_head<R: Read>(
    mut input: R,
    enough: impl Fn(&[u8]) -> bool,
) -> io::Result<(Vec<u8>, BegunInput<R>)> {
    let mut bytes = Vec::new();
    let mut buffer = vec![0; MAX_HEAD_BYTES];
    let mut ended = false;
    let mut error = None;
    while !ended && error.is_none() && !enough(&bytes) {
        match read_some(&mut input, &mut buffer) {
            Ok(read) => {
                bytes.extend_from_slice(&buffer[..read]);
                ended = read == 0;
            }
            Err(failure) if bytes.is_empty() => return Err(failure),
            Err(failure) => error = Some(failure),
        }
    }
    let input = (!ended).then_some(input);
    Ok((bytes.clone(), BegunInput { bytes: Cursor::new(bytes), error, input }))
}

/// Reads once, again if a signal interrupts it.
pub fn read_some(reader: &mut impl Read, room: &mut [u8]) -> io::Result<usize> {
    loop {
        match reader.read(room) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => return read,
        }
    }
}
