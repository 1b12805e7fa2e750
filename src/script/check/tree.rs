//! A syntax tree as one list of nodes, each with its parent and its function.
//!
//! The engine's own walk forgets which function a node belongs to and what a `break` gives.
//! How deep a tree may be is bounded by the parser, so the recursion here is too.

use std::collections::BTreeMap;

use rhai::{AST, ASTNode, Dynamic, Expr, FnCallExpr, FnPtr, Position, Stmt};

/// A node: an expression or a statement.
#[derive(Clone, Copy)]
pub enum What<'a> {
    /// An expression.
    Expr(&'a Expr),
    /// A statement.
    Stmt(&'a Stmt),
}

/// A node with where it stands.
pub struct Node<'a> {
    /// The node.
    pub what: What<'a>,
    /// Its parent in the list.
    pub parent: Option<usize>,
    /// The function it stands in; none at top level.
    pub function: Option<usize>,
}

/// A function, or the closure that an expression made.
pub struct Function<'a> {
    /// Its name; generated for a closure.
    pub name: &'a str,
    /// Its parameters; of a closure with what it captures in front.
    pub params: Vec<&'a str>,
    /// Whether imports do not see it.
    pub private: bool,
    /// Its body.
    pub body: &'a [Stmt],
}

impl Function<'_> {
    /// Whether the engine made it of a closure.
    pub fn is_closure(&self) -> bool {
        self.name.starts_with("anon$")
    }
}

/// A call by name: its namespace, its name, how many arguments are written.
pub struct Call<'a> {
    /// The call.
    pub call: &'a FnCallExpr,
    /// The module in front, if there is one.
    pub module: Option<&'a str>,
    /// Whether it is written behind a dot.
    pub method: bool,
    /// Where its name stands.
    pub position: Position,
}

/// The body of one function. The engine lets nobody but its own walk see it.
pub struct Body {
    name: String,
    params: Vec<String>,
    private: bool,
    statements: Vec<Stmt>,
}

/// The bodies of all functions, in the order of their names.
pub fn bodies(ast: &AST) -> Vec<Body> {
    let all = ast.iter_functions();
    let mut bodies: Vec<Body> = all
        .map(|f| Body {
            name: f.name.to_string(),
            params: f.params.iter().map(ToString::to_string).collect(),
            private: f.access.is_private(),
            statements: statements_of(ast, f.name, f.params.len()),
        })
        .collect();
    bodies.sort_by(|a, b| (&a.name, a.params.len()).cmp(&(&b.name, b.params.len())));
    bodies
}

fn statements_of(ast: &AST, name: &str, params: usize) -> Vec<Stmt> {
    // The engine's own filter for clones (1.27) lets every function through.
    let mut one = ast.clone_functions_only();
    one.retain_functions(|_, _, own, count| own == name && count == params);
    let mut statements = Vec::new();
    one.walk(&mut |path: &[ASTNode<'_>]| {
        if let [ASTNode::Stmt(statement)] = path {
            statements.push((*statement).clone());
        }
        true
    });
    statements
}

/// A whole script.
pub struct Tree<'a> {
    /// All nodes, parents before their children.
    pub nodes: Vec<Node<'a>>,
    /// All functions, closures among them.
    pub functions: Vec<Function<'a>>,
    by_name: BTreeMap<(&'a str, usize), usize>,
}

impl<'a> Tree<'a> {
    /// Flattens a tree.
    pub fn new(ast: &'a AST, bodies: &'a [Body]) -> Self {
        let functions = bodies.iter().map(|body| Function {
            name: &body.name,
            params: body.params.iter().map(String::as_str).collect(),
            private: body.private,
            body: &body.statements,
        });
        let functions: Vec<Function<'a>> = functions.collect();
        let keys = functions.iter().enumerate();
        let by_name = keys.map(|(i, f)| ((f.name, f.params.len()), i)).collect();
        let bodies: Vec<&'a [Stmt]> = functions.iter().map(|f| f.body).collect();
        let mut tree = Tree {
            nodes: Vec::new(),
            functions,
            by_name,
        };
        tree.statements(ast.statements(), None, None);
        for (index, body) in bodies.into_iter().enumerate() {
            tree.statements(body, None, Some(index));
        }
        tree
    }

    /// A function by name and number of parameters.
    pub fn function(&self, name: &str, params: usize) -> Option<usize> {
        self.by_name.get(&(name, params)).copied()
    }

    /// The numbers of parameters of all functions of a name.
    pub fn arities(&self, name: &str) -> Vec<usize> {
        let own = self.functions.iter().filter(|f| f.name == name);
        own.map(|f| f.params.len()).collect()
    }

    /// The closures that a node makes.
    pub fn closure(&self, node: &Node<'_>) -> Option<usize> {
        let name = pointer(node.what)?;
        self.functions.iter().position(|f| f.name == name)
    }

