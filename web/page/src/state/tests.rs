//! The reducer: what a person does, what the worker answers, in every order that can happen.

use super::draft::{DraftAction, Origin};
use super::run::{Message, Phase, RunAction, Wish};
use super::{Action, State, verdict};
use crate::samples;
use catalog::ControlId;
use report::wire;
use scenario::link;

pub(super) fn apply(state: State, actions: impl IntoIterator<Item = Action>) -> State {
    actions.into_iter().fold(state, |state, action| state.reduce(action))
}

fn draft(action: DraftAction) -> Action {
    Action::Draft(action)
}

pub(super) fn ask(wish: Wish) -> Action {
    Action::Run(RunAction::Ask(wish))
}

pub(super) fn says(message: Message) -> Action {
    Action::Run(RunAction::Worker(vec![message]))
}

pub(super) fn started(run: u32) -> Action {
    says(Message::Started(run, Box::new(samples::machine(2, 1, 1, 4).0)))
}

pub(super) fn progress(run: u32, time_ns: u64) -> Action {
    let (_, mut view) = samples::machine(2, 1, 1, 4);
    view.time_ns = time_ns;
    let mut views = Vec::new();
    wire::pack_view(&view, &mut views);
    let mut rows = Vec::new();
    wire::encode_row(time_ns, &[1.0, 2.0], &mut rows);
    says(Message::Progress { run, events: time_ns, views, rows, moments: Vec::new() })
}

pub(super) fn done(run: u32) -> Action {
    says(Message::Done(run, Box::new(verdict::sample())))
}

#[test]
fn a_run_streams_and_ends() {
    let state = State::open("");
    let state = apply(state, [ask(Wish::Run), started(1), progress(1, 10), progress(1, 20)]);
    assert_eq!(state.run.phase, Phase::Running);
    assert_eq!((state.run.views.len(), state.run.table.time_ns.len()), (2, 2));
    assert_eq!((state.run.newest_ns(), state.run.events), (20, 20));
    let state = apply(state, [done(1)]);
    assert_eq!(state.run.phase, Phase::Finished);
    assert!(!state.run.is_stale());
}

#[test]
fn while_it_runs_machine_and_timelines_take_turns_and_at_the_end_they_agree() {
    let state = apply(State::open(""), [ask(Wish::Run), started(1), progress(1, 0)]);
    let steps = [10, 20, 30].map(|time| progress(1, time));
    let mut state = state;
    for step in steps {
        let before = state.run.shows.clone();
        state = apply(state, [step]);
        let now = &state.run.shows;
        let nodes = now.nodes_ns.iter().zip(&before.nodes_ns).filter(|(now, was)| now != was);
        let moved = nodes.count() + usize::from(now.clock_ns != before.clock_ns);
        assert_eq!(moved, 1, "{before:?} {now:?}");
    }
    assert_eq!(state.run.shows.nodes_ns, [10, 10], "nodes show the same time, one after the other");
    let state = apply(state, [done(1)]);
    let shows = &state.run.shows;
    assert_eq!((&shows.nodes_ns[..], shows.clock_ns), (&[30, 30][..], 30));
    assert!(shows.tables.iter().all(|table| table.time_ns.len() == 4));
}

#[test]
fn samples_of_one_run_are_never_shown_under_the_head_of_another() {
    let state = apply(State::open(""), [ask(Wish::Run), started(1), progress(1, 10), done(1)]);
    let Action::Run(RunAction::Worker(mut together)) = started(2) else { panic!("no message") };
    // A quick run: its head comes in one batch with more than a first view.
    for time in [10, 20] {
        let Action::Run(RunAction::Worker(more)) = progress(2, time) else { panic!("no message") };
        together.extend(more);
    }
    let state = apply(state, [ask(Wish::Run), Action::Run(RunAction::Worker(together))]);
    let of_run = |table: &std::rc::Rc<_>| std::rc::Rc::ptr_eq(table, &state.run.table);
    assert!(state.run.shows.tables.iter().all(of_run));
}

#[test]
fn an_old_answer_never_overwrites_a_new_one() {
    let first = apply(State::open(""), [ask(Wish::Run), started(1), progress(1, 10)]);
    let second =
        apply(first, [draft(DraftAction::Set(ControlId::Kswapds, 4, true)), ask(Wish::Run)]);
    // Until the second run answers, the first stays to be seen, but nothing is added to it.
    assert_eq!((second.run.shown, second.run.views.len()), (1, 1));
    let late = [started(1), progress(1, 30), done(1), says(Message::Rejected(1, vec![]))];
    let same = apply(second.clone(), late.clone());
    assert_eq!(same, second);
    let third = apply(second, [started(2), progress(2, 5)]);
    assert_eq!((third.run.shown, third.run.newest_ns()), (2, 5));
    assert_eq!(apply(third.clone(), late), third);
}

