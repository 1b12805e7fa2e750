//! Examples of pages: each is checked as a script of a site that has nothing else.

use std::path::Path;
use std::sync::Arc;

use crate::diag::{Code, Finding, Severity};
use crate::script::layers::Layer;
use crate::settings::paths::Base;
use crate::settings::site::{self, Whose};

use super::files::script_path;
use super::texts::{Text, built_in};

/// What is found in an example; its first line says where it stands:
/// `// .belegt/probes/work/example.rhai`. A line `// FILE` further down begins another file of
/// the same site, which is checked with it.
pub fn check(example: &str) -> Vec<Finding> {
    let mut all = built_in();
    let mut own = Vec::new();
    let mut findings = Vec::new();
    for (shown, text) in parts(example) {
        if shown.ends_with("site.rhai") {
            let fault = site::read(&shown, text, Whose::Site, Base::default()).err();
            findings.extend(fault.map(|fault| (Severity::Error, fault)));
            continue;
        }
        own.push(Text {
            path: script_path(Path::new(&shown)),
            folder: ".belegt".into(),
            layer: Some(Layer::Site),
            shown,
            text: Ok(text),
        });
    }
    all.extend(own.iter().cloned());
    findings.extend(super::check(&all, &own).findings);
    findings
}

/// The files of an example: name and text.
fn parts(example: &str) -> Vec<(String, Arc<str>)> {
    let mut parts: Vec<(String, String)> = Vec::new();
    for line in example.split_inclusive('\n') {
        let name = line.trim_end().strip_prefix("// .belegt/");
        match (name, parts.last_mut()) {
            (Some(name), _) => parts.push((format!(".belegt/{name}"), line.to_string())),
            (None, Some((_, text))) => text.push_str(line),
            (None, None) => parts.push((String::new(), line.to_string())),
        }
    }
    parts
        .into_iter()
        .map(|(name, text)| (name, text.into()))
        .collect()
}

/// What is said of a code that no script alone can raise.
pub fn plain(code: Code) -> String {
    let (who, what) = said(code);
    format!(
        "{}\n\nSaid by: {who}.\n\nWhat to do: {what}.\n",
        capital(code.about())
    )
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|c| c.to_uppercase().to_string());
    format!("{}{}.", first.unwrap_or_default(), chars.as_str())
}

/// Which command says a code, and what to do.
fn said(code: Code) -> (&'static str, &'static str) {
    let who = |code: &str| match code.split("::").next().unwrap_or_default() {
        "run" => "`tick`, `explain`, `gate check` and whatever else runs a script",
        "lang" => "`gate open`",
        "settings" => "every command that reads the settings, and `doctor`",
        "gate" => "`gate open` and `gate meet`",
        _ => "every command",
    };
    let who = match code {
        Code::Signal => "`signal read`",
        Code::Act => "`run`",
        Code::Input => "`gate open --from`, `check`, `test` and `signal read`",
        Code::Exists => "`init`, `eject` and `doc --definitions`",
        Code::Terminal => "`trust`, `init` and `gate meet`",
        Code::Unavailable | Code::Declared => "`doctor` and `tick`",
        Code::ScriptMissing | Code::ScriptUntrusted => {
            "`tick`, `doctor` and the commands for gates"
        }
        Code::ScriptRead => "`check`, `doctor` and `tick`",
        _ => who(code.text()),
    };
    (who, remedy(code))
}

/// What to do about a code that scripts raise while they run, or that settings raise.
fn remedy(code: Code) -> &'static str {
    match code {
        Code::RunError => "read the sentence at its place: a value was used in a way it cannot be",
        Code::RunUnknown => "run `belegt check`, which finds most of these before a line runs",
        Code::RunType => "end every branch with a constructor; `belegt check` names the branch",
        Code::RunWork | Code::RunSize => {
            "let the host do the work: `keep`, `map_items`, `count` on handles"
        }
        Code::RunDeadline => "look at less, or raise `within` in META for slow commands",
        Code::RunDepth => "call fewer functions within one another; a loop is often enough",
        Code::RunPanic => "take the named piece out and report it: no script may do that",
        Code::RunLooking => "look first: an answer counts only with a successful look",
        Code::RunBounds => "answer within what the kernel found: stricter, never laxer",
        Code::ScriptMissing => "write the script, or take its row out of `rules/chain`",
        Code::ScriptRead | Code::SettingsRead => "make it a plain, readable file of at most 64 KiB",
        Code::ScriptUntrusted | Code::SettingsTrust => {
            "read `.belegt/`, then run `belegt trust` at a terminal"
        }
        Code::SettingsKey => "write the key as the help says",
        _ => other_remedy(code),
    }
}

fn other_remedy(code: Code) -> &'static str {
    match code {
        Code::Usage => "run the command with `--help`",
        Code::Root => "name an existing folder with `--root`",
        Code::Output => "look at what reads standard output: it was closed, or its disk is full",
        Code::Terminal => "run it again in a terminal: a person has to answer",
        Code::Exists => "move the file away, or keep it: nothing was written over it",
        Code::State => "look at the folder that is named: its owner, its rights, its disk",
        Code::Ledger => "do as the help of the fault says; nothing was counted as done",
        Code::Unknown => "list what there is, and name one of those",
        Code::Unavailable => "mend what keeps it from being asked, or declare a role absent",
        Code::Declared => "declare it anew in site.rhai, or give the role a source",
        Code::GateNothing | Code::LangNothing => {
            "write a condition and a step: `/if tests green -> merge`"
        }
        Code::GateProof => "bring the condition about; then `belegt gate check` meets it",
        Code::GateRefused => "write it as the help says, so that nobody has to guess",
        Code::Input => "name a readable text file in UTF-8",
        Code::Act => "name a command that is on PATH and may be started",
        Code::Signal => "give the whole log of one run of `belegt tick`",
        _ => "write the statement as the help at its place says",
    }
}
