//! What can stand at the place of a ledger, and which fault each is.

use super::*;
use crate::ledger::event::tests::draft;
use crate::ledger::gates::tests::body_of;
use crate::ledger::state::State;
use crate::ledger::verify::verify;
use serde_json::json;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;
use tempfile::TempDir;

fn soon() -> Instant {
    Instant::now() + Duration::from_secs(5)
}

fn create() -> Mode {
    Mode::Create {
        store: "s".to_string(),
    }
}

fn code(path: &Path, mode: &Mode) -> &'static str {
    match SqliteLedger::open(path, mode, soon()).and_then(|l| l.view().map(|_| ())) {
        Ok(()) => "opened",
        Err(fault) => fault.code(),
    }
}

fn add(ledger: &mut SqliteLedger, id: &str) {
    let head = ledger.head().unwrap();
    let note = draft(id, "note.added", json!({"text": id}));
    let done = ledger.append(&head, &[note]).unwrap();
    assert!(matches!(done, Appended::Done(_)));
}

/// A folder with a ledger of three events, closed.
fn grown() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.db");
    let mut ledger = SqliteLedger::open(&path, &create(), soon()).unwrap();
    for id in ["a", "b", "c"] {
        add(&mut ledger, id);
    }
    (folder, path)
}

/// Lets another program write into the file, past all that guards it.
fn scribble(path: &Path, sql: &str) {
    let conn = Connection::open(path).unwrap();
    conn.execute_batch(sql).unwrap();
}

/// Every file of a folder with its bytes.
fn contents(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut all: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().path())
        .map(|p| (p.clone(), fs::read(p).unwrap_or_default()))
        .collect();
    all.sort();
    all
}

#[test]
fn what_is_no_ledger_is_named_and_never_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("empty"), "").unwrap();
    fs::write(at("short"), "hello").unwrap();
    fs::write(at("text"), "no database ".repeat(2_000)).unwrap();
    fs::create_dir(at("folder")).unwrap();
    scribble(&at("other"), "CREATE TABLE x (y)");
    fs::write(at("blank"), "").unwrap();
    scribble(&at("blank"), "PRAGMA user_version = 0; VACUUM");
    let fifo = at("fifo");
    rustix::fs::mknodat(
        rustix::fs::CWD,
        &fifo,
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::RWXU,
        0,
    )
    .unwrap();
    std::os::unix::fs::symlink(at("nowhere"), at("dangling")).unwrap();
    let before = fs::read(at("other")).unwrap();
    for (name, expected) in [
        ("empty", "ledger::corrupt"),
        ("short", "ledger::foreign"),
        ("text", "ledger::foreign"),
        ("folder", "ledger::not-a-file"),
        ("other", "ledger::foreign"),
        ("fifo", "ledger::not-a-file"),
        ("text/below", "ledger::not-a-file"),
        ("no-folder/ledger.db", "ledger::missing"),
        ("dangling", "ledger::missing"),
    ] {
        for mode in [create(), Mode::Existing, Mode::Read] {
            assert_eq!(code(&at(name), &mode), expected, "{name} {mode:?}");
        }
    }
    assert_eq!(fs::read(at("other")).unwrap(), before);
    assert_eq!(fs::read(at("empty")).unwrap(), b"");
    assert!(!at("nowhere").exists());
}

#[test]
fn only_create_makes_one_and_only_where_no_trace_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.db");
    assert_eq!(code(&path, &Mode::Existing), "ledger::missing");
    assert_eq!(code(&path, &Mode::Read), "ledger::missing");
    assert!(contents(folder.path()).is_empty());
    assert_eq!(code(&path, &create()), "opened");
    let names: Vec<_> = contents(folder.path())
        .into_iter()
        .map(|(p, _)| p)
        .collect();
    assert!(
        names
            .iter()
            .all(|p| p.to_string_lossy().contains("ledger.db")),
        "{names:?}"
    );
    assert!(
        !names.iter().any(|p| p.to_string_lossy().contains("new")),
        "{names:?}"
    );
    fs::remove_file(&path).unwrap();
    for mode in [create(), Mode::Existing, Mode::Read] {
        assert_eq!(code(&path, &mode), "ledger::missing", "{mode:?}");
    }
    assert!(!path.exists());
}

