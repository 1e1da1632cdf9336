//! The number of covers up to symmetry, by Burnside's lemma.
//!
//! The number of covers up to a group of symmetries is the mean, over the group, of the number of covers that a symmetry leaves
//! unchanged. These are the covers of a *quotient*: its items and options are the orbits of items and of options, that is the
//! sets of those that the symmetry takes to each other.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::bounds::free_items;
use crate::cover::{Cover, Entry, ItemId, Kind, NO_COLOUR};
use crate::mistake::{Mistake, mistake};

/// The most numbers that the permutations of all symmetries of a group have together.
const MOST_NUMBERS: usize = 1 << 25;
/// The most quotients of a symmetry.
const MOST_CASES: usize = 1 << 12;

/// A permutation of items, and the permutation of options that follows from it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Symmetry {
    pub(crate) items: Vec<ItemId>,
    pub(crate) options: Vec<u32>,
}

/// Entries as numbers, in an order of their own, so that the same entries have the same key however they are listed. Their weights
/// are part of it if the cover has weights.
fn key(cover: &Cover, entries: impl Iterator<Item = (Entry, u32)>) -> Vec<u64> {
    let number = |entry: Entry| u64::from(entry.item) << 32 | u64::from(entry.colour);
    if !cover.has_weights() {
        let mut key: Vec<u64> = entries.map(|(entry, _)| number(entry)).collect();
        key.sort_unstable();
        return key;
    }
    let mut pairs: Vec<[u64; 2]> =
        entries.map(|(entry, weight)| [number(entry), weight.into()]).collect();
    pairs.sort_unstable();
    pairs.concat()
}

impl Symmetry {
    /// The symmetry that takes each item to the next one of its cycle, and an item without a cycle to itself.
    ///
    /// # Errors
    /// [`Mistake`] if this is no symmetry of `cover`.
    pub fn from_cycles(cover: &Cover, cycles: &[Vec<&str>]) -> Result<Self, Mistake> {
        let mut items: Vec<ItemId> = (0..cover.items().len() as ItemId).collect();
        let mut seen = BTreeSet::new();
        for cycle in cycles {
            let mut members = Vec::with_capacity(cycle.len());
            for name in cycle {
                let unknown = || mistake(format!("'{name}' in a symmetry"), "one of the items");
                let item = cover.item(name).ok_or_else(unknown)?;
                if !seen.insert(item) {
                    let found = format!("the item '{name}' twice in a symmetry");
                    return Err(mistake(found, "each item at most once"));
                }
                members.push(item);
            }
            for (place, &item) in members.iter().enumerate() {
                items[item as usize] = members[(place + 1) % members.len()];
            }
        }
        Self::of_items(cover, items)
    }

    /// The symmetry with this permutation of items.
    fn of_items(cover: &Cover, items: Vec<ItemId>) -> Result<Self, Mistake> {
        for (from, &to) in items.iter().enumerate() {
            let [from, to] = [from, to as usize].map(|item| &cover.items()[item]);
            if from.kind() != to.kind() {
                let found = format!("that '{}' goes to '{}'", from.name(), to.name());
                return Err(mistake(found, "an item that is covered as often"));
            }
        }
        // The options with these entries, the last one first. Equal options go to equal ones in their order.
        let mut options_with: HashMap<Vec<u64>, Vec<u32>> = HashMap::new();
        for option in (0..cover.len()).rev() {
            let key = key(cover, cover.weighted(option));
            options_with.entry(key).or_default().push(option as u32);
        }
        let mut options = Vec::with_capacity(cover.len());
        for option in 0..cover.len() {
            let image = cover.weighted(option).map(|(entry, weight)| {
                (Entry { item: items[entry.item as usize], ..entry }, weight)
            });
            match options_with.get_mut(&key(cover, image.clone())).and_then(Vec::pop) {
                Some(number) => options.push(number),
                None => {
                    let mut image: Vec<(Entry, u32)> = image.collect();
                    image.sort_unstable();
                    let [option, image] = [cover.option_text(option), cover.text(image)];
                    let found = format!("no option '{image}' for the image of '{option}'");
                    return Err(mistake(found, "a symmetry of all options"));
                }
            }
        }
        Ok(Self { items, options })
    }

    /// The option to which an option goes.
    ///
    /// # Panics
    /// If there is no such option.
    pub fn image(&self, option: u32) -> u32 {
        self.options[option as usize]
    }

    /// The symmetry that is this one followed by `other`.
    fn then(&self, other: &Self) -> Self {
        Self {
            items: self.items.iter().map(|&item| other.items[item as usize]).collect(),
            options: self.options.iter().map(|&option| other.options[option as usize]).collect(),
        }
    }

    /// The symmetry that takes everything back.
    fn inverse(&self) -> Self {
        Self { items: inverse(&self.items), options: inverse(&self.options) }
    }

