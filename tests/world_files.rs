//! The real world's files against real folders: kinds, links, limits, names, races.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "a test may fail, and says loudly what it skips"
)]
#![cfg(unix)]

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use belegt::world::real::{RealSetup, RealWorld};
use belegt::world::{Answer, Failure, Head, Kind, Request, World, name};

/// A temporary place with a granted folder `root` and a `secret` beside it.
struct Site {
    top: tempfile::TempDir,
    root: PathBuf,
    world: RealWorld,
}

fn site() -> Site {
    let top = tempfile::tempdir().unwrap();
    let root = top.path().canonicalize().unwrap().join("root");
    fs::create_dir(&root).unwrap();
    fs::write(top.path().join("secret"), "secret").unwrap();
    let world = world(&[&root]);
    Site { top, root, world }
}

fn world(roots: &[&Path]) -> RealWorld {
    RealWorld::new(RealSetup {
        roots: roots.iter().map(|root| root.to_path_buf()).collect(),
        ..RealSetup::default()
    })
}

fn spelled(path: &Path) -> String {
    name::encode(path.as_os_str())
}

fn soon() -> Instant {
    Instant::now() + Duration::from_secs(10)
}

impl Site {
    fn write(&self, path: &str, text: &str) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn link(&self, target: impl AsRef<Path>, path: &str) {
        symlink(target, self.root.join(path)).unwrap();
    }

    fn fifo(&self, path: &str) {
        let mode = rustix::fs::Mode::from_raw_mode(0o600);
        rustix::fs::mkfifoat(rustix::fs::CWD, self.root.join(path), mode).unwrap();
    }

    fn path(&self, path: &str) -> String {
        format!("{}/{path}", spelled(&self.root))
    }

    /// Asks, and makes sure that no answer takes long.
    fn ask(&self, request: &Request) -> Answer {
        let begin = Instant::now();
        let answer = self.world.ask(request, soon());
        assert!(begin.elapsed() < Duration::from_secs(5), "{request:?}");
        answer
    }

    fn read(&self, path: &str) -> Answer {
        let path = self.path(path);
        self.ask(&Request::Read { path, limit: 1000 })
    }

    fn list(&self, path: &str) -> Answer {
        let path = self.path(path);
        self.ask(&Request::List { path })
    }

    fn stat(&self, path: &str) -> Answer {
        let path = self.path(path);
        self.ask(&Request::Stat { path })
    }

    fn glob(&self, pattern: &str) -> Answer {
        let (root, pattern) = (spelled(&self.root), pattern.to_owned());
        self.ask(&Request::Glob { root, pattern })
    }

    fn heads(&self, path: &str, suffix: &str, head: u64) -> Answer {
        let (path, suffix) = (self.path(path), suffix.to_owned());
        self.ask(&Request::Heads { path, suffix, head })
    }

    /// The paths of a list or glob, relative to the root.
    fn paths(&self, answer: &Answer) -> Vec<String> {
        let Answer::Entries(entries) = answer else {
            panic!("{answer:?}")
        };
        let prefix = self.path("");
        let rest = |path: &str| path.strip_prefix(&prefix).unwrap().to_owned();
        entries.iter().map(|entry| rest(&entry.path)).collect()
    }
}

fn kind(answer: &Answer) -> Option<Failure> {
    match answer {
        Answer::Failed { kind, .. } => Some(*kind),
        _ => None,
    }
}

