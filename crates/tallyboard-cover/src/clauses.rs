//! A cover as clauses: all of its solutions, if a search that learns from conflicts finds them to be few.
//!
//! Where items that hang together are met late, a search that branches at the item with the fewest options fails for the same
//! reason again and again. Ten sudokus that share cells took it a million nodes; with clauses they take a hundred guesses.

use tallyboard_search::clauses::{Clauses, FewModels, Literal};
use tallyboard_search::{Stop, Stopped};

use crate::cover::{Cover, Kind, NO_COLOUR};

/// The options of a cover as variables, and its items as clauses.
#[derive(Debug)]
pub(crate) struct CoverClauses {
    models: FewModels,
    /// The option of each literal in which models differ.
    options: Vec<u32>,
}

/// The most entries of a cover, each as often as its item may be covered: the clauses take about a tenth of a second then.
const MOST_ENTRIES: usize = 1 << 16;

impl CoverClauses {
    /// Whether `cover` may have clauses: it has no weights, and few enough entries, each taken once.
    pub fn may_exist(cover: &Cover) -> bool {
        !cover.has_weights() && cover.entry_count() <= MOST_ENTRIES
    }

    /// The clauses of `cover`; `None` if they are too many.
    pub fn new(cover: &Cover) -> Option<Self> {
        if !Self::may_exist(cover) {
            return None;
        }
        let mut clauses = Clauses::new();
        let (mut options, mut literals) = (Vec::new(), Vec::new());
        // The colours and literals of the options of each item.
        let mut of_items: Vec<Vec<(u32, Literal)>> = vec![Vec::new(); cover.items().len()];
        for option in cover.usable_options() {
            let literal = clauses.variable();
            options.push(option as u32);
            literals.push(literal);
            for entry in cover.entries(option) {
                of_items[entry.item as usize].push((entry.colour, literal));
            }
        }
        let sums = cover.items().iter().zip(&of_items).map(|(item, of_item)| match item.kind() {
            Kind::Primary { high, .. } => of_item.len() * of_item.len().min(high as usize),
            Kind::Secondary => of_item.len(),
        });
        if sums.sum::<usize>() > MOST_ENTRIES {
            return None;
        }
        for (item, of_item) in cover.items().iter().zip(of_items) {
            match item.kind() {
                Kind::Primary { low, high } => {
                    let own: Vec<Literal> = of_item.iter().map(|&(_, literal)| literal).collect();
                    clauses.between(&own, low as usize, high as usize);
                }
                Kind::Secondary => add_secondary(&mut clauses, of_item),
            }
        }
        Some(Self { models: FewModels::new(clauses, literals), options })
    }

    /// Looks for all covers by at most so many further guesses, and returns them, each as its options, ascending; `None` if they are
    /// many, or if the guesses did not suffice. `cover` is that of which the clauses were made: no cover is believed that does not
    /// solve it.
    ///
    /// # Errors
    /// [`Stopped`] if `stop` is raised.
    pub fn all(
        &mut self,
        cover: &Cover,
        guesses: u64,
        stop: &Stop,
    ) -> Result<Option<Vec<Vec<u32>>>, Stopped> {
        let options = &self.options;
        let chosen = |model: &Vec<bool>| {
            let pairs = options.iter().zip(model);
            let chosen = pairs.filter(|&(_, &is_chosen)| is_chosen).map(|(&option, _)| option);
            let chosen: Vec<u32> = chosen.collect();
            assert!(cover.is_solved_by(&chosen), "clauses told no cover: {chosen:?}");
            chosen
        };
        Ok(self.models.all(guesses, stop)?.map(|models| models.iter().map(chosen).collect()))
    }

    /// Whether there are so many covers that further tries are of no use.
    pub fn are_many(&self) -> bool {
        self.models.are_many()
    }
}

/// Adds a secondary item: at most one of its colours, which are new variables, and of its options without a colour.
fn add_secondary(clauses: &mut Clauses, mut of_item: Vec<(u32, Literal)>) {
    of_item.sort_unstable();
    let mut claims = Vec::new();
    let mut last = None;
    for (colour, literal) in of_item {
        if colour == NO_COLOUR {
            claims.push(literal);
            continue;
        }
        if last.is_none_or(|(before, _)| before != colour) {
            let claim = clauses.variable();
            claims.push(claim);
            last = Some((colour, claim));
        }
        if let Some((_, claim)) = last {
            clauses.add(&[!literal, claim]);
        }
    }
    clauses.between(&claims, 0, 1);
}

#[cfg(test)]
pub(crate) mod tests {
    use tallyboard_base::random::Random;

    use super::*;
    use crate::cover::Entry;

    /// A problem of up to so many primary items and options, with colours, items for several options and items that need none.
    pub fn random_cover(random: &mut Random, items: u32, options: u32) -> Cover {
        let mut cover = Cover::new();
        for item in 0..1 + random.below(items) {
            let (low, high) = match random.below(3) {
                0 => (0, random.below(4)),
                1 => (1, 1 + random.below(3)),
                _ => (1, 1),
            };
            cover.between(&format!("p{item}"), low, high).unwrap();
        }
        let primaries = cover.items().len() as u32;
        cover.secondary((0..random.below(4)).map(|item| format!("s{item}"))).unwrap();
        let colours: Vec<u32> = ["red", "blue"].map(|name| cover.colour(name).unwrap()).to_vec();
        for _ in 0..1 + random.below(options) {
            let mut entries = Vec::new();
            for item in 0..cover.items().len() as u32 {
                let colour = match random.below(4) {
                    colour @ 0..2 if item >= primaries => colours[colour as usize],
                    _ => NO_COLOUR,
                };
                if random.below(3) == 0 {
                    entries.push(Entry { item, colour });
                }
            }
            cover.add_option(entries).unwrap();
        }
        cover
    }

    #[test]
    fn few_covers_are_those_of_all_choices() {
        let mut random = Random::from_seed(84);
        let stop = Stop::new();
        let mut of_count = [0; 4];
        for _ in 0..1_500 {
            let cover = random_cover(&mut random, 5, 11);
            let usable: Vec<u32> = cover.usable_options().map(|option| option as u32).collect();
            let choice = |set: u32| {
                let places = (0..usable.len()).filter(|place| set >> place & 1 == 1);
                places.map(|place| usable[place]).collect::<Vec<u32>>()
            };
            let mut expected: Vec<Vec<u32>> = (0..1 << usable.len()).map(choice).collect();
            expected.retain(|chosen| cover.is_solved_by(chosen));
            let mut clauses = CoverClauses::new(&cover).unwrap();
            let found = clauses.all(&cover, u64::MAX, &stop).unwrap();
            assert_eq!(clauses.are_many(), expected.len() > 64);
            if let Some(mut found) = found {
                found.sort_unstable();
                expected.sort_unstable();
                assert_eq!(found, expected);
            }
            of_count[match expected.len() {
                0 => 0,
                1 => 1,
                2..=64 => 2,
                _ => 3,
            }] += 1;
        }
        assert!(of_count.iter().all(|&problems| problems > 10), "{of_count:?}");
    }

    #[test]
    fn too_many_entries_make_no_clauses() {
        let mut cover = Cover::new();
        cover.between("p", 0, 300).unwrap();
        for _ in 0..256 {
            cover.option(["p"]).unwrap();
        }
        assert!(CoverClauses::new(&cover).is_some());
        assert!(CoverClauses::new(cover.option(["p"]).unwrap()).is_none());
    }
}
