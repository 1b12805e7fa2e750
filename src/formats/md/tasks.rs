//! The tasks of a Markdown text: GFM task list items, near misses and plain bullets.
//!
//! INVARIANT: every list item with text and every box at the start of a line, outside code and
//! comments, comes out once, in document order, or is the plain parent of other items.

use super::super::task::{EMPTY_TEXT, PLAIN_BULLET, State, Task};
use super::boxes::{Bracket, bracket};
use super::source::Source;
use super::strays::{Explained, strays};
use pulldown_cmark::{CodeBlockKind, Event, Tag, TagEnd};
use std::ops::Range;

/// The tasks of the text in document order.
///
/// A box is open or done as GFM 5.3 says; its parent's box says nothing about it. Unclear are:
/// boxes that GFM overlooks or that have no text, items that nest too deep, and plain bullets
/// (reason [`PLAIN_BULLET`]) unless they are the parent of other items.
pub fn tasks(text: &str) -> Vec<Task> {
    let source = Source::new(text);
    let mut walk = Walk::new(&source);
    for (event, range) in source.events() {
        walk.step(&event, range);
    }
    walk.finish()
}

/// An item that is still open in the walk.
struct Frame {
    slot: usize,
    start: usize,
    ticked: Option<bool>,
    is_parent: bool,
    /// Where its own text begins in the source.
    text_at: Option<usize>,
    text: String,
    detail: String,
    blocks: usize,
    in_block: bool,
}

struct Walk<'s> {
    source: &'s Source<'s>,
    open: Vec<Frame>,
    /// In order of the items' starts; empty while the item is open, and if it is no task.
    slots: Vec<Option<Task>>,
    /// Byte offset and text of each heading.
    headings: Vec<(usize, String)>,
    in_heading: bool,
    in_code: bool,
    masked: Vec<Range<usize>>,
    item_lines: Vec<usize>,
}

impl<'s> Walk<'s> {
    fn new(source: &'s Source<'s>) -> Self {
        Self {
            source,
            open: Vec::new(),
            slots: Vec::new(),
            headings: Vec::new(),
            in_heading: false,
            in_code: false,
            masked: Vec::new(),
            item_lines: Vec::new(),
        }
    }

