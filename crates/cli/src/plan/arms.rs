//! The arms of a comparison as they are typed: `A:kswapds=1`, `B=eight:kswapds=8,policy=all`.

use crate::Failure;
use scenario::{ARMS_MAX, Arm, LETTERS, Scenario, Shared, check_name, quoted};

/// The arms that were typed, each the scenario with its own settings; those of the link when none
/// was.
pub(super) fn with(shared: Shared, texts: &[String]) -> Result<Shared, Failure> {
    if texts.is_empty() {
        return Ok(shared);
    }
    if texts.len() > ARMS_MAX {
        let sentence = format!("--arm: {ARMS_MAX} arms at most, not {}", texts.len());
        return Err(Failure::refused(sentence));
    }
    if texts.len() < 2 {
        return Err(Failure::refused("--arm: a comparison has two arms or more"));
    }
    let mut typed = Vec::new();
    for text in texts {
        typed.push(read(text, &shared.scenario)?);
    }
    let all_letters = typed.iter().all(|(letter, _)| letter.is_some());
    if all_letters {
        typed.sort_by_key(|(letter, _)| *letter);
        if let Some((due, _)) = LETTERS.iter().zip(&typed).find(|(due, (l, _))| Some(**due) != *l) {
            return Err(Failure::refused(format!(
                "--arm: every arm from A on has to be given once; there is none or more than one {due}"
            )));
        }
    }
    let names: Vec<&str> = typed.iter().map(|(_, arm)| arm.name.as_str()).collect();
    for (i, name) in names.iter().enumerate().filter(|(_, name)| !name.is_empty()) {
        if names[..i].contains(name) {
            let sentence = format!("--arm {}: the name stands twice", quoted(name));
            return Err(Failure::refused(sentence));
        }
    }
    let mut arms: Vec<Arm> = Vec::new();
    for (i, (letter, mut arm)) in typed.into_iter().enumerate() {
        // A letter beside names is a name, unless it is that of the place.
        if let Some(letter) = letter.filter(|l| !all_letters && *l != LETTERS[i]) {
            if !arm.name.is_empty() {
                let sentence = format!("--arm {letter}: it is at the place of {}", LETTERS[i]);
                return Err(Failure::refused(sentence));
            }
            arm.name = letter.to_string();
        }
        arms.push(arm);
    }
    let view = shared.view;
    let compared = Shared::compared(arms).map_err(Failure::refused)?;
    Ok(Shared { view, ..compared })
}

/// One arm and the letter that it was given.
fn read(text: &str, base: &Scenario) -> Result<(Option<char>, Arm), Failure> {
    let (head, settings) = text.split_once(':').unwrap_or((text, ""));
    let (letter, name) = match head.split_once('=') {
        Some((letter, name)) => (letter_of(letter), name),
        None => (letter_of(head), if letter_of(head).is_some() { "" } else { head }),
    };
    let is_named = if head.contains('=') { letter.is_some() } else { true };
    if !is_named || (letter.is_none() || head.contains('=')) && check_name(name).is_err() {
        return Err(Failure::refused(format!(
            "--arm {}: an arm begins with its letter and a colon, such as B:kswapds=8, or with a \
             letter and a name of up to 16 letters and digits, such as B=eight:kswapds=8",
            quoted(text)
        )));
    }
    let mut scenario = base.clone();
    for setting in settings.split(',').filter(|s| !s.trim().is_empty()) {
        let Some((key, value)) = setting.split_once('=') else {
            let shown = quoted(setting);
            return Err(Failure::refused(format!("--arm {head}: {shown} is not KEY=VALUE")));
        };
        let key = key.trim();
        if key == "seed" {
            return Err(Failure::refused(format!(
                "--arm {head}: replication i has the same seed in every arm; --seed sets the first"
            )));
        }
        scenario
            .set_text(key, value)
            .map_err(|p| Failure::refused(format!("--arm {head}: {p}")))?;
    }
    Ok((letter, Arm { name: name.to_owned(), scenario }))
}

fn letter_of(text: &str) -> Option<char> {
    let mut chars = text.chars();
    let letter = chars.next().filter(|c| LETTERS.contains(c))?;
    chars.next().is_none().then_some(letter)
}
