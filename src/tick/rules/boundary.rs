//! The boundary table: where items of each kind go, and the line that says so.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;

use crate::ask::Asking;
use crate::model::item::Sort;
use crate::script::contract;
use crate::script::layers::Layer;

/// The rule's path.
const PATH: &str = "rules/autonomy";

/// A row of the boundary table.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// The row of the boundary table, 0 to 11.
    pub row: u8,
    /// Where items of this kind go.
    pub sort: Sort,
    /// Whether they end where they live.
    pub lasting: bool,
    /// Whether a step of this kind is looked at for effects; yes unless the row says no.
    #[serde(default = "yes")]
    pub effects: bool,
    /// Why.
    pub why: String,
}

fn yes() -> bool {
    true
}

/// The boundary table: what may be done without the person.
#[derive(Default)]
pub struct Boundary {
    /// One row for each kind of item.
    pub rows: BTreeMap<String, Row>,
    /// Words that name an effect, in lower case.
    pub effects: Vec<(String, Vec<String>)>,
    /// Whether the rule has a function of its own.
    pub has_function: bool,
    /// `script:line` of the row of each kind; read when the first item needs it.
    pub(super) places: Option<BTreeMap<String, Arc<str>>>,
}

impl Boundary {
    /// `script:line` of the row of a kind.
    pub fn place(&mut self, asking: &Asking, kind: &str) -> Arc<str> {
        let places = self
            .places
            .get_or_insert_with(|| row_places(asking).unwrap_or_default());
        places.get(kind).cloned().unwrap_or_else(|| PATH.into())
    }
}

/// `script:line` of every row of the boundary table that counts.
fn row_places(asking: &Asking) -> Option<BTreeMap<String, Arc<str>>> {
    let own = asking.scripts.effective(PATH);
    let built_in = asking.scripts.in_layer(Layer::BuiltIn, PATH);
    let scripts = own.into_iter().chain(built_in);
    let mut scripts = scripts.filter_map(|source| source.script().ok());
    let (script, lines) = scripts.find_map(|script| {
        let lines = contract::key_lines(&script, "ROWS");
        (!lines.is_empty()).then_some((script, lines))
    })?;
    let place = |line| format!("{}:{line}", script.name).as_str().into();
    Some(
        lines
            .into_iter()
            .map(|(kind, line)| (kind, place(line)))
            .collect(),
    )
}
