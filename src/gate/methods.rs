//! Which proof method recognises a condition.
//!
//! A team's own methods are asked first, by name; then the shipped ones in the order of the
//! rule. The first that knows the phrase takes it: one condition has one method.

use serde_json::Value;

use crate::ask::Asking;
use crate::diag::Fault;
use crate::lang::Words;
use crate::script::answer::Reply;
use crate::script::call::Argument;

/// The folder of the proof scripts.
const FOLDER: &str = "probes/proofs/";

/// What the methods made of a condition.
#[derive(Debug)]
pub enum Recognised {
    /// A method knows the phrase.
    By {
        /// The method.
        method: String,
        /// One checkable sentence.
        sentence: String,
        /// What `prove` needs.
        params: Value,
    },
    /// A method knows the phrase and cannot read it without a guess.
    Refused {
        /// The method.
        method: String,
        /// Why, and what to write instead.
        why: String,
        /// The piece of the text that cannot be read.
        piece: String,
    },
    /// No method knows the phrase.
    Nobody,
}

/// The answer, and the methods that could not be asked.
#[derive(Debug)]
pub struct Recognition {
    /// What came of it.
    pub result: Recognised,
    /// Methods that could not be asked, with the reason.
    pub broken: Vec<(String, String)>,
}

/// The path of a method's script.
pub fn path(method: &str) -> String {
    format!("{FOLDER}{method}")
}

/// All methods, in the order in which they are asked.
pub fn order(asking: &Asking, words: &Words) -> Vec<String> {
    let all = asking.scripts.below(FOLDER);
    let is_shipped = |method: &&str| words.methods.iter().any(|known| known == method);
    let own = all.iter().filter(|method| !is_shipped(method));
    let shipped = words.methods.iter().map(String::as_str);
    let shipped = shipped.filter(|method| all.contains(method));
    own.copied().chain(shipped).map(str::to_string).collect()
}

/// Asks the methods, or the one that the word demands.
pub fn recognise(asking: &Asking, order: &[String], text: &str) -> Recognition {
    let mut broken = Vec::new();
    for method in order {
        let arguments = vec![Argument::Text(text.to_string()), Argument::Context];
        let done = asking.answer_or_none(&path(method), "recognise", arguments);
        match done.result.map_err(faulty) {
            Ok(None) => {}
            Ok(Some(answered)) => {
                let place = answered.place();
                let constructor = answered.reply.constructor();
                match taken(method, answered.reply) {
                    Some(result) => return Recognition { result, broken },
                    None => {
                        let why = format!(
                            "{place}: `recognise` may not answer with `{constructor}(...)`"
                        );
                        broken.push((method.clone(), why));
                    }
                }
            }
            Err(why) => broken.push((method.clone(), why)),
        }
    }
    let result = Recognised::Nobody;
    Recognition { result, broken }
}

fn faulty(fault: Fault) -> String {
    fault.line()
}

fn taken(method: &str, reply: Reply) -> Option<Recognised> {
    let method = method.to_string();
    match reply {
        Reply::Condition { sentence, params } if !sentence.trim().is_empty() => {
            Some(Recognised::By {
                method,
                sentence,
                params,
            })
        }
        Reply::Refused { why, piece } => Some(Recognised::Refused { method, why, piece }),
        _ => None,
    }
}
