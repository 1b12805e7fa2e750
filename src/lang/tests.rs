//! Unit tests of the reader, and the words that they use.

use super::*;
use crate::model::gate::Mode;

/// The words of the shipped table, as far as the tests need them. `tests/lang_words.rs` reads
/// the table itself.
pub(super) fn built_in() -> Words {
    let row = |mode, timing, about: &str| Word {
        mode,
        timing,
        numbered: false,
        says: None,
        method: None,
        about: about.to_string(),
    };
    let mut condition = row(Mode::Wait, Timing::Condition, "");
    condition.numbered = true;
    let mut after = row(Mode::Wait, Timing::Duration, "");
    after.says = Some("after".to_string());
    after.method = Some("time".to_string());
    let mut consent = row(Mode::Only, Timing::Condition, "");
    consent.says = Some("der User stimmt zu".to_string());
    let words = [
        ("/condition", condition),
        ("/if", row(Mode::Wait, Timing::Condition, "")),
        ("/when", row(Mode::Wait, Timing::Event, "")),
        ("/if-only", row(Mode::Only, Timing::Condition, "")),
        ("/after", after),
        ("/freigabe", consent),
    ];
    let phrase = |word: &str, condition| Phrase {
        word: word.to_string(),
        condition,
    };
    let list = |list: &[&str]| list.iter().map(|word| word.to_string()).collect();
    Words {
        words: words.map(|(word, row)| (word.to_string(), row)).into(),
        joins: [("/and", Join::And), ("/or", Join::Or)]
            .map(|(word, join)| (word.to_string(), join))
            .into(),
        arrows: list(&["->", "-->", "=>", "\u{2192}", "\u{2013}>"]),
        references: list(&["condition", "bedingung"]),
        irreversible: list(&["lösch", "rm -rf"]),
        unclear: list(&["bald", "looks good"]),
        phrases: [
            ("erst wenn", phrase("/condition", Side::After)),
            ("sobald", phrase("/when", Side::After)),
            ("nur falls", phrase("/if-only", Side::After)),
            ("danach", phrase("/condition", Side::Before)),
            ("only if", phrase("/if-only", Side::After)),
        ]
        .map(|(text, phrase)| (text.to_string(), phrase))
        .into(),
        methods: list(&["time"]),
    }
}

/// What a text says, printed; faults as code and sentence.
fn told(text: &str) -> (Vec<String>, Vec<String>) {
    let reading = read("prompt", text, &built_in());
    let statements = reading.statements.iter().map(Statement::to_string);
    let faults = reading.faults.iter();
    let faults = faults.map(|fault| format!("{}: {}", fault.code().text(), fault.message()));
    (statements.collect(), faults.collect())
}

fn statements(text: &str) -> Vec<String> {
    let (statements, faults) = told(text);
    assert!(faults.is_empty(), "{text}: {faults:?}");
    statements
}

fn codes(text: &str) -> Vec<&'static str> {
    let reading = read("prompt", text, &built_in());
    assert!(reading.statements.is_empty(), "{text}");
    reading.faults.iter().map(|f| f.code().text()).collect()
}

#[test]
fn statements_are_read_and_printed() {
    for (text, expected) in [
        ("/if a -> b", "/if a -> b"),
        ("  - [ ] /IF-Only  a\tb->c  d ", "/if-only a b -> c d"),
        ("1. /when a /and b -> c", "/when a /and b -> c"),
        ("3) /if (a /or b) /AND c -> d", "/if (a /or b) /and c -> d"),
        ("/if ((a)) -> d", "/if a -> d"),
        ("/if (a /and b) /and c -> d", "/if a /and b /and c -> d"),
        ("/if (a) b -> d", "/if (a) b -> d"),
        ("/if a (b) (c) -> d)", "/if a (b) (c) -> d)"),
        ("/if a\n  /and b\n  -> c", "/if a /and b -> c"),
        ("/if a <!-- x -> y --> -> c <!-- z -->", "/if a -> c"),
        ("<!-- note --> /if a -> c", "/if a -> c"),
        ("\u{feff}/if a -> c", "/if a -> c"),
        ("/condition 2: a -> c", "/condition a -> c"),
        ("/condition (2 a) -> c", "/condition (2 a) -> c"),
        ("/condition time 16:00 -> c", "/condition time 16:00 -> c"),
        ("/condition 16:00 Uhr -> c", "/condition 16:00 Uhr -> c"),
        ("/after 30 minutes -> c", "/after 30 minutes -> c"),
        ("/after after 30 minutes -> c", "/after 30 minutes -> c"),
        ("/freigabe -> c", "/freigabe -> c"),
        ("/freigabe schriftlich -> c", "/freigabe schriftlich -> c"),
        ("/if \"condition 1\" -> c", "/if \"condition 1\" -> c"),
        ("/if a -> \"b -> c\" /tmp", "/if a -> \"b -> c\" /tmp"),
    ] {
        assert_eq!(statements(text), [expected], "{text}");
        assert_eq!(statements(expected), [expected], "{expected}");
    }
}

