//! The machine at every instant that the worker streamed, kept flat and within bounds.

use report::MachineView;
use report::wire::{self, Header, WireError};
use std::rc::Rc;

/// How many numbers are kept: 24 MB.
const NUMBERS_MAX: usize = 3_000_000;

/// Flat views in order of time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Views {
    views: Vec<Rc<[f64]>>,
    numbers: usize,
}

impl Views {
    /// Adds packed views. When they become too many, every second one goes.
    ///
    /// # Errors
    /// When the array is no packed views.
    pub fn add(&mut self, packed: &[f64]) -> Result<(), WireError> {
        for view in wire::unpack_views(packed)? {
            self.numbers += view.len();
            self.views.push(view.into());
        }
        while self.numbers > NUMBERS_MAX && self.views.len() > 2 {
            self.thin();
        }
        Ok(())
    }

    /// Those up to a time, in nanoseconds.
    #[must_use]
    pub fn until(&self, time_ns: u64) -> Self {
        let before = self.views.partition_point(|view| wire::view_time(view) <= time_ns);
        let views = self.views[..before].to_vec();
        let numbers = views.iter().map(|view| view.len()).sum();
        Self { views, numbers }
    }

    /// Drops every second view, but not the newest.
    fn thin(&mut self) {
        let last = self.views.len() - 1;
        let mut number = 0;
        self.views.retain(|_| {
            number += 1;
            (last + 1 - number).is_multiple_of(2)
        });
        self.numbers = self.views.iter().map(|view| view.len()).sum();
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.views.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.views.is_empty()
    }

    /// The time of the newest, in nanoseconds.
    #[must_use]
    pub fn newest_ns(&self) -> u64 {
        self.views.last().map_or(0, |view| wire::view_time(view))
    }

    /// The number of the last view that is not after a time, else the first.
    #[must_use]
    pub fn at(&self, time_ns: u64) -> Option<usize> {
        let after = self.views.partition_point(|view| wire::view_time(view) <= time_ns);
        (!self.views.is_empty()).then(|| after.saturating_sub(1))
    }

    /// The time of a view, in nanoseconds.
    #[must_use]
    pub fn time_ns(&self, number: usize) -> Option<u64> {
        self.views.get(number).map(|view| wire::view_time(view))
    }

    /// A view, read.
    ///
    /// # Errors
    /// When it is none of this run.
    pub fn read(&self, number: usize, header: &Header) -> Option<Result<MachineView, WireError>> {
        self.views.get(number).map(|view| wire::decode_view(header, view))
    }

    /// The flat view itself, to tell whether it is still the same.
    #[must_use]
    pub fn flat(&self, number: usize) -> Option<Rc<[f64]>> {
        self.views.get(number).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    fn packed(times: &[u64]) -> (Header, Vec<f64>) {
        let (header, mut view) = samples::machine(2, 4, 1, 8);
        let mut packed = Vec::new();
        for &time in times {
            view.time_ns = time;
            wire::pack_view(&view, &mut packed);
        }
        (header, packed)
    }

    #[test]
    fn the_view_at_a_time_is_the_last_before_it() {
        let (header, packed) = packed(&[0, 10, 20]);
        let mut views = Views::default();
        assert_eq!(views.at(5), None);
        views.add(&packed).unwrap();
        let times = [0, 9, 10, 99].map(|time| views.time_ns(views.at(time).unwrap()));
        assert_eq!(times, [Some(0), Some(0), Some(10), Some(20)]);
        assert_eq!(views.newest_ns(), 20);
        assert_eq!(views.read(1, &header).unwrap().unwrap().time_ns, 10);
        assert!(views.read(3, &header).is_none());
    }

    #[test]
    fn too_many_views_are_thinned_and_the_newest_stays() {
        let mut views = Views::default();
        let (_, one) = packed(&[0]);
        let many = NUMBERS_MAX / (one.len() - 1) + 10;
        for time in 0..many as u64 {
            views.add(&packed(&[time]).1).unwrap();
        }
        assert!(views.len() <= many / 2 + 11, "{} of {many}, {}", views.len(), views.numbers);
        assert_eq!(views.newest_ns(), many as u64 - 1);
        assert!(views.numbers <= NUMBERS_MAX);
        let times: Vec<_> = (0..views.len()).map(|n| views.time_ns(n).unwrap()).collect();
        assert!(times.is_sorted());
    }

    #[test]
    fn a_torn_array_is_refused() {
        let (_, packed) = packed(&[0]);
        assert!(Views::default().add(&packed[..packed.len() - 1]).is_err());
    }
}
