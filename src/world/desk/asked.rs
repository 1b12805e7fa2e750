//! A question as one readable line, for receipts.
//!
//! INVARIANT: one line, whatever the question holds.

use crate::model::text::escape;
use crate::world::{GitAsk, Request};

/// The line.
pub fn one_line(request: &Request) -> String {
    let line = match request {
        Request::Read { path, .. } | Request::List { path } | Request::Stat { path } => {
            path.clone()
        }
        Request::Heads { path, suffix, .. } => format!("heads of {path}/*{suffix}"),
        Request::Glob { root, pattern } => format!("{root}/{pattern}"),
        Request::Run { argv, .. } => {
            let words: Vec<String> = argv.iter().map(|word| quoted(word)).collect();
            words.join(" ")
        }
        Request::Which { command } => command.clone(),
        Request::Env { name } => format!("${name}"),
        Request::Git { ask, root } => match ask {
            GitAsk::Head => format!("HEAD of {root}"),
            GitAsk::Tree => format!("work tree of {root}"),
            GitAsk::Interrupted => format!("interrupted operation of {root}"),
        },
        Request::Ledger { ask } => format!("ledger {ask}"),
        Request::Clock => "clock".to_owned(),
    };
    escape(&line)
}

/// A word as it is, or in quotation marks if blanks or marks would make it unclear.
fn quoted(word: &str) -> String {
    if !word.is_empty() && !word.contains(|c: char| c.is_whitespace() || c == '"') {
        return word.to_owned();
    }
    format!("\"{}\"", word.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_line_can_be_read_back() {
        let argv = ["grep", "-c", "", "a b", "say \"x\"", "C:\\x", "1\nWORK"];
        let request = Request::Run {
            argv: argv.map(str::to_owned).to_vec(),
            cwd: "/p".into(),
            limit: 1,
        };
        let line = one_line(&request);
        assert_eq!(line, r#"grep -c "" "a b" "say \"x\"" C:\x "1\nWORK""#);
    }

    #[test]
    fn other_questions_name_their_place() {
        let heads = Request::Heads {
            path: "/p/notes".into(),
            suffix: ".md".into(),
            head: 9,
        };
        assert_eq!(one_line(&heads), "heads of /p/notes/*.md");
        let git = Request::Git {
            ask: GitAsk::Head,
            root: "/p".into(),
        };
        assert_eq!(one_line(&git), "HEAD of /p");
        let list = Request::List {
            path: "/p/a\nb".into(),
        };
        assert_eq!(one_line(&list), "/p/a\\nb");
    }
}