#[test]
fn many_who_create_at_once_share_one_store() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.db");
    let stores: Vec<String> = std::thread::scope(|scope| {
        let open = |n: usize| {
            let path = &path;
            scope.spawn(move || {
                let store = format!("s{n}");
                let ledger = SqliteLedger::open(path, &Mode::Create { store }, soon()).unwrap();
                ledger.identity().unwrap().store
            })
        };
        let threads: Vec<_> = (0..8).map(open).collect();
        threads.into_iter().map(|t| t.join().unwrap()).collect()
    });
    assert!(stores.iter().all(|s| *s == stores[0]), "{stores:?}");
    let again = SqliteLedger::open(&path, &Mode::Read, soon()).unwrap();
    assert_eq!(again.identity().unwrap().store, stores[0]);
}

#[test]
fn a_cut_file_is_damaged_and_keeps_its_bytes() {
    let (_folder, path) = grown();
    // Everything into the file, so that the log does not hold what is cut.
    scribble(&path, "PRAGMA wal_checkpoint(TRUNCATE)");
    let whole = fs::read(&path).unwrap();
    for length in [
        1,
        50,
        99,
        100,
        600,
        4_095,
        4_096,
        5_000,
        whole.len() - 4_096,
    ] {
        fs::write(&path, &whole[..length]).unwrap();
        for mode in [create(), Mode::Existing, Mode::Read] {
            let code = code(&path, &mode);
            assert!(
                matches!(code, "ledger::corrupt" | "ledger::foreign"),
                "{length} {mode:?}: {code}"
            );
        }
        assert_eq!(fs::read(&path).unwrap(), &whole[..length]);
    }
}

#[test]
fn a_newer_or_impossible_format_is_refused() {
    let (_folder, path) = grown();
    for (format, expected) in [
        (2, "ledger::newer"),
        (0, "ledger::corrupt"),
        (-1, "ledger::corrupt"),
    ] {
        scribble(&path, &format!("PRAGMA user_version = {format}"));
        assert_eq!(code(&path, &Mode::Existing), expected);
        assert_eq!(code(&path, &Mode::Read), expected);
    }
}

#[test]
fn an_event_of_a_newer_belegt_is_newer() {
    let (_folder, path) = grown();
    let ledger = SqliteLedger::open(&path, &Mode::Read, soon()).unwrap();
    let prev = ledger.head().unwrap().hash;
    let bytes = format!("{{\"v\":2,\"id\":\"n\",\"seq\":4,\"prev\":\"{prev}\"}}");
    let hash = crate::ledger::event::hash(&prev, bytes.as_bytes());
    drop(ledger);
    let conn = Connection::open(&path).unwrap();
    conn.execute(
        "INSERT INTO event (seq, id, hash, bytes) VALUES (4, 'n', ?1, ?2)",
        (hash, bytes.as_bytes()),
    )
    .unwrap();
    assert_eq!(code(&path, &Mode::Existing), "ledger::newer");
    let ledger = SqliteLedger::open(&path, &Mode::Read, soon()).unwrap();
    let findings = verify(&ledger).unwrap();
    assert!(
        findings
            .iter()
            .any(|f| f.code == "ledger::newer" && f.event == 4),
        "{findings:?}"
    );
}

#[test]
fn a_changed_newest_event_is_seen_at_once_and_an_older_one_by_verify() {
    const OFF: &str = "DROP TRIGGER event_keeps; DROP TRIGGER event_stays;";
    for (sql, at_once, event) in [
        (
            "UPDATE event SET bytes = replace(bytes, 'c', 'd') WHERE seq = 3",
            true,
            3,
        ),
        (
            "UPDATE event SET hash = replace(hash, 'a', 'b') WHERE seq = 3",
            true,
            3,
        ),
        (
            "UPDATE event SET hash = replace(hash, 'a', 'b') WHERE seq = 2",
            true,
            2,
        ),
        ("DELETE FROM event WHERE seq = 2", true, 3),
        (
            "UPDATE event SET bytes = CAST(replace(bytes, 'a', 'e') AS BLOB) WHERE seq = 1",
            false,
            1,
        ),
        ("DELETE FROM event WHERE seq = 3", true, 0),
        ("DELETE FROM projection WHERE key = 'b'", true, 0),
        ("DELETE FROM projection WHERE part = 'seal'", true, 0),
        ("DELETE FROM projection", true, 0),
        (
            "UPDATE projection SET json = replace(json, 'b', 'd') WHERE key = 'b'",
            true,
            0,
        ),
        ("UPDATE projection SET json = 'x' WHERE key = 'b'", true, 0),
        ("UPDATE store SET id = 'other'", true, 0),
    ] {
        let (_folder, path) = grown();
        scribble(&path, OFF);
        let sql = sql.replace(
            "SET bytes = replace(bytes, 'c', 'd')",
            "SET bytes = CAST('{}' AS BLOB)",
        );
        scribble(&path, &sql);
        let expected = if at_once { "ledger::corrupt" } else { "opened" };
        assert_eq!(code(&path, &Mode::Read), expected, "{sql}");
        if let Ok(ledger) = SqliteLedger::open(&path, &Mode::Read, soon()) {
            let findings = verify(&ledger).unwrap();
            assert!(
                findings.iter().any(|f| f.event == event),
                "{sql}: {findings:?}"
            );
        }
    }
}

