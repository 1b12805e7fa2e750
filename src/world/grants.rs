//! What a person has allowed, and the check that every question passes first.
//!
//! INVARIANT: a path is judged as the system will see it: decoded, absolute and without `.`,
//! `..` or empty segments. What is not granted is [`Answer::Refused`] with the line that a
//! person could add; it is never `Missing`, so that a lack of rights cannot look like a fact.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{Answer, GitAsk, Request, name};
use crate::model::text::escape;

/// Commands that built-in scripts run: granted by the program itself.
pub const COMMANDS: &[&str] = &["git", "usmc", "gardener", "source-resolver"];

/// Variables that move the stores of those commands; granted as well.
pub const VARIABLES: &[&str] = &[
    "USMC_DB",
    "GARDENER_DATA",
    "GARDENER_HOME",
    "SOURCE_RESOLVER_STORE",
];

/// Where the stores lie if no variable moves them, below the home.
pub const PLACES: &[&str] = &[".usmc", ".gardener", "gardener"];

/// What may be asked. Plain data from the settings; empty grants allow nothing outside.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Grants {
    /// Folders below which everything may be read, the project's own among them.
    pub roots: Vec<String>,
    /// Commands that may run: bare names, or absolute paths.
    pub commands: BTreeSet<String>,
    /// Names of environment variables that scripts may see.
    pub environment: BTreeSet<String>,
    /// Places that may be looked at from outside (kind, size, time) but never opened.
    pub look: Vec<String>,
}

impl Grants {
    /// `None` if the question may be asked, else the refusal.
    pub fn check(&self, request: &Request) -> Option<Answer> {
        match request {
            Request::Read { path, .. } | Request::List { path } | Request::Heads { path, .. } => {
                self.check_root(path)
            }
            Request::Stat { path } => self.check_look(path),
            Request::Glob { root, pattern } => {
                self.check_root(root).or_else(|| check_pattern(pattern))
            }
            Request::Run { argv, cwd, .. } => {
                self.check_command(argv).or_else(|| self.check_root(cwd))
            }
            Request::Which { command } => self.check_which(command),
            Request::Env { name } => self.check_variable(name),
            Request::Git { ask, root } => self.check_root(root).or_else(|| match ask {
                // Where a remote may lie is checked where its address is known.
                GitAsk::RemoteTip { .. } => self.check_granted_command("git"),
                _ => None,
            }),
            Request::Process { .. }
            | Request::Machine
            | Request::Ledger { .. }
            | Request::Clock => None,
        }
    }

    fn check_root(&self, path: &str) -> Option<Answer> {
        let place = match plain(path) {
            Ok(place) => place,
            Err(refused) => return Some(refused),
        };
        (!below(&self.roots, &place)).then(|| {
            let shown = escape(path);
            refused(
                format!("`{shown}` is outside the granted roots"),
                add(&shown, "roots"),
            )
        })
    }

    fn check_look(&self, path: &str) -> Option<Answer> {
        let place = match plain(path) {
            Ok(place) => place,
            Err(refused) => return Some(refused),
        };
        let granted = below(&self.roots, &place) || below(&self.look, &place);
        (!granted).then(|| {
            let shown = escape(path);
            refused(
                format!("`{shown}` is outside the granted roots and places to look at"),
                add(&shown, "roots"),
            )
        })
    }

    fn check_command(&self, argv: &[String]) -> Option<Answer> {
        let Some(command) = argv.first().filter(|command| !command.is_empty()) else {
            return Some(refused(
                "an empty command line names no command".to_owned(),
                "give the command as the first word".to_owned(),
            ));
        };
        if !is_bare(command) && plain(command).is_err() {
            let why = format!(
                "`{}` is neither a bare name nor an absolute path",
                escape(command)
            );
            let help = "name a command on PATH, or write its absolute path".to_owned();
            return Some(refused(why, help));
        }
        self.check_granted_command(command)
    }

    fn check_granted_command(&self, command: &str) -> Option<Answer> {
        (!self.commands.contains(command)).then(|| {
            let shown = escape(command);
            refused(
                format!("`{shown}` is not a granted command"),
                add(&shown, "commands"),
            )
        })
    }

    fn check_which(&self, command: &str) -> Option<Answer> {
        if is_bare(command) {
            return None;
        }
        self.check_command(std::slice::from_ref(&command.to_owned()))
    }

    fn check_variable(&self, name: &str) -> Option<Answer> {
        (!self.environment.contains(name)).then(|| {
            let shown = escape(name);
            refused(
                format!("`{shown}` is not a granted environment variable"),
                add(&shown, "environment"),
            )
        })
    }
}

/// Whether a command is a name to be looked up, not a path.
fn is_bare(command: &str) -> bool {
    !command.is_empty() && !command.contains('/')
}

/// The decoded path if it is absolute and lexically normal, else the refusal.
fn plain(path: &str) -> Result<PathBuf, Answer> {
    let decoded = name::decode(path);
    let bytes = name::bytes(&decoded);
    let shown = escape(path);
    let Some(rest) = bytes.strip_prefix(b"/") else {
        let why = format!("`{shown}` is not an absolute path");
        return Err(refused(why, "give the path from `/` on".to_owned()));
    };
    if rest.is_empty() || rest.split(|byte| *byte == b'/').all(is_plain_segment) {
        return Ok(PathBuf::from(decoded));
    }
    let why = format!("`{shown}` holds `.`, `..` or an empty segment");
    let help = "write the path without them".to_owned();
    Err(refused(why, help))
}

