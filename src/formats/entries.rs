//! Entries of a text: blocks that begin with a heading and hold `KEY: value` fields.
//!
//! What a heading and a field look like is the caller's [`Grammar`], so a script says it, not we.
//! INVARIANT: a line belongs to at most one entry, and an entry is one piece of the text.

mod grammar;

pub use grammar::{BadPattern, Grammar};

use super::lines::{Span, list_marker, spans};
use grammar::{Matcher, Pattern};
use regex::RegexSet;

/// One entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry<'a> {
    /// 1-based line of the heading.
    pub line: usize,
    /// The heading's group `id`; empty if the entry began outside of any.
    pub id: &'a str,
    /// The heading's group `title`, if it has text.
    pub title: Option<&'a str>,
    /// All fields in order, repeated ones too.
    pub fields: Vec<Field>,
    /// The raw text from the heading to the next heading, or up to and with the end line.
    pub body: &'a str,
}

/// One `KEY: value` of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// In upper case, runs of blanks as one.
    pub key: String,
    /// Without blanks around it; continuation lines follow after `\n`.
    pub value: String,
    /// 1-based line.
    pub line: usize,
}

impl Entry<'_> {
    /// The value of the first field of this name (in upper case).
    pub fn get(&self, key: &str) -> Option<&str> {
        self.fields
            .iter()
            .find(|f| f.key == key)
            .map(|f| f.value.as_str())
    }

    /// All fields of this name, with or without a qualifier behind a blank:
    /// `ENTSCHEIDUNG` also gives `ENTSCHEIDUNG E02`.
    pub fn qualified<'e>(&'e self, key: &'e str) -> impl Iterator<Item = &'e Field> {
        let of_key = move |rest: &str| rest.is_empty() || rest.starts_with(' ');
        self.fields
            .iter()
            .filter(move |f| f.key.strip_prefix(key).is_some_and(of_key))
    }

    /// The heading's title, or else the value of the first of these fields that has one.
    pub fn title_or(&self, keys: &[&str]) -> Option<&str> {
        let field = || {
            keys.iter()
                .filter_map(|key| self.get(key))
                .find(|value| !value.is_empty())
        };
        self.title.or_else(field)
    }
}

/// The entries of the text in order. Lines above the first heading and behind an end are in none,
/// but for those that the grammar does not let go: they begin an entry without an id.
///
/// A value goes on over the following lines that are neither heading, field, end, list item nor
/// blank. A heading right below a heading with the same id does not begin an entry of its own.
pub fn entries<'a>(text: &'a str, grammar: &Grammar) -> Vec<Entry<'a>> {
    let mut reader = Reader {
        text,
        any_heading: &grammar.any_heading,
        headings: grammar.headings.iter().map(Matcher::new).collect(),
        field: Matcher::new(&grammar.field),
        end: grammar.end.as_ref(),
        outside: grammar.outside.as_ref().map(Matcher::new),
        entries: Vec::new(),
        current: None,
        in_value: false,
    };
    for span in spans(text) {
        reader.line(span);
    }
    reader.close(text.len());
    reader.entries
}

struct Reader<'a, 'g> {
    text: &'a str,
    any_heading: &'g RegexSet,
    headings: Vec<Matcher<'g>>,
    field: Matcher<'g>,
    end: Option<&'g Pattern>,
    outside: Option<Matcher<'g>>,
    entries: Vec<Entry<'a>>,
    /// The open entry and the byte offsets of its start and of the end of its heading line.
    current: Option<(Entry<'a>, usize, usize)>,
    in_value: bool,
}

impl<'a> Reader<'a, '_> {
    fn line(&mut self, span: Span<'a>) {
        let heading = self.heading(span.text);
        if let Some((id, title)) = heading.filter(|(id, _)| !self.repeats(id, span)) {
            self.open(span, id, title);
        } else if self.end.is_some_and(|end| end.is_match(span.text)) {
            self.close(span.end);
        } else if let Some(title) = self.outside(span.text) {
            self.open(span, "", title);
            self.field(span);
        } else if self.current.is_some() && !self.field(span) {
            self.go_on(span.text);
        }
    }

    fn open(&mut self, span: Span<'a>, id: &'a str, title: &'a str) {
        self.close(span.start);
        let entry = Entry {
            line: span.number,
            id,
            title: Some(title).filter(|title| !title.is_empty()),
            fields: Vec::with_capacity(8),
            body: "",
        };
        self.current = Some((entry, span.start, span.end));
    }

