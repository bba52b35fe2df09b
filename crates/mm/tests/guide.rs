//! The example of docs/guide/wakeup-policy.md, compiled as it stands there.

use reclaimscope_mm::vmscan::wakeup::Policy;

/// What the file finds under this name inside of the package.
mod machine {
    pub(crate) use reclaimscope_mm::Machine;
}

#[path = "../../../docs/guide/every_other.rs"]
mod every_other;

#[test]
fn the_guide_shows_this_file() {
    let guide = include_str!("../../../docs/guide/wakeup-policy.md");
    let file = include_str!("../../../docs/guide/every_other.rs");
    assert!(guide.contains(file.trim()), "docs/guide/wakeup-policy.md shows another file");
}

#[test]
fn the_example_is_a_policy() {
    assert_eq!(every_other::POLICY.name, "every-other");
    let _: fn(&mut machine::Machine, usize) -> (u32, u64) = every_other::POLICY.target;
}
