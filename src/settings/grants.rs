//! Grants: what the program allows by itself, and what people added.
//!
//! INVARIANT: built in are only the root itself, looking at (never opening) the places of the
//! known memories, and the commands that ask them. Everything else was written by a person
//! into their own file or into a site that they trusted.

use std::path::Path;

use crate::world::grants::{COMMANDS, Grants, PLACES, VARIABLES};
use crate::world::{Environment, name};

use super::merge::Merged;
use super::paths::{normal, variable};

/// From where the grants count.
#[derive(Debug, Clone, Copy)]
pub struct Ground<'a> {
    /// The project's root.
    pub root: &'a Path,
    /// The user's home.
    pub home: Option<&'a Path>,
    /// The environment.
    pub environment: &'a Environment,
}

/// All grants of a run.
pub fn grants(ground: Ground<'_>, merged: &Merged) -> Grants {
    let mut grants = Grants {
        roots: vec![spelled(ground.root)],
        commands: COMMANDS.iter().map(|name| name.to_string()).collect(),
        environment: VARIABLES.iter().map(|name| name.to_string()).collect(),
        look: look(ground),
    };
    for root in &merged.roots {
        push_once(&mut grants.roots, spelled(root));
    }
    grants.commands.extend(merged.commands.iter().cloned());
    grants
        .environment
        .extend(merged.environment.iter().cloned());
    grants
}

fn look(ground: Ground<'_>) -> Vec<String> {
    let mut places = Vec::new();
    if let Some(home) = ground.home {
        for place in PLACES {
            push_once(&mut places, spelled(&home.join(place)));
        }
    }
    for name in VARIABLES {
        if let Some(value) = variable(ground.environment, name) {
            let place = normal(&ground.root.join(value));
            push_once(&mut places, spelled(&place));
            if *name == "USMC_DB" {
                let mut log = place.into_os_string();
                log.push("-wal");
                push_once(&mut places, name::encode(&log));
            }
        }
    }
    places
}

fn spelled(path: &Path) -> String {
    name::encode(path.as_os_str())
}

fn push_once(list: &mut Vec<String>, place: String) {
    if !list.contains(&place) {
        list.push(place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ground(environment: &Environment) -> Ground<'_> {
        Ground {
            root: Path::new("/p"),
            home: Some(Path::new("/home/ada")),
            environment,
        }
    }

    #[test]
    fn what_is_built_in_is_little() {
        let grants = grants(ground(&Environment::new()), &Merged::default());
        assert_eq!(grants.roots, ["/p"]);
        let commands: Vec<&str> = grants.commands.iter().map(String::as_str).collect();
        assert_eq!(commands, ["gardener", "git", "source-resolver", "usmc"]);
        assert_eq!(grants.environment.len(), 4);
        let look = [
            "/home/ada/.usmc",
            "/home/ada/.gardener",
            "/home/ada/gardener",
        ];
        assert_eq!(grants.look, look);
    }

    #[test]
    fn variables_move_what_may_be_looked_at() {
        let environment = Environment::from([
            ("USMC_DB".into(), "/data/u.db".into()),
            ("GARDENER_DATA".into(), "store/../g".into()),
            ("GARDENER_HOME".into(), "".into()),
            ("OTHER".into(), "/secret".into()),
        ]);
        let grants = grants(
            Ground {
                home: None,
                ..ground(&environment)
            },
            &Merged::default(),
        );
        assert_eq!(grants.look, ["/data/u.db", "/data/u.db-wal", "/p/g"]);
    }

    #[test]
    fn people_add_and_nothing_stands_twice() {
        let merged = Merged {
            roots: vec!["/p".into(), "/docs".into(), "/docs".into()],
            commands: ["jq".to_string(), "git".to_string()].into(),
            environment: ["CI".to_string()].into(),
            ..Merged::default()
        };
        let grants = grants(ground(&Environment::new()), &merged);
        assert_eq!(grants.roots, ["/p", "/docs"]);
        assert_eq!(grants.commands.len(), 5);
        assert!(grants.environment.contains("CI"));
    }
}
