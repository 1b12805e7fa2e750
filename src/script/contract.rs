//! The contract: what a script must declare and define, checked before anything runs.
//!
//! One table says which entry functions a script of a folder has. `META` is read from the
//! syntax tree. Top level holds only `const`, `import` with a literal path, and `fn`, so that
//! loading a script does nothing and the set of scripts it depends on is known.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use rhai::AST;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::diag::{Code, Fault};

use super::engine;
use super::fault::{at_definition, at_point, parse_fault};
use super::layers::Script;
use super::literal::{Constant, constant};
use super::names::{closest, is_reserved};

pub(super) mod top;

/// The largest script, in bytes; larger ones slow the parser down out of proportion.
pub const MAX_SOURCE: usize = 64 * 1024;

/// What `META` declares.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Meta {
    /// What the script does, in one line.
    pub about: String,
    /// The deadline of one call; the kernel's default if none.
    pub within: Option<Duration>,
    /// For proofs: whether it is cheap enough for every tick.
    pub cheap: bool,
    /// For proofs: how long evidence stays fresh, as written.
    pub fresh_for: Option<String>,
    /// For proofs: whether an agent can bring the condition about.
    pub makeable: bool,
}

/// An entry function: name, number of parameters, whether it must be there.
type Entry = (&'static str, usize, bool);

/// Which entries the scripts of a path have.
pub fn entries(path: &str) -> &'static [Entry] {
    const SOURCE: &[Entry] = &[
        ("locate", 1, true),
        ("situation", 2, true),
        ("read", 2, true),
    ];
    const WORK: &[Entry] = &[("look", 1, true)];
    const PROOF: &[Entry] = &[
        ("recognise", 2, true),
        ("prove", 2, true),
        ("judge", 2, false),
    ];
    match path {
        "rules/autonomy" => &[("classify", 2, false)],
        "rules/chain" => &[("verdict", 1, false)],
        "rules/guard" => &[("holds", 2, false)],
        "rules/gate" => &[("step", 2, false)],
        path if path.starts_with("probes/sources/") => SOURCE,
        path if path.starts_with("probes/work/") => WORK,
        path if path.starts_with("probes/proofs/") => PROOF,
        _ => &[],
    }
}

/// Compiles a text and checks the contract of its path.
pub fn compile(name: &str, path: &str, text: Arc<str>) -> Result<Script, Fault> {
    check_text(name, &text)?;
    let mut ast = engine::bare()
        .compile(text.as_ref())
        .map_err(|error| parse_fault(name, &text, &error))?;
    ast.set_source(name);
    top::check((name, &text), &ast)?;
    check_functions(name, path, &text, &ast)?;
    let meta = read_meta(name, &text, &ast)?;
    Ok(Script {
        name: name.to_string(),
        text,
        ast,
        module: std::sync::OnceLock::new(),
        unmixed: std::sync::OnceLock::new(),
        meta,
    })
}

/// A script must be small and plain UTF-8 without a NUL or a mark.
pub(super) fn check_text(name: &str, text: &Arc<str>) -> Result<(), Fault> {
    let why = if text.len() > MAX_SOURCE {
        format!("the script has {} bytes, more than 64 KiB", text.len())
    } else if text.contains('\0') {
        "the script holds a NUL".to_string()
    } else if text.starts_with('\u{feff}') {
        "the script begins with a byte order mark".to_string()
    } else {
        return Ok(());
    };
    Err(Fault::new(Code::ScriptSize, why)
        .with_source(name, text.clone())
        .with_help("save it as plain UTF-8, or split it and `import` the parts"))
}

fn check_functions(name: &str, path: &str, text: &Arc<str>, ast: &AST) -> Result<(), Fault> {
    for function in ast.iter_functions() {
        if is_reserved(function.name) {
            let message = format!("`{}` is a name of the host", function.name);
            return Err(
                at_definition(Code::ScriptName, message, (name, text), function.name)
                    .with_help("choose another name; parameters and variables may bear it"),
            );
        }
    }
    for (entry, arity, required) in entries(path) {
        let named: Vec<_> = ast.iter_functions().filter(|f| f.name == *entry).collect();
        if named.iter().any(|f| f.params.len() == *arity) {
            continue;
        }
        let wanted = format!("`fn {entry}` with {arity} parameters");
        if let Some(wrong) = named.first() {
            let message = format!("expected {wanted}, got {}", wrong.params.len());
            return Err(at_definition(
                Code::ScriptEntry,
                message,
                (name, text),
                entry,
            ));
        }
        if *required {
            let near = closest(entry, ast.iter_functions().map(|f| f.name));
            let hint = near.map(|n| format!("; is it `{n}`?")).unwrap_or_default();
            return Err(
                Fault::new(Code::ScriptEntry, format!("{wanted} is missing{hint}"))
                    .with_source(name, text.clone())
                    .with_help("see the contract of scripts in the README"),
            );
        }
    }
    Ok(())
}

