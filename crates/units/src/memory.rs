//! Amounts of memory: pages of 4 KiB and bytes.

use core::fmt;
use core::ops::{Add, AddAssign, Sub, SubAssign};

/// log2 of the page size.
pub const PAGE_SHIFT: u32 = 12;
/// Bytes a page.
pub const PAGE_SIZE: u64 = 1 << PAGE_SHIFT;

/// A number of 4 KiB pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pages(pub u64);

/// A number of bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bytes(pub u64);

impl Pages {
    /// The bytes that these pages hold.
    #[must_use]
    pub const fn bytes(self) -> Bytes {
        Bytes(self.0 << PAGE_SHIFT)
    }
}

impl Bytes {
    /// Whole pages in this many bytes; what is left over is dropped.
    #[must_use]
    pub const fn pages_rounded_down(self) -> Pages {
        Pages(self.0 >> PAGE_SHIFT)
    }
}

impl Add for Pages {
    type Output = Self;
    fn add(self, n: Self) -> Self {
        Self(self.0 + n.0)
    }
}
impl AddAssign for Pages {
    fn add_assign(&mut self, n: Self) {
        self.0 += n.0;
    }
}
impl Sub for Pages {
    type Output = Self;
    fn sub(self, n: Self) -> Self {
        Self(self.0.checked_sub(n.0).expect("fewer pages than none"))
    }
}
impl SubAssign for Pages {
    fn sub_assign(&mut self, n: Self) {
        *self = *self - n;
    }
}

impl fmt::Display for Bytes {
    /// The amount with the largest binary unit that keeps it exact: `4GiB`, `1536MiB`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n = self.0;
        let (value, unit) = match n {
            0 => (0, "B"),
            _ if n.is_multiple_of(1 << 40) => (n >> 40, "TiB"),
            _ if n.is_multiple_of(1 << 30) => (n >> 30, "GiB"),
            _ if n.is_multiple_of(1 << 20) => (n >> 20, "MiB"),
            _ if n.is_multiple_of(1 << 10) => (n >> 10, "KiB"),
            _ => (n, "B"),
        };
        write!(f, "{value}{unit}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_print_exactly() {
        assert_eq!(Bytes(4 << 30).to_string(), "4GiB");
        assert_eq!(Bytes(1536 << 20).to_string(), "1536MiB");
        assert_eq!(Bytes(4097).to_string(), "4097B");
        assert_eq!(Bytes(8191).pages_rounded_down(), Pages(1));
        assert_eq!(Bytes(0).to_string(), "0B");
        assert_eq!(Bytes(3 << 40).to_string(), "3TiB");
        assert_eq!(Bytes(12 << 10).to_string(), "12KiB");
    }

    #[test]
    fn pages_add_up() {
        let mut pages = Pages(3) + Pages(4);
        pages += Pages(1);
        pages -= Pages(6);
        assert_eq!(pages, Pages(2));
        assert_eq!(pages.bytes(), Bytes(8192));
        assert_eq!(pages.bytes().pages_rounded_down(), pages);
    }

    #[test]
    #[should_panic(expected = "fewer pages than none")]
    fn pages_do_not_go_below_none() {
        let _ = Pages(1) - Pages(2);
    }
}