#[test]
fn what_is_no_statement_is_nothing() {
    for text in [
        "",
        "Text mit /if a",
        "Text mit `/if a -> b` und /tmp -> b",
        "> /if a -> b",
        "`/if a -> b`",
        "/if, /when und /after",
        "/after/effects.md -> lesen",
        "/etc/hosts -> x",
        "/tmp",
        "/iffy Sache",
        "    /if a -> b",
        "~~~\n/if a -> b\n~~~",
        "<!--\n/if a -> b\n-->",
        "-> b",
        "\\if a",
    ] {
        assert_eq!(told(text), (Vec::new(), Vec::new()), "{text}");
    }
}

#[test]
fn list_items_are_no_code() {
    assert_eq!(
        statements("- a\n    - b\n\n      /if c -> d\n"),
        ["/if c -> d"]
    );
    assert_eq!(statements("1. a\n\n    /if c -> d\n"), ["/if c -> d"]);
}

#[test]
fn every_way_to_be_wrong_is_told() {
    for (text, expected) in [
        ("/if", "lang::condition"),
        ("/if -> b", "lang::condition"),
        ("/after -> b", "lang::condition"),
        ("/after after -> b", "lang::condition"),
        ("/condition 1 -> b", "lang::condition"),
        ("/condition 1-> b", "lang::condition"),
        ("/if a", "lang::step"),
        ("/if a ->", "lang::step"),
        ("/if a -> b -> c", "lang::arrow"),
        ("/if a \"b -> c", "lang::quote"),
        ("/if a\u{1b}b -> c", "lang::control"),
        ("/if a\u{202e}b -> c", "lang::control"),
        ("/and a", "lang::join"),
        ("- /or a", "lang::join"),
        ("/if a /adn b -> c", "lang::join"),
        ("/if a -> b /and c", "lang::join"),
        ("/if a /and -> b", "lang::operand"),
        ("/if /and a -> b", "lang::operand"),
        ("/if a /and /and c -> b", "lang::operand"),
        ("/if () -> b", "lang::operand"),
        ("/if (a /and) -> b", "lang::operand"),
        ("/if a /and b /or c -> d", "lang::mixed"),
        ("/if (a /and b /or c) /or e -> d", "lang::mixed"),
        ("/if (a -> b", "lang::group"),
        ("/if a) -> b", "lang::group"),
        ("/if a (b /and c) -> d", "lang::group"),
        ("/if (a /and b) c -> d", "lang::group"),
        ("/if a /if b -> c", "lang::second"),
        ("/if condition 1 -> c", "lang::undefined"),
        ("/if condition 99999999999 -> c", "lang::undefined"),
        ("/condition 1 condition 1 -> c", "lang::circle"),
        ("/condition 1 a", "lang::unused"),
        ("/after condition 1 -> c", "lang::reference"),
        ("/iffy a -> b", "lang::word"),
        ("/deploy a -> b", "lang::word"),
        ("\u{ff0f}if a", "lang::word"),
        ("**/if** a -> b", "lang::word"),
        ("/if->b", "lang::word"),
        ("Text mit /if a -> b", "lang::word"),
        ("\"/if a -> b\"", "lang::word"),
        ("/if a ->> b", "lang::arrow"),
        ("/if a /and->b", "lang::operand"),
    ] {
        assert_eq!(codes(text), [expected], "{text}");
    }
}

