//! The head of a ticket-like file: the first `KEY: value` of each wanted key.
//!
//! INVARIANT: bytes that are no UTF-8 spoil the value they stand in, never another one.

/// The values of the keys, in their order; `None` for a key that no line begins with.
///
/// A key stands at the start of a line, in exactly this case, with a colon behind it (blanks
/// before the colon are allowed). The first line of a key counts; its value is trimmed and may be
/// empty. If `bytes` is only the beginning of a file, its last line may be cut.
pub fn fields(bytes: &[u8], keys: &[&str]) -> Vec<Option<String>> {
    let mut found: Vec<Option<String>> = vec![None; keys.len()];
    let mut missing = keys.len();
    let body = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    for line in body.split(|byte| *byte == b'\n') {
        if missing == 0 {
            break;
        }
        for (key, slot) in keys.iter().zip(&mut found) {
            if slot.is_none()
                && let Some(value) = value(line, key.as_bytes())
            {
                *slot = Some(String::from_utf8_lossy(value.trim_ascii()).into_owned());
                missing -= 1;
            }
        }
    }
    found
}

fn value<'l>(line: &'l [u8], key: &[u8]) -> Option<&'l [u8]> {
    let rest = line.strip_prefix(key)?;
    rest.trim_ascii_start().strip_prefix(b":")
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "====\nTICKET\n====\nID:            T-20261130-557368869\nTITEL:         Add a header check\n\
        STATUS:        WAITING/scheduled (seit 2026-11-01)\nFUEHRUNGSDATEI:<noch offen — später>\n\n----\nSTATUS: later\n";

    fn read(bytes: &[u8]) -> Vec<Option<String>> {
        fields(bytes, &["STATUS", "ID", "TITLE", "FUEHRUNGSDATEI", "TITEL"])
    }

    #[test]
    fn first_value_of_each_key() {
        let expected = [
            Some("WAITING/scheduled (seit 2026-11-01)".to_owned()),
            Some("T-20261130-557368869".to_owned()),
            None,
            Some("<noch offen — später>".to_owned()),
            Some("Add a header check".to_owned()),
        ];
        assert_eq!(read(HEAD.as_bytes()), expected);
        let windows = format!(
            "\u{feff}{}",
            HEAD.trim_start_matches("====\nTICKET\n====\n")
                .replace('\n', "\r\n")
        );
        assert_eq!(read(windows.as_bytes()), expected);
    }

    #[test]
    fn odd_lines() {
        let table: [(&[u8], Option<&str>); 9] = [
            (b"", None),
            (b"STATUS", None),
            (b"STATUS:", Some("")),
            (b"STATUS :  A  ", Some("A")),
            (b" STATUS: A", None),
            (b"Status: A", None),
            (b"STATUSX: A\nSTATUS: B", Some("B")),
            (b"x: \xff\nSTATUS: B\xfcro\n", Some("B\u{fffd}ro")),
            (b"STATUS: A: B", Some("A: B")),
        ];
        for (bytes, expected) in table {
            assert_eq!(
                fields(bytes, &["STATUS"]),
                [expected.map(str::to_owned)],
                "{bytes:?}"
            );
        }
    }
}
