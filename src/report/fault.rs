//! Diagnostics on stderr: code, sentence, the marked source, help.

use std::fmt;

use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, SourceCode};

use crate::diag::{Fault, Severity};
use crate::model::text::{escape, is_harmful};

/// A fault as text of several lines.
pub fn render(fault: &Fault, color: bool, width: usize) -> String {
    render_as(Severity::Error, fault, (color, width))
}

/// A fault of this severity as text of several lines.
pub fn render_as(severity: Severity, fault: &Fault, (color, width): (bool, usize)) -> String {
    let theme = if color {
        GraphicalTheme::unicode()
    } else {
        GraphicalTheme::unicode_nocolor()
    };
    let handler = GraphicalReportHandler::new_themed(theme)
        .with_width(width)
        .with_links(false);
    let mut text = String::new();
    if has_long_line(fault) {
        // The renderer cannot count that far, and nobody could read it.
        return without_source(fault);
    }
    let weighed = Weighed(fault, severity);
    if handler.render_report(&mut text, &weighed).is_err() {
        return format!("{}: {}\n", fault.code().text(), escape(fault.message()));
    }
    harmless(&text, color)
}

/// A fault with its severity, for the renderer.
#[derive(Debug)]
struct Weighed<'a>(&'a Fault, Severity);

impl fmt::Display for Weighed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.0, f)
    }
}

impl std::error::Error for Weighed<'_> {}

impl Diagnostic for Weighed<'_> {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Diagnostic::code(self.0)
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.1 {
            Severity::Error => miette::Severity::Error,
            Severity::Warning => miette::Severity::Warning,
        })
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.0.help()
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.0.source_code()
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        self.0.labels()
    }
}

/// The longest line of a source that is shown, in bytes.
const LONGEST: usize = 4000;

fn has_long_line(fault: &Fault) -> bool {
    fault
        .source_text()
        .is_some_and(|text| text.lines().any(|line| line.len() > LONGEST))
}

fn without_source(fault: &Fault) -> String {
    let mut text = format!(
        "{}\n\n  × {}\n",
        fault.code().text(),
        escape(fault.message())
    );
    if let Some((name, line, column)) = fault.place() {
        text.push_str(&format!(
            "   ╭─[{}:{line}:{column}]\n   ╰────\n",
            escape(&name)
        ));
    }
    for (index, line) in fault.help_text().unwrap_or_default().lines().enumerate() {
        let start = if index == 0 { "  help: " } else { "        " };
        text.push_str(&format!("{start}{}\n", escape(line)));
    }
    text
}

/// Arguments, and the source of a script, come from outside: no line of the rendering may look
/// like a signal, and no control character but the line end (and colour's own) gets through.
pub fn harmless(text: &str, color: bool) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        if line.starts_with(crate::model::signal::PREFIX.trim_end()) {
            out.push_str("  ");
        }
        for c in line.chars() {
            match c {
                '\t' => out.push(c),
                '\u{1b}' if color => out.push(c),
                c if is_harmful(c) => out.extend(c.escape_unicode()),
                c => out.push(c),
            }
        }
        out.push('\n');
    }
    out
}