#[test]
fn other_programs_cannot_change_events_by_mistake() {
    let (_folder, path) = grown();
    let conn = Connection::open(&path).unwrap();
    for sql in ["UPDATE event SET hash = 'x'", "DELETE FROM event"] {
        assert!(conn.execute_batch(sql).is_err(), "{sql}");
    }
    assert!(
        conn.execute("INSERT INTO event VALUES (9, 'x', 'short', x'00')", [])
            .is_err()
    );
}

#[test]
fn an_old_projection_is_made_anew_and_read_anew() {
    let (_folder, path) = grown();
    let whole = SqliteLedger::open(&path, &Mode::Read, soon())
        .unwrap()
        .view()
        .unwrap();
    let spoil = "UPDATE store SET projection = 0; DELETE FROM projection;";
    scribble(&path, spoil);
    let reader = SqliteLedger::open(&path, &Mode::Read, soon()).unwrap();
    assert_eq!(reader.view().unwrap(), whole);
    let number = |path: &Path| -> i64 {
        let conn = Connection::open(path).unwrap();
        conn.query_row("SELECT projection FROM store", [], |r| r.get(0))
            .unwrap()
    };
    assert_eq!(number(&path), 0);
    let writer = SqliteLedger::open(&path, &Mode::Existing, soon()).unwrap();
    assert_eq!(number(&path), i64::from(NUMBER));
    assert_eq!(writer.view().unwrap(), whole);
    assert_eq!(verify(&writer), Ok(Vec::new()));
}

#[test]
fn a_projection_of_another_belegt_is_made_anew_before_an_append() {
    let (_folder, path) = grown();
    let mut open = SqliteLedger::open(&path, &Mode::Existing, soon()).unwrap();
    scribble(
        &path,
        "UPDATE store SET projection = 99; DELETE FROM projection;",
    );
    add(&mut open, "d");
    assert_eq!(open.view().unwrap().state.notes.len(), 4);
    assert_eq!(verify(&open), Ok(Vec::new()));
    let number = tables::store(&open.conn, &open.spot).unwrap().projection;
    assert_eq!(number, i64::from(NUMBER));
}

/// A ledger with three sets of gates: one met, one open, one that was opened again.
fn with_gates() -> (TempDir, PathBuf, Gates) {
    let (folder, path) = grown();
    let mut ledger = SqliteLedger::open(&path, &Mode::Existing, soon()).unwrap();
    let evidence = json!({"method": "file", "sentence": "s", "class": "consent", "receipts": [],
        "why": "yes", "script": "", "digest": "", "line": 0, "run": "r", "at": "t"});
    let change = |set: &str, to: serde_json::Value| json!({"changes": [{"set": set, "gate": set, "to": to}]});
    let head = ledger.head().unwrap();
    let drafts = [
        draft("o1", "gate.opened", body_of("g1", "release", json!(1.5))),
        draft("o2", "gate.opened", body_of("g2", "deploy", json!(null))),
        draft("o3", "gate.opened", body_of("g3", "release.", json!([]))),
        draft("m1", "gate.met", change("g1", json!({"met": evidence}))),
        draft("d3", "gate.dropped", change("g3", json!({"dropped": "x"}))),
        draft("r3", "gate.reopened", change("g3", json!({"open": "y"}))),
    ];
    ledger.append(&head, &drafts).unwrap();
    let gates = ledger.gates(&GateQuery::All).unwrap();
    assert_eq!(gates.sets.len(), 3);
    assert_eq!(verify(&ledger), Ok(Vec::new()));
    (folder, path, gates)
}

