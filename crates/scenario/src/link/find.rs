//! The link in a text: an address, a mail that was quoted and wrapped, a line of a terminal.
//!
//! Mail programs put `> ` before lines, break lines inside a link, encode line ends as `=`
//! (quoted-printable), make spaces non-breaking, and put dots and brackets behind what they quote;
//! other programs append `?utm_...`. None of that is in a link, so all of it can be taken away. A
//! link whose check fits is taken before one that does not.

use super::{LinkError, SIZE_MAX, TEXT_MAX, check};

/// Most places at which a link is looked for.
const CANDIDATES_MAX: usize = 100;
/// Most lines over which one link is put together.
const LINES_MAX: usize = 120;

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// The link, without `#`.
    pub(super) fragment: String,
    /// How many other intact links the text holds.
    pub(super) others: usize,
}

/// The link of a text.
pub(super) fn find(text: &str) -> Result<Found, LinkError> {
    if text.len() > TEXT_MAX {
        return Err(LinkError::TooLong(text.len()));
    }
    let lines = lines(text);
    let mut candidates = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let starts = starts(&line.text).take(CANDIDATES_MAX - candidates.len());
        candidates.extend(starts.map(|at| (number, at)));
    }
    let mut intact: Vec<String> = Vec::new();
    for &(number, at) in &candidates {
        let link = joined(&lines, number, at).into_iter().find_map(|run| {
            let end = check::intact_end(&run)?;
            Some(run[..end].to_owned())
        });
        if let Some(link) = link.filter(|link| !intact.contains(link)) {
            intact.push(link);
        }
    }
    if intact.is_empty() {
        // Even the version may be broken over two lines.
        let all: String = lines.iter().take(LINES_MAX).map(|line| line.text.trim()).collect();
        let places = starts(&all).take(CANDIDATES_MAX);
        let found = places.filter_map(|at| check::intact_end(run(&all[at..])).map(|n| (at, n)));
        intact.extend(found.map(|(at, n)| all[at..at + n].to_owned()).take(1));
    }
    let others = intact.len().saturating_sub(1);
    match intact.into_iter().next() {
        Some(fragment) => sized(Found { fragment, others }),
        None => sized(Found { fragment: damaged(text, &lines, &candidates)?, others: 0 }),
    }
}

fn sized(found: Found) -> Result<Found, LinkError> {
    let bytes = found.fragment.len();
    if bytes > SIZE_MAX { Err(LinkError::TooLong(bytes)) } else { Ok(found) }
}

/// What is left of a link whose check fits nowhere: behind the last `#` where there is one.
fn damaged(text: &str, lines: &[Line], candidates: &[(usize, usize)]) -> Result<String, LinkError> {
    let edge = |c: char| !c.is_ascii_alphanumeric();
    let behind = |&&(number, at): &&(usize, usize)| lines[number].text[..at].ends_with('#');
    let chosen = candidates.iter().rfind(behind).or(candidates.first());
    if let Some(&(number, at)) = chosen {
        let mut runs = joined(lines, number, at);
        // The line was broken inside the link when nothing else stands in the next one.
        let next = lines.get(number + 1).map(|line| line.text.trim());
        let whole = next.is_some_and(|next| {
            !next.is_empty() && run(next) == next && (next.contains('.') || check::has_shape(next))
        });
        let run = if whole || lines[number].goes_on { runs.pop() } else { Some(runs.remove(0)) };
        return Ok(run.unwrap_or_default().trim_end_matches(edge).to_owned());
    }
    let after = text.rsplit('#').next().unwrap_or(text);
    let words = after.split_whitespace().map(|word| word.trim_matches(edge));
    let word = words.into_iter().find(|word| !word.is_empty()).ok_or(LinkError::Empty)?;
    Err(LinkError::NotALink(word.chars().take(40).collect()))
}

/// One line without what stands before it in a quote.
#[derive(Debug)]
struct Line {
    text: String,
    /// Quoted-printable says that it goes on in the next one.
    goes_on: bool,
}

/// The lines of a text, unquoted and decoded as far as links need it.
fn lines(text: &str) -> Vec<Line> {
    text.lines()
        .map(|line| {
            let line = decoded(line);
            let line = line.trim_end().trim_start_matches(['>', '|', ' ', '\t']);
            let goes_on = line.ends_with('=');
            Line { text: line.strip_suffix('=').unwrap_or(line).to_owned(), goes_on }
        })
        .collect()
}

/// A line with spaces that are spaces, without invisible characters, and with the bytes that
/// quoted-printable and addresses write in hexadecimal.
fn decoded(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        let hex = rest.get(1..3).filter(|_| c == '=' || c == '%');
        let byte = hex.and_then(|hex| u8::from_str_radix(hex, 16).ok());
        if let Some(byte) = byte {
            // Bytes of other characters: a non-breaking space is two of them.
            out.push(if (0x21..0x7f).contains(&byte) { char::from(byte) } else { ' ' });
            rest = &rest[3..];
            continue;
        }
        match c {
            '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' | '\u{ad}' => {}
            c if c.is_whitespace() => out.push(' '),
            c => out.push(c),
        }
        rest = &rest[c.len_utf8()..];
    }
    out
}

/// Where `v1.` or another version stands at the beginning of a word.
fn starts(line: &str) -> impl Iterator<Item = usize> + '_ {
    let bytes = line.as_bytes();
    (0..bytes.len()).filter(move |&at| {
        let digits = bytes[at + 1..].iter().take(10).take_while(|b| b.is_ascii_digit()).count();
        bytes[at] == b'v'
            && (1..10).contains(&digits)
            && bytes.get(at + 1 + digits) == Some(&b'.')
            && (at == 0 || !in_link(bytes[at - 1]))
            && (at == 0 || !matches!(bytes[at - 1], b'/' | b'\\'))
    })
}

/// Whether a byte can stand in a link.
fn in_link(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-')
}

/// The beginning of a text that can be a link.
fn run(text: &str) -> &str {
    let end = text.bytes().position(|b| !in_link(b)).unwrap_or(text.len());
    &text[..end]
}

/// What a link that begins here may be: to the end of its word, then with each line that follows
/// while the word goes to the end of its line.
fn joined(lines: &[Line], number: usize, at: usize) -> Vec<String> {
    let mut whole = run(&lines[number].text[at..]).to_owned();
    let mut open = at + whole.len() == lines[number].text.len();
    let mut runs = vec![whole.clone()];
    for line in lines.iter().skip(number + 1).take(LINES_MAX) {
        let next = run(&line.text);
        if !open || next.is_empty() || whole.len() + next.len() > SIZE_MAX {
            break;
        }
        whole.push_str(next);
        open = next.len() == line.text.len();
        runs.push(whole.clone());
    }
    runs
}
