//! What the work probes need of the host API, asked through a script as a site would write it.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod support;

use serde_json::json;
use support::Stage;

/// The `why` of a probe that looks at the root and answers with the value of an expression.
fn say(body: &str, expression: &str) -> String {
    let script = format!(
        "const META = #{{ api: 1, about: \"test\" }};\n\
         fn look(ctx) {{ fs::list(\".\"); {body}; unavailable(`${{{expression}}}`) }}"
    );
    let mut stage = Stage::new()
        .file(
            "t/T-20261130-1_slug.to-dev.claim-HOSTB.txt",
            "TITLE: a\n\nfirst\n",
        )
        .file("t/b.txt", "\n  hello \n")
        .file("t/~x", "")
        .script("probes/work/probe", &script);
    stage
        .settings
        .insert("probes/work/probe".to_string(), json!({ "path": "t" }));
    stage.look("probe").why
}

#[test]
fn handles_of_tickets() {
    let heads = "let h = fs::heads(\"t\", \"\", [\"TITLE\", \"X\"])";
    let item = "item(#{ id: i, title: i, at: i, kind: \"k\" })";
    let table = [
        (
            "let n = text::ticket_name(\"T-20261130-1_s.to-dev.via-x.claim-H.txt\")",
            "[n.id, n.slug, n.to, n.via, n.claim]",
            "[\"T-20261130-1\", \"s\", \"dev\", \"x\", \"H\"]",
        ),
        (
            "let n = text::ticket_name(\"notiz.txt\")",
            "n == ()",
            "true",
        ),
        (
            "let s = text::ticket_status(\"BLOCKED/lock (since 2026-11-01)\")",
            "[s.ok, s.cluster, s.sub, s.since, s.why]",
            "[true, \"BLOCKED\", \"lock\", \"2026-11-01\", \"\"]",
        ),
        (
            "let s = text::ticket_status(\"BLOCKED\")",
            "`${s.ok} ${s.why}`",
            "false cluster BLOCKED needs one of host-receipt, foreign-state, lock, quota, dependency, found ``",
        ),
        (
            heads,
            "[h.files.len, h.tickets.len, h.others.len, h.has(\"b.txt\"), h.has(\"c\")]",
            "[3, 1, 2, true, false]",
        ),
        (
            heads,
            "h.files.first.at + h.files.first.claim + h.files.first.ticket.slug",
            "t/T-20261130-1_slug.to-dev.claim-HOSTB.txtHOSTBslug",
        ),
        (
            heads,
            "h.files.first.first_of([\"X\", \"TITLE\"]) ?? \"none\"",
            "a",
        ),
        (heads, "h.others.first.first_line", "hello"),
        (
            "let h = fs::heads(\"t\", \"\", []).without([\"^~\"])",
            "[h.files.len, h.passed_over]",
            "[2, 1]",
        ),
        (
            heads,
            "h.tickets.to_items(#{ kind: \"k\", title: [\"TITLE\"] }).first.title",
            "a",
        ),
        (heads, "h.files.first.first_of([\"Y\"])", "none of the keys"),
        (
            heads,
            "h.tickets.to_items(#{ kind: \"k\", title: [\"Y\"] })",
            "none of the keys",
        ),
        (
            heads,
            "h.tickets.to_items(#{ kin: \"k\" })",
            "did you mean `kind`",
        ),
        (
            heads,
            "h.tickets.to_items(#{ kind: \"k\", words: #{ high: 12 } })",
            "numbers 0 to 9",
        ),
        (
            heads,
            "(h.files + [1]).to_items(#{ kind: \"k\" })",
            "takes heads, got the number `1`",
        ),
        (
            "let h = fs::heads(\"gone\", \"\", [])",
            "h.files",
            "does not exist",
        ),
        (
            "let p = text::ticket_name(\"x\"); let l = fs::list(\"t\").entries.parted(|e| e.name == \"b.txt\")",
            "[l[0].len, l[1].len]",
            "[1, 2]",
        ),
        (
            "let l = fs::list(\"t\").entries.map_items(|e| 1)",
            "l.unique",
            "lists of items, got the number `1`",
        ),
    ];
    for (body, expression, expected) in table {
        let said = say(body, expression);
        assert!(
            said.ends_with(expected) || said.contains(expected),
            "{expression}: {said}"
        );
    }
    let ids = format!(
        "let ids = fs::list(\"t\").entries.map_items(|e| \"a\"); let l = ids.map_items(|i| {item}) + [\"b\"].map(|i| {item})"
    );
    assert_eq!(
        say(&ids, "[l.unique.len, l.repeated.len, l.unique.first.id]"),
        "[1, 3, \"b\"]"
    );
}

#[test]
fn options_durations_and_texts() {
    let table = [
        ("", "ctx.options(#{ path: \"x\", more: 1 }).path", "t"),
        ("", "ctx.options(#{ path: \"x\", more: 1 }).more", "1"),
        ("", "ctx.options(#{ pat: \"x\" })", "did you mean `pat`"),
        (
            "",
            "ctx.options(#{ path: [] })",
            "`path` must be like a list, got a text",
        ),
        ("", "time::seconds(\"1h30m\")", "5400"),
        ("", "time::seconds(\"soon\")", "`soon` is no duration"),
        ("", "ctx.now.plus_seconds(60) - ctx.now", "60"),
        (
            "let t = fs::read(\"t/b.txt\").text",
            "t.first_lines(1).is_blank",
            "true",
        ),
        (
            "let t = fs::read(\"t/b.txt\").text",
            "t.first_lines(9).contains(\"hello\")",
            "true",
        ),
        (
            "let t = fs::read(\"t/b.txt\").text",
            "t.first_lines(-1).len",
            "0",
        ),
        ("", "text::matches_any(\"abc\", [\"^b\", \"c$\"])", "true"),
        ("", "text::matches_any(\"abc\", [])", "false"),
        ("", "text::matches_any(\"abc\", [\"(\"])", "cannot be used"),
        ("", "fs::list(\".\").non_files.first.name", "t"),
        (
            "let t = md::tasks(\"- [ ] a\\n- [x] a\\n\")",
            "t.last.id == t.first.id + \"-2\"",
            "true",
        ),
    ];
    for (body, expression, expected) in table {
        let said = say(body, expression);
        assert!(said.contains(expected), "{expression}: {said}");
    }
}