    /// What an entry would begin with, where none is open.
    fn outside(&mut self, line: &'a str) -> Option<&'a str> {
        let pattern = self.outside.as_mut().filter(|_| self.current.is_none())?;
        pattern.read(line).map(|(title, _)| title)
    }

    fn heading(&mut self, line: &'a str) -> Option<(&'a str, &'a str)> {
        if !self.any_heading.is_match(line) {
            return None;
        }
        self.headings
            .iter_mut()
            .find_map(|heading| heading.read(line))
    }

    fn repeats(&self, id: &str, span: Span<'_>) -> bool {
        self.current
            .as_ref()
            .is_some_and(|(e, _, end)| e.id == id && *end == span.start)
    }

    fn field(&mut self, span: Span<'_>) -> bool {
        let Some((entry, ..)) = self.current.as_mut() else {
            return false;
        };
        let Some((key, value)) = self.field.read(span.text) else {
            return false;
        };
        entry.fields.push(Field {
            key: canonical(key),
            value: value.to_owned(),
            line: span.number,
        });
        self.in_value = true;
        true
    }

    fn go_on(&mut self, line: &str) {
        let content = line.trim();
        self.in_value &= !content.is_empty() && list_marker(content).is_none();
        let entry = self.current.as_mut().filter(|_| self.in_value);
        if let Some(field) = entry.and_then(|(entry, ..)| entry.fields.last_mut()) {
            if !field.value.is_empty() {
                field.value.push('\n');
            }
            field.value.push_str(content);
        }
    }

    fn close(&mut self, end: usize) {
        if let Some((entry, start, _)) = self.current.take() {
            let body = self.text.get(start..end).unwrap_or_default();
            self.entries.push(Entry { body, ..entry });
        }
        self.in_value = false;
    }
}

fn canonical(key: &str) -> String {
    let is_plain = |b: u8| b == b' ' || b.is_ascii_punctuation() || b.is_ascii_uppercase();
    if key.bytes().all(is_plain) && !key.contains("  ") {
        return key.to_owned();
    }
    let words: Vec<String> = key.split_whitespace().map(str::to_uppercase).collect();
    words.join(" ")
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    const ID: &str = r"D-\d{8}-\d{2,4}(?:-[A-Za-z0-9]+)*";

    /// The grammar of the decision chain.
    pub fn chain() -> Grammar {
        let headings = [
            format!(r"#{{1,4}} +(?<id>{ID})(?:$|[\s|–—-]+(?<title>.*))"),
            format!(r"(?<id>{ID})(?:$|[\s|–—-]+(?<title>.*))"),
            format!(r"=+ *(?<id>{ID})(?: *\| *(?<title>.*?))? *=+$"),
            format!(r"ID: *(?<id>{ID})\s*$"),
        ];
        let headings = headings.each_ref().map(String::as_str);
        let field = r"(?<key>\p{L}[\p{L}\d _-]*):(?:$|\s+(?<value>.*))";
        Grammar::new(&headings, field, Some("-{3,}$")).unwrap()
    }

    const REAL: &str = "TO-DECIDE-USER\n\n## D-20261128-001 — Colour of the weekly report\nSTATUS: OFFEN\n\
        KONTEXT: The report template\n  has two palettes.\n\nnot a value any more\nOPTIONEN:\n- A — blue\n\
        - B — green\nEMPFEHLUNG: A\nENTSCHEIDUNG DES USERS: [HIER EINTRAGEN]\n---\nbetween\n\
        D-20261127-002 – May drop\nENTSCHEIDUNG DES USERS E01: A,\nlog the count\nentscheidung des  Users E02: B\n\
        === D-20261126-003-b | Framed ===\nStatus: x\nSTATUS: y\n\
        ID: D-20261125-004\nTITEL: From a field\nFRAGE:\n\
        ## D-20261124-005\nID: D-20261124-005\n- D-20261123-006 quoted\n  D-20261123-007 indented\n";

    #[test]
    fn the_decision_chain_in_all_its_spellings() {
        for text in [
            REAL.to_owned(),
            format!("\u{feff}{}", REAL.replace('\n', "\r\n")),
        ] {
            let found = entries(&text, &chain());
            let brief: Vec<_> = found.iter().map(|e| (e.line, e.id, e.title)).collect();
            let expected = [
                (3, "D-20261128-001", Some("Colour of the weekly report")),
                (16, "D-20261127-002", Some("May drop")),
                (20, "D-20261126-003-b", Some("Framed")),
                (23, "D-20261125-004", None),
                (26, "D-20261124-005", None),
            ];
            assert_eq!(brief, expected);
            let [first, second, third, fourth, fifth] = found.as_slice() else {
                panic!()
            };
            assert_eq!(
                first.get("KONTEXT"),
                Some("The report template\nhas two palettes.")
            );
            assert_eq!(first.get("OPTIONEN"), Some(""));
            assert_eq!(
                first.get("ENTSCHEIDUNG DES USERS"),
                Some("[HIER EINTRAGEN]")
            );
            assert!(first.body.starts_with("## D-20261128-001"));
            assert!(first.body.trim_end().ends_with("---"));
            let answers: Vec<_> = second.qualified("ENTSCHEIDUNG DES USERS").collect();
            assert_eq!(answers[0].value, "A,\nlog the count");
            assert_eq!(
                (answers[1].key.as_str(), answers[1].line),
                ("ENTSCHEIDUNG DES USERS E02", 19)
            );
            assert_eq!((third.get("STATUS"), third.fields.len()), (Some("x"), 2));
            assert_eq!(fourth.title_or(&["TITLE", "TITEL"]), Some("From a field"));
            assert_eq!(fifth.get("ID"), Some("D-20261124-005"));
            assert!(fifth.body.contains("D-20261123-007"));
        }
    }

    #[test]
    fn what_stands_in_no_entry_begins_one_only_if_the_grammar_says_so() {
        let text = "head\nA: lost\nmore\n## D-20261128-001\nA: x\n---\nprose\nA: lost too\nA: y\n";
        assert_eq!(entries(text, &chain()).len(), 1);
        let strict = chain().with_outside("(?<title>A:.*)").unwrap();
        let found = entries(text, &strict);
        let brief: Vec<_> = found.iter().map(|e| (e.line, e.id, e.title)).collect();
        let expected = [
            (2, "", Some("A: lost")),
            (4, "D-20261128-001", None),
            (8, "", Some("A: lost too")),
        ];
        assert_eq!(brief, expected);
        assert_eq!(found[0].get("A"), Some("lost\nmore"));
        assert_eq!(found[0].body, "A: lost\nmore\n");
        assert_eq!(found[2].fields.len(), 2);
        let error = chain().with_outside("A").unwrap_err();
        assert_eq!(error.which, "outside");
    }

    #[test]
    fn an_id_again_further_below_is_an_entry_of_its_own() {
        let text = "## D-20261128-001\nSTATUS: a\n## D-20261128-001\nSTATUS: b\n";
        assert_eq!(entries(text, &chain()).len(), 2);
    }
}
