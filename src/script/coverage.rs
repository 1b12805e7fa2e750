//! Which statements of a script ran: the engine tells of every node that it evaluates.
//!
//! A point is a statement of a function, or an arm of a `switch`, by line and column: a branch
//! that stands on one line with its condition is a point of its own. Statements at top level
//! are no points, they run with every call.
//!
//! INVARIANT: what is counted is what the syntax tree holds; a point that the engine never told
//! of did not run.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use rhai::debugger::DebuggerCommand;
use rhai::{AST, ASTNode, Engine, Expr, Position, Stmt};

use super::layers::Script;

/// Line and column of a point, both counted from 1.
pub type Point = (usize, usize);

/// What ran, by the name of the script.
#[derive(Debug, Default)]
pub struct Coverage {
    seen: Mutex<BTreeMap<String, BTreeSet<Point>>>,
}

/// The points of one script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Covered {
    /// How many points there are.
    pub points: usize,
    /// Those that did not run.
    pub missed: Vec<Point>,
}

impl Coverage {
    fn note(&self, source: &str, point: Point) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        match seen.get_mut(source) {
            Some(points) => {
                points.insert(point);
            }
            None => {
                seen.insert(source.to_string(), BTreeSet::from([point]));
            }
        }
    }

    /// What ran of a script.
    pub fn of(&self, script: &Script) -> Covered {
        let all = points(&script.ast);
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let ran = seen.get(&script.name);
        let missed = all
            .iter()
            .filter(|point| ran.is_none_or(|ran| !ran.contains(point)));
        Covered {
            missed: missed.copied().collect(),
            points: all.len(),
        }
    }
}

/// Has an engine tell what it evaluates.
pub(super) fn watch(engine: &mut Engine, coverage: &Arc<Coverage>) {
    let coverage = coverage.clone();
    #[allow(
        deprecated,
        reason = "marked so because it may change, not because it goes"
    )]
    engine.register_debugger(
        |_, debugger| debugger,
        move |_, _, _, source, position| {
            if let (Some(source), Some(point)) = (source, point(position)) {
                coverage.note(source, point);
            }
            Ok(DebuggerCommand::StepInto)
        },
    );
}

fn point(position: Position) -> Option<Point> {
    Some((position.line()?, position.position().unwrap_or(1)))
}

/// The points of a syntax tree.
fn points(ast: &AST) -> BTreeSet<Point> {
    let mut all = BTreeSet::new();
    ast.walk(&mut |path: &[ASTNode<'_>]| {
        if let Some(ASTNode::Stmt(statement)) = path.last() {
            collect(statement, &mut all);
        }
        true
    });
    for statement in ast.statements() {
        let mut top = BTreeSet::new();
        collect(statement, &mut top);
        all.retain(|point| !top.contains(point));
    }
    all
}

/// The point of a statement itself; the engine passes over what only holds others.
fn collect(statement: &Stmt, all: &mut BTreeSet<Point>) {
    match statement {
        Stmt::Noop(_) | Stmt::Block(_) | Stmt::Share(_) => {}
        Stmt::Expr(expr) => value(expr, all),
        Stmt::Switch(parts, position) => {
            all.extend(point(*position));
            for arm in &parts.1.expressions {
                value(&arm.rhs, all);
            }
        }
        other => all.extend(point(other.position())),
    }
}

fn value(expr: &Expr, all: &mut BTreeSet<Point>) {
    if !matches!(expr, Expr::Stmt(_)) {
        all.extend(point(expr.position()));
    }
}
