//! Diagnostics on stderr: code, sentence, the marked source, help.

use miette::{GraphicalReportHandler, GraphicalTheme};

use crate::diag::Fault;
use crate::model::text::{escape, is_harmful};

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
    harmless(&text, color)
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
