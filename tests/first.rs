//! The bare stage: the smallest things that a tick says.

mod support;

use belegt::model::signal::Signal;
use support::Stage;

#[test]
fn an_open_line_is_work_and_a_world_without_sources_is_blind() {
    let stage = Stage::new().file("TODO.md", "# Plan\n- [ ] a\n- [x] b\n- [~] c\n");
    let outcome = stage.tick();
    assert_eq!(outcome.signal, Signal::Continue);
    assert_eq!(outcome.items.len(), 1);
    assert_eq!(outcome.bundle.len(), 1);
    assert!(matches!(Stage::new().tick().signal, Signal::Blind { .. }));
}
