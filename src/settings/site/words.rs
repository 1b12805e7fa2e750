//! The small readers of settings: each takes a text and gives a value or a sentence.

use std::path::PathBuf;

use chrono::NaiveDate;

use crate::model::text::short;
use crate::script::resolver::is_path;
use crate::world::name;

use super::super::paths::{Base, expand};

/// A path, made absolute and normal.
pub(super) fn path(text: &str, base: Base<'_>) -> Result<PathBuf, String> {
    let shown = short(text, 200);
    expand(text, base).map_err(|why| format!("the path `{shown}` {why}"))
}

/// A bare name or an absolute path, without arguments.
pub(super) fn command(text: &str, base: Base<'_>) -> Result<String, String> {
    let shown = short(text, 200);
    if text.starts_with(['/', '~']) {
        let path = path(text, base)?;
        return Ok(name::encode(path.as_os_str()));
    }
    if text.is_empty()
        || text.contains('/')
        || text.contains(|c: char| c.is_whitespace() || c.is_control())
    {
        return Err(format!(
            "`{shown}` is no command: write one bare name or an absolute path, without arguments"
        ));
    }
    Ok(text.to_string())
}

/// The name of an environment variable.
pub(super) fn variable_name(text: &str) -> Result<String, String> {
    let is_good = text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && text.starts_with(|c: char| !c.is_ascii_digit());
    match is_good {
        true => Ok(text.to_string()),
        false => Err(format!("`{}` is no name of a variable", short(text, 60))),
    }
}

/// One word of a command line.
pub(super) fn word(text: &str) -> Result<String, String> {
    match text.contains('\0') {
        true => Err("a word of a command holds a NUL".into()),
        false => Ok(text.to_string()),
    }
}

/// A calendar date, exactly as it is written everywhere.
pub(super) fn date(text: &str) -> Result<NaiveDate, String> {
    let date = NaiveDate::parse_from_str(text, "%Y-%m-%d").ok();
    let date = date.filter(|date| date.format("%Y-%m-%d").to_string() == text);
    date.ok_or_else(|| {
        let shown = short(text, 60);
        format!("`{shown}` is no date such as `2027-11-30`")
    })
}

/// Whether a name can stand in tags and footers: no comma, no blank, no bar.
pub(super) fn project_name(text: &str) -> Result<String, String> {
    let is_bad = |c: char| c.is_whitespace() || c.is_control() || c == ',' || c == '|';
    if text.is_empty() || text.len() > 64 || text.contains(is_bad) {
        let shown = short(text, 80);
        return Err(format!(
            "`{shown}` is no project name: 1 to 64 bytes without comma, blank and bar"
        ));
    }
    Ok(text.to_string())
}

/// Whether a text can name a role or an effect.
pub(super) fn is_role_name(text: &str) -> bool {
    text.len() <= 64 && !text.contains('/') && is_path(text)
}

/// Whether a text names a script: below `probes/` or `rules/`, without its ending.
pub(super) fn is_script_path(text: &str) -> bool {
    let is_below = text.starts_with("probes/") || text.starts_with("rules/");
    is_below && is_path(text) && !text.ends_with(".rhai")
}