/// Reads a table of a rule; nothing if the script has none.
///
/// # Errors
/// The constant stands there twice, is no literal or holds something else than is expected.
pub fn table<T: DeserializeOwned>(script: &Script, name: &str) -> Result<Option<T>, Fault> {
    if matches!(constant(&script.ast, name), Constant::Missing) {
        return Ok(None);
    }
    let source = (script.name.as_str(), &script.text);
    let value = required_literal(source, &script.ast, name)?;
    serde_json::from_value(value).map(Some).map_err(|error| {
        let message = format!("`{name}`: {error}");
        at_constant(source, &script.ast, name, message)
    })
}

/// The line of each key of a table, counted from 1; none if the script has no such table.
pub fn key_lines(script: &Script, name: &str) -> BTreeMap<String, usize> {
    let keys = super::literal::keys(&script.ast, name).into_iter();
    keys.filter_map(|(key, position)| Some((key, position.line()?)))
        .collect()
}

/// A fault at a table of a script, for whoever knows what its values mean.
pub fn at_table(script: &Script, name: &str, message: String) -> Fault {
    at_constant((&script.name, &script.text), &script.ast, name, message)
}

/// A fault at a constant that is there.
fn at_constant(source: (&str, &Arc<str>), ast: &AST, name: &str, message: String) -> Fault {
    let position = match constant(ast, name) {
        Constant::Literal(_, at) | Constant::Computed(at) | Constant::Twice(at) => at,
        Constant::Missing => rhai::Position::NONE,
    };
    at_point(Code::MetaKey, message, source, position)
}

/// A literal that must stand there exactly once.
pub(super) fn required_literal(
    source: (&str, &Arc<str>),
    ast: &AST,
    wanted: &str,
) -> Result<Value, Fault> {
    match constant(ast, wanted) {
        Constant::Literal(value, _) => Ok(value),
        Constant::Missing => Err(Fault::new(
            Code::MetaMissing,
            format!("`const {wanted}` is missing"),
        )
        .with_source(source.0, source.1.clone())
        .with_help(format!("add `const {wanted} = #{{ ... }};` at the top"))),
        Constant::Twice(position) => {
            let message = format!("`const {wanted}` stands there twice");
            Err(at_point(Code::MetaMissing, message, source, position))
        }
        Constant::Computed(position) => {
            let message = format!(
                "`{wanted}` must be a literal constant, so that it can be read without running"
            );
            Err(at_point(Code::MetaLiteral, message, source, position)
                .with_help("write the values out; no calls, no variables"))
        }
    }
}

fn read_meta(name: &str, text: &Arc<str>, ast: &AST) -> Result<Meta, Fault> {
    let value = required_literal((name, text), ast, "META")?;
    let wrong = |message: String| at_constant((name, text), ast, "META", message);
    let Value::Object(fields) = value else {
        return Err(wrong("`META` must be a map".into()));
    };
    let mut meta = Meta::default();
    let mut api = None;
    for (key, value) in &fields {
        match (key.as_str(), value) {
            ("api", Value::Number(number)) => api = number.as_i64(),
            ("about", Value::String(about)) => meta.about.clone_from(about),
            ("within", Value::String(within)) => {
                let duration = crate::model::duration::parse(within).map_err(&wrong)?;
                meta.within = Some(duration.min(Duration::from_secs(30 * 60)));
            }
            ("cost", Value::String(cost)) if cost == "cheap" || cost == "costly" => {
                meta.cheap = cost == "cheap";
            }
            ("fresh_for", Value::String(fresh)) => meta.fresh_for = Some(fresh.clone()),
            ("makeable", Value::Bool(makeable)) => meta.makeable = *makeable,
            (key, _) => return Err(wrong(wrong_key(key))),
        }
    }
    match api {
        Some(1) if !meta.about.trim().is_empty() => Ok(meta),
        Some(1) => Err(wrong(
            "`META` needs `about`: what the script does, in one line".into(),
        )),
        Some(other) => Err(wrong(format!(
            "this belegt speaks script API 1, the script wants {other}"
        ))),
        None => Err(wrong("`META` needs `api: 1`".into())),
    }
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