fn bytes(text: &str) -> Answer {
    Answer::Bytes(text.as_bytes().to_vec().into())
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

#[test]
fn regular_files_are_read_also_through_links_inside() {
    let site = site();
    site.write("a", "alpha");
    site.write("sub/b", "beta");
    site.link("a", "in");
    site.link("sub", "folder");
    site.link("../a", "sub/up");
    site.write("empty", "");
    for (path, text) in [
        ("a", "alpha"),
        ("in", "alpha"),
        ("sub/up", "alpha"),
        ("empty", ""),
    ] {
        assert_eq!(site.read(path), bytes(text), "{path}");
    }
    assert_eq!(site.read("folder/b"), bytes("beta"));
}

#[test]
fn what_is_not_there_is_missing() {
    let site = site();
    site.write("a", "alpha");
    for path in ["none", "none/deeper", "a/below"] {
        assert_eq!(site.read(path), Answer::Missing, "{path}");
        assert_eq!(site.stat(path), Answer::Missing, "{path}");
        assert_eq!(site.list(path), Answer::Missing, "{path}");
    }
    let gone = world(&[&site.root.join("gone")]);
    let path = site.path("gone/x");
    assert_eq!(
        gone.ask(&Request::Read { path, limit: 9 }, soon()),
        Answer::Missing
    );
}

/// A task list on a disk that is not mounted is not a task list that is not there.
#[test]
fn a_link_that_leads_nowhere_is_a_failure() {
    let site = site();
    site.write("folder/b", "beta");
    site.link("nowhere", "hanging");
    site.link("hanging", "chain");
    site.link("../nowhere", "folder/up");
    for path in ["hanging", "chain", "hanging/below", "folder/up"] {
        for answer in [site.read(path), site.stat(path), site.list(path)] {
            let Answer::Failed { why, .. } = answer else {
                panic!("{path}: {answer:?}");
            };
            assert!(why.contains("is a link that leads nowhere"), "{why}");
        }
    }
    assert_eq!(site.read("folder/none"), Answer::Missing);
}

#[test]
fn links_out_of_the_roots_are_failures_with_their_reason() {
    let site = site();
    site.link("../secret", "up");
    site.link("/etc/passwd", "absolute");
    site.link("/dev/zero", "device");
    site.link("/proc/self/root/etc/passwd", "magic");
    site.link("..", "parent");
    site.link("loop", "loop");
    let paths = ["up", "absolute", "device", "magic", "parent/secret", "loop"];
    for path in paths {
        assert_eq!(kind(&site.read(path)), Some(Failure::WrongKind), "{path}");
        assert_eq!(kind(&site.stat(path)), Some(Failure::WrongKind), "{path}");
    }
    let Answer::Failed { why, .. } = site.read("up") else {
        panic!("read")
    };
    assert!(why.contains("leads outside the granted roots"), "{why}");
    assert_eq!(kind(&site.list("parent")), Some(Failure::WrongKind));
    assert_eq!(kind(&site.heads("parent", "", 9)), Some(Failure::WrongKind));
    assert_eq!(kind(&site.glob("parent/*")), Some(Failure::WrongKind));
}

#[test]
fn a_path_outside_the_roots_is_never_opened() {
    let site = site();
    let secret = spelled(&site.top.path().join("secret"));
    let dots = site.path("../secret");
    for path in [
        secret,
        dots,
        "/etc/passwd".to_owned(),
        "relative".to_owned(),
    ] {
        let answer = site.ask(&Request::Read {
            path: path.clone(),
            limit: 1000,
        });
        assert_eq!(kind(&answer), Some(Failure::WrongKind), "{path}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn links_of_the_kernel_are_not_followed() {
    let proc = world(&[Path::new("/proc/self")]);
    for path in [
        "/proc/self/root/etc/passwd",
        "/proc/self/cwd/x",
        "/proc/self/exe",
    ] {
        let answer = proc.ask(
            &Request::Read {
                path: path.into(),
                limit: 9,
            },
            soon(),
        );
        assert_eq!(kind(&answer), Some(Failure::WrongKind), "{path}");
    }
}

#[test]
fn only_regular_files_are_read_and_nothing_hangs() {
    let site = site();
    fs::create_dir(site.root.join("folder")).unwrap();
    site.fifo("pipe");
    let _socket = std::os::unix::net::UnixListener::bind(site.root.join("socket")).unwrap();
    for path in ["folder", "pipe", "socket", "pipe", ""] {
        assert_eq!(kind(&site.read(path)), Some(Failure::WrongKind), "{path}");
    }
    let devices = world(&[Path::new("/dev")]);
    for path in ["/dev/zero", "/dev/null"] {
        let answer = devices.ask(
            &Request::Read {
                path: path.into(),
                limit: 9,
            },
            soon(),
        );
        assert_eq!(kind(&answer), Some(Failure::WrongKind), "{path}");
    }
    for path in ["pipe", "socket"] {
        let answer = site.stat(path);
        assert!(
            matches!(&answer, Answer::Meta(meta) if meta.kind == Kind::Special),
            "{answer:?}"
        );
        assert_eq!(kind(&site.list(path)), Some(Failure::WrongKind));
    }
}

/// Opening a FIFO for reading, even without waiting, would let a waiting writer go on.
#[test]
fn a_waiting_writer_of_a_fifo_is_not_woken() {
    let site = site();
    site.fifo("pipe");
    let place = site.root.join("pipe");
    let (sender, woken) = std::sync::mpsc::channel();
    let writer = {
        let place = place.clone();
        std::thread::spawn(move || {
            let opened = fs::OpenOptions::new().write(true).open(place);
            sender.send(()).unwrap();
            drop(opened);
        })
    };
    std::thread::sleep(Duration::from_millis(50));
    assert_eq!(kind(&site.read("pipe")), Some(Failure::WrongKind));
    site.stat("pipe");
    site.heads("", "", 9);
    site.glob("*");
    assert!(woken.recv_timeout(Duration::from_millis(100)).is_err());
    drop(fs::File::open(place).unwrap());
    writer.join().unwrap();
}

#[test]
fn a_file_over_the_limit_is_too_large_and_never_cut() {
    let site = site();
    site.write("exact", &"x".repeat(1000));
    site.write("over", &"x".repeat(1001));
    for (path, size) in [("huge", 10 << 30), ("big", 100 << 20)] {
        let file = fs::File::create(site.root.join(path)).unwrap();
        file.set_len(size).unwrap();
    }
    assert_eq!(site.read("exact"), bytes(&"x".repeat(1000)));
    for path in ["over", "huge", "big"] {
        assert_eq!(kind(&site.read(path)), Some(Failure::TooLarge), "{path}");
    }
    let path = site.path("exact");
    let all = Request::Read {
        path,
        limit: u64::MAX,
    };
    assert_eq!(site.ask(&all), bytes(&"x".repeat(1000)));
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_claims_to_be_empty_is_read_to_its_end() {
    let proc = world(&[Path::new("/proc")]);
    let read = |limit| {
        let path = "/proc/version".to_owned();
        proc.ask(&Request::Read { path, limit }, soon())
    };
    assert!(matches!(read(10_000), Answer::Bytes(bytes) if bytes.starts_with(b"Linux")));
    assert_eq!(kind(&read(5)), Some(Failure::TooLarge));
}

#[test]
fn no_permission_is_not_missing() {
    let site = site();
    site.write("closed/a", "alpha");
    site.write("file", "x");
    let close = |path: &str, mode| {
        fs::set_permissions(site.root.join(path), fs::Permissions::from_mode(mode)).unwrap();
    };
    close("file", 0);
    close("closed", 0);
    let answers = [
        site.read("file"),
        site.read("closed/a"),
        site.read("closed/none"),
        site.stat("closed/none"),
        site.list("closed"),
        site.glob("**/a"),
        site.heads("closed", "", 9),
    ];
    let heads = site.heads("", "", 9);
    close("closed", 0o700);
    if is_root() {
        eprintln!("SKIPPED: root may read everything, so mode 000 shows nothing here");
        return;
    }
    for answer in answers {
        assert_eq!(kind(&answer), Some(Failure::Permission), "{answer:?}");
    }
    assert!(matches!(heads, Answer::Heads(heads) if heads[0].bytes.is_err()));
}

#[test]
fn a_stat_tells_size_and_time() {
    let site = site();
    site.write("a", "alpha");
    let time = std::time::UNIX_EPOCH + Duration::from_nanos(1_700_000_000_123_456_789);
    let file = fs::File::options()
        .write(true)
        .open(site.root.join("a"))
        .unwrap();
    file.set_modified(time).unwrap();
    site.link("a", "in");
    for path in ["a", "in"] {
        let answer = site.stat(path);
        let Answer::Meta(meta) = answer else {
            panic!("{answer:?}")
        };
        assert_eq!((meta.kind, meta.size), (Kind::File, 5));
        assert_eq!(meta.mtime, 1_700_000_000_123_456_789);
    }
    assert!(matches!(site.stat(""), Answer::Meta(meta) if meta.kind == Kind::Folder));
}

#[test]
fn a_place_outside_may_be_looked_at_where_the_desk_allows_it() {
    let site = site();
    let path = spelled(&site.top.path().join("secret"));
    assert!(matches!(site.ask(&Request::Stat { path }), Answer::Meta(meta) if meta.size == 6));
    let path = spelled(&site.top.path().join("none"));
    assert_eq!(site.ask(&Request::Stat { path }), Answer::Missing);
}

#[test]
fn strange_names_keep_their_identity() {
    let site = site();
    let names: [&[u8]; 5] = [
        b"a\nWORK: STOP",
        b"bad\xff",
        b"\\x41",
        b"[x]*?",
        b"tab\there",
    ];
    for (number, name) in names.iter().enumerate() {
        let place = site.root.join(OsStr::from_bytes(name));
        fs::write(place, number.to_string()).unwrap();
    }
    site.write("A", "another");
    let Answer::Entries(entries) = site.list("") else {
        panic!("no list")
    };
    assert_eq!(entries.len(), 6);
    for (number, raw) in names.iter().enumerate() {
        let spelling = name::encode(OsStr::from_bytes(raw));
        let entry = entries.iter().find(|entry| entry.name == spelling).unwrap();
        let read = Request::Read {
            path: entry.path.clone(),
            limit: 99,
        };
        assert_eq!(site.ask(&read), bytes(&number.to_string()), "{spelling}");
    }
    assert_eq!(site.paths(&site.glob("[x]*?")), ["[x]*?"]);
    assert_eq!(site.paths(&site.glob("bad\\xff")), ["bad\\xff"]);
    let nul = site.read("a\\x00b");
    assert_eq!(kind(&nul), Some(Failure::Io));
}

#[test]
fn a_list_is_sorted_and_does_not_follow_links() {
    let site = site();
    site.write("b", "");
    site.write("a/x", "");
    site.link("../secret", "link");
    site.fifo("pipe");
    site.write(".hidden", "");
    let Answer::Entries(entries) = site.list("") else {
        panic!("no list")
    };
    let seen: Vec<_> = entries
        .iter()
        .map(|entry| (entry.name.as_str(), entry.kind))
        .collect();
    let expected = [
        (".hidden", Kind::File),
        ("a", Kind::Folder),
        ("b", Kind::File),
        ("link", Kind::Link),
        ("pipe", Kind::Special),
    ];
    assert_eq!(seen, expected);
    assert_eq!(entries[1].path, site.path("a"));
    assert_eq!(kind(&site.list("b")), Some(Failure::WrongKind));
}

#[test]
fn heads_are_the_first_bytes_of_every_regular_file() {
    let site = site();
    site.write("b.md", "beta beta");
    site.write("a.md", "al");
    site.write(".hidden.md", "h");
    site.write("c.txt", "c");
    site.write("folder.md/x", "");
    site.write("target", "through");
    site.link("target", "in.md");
    site.link("../secret", "out.md");
    site.link("folder.md", "tofolder.md");
    site.fifo("pipe.md");
    let answer = site.heads("", ".md", 4);
    let Answer::Heads(heads) = &answer else {
        panic!("{answer:?}")
    };
    let names: Vec<_> = heads.iter().map(|head| head.name.as_str()).collect();
    assert_eq!(names, ["a.md", "b.md", "in.md", "out.md"]);
    let get = |at: usize| {
        heads
            .get(at)
            .map(|Head { bytes, size, .. }| (bytes.as_deref(), *size))
    };
    assert_eq!(get(0), Some((Ok(b"al".as_slice()), 2)));
    assert_eq!(get(1), Some((Ok(b"beta".as_slice()), 9)));
    assert_eq!(get(2), Some((Ok(b"thro".as_slice()), 7)));
    assert!(
        heads[3]
            .bytes
            .as_ref()
            .unwrap_err()
            .contains("outside the granted roots")
    );
    assert_eq!(site.heads("none", "", 4), Answer::Missing);
    assert_eq!(kind(&site.heads("c.txt", "", 4)), Some(Failure::WrongKind));
}

#[test]
fn ten_thousand_heads_are_fast() {
    let site = site();
    let text = format!("STATUS: open\n{}", "x".repeat(1011));
    for number in 0..10_000 {
        site.write(&format!("{number:05}.txt"), &text);
    }
    let mut best = Duration::MAX;
    for _ in 0..5 {
        let begin = Instant::now();
        let answer = site.heads("", ".txt", 4096);
        best = best.min(begin.elapsed());
        assert!(
            matches!(answer, Answer::Heads(heads) if heads.len() == 10_000
            && heads.iter().all(|head| head.bytes.as_deref() == Ok(text.as_bytes())))
        );
    }
    eprintln!("10,000 heads: {best:?}");
    assert!(best < Duration::from_millis(500), "{best:?}");
}

#[test]
fn globs_match_whole_segments_and_literal_names_first() {
    let site = site();
    for path in [
        "a.md",
        "d/b.md",
        "d/e/c.md",
        ".h/x.md",
        "[d]/lit.md",
        "a*",
        "ax",
    ] {
        site.write(path, "");
    }
    site.link("d", "link");
    let table: [(&str, &[&str]); 9] = [
        ("*.md", &["a.md"]),
        ("**/*.md", &["[d]/lit.md", "a.md", "d/b.md", "d/e/c.md"]),
        ("d/**", &["d/b.md", "d/e", "d/e/c.md"]),
        ("[d]/*", &["[d]/lit.md"]),
        ("a*", &["a*"]),
        ("[!x]/b.md", &["d/b.md"]),
        (".h/*.md", &[".h/x.md"]),
        ("link/*.md", &["link/b.md"]),
        ("none/**/x", &[]),
    ];
    for (pattern, expected) in table {
        assert_eq!(site.paths(&site.glob(pattern)), expected, "{pattern}");
    }
    // A wildcard matches a link but does not go through it.
    assert_eq!(site.paths(&site.glob("l*")), ["link"]);
    assert_eq!(site.paths(&site.glob("l*/*")), Vec::<String>::new());
    for pattern in ["../*", "/etc/*", "a//b", "[z-"] {
        assert_eq!(kind(&site.glob(pattern)), Some(Failure::Io), "{pattern}");
    }
}

#[test]
fn a_limit_is_a_failure_never_a_short_list() {
    let site = site();
    fs::create_dir(site.root.join("many")).unwrap();
    let create = |from: u32, to: u32| {
        for number in from..to {
            fs::File::create(site.root.join(format!("many/{number}"))).unwrap();
        }
    };
    create(0, 10_000);
    assert!(matches!(site.glob("many/*"), Answer::Entries(all) if all.len() == 10_000));
    create(10_000, 10_001);
    assert_eq!(kind(&site.glob("many/*")), Some(Failure::TooLarge));
    create(10_001, 100_000);
    assert!(matches!(site.list("many"), Answer::Entries(all) if all.len() == 100_000));
    create(100_000, 100_001);
    assert_eq!(kind(&site.list("many")), Some(Failure::TooLarge));
    assert_eq!(kind(&site.heads("many", "", 1)), Some(Failure::TooLarge));
    assert_eq!(kind(&site.glob("many/none*")), Some(Failure::TooLarge));
    // A name that exists needs no list.
    assert_eq!(site.paths(&site.glob("many/7")), ["many/7"]);
}

#[test]
fn a_walk_that_is_too_deep_is_a_failure() {
    let site = site();
    let deep = vec!["d"; 64].join("/");
    site.write(&format!("{deep}/file"), "");
    assert!(matches!(site.glob("**/file"), Answer::Entries(all) if all.len() == 1));
    site.write(&format!("{deep}/d/file"), "");
    assert_eq!(kind(&site.glob("**/file")), Some(Failure::TooLarge));
}

#[test]
fn a_file_that_grows_while_it_is_read_has_changed() {
    let site = site();
    site.write("log", &"x".repeat(8 << 20));
    let stop = AtomicBool::new(false);
    let path = site.path("log");
    let request = Request::Read {
        path,
        limit: 1 << 30,
    };
    let changed = std::thread::scope(|scope| {
        scope.spawn(|| {
            use std::io::Write as _;
            let place = site.root.join("log");
            let mut log = fs::File::options().append(true).open(place).unwrap();
            while !stop.load(Ordering::Relaxed) {
                log.write_all(b"x").unwrap();
            }
        });
        let end = Instant::now() + Duration::from_secs(8);
        let mut changed = false;
        while !changed && Instant::now() < end {
            let answer = site.world.ask(&request, soon());
            changed = kind(&answer) == Some(Failure::Changed);
        }
        stop.store(true, Ordering::Relaxed);
        changed
    });
    assert!(changed);
    assert!(matches!(site.ask(&request), Answer::Bytes(_)));
}

#[test]
fn a_swapped_link_never_shows_what_is_outside() {
    let site = site();
    site.write("good/file", "inside");
    fs::create_dir(site.top.path().join("out")).unwrap();
    fs::write(site.top.path().join("out/file"), "secret").unwrap();
    let stop = AtomicBool::new(false);
    let place = site.root.join("folder");
    symlink("good", &place).unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let new = site.root.join("new");
            let targets = ["../out", "good"].into_iter().cycle();
            for target in targets.take_while(|_| !stop.load(Ordering::Relaxed)) {
                symlink(target, &new).unwrap();
                fs::rename(&new, &place).unwrap();
            }
        });
        let end = Instant::now() + Duration::from_millis(400);
        let (mut inside, mut refused) = (0, 0);
        while Instant::now() < end {
            match site.read("folder/file") {
                Answer::Bytes(bytes) => {
                    assert_eq!(bytes.as_slice(), b"inside");
                    inside += 1;
                }
                Answer::Failed { .. } => refused += 1,
                other => panic!("{other:?}"),
            }
        }
        stop.store(true, Ordering::Relaxed);
        assert!(inside > 0 && refused > 0, "{inside} {refused}");
    });
}