#[test]
fn every_fault_says_that_the_step_is_not_protected() {
    let text = "/if\n/if a -> b -> c\n/iffy a -> b\n/and a\n/condition 1 a\n/if condition 2 -> c\n";
    let reading = read("prompt", text, &built_in());
    assert_eq!(reading.faults.len(), 6);
    for fault in &reading.faults {
        let help = fault.help_text().unwrap_or_default();
        assert!(help.contains("nothing was stored; the step is not protected"));
    }
}

#[test]
fn a_statement_goes_on_only_while_it_has_no_step() {
    assert_eq!(codes("/if a\n\n-> b"), ["lang::step"]);
    let (good, bad) = told("/if a -> b\n/and c");
    assert_eq!((good.len(), bad.len()), (1, 1));
    assert_eq!(
        statements("/condition 1 a\n  /or b\n/if condition 1 /and c\n-> d"),
        ["/if (a /or b) /and c -> d"]
    );
}

#[test]
fn references_are_put_in_and_keep_their_number() {
    let text = "/if Bedingung 2 /and c -> d\n/condition 1 a\n/condition 2 condition 1 /and b\n";
    let reading = read("prompt", text, &built_in());
    assert!(reading.faults.is_empty());
    let atoms = reading.statements[0].expr.atoms();
    let told: Vec<_> = atoms.iter().map(|a| (a.text.as_str(), a.label)).collect();
    assert_eq!(told, [("a", Some(1)), ("b", Some(2)), ("c", None)]);
    assert_eq!(text.get(atoms[0].span.clone()), Some("a"));
}

#[test]
fn a_fault_elsewhere_does_not_call_a_number_unused() {
    let text = "/condition 1 a\n/if condition 1 /and b /or c -> d";
    assert_eq!(codes(text), ["lang::mixed"]);
}

#[test]
fn what_refers_to_what_cannot_grow_without_end() {
    let mut text = String::from("/condition 1 a /and b\n");
    for number in 2..40 {
        let before = number - 1;
        text.push_str(&format!(
            "/condition {number} condition {before} /and condition {before}\n"
        ));
    }
    text.push_str("/if condition 39 -> c\n");
    assert_eq!(codes(&text), ["lang::bounds"]);
    let mut chain = String::from("/condition 1 a\n");
    for number in 2..900 {
        chain.push_str(&format!("/condition {number} condition {}\n", number - 1));
    }
    chain.push_str("/if condition 899 -> c\n");
    assert_eq!(statements(&chain), ["/if a -> c"]);
}

#[test]
fn bounds_are_kept() {
    let many = |count: usize| format!("/if {}a -> b", "a /and ".repeat(count - 1));
    assert_eq!(statements(&many(64)).len(), 1);
    assert_eq!(codes(&many(65)), ["lang::bounds"]);
    let deep = |levels: usize| format!("/if {}a{} -> b", "(".repeat(levels), ")".repeat(levels));
    assert_eq!(statements(&deep(16)).len(), 1);
    assert_eq!(codes(&deep(17)), ["lang::bounds"]);
    let long = |condition: usize, step: usize| {
        format!("/if {} -> {}", "ä".repeat(condition), "b".repeat(step))
    };
    assert_eq!(statements(&long(2000, 2000)).len(), 1);
    assert_eq!(codes(&long(2001, 1)), ["lang::bounds"]);
    assert_eq!(codes(&long(1, 2001)), ["lang::bounds"]);
    let lines = "/if a -> b\n".repeat(1025);
    let reading = read("prompt", &lines, &built_in());
    assert_eq!((reading.statements.len(), reading.faults.len()), (1024, 1));
    let wrong = read("prompt", &"/if a\n".repeat(300), &built_in());
    assert_eq!(wrong.faults.len(), 101);
}

