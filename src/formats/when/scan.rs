//! A cursor over one short text.
//!
//! INVARIANT: it stands on a character boundary and moves forward only; to try something, copy it.
//! Words are compared in one spelling: lower case, `ä` as `ae`, `ß` as `ss`.

/// The cursor.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scan<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scan<'a> {
    /// At the start of the text.
    pub fn new(text: &'a str) -> Self {
        Scan { text, at: 0 }
    }

    /// How many bytes lie behind the cursor.
    pub fn at(self) -> usize {
        self.at
    }

    /// What lies before it.
    pub fn rest(self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// The text from a place up to the cursor, without blanks around it.
    pub fn piece(self, from: usize) -> &'a str {
        self.text.get(from..self.at).unwrap_or_default().trim()
    }

    /// The next character.
    pub fn peek(self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Whether the next character is such a one.
    pub fn sees(self, wanted: impl Fn(char) -> bool) -> bool {
        self.peek().is_some_and(wanted)
    }

    /// Passes the characters of a kind.
    pub fn run(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c| !wanted(c)).unwrap_or(rest.len());
        self.at += end;
        rest.get(..end).unwrap_or_default()
    }

    /// Passes blanks.
    pub fn space(&mut self) {
        self.run(char::is_whitespace);
    }

    /// Passes this character.
    pub fn eat(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.at += wanted.len_utf8();
        }
        found
    }

    /// Passes one of these characters.
    pub fn eat_any(&mut self, wanted: &[char]) -> bool {
        wanted.iter().any(|c| self.eat(*c))
    }

    /// Passes digits.
    pub fn digits(&mut self) -> &'a str {
        self.run(|c| c.is_ascii_digit())
    }

    /// Passes so many digits, not more and not fewer; else the cursor stays.
    pub fn number(&mut self, length: std::ops::RangeInclusive<usize>) -> Option<u32> {
        let before = *self;
        let digits = self.digits();
        let number = digits.parse().ok();
        if number.is_none() || !length.contains(&digits.len()) {
            *self = before;
            return None;
        }
        number
    }

    /// Passes letters, as they are written.
    pub fn letters(&mut self) -> &'a str {
        self.run(|c| c.is_alphabetic() || c == '\u{308}')
    }

    /// Passes a whole word and gives its one spelling; empty, and the cursor stays, if none
    /// stands here.
    pub fn word(&mut self) -> String {
        let before = *self;
        let word = fold(self.letters());
        if !self.is_boundary() {
            *self = before;
            return String::new();
        }
        word
    }

    /// Passes these words with blanks between; else the cursor stays.
    pub fn words(&mut self, wanted: &[&str]) -> bool {
        let mut ahead = *self;
        for word in wanted {
            ahead.space();
            if ahead.word() != *word {
                return false;
            }
        }
        *self = ahead;
        true
    }

    /// Passes the first of these sequences that stands here.
    pub fn any_words(&mut self, wanted: &[&[&str]]) -> bool {
        wanted.iter().any(|words| self.words(words))
    }

    /// Whether a word can end here.
    pub fn is_boundary(self) -> bool {
        !self.sees(|c| c.is_alphanumeric() || "-_/'’@#".contains(c))
    }

    /// Whether nothing follows but blanks and the end of a sentence.
    pub fn is_done(self) -> bool {
        matches!(self.rest().trim(), "" | "." | "!")
    }
}

/// The one spelling of a word.
pub(super) fn fold(word: &str) -> String {
    let mut folded = String::with_capacity(word.len());
    for c in word.chars().flat_map(char::to_lowercase) {
        match c {
            'ä' => folded.push_str("ae"),
            'ö' => folded.push_str("oe"),
            'ü' => folded.push_str("ue"),
            'ß' => folded.push_str("ss"),
            // A vowel and the two dots as characters of their own.
            '\u{308}' => folded.push('e'),
            c => folded.push(c),
        }
    }
    folded
}

/// Whether two words differ by one character: one more, one less, another, or two swapped.
pub(super) fn is_near(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let before = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let (a, b) = (
        a.get(before..).unwrap_or_default(),
        b.get(before..).unwrap_or_default(),
    );
    let pairs = a.iter().rev().zip(b.iter().rev());
    let behind = pairs.take_while(|(x, y)| x == y).count();
    let middle = |word: &[char]| -> Vec<char> {
        let end = word.len().saturating_sub(behind);
        word.get(..end).unwrap_or_default().to_vec()
    };
    match (middle(a).as_slice(), middle(b).as_slice()) {
        ([x1, x2], [y1, y2]) => x1 == y2 && x2 == y1,
        (a, b) => a.len().max(b.len()) <= 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_whole_and_compared_in_one_spelling() {
        let mut scan = Scan::new("Nicht vor ÜBERMORGEN um-zu");
        assert!(scan.words(&["nicht", "vor"]));
        assert!(!scan.words(&["ueber"]));
        assert!(scan.words(&["uebermorgen"]));
        scan.space();
        assert_eq!(scan.word(), "");
        assert_eq!(scan.rest(), "um-zu");
        assert_eq!(fold("zwo\u{308}lf"), "zwoelf");
    }

    #[test]
    fn near_is_one_slip_away() {
        for near in [
            "Europe/Berln",
            "Europe/Brelin",
            "Europe/Berlinn",
            "Europe/Berlim",
        ] {
            assert!(is_near(near, "Europe/Berlin"), "{near}");
        }
        for far in ["Europe/Brln", "Europe/Paris", ""] {
            assert!(!is_near(far, "Europe/Berlin"), "{far}");
        }
    }
}
