//! A fast hash for problems, names and masks, and a table of names that uses it.
//!
//! The hash need not withstand an attacker: keys with equal hashes make a table slow, but not wrong.

/// 2^64 divided by the golden ratio, rounded to an odd number.
const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

/// The hash of what is added to it.
#[derive(Debug, Default)]
pub(crate) struct Hash(pub u64);

impl Hash {
    pub fn add_bytes(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        words.iter().for_each(|word| self.add(u64::from_le_bytes(*word)));
        let last = rest.iter().fold(0, |last, &byte| last << 8 | u64::from(byte));
        self.add(last ^ (bytes.len() as u64) << 56);
    }

    pub fn add(&mut self, word: u64) {
        self.0 = mix(self.0 ^ word);
    }
}

/// Spreads each bit of `word` over all bits.
#[inline(always)]
pub(crate) fn mix(word: u64) -> u64 {
    let wide = u128::from(word ^ MULTIPLIER) * u128::from(MULTIPLIER);
    (wide as u64) ^ (wide >> 64) as u64
}

/// The hash of a mask of several words.
#[inline(always)]
pub(crate) fn hash_words(words: &[u64]) -> u64 {
    let mut hash = 0;
    for i in 0..words.len() {
        hash = mix(hash ^ words[i]);
    }
    hash
}

// A hash table from names to numbers that holds short names itself, so that most look-ups read a single cache line.

/// The longest name, in bytes, that a key holds whole.
const SHORT: usize = 16;

/// The first and the last eight bytes of a name, and its length. Of a short name this is all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Key {
    begin: u64,
    end: u64,
    len: u32,
}

impl Key {
    #[inline]
    fn of(name: &[u8]) -> Self {
        let len = name.len() as u32;
        if let (Some(begin), Some(end)) = (name.first_chunk::<8>(), name.last_chunk::<8>()) {
            let begin = u64::from_le_bytes(*begin);
            let end = u64::from_le_bytes(*end);
            return Self { begin, end, len };
        }
        if let (Some(begin), Some(end)) = (name.first_chunk::<4>(), name.last_chunk::<4>()) {
            let begin = u32::from_le_bytes(*begin).into();
            let end = u32::from_le_bytes(*end).into();
            return Self { begin, end, len };
        }
        let begin = name.iter().fold(0, |word, &byte| word << 8 | u64::from(byte));
        Self { begin, end: 0, len }
    }

    #[inline]
    fn hash(&self) -> u64 {
        mix(mix(self.begin ^ u64::from(self.len)) ^ self.end)
    }

    fn is_whole(&self) -> bool {
        self.len as usize <= SHORT
    }
}

/// The key of a name, and its number. The key of an empty slot has the length 0. The alignment keeps a slot in one cache line.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(32))]
struct Slot {
    key: Key,
    number: u32,
}

/// The numbers of names. The caller keeps the list of names, which is needed to compare long ones.
#[derive(Debug, Clone, Default)]
pub(crate) struct Names {
    /// Their number is a power of two, and at most half of them are used.
    slots: Vec<Slot>,
    used: usize,
}

/// In place of a number: the name was not found, or it is long or not in its first slot.
pub(crate) const UNKNOWN: u32 = u32::MAX;

const FEWEST_SLOTS: usize = 32;

