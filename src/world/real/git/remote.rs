//! The question to a remote: what it says now.
//!
//! The address is read as data from the repository, and then asked **outside** of every
//! repository: git is told that there is none (`GIT_DIR=/dev/null`), so no setting of it can
//! name a program, a helper for passwords, a proxy or another address. Settings of the user are
//! left out as well; only `ssh` reads its own from the home. Credentials thus come from nothing
//! but the address and `ssh`, and prompts are off: whoever needs more is a failure.
//!
//! INVARIANT: a remote on this machine is asked only below the granted roots. The name of a
//! reference is compared as a whole: git itself also lists what only ends like it.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::super::lookup::Found;
use super::super::process::{self, Ended, Launch};
use super::super::{fault, spelled};
use super::history::is_id;
use super::{Asked, Git, failed};
use crate::model::text::{escape, short};
use crate::world::address::{self, Address};
use crate::world::{Answer, Environment, Failure, name};

/// Most bytes that a remote may list for one reference.
const LONGEST: u64 = 1024 * 1024;

const VARIABLES: [(&str, &str); 9] = [
    ("GIT_DIR", "/dev/null"),
    ("GIT_CONFIG_NOSYSTEM", "1"),
    ("GIT_CONFIG_GLOBAL", "/dev/null"),
    ("GIT_ALLOW_PROTOCOL", "file:https:ssh:git"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_ASKPASS", ""),
    ("SSH_ASKPASS", ""),
    ("SSH_ASKPASS_REQUIRE", "never"),
    ("LC_ALL", "C"),
];

/// What git and ssh say if somebody would have to prove who they are.
const NOT_KNOWN: [&str; 7] = [
    "Authentication failed",
    "could not read Username",
    "could not read Password",
    "terminal prompts disabled",
    "Permission denied",
    "Host key verification failed",
    "returned error: 403",
];

impl Asked<'_> {
    /// `{ remote, url, reference, tip }`.
    pub fn remote_tip(&self, remote: &str, reference: &str) -> Result<Value, Answer> {
        plain_reference(reference)?;
        let config = self.config()?;
        let url = config.url(remote)?;
        let shown = address::shown(url);
        let read = address::read(url, &self.repository.top);
        let read = read.map_err(|why| failed(format!("the remote `{remote}`: {why}")))?;
        let asked = match read {
            Address::Local(path) => self.git.local(&path)?.into_os_string(),
            Address::Ssh(url) | Address::Web(url) => url.into(),
        };
        let ended = self.git.list(&asked, url, reference)?;
        if ended.status != 0 {
            return Err(unreached(&ended, (url, &shown)));
        }
        let tip = tip(&ended.stdout, reference)?;
        Ok(json!({ "remote": remote, "url": shown, "reference": reference, "tip": tip }))
    }
}

impl Git<'_> {
    /// The real place of a remote on this machine, if it lies below a granted root.
    fn local(&self, path: &Path) -> Result<PathBuf, Answer> {
        let shown = escape(&spelled(path));
        let real = match path.canonicalize() {
            Ok(real) => real,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(failed(format!("the remote's folder `{shown}` is missing")));
            }
            Err(error) => return Err(fault::io_answer(&error, &spelled(path))),
        };
        if self.roots.hold(&real) {
            return Ok(real);
        }
        Err(Answer::Refused {
            why: format!("the remote's folder `{shown}` is outside the granted roots"),
            help: format!("add `{shown}` to `roots` in site.rhai and run `belegt trust`"),
        })
    }

    fn list(&self, asked: &OsStr, url: &str, reference: &str) -> Result<Ended, Answer> {
        let program = self.program()?;
        let words = ["--no-pager", "ls-remote", "-q", "--end-of-options"];
        let mut arguments: Vec<&OsStr> = words.iter().map(OsStr::new).collect();
        let peeled = format!("{reference}^{{}}");
        arguments.extend([asked, OsStr::new(reference), OsStr::new(&peeled)]);
        let launch = Launch {
            program: &program,
            arguments,
            folder: Path::new("/"),
            environment: &self.remote_environment(url)?,
            limit: LONGEST,
        };
        process::run(&launch, self.until)
    }

    /// What a question to a remote gets: of git's variables only ours, and a PATH along which
    /// no file of the project can be found.
    fn remote_environment(&self, url: &str) -> Result<Environment, Answer> {
        let is_foreign = |key: &OsString| {
            let key = name::bytes(key);
            !key.starts_with(b"GIT_") && !key.starts_with(b"SSH_ASKPASS")
        };
        let given = self.environment.iter().filter(|(key, _)| is_foreign(key));
        let mut all: Environment = given
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
        all.extend(VARIABLES.map(|(key, value)| (key.into(), value.into())));
        all.insert("PATH".into(), self.lookup.safe_path());
        if matches!(address::read(url, Path::new("/")), Ok(Address::Ssh(_))) {
            all.insert("GIT_SSH_COMMAND".into(), self.ssh()?);
            all.insert("GIT_SSH_VARIANT".into(), "ssh".into());
        }
        Ok(all)
    }

    /// `ssh` that never asks anybody. The user's own settings in the home hold for it.
    fn ssh(&self) -> Result<OsString, Answer> {
        match self.lookup.find("ssh")? {
            Found::Program(ssh) => {
                let quoted = spelled(&ssh).replace('\'', "'\\''");
                Ok(format!("'{quoted}' -o BatchMode=yes -o PermitLocalCommand=no").into())
            }
            Found::NotExecutable(_) | Found::Nothing => {
                let why = "`ssh` is not found on PATH, and the remote is reached through it";
                Err(Answer::failed(Failure::Spawn, why))
            }
        }
    }
}

