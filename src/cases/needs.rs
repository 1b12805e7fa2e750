//! Cases that could not fail, or that say what nothing of what they play would ever read.
//!
//! INVARIANT: what is refused here would pass, or be passed over, without a word.

use serde_json::Value;

use crate::script::names::MODULES;

use super::case::Case;

/// The results that a record may have.
const RESULTS: &[&str] = &["exhausted", "blind", "found", "user-only"];

/// The key that makes no sense in this case, and why.
pub fn misplaced(case: &Case) -> Option<(&'static str, String)> {
    let script = case.script.as_str();
    let given = [
        ("record", case.record.is_some()),
        ("absent", !case.absent.is_empty()),
        ("item", case.item.is_some()),
        ("finding", case.finding.is_some()),
        ("prove", case.prove),
        ("gate", case.gate.is_some()),
        ("text", case.text.is_some()),
        ("reply", case.reply.is_some()),
        ("effects", !case.effects.is_empty()),
    ];
    let given = given.into_iter().filter(|(_, is_given)| *is_given);
    let mut wrong = given.filter_map(|(key, _)| Some((key, wanted(key, case)?)));
    wrong.next().map(|(key, wanted)| {
        let message = format!("`{key}` is read only for {wanted}, and this case plays `{script}`");
        (key, message)
    })
}

/// What would read a key, if it is not what the case plays.
fn wanted(key: &str, case: &Case) -> Option<&'static str> {
    let script = case.script.as_str();
    let is_proof = script.starts_with("probes/proofs/");
    let (fits, wanted) = match key {
        "record" | "absent" => (script == "tick", "`tick`"),
        "item" => (script == "rules/autonomy", "`rules/autonomy`"),
        "finding" => (script == "rules/gate", "`rules/gate`"),
        "prove" => (is_proof && case.text.is_some(), "a proof with `text`"),
        "gate" => (
            is_proof || script == "rules/gate",
            "a proof or `rules/gate`",
        ),
        "text" => (is_proof || script == "gates", "a proof or `gates`"),
        "reply" => (script == "probes/proofs/consent", "`probes/proofs/consent`"),
        _ => (
            matches!(script, "tick" | "rules/autonomy"),
            "`tick` or `rules/autonomy`",
        ),
    };
    (!fits).then_some(wanted)
}

/// Why the record of a case is none.
pub fn record(case: &Case) -> Option<String> {
    let record = case.record.as_ref()?;
    if !RESULTS.contains(&record.result.as_str()) {
        let known = RESULTS.join("`, `");
        return Some(format!(
            "`record` has the result `{known}`, not `{}`",
            record.result
        ));
    }
    let at = chrono::DateTime::parse_from_rfc3339(&record.at);
    at.is_err()
        .then(|| format!("`at` of `record` is no instant: `{}`", record.at))
}

/// Why what is expected could never differ from what comes out.
pub fn idle(case: &Case) -> Option<String> {
    if let Some(looks) = case.expect.get("not_asked") {
        match looks.as_array().map(Vec::as_slice) {
            None => return Some("`not_asked` is a list of looks".to_string()),
            Some([]) => {
                return Some(
                    "`not_asked: []` could not fail: name the looks, such as `cmd::run ...`".into(),
                );
            }
            Some(looks) => {
                if let Some(look) = looks.iter().find(|look| !is_look(look)) {
                    return Some(format!(
                        "`not_asked` names {look}, which no look is called; one is like `\"fs::read TODO.md\"`"
                    ));
                }
            }
        }
    }
    let is_any = |value: &Value| value.as_str().is_some_and(|text| text == "...");
    let is_idle = !case.expect.is_empty() && case.expect.values().all(is_any);
    is_idle.then(|| {
        "`expect` asks only for `...`, which is anything, so the case could not fail".to_string()
    })
}

/// Whether a path is written as the world is asked for it.
pub fn is_plain(path: &str) -> bool {
    let below = path.strip_prefix("~/").or(path.strip_prefix('/'));
    let path = below.unwrap_or(path);
    let path = path.strip_suffix('/').unwrap_or(path);
    let is_odd = |part: &str| matches!(part, "" | "." | ".." | "~");
    path == "." || !path.split('/').any(is_odd)
}

/// Whether a text may be what a look is called: `fs::read ...`, or anything at its beginning.
fn is_look(look: &Value) -> bool {
    let Some(text) = look.as_str() else {
        return false;
    };
    if text.contains("...") && !text.contains("::") {
        return true;
    }
    let module = text.split_once("::").map(|(module, _)| module);
    module.is_some_and(|module| MODULES.contains(&module) || module.starts_with("..."))
}
