//! Reports: the only place that prints.
//!
//! INVARIANT (L6): the signal is the last line of stdout, whole, ASCII, flushed, without colour.
//! Text from outside never starts a line: it is escaped and indented. What is said before it
//! goes through [`Printer`], which owns both streams.

pub mod answers;
pub mod attempt;
pub mod cases;
pub mod check;
pub mod doc;
pub mod explain;
pub mod fault;
pub mod findings;
pub mod gates;
pub mod gates_json;
pub mod german;
pub mod human;
pub mod json;
pub mod junit;
pub mod lists;
pub mod progress;
pub mod sarif;
pub mod scripts;
pub mod words;

use std::io::{self, Write};

/// How to print.
#[derive(Debug, Clone, Copy, Default)]
pub struct Style {
    /// One JSON object instead of text.
    pub json: bool,
    /// The line alone.
    pub quiet: bool,
    /// Colour on stdout.
    pub color: bool,
    /// German report texts.
    pub german: bool,
}

/// Owns the two streams of a run.
pub struct Printer<'a> {
    out: &'a mut dyn Write,
    err: &'a mut dyn Write,
    /// How to print.
    pub style: Style,
}

impl<'a> Printer<'a> {
    /// A printer over these streams.
    pub fn new(out: &'a mut dyn Write, err: &'a mut dyn Write, style: Style) -> Self {
        Printer { out, err, style }
    }

    /// One line on stdout, flushed. The caller has made it harmless.
    pub fn line(&mut self, line: &str) -> io::Result<()> {
        let mut whole = String::with_capacity(line.len() + 1);
        whole.push_str(line);
        whole.push('\n');
        self.out.write_all(whole.as_bytes())?;
        self.out.flush()
    }

    /// A text of several lines on stdout; nothing if it is empty.
    pub fn text(&mut self, text: &str) -> io::Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        self.out.write_all(text.as_bytes())
    }

    /// One JSON object on stdout.
    pub fn json(&mut self, value: &serde_json::Value) -> io::Result<()> {
        self.line(&json::line(value))
    }

    /// A text on stderr; nobody waits for it, so a failure changes nothing.
    pub fn aside(&mut self, text: &str) {
        let _ = self.err.write_all(text.as_bytes());
        let _ = self.err.flush();
    }
}
