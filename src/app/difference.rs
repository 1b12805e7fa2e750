//! What differs between two texts, line by line.

use similar::TextDiff;

/// The most lines of a text that is compared: beyond it the work grows with the square.
const MAX_LINES: usize = 5_000;
/// Lines of context around a change.
const CONTEXT: usize = 3;

/// A text with its name.
pub type Named<'a> = (&'a str, &'a str);

/// The lines of a unified diff, without line ends; they are text from outside. Nothing if the
/// texts are the same.
pub fn between(old: Named<'_>, new: Named<'_>) -> Vec<String> {
    if [old.1, new.1]
        .iter()
        .any(|text| text.lines().count() > MAX_LINES)
    {
        return vec![format!("(more than {MAX_LINES} lines: not compared)")];
    }
    let diff = TextDiff::from_lines(old.1, new.1);
    let mut unified = diff.unified_diff();
    let text = unified
        .context_radius(CONTEXT)
        .header(old.0, new.0)
        .to_string();
    text.lines().map(str::to_string).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_shown_with_its_surroundings() {
        let lines = between(("a", "1\n2\n3\n"), ("b", "1\nx\n3\n"));
        let wanted = ["--- a", "+++ b", "@@ -1,3 +1,3 @@", " 1", "-2", "+x", " 3"];
        assert_eq!(lines, wanted);
        assert!(between(("a", "1\n"), ("b", "1\n")).is_empty());
        let long = "x\n".repeat(MAX_LINES + 1);
        assert_eq!(between(("a", &long), ("b", "1\n")).len(), 1);
    }
}
