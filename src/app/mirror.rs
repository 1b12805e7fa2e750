//! Writes the guard's record into usmc after the commit, where the site asks for it.
//!
//! The ledger is the truth; the mirror is a courtesy. Its failure is a warning.

use std::time::{Duration, Instant};

use serde_json::Value;

use crate::tick::mirror::note;
use crate::world::{Answer, Request};

use super::context::Context;
use super::stage::Stage;
use crate::settings::identity::UNKNOWN;

/// How long usmc may take.
const PATIENCE: Duration = Duration::from_secs(15);

/// Mirrors the record of a stored tick; a warning if that failed.
pub fn write(settings: &Context<'_>, stage: &Stage, body: &Value) -> Option<String> {
    if !settings.mirror_usmc {
        return None;
    }
    let record = body.get("record")?;
    let field = |key: &str| record.get(key).and_then(Value::as_str);
    let (result, print, at) = (field("result")?, field("fingerprint")?, field("at")?);
    // The original knows three words; a fourth would be read as a hole in the record.
    if !matches!(result, "exhausted" | "blind" | "found") {
        return None;
    }
    let agent = match settings.actor.name.as_str() {
        "" | UNKNOWN => "belegt",
        name => name,
    };
    let request = Request::Run {
        argv: note(agent, &settings.project, (result, print, at)),
        cwd: crate::world::name::encode(settings.root.as_os_str()),
        limit: 64 * 1024,
    };
    match stage.ask(&request, Instant::now() + PATIENCE) {
        Answer::Ran(ran) if ran.status == 0 => None,
        Answer::Ran(ran) => Some(format!(
            "usmc did not take the guard's record: exit code {}",
            ran.status
        )),
        Answer::Missing => {
            Some("usmc did not take the guard's record: it is not on PATH".to_string())
        }
        Answer::Failed { why, .. } => Some(format!("usmc did not take the guard's record: {why}")),
        _ => Some("usmc did not take the guard's record".to_string()),
    }
}
