//! What a verb runs in: the settings, and the two things of the surroundings that a verb needs
//! beside them (randomness for ids, a person at the terminal).

use std::ops::Deref;

use crate::diag::Fault;
use crate::settings::{self, Flags, Person, Settings, Surroundings};

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
