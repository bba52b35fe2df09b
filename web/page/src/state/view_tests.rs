//! The time machine: steps, playing, stops, jumps, the part of a run that is shown.

use super::here::{Here, Place};
use super::run::{Message, Wish};
use super::tests::{apply, ask, done, progress, says, started};
use super::view::{Seen, Spot, Step, ViewAction};
use super::{Action, State};
use report::moment::{Happened, Moment};
use report::wire;
use scenario::link;

fn look(action: ViewAction) -> Action {
    Action::View(action)
}

/// A finished run of 30 ms in which a worker wakes at 7 and 20 ms.
fn finished() -> State {
    let ms = 1_000_000;
    let woke = |time_ns| Happened { time_ns, moment: Moment::Wake, node: 0 };
    let mut moments = Vec::new();
    wire::encode_moments(&[woke(7 * ms), woke(20 * ms)], &mut moments);
    let happened =
        Message::Progress { run: 1, events: 30, views: Vec::new(), rows: Vec::new(), moments };
    let steps = [ask(Wish::Run), started(1), progress(1, 0), progress(1, 30 * ms)];
    apply(apply(State::open(""), steps), [says(happened), done(1)])
}

fn seen(spot: Spot, events: u64, time_ns: u64) -> Action {
    let view = vec![time_ns as f64].into();
    says(Message::Seen(Box::new(Seen {
        run: 1,
        spot,
        time_ns,
        events,
        digest: "d".into(),
        view,
        why: None,
    })))
}

#[test]
fn steps_by_event_wait_until_the_event_is_known() {
    let state = apply(finished(), [look(ViewAction::StepBy(Step::Event))]);
    let state = apply(state, [look(ViewAction::Cursor(Some(9))), look(ViewAction::Step(true))]);
    assert_eq!(state.view.wanted(&state.run), Some(Spot::Time(9)), "first where it stands");
    let state = apply(state, [seen(Spot::Time(9), 12, 9)]);
    assert_eq!(state.view.wanted(&state.run), Some(Spot::Events(13, 9)));
    let state = apply(state, [seen(Spot::Events(13, 9), 13, 11)]);
    assert_eq!(state.view.wanted(&state.run), Some(Spot::Events(13, 11)));
    assert_eq!(state.view.exact(&state.run).map(|seen| seen.events), Some(13));
    let state = apply(state, [look(ViewAction::Step(false))]);
    assert_eq!(state.view.wanted(&state.run), Some(Spot::Events(12, 11)));
}

#[test]
fn playing_moves_by_the_speed_and_stops_where_it_shall() {
    let start = [ViewAction::Cursor(Some(0)), ViewAction::Play(true), ViewAction::Speed(4)];
    let state = apply(finished(), start.map(look));
    let ticks =
        |state, times: &[f64]| apply(state, times.iter().map(|&ms| look(ViewAction::Tick(ms))));
    // 10 ms of simulated time a second.
    let state = ticks(state, &[100.0, 200.0]);
    assert_eq!(state.view.time(u64::MAX, 0), 1_000_000);
    // A page that was hidden for a minute goes on where it was.
    let state = ticks(state, &[60_200.0]);
    assert_eq!(state.view.time(u64::MAX, 0), 4_000_000);
    let stops = [ViewAction::LookFor(Moment::Wake), ViewAction::StopThere(true)];
    let state = ticks(apply(state, stops.map(look)), &[60_500.0, 60_800.0]);
    assert_eq!(state.view.cursor, Some(Spot::Time(7_000_000)));
    assert!(state.view.play.is_none() && state.view.said.starts_with("Stopped at"));
    // Played again it goes past that, to the next, and at last to the end.
    let state = apply(state, [ViewAction::Play(true), ViewAction::Speed(6)].map(look));
    let state = ticks(state, &[1.0, 300.0]);
    assert_eq!(state.view.cursor, Some(Spot::Time(20_000_000)));
    let state = ticks(apply(state, [look(ViewAction::Play(true))]), &[1.0, 300.0, 301.0]);
    assert_eq!(state.view.cursor, Some(Spot::Time(30_000_000)));
    assert!(state.view.play.is_none());
}

#[test]
fn jumps_find_what_is_looked_for_and_say_when_there_is_none() {
    let at = |state: &State| state.view.cursor.map(Spot::time_ns);
    let begin = [ViewAction::Cursor(Some(0)), ViewAction::LookFor(Moment::Wake)];
    let state = apply(finished(), begin.map(look));
    let state = apply(state, [look(ViewAction::Jump(true)), look(ViewAction::Jump(true))]);
    assert_eq!(at(&state), Some(20_000_000));
    let state = apply(state, [look(ViewAction::Jump(false))]);
    assert_eq!(at(&state), Some(7_000_000));
    let state =
        apply(state, [look(ViewAction::LookFor(Moment::Min)), look(ViewAction::Jump(true))]);
    assert_eq!((at(&state), &*state.view.said), (Some(7_000_000), "No min reached after this."));
}

#[test]
fn timelines_show_a_part_that_stays_in_the_run_and_follows_what_is_played() {
    let end = finished().run.header.as_ref().map_or(0, |header| header.end_ns);
    let span = |state: &State| state.view.span(&state.run);
    let state = apply(finished(), [look(ViewAction::Cursor(Some(30_000_000)))]);
    let state = apply(state, [look(ViewAction::Zoom(true))]);
    assert_eq!(span(&state), (15_000_000, 15_000_000 + end / 2), "the cursor stays at its place");
    let state = apply(
        state,
        [ViewAction::Pan(true), ViewAction::Pan(true), ViewAction::Pan(true)].map(look),
    );
    assert_eq!(span(&state), (end / 2, end), "not beyond the end");
    let state = apply(state, [look(ViewAction::Zoom(false))]);
    assert_eq!((span(&state), state.view.window), ((0, end), None));
    let state = apply(state, [look(ViewAction::Window(Some((1_000_000, 1_000_001))))]);
    assert_eq!(span(&state), (1_000_000, 1_000_000 + end / 60), "some samples are left");
    let start = [ViewAction::Cursor(Some(0)), ViewAction::Window(Some((0, end / 60)))];
    let play = [
        ViewAction::Play(true),
        ViewAction::Speed(6),
        ViewAction::Tick(1.0),
        ViewAction::Tick(290.0),
    ];
    let state = apply(apply(state, start.map(look)), play.map(look));
    assert_eq!(state.view.cursor, Some(Spot::Time(30_000_000)));
    assert!(span(&state).0 <= 30_000_000 && span(&state).1 >= 30_000_000);
}

#[test]
fn a_link_holds_the_place_and_the_time_that_are_shown() {
    let state = State::open("");
    let plain = link::encode(&state.draft.scenario);
    assert_eq!(state.link(), plain);
    let learn = Here::at(Place::Learn);
    let state = apply(state, [Action::Go(learn.clone()), look(ViewAction::Cursor(Some(2_000)))]);
    let opened = State::open(&state.link());
    assert_eq!(opened.here, learn);
    assert_eq!(opened.view.cursor, Some(Spot::Time(2_000)));
    assert_eq!(opened.draft.scenario, state.draft.scenario);
    // The way back in the browser changes the place, and runs nothing.
    let back = apply(state.clone(), [Action::Open(plain)]);
    assert_eq!(back.here, Here::default());
    assert_eq!(back.draft.edits, state.draft.edits);
}
