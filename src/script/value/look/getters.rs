//! What can be read of a look, and of an entry of a folder.

use rhai::Module;

use crate::script::host::getter;
use crate::script::value::json::Json;
use crate::script::value::text::{Text, digest};
use crate::world::{Answer, Kind};

use super::{FolderEntry, Look};

/// Registers the types and their getters.
pub fn register(module: &mut Module) {
    module.set_custom_type::<Look>("look");
    getter(
        module,
        "ok",
        "Whether something came back that can be read; asked before the value: `if !file.ok { return unavailable(file.why); }`.",
        |look: &mut Look| Ok(look.ok()),
    );
    getter(
        module,
        "missing",
        "Whether the place was reached and nothing was there: `if file.missing { return absent(\"no TODO.md\"); }`.",
        |look: &mut Look| Ok(matches!(look.answer, Answer::Missing)),
    );
    getter(
        module,
        "why",
        "Why there is no value; empty for a look that is `ok`.",
        |look: &mut Look| Ok(look.why()),
    );
    getter(
        module,
        "answered",
        "Whether anything came back, a text or not.",
        |look: &mut Look| Ok(look.answered()),
    );
    getter(
        module,
        "path",
        "What was asked: of a file the absolute path.",
        |look: &mut Look| Ok(look.asked.to_string()),
    );
    getter(
        module,
        "at",
        "The same as a person would write it: below the root without the root.",
        |look: &mut Look| Ok(look.shown.to_string()),
    );
    getter(
        module,
        "name",
        "The last part of the path.",
        |look: &mut Look| {
            let name = look.asked.rsplit('/').next();
            Ok(name.unwrap_or_default().to_string())
        },
    );
    getter(
        module,
        "text",
        "What a file holds, or a question was answered with: `fs::read(\"TODO.md\").text`.",
        |look: &mut Look| look.text(),
    );
    getter(
        module,
        "data -> json",
        "What a question with several answers gave: `git::upstream().data.string(\"remote\")`.",
        |look: &mut Look| match &look.answer {
            Answer::Data(data) => Ok(Json::root(Ok(data.as_ref().clone()))),
            _ => look.no_value("data"),
        },
    );
    getter(
        module,
        "digest",
        "SHA-256 of a file's bytes.",
        |look: &mut Look| match &look.answer {
            Answer::Bytes(bytes) => Ok(digest(bytes)),
            Answer::Text(text) => Ok(text.clone()),
            _ => look.no_value("digest"),
        },
    );
    register_commands(module);
    register_places(module);
}

fn register_commands(module: &mut Module) {
    getter(
        module,
        "status",
        "The exit code of a command: `cmd::run([\"usmc\", \"working\"]).status`.",
        |look: &mut Look| match &look.answer {
            Answer::Ran(ran) => Ok(i64::from(ran.status)),
            _ => look.no_value("status"),
        },
    );
    getter(
        module,
        "program",
        "The absolute path of the program that was run or found.",
        |look: &mut Look| match &look.answer {
            Answer::Ran(ran) => Ok(ran.program.clone()),
            Answer::Text(text) => Ok(text.clone()),
            _ => look.no_value("program"),
        },
    );
    getter(
        module,
        "stdout",
        "What a command printed; raises if it is not UTF-8.",
        |look: &mut Look| look.stdout(),
    );
    getter(
        module,
        "is_text",
        "Whether what a command printed is UTF-8.",
        |look: &mut Look| match &look.answer {
            Answer::Ran(ran) => Ok(std::str::from_utf8(&ran.stdout).is_ok()),
            _ => look.no_value("is_text"),
        },
    );
    // For people, and so never a reason to fail.
    getter(
        module,
        "stderr",
        "What a command said beside its output, for people: `run.stderr.last_line`.",
        |look: &mut Look| match &look.answer {
            Answer::Ran(ran) => Ok(Text::new(&String::from_utf8_lossy(&ran.stderr))),
            _ => look.no_value("stderr"),
        },
    );
}

fn register_places(module: &mut Module) {
    getter(module, "size", "The size in bytes.", |look: &mut Look| {
        let size = match &look.answer {
            Answer::Bytes(bytes) => u64::try_from(bytes.len()).unwrap_or(u64::MAX),
            _ => look.meta("size")?.size,
        };
        Ok(i64::try_from(size).unwrap_or(i64::MAX))
    });
    // Nanoseconds since the epoch: to compare two files, not to show.
    getter(
        module,
        "changed",
        "When it was last changed, in nanoseconds since 1970: to compare, not to show.",
        |look: &mut Look| Ok(look.meta("changed")?.mtime),
    );
    getter(
        module,
        "is_file",
        "Whether a file stands there; for `fs::stat`.",
        |look: &mut Look| Ok(look.meta("is_file")?.kind == Kind::File),
    );
    getter(
        module,
        "is_folder",
        "Whether a folder stands there; for `fs::stat`.",
        |look: &mut Look| Ok(look.meta("is_folder")?.kind == Kind::Folder),
    );
    getter(
        module,
        "mark",
        "Size and time of change as one text, for `situation`: `fs::stat(place).mark`.",
        |look: &mut Look| {
            let meta = look.meta("mark")?;
            Ok(format!("{}:{}", meta.size, meta.mtime))
        },
    );
    getter(
        module,
        "entries -> list of folder entry",
        "What a folder holds: `fs::list(\"docs\").entries.map_items(|e| e.name)`.",
        |look: &mut Look| look.entries("entries", |_| true),
    );
    getter(
        module,
        "non_files -> list of folder entry",
        "The entries that are no plain files: folders, links and others.",
        |look: &mut Look| look.entries("non_files", |kind| kind != Kind::File),
    );
    module.set_custom_type::<FolderEntry>("folder entry");
    getter(
        module,
        "name",
        "The name, in a spelling that loses nothing.",
        |entry: &mut FolderEntry| Ok(entry.name.to_string()),
    );
    getter(
        module,
        "path",
        "The absolute path.",
        |entry: &mut FolderEntry| Ok(entry.path.to_string()),
    );
    getter(
        module,
        "is_file",
        "Whether it is a plain file.",
        |entry: &mut FolderEntry| Ok(entry.kind == Kind::File),
    );
    getter(
        module,
        "is_folder",
        "Whether it is a folder.",
        |entry: &mut FolderEntry| Ok(entry.kind == Kind::Folder),
    );
    getter(
        module,
        "is_link",
        "Whether it is a link, wherever it leads.",
        |entry: &mut FolderEntry| Ok(entry.kind == Kind::Link),
    );
    getter(
        module,
        "kind",
        "`file`, `folder`, `link` or `special`.",
        |entry: &mut FolderEntry| {
            Ok(match entry.kind {
                Kind::File => "file",
                Kind::Folder => "folder",
                Kind::Link => "link",
                Kind::Special => "special",
            }
            .to_string())
        },
    );
}
