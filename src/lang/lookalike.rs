//! What looks like a word of the language and is none: other slashes, letters of other scripts,
//! signs that a person does not see, emphasis around the word, no blank behind it.
//!
//! Such a line is meant as a statement by whoever wrote it; to ignore it in silence would leave
//! the step unprotected.

use super::words::Lookup;

/// The most characters that are looked at; longer words are none of the language.
const LONGEST: usize = 40;

/// A word as a person sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Seen {
    /// Its plain spelling: an ASCII slash and lower-case letters.
    pub word: String,
    /// Bytes that it takes in the text.
    pub length: usize,
    /// It differs from its plain spelling in more than letter case.
    pub is_disguised: bool,
    /// Its slash is a backslash or doubled, or a blank follows it: that alone is no command.
    pub is_odd: bool,
}

/// The word with a slash that a person sees at the beginning of a text.
pub(super) fn plain(rest: &str, lookup: &Lookup<'_>) -> Option<Seen> {
    let first = rest.chars().next().filter(|c| is_slash(*c))?;
    let body = rest.trim_start_matches(is_slash);
    let slashes = rest.len() - body.len();
    let letters = body.trim_start_matches([' ', '\t']);
    let mut seen = Seen {
        word: "/".to_string(),
        length: rest.len() - letters.len(),
        is_disguised: !matches!(first, '/' | '\\') && slashes == first.len_utf8(),
        is_odd: first == '\\' || slashes > first.len_utf8() || letters.len() < body.len(),
    };
    for (at, c) in letters.char_indices().take(LONGEST) {
        let is_arrow = lookup.arrow(letters.get(at..)?).is_some();
        let Some(plain) = letter(c).filter(|_| !is_arrow) else {
            break;
        };
        seen.is_disguised |= plain != Some(c.to_ascii_lowercase());
        seen.word.extend(plain);
        seen.length += c.len_utf8();
    }
    (seen.word.len() > 1).then_some(seen)
}

/// What stands at the beginning of a line, if it is meant as a word of the language.
pub(super) struct Suspect<'a> {
    /// The word that is meant.
    pub word: &'a str,
    /// Bytes of the line that are taken by it and by what stands before it.
    pub length: usize,
    /// It is meant only if the line holds an arrow too.
    pub needs_arrow: bool,
    /// What is wrong with it.
    pub why: &'static str,
}

/// Looks at the beginning of a line, behind blanks and list markers.
pub(super) fn suspect<'a>(rest: &str, lookup: &Lookup<'a>) -> Option<Suspect<'a>> {
    let body = rest.trim_start_matches(is_decoration);
    let decoration = rest.len() - body.len();
    let seen = plain(body, lookup)?;
    let word = lookup.all().find(|word| *word == seen.word)?;
    let next = body.get(seen.length..)?.chars().next();
    let is_end = next.is_none_or(char::is_whitespace);
    let is_mention = next.is_some_and(|c| matches!(c, ',' | ';' | '.' | '/' | '\\' | '\'' | '`'));
    if is_mention {
        return None;
    }
    let why = if seen.is_disguised {
        "it holds characters that only look like a slash or like letters"
    } else if seen.is_odd {
        "exactly one slash stands directly before the word"
    } else if decoration > 0 {
        "only blanks and list markers may stand before the word"
    } else if !is_end {
        "a blank stands behind the word"
    } else {
        return None;
    };
    Some(Suspect {
        word,
        length: decoration + seen.length,
        needs_arrow: !seen.is_disguised || seen.is_odd || decoration > 0 || !is_end,
        why,
    })
}

/// Signs of emphasis, headings and other bullets.
fn is_decoration(c: char) -> bool {
    c.is_whitespace()
        || matches!(
            c,
            '*' | '_'
                | '~'
                | '#'
                | '+'
                | '-'
                | '\u{2022}'
                | '\u{b7}'
                | '\u{25e6}'
                | '\u{25aa}'
                | '\u{2013}'
                | '\u{2014}'
                | '\u{feff}'
                | '\u{200b}'
                | '\u{2060}'
        )
}

