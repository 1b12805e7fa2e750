//! The German of reasons that belegt itself gives: the rows of the built-in boundary table, the
//! guard, the kernel and the built-in probes.
//!
//! Only the report for people is translated; the ledger, JSON and the line keep the words as
//! they were given. A reason that is not in the table, such as one of a site's own rule, is
//! shown as it is. `{}` stands for what differs.

mod reasons;

use reasons::REASONS;

/// A reason in German, or as it is.
pub fn reason(text: &str) -> String {
    let mut known = REASONS.iter();
    let said = known.find_map(|(english, german)| Some(filled(german, &holes(english, text)?)));
    said.unwrap_or_else(|| text.to_string())
}

/// What stands in the holes of a pattern, each translated itself, if the text is of it.
fn holes(pattern: &str, text: &str) -> Option<Vec<String>> {
    let mut parts = pattern.split("{}");
    let mut rest = text.strip_prefix(parts.next()?)?;
    let mut holes = Vec::new();
    let mut parts = parts.peekable();
    while let Some(part) = parts.next() {
        let (hole, after) = match parts.peek() {
            None => (rest.strip_suffix(part)?, ""),
            Some(_) => rest.split_once(part)?,
        };
        holes.push(reason(hole));
        rest = after;
    }
    rest.is_empty().then_some(holes)
}

fn filled(pattern: &str, holes: &[String]) -> String {
    let mut holes = holes.iter();
    let mut parts = pattern.split("{}");
    let mut text = parts.next().unwrap_or_default().to_string();
    for part in parts {
        text.push_str(holes.next().map(String::as_str).unwrap_or_default());
        text.push_str(part);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holes_are_kept_and_unknown_reasons_too() {
        let lock = "under the lock `/p/LOCK.user.txt`, which only the person lifts";
        for (english, german) in [
            ("undecided", "unentschieden"),
            ("undecided yet", "undecided yet"),
            ("", ""),
            (
                "the command `gardener` is not on PATH",
                "der Befehl `gardener` ist nicht im PATH",
            ),
            (
                "2 decision(s) in 1 file(s); none of it is open work",
                "2 Entscheidung(en) in 1 Datei(en); nichts davon ist offene Arbeit",
            ),
            (
                lock,
                "unter der Sperre `/p/LOCK.user.txt`, die nur der Mensch aufhebt",
            ),
            (
                "mo settled it as `user`: waits for: access",
                "mo hat es dem Menschen zugewiesen: waits for: access",
            ),
        ] {
            assert_eq!(reason(english), german);
        }
    }

    #[test]
    fn every_row_of_the_boundary_table_has_its_german() {
        let rules = include_str!("../../rules/autonomy.rhai");
        let mut rows = 0;
        for line in rules.lines() {
            let Some((_, rest)) = line.split_once("why: \"") else {
                continue;
            };
            let why = rest.split('"').next().unwrap();
            assert_ne!(reason(why), why, "no German for it");
            rows += 1;
        }
        assert!(rows > 40);
    }

    #[test]
    fn both_sides_of_a_row_have_the_same_holes() {
        let mut seen = std::collections::BTreeSet::new();
        for (english, german) in REASONS {
            assert_eq!(english.matches("{}").count(), german.matches("{}").count());
            assert!(seen.insert(english), "`{english}` stands twice");
        }
    }
}