/// The id that was listed under exactly this name; of a tag the commit that it names. `None` if
/// the remote has no such reference.
fn tip(output: &[u8], reference: &str) -> Result<Option<String>, Answer> {
    let output = String::from_utf8_lossy(output);
    let mut tip = None;
    for line in output.lines() {
        let Some((id, listed)) = line.split_once('\t').filter(|(id, _)| is_id(id)) else {
            return Err(failed("the remote gave something else than references"));
        };
        if listed.strip_suffix("^{}") == Some(reference) {
            return Ok(Some(id.to_owned()));
        }
        if listed == reference {
            tip = Some(id.to_owned());
        }
    }
    Ok(tip)
}

/// A whole name of a reference: `ls-remote` takes patterns.
fn plain_reference(reference: &str) -> Result<(), Answer> {
    let is_odd = |c: char| c.is_control() || c.is_whitespace() || "~^:?*[\\".contains(c);
    let is_plain = reference.starts_with("refs/")
        && !reference.ends_with('/')
        && !reference.contains("..")
        && !reference.contains(is_odd);
    if is_plain {
        return Ok(());
    }
    let shown = escape(reference);
    Err(failed(format!(
        "`{shown}` is not the full name of a reference; write it like `refs/heads/main`"
    )))
}

/// Why a remote did not answer. What git said is shown only if it cannot hold a secret.
fn unreached(ended: &Ended, (url, shown): (&str, &str)) -> Answer {
    let said = String::from_utf8_lossy(&ended.stderr);
    if NOT_KNOWN.iter().any(|known| said.contains(known)) {
        let why = format!(
            "authentication: {shown} wants to know who asks, and belegt has no credentials and asks nobody"
        );
        return Answer::failed(Failure::Permission, why);
    }
    let said = match said.trim() {
        "" => "it gave no reason".to_owned(),
        _ if url != shown => "its words are not shown, since the URL holds credentials".to_owned(),
        said => short(said, 300),
    };
    failed(format!("{shown} did not answer: {said}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: &str = "1111111111111111111111111111111111111111";
    const B: &str = "2222222222222222222222222222222222222222";

    #[test]
    fn the_name_is_compared_as_a_whole() {
        let main = "refs/heads/main";
        let table = [
            (String::new(), None),
            (format!("{A}\trefs/heads/main\n"), Some(A)),
            (format!("{A}\trefs/heads/backup/main\n"), None),
            (format!("{A}\trefs/x/refs/heads/main\n"), None),
            (format!("{A}\t{main}\n{B}\t{main}^{{}}\n"), Some(B)),
        ];
        for (output, expected) in table {
            let tip = tip(output.as_bytes(), main).unwrap();
            assert_eq!(tip.as_deref(), expected, "{output}");
        }
        assert!(tip(b"rubbish\n", main).is_err());
    }

    #[test]
    fn a_reference_is_no_pattern() {
        for good in ["refs/heads/main", "refs/tags/v1.0", "refs/heads/a/b"] {
            assert!(plain_reference(good).is_ok(), "{good}");
        }
        for bad in [
            "main",
            "",
            "-x",
            "refs/heads/*",
            "refs/heads/a b",
            "refs/a\n",
            "refs/heads/",
            "refs/../x",
        ] {
            assert!(plain_reference(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_reason_with_credentials_is_not_shown() {
        let ended = |said: &str| Ended {
            status: 128,
            stdout: Vec::new(),
            stderr: said.as_bytes().to_vec(),
        };
        let why = |url: &str, said: &str| match unreached(&ended(said), (url, &address::shown(url)))
        {
            Answer::Failed { why, .. } => why,
            other => panic!("{other:?}"),
        };
        let url = "https://ada:secret@host/x";
        for said in [
            format!("unable to access '{url}/'"),
            format!("Authentication failed for '{url}'"),
        ] {
            assert!(!why(url, &said).contains("secret"), "{said}");
        }
        assert!(why("https://host/x", "no route").contains("no route"));
    }
}
