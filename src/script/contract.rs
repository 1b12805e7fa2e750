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
use crate::model::text::plural;

use super::engine;
use super::fault::{at_definition, at_point, parse_fault};
use super::layers::Script;
use super::literal::{Constant, constant, place_of, places};
use super::names::{closest, is_reserved};

mod meta;
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
    let (problems, meta) = examine((name, &text), path, &ast);
    match problems.into_iter().next() {
        Some(problem) => Err(problem),
        None => Ok(Script::new(name, text, ast, meta)),
    }
}

/// Everything that a syntax tree does against the contract of its path, in the order in which
/// it is looked at, and what `META` declares.
pub fn examine(source: (&str, &Arc<str>), path: &str, ast: &AST) -> (Vec<Fault>, Meta) {
    let mut problems = Vec::new();
    top::check(source, ast, &mut problems);
    check_functions(source, path, ast, &mut problems);
    let meta = meta::read(source, ast, &mut problems);
    (problems, meta)
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

fn check_functions(source: (&str, &Arc<str>), path: &str, ast: &AST, problems: &mut Vec<Fault>) {
    for function in ast.iter_functions() {
        if is_reserved(function.name) {
            let message = format!("`{}` is a name of the host", function.name);
            let fault = at_definition(Code::ScriptName, message, source, function.name);
            problems
                .push(fault.with_help("choose another name; parameters and variables may bear it"));
        }
    }
    for entry in entries(path) {
        problems.extend(entry_fault(source, ast, *entry));
    }
}

/// What is wrong with one entry function.
fn entry_fault(source: (&str, &Arc<str>), ast: &AST, entry: Entry) -> Option<Fault> {
    let (entry, arity, required) = entry;
    let named: Vec<_> = ast.iter_functions().filter(|f| f.name == entry).collect();
    if named.iter().any(|f| f.params.len() == arity) {
        return None;
    }
    let wanted = format!(
        "`fn {entry}` with {}",
        plural(arity, "parameter", "parameters")
    );
    if let Some(wrong) = named.first() {
        let message = format!("expected {wanted}, got {}", wrong.params.len());
        return Some(at_definition(Code::ScriptEntry, message, source, entry));
    }
    if !required {
        return None;
    }
    let near = closest(entry, ast.iter_functions().map(|f| f.name));
    let hint = near.map(|n| format!("; is it `{n}`?")).unwrap_or_default();
    let message = format!("{wanted} is missing{hint}");
    let fault = match near {
        Some(near) => at_definition(Code::ScriptEntry, message, source, near),
        None => Fault::new(Code::ScriptEntry, message).with_source(source.0, source.1.clone()),
    };
    Some(fault.with_help("see the contract of scripts in the README"))
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
    let keys = places(&script.ast, name).into_iter();
    keys.filter_map(|(path, position)| match path.as_slice() {
        [key] => Some((key.clone(), position.line()?)),
        _ => None,
    })
    .collect()
}

/// What is wrong with a table of a rule, each wrong row at its own place; nothing if the script
/// has no such table or it can be used.
pub fn table_faults<T: DeserializeOwned>(script: &Script, name: &str) -> Vec<Fault> {
    let Err(whole) = table::<T>(script, name) else {
        return Vec::new();
    };
    let Constant::Literal(value, _) = constant(&script.ast, name) else {
        return vec![whole];
    };
    let source = (script.name.as_str(), &script.text);
    let places = places(&script.ast, name);
    let wrong = |(key, row): (String, Value)| {
        let error = serde_json::from_value::<T>(row).err()?;
        let message = format!("`{name}`, `{key}`: {error}");
        let position = place_of(&places, &[&key]);
        let fault = at_point(Code::MetaKey, message, source, position);
        Some(match meant(&error.to_string()) {
            Some(near) => fault.with_help(format!("did you mean `{near}`?")),
            None => fault,
        })
    };
    let rows: Vec<Fault> = rows(value).into_iter().filter_map(wrong).collect();
    if rows.is_empty() { vec![whole] } else { rows }
}

/// Of `unknown field X, expected one of A, B` the one that is close to X.
fn meant(error: &str) -> Option<&str> {
    let mut words = error.split('`').skip(1).step_by(2);
    let unknown = words.next().filter(|_| error.starts_with("unknown "))?;
    closest(unknown, words)
}

/// The rows of a table, each as a table of its own.
fn rows(table: Value) -> Vec<(String, Value)> {
    match table {
        Value::Object(rows) => rows
            .into_iter()
            .map(|(key, row)| {
                (
                    key.clone(),
                    Value::Object([(key, row)].into_iter().collect()),
                )
            })
            .collect(),
        Value::Array(rows) => rows
            .into_iter()
            .enumerate()
            .map(|(index, row)| (index.to_string(), Value::Array(vec![row])))
            .collect(),
        _ => Vec::new(),
    }
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
