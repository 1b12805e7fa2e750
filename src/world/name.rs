//! File names as text and back, without loss.
//!
//! Scripts, receipts and reports hold text, the system holds bytes. A byte that is no UTF-8 is
//! spelled `\xNN` (two lower-case hex digits); a literal backslash in front of `xNN` is itself
//! spelled `\x5c`, so that nothing is ambiguous. Every other name is its own spelling.
//!
//! INVARIANT: `decode(encode(name)) == name` for every name. A spelling can hold `/` or `..` in
//! disguise (`\x2f`, `\x2e\x2e`), so a check of a path must look at the decoded name.

use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;

/// The spelling of a name as text.
pub fn encode(name: &OsStr) -> String {
    let mut out = String::with_capacity(name.len());
    for chunk in bytes(name).utf8_chunks() {
        push_valid(&mut out, chunk.valid());
        for byte in chunk.invalid() {
            // Writing to a string cannot fail.
            let _ = write!(out, "\\x{byte:02x}");
        }
    }
    out
}

/// The name that a spelling stands for.
pub fn decode(text: &str) -> OsString {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        if let Some((byte, after)) = escape_at(rest) {
            out.push(byte);
            rest = after;
        } else {
            out.push(*first);
            rest = tail;
        }
    }
    from_bytes(out)
}

/// The raw bytes of a name.
#[cfg(unix)]
pub fn bytes(name: &OsStr) -> &[u8] {
    std::os::unix::ffi::OsStrExt::as_bytes(name)
}

/// The raw bytes of a name, in the encoding that the standard library uses here.
#[cfg(not(unix))]
pub fn bytes(name: &OsStr) -> &[u8] {
    name.as_encoded_bytes()
}

#[cfg(unix)]
fn from_bytes(bytes: Vec<u8>) -> OsString {
    std::os::unix::ffi::OsStringExt::from_vec(bytes)
}

#[cfg(not(unix))]
fn from_bytes(bytes: Vec<u8>) -> OsString {
    String::from_utf8_lossy(&bytes).into_owned().into()
}

/// Copies valid text, spelling a backslash that would otherwise begin an escape.
fn push_valid(out: &mut String, valid: &str) {
    let mut pieces = valid.split("\\x");
    out.push_str(pieces.next().unwrap_or_default());
    for piece in pieces {
        let looks_escaped = matches!(piece.as_bytes(), [high, low, ..]
            if high.is_ascii_hexdigit() && low.is_ascii_hexdigit());
        out.push_str(if looks_escaped { "\\x5cx" } else { "\\x" });
        out.push_str(piece);
    }
}

/// The byte that an escape at the beginning of `bytes` stands for, and what follows it.
fn escape_at(bytes: &[u8]) -> Option<(u8, &[u8])> {
    match bytes {
        [b'\\', b'x', high, low, rest @ ..] => Some((digit(*high)? * 16 + digit(*low)?, rest)),
        _ => None,
    }
}

fn digit(byte: u8) -> Option<u8> {
    let value = char::from(byte).to_digit(16)?;
    u8::try_from(value).ok()
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::ffi::OsStrExt as _;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn spellings_are_as_documented() {
        let table: [(&[u8], &str); 9] = [
            (b"plan.md", "plan.md"),
            ("gr\u{fc}n \u{1f600}".as_bytes(), "gr\u{fc}n \u{1f600}"),
            (b"a\nb", "a\nb"),
            (b"\xff", "\\xff"),
            (b"a\xc3(", "a\\xc3("),
            (b"\\x41", "\\x5cx41"),
            (b"\\x\xff", "\\x\\xff"),
            (b"C:\\xyz\\", "C:\\xyz\\"),
            (b"\\\\xFf", "\\\\x5cxFf"),
        ];
        for (bytes, text) in table {
            let name = OsStr::from_bytes(bytes);
            assert_eq!(encode(name), text);
            assert_eq!(decode(text), name, "{text}");
        }
    }

    #[test]
    fn a_disguised_separator_is_decoded() {
        assert_eq!(decode("\\x2e\\x2E\\x2fetc"), OsString::from("../etc"));
    }

    const AWKWARD: &[&[u8]] = &[b"\\", b"x", b"5", b"c", b"\xff", b"\xc3\xbc"];

    proptest! {
        #[test]
        fn no_name_is_lost(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
            let name = OsStr::from_bytes(&bytes);
            prop_assert_eq!(decode(&encode(name)), name);
        }

        #[test]
        fn no_awkward_name_is_lost(
            parts in proptest::collection::vec(proptest::sample::select(AWKWARD), 0..12),
        ) {
            let bytes = parts.concat();
            let name = OsStr::from_bytes(&bytes);
            prop_assert_eq!(decode(&encode(name)), name);
        }

        #[test]
        fn a_plain_name_is_its_own_spelling(name in "[^\\\\]{0,40}") {
            prop_assert_eq!(encode(OsStr::new(&name)), name);
        }
    }
}
