//! Clauses one after the other in memory.

use super::Literal;

/// Where a clause stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reference(u32);

/// Where a clause stands, and a mark, in one word.
#[derive(Debug, Clone, Copy)]
pub struct Marked(u32);

/// The bit of the mark. No clause stands so far behind.
const MARK: u32 = 1 << 31;

impl Marked {
    pub fn new(Reference(at): Reference, is_marked: bool) -> Self {
        Self(if is_marked { at | MARK } else { at })
    }

    #[inline]
    pub fn is_marked(self) -> bool {
        self.0 & MARK != 0
    }

    #[inline]
    pub fn clause(self) -> Reference {
        Reference(self.0 & !MARK)
    }
}

/// Each clause is its length, its rank, and its literals.
#[derive(Debug, Clone, Default)]
pub struct Arena {
    words: Vec<u32>,
}

/// The words before the literals.
const HEAD: usize = 2;

impl Arena {
    /// Adds a clause. The rank of one that was learned is the number of levels in it, that of others 0.
    ///
    /// # Panics
    /// If there are 2^31 words.
    pub fn add(&mut self, literals: &[Literal], rank: u32) -> Reference {
        let reference = self.words.len() as u32;
        assert!(self.words.len() < MARK as usize, "fewer than 2^31 words of clauses");
        self.words.extend([literals.len() as u32, rank]);
        self.words.extend(literals.iter().map(|literal| literal.0));
        Reference(reference)
    }

    /// The number of literals of a clause.
    pub fn len(&self, Reference(at): Reference) -> usize {
        self.words[at as usize] as usize
    }

    /// The number of levels that a learned clause had.
    pub fn rank(&self, Reference(at): Reference) -> u32 {
        self.words[at as usize + 1]
    }

    /// Says that a learned clause has fewer levels now.
    pub fn set_rank(&mut self, Reference(at): Reference, rank: u32) {
        self.words[at as usize + 1] = rank;
    }

    /// A literal of a clause.
    pub fn literal(&self, Reference(at): Reference, place: usize) -> Literal {
        Literal(self.words[at as usize + HEAD + place])
    }

    /// The literals of a clause as words.
    #[inline]
    pub fn literals_mut(&mut self, Reference(at): Reference) -> &mut [u32] {
        let begin = at as usize + HEAD;
        let end = begin + self.words[at as usize] as usize;
        &mut self.words[begin..end]
    }

    /// Every clause from the first.
    pub fn references(&self) -> impl Iterator<Item = Reference> + '_ {
        let mut at = 0;
        std::iter::from_fn(move || {
            let length = *self.words.get(at)? as usize;
            let reference = Reference(at as u32);
            at += HEAD + length;
            Some(reference)
        })
    }

    /// The literals of a clause.
    #[inline]
    pub fn literals(&self, Reference(at): Reference) -> impl Iterator<Item = Literal> + use<'_> {
        let begin = at as usize + HEAD;
        let end = begin + self.words[at as usize] as usize;
        self.words[begin..end].iter().map(|&word| Literal(word))
    }
}
