//! Playing one case through the door of a real run: the same stages of a source, the same proof,
//! the same sorting, the same tick.
//!
//! INVARIANT: an answer is told as the kernel takes it. A script that answers without looking is
//! unavailable here as well.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::ask::{Asking, CallRecord};
use crate::script::coverage::Coverage;
use crate::script::layers::Scripts;
use crate::script::names::closest;
use crate::tick::probe::{self, Answer, Located};

use super::case::Case;
use super::told::{Told, evidence, seen};
use super::world;

mod gates;
mod proof;
mod rules;
mod whole;

/// Plays a case.
///
/// # Errors
/// Why it cannot be played as it is written (its time, a missing key, an expectation that
/// nothing answers to), and the key at fault, if it is one of its own.
pub fn play(
    case: &Case,
    scripts: &Arc<Scripts>,
    coverage: Option<&Arc<Coverage>>,
) -> Result<Told, Unplayed> {
    let stage = world::stage(case).map_err(whole_case)?;
    let mut named = stage.settings.keys();
    if let Some(path) = named.find(|path| is_astray(case, path, scripts)) {
        let why = format!("`settings`: {}", unknown(path, scripts));
        return Err((Some("settings"), why));
    }
    let asking = stage.asking(scripts, coverage);
    let told = match case.script.as_str() {
        "tick" => Ok(whole::tick(case, &asking, &stage)),
        "rules/gate" => rules::step(case, &asking),
        "gates" => gates::read(case, &asking),
        "rules/autonomy" => rules::sort(case, &asking),
        path => match path
            .strip_prefix("probes/")
            .and_then(|rest| rest.split_once('/'))
        {
            _ if scripts.effective(path).is_none() => Err(unknown(path, scripts)),
            Some(("sources", role)) => Ok(source(&asking, role)),
            Some(("work", name)) => Ok(work(&asking, name)),
            Some(("proofs", method)) => proof::play(case, &asking, method),
            _ => Err(format!(
                "`{path}` has no entry of its own: play `tick` or `gates`, or the probe that uses it"
            )),
        },
    };
    let told = told.map_err(whole_case)?;
    known(case, &told).map_err(|why| (Some("expect"), why))?;
    Ok(told)
}

/// The key at fault, and why a case cannot be played.
pub type Unplayed = (Option<&'static str>, String);

fn whole_case(why: String) -> Unplayed {
    (None, why)
}

/// Whether settings are those of a script that does not exist.
fn is_astray(case: &Case, path: &str, scripts: &Scripts) -> bool {
    let is_whole = matches!(case.script.as_str(), "tick" | "gates");
    is_whole && scripts.effective(path).is_none()
}

fn unknown(path: &str, scripts: &Scripts) -> String {
    let all: BTreeSet<&str> = scripts.all().map(|source| source.path.as_str()).collect();
    let near = closest(path, all.into_iter().chain(["tick", "gates"]));
    let hint = near.map(|near| format!("; did you mean `{near}`?"));
    format!("there is no script `{path}`{}", hint.unwrap_or_default())
}

/// Every expectation must be one that this kind of case can answer.
fn known(case: &Case, told: &Told) -> Result<(), String> {
    let Value::Object(fields) = &told.got else {
        return Ok(());
    };
    let Some(key) = case.expect.keys().find(|key| !fields.contains_key(*key)) else {
        return Ok(());
    };
    let near = closest(key, fields.keys().map(String::as_str));
    let hint = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => {
            let all: Vec<&str> = fields.keys().map(String::as_str).collect();
            format!("there is `{}`", all.join("`, `"))
        }
    };
    Err(format!(
        "`expect` of `{}` has no `{key}`; {hint}",
        case.script
    ))
}

fn work(asking: &Asking, name: &str) -> Told {
    let answer = probe::look(asking, name);
    Told::new(answered(asking, &answer, None), &answer.calls)
}

fn source(asking: &Asking, role: &str) -> Told {
    match probe::locate(asking, role) {
        Err(answer) => Told::new(answered(asking, &answer, Some(None)), &answer.calls),
        Ok((located, before)) => {
            let mut answer = probe::read(asking, &located);
            let calls: Vec<CallRecord> = before.into_iter().chain(answer.calls).collect();
            answer.calls = calls;
            let got = answered(asking, &answer, Some(Some(&located)));
            Told::new(got, &answer.calls)
        }
    }
}

/// What a probe answered; for a source with where it was found.
fn answered(asking: &Asking, answer: &Answer, located: Option<Option<&Located>>) -> Value {
    let mut got = json!({
        "answer": answer.status,
        "why": answer.why,
        "help": answer.help,
        "items": seen(&answer.items, asking.facts.now),
        "evidence": evidence(&answer.calls),
    });
    if let (Some(located), Value::Object(fields)) = (located, &mut got) {
        fields.insert("way".to_string(), json!(located.map(Located::way)));
        fields.insert("at".to_string(), json!(located.map(Located::at)));
        let situation = located.map_or(Value::Null, |located| located.situation().clone());
        fields.insert("situation".to_string(), situation);
    }
    got
}