fn check_pattern(pattern: &str) -> Option<Answer> {
    let plain = pattern
        .split('/')
        .all(|segment| is_plain_segment(name::bytes(&name::decode(segment))));
    (!plain).then(|| {
        refused(
            format!(
                "the pattern `{}` leaves its folder or holds an empty segment",
                escape(pattern)
            ),
            "write the pattern relative to its folder, without `.`, `..` and `//`".to_owned(),
        )
    })
}

fn is_plain_segment(segment: &[u8]) -> bool {
    !segment.is_empty() && segment != b"." && segment != b".." && !segment.contains(&b'/')
}

fn below(places: &[String], path: &Path) -> bool {
    places
        .iter()
        .map(|place| PathBuf::from(name::decode(place)))
        .any(|place| place.is_absolute() && path.starts_with(place))
}

fn add(what: &str, list: &str) -> String {
    format!("add `{what}` to `{list}` in site.rhai and run `belegt trust`")
}

fn refused(why: String, help: String) -> Answer {
    Answer::Refused { why, help }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grants() -> Grants {
        Grants {
            roots: vec!["/p".into(), "/q/notes".into()],
            commands: ["cargo".to_owned(), "/p/.ci/run".to_owned()].into(),
            environment: ["TEAM".to_owned()].into(),
            look: vec!["/var/stamp".into()],
        }
    }

    fn read(path: &str) -> Request {
        let path = path.to_owned();
        Request::Read { path, limit: 1 }
    }

    fn run(command: &str, cwd: &str) -> Request {
        Request::Run {
            argv: vec![command.into()],
            cwd: cwd.into(),
            limit: 1,
        }
    }

    fn stat(path: &str) -> Request {
        Request::Stat { path: path.into() }
    }

    fn glob(root: &str, pattern: &str) -> Request {
        let (root, pattern) = (root.to_owned(), pattern.to_owned());
        Request::Glob { root, pattern }
    }

    fn git(root: &str) -> Request {
        let root = root.to_owned();
        Request::Git {
            ask: GitAsk::Head,
            root,
        }
    }

    #[test]
    fn what_is_granted_passes() {
        let which = Request::Which {
            command: "anything".into(),
        };
        let env = Request::Env {
            name: "TEAM".into(),
        };
        let ledger = Request::Ledger { ask: "runs".into() };
        let list = Request::List {
            path: "/q/notes".into(),
        };
        let passes = [
            read("/p"),
            read("/p/a/..b"),
            read("/q/notes/x y"),
            list,
            stat("/p/x"),
            stat("/var/stamp"),
            stat("/var/stamp/below"),
            glob("/p", "**/*.md"),
            glob("/p", "a..b/[x]"),
            run("cargo", "/p"),
            run("/p/.ci/run", "/p/sub"),
            which,
            env,
            git("/p/sub"),
            ledger,
            Request::Clock,
        ];
        for request in passes {
            assert_eq!(grants().check(&request), None, "{request:?}");
        }
    }

    #[test]
    fn what_is_not_granted_is_refused() {
        let env = Request::Env {
            name: "TOKEN".into(),
        };
        let which = Request::Which {
            command: "./cargo".into(),
        };
        let empty = Request::Run {
            argv: vec![],
            cwd: "/p".into(),
            limit: 1,
        };
        let heads = Request::Heads {
            path: "/x".into(),
            suffix: String::new(),
            head: 1,
        };
        let refusals = [
            read("/"),
            read("/pq"),
            read("/q"),
            read("/q/notesy"),
            read("p/a"),
            read(""),
            read("/p/../etc"),
            read("/p/./a"),
            read("/p//a"),
            read("/p/a/"),
            read("/p/.."),
            read("/p/\\x2e\\x2e/etc"),
            read("/p/a\\x2f..\\x2f..\\x2fetc"),
            read("/var/stamp"),
            stat("/var"),
            stat("/var/stamp/../x"),
            glob("/x", "*"),
            glob("/p", "../*"),
            glob("/p", "/etc/*"),
            glob("/p", "a/\\x2e./b"),
            glob("/p", "a\\x2fb"),
            glob("/p", ""),
            run("rm", "/p"),
            run("./cargo", "/p"),
            run("/bin/cargo", "/p"),
            run("cargo", "/etc"),
            run("/p/x/../.ci/run", "/p"),
            run("", "/p"),
            which,
            env,
            git("/x"),
            empty,
            heads,
        ];
        for request in refusals {
            let refused = matches!(grants().check(&request), Some(Answer::Refused { .. }));
            assert!(refused, "{request:?}");
        }
    }

    #[test]
    fn a_remote_is_asked_only_with_git_among_the_commands() {
        let request = Request::Git {
            ask: GitAsk::RemoteTip {
                remote: "origin".into(),
                reference: "refs/heads/main".into(),
            },
            root: "/p".into(),
        };
        let mut grants = grants();
        assert!(grants.check(&request).is_some());
        grants.commands.insert("git".into());
        assert_eq!(grants.check(&request), None);
    }

    #[test]
    fn a_refusal_says_what_a_person_could_add() {
        let Some(Answer::Refused { why, help }) = grants().check(&read("/srv/x")) else {
            panic!("granted")
        };
        assert_eq!(why, "`/srv/x` is outside the granted roots");
        assert_eq!(
            help,
            "add `/srv/x` to `roots` in site.rhai and run `belegt trust`"
        );
        let Some(Answer::Refused { help, .. }) = grants().check(&run("foo", "/p")) else {
            panic!("granted")
        };
        assert_eq!(
            help,
            "add `foo` to `commands` in site.rhai and run `belegt trust`"
        );
    }

    #[test]
    fn a_root_of_everything_grants_everything_below_it() {
        let grants = Grants {
            roots: vec!["/".into()],
            ..Grants::default()
        };
        assert_eq!(grants.check(&read("/etc/x")), None);
        assert!(grants.check(&read("/etc/../x")).is_some());
    }
}
