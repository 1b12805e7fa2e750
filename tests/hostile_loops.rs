//! L5: a script that does not end, or calls too deeply, is stopped in its script time and is
//! unavailable, wherever the loop stands.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail"
)]

#[path = "support/hostile.rs"]
mod hostile;
mod support;

use std::time::{Duration, Instant};

use belegt::model::status::Status;
use belegt::world::fixture::{CommandCase, Outcome as Ran};
use hostile::{META, all_refused, case, look, quiet, timed, whole, with};
use support::Stage;

const LINES: &str = "let lines = fs::read(\"lines.md\").text.lines;\n";

fn stage() -> Stage {
    let lines: String = (0..500).map(|n| format!("line {n}\n")).collect();
    quiet().file("lines.md", &lines).file("there.md", "x")
}

#[test]
fn endless_loops_end_with_the_script_time() {
    // Two seconds or ten million steps, whichever comes first; the place is the entry, since
    // the engine forgets the line of a stop.
    let used = "used up its script time of ";
    all_refused(
        stage(),
        &[
            case("plain", "loop { }\nempty(\"x\")", used, 2),
            case(
                "counting",
                "let n = 0;\nwhile true { n += 1; if n > 1000 { n = 0; } }",
                used,
                2,
            ),
            case("until", "do { } until false;", used, 2),
            case(
                "nested",
                "for a in 0..1000000 { for b in 0..1000000 { let c = a; } }",
                used,
                2,
            ),
            case(
                "range",
                "for n in range(0, 9223372036854775807) { }",
                used,
                2,
            ),
            case(
                "steps",
                "for n in range(0.0, 1.0, 0.0000000000001) { }",
                used,
                2,
            ),
            case(
                "keep",
                &format!("{LINES}lines.keep(|l| {{ loop {{ }} }});"),
                used,
                2,
            ),
            case(
                "map_items",
                &format!("{LINES}lines.map_items(|l| {{ loop {{ }} }});"),
                used,
                2,
            ),
            case(
                "count",
                &format!("{LINES}lines.count(|l| {{ loop {{ }} }});"),
                used,
                2,
            ),
            case(
                "any",
                &format!("{LINES}lines.any(|l| {{ loop {{ }} }});"),
                used,
                2,
            ),
            case("filter", "[1].filter(|x| { loop { } });", used, 3),
            case("map", "[1].map(|x| { loop { } });", used, 3),
            case("reduce", "[1].reduce(|a, b| { loop { } });", used, 3),
            case(
                "sort",
                "let a = [2, 1];\nloop { a.sort(|x, y| 0); }",
                used,
                2,
            ),
            case(
                "sorting",
                "let a = []; for n in 0..500 { a.push(n); }\nloop { a.sort(); }",
                used,
                2,
            ),
            case(
                "comparing",
                "let a = []; for n in 0..1500 { a.push(n); }\nloop { let b = a == a; }",
                used,
                2,
            ),
            case(
                "joining",
                "let a = []; for n in 0..900 { a.push(n); }\nloop { let b = a + a; }",
                used,
                2,
            ),
            case(
                "capturing",
                "let f = |x| 1; let n = 0;\nloop { n += 1; let g = f; f = |x| g.call(x + n); }",
                used,
                2,
            ),
            case(
                "pattern",
                "let t = \"a\"; for n in 0..14 { t += t; }\nloop { text::matches(t, \"(a|aa)*b\"); }",
                used,
                2,
            ),
            case(
                "compiling",
                "let n = 0;\nloop { n += 1; text::matches(\"a\", `(\\\\w{20}){20}${n}`); }",
                used,
                2,
            ),
            case(
                "asking",
                "loop { fs::read(\"there.md\"); }",
                "looked more than 10000 times",
                2,
            ),
            case(
                "recompiling",
                "loop { import \"probes/work/plain\" as other; }",
                "too many modules imported",
                2,
            ),
        ],
    );
}

#[test]
fn endless_recursion_is_too_deep() {
    let deep = "calls are nested too deeply";
    let stage = with(
        stage(),
        "probes/lib/deep",
        &format!("{META}fn down(n) {{ if n == 0 {{ return 1; }} down(n - 1) }}"),
    );
    all_refused(
        stage,
        &[
            whole(
                "plain",
                "fn look(ctx) { deeper() }\nfn deeper() { deeper() }",
                deep,
                2,
            ),
            whole("self", "fn look(ctx) {\n look(ctx) }", deep, 2),
            whole(
                "pair",
                "fn look(ctx) { a(1) }\nfn a(n) { b(n) }\nfn b(n) { a(n) }",
                deep,
                0,
            ),
            case("closure", "let f = |g| g.call(g);\nf.call(f)", deep, 0),
            whole(
                "map",
                "fn look(ctx) { a(1) }\nfn a(n) { [n].map(|x| a(x)) }",
                deep,
                3,
            ),
            whole(
                "keep",
                &format!(
                    "fn look(ctx) {{ {LINES} a(lines) }}\nfn a(lines) {{ let copy = lines; lines.keep(|x| a(copy)) }}"
                ),
                deep,
                0,
            ),
            case(
                "race",
                &format!("{LINES}lines.keep(|x| lines.len > 3)"),
                "a closure uses the value on which `keep` is just called",
                2,
            ),
            whole(
                "pointer",
                "fn look(ctx) { Fn(\"look\").call(ctx) }",
                deep,
                2,
            ),
            case(
                "imported",
                "import \"probes/lib/deep\" as deep;\ndeep::down(1000)",
                deep,
                0,
            ),
            whole(
                "sort",
                "fn look(ctx) { a() }\nfn a() { let l = [2, 1];\n l.sort(|x, y| a()); }",
                deep,
                0,
            ),
        ],
    );
}

