//! The cases O-B07 to O-B15 with real repositories and remotes in folders.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail"
)]
#![cfg(target_os = "linux")]

#[path = "support/repos.rs"]
mod repos;
mod support;

use std::fs;
use std::net::TcpListener;
use std::time::{Duration, Instant};

use belegt::world::{Answer, Failure, GitAsk};
use repos::{Repos, commit, contains, data, failure, git, id, plain_git, tip};
use serde_json::json;

#[test]
fn o_b07_a_shallow_clone_never_says_not_contained() {
    let repos = Repos::new();
    let work = repos.make("work", 4);
    let origin = repos.remote(&work, "origin");
    git(
        &origin,
        &["config", "uploadpack.allowAnySHA1InWant", "true"],
    );
    let old = id(&work, "HEAD~2");
    let url = format!("file://{}", origin.display());
    git(
        &repos.root,
        &["clone", "-q", "--depth", "1", &url, "shallow"],
    );
    let shallow = repos.at("shallow");
    git(&shallow, &["fetch", "-q", "--depth", "1", "origin", &old]);
    let head = id(&shallow, "HEAD");
    let lie = plain_git(&shallow, &["merge-base", "--is-ancestor", &old, &head]);
    assert_eq!(lie.status.code(), Some(1), "git does not lie here any more");

    let answer = repos.ask(&shallow, contains(&old, &head));
    let (_, why) = failure(&answer);
    assert!(why.contains("shallow history: fetch first"), "{why}");
    let expected = json!({ "shallow": true, "partial": false });
    assert_eq!(data(&repos.ask(&shallow, GitAsk::Shallow)), &expected);
    let text = format!("Remote enthält Commit {old}");
    let params = repos.params(&shallow, "git", &text);
    let said = repos.prove(&shallow, "git", &params);
    assert_eq!(said.answer, "unavailable", "{said:?}");
    assert!(said.why.contains("shallow history"), "{said:?}");
    // That the tip is the commit itself needs no history.
    let params = repos.params(&shallow, "git", "nach dem Push");
    assert_eq!(repos.prove(&shallow, "git", &params).answer, "found");
    // In a whole clone the same question has an answer.
    let params = repos.params(&work, "git", &format!("origin/main enthält {old}"));
    assert_eq!(repos.prove(&work, "git", &params).answer, "found");
}

#[test]
fn o_b08_the_remote_is_asked_now() {
    let repos = Repos::new();
    let work = repos.make("work", 3);
    let origin = repos.remote(&work, "origin");
    let pushed = id(&work, "HEAD");
    let params = repos.params(&work, "git", "origin/main contains HEAD");
    let said = repos.prove(&work, "git", &params);
    assert_eq!(said.answer, "found", "{said:?}");
    for part in [
        "refs/heads/main",
        "origin",
        origin.to_str().unwrap(),
        &pushed,
    ] {
        assert!(
            said.why.contains(part) && said.receipts[0].asked.contains(part),
            "{said:?}"
        );
    }
    // Somebody else sets the branch back; what is remembered here still claims the commit.
    git(
        &origin,
        &["update-ref", "refs/heads/main", &id(&work, "HEAD~1")],
    );
    let claimed = git(&work, &["branch", "-r", "--contains", &pushed]);
    assert!(claimed.contains("origin/main"));
    let said = repos.prove(&work, "git", &params);
    assert_eq!(said.answer, "empty", "{said:?}");
    // Somebody else goes on; nothing of it is here.
    git(
        &repos.root,
        &["clone", "-q", origin.to_str().unwrap(), "other"],
    );
    let other = repos.at("other");
    commit(&other, "other");
    git(&other, &["push", "-q", "origin", "main"]);
    let said = repos.prove(&work, "git", &params);
    assert_eq!(said.answer, "unavailable", "{said:?}");
    assert!(said.why.contains("fetch first"), "{said:?}");
    git(&origin, &["branch", "-m", "main", "gone"]);
    let said = repos.prove(&work, "git", &params);
    assert_eq!(said.answer, "empty", "{said:?}");
}

#[test]
fn o_b09_without_an_upstream_nothing_is_pushed() {
    let repos = Repos::new();
    let work = repos.make("work", 1);
    repos.remote(&work, "origin");
    git(&work, &["checkout", "-q", "-b", "feature"]);
    for message in ["a", "b", "c"] {
        commit(&work, message);
    }
    let why = repos.refusal(&work, "git", "nach dem Push");
    assert!(
        why.contains("no upstream") && why.contains("origin/main"),
        "{why}"
    );
    let upstream = repos.ask(&work, GitAsk::Upstream);
    let expected =
        json!({ "branch": "feature", "remote": null, "reference": null, "lacks": "upstream" });
    assert_eq!(data(&upstream), &expected);
    // Named, it is asked: and the remote has no such branch.
    let params = repos.params(&work, "git", "pushed to origin feature");
    assert_eq!(repos.prove(&work, "git", &params).answer, "empty");
    git(&work, &["push", "-q", "-u", "origin", "feature"]);
    let params = repos.params(&work, "git", "nach dem Push");
    assert_eq!(params["reference"], "refs/heads/feature");
    assert_eq!(repos.prove(&work, "git", &params).answer, "found");
    git(&work, &["checkout", "-q", "--detach"]);
    assert!(
        repos
            .refusal(&work, "git", "nach dem Push")
            .contains("detached")
    );
    // A branch that follows another one here was not pushed anywhere.
    git(&work, &["checkout", "-q", "--track", "-b", "local", "main"]);
    assert!(
        repos
            .refusal(&work, "git", "nach dem Push")
            .contains("no upstream")
    );
}

