//! Answers that are made and dropped: `return` is missing in front of them.
//!
//! Only the value of a block's last statement goes on. An answer that stands before it, or at
//! the end of an `if` that is not the last statement, is made and forgotten, and the script goes
//! on as if nothing had been said.

use rhai::{Expr, FnCallExpr, Position, Stmt};

use crate::diag::Code;
use crate::script::names::CONSTRUCTORS;

use super::look::{Look, Out};
use super::tree::What;

/// Checks every block.
pub fn check(look: &Look<'_>, out: &mut Out<'_>) {
    let mut dropped = Vec::new();
    for function in &look.tree.functions {
        block(function.body, true, &mut dropped);
    }
    for node in &look.tree.nodes {
        match node.what {
            What::Expr(Expr::Stmt(inner)) => block(inner.statements(), true, &mut dropped),
            What::Stmt(Stmt::While(flow, _) | Stmt::Do(flow, ..)) => {
                block(flow.body.statements(), false, &mut dropped)
            }
            What::Stmt(Stmt::For(parts, _)) => {
                block(parts.2.body.statements(), false, &mut dropped);
            }
            _ => {}
        }
    }
    for (call, position) in dropped {
        let name = call.name.as_str();
        if look.tree.function(name, call.args.len()).is_some() {
            continue;
        }
        let message = format!("the answer `{name}(...)` is made here and dropped");
        let help = format!("`return {name}(...);` ends with it");
        out.error(Code::ScriptAnswer, position, (message, help));
    }
}

/// Notes the answers of a block whose values nobody takes; `is_value` says whether its last
/// statement's value goes on.
fn block<'a>(
    statements: &'a [Stmt],
    is_value: bool,
    dropped: &mut Vec<(&'a FnCallExpr, Position)>,
) {
    let count = statements
        .iter()
        .rposition(|statement| !matches!(statement, Stmt::Noop(_)));
    for (index, statement) in statements.iter().enumerate() {
        let goes_on = is_value && Some(index) == count;
        match statement {
            Stmt::If(flow, _) => {
                block(flow.body.statements(), goes_on, dropped);
                block(flow.branch.statements(), goes_on, dropped);
            }
            Stmt::Block(inner) => block(inner.statements(), goes_on, dropped),
            Stmt::Switch(parts, _) if !goes_on => {
                for arm in &parts.1.expressions {
                    value(&arm.rhs, dropped);
                }
            }
            Stmt::FnCall(call, position) if !goes_on => note(call, *position, dropped),
            Stmt::Expr(expr) if !goes_on => value(expr, dropped),
            _ => {}
        }
    }
}

fn value<'a>(value: &'a Expr, dropped: &mut Vec<(&'a FnCallExpr, Position)>) {
    match value {
        Expr::FnCall(call, position) => note(call, *position, dropped),
        Expr::Stmt(inner) => block(inner.statements(), false, dropped),
        _ => {}
    }
}

fn note<'a>(
    call: &'a FnCallExpr,
    position: Position,
    dropped: &mut Vec<(&'a FnCallExpr, Position)>,
) {
    let is_plain = call.namespace.is_empty() && !call.is_operator_call();
    if is_plain && CONSTRUCTORS.contains(&call.name.as_str()) {
        dropped.push((call, position));
    }
}
