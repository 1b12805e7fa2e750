//! What headings, fields and ends of entries look like: patterns, checked and compiled once.
//!
//! INVARIANT: a pattern is tried at the start of a line only, has the groups that are read from
//! it, and is bounded in length and compiled size.

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
    pub(super) headings: Vec<Pattern>,
    /// All heading patterns at once: most lines are none, and this tells so in one look.
    pub(super) any_heading: RegexSet,
    pub(super) field: Pattern,
    pub(super) end: Option<Pattern>,
    pub(super) outside: Option<Pattern>,
}

/// A compiled pattern with the places of the two groups that are read from it.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
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
    /// `heading 1` (counted from 1), `field`, `end` or `outside`.
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
            outside: None,
        })
    }

    /// The grammar with a pattern of lines that begin an entry without an id where they stand in
    /// no entry: what only an entry has, or what is nearly a heading. It needs the group `title`.
    ///
    /// # Errors
    /// As for [`Grammar::new`].
    pub fn with_outside(mut self, pattern: &str) -> Result<Self, BadPattern> {
        self.outside = Some(compile("outside", pattern, OUTSIDE)?);
        Ok(self)
    }
}

/// The names of the two groups that a pattern is read by, and how many of them it must have.
type Groups = ([&'static str; 2], usize);

const HEADING: Groups = (["id", "title"], 1);
const FIELD: Groups = (["key", "value"], 2);
const END: Groups = ([""; 2], 0);
const OUTSIDE: Groups = (["title", ""], 1);

fn compile(which: &str, pattern: &str, (names, required): Groups) -> Result<Pattern, BadPattern> {
    if pattern.chars().count() > PATTERN_LENGTH {
        return Err(bad(
            which,
            pattern,
            format!("it has more than {PATTERN_LENGTH} characters"),
        ));
    }
    // What would only be right between our own parentheses is wrong. Reading a pattern costs a
    // tenth of building it.
    if let Err(error) = regex_syntax::parse(pattern) {
        let error = regex::Error::Syntax(error.to_string());
        return Err(bad(which, pattern, reason(&error)));
    }
    let [_, name] = names;
    let opened = open_ended(pattern, name);
    let source = format!("^(?:{})", opened.as_deref().unwrap_or(pattern));
    let built = RegexBuilder::new(&source).size_limit(PATTERN_SIZE).build();
    let regex = built.map_err(|error| bad(which, pattern, reason(&error)))?;
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

/// A pattern with the memory that its matches are written to.
pub(super) struct Matcher<'g> {
    pattern: &'g Pattern,
    places: CaptureLocations,
}

impl Pattern {
    /// Does the line begin so?
    pub fn is_match(&self, line: &str) -> bool {
        self.regex.is_match(line)
    }
}

impl<'g> Matcher<'g> {
    pub fn new(pattern: &'g Pattern) -> Self {
        Self {
            pattern,
            places: pattern.regex.capture_locations(),
        }
    }

    /// The first group (if it has text) and the second, trimmed.
    pub fn read<'l>(&mut self, line: &'l str) -> Option<(&'l str, &'l str)> {
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

#[cfg(test)]
mod tests {
    use super::super::entries;
    use super::*;

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
    fn wrong_patterns_are_named() {
        type Case<'a> = (&'a [&'a str], &'a str, Option<&'a str>, &'a str, &'a str);
        let table: [Case<'_>; 6] = [
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
            (&["(?<id>\\w{200})"], "", None, "heading 1", "size limit"),
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