#[test]
fn a_cancelled_run_stays_cancelled() {
    let state = apply(State::open(""), [ask(Wish::Run), started(1), progress(1, 10)]);
    let state = apply(state, [ask(Wish::Cancel)]);
    assert_eq!((&state.run.phase, state.run.wish), (&Phase::Cancelled, Wish::Cancel));
    let later = apply(state.clone(), [progress(1, 20), done(1)]);
    assert_eq!(later, state);
    // Nothing is left to cancel.
    assert_eq!(apply(state.clone(), [ask(Wish::Cancel)]), state);
}

#[test]
fn old_results_stay_and_are_told_to_be_old() {
    let state = apply(State::open(""), [ask(Wish::Run), started(1), done(1)]);
    let state =
        apply(state, [draft(DraftAction::Set(ControlId::Readers, 9, true)), ask(Wish::Run)]);
    assert!(state.run.is_stale());
    assert_eq!(state.run.outcome.as_ref().unwrap().run, 1);
}

#[test]
fn a_crash_keeps_what_is_there_and_says_when_it_was() {
    let state = apply(State::open(""), [says(Message::Ready("1".into())), ask(Wish::Run)]);
    let state = apply(state, [started(1), progress(1, 1_204_000_000)]);
    let state = apply(state, [says(Message::Crashed("out of memory".into()))]);
    let Phase::Failed(sentence) = &state.run.phase else { panic!("{:?}", state.run.phase) };
    assert_eq!(sentence, "The run stopped at 1.204 000 s: Out of memory. Your settings are kept.");
    assert_eq!((state.run.crashes, state.run.views.len()), (1, 1));
    // The next request is an ordinary one to the next worker, if there is one.
    let next = apply(state.clone(), [ask(Wish::Run), started(2), progress(2, 1)]);
    assert_eq!(next.run.phase, Phase::Running);
    let gone = apply(state, [says(Message::Crashed("no such file".into())), ask(Wish::Run)]);
    assert!(matches!(&gone.run.phase, Phase::Failed(text) if text.contains("no simulator")));
}

#[test]
fn a_worker_that_cannot_be_loaded_is_not_waited_for() {
    let dead = says(Message::Crashed("no such file".into()));
    let state = apply(State::open(""), [ask(Wish::First), dead, ask(Wish::Run)]);
    assert_eq!(state.run.crashes, 0);
    let Phase::Failed(sentence) = &state.run.phase else { panic!("{:?}", state.run.phase) };
    assert_eq!(sentence, "There is no simulator: No such file. Reload the page to try again.");
}

#[test]
fn a_torn_array_fails_the_run_and_nothing_else() {
    let (views, rows, moments) = (vec![9.0, 1.0], Vec::new(), Vec::new());
    let torn = Message::Progress { run: 1, events: 1, views, rows, moments };
    let state = apply(State::open(""), [ask(Wish::Run), started(1), says(torn)]);
    let Phase::Failed(sentence) = &state.run.phase else { panic!("{:?}", state.run.phase) };
    assert!(sentence.contains("is not the length of a view"), "{sentence}");
}

#[test]
fn a_run_that_takes_long_is_asked_for_again() {
    let state = apply(State::open(""), [ask(Wish::Run), says(Message::NeedsForce(1, 3_600))]);
    assert_eq!(state.run.phase, Phase::TooLong(3_600));
    let state = apply(state, [ask(Wish::RunLong), started(2)]);
    assert_eq!((&state.run.phase, state.run.wish), (&Phase::Running, Wish::RunLong));
}

#[test]
fn what_cannot_be_run_is_not_asked_for() {
    let state = apply(State::open(""), [ask(Wish::Run), started(1)]);
    let state = apply(state, [draft(DraftAction::Set(ControlId::Cpus, 0, true)), ask(Wish::Run)]);
    assert!(matches!(&state.run.phase, Phase::Rejected(problems) if problems[0].path == "cpus"));
    assert_eq!(state.run.wish, Wish::Cancel);
    assert_eq!(apply(state.clone(), [progress(1, 7)]), state);
}

#[test]
fn an_entry_that_cannot_be_taken_stays_beside_the_last_good_value() {
    let enter = |text: &str| draft(DraftAction::Enter(ControlId::Kswapds, text.into()));
    let state = apply(State::open(""), [enter("4"), enter("0")]);
    assert_eq!(state.draft.scenario.get(ControlId::Kswapds), 4);
    let refused = state.draft.refused_at(ControlId::Kswapds).unwrap();
    assert_eq!(refused.text, "0");
    assert!(refused.sentence.contains("1 to 32"), "{}", refused.sentence);
    assert_eq!(state.draft.edits, 1);
    let state = apply(state, [enter("8")]);
    assert!(state.draft.refused.is_empty());
    assert_eq!(state.draft.scenario.get(ControlId::Kswapds), 8);
}

