//! What the page knows: what is being edited, what was run, how it is looked at.
//!
//! The three are apart on purpose: an edit does not change what is shown until its run answers, and
//! looking does not change a run. [`State::reduce`] is pure; whatever reaches outside (address bar,
//! worker, clipboard) is a hook that watches a part of the state.
//!
//! * [`draft`]: the scenario being edited, what cannot be taken of what was typed, pasted, opened.
//! * [`history`]: what of it can be undone.
//! * [`run`]: the request to the worker and everything that it answered.
//! * [`view`]: the time cursor, and how it moves.
//! * [`here`]: which place of the page is shown.
//! * [`lesson`]: where somebody is in a story.
//! * [`arms`]: what a comparison compares. * [`errand`], [`work`]: what comparisons and sweeps ask
//!   the workers for, and what these answered.
//! * [`select`]: what components show, derived from the three.

pub mod arms;
pub mod draft;
pub mod errand;
pub mod here;
pub mod history;
pub mod lesson;
mod pasted;
pub mod run;
pub mod select;
pub mod shows;
pub mod slider;
mod travel;
pub mod verdict;
pub mod view;
pub mod views;
mod window;
pub mod work;

use arms::{Arms, ArmsAction};
use chart::Kind;
use draft::{Draft, DraftAction};
use here::{Here, Place};
use run::{Message, Run, RunAction};
use scenario::{Shared, link};
use std::rc::Rc;
use view::{Spot, View, ViewAction};
use work::{Work, WorkAction};

/// All of it.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// What is being edited; the same allocation until it is edited.
    pub draft: Rc<Draft>,
    /// What was run.
    pub run: Run,
    /// How it is looked at.
    pub view: View,
    /// Which place of the page is shown.
    pub here: Here,
    /// How often the address bar was opened: what stands there is then written as the page would.
    pub opens: u32,
    /// What arm A, the draft, is compared with.
    pub arms: Rc<Arms>,
    /// What the workers beside the simulator were asked for.
    pub work: Work,
}

/// What can happen.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// To what is being edited.
    Draft(DraftAction),
    /// To the run.
    Run(RunAction),
    /// To how it is looked at.
    View(ViewAction),
    /// Another place is to be shown.
    Go(Here),
    /// These timelines are to be shown.
    Strips(Vec<Kind>),
    /// To the arms of a comparison.
    Arms(ArmsAction),
    /// To what the workers were asked for.
    Work(WorkAction),
    /// The address bar has a new fragment.
    Open(String),
}

impl State {
    /// The page as it opens at a fragment of the address.
    #[must_use]
    pub fn open(fragment: &str) -> Self {
        let draft = Rc::new(Draft::open(fragment));
        let run = Run::new(draft.scenario.clone());
        let mut state = Self {
            draft,
            run,
            view: View::default(),
            here: Here::default(),
            opens: 0,
            arms: Rc::default(),
            work: Work::default(),
        };
        state.look(fragment);
        state
    }

    /// Looks at what a link looks at.
    fn look(&mut self, fragment: &str) {
        let opened = link::decode(fragment).ok();
        let view = opened.as_ref().map(|opened| opened.view.clone()).unwrap_or_default();
        let arms = opened.map(|opened| opened.arms).unwrap_or_default();
        self.here = Here::read(view.show.as_deref());
        // A comparison opens where it is compared.
        if !arms.is_empty() && view.show.is_none() {
            self.here = Here::at(Place::Compare);
        }
        self.arms = Rc::new(Arms::of(&arms));
        self.view.strips = self.here.strips().into();
        self.here.note_strips(&self.view.strips);
        if let Some(ns) = view.time_ns {
            self.view.cursor = Some(Spot::Time(ns));
        }
    }

    /// What a link to this looks at: the place, and the time if one was chosen.
    #[must_use]
    pub fn link_view(&self) -> scenario::View {
        let cursor = self.view.cursor.filter(|_| self.view.play.is_none());
        let time_ns = cursor.map(Spot::time_ns).filter(|&ns| ns <= scenario::TIME_MAX_NS);
        let has_arms = !self.arms.0.is_empty();
        let show = match self.here.show() {
            // A comparison opens where it is compared unless a link says otherwise.
            None if has_arms => Some(Place::Explore.name().to_owned()),
            Some(name) if has_arms && name == Place::Compare.name() => None,
            show => show,
        };
        scenario::View { time_ns, show }
    }

    /// The link of what is shown, without `#`.
    #[must_use]
    pub fn link(&self) -> String {
        link::encode_shared(&Shared { view: self.link_view(), ..self.shared() })
    }

    /// What is shared: the draft, with its arms where there are some.
    #[must_use]
    pub fn shared(&self) -> Shared {
        self.arms.shared(&self.draft.scenario).0
    }

    /// The state after an action.
    #[must_use]
    pub fn reduce(&self, action: Action) -> Self {
        let mut next = self.clone();
        match action {
            Action::Draft(action) => Rc::make_mut(&mut next.draft).reduce(action),
            Action::Run(RunAction::Worker(messages)) => next.hear(messages),
            Action::Run(action) => {
                if matches!(action, RunAction::Ask(_)) {
                    next.view.leave();
                }
                next.run.reduce(action, &next.draft);
            }
            Action::View(action) => next.view.reduce(action, &next.run),
            Action::Go(here) => {
                next.here = here;
                next.here.note_strips(&next.view.strips);
            }
            Action::Strips(strips) => {
                next.view.strips = strips.into();
                next.here.note_strips(&next.view.strips);
            }
            Action::Arms(action) => Rc::make_mut(&mut next.arms).reduce(action),
            Action::Work(action) => next.work.reduce(action),
            Action::Open(fragment) => {
                next.opens += 1;
                next.look(&fragment);
                Rc::make_mut(&mut next.draft).reduce(DraftAction::Open(fragment));
            }
        }
        next
    }

    /// What the worker says: of the run, or of an instant that is looked at.
    fn hear(&mut self, messages: Vec<Message>) {
        let mut of_run = Vec::new();
        for message in messages {
            match message {
                Message::Seen(seen) => self.view.take(*seen),
                other => of_run.push(other),
            }
        }
        let shown = self.run.shown;
        self.run.reduce(RunAction::Worker(of_run), &self.draft);
        if self.run.shown != shown {
            self.view.follows_from = 0;
        }
        // Who follows the run stops with it where something happens; direct reclaim is heard of
        // only when it is over.
        if self.view.cursor.is_none() {
            self.view.stop(self.view.follows_from, self.run.newest_ns(), &self.run);
        }
    }
}

impl yew::Reducible for State {
    type Action = Action;

    fn reduce(self: Rc<Self>, action: Action) -> Rc<Self> {
        Rc::new(State::reduce(&self, action))
    }
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod view_tests;
