//! A question as one readable line, for receipts.
//!
//! INVARIANT: one line, whatever the question holds.

use crate::model::text::escape;
use crate::world::{Answer, GitAsk, Request, address};

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
        Request::Git { ask, root } => format!("{} {root}", git(ask)),
        Request::Process { pid } => format!("process {pid}"),
        Request::Machine => "boot and PID namespace of this machine".to_owned(),
        Request::Ledger { ask } => format!("ledger {ask}"),
    };
    escape(&line)
}

fn git(ask: &GitAsk) -> String {
    match ask {
        GitAsk::Head => "HEAD of".to_owned(),
        GitAsk::Tree => "work tree of".to_owned(),
        GitAsk::Interrupted => "interrupted operation of".to_owned(),
        GitAsk::Remotes => "remotes of".to_owned(),
        GitAsk::Upstream => "upstream of HEAD of".to_owned(),
        GitAsk::Commit { name } => format!("commit `{name}` of"),
        GitAsk::Shallow => "missing history of".to_owned(),
        GitAsk::Contains { commit, tip } => format!("whether {tip} contains {commit} in"),
        GitAsk::Gitlinks { commit } => format!("submodules of {commit} in"),
        GitAsk::RemoteTip { remote, reference } => {
            // Somebody may have written an address in place of a name.
            format!("{reference} of remote `{}` of", address::shown(remote))
        }
    }
}

/// The line with what only the answer tells: which address was asked, and what stood there.
pub fn with_answer(request: &Request, answer: &Answer) -> String {
    let line = one_line(request);
    let is_tip = |ask: &GitAsk| matches!(ask, GitAsk::RemoteTip { .. });
    match (request, answer) {
        (Request::Git { ask, .. }, Answer::Data(data)) if is_tip(ask) => {
            let text = |key: &str| data.get(key).and_then(serde_json::Value::as_str);
            let url = text("url").unwrap_or_default();
            let tip = text("tip").unwrap_or("not there");
            format!("{line}, asked at {}: {}", escape(url), escape(tip))
        }
        _ => line,
    }
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
        let tip = Request::Git {
            ask: GitAsk::RemoteTip {
                remote: "https://ada:secret@h".into(),
                reference: "refs/heads/main".into(),
            },
            root: "/p".into(),
        };
        let data = serde_json::json!({ "url": "https://h/x", "tip": null });
        assert_eq!(
            with_answer(&tip, &Answer::Data(std::sync::Arc::new(data))),
            "refs/heads/main of remote `https://***@h` of /p, asked at https://h/x: not there"
        );
        let list = Request::List {
            path: "/p/a\nb".into(),
        };
        assert_eq!(one_line(&list), "/p/a\\nb");
    }
}
