//! `META`: what a script declares of itself, read key by key.
//!
//! INVARIANT: every wrong key is told, each at its own place; what is right beside it still
//! counts.

use std::sync::Arc;
use std::time::Duration;

use rhai::AST;
use serde_json::Value;

use crate::diag::{Code, Fault};
use crate::script::fault::at_point;
use crate::script::literal::{Places, place_of, places};
use crate::script::names::closest;

use super::{Meta, required_literal};

/// The longest deadline of a call.
const LONGEST: Duration = Duration::from_secs(30 * 60);

/// Reads `META`; what is wrong with it joins the problems.
pub fn read(source: (&str, &Arc<str>), ast: &AST, problems: &mut Vec<Fault>) -> Meta {
    let mut reader = Reader {
        source,
        places: places(ast, "META"),
        problems,
    };
    match required_literal(source, ast, "META") {
        Ok(Value::Object(fields)) => reader.fields(&fields),
        Ok(_) => {
            reader.wrong(&[], "`META` must be a map".into());
            Meta::default()
        }
        Err(fault) => {
            reader.problems.push(fault);
            Meta::default()
        }
    }
}

struct Reader<'a> {
    source: (&'a str, &'a Arc<str>),
    places: Places,
    problems: &'a mut Vec<Fault>,
}

impl Reader<'_> {
    fn wrong(&mut self, path: &[&str], message: String) {
        let position = place_of(&self.places, path);
        self.problems
            .push(at_point(Code::MetaKey, message, self.source, position));
    }

    fn fields(&mut self, fields: &serde_json::Map<String, Value>) -> Meta {
        let mut meta = Meta::default();
        for (key, value) in fields {
            if let Err(why) = field(&mut meta, key, value) {
                self.wrong(&[key], why);
            }
        }
        match fields.get("api") {
            None => self.wrong(&[], "`META` needs `api: 1`".into()),
            Some(api) if api.is_number() && api.as_i64() != Some(1) => {
                let message = format!("this belegt speaks script API 1, the script wants {api}");
                self.wrong(&["api"], message);
            }
            Some(_) => {}
        }
        let is_said = |about: &Value| about.as_str().is_none_or(|about| !about.trim().is_empty());
        if !fields.get("about").is_some_and(is_said) {
            let message = "`META` needs `about`: what the script does, in one line";
            self.wrong(&["about"], message.into());
        }
        meta
    }
}

/// One key of `META`, or why it cannot be used.
fn field(meta: &mut Meta, key: &str, value: &Value) -> Result<(), String> {
    match (key, value) {
        ("api", Value::Number(_)) => {}
        ("about", Value::String(about)) => meta.about.clone_from(about),
        ("within", Value::String(within)) => {
            let duration = crate::model::duration::parse(within)?;
            meta.within = Some(duration.min(LONGEST));
        }
        ("cost", Value::String(cost)) if cost == "cheap" || cost == "costly" => {
            meta.cheap = cost == "cheap";
        }
        ("fresh_for", Value::String(fresh)) => meta.fresh_for = Some(fresh.clone()),
        ("makeable", Value::Bool(makeable)) => meta.makeable = *makeable,
        (key, _) => return Err(wrong_key(key)),
    }
    Ok(())
}

fn wrong_key(key: &str) -> String {
    const KEYS: &[&str] = &["api", "about", "within", "cost", "fresh_for", "makeable"];
    if KEYS.contains(&key) {
        return format!("`{key}` in `META` has a value of another type than expected");
    }
    let near = closest(key, KEYS.iter().copied());
    let hint = near
        .map(|n| format!("; did you mean `{n}`?"))
        .unwrap_or_default();
    format!("`META` has no key `{key}`{hint}")
}
