//! The lines of an `AUFGABEN.txt`: `- [ ] [TYPE] text -- suffix` below `## OFFEN` and its like.
//!
//! The grammar is that of dev-soft-agent. INVARIANT: a line that looks like an item and is not
//! exactly one is unclear; only prose is passed over.

use super::lines::{bare_marker, lines, list_marker};
use super::task::{EMPTY_TEXT, PLAIN_BULLET, State, Task};

/// The tasks of the text in order.
///
/// Done are `[x]` and everything below a heading with ERLEDIGT in it; open are `[ ]` and `[-]` (in
/// progress). Type and suffix stay in `text`, and the type may be missing. `section` is the
/// nearest heading; a deeper heading without a state word keeps the state of the one above.
pub fn tasks(text: &str) -> Vec<Task> {
    let mut section: Option<String> = None;
    let mut place = Place {
        level: 0,
        done: false,
    };
    let mut tasks = Vec::new();
    for (number, line) in lines(text) {
        if let Some((level, title)) = heading(line) {
            place = place.below(level, title);
            section = Some(title.to_owned());
        } else if let Some((state, text)) = item(line) {
            let state = if place.done { State::Done } else { state };
            tasks.push(Task {
                section: section.clone(),
                ..Task::new(number, state, text)
            });
        }
    }
    tasks
}

/// Where a line stands: the level of the heading that decides, and what it says.
#[derive(Clone, Copy)]
struct Place {
    level: usize,
    done: bool,
}

impl Place {
    fn below(self, level: usize, title: &str) -> Self {
        let title = title.to_uppercase();
        let says = |word: &str| title.contains(word);
        let denied = says("UNERLEDIGT") || says("NICHT");
        if ["OFFEN", "ARBEIT", "BLOCK"].into_iter().any(says) || denied {
            Self { level, done: false }
        } else if says("ERLEDIGT") {
            Self { level, done: true }
        } else if level > self.level && self.level > 0 {
            self
        } else {
            Self { level, done: false }
        }
    }
}

fn heading(line: &str) -> Option<(usize, &str)> {
    let level = line.bytes().take_while(|b| *b == b'#').count();
    let (_, title) = line.split_at_checked(level)?;
    ((1..=6).contains(&level) && title.starts_with([' ', '\t'])).then(|| (level, title.trim()))
}

fn item(line: &str) -> Option<(State, &str)> {
    let content = line.trim();
    if let Some(rest) = line.strip_prefix("- ").map(str::trim)
        && let Some((mark, text)) = boxed(rest)
    {
        return Some(match mark {
            Some(_) if text.is_empty() => (State::unclear(EMPTY_TEXT), content),
            Some(' ' | '-') => (State::Open, text),
            Some('x') => (State::Done, text),
            Some('X') => (
                State::unclear("a capital `X` in the box, only a small `x` is done"),
                content,
            ),
            _ => (State::unclear("unknown mark in the box"), content),
        });
    }
    look_alike(content).map(|reason| (State::unclear(reason), content))
}

/// A box with a blank (or nothing) behind it: its one character, `None` if there are none or more.
fn boxed(rest: &str) -> Option<(Option<char>, &str)> {
    let (inner, text) = rest.strip_prefix('[')?.split_once(']')?;
    let mut chars = inner.chars();
    let mark = chars.next().filter(|_| chars.next().is_none());
    let short = inner.chars().take(3).count() < 3;
    let apart = text.is_empty() || text.starts_with([' ', '\t']);
    (short && apart).then(|| (mark, text.trim()))
}

fn look_alike(content: &str) -> Option<&'static str> {
    let is_box = |text: &str| {
        ["[ ]", "[x]", "[X]", "[-]", "[~]", "[]", "[\u{a0}]"]
            .iter()
            .any(|b| text.starts_with(b))
    };
    if let Some((_, rest)) = list_marker(content) {
        let boxed = "a box, but not of the form `- [ ] text` at the line's start";
        return Some(if is_box(rest.trim()) {
            boxed
        } else {
            PLAIN_BULLET
        })
        .filter(|_| !rest.is_empty());
    }
    let glued = bare_marker(content).is_some_and(|(_, rest)| is_box(rest));
    let bare = is_box(content.trim_start_matches(['•', '–', '—', '·', ' ']));
    (glued || bare).then_some("a box, but not of the form `- [ ] text` at the line's start")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Vec<String> {
        let letter = |state: &State| match state {
            State::Open => "o",
            State::Done => "d",
            State::Unclear(reason) if reason == PLAIN_BULLET => "b",
            State::Unclear(_) => "?",
        };
        tasks(text)
            .iter()
            .map(|t| format!("{} {} {}", t.line, letter(&t.state), t.text))
            .collect()
    }

    #[test]
    fn the_line_grammar() {
        let table = [
            (
                "- [ ] [BUG] Import bricht ab -- seit gestern",
                Some("1 o [BUG] Import bricht ab -- seit gestern"),
            ),
            ("- [-] [FEATURE] Export", Some("1 o [FEATURE] Export")),
            (
                "- [x] [DOKU] Text -- DONE 2026-11-30",
                Some("1 d [DOKU] Text -- DONE 2026-11-30"),
            ),
            ("- [ ] ohne Typ", Some("1 o ohne Typ")),
            ("- [X] [BUG] gross", Some("1 ? - [X] [BUG] gross")),
            ("- [~] [BUG] a", Some("1 ? - [~] [BUG] a")),
            ("- [] a", Some("1 ? - [] a")),
            ("- [\u{a0}] a", Some("1 ? - [\u{a0}] a")),
            ("- [ ]", Some("1 ? - [ ]")),
            ("- [ ]a", Some("1 ? - [ ]a")),
            ("-[ ] a", Some("1 ? -[ ] a")),
            ("  - [ ] a", Some("1 ? - [ ] a")),
            ("* [ ] a", Some("1 ? * [ ] a")),
            ("1. [ ] a", Some("1 ? 1. [ ] a")),
            ("[ ] a", Some("1 ? [ ] a")),
            ("– [x] a", Some("1 ? – [x] a")),
            ("- nur so", Some("1 b - nur so")),
            ("- [BUG] a", Some("1 b - [BUG] a")),
            ("- [a](b)", Some("1 b - [a](b)")),
            ("Text mit [ ] Kasten", None),
            ("---", None),
            ("-", None),
            ("", None),
        ];
        for (line, expected) in table {
            assert_eq!(told(line).first().map(String::as_str), expected, "{line}");
        }
    }

    #[test]
    fn sections_decide() {
        let text = "\u{feff}# AUFGABEN\r\n\r\n## OFFEN\r\n- [ ] a\r\n## IN ARBEIT\r\n- [-] b\r\n### Teil\r\n- [x] c\r\n\
                    ## BLOCKIERT\r\n- [ ] d\r\n## ERLEDIGT\r\n- [ ] e\r\n### 2026\r\n- f\r\n\
                    ## Noch nicht erledigt\r\n- [ ] g\r\n## Unerledigt\r\n- [ ] h\r\n## Notizen\r\n- [ ] i\r\n";
        let expected = [
            "4 o a", "6 o b", "8 d c", "10 o d", "12 d e", "14 d - f", "16 o g", "18 o h", "20 o i",
        ];
        assert_eq!(told(text), expected);
        let sections: Vec<_> = tasks(text).into_iter().filter_map(|t| t.section).collect();
        assert_eq!(sections.first().map(String::as_str), Some("OFFEN"));
        assert_eq!(sections.get(5).map(String::as_str), Some("2026"));
    }
}
