//! Layers: where scripts come from, and which of the same path counts.
//!
//! Built-in, extra folders, user, site: a later layer replaces a script of the same path. What
//! cannot be read or is not trusted keeps its place: it hides the script below it and makes its
//! own role or source unavailable.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use include_dir::{Dir, include_dir};
use rhai::{AST, Module, Shared};

use crate::diag::{Code, Fault};

use super::clash;
use super::contract;
use super::value::text::digest;

static RULES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/rules");
static PROBES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/probes");

/// Where a script came from, in the order in which later ones replace earlier ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layer {
    /// Compiled into the program.
    BuiltIn,
    /// A folder that the user named.
    Extra,
    /// The user's own folder.
    User,
    /// The site's `.belegt/`.
    Site,
}

impl Layer {
    /// The layer's name, which is also its import prefix.
    pub fn name(self) -> &'static str {
        match self {
            Layer::BuiltIn => "builtin",
            Layer::Extra => "extra",
            Layer::User => "user",
            Layer::Site => "site",
        }
    }
}

/// A script file as it was read, before it is compiled.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The layer.
    pub layer: Layer,
    /// The folder that it was read from, as messages call it; empty for a built-in script.
    pub folder: Arc<str>,
    /// Path below the layer's folder without `.rhai`: `probes/work/todo`.
    pub path: String,
    /// The text, or why it cannot be used.
    pub text: Result<Arc<str>, Fault>,
}

/// One script of one layer.
#[derive(Debug)]
pub struct Source {
    /// The layer.
    pub layer: Layer,
    /// The folder that it was read from; empty for a built-in script.
    pub folder: Arc<str>,
    /// Path without `.rhai`.
    pub path: String,
    text: Result<Arc<str>, Fault>,
    compiled: OnceLock<Result<Arc<Script>, Fault>>,
}

/// A script that compiled and keeps its contract.
#[derive(Debug)]
pub struct Script {
    /// How it is named in messages: `builtin/probes/work/todo.rhai`.
    pub name: String,
    /// The text as loaded.
    pub text: Arc<str>,
    /// The syntax tree.
    pub ast: AST,
    /// What an import of it gives; made at the first import.
    pub module: OnceLock<Shared<Module>>,
    /// Whether its functions keep apart from those of its imports; checked at the first use.
    pub unmixed: OnceLock<Result<(), Fault>>,
    /// What `META` declares.
    pub meta: contract::Meta,
}

impl Script {
    /// A script of these parts.
    pub fn new(name: &str, text: Arc<str>, ast: AST, meta: contract::Meta) -> Self {
        Script {
            name: name.to_string(),
            text,
            ast,
            module: OnceLock::new(),
            unmixed: OnceLock::new(),
            meta,
        }
    }

    /// Whether the script has a function of this name.
    pub fn defines(&self, function: &str) -> bool {
        self.ast.iter_functions().any(|f| f.name == function)
    }
}

impl Source {
    /// How the script is named in messages.
    pub fn name(&self) -> String {
        format!("{}/{}.rhai", self.layer.name(), self.path)
    }

    /// SHA-256 of the text, or of the reason why there is none.
    pub fn digest(&self) -> String {
        match &self.text {
            Ok(text) => digest(text.as_bytes()),
            Err(fault) => digest(format!("broken: {fault}").as_bytes()),
        }
    }

    /// The text, if it could be read.
    pub fn text(&self) -> Option<&Arc<str>> {
        self.text.as_ref().ok()
    }

    /// The compiled script; compiled at the first call and kept.
    pub fn script(&self) -> Result<Arc<Script>, Fault> {
        let compile = || {
            let text = self.text.clone()?;
            contract::compile(&self.name(), &self.path, text).map(Arc::new)
        };
        self.compiled.get_or_init(compile).clone()
    }
}

/// All scripts of all layers.
#[derive(Debug, Default)]
pub struct Scripts {
    table: BTreeMap<String, Vec<Source>>,
}

impl Scripts {
    /// The built-in scripts alone.
    pub fn built_in() -> Self {
        Scripts::with(Vec::new())
    }

