//! The linter: everything that is wrong with a script, at once and without running it.
//!
//! The contract of a script is checked with the very code that a run uses; what the language
//! would pass over in silence, or tell only once a line runs, is checked here beside it. A
//! finding is an error if the script cannot be used or a line of it can only fail, else a
//! warning.
//!
//! INVARIANT: any text gives findings, never a panic; the work is bounded by the length of the
//! text. A script without a finding compiles and keeps its contract.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::{Arc, Mutex};

use crate::diag::{Code, Fault, Finding, Severity};

use super::clash;
use super::contract;
use super::fault::is_constant;
use super::layers::{Script, Scripts};

mod answer;
mod blind;
mod calls;
mod comment;
mod constants;
mod dropped;
mod imports;
mod items;
mod known;
mod look;
mod names;
mod parse;
mod pieces;
mod properties;
mod summary;
mod tree;
mod values;

use look::{Look, Out};
use summary::Summary;

/// The most findings of one script.
const MOST: usize = 200;

/// Checks scripts over one set of layers; what it learns of imports it keeps.
pub struct Checker<'a> {
    scripts: &'a Scripts,
    summaries: Mutex<BTreeMap<String, Rc<Summary>>>,
}

/// What came of one script.
pub struct Checked {
    /// What is wrong, in the order of the text.
    pub findings: Vec<Finding>,
    /// What could be read of it, for whoever knows what its tables mean.
    pub script: Arc<Script>,
    /// The paths that it imports.
    pub imports: Vec<String>,
}

impl<'a> Checker<'a> {
    /// A checker whose imports are found among these scripts.
    pub fn new(scripts: &'a Scripts) -> Self {
        Checker {
            scripts,
            summaries: Mutex::new(BTreeMap::new()),
        }
    }

    /// Checks a text; `name` is how messages call it, `path` where it stands, such as
    /// `probes/work/todo`.
    pub fn check(&self, name: &str, path: &str, text: &Arc<str>) -> Result<Checked, Fault> {
        contract::check_text(name, text)?;
        let attempt = catch_unwind(AssertUnwindSafe(|| self.read(name, path, text)));
        attempt.map_err(|_| {
            let message = "the parser failed on this text".to_string();
            Fault::new(Code::RunPanic, message).with_source(name, text.clone())
        })
    }

    fn read(&self, name: &str, path: &str, text: &Arc<str>) -> Checked {
        let parse::Parsed {
            ast,
            faults,
            mended,
        } = parse::parse(name, text);
        let is_broken = !faults.is_empty();
        let mut findings: Vec<Finding> = faults.into_iter().map(error).collect();
        let (problems, meta) = contract::examine((name, text), path, &ast);
        let problems = problems
            .into_iter()
            .filter(|problem| !follows(problem, text, is_broken) && !is_library(problem, path));
        findings.extend(problems.map(error));
        let script = Arc::new(Script::new(name, text.clone(), ast, meta));
        let imports = self.look(&script, path, &mended, &mut findings);
        if !is_broken {
            findings.extend(self.clash(&script).map(error));
        }
        let comment = comment::check(name, text, &mut findings);
        findings.extend(comment.map(error));
        Checked {
            imports,
            findings: ordered(findings),
            script,
        }
    }

    /// What no contract says, check by check; gives the paths of the imports.
    fn look(
        &self,
        script: &Arc<Script>,
        path: &str,
        mended: &[rhai::Position],
        findings: &mut Vec<Finding>,
    ) -> Vec<String> {
        let bodies = tree::bodies(&script.ast);
        let tree = tree::Tree::new(&script.ast, &bodies);
        let look = Look::new(self, script, path, (&tree, mended));
        let mut out = Out::new(&look, std::mem::take(findings));
        for check in [
            calls::check,
            imports::check,
            names::check,
            properties::check,
            values::check,
            constants::check,
            answer::check,
            dropped::check,
            items::check,
            blind::check,
        ] {
            check(&look, &mut out);
        }
        *findings = out.list;
        let imports = look.imports.iter();
        imports.map(|import| import.path.to_string()).collect()
    }

    /// Functions that the engine would mix up; a circle is told as such.
    fn clash(&self, script: &Arc<Script>) -> Option<Fault> {
        clash::check(self.scripts, script).err()
    }
}

/// The paths that a script imports.
pub fn imports(script: &Script) -> Vec<String> {
    let mut paths = Vec::new();
    script.ast.walk(&mut |path: &[rhai::ASTNode<'_>]| {
        if let Some(rhai::ASTNode::Stmt(rhai::Stmt::Import(parts, _))) = path.last()
            && let rhai::Expr::StringConstant(path, _) = &parts.0
        {
            paths.push(path.to_string());
        }
        true
    });
    paths
}

fn error(fault: Fault) -> Finding {
    (Severity::Error, fault)
}

/// Whether a problem only follows from what could not be read.
fn follows(problem: &Fault, text: &str, is_broken: bool) -> bool {
    is_broken
        && match problem.code() {
            Code::ScriptEntry => true,
            Code::MetaMissing => is_constant(text, "META"),
            _ => false,
        }
}

/// What lies among the tests and is no script of a layer needs no `META`.
fn is_library(problem: &Fault, path: &str) -> bool {
    problem.code() == Code::MetaMissing && path.starts_with("tests/")
}

/// In the order of the text, each once.
fn ordered(mut findings: Vec<Finding>) -> Vec<Finding> {
    let start = |fault: &Fault| {
        fault
            .labels_list()
            .first()
            .map_or(0, |label| label.span.start)
    };
    findings.sort_by_key(|(_, fault)| (start(fault), fault.code()));
    findings.dedup_by(|(_, a), (_, b)| {
        a.code() == b.code() && start(a) == start(b) && a.message() == b.message()
    });
    findings.truncate(MOST);
    findings
}

#[cfg(test)]
mod tests;
