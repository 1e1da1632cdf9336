//! The ruler: a plain dancing-links counter, against which engines are measured. It is Knuth's algorithm C, which branches on the
//! first item with the fewest options.

use tallyboard_cover::{Cover, Kind, NO_COLOUR};

#[derive(Debug, Clone, Copy, Default)]
struct Node {
    up: u32,
    down: u32,
    /// The item; in a spacer between two options, 0.
    item: u32,
    /// The colour that the option gives to the item, or `PURIFIED` while the item has this colour.
    colour: u32,
}

#[derive(Debug, Clone, Copy, Default)]
struct Header {
    left: u32,
    right: u32,
    len: u32,
}

const PURIFIED: u32 = u32::MAX;

pub struct Ruler {
    nodes: Vec<Node>,
    headers: Vec<Header>,
    nodes_taken: u64,
}

impl Ruler {
    /// A problem without multiplicities.
    pub fn new(cover: &Cover) -> Self {
        assert!(!cover.has_multiplicities());
        let is_secondary = |item: &tallyboard_cover::Item| item.kind() == Kind::Secondary;
        let mut numbers = vec![0; cover.items().len()];
        let mut next = 1;
        for secondary in [false, true] {
            for (item, number) in cover.items().iter().zip(&mut numbers) {
                if is_secondary(item) == secondary {
                    *number = next;
                    next += 1;
                }
            }
        }
        let primaries = cover.items().iter().filter(|item| !is_secondary(item)).count() as u32;
        let mut ruler = Self {
            nodes: vec![Node::default(); next as usize],
            headers: vec![Header::default(); next as usize],
            nodes_taken: 0,
        };
        for item in 0..next {
            ruler.nodes[item as usize] = Node { up: item, down: item, item, colour: NO_COLOUR };
            let header = &mut ruler.headers[item as usize];
            if item <= primaries {
                header.left = if item == 0 { primaries } else { item - 1 };
                header.right = if item == primaries { 0 } else { item + 1 };
            } else {
                header.left = item;
                header.right = item;
            }
        }
        ruler.nodes.push(Node::default());
        for entries in cover.options() {
            let has_primary =
                entries.iter().any(|entry| !is_secondary(&cover.items()[entry.item as usize]));
            if !has_primary {
                continue;
            }
            let begin = ruler.nodes.len() as u32;
            for entry in entries {
                ruler.append(numbers[entry.item as usize], entry.colour);
            }
            let end = ruler.nodes.len() as u32;
            ruler.nodes[begin as usize - 1].down = end - 1;
            ruler.nodes.push(Node { up: begin, ..Node::default() });
        }
        for (item, number) in cover.items().iter().zip(&numbers) {
            // An item that need not be covered: an option that covers nothing else.
            if matches!(item.kind(), Kind::Primary { low: 0, .. }) {
                let begin = ruler.nodes.len() as u32;
                ruler.append(*number, NO_COLOUR);
                ruler.nodes[begin as usize - 1].down = begin;
                ruler.nodes.push(Node { up: begin, ..Node::default() });
            }
        }
        ruler
    }

    fn append(&mut self, item: u32, colour: u32) {
        let node = self.nodes.len() as u32;
        let up = self.nodes[item as usize].up;
        self.nodes.push(Node { up, down: item, item, colour });
        self.nodes[up as usize].down = node;
        self.nodes[item as usize].up = node;
        self.headers[item as usize].len += 1;
    }

    pub fn count(&mut self) -> u128 {
        let Some(chosen) = self.choose() else { return 1 };
        if self.headers[chosen as usize].len == 0 {
            return 0;
        }
        self.cover(chosen);
        let mut found = 0;
        let mut node = self.nodes[chosen as usize].down;
        while node != chosen {
            self.nodes_taken += 1;
            self.commit_others(node);
            found += self.count();
            self.uncommit_others(node);
            node = self.nodes[node as usize].down;
        }
        self.uncover(chosen);
        found
    }

