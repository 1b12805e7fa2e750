//! Entries of a text: blocks that begin with a heading and hold `KEY: value` fields.
//!
//! What a heading and a field look like is the caller's [`Grammar`], so a script says it, not we.
//! INVARIANT: a line belongs to at most one entry, and an entry is one piece of the text.

use super::lines::{Span, list_marker, spans};
use regex::{CaptureLocations, Regex, RegexBuilder, RegexSet, RegexSetBuilder};

/// Bytes that one compiled pattern may take.
const PATTERN_SIZE: usize = 1 << 20;
/// Characters of one pattern.
const PATTERN_LENGTH: usize = 2_000;
/// Patterns for headings.
const HEADINGS: usize = 32;

/// What headings, fields and ends of entries look like. Built once, used for many texts.
#[derive(Clone, Debug)]
pub struct Grammar {
    headings: Vec<Pattern>,
    /// All heading patterns at once: most lines are none, and this tells so in one look.
    any_heading: RegexSet,
    field: Pattern,
    end: Option<Pattern>,
}

/// A compiled pattern with the places of the two groups that are read from it.
#[derive(Clone, Debug)]
struct Pattern {
    regex: Regex,
    first: usize,
    second: usize,
    /// The second group goes on to the end of the line.
    open_ended: bool,
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
    /// Patterns that end in `(?<title>.*)` and `(?<value>.*)` are read fastest.
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
        let headings = numbered.map(|(i, p)| compile(&format!("heading {}", i + 1), p, HEADING));
        let headings = headings.collect::<Result<Vec<_>, _>>()?;
        let set = RegexSetBuilder::new(headings.iter().map(|h| h.regex.as_str()))
            .size_limit(PATTERN_SIZE * HEADINGS)
            .build();
        Ok(Self {
            any_heading: set.map_err(|error| bad("heading", "", reason(&error)))?,
            headings,
            field: compile("field", field, FIELD)?,
            end: end.map(|p| compile("end", p, END)).transpose()?,
        })
    }
}

