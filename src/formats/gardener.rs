//! The text output of gardener (0.4.0): hits, tasks, one record.
//!
//! gardener exits with 0 whatever happened, so the text is all there is. INVARIANT: a text is
//! either understood line by line, or the known sentence for "nothing", or an error.

use super::lines::{Span, spans};

/// Characters of a record's content that gardener prints at most.
const SHOWN: usize = 2_000;

/// A line of `find` or `list`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit<'a> {
    /// `memory`, `session`, `task`, `observed`, ...
    pub kind: &'a str,
    /// May hold blanks.
    pub name: &'a str,
    /// `user` or `system`.
    pub store: &'a str,
}

/// A line of `tasks`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskLine<'a> {
    /// `[x]`.
    pub done: bool,
    /// May hold blanks.
    pub name: &'a str,
    /// `normal`, ...
    pub priority: &'a str,
    /// As printed, if anything is.
    pub due: Option<&'a str>,
}

/// The output of `get`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record<'a> {
    /// The name.
    pub name: &'a str,
    /// The type.
    pub kind: &'a str,
    /// The tags, in order.
    pub tags: Vec<&'a str>,
    /// `user` or `system`.
    pub store: &'a str,
    /// Local time without zone, as printed.
    pub updated: &'a str,
    /// The content without the last line end.
    pub content: &'a str,
    /// The content is as long as gardener prints at most: there may be more.
    pub maybe_cut: bool,
}

/// A line that is not what the call prints.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of the output of `gardener {call}` is not understood: `{text}`")]
pub struct NotUnderstood {
    /// The subcommand.
    pub call: &'static str,
    /// 1-based line; 1 for an empty output.
    pub line: usize,
    /// The line, cut after 120 characters.
    pub text: String,
}

/// The hits of `gardener find`.
///
/// # Errors
/// The first line that is no hit, or an output without any line.
pub fn find(output: &str) -> Result<Vec<Hit<'_>>, NotUnderstood> {
    each("find", output, "Keine Ergebnisse.", hit)
}

/// The hits of `gardener list`, the newest first, at most 50.
///
/// # Errors
/// As [`find`].
pub fn list(output: &str) -> Result<Vec<Hit<'_>>, NotUnderstood> {
    each("list", output, "Keine Einträge.", hit)
}

/// The lines of `gardener tasks`.
///
/// # Errors
/// As [`find`].
pub fn tasks(output: &str) -> Result<Vec<TaskLine<'_>>, NotUnderstood> {
    each("tasks", output, "Keine Tasks.", task)
}

/// The record of `gardener get`; `None` if gardener says that there is none.
///
/// # Errors
/// The first line of the head that is missing or another.
pub fn get(output: &str) -> Result<Option<Record<'_>>, NotUnderstood> {
    let mut lines = spans(output);
    let mut head = [""; 5];
    let keys = ["Name:", "Typ:", "Tags:", "Source:", "Updated:"];
    for (index, (key, slot)) in keys.into_iter().zip(&mut head).enumerate() {
        let line = lines.next();
        let text = line.map_or("", |line| line.text);
        if index == 0 && text.starts_with("  Nicht gefunden: ") && lines.next().is_none() {
            return Ok(None);
        }
        let value = text.strip_prefix(key).ok_or_else(|| fault("get", line))?;
        *slot = value.trim();
    }
    let line = lines.next();
    let from = line
        .filter(|line| line.text == "---")
        .ok_or_else(|| fault("get", line))?
        .end;
    let [name, kind, tags, store, updated] = head;
    let content = output.get(from..).unwrap_or_default();
    let content = content.strip_suffix('\n').unwrap_or(content);
    let content = content.strip_suffix('\r').unwrap_or(content);
    let tags = tags
        .split(',')
        .map(str::trim)
        .filter(|tag| !tag.is_empty())
        .collect();
    let maybe_cut = content.chars().take(SHOWN).count() == SHOWN;
    Ok(Some(Record {
        name,
        kind,
        tags,
        store,
        updated,
        content,
        maybe_cut,
    }))
}

fn each<'a, T>(
    call: &'static str,
    output: &'a str,
    none: &str,
    read: impl Fn(&'a str) -> Option<T>,
) -> Result<Vec<T>, NotUnderstood> {
    let mut lines = spans(output).peekable();
    let Some(first) = lines.peek() else {
        return Err(fault(call, None));
    };
    if let Some(rest) = first
        .text
        .strip_prefix("  ")
        .and_then(|text| text.strip_prefix(none))
    {
        let filtered = rest.starts_with(" (Filter aktiv: ") && rest.ends_with(')');
        let first = lines.next().filter(|_| rest.is_empty() || filtered);
        return match (first, lines.next()) {
            (Some(_), None) => Ok(Vec::new()),
            (Some(_), more) => Err(fault(call, more)),
            (None, _) => Err(fault(call, spans(output).next())),
        };
    }
    lines
        .map(|line| read(line.text).ok_or_else(|| fault(call, Some(line))))
        .collect()
}

/// `  [kind      ] name                     (user)`, read from the right: names are longer than
/// their column and may hold brackets.
fn hit(line: &str) -> Option<Hit<'_>> {
    let (kind, rest) = line.strip_prefix("  [")?.split_once("] ")?;
    let (name, store) = rest.rsplit_once(" (")?;
    let (kind, name, store) = (kind.trim(), name.trim_end(), store.strip_suffix(')')?);
    let known = matches!(store, "user" | "system");
    (known && is_word(kind) && !name.trim().is_empty()).then_some(Hit { kind, name, store })
}

