//! Steps: how two spellings of a step are told to be the same, or nearly the same.
//!
//! INVARIANT: [`normal`] is what is compared everywhere; what differs only in letter case,
//! blanks, quotes around the whole or the full stop at its end is one step.

use sha2::{Digest, Sha256};

use crate::model::text::hex;

/// Quotes that may stand around a step.
const QUOTES: [(char, char); 6] = [
    ('"', '"'),
    ('\'', '\''),
    ('`', '`'),
    ('\u{201e}', '\u{201c}'),
    ('\u{201c}', '\u{201d}'),
    ('\u{bb}', '\u{ab}'),
];

/// The spelling of a step that is compared.
pub fn normal(step: &str) -> String {
    let words: Vec<&str> = step.split_whitespace().collect();
    let mut text = words.join(" ").to_lowercase();
    loop {
        let trimmed = text.trim_end_matches(['.', '!', ';', ',']).trim();
        let bare = QUOTES.iter().find_map(|(open, close)| {
            let inner = trimmed.strip_prefix(*open)?.strip_suffix(*close)?;
            (!inner.contains([*open, *close])).then_some(inner.trim())
        });
        let next = bare.unwrap_or(trimmed).to_string();
        if next == text {
            return text;
        }
        text = next;
    }
}

/// The key of a step: the first 32 hex digits of the SHA-256 of its normal spelling.
pub fn key(step: &str) -> String {
    let digest = Sha256::digest(normal(step).as_bytes());
    let mut key = hex(&digest);
    key.truncate(32);
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_step_have_one_key() {
        for other in [
            "release  bauen",
            "\"Release bauen\"",
            "Release bauen.",
            " \u{201e}Release bauen\u{201c}. ",
        ] {
            assert_eq!(key(other), key("Release bauen"), "{other}");
        }
        assert_ne!(key("Release baut"), key("Release bauen"));
        assert_eq!(normal("\"a\" and \"b\""), "\"a\" and \"b\"");
    }
}
