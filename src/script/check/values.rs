//! Comparisons that can only come out one way, and constants that are to be changed.

use rhai::{ASTFlags, Expr, Position, Stmt};

use crate::diag::Code;

use super::look::{Look, Out};
use super::summary::last;
use super::tree::{Node, What};

/// Checks comparisons and assignments.
pub fn check(look: &Look<'_>, out: &mut Out<'_>) {
    for node in &look.tree.nodes {
        match node.what {
            What::Expr(Expr::FnCall(call, position)) if call.is_operator_call() => {
                if let [left, right] = call.args.as_slice() {
                    let sides = (kind(look, node, left), kind(look, node, right));
                    compare(out, &call.name, sides, *position);
                }
            }
            What::Stmt(Stmt::Assignment(parts)) => assigned(look, out, node, &parts.1.lhs),
            _ => {}
        }
    }
}

/// What a value is, as far as it is known without running anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Known {
    Number,
    Fraction,
    Text,
    Truth,
    Nothing,
    List,
    Map,
}

impl Known {
    fn shown(self) -> &'static str {
        match self {
            Known::Number => "a number",
            Known::Fraction => "a number with a fraction",
            Known::Text => "a text",
            Known::Truth => "`true` or `false`",
            Known::Nothing => "`()`",
            Known::List => "a list",
            Known::Map => "a map",
        }
    }
}

/// What is known of one side, and whether it is written out.
type Side = Option<(Known, bool)>;

fn kind(look: &Look<'_>, node: &Node<'_>, value: &Expr) -> Side {
    let literal = match value {
        Expr::IntegerConstant(..) => Known::Number,
        Expr::FloatConstant(..) => Known::Fraction,
        Expr::StringConstant(..) | Expr::InterpolatedString(..) | Expr::CharConstant(..) => {
            Known::Text
        }
        Expr::BoolConstant(..) => Known::Truth,
        Expr::Unit(_) => Known::Nothing,
        Expr::Array(..) => Known::List,
        Expr::Map(..) => Known::Map,
        Expr::Dot(pair, ..) => return Some((getter(look, node, (value, &pair.lhs))?, false)),
        _ => return None,
    };
    Some((literal, true))
}

/// What a getter gives, unless a map of this script has a key of that name.
fn getter(look: &Look<'_>, node: &Node<'_>, (chain, from): (&Expr, &Expr)) -> Option<Known> {
    let name = match last(chain)? {
        Expr::Property(property, _) => property.2.as_str(),
        Expr::MethodCall(call, _) if call.args.is_empty() => call.name.as_str(),
        _ => return None,
    };
    if look.keys.contains(name) {
        return None;
    }
    match name {
        "ok" | "missing" | "is_empty" | "is_blank" => Some(Known::Truth),
        "len" => Some(Known::Number),
        "why" => Some(Known::Text),
        "status" if is_command(look, node, from) => Some(Known::Number),
        _ => None,
    }
}

/// Whether a value is what `cmd::run` gave: the call itself, or a variable that only ever is one.
fn is_command(look: &Look<'_>, node: &Node<'_>, value: &Expr) -> bool {
    match value {
        Expr::FnCall(call, _) => !call.namespace.is_empty() && call.namespace.root() == "cmd",
        Expr::Variable(variable, ..) if variable.2.is_empty() => {
            let made = look
                .tree
                .nodes
                .iter()
                .filter(|n| n.function == node.function);
            let mut made = made.filter_map(|node| match node.what {
                What::Stmt(Stmt::Var(parts, ..)) if parts.0.name == variable.1.as_str() => {
                    Some(&parts.1)
                }
                _ => None,
            });
            let is_run =
                |value: &Expr| matches!(value, Expr::FnCall(..)) && is_command(look, node, value);
            made.next().is_some_and(is_run) && made.all(is_run)
        }
        _ => false,
    }
}

fn compare(out: &mut Out<'_>, sign: &str, sides: (Side, Side), position: Position) {
    let is_equality = matches!(sign, "==" | "!=");
    if !is_equality && !matches!(sign, "<" | "<=" | ">" | ">=") {
        return;
    }
    let fraction = |side: Side| side.is_some_and(|(kind, _)| kind == Known::Fraction);
    if is_equality && (fraction(sides.0) || fraction(sides.1)) {
        let message = format!("`{sign}` with a fraction depends on how it is rounded");
        let help = "count in whole numbers, or ask whether it lies between two".to_string();
        return out.error(Code::ScriptCompare, position, (message, help));
    }
    let (Some((left, left_written)), Some((right, right_written))) = sides else {
        return;
    };
    let number = |kind| matches!(kind, Known::Number | Known::Fraction);
    let both_written = left_written && right_written;
    let with_nothing = left == Known::Nothing || right == Known::Nothing;
    if left == right || (number(left) && number(right)) || (with_nothing && !both_written) {
        return;
    }
    let message = format!("`{sign}` compares {} with {}", left.shown(), right.shown());
    let help = match (left, right) {
        (Known::Text, Known::Number) | (Known::Number, Known::Text) => {
            "they are never equal; write the number without quotes, or read it with `parse_int`"
        }
        (Known::Truth, _) | (_, Known::Truth) => {
            "what is true or false is asked by itself: `if look.ok { ... }`"
        }
        _ => "they are never equal; compare values of one kind",
    };
    out.error(Code::ScriptCompare, position, (message, help.into()));
}

/// An assignment into a constant: of the file, or of the function.
fn assigned(look: &Look<'_>, out: &mut Out<'_>, node: &Node<'_>, target: &Expr) {
    let mut root = target;
    while let Expr::Dot(pair, ..) | Expr::Index(pair, ..) = root {
        root = &pair.lhs;
    }
    let Expr::Variable(variable, _, position) = root else {
        return;
    };
    let of_file = !variable.2.is_empty() && variable.2.root() == "global";
    if !of_file && !is_constant_here(look, node, &variable.1) {
        return;
    }
    let message = format!("`{}` is a constant and keeps its value", variable.1);
    let help = format!(
        "take a copy: `let copy = {}{};`",
        if of_file { "global::" } else { "" },
        variable.1
    );
    out.error(Code::ScriptConstant, *position, (message, help));
}

/// Whether a function makes a name by `const` and never by `let`.
fn is_constant_here(look: &Look<'_>, node: &Node<'_>, name: &str) -> bool {
    let own = look
        .tree
        .nodes
        .iter()
        .filter(|n| n.function == node.function);
    let mut made = own.filter_map(|node| match node.what {
        What::Stmt(Stmt::Var(parts, flags, _)) if parts.0.name.as_str() == name => {
            Some(flags.intersects(ASTFlags::CONSTANT))
        }
        _ => None,
    });
    node.function.is_some() && made.next() == Some(true) && made.all(|constant| constant)
}