#[test]
fn modules_that_load_each_other_do_not_add_up_to_a_deep_stack() {
    // Each module calls itself as deeply as it may, and then loads the next one.
    let mut stage = stage();
    for n in 0..60 {
        let next = format!(
            "import \"probes/lib/m{}\" as next; next::down{}(25)",
            n + 1,
            n + 1
        );
        let text =
            format!("{META}fn down{n}(n) {{ if n > 0 {{ return down{n}(n - 1); }} {next} }}");
        stage = with(stage, &format!("probes/lib/m{n}"), &text);
    }
    all_refused(
        stage,
        &[case(
            "tower",
            "import \"probes/lib/m0\" as m;\nm::down0(25)",
            "calls are nested too deeply",
            0,
        )],
    );
}

#[test]
fn a_command_that_hangs_ends_at_the_deadline() {
    let argv = vec!["usmc".to_string()];
    let hangs = CommandCase {
        argv,
        prefix: true,
        outcome: Ran::Hangs,
        delay: 0,
    };
    let slow = CommandCase {
        argv: vec!["git".to_string(), "log".to_string()],
        prefix: true,
        outcome: Ran::Ran {
            status: 0,
            stdout: "x".to_string(),
            stderr: String::new(),
        },
        delay: 60_000,
    };
    let short = "const META = #{ api: 1, about: \"x\", within: \"1s\" };\n";
    let mut late = whole("late", "", "was not done when its deadline passed", 2);
    late.text =
        format!("{short}fn look(ctx) {{ cmd::run([\"git\", \"log\"]);\nempty(\"nothing\") }}\n");
    let stage = stage().command(hangs).command(slow);
    let outcome = all_refused(
        stage,
        &[
            case(
                "hangs",
                "cmd::run([\"usmc\", \"working\"]);\nempty(\"nothing\")",
                "answered without looking",
                4,
            ),
            case(
                "reads",
                "let run = cmd::run([\"usmc\", \"working\"]);\nif run.stdout.is_blank { return empty(\"x\"); }",
                "did not end before its deadline",
                4,
            ),
            late,
        ],
    );
    let late = outcome
        .calls
        .iter()
        .find(|c| c.script.contains("late"))
        .unwrap();
    assert!(
        late.micros >= 1_000_000 && late.micros < 1_500_000,
        "{}",
        late.micros
    );
}

#[test]
fn a_loop_that_waits_for_the_world_ends_at_the_deadline() {
    let slow = CommandCase {
        argv: vec!["git".to_string()],
        prefix: true,
        outcome: Ran::Ran {
            status: 0,
            stdout: "x".to_string(),
            stderr: String::new(),
        },
        delay: 50,
    };
    let text = "const META = #{ api: 1, about: \"x\", within: \"1s\" };\nfn look(ctx) { let n = 0;\nloop { n += 1; cmd::run([\"git\", `${n}`]); } }\n";
    let mut one = case("waiting", "", "was not done when its deadline passed", 2);
    one.text = text.to_string();
    all_refused(stage().command(slow), &[one]);
}

#[test]
fn four_probes_that_wait_answer_side_by_side() {
    // Together less than two of them in a row; the waits are long beside what a busy machine
    // adds. `benches/speed.rs` has the figure.
    let mut stage = quiet();
    for n in 0..4 {
        let argv = vec!["git".to_string(), format!("{n}")];
        let outcome = Ran::Ran {
            status: 0,
            stdout: String::new(),
            stderr: String::new(),
        };
        stage = stage.command(CommandCase {
            argv,
            prefix: false,
            outcome,
            delay: 1500,
        });
        let text = look(&format!("cmd::run([\"git\", \"{n}\"]); empty(\"nothing\")"));
        stage = with(stage, &format!("probes/work/slow{n}"), &text);
    }
    let began = Instant::now();
    let outcome = stage.tick();
    let took = began.elapsed();
    assert_eq!(outcome.signal.to_string(), hostile::EXHAUSTED);
    assert!(
        took >= Duration::from_millis(1500) && took < Duration::from_millis(3000),
        "{took:?}"
    );
}

#[test]
fn many_probes_are_asked_all_the_same() {
    let mut stage = quiet().file("there.md", "x");
    for n in 0..300 {
        stage = stage.script(
            &format!("probes/work/w{n}"),
            &look("fs::read(\"there.md\"); empty(\"x\")"),
        );
    }
    let outcome = timed(&stage);
    assert_eq!(outcome.signal.to_string(), hostile::EXHAUSTED);
    assert_eq!(
        outcome
            .work
            .iter()
            .filter(|w| w.status == Status::Empty)
            .count(),
        300
    );
}
