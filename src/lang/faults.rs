//! What is wrong with a text, gathered in any order and told in the order of the text.
//!
//! INVARIANT: every fault's help says that the step is not protected.
//! INVARIANT: at most [`MOST`] faults are kept; the rest are counted.

use std::ops::Range;
use std::sync::Arc;

use crate::diag::{Code, Fault};

/// The most faults that are listed.
const MOST: usize = 100;
/// Said with every fault.
const UNPROTECTED: &str = "nothing was stored; the step is not protected";

/// One thing that is wrong, before it has its source.
#[derive(Debug)]
pub(super) struct Complaint {
    code: Code,
    message: String,
    help: String,
    labels: Vec<(Range<usize>, String)>,
}

impl Complaint {
    /// A complaint; `message` is lower case and has no full stop.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Complaint {
            code,
            message: message.into(),
            help: String::new(),
            labels: Vec::new(),
        }
    }

    /// Adds what to write instead.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = help.into();
        self
    }

    /// Adds a place; the first one is the place of the complaint.
    pub fn at(mut self, span: Range<usize>, text: impl Into<String>) -> Self {
        self.labels.push((span, text.into()));
        self
    }

    /// Says it in other words.
    pub fn say(mut self, message: String) -> Self {
        self.message = message;
        self
    }

    fn start(&self) -> usize {
        self.labels.first().map_or(0, |(span, _)| span.start)
    }

    fn into_fault(self, name: &str, text: &Arc<str>) -> Fault {
        let help = match self.help.is_empty() {
            true => UNPROTECTED.to_string(),
            false => format!("{}\n{UNPROTECTED}", self.help),
        };
        let mut fault = Fault::new(self.code, self.message)
            .with_help(help)
            .with_source(name, text.clone());
        for (span, label) in self.labels {
            fault = fault.with_label(span, label);
        }
        fault
    }
}

/// The complaints about one text.
#[derive(Debug, Default)]
pub(super) struct Faults {
    list: Vec<Complaint>,
    more: usize,
}

impl Faults {
    /// Adds one.
    pub fn add(&mut self, complaint: Complaint) {
        match self.is_full() {
            true => self.more += 1,
            false => self.list.push(complaint),
        }
    }

    /// Whether one more would only be counted.
    pub fn is_full(&self) -> bool {
        self.list.len() >= MOST
    }

    /// How many there are, listed or not.
    pub fn len(&self) -> usize {
        self.list.len() + self.more
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The faults in the order of the text.
    pub fn finish(mut self, name: &str, text: &str) -> Vec<Fault> {
        if self.list.is_empty() {
            return Vec::new();
        }
        self.list.sort_by_key(Complaint::start);
        if self.more > 0 {
            let message = format!("there are {} more faults than the {MOST} listed", self.more);
            self.list.push(
                Complaint::new(Code::LangMore, message).help("repair these and read it again"),
            );
        }
        let text: Arc<str> = text.into();
        let list = self.list.into_iter();
        list.map(|complaint| complaint.into_fault(name, &text))
            .collect()
    }
}
