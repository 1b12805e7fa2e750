//! The values that scripts handle: read-only handles instead of big maps and strings.
//!
//! Size checks of the engine sum over nesting and copy on each step, so lists, texts and
//! answers of the world stay on the host's side and scripts hold handles.

use rhai::Dynamic;

pub mod context;
pub mod heads;
pub mod json;
pub mod list;
pub mod look;
pub mod moment;
pub mod phrase;
pub mod text;
pub mod ticket;

/// What a value is, in words for a person who writes scripts.
pub fn kind(value: &Dynamic) -> String {
    let name = value.type_name();
    match name {
        "()" => "nothing (`()`): a branch without an answer?".to_string(),
        "i64" => format!("the number `{value}`"),
        "f64" => format!("the number `{value}`"),
        "bool" => format!("`{value}`"),
        "string" => "a text".to_string(),
        "array" => "a list".to_string(),
        "map" => "a map".to_string(),
        "Fn" => "a function".to_string(),
        other => short_type(other).to_string(),
    }
}

/// A type without its Rust path, in the words of the host API.
pub fn short_type(name: &str) -> &str {
    match name.rsplit("::").next().unwrap_or(name) {
        "Answered" => "an answer",
        "SeenHandle" => "an item",
        "Heads" => "heads",
        "FileHead" => "the head of a file",
        "Look" => "a look",
        "List" => "a list",
        "Text" => "a text handle",
        "Json" => "a JSON value",
        "Time" => "a time",
        "Heard" => "a phrase of time",
        "Context" => "`ctx`",
        "Line" => "a line (its `.text` is the text)",
        "FolderEntry" => "an entry of a folder",
        "TicketName" => "the name of a ticket",
        "TicketStatus" => "the status of a ticket",
        "TableHandle" => "a table",
        "RowHandle" => "a row of a table",
        "SectionHandle" => "a section",
        "TaskHandle" | "TaskLine" => "a task",
        "EntryHandle" => "an entry",
        "Reading" => "a reading",
        "Hit" => "a hit",
        "Record" => "a record",
        "char" => "a character",
        "ImmutableString" | "&str" | "String" => "a text",
        "i64" => "a number",
        other => other,
    }
}

/// The word of the reference for the type of a property.
pub fn type_word(name: &str) -> &str {
    match name.rsplit("::").next().unwrap_or(name) {
        "ImmutableString" | "&str" | "String" => "string",
        "i64" => "number",
        "bool" => "bool",
        "List" => "list",
        "Text" => "text",
        "Json" => "json",
        "Time" => "time",
        "Look" => "look",
        _ => "value",
    }
}