    /// Problems that together have as many covers as this symmetry of `cover` leaves unchanged.
    ///
    /// # Errors
    /// [`Mistake`] if items that are covered several times would make too many problems.
    pub fn quotients(&self, cover: &Cover) -> Result<Vec<Cover>, Mistake> {
        let item_orbits = orbits(&self.items);
        let mut orbit_of = vec![0; cover.items().len()];
        for (number, orbit) in item_orbits.iter().enumerate() {
            orbit.iter().for_each(|&item| orbit_of[item as usize] = number);
        }
        let options = self.options_of_quotient(cover, &orbit_of);
        let is_free = free_items(cover);
        // A problem has a case for each orbit of items. All combinations of cases are made, orbit by orbit.
        let mut problems: Vec<Vec<Case>> = vec![Vec::new()];
        for (number, orbit) in item_orbits.iter().enumerate() {
            let weights: BTreeSet<u32> =
                options.iter().filter_map(|option| Some(option.get(&number)?.weight)).collect();
            // No choice covers such items too often, so nothing is to be told apart.
            let cases = if orbit.iter().all(|&item| is_free[item as usize]) {
                vec![Case::new()]
            } else {
                cases(cover.items()[orbit[0] as usize].kind(), &weights)
            };
            if cases.len() * problems.len() > MOST_CASES {
                let found = format!(
                    "more than {MOST_CASES} cases of how often symmetric options cover an item"
                );
                return Err(mistake(found, "fewer"));
            }
            let longer = |problem: &Vec<Case>| -> Vec<Vec<Case>> {
                cases
                    .iter()
                    .map(|case| [&problem[..], std::slice::from_ref(case)].concat())
                    .collect()
            };
            problems = problems.iter().flat_map(longer).collect();
        }
        Ok(problems.iter().map(|problem| quotient(problem, &options, cover)).collect())
    }

    /// The orbits of options that can be chosen as a whole.
    fn options_of_quotient(&self, cover: &Cover, orbit_of: &[usize]) -> Vec<OptionOrbit> {
        let mut options = Vec::new();
        for orbit in orbits(&self.options) {
            let mut covered: BTreeMap<ItemId, Coverage> = BTreeMap::new();
            let mut is_possible = true;
            for (entry, weight) in orbit.iter().flat_map(|&option| cover.weighted(option as usize))
            {
                let none = Coverage { weight: 0, colour: entry.colour };
                let coverage = covered.entry(entry.item).or_insert(none);
                let is_first = coverage.weight == 0;
                coverage.weight = coverage.weight.saturating_add(weight);
                is_possible &= match cover.items()[entry.item as usize].kind() {
                    Kind::Primary { high, .. } => coverage.weight <= high.max(1),
                    Kind::Secondary if is_first => true,
                    Kind::Secondary => entry.colour != NO_COLOUR && entry.colour == coverage.colour,
                };
            }
            if is_possible {
                // All items of an orbit are covered equally, so any of them stands for the orbit.
                let by_orbit =
                    covered.into_iter().map(|(item, found)| (orbit_of[item as usize], found));
                options.push(by_orbit.collect());
            }
        }
        options
    }
}

/// An orbit of options: for each orbit of items that it covers, how it covers each of these items.
type OptionOrbit = BTreeMap<usize, Coverage>;

/// How an orbit of options covers an item.
#[derive(Debug, Clone, Copy)]
struct Coverage {
    /// The sum of the weights of the options in the orbit that cover the item.
    weight: u32,
    /// The colour that they give to it.
    colour: u32,
}

/// A way to cover an orbit of items: how often orbits of options with each weight may cover it.
type Case = Vec<(u32, Kind)>;

/// The ways to cover an item of this kind by orbits of options with these weights. A case has an exact number of orbits of each
/// weight above 1; orbits of weight 1 cover the item as often as is left.
fn cases(kind: Kind, weights: &BTreeSet<u32>) -> Vec<Case> {
    let Kind::Primary { low, high: high @ 2.. } = kind else {
        // A secondary item counts as covered once, whatever the number of options that agree on a colour.
        return vec![vec![(1, kind)]];
    };
    // For each case, also the number of options that cover the item.
    let mut cases: Vec<(u32, Case)> = vec![(0, Vec::new())];
    for &weight in weights.iter().filter(|&&weight| weight > 1) {
        let mut longer = Vec::new();
        for (sum, case) in &cases {
            for number in 0..=(high - sum) / weight {
                let exactly = (weight, Kind::Primary { low: number, high: number });
                longer.push((sum + number * weight, [&case[..], &[exactly]].concat()));
            }
            // The caller refuses so many cases.
            if longer.len() > MOST_CASES {
                break;
            }
        }
        cases = longer;
    }
    for (sum, case) in &mut cases {
        let kind = Kind::Primary { low: low.saturating_sub(*sum), high: high - *sum };
        case.push((1, kind));
    }
    cases.into_iter().map(|(_, case)| case).collect()
}

