//! A page of headings, sentences and tables, as aligned text or as Markdown.

/// A piece of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Block {
    /// The title.
    Title(String),
    /// A heading below it.
    Heading(String),
    /// A paragraph.
    Text(String),
    /// A table: its first row is the heading; `right` says which columns stand to the right.
    Table {
        /// The rows, all of one length.
        rows: Vec<Vec<String>>,
        /// One a column.
        right: Vec<bool>,
    },
}

/// The longest line of a paragraph, in characters.
const WIDTH: usize = 100;

/// As text for a terminal.
pub(super) fn plain(blocks: &[Block]) -> Vec<String> {
    let mut out = Vec::new();
    let mut after_table = false;
    for block in blocks {
        if after_table || matches!(block, Block::Heading(_)) {
            out.push(String::new());
        }
        after_table = matches!(block, Block::Table { .. });
        match block {
            Block::Title(text) | Block::Heading(text) => out.push(text.clone()),
            Block::Text(text) => out.extend(wrapped(text)),
            Block::Table { rows, right } => out.extend(aligned(rows, right)),
        }
    }
    out
}

/// As Markdown.
pub(super) fn markdown(blocks: &[Block]) -> Vec<String> {
    let mut out = Vec::new();
    for block in blocks {
        match block {
            Block::Title(text) => out.push(format!("# {text}")),
            Block::Heading(text) => out.push(format!("## {text}")),
            Block::Text(text) => out.push(text.clone()),
            Block::Table { rows, right } => {
                let line = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
                let escape = |cell: &String| cell.replace('|', "\\|");
                let mut rows = rows.iter().map(|row| line(row.iter().map(escape).collect()));
                out.extend(rows.next());
                let rule = |right: &bool| if *right { "---:" } else { "---" }.to_owned();
                out.push(line(right.iter().map(rule).collect()));
                out.extend(rows);
            }
        }
        out.push(String::new());
    }
    out.pop();
    out
}

fn aligned(rows: &[Vec<String>], right: &[bool]) -> Vec<String> {
    let cell_width =
        |c: usize| rows.iter().filter_map(|row| row.get(c)).map(|s| s.chars().count()).max();
    let widths: Vec<usize> = (0..right.len()).map(|c| cell_width(c).unwrap_or(0)).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).zip(right).map(|((cell, width), right)| {
            if *right { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

/// A paragraph in lines, broken between words.
fn wrapped(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.len() - 1;
        if !lines[last].is_empty() && lines[last].len() + 1 + word.len() > WIDTH {
            lines.push(word.to_owned());
            continue;
        }
        if !lines[last].is_empty() {
            lines[last].push(' ');
        }
        lines[last].push_str(word);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_stand_where_they_should() {
        let rows = vec![
            vec!["metric".into(), "model".into(), "role".into()],
            vec!["x".into(), "7".into(), "follows".into()],
        ];
        let table = Block::Table { rows, right: vec![false, true, false] };
        assert_eq!(
            plain(std::slice::from_ref(&table)),
            ["metric  model  role", "x           7  follows"]
        );
        let lines = markdown(&[Block::Heading("h".into()), table]);
        let wanted = [
            "## h",
            "",
            "| metric | model | role |",
            "| --- | ---: | --- |",
            "| x | 7 | follows |",
        ];
        assert_eq!(lines, wanted);
    }

    #[test]
    fn paragraphs_break_between_words() {
        let lines = wrapped(&"word ".repeat(50));
        assert_eq!(lines.len(), 3);
        assert!(lines.iter().all(|line| line.len() <= WIDTH && !line.ends_with(' ')));
        assert_eq!(wrapped(&"x".repeat(150)).len(), 1);
    }
}
