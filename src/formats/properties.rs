//! What holds for every text: no reader panics, none hangs, and line ends change nothing.

use super::entries::{entries, tests::chain};
use super::task::State;
use super::{aufgaben, gardener, heads, json, lines, md, ticket, todotxt};
use proptest::prelude::*;

/// Texts made of the pieces that the formats care about, and any character now and then.
fn texts() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "- ",
        "* ",
        "+ ",
        "1. ",
        "12) ",
        "[ ]",
        "[x]",
        "[X]",
        "[~]",
        "[]",
        "[\u{a0}]",
        " ",
        "  ",
        "    ",
        "\t",
        "\n",
        "\n",
        "\n\n",
        "\r\n",
        "\r",
        "\u{feff}",
        "# ",
        "## ",
        "===",
        "---\n",
        "```",
        "~~~\n",
        "<!--",
        "-->",
        "<details>\n",
        "<pre>",
        "> ",
        ">",
        "| ",
        "|--|--|\n",
        "a | b\n",
        "\\",
        "`",
        "``",
        "**",
        "_",
        "[a](b)",
        "[a]: b\n",
        "wort",
        "ä🟢",
        "x ",
        "(A) ",
        "due:2026-12-01",
        "due:x",
        "## D-20261128-001 — T\n",
        "ID: D-20261128-002\n",
        "STATUS: OFFEN\n",
        "ENTSCHEIDUNG DES USERS E02: A\n",
        "KEY:",
        "## ERLEDIGT\n",
        "  [memory    ] a (user)\n",
        "  Keine Tasks.",
        "Name: ",
        "{",
        "}",
        "[",
        "]",
        "\"",
        "\"a\":",
        ",",
        "1",
        "-0",
        "1e5",
        "null",
        "\\u00e4",
        "&amp;",
        "<a",
        "https://a.b",
        "\0",
    ]);
    let piece = prop_oneof![20 => pieces.prop_map(str::to_owned), 1 => any::<char>().prop_map(String::from)];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_breaks_a_reader(text in texts()) {
        let last = lines::lines(&text).count();
        for task in md::tasks(&text).iter().chain(&todotxt::tasks(&text)).chain(&aufgaben::tasks(&text)) {
            prop_assert!((1..=last).contains(&task.line), "{task:?}");
            prop_assert!(!task.text.contains('\n'));
        }
        for table in md::tables(&text) {
            for row in &table.rows {
                prop_assert_eq!(row.cells.len(), table.header.len());
                prop_assert!((table.line..=last).contains(&row.line));
            }
        }
        let _ = (json::parse(&text), gardener::find(&text), gardener::tasks(&text), gardener::get(&text));
        let _ = (ticket::name(&text), ticket::status(&text));
        let _ = heads::fields(text.as_bytes(), &["STATUS", "KEY", ""]);
    }

    #[test]
    fn no_bytes_break_the_heads(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert_eq!(heads::fields(&bytes, &["A", "B"]).len(), 2);
    }

    #[test]
    fn line_ends_do_not_change_tasks(text in texts()) {
        let unix = text.replace('\r', "");
        let windows = unix.replace('\n', "\r\n");
        prop_assert_eq!(md::tasks(&unix), md::tasks(&windows));
        prop_assert_eq!(md::tables(&unix), md::tables(&windows));
        prop_assert_eq!(todotxt::tasks(&unix), todotxt::tasks(&windows));
        prop_assert_eq!(aufgaben::tasks(&unix), aufgaben::tasks(&windows));
        prop_assert_eq!(md::sections(&unix).len(), md::sections(&windows).len());
    }

    #[test]
    fn sections_are_pieces_of_the_text_in_order(text in texts()) {
        let mut from = 0;
        for section in md::sections(&text) {
            let at = section.body.as_ptr() as usize - text.as_ptr() as usize;
            prop_assert!(at >= from && at + section.body.len() <= text.len());
            prop_assert!(section.line <= section.body_start_line);
            from = at + section.body.len();
        }
    }

    #[test]
    fn entries_cover_each_line_once(text in texts()) {
        let grammar = chain();
        let found = entries(&text, &grammar);
        let mut covered = Vec::new();
        for entry in &found {
            let count = lines::lines(entry.body).count();
            prop_assert!(text.contains(entry.body));
            for field in &entry.fields {
                prop_assert!((entry.line..entry.line + count).contains(&field.line), "{field:?}");
            }
            covered.extend(entry.line..entry.line + count);
        }
        prop_assert!(covered.is_sorted_by(|a, b| a < b), "{covered:?}");
        // Outside stand only lines above the first heading and behind an end.
        let mut outside = true;
        for (number, line) in lines::lines(&text) {
            let heading = found.iter().any(|entry| entry.line == number);
            outside &= !heading;
            prop_assert_eq!(outside, covered.binary_search(&number).is_err(), "line {}", number);
            outside |= line.starts_with("---") && line.trim_start_matches('-').is_empty();
        }
    }

    #[test]
    fn boxes_as_written_are_counted(states in prop::collection::vec(0_usize..3, 1..40)) {
        let text: String = states.iter().map(|s| ["- [ ] a\n", "- [x] a\n", "- [~] a\n"][*s]).collect();
        let of = |state: &State| match state { State::Open => 0, State::Done => 1, State::Unclear(_) => 2 };
        let read: Vec<usize> = md::tasks(&text).iter().map(|t| of(&t.state)).collect();
        prop_assert_eq!(&read, &states);
        let read: Vec<usize> = aufgaben::tasks(&text).iter().map(|t| of(&t.state)).collect();
        prop_assert_eq!(&read, &states);
    }
}
