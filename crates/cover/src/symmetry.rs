//! Covers that differ by a symmetry, counted once (Burnside's lemma).
//!
//! The number of covers up to a group of symmetries is the mean, over the group, of the number of covers that stay the
//! same. These are the covers of a quotient, in which items and options that a symmetry takes to each other are one.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::cover::Cover;
use crate::item::{Entry, Item, ItemId, Kind, NO_COLOUR};

/// What is wrong with a symmetry, or with a group of them.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SymmetryError {
    /// It moves something that is no item.
    #[error("found '{0}' in a symmetry, expected one of the items")]
    UnknownItem(String),
    /// It moves an item twice.
    #[error("found the item '{0}' twice in a symmetry, expected each item at most once")]
    RepeatedItem(String),
    /// It takes an item to one of another kind.
    #[error("found that '{from}' goes to '{to}', expected an item that is covered as often")]
    Kinds {
        /// The item.
        from: String,
        /// Where it goes.
        to: String,
    },
    /// It takes an option to what is none, or to one that there is less often.
    #[error(
        "found no option '{image}' for the image of '{option}', expected a symmetry of all options"
    )]
    NoImage {
        /// The option.
        option: String,
        /// Where it goes.
        image: String,
    },
    /// The group is too large to list.
    #[error("found more than {0} symmetries, expected fewer")]
    TooMany(usize),
    /// Bounds of items fall into too many cases.
    #[error(
        "found more than {0} cases of how often symmetric options cover an item, expected fewer"
    )]
    TooManyCases(usize),
}

/// Upper bound on the items and options of all symmetries of a group together.
const MOST_NUMBERS: usize = 1 << 25;
/// Upper bound on the quotients of a symmetry.
const MOST_CASES: usize = 1 << 12;

/// A permutation of items, and that of options which goes with it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Symmetry {
    pub(crate) items: Vec<ItemId>,
    pub(crate) options: Vec<u32>,
}

impl Symmetry {
    /// The symmetry that takes each item to the next one of its cycle. Items without a cycle stay.
    ///
    /// # Errors
    /// [`SymmetryError`] if this is no symmetry of `cover`.
    pub fn from_cycles(cover: &Cover, cycles: &[Vec<&str>]) -> Result<Self, SymmetryError> {
        let mut items: Vec<ItemId> = (0..cover.items().len() as ItemId).collect();
        let mut seen = BTreeSet::new();
        for cycle in cycles {
            let mut members = Vec::with_capacity(cycle.len());
            for name in cycle {
                let unknown = || SymmetryError::UnknownItem((*name).to_owned());
                let item = cover.item(name).ok_or_else(unknown)?;
                if !seen.insert(item) {
                    return Err(SymmetryError::RepeatedItem((*name).to_owned()));
                }
                members.push(item);
            }
            for (place, &item) in members.iter().enumerate() {
                items[item as usize] = members[(place + 1) % members.len()];
            }
        }
        Self::of_items(cover, items)
    }

    /// The symmetry that moves items by a permutation.
    fn of_items(cover: &Cover, items: Vec<ItemId>) -> Result<Self, SymmetryError> {
        for (from, &to) in items.iter().enumerate() {
            let [from, to] = [from, to as usize].map(|item| &cover.items()[item]);
            if from.kind() != to.kind() {
                let name = |item: &Item| item.name().to_owned();
                return Err(SymmetryError::Kinds { from: name(from), to: name(to) });
            }
        }
        let image = |option: usize, items: &[ItemId]| {
            let mut image: Vec<Entry> = cover.entries(option).to_vec();
            image.iter_mut().for_each(|entry| entry.item = items[entry.item as usize]);
            image.sort_unstable();
            image
        };
        let identity: Vec<ItemId> = (0..items.len() as ItemId).collect();
        // Equal options go to equal ones in their order.
        let mut places: HashMap<Vec<Entry>, Vec<u32>> = HashMap::new();
        for option in (0..cover.len()).rev() {
            places.entry(image(option, &identity)).or_default().push(option as u32);
        }
        let mut options = Vec::with_capacity(cover.len());
        for option in 0..cover.len() {
            let image = image(option, &items);
            match places.get_mut(&image).and_then(Vec::pop) {
                Some(place) => options.push(place),
                None => {
                    let option = cover.option_text(option);
                    return Err(SymmetryError::NoImage { option, image: cover.text(&image) });
                }
            }
        }
        Ok(Self { items, options })
    }

    /// The option that an option goes to.
    ///
    /// # Panics
    /// If there is no such option.
    pub fn image(&self, option: u32) -> u32 {
        self.options[option as usize]
    }

    /// This symmetry, then `other`.
    fn then(&self, other: &Self) -> Self {
        Self {
            items: self.items.iter().map(|&item| other.items[item as usize]).collect(),
            options: self.options.iter().map(|&option| other.options[option as usize]).collect(),
        }
    }

    fn inverse(&self) -> Self {
        Self { items: inverse(&self.items), options: inverse(&self.options) }
    }