#[test]
fn gates_of_an_older_projection_are_made_anew_and_read_anew() {
    let drop = "DROP TABLE gate; DROP TABLE gate_bucket; DROP TABLE gate_wake;
        DROP TABLE gate_step; DELETE FROM projection WHERE key = 'gates';";
    let other = "DROP TABLE gate; CREATE TABLE gate (x); DROP TABLE gate_step;";
    let stale = "DELETE FROM gate WHERE set_id = 'g2'; UPDATE gate_bucket SET sets = 9;";
    for spoil in [drop, other, stale, "DELETE FROM projection"] {
        let (_folder, path, whole) = with_gates();
        scribble(&path, &format!("UPDATE store SET projection = 2; {spoil}"));
        let reader = SqliteLedger::open(&path, &Mode::Read, soon()).unwrap();
        assert_eq!(reader.gates(&GateQuery::All).unwrap(), whole, "{spoil}");
        assert_eq!(reader.open_steps().unwrap(), ["deploy", "release"]);
        assert_eq!(reader.forbidden().unwrap().len(), 2);
        assert_eq!(verify(&reader), Ok(Vec::new()));
        let mut writer = SqliteLedger::open(&path, &Mode::Existing, soon()).unwrap();
        assert_eq!(writer.gates(&GateQuery::All).unwrap(), whole, "{spoil}");
        assert_eq!(verify(&writer), Ok(Vec::new()));
        // An open handle, after another belegt made the tables anew.
        scribble(&path, &format!("UPDATE store SET projection = 2; {spoil}"));
        add(&mut writer, "d");
        assert_eq!(writer.gates(&GateQuery::All).unwrap().sets, whole.sets);
        assert_eq!(verify(&writer), Ok(Vec::new()));
    }
}

#[test]
fn a_rebuild_makes_the_very_same_tables() {
    let (_folder, path, _) = with_gates();
    let dump = |path: &Path| -> Vec<String> {
        let conn = Connection::open(path).unwrap();
        let mut rows = Vec::new();
        for table in [
            "gate",
            "gate_bucket",
            "gate_wake",
            "gate_step",
            "projection",
        ] {
            let sql = format!("SELECT * FROM {table} ORDER BY 1, 2");
            let mut statement = conn.prepare(&sql).unwrap();
            let columns = statement.column_count();
            let read = |r: &rusqlite::Row<'_>| {
                let column = |n| Ok(format!("{:?}", r.get_ref(n)?));
                (0..columns)
                    .map(column)
                    .collect::<rusqlite::Result<Vec<_>>>()
            };
            let all = statement.query_map([], read).unwrap();
            rows.extend(all.map(|row| format!("{table}: {:?}", row.unwrap())));
        }
        rows
    };
    let before = dump(&path);
    assert!(before.len() > 256 + 10);
    scribble(&path, "UPDATE store SET projection = 0");
    drop(SqliteLedger::open(&path, &Mode::Existing, soon()).unwrap());
    assert_eq!(dump(&path), before);
}

#[test]
fn a_view_does_not_touch_the_gates() {
    let (_folder, path, _) = with_gates();
    let spoil = "DELETE FROM gate; DELETE FROM gate_bucket; DELETE FROM gate_wake;";
    scribble(&path, spoil);
    let mut ledger = SqliteLedger::open(&path, &Mode::Existing, soon()).unwrap();
    assert_eq!(ledger.view().unwrap().state.notes.len(), 3);
    add(&mut ledger, "d");
    assert!(ledger.gates(&GateQuery::Open).is_err());
}

