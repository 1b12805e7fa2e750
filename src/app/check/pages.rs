//! The pages of the codes: what a code means, a script that raises it, and the same mended.
//!
//! INVARIANT: what a page shows as the finding of its example is what the checker says of that
//! example now; nothing of it is written down beside it.

use include_dir::{Dir, include_dir};

use crate::diag::{Code, Fault, Finding};
use crate::script::names::closest;

use super::examples;

static CODES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/codes");

/// A page.
pub struct Page {
    /// The code.
    pub code: Code,
    /// What it means, in Markdown; of a code without examples who says it and what to do.
    pub text: String,
    /// The broken examples, each with what is found in it.
    pub broken: Vec<(Example, Vec<Finding>)>,
    /// The examples as they should be.
    pub mended: Vec<Example>,
}

/// An example.
#[derive(Debug, Clone)]
pub struct Example {
    /// Its file.
    pub name: String,
    /// Its text; the first line says where it stands.
    pub text: String,
}

/// The page of a code.
///
/// # Errors
/// There is no such code.
pub fn page(code: &str) -> Result<Page, Fault> {
    let wanted = code.trim();
    let Some(found) = Code::ALL.iter().find(|known| known.text() == wanted) else {
        return Err(unknown(wanted));
    };
    Ok(of(*found))
}

/// The page of a code that there is.
pub fn of(code: Code) -> Page {
    let texts = texts(code);
    let named = |start: &'static str| {
        let found = texts
            .iter()
            .filter(move |example| example.name.starts_with(start));
        found.cloned().collect::<Vec<Example>>()
    };
    let text = named("page").into_iter().next().map(|example| example.text);
    let broken = named("broken").into_iter();
    Page {
        code,
        text: text.unwrap_or_else(|| examples::plain(code)),
        broken: broken
            .map(|example| {
                let findings = examples::check(&example.text);
                (example, findings)
            })
            .collect(),
        mended: named("mended"),
    }
}

/// The files of a code's folder, sorted.
fn texts(code: Code) -> Vec<Example> {
    let folder = code.text().replace("::", ".");
    let mut texts: Vec<Example> = CODES
        .get_dir(folder)
        .into_iter()
        .flat_map(|folder| folder.files())
        .filter_map(|file| {
            Some(Example {
                name: file.path().file_name()?.to_str()?.to_string(),
                text: file.contents_utf8()?.to_string(),
            })
        })
        .collect();
    texts.sort_by(|a, b| a.name.cmp(&b.name));
    texts
}

fn unknown(wanted: &str) -> Fault {
    let shown = crate::model::text::short(wanted, 60);
    let all = || Code::ALL.iter().map(|code| code.text());
    let last = |code: &'static str| code.rsplit("::").next().unwrap_or(code);
    let same = all().find(|code| last(code) == wanted);
    let help = match same.or_else(|| closest(wanted, all())) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "each finding shows its code, such as `script::function`".to_string(),
    };
    Fault::new(Code::Unknown, format!("there is no code `{shown}`")).with_help(help)
}
