//! Is a decision field filled in, or does it still hold its placeholder?
//!
//! INVARIANT: only the spellings of the decision chain count as placeholders (its upstream parser,
//! decision-clicker); everything else is a decision. The text of STATUS decides nothing.

/// Does the value say that nobody has decided yet?
///
/// Case, outer brackets, quotes and emphasis, and a trailing dot are ignored. Placeholders are: an
/// empty value, `OFFEN`, `N/A`, `TBD`, dashes and dots, `HIER EINTRAGEN` with or without words
/// between, and a bare choice list such as `A/B/C`, `A|B`, `JA/NEIN`.
pub fn is_placeholder(value: &str) -> bool {
    let bare = value.trim_matches(is_wrapping);
    let words: Vec<String> = bare.split_whitespace().map(str::to_uppercase).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        [] | ["OFFEN" | "N/A" | "TBD"] | ["HIER", .., "EINTRAGEN"] => true,
        _ => is_choice_list(&words.concat()),
    }
}

/// Brackets and what may stand around them; dashes and dots alone say nothing either.
fn is_wrapping(c: char) -> bool {
    c.is_whitespace() || "[](){}<>\"'`*_.-–—…\u{feff}".contains(c)
}

fn is_choice_list(value: &str) -> bool {
    let mut parts = value.split(['/', '|']);
    parts.clone().count() > 1 && parts.all(is_choice)
}

/// One letter or digit, perhaps numbered (`A1`), or a bare yes or no.
fn is_choice(part: &str) -> bool {
    let mut chars = part.trim_matches(is_wrapping).chars();
    let word = chars.as_str();
    let one = chars.next().is_some_and(char::is_alphanumeric);
    (one && chars.all(|c| c.is_ascii_digit())) || matches!(word, "JA" | "NEIN" | "YES" | "NO")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders() {
        let table = [
            "",
            "  ",
            "OFFEN",
            "offen.",
            "[Offen]",
            "N/A",
            "n/a",
            "-",
            "—",
            "–",
            "...",
            "…",
            "TBD",
            "tbd.",
            "HIER EINTRAGEN",
            "[HIER EINTRAGEN]",
            "[hier eintragen].",
            "HIER ENTSCHEIDUNG EINTRAGEN",
            "[HIER A, B ODER C EINTRAGEN]",
            "HIER\n  EINTRAGEN",
            "A/B/C",
            "A|B",
            "a / b",
            "[A/B].",
            "(A | B | C)",
            "1/2/3",
            "A1/A2",
            "JA/NEIN",
            "ja / nein",
            "[A]/[B]",
            "**OFFEN**",
            "`TBD`",
            "<HIER EINTRAGEN>",
            "N/A.",
        ];
        for value in table {
            assert!(is_placeholder(value), "{value:?}");
        }
    }

    #[test]
    fn decisions() {
        let table = [
            "A",
            "[A]",
            "a.",
            "A, log the count",
            "[A — yes]",
            "B — wie besprochen",
            "JA",
            "nein",
            "OFFEN lassen",
            "offen bleibt nichts: A",
            "A/B testen",
            "src/main.rs",
            "EINTRAGEN",
            "HIER",
            "Ja, hier eintragen",
            "TBDX",
            "👍",
            "2026-11-30",
            "A/",
            "1",
            "und/oder",
        ];
        for value in table {
            assert!(!is_placeholder(value), "{value:?}");
        }
    }
}
