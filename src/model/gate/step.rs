//! Steps: how two spellings of a step are told to be the same.
//!
//! INVARIANT: [`normal`] is what is compared everywhere. What a reader sees as the same words is
//! one step: letter case, blanks, signs that nobody sees, letters of other scripts that look
//! alike, emphasis and links of Markdown, quotes and punctuation around the whole make no
//! difference. Two steps that fall together are both blocked, never both free.

use sha2::{Digest, Sha256};
use unicode_normalization::UnicodeNormalization as _;

use crate::model::text::hex;

/// Letters of other scripts that look like Latin ones, after lower-casing. A choice of those
/// that Unicode's list of confusable characters names.
const ALIKE: &[(char, char)] = &[
    // Cyrillic
    ('а', 'a'),
    ('е', 'e'),
    ('о', 'o'),
    ('р', 'p'),
    ('с', 'c'),
    ('у', 'y'),
    ('х', 'x'),
    ('к', 'k'),
    ('і', 'i'),
    ('ѕ', 's'),
    ('ј', 'j'),
    ('һ', 'h'),
    ('ԁ', 'd'),
    ('ԛ', 'q'),
    ('ԝ', 'w'),
    ('ӏ', 'l'),
    // Greek
    ('α', 'a'),
    ('ε', 'e'),
    ('ι', 'i'),
    ('κ', 'k'),
    ('ν', 'v'),
    ('ο', 'o'),
    ('ρ', 'p'),
    ('τ', 't'),
    ('υ', 'u'),
    ('χ', 'x'),
    ('ϲ', 'c'),
    ('ϳ', 'j'),
    // Latin
    ('ı', 'i'),
    ('ɡ', 'g'),
    ('ɑ', 'a'),
];

/// The spelling of a step that is compared; empty if nothing of it can be read.
pub fn normal(step: &str) -> String {
    let linked = without_links(step);
    let seen = linked
        .nfkc()
        .filter(|c| !is_unseen(*c) && !"*`~".contains(*c));
    let lower: String = seen.collect::<String>().to_lowercase();
    let plain: String = lower.nfc().map(latin).collect();
    let words = plain.split_whitespace().map(|word| word.trim_matches('_'));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let text = words.join(" ");
    text.trim_matches(|c: char| !c.is_alphanumeric() && !"$%&#@+/\\".contains(c))
        .to_string()
}

/// `[text](address)` becomes `text`.
fn without_links(step: &str) -> String {
    let mut out = String::with_capacity(step.len());
    let mut rest = step;
    while let Some((before, inside)) = rest.split_once('[') {
        out.push_str(before);
        let link = inside.split_once("](").and_then(|(text, after)| {
            let (_, after) = after.split_once(')')?;
            (!text.contains('[')).then_some((text, after))
        });
        match link {
            Some((text, after)) => {
                out.push_str(text);
                rest = after;
            }
            None => {
                out.push('[');
                rest = inside;
            }
        }
    }
    out.push_str(rest);
    out
}

fn latin(c: char) -> char {
    let alike = ALIKE.iter().find(|(other, _)| *other == c);
    alike.map_or(c, |(_, latin)| *latin)
}

/// Characters that show nothing: Unicode's default ignorable code points, and controls that are
/// no white space.
fn is_unseen(c: char) -> bool {
    (c.is_control() && !c.is_whitespace())
        || matches!(
            c,
            '\u{ad}'
                | '\u{34f}'
                | '\u{61c}'
                | '\u{115f}'
                | '\u{1160}'
                | '\u{17b4}'
                | '\u{17b5}'
                | '\u{3164}'
                | '\u{feff}'
                | '\u{ffa0}'
        )
        || ('\u{180b}'..='\u{180f}').contains(&c)
        || ('\u{200b}'..='\u{200f}').contains(&c)
        || ('\u{202a}'..='\u{202e}').contains(&c)
        || ('\u{2060}'..='\u{206f}').contains(&c)
        || ('\u{fe00}'..='\u{fe0f}').contains(&c)
        || ('\u{fff0}'..='\u{fff8}').contains(&c)
        || ('\u{1d173}'..='\u{1d17a}').contains(&c)
        || ('\u{e0000}'..='\u{e0fff}').contains(&c)
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
            "deploy löschen",
            "Deploy  Löschen",
            "\"deploy löschen\"",
            "deploy löschen.",
            "(deploy löschen)",
            "deploy löschen?",
            " \u{201e}deploy löschen\u{201c}. ",
            "\u{2018}deploy löschen\u{2019}",
            "**deploy löschen**",
            "_deploy löschen_",
            "*deploy* `löschen`",
            "[deploy löschen](http://example.invalid/x)",
            "deploy lo\u{308}schen",
            "de\u{200b}ploy lö\u{ad}schen",
            "d\u{435}pl\u{43e}y löschen",
            "\u{ff44}eploy löschen",
            "deploy\u{a0}löschen\u{fe0f}",
        ] {
            assert_eq!(key(other), key("deploy löschen"), "{other}");
        }
        assert_ne!(key("deploy löscht"), key("deploy löschen"));
        assert_ne!(key("rm -rf /tmp"), key("rm -rf tmp"));
    }

    #[test]
    fn what_nobody_can_read_is_no_step() {
        for nothing in ["", ".", "\u{200b}", "\u{3164}", "** **", "\"\""] {
            assert_eq!(normal(nothing), "", "{nothing:?}");
        }
    }

    #[test]
    fn a_normal_spelling_stays_what_it_is() {
        for step in ["a [b] c", "x](y", "[[a](b)](c)", "ΐ Σς", "é́ ﬁ", "İ"] {
            let once = normal(step);
            assert_eq!(normal(&once), once, "{step}");
        }
    }
}