/// A folder or file that turns into a link out between listing and opening.
#[cfg(target_os = "linux")]
#[test]
fn an_exchanged_link_never_shows_what_is_outside() {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    let site = site();
    site.write("folder/inside", "");
    site.write("file", "inside");
    fs::create_dir(site.top.path().join("out")).unwrap();
    fs::write(site.top.path().join("out/leaked"), "").unwrap();
    site.link("../out", "other");
    site.link("../secret", "twin");
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                for (a, b) in [("folder", "other"), ("file", "twin")] {
                    let (a, b) = (site.root.join(a), site.root.join(b));
                    renameat_with(CWD, a, CWD, b, RenameFlags::EXCHANGE).unwrap();
                }
            }
        });
        let end = Instant::now() + Duration::from_millis(800);
        let mut inside = 0;
        while Instant::now() < end {
            let paths = site.paths(&site.glob("*/*"));
            assert!(
                !paths.iter().any(|path| path.ends_with("leaked")),
                "{paths:?}"
            );
            let Answer::Heads(heads) = site.heads("", "", 9) else {
                panic!("no heads")
            };
            let mut read = heads.iter().flat_map(|head| head.bytes.as_deref());
            assert!(read.all(|bytes| bytes == b"inside"));
            inside += paths.len();
        }
        stop.store(true, Ordering::Relaxed);
        assert!(inside > 0);
    });
}

