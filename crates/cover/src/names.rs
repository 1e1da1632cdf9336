//! Names and their numbers, in a hash table that holds short names itself: a look at one place tells.

use crate::hash::mix;

/// The longest name that is held whole, in bytes.
const SHORT: usize = 16;

/// What tells names apart: the first and the last eight bytes, and the length. It is the whole name if that is short.
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
        if let (Some(begin), Some(end)) = (name.first_chunk(), name.last_chunk()) {
            let begin = u64::from_le_bytes(*begin);
            let end = u64::from_le_bytes(*end);
            return Self { begin, end, len };
        }
        if let (Some(begin), Some(end)) = (name.first_chunk(), name.last_chunk()) {
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

/// A name and its number; an empty place has the length 0. It lies in one line of the cache.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(32))]
struct Place {
    key: Key,
    number: u32,
}

/// The numbers of names, which are told apart by a list that the caller keeps: of each number, the name.
#[derive(Debug, Clone, Default)]
pub(crate) struct Names {
    /// A power of two of them, at most half of which are used.
    places: Vec<Place>,
    used: usize,
}

/// The number of no name.
pub(crate) const UNKNOWN: u32 = u32::MAX;

const FIRST_PLACES: usize = 32;

impl Names {
    /// The number of `name`. `text` gives the name of a number.
    #[inline]
    pub fn get<'a>(&self, name: &str, text: impl Fn(u32) -> &'a str) -> Option<u32> {
        if self.places.is_empty() {
            return None;
        }
        let key = Key::of(name.as_bytes());
        let mask = self.places.len() - 1;
        let mut at = key.hash() as usize & mask;
        loop {
            let place = &self.places[at];
            if place.key == key && (key.is_whole() || text(place.number) == name) {
                return (key.len > 0).then_some(place.number);
            }
            if place.key.len == 0 {
                return None;
            }
            at = (at + 1) & mask;
        }
    }

    /// The number of `name` if its first place tells, or [`UNKNOWN`]. Without branches: a look at a place that is far
    /// away goes on while the next names are looked up.
    #[inline]
    pub fn get_at_once(&self, name: &str) -> u32 {
        let key = Key::of(name.as_bytes());
        let mask = self.places.len().wrapping_sub(1);
        let Some(place) = self.places.get(key.hash() as usize & mask) else { return UNKNOWN };
        let differs = place.key.begin ^ key.begin
            | place.key.end ^ key.end
            | u64::from(place.key.len ^ key.len)
            | u64::from(!key.is_whole() | name.is_empty());
        if differs == 0 { place.number } else { UNKNOWN }
    }

    /// Adds a name that is not empty and not there yet.
    pub fn insert(&mut self, name: &str, number: u32) {
        if 2 * self.used >= self.places.len() {
            let larger = (2 * self.places.len()).max(FIRST_PLACES);
            let places = std::mem::replace(&mut self.places, vec![Place::default(); larger]);
            for place in places.into_iter().filter(|place| place.key.len > 0) {
                self.put(place);
            }
        }
        self.put(Place { key: Key::of(name.as_bytes()), number });
        self.used += 1;
    }

    fn put(&mut self, place: Place) {
        let mask = self.places.len() - 1;
        let mut at = place.key.hash() as usize & mask;
        while self.places[at].key.len > 0 {
            at = (at + 1) & mask;
        }
        self.places[at] = place;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names of all lengths, also such as have the same begin, end and length.
    /// Names that begin and end alike, and differ in nothing but their length.
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
            assert_eq!(names.get_at_once(&longer), UNKNOWN, "{longer}");
        }
    }

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
        let mut found_at_once = 0;
        for (number, text) in texts.iter().enumerate() {
            let found = names.get(text, |number| &texts[number as usize]);
            assert_eq!(found, Some(number as u32), "{text}");
            let at_once = names.get_at_once(text);
            found_at_once += usize::from(at_once == number as u32);
            assert!(at_once == UNKNOWN || at_once == number as u32, "{text}");
        }
        let short = texts.iter().filter(|text| text.len() <= SHORT).count();
        assert!(2 * found_at_once > short, "{found_at_once} of {short}");
        for missing in ["", "c", "beginning 1000 and the end", "aaaaaaaaaaaaaaaaaaaaaaac"] {
            assert_eq!(names.get(missing, |number| &texts[number as usize]), None, "{missing}");
            assert_eq!(names.get_at_once(missing), UNKNOWN, "{missing}");
        }
    }
}
