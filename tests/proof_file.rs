//! The proof method `file`: what counts as a file that is there, and what does not.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail"
)]

#[path = "support/proofs.rs"]
mod proofs;
mod support;

use belegt::script::layers::Scripts;
use belegt::script::value::text::digest;
use belegt::world::fixture::{Content, FileCase};
use proofs::{compiled, condition, no_method, only_this_method, proven, refusal, says};
use serde_json::json;
use support::Stage;

const METHOD: &str = "file";

#[test]
fn phrases_are_recognised_by_this_method_alone() {
    let digest = digest(b"x");
    let phrases = [
        "file report.json exists",
        "File `my report.txt` exists.",
        "the file Makefile is there",
        "if out/log exists",
        "Datei Makefile liegt vor",
        "DATEI a.txt EXISTIERT",
        "wenn die Datei „mein Bericht.txt“ vorliegt",
        "wenn dist/app.tar.gz vorhanden ist",
        "report.json liegt vor",
        "Bericht report.json liegt vor",
        "sobald der Export export.csv da ist",
        "a.txt is not empty",
        "die Datei a.txt ist nicht leer",
        "wenn a.txt nicht leer ist",
        "a.json is valid JSON",
        "a.json ist gültiges JSON",
        "wenn a.json gültiges JSON ist",
        "dist/app is newer than src/main.rs",
        "dist/app ist neuer als die Datei src/main.rs",
        "wenn dist/app neuer als src/main.rs ist",
        "files matching src/**/*.rs exist",
        "Dateien nach Muster \"out put/*.csv\" liegen vor",
        &format!("backup.tar has digest sha256:{digest}"),
        &format!(
            "die Datei backup.tar hat den Hash sha256:{}",
            digest.to_uppercase()
        ),
    ];
    only_this_method(&compiled(), METHOD, &phrases);
}

#[test]
fn what_is_not_said_is_not_guessed() {
    let texts = [
        "report liegt vor",
        "verifiziertes Backup vorhanden",
        "Review da",
        "not exists",
        "report liegt nicht vor",
        "a.txt exists and b.txt exists",
        "Branch feature/x exists",
        "v1.2 liegt vor",
        "https://example.org/x exists",
        "the file exists",
        "only if a.txt exists",
        "",
    ];
    no_method(&compiled(), &texts);
}

#[test]
fn the_sentence_says_what_is_looked_at() {
    let stage = compiled();
    let sentence = |text: &str| condition(&stage, METHOD, text).unwrap().0;
    assert_eq!(
        sentence("Bericht report.json liegt vor"),
        "the file `report.json` is there and complete: not empty, and readable as JSON"
    );
    assert_eq!(
        sentence("wenn die Datei \"a b\" vorliegt."),
        "the file `a b` is there and complete: not empty"
    );
    assert_eq!(
        sentence("a.txt is newer than 'b c.txt'"),
        "the file `a.txt` was changed later than `b c.txt`"
    );
    assert_eq!(
        sentence("wenn a.txt neuer als b.txt ist"),
        "the file `a.txt` was changed later than `b.txt`"
    );
}

#[test]
fn what_cannot_be_read_without_a_guess_is_refused() {
    let stage = compiled();
    for (text, piece) in [
        ("file a has digest sha256:abc", "sha256:abc"),
        (
            "file a has hash d41d8cd98f00b204e9800998ecf8427e",
            "d41d8cd98f00b204e9800998ecf8427e",
        ),
        ("files matching /etc/* exist", "/etc/*"),
        ("files matching ../*.rs exist", "../*.rs"),
    ] {
        assert_eq!(refusal(&stage, METHOD, text).1, piece);
    }
}

fn asks(stage: Stage, text: &str, word: &str, parts: &[&str]) {
    says(proven(&stage, METHOD, text, "wait"), word, parts);
}

/// A file of these bytes with a time of change.
fn changed(text: &str, mtime: i64) -> FileCase {
    FileCase {
        mtime,
        ..FileCase::text(text)
    }
}

#[test]
fn o_b16_evidence_is_the_content_and_not_size_and_time() {
    let text = format!("file v.txt has digest sha256:{}", digest(b"v2.0.0"));
    let with = |content| Stage::new().place("v.txt", changed(content, 7));
    asks(
        with("v1.0.0"),
        &text,
        "empty",
        &["another content", &digest(b"v1.0.0")],
    );
    asks(
        with("v2.0.0"),
        &text,
        "found",
        &["v.txt", &digest(b"v2.0.0")],
    );
    asks(
        with("v1.0.0"),
        "file v.txt exists",
        "found",
        &[&digest(b"v1.0.0")],
    );
    asks(
        with("v2.0.0"),
        "file v.txt exists",
        "found",
        &[&digest(b"v2.0.0")],
    );
}

