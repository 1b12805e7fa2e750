//! Hostile repositories, hostile remotes, hostile addresses: nothing that a repository chose is
//! run, nothing outside of the roots is asked, no secret is told, and no trick with history
//! makes a commit contained.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test may fail"
)]
#![cfg(target_os = "linux")]

#[path = "support/repos.rs"]
mod repos;
mod support;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use belegt::world::{Answer, Failure, GitAsk};
use repos::{Repos, commit, contains, data, failure, git, id, plain_git, program, tip};
use serde_json::json;

/// Every question about a repository with one remote `origin`.
fn questions(work: &Path) -> Vec<GitAsk> {
    let head = id(work, "HEAD");
    let name = |name: &str| GitAsk::Commit {
        name: name.to_string(),
    };
    vec![
        GitAsk::Head,
        GitAsk::Tree,
        GitAsk::Interrupted,
        GitAsk::Remotes,
        GitAsk::Upstream,
        name("HEAD"),
        name("main"),
        name("deadbeef"),
        name(&head[..8]),
        GitAsk::Shallow,
        contains(&id(work, "HEAD~1"), &head),
        contains(&head, &id(work, "HEAD~1")),
        contains(&head, &"9".repeat(40)),
        GitAsk::Gitlinks { commit: head },
        tip("origin", "refs/heads/main"),
        tip("origin", "refs/heads/none"),
    ]
}

/// A repository, a program that leaves a canary, and the canary.
struct Trap {
    repos: Repos,
    work: PathBuf,
    evil: String,
    canary: PathBuf,
}

fn trap() -> Trap {
    let repos = Repos::new();
    let work = repos.make("work", 2);
    repos.remote(&work, "origin");
    fs::write(work.join("a"), "a").unwrap();
    fs::write(work.join(".gitattributes"), "* filter=evil diff=evil\n").unwrap();
    git(&work, &["add", "."]);
    git(&work, &["commit", "-q", "-m", "files"]);
    git(&work, &["push", "-q", "-u", "origin", "main"]);
    let canary = repos.base().join("canary");
    let evil = repos.base().join("evil");
    program(
        &evil,
        &format!(
            "#!/bin/sh\necho \"$0 $*\" >> '{}'\nexit 1\n",
            canary.display()
        ),
    );
    let evil = evil.to_str().unwrap().to_owned();
    Trap {
        repos,
        work,
        evil,
        canary,
    }
}

impl Trap {
    /// Asks everything; nothing may have run. Gives the answers.
    fn springs_not(&self, what: &str) -> Vec<Answer> {
        let mut answers = Vec::new();
        for ask in questions(&self.work) {
            answers.push(self.repos.ask(&self.work, ask.clone()));
            assert!(
                !self.canary.exists(),
                "{what}: {ask:?} ran {:?}",
                fs::read_to_string(&self.canary)
            );
        }
        answers
    }

    /// That git itself runs the program proves that the trap is one.
    fn springs_for_git(&self, arguments: &[&str]) {
        let ran = plain_git(&self.work, arguments);
        assert!(
            self.canary.exists(),
            "{arguments:?}: the trap of this test is none: {ran:?}"
        );
        fs::remove_file(&self.canary).unwrap();
    }

    fn hook(&self, folder: &Path, name: &str) {
        program(&folder.join(name), &fs::read_to_string(&self.evil).unwrap());
    }
}

/// The table of reliability 4.4: each setting that made git run a program.
#[test]
fn table_4_4_settings_of_the_repository_run_nothing() {
    let trap = trap();
    let hooks = trap.repos.base().join("hooks");
    for hook in [
        "post-index-change",
        "fsmonitor-watchman",
        "reference-transaction",
        "post-checkout",
    ] {
        trap.hook(&hooks, hook);
        trap.hook(&trap.work.join(".git/hooks"), hook);
    }
    let evil = trap.evil.as_str();
    let rows: [(&str, &str, &[&str]); 7] = [
        ("core.fsmonitor", evil, &["status"]),
        (
            "core.hooksPath",
            hooks.to_str().unwrap(),
            &["checkout", "-q", "main"],
        ),
        ("diff.external", evil, &["diff"]),
        ("filter.evil.clean", evil, &["diff", "--quiet"]),
        ("diff.evil.textconv", evil, &["diff"]),
        ("alias.rev-parse", "!evil", &[]),
        ("alias.ls-remote", "!evil", &[]),
    ];
    let before = trap.springs_not("nothing is set");
    for (key, value, springs) in rows {
        git(&trap.work, &["config", key, value]);
        // Same size, other content: whoever compares contents must run the filter.
        fs::write(trap.work.join("a"), "b").unwrap();
        let answers = trap.springs_not(key);
        assert_eq!(answers[3..], before[3..], "{key}");
        if !springs.is_empty() {
            trap.springs_for_git(springs);
        }
        git(&trap.work, &["config", "--unset-all", key]);
    }
}

