//! Whether a table of words can be used: a broken one would read texts wrongly.

use super::{ARROW, Join, LONGEST, Lookup, PLAIN, Word, Words, is_word_char};

/// The table that is wrong and what is wrong with it.
type Wrong = (&'static str, String);

impl Words {
    /// Checks the table.
    ///
    /// # Errors
    /// The name of the constant in `rules/words.rhai` that is wrong, and why.
    pub fn check(&self) -> Result<(), (&'static str, String)> {
        if !self.words.contains_key(PLAIN) {
            return Err(("WORDS", format!("`{PLAIN}` is missing")));
        }
        self.check_arrows()?;
        self.check_joins()?;
        for (spelling, word) in &self.words {
            self.check_word(spelling, word)
                .map_err(|why| ("WORDS", format!("`{spelling}`: {why}")))?;
        }
        self.check_lists()
    }

    fn check_word(&self, spelling: &str, word: &Word) -> Result<(), String> {
        spelled(spelling)?;
        if self.joins.contains_key(spelling) {
            return Err("it is a join too".to_string());
        }
        if let Some(method) = &word.method
            && !name_like(method)
        {
            return Err(format!("`{method}` is no name of a proof method"));
        }
        let Some(says) = &word.says else {
            return Ok(());
        };
        let lookup = Lookup::new(self);
        let has_sign = says.char_indices().any(|(at, c)| {
            let rest = says.get(at..).unwrap_or_default();
            !(is_word_char(c) || matches!(c, ' ' | '.' | ',' | ':')) || lookup.arrow(rest).is_some()
        });
        let is_plain = !says.is_empty() && normal(says) == *says && !has_sign;
        match is_plain {
            true => Ok(()),
            false => Err("`says` holds words and single blanks only".to_string()),
        }
    }

    fn check_joins(&self) -> Result<(), Wrong> {
        for join in [Join::And, Join::Or] {
            if self.joins.get(join.word()) != Some(&join) {
                return Err(("JOINS", format!("`{}` is missing", join.word())));
            }
        }
        for spelling in self.joins.keys() {
            spelled(spelling).map_err(|why| ("JOINS", format!("`{spelling}`: {why}")))?;
        }
        Ok(())
    }

    fn check_arrows(&self) -> Result<(), Wrong> {
        if !self.arrows.iter().any(|arrow| arrow == ARROW) {
            return Err(("ARROWS", format!("`{ARROW}` is missing")));
        }
        let is_sign = |c: char| {
            !c.is_alphanumeric()
                && !c.is_whitespace()
                && !c.is_control()
                && !"/()\"`_\u{201e}\u{201c}\u{201d}\u{ab}\u{bb}".contains(c)
        };
        let wrong = |arrow: &&String| arrow.is_empty() || !arrow.chars().all(is_sign);
        match self.arrows.iter().find(wrong) {
            Some(arrow) => Err(("ARROWS", format!("`{arrow}` cannot be an arrow"))),
            None => Ok(()),
        }
    }

    fn check_lists(&self) -> Result<(), Wrong> {
        for (name, list) in [
            ("REFERENCES", &self.references),
            ("IRREVERSIBLE", &self.irreversible),
            ("UNCLEAR", &self.unclear),
            ("METHODS", &self.methods),
        ] {
            if list.is_empty() {
                return Err((name, "it is empty".to_string()));
            }
            let wrong = |word: &&String| word.trim().is_empty() || word.to_lowercase() != **word;
            if let Some(word) = list.iter().find(wrong) {
                return Err((name, format!("`{word}` is not in lower case")));
            }
        }
        let mut references = self.references.iter();
        if let Some(word) = references.find(|word| !name_like(word)) {
            return Err(("REFERENCES", format!("`{word}` is not one word")));
        }
        for (text, phrase) in &self.phrases {
            if !self.words.contains_key(&phrase.word) {
                let why = format!("`{text}` suggests `{}`, which is no word", phrase.word);
                return Err(("PHRASES", why));
            }
            if normal(&text.to_lowercase()) != *text || text.is_empty() {
                return Err(("PHRASES", format!("`{text}` is not in lower case")));
            }
        }
        Ok(())
    }
}

fn normal(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn name_like(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_word_char)
}

/// A word of the language: a slash, then lower-case letters, digits and `-`.
fn spelled(spelling: &str) -> Result<(), String> {
    let Some(rest) = spelling.strip_prefix('/') else {
        return Err("it does not begin with `/`".to_string());
    };
    if !name_like(rest) || rest.chars().count() > LONGEST {
        return Err(format!(
            "it is not made of 1 to {LONGEST} letters, digits and `-`"
        ));
    }
    match spelling.to_lowercase() == spelling {
        true => Ok(()),
        false => Err("it is not in lower case".to_string()),
    }
}