#[test]
fn one_text_may_stand_without_a_word() {
    let one = |text: &str| {
        let reading = read_one("TEXT", text, &built_in());
        let statements = reading.statements.iter().map(Statement::to_string);
        let codes = reading.faults.iter().map(|f| f.code().text());
        statements
            .chain(codes.map(str::to_string))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        one("Tests grün -> mergen"),
        ["/condition Tests grün -> mergen"]
    );
    assert_eq!(one("2 Reviews da -> x"), ["/condition (2 Reviews da) -> x"]);
    assert_eq!(one("a\n/and b -> c"), ["lang::join"]);
    assert_eq!(one("a /and\nb -> c"), ["/condition a /and b -> c"]);
    assert_eq!(one("- a -> c"), ["/condition a -> c"]);
    assert_eq!(one("/when a -> c"), ["/when a -> c"]);
    assert_eq!(one("a -> b -> c"), ["lang::arrow"]);
    assert_eq!(one("see /if b -> c"), ["lang::word"]);
    for nothing in ["", "Tests grün", "> a -> b", "`a -> b`"] {
        assert_eq!(one(nothing), ["lang::nothing"], "{nothing}");
    }
}

#[test]
fn sentences_become_suggestions() {
    let text = "Merge erst wenn die Tests\ngrün sind. Sobald der Export fertig ist, Bericht prüfen.\n\
        - Tests laufen lassen, danach mergen\n\n    code, sobald a -> b\n\n/if a -> b\nNur falls nötig!\n";
    let found = prose(text, &built_in());
    let told: Vec<&str> = found.iter().map(|s| s.statement.as_str()).collect();
    assert_eq!(
        told,
        [
            "/condition die Tests grün sind -> Merge",
            "/when der Export fertig ist -> Bericht prüfen",
            "/condition Tests laufen lassen -> mergen",
            "/if-only nötig -> ...",
        ]
    );
    assert_eq!(found[0].because, "erst wenn");
    assert_eq!(text.get(found[3].span.clone()), Some("Nur falls nötig"));
}

#[test]
fn a_broken_table_is_told() {
    assert_eq!(built_in().check(), Ok(()));
    type Break = fn(&mut Words);
    let breaks: [(&str, Break); 8] = [
        ("WORDS", |w| drop(w.words.remove("/condition"))),
        ("WORDS", |w| {
            let row = w.words.get("/if").cloned().unwrap();
            w.words.insert("if".to_string(), row);
        }),
        ("WORDS", |w| {
            let row = w.words.get("/if").cloned().unwrap();
            w.words.insert("/and".to_string(), row);
        }),
        ("WORDS", |w| {
            w.words.get_mut("/after").unwrap().says = Some("after ->".to_string());
        }),
        ("JOINS", |w| {
            w.joins.remove("/or");
        }),
        ("ARROWS", |w| w.arrows.push(" ".to_string())),
        ("REFERENCES", |w| w.references.push("a b".to_string())),
        ("PHRASES", |w| {
            let row = Phrase {
                word: "/no".to_string(),
                condition: Side::After,
            };
            w.phrases.insert("x".to_string(), row);
        }),
    ];
    for (table, breaks) in breaks {
        let mut words = built_in();
        breaks(&mut words);
        assert_eq!(words.check().unwrap_err().0, table);
    }
}

#[test]
fn vague_and_irreversible_words_are_found() {
    let words = built_in();
    assert_eq!(words.irreversible_in("Altbestand Löschen"), Some("lösch"));
    assert_eq!(words.irreversible_in("lesen"), None);
    assert_eq!(words.unclear_in("Build, bald?"), Some("bald"));
    assert_eq!(words.unclear_in("code Looks  good."), Some("looks good"));
    assert_eq!(words.unclear_in("sobald fertig"), None);
}

/// The same documents in every run; `BELEGT_LONG` tries others, and more of them.
pub(super) fn seed() -> proptest::test_runner::RngSeed {
    use proptest::test_runner::RngSeed;
    match std::env::var_os("BELEGT_LONG") {
        Some(_) => RngSeed::Random,
        None => RngSeed::Fixed(0x5eed),
    }
}

/// How many cases a property is tried on.
pub(super) fn cases(few: u32) -> u32 {
    match std::env::var_os("BELEGT_LONG") {
        Some(_) => few * 100,
        None => few,
    }
}
