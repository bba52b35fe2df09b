//! Lists of CPUs as the kernel prints them: `0-3,8`, `0-6:2/4` is not among those it prints for a
//! node.

/// More CPUs than any kernel knows.
const CPU_MAX: u32 = 65_535;

/// How many CPUs a list names; each counts once. Nothing at all is a node without CPUs.
///
/// # Errors
/// With the piece that is no CPU and no range.
pub fn count_cpus(list: &str) -> Result<u32, String> {
    let mut ranges = Vec::new();
    for piece in list.split(',').map(str::trim).filter(|piece| !piece.is_empty()) {
        let (first, last) = piece.split_once('-').unwrap_or((piece, piece));
        let number = |text: &str| text.trim().parse().ok().filter(|&n: &u32| n <= CPU_MAX);
        match (number(first), number(last)) {
            (Some(first), Some(last)) if first <= last => ranges.push((first, last)),
            _ => return Err(piece.to_owned()),
        }
    }
    ranges.sort_unstable();
    let (mut count, mut next) = (0, 0);
    for (first, last) in ranges {
        let first = first.max(next);
        if first <= last {
            count += last - first + 1;
            next = last + 1;
        }
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_counted_and_repeats_are_not() {
        assert_eq!(count_cpus("0-3,8"), Ok(5));
        assert_eq!(count_cpus("2"), Ok(1));
        assert_eq!(count_cpus(""), Ok(0));
        assert_eq!(count_cpus("0-3,2-5,5"), Ok(6));
        assert_eq!(count_cpus("3-0"), Err("3-0".to_owned()));
        assert_eq!(count_cpus("0-99999999999"), Err("0-99999999999".to_owned()));
        assert_eq!(count_cpus("all"), Err("all".to_owned()));
    }
}