fn is_slash(c: char) -> bool {
    matches!(
        c,
        '/' | '\\'
            | '\u{ff0f}'
            | '\u{2044}'
            | '\u{2215}'
            | '\u{29f8}'
            | '\u{2571}'
            | '\u{338}'
            | '\u{337}'
            | '\u{27cb}'
            | '\u{2afd}'
    )
}

/// The ASCII letter, digit or `-` that a character looks like, in lower case; `Some(None)` for
/// one that is not seen at all.
fn letter(c: char) -> Option<Option<char>> {
    let plain = match c {
        '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{ad}' | '\u{feff}' => return Some(None),
        '-' | '_' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{ff0d}' | '\u{fe63}' => '-',
        '\u{ff21}'..='\u{ff3a}' => shifted(c, '\u{ff21}', 'a'),
        '\u{ff41}'..='\u{ff5a}' => shifted(c, '\u{ff41}', 'a'),
        'а' | 'А' | 'α' | 'Α' => 'a',
        'с' | 'С' | 'ϲ' => 'c',
        'ԁ' => 'd',
        'е' | 'Е' | 'Ε' => 'e',
        'ғ' | 'ƒ' => 'f',
        'һ' | 'Н' | 'Η' => 'h',
        'і' | 'І' | 'ι' | 'Ι' | 'ı' | 'İ' => 'i',
        'ӏ' => 'l',
        'Ν' | 'п' | 'ո' => 'n',
        'о' | 'О' | 'ο' | 'Ο' | 'օ' => 'o',
        'г' => 'r',
        'т' | 'Т' | 'τ' | 'Τ' => 't',
        'у' | 'У' | 'υ' | 'Υ' => 'y',
        'ԝ' | 'ω' => 'w',
        c if c.is_alphanumeric() => c.to_lowercase().next().unwrap_or(c),
        _ => return None,
    };
    Some(Some(plain))
}

/// The letter as far from `to` as `c` is from `from`.
fn shifted(c: char, from: char, to: char) -> char {
    let steps = u32::from(c).saturating_sub(u32::from(from));
    char::from_u32(u32::from(to) + steps).unwrap_or(c)
}

#[cfg(test)]
mod tests {
    use super::super::tests::built_in;
    use super::*;

    #[test]
    fn disguises_are_seen_through() {
        let words = built_in();
        let lookup = Lookup::new(&words);
        for (line, word, needs_arrow) in [
            ("\u{ff0f}if a", "/if", false),
            ("\u{2044}if-only a", "/if-only", false),
            ("/\u{456}f a", "/if", false),
            ("/if\u{2013}only a", "/if-only", false),
            ("/if_only a", "/if-only", false),
            ("/\u{ff29}\u{ff26} a", "/if", false),
            ("\u{200b}/if a", "/if", true),
            ("\\if a", "/if", true),
            ("//if a", "/if", true),
            ("/ if a", "/if", true),
            ("/if: a", "/if", true),
            ("/if(a)", "/if", true),
            ("**/if** a", "/if", true),
            ("## /if a", "/if", true),
            ("\u{2022} /if a", "/if", true),
        ] {
            let found = suspect(line, &lookup).unwrap_or_else(|| panic!("{line}"));
            assert_eq!(
                (found.word, found.needs_arrow),
                (word, needs_arrow),
                "{line}"
            );
        }
    }

    #[test]
    fn plain_words_paths_and_mentions_are_no_suspects() {
        let words = built_in();
        let lookup = Lookup::new(&words);
        for line in [
            "/if a",
            "/after/effects.md",
            "/if, /when",
            "/iffy a",
            "if a",
            "> /if a",
            "",
        ] {
            assert!(suspect(line, &lookup).is_none(), "{line}");
        }
    }
}