/// What would run when a remote is asked.
#[test]
fn table_4_4_settings_of_a_remote_run_nothing() {
    let all = |key: &str, value: &str, url: Option<&str>, springs: &[&str]| {
        let trap = trap();
        let [key, value] = [key, value].map(|text| text.replace("EVIL", &trap.evil));
        let set = [
            ("protocol.ext.allow", "always"),
            ("protocol.allow", "always"),
        ];
        for (key, value) in set.into_iter().chain([(key.as_str(), value.as_str())]) {
            git(&trap.work, &["config", key, value]);
        }
        if let Some(url) = url {
            let url = url.replace("EVIL", &trap.evil);
            git(&trap.work, &["config", "remote.origin.url", &url]);
        }
        trap.springs_not(&key);
        if !springs.is_empty() {
            trap.springs_for_git(springs);
        }
    };
    let list: &[&str] = &["ls-remote", "origin"];
    let ssh = Some("ssh://git@127.0.0.1:1/x");
    all("core.sshCommand", "EVIL", ssh, list);
    all("core.gitProxy", "EVIL", Some("git://127.0.0.1:1/x"), list);
    all("remote.origin.uploadpack", "EVIL", None, list);
    all("remote.origin.x", "", Some("ext::EVIL"), list);
    all("url.ext::EVIL .insteadOf", "gh:", Some("gh:x"), list);
    all("remote.origin.vcs", "evil", None, &[]);
    all("core.askPass", "EVIL", Some("https://127.0.0.1:1/x"), &[]);
    all(
        "credential.helper",
        "!EVIL",
        Some("https://127.0.0.1:1/x"),
        &[],
    );
    all("core.alternateRefsCommand", "EVIL", None, &[]);
    all("uploadpack.packObjectsHook", "EVIL", None, &[]);
    all(
        "remote.origin.proxy",
        "ext::EVIL",
        Some("https://127.0.0.1:1/x"),
        &[],
    );
    all(
        "http.proxy",
        "http://127.0.0.1:1",
        Some("https://127.0.0.1:1/x"),
        &[],
    );
}

#[test]
fn table_4_4_included_settings_run_nothing() {
    let trap = trap();
    let included = trap.repos.base().join("included");
    let text = format!(
        "[core]\n\tfsmonitor = {0}\n\tsshCommand = {0}\n[remote \"origin\"]\n\tuploadpack = {0}\n",
        trap.evil
    );
    fs::write(&included, text).unwrap();
    git(
        &trap.work,
        &["config", "include.path", included.to_str().unwrap()],
    );
    trap.springs_not("include.path");
    trap.springs_for_git(&["ls-remote", "origin"]);
    trap.springs_for_git(&["status"]);
}

/// Objects that a remote has promised are fetched when they are looked at.
#[test]
fn table_4_4_a_promised_object_is_not_fetched() {
    let trap = trap();
    let settings = [
        ("extensions.partialClone", "origin"),
        ("remote.origin.promisor", "true"),
        ("remote.origin.uploadpack", trap.evil.as_str()),
        ("protocol.file.allow", "always"),
    ];
    for (key, value) in settings {
        git(&trap.work, &["config", key, value]);
    }
    trap.springs_not("a promisor");
    let expected = json!({ "shallow": false, "partial": true });
    assert_eq!(
        data(&trap.repos.ask(&trap.work, GitAsk::Shallow)),
        &expected
    );
    trap.springs_for_git(&["cat-file", "-e", &"9".repeat(40)]);
}

/// The remote is a repository too, with settings of its own.
#[test]
fn a_hostile_remote_runs_nothing() {
    let trap = trap();
    let remote = trap.repos.at("origin.git");
    let evil = trap.evil.as_str();
    for key in [
        "core.fsmonitor",
        "core.alternateRefsCommand",
        "core.sshCommand",
        "uploadpack.packObjectsHook",
        "core.pager",
        "alias.upload-pack",
    ] {
        git(&remote, &["config", key, evil]);
    }
    for hook in ["pre-receive", "reference-transaction", "post-update"] {
        trap.hook(&remote.join("hooks"), hook);
    }
    let answers = trap.springs_not("the remote");
    let tip = &answers[14];
    assert_eq!(data(tip)["tip"], json!(id(&trap.work, "HEAD")));
}

