//! The one shape of a diagnostic: code, sentence, labels on the source, help.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use miette::{Diagnostic, LabeledSpan, NamedSource, SourceCode};

use super::code::Code;
use super::place;

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// It keeps something from being proven.
    Error,
    /// It will.
    Warning,
}

impl Severity {
    /// The word as it is shown.
    pub fn word(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        }
    }
}

/// A fault among others, with how bad it is: `doctor` and `check` list these.
pub type Finding = (Severity, Fault);

/// A marked place in a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// Byte range in the source.
    pub span: Range<usize>,
    /// What is there.
    pub text: String,
}

/// Something that is wrong: what, where, why, and what to do.
#[derive(Debug, Clone)]
pub struct Fault {
    inner: Box<Inner>,
}

#[derive(Debug, Clone)]
struct Inner {
    code: Code,
    message: String,
    help: Option<String>,
    source: Option<NamedSource<Arc<str>>>,
    labels: Vec<Label>,
    unasked: bool,
}

impl Fault {
    /// A fault without a place. The message is lower case and has no full stop.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Fault {
            inner: Box::new(Inner {
                code,
                message: message.into(),
                help: None,
                source: None,
                labels: Vec::new(),
                unasked: false,
            }),
        }
    }

    /// Adds what a person can do.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.inner.help = Some(help.into());
        self
    }

    /// Adds the source in which the labels lie: its name and its text as loaded.
    #[must_use]
    pub fn with_source(mut self, name: &str, text: Arc<str>) -> Self {
        self.inner.source = Some(NamedSource::new(name, text));
        self
    }

    /// Adds a label; the first one is the innermost place.
    #[must_use]
    pub fn with_label(mut self, span: Range<usize>, text: impl Into<String>) -> Self {
        self.inner.labels.push(Label {
            span,
            text: text.into(),
        });
        self
    }

    /// The same place with another code and sentence.
    #[must_use]
    pub fn recoded(mut self, code: Code, message: String) -> Self {
        self.inner.code = code;
        self.inner.message = message;
        self
    }

    /// The same with its first line marked if it has a source and no place in it: what has no
    /// mark is shown without its file.
    #[must_use]
    pub fn marked(self) -> Self {
        let Some(text) = self.source_text().filter(|_| self.inner.labels.is_empty()) else {
            return self;
        };
        let end = text.find('\n').unwrap_or(text.len());
        self.with_label(0..end, "this file")
    }

    /// The marked places, the innermost first.
    pub fn labels_list(&self) -> &[Label] {
        &self.inner.labels
    }

    /// Marks what kept a question about gates from being answered.
    #[must_use]
    pub fn unasked(mut self) -> Self {
        self.inner.unasked = true;
        self
    }

    /// Whether a question about gates was left without an answer.
    pub fn is_unasked(&self) -> bool {
        self.inner.unasked
    }

    /// The stable code.
    pub fn code(&self) -> Code {
        self.inner.code
    }

    /// The sentence.
    pub fn message(&self) -> &str {
        &self.inner.message
    }

    /// What a person can do.
    pub fn help_text(&self) -> Option<&str> {
        self.inner.help.as_deref()
    }

    /// The source as loaded, if there is one.
    pub fn source_text(&self) -> Option<&str> {
        Some(self.inner.source.as_ref()?.inner())
    }

    /// Name of the source, line and column of the innermost place.
    pub fn place(&self) -> Option<(String, usize, usize)> {
        let source = self.inner.source.as_ref()?;
        let (line, column) = match self.inner.labels.first() {
            Some(label) => place::line_column(source.inner(), label.span.start),
            None => (1, 1),
        };
        Some((source.name().to_string(), line, column))
    }

    /// The sentence with its place in front: `probes/work/todo.rhai:12: ...`.
    pub fn line(&self) -> String {
        match self.place() {
            Some((name, line, _)) => format!("{name}:{line}: {}", self.message()),
            None => self.message().to_string(),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.inner.message)
    }
}

impl std::error::Error for Fault {}

impl Diagnostic for Fault {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(self.inner.code.text()))
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        let help = self.inner.help.as_ref()?;
        Some(Box::new(help))
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        let source = self.inner.source.as_ref()?;
        Some(source)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        if self.inner.labels.is_empty() {
            return None;
        }
        let labels = self.inner.labels.iter().enumerate();
        Some(Box::new(labels.map(|(index, label)| {
            let text = Some(label.text.clone());
            match index {
                // The innermost place: its line and column stand in the header.
                0 => LabeledSpan::new_primary_with_span(text, label.span.clone()),
                _ => LabeledSpan::new_with_span(text, label.span.clone()),
            }
        })))
    }
}