    /// The covers of `cover` that this symmetry of it leaves as they are: those of all these problems together.
    ///
    /// # Errors
    /// [`SymmetryError::TooManyCases`] if items that are covered several times would make too many problems.
    pub fn quotients(&self, cover: &Cover) -> Result<Vec<Cover>, SymmetryError> {
        let orbits = orbits(&self.items);
        let mut orbit_of = vec![0; cover.items().len()];
        for (number, orbit) in orbits.iter().enumerate() {
            orbit.iter().for_each(|&item| orbit_of[item as usize] = number);
        }
        let kinds: Vec<Kind> =
            orbits.iter().map(|orbit| cover.items()[orbit[0] as usize].kind()).collect();
        let options = self.options_of_quotient(cover, &orbit_of);
        let mut problems: Vec<Vec<Vec<Bounds>>> = vec![Vec::new()];
        for (number, kind) in kinds.iter().enumerate() {
            let weights: BTreeSet<u32> = options
                .iter()
                .filter_map(|option| option.get(&number))
                .map(|covered| covered.times)
                .collect();
            let cases = cases(*kind, &weights);
            if cases.len() * problems.len() > MOST_CASES {
                return Err(SymmetryError::TooManyCases(MOST_CASES));
            }
            let with = |problem: &Vec<Vec<Bounds>>| -> Vec<Vec<Vec<Bounds>>> {
                cases
                    .iter()
                    .map(|case| [problem.as_slice(), std::slice::from_ref(case)].concat())
                    .collect()
            };
            problems = problems.iter().flat_map(with).collect();
        }
        Ok(problems.iter().map(|problem| quotient(problem, &options, cover)).collect())
    }

    /// The orbits of options that can be chosen as a whole: how often each covers the items of an orbit, and with
    /// which colour.
    fn options_of_quotient(&self, cover: &Cover, orbit_of: &[usize]) -> Vec<BTreeMap<usize, Use>> {
        let mut options = Vec::new();
        for orbit in orbits(&self.options) {
            let mut covered: BTreeMap<ItemId, Use> = BTreeMap::new();
            let mut is_possible = true;
            for entry in orbit.iter().flat_map(|&option| cover.entries(option as usize)) {
                let first = Use { times: 0, colour: entry.colour };
                let found = covered.entry(entry.item).or_insert(first);
                found.times += 1;
                is_possible &= found.times == 1
                    || match cover.items()[entry.item as usize].kind() {
                        Kind::Primary { high, .. } => found.times <= high,
                        Kind::Secondary => {
                            entry.colour != NO_COLOUR && entry.colour == found.colour
                        }
                    };
            }
            if is_possible {
                // The items of an orbit are covered alike.
                options.push(
                    covered
                        .into_iter()
                        .map(|(item, found)| (orbit_of[item as usize], found))
                        .collect(),
                );
            }
        }
        options
    }
}

/// What an orbit of options does to an item.
#[derive(Debug, Clone, Copy)]
struct Use {
    /// How many of the options cover it.
    times: u32,
    /// The colour that they give to it.
    colour: u32,
}

/// How often an orbit of items is covered by options that cover it so many times at once.
#[derive(Debug, Clone)]
struct Bounds {
    weight: u32,
    kind: Kind,
}

/// The ways to cover an item, given how often options can cover it at once: an exact number of options of each weight
/// above 1, and what is left for those of weight 1.
fn cases(kind: Kind, weights: &BTreeSet<u32>) -> Vec<Vec<Bounds>> {
    let Kind::Primary { low, high: high @ 2.. } = kind else {
        // Secondary items, too, are covered once, whatever the number of options that agree on a colour.
        return vec![vec![Bounds { weight: 1, kind }]];
    };
    let mut cases = vec![(0, Vec::new())];
    for &weight in weights.iter().filter(|&&weight| weight > 1) {
        let mut longer = Vec::new();
        for (sum, case) in &cases {
            for times in 0..=(high - sum) / weight {
                let kind = Kind::Primary { low: times, high: times };
                let mut case: Vec<Bounds> = case.clone();
                case.push(Bounds { weight, kind });
                longer.push((sum + times * weight, case));
            }
            // Enough to be refused.
            if longer.len() > MOST_CASES {
                break;
            }
        }
        cases = longer;
    }
    let rest = |(sum, mut case): (u32, Vec<Bounds>)| {
        let kind = Kind::Primary { low: low.saturating_sub(sum), high: high - sum };
        case.push(Bounds { weight: 1, kind });
        case
    };
    cases.into_iter().map(rest).collect()
}

