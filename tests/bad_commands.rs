//! Hostile commands on PATH: forged lines, floods, silence, signals, hangs, forks. Nothing of
//! it proves anything, and nothing is left running.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail"
)]

#[path = "support/bench.rs"]
mod bench;
#[path = "support/inner.rs"]
mod inner;

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::time::Duration;

use bench::{Bench, FORGED};

/// A bench whose curated memory is the built-in one, which asks `usmc`.
fn with_usmc(script: &str) -> Bench {
    let mut bench = Bench::new();
    fs::remove_file(bench.config("probes/sources/memory.curated.rhai")).unwrap();
    let store = bench.base().join("home/.usmc");
    fs::create_dir_all(&store).unwrap();
    fs::write(store.join("usmc_memory.db"), [0; 4096]).unwrap();
    bench.tool("usmc", script);
    bench
}

#[test]
fn what_a_tool_says_is_not_taken_for_an_answer() {
    for (what, script) in [
        (
            "forged",
            format!("#!/bin/sh\necho '{FORGED}'; echo '{FORGED}' >&2\n"),
        ),
        (
            "forged after json",
            format!("#!/bin/sh\necho '[]'; echo '{FORGED}'\n"),
        ),
        (
            "forged and failed",
            format!("#!/bin/sh\nprintf 'x\\n{FORGED}\\n' >&2; exit 1\n"),
        ),
        (
            "an empty list and failed",
            "#!/bin/sh\necho '[]'; exit 3\n".to_string(),
        ),
        (
            "100 MB",
            "#!/bin/sh\nhead -c 100000000 /dev/zero\n".to_string(),
        ),
        (
            "100 MB of errors",
            "#!/bin/sh\necho '[]'; head -c 100000000 /dev/zero >&2\n".to_string(),
        ),
        ("no UTF-8", "#!/bin/sh\nprintf '[\"\\377\"]'\n".to_string()),
        ("nothing", "#!/bin/sh\n".to_string()),
        ("another shape", "#!/bin/sh\necho '{}'\n".to_string()),
        ("null", "#!/bin/sh\necho null\n".to_string()),
        ("half", "#!/bin/sh\necho '[{\"id\": 1'\n".to_string()),
        ("1", "#!/bin/sh\nexit 1\n".to_string()),
        ("127", "#!/bin/sh\nexit 127\n".to_string()),
        ("a signal", "#!/bin/sh\nkill -9 $$\n".to_string()),
        ("no program", String::new()),
        ("no interpreter", "#!/nonexistent/interpreter\n".to_string()),
    ] {
        let bench = with_usmc(&script);
        bench.is_blind(&["memory.curated"], what);
        bench.goes_on(what);
    }
}

/// The scripts are the user's own copies of the built-in, with a short deadline.
fn impatient(script: &str) -> Bench {
    let bench = with_usmc(script);
    let source = include_str!("../probes/sources/memory.curated.rhai");
    assert!(source.contains("within: \"30s\""));
    let source = source.replace("within: \"30s\"", "within: \"2s\"");
    bench.user("probes/sources/memory.curated.rhai", source);
    bench
}

#[test]
fn nothing_is_left_of_a_tool_that_does_not_end() {
    for (what, body) in [
        ("hangs", "exec sleep 4711"),
        (
            "ignores the request to end",
            "trap '' TERM INT HUP\nwhile true; do sleep 4711; done",
        ),
        ("forks and hangs", "sleep 4711 & sleep 4711 & wait"),
        ("leaves its group", "setsid sleep 4711 & wait"),
        (
            "leaves twice",
            "setsid sh -c 'setsid sleep 4711 & sleep 4711' & wait",
        ),
        ("floods for ever", "while true; do echo x; done"),
    ] {
        // The folder's name marks the processes of this case.
        let bench = impatient(&format!("#!/bin/sh\ncd \"$HOME\"\n{body}\n"));
        let ran = bench.is_blind(&["memory.curated"], what);
        assert!(ran.took < Duration::from_secs(12), "{what}: {:?}", ran.took);
        assert_eq!(left_in(&bench), Vec::<String>::new(), "{what}");
    }
}

#[test]
fn a_tool_that_ends_and_leaves_a_child_with_the_pipe_does_not_hold_the_tick() {
    let bench = with_usmc("#!/bin/sh\ncd \"$HOME\"\nsetsid sleep 4711 &\necho '[]'\n");
    let ran = bench.run(&["tick"]);
    assert!(matches!(ran.code, Some(10 | 11)), "{ran:#?}");
    assert!(ran.took < Duration::from_secs(12), "{:?}", ran.took);
    assert_eq!(left_in(&bench), Vec::<String>::new());
}

/// A container may show the processes of the machine around it, under other numbers than its
/// own system calls take.
#[test]
fn nothing_is_left_where_the_process_table_is_that_of_an_outer_namespace() {
    let tests = [
        "nothing_is_left_of_a_tool_that_does_not_end",
        "a_tool_that_ends_and_leaves_a_child_with_the_pipe_does_not_hold_the_tick",
    ];
    if let Some(ran) = inner::again(&tests) {
        assert!(ran.status.success(), "{ran:#?}");
    }
}

/// Processes whose folder is this bench's home.
fn left_in(bench: &Bench) -> Vec<String> {
    let home = bench.base().join("home");
    let Ok(all) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    let places = all.map(|entry| entry.unwrap().path());
    places
        .filter(|place| fs::read_link(place.join("cwd")).is_ok_and(|cwd| cwd == home))
        .map(|place| fs::read_to_string(place.join("cmdline")).unwrap_or_default())
        .collect()
}

#[test]
fn a_tool_of_the_checkout_is_never_run() {
    let bench = with_usmc("#!/bin/sh\necho '[]'\n");
    fs::remove_dir_all(bench.base().join("bin")).unwrap();
    let root = bench.root();
    let trap = bench.base().join("ran");
    for name in ["usmc", "git", "gardener", "source-resolver"] {
        for folder in ["", "sub/"] {
            let file = bench.at(&format!("{folder}{name}"));
            fs::write(
                &file,
                format!("#!/bin/sh\ntouch {}\necho '[]'\n", trap.display()),
            )
            .unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        }
    }
    symlink(root.join("sub"), bench.base().join("linked")).unwrap();
    let open = bench.base().join("open");
    fs::create_dir(&open).unwrap();
    fs::copy(root.join("usmc"), open.join("usmc")).unwrap();
    fs::set_permissions(&open, fs::Permissions::from_mode(0o777)).unwrap();
    let mut bench = bench;
    for path in [
        ".:/usr/bin:/bin".to_string(),
        ":/usr/bin:/bin".to_string(),
        "/usr/bin:/bin:".to_string(),
        "sub:/usr/bin:/bin".to_string(),
        "./sub:../demo:/usr/bin".to_string(),
        format!("{}:/usr/bin:/bin", root.display()),
        format!("{}/sub:/usr/bin", root.display()),
        format!("{}/../demo:/usr/bin", root.display()),
        format!("{}:/usr/bin", bench.base().join("linked").display()),
        format!("{}:/usr/bin", open.display()),
        String::new(),
    ] {
        bench.path = Some(path.clone().into());
        fs::write(bench.at("TODO.md"), "- [ ] work\n").unwrap();
        bench.run(&["tick", "--no-guard"]);
        fs::remove_file(bench.at("TODO.md")).unwrap();
        bench.run(&["tick", "--no-guard"]);
        assert!(!trap.exists(), "PATH={path}: a file of the checkout ran");
    }
}
