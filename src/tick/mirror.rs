//! The guard's record in usmc, in the form that the original protocol uses.
//!
//! Foreign records can break our guard, never make it hold; ours is written after the commit
//! for tools that look there. Source of the form: the protocol's own text,
//! `work-autonomous-guard: result=<word> fingerprint=<token> at=<ISO time>`.

use std::sync::Mutex;

use chrono::DateTime;
use serde_json::Value;

use crate::ledger::state::Record;
use crate::world::desk::Asker;
use crate::world::{Answer, Request};

use crate::ask::Asking;

/// What stands before the record in a note.
const PREFIX: &str = "work-autonomous-guard:";
/// The tag that marks such notes.
const TAG: &str = "work-autonomous-guard";
/// The most bytes of a listing; the same as the probes ask for, so that the answer is shared.
const OUTPUT_LIMIT: u64 = 4 * 1024 * 1024;

/// A record as it stands in usmc.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Foreign {
    /// `exhausted`, `blind` or `found`.
    pub result: String,
    /// When, as written.
    pub at: String,
}

/// Why a record in usmc breaks our guard, if one does: it is newer and says `found`.
pub fn breaks(asking: &Asking, project: &str, ours: &Record) -> Option<String> {
    let newest = newest(asking, project)?;
    let (theirs, own) = (time(&newest.at)?, time(&ours.at)?);
    let broken = theirs > own && !matches!(newest.result.as_str(), "exhausted" | "blind");
    broken.then(|| {
        format!(
            "usmc holds a newer record: `{}` of {}",
            newest.result, newest.at
        )
    })
}

fn time(text: &str) -> Option<DateTime<chrono::FixedOffset>> {
    DateTime::parse_from_rfc3339(text).ok()
}

fn newest(asking: &Asking, project: &str) -> Option<Foreign> {
    let words = ["usmc", "working", "--limit", "-1", "--json"];
    let request = Request::Run {
        argv: words.map(str::to_string).to_vec(),
        cwd: asking.facts.root.clone(),
        limit: OUTPUT_LIMIT,
    };
    let asker = Asker {
        function: "kernel::mirror",
        script: "kernel",
        line: 0,
        until: asking.until,
    };
    let Answer::Ran(ran) = asking.desk.ask(&request, &asker, &Mutex::new(Vec::new())) else {
        return None;
    };
    let rows: Value = serde_json::from_slice(&ran.stdout).ok()?;
    let records = rows.as_array()?.iter().filter(|row| is_ours(row, project));
    let records = records.filter_map(|row| parse(row.get("content")?.as_str()?));
    records.max_by_key(|record| time(&record.at))
}

/// Whether a note bears the guard's tag and the project's.
fn is_ours(row: &Value, project: &str) -> bool {
    let tags = row.get("tags").and_then(Value::as_str).unwrap_or_default();
    let has = |wanted: &str| {
        tags.split(',')
            .any(|tag| tag.trim().eq_ignore_ascii_case(wanted))
    };
    has(TAG) && has(project)
}

/// Reads a record out of a note.
pub fn parse(content: &str) -> Option<Foreign> {
    let rest = content.trim().strip_prefix(PREFIX)?;
    let field = |name: &str| {
        let mut words = rest.split_whitespace();
        words
            .find_map(|word| word.strip_prefix(name))
            .map(str::to_string)
    };
    Some(Foreign {
        result: field("result=")?,
        at: field("at=")?,
    })
}

/// The command that writes a record in the original form.
pub fn note(
    agent: &str,
    project: &str,
    (result, fingerprint, at): (&str, &str, &str),
) -> Vec<String> {
    let text = format!("{PREFIX} result={result} fingerprint={fingerprint} at={at}");
    let tags = format!("{TAG},{project}");
    let words = [
        "usmc",
        "--agent",
        agent,
        "note",
        &text,
        "--type",
        "context",
        "--priority",
        "3",
        "--tags",
        &tags,
    ];
    words.map(str::to_string).to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_original_form_is_written_and_read_back() {
        let words = note(
            "loop",
            "demo",
            ("blind", "77aa01", "2026-11-30T10:00:00+01:00"),
        );
        let text =
            "work-autonomous-guard: result=blind fingerprint=77aa01 at=2026-11-30T10:00:00+01:00";
        assert_eq!(words.get(4).map(String::as_str), Some(text));
        assert_eq!(
            words.last().map(String::as_str),
            Some("work-autonomous-guard,demo")
        );
        let read = parse(text).unwrap();
        assert_eq!(
            (read.result.as_str(), read.at.as_str()),
            ("blind", "2026-11-30T10:00:00+01:00")
        );
        assert_eq!(parse("work-autonomous-guard: result=blind"), None);
        assert_eq!(parse("RESUME: finish"), None);
    }
}