#[test]
fn dragging_and_letting_go_are_told_apart() {
    let set = |chosen| draft(DraftAction::Set(ControlId::Readers, 90, chosen));
    let state = apply(State::open(""), [set(false)]);
    assert_eq!((state.draft.origin, state.draft.edits), (Origin::Dragged, 1));
    // Letting go of the same value is no new edit, but it is chosen now.
    let state = apply(state, [set(true)]);
    assert_eq!((state.draft.origin, state.draft.edits), (Origin::Chosen, 1));
}

#[test]
fn a_link_opens_to_its_scenario_and_a_damaged_one_says_what_is_wrong() {
    let state = apply(
        State::open(""),
        [
            draft(DraftAction::Set(ControlId::Kswapds, 4, true)),
            draft(DraftAction::Set(ControlId::Readers, 58, true)),
        ],
    );
    let fragment = link::encode(&state.draft.scenario);
    let opened = State::open(&fragment);
    assert_eq!(opened.draft.scenario, state.draft.scenario);
    assert_eq!((&opened.draft.opened, opened.draft.edits), (&None, 1));
    let damaged = State::open(&fragment.replace("k4", "k77"));
    let notice = damaged.draft.opened.as_ref().unwrap();
    assert!(notice.is_bad && notice.sentences.iter().any(|s| s.contains("`k77`")), "{notice:?}");
    assert_eq!(damaged.draft.scenario.get(ControlId::Readers), 58);
    let newer = State::open("v99.l18.x");
    let notice = newer.draft.opened.as_ref().unwrap();
    assert!(notice.sentences[0].contains("format 99"), "{notice:?}");
    assert!(newer.draft.can_run());
}

#[test]
fn a_link_in_the_address_bar_that_is_shown_already_is_no_edit() {
    let state = State::open("");
    let fragment = link::encode(&state.draft.scenario);
    let opened = apply(state.clone(), [Action::Open(fragment)]);
    assert_eq!((opened.draft, opened.run), (state.draft, state.run));
}

#[test]
fn a_pasted_machine_is_taken_zone_by_zone() {
    let zone = |name: &str, managed: u64| {
        format!(
            "Node 0, zone {name:>8}\n  pages free     100\n        boost    0\n        min      10\n        \
             low      12\n        high     15\n        spanned  {managed}\n        present  {managed}\n        \
             managed  {managed}\n        protection: (0, 0, 0, 0, 0)\n  pagesets\n    cpu: 0\n              \
             count: 1\n              high:  10\n              batch: 5\n"
        )
    };
    let text = format!(
        "{}{}vm.watermark_scale_factor = 200\nvm.swappiness = 60\n",
        zone("DMA32", 100_000),
        zone("Normal", 200_000)
    );
    let state = apply(State::open(""), [draft(DraftAction::Paste(text))]);
    let notice = state.draft.pasted.as_ref().unwrap();
    assert_eq!(state.draft.scenario.nodes.len(), 1, "{notice:?}");
    assert_eq!(state.draft.scenario.nodes[0].zones.len(), 2);
    assert_eq!(state.draft.scenario.get(ControlId::WatermarkScaleFactor), 200);
    assert!(notice.sentences[0].starts_with("Taken: 2 zones in 1 node"), "{notice:?}");
    assert!(notice.sentences.iter().any(|s| s.contains("watermark_scale_factor is 200")));
    // It goes through the address bar and back.
    let again = State::open(&link::encode(&state.draft.scenario));
    assert_eq!(again.draft.scenario, state.draft.scenario);
    let state = apply(state, [draft(DraftAction::ResetNodes)]);
    assert!(state.draft.scenario.nodes.is_empty());
}

#[test]
fn settings_alone_can_be_pasted_and_nonsense_changes_nothing() {
    let paste = |text: &str| draft(DraftAction::Paste(text.into()));
    let state = apply(State::open(""), [paste("vm.min_free_kbytes = 90112\n")]);
    assert_eq!(state.draft.scenario.get(ControlId::MinFreeKbytes), 90_112);
    let state = apply(State::open(""), [paste("hello world")]);
    assert_eq!(state.draft.edits, 0);
    assert!(state.draft.pasted.as_ref().unwrap().is_bad);
}

