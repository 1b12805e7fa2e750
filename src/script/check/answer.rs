//! Entries that can end without an answer, or with one that is not theirs.
//!
//! A block's value is its last statement's, so each way through a function ends somewhere: at
//! a constructor, at a call whose end is looked at in turn, or at something that cannot be an
//! answer. What cannot be known without running (a variable, a method, an import) is believed.

use std::collections::BTreeSet;

use rhai::{
    ASTFlags, ASTNode, Expr, FlowControl, FnCallExpr, Position, Stmt, SwitchCasesCollection,
};

use crate::diag::Code;
use crate::script::contract::entries;
use crate::script::names::CONSTRUCTORS;

use super::known::known;
use super::look::{Look, Out};
use super::tree::What;

/// What an entry may end with.
#[derive(Clone, Copy)]
struct Wanted {
    /// The constructors; none for plain data.
    answers: &'static [&'static str],
    /// Whether `()` is an answer.
    nothing: bool,
}

fn wanted(path: &str, entry: &str) -> Wanted {
    let answers: &[&str] = match entry {
        "locate" => &["place", "unavailable"],
        "read" => &["found", "empty", "unavailable"],
        "look" => &["found", "empty", "unavailable", "absent"],
        "recognise" => &["condition", "refused"],
        "prove" => &["found", "empty", "unavailable", "reported"],
        "classify" => &["work", "user", "rest", "unclear"],
        "verdict" => &["go_on", "exhausted", "blind", "user_only"],
        "holds" => &["yes", "no"],
        "step" if path == "rules/gate" => &["open_step", "hold", "forbid"],
        _ => &[],
    };
    Wanted {
        answers,
        nothing: entry == "recognise",
    }
}

/// Checks the ends of every entry.
pub fn check(look: &Look<'_>, out: &mut Out<'_>) {
    for (entry, arity, _) in entries(look.path) {
        let Some(function) = look.tree.function(entry, *arity) else {
            continue;
        };
        let mut ends = Ends {
            look,
            entry,
            wanted: wanted(look.path, entry),
            seen: BTreeSet::new(),
            found: Vec::new(),
        };
        ends.function(function);
        for (position, message) in ends.found {
            out.error(
                Code::ScriptAnswer,
                position,
                (message, ends.wanted.help(entry)),
            );
        }
    }
}

impl Wanted {
    fn help(self, entry: &str) -> String {
        if self.answers.is_empty() {
            return format!("every way through `{entry}` ends with a value");
        }
        let names: Vec<String> = self
            .answers
            .iter()
            .map(|name| format!("`{name}(...)`"))
            .collect();
        let nothing = if self.nothing {
            ", or `()` for what is not its phrase"
        } else {
            ""
        };
        format!(
            "every way through `{entry}` ends with {}{nothing}",
            names.join(" or ")
        )
    }
}

struct Ends<'a> {
    look: &'a Look<'a>,
    entry: &'static str,
    wanted: Wanted,
    /// Functions that were looked at.
    seen: BTreeSet<usize>,
    found: Vec<(Position, String)>,
}

impl<'a> Ends<'a> {
    fn function(&mut self, index: usize) {
        let tree = self.look.tree;
        let Some(function) = tree
            .functions
            .get(index)
            .filter(|_| self.seen.insert(index))
        else {
            return;
        };
        let own = tree
            .nodes
            .iter()
            .filter(|node| node.function == Some(index));
        let returns = own.filter_map(|node| match node.what {
            What::Stmt(Stmt::Return(value, flags, position)) => Some((value, *flags, *position)),
            _ => None,
        });
        for (value, flags, position) in returns {
            match value {
                _ if flags.intersects(ASTFlags::BREAK) => {}
                Some(value) => self.value(value, position),
                None => self.nothing(position, "`return` gives nothing here"),
            }
        }
        let definition = self.definition(function.name);
        self.block(function.body, definition);
    }

    fn definition(&self, name: &str) -> Position {
        let text = self.look.text();
        let span = crate::script::fault::definition(text, name);
        span.map_or(Position::NONE, |span| {
            super::parse::position_of(text, span.start)
        })
    }

    fn nothing(&mut self, position: Position, why: &str) {
        if !self.wanted.nothing {
            let entry = self.entry;
            self.found.push((
                position,
                format!("`{entry}` can end here without an answer: {why}"),
            ));
        }
    }

    /// Something that is no answer; plain data is one for an entry that gives data.
    fn other(&mut self, position: Position, what: &str) {
        if !self.wanted.answers.is_empty() {
            let entry = self.entry;
            self.found.push((
                position,
                format!("`{entry}` can end here with {what}, which is no answer"),
            ));
        }
    }

