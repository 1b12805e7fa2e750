//! Who acts, in which session, on which host.
//!
//! INVARIANT: nothing here makes anybody a person. A name that was typed says who one claims
//! to be; marks that agents leave in the environment say `agent`; the rest is unknown, which
//! counts as agent. A session is never guessed.

use crate::diag::{Code, Fault};
use crate::model::text::short;
use crate::world::Environment;

use super::flags::Flags;
use super::origin::{Origin, Origins};
use super::paths::variable;

/// What is recorded where nothing is known.
pub const UNKNOWN: &str = "unknown";

/// Variables that agents set for the commands they run, and the name of the agent. Sources:
/// the agents' documentation and public detectors, seen in November 2026.
const AGENTS: &[(&str, &str)] = &[
    ("CLAUDECODE", "claude-code"),
    ("CLAUDE_CODE_SESSION_ID", "claude-code"),
    ("CODEX_THREAD_ID", "codex"),
    ("CODEX_SANDBOX", "codex"),
    ("CODEX_CI", "codex"),
    ("GEMINI_CLI", "gemini-cli"),
    ("CURSOR_AGENT", "cursor"),
    ("OPENCODE", "opencode"),
    ("CLINE_ACTIVE", "cline"),
    ("CRUSH", "crush"),
    ("AI_AGENT", "agent"),
];

/// Further variables of Codex begin so.
const CODEX_PREFIX: &[u8] = b"CODEX_MANAGED_";

/// Variables that hold the id of a session, ours first.
const SESSIONS: &[&str] = &[
    "BELEGT_SESSION",
    "CLAUDE_CODE_SESSION_ID",
    "CLAUDE_SESSION_ID",
    "CODEX_THREAD_ID",
    "CODEX_SESSION_ID",
    "GEMINI_SESSION_ID",
];

/// Whether an agent is known to act.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ActorKind {
    /// Nothing is known; counts as agent.
    Unknown,
    /// An agent's mark stands in the environment.
    Agent,
}

impl ActorKind {
    /// `unknown` or `agent`, as it is recorded.
    pub fn text(self) -> &'static str {
        match self {
            ActorKind::Unknown => UNKNOWN,
            ActorKind::Agent => "agent",
        }
    }
}

/// Who acts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Actor {
    /// What is known of it.
    pub kind: ActorKind,
    /// A name: typed, or that of the agent, or `unknown`.
    pub name: String,
}

/// Actor and session of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// Who acts.
    pub actor: Actor,
    /// Id of the session, or `unknown`.
    pub session: String,
}

/// Reads actor and session. The error is one of usage.
pub fn identity(
    environment: &Environment,
    flags: &Flags,
    origins: &mut Origins,
) -> Result<Identity, Fault> {
    let agent = agent(environment);
    let kind = match agent {
        Some(_) => ActorKind::Agent,
        None => ActorKind::Unknown,
    };
    let typed = flags.actor.as_deref().map(|name| flag("--actor", name));
    let name = match typed.transpose()? {
        Some(name) => {
            origins.set("actor", Origin::Flag("--actor"));
            name
        }
        None => match stated(environment, "BELEGT_ACTOR") {
            Some(name) => {
                origins.set("actor", Origin::Environment("BELEGT_ACTOR".into()));
                name
            }
            None => agent.unwrap_or(UNKNOWN).to_string(),
        },
    };
    let actor = Actor { kind, name };
    let session = session(environment, flags, origins)?;
    Ok(Identity { actor, session })
}

fn agent(environment: &Environment) -> Option<&'static str> {
    let marked = AGENTS
        .iter()
        .find(|(name, _)| variable(environment, name).is_some());
    let managed = || {
        let mut names = environment.keys();
        names.any(|name| name.as_encoded_bytes().starts_with(CODEX_PREFIX))
    };
    match marked {
        Some((_, agent)) => Some(agent),
        None => managed().then_some("codex"),
    }
}

fn session(
    environment: &Environment,
    flags: &Flags,
    origins: &mut Origins,
) -> Result<String, Fault> {
    if let Some(id) = &flags.session {
        origins.set("session", Origin::Flag("--session"));
        return flag("--session", id);
    }
    for name in SESSIONS {
        if let Some(id) = stated(environment, name) {
            origins.set("session", Origin::Environment((*name).to_string()));
            return Ok(id);
        }
    }
    Ok(UNKNOWN.to_string())
}

/// A variable's value, if it can be recorded. Programs that have no session have been seen to
/// write `null`.
fn stated(environment: &Environment, name: &str) -> Option<String> {
    let value = variable(environment, name)?.to_str()?.trim();
    let is_nothing = matches!(value, "null" | "undefined" | "None");
    (is_recordable(value) && !is_nothing).then(|| value.to_string())
}