/// Names of programs that git looks up by itself, and a project that is on PATH.
#[test]
fn programs_of_the_project_are_not_run() {
    let mut trap = trap();
    let bin = trap.repos.at("bin");
    for name in [
        "ssh",
        "git",
        "git-upload-pack",
        "git-remote-https",
        "git-remote-evil",
        "sh",
    ] {
        trap.hook(&bin, name);
        trap.hook(&trap.work, name);
    }
    let safe = trap.repos.path.clone();
    for first in [bin.to_str().unwrap(), ".", ""] {
        let mut path = std::ffi::OsString::from(format!("{first}:"));
        path.push(&safe);
        trap.repos.path = path;
        for url in [
            "ssh://git@127.0.0.1:1/x",
            "https://127.0.0.1:1/x",
            "evil::x",
            "../origin.git",
        ] {
            git(&trap.work, &["config", "remote.origin.url", url]);
            trap.springs_not(url);
        }
    }
}

#[test]
fn addresses_that_are_programs_are_not_asked() {
    let trap = trap();
    for url in [
        "ext::EVIL",
        "ext::sh -c EVIL% %S",
        "fd::3",
        "-uEVIL",
        "--upload-pack=EVIL",
        "ssh://-oProxyCommand=EVIL/x",
        "ssh://git@-oProxyCommand=EVIL/x",
        "-oProxyCommand=EVIL:x",
        "http://127.0.0.1:1/x",
        "ftp://127.0.0.1:1/x",
        "file://127.0.0.1/x",
        "",
    ] {
        let url = url.replace("EVIL", &trap.evil);
        git(&trap.work, &["config", "remote.origin.url", &url]);
        let answers = trap.springs_not(&url);
        assert!(
            matches!(answers[14], Answer::Failed { .. }),
            "{url}: {:?}",
            answers[14]
        );
    }
}

#[test]
fn names_and_references_are_no_options_and_no_patterns() {
    let trap = trap();
    let asked = |ask: GitAsk| trap.repos.ask(&trap.work, ask);
    for name in [
        "-x",
        "--all",
        "--git-dir=/x",
        "",
        "a b",
        "a\nb",
        "a\0b",
        "HEAD:a",
        ":/fil",
        "a..b",
        "^HEAD",
        "ma*",
        "@{-1}x y",
    ] {
        let answer = asked(GitAsk::Commit {
            name: name.to_string(),
        });
        assert!(
            matches!(answer, Answer::Failed { .. }),
            "{name:?}: {answer:?}"
        );
    }
    let head = id(&trap.work, "HEAD");
    for bad in ["HEAD", "main", "-x", "--output=canary", &head[..39]] {
        for ask in [
            contains(bad, &head),
            contains(&head, bad),
            GitAsk::Gitlinks {
                commit: bad.to_string(),
            },
        ] {
            let answer = asked(ask.clone());
            assert!(
                matches!(answer, Answer::Failed { .. }),
                "{ask:?}: {answer:?}"
            );
        }
    }
    for reference in [
        "main",
        "refs/heads/*",
        "-x",
        "--upload-pack=x",
        "refs/heads/main\n",
    ] {
        let answer = asked(tip("origin", reference));
        assert!(
            matches!(answer, Answer::Failed { .. }),
            "{reference:?}: {answer:?}"
        );
    }
    for remote in ["none", "", "../origin.git", "-x", "ori*"] {
        let answer = asked(tip(remote, "refs/heads/main"));
        assert!(
            matches!(answer, Answer::Failed { .. }),
            "{remote:?}: {answer:?}"
        );
    }
}

/// Replacements, grafts and a branch that is named like an id are claims, not history.
#[test]
fn history_is_what_the_objects_say() {
    let repos = Repos::new();
    let work = repos.make("work", 2);
    let head = id(&work, "HEAD");
    git(&work, &["checkout", "-q", "--orphan", "apart"]);
    let apart = commit(&work, "apart");
    git(&work, &["checkout", "-q", "main"]);
    let lies = || {
        let verb = ["merge-base", "--is-ancestor", apart.as_str(), head.as_str()];
        plain_git(&work, &verb).status.success()
    };
    let ours = || {
        let answer = repos.ask(&work, contains(&apart, &head));
        data(&answer)["contains"].as_bool().unwrap()
    };
    assert!(!lies() && !ours());
    git(&work, &["replace", "--graft", &head, &apart]);
    assert!(lies(), "git takes no replacements any more");
    assert!(!ours());
    git(&work, &["replace", "-d", &head]);
    fs::create_dir_all(work.join(".git/info")).unwrap();
    fs::write(work.join(".git/info/grafts"), format!("{head} {apart}\n")).unwrap();
    assert!(lies(), "git takes no grafts any more");
    assert!(!ours());
    fs::remove_file(work.join(".git/info/grafts")).unwrap();

    let short = &head[..8];
    git(&work, &["branch", "-q", short, &apart]);
    assert_eq!(
        git(&work, &["rev-parse", short]),
        apart,
        "git prefers the object by now"
    );
    let name = short.to_string();
    assert_eq!(
        repos.ask(&work, GitAsk::Commit { name }),
        Answer::Text(head)
    );
}