#[test]
fn o_b10_of_two_remotes_the_named_one_is_asked() {
    let repos = Repos::new();
    let work = repos.make("work", 1);
    repos.remote(&work, "origin");
    repos.remote(&work, "upstream");
    commit(&work, "X");
    git(&work, &["push", "-q", "-u", "origin", "main"]);
    let why = repos.refusal(&work, "git", "nach dem Push");
    assert!(why.contains("origin, upstream"), "{why}");
    let of = |text: &str| repos.prove(&work, "git", &repos.params(&work, "git", text));
    assert_eq!(of("nach dem Push nach upstream main").answer, "empty");
    assert_eq!(of("HEAD ist auf upstream main").answer, "empty");
    assert_eq!(of("HEAD ist auf origin main").answer, "found");
}

#[test]
fn o_b11_a_branch_that_only_ends_alike_is_another_branch() {
    let repos = Repos::new();
    let work = repos.make("work", 1);
    let origin = repos.remote(&work, "origin");
    commit(&work, "X");
    git(&work, &["push", "-q", "origin", "main:backup/main"]);
    git(
        &work,
        &["push", "-q", "origin", "main:refs/x/refs/heads/main"],
    );
    let listed = git(&work, &["ls-remote", "origin", "main"]);
    assert!(listed.lines().count() >= 2, "{listed}");
    let params = repos.params(&work, "git", "origin/main enthält HEAD");
    assert_eq!(repos.prove(&work, "git", &params).answer, "empty");
    git(&origin, &["update-ref", "-d", "refs/heads/main"]);
    assert_eq!(data(&repos.tip(&work, "origin"))["tip"], json!(null));
    assert_eq!(repos.prove(&work, "git", &params).answer, "empty");
}

#[test]
fn o_b12_variables_of_git_point_nowhere() {
    let mut repos = Repos::new();
    let other = repos.make("a", 3);
    repos.remote(&other, "wrong");
    let work = repos.make("b", 1);
    repos.remote(&work, "origin");
    let git_dir = other.join(".git");
    for (key, value) in [
        ("GIT_DIR", git_dir.to_str().unwrap()),
        ("GIT_COMMON_DIR", git_dir.to_str().unwrap()),
        ("GIT_WORK_TREE", other.to_str().unwrap()),
        ("GIT_INDEX_FILE", "/nowhere"),
        ("GIT_OBJECT_DIRECTORY", "/nowhere"),
        ("GIT_NAMESPACE", "x"),
        ("GIT_CEILING_DIRECTORIES", work.to_str().unwrap()),
        ("GIT_CONFIG_COUNT", "1"),
        ("GIT_CONFIG_KEY_0", "remote.origin.url"),
        ("GIT_CONFIG_VALUE_0", "/nowhere"),
        ("GIT_SHALLOW_FILE", "/nowhere"),
        ("GIT_EXEC_PATH", "/nowhere"),
        ("GIT_ALLOW_PROTOCOL", "ext"),
        ("GIT_SSH_COMMAND", "touch /nowhere"),
        ("GIT_TRACE", "1"),
    ] {
        repos.environment.insert(key.into(), value.into());
    }
    let params = repos.params(&work, "git", "remote origin/main contains commit HEAD");
    assert_eq!(params["commit"], id(&work, "HEAD"));
    let said = repos.prove(&work, "git", &params);
    assert_eq!(said.answer, "found", "{said:?}");
    let named = format!("of {}", work.display());
    assert!(said.receipts[0].asked.contains(&named), "{said:?}");
}

#[test]
fn o_b13_packed_references_are_the_same_references() {
    let repos = Repos::new();
    let work = repos.make("work", 2);
    let origin = repos.remote(&work, "origin");
    git(&work, &["branch", "-q", "--set-upstream-to", "origin/main"]);
    let questions = || {
        let name = "main".to_string();
        let answers = [
            repos.ask(&work, GitAsk::Head),
            repos.ask(&work, GitAsk::Commit { name }),
            repos.ask(&work, GitAsk::Upstream),
            repos.ask(&work, GitAsk::Remotes),
            repos.tip(&work, "origin"),
        ];
        assert!(!answers.contains(&Answer::Missing), "{answers:?}");
        answers
    };
    let before = questions();
    for folder in [&work, &origin] {
        git(folder, &["pack-refs", "--all"]);
    }
    assert!(!work.join(".git/refs/heads/main").exists());
    assert_eq!(questions(), before);
    if plain_git(&work, &["refs", "migrate", "--ref-format=reftable"])
        .status
        .success()
    {
        assert_eq!(questions(), before);
    }
}

