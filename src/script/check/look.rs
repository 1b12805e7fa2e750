//! What every check sees of a script, and where it puts what it finds.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use rhai::{Expr, Position, Stmt};

use crate::diag::{Code, Fault, Finding, Severity};
use crate::script::fault::at_point;
use crate::script::layers::{Script, Scripts};

use super::Checker;
use super::summary::Summary;
use super::tree::{Tree, What};

/// An import with a literal path.
pub struct Import<'a> {
    /// The name under which it is used.
    pub alias: &'a str,
    /// The path as written.
    pub path: &'a str,
    /// Where the path stands.
    pub position: Position,
    /// Where the alias stands.
    pub alias_position: Position,
    /// What is known of the imported script; nothing if there is none or it is broken.
    pub summary: Option<Rc<Summary>>,
}

/// One script as a check sees it.
pub struct Look<'a> {
    /// The checker, for imports.
    pub checker: &'a Checker<'a>,
    /// The script.
    pub script: &'a Arc<Script>,
    /// Its path, such as `probes/work/todo`.
    pub path: &'a str,
    /// Its tree.
    pub tree: &'a Tree<'a>,
    /// Its imports.
    pub imports: Vec<Import<'a>>,
    /// Keys of map literals and properties that are set, here or in an import.
    pub keys: BTreeSet<String>,
    mended: &'a [Position],
}

impl<'a> Look<'a> {
    /// Gathers what the checks need.
    pub fn new(
        checker: &'a Checker<'a>,
        script: &'a Arc<Script>,
        path: &'a str,
        (tree, mended): (&'a Tree<'a>, &'a [Position]),
    ) -> Self {
        let imports = imports(checker, tree);
        let mut keys = super::summary::keys(tree);
        for summary in imports.iter().filter_map(|import| import.summary.as_ref()) {
            keys.extend(summary.keys.iter().cloned());
        }
        Look {
            checker,
            script,
            path,
            tree,
            imports,
            keys,
            mended,
        }
    }

    /// All scripts.
    pub fn scripts(&self) -> &'a Scripts {
        self.checker.scripts
    }

    /// The text.
    pub fn text(&self) -> &'a str {
        &self.script.text
    }

    /// The import that an alias means.
    pub fn import(&self, alias: &str) -> Option<&Import<'a>> {
        self.imports.iter().find(|import| import.alias == alias)
    }

    /// Whether an import path means this very script.
    pub fn is_own(&self, path: &str) -> bool {
        let found = self.scripts().imported(path);
        found.is_some_and(|source| {
            source.path == self.path
                && source
                    .text()
                    .is_some_and(|text| **text == *self.script.text)
        })
    }

    /// Whether a method is called on a name that does not exist.
    pub fn is_astray(&self, index: usize) -> bool {
        let parent = |index: usize| self.tree.nodes.get(index)?.parent;
        let Some(What::Expr(Expr::Dot(pair, ..))) =
            parent(index).and_then(|parent| Some(self.tree.nodes.get(parent)?.what))
        else {
            return false;
        };
        matches!(&pair.lhs, Expr::Variable(_, _, position) if self.mended.contains(position))
    }

    /// A fault at a place; nothing where the text was mended to be read at all.
    pub fn at(&self, code: Code, message: String, position: Position) -> Option<Fault> {
        if self.mended.contains(&position) {
            return None;
        }
        let source = (self.script.name.as_str(), &self.script.text);
        Some(at_point(code, message, source, position))
    }
}

fn imports<'a>(checker: &Checker<'_>, tree: &Tree<'a>) -> Vec<Import<'a>> {
    let found = tree.nodes.iter().filter_map(|node| match node.what {
        What::Stmt(Stmt::Import(parts, _)) => match &parts.0 {
            Expr::StringConstant(path, position) => Some((path.as_str(), *position, &parts.1)),
            _ => None,
        },
        _ => None,
    });
    found
        .map(|(path, position, alias)| Import {
            alias: &alias.name,
            path,
            position,
            alias_position: alias.pos,
            summary: checker.summary(path),
        })
        .collect()
}

/// Where checks put what they find.
pub struct Out<'a> {
    look: &'a Look<'a>,
    /// What was found.
    pub list: Vec<Finding>,
}

impl<'a> Out<'a> {
    /// A list that holds these already.
    pub fn new(look: &'a Look<'a>, list: Vec<Finding>) -> Self {
        Out { look, list }
    }

    /// Adds an error; `said` is what is wrong and what to do.
    pub fn error(&mut self, code: Code, position: Position, said: (String, String)) {
        self.push(Severity::Error, code, position, said);
    }

    /// Adds a warning.
    pub fn warning(&mut self, code: Code, position: Position, said: (String, String)) {
        self.push(Severity::Warning, code, position, said);
    }

    fn push(&mut self, severity: Severity, code: Code, position: Position, said: (String, String)) {
        let (message, help) = said;
        let Some(mut fault) = self.look.at(code, message, position) else {
            return;
        };
        if !help.is_empty() {
            fault = fault.with_help(help);
        }
        self.list.push((severity, fault));
    }
}
