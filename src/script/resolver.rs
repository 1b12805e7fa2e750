//! Imports: a look into the table of scripts that were read before anything ran.
//!
//! No file is opened while a script runs, so the set of scripts behind a verdict is the set
//! that was digested. Paths are literal segments; a circle is refused.

use std::sync::{Arc, Mutex, PoisonError};

use rhai::{Engine, EvalAltResult, Module, ModuleResolver, Position, Scope, Shared};

use super::layers::Scripts;

/// Resolves imports from the table.
pub struct TableResolver {
    scripts: Arc<Scripts>,
    loading: Mutex<Vec<String>>,
}

impl TableResolver {
    /// A resolver over these scripts.
    pub fn new(scripts: Arc<Scripts>) -> Self {
        TableResolver {
            scripts,
            loading: Mutex::new(Vec::new()),
        }
    }

    fn enter(&self, path: &str) -> Result<(), String> {
        let mut loading = self.loading.lock().unwrap_or_else(PoisonError::into_inner);
        if loading.iter().any(|open| open == path) {
            return Err(format!("`{path}` imports itself: {}", loading.join(" -> ")));
        }
        loading.push(path.to_string());
        Ok(())
    }

    fn leave(&self) {
        let mut loading = self.loading.lock().unwrap_or_else(PoisonError::into_inner);
        loading.pop();
    }

    fn load(&self, engine: &Engine, path: &str) -> Result<Shared<Module>, Box<EvalAltResult>> {
        let refuse = |why: String| -> Box<EvalAltResult> {
            EvalAltResult::ErrorRuntime(why.into(), Position::NONE).into()
        };
        let source = self
            .scripts
            .imported(path)
            .ok_or_else(|| refuse(format!("there is no script `{path}` to import")))?;
        let script = source.script().map_err(|fault| refuse(fault.line()))?;
        if let Some(module) = script.module.get() {
            return Ok(module.clone());
        }
        // Top level holds constants and imports only, so the module is the same in every call.
        let module = Module::eval_ast_as_new(Scope::new(), &script.ast, engine).map(Shared::new)?;
        Ok(script.module.get_or_init(|| module).clone())
    }
}

impl ModuleResolver for TableResolver {
    fn resolve(
        &self,
        engine: &Engine,
        _source: Option<&str>,
        path: &str,
        position: Position,
    ) -> Result<Shared<Module>, Box<EvalAltResult>> {
        let wrap = |inner: Box<EvalAltResult>| -> Box<EvalAltResult> {
            EvalAltResult::ErrorInModule(path.to_string(), inner, position).into()
        };
        self.enter(path)
            .map_err(|why| wrap(EvalAltResult::ErrorRuntime(why.into(), position).into()))?;
        let loaded = self.load(engine, path);
        self.leave();
        loaded.map_err(wrap)
    }
}

/// Whether an import path is one that the table can hold.
pub fn is_path(path: &str) -> bool {
    let segment = |s: &str| {
        let mut chars = s.chars();
        chars
            .next()
            .is_some_and(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
            && chars.all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "._-".contains(c))
            && !s.contains("..")
    };
    path.split('/').all(segment)
}