#[test]
fn a_changed_control_has_the_token_of_its_link() {
    let state = apply(
        State::open(""),
        [
            draft(DraftAction::Set(ControlId::Kswapds, 4, true)),
            draft(DraftAction::Set(ControlId::Memory, 1 << 32, true)),
        ],
    );
    assert_eq!(state.draft.token(ControlId::Kswapds), "k4");
    assert_eq!(state.draft.token(ControlId::Memory), "m4G");
    let state = apply(state, [draft(DraftAction::Reset(ControlId::Kswapds))]);
    assert_eq!(state.draft.scenario.changes(), [ControlId::Memory]);
}

#[test]
fn every_change_can_be_undone_and_done_again_and_a_drag_is_one() {
    let set = |value, chosen| draft(DraftAction::Set(ControlId::Kswapds, value, chosen));
    let state = apply(State::open(""), [draft(DraftAction::Preset("tiny".into()))]);
    let kswapds = |state: &State| state.draft.scenario.get(ControlId::Kswapds);
    let base = kswapds(&state);
    let dragged = apply(state, [set(2, false), set(3, false), set(4, true), set(9, true)]);
    let undone = apply(dragged, [draft(DraftAction::Undo)]);
    assert_eq!(kswapds(&undone), 4);
    assert_eq!(&*undone.draft.said, "Undone: kswapds a node is 4.");
    let undone = apply(undone, [draft(DraftAction::Undo)]);
    assert_eq!(kswapds(&undone), base, "the drag is one change");
    let again = apply(undone.clone(), [draft(DraftAction::Redo), draft(DraftAction::Redo)]);
    assert_eq!(kswapds(&again), 9);
    assert!(!again.draft.history.can_redo());
    let other = apply(undone, [set(7, true)]);
    assert!(!other.draft.history.can_redo(), "a new change ends what was undone");
    assert_eq!(kswapds(&apply(other, [draft(DraftAction::Undo)])), base);
}

#[test]
fn a_group_is_set_back_at_once() {
    let set = |id, value| draft(DraftAction::Set(id, value, true));
    let changes =
        [set(ControlId::Kswapds, 4), set(ControlId::LruPartitions, 8), set(ControlId::Seed, 9)];
    let state = apply(State::open(""), changes);
    let group = ControlId::Kswapds.control().group;
    let state = apply(state, [draft(DraftAction::ResetGroup(group))]);
    assert_eq!(state.draft.scenario.changes(), [ControlId::Seed]);
    let state = apply(state, [draft(DraftAction::Undo)]);
    assert_eq!(state.draft.scenario.changes().len(), 3);
}

#[test]
fn a_group_is_set_back_with_the_tables_of_its_preset() {
    let state = apply(State::open(""), [draft(DraftAction::Preset("tiers-none".into()))]);
    let before = state.draft.scenario.clone();
    let table = ControlId::SwapTable;
    assert!(before.rows(table).len() > 1);
    let changes = [DraftAction::RemoveRow(table, 0), DraftAction::AddRow(ControlId::SwapTiers)];
    let state = apply(state, changes.map(draft));
    assert!(state.draft.scenario != before);
    let undone = apply(state.clone(), [draft(DraftAction::Undo)]);
    assert!(
        undone.draft.said.contains(ControlId::SwapTiers.control().label),
        "{}",
        undone.draft.said
    );
    let state = apply(state, [draft(DraftAction::ResetGroup(table.control().group))]);
    assert_eq!(state.draft.scenario, before);
}

#[test]
fn a_fork_keeps_the_past_and_the_future_that_was_left() {
    let steps = [ask(Wish::Run), started(1), progress(1, 10), progress(1, 20), progress(1, 30)];
    let state = apply(apply(State::open(""), steps), [done(1)]);
    let fork = |from| Action::Run(RunAction::Fork(from));
    let state = apply(state, [fork(Some(20))]);
    assert_eq!((state.run.wish, &state.run.phase), (Wish::Fork(20), &Phase::Asked));
    let state = apply(state, [started(2), progress(2, 25)]);
    assert_eq!(state.run.table.time_ns, [10, 20, 25]);
    assert_eq!(state.run.left.as_ref().unwrap().after.time_ns, [20, 30]);
    // Another change leaves the same run at the same time.
    let set = draft(DraftAction::Set(ControlId::Swappiness, 1, true));
    let state = apply(state, [set, ask(Wish::Run), fork(Some(25)), started(3)]);
    assert_eq!(state.run.wish, Wish::Fork(20));
    assert_eq!(state.run.table.time_ns, [10, 20]);
    let state = apply(state, [fork(None)]);
    assert_eq!((state.run.wish, &state.run.left), (Wish::Run, &None));
}
