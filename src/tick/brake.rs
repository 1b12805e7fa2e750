//! The brake: what is handed out is counted, and what came too often without any change goes
//! to the user instead of turning the loop for ever.
//!
//! INVARIANT: a count belongs to one digest of the item and one state of the work tree; when
//! either differs, counting starts anew.

use std::sync::Mutex;

use crate::ledger::state::Handed;
use crate::model::item::Sort;
use crate::model::signal::Signal;
use crate::world::desk::Asker;
use crate::world::{Answer, GitAsk, Request};

use super::outcome::Sorted;
use super::stages::Tick;
use crate::ask::Asking;

/// How many items one tick hands out at most; the rest waits for its turn.
const HAND_OUT: usize = 50;

/// The brake: an item that was handed out so often without any change goes to the user. An
/// inbox may not be silenced so; it is marked as stalled.
pub fn brake(tick: &mut Tick<'_>) {
    let candidates = tick.all.iter().any(|item| {
        let known = tick.state.handed.get(&item.key);
        item.sort == Sort::Work && known.is_some_and(|h| h.digest == item.digest && h.count > 0)
    });
    if !candidates {
        return;
    }
    let tree = tree(tick.asking);
    let limit = tick.frame.handed_out;
    for item in &mut tick.all {
        let Some(handed) = tick.state.handed.get(&item.key) else {
            continue;
        };
        let unchanged = handed.digest == item.digest && handed.tree == tree;
        if item.sort != Sort::Work || !unchanged || handed.count < limit {
            continue;
        }
        if item.waits_in_inbox() {
            item.stalled = true;
            item.why = format!(
                "{}; handed out {} times without change",
                item.why, handed.count
            );
        } else {
            item.sort = Sort::Unclear;
            item.sorted_by = "the kernel (brake)".into();
            item.why = format!("handed out {} times without change", handed.count);
            item.handed_out = handed.count;
        }
    }
}

/// HEAD and the work tree as one text; the same text where there is no repository.
pub fn tree(asking: &Asking) -> String {
    let ask = |ask: GitAsk| {
        let request = Request::Git {
            ask,
            root: asking.facts.root.clone(),
        };
        let asker = Asker {
            function: "kernel::brake",
            script: "kernel",
            line: 0,
            until: asking.until,
        };
        match asking.desk.ask(&request, &asker, &Mutex::new(Vec::new())) {
            Answer::Text(text) => text,
            Answer::Missing => "none".to_string(),
            _ => "unknown".to_string(),
        }
    };
    format!("{} {}", ask(GitAsk::Head), ask(GitAsk::Tree))
}

/// Counts what is handed out now; what changed since starts anew.
pub fn hand_out(tick: &Tick<'_>, signal: &Signal, items: &mut [Sorted]) -> Vec<(String, Handed)> {
    if *signal != Signal::Continue {
        return Vec::new();
    }
    let tree = tree(tick.asking);
    let mut handed = Vec::new();
    for item in items.iter_mut().take(HAND_OUT) {
        let before = tick.state.handed.get(&item.key);
        let same = before.filter(|h| h.digest == item.digest && h.tree == tree);
        item.handed_out = same.map_or(0, |h| h.count).saturating_add(1);
        let entry = Handed {
            digest: item.digest.clone(),
            tree: tree.clone(),
            count: item.handed_out,
        };
        handed.push((item.key.clone(), entry));
    }
    handed
}
