//! `check`: everything that is wrong with the scripts of all layers, or with named files, at
//! once. Nothing runs, so the scripts of a site are checked whether it is trusted or not.

use std::path::PathBuf;
use std::sync::Arc;

use crate::diag::{Code, Fault, Finding, Severity};
use crate::gate::{judge, words};
use crate::script::cases;
use crate::script::check::{Checked, Checker};
use crate::script::layers::{Layer, Scripts};
use crate::tick::rules;

use super::context::Context;

pub mod examples;
mod files;
mod pages;
mod place;
mod texts;

pub use pages::{Page, page};
use place::Reached;
use texts::Text;

/// What came of a check.
pub struct Examined {
    /// What is wrong, file by file.
    pub findings: Vec<Finding>,
    /// How many scripts were looked at.
    pub scripts: usize,
    /// How many findings somebody did not want to see.
    pub left_out: usize,
}

/// Checks all scripts, or the named ones.
///
/// # Errors
/// A named file cannot be read.
pub fn run(settings: &Context<'_>, named: &[PathBuf]) -> Result<Examined, Fault> {
    let all = texts::all(settings);
    if named.is_empty() {
        let mut examined = check(&all, &all);
        let known = |fault: &Fault| {
            let said = |(_, other): &Finding| other.message() == fault.message();
            examined.findings.iter().any(said)
        };
        let own: Vec<Finding> = settings
            .faults
            .iter()
            .filter(|fault| is_of_a_file(fault) && !known(fault))
            .map(|fault| (Severity::Error, fault.clone()))
            .collect();
        examined.findings.splice(0..0, own);
        for text in super::test::found(settings, &[]) {
            examined.scripts += 1;
            examined.findings.extend(cases_of(text));
        }
        return Ok(examined);
    }
    let named = files::read(settings, named, &all)?;
    let mut findings = named.settings;
    let examined = check(&all, &named.scripts);
    findings.extend(examined.findings);
    Ok(Examined {
        findings,
        scripts: examined.scripts + named.others,
        left_out: 0,
    })
}

/// Whether a fault of the settings is one of a file that a person wrote.
fn is_of_a_file(fault: &Fault) -> bool {
    let is_trust = matches!(fault.code(), Code::SettingsTrust | Code::ScriptUntrusted);
    let is_read = matches!(fault.code(), Code::SettingsRead | Code::ScriptRead);
    !is_trust && (is_read || fault.place().is_some())
}

/// Checks some texts among all.
pub(super) fn check(all: &[Text], wanted: &[Text]) -> Examined {
    let scripts = Scripts::with(all.iter().filter_map(Text::loaded).collect());
    let checker = Checker::new(&scripts);
    let mut findings = Vec::new();
    let mut checked: Vec<(&Text, Checked)> = Vec::new();
    let mut of: Vec<Vec<Finding>> = Vec::new();
    for text in wanted {
        let mut own = Vec::new();
        if let Some(cases) = is_of_cases(text) {
            of.push(cases_of(Ok((text.shown.clone(), cases))));
            continue;
        }
        match text
            .text
            .clone()
            .and_then(|t| checker.check(&text.shown, &text.path, &t))
        {
            Ok(found) => {
                own.extend(found.findings.iter().cloned());
                own.extend(tables(&scripts, text, &found));
                checked.push((text, found));
            }
            Err(fault) => own.push((Severity::Error, fault)),
        }
        of.push(own);
    }
    let reached = Reached::of(&scripts, &checked);
    for (text, mut own) in wanted.iter().zip(of) {
        own.extend(reached.check(text).map(|fault| (Severity::Warning, fault)));
        let marked = |(severity, fault): Finding| (severity, fault.marked());
        findings.extend(own.into_iter().map(marked));
    }
    Examined {
        findings,
        scripts: wanted.len(),
        left_out: 0,
    }
}

/// The text of a file of cases.
fn is_of_cases(text: &Text) -> Option<Arc<str>> {
    let source = text.text.as_ref().ok()?;
    let has_cases = source.lines().any(|line| line.starts_with("const CASES"));
    (text.path.starts_with("tests/") && has_cases).then(|| source.clone())
}

/// What is wrong with a file of cases; none of them is played.
fn cases_of(text: Result<(String, Arc<str>), Fault>) -> Vec<Finding> {
    let faults = match text.and_then(|(name, text)| cases::read(&name, text)) {
        Ok(file) => crate::cases::faults(&file),
        Err(fault) => vec![fault],
    };
    let finding = |fault: Fault| (Severity::Error, fault.marked());
    faults.into_iter().map(finding).collect()
}

/// What is wrong with the tables of a rule, read as the run reads them.
fn tables(scripts: &Scripts, text: &Text, checked: &Checked) -> Vec<Finding> {
    let script = &checked.script;
    let faults = match text.path.as_str() {
        "rules/gate" => judge::faults(script),
        "rules/words" => {
            let built_in = scripts.in_layer(Layer::BuiltIn, "rules/words");
            let built_in = built_in.and_then(|source| source.script().ok());
            words::faults(script, built_in.as_deref())
        }
        rule => rules::faults(rule, script),
    };
    faults
        .into_iter()
        .map(|fault| (Severity::Error, fault))
        .collect()
}

/// Whether a text is that of another one.
fn same(a: &Result<Arc<str>, Fault>, b: &Result<Arc<str>, Fault>) -> bool {
    matches!((a, b), (Ok(a), Ok(b)) if a == b)
}
