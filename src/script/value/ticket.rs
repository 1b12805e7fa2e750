//! Ticket names and STATUS values as handles.
//!
//! INVARIANT: what is not exactly of the grammar is no name (`()`), or a status that says why.

use std::sync::Arc;

use rhai::{Dynamic, Module, NativeCallContext};

use crate::formats::ticket;
use crate::host_fn;
use crate::script::host::{Fallible, getter, text_arg};

/// What the name of a ticket file says.
#[derive(Debug, Clone)]
pub struct TicketName {
    id: Arc<str>,
    slug: Arc<str>,
    to: Arc<str>,
    via: Arc<str>,
    claim: Arc<str>,
}

/// What a STATUS line says, or why it says nothing.
#[derive(Debug, Clone)]
struct TicketStatus {
    cluster: Arc<str>,
    sub: Arc<str>,
    since: Arc<str>,
    why: Arc<str>,
}

impl TicketName {
    /// The handle, or `()` for a name that is no ticket's.
    pub fn dynamic(name: &str) -> Dynamic {
        let Some(name) = ticket::name(name) else {
            return Dynamic::UNIT;
        };
        Dynamic::from(TicketName {
            id: name.id.into(),
            slug: name.slug.unwrap_or_default().into(),
            to: name.to.unwrap_or_default().into(),
            via: name.via.unwrap_or_default().into(),
            claim: name.claim.unwrap_or_default().into(),
        })
    }
}

fn status(text: &str) -> TicketStatus {
    let (cluster, sub, since, why) = match ticket::status(text) {
        Ok(s) => (
            s.cluster,
            s.sub.unwrap_or_default(),
            s.since.unwrap_or_default(),
            String::new(),
        ),
        Err(bad) => ("", "", "", bad.to_string()),
    };
    TicketStatus {
        cluster: cluster.into(),
        sub: sub.into(),
        since: since.into(),
        why: why.into(),
    }
}

/// Adds the functions to the module `text`.
pub fn add_functions(m: &mut Module) {
    host_fn!(
        *m,
        "ticket_name",
        ["name: string", "ticket name or ()"],
        "What a ticket's file name says (`id`, `slug`, `to`, `via`, `claim`), or `()`: `text::ticket_name(\"T-20261130-1.HOSTB.txt\").claim`.",
        |ctx: NativeCallContext, name: Dynamic| -> Fallible<Dynamic> {
            let name = text_arg(&ctx, &name, "text::ticket_name", "name")?;
            Ok(TicketName::dynamic(&name))
        }
    );
    host_fn!(
        *m,
        "ticket_status",
        ["text: string", "ticket status"],
        "What a STATUS says (`cluster`, `sub`, `since`), or in `why` why it is none: `text::ticket_status(\"BLOCKED/lock\").sub`.",
        |ctx: NativeCallContext, text: Dynamic| -> Fallible<TicketStatus> {
            let text = text_arg(&ctx, &text, "text::ticket_status", "text")?;
            Ok(status(&text))
        }
    );
}

/// Registers the types.
pub fn register(module: &mut Module) {
    module.set_custom_type::<TicketName>("ticket name");
    getter(
        module,
        "id",
        "The id, such as `T-20261130-1`.",
        |t: &mut TicketName| Ok(t.id.to_string()),
    );
    getter(
        module,
        "slug",
        "The words behind the id, empty without any.",
        |t: &mut TicketName| Ok(t.slug.to_string()),
    );
    getter(
        module,
        "to",
        "Whom the ticket is for, empty if nobody is named.",
        |t: &mut TicketName| Ok(t.to.to_string()),
    );
    getter(
        module,
        "via",
        "By which selector, empty without one.",
        |t: &mut TicketName| Ok(t.via.to_string()),
    );
    getter(
        module,
        "claim",
        "Who has claimed it, empty if nobody.",
        |t: &mut TicketName| Ok(t.claim.to_string()),
    );
    module.set_custom_type::<TicketStatus>("ticket status");
    getter(
        module,
        "ok",
        "Whether it is a STATUS.",
        |s: &mut TicketStatus| Ok(s.why.is_empty()),
    );
    getter(
        module,
        "why",
        "Why it is none; empty if it is one.",
        |s: &mut TicketStatus| Ok(s.why.to_string()),
    );
    getter(
        module,
        "cluster",
        "The word before the slash, such as `BLOCKED`.",
        |s: &mut TicketStatus| Ok(s.cluster.to_string()),
    );
    getter(
        module,
        "sub",
        "The word behind the slash, empty without one.",
        |s: &mut TicketStatus| Ok(s.sub.to_string()),
    );
    getter(
        module,
        "since",
        "Since when, empty if it does not say.",
        |s: &mut TicketStatus| Ok(s.since.to_string()),
    );
}
