//! Props that are equal when they are the same allocation: comparing them costs nothing, however
//! much they hold.

use std::ops::Deref;
use std::rc::Rc;

/// A shared value, compared by where it lies.
#[derive(Debug)]
pub struct Same<T: ?Sized>(pub Rc<T>);

impl<T: ?Sized> Clone for Same<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T: ?Sized> PartialEq for Same<T> {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl<T: ?Sized> Deref for Same<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: ?Sized> From<&Rc<T>> for Same<T> {
    fn from(shared: &Rc<T>) -> Self {
        Self(shared.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_is_equal_and_a_twin_is_not() {
        let one = Rc::new(f64::NAN);
        assert_eq!(Same::from(&one), Same::from(&one));
        assert_ne!(Same::from(&Rc::new(1.0)), Same::from(&Rc::new(1.0)));
    }
}
