//! What may stand in a script beside its functions.
//!
//! INVARIANT: loading a script runs nothing. Constants are written out (operators are allowed,
//! calls are not), and every import, at top level or inside of a function, has a literal path
//! and an alias that is no name of the host. `curry` is closed. So the set of scripts behind an
//! answer is known.

use std::sync::Arc;

use rhai::{AST, ASTFlags, ASTNode, Expr, Ident, Position, Stmt};

use crate::diag::{Code, Fault};

use crate::script::fault::at_point;
use crate::script::names::is_reserved;
use crate::script::resolver;

/// Checks the top level, and the imports wherever they stand.
pub fn check(source: (&str, &Arc<str>), ast: &AST, problems: &mut Vec<Fault>) {
    for statement in ast.statements() {
        match statement {
            Stmt::Noop(_) | Stmt::Import(..) => {}
            Stmt::Var(parts, flags, _) if flags.intersects(ASTFlags::CONSTANT) => {
                problems.extend(constant_fault(source, &parts.0.name, &parts.1));
            }
            other => problems.push(statement_fault(source, other.position())),
        }
    }
    ast.walk(&mut |path: &[ASTNode<'_>]| {
        match path.last() {
            Some(ASTNode::Stmt(Stmt::Import(parts, position))) => {
                problems.extend(import_fault(source, (&parts.0, &parts.1), *position));
            }
            Some(ASTNode::Expr(call)) => problems.extend(curry_fault(source, call)),
            _ => {}
        }
        true
    });
}

fn statement_fault(source: (&str, &Arc<str>), position: Position) -> Fault {
    let message = "only `const`, `import` and `fn` may stand at top level";
    at_point(Code::ScriptTopLevel, message.into(), source, position)
        .with_help("move the statement into a function")
}

fn curry_fault(source: (&str, &Arc<str>), call: &Expr) -> Option<Fault> {
    let position = curries(call)?;
    let message = "`curry` is closed".into();
    Some(
        at_point(Code::ScriptClosed, message, source, position)
            .with_help("write a closure: `|y| f.call(x, y)`"),
    )
}

/// A constant that would have to be run is refused at the first thing that runs.
fn constant_fault(source: (&str, &Arc<str>), name: &str, value: &Expr) -> Option<Fault> {
    let mut runs = None;
    value.walk(&mut Vec::new(), &mut |path: &[ASTNode<'_>]| {
        runs = match path.last() {
            Some(ASTNode::Expr(Expr::FnCall(call, position))) if !call.is_operator_call() => {
                Some(*position)
            }
            Some(ASTNode::Expr(Expr::MethodCall(_, position))) => Some(*position),
            Some(ASTNode::Stmt(statement)) => Some(statement.position()),
            _ => None,
        };
        runs.is_none()
    });
    let position = runs?;
    let message = format!("`{name}` must be a constant that is written out, without a call");
    Some(
        at_point(Code::MetaLiteral, message, source, position)
            .with_help("loading a script runs nothing; move the call into a function"),
    )
}

/// A call of `curry` by the script. A function that is curried with itself doubles each time,
/// and no size limit sees it. The parser writes such calls as well, for what closures capture:
/// those begin with a constant.
fn curries(call: &Expr) -> Option<Position> {
    match call {
        Expr::MethodCall(call, position) if call.name == "curry" => Some(*position),
        Expr::FnCall(call, position) if call.name == "curry" => {
            let written = !matches!(call.args.first(), Some(Expr::DynamicConstant(..)));
            written.then_some(*position)
        }
        _ => None,
    }
}

fn import_fault(
    source: (&str, &Arc<str>),
    (path, alias): (&Expr, &Ident),
    position: Position,
) -> Option<Fault> {
    let Expr::StringConstant(path, place) = path else {
        let message = "an import path must be a literal text".into();
        return Some(
            at_point(Code::ScriptImport, message, source, position)
                .with_help("the scripts behind an answer have to be known before it runs"),
        );
    };
    if !resolver::is_path(path) {
        let message = format!("`{path}` is no import path");
        return Some(
            at_point(Code::ScriptImport, message, source, *place)
                .with_help("paths look like `builtin/probes/sources/decisions.ledger`"),
        );
    }
    is_reserved(&alias.name).then(|| reserved(source, &alias.name, alias.pos))
}

fn reserved(source: (&str, &Arc<str>), word: &str, position: Position) -> Fault {
    let message = format!("`{word}` is a name of the host");
    at_point(Code::ScriptName, message, source, position)
        .with_help("choose another name; parameters and variables may bear it")
}
