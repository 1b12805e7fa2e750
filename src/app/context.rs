//! What a verb runs in: the settings, and the two things of the surroundings that a verb needs
//! beside them (randomness for ids, a person at the terminal).

use std::ops::Deref;
use std::path::Path;

use crate::diag::Fault;
use crate::model::moment::Moment;
use crate::settings::{self, Flags, Person, Settings, Surroundings};
use crate::world::Environment;

/// One run of belegt.
pub struct Context<'a> {
    settings: Settings,
    surroundings: &'a Surroundings,
}

impl<'a> Context<'a> {
    /// Looks at the settings once.
    ///
    /// # Errors
    /// The root or a flag is wrong; everything else stands in the settings' own faults.
    pub fn load(surroundings: &'a Surroundings, flags: &Flags) -> Result<Self, Fault> {
        let settings = settings::load(surroundings, flags)?;
        Ok(Context {
            settings,
            surroundings,
        })
    }

    /// A new id.
    pub fn new_id(&self) -> String {
        crate::model::text::hex(&(self.surroundings.random)())
    }

    /// The folder from which paths on the command line count.
    pub fn cwd(&self) -> &'a Path {
        &self.surroundings.cwd
    }

    /// The environment of this process, for a command that a person or an agent runs.
    pub fn environment(&self) -> &'a Environment {
        &self.surroundings.environment
    }

    /// Reads the clock again: a verb that slept goes on in another instant.
    pub fn look_at_clock(&mut self) {
        if let Some(instant) = settings::instant((self.surroundings.clock)()) {
            self.settings.now = Moment::new(instant, self.settings.now.zone());
        }
    }

    /// The person at the terminal, if there is one.
    pub fn person(&self) -> Option<&'a dyn Person> {
        self.surroundings.person.as_deref()
    }
}

impl Deref for Context<'_> {
    type Target = Settings;

    fn deref(&self) -> &Settings {
        &self.settings
    }
}
