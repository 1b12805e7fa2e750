//! JSON with exactly one reading (RFC 8259): for proofs, where a lenient reader would be a hole.
//!
//! INVARIANT: no key twice in an object, no integer outside 64 bits with sign, no nesting beyond
//! [`DEEPEST`], nothing behind the value. What is accepted means the same to every other reader.

mod build;
mod numbers;

use super::without_bom;
use build::Seed;
use serde::de::DeserializeSeed as _;
use serde_json::Value;

/// Arrays and objects that may stand in each other.
pub const DEEPEST: usize = 64;

/// Why a text is refused, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} (line {line}, column {column})")]
pub struct Refused {
    /// 1-based line.
    pub line: usize,
    /// 1-based column in characters, at the offence or just behind it.
    pub column: usize,
    /// What is wrong, in one sentence.
    pub what: String,
}

/// Reads one JSON value; a byte order mark before it is allowed.
///
/// # Errors
/// The first place at which the text is no JSON or could be read in two ways.
pub fn parse(text: &str) -> Result<Value, Refused> {
    let body = without_bom(text);
    if body.trim_ascii().is_empty() {
        return Err(Refused {
            line: 1,
            column: 1,
            what: "the text is empty, a JSON value is needed".to_owned(),
        });
    }
    if let Some((offset, what)) = numbers::offence(body) {
        let before = body.get(..offset).unwrap_or_default();
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        let line = before.bytes().filter(|b| *b == b'\n').count() + 1;
        let column = before.get(start..).unwrap_or_default().chars().count() + 1;
        return Err(Refused { line, column, what });
    }
    let mut reader = serde_json::Deserializer::from_str(body);
    let mut path = Vec::new();
    let value = Seed { path: &mut path }.deserialize(&mut reader);
    let whole = value.and_then(|value| reader.end().map(|()| value));
    whole.map_err(|error| refused(body, &error))
}

fn refused(body: &str, error: &serde_json::Error) -> Refused {
    let (line, byte) = (error.line().max(1), error.column());
    let text = body.split('\n').nth(line - 1).unwrap_or_default();
    let before = text.get(..byte.saturating_sub(1));
    let column = before
        .map_or(byte, |before| before.chars().count() + 1)
        .max(1);
    let message = error.to_string();
    let place = format!(" at line {} column {byte}", error.line());
    let what = message
        .strip_suffix(&place)
        .unwrap_or(&message)
        .replace("EOF", "the text ends");
    Refused { line, column, what }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn good_texts() {
        let table = [
            (
                "\u{feff}{\"ac\":{\"AC1\":\"PASS\"}}\r\n",
                json!({"ac": {"AC1": "PASS"}}),
            ),
            (
                " [1, -2.5, 1e3, true, null, \"\\u00e4\\\"[\"] ",
                json!([1, -2.5, 1000.0, true, null, "ä\"["]),
            ),
            ("9223372036854775807", json!(i64::MAX)),
            ("-9223372036854775808", json!(i64::MIN)),
            ("0", json!(0)),
            (
                r#"["\" 18446744073709551616 NaN \\"]"#,
                json!(["\" 18446744073709551616 NaN \\"]),
            ),
            ("-0.0", json!(-0.0)),
            ("{\"a\":{\"b\":1},\"b\":1}", json!({"a": {"b": 1}, "b": 1})),
        ];
        for (text, expected) in table {
            assert_eq!(parse(text), Ok(expected), "{text}");
        }
        assert!(parse(&format!("{}{}", "[".repeat(64), "]".repeat(64))).is_ok());
    }

    #[test]
    fn refusals_name_place_and_reason() {
        let deep = "[".repeat(65) + &"]".repeat(65);
        let table = [
            ("", 1, 1, "empty"),
            (
                "{\"AC1\":{\"status\":\"FAIL\",\n\"status\":\"PASS\"}}",
                2,
                8,
                "the key `AC1.status` stands twice",
            ),
            (
                "[1,{\"x\":[{\"y\":1,\"y\":2}]}]",
                1,
                19,
                "the key `[1].x[0].y` stands twice",
            ),
            (
                "{\"exit_code\":18446744073709551616}",
                1,
                14,
                "`18446744073709551616` does not fit",
            ),
            (
                "{\"ä\":9223372036854775808}",
                1,
                6,
                "`9223372036854775808` does not fit",
            ),
            ("-9223372036854775809", 1, 1, "does not fit"),
            ("[1,\n -0]", 2, 2, "`-0` is no integer"),
            ("{\"duration\":NaN}", 1, 13, "`NaN` is no JSON"),
            ("[-Infinity]", 1, 2, "`-Infinity` is no JSON"),
            ("1e999", 1, 5, "number out of range"),
            ("{} x", 1, 4, "`x` is no JSON"),
            ("{} {}", 1, 4, "trailing characters"),
            ("{\"a\":1,}", 1, 8, "trailing comma"),
            ("{\"a\"", 1, 4, "the text ends"),
            ("\"a", 1, 2, "the text ends"),
            ("'", 1, 1, "expected value"),
            ("\"\\ud800\"", 1, 8, "hex escape"),
            ("01", 1, 2, "invalid number"),
            (deep.as_str(), 1, 66, "more than 64"),
            ("\u{feff}\u{feff}1", 1, 1, "expected value"),
        ];
        for (text, line, column, what) in table {
            let error = parse(text).unwrap_err();
            assert!(error.what.contains(what), "{text}: {error}");
            assert_eq!(
                (error.line, error.column),
                (line, column),
                "{text}: {error}"
            );
        }
    }
}
