//! What is wrong here, with remedies, on one page.

use crate::diag::{Code, Fault, Finding, Severity};
use crate::ledger::fault::LedgerFault;
use crate::script::layers::Scripts;
use crate::settings::trust::Trust;
use crate::tick::outcome::Outcome;

use super::book::{Book, fault};
use super::bundle;
use super::context::Context;

/// The findings, and the facts of the page.
pub struct Examined {
    /// Name and value, in the order of the page.
    pub facts: Vec<(String, String)>,
    /// What is wrong.
    pub findings: Vec<Finding>,
}

/// Examines a site; writes nothing.
pub fn run(settings: &Context<'_>) -> Examined {
    let outcome = bundle::look(settings).outcome;
    let mut findings: Vec<Finding> = Vec::new();
    let mut error = |fault: Fault| findings.push((Severity::Error, fault));
    settings.faults.iter().cloned().for_each(&mut error);
    if let Some(fault) = trust_fault(&settings.trust) {
        error(fault);
    }
    scripts(settings).into_iter().for_each(&mut error);
    let ledger = ledger(settings).unwrap_or_else(|problem| {
        error(fault(&problem));
        "cannot be used".to_string()
    });
    unavailable(&outcome).into_iter().for_each(&mut error);
    findings.extend(
        declared(settings)
            .into_iter()
            .map(|fault| (Severity::Warning, fault)),
    );
    Examined {
        facts: facts(settings, &ledger, &outcome),
        findings,
    }
}

fn ledger(settings: &Context<'_>) -> Result<String, LedgerFault> {
    let book = Book::read(settings)?;
    if let Some(problem) = Book::cannot_write(settings) {
        return Err(problem);
    }
    Ok(match book {
        None => "none yet: the first tick makes it".to_string(),
        Some(book) => format!("{} events", book.view()?.head.seq),
    })
}

fn trust_fault(trust: &Trust) -> Option<Fault> {
    match trust {
        Trust::None | Trust::Trusted => None,
        other => Some(
            Fault::new(
                Code::SettingsTrust,
                format!(
                    "the site's scripts and settings do not count: {}",
                    other.text()
                ),
            )
            .with_help("read them, then run `belegt trust` in a terminal"),
        ),
    }
}

/// Every script of every layer that does not keep its contract.
fn scripts(settings: &Context<'_>) -> Vec<Fault> {
    let scripts = Scripts::with(settings.layers.clone());
    let faults = scripts.all().filter_map(|source| source.script().err());
    faults
        .filter(|fault| fault.code() != Code::ScriptUntrusted)
        .collect()
}

fn unavailable(outcome: &Outcome) -> Vec<Fault> {
    let own = |name: &str| matches!(name, "ledger" | "settings");
    let missing = outcome.unavailable.iter().filter(|u| !own(&u.name));
    missing
        .map(|missing| {
            let is_role = outcome.roles.iter().any(|role| role.name == missing.name);
            let message = format!("`{}` is unavailable: {}", missing.name, missing.why);
            let fault = Fault::new(Code::Unavailable, message);
            match &missing.help {
                Some(help) => fault.with_help(help.clone()),
                None if is_role => fault.with_help(format!(
                    "make it available, or declare it absent: `absent: #{{ \"{}\": #{{ reason: \"...\", end: \"2027-01-31\" }} }}` in site.rhai, then `belegt trust`",
                    missing.name
                )),
                // Only a role can be declared absent; what holds work must be looked at.
                None => fault.with_help("mend what keeps it from being looked at"),
            }
        })
        .collect()
}

/// Declarations that have ended or end soon.
fn declared(settings: &Context<'_>) -> Vec<Fault> {
    let ending = settings
        .absent
        .iter()
        .filter(|(_, d)| d.expired || d.ends_soon);
    ending
        .map(|(role, declared)| {
            let until = declared
                .until
                .map(|day| day.to_string())
                .unwrap_or_default();
            let what = if declared.expired {
                "ended on"
            } else {
                "ends on"
            };
            Fault::new(
                Code::Declared,
                format!("the declaration that `{role}` is absent {what} {until}"),
            )
            .with_help("declare it anew in site.rhai, or give the role a source")
        })
        .collect()
}

fn facts(settings: &Context<'_>, ledger: &str, outcome: &Outcome) -> Vec<(String, String)> {
    let mut facts = vec![
        ("belegt".to_string(), env!("CARGO_PKG_VERSION").to_string()),
        (
            "now".to_string(),
            format!(
                "{} ({})",
                settings.now.rfc3339(),
                settings.now.zone().name()
            ),
        ),
        (
            "time zone data".to_string(),
            chrono_tz::IANA_TZDB_VERSION.to_string(),
        ),
        ("root".to_string(), settings.root.display().to_string()),
        (
            "ledger".to_string(),
            format!("{}: {ledger}", settings.ledger.display()),
        ),
        ("site".to_string(), settings.trust.text()),
        (
            "actor".to_string(),
            format!("{} ({})", settings.actor.name, settings.actor.kind.text()),
        ),
        ("session".to_string(), settings.session.clone()),
        ("would print".to_string(), outcome.signal.to_string()),
    ];
    facts.extend(values(settings));
    facts
}

/// The settings that differ from project to project, each with where it came from.
fn values(settings: &Context<'_>) -> Vec<(String, String)> {
    let interval = settings.interval.as_ref();
    let interval = interval.map_or("the rule's".to_string(), |(i, _)| {
        format!("{} s", i.as_secs())
    });
    let mirror = if settings.mirror_usmc { "usmc" } else { "" };
    let values = [
        ("project", settings.project.clone()),
        ("zone", settings.zone.name().to_string()),
        ("language", settings.language.text().to_string()),
        ("interval", interval),
        ("mirror", mirror.to_string()),
        ("handed_out", settings.handed_out.to_string()),
        ("roots", joined(&settings.grants.roots)),
        ("commands", joined(&settings.grants.commands)),
        ("environment", joined(&settings.grants.environment)),
        ("absent", joined(settings.absent.keys())),
        ("effects", joined(settings.effects.keys())),
    ];
    values
        .map(|(key, value)| valued(settings, key, &value))
        .into()
}

/// A setting with where its value came from.
fn valued(settings: &Context<'_>, key: &str, value: &str) -> (String, String) {
    let value = if value.is_empty() { "none" } else { value };
    let origins = joined(settings.origin(key));
    (key.to_string(), format!("{value}  [{origins}]"))
}

fn joined(values: impl IntoIterator<Item = impl ToString>) -> String {
    let texts: Vec<String> = values.into_iter().map(|value| value.to_string()).collect();
    texts.join(", ")
}