    fn step(&mut self, event: &Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(Tag::Item) => self.begin_item(range.start),
            Event::End(TagEnd::Item) => self.end_item(),
            Event::TaskListMarker(done) => {
                if let Some(frame) = self.open.last_mut() {
                    frame.ticked = Some(*done);
                }
            }
            Event::Start(Tag::Heading { .. }) => {
                self.in_heading = true;
                self.headings.push((range.start, String::new()));
                self.end_block();
            }
            Event::End(TagEnd::Heading(_)) => {
                self.in_heading = false;
                self.end_block();
            }
            Event::Start(Tag::CodeBlock(kind)) => {
                self.in_code = true;
                self.mask_code(kind, range);
            }
            Event::End(TagEnd::CodeBlock) => {
                self.in_code = false;
                self.end_block();
            }
            Event::Start(Tag::HtmlBlock) => self.mask_html(range),
            Event::Start(tag) if !is_inline(tag) => self.end_block(),
            Event::End(tag) if !is_inline_end(*tag) => self.end_block(),
            _ => self.inline(event, range),
        }
    }

    fn inline(&mut self, event: &Event<'_>, range: Range<usize>) {
        if matches!(event, Event::Code(_) | Event::InlineHtml(_)) {
            self.masked.push(range.clone());
        }
        let Some(text) = self.source.plain(event, &range).filter(|_| !self.in_code) else {
            return;
        };
        if self.in_heading
            && let Some((_, title)) = self.headings.last_mut()
        {
            title.push_str(&text);
        }
        let Some(frame) = self.open.last_mut() else {
            return;
        };
        if !frame.in_block {
            frame.in_block = true;
            frame.blocks += 1;
            if frame.blocks > 2 {
                frame.detail.push('\n');
            }
        }
        frame.text_at.get_or_insert(range.start);
        let target = if frame.blocks > 1 {
            &mut frame.detail
        } else {
            &mut frame.text
        };
        target.push_str(&text);
    }

    fn end_block(&mut self) {
        if let Some(frame) = self.open.last_mut() {
            frame.in_block = false;
        }
    }

    fn begin_item(&mut self, start: usize) {
        if let Some(parent) = self.open.last_mut() {
            parent.is_parent = true;
            parent.in_block = false;
        }
        self.item_lines.push(self.source.line(start));
        self.open.push(Frame {
            slot: self.slots.len(),
            start,
            ticked: None,
            is_parent: false,
            text_at: None,
            text: String::new(),
            detail: String::new(),
            blocks: 0,
            in_block: false,
        });
        self.slots.push(None);
    }

    fn end_item(&mut self) {
        let Some(frame) = self.open.pop() else { return };
        if let Some(at) = frame.text_at {
            self.item_lines.push(self.source.line(at));
        }
        let Some(state) = self.judge(&frame) else {
            return;
        };
        let task = Task {
            depth: self.open.len(),
            detail: frame.detail,
            section: self.section(frame.start),
            ..Task::new(self.source.line(frame.start), state, frame.text.trim())
        };
        if let Some(slot) = self.slots.get_mut(frame.slot) {
            *slot = Some(task);
        }
    }

    fn judge(&self, frame: &Frame) -> Option<State> {
        let is_empty = frame.text.trim().is_empty();
        match frame.ticked {
            Some(_) if is_empty => return Some(State::unclear(EMPTY_TEXT)),
            Some(true) => return Some(State::Done),
            Some(false) => return Some(State::Open),
            None => {}
        }
        let raw = frame.text_at.map_or("", |at| self.source.unescaped(at));
        match bracket(raw).and_then(Bracket::miss) {
            Some(reason) => Some(State::Unclear(reason)),
            None if is_empty || frame.is_parent => None,
            None => Some(State::unclear(PLAIN_BULLET)),
        }
    }

    fn section(&self, offset: usize) -> Option<String> {
        let above = self.headings.partition_point(|(start, _)| *start <= offset);
        let (_, title) = self.headings.get(above.checked_sub(1)?)?;
        Some(title.trim().to_owned())
    }

    fn mask_code(&mut self, kind: &CodeBlockKind<'_>, range: Range<usize>) {
        let body = self.source.text.get(range.clone()).unwrap_or_default();
        let last = body.trim_end().rsplit('\n').next().unwrap_or_default();
        let last = last.trim_start_matches([' ', '\t', '>']);
        let closed = last.starts_with("```") || last.starts_with("~~~");
        // A fence that nobody closed may hide real work: its boxes are told as unclear.
        if matches!(kind, CodeBlockKind::Indented) || closed {
            self.masked.push(range);
        }
    }

    fn mask_html(&mut self, range: Range<usize>) {
        self.end_block();
        let body = self.source.text.get(range.clone()).unwrap_or_default();
        let body = body.trim_start();
        let tag = body.get(..12).unwrap_or(body).to_ascii_lowercase();
        let literal = ["<pre", "<script", "<style", "<textarea"]
            .iter()
            .any(|t| tag.starts_with(t));
        // The same for a comment without end, and for HTML that is neither comment nor code.
        if literal || (tag.starts_with("<!--") && body.contains("-->")) {
            self.masked.push(range);
        }
    }

    fn finish(mut self) -> Vec<Task> {
        self.item_lines.sort_unstable();
        let explained = Explained {
            masked: &self.masked,
            items: &self.item_lines,
        };
        let strays = strays(self.source.text, &explained);
        let reason = "nested too deep to be read";
        let deep = self.source.too_deep.iter();
        let deep: Vec<Task> = deep
            .map(|l| Task::new(*l, State::unclear(reason), ""))
            .collect();
        let strays: Vec<Task> = strays
            .into_iter()
            .filter(|(_, stray)| self.source.too_deep.binary_search(&stray.line).is_err())
            .map(|(at, stray)| Task {
                section: self.section(at),
                ..stray
            })
            .collect();
        let mut all: Vec<Task> = self.slots.into_iter().flatten().collect();
        if !strays.is_empty() || !deep.is_empty() {
            all.extend(strays);
            all.extend(deep);
            all.sort_by_key(|task| task.line);
        }
        all
    }
}

fn is_inline(tag: &Tag<'_>) -> bool {
    matches!(
        tag,
        Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Link { .. } | Tag::Image { .. }
    )
}

