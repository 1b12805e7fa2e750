//! `site.rhai`: read from the syntax tree, never run.
//!
//! The file holds constants and nothing else. `SITE` is given as plain data together with the
//! places of its keys, so that whoever checks the values can point at them.
//!
//! INVARIANT: no byte of the file is evaluated. The engine that parses it has no functions, no
//! modules and no way to import; any text gives a value or a fault, never a panic.

use std::panic::catch_unwind;
use std::sync::Arc;

use rhai::{AST, ASTFlags, Engine, ParseError, ParseErrorType, Position, Stmt};
use serde_json::Value;

use crate::diag::{Code, Fault};

use super::contract::{check_text, required_literal};
use super::engine::harden;
use super::fault::{at_point, parse_fault};
use super::literal::{Places, place_of, places};

const SITE: &str = "SITE";

/// `SITE` as plain data, and where its keys stand.
#[derive(Debug, Clone)]
pub struct Literal {
    /// The value.
    pub value: Value,
    name: String,
    text: Arc<str>,
    places: Places,
}

impl Literal {
    /// A fault at a key such as `["absent", "user.model", "end"]`, or at the nearest key
    /// around it. Entries of a list are named by their number from 0.
    pub fn fault(&self, code: Code, message: String, path: &[&str]) -> Fault {
        let source = (self.name.as_str(), &self.text);
        at_point(code, message, source, place_of(&self.places, path))
    }
}

/// Reads the text of a `site.rhai`; `name` is how messages call the file.
pub fn read_site(name: &str, text: Arc<str>) -> Result<Literal, Fault> {
    let attempt = catch_unwind(|| read(name, &text));
    attempt.unwrap_or_else(|_| {
        let message = "the parser failed on this text".to_string();
        Err(Fault::new(Code::RunPanic, message).with_source(name, text.clone()))
    })
}

fn read(name: &str, text: &Arc<str>) -> Result<Literal, Fault> {
    check_text(name, text)?;
    let mut engine = Engine::new_raw();
    harden(&mut engine);
    let ast = engine
        .compile(text.as_ref())
        .map_err(|error| with_quotes(parse_fault(name, text, &error), &error))?;
    check_top_level((name, text), &ast)?;
    let value = required_literal((name, text), &ast, SITE)?;
    Ok(Literal {
        value,
        name: name.to_string(),
        text: text.clone(),
        places: places(&ast, SITE),
    })
}

/// A reserved word as a key ends the map for the parser, which its sentence does not say.
fn with_quotes(fault: Fault, error: &ParseError) -> Fault {
    match error.err_type() {
        ParseErrorType::MissingToken(..) | ParseErrorType::PropertyExpected => fault
            .with_help("a key that is a word of the language, such as `until`, stands in quotes"),
        _ => fault,
    }
}

fn check_top_level(source: (&str, &Arc<str>), ast: &AST) -> Result<(), Fault> {
    let message = "only `const` may stand in the settings, which are read and never run";
    let fault = |position| {
        at_point(Code::ScriptTopLevel, message.into(), source, position)
            .with_help("write the values out; scripts live in `probes/` and `rules/`")
    };
    for statement in ast.statements() {
        let is_constant = matches!(statement, Stmt::Var(_, flags, _)
            if flags.intersects(ASTFlags::CONSTANT));
        if !is_constant && !matches!(statement, Stmt::Noop(_)) {
            return Err(fault(statement.position()));
        }
    }
    match ast.has_functions() {
        true => Err(fault(Position::NONE)),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> Result<Literal, Fault> {
        read_site("site.rhai", text.into())
    }

    #[test]
    fn a_literal_is_given_as_data() {
        let text = "// ours\nconst SITE = #{ zone: \"Europe/Berlin\", \"n\": -3, list: [1, true, ()], deep: #{ a: `x` } };\n";
        let value = read(text).unwrap().value;
        let wanted = serde_json::json!({
            "zone": "Europe/Berlin", "n": -3, "list": [1, true, null], "deep": { "a": "x" }
        });
        assert_eq!(value, wanted);
    }

    #[test]
    fn a_fault_points_at_the_key_or_the_nearest_around_it() {
        let site =
            read("const SITE = #{\n  \"a.b\": #{ end: 1 },\n  list: [\n 1, 2],\n};").unwrap();
        let table: [(&[&str], (usize, usize)); 6] = [
            (&["a.b"], (2, 3)),
            (&["a.b", "end"], (2, 13)),
            (&["a.b", "reason"], (2, 3)),
            (&["list", "1"], (4, 5)),
            (&["nothing"], (1, 1)),
            (&[], (1, 1)),
        ];
        for (path, wanted) in table {
            let (_, line, column) = site
                .fault(Code::SettingsKey, "x".into(), path)
                .place()
                .unwrap();
            assert_eq!((line, column), wanted, "{path:?}");
        }
    }

    #[test]
    fn damage_is_named() {
        let table = [
            ("const SITE = #{", Code::ScriptCompile),
            ("", Code::MetaMissing),
            ("const SITES = #{};", Code::MetaMissing),
            ("const SITE = #{}; const SITE = #{};", Code::MetaMissing),
            ("const SITE = #{ a: 1 + 1 };", Code::MetaLiteral),
            ("const A = 1; const SITE = #{ a: A };", Code::MetaLiteral),
            ("const SITE = #{ a: f() };", Code::MetaLiteral),
            ("const SITE = #{ a: || 1 };", Code::ScriptTopLevel),
            ("const SITE = #{ a: 1, a: 2 };", Code::ScriptCompile),
            ("const SITE = #{}; fn f() { 1 }", Code::ScriptTopLevel),
            ("import \"x\" as x; const SITE = #{};", Code::ScriptTopLevel),
            ("let SITE = #{};", Code::ScriptTopLevel),
            ("const SITE = #{}; print(1);", Code::ScriptTopLevel),
            ("\u{feff}const SITE = #{};", Code::ScriptSize),
            ("const SITE = #{}; \0", Code::ScriptSize),
        ];
        for (text, code) in table {
            let fault = read(text).expect_err(text);
            assert_eq!(fault.code(), code, "{text}: {fault}");
        }
        let long = format!("const SITE = #{{}}; // {}", "x".repeat(100_000));
        assert_eq!(read(&long).unwrap_err().code(), Code::ScriptSize);
    }

    #[test]
    fn deep_nesting_is_a_fault() {
        for open in [
            "[",
            "#{a:",
            "(",
            "{",
            "-",
            "!",
            "if a {",
            "const SITE = #{a:[",
        ] {
            let text = open.repeat(64_000 / open.len());
            assert!(read(&text).is_err(), "{open}");
        }
    }

    proptest! {
        #[test]
        fn no_text_brings_the_reader_down(text in "\\PC{0,80}") {
            let _ = read(&text);
        }

        #[test]
        fn no_likely_text_brings_the_reader_down(
            parts in proptest::collection::vec(proptest::sample::select(&[
                "const", "SITE", " = ", "#{", "}", "[", "]", "a", ":", "\"", "`", "${", "1", ",",
                ";", "fn", "(", ")", "|", "import", " ", "\n", "/*", "*/", "//", "'", "\\", "-",
                "9223372036854775808", "0x", ".", "..", "=>", "switch", "ü",
            ][..]), 0..30)
        ) {
            let text = parts.concat();
            let _ = read(&text);
            let _ = read(&format!("const SITE = #{{ a: {text} }};"));
        }
    }
}
