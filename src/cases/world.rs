//! From a case to its stage: the fixture world, the clock, the grants, the view of the ledger.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Duration, FixedOffset, Utc};
use chrono_tz::Tz;
use serde_json::{Value, json};

use crate::ledger::state::{Note, Settled, State};
use crate::model::moment::Moment;
use crate::script::frame::Facts;
use crate::world::fixture::{CommandCase, Content, FileCase, Fixture, Outcome};
use crate::world::grants::{COMMANDS, Grants, PLACES, VARIABLES};

use super::case::{Case, Says};
use super::needs::is_plain;
use super::stage::{FAILS, HOME, ROOT, Stage, absolute};

/// The stage of a case.
///
/// # Errors
/// Why its time, or a command line of it, cannot be read.
pub fn stage(case: &Case) -> Result<Stage, String> {
    let now = moment(&case.at, case.zone.as_deref())?;
    let baseline = match &case.baseline {
        Some(at) => moment(at, case.zone.as_deref())?,
        None => now.plus(Duration::days(-7)),
    };
    let commands = commands(case)?;
    Ok(Stage {
        grants: grants(case, &commands),
        world: world(case, commands)?,
        fails: fails(case)?,
        facts: Facts {
            now,
            baseline,
            root: ROOT.to_string(),
            home: HOME.to_string(),
            host: text(&case.host, "HOSTA"),
            actor: "unknown".to_string(),
            project: text(&case.project, "demo"),
            language: text(&case.language, "en"),
            tests: case.tests.clone(),
            settings: json!({}),
            site: site(case),
        },
        settings: settings(case),
        state: match &case.ledger {
            None => Ok(state(case, now)),
            Some(why) => Err(why.clone()),
        },
        gates: case.gates.clone(),
    })
}

/// The settings by script: those of the one that is played, or of each.
fn settings(case: &Case) -> BTreeMap<String, Value> {
    let own = case.settings.clone();
    match case.script.as_str() {
        "tick" | "gates" => own.into_iter().collect(),
        script => BTreeMap::from([(script.to_string(), Value::Object(own))]),
    }
}

fn fails(case: &Case) -> Result<BTreeMap<String, String>, String> {
    match case
        .fails
        .keys()
        .find(|word| !FAILS.contains(&word.as_str()))
    {
        Some(word) => Err(format!(
            "`fails` knows no `{word}`; it knows `{}`",
            FAILS.join("`, `")
        )),
        None => Ok(case.fails.clone()),
    }
}

fn text(given: &Option<String>, default: &str) -> String {
    given.clone().unwrap_or_else(|| default.to_string())
}

/// What every script finds in `ctx.site`, and over it what the case sets.
fn site(case: &Case) -> Value {
    let mut site = json!({ "mirror": "", "user_model": { "authorized": false } });
    if let Value::Object(fields) = &mut site {
        fields.extend(case.site.clone());
    }
    site
}

/// An instant with its zone: the named one, else that of the offset.
fn moment(at: &str, zone: Option<&str>) -> Result<Moment, String> {
    let time = DateTime::parse_from_rfc3339(at)
        .map_err(|_| format!("`{at}` is no instant such as `2026-11-30T10:00:00+01:00`"))?;
    let zone = match zone {
        Some(name) => name
            .parse::<Tz>()
            .map_err(|_| format!("`{name}` is no zone such as `Europe/Berlin`"))?,
        None => of_offset(*time.offset())
            .ok_or_else(|| format!("`{at}` has no offset of whole hours: name the `zone`"))?,
    };
    Ok(Moment::new(time.with_timezone(&Utc), zone))
}

/// The zone of a fixed offset; the names of the zone data have the other sign.
fn of_offset(offset: FixedOffset) -> Option<Tz> {
    let seconds = offset.local_minus_utc();
    match (seconds % 3600, -seconds / 3600) {
        (0, 0) => Some(Tz::UTC),
        (0, hours) => format!("Etc/GMT{hours:+}").parse().ok(),
        _ => None,
    }
}

fn world(case: &Case, commands: Vec<CommandCase>) -> Result<Fixture, String> {
    let mut files = BTreeMap::from([(ROOT.to_string(), folder(FileCase::text("")))]);
    for (path, content) in &case.files {
        if !is_plain(path) {
            return Err(format!(
                "`files` names `{path}`, which no script would find: write it without `.` and `..`"
            ));
        }
        let place = absolute(path);
        match place.strip_suffix('/') {
            Some(place) => files.insert(place.to_string(), of_folder(path, content)?),
            None => files.insert(place, content.clone()),
        };
    }
    let mut processes = BTreeMap::new();
    for (pid, process) in &case.processes {
        let number = pid
            .parse()
            .map_err(|_| format!("`{pid}` is no process number"))?;
        processes.insert(number, process.clone());
    }
    let git = case.git.iter();
    Ok(Fixture {
        files,
        commands,
        environment: case.environment.clone(),
        git: git.map(|(at, case)| (absolute(at), case.clone())).collect(),
        processes,
        machine: case.machine.clone(),
    })
}

fn folder(mut case: FileCase) -> FileCase {
    case.content = Content::Folder;
    case
}