/// The commit graph is a copy of what the commits say, and nobody compares the two.
#[test]
fn a_forged_commit_graph_is_not_read() {
    let repos = Repos::new();
    let work = repos.make("work", 1);
    git(&work, &["checkout", "-q", "--orphan", "apart"]);
    let apart = commit(&work, "apart");
    git(&work, &["checkout", "-q", "main"]);
    // The tip itself is read whole, what lies below it by the graph.
    let middle = commit(&work, "middle");
    let head = commit(&work, "head");
    git(&work, &["commit-graph", "write", "--reachable"]);
    forge_parent(
        &work.join(".git/objects/info/commit-graph"),
        &middle,
        &apart,
    );
    let verb = ["merge-base", "--is-ancestor", apart.as_str(), head.as_str()];
    let believes = plain_git(&work, &verb);
    assert!(
        believes.status.success(),
        "the forgery of this test is none: {believes:?}"
    );
    let answer = repos.ask(&work, contains(&apart, &head));
    assert_eq!(data(&answer)["contains"], json!(false));
}

/// Writes another first parent into a commit graph (gitformat-commit-graph(5)).
fn forge_parent(graph: &Path, commit: &str, parent: &str) {
    let mut bytes = fs::read(graph).unwrap();
    let chunks = usize::from(bytes[6]);
    let chunk = |name: &[u8]| {
        let rows = (0..chunks).map(|row| 8 + 12 * row);
        let at = rows
            .into_iter()
            .find(|at| &bytes[*at..at + 4] == name)
            .unwrap();
        usize::try_from(u64::from_be_bytes(
            bytes[at + 4..at + 12].try_into().unwrap(),
        ))
        .unwrap()
    };
    let (ids, commits) = (chunk(b"OIDL"), chunk(b"CDAT"));
    let place = |id: &str| {
        let id: Vec<u8> = (0..20)
            .map(|i| u8::from_str_radix(&id[2 * i..2 * i + 2], 16).unwrap())
            .collect();
        (0..1000)
            .find(|row| bytes[ids + 20 * row..ids + 20 * row + 20] == id)
            .unwrap()
    };
    let (row, parent) = (place(commit), u32::try_from(place(parent)).unwrap());
    let at = commits + 36 * row + 20;
    bytes[at..at + 4].copy_from_slice(&parent.to_be_bytes());
    fs::remove_file(graph).unwrap();
    fs::write(graph, bytes).unwrap();
}

#[test]
fn a_remote_outside_of_the_roots_is_not_asked() {
    let repos = Repos::new();
    let work = repos.make("work", 1);
    let inside = repos.remote(&work, "origin");
    let outside = repos.base().join("outside.git");
    git(
        &repos.root,
        &[
            "clone",
            "-q",
            "--bare",
            work.to_str().unwrap(),
            outside.to_str().unwrap(),
        ],
    );
    symlink(&outside, repos.at("link.git")).unwrap();
    let at = |url: &str| {
        git(&work, &["config", "remote.origin.url", url]);
        repos.tip(&work, "origin")
    };
    let (inside, outside) = (inside.display(), outside.display());
    for url in [
        format!("{outside}"),
        format!("file://{outside}"),
        format!(
            "file://{}",
            outside.to_string().replace("outside", "%6futside")
        ),
        "../../outside.git".to_string(),
        "../link.git".to_string(),
        format!("{}/../outside.git", repos.root.display()),
    ] {
        match at(&url) {
            Answer::Refused { why, help } => {
                assert!(
                    why.contains("outside the granted roots") && help.contains("roots"),
                    "{why}"
                );
            }
            other => panic!("{url}: {other:?}"),
        }
    }
    for url in [
        format!("{inside}"),
        format!("file://{inside}"),
        "../origin.git".to_string(),
        "../origin".to_string(),
    ] {
        let answer = at(&url);
        let is_there = Path::new(&format!("{}", repos.at("origin").display())).exists();
        match url.ends_with(".git") || is_there {
            true => assert_eq!(data(&answer)["tip"], json!(id(&work, "HEAD")), "{url}"),
            false => assert!(failure(&answer).1.contains("missing"), "{url}"),
        }
    }
}

