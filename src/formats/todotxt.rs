//! The lines of a todo.txt (todotxt.org): one task a line.
//!
//! INVARIANT: only a small `x` and a blank at the start of a line mean done. What comes close is
//! unclear; everything else, `xWord` too, is open.

use super::is_date;
use super::lines::lines;
use super::task::{EMPTY_TEXT, State, Task};

/// The tasks of the text; blank lines are none.
///
/// `text` is the line without the `x`, the priority and the dates in front; `+project`,
/// `@context` and `due:` stay in it.
pub fn tasks(text: &str) -> Vec<Task> {
    let full = lines(text).filter(|(_, line)| !line.trim().is_empty());
    full.map(|(number, line)| task(number, line)).collect()
}

fn task(number: usize, line: &str) -> Task {
    let (mut state, rest) = state(line);
    let (priority, rest) = front(rest);
    let due = due(rest);
    if due == Some(None) && state == State::Open {
        state = State::unclear("`due:` without a date of the form YYYY-MM-DD");
    }
    if rest.is_empty() {
        state = State::unclear(EMPTY_TEXT);
    }
    Task {
        priority,
        due: due.flatten().map(str::to_owned),
        ..Task::new(number, state, rest)
    }
}

fn state(line: &str) -> (State, &str) {
    let content = line.trim();
    if let Some(rest) = line.strip_prefix("x ") {
        return (State::Done, rest.trim());
    }
    if content.starts_with("X ") {
        return (
            State::unclear("a capital `X` means nothing in todo.txt, a small `x` is done"),
            content,
        );
    }
    if content.starts_with("x ") || content.starts_with("x\t") {
        return (
            State::unclear("an `x` that is not at the line's start with a blank behind it"),
            content,
        );
    }
    (State::Open, content)
}

/// Takes one `(A)` and up to two dates, in any order, from the front.
fn front(mut rest: &str) -> (Option<char>, &str) {
    let mut priority = None;
    let mut dates = 0;
    loop {
        let (word, behind) = rest.split_once(' ').unwrap_or((rest, ""));
        if let (None, Some(letter)) = (priority, letter(word)) {
            priority = Some(letter);
        } else if dates < 2 && is_date(word) {
            dates += 1;
        } else {
            return (priority, rest);
        }
        rest = behind.trim_start();
    }
}

fn letter(word: &str) -> Option<char> {
    let inner = word.strip_prefix('(')?.strip_suffix(')')?;
    let mut chars = inner.chars();
    let letter = chars.next().filter(char::is_ascii_uppercase)?;
    chars.next().is_none().then_some(letter)
}

/// The first `due:`; the inner `None` if no day stands behind it.
fn due(text: &str) -> Option<Option<&str>> {
    let day = text
        .split_whitespace()
        .find_map(|word| word.strip_prefix("due:"))?;
    Some(Some(day).filter(|day| is_date(day)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_counts_as_done() {
        let table = [
            ("x Angebot senden", "d", "Angebot senden"),
            ("x 2026-11-01 Bericht", "d", "Bericht"),
            ("x (A) 2026-11-01 Plan", "d", "Plan"),
            ("x 2026-11-02 2026-11-01 Zwei", "d", "Zwei"),
            ("X Rechnung", "?", "X Rechnung"),
            (" x Rechnung", "?", "x Rechnung"),
            ("x\tRechnung", "?", "x\tRechnung"),
            ("xBericht", "o", "xBericht"),
            ("(A) x-Achse prüfen", "o", "x-Achse prüfen"),
            ("(A) x Achse", "o", "x Achse"),
            ("x ", "?", ""),
            ("(A)", "?", ""),
            ("x", "o", "x"),
        ];
        for (line, state, text) in table {
            let tasks = tasks(line);
            let letter = match tasks[0].state {
                State::Open => "o",
                State::Done => "d",
                State::Unclear(_) => "?",
            };
            assert_eq!((letter, tasks[0].text.as_str()), (state, text), "{line}");
        }
    }

    #[test]
    fn priorities_and_dates() {
        let text = "\u{feff}(B) 2026-11-01 Plan +demo @home due:2026-12-01\r\n\r\n(b) klein due:morgen\n(AB) x due:2026-02-30\n";
        let tasks = tasks(text);
        let brief: Vec<_> = tasks
            .iter()
            .map(|t| (t.line, t.priority, t.due.as_deref()))
            .collect();
        assert_eq!(
            brief,
            [
                (1, Some('B'), Some("2026-12-01")),
                (3, None, None),
                (4, None, None)
            ]
        );
        assert_eq!(tasks[0].text, "Plan +demo @home due:2026-12-01");
        assert_eq!(tasks[0].state, State::Open);
        assert!(
            tasks
                .iter()
                .skip(1)
                .all(|t| matches!(&t.state, State::Unclear(r) if r.contains("due")))
        );
    }
}
