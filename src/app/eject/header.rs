//! The comment at the head of an ejected script: what it replaces, and from which text it was
//! made. It is read again to tell whether the built-in script has changed since.

/// What a head says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// The version of belegt that ejected the script.
    pub version: String,
    /// SHA-256 of the built-in text at that time, in hex.
    pub digest: String,
}

const ORIGIN: &str = "// Ejected from builtin/";
const OF: &str = ".rhai of belegt ";
const DIGEST: &str = "// SHA-256 of the built-in text: ";
const NEXT: &str = "\
// It replaces the built-in script, and what that learns later does not reach it; `belegt scripts`
// shows the difference. Next: change it, then `belegt check`, `belegt test` and, for a site,
// `belegt trust`: until then no script of the site runs.
";
/// The most characters of a version.
const LONGEST: usize = 40;

/// The head of a script that is ejected now.
pub fn written(path: &str, digest: &str) -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!("{ORIGIN}{path}{OF}{version}\n{DIGEST}{digest}\n{NEXT}\n")
}

/// What the head of a script says, if it was ejected from this path.
pub fn read(path: &str, text: &str) -> Option<Header> {
    let mut lines = text.lines();
    let origin = lines.next()?.strip_prefix(ORIGIN)?.strip_prefix(path)?;
    let version = origin.strip_prefix(OF)?;
    let digest = lines.next()?.strip_prefix(DIGEST)?;
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+');
    let is_version = version.len() <= LONGEST && version.chars().all(plain);
    let is_digest = digest.len() == 64 && digest.chars().all(|c| c.is_ascii_hexdigit());
    (is_version && is_digest).then(|| Header {
        version: version.to_string(),
        digest: digest.to_string(),
    })
}

/// The script without its head.
pub fn body<'t>(path: &str, text: &'t str) -> &'t str {
    if read(path, text).is_none() {
        return text;
    }
    let rest = text.splitn(3, '\n').nth(2).unwrap_or_default();
    let rest = rest.strip_prefix(NEXT).unwrap_or(rest);
    rest.strip_prefix('\n').unwrap_or(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_is_read_as_it_was_written() {
        let digest = "0f".repeat(32);
        let text = format!("{}const META = 1;\n", written("rules/words", &digest));
        let header = read("rules/words", &text).unwrap();
        assert_eq!(header.digest, digest);
        assert_eq!(header.version, env!("CARGO_PKG_VERSION"));
        assert_eq!(body("rules/words", &text), "const META = 1;\n");
        assert_eq!(read("rules/word", &text), None);
        assert_eq!(body("rules/word", &text), text);
        let changed = text.replace("`belegt check`", "nothing");
        assert!(body("rules/words", &changed).contains("nothing"));
    }

    #[test]
    fn what_is_not_exactly_a_head_is_none() {
        let good = written("rules/words", &"0f".repeat(32));
        let table = [
            good.replace("0f0f", "0g0f"),
            good.replace("0f0f", "0f"),
            good.replace("belegt 0", "belegt \u{1b}[2J"),
            good.replace("belegt 0", &format!("belegt {}", "9".repeat(50))),
            format!("\n{good}"),
            good.lines().next().unwrap().to_string(),
            String::new(),
        ];
        for text in table {
            assert_eq!(read("rules/words", &text), None, "{text}");
        }
    }
}
