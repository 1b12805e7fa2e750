//! A look over the bare words of a JSON text before it is parsed: integers and non-numbers.
//!
//! The parser turns an integer that is too big into a float and gives its value only, so the
//! spelling has to be judged here. INVARIANT: strings are skipped whole; grammar is not checked.

/// The first offending word with its byte offset and a sentence.
pub fn offence(text: &str) -> Option<(usize, String)> {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        if *byte == b'"' {
            at = string_end(bytes, at + 1);
        } else if is_word(*byte) {
            let end = bytes
                .iter()
                .skip(at)
                .position(|b| !is_word(*b))
                .map_or(bytes.len(), |n| at + n);
            let word = text.get(at..end).unwrap_or_default();
            if let Some(what) = judge(word) {
                return Some((at, what));
            }
            at = end;
        } else {
            at += 1;
        }
    }
    None
}

fn string_end(bytes: &[u8], mut at: usize) -> usize {
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.' | b'_')
}

fn judge(word: &str) -> Option<String> {
    let short: String = word.chars().take(40).collect();
    let digits = word.strip_prefix('-').unwrap_or(word);
    if digits.starts_with(|c: char| c.is_ascii_digit()) {
        return match word {
            "-0" => Some("`-0` is no integer, write `0`".to_owned()),
            _ if !digits.bytes().all(|b| b.is_ascii_digit()) || word.parse::<i64>().is_ok() => None,
            _ => Some(format!("the integer `{short}` does not fit into 64 bits")),
        };
    }
    let known = matches!(word, "true" | "false" | "null");
    (!known).then(|| format!("`{short}` is no JSON value; text needs quotes"))
}
