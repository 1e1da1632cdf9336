//! Variables by their weight, the heaviest first.

/// A binary heap that knows where each variable stands.
#[derive(Debug, Clone, Default)]
pub struct Heap {
    /// The variables; each weighs at least as much as those at twice its place plus 1 and 2.
    order: Vec<u32>,
    /// The place of each variable in `order`, or [`OUT`].
    places: Vec<u32>,
    weights: Vec<f64>,
    /// What a conflict adds to the weight of a variable. It grows, so that late conflicts count for more.
    step: f64,
}

/// The place of a variable that is not in the heap.
const OUT: u32 = u32::MAX;
/// By how much the step grows after each conflict.
const GROWTH: f64 = 1.0 / 0.95;
/// Weights above this are scaled down, all of them.
const MOST: f64 = 1e100;

impl Heap {
    /// Adds the next variable.
    pub fn add(&mut self) {
        let variable = self.places.len();
        self.step = self.step.max(1.0);
        self.weights.push(0.0);
        self.places.push(OUT);
        self.insert(variable);
    }

    /// Puts a variable into the heap unless it is there.
    pub fn insert(&mut self, variable: usize) {
        if self.places[variable] == OUT {
            self.order.push(variable as u32);
            self.rise(self.order.len() - 1);
        }
    }

    /// Takes the heaviest variable out.
    pub fn pop(&mut self) -> Option<usize> {
        let first = *self.order.first()?;
        let last = self.order.pop()?;
        self.places[first as usize] = OUT;
        if !self.order.is_empty() {
            self.order[0] = last;
            self.sink();
        }
        Some(first as usize)
    }

    /// Makes a variable heavier, since it was part of a conflict.
    pub fn raise(&mut self, variable: usize) {
        self.weights[variable] += self.step;
        if self.weights[variable] > MOST {
            self.weights.iter_mut().for_each(|weight| *weight /= MOST);
            self.step /= MOST;
        }
        if self.places[variable] != OUT {
            self.rise(self.places[variable] as usize);
        }
    }

    /// Lets later conflicts count for more than those before.
    pub fn age(&mut self) {
        self.step *= GROWTH;
    }

    fn weight(&self, place: usize) -> f64 {
        self.weights[self.order[place] as usize]
    }

    /// Moves the variable of a place up to where it belongs.
    fn rise(&mut self, mut place: usize) {
        let variable = self.order[place];
        let weight = self.weights[variable as usize];
        while place > 0 {
            let above = (place - 1) / 2;
            if self.weight(above) >= weight {
                break;
            }
            self.put(place, self.order[above]);
            place = above;
        }
        self.put(place, variable);
    }

    /// Moves the first variable down to where it belongs.
    fn sink(&mut self) {
        let (variable, mut place) = (self.order[0], 0);
        let weight = self.weights[variable as usize];
        loop {
            let mut below = 2 * place + 1;
            if below >= self.order.len() {
                break;
            }
            if below + 1 < self.order.len() && self.weight(below + 1) > self.weight(below) {
                below += 1;
            }
            if self.weight(below) <= weight {
                break;
            }
            self.put(place, self.order[below]);
            place = below;
        }
        self.put(place, variable);
    }

    fn put(&mut self, place: usize, variable: u32) {
        self.order[place] = variable;
        self.places[variable as usize] = place as u32;
    }
}