#[test]
fn an_event_about_a_gate_that_is_not_there_is_damage() {
    let (_folder, path, _) = with_gates();
    let ledger = SqliteLedger::open(&path, &Mode::Existing, soon()).unwrap();
    let head = ledger.head().unwrap();
    let body = json!({"changes": [{"set": "g9", "gate": "g9", "to": {"dropped": "x"}}]});
    let row = crate::ledger::event::seal(&draft("x", "gate.dropped", body), &head).unwrap();
    tables::insert(&ledger.conn, &row).unwrap();
    drop(ledger);
    scribble(&path, "UPDATE store SET projection = 2");
    let reader = SqliteLedger::open(&path, &Mode::Read, soon()).unwrap();
    let fault = reader.gates(&GateQuery::All).unwrap_err();
    assert_eq!(fault.code(), "ledger::corrupt");
    let findings = verify(&reader).unwrap();
    let found = |f: &crate::ledger::verify::Finding| f.event == head.seq + 1;
    assert!(findings.iter().any(found), "{findings:?}");
    assert_eq!(code(&path, &Mode::Existing), "ledger::corrupt");
}

#[test]
fn who_holds_the_ledger_too_long_makes_it_busy() {
    let (_folder, path) = grown();
    let mut ledger = SqliteLedger::open(&path, &Mode::Existing, soon()).unwrap();
    let head = ledger.head().unwrap();
    let other = Connection::open(&path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let note = draft("d", "note.added", json!({"text": "d"}));
    ledger.set_deadline(Instant::now() + Duration::from_millis(60));
    let start = Instant::now();
    let fault = ledger
        .append(&head, std::slice::from_ref(&note))
        .unwrap_err();
    let waited = start.elapsed();
    let LedgerFault::Busy { waited_ms, .. } = fault else {
        panic!("{fault}");
    };
    assert!((55..500).contains(&waited_ms), "{waited_ms}");
    assert!(waited < Duration::from_millis(500), "{waited:?}");
    // Who only reads does not wait.
    assert_eq!(ledger.view().unwrap().head, head);
    other.execute_batch("ROLLBACK").unwrap();
    ledger.set_deadline(soon());
    assert!(matches!(
        ledger.append(&head, &[note]),
        Ok(Appended::Done(_))
    ));
}

#[test]
fn who_reads_cannot_append_and_writes_nothing() {
    let (_folder, path) = grown();
    let before = fs::read(&path).unwrap();
    let mut reader = SqliteLedger::open(&path, &Mode::Read, soon()).unwrap();
    assert!(reader.identity().unwrap().read_only);
    let head = reader.head().unwrap();
    let note = draft("d", "note.added", json!({"text": "d"}));
    assert_eq!(
        reader.append(&head, &[note]).unwrap_err().code(),
        "ledger::read-only"
    );
    drop(reader);
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn a_full_disk_keeps_what_was_stored() {
    let (_folder, path) = grown();
    let mut ledger = SqliteLedger::open(&path, &Mode::Existing, soon()).unwrap();
    let before = ledger.view().unwrap();
    let pages: i64 = ledger
        .conn
        .pragma_query_value(None, "page_count", |r| r.get(0))
        .unwrap();
    let limit = |ledger: &SqliteLedger, n: i64| {
        let sql = format!("PRAGMA max_page_count = {n}");
        ledger.conn.query_row(&sql, [], |_| Ok(())).unwrap();
    };
    limit(&ledger, pages + 1);
    let big = draft("big", "note.added", json!({"text": "x".repeat(100_000)}));
    let fault = ledger
        .append(&before.head, std::slice::from_ref(&big))
        .unwrap_err();
    assert_eq!(fault.code(), "ledger::full");
    assert_eq!(ledger.view().unwrap(), before);
    limit(&ledger, 100_000);
    assert!(matches!(
        ledger.append(&before.head, &[big]),
        Ok(Appended::Done(_))
    ));
    assert_eq!(verify(&ledger), Ok(Vec::new()));
}

#[test]
fn the_log_stays_short_and_one_commit_is_one_event() {
    let (_folder, path) = grown();
    for n in 0..120 {
        let mut ledger = SqliteLedger::open(&path, &Mode::Existing, soon()).unwrap();
        let head = ledger.head().unwrap();
        let body = json!({"text": "x".repeat(9_000)});
        ledger
            .append(&head, &[draft(&n.to_string(), "note.added", body)])
            .unwrap();
        assert!(ledger.spot.place.wal_size() < LONG_LOG + 64 * 1024);
    }
    let ledger = SqliteLedger::open(&path, &Mode::Read, soon()).unwrap();
    assert_eq!(ledger.head().unwrap().seq, 123);
    assert_eq!(verify(&ledger), Ok(Vec::new()));
}

#[test]
fn a_reader_in_the_way_does_not_keep_a_commit() {
    let (_folder, path) = grown();
    let reader = Connection::open(&path).unwrap();
    reader
        .execute_batch("BEGIN; SELECT count(*) FROM event;")
        .unwrap();
    let mut ledger = SqliteLedger::open(&path, &Mode::Existing, soon()).unwrap();
    let start = Instant::now();
    for n in 0..80 {
        let head = ledger.head().unwrap();
        let body = json!({"text": "x".repeat(9_000)});
        ledger
            .append(&head, &[draft(&n.to_string(), "note.added", body)])
            .unwrap();
    }
    assert!(
        start.elapsed() < Duration::from_secs(4),
        "{:?}",
        start.elapsed()
    );
    // And the deadline is what it was.
    let now = Instant::now();
    assert!(ledger.spot.patience.set(now) > now);
}

#[test]
fn the_settings_are_those_that_keep_the_promises() {
    let (_folder, path) = grown();
    let ledger = SqliteLedger::open(&path, &Mode::Existing, soon()).unwrap();
    let text = |name: &str| -> String {
        let read = |r: &rusqlite::Row<'_>| Ok(format!("{:?}", r.get_ref(0)?));
        ledger.conn.pragma_query_value(None, name, read).unwrap()
    };
    for (name, value) in [
        ("synchronous", "Integer(2)"),
        ("cell_size_check", "Integer(1)"),
        ("trusted_schema", "Integer(0)"),
        ("journal_size_limit", "Integer(1048576)"),
        ("mmap_size", "Integer(0)"),
    ] {
        assert_eq!(text(name), value, "{name}");
    }
}

#[test]
fn a_file_that_is_removed_while_it_is_open_loses_nothing_silently() {
    let (_folder, path) = grown();
    let mut ledger = SqliteLedger::open(&path, &Mode::Existing, soon()).unwrap();
    let head = ledger.head().unwrap();
    fs::remove_file(&path).unwrap();
    let note = draft("d", "note.added", json!({"text": "d"}));
    let answer = ledger.append(&head, &[note]);
    assert_eq!(answer.map_err(|f| f.code()), Err("ledger::missing"));
}

/// Root may do everything, so that this shows only under another user.
#[test]
fn without_permission_it_is_permission() {
    use std::os::unix::fs::PermissionsExt;
    if rustix::process::geteuid().is_root() {
        return;
    }
    let (folder, path) = grown();
    let set =
        |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    set(&path, 0o000);
    for mode in [create(), Mode::Existing, Mode::Read] {
        assert_eq!(code(&path, &mode), "ledger::permission", "{mode:?}");
    }
    set(&path, 0o444);
    assert_eq!(code(&path, &Mode::Existing), "ledger::permission");
    assert_eq!(code(&path, &Mode::Read), "opened");
    set(&path, 0o644);
    set(folder.path(), 0o000);
    assert_eq!(code(&path, &Mode::Existing), "ledger::permission");
    set(folder.path(), 0o555);
    assert_eq!(
        code(&folder.path().join("new.db"), &create()),
        "ledger::permission"
    );
    set(folder.path(), 0o755);
}

#[test]
fn a_state_of_every_part_survives_its_rows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger.db");
    let mut ledger = SqliteLedger::open(&path, &create(), soon()).unwrap();
    let run = json!({"result": "exhausted", "fingerprint": "f", "at": "t"});
    let tick = json!({"first": true, "signal": "S", "bundle_digest": "b", "record": run,
        "handed": [{"key": "w:1", "digest": "d", "tree": "t", "count": 2}]});
    let settle = json!({"items": [{"key": "n:1", "digest": "d"}], "how": "user", "because": "b"});
    let drafts = [
        draft("t", "tick.judged", tick),
        draft("s", "news.settled", settle),
        draft("n", "note.added", json!({"text": "x"})),
    ];
    ledger.append(&Head::genesis(), &drafts).unwrap();
    let mut state = State::default();
    for event in ledger.history(0, 9).unwrap() {
        state.take(&event).unwrap();
    }
    assert!(state.first_tick.is_some() && state.last.is_some() && state.record.is_some());
    assert!(!state.settled.is_empty() && !state.handed.is_empty() && !state.notes.is_empty());
    assert_eq!(ledger.view().unwrap().state, state);
}

#[test]
fn a_synchronised_folder_is_refused_before_anything_is_made() {
    let folder = tempfile::tempdir().unwrap();
    let synced = folder.path().join("Dropbox");
    fs::create_dir(&synced).unwrap();
    let path = synced.join("ledger.db");
    for mode in [create(), Mode::Existing, Mode::Read] {
        assert_eq!(code(&path, &mode), "ledger::network-folder");
    }
    assert!(contents(&synced).is_empty());
}

/// Needs a file system that can be mounted: run it as root, alone, with `--ignored`.
#[test]
#[ignore = "mounts a file system"]
fn on_a_full_disk_nothing_is_lost_and_it_goes_on_with_more_space() {
    let folder = tempfile::tempdir().unwrap();
    let mount = |args: &[&str]| {
        let status = std::process::Command::new("mount")
            .args(args)
            .arg(folder.path())
            .status();
        assert!(status.unwrap().success(), "{args:?}");
    };
    mount(&["-t", "tmpfs", "-o", "size=3m", "none"]);
    let path = folder.path().join("ledger.db");
    let mut ledger = SqliteLedger::open(&path, &create(), soon()).unwrap();
    let mut stored = 0;
    let fault = loop {
        let head = ledger.head().unwrap();
        let body = json!({"text": "x".repeat(20_000)});
        match ledger.append(&head, &[draft(&stored.to_string(), "note.added", body)]) {
            Ok(_) => stored += 1,
            Err(fault) => break fault,
        }
    };
    let seen = ledger.head().map(|h| h.seq);
    drop(ledger);
    fs::write(folder.path().join("rest"), "x".repeat(3 << 20)).unwrap_err();
    let reopened = code(&path, &Mode::Existing);
    let created = code(&folder.path().join("new.db"), &create());
    mount(&["-o", "remount,size=20m"]);
    let ledger = SqliteLedger::open(&path, &Mode::Existing, soon()).unwrap();
    let findings = verify(&ledger).unwrap();
    let end = ledger.head().unwrap().seq;
    drop(ledger);
    let status = std::process::Command::new("umount")
        .arg(folder.path())
        .status();
    assert!(status.unwrap().success());
    assert_eq!(fault.code(), "ledger::full");
    assert!(
        stored > 20 && end == stored && seen == Ok(stored),
        "{stored} {end} {seen:?}"
    );
    assert_eq!(findings, Vec::new());
    assert!(matches!(reopened, "opened" | "ledger::full"), "{reopened}");
    assert_eq!(created, "ledger::full");
}

/// Needs a file system that can be mounted: run it as root, alone, with `--ignored`.
#[test]
#[ignore = "mounts a file system"]
fn on_a_read_only_mount_it_can_be_read_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let mount = |args: &[&str]| {
        let status = std::process::Command::new("mount")
            .args(args)
            .arg(folder.path())
            .status();
        assert!(status.unwrap().success(), "{args:?}");
    };
    mount(&["-t", "tmpfs", "none"]);
    let path = folder.path().join("ledger.db");
    let mut ledger = SqliteLedger::open(&path, &create(), soon()).unwrap();
    add(&mut ledger, "a");
    drop(ledger);
    let bare = folder.path().join("bare \u{e4}%3f?.db");
    fs::copy(&path, &bare).unwrap();
    scribble(&bare, "PRAGMA wal_checkpoint(TRUNCATE)");
    let _ = fs::remove_file(folder.path().join("bare \u{e4}%3f?.db-wal"));
    let _ = fs::remove_file(folder.path().join("bare \u{e4}%3f?.db-shm"));
    mount(&["-o", "remount,ro"]);
    let read = |path: &Path| SqliteLedger::open(path, &Mode::Read, soon()).map(|l| l.head());
    let answers = (
        code(&path, &Mode::Existing),
        code(&bare, &Mode::Existing),
        code(&folder.path().join("new.db"), &create()),
        read(&path).unwrap().unwrap().seq,
        read(&bare).unwrap().unwrap().seq,
    );
    let status = std::process::Command::new("umount")
        .arg(folder.path())
        .status();
    assert!(status.unwrap().success());
    let only = "ledger::read-only";
    // The bare copy lacks what was only in the log of the other.
    assert_eq!(answers, (only, only, only, 1, 0));
}
