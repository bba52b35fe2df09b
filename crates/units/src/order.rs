//! The order of short lists.
//!
//! `sort` of the standard library brings kilobytes of code for every type that it sorts, which the
//! page has to load. What is a dozen entries long, or nearly in order, needs a few lines.

/// Puts a list in ascending order of a key; equal ones keep their order. It takes a step for every
/// pair that stands the wrong way round.
pub fn by_key<T, K: Ord>(list: &mut [T], key: impl Fn(&T) -> K) {
    for end in 1..list.len() {
        let mut at = end;
        while at > 0 && key(&list[at - 1]) > key(&list[at]) {
            list.swap(at - 1, at);
            at -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::by_key;

    #[test]
    fn lists_are_ordered_and_equal_ones_keep_their_places() {
        let mut list = [(3, 'a'), (1, 'b'), (3, 'c'), (2, 'd'), (1, 'e')];
        by_key(&mut list, |&(n, _)| n);
        assert_eq!(list, [(1, 'b'), (1, 'e'), (2, 'd'), (3, 'a'), (3, 'c')]);
        by_key::<u8, u8>(&mut [], |&n| n);
    }
}