    /// The built-in scripts and what was read from other layers.
    pub fn with(loaded: Vec<Loaded>) -> Self {
        let mut scripts = Scripts::default();
        for (top, dir) in [("rules", &RULES), ("probes", &PROBES)] {
            scripts.add_embedded(top, dir);
        }
        for one in loaded {
            scripts.add(one);
        }
        for sources in scripts.table.values_mut() {
            sources.sort_by_key(|source| source.layer);
        }
        scripts
    }

    fn add_embedded(&mut self, top: &str, dir: &Dir<'_>) {
        for file in dir.files() {
            let Some(path) = file.path().to_str().and_then(|p| p.strip_suffix(".rhai")) else {
                continue;
            };
            let path = format!("{top}/{path}");
            let text = match file.contents_utf8() {
                Some(text) => Ok(text.into()),
                None => Err(Fault::new(
                    Code::ScriptSize,
                    format!("`{path}` is not UTF-8"),
                )),
            };
            self.add(Loaded {
                layer: Layer::BuiltIn,
                folder: "".into(),
                path,
                text,
            });
        }
        for child in dir.dirs() {
            self.add_embedded(top, child);
        }
    }

    fn add(&mut self, loaded: Loaded) {
        let Loaded {
            layer,
            folder,
            path,
            text,
        } = loaded;
        self.table.entry(path.clone()).or_default().push(Source {
            layer,
            folder,
            path,
            text,
            compiled: OnceLock::new(),
        });
    }

    /// The script that counts under a path such as `probes/work/todo`.
    pub fn effective(&self, path: &str) -> Option<&Source> {
        self.table.get(path)?.last()
    }

    /// The script of one layer, for imports and for built-in tables.
    pub fn in_layer(&self, layer: Layer, path: &str) -> Option<&Source> {
        let sources = self.table.get(path)?;
        sources.iter().rfind(|source| source.layer == layer)
    }

    /// The script that an import path means: a layer's name in front picks the layer.
    pub fn imported(&self, path: &str) -> Option<&Source> {
        let layers = [Layer::BuiltIn, Layer::Extra, Layer::User, Layer::Site];
        for layer in layers {
            let rest = path
                .strip_prefix(layer.name())
                .and_then(|r| r.strip_prefix('/'));
            if let Some(rest) = rest {
                return self.in_layer(layer, rest);
            }
        }
        self.effective(path)
    }

    /// The names of the scripts below a folder such as `probes/work/`, sorted.
    pub fn below(&self, folder: &str) -> Vec<&str> {
        self.table
            .keys()
            .filter_map(|path| path.strip_prefix(folder))
            .filter(|rest| !rest.contains('/'))
            .collect()
    }

    /// Every script of every layer, by path and layer.
    pub fn all(&self) -> impl Iterator<Item = &Source> {
        self.table.values().flatten()
    }

    /// The script for a path, or the fault that says there is none.
    pub fn script(&self, path: &str) -> Result<Arc<Script>, Fault> {
        match self.effective(path) {
            Some(source) => self.unmixed(source.script()?),
            None => Err(Fault::new(
                Code::ScriptMissing,
                format!("there is no script `{path}.rhai`"),
            )
            .with_help(format!(
                "write `.belegt/{path}.rhai`, or take its row out of `rules/chain`"
            ))),
        }
    }

    /// The script, if no function of it can be taken for one of its imports.
    fn unmixed(&self, script: Arc<Script>) -> Result<Arc<Script>, Fault> {
        let checked = script.unmixed.get_or_init(|| clash::check(self, &script));
        match checked {
            Ok(()) => Ok(script.clone()),
            Err(fault) => Err(fault.clone()),
        }
    }

    /// A digest over every script that counts, for the fingerprint.
    pub fn digest(&self) -> String {
        let mut all = String::new();
        for source in self.all() {
            all.push_str(&source.name());
            all.push(' ');
            all.push_str(&source.digest());
            all.push('\n');
        }
        digest(all.as_bytes())
    }
}
