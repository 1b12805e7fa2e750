//! Glob patterns over paths, one segment at a time; pure.
//!
//! A walk stands at a set of [`Places`] in the pattern and asks which of them each name takes it
//! to, so that every folder is visited once however many `**` there are. `*`, `?` and `[...]`
//! match inside one segment; `**` descends any number of folders, none included. A leading dot
//! is matched only by a pattern that begins with a dot, and `**` enters no such folder.
//!
//! INVARIANT: literal names first. Where a folder holds a name equal to a segment, that name is
//! the segment's only match there, even if it holds brackets.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};

use super::name;
use crate::model::text::escape;

/// Positions in a pattern: indexes of the segments that the next name may match.
pub type Places = BTreeSet<usize>;

/// A parsed pattern.
#[derive(Debug)]
pub struct PathPattern {
    steps: Vec<Step>,
}

#[derive(Debug)]
enum Step {
    Descend,
    Name {
        literal: OsString,
        wild: Option<Result<glob::Pattern, String>>,
    },
}

/// Where one name leads.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// Whether the name completes the pattern.
    pub matched: bool,
    /// Where the pattern goes on below this name.
    pub next: Places,
    /// Whether some segment names it literally.
    pub named: bool,
}

impl PathPattern {
    /// Reads a pattern relative to some folder.
    ///
    /// # Errors
    /// Says why a pattern that is absolute or holds an empty, `.` or `..` segment is none.
    pub fn parse(pattern: &str) -> Result<Self, String> {
        let steps = pattern.split('/').map(step).collect::<Result<_, _>>();
        let steps = steps.map_err(|why| format!("the pattern `{}` {why}", escape(pattern)))?;
        Ok(PathPattern { steps })
    }

    /// Where a walk begins.
    pub fn start(&self) -> Places {
        let mut places = Places::new();
        self.reach(0, &mut places);
        places
    }

    /// The names that segments at these places spell literally.
    pub fn literals(&self, at: &Places) -> Vec<(usize, &OsStr)> {
        at.iter()
            .filter_map(|place| match self.steps.get(*place)? {
                Step::Descend => None,
                Step::Name { literal, .. } => Some((*place, literal.as_os_str())),
            })
            .collect()
    }

    /// Whether the folder must be listed, given the places whose literal name exists in it.
    pub fn needs_listing(&self, at: &Places, found: &Places) -> bool {
        at.difference(found)
            .filter_map(|place| self.steps.get(*place))
            .any(|step| match step {
                Step::Descend => true,
                Step::Name { wild, .. } => wild.is_some(),
            })
    }

    /// Where one name of a folder leads, given the places whose literal name exists in it.
    ///
    /// # Errors
    /// Says why a segment that is needed here cannot be read.
    pub fn take(&self, at: &Places, found: &Places, name: &OsStr) -> Result<Taken, String> {
        let mut taken = Taken::default();
        for place in at {
            match self.steps.get(*place) {
                None => {}
                Some(Step::Descend) => self.descend(*place, name, &mut taken),
                Some(Step::Name { literal, .. }) if found.contains(place) => {
                    taken.named |= literal == name;
                    self.advance_if(literal == name, *place, &mut taken);
                }
                Some(Step::Name { wild: None, .. }) => {}
                Some(Step::Name {
                    wild: Some(wild), ..
                }) => {
                    let wild = wild.as_ref().map_err(Clone::clone)?;
                    let matches = wild.matches_with(&name::encode(name), OPTIONS);
                    self.advance_if(matches, *place, &mut taken);
                }
            }
        }
        Ok(taken)
    }

    fn descend(&self, place: usize, name: &OsStr, taken: &mut Taken) {
        if name::bytes(name).starts_with(b".") {
            return;
        }
        self.reach(place, &mut taken.next);
        taken.matched |= place + 1 == self.steps.len();
    }