#[test]
fn what_is_no_repository_is_a_failure() {
    let repos = Repos::new();
    let work = repos.make("work", 1);
    let origin = repos.remote(&work, "origin");
    fs::write(origin.join("HEAD"), "rubbish").unwrap();
    failure(&repos.tip(&work, "origin"));
    fs::remove_dir_all(&origin).unwrap();
    let answer = repos.tip(&work, "origin");
    assert!(failure(&answer).1.contains("missing"));
    fs::create_dir(&origin).unwrap();
    failure(&repos.tip(&work, "origin"));
    let nowhere = repos.at("nowhere");
    fs::create_dir(&nowhere).unwrap();
    assert_eq!(repos.tip(&nowhere, "origin"), Answer::Missing);
}

#[test]
fn a_remote_of_somebody_else_is_a_failure() {
    if !rustix::process::geteuid().is_root() {
        // Only root can give a folder away; elsewhere the refusal cannot be brought about.
        return;
    }
    let repos = Repos::new();
    let work = repos.make("work", 1);
    let origin = repos.remote(&work, "origin");
    std::os::unix::fs::chown(&origin, Some(12345), None).unwrap();
    failure(&repos.tip(&work, "origin"));
}

#[test]
fn settings_that_block_end_at_the_deadline() {
    let repos = Repos::new();
    let work = repos.make("work", 1);
    repos.remote(&work, "origin");
    let fifo = repos.base().join("fifo");
    assert!(
        Command::new("mkfifo")
            .arg(&fifo)
            .status()
            .unwrap()
            .success()
    );
    git(&work, &["config", "include.path", fifo.to_str().unwrap()]);
    let begin = Instant::now();
    for ask in [
        GitAsk::Remotes,
        GitAsk::Shallow,
        tip("origin", "refs/heads/main"),
    ] {
        let answer = repos.ask_within(&work, ask, Duration::from_millis(300));
        assert_eq!(failure(&answer).0, Failure::Deadline);
    }
    assert!(
        begin.elapsed() < Duration::from_secs(5),
        "{:?}",
        begin.elapsed()
    );
}

#[test]
fn a_password_in_an_address_is_never_told() {
    let repos = Repos::new();
    let work = repos.make("work", 1);
    git(&work, &["commit", "-q", "--allow-empty", "-m", "more"]);
    for url in [
        "https://ada:secret@127.0.0.1:1/x",
        "https://secret@127.0.0.1:1/x",
        "https://ada:se/secret@127.0.0.1:1/x",
        "https://127.0.0.1:1/x?token=secret",
        "ssh://ada:secret@127.0.0.1:1/x",
        "git://ada:secret@127.0.0.1:1/x",
        "ftp://ada:secret@127.0.0.1:1/x",
        "ada:secret@127.0.0.1:x",
        "ext::sh -c secret",
    ] {
        git(&work, &["config", "remote.origin.url", url]);
        let told = [
            format!("{:?}", repos.tip(&work, "origin")),
            format!("{:?}", repos.ask(&work, GitAsk::Remotes)),
            format!(
                "{:?}",
                repos.recognise(&work, "git", "origin/main enthält HEAD")
            ),
        ];
        let params = repos.params(&work, "git", "origin/main enthält HEAD");
        let said = format!("{:?}", repos.prove(&work, "git", &params));
        for text in told.iter().chain([&said]) {
            assert!(!text.contains("secret"), "{url}: {text}");
        }
    }
}

#[test]
fn without_git_or_ssh_a_remote_is_a_failure() {
    let mut repos = Repos::new();
    let work = repos.make("work", 1);
    git(
        &work,
        &["remote", "add", "origin", "ssh://git@127.0.0.1:1/x"],
    );
    // A PATH with git and nothing else.
    let only = repos.base().join("only");
    fs::create_dir(&only).unwrap();
    let real = std::env::split_paths(&repos::system_path())
        .map(|f| f.join("git"))
        .find(|g| g.is_file());
    symlink(real.unwrap(), only.join("git")).unwrap();
    repos.path = only.into();
    let answer = repos.tip(&work, "origin");
    assert_eq!(failure(&answer).0, Failure::Spawn, "{answer:?}");
    repos.path = "/nowhere".into();
    assert_eq!(failure(&repos.tip(&work, "origin")).0, Failure::Spawn);
}