    /// The item with the fewest options, of those that are left to cover.
    fn choose(&self) -> Option<u32> {
        let next = |item: u32| Some(self.headers[item as usize].right).filter(|&right| right != 0);
        let left = std::iter::successors(next(0), |&item| next(item));
        left.min_by_key(|&item| self.headers[item as usize].len)
    }

    /// Covers the other items of a node's option.
    fn commit_others(&mut self, node: u32) {
        let mut part = node + 1;
        while part != node {
            let Node { item, up, .. } = self.nodes[part as usize];
            if item == 0 {
                part = up;
            } else {
                self.commit(part, item);
                part += 1;
            }
        }
    }

    fn uncommit_others(&mut self, node: u32) {
        let mut part = node - 1;
        while part != node {
            let Node { item, down, .. } = self.nodes[part as usize];
            if item == 0 {
                part = down;
            } else {
                self.uncommit(part, item);
                part -= 1;
            }
        }
    }

    fn commit(&mut self, part: u32, item: u32) {
        match self.nodes[part as usize].colour {
            NO_COLOUR => self.cover(item),
            PURIFIED => {}
            colour => self.purify(item, colour),
        }
    }

    fn uncommit(&mut self, part: u32, item: u32) {
        match self.nodes[part as usize].colour {
            NO_COLOUR => self.uncover(item),
            PURIFIED => {}
            colour => self.unpurify(item, colour),
        }
    }

    fn cover(&mut self, item: u32) {
        let mut node = self.nodes[item as usize].down;
        while node != item {
            self.hide(node);
            node = self.nodes[node as usize].down;
        }
        let Header { left, right, .. } = self.headers[item as usize];
        self.headers[left as usize].right = right;
        self.headers[right as usize].left = left;
    }

    fn uncover(&mut self, item: u32) {
        let Header { left, right, .. } = self.headers[item as usize];
        self.headers[left as usize].right = item;
        self.headers[right as usize].left = item;
        let mut node = self.nodes[item as usize].up;
        while node != item {
            self.unhide(node);
            node = self.nodes[node as usize].up;
        }
    }

    fn hide(&mut self, node: u32) {
        let mut part = node + 1;
        while part != node {
            let Node { up, down, item, colour } = self.nodes[part as usize];
            if item == 0 {
                part = up;
                continue;
            }
            if colour != PURIFIED {
                self.nodes[up as usize].down = down;
                self.nodes[down as usize].up = up;
                self.headers[item as usize].len -= 1;
            }
            part += 1;
        }
    }

    fn unhide(&mut self, node: u32) {
        let mut part = node - 1;
        while part != node {
            let Node { up, down, item, colour } = self.nodes[part as usize];
            if item == 0 {
                part = down;
                continue;
            }
            if colour != PURIFIED {
                self.nodes[up as usize].down = part;
                self.nodes[down as usize].up = part;
                self.headers[item as usize].len += 1;
            }
            part -= 1;
        }
    }

    /// Hides the options that give the item another colour. Those that give it this colour are marked, so that choosing them
    /// does not purify the item again.
    fn purify(&mut self, item: u32, colour: u32) {
        let mut node = self.nodes[item as usize].down;
        self.nodes[item as usize].colour = colour;
        while node != item {
            let down = self.nodes[node as usize].down;
            if self.nodes[node as usize].colour == colour {
                self.nodes[node as usize].colour = PURIFIED;
            } else {
                self.hide(node);
            }
            node = down;
        }
    }

    fn unpurify(&mut self, item: u32, colour: u32) {
        let mut node = self.nodes[item as usize].up;
        while node != item {
            let up = self.nodes[node as usize].up;
            if self.nodes[node as usize].colour == PURIFIED {
                self.nodes[node as usize].colour = colour;
            } else {
                self.unhide(node);
            }
            node = up;
        }
    }
}

/// The covers of a problem, and the nodes that the ruler takes to count them.
pub fn nodes(cover: &Cover) -> (u128, u64) {
    let mut ruler = Ruler::new(cover);
    (ruler.count(), ruler.nodes_taken)
}
