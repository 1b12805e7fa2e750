//! The stage of a run: scripts, the real world behind a desk, and what the tick needs to know.

use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::DateTime;
use serde_json::json;

use super::context::Context;
use crate::ask::Asking;
use crate::ledger::View;
use crate::ledger::state::State;
use crate::model::moment::Moment;
use crate::model::text::short;
use crate::script::frame::Facts;
use crate::script::layers::{Loaded, Scripts};
use crate::tick::gates;
use crate::tick::view_desk::ViewDesk;
use crate::tick::{Frame, Intervals};
use crate::world::desk::{Desk, Start};
use crate::world::real::{RealSetup, RealWorld};
use crate::world::{Answer, Request, World as _};

/// The deadline of a whole tick.
const TICK_DEADLINE: Duration = Duration::from_secs(60);

/// The ledger's view, or why there is none.
pub type Viewed = Result<Arc<View>, String>;

/// What was loaded once and serves every try of a run.
pub struct Stage {
    scripts: Arc<Scripts>,
    world: Arc<RealWorld>,
    began: Instant,
}

impl Stage {
    /// Reads the scripts of all layers; opens nothing else.
    pub fn new(settings: &Context<'_>) -> Self {
        Stage::with(settings, Vec::new())
    }

    /// The same with further scripts beside those of the layers.
    pub fn with(settings: &Context<'_>, more: Vec<Loaded>) -> Self {
        let roots = settings
            .grants
            .roots
            .iter()
            .map(|r| crate::world::name::decode(r).into());
        let setup = RealSetup {
            roots: roots.collect(),
            environment: settings.child_environment.clone(),
            path: settings.path.clone(),
        };
        let loaded = settings.layers.iter().cloned().chain(more);
        let scripts = Arc::new(Scripts::with(loaded.collect()));
        // Taking syntax trees apart takes as long as a look at a source, and the process ends
        // right after: one reference is never given back.
        std::mem::forget(scripts.clone());
        Stage {
            scripts,
            world: Arc::new(RealWorld::new(setup)),
            began: Instant::now(),
        }
    }

    /// Asks the real world for the kernel itself.
    pub fn ask(&self, request: &Request, until: Instant) -> Answer {
        self.world.ask(request, until)
    }

    /// All scripts.
    pub fn scripts(&self) -> &Arc<Scripts> {
        &self.scripts
    }

    /// A fresh desk over the real world, for one try.
    pub fn asking(&self, settings: &Context<'_>, viewed: &Viewed) -> Asking {
        let ledger = match viewed {
            Ok(view) => ViewDesk::new(view.state.clone()),
            Err(why) => ViewDesk::broken(why),
        };
        let ledger = ledger.with_gates(super::gates::finder(settings));
        let start = Start {
            moment: settings.now,
            instant: self.began,
        };
        let state = viewed.as_ref().map(|view| &view.state).ok();
        Asking {
            scripts: self.scripts.clone(),
            desk: Arc::new(Desk::new(
                self.world.clone(),
                Arc::new(ledger),
                settings.grants.clone(),
                start,
            )),
            facts: facts(settings, state),
            settings: settings.scripts.clone(),
            until: Instant::now() + TICK_DEADLINE,
            coverage: None,
        }
    }
}

fn facts(settings: &Context<'_>, state: Option<&State>) -> Facts {
    Facts {
        now: settings.now,
        root: crate::world::name::encode(settings.root.as_os_str()),
        home: settings
            .home
            .as_ref()
            .map(|h| crate::world::name::encode(h.as_os_str()))
            .unwrap_or_default(),
        host: settings.host.clone(),
        actor: settings.actor.name.clone(),
        project: settings.project.clone(),
        language: settings.language.text().to_string(),
        baseline: baseline(settings.now, state),
        tests: settings.tests.clone(),
        settings: json!({}),
        site: json!({
            "mirror": if settings.mirror_usmc { "usmc" } else { "" },
            "user_model": { "authorized": settings.user_model_authorized },
        }),
    }
}

/// News count from seven days before the first tick of this ledger.
fn baseline(now: Moment, state: Option<&State>) -> Moment {
    let first = state
        .and_then(|state| state.first_tick.as_deref())
        .and_then(|at| DateTime::parse_from_rfc3339(at).ok())
        .map_or(now, |at| Moment::new(at.to_utc(), now.zone()));
    first.plus(chrono::Duration::days(-7))
}

/// What the tick needs to know beside the world.
pub fn frame(
    settings: &Context<'_>,
    (viewed, gates): (Viewed, gates::View),
    use_guard: bool,
) -> Frame {
    let absent = settings
        .absent
        .iter()
        .filter(|(_, declared)| !declared.expired);
    Frame {
        now: settings.now,
        view: viewed,
        gates,
        write_fault: None,
        settings_fault: settings
            .faults
            .first()
            .map(|fault| short(&fault.line(), 400)),
        settings_digest: settings.digest(),
        absent: absent
            .map(|(role, declared)| (role.clone(), declared.reason.clone()))
            .collect(),
        effects: settings.effects.keys().cloned().collect(),
        handed_out: settings.handed_out,
        interval: Intervals {
            settings: settings.interval.as_ref().map(|(interval, _)| *interval),
            flag: settings.interval_flag,
        },
        use_guard,
        english: settings.english_signal,
        mirror: settings.mirror_usmc.then(|| settings.project.clone()),
    }
}

/// HEAD and the work tree as the kernel compares them.
pub fn tree(settings: &Context<'_>) -> String {
    let asking = Stage::new(settings).asking(settings, &Err("not asked".to_string()));
    crate::tick::brake::tree(&asking)
}