    fn advance_if(&self, matches: bool, place: usize, taken: &mut Taken) {
        if !matches {
            return;
        }
        self.reach(place + 1, &mut taken.next);
        taken.matched |= place + 1 == self.steps.len();
    }

    /// Adds a place, and what follows a `**` there, since that may match nothing.
    fn reach(&self, place: usize, places: &mut Places) {
        let mut place = place;
        while let Some(step) = self.steps.get(place) {
            places.insert(place);
            if matches!(step, Step::Name { .. }) {
                break;
            }
            place += 1;
        }
    }
}

const OPTIONS: glob::MatchOptions = glob::MatchOptions {
    case_sensitive: true,
    require_literal_separator: true,
    require_literal_leading_dot: true,
};

fn step(segment: &str) -> Result<Step, &'static str> {
    if segment == "**" {
        return Ok(Step::Descend);
    }
    let literal = name::decode(segment);
    match name::bytes(&literal) {
        b"" => return Err("holds an empty segment"),
        b"." | b".." => return Err("holds `.` or `..`"),
        bytes if bytes.contains(&b'/') => return Err("holds a hidden `/`"),
        _ => {}
    }
    let wild = segment.contains(['*', '?', '[']).then(|| {
        glob::Pattern::new(segment)
            .map_err(|why| format!("`{}` is no pattern: {}", escape(segment), why.msg))
    });
    Ok(Step::Name { literal, wild })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a path matches, where no segment exists as a literal name of its own.
    fn matches(pattern: &str, path: &str) -> bool {
        let pattern = PathPattern::parse(pattern).unwrap();
        let mut at = pattern.start();
        let mut matched = false;
        for segment in path.split('/') {
            let found = pattern
                .literals(&at)
                .into_iter()
                .filter(|(_, literal)| *literal == OsStr::new(segment))
                .map(|(place, _)| place)
                .collect();
            let taken = pattern.take(&at, &found, OsStr::new(segment)).unwrap();
            (at, matched) = (taken.next, taken.matched);
        }
        matched
    }

    #[test]
    fn patterns_match_as_documented() {
        let table = [
            ("*.md", "a.md", true),
            ("*.md", "d/a.md", false),
            ("*.md", ".a.md", false),
            (".*", ".a.md", true),
            ("d/*.md", "d/a.md", true),
            ("**/*.md", "a.md", true),
            ("**/*.md", "d/e/a.md", true),
            ("**/*.md", ".d/a.md", false),
            ("**", "d/a", true),
            ("d/**", "d", false),
            ("d/**", "d/e/f", true),
            ("d/**/f", "d/f", true),
            ("**/d/**/f", "x/d/y/d/z/f", true),
            ("**/**/f", "f", true),
            ("[ab].x", "a.x", true),
            ("[ab].x", "c.x", false),
            ("a?c", "abc", true),
            ("a[", "a[", true),
            (".d/**/x", ".d/e/x", true),
            ("a", "a", true),
            ("a", "b", false),
        ];
        for (pattern, path, expected) in table {
            assert_eq!(matches(pattern, path), expected, "{pattern} on {path}");
        }
    }

    #[test]
    fn a_name_that_exists_is_the_only_match() {
        let pattern = PathPattern::parse("[ab]").unwrap();
        let at = pattern.start();
        let takes = |found: &Places, name| pattern.take(&at, found, OsStr::new(name)).unwrap();
        assert!(takes(&Places::new(), "a").matched);
        assert!(!takes(&Places::from([0]), "a").matched);
        assert!(takes(&Places::from([0]), "[ab]").matched);
    }

    #[test]
    fn a_pattern_that_leaves_its_folder_is_none() {
        for pattern in [
            "",
            "/a",
            "a//b",
            "../a",
            "a/.",
            "\\x2e\\x2e/a",
            "a\\x2fb",
            "a/",
        ] {
            assert!(PathPattern::parse(pattern).is_err(), "{pattern}");
        }
    }
}
