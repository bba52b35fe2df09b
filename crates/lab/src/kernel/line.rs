//! One rule of an experiment: what the kernel did, what the model did, and whether they agree.

/// A figure beside another.
#[derive(Clone, Debug, PartialEq)]
pub enum Figure {
    /// There is none.
    None,
    /// A number.
    Number(f64),
    /// A number that runs of the model spread over: mean, least, most.
    Range(f64, f64, f64),
    /// Something else, in words.
    Words(String),
}

impl Figure {
    /// Words.
    pub(super) fn words(words: impl Into<String>) -> Self {
        Self::Words(words.into())
    }

    /// A whole number.
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    pub(super) fn count(n: u64) -> Self {
        Self::Number(n as f64)
    }
}

/// What a comparison says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// They agree within the tolerance.
    Ok,
    /// They do not.
    Miss,
    /// The model lacks what the rule needs, for this reason.
    NotModelled(String),
    /// Nothing is demanded, for this reason.
    NotJudged(String),
}

impl Verdict {
    /// Whether they agree.
    pub(super) fn of(agrees: bool) -> Self {
        if agrees { Self::Ok } else { Self::Miss }
    }
}

/// A rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Its number in the list of rules (see [`super::RULES`]).
    pub rule: u32,
    /// What is compared.
    pub fact: String,
    /// What the kernel did.
    pub kernel: Figure,
    /// What the model did.
    pub model: Figure,
    /// How far they may lie apart.
    pub tolerance: String,
    /// Whether they agree.
    pub verdict: Verdict,
}

impl Line {
    /// A rule that the model cannot show.
    pub(super) fn not_modelled(rule: u32, fact: &str, reason: &str) -> Self {
        Self::without(rule, fact, Verdict::NotModelled(reason.to_owned()))
    }

    /// A rule of which nothing is demanded here.
    pub(super) fn not_judged(rule: u32, fact: &str, reason: &str) -> Self {
        Self::without(rule, fact, Verdict::NotJudged(reason.to_owned()))
    }

    fn without(rule: u32, fact: &str, verdict: Verdict) -> Self {
        Self {
            rule,
            fact: fact.to_owned(),
            kernel: Figure::None,
            model: Figure::None,
            tolerance: String::new(),
            verdict,
        }
    }
}
