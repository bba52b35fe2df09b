//! The winner tree: one word a slot, and at each node the smaller of its two children's words.

use super::layout::NEVER;

/// Where the smallest word of all stands.
const ROOT: usize = 1;

/// Words by slot, and the smallest of them at hand.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    /// Node `i` has children `2i` and `2i+1`; the upper half are the slots' own words.
    nodes: Vec<u64>,
    /// Number of slots, a power of two.
    slots: u32,
    /// Matches between a slot and the root: log2 of `slots`.
    levels: u32,
    /// The word at the root.
    first: u64,
}

impl Tree {
    /// A tree with slots `0..slots`, a power of two from 2 on, all of them empty.
    pub(super) fn new(slots: u32) -> Self {
        let nodes = vec![NEVER; 2 * slots as usize];
        Self { nodes, slots, levels: slots.trailing_zeros(), first: NEVER }
    }

    /// The smallest word.
    #[inline]
    pub(super) fn first(&self) -> u64 {
        self.first
    }

    /// The smallest word of the slots other than this one.
    pub(super) fn first_but(&self, slot: u32) -> u64 {
        let mut node = (self.slots + slot) as usize;
        let mut best = NEVER;
        while node > ROOT {
            best = best.min(self.nodes[node ^ 1]);
            node >>= 1;
        }
        best
    }

    /// The words by slot.
    pub(super) fn leaves(&self) -> &[u64] {
        &self.nodes[self.slots as usize..]
    }

    /// Puts a word into a slot and plays the matches from there to the root again.
    ///
    /// One loop would do. With the number of levels known to the compiler there is neither a loop
    /// nor a bounds check, which saves a twentieth of a run's time natively, and more in wasm,
    /// where each round of a loop also asks whether to stop the script.
    ///
    /// # Panics
    /// When there is no such slot.
    #[inline(never)]
    pub(super) fn put(&mut self, slot: u32, word: u64) {
        assert!(slot < self.slots, "no such entity");
        let nodes = self.nodes.as_mut_slice();
        self.first = match self.levels {
            1 => climb::<1, 4>(nodes, slot, word),
            2 => climb::<2, 8>(nodes, slot, word),
            3 => climb::<3, 16>(nodes, slot, word),
            4 => climb::<4, 32>(nodes, slot, word),
            5 => climb::<5, 64>(nodes, slot, word),
            6 => climb::<6, 128>(nodes, slot, word),
            7 => climb::<7, 256>(nodes, slot, word),
            8 => climb::<8, 512>(nodes, slot, word),
            9 => climb::<9, 1024>(nodes, slot, word),
            10 => climb::<10, 2048>(nodes, slot, word),
            _ => climb_any(nodes, (self.slots + slot) as usize, word),
        };
    }

    /// Puts words into many slots at once.
    pub(super) fn put_all(&mut self, words: &[(u32, u64)]) {
        for &(slot, word) in words {
            self.nodes[(self.slots + slot) as usize] = word;
        }
        for node in (ROOT..self.slots as usize).rev() {
            self.nodes[node] = self.nodes[2 * node].min(self.nodes[2 * node + 1]);
        }
        self.first = self.nodes[ROOT];
    }
}

/// [`Tree::put`] in a tree of `LEVELS` levels, `NODES` = 2^(`LEVELS` + 1); returns the root.
#[inline(always)]
fn climb<const LEVELS: u32, const NODES: usize>(nodes: &mut [u64], slot: u32, word: u64) -> u64 {
    let nodes: &mut [u64; NODES] = nodes.first_chunk_mut().expect("a node for every level");
    let mut node = (slot as usize % (NODES / 2)) | (NODES / 2);
    let mut best = word;
    nodes[node] = best;
    for _ in 0..LEVELS {
        best = best.min(nodes[node ^ 1]);
        node >>= 1;
        nodes[node] = best;
    }
    best
}

/// The same in a tree of any size.
fn climb_any(nodes: &mut [u64], mut node: usize, word: u64) -> u64 {
    let mut best = word;
    nodes[node] = best;
    while node > ROOT {
        best = best.min(nodes[node ^ 1]);
        node >>= 1;
        nodes[node] = best;
    }
    best
}
