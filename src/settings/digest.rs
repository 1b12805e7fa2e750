//! The digest of what the settings say about a verdict.
//!
//! INVARIANT: equal settings give equal digests on every run; nothing of the moment (time,
//! session, actor, flags, colours) is in it, so that it can spare an unchanged run.

use serde_json::{Value, json};

use crate::script::value::text::digest;
use crate::world::name;

use super::Settings;

pub(super) fn of(settings: &Settings) -> String {
    let absent = settings.absent.iter().map(|(role, declared)| {
        let until = declared.until.map(|until| until.to_string());
        let value = json!({
            "reason": declared.reason, "until": until, "expired": declared.expired,
        });
        (role.clone(), value)
    });
    let absent: serde_json::Map<String, Value> = absent.collect();
    let value = json!({
        "format": 1,
        "zone": settings.zone.name(),
        "language": settings.language.text(),
        "english_signal": settings.english_signal,
        "interval": settings.interval.as_ref().map(|(interval, _)| interval.as_secs()),
        "mirror_usmc": settings.mirror_usmc,
        "grants": settings.grants,
        "variables": variables(settings),
        "absent": absent,
        "user_model_authorized": settings.user_model_authorized,
        "effects": settings.effects,
        "tests": settings.tests,
        "handed_out": settings.handed_out,
        "project": settings.project,
        "scripts": settings.scripts,
        "trusted": settings.trust.is_trusted(),
    });
    digest(value.to_string().as_bytes())
}

/// The values of granted variables: scripts may read them.
fn variables(settings: &Settings) -> Value {
    let granted = settings.grants.environment.iter().filter_map(|granted| {
        let value = settings
            .child_environment
            .get(std::ffi::OsStr::new(granted))?;
        Some((granted.clone(), Value::from(name::encode(value))))
    });
    Value::Object(granted.collect())
}
