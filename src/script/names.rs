//! The words that belong to the host: modules, constructors and getters of `ctx`.
//!
//! A script may not define a function or an import alias with one of these; parameters and
//! variables may bear them.

/// The host modules, in the order of the reference.
pub const MODULES: &[&str] = &[
    "fs", "cmd", "git", "process", "ledger", "text", "md", "json", "time",
];

/// The constructors of answers.
pub const CONSTRUCTORS: &[&str] = &[
    "item",
    "place",
    "found",
    "empty",
    "unavailable",
    "absent",
    "condition",
    "refused",
    "reported",
    "work",
    "user",
    "rest",
    "unclear",
    "yes",
    "no",
    "go_on",
    "exhausted",
    "blind",
    "user_only",
    "open_step",
    "hold",
    "forbid",
];

/// Functions of the engine that the host has closed.
pub const CLOSED: &[&str] = &["exit", "sleep", "pad", "parse_json", "timestamp", "eval"];

/// The getters of `ctx`.
pub const CONTEXT: &[&str] = &[
    "now", "root", "home", "host", "actor", "project", "settings", "site", "baseline", "language",
    "tests",
];

/// Getters of the handles that are read most, for suggestions.
pub const GETTERS: &[&str] = &[
    "ok",
    "missing",
    "why",
    "text",
    "data",
    "path",
    "digest",
    "lines",
    "len",
    "is_empty",
    "first",
    "last",
    "status",
    "stdout",
    "stderr",
    "entries",
    "files",
    "rows",
    "name",
    "line",
    "title",
    "section",
    "state",
    "detail",
    "priority",
    "reason",
    "due",
    "id",
    "at",
    "kind",
    "mark",
    "size",
    "is_file",
    "is_folder",
    "is_blank",
    "is_list",
    "first_line",
    "number",
    "cells",
    "body",
    "date",
    "seconds",
];

/// Whether a script may not use this name for a function or an import.
pub fn is_reserved(name: &str) -> bool {
    MODULES.contains(&name) || CONSTRUCTORS.contains(&name) || CLOSED.contains(&name)
}

/// The known word that is closest to a misspelt one, if one is close.
pub fn closest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (word.chars().count() / 3).max(1);
    known
        .into_iter()
        .map(|candidate| (distance(word, candidate), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min()
        .map(|(_, candidate)| candidate)
}

/// Edit distance in characters; a swap of neighbours counts as one step.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    let mut previous = None;
    for (i, ca) in a.chars().enumerate() {
        let mut row = vec![i + 1];
        for (j, cb) in b.iter().enumerate() {
            let at = |row: &[usize], k: usize| row.get(k).copied().unwrap_or(usize::MAX / 2);
            let mut cost = (at(&last, j) + usize::from(ca != *cb))
                .min(at(&last, j + 1) + 1)
                .min(at(&row, j) + 1);
            let swapped = previous == Some(*cb) && j > 0 && b.get(j - 1) == Some(&ca);
            if swapped {
                cost = cost.min(at(&before, j - 1) + 1);
            }
            row.push(cost);
        }
        before = std::mem::replace(&mut last, row);
        previous = Some(ca);
    }
    last.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closest_word_is_suggested_and_a_far_one_is_not() {
        let known = ["unavailable", "found", "empty"];
        assert_eq!(closest("unavailible", known), Some("unavailable"));
        assert_eq!(closest("fuond", known), Some("found"));
        assert_eq!(closest("xyz", known), None);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("ab", "ba"), 1);
    }
}
