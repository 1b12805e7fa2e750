//! From a statement of the language to a set of gates: each condition one checkable sentence.
//!
//! INVARIANT: what a method cannot read without a guess is refused at its place. A condition
//! that no method knows is kept with the method `none` and says so. Before a step that cannot
//! be taken back an unclear wording gets the stricter mode, never the other way round.

use serde_json::Value;

use crate::ask::Asking;
use crate::diag::{Code, Fault};
use crate::lang::{Atom, Expr, Statement, Words};
use crate::model::gate::{Gate, GateSet, GateStatus, Mode, NO_METHOD, Tree, step};

use super::methods::{Recognised, recognise};
use super::prove::NO_PATH;

/// What all sets of one document share.
pub struct Document<'a> {
    /// The way to the scripts.
    pub asking: &'a Asking,
    /// The words.
    pub words: &'a Words,
    /// The methods in the order in which they are asked.
    pub order: &'a [String],
    /// The name of the text.
    pub name: &'a str,
    /// The text, for places.
    pub text: &'a str,
    /// When it is opened, RFC 3339.
    pub at: String,
    /// Who opens it.
    pub by: String,
}

impl Document<'_> {
    /// The set that a statement means. `id` is the set's own.
    ///
    /// # Errors
    /// Every condition of it that cannot be read without a guess.
    pub fn set(&self, id: &str, order: u32, statement: &Statement) -> Result<GateSet, Vec<Fault>> {
        let mut normal = Normal {
            document: self,
            statement,
            id,
            gates: Vec::new(),
            notes: Vec::new(),
            faults: Vec::new(),
            alone: matches!(statement.expr, Expr::Atom(_)),
        };
        let tree = normal.tree(&statement.expr);
        if !normal.faults.is_empty() {
            return Err(normal.faults);
        }
        let mode = normal.mode();
        let carried = self.carried(statement, &normal.gates);
        Ok(GateSet {
            id: id.to_string(),
            word: statement.word.clone(),
            mode,
            blocks: statement.step.clone(),
            key: step::key(&statement.step),
            source: statement.to_string(),
            carried,
            created_at: self.at.clone(),
            by: self.by.clone(),
            order,
            tree,
            gates: normal.gates,
            notes: normal.notes,
        })
    }

    /// The statement with every relative time made absolute.
    fn carried(&self, statement: &Statement, gates: &[Gate]) -> String {
        let mut carried = statement.clone();
        let mut is_changed = false;
        each_atom(&mut carried.expr, &mut |atom| {
            let gate = gates.iter().find(|gate| gate.condition == atom.text);
            let text = gate.and_then(|gate| gate.params.get("carried")?.as_str());
            if let Some(text) = text {
                atom.text = text.to_string();
                is_changed = true;
            }
        });
        let says = |word: &str| {
            self.words
                .words
                .get(word)
                .is_some_and(|row| row.says.is_some())
        };
        if is_changed && says(&statement.word) {
            let plain = self.words.words.iter();
            let mut plain =
                plain.filter(|(_, row)| row.says.is_none() && row.mode == statement.mode);
            if let Some((word, _)) = plain.next() {
                carried.word.clone_from(word);
            }
        }
        carried.to_string()
    }
}

fn each_atom(expr: &mut Expr, see: &mut dyn FnMut(&mut Atom)) {
    match expr {
        Expr::Atom(atom) => see(atom),
        Expr::All(parts) | Expr::Any(parts) => {
            for part in parts {
                each_atom(part, see);
            }
        }
    }
}

/// A set on its way.
struct Normal<'a> {
    document: &'a Document<'a>,
    statement: &'a Statement,
    id: &'a str,
    gates: Vec<Gate>,
    notes: Vec<String>,
    faults: Vec<Fault>,
    alone: bool,
}

impl Normal<'_> {
    fn tree(&mut self, expr: &Expr) -> Tree {
        match expr {
            Expr::Atom(atom) => Tree::Gate(self.gate(atom)),
            Expr::All(parts) => Tree::All(parts.iter().map(|part| self.tree(part)).collect()),
            Expr::Any(parts) => Tree::Any(parts.iter().map(|part| self.tree(part)).collect()),
        }
    }

    /// The id of the gate for a condition; the same condition is one gate.
    fn gate(&mut self, atom: &Atom) -> String {
        if let Some(known) = self.gates.iter().find(|gate| gate.condition == atom.text) {
            return known.id.clone();
        }
        let id = match self.alone {
            true => self.id.to_string(),
            false => format!("{}.{}", self.id, self.gates.len() + 1),
        };
        let mut gate = Gate {
            id: id.clone(),
            condition: atom.text.clone(),
            sentence: atom.text.clone(),
            proof_method: NO_METHOD.to_string(),
            params: Value::Null,
            status: GateStatus::Open,
            label: atom.label,
            due: None,
            evidence: None,
            because: None,
        };
        self.recognise(atom, &mut gate);
        self.gates.push(gate);
        id
    }

    fn recognise(&mut self, atom: &Atom, gate: &mut Gate) {
        let demanded = self.statement.method.clone().map(|method| vec![method]);
        let order = demanded.as_deref().unwrap_or(self.document.order);
        let recognition = recognise(self.document.asking, order, &atom.text);
        for (method, why) in recognition.broken {
            self.notes
                .push(format!("the method `{method}` could not be asked: {why}"));
        }
        match recognition.result {
            Recognised::By {
                method,
                sentence,
                params,
            } => {
                gate.due = params.get("due").and_then(Value::as_i64);
                let note = params.get("note").and_then(Value::as_str);
                let note = note.filter(|note| !note.is_empty());
                self.notes.extend(note.map(str::to_string));
                gate.proof_method = method;
                gate.sentence = sentence;
                gate.params = params;
            }
            Recognised::Refused { method, why, piece } => {
                self.refuse(atom, &piece, &format!("`{method}`: {why}"));
            }
            Recognised::Nobody => match &self.statement.method {
                Some(method) => {
                    let why = format!(
                        "`{}` needs a condition of the method `{method}`",
                        self.statement.word
                    );
                    self.refuse(atom, &atom.text, &why);
                }
                None => self.notes.push(format!("`{}`: {NO_PATH}", gate.condition)),
            },
        }
    }

    fn refuse(&mut self, atom: &Atom, piece: &str, why: &str) {
        let written = self
            .document
            .text
            .get(atom.span.clone())
            .unwrap_or_default();
        let at = written.find(piece).filter(|_| !piece.is_empty());
        let span = match at {
            Some(at) => atom.span.start + at..atom.span.start + at + piece.len(),
            None => atom.span.clone(),
        };
        self.faults.push(
            Fault::new(Code::GateRefused, why.to_string())
                .with_source(self.document.name, self.document.text.into())
                .with_label(span, "this cannot be read without a guess")
                .with_help(
                    "write it so that it has one meaning; until then the step is not protected",
                ),
        );
    }

    /// The word's mode, or the stricter one where the wording is unclear and the step cannot
    /// be taken back.
    fn mode(&mut self) -> Mode {
        let words = self.document.words;
        let step = step::normal(&self.statement.step);
        if self.statement.mode == Mode::Only || words.irreversible_in(&step).is_none() {
            return self.statement.mode;
        }
        let unclear = self.gates.iter().find(|gate| {
            gate.proof_method == NO_METHOD || words.unclear_in(&gate.condition).is_some()
        });
        let Some(gate) = unclear else {
            return self.statement.mode;
        };
        self.notes.push(format!(
            "`{}` is unclear and the step cannot be taken back: read as `only`, it is forbidden until proven",
            gate.condition
        ));
        Mode::Only
    }
}
