//! Any value of a script as a person reads it: for `belegt try`.
//!
//! INVARIANT: what is shown is bounded, and no text of it starts a line of its own.

use rhai::{Dynamic, Engine, Scope};

use crate::model::text::{escape, plural, short};

use super::answer::Answered;
use super::engine;
use super::value::json::from_plain;
use super::value::kind;
use super::value::list::List;
use super::value::look::Look;
use super::value::text::Text;

/// The longest line, in characters.
const LONGEST: usize = 500;
/// The most lines of a text, and the most entries of a list.
const MOST: usize = 20;

/// The value in lines.
pub fn shown(value: &Dynamic) -> Vec<String> {
    if let Some(text) = value.read_lock::<Text>() {
        return lines(text.content());
    }
    if let Some(list) = List::from_dynamic(value) {
        return entries(&list);
    }
    if let Some(answered) = value.read_lock::<Answered>() {
        let why = crate::model::text::short(&answered.why(), LONGEST);
        return vec![format!("{}(`{why}`)", answered.reply.constructor())];
    }
    if value.is_string() {
        return lines(&value.clone().into_string().unwrap_or_default());
    }
    if let Ok(plain) = from_plain(value) {
        let text = serde_json::to_string_pretty(&plain).unwrap_or_default();
        return cut(text.lines().map(short_line).collect());
    }
    handle(value)
}

/// A text: a single line as it is, else its first lines.
fn lines(text: &str) -> Vec<String> {
    cut(text.lines().map(short_line).collect())
}

fn short_line(line: &str) -> String {
    let indent = line.len() - line.trim_start_matches(' ').len();
    format!(
        "{}{}",
        " ".repeat(indent.min(40)),
        short(line.trim_start_matches(' '), LONGEST)
    )
}

fn cut(mut lines: Vec<String>) -> Vec<String> {
    let count = lines.len();
    if count > MOST {
        lines.truncate(MOST);
        lines.push(format!(
            "... and {}",
            plural(count - MOST, "line more", "lines more")
        ));
    }
    lines
}

fn entries(list: &List) -> Vec<String> {
    let mut shown = vec![format!(
        "a list of {}",
        plural(list.size(), "entry", "entries")
    )];
    for value in list.iter().take(MOST) {
        for (index, line) in self::shown(value).into_iter().enumerate() {
            let start = if index == 0 { "- " } else { "  " };
            shown.push(format!("{start}{line}"));
        }
    }
    if list.size() > MOST {
        let more = plural(list.size() - MOST, "entry more", "entries more");
        shown.push(format!("... and {more}"));
    }
    shown
}

/// A handle: what it is, and each of its properties that is plain.
fn handle(value: &Dynamic) -> Vec<String> {
    let mut lines = vec![kind(value)];
    if let Some(look) = value.read_lock::<Look>() {
        let why = look.why();
        lines = vec![match why.is_empty() {
            true => format!("a look at `{}`, which was answered", escape(&look.shown)),
            false => format!("a look without a value: {}", short(&why, LONGEST)),
        }];
    }
    let engine = engine::bare();
    for name in properties(&engine, value) {
        let mut scope = Scope::new();
        scope.push_dynamic("it", value.clone());
        let read: Result<Dynamic, _> =
            engine.eval_expression_with_scope(&mut scope, &format!("it.{name}"));
        if let Some(plain) = read.ok().and_then(|value| property(&value)) {
            lines.push(format!("  .{name} = {}", short(&plain, 120)));
        }
    }
    lines
}

fn property(value: &Dynamic) -> Option<String> {
    match from_plain(value) {
        Ok(plain) => Some(plain.to_string()),
        Err(_) => Some(kind(value)),
    }
}

/// The names of the properties that a value of this type has.
fn properties(engine: &Engine, value: &Dynamic) -> Vec<String> {
    let mine = value.type_id();
    let mut names: Vec<String> = engine
        .collect_fn_metadata(
            None,
            |info| {
                let function = info.metadata;
                let is_mine = function.param_types.first() == Some(&mine);
                let name = function.name.strip_prefix("get$")?;
                (is_mine && function.num_params == 1).then(|| name.to_string())
            },
            true,
        )
        .into_iter()
        .collect();
    names.sort();
    names.dedup();
    names
}
