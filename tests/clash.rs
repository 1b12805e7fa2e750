//! Functions of the same name in a script and in what it imports: the engine would run the one
//! in the place of the other from the second call on, so such a pair is refused.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail"
)]

mod support;

use belegt::diag::Code;
use belegt::script::answer::Reply;
use support::Stage;

const META: &str = "const META = #{ api: 1, about: \"a test\", cost: \"cheap\" };\n";

/// What the method of these two scripts says of any text.
fn said(own: &str, library: &str) -> Result<String, Code> {
    let own = format!(
        "import \"probes/lib/l\" as l;\n{META}{own}\nfn prove(ctx, gate) {{ empty(\"no\") }}\n"
    );
    let stage = Stage::new()
        .script("probes/lib/l", &format!("{META}{library}"))
        .script("probes/proofs/m", &own);
    match stage.recognise("m", "x").result {
        Ok(Some(answered)) => match answered.reply {
            Reply::Condition { sentence, .. } => Ok(sentence),
            other => panic!("{other:?}"),
        },
        Ok(None) => panic!("nothing was said"),
        Err(fault) => Err(fault.code()),
    }
}

#[test]
fn a_helper_of_the_same_name_in_a_library_is_refused() {
    let own = "fn recognise(text, ctx) { for i in 0..3 { l::walk(1); } h(1) }\nprivate fn h(x) { condition(\"own\", #{}) }";
    let library =
        "fn walk(x) { h(x); h(x); h(x) }\nprivate fn h(x) { condition(\"library\", #{}) }";
    assert_eq!(said(own, library), Err(Code::ScriptClash));
    let other = library.replace("h(x)", "other(x)");
    assert_eq!(said(own, &other), Ok("own".to_string()));
}

#[test]
fn a_helper_that_both_have_is_refused_in_either_direction() {
    let own = "fn recognise(text, ctx) { h(1); h(1); l::twice(1) }\nprivate fn h(x) { condition(\"own\", #{}) }";
    let library = "fn twice(x) { h(x) }\nfn h(x) { condition(\"library\", #{}) }";
    assert_eq!(said(own, library), Err(Code::ScriptClash));
}

#[test]
fn a_script_may_extend_the_entries_of_what_it_imports() {
    let own = "fn recognise(text, ctx) { l::recognise(text, ctx) }";
    let library = "fn recognise(text, ctx) { condition(\"base\", #{}) }";
    assert_eq!(said(own, library), Ok("base".to_string()));
}

#[test]
fn other_numbers_of_parameters_are_other_functions() {
    let own =
        "fn recognise(text, ctx) { l::walk(1); h(1) }\nprivate fn h(x) { condition(\"own\", #{}) }";
    let library = "fn walk(x) { h(x, x) }\nprivate fn h(x, y) { condition(\"library\", #{}) }";
    assert_eq!(said(own, library), Ok("own".to_string()));
}