impl Names {
    /// The number of `name`. `name_of` gives the name of a number.
    #[inline]
    pub fn get<'a>(&self, name: &str, name_of: impl Fn(u32) -> &'a str) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let key = Key::of(name.as_bytes());
        let mask = self.slots.len() - 1;
        let mut index = key.hash() as usize & mask;
        loop {
            let slot = &self.slots[index];
            if slot.key == key && (key.is_whole() || name_of(slot.number) == name) {
                // The key of an empty name is that of an empty slot.
                return (key.len > 0).then_some(slot.number);
            }
            if slot.key.len == 0 {
                return None;
            }
            index = (index + 1) & mask;
        }
    }

    /// The number of `name` if it is short and in the first slot that it may have; otherwise [`UNKNOWN`]. No branch waits for
    /// the memory of this slot, so the CPU looks up the next names meanwhile.
    #[inline]
    pub fn get_from_first_slot(&self, name: &str) -> u32 {
        let key = Key::of(name.as_bytes());
        let mask = self.slots.len().wrapping_sub(1);
        let Some(slot) = self.slots.get(key.hash() as usize & mask) else { return UNKNOWN };
        let differs = slot.key.begin ^ key.begin
            | slot.key.end ^ key.end
            | u64::from(slot.key.len ^ key.len)
            | u64::from(!key.is_whole() | name.is_empty());
        if differs == 0 { slot.number } else { UNKNOWN }
    }

    /// Adds a name that is not empty and not there yet.
    pub fn insert(&mut self, name: &str, number: u32) {
        if 2 * self.used >= self.slots.len() {
            let larger = (2 * self.slots.len()).max(FEWEST_SLOTS);
            let slots = std::mem::replace(&mut self.slots, vec![Slot::default(); larger]);
            for slot in slots.into_iter().filter(|slot| slot.key.len > 0) {
                self.put(slot);
            }
        }
        self.put(Slot { key: Key::of(name.as_bytes()), number });
        self.used += 1;
    }

    fn put(&mut self, slot: Slot) {
        let mask = self.slots.len() - 1;
        let mut index = slot.key.hash() as usize & mask;
        while self.slots[index].key.len > 0 {
            index = (index + 1) & mask;
        }
        self.slots[index] = slot;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names whose first and last eight bytes are equal, and whose lengths differ.
    #[test]
    fn names_of_other_lengths_are_other_names() {
        let letters = 'a'..='z';
        let of_length = |letter: char, length: usize| letter.to_string().repeat(length);
        let mut names = Names::default();
        let texts: Vec<String> = letters.clone().map(|letter| of_length(letter, 8)).collect();
        for (number, text) in texts.iter().enumerate() {
            names.insert(text, number as u32);
        }
        for longer in letters.flat_map(|letter| (9..=SHORT).map(move |len| of_length(letter, len)))
        {
            assert_eq!(names.get(&longer, |number| &texts[number as usize]), None, "{longer}");
            assert_eq!(names.get_from_first_slot(&longer), UNKNOWN, "{longer}");
        }
    }

    /// Names of all lengths, also some with equal keys.
    #[test]
    fn each_name_has_its_number() {
        let mut texts: Vec<String> = Vec::new();
        for len in 1..40 {
            for letter in ["a", "b"] {
                texts.push(letter.repeat(len));
                texts.push("a".repeat(len / 2) + letter + &"b".repeat(len / 2));
            }
        }
        texts.extend((0..1_000).map(|number| format!("beginning {number} and the end")));
        texts.push("\u{e4}\u{f6}".to_owned());
        texts.sort();
        texts.dedup();
        let mut names = Names::default();
        for (number, text) in texts.iter().enumerate() {
            assert_eq!(names.get(text, |number| &texts[number as usize]), None, "{text}");
            names.insert(text, number as u32);
        }
        let mut in_first_slot = 0;
        for (number, text) in texts.iter().enumerate() {
            let found = names.get(text, |number| &texts[number as usize]);
            assert_eq!(found, Some(number as u32), "{text}");
            let found = names.get_from_first_slot(text);
            in_first_slot += usize::from(found == number as u32);
            assert!(found == UNKNOWN || found == number as u32, "{text}");
        }
        let short = texts.iter().filter(|text| text.len() <= SHORT).count();
        assert!(2 * in_first_slot > short, "{in_first_slot} of {short}");
        for missing in ["", "c", "beginning 1000 and the end", "aaaaaaaaaaaaaaaaaaaaaaac"] {
            assert_eq!(names.get(missing, |number| &texts[number as usize]), None, "{missing}");
            assert_eq!(names.get_from_first_slot(missing), UNKNOWN, "{missing}");
        }
    }
}