    /// All calls by name that somebody wrote; operators are none.
    pub fn calls(&self) -> impl Iterator<Item = (usize, Call<'a>)> + '_ {
        let nodes = self.nodes.iter().enumerate();
        nodes.filter_map(|(index, node)| Some((index, call(node.what)?)))
    }

    fn statements(&mut self, list: &'a [Stmt], parent: Option<usize>, function: Option<usize>) {
        for statement in list {
            self.statement(statement, parent, function);
        }
    }

    fn push(
        &mut self,
        what: What<'a>,
        parent: Option<usize>,
        function: Option<usize>,
    ) -> Option<usize> {
        self.nodes.push(Node {
            what,
            parent,
            function,
        });
        Some(self.nodes.len() - 1)
    }

    fn statement(&mut self, statement: &'a Stmt, parent: Option<usize>, function: Option<usize>) {
        let own = self.push(What::Stmt(statement), parent, function);
        match statement {
            Stmt::If(flow, _)
            | Stmt::While(flow, _)
            | Stmt::Do(flow, ..)
            | Stmt::TryCatch(flow, _) => {
                self.expression(&flow.expr, own, function);
                self.statements(flow.body.statements(), own, function);
                self.statements(flow.branch.statements(), own, function);
            }
            Stmt::For(parts, _) => {
                self.expression(&parts.2.expr, own, function);
                self.statements(parts.2.body.statements(), own, function);
            }
            Stmt::Switch(parts, _) => {
                self.expression(&parts.0, own, function);
                for block in &parts.1.expressions {
                    self.expression(&block.lhs, own, function);
                    self.expression(&block.rhs, own, function);
                }
            }
            Stmt::Var(parts, ..) => self.expression(&parts.1, own, function),
            Stmt::Assignment(parts) => {
                self.expression(&parts.1.lhs, own, function);
                self.expression(&parts.1.rhs, own, function);
            }
            Stmt::FnCall(call, _) => self.expressions(&call.args, own, function),
            Stmt::Block(block) => self.statements(block.statements(), own, function),
            Stmt::Expr(value) => self.expression(value, own, function),
            Stmt::BreakLoop(Some(value), ..) | Stmt::Return(Some(value), ..) => {
                self.expression(value, own, function);
            }
            Stmt::Import(parts, _) => self.expression(&parts.0, own, function),
            _ => {}
        }
    }

    fn expressions(&mut self, list: &'a [Expr], parent: Option<usize>, function: Option<usize>) {
        for one in list {
            self.expression(one, parent, function);
        }
    }

    fn expression(&mut self, value: &'a Expr, parent: Option<usize>, function: Option<usize>) {
        let own = self.push(What::Expr(value), parent, function);
        match value {
            Expr::InterpolatedString(parts, _) | Expr::Array(parts, _) => {
                self.expressions(parts, own, function);
            }
            Expr::And(parts, _) | Expr::Or(parts, _) | Expr::Coalesce(parts, _) => {
                self.expressions(parts, own, function);
            }
            Expr::Map(parts, _) => {
                for (_, inner) in &parts.0 {
                    self.expression(inner, own, function);
                }
            }
            Expr::MethodCall(call, _) | Expr::FnCall(call, _) => {
                self.expressions(&call.args, own, function);
            }
            Expr::Stmt(block) => self.statements(block.statements(), own, function),
            Expr::Dot(pair, ..) | Expr::Index(pair, ..) => {
                self.expression(&pair.lhs, own, function);
                self.expression(&pair.rhs, own, function);
            }
            _ => {}
        }
    }
}

/// The call that a node is; operators and what closures capture are none.
pub fn call(what: What<'_>) -> Option<Call<'_>> {
    let (call, method, position) = match what {
        What::Expr(Expr::FnCall(call, position)) | What::Stmt(Stmt::FnCall(call, position)) => {
            (call, false, *position)
        }
        What::Expr(Expr::MethodCall(call, position)) => (call, true, *position),
        _ => return None,
    };
    let captures = call.name == "curry" && call.args.first().is_some_and(is_pointer);
    if call.is_operator_call() || captures {
        return None;
    }
    let module = (!call.namespace.is_empty()).then(|| call.namespace.root());
    Some(Call {
        call,
        module,
        method,
        position,
    })
}

fn is_pointer(value: &Expr) -> bool {
    pointer(What::Expr(value)).is_some()
}

/// The function that a written closure means.
fn pointer(what: What<'_>) -> Option<String> {
    let What::Expr(Expr::DynamicConstant(value, _)) = what else {
        return None;
    };
    let value: &Dynamic = value;
    let pointer = value.read_lock::<FnPtr>()?;
    Some(pointer.fn_name().to_string())
}