fn is_inline_end(tag: TagEnd) -> bool {
    matches!(
        tag,
        TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Link | TagEnd::Image
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `line state text` for each task; the state as one letter, plain bullets as `b`.
    fn told(text: &str) -> Vec<String> {
        let letter = |state: &State| match state {
            State::Open => "o",
            State::Done => "d",
            State::Unclear(reason) if reason == PLAIN_BULLET => "b",
            State::Unclear(_) => "?",
        };
        tasks(text)
            .iter()
            .map(|t| format!("{} {} {}", t.line, letter(&t.state), t.text))
            .collect()
    }

    #[test]
    fn cases_from_the_field() {
        let table: [(&str, &str, &[&str]); 21] = [
            (
                "C-01 capital X",
                "- [X] eins\n- [ ] zwei\n",
                &["1 d eins", "2 o zwei"],
            ),
            (
                "C-02 fences",
                "```md\n- [ ] Beispiel\n```\n  ~~~\n  - [ ] noch ein Beispiel\n  ~~~\n- [ ] echt A\n- [ ] echt B\n",
                &["7 o echt A", "8 o echt B"],
            ),
            (
                "C-03 comment",
                "<!-- Optional\n- [ ] versteckt\n-->\n- [x] sichtbar\n- [ ] offen\n",
                &["4 d sichtbar", "5 o offen"],
            ),
            (
                "C-04 nested",
                "- [x] Eltern\n  - [ ] Kind 1\n  - [ ] Kind 2\n- [x] Zwei\n",
                &["1 d Eltern", "2 o Kind 1", "3 o Kind 2", "4 d Zwei"],
            ),
            (
                "C-05 markers",
                "+ [ ] a\n\n1. [ ] b\n2. [x] c\n\n1) [ ] d\n\n1.1 [ ] x\n1234567890. [ ] x\n",
                &["1 o a", "3 o b", "4 d c", "6 o d"],
            ),
            ("C-06 empty, blank", "- [ ] a\n- [ ] \n", &["1 o a", "2 ? "]),
            (
                "C-06 empty, no blank",
                "- [ ] a\n- [ ]\n",
                &["1 o a", "2 ? "],
            ),
            (
                "C-06 empty, end of text",
                "- [x] a\n- [x]",
                &["1 d a", "2 ? [x]"],
            ),
            (
                "C-07 no-break in box",
                "- [x] a\n- [\u{a0}] b\n",
                &["1 d a", "2 ? [\u{a0}] b"],
            ),
            (
                "C-07 no-break behind",
                "- [ ]\u{a0}c\n",
                &["1 ? [ ]\u{a0}c"],
            ),
            (
                "C-08 label with a box",
                "- [ ] [x] als Flag prüfen\n- [ ] Ausgabe zeigt [X]\n",
                &["1 o [x] als Flag prüfen", "2 o Ausgabe zeigt [X]"],
            ),
            (
                "C-09 escaped",
                "- \\[ ] kein Kästchen\n- [ ] echt\n",
                &["1 b [ ] kein Kästchen", "2 o echt"],
            ),
            (
                "C-14 mark",
                "\u{feff}- [x] a\n- [ ] b\n",
                &["1 d a", "2 o b"],
            ),
            (
                "D-11",
                "```\n- [ ] Vorlage\n```\n- [x] Eltern\n  - [ ] Kind\n",
                &["4 d Eltern", "5 o Kind"],
            ),
            (
                "near misses",
                "- [~] a\n- [-] b\n- [ ]c\n- []\n- [ x] d\n- [?] e\n",
                &[
                    "1 ? [~] a",
                    "2 ? [-] b",
                    "3 ? [ ]c",
                    "4 ? []",
                    "5 ? [ x] d",
                    "6 ? [?] e",
                ],
            ),
            (
                "no marker",
                "-[ ] a\n\n[ ] b\n\n• [ ] c\n\n1.[x] d\n\n[x](url) e\n\n[1] f\n",
                &["1 ? -[ ] a", "3 ? [ ] b", "5 ? • [ ] c", "7 ? 1.[x] d"],
            ),
            ("swallowed", "text\n2. [ ] a\n", &["2 ? 2. [ ] a"]),
            (
                "wrapped",
                "- [ ] a\n  [ ] b\n",
                &["1 o a [ ] b", "2 ? [ ] b"],
            ),
            (
                "links",
                "- [t](u)\n- [x](u)\n- [t][r]\n\n[r]: u\n",
                &["1 b t", "2 b x", "3 b t"],
            ),
            (
                "parents and leaves",
                "- Gruppe\n  - [ ] a\n  - b\n- [~] c\n  - d\n-\n",
                &["2 o a", "3 b b", "4 ? [~] c", "5 b d"],
            ),
            (
                "code",
                "text\n\n    - [ ] a\n\n`x\n-[ ] b`\n\n- [ ] `c | d` **e**\n",
                &["8 o c | d e"],
            ),
        ];
        for (name, text, expected) in table {
            assert_eq!(told(text), expected, "{name}");
            assert_eq!(told(&text.replace('\n', "\r\n")), expected, "{name}, CRLF");
        }
    }

    #[test]
    fn what_was_never_closed_hides_no_box() {
        assert_eq!(told("<!-- offen\n- [ ] a\n"), ["2 ? - [ ] a"]);
        assert_eq!(told("```\n- [ ] a\n"), ["2 ? - [ ] a"]);
        assert_eq!(
            told("<details>\n- [ ] a\n\n- [ ] b\n"),
            ["2 ? - [ ] a", "4 o b"]
        );
        assert!(told("<pre>\n- [ ] a\n</pre>\n").is_empty());
    }

    #[test]
    fn sections_depths_and_details() {
        let text = "- [ ] vor\n\n# A *b*\n\n1. Gruppe\n   - [ ] x\n     y\n\n     Wartet auf Freigabe.\n\n     Zwei.\n\nB\n===\n> - [x] z\n";
        let tasks = tasks(text);
        let brief: Vec<_> = tasks
            .iter()
            .map(|t| {
                (
                    t.line,
                    t.depth,
                    t.section.as_deref(),
                    t.text.as_str(),
                    t.detail.as_str(),
                )
            })
            .collect();
        let expected = [
            (1, 0, None, "vor", ""),
            (6, 1, Some("A b"), "x y", "Wartet auf Freigabe.\nZwei."),
            (15, 0, Some("B"), "z", ""),
        ];
        assert_eq!(brief, expected);
    }

    #[test]
    fn bottomless_nesting_is_told_in_linear_time() {
        let deep = format!("{}[ ] a\n{}", "- ".repeat(300_000), "b\n".repeat(300_000));
        let tasks = tasks(&deep);
        assert_eq!(tasks.len(), 1);
        assert!(matches!(&tasks[0].state, State::Unclear(r) if r.contains("too deep")));
    }
}
