//! What is looked for before a condition is read: pairs of parentheses, joins, misspelt joins.

use super::{Complaint, Join, Kind, Source, Token};
use crate::diag::Code;

/// A join that is none.
pub(super) fn misspelt(source: &Source<'_>, near: &Token) -> Complaint {
    let written = source.slice(near.span.clone());
    let meant = match near.kind {
        Kind::NearJoin(join) => join.word(),
        _ => Join::And.word(),
    };
    Complaint::new(Code::LangJoin, format!("`{written}` is no join"))
        .at(near.span.clone(), format!("did you mean `{meant}`?"))
        .help(format!(
            "write `{meant}`, or put the text in quotes if it belongs to the condition"
        ))
}

/// For each opening parenthesis the place of the one that closes it.
pub(super) fn partners(tokens: &[Token]) -> Result<Vec<usize>, Complaint> {
    let mut partners = vec![0; tokens.len()];
    let mut open: Vec<(usize, &Token)> = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        match token.kind {
            Kind::Open => open.push((index, token)),
            Kind::Close => {
                let Some((start, _)) = open.pop() else {
                    return Err(unbalanced(token, "nothing opens this"));
                };
                if let Some(partner) = partners.get_mut(start) {
                    *partner = index;
                }
            }
            _ => {}
        }
    }
    match open.pop() {
        Some((_, token)) => Err(unbalanced(token, "nothing closes this")),
        None => Ok(partners),
    }
}

fn unbalanced(token: &Token, why: &str) -> Complaint {
    Complaint::new(Code::LangGroup, "the parentheses do not balance")
        .at(token.span.clone(), why)
        .help("add the other parenthesis, or put the text in quotes")
}

/// For each place the number of joins before it.
pub(super) fn joins_before(tokens: &[Token]) -> Vec<usize> {
    let mut count = 0;
    let mut before = vec![0];
    for token in tokens {
        count += usize::from(matches!(token.kind, Kind::Join(_)));
        before.push(count);
    }
    before
}
