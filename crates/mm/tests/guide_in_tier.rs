//! The example of docs/guide/in-tier-policy.md, compiled as it stands there, and what it does.

use catalog::AllocatorId;
use reclaimscope_mm::swap::in_tier::{Policy, Reader, Turn};
use reclaimscope_mm::swap::{Age, Device, DeviceConfig, Request, Swap, SwapConfig};

#[path = "../../../docs/guide/first_to_mark.rs"]
mod first_to_mark;

#[test]
fn the_guide_shows_this_file() {
    let guide = include_str!("../../../docs/guide/in-tier-policy.md");
    let file = include_str!("../../../docs/guide/first_to_mark.rs");
    assert!(guide.contains(file.trim()), "docs/guide/in-tier-policy.md shows another file");
}

/// Three devices of four clusters, of which so many are full.
fn devices(used: [u32; 3]) -> Vec<Device> {
    let mut swap = Swap::new(SwapConfig::new(AllocatorId::Ring, 1)).expect("no tiers");
    for clusters in used {
        let d = swap.swapon(DeviceConfig::new(4 * 512)).expect("a device");
        let age = Age { clusters, holes: 0, spread: false };
        swap.age(d, age, &mut engine::Stream::new(1, "age", 0));
    }
    (0..3).map(|d| swap.device(d).expect("on").clone()).collect()
}

#[test]
fn the_example_is_a_policy_and_does_what_it_says() {
    assert_eq!(first_to_mark::POLICY.name, "first-to-mark");
    let next = |used: [u32; 3], visited: u16| {
        let (devices, request) = (devices(used), Request::page(0));
        let turn = Turn::new(&devices, &[0, 1, 2], &request, visited, 512);
        (first_to_mark::POLICY.next)(&mut Reader::default(), &turn)
    };
    assert_eq!(next([0, 0, 0], 0), Some(0));
    assert_eq!(next([3, 0, 0], 0), Some(0), "three quarters are below the mark");
    assert_eq!(next([4, 3, 0], 0), Some(1));
    assert_eq!(next([4, 4, 0], 0b100), None, "what was asked is not asked again");
}
