//! The order of short lists.
//!
//! `sort` of the standard library brings kilobytes of code for every type that it sorts, which the
//! page has to load. What is a dozen entries long, or nearly in order, needs a few lines.

use std::cmp::Ordering;
use std::collections::BTreeMap;

/// Puts a list in ascending order of a key; equal ones keep their order. It takes a step for every
/// pair that stands the wrong way round.
pub fn by_key<T, K: Ord>(list: &mut [T], key: impl Fn(&T) -> K) {
    by(list, |a, b| key(a).cmp(&key(b)));
}

/// Puts a list in the order of a comparison, as [`by_key`] does.
pub fn by<T>(list: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    for end in 1..list.len() {
        let mut at = end;
        while at > 0 && compare(&list[at - 1], &list[at]) == Ordering::Greater {
            list.swap(at - 1, at);
            at -= 1;
        }
    }
}

/// A map of pairs. `collect` would sort them first, with code of its own for every type.
pub fn map<K: Ord, V>(pairs: impl IntoIterator<Item = (K, V)>) -> BTreeMap<K, V> {
    let mut map = BTreeMap::new();
    for (key, value) in pairs {
        map.insert(key, value);
    }
    map
}

#[cfg(test)]
mod tests {
    use super::{by, by_key, map};

    #[test]
    fn lists_are_ordered_and_equal_ones_keep_their_places() {
        let mut list = [(3, 'a'), (1, 'b'), (3, 'c'), (2, 'd'), (1, 'e')];
        by_key(&mut list, |&(n, _)| n);
        assert_eq!(list, [(1, 'b'), (1, 'e'), (2, 'd'), (3, 'a'), (3, 'c')]);
        by_key::<u8, u8>(&mut [], |&n| n);
        let mut list = [0.5, -1.0, 0.25];
        by(&mut list, f64::total_cmp);
        assert_eq!(list, [-1.0, 0.25, 0.5]);
    }

    #[test]
    fn the_last_of_equal_keys_stays_in_a_map() {
        let map = map([(2, 'b'), (1, 'a'), (2, 'c')]);
        assert_eq!(map.into_iter().collect::<Vec<_>>(), [(1, 'a'), (2, 'c')]);
    }
}
