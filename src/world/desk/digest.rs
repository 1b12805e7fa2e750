//! Digest and length of what came back.
//!
//! A file and a text are digested as their bytes, everything else as its canonical JSON (fields
//! in their fixed order). Heads and command output keep their raw bytes out of the JSON: a line
//! of JSON that says how many bytes follow, then the bytes, for each head, or for a command's
//! standard output and standard error together.
//!
//! INVARIANT: equal answers have equal digests; an answer without content has none.

use serde::Serialize;
use sha2::{Digest as _, Sha256};

use crate::model::text::hex;
use crate::world::{Answer, Head, Ran};

/// SHA-256 in hex, and how many bytes were digested; empty and 0 if nothing came back.
pub fn of(answer: &Answer) -> (String, u64) {
    let mut sum = Sum::default();
    match answer {
        Answer::Bytes(bytes) => sum.add(bytes),
        Answer::Text(text) => sum.add(text.as_bytes()),
        Answer::Entries(entries) => sum.add_json(entries.as_slice()),
        Answer::Meta(meta) => sum.add_json(meta),
        Answer::Data(data) => sum.add_json(data.as_ref()),
        Answer::Heads(heads) => heads.iter().for_each(|head| sum.add_head(head)),
        Answer::Ran(ran) => sum.add_ran(ran),
        Answer::Missing | Answer::Refused { .. } | Answer::Failed { .. } => {
            return (String::new(), 0);
        }
    }
    (hex(&sum.digest.finalize()), sum.length)
}

#[derive(Default)]
struct Sum {
    digest: Sha256,
    length: u64,
}

#[derive(Serialize)]
struct HeadLine<'a> {
    name: &'a str,
    path: &'a str,
    size: u64,
    bytes: Result<usize, &'a str>,
}

#[derive(Serialize)]
struct RanLine<'a> {
    status: i32,
    program: &'a str,
    stdout: usize,
    stderr: usize,
}

impl Sum {
    fn add(&mut self, bytes: &[u8]) {
        self.digest.update(bytes);
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        self.length = self.length.saturating_add(length);
    }

    fn add_json(&mut self, value: &(impl Serialize + ?Sized)) {
        // Plain data with text keys can always be written.
        self.add(&serde_json::to_vec(value).unwrap_or_default());
    }

    fn add_head(&mut self, head: &Head) {
        let bytes = head.bytes.as_ref();
        self.add_json(&HeadLine {
            name: &head.name,
            path: &head.path,
            size: head.size,
            bytes: bytes.map(Vec::len).map_err(String::as_str),
        });
        self.add(b"\n");
        self.add(bytes.map_or(&[], Vec::as_slice));
    }

    fn add_ran(&mut self, ran: &Ran) {
        self.add_json(&RanLine {
            status: ran.status,
            program: &ran.program,
            stdout: ran.stdout.len(),
            stderr: ran.stderr.len(),
        });
        self.add(b"\n");
        self.add(&ran.stdout);
        self.add(&ran.stderr);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::world::{Entry, Failure, Kind, Meta};

    fn ran(stdout: &[u8], stderr: &[u8]) -> Answer {
        Answer::Ran(Arc::new(Ran {
            status: 0,
            stdout: stdout.to_vec(),
            stderr: stderr.to_vec(),
            program: "/bin/x".into(),
        }))
    }

    #[test]
    fn bytes_and_texts_are_digested_as_they_are() {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let bytes = of(&Answer::Bytes(Arc::new(b"abc".to_vec())));
        assert_eq!(bytes, (abc.to_owned(), 3));
        assert_eq!(of(&Answer::Text("abc".into())), bytes);
        assert_eq!(of(&Answer::Missing), (String::new(), 0));
        assert_eq!(of(&Answer::failed(Failure::Io, "x")), (String::new(), 0));
        let empty = of(&Answer::Bytes(Arc::default()));
        assert_ne!(empty.0, "");
    }

    #[test]
    fn lists_are_digested_as_their_json() {
        let entry = Entry {
            name: "a".into(),
            path: "/p/a".into(),
            kind: Kind::File,
        };
        let json = r#"[{"name":"a","path":"/p/a","kind":"file"}]"#;
        let entries = of(&Answer::Entries(Arc::new(vec![entry])));
        assert_eq!(entries, of(&Answer::Text(json.into())));
        let meta = Answer::Meta(Meta {
            kind: Kind::File,
            size: 1,
            mtime: 2,
        });
        let json = r#"{"kind":"file","size":1,"mtime":2}"#;
        assert_eq!(of(&meta), of(&Answer::Text(json.into())));
    }

    #[test]
    fn a_byte_cannot_move_from_one_stream_to_the_other() {
        assert_ne!(of(&ran(b"ab", b"c")), of(&ran(b"a", b"bc")));
        assert_eq!(of(&ran(b"ab", b"c")), of(&ran(b"ab", b"c")));
    }
}