fn flag(name: &str, value: &str) -> Result<String, Fault> {
    let trimmed = value.trim();
    if is_recordable(trimmed) {
        return Ok(trimmed.to_string());
    }
    let shown = short(value, 60);
    let message = format!("`{name}` cannot be recorded as `{shown}`");
    Err(Fault::new(Code::Usage, message).with_help("give 1 to 200 bytes on one line, without `|`"))
}

/// Whether a text can stand in the footer `session: <id> | <agent>@<host> | <date>`.
fn is_recordable(text: &str) -> bool {
    let is_bad = |c: char| {
        c == '|' || crate::model::text::escape(c.encode_utf8(&mut [0; 4])).len() != c.len_utf8()
    };
    !text.is_empty() && text.len() <= 200 && !text.contains(is_bad)
}

/// The host's name, made fit for records.
pub fn host(name: &str) -> String {
    let first = name.split('.').next().unwrap_or_default();
    let kept: String = first
        .chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_'))
        .take(64)
        .collect();
    match kept.is_empty() {
        true => UNKNOWN.to_string(),
        false => kept,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Variables<'a> = &'a [(&'a str, &'a str)];

    fn of(variables: Variables<'_>, flags: &Flags) -> Result<Identity, Fault> {
        let environment: Environment = variables
            .iter()
            .map(|(name, value)| (name.into(), value.into()))
            .collect();
        identity(&environment, flags, &mut Origins::default())
    }

    #[test]
    fn an_agents_mark_makes_an_agent_and_nothing_makes_a_person() {
        use ActorKind::{Agent, Unknown};
        let table: [(Variables<'_>, Option<&str>, ActorKind, &str); 9] = [
            (&[], None, Unknown, "unknown"),
            (&[], Some("person"), Unknown, "person"),
            (&[("BELEGT_ACTOR", "ada")], None, Unknown, "ada"),
            (&[("BELEGT_ACTOR", "ada")], Some("bob"), Unknown, "bob"),
            (&[("CLAUDECODE", "1")], None, Agent, "claude-code"),
            (&[("CLAUDECODE", "1")], Some("ada"), Agent, "ada"),
            (&[("CODEX_MANAGED_BY_NPM", "1")], None, Agent, "codex"),
            (&[("CODEX_HOME", "/x")], None, Unknown, "unknown"),
            (&[("GEMINI_CLI", "")], None, Unknown, "unknown"),
        ];
        for (variables, typed, kind, name) in table {
            let flags = Flags {
                actor: typed.map(Into::into),
                ..Flags::default()
            };
            let actor = of(variables, &flags).unwrap().actor;
            assert_eq!(
                (actor.kind, actor.name.as_str()),
                (kind, name),
                "{variables:?}"
            );
        }
    }

    #[test]
    fn a_session_is_stated_or_unknown() {
        let table: [(Variables<'_>, Option<&str>, &str); 9] = [
            (&[], None, "unknown"),
            (&[("CLAUDE_CODE_SESSION_ID", "c1")], None, "c1"),
            (
                &[("CLAUDE_CODE_SESSION_ID", "c1"), ("BELEGT_SESSION", "b")],
                None,
                "b",
            ),
            (&[("BELEGT_SESSION", "b")], Some("f"), "f"),
            (&[("CODEX_THREAD_ID", "t")], None, "t"),
            (&[("CLAUDE_CODE_SESSION_ID", "")], None, "unknown"),
            (&[("CLAUDE_CODE_SESSION_ID", "null")], None, "unknown"),
            (
                &[
                    ("CLAUDE_CODE_SESSION_ID", "a\nb"),
                    ("CODEX_SESSION_ID", "x"),
                ],
                None,
                "x",
            ),
            (&[("BELEGT_SESSION", "a | b")], None, "unknown"),
        ];
        for (variables, typed, wanted) in table {
            let flags = Flags {
                session: typed.map(Into::into),
                ..Flags::default()
            };
            assert_eq!(
                of(variables, &flags).unwrap().session,
                wanted,
                "{variables:?}"
            );
        }
    }

    #[test]
    fn a_flag_that_cannot_be_recorded_is_wrong_usage() {
        for wrong in [
            "",
            " ",
            "a\nb",
            "a|b",
            "\u{202e}x",
            "\u{1b}[2J",
            &"x".repeat(201),
        ] {
            for is_session in [true, false] {
                let text = Some(wrong.to_string());
                let flags = match is_session {
                    true => Flags {
                        session: text,
                        ..Flags::default()
                    },
                    false => Flags {
                        actor: text,
                        ..Flags::default()
                    },
                };
                let fault = of(&[], &flags).expect_err(wrong);
                assert_eq!(fault.code(), Code::Usage);
            }
        }
    }

    #[test]
    fn a_host_is_one_plain_word() {
        let table = [
            ("build7", "build7"),
            ("build7.example.org", "build7"),
            ("a b|c\n", "abc"),
            ("", "unknown"),
            (".", "unknown"),
        ];
        for (name, wanted) in table {
            assert_eq!(host(name), wanted);
        }
    }
}