    fn block(&mut self, block: &'a [Stmt], around: Position) {
        let last = block
            .iter()
            .rfind(|statement| !matches!(statement, Stmt::Noop(_)));
        let Some(last) = last else {
            return self.nothing(around, "the block is empty");
        };
        match last {
            Stmt::Expr(value) => self.value(value, last.position()),
            Stmt::FnCall(call, position) => self.call(call, *position),
            Stmt::If(flow, position) => self.branches(flow, *position),
            Stmt::Switch(parts, position) => self.switch(&parts.1, *position),
            Stmt::Block(inner) => self.block(inner.statements(), inner.position()),
            // Told with the others.
            Stmt::Return(..) => {}
            Stmt::While(flow, _) if is_endless(flow) => {}
            Stmt::While(..) | Stmt::Do(..) | Stmt::For(..) => {
                self.nothing(last.position(), "a loop gives nothing");
            }
            other => self.nothing(place(other, around), "the last statement gives nothing"),
        }
    }

    fn branches(&mut self, flow: &'a FlowControl, position: Position) {
        self.block(flow.body.statements(), or(flow.body.position(), position));
        match flow.branch.statements() {
            [] if flow.branch.position().is_none() => {
                self.nothing(position, "this `if` has no `else`")
            }
            branch => self.block(branch, or(flow.branch.position(), position)),
        }
    }

    fn switch(&mut self, cases: &'a SwitchCasesCollection, position: Position) {
        if cases.def_case.is_none() {
            self.nothing(position, "this `switch` has no `_`");
        }
        for case in &cases.expressions {
            self.value(&case.rhs, or(case.rhs.position(), position));
        }
    }

    fn value(&mut self, value: &'a Expr, around: Position) {
        let position = or(value.start_position(), around);
        match value {
            Expr::Unit(_) => self.nothing(position, "`()` is nothing"),
            Expr::Stmt(block) => self.block(block.statements(), or(block.position(), around)),
            Expr::FnCall(call, position) => self.call(call, *position),
            Expr::Coalesce(parts, _) => {
                if let Some(last) = parts.last() {
                    self.value(last, around);
                }
            }
            Expr::BoolConstant(..) | Expr::And(..) | Expr::Or(..) => {
                self.other(position, "`true` or `false`");
            }
            Expr::IntegerConstant(..) | Expr::FloatConstant(..) => self.other(position, "a number"),
            Expr::StringConstant(..) | Expr::InterpolatedString(..) | Expr::CharConstant(..) => {
                self.other(position, "a text");
            }
            Expr::Array(..) => self.other(position, "a list"),
            Expr::Map(..) => self.other(position, "a map"),
            Expr::DynamicConstant(..) => self.other(position, "a function"),
            _ => {}
        }
    }

    fn call(&mut self, call: &'a FnCallExpr, position: Position) {
        let name = call.name.as_str();
        if call.is_operator_call() {
            return self.other(position, &format!("what `{name}` gives"));
        }
        if !call.namespace.is_empty() {
            let module = call.namespace.root();
            if self.look.import(module).is_none() && known().modules.contains_key(module) {
                self.other(position, &format!("what `{module}::{name}` gives"));
            }
            return;
        }
        if let Some(function) = self.look.tree.function(name, call.args.len()) {
            return self.function(function);
        }
        let is_answer = CONSTRUCTORS.contains(&name) && name != "item";
        match is_answer {
            true if self.wanted.answers.contains(&name) => {}
            true if self.wanted.answers.is_empty() => {
                self.found.push((
                    position,
                    format!("`{}` gives plain data, not an answer", self.entry),
                ));
            }
            true => {
                let message = format!("`{}` may not answer with `{name}(...)`", self.entry);
                self.found.push((position, message));
            }
            false if name == "item" => self.other(position, "an item"),
            false if known().functions.contains_key(name) => {
                self.other(position, &format!("what `{name}` gives"));
            }
            false => {}
        }
    }
}

/// A `loop` that nothing ends but `return`, or `break` with a value.
fn is_endless(flow: &FlowControl) -> bool {
    let is_loop = |node: &ASTNode<'_>| {
        matches!(
            node,
            ASTNode::Stmt(Stmt::While(..) | Stmt::Do(..) | Stmt::For(..))
        )
    };
    let mut breaks = false;
    for statement in flow.body.statements() {
        statement.walk(&mut Vec::new(), &mut |path| {
            let is_own = !path.iter().any(is_loop);
            if let Some(ASTNode::Stmt(Stmt::BreakLoop(None, flags, _))) = path.last() {
                breaks |= is_own && flags.intersects(ASTFlags::BREAK);
            }
            true
        });
    }
    matches!(flow.expr, Expr::Unit(_)) && !breaks
}

fn place(statement: &Stmt, around: Position) -> Position {
    or(statement.position(), around)
}

fn or(position: Position, other: Position) -> Position {
    if position.is_none() { other } else { position }
}