#[test]
fn a_file_beyond_all_memory_is_too_large() {
    let site = site();
    let file = fs::File::create(site.root.join("sparse")).unwrap();
    file.set_len(8 << 40).unwrap();
    let path = site.path("sparse");
    let answer = site.ask(&Request::Read {
        path,
        limit: u64::MAX,
    });
    assert_eq!(kind(&answer), Some(Failure::TooLarge));
}

#[test]
fn a_deadline_that_passed_is_said() {
    let site = site();
    site.write("a", "");
    let path = site.path("a");
    let answer = site
        .world
        .ask(&Request::Read { path, limit: 1 }, Instant::now());
    assert_eq!(kind(&answer), Some(Failure::Deadline));
}

#[test]
fn a_link_that_leads_nowhere_is_not_the_same_as_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    std::os::unix::fs::symlink("gone", root.join("_TICKETS")).unwrap();
    let world = RealWorld::new(RealSetup {
        roots: vec![root.clone()],
        environment: Default::default(),
        path: None,
    });
    let until = std::time::Instant::now() + std::time::Duration::from_secs(5);
    for below in ["_TICKETS", "_TICKETS/INBOX"] {
        let path = root.join(below).display().to_string();
        let list = Request::List { path: path.clone() };
        assert!(
            matches!(world.ask(&list, until), Answer::Failed { .. }),
            "{below}"
        );
        let read = Request::Read { path, limit: 10 };
        assert!(
            matches!(world.ask(&read, until), Answer::Failed { .. }),
            "{below}"
        );
    }
    let path = root.join("nothing").display().to_string();
    assert_eq!(world.ask(&Request::List { path }, until), Answer::Missing);
}
