//! JSON values as handles that say what is wrong with them.
//!
//! A field is read with the type that the script expects (`row.string("content")`); a missing
//! field or another type raises with the path, so a changed format becomes `unavailable` and
//! never an empty answer.

use std::sync::Arc;

use rhai::{Dynamic, Map, Module};
use serde_json::Value;

use crate::host_fn;
use crate::script::host::{Fallible, getter, misuse_here};

use super::list::{List, within_bounds};
use super::text::{Text, digest};

/// A JSON value, or why a text is none.
#[derive(Debug, Clone)]
pub struct Json {
    value: Result<Arc<Value>, Arc<str>>,
    path: Arc<str>,
}

impl Json {
    /// The root of a text that was read, or why it was not.
    pub fn root(value: Result<Value, String>) -> Self {
        Json {
            value: value.map(Arc::new).map_err(|why| why.as_str().into()),
            path: "$".into(),
        }
    }

    fn value(&self) -> Fallible<&Value> {
        match &self.value {
            Ok(value) => Ok(value),
            Err(why) => Err(misuse_here(format!("{why}; ask `.ok` first"))),
        }
    }

    fn child(&self, value: &Value, step: &str) -> Json {
        Json {
            value: Ok(Arc::new(value.clone())),
            path: format!("{}{step}", self.path).as_str().into(),
        }
    }

    fn field(&self, key: &str) -> Fallible<Json> {
        match self.value()?.get(key) {
            Some(value) => Ok(self.child(value, &format!(".{key}"))),
            None => Err(misuse_here(format!("`{}` has no field `{key}`", self.path))),
        }
    }

    fn wrong<T>(&self, wanted: &str) -> Fallible<T> {
        let got = match self.value()? {
            Value::Null => "null",
            Value::Bool(_) => "true or false",
            Value::Number(_) => "a number",
            Value::String(_) => "a text",
            Value::Array(_) => "a list",
            Value::Object(_) => "an object",
        };
        Err(misuse_here(format!(
            "`{}` must be {wanted}, got {got}",
            self.path
        )))
    }

    fn string(&self) -> Fallible<String> {
        match self.value()? {
            Value::String(text) => Ok(text.clone()),
            _ => self.wrong("a text"),
        }
    }

    fn number(&self) -> Fallible<i64> {
        match self.value()?.as_i64() {
            Some(number) => Ok(number),
            None => self.wrong("a whole number"),
        }
    }

    fn flag(&self) -> Fallible<bool> {
        match self.value()? {
            Value::Bool(flag) => Ok(*flag),
            _ => self.wrong("true or false"),
        }
    }

    fn optional(&self, key: &str) -> Fallible<Dynamic> {
        match self.value()?.get(key) {
            None | Some(Value::Null) => Ok(Dynamic::UNIT),
            Some(_) => Ok(self.field(key)?.string()?.into()),
        }
    }

    /// Every text at a path of keys; what is missing or something else is passed over.
    fn texts(&self, path: &str) -> Fallible<Vec<String>> {
        let mut values = vec![self.value()?];
        for step in path.split('.') {
            let (key, each) = match step.strip_suffix("[]") {
                Some(key) => (key, true),
                None => (step, false),
            };
            let below = values.into_iter().filter_map(|value| value.get(key));
            values = below
                .flat_map(|value| match (each, value) {
                    (false, value) => vec![value],
                    (true, Value::Array(values)) => values.iter().collect(),
                    (true, _) => Vec::new(),
                })
                .collect();
        }
        let texts = values.into_iter().filter_map(Value::as_str);
        Ok(texts.map(str::to_string).collect())
    }

    fn rows(&self) -> Fallible<List> {
        match self.value()? {
            Value::Array(rows) => {
                within_bounds(rows.len())?;
                Ok(List::of(
                    rows.iter()
                        .enumerate()
                        .map(|(i, row)| self.child(row, &format!("[{i}]"))),
                ))
            }
            _ => self.wrong("a list"),
        }
    }
}

