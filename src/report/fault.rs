//! Diagnostics on stderr: code, sentence, the marked source, help.

use miette::{GraphicalReportHandler, GraphicalTheme};

use crate::diag::Fault;
use crate::model::text::escape;

/// A fault as text of several lines.
pub fn render(fault: &Fault, color: bool, width: usize) -> String {
    let theme = if color {
        GraphicalTheme::unicode()
    } else {
        GraphicalTheme::unicode_nocolor()
    };
    let handler = GraphicalReportHandler::new_themed(theme)
        .with_width(width)
        .with_links(false);
    let mut text = String::new();
    if handler.render_report(&mut text, fault).is_err() {
        return format!("{}: {}\n", fault.code().text(), escape(fault.message()));
    }
    harmless(&text)
}

/// The source of a script comes from outside: no line of the rendering may look like a signal,
/// and no control character but the line end (and colour's own) gets through.
fn harmless(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        if line.starts_with(crate::model::signal::PREFIX.trim_end()) {
            out.push_str("  ");
        }
        for c in line.chars() {
            match c {
                '\u{1b}' | '\t' => out.push(c),
                c if c.is_control() => out.extend(c.escape_unicode()),
                c => out.push(c),
            }
        }
        out.push('\n');
    }
    out
}
