//! The arms of a comparison beside arm A, which is the scenario being edited: each as what it sets.

use scenario::{ARMS_MAX, Arm, NodeSpec, Problem, Scenario, Shared};
use std::rc::Rc;

/// An arm as what it sets beyond arm A.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Other {
    /// A short name, or nothing.
    pub name: String,
    /// Keys of controls or constants with their values as texts, as they were chosen.
    pub sets: Vec<(String, String)>,
    /// A machine of its own, node by node.
    nodes: Vec<NodeSpec>,
}

/// The arms from B on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arms(pub Vec<Other>);

/// What can happen to them; arms are counted from B, which is 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArmsAction {
    /// Another one, which sets this.
    Add(String, String),
    /// One goes.
    Remove(usize),
    /// One gets another short name.
    Name(usize, String),
    /// An arm's n-th setting, or one behind the last, is this.
    Set(usize, usize, String, String),
    /// An arm's n-th setting goes.
    Unset(usize, usize),
    /// They are those of a link.
    Take(Vec<Arm>),
}

impl Arms {
    /// Changes them.
    pub fn reduce(&mut self, action: ArmsAction) {
        match action {
            ArmsAction::Add(key, value) => {
                if self.0.len() + 1 < ARMS_MAX {
                    self.0.push(Other { sets: vec![(key, value)], ..Other::default() });
                }
            }
            ArmsAction::Remove(arm) => {
                if arm < self.0.len() {
                    self.0.remove(arm);
                }
            }
            ArmsAction::Name(arm, name) => {
                if let Some(other) = self.0.get_mut(arm) {
                    other.name = name;
                }
            }
            ArmsAction::Set(arm, place, key, value) => {
                if let Some(other) = self.0.get_mut(arm) {
                    match other.sets.get_mut(place) {
                        Some(set) => *set = (key, value),
                        None => other.sets.push((key, value)),
                    }
                }
            }
            ArmsAction::Unset(arm, place) => {
                if let Some(other) = self.0.get_mut(arm).filter(|o| place < o.sets.len()) {
                    other.sets.remove(place);
                }
            }
            ArmsAction::Take(arms) => *self = Self::of(&arms),
        }
    }

    /// The arms of a link, A first.
    #[must_use]
    pub fn of(arms: &[Arm]) -> Self {
        let Some((first, others)) = arms.split_first() else { return Self::default() };
        let other = |arm: &Arm| {
            let words = arm.words(&first.scenario);
            let sets = words.split(' ').filter_map(|set| set.split_once('='));
            let own = arm.has_own_nodes(&first.scenario);
            Other {
                name: arm.name.clone(),
                sets: sets.map(|(key, value)| (key.to_owned(), value.to_owned())).collect(),
                nodes: if own { arm.scenario.nodes.clone() } else { Vec::new() },
            }
        };
        Self(others.iter().map(other).collect())
    }

    /// The comparison with a scenario as arm A, and what cannot be taken of the arms; the scenario
    /// alone when there is no other arm.
    #[must_use]
    pub fn shared(&self, base: &Rc<Scenario>) -> (Shared, Vec<Problem>) {
        let mut problems = Vec::new();
        let mut arms = vec![Arm::new((**base).clone())];
        for (other, letter) in self.0.iter().zip("BCDE".chars()) {
            let mut arm = Arm::new((**base).clone());
            if !other.nodes.is_empty() {
                arm.scenario.nodes.clone_from(&other.nodes);
            }
            let mut tell = |p: Problem| {
                problems.push(Problem::new(format!("arm {letter}: {}", p.path), p.sentence));
            };
            if !other.name.is_empty() {
                match scenario::check_name(&other.name) {
                    Ok(()) => arm.name.clone_from(&other.name),
                    Err(why) => tell(Problem::new("name", why)),
                }
            }
            for (key, value) in &other.sets {
                if let Err(problem) = arm.scenario.set_text(key, value) {
                    tell(problem);
                }
            }
            arm.scenario.validate().into_iter().for_each(&mut tell);
            arms.push(arm);
        }
        if arms.len() == 1 {
            return (Shared::new((**base).clone()), problems);
        }
        match Shared::compared(arms) {
            Ok(shared) => (shared, problems),
            Err(problem) => {
                problems.push(problem);
                (Shared::new((**base).clone()), problems)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scenario::link;

    #[test]
    fn arms_of_a_link_come_back_and_follow_arm_a() {
        let base = Rc::new(Scenario::preset("tiny").expect("a preset"));
        let mut arms = Arms::default();
        arms.reduce(ArmsAction::Add("kswapds".into(), "8".into()));
        arms.reduce(ArmsAction::Set(0, 1, "policy".into(), "single".into()));
        arms.reduce(ArmsAction::Set(0, 2, "IsolatePerPage".into(), "40".into()));
        arms.reduce(ArmsAction::Name(0, "eight".into()));
        let (shared, problems) = arms.shared(&base);
        assert_eq!(problems, []);
        let opened = link::decode(&link::encode_shared(&shared)).expect("a link");
        let again = Arms::of(&opened.arms);
        assert_eq!(again.shared(&base).0, shared);
        let mut other = (*base).clone();
        other.set_text("readers", "3").expect("a value");
        let (shared, _) = again.shared(&Rc::new(other));
        assert_eq!(shared.arms[1].scenario.text(catalog::ControlId::Readers), "3");
        assert_eq!(
            shared.arms[1].words(&shared.scenario),
            "kswapds=8 policy=single IsolatePerPage=40"
        );
    }

    #[test]
    fn what_an_arm_cannot_be_is_told_with_its_letter() {
        let base = Rc::new(Scenario::preset("tiny").expect("a preset"));
        let mut arms = Arms::default();
        for _ in 0..9 {
            arms.reduce(ArmsAction::Add("kswapds".into(), "x".into()));
        }
        assert_eq!(arms.0.len(), 4);
        let (shared, problems) = arms.shared(&base);
        assert_eq!((shared.arms.len(), problems.len()), (5, 4));
        assert!(problems[3].path.starts_with("arm E: kswapds"), "{}", problems[3]);
        (0..9).for_each(|_| arms.reduce(ArmsAction::Remove(0)));
        assert_eq!(arms.shared(&base).0.arms.len(), 0);
    }
}
