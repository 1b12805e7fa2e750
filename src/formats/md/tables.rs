//! The tables of a Markdown text (GFM 4.10), row by row, with what the renderer would hide.
//!
//! INVARIANT: GFM silently drops surplus cells and invents missing ones. A row whose raw line has
//! another number of cells than the header says so in [`Row::fits`].

use super::source::Source;
use pulldown_cmark::{Event, Tag, TagEnd};

/// One table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// 1-based line of the header.
    pub line: usize,
    /// The header cells as plain text.
    pub header: Vec<String>,
    /// The rows below the delimiter line.
    pub rows: Vec<Row>,
    /// The nearest heading above.
    pub section: Option<String>,
}

/// One row of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// 1-based line.
    pub line: usize,
    /// As many cells as the header has, as plain text; code literally, escaped pipes as pipes.
    pub cells: Vec<String>,
    /// Number of cells that the raw line has.
    pub width: usize,
    /// The raw line has as many cells as the header. If not, its cells may be shifted.
    pub fits: bool,
}

/// The tables of the text in document order.
pub fn tables(text: &str) -> Vec<Table> {
    let source = Source::new(text);
    let mut tables: Vec<Table> = Vec::new();
    let mut section: Option<String> = None;
    let mut cells = Vec::new();
    let (mut heading, mut in_cell) = (None, false);
    for (event, range) in source.events() {
        match &event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::End(TagEnd::Heading(_)) => section = heading.take().map(trimmed),
            Event::Start(Tag::Table(_)) => tables.push(Table {
                line: source.line(range.start),
                header: Vec::new(),
                rows: Vec::new(),
                section: section.clone(),
            }),
            Event::Start(Tag::TableCell) => {
                in_cell = true;
                cells.push(String::new());
            }
            Event::End(TagEnd::TableCell) => in_cell = false,
            Event::End(TagEnd::TableHead) => {
                if let Some(table) = tables.last_mut() {
                    table.header = take(&mut cells);
                }
            }
            Event::End(TagEnd::TableRow) => {
                if let Some(table) = tables.last_mut() {
                    let raw = source.rest_of_line(range.start);
                    let row = row(source.line(range.start), take(&mut cells), raw);
                    table.rows.push(Row {
                        fits: row.width == table.header.len(),
                        ..row
                    });
                }
            }
            _ => {
                let target = if in_cell {
                    cells.last_mut()
                } else {
                    heading.as_mut()
                };
                if let (Some(target), Some(text)) = (target, source.plain(&event, &range)) {
                    target.push_str(&text);
                }
            }
        }
    }
    tables
}

fn row(line: usize, cells: Vec<String>, raw: &str) -> Row {
    Row {
        line,
        cells,
        width: width(raw),
        fits: false,
    }
}

fn take(cells: &mut Vec<String>) -> Vec<String> {
    std::mem::take(cells).into_iter().map(trimmed).collect()
}

fn trimmed(text: String) -> String {
    text.trim().to_owned()
}

/// Number of cells of a raw row: a pipe splits unless a backslash stands before it, in code too;
/// the outer pipes are optional.
fn width(raw: &str) -> usize {
    let row = raw.trim_matches([' ', '\t']);
    let row = row.strip_prefix('|').unwrap_or(row);
    let (mut pipes, mut before, mut ends) = (0, b' ', false);
    for byte in row.bytes() {
        ends = byte == b'|' && before != b'\\';
        pipes += usize::from(ends);
        before = byte;
    }
    if ends || row.is_empty() {
        pipes
    } else {
        pipes + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn only(text: &str) -> Table {
        let mut tables = tables(text);
        assert_eq!(tables.len(), 1, "{text}");
        tables.remove(0)
    }

    #[test]
    fn a_ledger_is_read_with_code_and_escaped_pipes() {
        let text = "\u{feff}# Ziele\r\n\r\n| Gate | Status | Beleg |\r\n|---|:-:|---|\r\n\
                    | G1 | passed | cargo test \\| tail |\r\n\
                    | **G2** | active | `a \\| b` [x](u) |\r\n";
        let table = only(text);
        assert_eq!((table.line, table.section.as_deref()), (3, Some("Ziele")));
        assert_eq!(table.header, ["Gate", "Status", "Beleg"]);
        assert_eq!(table.rows[0].cells, ["G1", "passed", "cargo test | tail"]);
        assert_eq!(table.rows[1].cells, ["G2", "active", "a | b x"]);
        assert_eq!(
            table
                .rows
                .iter()
                .map(|r| (r.line, r.fits))
                .collect::<Vec<_>>(),
            [(5, true), (6, true)]
        );
    }

    #[test]
    fn a_row_of_another_width_is_told() {
        let text =
            "Gate | Beleg | Status\n--|--|--\nG2 | `a | b` | active\n| G3 | x |\nStand: active\n";
        let table = only(text);
        let widths: Vec<_> = table
            .rows
            .iter()
            .map(|r| (r.line, r.width, r.fits))
            .collect();
        assert_eq!(widths, [(3, 4, false), (4, 2, false), (5, 1, false)]);
        assert!(table.rows.iter().all(|r| r.cells.len() == 3));
    }

    #[test]
    fn raw_widths() {
        let table = [
            ("| a | b |", 2),
            ("a | b", 2),
            ("| a | b | |", 3),
            ("|||", 2),
            ("| a \\| b |", 1),
            ("a", 1),
            ("  | a |  ", 1),
        ];
        for (raw, expected) in table {
            assert_eq!(width(raw), expected, "{raw}");
        }
    }

    #[test]
    fn tables_in_code_and_broken_ones_are_none() {
        assert_eq!(tables("```\na | b\n--|--\nc | d\n```\n"), []);
        assert_eq!(tables("a | b\n--|--|--\nc | d\n"), []);
        let quoted = only("> a | b\n> --|--\n> c | d\n");
        assert!(quoted.rows[0].fits);
    }
}
