//! Text that lz-string has compressed and written in base 64, up to a length.
//!
//! Each code stands for a new character, or for a text that was read before. A text of the dictionary is one before it with the
//! character behind it, so each stands somewhere in what was read, and the dictionary keeps its place alone. A few thousand
//! codes can stand for gigabytes; a limit on what comes out is therefore part of reading.

use std::ops::Range;

/// The digits of base 64, and `=`, which lz-string writes and reads like a digit of value 64.
const DIGITS: &[u8; 65] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=";
/// The code of the end; 0 and 1 announce a character of 8 and of 16 bits.
const END: u32 = 2;
/// The least code of the dictionary.
const FIRST: u32 = 3;

/// The text, in code units of UTF-16; `None` if it is damaged, or longer than `most` units. Characters that are no digits are
/// skipped.
pub(super) fn decompress(base64: &str, most: usize) -> Option<Vec<u16>> {
    let mut bits = Bits { digits: base64.bytes(), digit: 0, left: 0 };
    let mut text: Vec<u16> = match bits.take(2)? {
        announced @ (0 | 1) => vec![bits.character(announced)?],
        END => return Some(Vec::new()),
        _ => return None,
    };
    let mut last = 0..1;
    // The places of the texts that codes stand for, from `FIRST` on.
    let mut dictionary = Vec::from([last.clone()]);
    let mut width = Width { bits: 3, room: 4 };
    loop {
        if text.len() > most {
            return None;
        }
        let code = bits.take(width.bits)?;
        let begin = text.len();
        match code {
            END => return Some(text),
            0 | 1 => {
                text.push(bits.character(code)?);
                dictionary.push(begin..begin + 1);
                width.count_entry();
            }
            _ => {
                let at = (code - FIRST) as usize;
                // The entry that is made next is the last text with the character behind it, which is its own first.
                let is_next = at == dictionary.len();
                let known: Range<usize> =
                    if is_next { last.clone() } else { dictionary.get(at)?.clone() };
                text.extend_from_within(known);
                if is_next {
                    text.push(text[last.start]);
                }
            }
        }
        dictionary.push(last.start..last.end + 1);
        width.count_entry();
        last = begin..text.len();
    }
}

/// How many bits a code has.
struct Width {
    bits: u32,
    /// The entries that the dictionary takes before codes are wider.
    room: u32,
}

impl Width {
    fn count_entry(&mut self) {
        self.room -= 1;
        if self.room == 0 {
            self.room = 1 << self.bits;
            self.bits += 1;
        }
    }
}

/// The bits of digits, the highest of each digit first.
struct Bits<I> {
    digits: I,
    digit: u32,
    /// The bits of `digit` that are left.
    left: u32,
}

impl<I: Iterator<Item = u8>> Bits<I> {
    /// A number of so many bits, the lowest first.
    fn take(&mut self, bits: u32) -> Option<u32> {
        let mut number = 0;
        for place in 0..bits {
            if self.left == 0 {
                let mut values =
                    self.digits.by_ref().filter_map(|c| DIGITS.iter().position(|&d| d == c));
                self.digit = values.next()? as u32;
                self.left = 6;
            }
            self.left -= 1;
            number |= (self.digit >> self.left & 1) << place;
        }
        Some(number)
    }

    /// The character behind a code that announces it.
    fn character(&mut self, code: u32) -> Option<u16> {
        self.take(if code == 0 { 8 } else { 16 }).map(|unit| unit as u16)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Texts of all kinds: long repetitions, all characters, none.
    fn texts() -> Vec<Vec<u16>> {
        let mut texts: Vec<Vec<u16>> =
            vec![vec![], vec![97; 1], vec![97; 5_000], (0..=u16::MAX).collect()];
        texts.push((0..20_000_u32).map(|at| (at * at % 251) as u16).collect());
        texts.push(
            "{\"size\":9,\"grid\":[[{},{},{\"given\":true}]]}".repeat(7).encode_utf16().collect(),
        );
        texts
    }

    #[test]
    fn what_the_public_library_compresses_is_read_as_it_was() {
        for text in texts() {
            let packed = lz_str::compress_to_base64(text.clone());
            assert_eq!(decompress(&packed, text.len()).as_ref(), Some(&text), "{packed:.40}");
            if let Some(less) = text.len().checked_sub(1) {
                assert_eq!(decompress(&packed, less), None, "{less} units at most");
            }
        }
    }

    #[test]
    fn damaged_texts_are_read_as_the_public_library_reads_them_or_refused() {
        let packed = lz_str::compress_to_base64(texts().remove(5));
        for at in 0..packed.len() {
            for digit in ["A", "/", "="] {
                let damaged = format!("{}{digit}{}", &packed[..at], &packed[at + 1..]);
                let found = decompress(&damaged, 1 << 20);
                assert_eq!(found, lz_str::decompress_from_base64(&damaged), "{damaged}");
            }
            let cut = decompress(&packed[..at], 1 << 20);
            assert!(at == 0 || cut.is_none(), "{at} of {} digits make {cut:?}", packed.len());
        }
    }

    #[test]
    fn a_short_text_that_stands_for_much_is_refused_at_its_limit() {
        let bomb = lz_str::compress_to_base64(vec![48_u16; 500_000]);
        assert!(bomb.len() < 3_000, "{} digits", bomb.len());
        assert_eq!(decompress(&bomb, 100_000), None);
    }
}