/// The problem in which the orbits of items are covered so often.
fn quotient(problem: &[Vec<Bounds>], options: &[BTreeMap<usize, Use>], cover: &Cover) -> Cover {
    let mut quotient = Cover::new();
    let mut items: HashMap<(usize, u32), ItemId> = HashMap::new();
    for (orbit, bounds) in problem.iter().enumerate() {
        for bounds in bounds {
            // Numbers differ, and are names.
            let name = format!("{orbit}*{}", bounds.weight);
            if let Ok(item) = quotient.add_item(&name, bounds.kind) {
                items.insert((orbit, bounds.weight), item);
            }
        }
    }
    for option in options {
        let mut entries = Vec::with_capacity(option.len());
        for (&orbit, &Use { times, colour }) in option {
            let of_weight = items.get(&(orbit, times)).or_else(|| items.get(&(orbit, 1)));
            // Colours have the names that they have in the cover.
            let colour = match colour {
                NO_COLOUR => Ok(NO_COLOUR),
                colour => quotient.colour(cover.colour_name(colour)),
            };
            if let (Some(&item), Ok(colour)) = (of_weight, colour) {
                entries.push(Entry { item, colour });
            }
        }
        let added = quotient.add_option(entries);
        debug_assert!(added.is_ok(), "an orbit is covered once by an orbit of options");
    }
    quotient
}

/// The symmetries of a group, the one that changes nothing first.
struct Members {
    list: Vec<Symmetry>,
    /// The place of each in the list.
    numbers: HashMap<Symmetry, usize>,
}

impl Members {
    fn new(cover: &Cover, generators: &[Symmetry]) -> Result<Self, SymmetryError> {
        let identity = Symmetry {
            items: (0..cover.items().len() as ItemId).collect(),
            options: (0..cover.len() as u32).collect(),
        };
        let most = MOST_NUMBERS / (cover.items().len() + cover.len() + 1);
        let mut numbers = HashMap::from([(identity.clone(), 0)]);
        let mut list = vec![identity];
        let mut next = 0;
        while next < list.len() {
            for generator in generators {
                let member = list[next].then(generator);
                if numbers.contains_key(&member) {
                    continue;
                }
                if list.len() >= most {
                    return Err(SymmetryError::TooMany(most));
                }
                numbers.insert(member.clone(), list.len());
                list.push(member);
            }
            next += 1;
        }
        Ok(Self { list, numbers })
    }
}

/// A group of symmetries.
#[derive(Debug, Clone)]
pub struct Group {
    /// A symmetry of each class of conjugate ones, and their number. They leave equally many covers as they are.
    classes: Vec<(Symmetry, u64)>,
    order: u64,
}

impl Group {
    /// The group of all that `generators`, symmetries of `cover`, make when they are repeated.
    ///
    /// # Errors
    /// [`SymmetryError::TooMany`] if it is too large.
    pub fn new(cover: &Cover, generators: &[Symmetry]) -> Result<Self, SymmetryError> {
        let members = Members::new(cover, generators)?;
        let inverses: Vec<Symmetry> = generators.iter().map(Symmetry::inverse).collect();
        let mut has_class = vec![false; members.list.len()];
        let mut classes: Vec<(Symmetry, u64)> = Vec::new();
        for first in 0..members.list.len() {
            if has_class[first] {
                continue;
            }
            has_class[first] = true;
            let mut class = vec![first];
            let mut next = 0;
            while next < class.len() {
                for (generator, inverse) in generators.iter().zip(&inverses) {
                    let conjugate = inverse.then(&members.list[class[next]]).then(generator);
                    let number = members.numbers[&conjugate];
                    if !std::mem::replace(&mut has_class[number], true) {
                        class.push(number);
                    }
                }
                next += 1;
            }
            classes.push((members.list[first].clone(), class.len() as u64));
        }
        Ok(Self { classes, order: members.list.len() as u64 })
    }

    /// The number of symmetries.
    pub fn order(&self) -> u64 {
        self.order
    }

    /// A symmetry of each class of conjugate ones. The first changes nothing.
    pub fn classes(&self) -> impl Iterator<Item = &Symmetry> {
        self.classes.iter().map(|class| &class.0)
    }

    /// The number of covers up to the group, from the number that the symmetry of each class leaves as they are;
    /// `None` if the numbers cannot be right, or their sum does not fit in 128 bits.
    pub fn up_to_symmetry(&self, unchanged: &[u128]) -> Option<u128> {
        let mut sum = 0_u128;
        for (covers, class) in unchanged.iter().zip(&self.classes) {
            sum = sum.checked_add(covers.checked_mul(class.1.into())?)?;
        }
        let order = u128::from(self.order);
        (unchanged.len() == self.classes.len() && sum.is_multiple_of(order)).then_some(sum / order)
    }
}

fn inverse(permutation: &[u32]) -> Vec<u32> {
    let mut inverse = vec![0; permutation.len()];
    permutation.iter().zip(0..).for_each(|(&to, from)| inverse[to as usize] = from);
    inverse
}

/// The orbits of a permutation, each from its least member on.
fn orbits(permutation: &[u32]) -> Vec<Vec<u32>> {
    let mut seen = vec![false; permutation.len()];
    let mut orbits = Vec::new();
    for start in 0..permutation.len() {
        let mut orbit = Vec::new();
        let mut member = start;
        while !seen[member] {
            seen[member] = true;
            orbit.push(member as u32);
            member = permutation[member] as usize;
        }
        if !orbit.is_empty() {
            orbits.push(orbit);
        }
    }
    orbits
}
