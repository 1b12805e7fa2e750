//! Entries of a text: blocks that begin with a heading and hold `KEY: value` fields.
//!
//! What a heading and a field look like is the caller's [`Grammar`], so a script says it, not we.
//! INVARIANT: a line belongs to at most one entry, and an entry is one piece of the text.

use super::lines::{Span, list_marker, spans};
use regex::{Captures, Regex, RegexBuilder};

/// Bytes that one compiled pattern may take.
const PATTERN_SIZE: usize = 1 << 20;
/// Characters of one pattern.
const PATTERN_LENGTH: usize = 2_000;
/// Patterns for headings.
const HEADINGS: usize = 32;

/// What headings, fields and ends of entries look like. Built once, used for many texts.
#[derive(Clone, Debug)]
pub struct Grammar {
    headings: Vec<Regex>,
    field: Regex,
    end: Option<Regex>,
}

/// A pattern that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the {which} pattern `{pattern}` cannot be used: {why}")]
pub struct BadPattern {
    /// `heading 1` (counted from 1), `field` or `end`.
    pub which: String,
    /// The pattern as given, cut after 80 characters.
    pub pattern: String,
    /// What is wrong with it.
    pub why: String,
}

impl Grammar {
    /// Compiles the patterns; each is tried at the start of a line, without the line end.
    ///
    /// A heading needs the group `id` and may have `title`; a field needs `key` and `value`.
    ///
    /// # Errors
    /// Names the first pattern that is no regular expression, is too big or lacks a group.
    pub fn new(headings: &[&str], field: &str, end: Option<&str>) -> Result<Self, BadPattern> {
        if headings.is_empty() || headings.len() > HEADINGS {
            let why = format!(
                "one to {HEADINGS} heading patterns are needed, not {}",
                headings.len()
            );
            return Err(bad("heading", "", why));
        }
        let numbered = headings.iter().enumerate();
        let headings = numbered.map(|(i, p)| compile(&format!("heading {}", i + 1), p, &["id"]));
        Ok(Self {
            headings: headings.collect::<Result<_, _>>()?,
            field: compile("field", field, &["key", "value"])?,
            end: end.map(|p| compile("end", p, &[])).transpose()?,
        })
    }

    fn heading<'l>(&self, line: &'l str) -> Option<(&'l str, Option<&'l str>)> {
        let captures = self.headings.iter().find_map(|h| h.captures(line))?;
        let id = group(&captures, "id").filter(|id| !id.is_empty())?;
        Some((
            id,
            group(&captures, "title").filter(|title| !title.is_empty()),
        ))
    }
}

fn compile(which: &str, pattern: &str, groups: &[&str]) -> Result<Regex, BadPattern> {
    let build = |source: &str| {
        let built = RegexBuilder::new(source).size_limit(PATTERN_SIZE).build();
        built.map_err(|error| bad(which, pattern, reason(&error)))
    };
    if pattern.chars().count() > PATTERN_LENGTH {
        return Err(bad(
            which,
            pattern,
            format!("it has more than {PATTERN_LENGTH} characters"),
        ));
    }
    let alone = build(pattern)?;
    if let Some(missing) = groups
        .iter()
        .find(|g| alone.capture_names().all(|n| n != Some(g)))
    {
        return Err(bad(
            which,
            pattern,
            format!("it has no group `(?<{missing}>...)`"),
        ));
    }
    build(&format!("^(?:{pattern})"))
}

/// The last line of the engine's message: the sentence without its drawing of the pattern.
fn reason(error: &regex::Error) -> String {
    let text = error.to_string();
    let last = text.lines().last().unwrap_or_default().trim();
    last.strip_prefix("error: ")
        .unwrap_or(last)
        .trim_end_matches('.')
        .to_lowercase()
}

fn bad(which: &str, pattern: &str, why: String) -> BadPattern {
    let pattern = pattern.chars().take(80).collect();
    BadPattern {
        which: which.to_owned(),
        pattern,
        why,
    }
}

fn group<'l>(captures: &Captures<'l>, name: &str) -> Option<&'l str> {
    captures.name(name).map(|found| found.as_str().trim())
}

/// One entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry<'a> {
    /// 1-based line of the heading.
    pub line: usize,
    /// The heading's group `id`.
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

/// The entries of the text in order. Lines above the first heading and behind an end are in none.
///
/// A value goes on over the following lines that are neither heading, field, end, list item nor
/// blank. A heading right below a heading with the same id does not begin an entry of its own.
pub fn entries<'a>(text: &'a str, grammar: &Grammar) -> Vec<Entry<'a>> {
    let mut reader = Reader {
        text,
        grammar,
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
    grammar: &'g Grammar,
    entries: Vec<Entry<'a>>,
    /// The open entry and the byte offsets of its start and of the end of its heading line.
    current: Option<(Entry<'a>, usize, usize)>,
    in_value: bool,
}

impl<'a> Reader<'a, '_> {
    fn line(&mut self, span: Span<'a>) {
        if let Some((id, title)) = self.grammar.heading(span.text)
            && !self.repeats(id, span)
        {
            self.close(span.start);
            let entry = Entry {
                line: span.number,
                id,
                title,
                fields: Vec::new(),
                body: "",
            };
            self.current = Some((entry, span.start, span.end));
            self.in_value = false;
        } else if self
            .grammar
            .end
            .as_ref()
            .is_some_and(|end| end.is_match(span.text))
        {
            self.close(span.end);
        } else if self.current.is_some() && !self.field(span) {
            self.go_on(span.text);
        }
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
        let Some(captures) = self.grammar.field.captures(span.text) else {
            return false;
        };
        let Some(key) = group(&captures, "key").filter(|key| !key.is_empty()) else {
            return false;
        };
        let value = group(&captures, "value").unwrap_or_default().to_owned();
        entry.fields.push(Field {
            key: canonical(key),
            value,
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
    if key.bytes().all(|b| b.is_ascii_uppercase()) {
        return key.to_owned();
    }
    let words: Vec<String> = key.split_whitespace().map(str::to_uppercase).collect();
    words.join(" ")
}