/// The names of the two groups that a pattern is read by, and how many of them it must have.
type Groups = ([&'static str; 2], usize);

const HEADING: Groups = (["id", "title"], 1);
const FIELD: Groups = (["key", "value"], 2);
const END: Groups = ([""; 2], 0);

fn compile(which: &str, pattern: &str, (names, required): Groups) -> Result<Pattern, BadPattern> {
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
    let [_, name] = names;
    let is_group = alone.capture_names().any(|n| n == Some(name));
    let opened = open_ended(pattern, name).filter(|_| is_group);
    let regex = build(&format!("^(?:{})", opened.as_deref().unwrap_or(pattern)))?;
    let place = |name: &str| regex.capture_names().position(|n| n == Some(name));
    if let Some(missing) = names
        .iter()
        .take(required)
        .find(|name| place(name).is_none())
    {
        return Err(bad(
            which,
            pattern,
            format!("it has no group `(?<{missing}>...)`"),
        ));
    }
    let [first, second] = names.map(|name| place(name).unwrap_or(usize::MAX));
    Ok(Pattern {
        regex,
        first,
        second,
        open_ended: opened.is_some(),
    })
}

/// The pattern with `(?<name>)` for a closing `(?<name>.*)`, which can only match all the rest.
///
/// Nearly every grammar ends so, and looking for the groups costs ten times more per character
/// than taking the rest of the line. Patterns with flags, which may change the dot, stay.
fn open_ended(pattern: &str, name: &str) -> Option<String> {
    let plain = |after: &str| {
        [":", "<", "P<"]
            .iter()
            .any(|start| after.starts_with(start))
    };
    let flagged = pattern.split("(?").skip(1).any(|after| !plain(after));
    let (head, tail) = pattern.rsplit_once(&format!("<{name}>.*)"))?;
    let last = tail.bytes().all(|b| b == b')') && !head.contains(&format!("<{name}>"));
    (last && !flagged).then(|| format!("{head}<{name}>){tail}"))
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
        any_heading: &grammar.any_heading,
        headings: grammar.headings.iter().map(Matcher::new).collect(),
        field: Matcher::new(&grammar.field),
        end: grammar.end.as_ref(),
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

/// A pattern with the memory that its matches are written to.
struct Matcher<'g> {
    pattern: &'g Pattern,
    places: CaptureLocations,
}

impl<'g> Matcher<'g> {
    fn new(pattern: &'g Pattern) -> Self {
        Self {
            pattern,
            places: pattern.regex.capture_locations(),
        }
    }

    /// The first group (if it has text) and the second, trimmed.
    fn read<'l>(&mut self, line: &'l str) -> Option<(&'l str, &'l str)> {
        self.pattern.regex.captures_read(&mut self.places, line)?;
        let (from, to) = self.places.get(self.pattern.first)?;
        let first = line
            .get(from..to)
            .map(str::trim)
            .filter(|text| !text.is_empty())?;
        let second = self.places.get(self.pattern.second).and_then(|(from, to)| {
            line.get(
                from..if self.pattern.open_ended {
                    line.len()
                } else {
                    to
                },
            )
        });
        Some((first, second.unwrap_or_default().trim()))
    }
}

struct Reader<'a, 'g> {
    text: &'a str,
    any_heading: &'g RegexSet,
    headings: Vec<Matcher<'g>>,
    field: Matcher<'g>,
    end: Option<&'g Pattern>,
    entries: Vec<Entry<'a>>,
    /// The open entry and the byte offsets of its start and of the end of its heading line.
    current: Option<(Entry<'a>, usize, usize)>,
    in_value: bool,
}

impl<'a> Reader<'a, '_> {
    fn line(&mut self, span: Span<'a>) {
        let heading = self.heading(span.text);
        if let Some((id, title)) = heading.filter(|(id, _)| !self.repeats(id, span)) {
            let title = Some(title).filter(|title| !title.is_empty());
            self.close(span.start);
            let entry = Entry {
                line: span.number,
                id,
                title,
                fields: Vec::with_capacity(8),
                body: "",
            };
            self.current = Some((entry, span.start, span.end));
            self.in_value = false;
        } else if self.end.is_some_and(|end| end.regex.is_match(span.text)) {
            self.close(span.end);
        } else if self.current.is_some() && !self.field(span) {
            self.go_on(span.text);
        }
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
    fn the_rest_of_the_line_is_taken_only_where_the_pattern_says_so() {
        let table = [
            ("k(?<v>.*)", Some("k(?<v>)")),
            ("k(?:$| (?P<v>.*))", Some("k(?:$| (?P<v>))")),
            ("k(?<v>.*?)", None),
            ("k(?<v>.*)$", None),
            ("(?:k(?<v>.*))?", None),
            ("(?U)k(?<v>.*)", None),
            ("k(?<v>.+)", None),
            ("k(?<w>.*)", None),
        ];
        for (pattern, expected) in table {
            assert_eq!(open_ended(pattern, "v").as_deref(), expected, "{pattern}");
        }
        let text = "# 1\nK: a b \n";
        for field in [
            "(?<key>K):(?<value>.*)",
            "(?<key>K):(?<value>.*?)$",
            "(?<key>K): (?<value>.*) $",
        ] {
            let grammar = Grammar::new(&["# (?<id>1)"], field, None).unwrap();
            assert_eq!(entries(text, &grammar)[0].get("K"), Some("a b"), "{field}");
        }
        let lazy = Grammar::new(&["# (?<id>1)"], "(?<key>K): (?<value>.*?)", None).unwrap();
        assert_eq!(entries(text, &lazy)[0].get("K"), Some(""));
    }

    #[test]
    fn an_id_again_further_below_is_an_entry_of_its_own() {
        let text = "## D-20261128-001\nSTATUS: a\n## D-20261128-001\nSTATUS: b\n";
        assert_eq!(entries(text, &chain()).len(), 2);
    }

    #[test]
    fn wrong_patterns_are_named() {
        let table: [(&[&str], &str, Option<&str>, &str, &str); 6] = [
            (
                &["(?<id>a)", "(?<id>"],
                "",
                None,
                "heading 2",
                "unclosed group",
            ),
            (&["a"], "", None, "heading 1", "no group `(?<id>...)`"),
            (
                &["(?<id>a)"],
                "(?<key>a)",
                None,
                "field",
                "no group `(?<value>...)`",
            ),
            (
                &["(?<id>a)"],
                "(?<key>a)(?<value>b)",
                Some("["),
                "end",
                "unclosed",
            ),
            (
                &["(?<id>(a{1000}){1000})"],
                "",
                None,
                "heading 1",
                "size limit",
            ),
            (&[], "", None, "heading", "not 0"),
        ];
        for (headings, field, end, which, why) in table {
            let error = Grammar::new(headings, field, end).unwrap_err();
            assert_eq!(error.which, which, "{error}");
            assert!(error.why.contains(why), "{error}");
        }
        let long = "a".repeat(3000);
        let error = Grammar::new(&[&long], "", None).unwrap_err();
        assert!(error.to_string().len() < 300, "{error}");
    }
}