/// What stands at a path that ends with `/`: a folder, or one that cannot be read.
fn of_folder(path: &str, content: &FileCase) -> Result<FileCase, String> {
    match &content.content {
        Content::Unreadable => Ok(content.clone()),
        Content::Folder => Ok(content.clone()),
        Content::Text(text) if text.is_empty() => Ok(folder(content.clone())),
        _ => Err(format!("`{path}` is a folder and holds no text")),
    }
}

fn commands(case: &Case) -> Result<Vec<CommandCase>, String> {
    let lines = case.commands.iter();
    lines
        .map(|(line, says)| {
            let (line, prefix) = match line.strip_suffix(" ...") {
                Some(line) => (line, true),
                None => (line.as_str(), false),
            };
            Ok(CommandCase {
                argv: words(line)?,
                prefix,
                outcome: outcome(says),
                delay: 0,
            })
        })
        .collect()
}

fn outcome(says: &Says) -> Outcome {
    match says {
        Says::Text(stdout) => Outcome::Ran {
            status: 0,
            stdout: stdout.clone(),
            stderr: String::new(),
        },
        Says::Whole(whole) if whole.hangs => Outcome::Hangs,
        Says::Whole(whole) if whole.missing => Outcome::Missing,
        Says::Whole(whole) => Outcome::Ran {
            status: whole.status,
            stdout: whole.stdout.clone(),
            stderr: whole.stderr.clone(),
        },
    }
}

/// The words of a command line: blanks part them, quotation marks keep them together.
fn words(line: &str) -> Result<Vec<String>, String> {
    let mut words: Vec<String> = Vec::new();
    let (mut word, mut is_word, mut quoted) = (String::new(), false, false);
    for c in line.chars() {
        match c {
            '"' => (quoted, is_word) = (!quoted, true),
            c if c.is_whitespace() && !quoted => {
                if is_word {
                    words.push(std::mem::take(&mut word));
                }
                is_word = false;
            }
            c => {
                word.push(c);
                is_word = true;
            }
        }
    }
    if is_word {
        words.push(word);
    }
    match quoted || words.is_empty() {
        true => Err(format!("`{line}` is no command line")),
        false => Ok(words),
    }
}

/// A case grants what it names beside what is shipped, unless it says what is granted.
fn grants(case: &Case, commands: &[CommandCase]) -> Grants {
    let named = commands.iter().filter_map(|command| command.argv.first());
    let shipped = COMMANDS.iter().map(|name| name.to_string());
    let mut granted: BTreeSet<String> = match &case.grants {
        Some(granted) => granted.iter().cloned().collect(),
        None => named.cloned().chain(shipped).collect(),
    };
    let variables = VARIABLES.iter().map(|name| name.to_string());
    let mut environment: BTreeSet<String> =
        case.environment.keys().cloned().chain(variables).collect();
    for refused in &case.refused {
        granted.remove(refused);
        environment.remove(refused);
    }
    let roots = case.roots.iter().map(|root| absolute(root));
    Grants {
        roots: std::iter::once(ROOT.to_string()).chain(roots).collect(),
        commands: granted,
        environment,
        look: look(case),
    }
}

/// The places of the known stores, and where variables have moved them.
fn look(case: &Case) -> Vec<String> {
    let mut places: Vec<String> = PLACES
        .iter()
        .map(|place| format!("{HOME}/{place}"))
        .collect();
    for name in VARIABLES {
        if let Some(value) = case
            .environment
            .get(*name)
            .filter(|value| !value.is_empty())
        {
            places.push(absolute(value));
            places.push(format!("{}-wal", absolute(value)));
        }
    }
    places
}

fn state(case: &Case, now: Moment) -> State {
    let notes = case.notes.iter().enumerate();
    let notes = notes.map(|(index, text)| {
        let note = Note {
            text: text.clone(),
            at: now.rfc3339(),
            actor: "unknown".to_string(),
        };
        (format!("{:032x}", index + 1), note)
    });
    let settled = case.settled.iter().map(|(key, settled)| {
        let settled = Settled {
            digest: settled.digest.clone(),
            how: settled.how,
            because: settled.because.clone(),
            by: settled.by.clone(),
            at: settled.at.clone(),
            tree: settled.tree.clone(),
        };
        (key.clone(), settled)
    });
    State {
        notes: notes.collect(),
        settled: settled.collect(),
        ..State::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_line_is_parted_at_blanks() {
        assert_eq!(
            words("usmc working --json").unwrap(),
            ["usmc", "working", "--json"]
        );
        assert_eq!(
            words("grep \"\" \"a b\"  c").unwrap(),
            ["grep", "", "a b", "c"]
        );
        assert!(words("a \"b").is_err());
        assert!(words("  ").is_err());
    }

    #[test]
    fn an_offset_of_whole_hours_is_a_zone() {
        let table = [
            ("2026-11-30T10:00:00+01:00", "Etc/GMT-1"),
            ("2026-11-30T10:00:00-05:00", "Etc/GMT+5"),
            ("2026-11-30T10:00:00Z", "UTC"),
        ];
        for (at, zone) in table {
            let moment = moment(at, None).unwrap();
            assert_eq!(moment.zone().name(), zone);
            assert_eq!(moment.rfc3339().replace("+00:00", "Z"), at);
        }
        assert!(moment("2026-11-30T10:00:00+05:30", None).is_err());
        assert!(moment("2026-11-30T10:00:00+05:30", Some("Asia/Kolkata")).is_ok());
        assert!(moment("2026-11-30", Some("Europe/Berlin")).is_err());
    }
}
