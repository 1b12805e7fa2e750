//! L5: patterns that are too big or too slow. A pattern over a long text goes on without its
//! script until the process ends, so these tests have a process of their own.
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

use hostile::{all_refused, case, look, quiet, timed, with};

#[test]
fn patterns_are_bounded() {
    let long = format!("text::matches(\"x\", \"{}\")", "x".repeat(2001));
    let headings: Vec<String> = (0..33).map(|n| format!("\"^(?<id>{n})\"")).collect();
    let headings = format!(
        "#{{ headings: [{}], field: \"^(?<key>a):(?<value>b)\" }}",
        headings.join(", ")
    );
    all_refused(
        quiet(),
        &[
            case(
                "counted",
                "text::matches(\"x\", \"(((a{1000}){1000}){1000})\")",
                "exceeds size limit",
                3,
            ),
            case(
                "classes",
                "\ntext::matches(\"x\", \"(\\\\pL{100}){100}\")",
                "exceeds size limit",
                4,
            ),
            case(
                "long",
                &long,
                "the pattern has more than 2000 characters",
                3,
            ),
            case("broken", "text::matches(\"x\", \"(\")", "unclosed group", 3),
            case(
                "deep",
                &format!(
                    "text::matches(\"x\", \"{}\")",
                    "(".repeat(900) + &")".repeat(900)
                ),
                "nest",
                3,
            ),
            case(
                "headings",
                &format!("text::entries(\"x\",\n{headings})"),
                "32",
                3,
            ),
            case(
                "no_text",
                "text::matches(3, \"x\")",
                "takes a text as `text`, got the number `3`",
                3,
            ),
            case(
                "grammar",
                "text::entries(\"x\", #{ heading: [] })",
                "not `heading`",
                3,
            ),
        ],
    );
}

#[test]
fn a_slow_pattern_over_a_long_text_is_soon_done() {
    // What the lazy automaton cannot hold is the slowest that a pattern can be.
    let hay: String = "ab".repeat(32_000);
    let body = "let t = fs::read(\"hay.md\").text;\nif text::matches(t, \"(?:a|b)*a(?:a|b){600}c\") { found([], \"\") }\nempty(\"x\")";
    let stage = with(quiet().file("hay.md", &hay), "probes/work/hay", &look(body));
    assert_eq!(timed(&stage).signal.to_string(), hostile::EXHAUSTED);
    // Where the text is long, the clock ends it; without one, this took six minutes.
    let hay = "ab".repeat(7_500_000);
    let matches = |function: &str| {
        format!(
            "let t = fs::read(\"hay.md\").text;\ntext::{function}(t, \"(?:a|b)*a(?:a|b){{5000}}c\");\nempty(\"x\")"
        )
    };
    let used = "used up its script time of 2 s";
    all_refused(
        stage.file("hay.md", &hay),
        &[
            case("matches", &matches("matches"), used, 4),
            case("capture", &matches("capture"), used, 4),
        ],
    );
}
