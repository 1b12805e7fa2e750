//! A work probe asked about a real folder instead of a fixture.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use belegt::tick::probe::{self, Answer};
use belegt::tick::view_desk::ViewDesk;
use belegt::world::desk::{Desk, Start};
use belegt::world::grants::Grants;
use belegt::world::real::{RealSetup, RealWorld};

use crate::support::Stage;

/// Asks a work probe about a real folder.
pub fn look(root: &Path, name: &str) -> Answer {
    let root = root.canonicalize().unwrap();
    let text = root.to_str().unwrap().to_string();
    let mut asking = Stage::new().asking();
    let world = RealWorld::new(RealSetup {
        roots: vec![root],
        ..RealSetup::default()
    });
    let grants = Grants {
        roots: vec![text.clone()],
        ..Grants::default()
    };
    let start = Start {
        moment: asking.facts.now,
        instant: Instant::now(),
    };
    let ledger = Arc::new(ViewDesk::new(Default::default()));
    asking.desk = Arc::new(Desk::new(Arc::new(world), ledger, grants, start));
    asking.facts.root = text;
    probe::look(&asking, name)
}
