//! The texts of all layers, trusted or not, each under the name by which a person finds it.

use std::sync::Arc;

use crate::diag::Fault;
use crate::script::layers::{Layer, Loaded, Scripts};
use crate::settings::bundle::Bundle;
use crate::settings::files::Links;

use crate::app::context::Context;

/// One script as it stands in its file.
#[derive(Clone)]
pub struct Text {
    /// How messages call it: `.belegt/probes/work/todo.rhai`.
    pub shown: String,
    /// The folder that it was read from; empty for a built-in script.
    pub folder: Arc<str>,
    /// The layer; none for a file that belongs to none.
    pub layer: Option<Layer>,
    /// The path, such as `probes/work/todo`.
    pub path: String,
    /// The text, or why there is none.
    pub text: Result<Arc<str>, Fault>,
}

impl Text {
    /// The script as the layers hold it; the built-in ones hold themselves.
    pub fn loaded(&self) -> Option<Loaded> {
        let layer = self.layer.filter(|layer| *layer != Layer::BuiltIn)?;
        Some(Loaded {
            layer,
            folder: self.folder.clone(),
            path: self.path.clone(),
            text: self.text.clone(),
        })
    }
}

/// Every script of every layer.
pub fn all(settings: &Context<'_>) -> Vec<Text> {
    let mut all = built_in();
    let extra = settings
        .layers
        .iter()
        .filter(|one| one.layer == Layer::Extra);
    all.extend(extra.map(|one| Text {
        shown: format!("{}/{}.rhai", one.folder, one.path),
        folder: one.folder.clone(),
        layer: Some(Layer::Extra),
        path: one.path.clone(),
        text: one.text.clone(),
    }));
    if let Some(folder) = &settings.user_folder {
        let home = settings.home.as_deref();
        let below = home.and_then(|home| folder.strip_prefix(home).ok());
        let shown = match below {
            Some(rest) => format!("~/{}", rest.display()),
            None => folder.display().to_string(),
        };
        let bundle = Bundle::read(folder, &shown, Links::Follow);
        all.extend(of_bundle(&bundle, Layer::User));
    }
    all.extend(of_bundle(&settings.bundle, Layer::Site));
    all
}

/// The built-in scripts.
pub fn built_in() -> Vec<Text> {
    let scripts = Scripts::built_in();
    let all = scripts.all().filter_map(|source| {
        Some(Text {
            shown: source.name(),
            folder: "".into(),
            layer: Some(Layer::BuiltIn),
            path: source.path.clone(),
            text: Ok(source.text()?.clone()),
        })
    });
    all.collect()
}

fn of_bundle(bundle: &Bundle, layer: Layer) -> Vec<Text> {
    let scripts = bundle.scripts().map(|(path, text)| Text {
        shown: bundle.shown(&format!("{path}.rhai")),
        folder: bundle.folder().into(),
        layer: Some(layer),
        path: path.to_string(),
        text,
    });
    scripts.collect()
}