#[test]
fn o_b14_nobody_is_asked_for_a_password() {
    let mut repos = Repos::new();
    let work = repos.make("work", 1);
    git(
        &work,
        &["remote", "add", "origin", "ssh://git@localhost/x.git"],
    );
    let log = repos.base().join("log");
    let ssh = |then: &str| format!("#!/bin/sh\necho \"$@\" >> '{}'\n{then}\n", log.display());
    repos.tool(
        "ssh",
        &ssh("echo 'git@localhost: Permission denied (publickey).' >&2; exit 255"),
    );
    let answer = repos.tip(&work, "origin");
    let (kind, why) = failure(&answer);
    assert_eq!(kind, Failure::Permission, "{why}");
    assert!(why.starts_with("authentication"), "{why}");
    assert!(
        fs::read_to_string(&log)
            .unwrap()
            .contains("-o BatchMode=yes")
    );

    repos.tool(
        "ssh",
        &ssh("echo 'Host key verification failed.' >&2; exit 255"),
    );
    assert_eq!(failure(&repos.tip(&work, "origin")).0, Failure::Permission);
    repos.tool("ssh", &ssh("exec sleep 300"));
    let begin = Instant::now();
    let limit = Duration::from_millis(500);
    let answer = repos.ask_within(&work, tip("origin", "refs/heads/main"), limit);
    assert_eq!(failure(&answer).0, Failure::Deadline);
    assert!(
        begin.elapsed() < Duration::from_secs(3),
        "{:?}",
        begin.elapsed()
    );
}

/// A server that takes the question and never answers.
#[test]
fn o_b14_a_silent_server_ends_at_the_deadline() {
    let repos = Repos::new();
    let work = repos.make("work", 1);
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = server.local_addr().unwrap().port();
    for scheme in ["https", "git"] {
        let url = format!("{scheme}://ada:secret@127.0.0.1:{port}/x.git");
        git(&work, &["remote", "add", scheme, &url]);
        let begin = Instant::now();
        let ask = tip(scheme, "refs/heads/main");
        let answer = repos.ask_within(&work, ask, Duration::from_millis(500));
        let (kind, why) = failure(&answer);
        // Over `git` a user is a part of the name of the host, which is then not found.
        assert!(kind == Failure::Deadline || scheme == "git", "{why}");
        assert!(!why.contains("secret"), "{why}");
        assert!(
            begin.elapsed() < Duration::from_secs(3),
            "{:?}",
            begin.elapsed()
        );
    }
    drop(server);
    for scheme in ["https", "git"] {
        let answer = repos.tip(&work, scheme);
        let (_, why) = failure(&answer);
        assert!(!why.contains("secret"), "{why}");
    }
}

#[test]
fn o_b15_a_submodule_has_a_remote_of_its_own() {
    let repos = Repos::new();
    let sub = repos.make("sub", 1);
    repos.remote(&sub, "sub");
    let work = repos.make("work", 1);
    repos.remote(&work, "origin");
    let sub_url = repos.at("sub.git");
    git(
        &work,
        &[
            "submodule",
            "--quiet",
            "add",
            sub_url.to_str().unwrap(),
            "lib/s\u{fc}b",
        ],
    );
    let inner = work.join("lib/s\u{fc}b");
    let unpushed = commit(&inner, "only here");
    git(&work, &["add", "."]);
    commit(&work, "with submodule");
    git(&work, &["push", "-q", "-u", "origin", "main"]);

    let links = repos.ask(
        &work,
        GitAsk::Gitlinks {
            commit: id(&work, "HEAD"),
        },
    );
    let expected = json!([{ "path": "lib/s\u{fc}b", "commit": unpushed }]);
    assert_eq!(data(&links), &expected);
    let params = repos.params(&work, "git", "nach dem Push");
    let said = repos.prove(&work, "git", &params);
    assert_eq!(said.answer, "found", "{said:?}");
    assert!(said.why.contains(&unpushed), "{said:?}");
    assert_eq!(
        repos.prove_as(&work, "git", (&params, "only")).answer,
        "unavailable"
    );
    let whole = repos.params(&work, "git", "Push vollständig");
    assert_eq!(repos.prove(&work, "git", &whole).answer, "unavailable");
    // Without submodules the strict reading has nothing to say.
    let params = repos.params(&work, "git", "origin/main enthält Commit HEAD~1");
    assert_eq!(
        repos.prove_as(&work, "git", (&params, "only")).answer,
        "found"
    );
}