#[test]
fn o_b17_a_file_that_is_empty_or_cut_off_is_not_there_yet() {
    let text = "Bericht report.json liegt vor";
    let with = |content| Stage::new().file("report.json", content);
    asks(with(""), text, "empty", &["report.json is empty"]);
    asks(with("{\"rows\": [1, 2"), text, "empty", &["half of it"]);
    asks(with("{\"rows\": [1, 2]}"), text, "found", &["sha256:"]);
    asks(
        Stage::new().file("a.txt", ""),
        "a.txt liegt vor",
        "empty",
        &["0 bytes"],
    );
    asks(
        Stage::new().file("a.txt", "{"),
        "a.txt liegt vor",
        "found",
        &[],
    );
    asks(Stage::new(), text, "empty", &["does not exist"]);
}

#[test]
fn o_b18_a_name_is_literal_unless_it_is_marked_as_a_pattern() {
    let stage = Stage::new().file("out[1]/report.md", "x");
    asks(
        stage.clone(),
        "file out[1]/report.md exists",
        "found",
        &["out[1]/report.md"],
    );
    asks(
        stage.clone(),
        "files matching out[1]/*.md exist",
        "found",
        &["1 file(s)"],
    );
    let stage = Stage::new().file("out/report.md", "x");
    asks(
        stage,
        "file out/*.md exists",
        "empty",
        &["letter by letter"],
    );
}

#[test]
fn o_b19_a_star_stays_in_its_folder() {
    let stage = Stage::new().file("src/a/b.rs", "x");
    asks(
        stage.clone(),
        "files matching src/*.rs exist",
        "empty",
        &["no file matches"],
    );
    asks(
        stage.clone(),
        "files matching src/**/*.rs exist",
        "found",
        &["1 file(s)"],
    );
    let stage = stage.file("src/c.rs", "");
    asks(
        stage,
        "files matching src/**/*.rs exist",
        "empty",
        &["src/c.rs is empty"],
    );
}

#[test]
fn o_b20_letters_of_other_code_points_count_once() {
    let (composed, apart) = ("\u{dc}bung.md", "U\u{308}bung.md");
    let text = format!("Datei {composed} liegt vor");
    let exact = Stage::new().file(composed, "exact").file(apart, "x");
    asks(exact, &text, "found", &[&digest(b"exact")]);
    let other = Stage::new().file(apart, "apart");
    asks(
        other,
        &text,
        "found",
        &[&digest(b"apart"), "spelled U\\u{308}bung.md"],
    );
    let text = "Datei \u{1e69} liegt vor";
    let both = Stage::new()
        .file("s\u{323}\u{307}", "x")
        .file("s\u{307}\u{323}", "x");
    asks(
        both,
        text,
        "unavailable",
        &["ambiguous", "s\\u{323}\\u{307}"],
    );
}

#[test]
fn what_nobody_could_look_at_is_not_missing() {
    let text = "file out/a.txt exists";
    asks(
        Stage::new(),
        text,
        "unavailable",
        &["folder out does not exist"],
    );
    let closed = Stage::new().place("out", Content::Unreadable.into());
    asks(closed, text, "unavailable", &["out"]);
    let closed = Stage::new().place("out/a.txt", Content::Unreadable.into());
    asks(closed, text, "unavailable", &["no permission"]);
    let pipe = Stage::new().place("out/a.txt", Content::Fifo.into());
    asks(pipe, text, "unavailable", &["FIFO"]);
    asks(
        Stage::new(),
        "file /etc/passwd exists",
        "unavailable",
        &["granted roots"],
    );
    let folder = Stage::new().file("out/a.txt/b", "x");
    asks(folder, text, "empty", &["is a folder"]);
}

#[test]
fn json_and_content_are_asked_of_bytes() {
    let bytes = |bytes: &[u8]| Stage::new().place("a.bin", Content::Bytes(bytes.to_vec()).into());
    asks(
        bytes(b"\xff\xfe"),
        "file a.bin exists",
        "found",
        &["2 bytes", &digest(b"\xff\xfe")],
    );
    asks(bytes(b"\xff\xfe"), "a.bin is not empty", "found", &[]);
    asks(bytes(b""), "a.bin ist nicht leer", "empty", &[]);
    asks(
        bytes(b"\xff\xfe"),
        "a.bin is valid JSON",
        "empty",
        &["UTF-8"],
    );
    asks(bytes(b"[1]"), "a.bin is valid JSON", "found", &[]);
    asks(
        bytes(b"{\"a\":1,\"a\":2}"),
        "a.bin is valid JSON",
        "empty",
        &["twice"],
    );
}

#[test]
fn newer_is_later_and_not_equal() {
    let stage = |mine, its| {
        let stage = Stage::new().place("a.txt", changed("a", mine));
        stage.place("b.txt", changed("b", its))
    };
    let text = "a.txt is newer than b.txt";
    asks(stage(2, 1), text, "found", &[&digest(b"a"), &digest(b"b")]);
    asks(stage(1, 1), text, "empty", &["same instant"]);
    asks(stage(1, 2), text, "empty", &["older"]);
    asks(
        Stage::new().file("a.txt", "a"),
        text,
        "unavailable",
        &["nothing to compare"],
    );
}

