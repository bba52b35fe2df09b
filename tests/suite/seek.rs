//! Any instant of a run, reached from checkpoints in any order, is that of a straight run.
//!
//! With `RECLAIMSCOPE_SOAK=1` it is 200 instants of each of 20 scenarios.

use crate::swarm::draw;
use engine::Stream;
use lab::track::{Place, Track};
use lab::{Progress, Run};

/// Scenarios, and instants of each.
fn counts() -> (u64, u64) {
    if std::env::var_os("RECLAIMSCOPE_SOAK").is_some() { (20, 200) } else { (5, 8) }
}

/// A straight run's digests after given numbers of events, in ascending order.
fn straight(run: &Run, at: &[u64]) -> Vec<String> {
    let mut run = run.clone();
    let mut digests = Vec::new();
    for &events in at {
        run.advance(events - run.events());
        assert_eq!(run.events(), events, "the run ended early");
        digests.push(run.digest());
    }
    digests
}

#[test]
fn an_instant_that_is_sought_is_that_of_a_straight_run() {
    let (scenarios, instants) = counts();
    for index in 0..scenarios {
        let scenario = draw(index);
        let begin = Run::prepare(&scenario).expect("a drawn scenario can be run");
        let mut run = begin.clone();
        let mut track = Track::new(&run);
        // No more than some seconds of computing each.
        for _ in 0..60 {
            if run.advance(10_000) != Progress::Running {
                break;
            }
            track.note(&run);
        }
        let most = run.events();
        let mut stream = Stream::new(7, "seek", index);
        let mut at: Vec<u64> = (0..instants).map(|_| 1 + stream.below(most)).collect();
        at.sort_unstable();
        let digests = straight(&begin, &at);
        let mut here = None;
        for turn in 0..at.len() {
            // Forth and back by turns, from what was found before.
            let n = if turn % 2 == 0 { turn } else { at.len() - turn };
            let found = track.seek(Place::Events(at[n]), &run, here.take());
            let link = scenario::link::encode(&scenario);
            assert_eq!(found.digest(), digests[n], "after {} events of {link}", at[n]);
            here = Some(found);
        }
    }
}
