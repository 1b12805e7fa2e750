//! The condition language with the rule `words`: which gates a text opens.

use serde_json::{Value, json};

use crate::ask::Asking;
use crate::gate::methods;
use crate::gate::normal::Document;
use crate::gate::words;
use crate::lang;

use crate::cases::case::Case;
use crate::cases::told::Told;

/// Reads the text of a case into sets of gates.
pub fn read(case: &Case, asking: &Asking) -> Result<Told, String> {
    let Some(text) = &case.text else {
        return Err("a case of `gates` needs `text`".to_string());
    };
    let words = match words::load(asking) {
        Ok(words) => words,
        Err(fault) => {
            let got =
                json!({ "sets": [], "faults": [fault.line()], "codes": [fault.code().text()] });
            return Ok(Told::new(got, &[]));
        }
    };
    let order = methods::order(asking, &words);
    let document = Document {
        asking,
        words: &words,
        order: &order,
        name: "TEXT",
        text,
        at: asking.facts.now.rfc3339(),
        by: "unknown".to_string(),
    };
    let reading = lang::read("TEXT", text, &words);
    let (mut sets, mut faults) = (Vec::new(), reading.faults);
    for (order, statement) in (0..).zip(&reading.statements) {
        match document.set(&format!("g{:012x}", order + 1), order, statement) {
            Ok(set) => sets.push(json!(set)),
            Err(more) => faults.extend(more),
        }
    }
    let got = json!({
        "sets": sets,
        "faults": faults.iter().map(|fault| fault.message().into()).collect::<Vec<Value>>(),
        "codes": faults.iter().map(|fault| fault.code().text().into()).collect::<Vec<Value>>(),
    });
    Ok(Told::new(got, &[]))
}