/// `  [ ] name                          (normal) due`.
fn task(line: &str) -> Option<TaskLine<'_>> {
    let (mark, rest) = line.strip_prefix("  [")?.split_once("] ")?;
    let (name, rest) = rest.rsplit_once(" (")?;
    let (priority, due) = rest.split_once(')')?;
    let done = match mark {
        " " => false,
        "x" => true,
        _ => return None,
    };
    let apart = due.is_empty() || due.starts_with(' ');
    let due = Some(due.trim()).filter(|due| !due.is_empty());
    let name = name.trim_end();
    (apart && is_word(priority) && !name.trim().is_empty()).then_some(TaskLine {
        done,
        name,
        priority,
        due,
    })
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || "[]()".contains(c))
}

fn fault(call: &'static str, line: Option<Span<'_>>) -> NotUnderstood {
    let text = line
        .map_or("", |line| line.text)
        .chars()
        .take(120)
        .collect();
    NotUnderstood {
        call,
        line: line.map_or(1, |line| line.number),
        text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "  [memory    ] memo/2026-11-30T15-11-06                 (user)\n  [session   ] session/2026-11-30                       (user)\n  [task      ] publish-docs                             (user)\n";

    #[test]
    fn recorded_hits_and_misses() {
        let hit = |kind, name, store| Hit { kind, name, store };
        let found = list(LIST).unwrap();
        assert_eq!(found.len(), 3);
        assert_eq!(found[0], hit("memory", "memo/2026-11-30T15-11-06", "user"));
        let one = find("  [session   ] session/2026-11-30             (user)\r\n").unwrap();
        assert_eq!(one, [hit("session", "session/2026-11-30", "user")]);
        let odd = "  [observed  ] a (user) name [x] that is longer than its column (system)\n";
        assert_eq!(
            find(odd).unwrap(),
            [hit(
                "observed",
                "a (user) name [x] that is longer than its column",
                "system"
            )]
        );
        assert_eq!(find("  Keine Ergebnisse.\n").unwrap(), []);
        assert_eq!(
            find("  Keine Ergebnisse. (Filter aktiv: --source=abc)\n").unwrap(),
            []
        );
        assert_eq!(list("  Keine Einträge.\n").unwrap(), []);
        assert_eq!(tasks("  Keine Tasks.\n").unwrap(), []);
    }

    #[test]
    fn recorded_tasks() {
        let text = "  [ ] publish-docs                   (normal) \n  [x] a (b) c                        (high) 2026-12-01\n  [ ] x (low)\n";
        let line = |done, name, priority, due| TaskLine {
            done,
            name,
            priority,
            due,
        };
        let expected = [
            line(false, "publish-docs", "normal", None),
            line(true, "a (b) c", "high", Some("2026-12-01")),
            line(false, "x", "low", None),
        ];
        assert_eq!(tasks(text).unwrap(), expected);
    }

    #[test]
    fn recorded_records() {
        let text = "Name:    session/2026-11-30\nTyp:     session\nTags:    session,episodisch\nSource:  user\nUpdated: 2026-11-30T15:11:06\n---\nImporter done. NAECHSTE: release notes\n---\nmore\n";
        let record = get(text).unwrap().unwrap();
        assert_eq!(
            (record.name, record.kind, record.store),
            ("session/2026-11-30", "session", "user")
        );
        assert_eq!(record.tags, ["session", "episodisch"]);
        assert_eq!(
            record.content,
            "Importer done. NAECHSTE: release notes\n---\nmore"
        );
        assert!(!record.maybe_cut);
        let long = format!(
            "{}{}",
            text.split_inclusive("---\n").next().unwrap(),
            "ä".repeat(2000)
        );
        assert!(get(&long).unwrap().unwrap().maybe_cut);
        assert_eq!(get("  Nicht gefunden: x\n"), Ok(None));
    }

    #[test]
    fn anything_else_is_an_error_with_its_line() {
        let unknown = "  Unbekannter Befehl: bogus-command\n";
        assert_eq!(
            find(unknown).unwrap_err().to_string(),
            "line 1 of the output of `gardener find` is not understood: `  Unbekannter Befehl: bogus-command`"
        );
        assert_eq!(get(unknown).unwrap_err().line, 1);
        let table = [
            ("", 1),
            ("\n", 1),
            ("  Keine Einträge.\n", 1),
            ("  Keine Ergebnisse. Fehler\n", 1),
            ("  Keine Ergebnisse.\nWarnung\n", 2),
            ("  [memory    ] a (user)\n  [memory    ] b (team)\n", 2),
            ("  [memory    ] a (user)\n\n", 2),
            ("  [memory    ]  (user)\n", 1),
            ("  [          ] a (user)\n", 1),
            ("[memory    ] a (user)\n", 1),
            ("  [memory    ] a (user) \n", 1),
        ];
        for (text, line) in table {
            assert_eq!(
                find(text).map_err(|error| error.line),
                Err(line),
                "{text:?}"
            );
        }
        for text in [
            "  [~] a (normal)\n",
            "  [ ] a\n",
            "  [ ] a (not so)\n",
            "  [ ] a (normal)x\n",
            "",
        ] {
            assert_eq!(tasks(text).map_err(|error| error.line), Err(1), "{text:?}");
        }
        assert_eq!(get("Name:    a\nTyp:     b\n---\n").unwrap_err().line, 3);
        assert_eq!(get("  Nicht gefunden: a\nmore\n").unwrap_err().line, 1);
    }
}
