//! Vectors of 16 bytes or 8 words: what the search for canonical forms needs of them.

/// The operations of a kernel. A value exists only where the CPU has its instructions.
pub(super) trait Vectors: Copy {
    type V: Copy;

    /// The bytes of an array.
    fn load(self, bytes: &[u8; 16]) -> Self::V;
    /// The bytes of `low`, then those of `high`, the least significant one first.
    fn of(self, low: u64, high: u64) -> Self::V;
    fn bytes(vector: Self::V) -> [u8; 16];

    /// The bytes of `table` that `at` numbers by its low four bits, of which the others are 0.
    fn lookup(table: Self::V, at: Self::V) -> Self::V;
    fn and(a: Self::V, b: Self::V) -> Self::V;
    fn or(a: Self::V, b: Self::V) -> Self::V;
    fn min_bytes(a: Self::V, b: Self::V) -> Self::V;
    fn max_bytes(a: Self::V, b: Self::V) -> Self::V;
    /// Ones in the bytes that are equal.
    fn equal_bytes(a: Self::V, b: Self::V) -> Self::V;
    /// The bytes of `b` where `mask` has ones, those of `a` where it has zeros.
    fn select(mask: Self::V, a: Self::V, b: Self::V) -> Self::V;
    /// The highest bit of each byte.
    fn top_bits(vector: Self::V) -> u16;

    fn min_words(a: Self::V, b: Self::V) -> Self::V;
    fn max_words(a: Self::V, b: Self::V) -> Self::V;
    /// Ones in the words that are equal.
    fn equal_words(a: Self::V, b: Self::V) -> Self::V;
    /// Each word moved by four bits to the left.
    fn left(vector: Self::V) -> Self::V;
    /// Each word moved by four bits to the right.
    fn right(vector: Self::V) -> Self::V;
    fn least_word(vector: Self::V) -> u16;

    /// A vector of equal bytes.
    #[inline(always)]
    fn each_byte(self, byte: u8) -> Self::V {
        self.each_word(u16::from(byte) * 0x101)
    }

    /// A vector of equal words.
    #[inline(always)]
    fn each_word(self, word: u16) -> Self::V {
        let words = u64::from(word) * 0x1_0001_0001_0001;
        self.of(words, words)
    }
}
