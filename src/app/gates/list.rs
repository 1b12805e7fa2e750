//! `gate list` and `gate show`: what stands in the ledger.

use super::{named, nothing_known, read};
use crate::app::book::fault;
use crate::app::context::Context;
use crate::diag::Fault;
use crate::ledger::gates::GateQuery;
use crate::model::gate::GateSet;

/// The sets in order of opening: the open ones, or all.
///
/// # Errors
/// A ledger that was known and cannot be read: never an empty list.
pub fn list(settings: &Context<'_>, all: bool) -> Result<Vec<GateSet>, Fault> {
    let query = match all {
        true => GateQuery::All,
        false => GateQuery::Open,
    };
    let found = read(settings, &query).map_err(|f| fault(&f))?;
    Ok(found.map_or_else(Vec::new, |(_, gates)| gates.sets))
}

/// The sets of these ids.
///
/// # Errors
/// An id that is not known.
pub fn show(settings: &Context<'_>, ids: &[String]) -> Result<Vec<GateSet>, Fault> {
    let query = GateQuery::Ids(&[]);
    let Some((book, _)) = read(settings, &query).map_err(|f| fault(&f))? else {
        return Err(nothing_known());
    };
    Ok(named(&book, ids)?.sets)
}