/// The problem in which each orbit of items is covered as its case in `problem` states.
fn quotient(problem: &[Case], options: &[OptionOrbit], cover: &Cover) -> Cover {
    let mut quotient = Cover::new();
    let mut items: HashMap<(usize, u32), ItemId> = HashMap::new();
    for (orbit, case) in problem.iter().enumerate() {
        for &(weight, kind) in case {
            let item = quotient.add_item(&format!("{orbit}*{weight}"), kind);
            items.insert((orbit, weight), item.expect("these names differ, and have no blank"));
        }
    }
    for option in options {
        let mut entries = Vec::with_capacity(option.len());
        for (&orbit, &Coverage { weight, colour }) in option {
            // An orbit of items that is covered once has the weight 1 alone, and a free one has no item.
            let item = items.get(&(orbit, weight)).or_else(|| items.get(&(orbit, 1)));
            // Colours have the names that they have in the cover.
            let colour = match colour {
                NO_COLOUR => Ok(NO_COLOUR),
                colour => quotient.colour(cover.colour_name(colour)),
            };
            if let (Some(&item), Ok(colour)) = (item, colour) {
                entries.push(Entry { item, colour });
            }
        }
        let added = quotient.add_option(entries);
        debug_assert!(added.is_ok(), "an orbit is covered once by an orbit of options");
    }
    quotient
}

/// The symmetries of a group: a list in which the identity is the first, and the same as a set.
fn members(
    cover: &Cover,
    generators: &[Symmetry],
) -> Result<(Vec<Symmetry>, HashSet<Symmetry>), Mistake> {
    let identity = Symmetry {
        items: (0..cover.items().len() as ItemId).collect(),
        options: (0..cover.len() as u32).collect(),
    };
    let most = MOST_NUMBERS / (cover.items().len() + cover.len() + 1);
    let mut known = HashSet::from([identity.clone()]);
    let mut members = vec![identity];
    let mut next = 0;
    while next < members.len() {
        for generator in generators {
            let member = members[next].then(generator);
            if known.contains(&member) {
                continue;
            }
            if members.len() >= most {
                return Err(mistake(format!("more than {most} symmetries"), "fewer"));
            }
            known.insert(member.clone());
            members.push(member);
        }
        next += 1;
    }
    Ok((members, known))
}

/// A group of symmetries.
#[derive(Debug, Clone)]
pub struct Group {
    /// One symmetry of each conjugacy class, and the size of the class. All of a class leave equally many covers unchanged.
    classes: Vec<(Symmetry, u64)>,
    order: u64,
}

impl Group {
    /// The group that `generators`, which are symmetries of `cover`, generate.
    ///
    /// # Errors
    /// [`Mistake`] if the group is too large.
    pub fn new(cover: &Cover, generators: &[Symmetry]) -> Result<Self, Mistake> {
        // Members leave the set when their class is found: a set of those found would be a third copy of the group.
        let (members, mut unclassed) = members(cover, generators)?;
        let inverses: Vec<Symmetry> = generators.iter().map(Symmetry::inverse).collect();
        let order = members.len() as u64;
        let mut classes: Vec<(Symmetry, u64)> = Vec::new();
        for first in members {
            if !unclassed.remove(&first) {
                continue;
            }
            let mut class = vec![first];
            let mut next = 0;
            while next < class.len() {
                for (generator, inverse) in generators.iter().zip(&inverses) {
                    let conjugate = inverse.then(&class[next]).then(generator);
                    if unclassed.remove(&conjugate) {
                        class.push(conjugate);
                    }
                }
                next += 1;
            }
            let size = class.len() as u64;
            classes.push((class.swap_remove(0), size));
        }
        Ok(Self { classes, order })
    }

    /// The number of symmetries.
    pub fn order(&self) -> u64 {
        self.order
    }

    /// One symmetry of each conjugacy class, the identity first.
    pub fn classes(&self) -> impl Iterator<Item = &Symmetry> {
        self.classes.iter().map(|class| &class.0)
    }

    /// The number of covers up to the group, from the numbers of covers that the symmetries in [`classes`](Self::classes) leave
    /// unchanged; `None` if the numbers cannot be right, or their sum does not fit in 128 bits.
    pub fn up_to_symmetry(&self, unchanged: &[u128]) -> Option<u128> {
        let mut sum = 0_u128;
        for (covers, &(_, size)) in unchanged.iter().zip(&self.classes) {
            sum = sum.checked_add(covers.checked_mul(size.into())?)?;
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

/// The orbits of a permutation. Each begins with its least member; the image of a member comes after it.
pub(crate) fn orbits(permutation: &[u32]) -> Vec<Vec<u32>> {
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