/// Registers the type and its methods.
pub fn register(module: &mut Module) {
    module.set_custom_type::<Json>("json");
    getter(
        module,
        "ok",
        "Whether the text was JSON; asked before anything else.",
        |j: &mut Json| Ok(j.value.is_ok()),
    );
    getter(
        module,
        "why",
        "Why the text was no JSON; empty if it was.",
        |j: &mut Json| {
            Ok(j.value
                .as_ref()
                .err()
                .map(|w| w.to_string())
                .unwrap_or_default())
        },
    );
    getter(
        module,
        "is_list",
        "Whether the value is a list.",
        |j: &mut Json| Ok(j.value()?.is_array()),
    );
    getter(
        module,
        "rows -> list of json",
        "The values of a JSON list; raises for anything else: `answer.rows.map_items(|row| row.string(\"id\"))`.",
        |j: &mut Json| j.rows(),
    );
    getter(
        module,
        "digest",
        "SHA-256 of the value without its layout.",
        |j: &mut Json| Ok(digest(j.value()?.to_string().as_bytes())),
    );
    host_fn!(
        *module,
        "has",
        ["json", "key: string", "bool"],
        "Whether an object has the field, and it is not null: `answer.has(\"quelle\")`.",
        |j: Json, key: &str| -> Fallible<bool> {
            Ok(j.value()?.get(key).is_some_and(|v| !v.is_null()))
        }
    );
    host_fn!(
        *module,
        "get",
        ["json", "key: string", "json"],
        "A field that must be there: `answer.get(\"quelle\")`.",
        |j: Json, key: &str| -> Fallible<Json> { j.field(key) }
    );
    host_fn!(
        *module,
        "string",
        ["json", "key: string", "string"],
        "A field that must be a text: `row.string(\"content\")`.",
        |j: Json, key: &str| -> Fallible<String> { j.field(key)?.string() }
    );
    host_fn!(
        *module,
        "text",
        ["json", "key: string", "text"],
        "A field that must be a text, of any length, as a handle: `row.text(\"content\").first_line`.",
        |j: Json, key: &str| -> Fallible<Text> { Ok(Text::new(&j.field(key)?.string()?)) }
    );
    host_fn!(
        *module,
        "texts",
        ["json", "path: string", "list of string"],
        "The texts at a path of keys, `[]` for each of a list; none where the path leads nowhere: `answer.texts(\"candidates[].path\").first`.",
        |j: Json, path: &str| -> Fallible<List> { Ok(List::of(j.texts(path)?)) }
    );
    host_fn!(
        *module,
        "number",
        ["json", "key: string", "number"],
        "A field that must be a whole number: `row.number(\"id\")`.",
        |j: Json, key: &str| -> Fallible<i64> { j.field(key)?.number() }
    );
    host_fn!(
        *module,
        "flag",
        ["json", "key: string", "bool"],
        "A field that must be true or false: `git::shallow().data.flag(\"shallow\")`.",
        |j: Json, key: &str| -> Fallible<bool> { j.field(key)?.flag() }
    );
    host_fn!(
        *module,
        "optional",
        ["json", "key: string", "string or ()"],
        "A text field that may be missing or null: `row.optional(\"tags\") ?? \"\"`.",
        |j: Json, key: &str| -> Fallible<Dynamic> { j.optional(key) }
    );
}

/// Plain data of the settings as a script's value: small maps and lists.
pub fn to_plain(value: &Value) -> Fallible<Dynamic> {
    Ok(match value {
        Value::Null => Dynamic::UNIT,
        Value::Bool(b) => (*b).into(),
        Value::Number(n) => match n.as_i64() {
            Some(i) => i.into(),
            None => n.as_f64().unwrap_or(0.0).into(),
        },
        Value::String(s) => s.clone().into(),
        Value::Array(values) => {
            let values: Result<Vec<Dynamic>, _> = values.iter().map(to_plain).collect();
            values?.into()
        }
        Value::Object(fields) => {
            let mut map = Map::new();
            for (key, value) in fields {
                map.insert(key.as_str().into(), to_plain(value)?);
            }
            map.into()
        }
    })
}

/// A script's plain value as data: what `situation` gives. Handles and functions are refused.
pub fn from_plain(value: &Dynamic) -> Result<Value, String> {
    if value.is_unit() {
        return Ok(Value::Null);
    }
    if let Ok(flag) = value.as_bool() {
        return Ok(flag.into());
    }
    if let Ok(number) = value.as_int() {
        return Ok(number.into());
    }
    if let Ok(text) = value.clone().into_immutable_string() {
        return Ok(text.as_str().into());
    }
    if let Some(map) = value.read_lock::<Map>() {
        let fields: Result<serde_json::Map<String, Value>, String> = map
            .iter()
            .map(|(key, value)| Ok((key.to_string(), from_plain(value)?)))
            .collect();
        return Ok(Value::Object(fields?));
    }
    if let Some(list) = List::from_dynamic(value) {
        let values: Result<Vec<Value>, String> = list.iter().map(from_plain).collect();
        return Ok(Value::Array(values?));
    }
    Err(format!(
        "plain values were expected, got {}",
        super::kind(value)
    ))
}