#[test]
fn evidence_that_may_change_is_proven_anew() {
    let scripts = Scripts::built_in();
    let fresh = |method: &str| {
        let script = scripts.script(&format!("probes/proofs/{method}")).unwrap();
        script.meta.fresh_for.clone()
    };
    for method in ["file", "task", "gate"] {
        assert_eq!(fresh(method).as_deref(), Some("0s"), "{method}");
    }
    for method in ["time", "process", "consent"] {
        assert_eq!(fresh(method), None, "{method}");
    }
}

#[test]
fn a_literal_name_can_be_watched() {
    let stage = compiled();
    let watch = |text: &str| condition(&stage, METHOD, text).unwrap().1["watch"].clone();
    let hashed = format!("out/a has digest sha256:{}", digest(b"x"));
    for (text, path) in [
        ("file Makefile exists", "Makefile"),
        ("Bericht ./out//report.json liegt vor", "./out//report.json"),
        ("file 'my report.txt' exists", "my report.txt"),
        ("file out/*.md exists", "out/*.md"),
        ("/srv/a.txt is not empty", "/srv/a.txt"),
        ("a.json is valid JSON", "a.json"),
        ("out/a is newer than src/b", "out/a"),
        (&hashed, "out/a"),
    ] {
        assert_eq!(watch(text), json!(path), "{text}");
    }
    for text in ["files matching out/*.md exist", "~/a.txt exists"] {
        assert_eq!(watch(text), json!(null), "{text}");
    }
}

#[test]
fn d09_a_sentence_that_denies_is_refused_and_its_word_is_no_name() {
    let stage = compiled();
    for (text, word) in [
        ("file not exists", "not"),
        ("file a.txt not exists", "not"),
        ("file a.txt does not exist", "does not"),
        ("file a.txt doesn't exist.", "doesn't"),
        ("a.txt isn't there", "isn't"),
        ("file a.txt is not there", "not"),
        ("file a.txt never exists", "never"),
        ("no file a.txt exists", "no"),
        ("Datei nicht vorhanden", "nicht"),
        ("die Datei NICHT liegt vor", "NICHT"),
        ("Datei a.txt liegt nicht vor", "nicht"),
        ("wenn die Datei 'a b' noch nicht vorliegt", "noch nicht"),
        ("a.txt existiert nicht.", "nicht"),
        ("Datei a.txt existiert nicht mehr", "nicht mehr"),
        ("keine Datei a.txt vorhanden", "keine"),
        ("a.json ist kein gültiges JSON", "kein"),
        ("a.json is not valid JSON", "not"),
        ("a.txt is not newer than b.txt", "not"),
        ("a.txt is newer than not", "not"),
        ("files matching src/*.rs do not exist", "do not"),
        ("files matching not exist", "not"),
        ("Dateien nach Muster nicht liegen vor", "nicht"),
    ] {
        let (why, piece) = refusal(&stage, METHOD, text);
        assert!(why.contains("something is not so"), "{text}: {why}");
        assert_eq!(piece, word, "{text}");
    }
    for (text, path) in [
        ("file 'not' exists", "not"),
        ("Datei \"nicht\" vorhanden", "nicht"),
        ("file not.txt exists", "not.txt"),
        ("file `does not` is not empty", "does not"),
    ] {
        let (_, params) = condition(&stage, METHOD, text).unwrap();
        assert_eq!(params["path"], path, "{text}");
    }
}

#[test]
fn d10_every_spelling_of_a_name_has_one_rule() {
    let stage = compiled();
    for name in ["h.json/", "./g.json/.", "out/", "g.json//", "/", ".."] {
        let (why, piece) = refusal(&stage, METHOD, &format!("file {name} exists"));
        assert!(why.contains("names a folder"), "{name}: {why}");
        assert_eq!(piece, name);
    }
    let (_, piece) = refusal(&stage, METHOD, "a.txt is newer than b.txt/");
    assert_eq!(piece, "b.txt/");
    let (_, piece) = refusal(&stage, METHOD, "file h.js\\x6fn exists");
    assert_eq!(piece, "h.js\\x6fn");

    let half = Stage::new().file("out/h.json", "{");
    for name in ["out/h.json", "./out/h.json", "out//h.json", "out/./h.json"] {
        let text = format!("file {name} exists");
        let (sentence, _) = condition(&stage, METHOD, &text).unwrap();
        assert!(sentence.contains("readable as JSON"), "{sentence}");
        asks(half.clone(), &text, "empty", &["half of it"]);
    }
    // A gate that was opened before such names were refused.
    for name in ["out/h.json/", "./out/h.json/."] {
        let params = json!({ "asks": "complete", "path": name });
        let done = half.prove(METHOD, proofs::gate(params.clone(), "only"));
        says(proofs::said(&done), "empty", &["half of it"]);
        let gone = Stage::new().place("out", support::folder());
        let done = gone.prove(METHOD, proofs::gate(params, "only"));
        says(proofs::said(&done), "empty", &["does not exist"]);
    }
}
