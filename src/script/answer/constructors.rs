//! The constructors of answers, visible everywhere without a namespace.

use rhai::{Dynamic, FuncRegistration, Map, Module, NativeCallContext};

use super::{Answered, Reply, SeenItem, StepWord, Word, here};
use crate::model::item::Sort;
use crate::script::host::item::{SeenHandle, register as register_items};
use crate::script::host::{Fallible, misuse, text_arg, why_arg};
use crate::script::value::json::from_plain;
use crate::script::value::kind;
use crate::script::value::list::List;

fn answered(ctx: &NativeCallContext, reply: Reply) -> Answered {
    let (source, line) = here(ctx);
    Answered {
        reply,
        source,
        line,
    }
}

/// Registers all of them.
pub fn register(module: &mut Module) {
    register_items(module);
    register_probe_answers(module);
    register_proof_answers(module);
    register_rule_answers(module);
}

fn register_probe_answers(module: &mut Module) {
    FuncRegistration::new("place")
        .with_params_info(["way: string", "at: string", "answer"])
        .with_comments(["/// Where a source is: the way it was found, and a path, `command:NAME` or `ledger`.\n/// `place(\"fallback\", \"_control-center/_DECISIONS\")`"])
        .set_into_module(module, |ctx: NativeCallContext, way: Dynamic, at: Dynamic| -> Fallible<Answered> {
            let way = text_arg(&ctx, &way, "place", "way")?;
            let at = text_arg(&ctx, &at, "place", "at")?;
            if at.trim().is_empty() {
                return Err(misuse(&ctx, "`place` names no place"));
            }
            Ok(answered(&ctx, Reply::Place { way, at }))
        });
    FuncRegistration::new("found")
        .with_params_info(["items: list of item", "why: string", "answer"])
        .with_comments(["/// Asked, and these items were there. An empty list is no `found`.\n/// `found(items, \"3 entries in `TODO.md`\")`"])
        .set_into_module(module, |ctx: NativeCallContext, items: Dynamic, why: Dynamic| -> Fallible<Answered> {
            let why = why_arg(&ctx, &why, "found")?;
            let items = seen_items(&ctx, items)?;
            Ok(answered(&ctx, Reply::Found(items, why)))
        });
    FuncRegistration::new("found")
        .with_params_info(["why: string", "answer"])
        .with_comments([
            "/// For proofs: the condition is met.\n/// `found(\"exit code 0, 12 tests\")`",
        ])
        .set_into_module(
            module,
            |ctx: NativeCallContext, why: Dynamic| -> Fallible<Answered> {
                let why = why_arg(&ctx, &why, "found")?;
                Ok(answered(&ctx, Reply::Found(Vec::new(), why)))
            },
        );
    with_why(
        module,
        "empty",
        "Asked, and nothing was there: `empty(\"no open box in `TODO.md`\")`.",
        Reply::Empty,
    );
    with_why(
        module,
        "unavailable",
        "Could not be asked; never the same as empty: `unavailable(file.why)`.",
        Reply::Unavailable,
    );
    with_why(
        module,
        "absent",
        "Work probes: this site has no such thing, and that was looked at: `absent(\"there is no `TODO.md`\")`.",
        Reply::Absent,
    );
}

fn register_proof_answers(module: &mut Module) {
    with_why(
        module,
        "reported",
        "For proofs: met by the worker's own mark; not enough for a prohibition: `reported(\"marked as done in `TODO.md:3`\")`.",
        Reply::Reported,
    );
    FuncRegistration::new("condition")
        .with_params_info(["sentence: string", "params: map", "answer"])
        .with_comments(["/// For `recognise`: the text is this method's phrase. The sentence can be checked; `params` is what `prove` needs, and `due` in it an instant before which it cannot be met.\n/// `condition(\"the file `a.txt` exists\", #{ path: \"a.txt\" })`"])
        .set_into_module(module, |ctx: NativeCallContext, sentence: Dynamic, params: Map| -> Fallible<Answered> {
            let sentence = why_arg(&ctx, &sentence, "condition")?;
            let params = from_plain(&params.into())
                .map_err(|why| misuse(&ctx, format!("`condition` takes plain values as `params`: {why}")))?;
            Ok(answered(&ctx, Reply::Condition { sentence, params }))
        });
    FuncRegistration::new("refused")
        .with_params_info(["why: string", "piece: string", "answer"])
        .with_comments(["/// For `recognise`: the text is this method's phrase, and cannot be read without a guess; `piece` is the part that cannot.\n/// `refused(\"the unit is missing; write `90m` or `90s`\", \"90\")`"])
        .set_into_module(module, |ctx: NativeCallContext, why: Dynamic, piece: Dynamic| -> Fallible<Answered> {
            let why = why_arg(&ctx, &why, "refused")?;
            let piece = text_arg(&ctx, &piece, "refused", "piece")?;
            Ok(answered(&ctx, Reply::Refused { why, piece }))
        });
}

fn register_rule_answers(module: &mut Module) {
    with_why(
        module,
        "work",
        "The item is autonomous work: `work(\"nobody else can do it\")`.",
        |w| Reply::Sorted(Sort::Work, w),
    );
    with_why(
        module,
        "user",
        "The item needs the person: `user(\"a decision of the person\")`.",
        |w| Reply::Sorted(Sort::User, w),
    );
    with_why(
        module,
        "rest",
        "The item is in nobody's way: `rest(\"due on 2026-12-01\")`.",
        |w| Reply::Sorted(Sort::Rest, w),
    );
    with_why(
        module,
        "unclear",
        "The item cannot be sorted; it goes to the person: `unclear(\"the kind is not in the table\")`.",
        |w| Reply::Sorted(Sort::Unclear, w),
    );
    with_why(
        module,
        "yes",
        "The guard may hold: `yes(\"nothing was changed by hand\")`.",
        Reply::Yes,
    );
    with_why(
        module,
        "no",
        "The guard may not hold: `no(\"the inbox has a lock\")`.",
        Reply::No,
    );
    with_why(
        module,
        "go_on",
        "There is work: `go_on(\"an item is open\")`.",
        |w| Reply::Verdict(Word::Continue, w),
    );
    with_why(
        module,
        "exhausted",
        "All were asked, all were empty: `exhausted(\"all four were empty\")`.",
        |w| Reply::Verdict(Word::Exhausted, w),
    );
    with_why(
        module,
        "blind",
        "Not all could be asked: `blind(\"one source is down\")`.",
        |w| Reply::Verdict(Word::Blind, w),
    );
    with_why(
        module,
        "user_only",
        "Only the person's items are left: `user_only(\"three decisions wait\")`.",
        |w| Reply::Verdict(Word::UserOnly, w),
    );
    with_why(
        module,
        "open_step",
        "The step is free: `open_step(\"the gate is met\")`.",
        |w| Reply::Step(StepWord::Open, w),
    );
    with_why(
        module,
        "hold",
        "The step waits: `hold(\"not met yet\")`.",
        |w| Reply::Step(StepWord::Hold, w),
    );
    with_why(
        module,
        "forbid",
        "The step is forbidden: `forbid(\"not proven\")`.",
        |w| Reply::Step(StepWord::Forbid, w),
    );
}

/// A constructor that takes a reason.
fn with_why(
    module: &mut Module,
    name: &'static str,
    about: &str,
    make: impl Fn(String) -> Reply + Send + Sync + 'static,
) {
    FuncRegistration::new(name)
        .with_params_info(["why: string", "answer"])
        .with_comments([format!("/// {about}")])
        .set_into_module(
            module,
            move |ctx: NativeCallContext, why: Dynamic| -> Fallible<Answered> {
                let why = why_arg(&ctx, &why, name)?;
                Ok(answered(&ctx, make(why)))
            },
        );
}

/// The items of a list handle or an array; anything else among them is an error.
fn seen_items(ctx: &NativeCallContext, items: Dynamic) -> Fallible<Vec<SeenItem>> {
    let values = match List::from_dynamic(&items) {
        Some(list) => list,
        None => {
            return Err(misuse(
                ctx,
                format!("`found` takes a list of items, got {}", kind(&items)),
            ));
        }
    };
    let mut out = Vec::with_capacity(values.size());
    for (index, value) in values.iter().enumerate() {
        match value.read_lock::<SeenHandle>() {
            Some(item) => out.push(item.0.as_ref().clone()),
            None => {
                let what = kind(value);
                let text = format!("entry {index} of the list is no item but {what}");
                return Err(misuse(ctx, text));
            }
        }
    }
    Ok(out)
}
