//! The topics of the reference: their order, and what each is for.

use super::Kind::{self, Answers, Engine, Handle, Module};

/// Name, kind, and what it is for.
pub type Row = (&'static str, Kind, &'static str);

/// Every topic in the order of the reference.
pub const TOPICS: &[Row] = &[
    (
        "fs",
        Module,
        "Files and folders below the granted roots. A path that begins neither with `/` nor with `~/` counts from the project's root. What is not there is told by the look and does not raise.",
    ),
    (
        "cmd",
        Module,
        "Granted commands, without a shell, and granted environment variables.",
    ),
    (
        "git",
        Module,
        "The repository around the project's root: fixed questions only, nothing that the repository's own configuration could turn into a program.",
    ),
    (
        "process",
        Module,
        "Processes of this machine, as far as they can be named for sure.",
    ),
    (
        "ledger",
        Module,
        "What belegt itself has on record, to read only.",
    ),
    (
        "text",
        Module,
        "Patterns, entries, digests and plain formats of lists. A pattern is a regular expression without look-around and back-references.",
    ),
    (
        "md",
        Module,
        "Markdown as GFM reads it, with places, and with the near misses that it hides.",
    ),
    (
        "json",
        Module,
        "A strict reader of JSON: duplicate keys and numbers out of range are refused.",
    ),
    (
        "time",
        Module,
        "Instants that are written down, phrases of time, and the clock.",
    ),
    (
        "answers",
        Answers,
        "What entry functions give. An answer remembers the line that made it; a forgotten branch is an error and never an answer.",
    ),
    (
        "ctx",
        Handle,
        "What a script may know of the run; a parameter of every entry function of a probe. Read only; a misspelt name is an error.",
    ),
    (
        "look",
        Handle,
        "The answer of the world to one question. `ok` is asked first: a value that is not there raises when it is read, so that a failure never passes as an empty text.",
    ),
    (
        "folder entry",
        Handle,
        "One entry of a folder, from `look.entries`.",
    ),
    (
        "heads",
        Handle,
        "The heads of a folder's files, from `fs::heads`.",
    ),
    (
        "head",
        Handle,
        "The head of one file, from `heads.files`. A file that could not be read stays in the list, with its reason.",
    ),
    (
        "list",
        Handle,
        "Values in their order, of any number; a `for` goes through them. A list is never changed: each method gives a new one. Where the host takes a list, an array of the script will do.",
    ),
    (
        "text",
        Handle,
        "A text of any length that stays on the host's side: a file, or what a command printed. Where the host takes a `text`, a string will do, and the other way round.",
    ),
    ("line", Handle, "One line of a text, from `text.lines`."),
    (
        "json",
        Handle,
        "A JSON value. A field is read with the type that is expected; another type or a missing field raises with its path.",
    ),
    (
        "item",
        Handle,
        "A thing that a probe saw, made by `item(...)`.",
    ),
    (
        "entry",
        Handle,
        "One entry of a text, from `text::entries`.",
    ),
    (
        "task",
        Handle,
        "One task of a list, from `md::tasks`, `text::todo_txt` or `text::aufgaben_txt`.",
    ),
    (
        "table",
        Handle,
        "One table of a Markdown text, from `md::tables`.",
    ),
    ("row", Handle, "One row of a table, from `table.rows`."),
    (
        "section",
        Handle,
        "One heading of a Markdown text, from `md::sections`.",
    ),
    ("time", Handle, "An instant, shown in the zone of the run."),
    (
        "phrase of time",
        Handle,
        "What a text says of time, from `time::phrase`. The meaning of a phrase that has none raises; `ok` is asked first.",
    ),
    (
        "ticket name",
        Handle,
        "What the name of a ticket file says, from `text::ticket_name` or `head.ticket`.",
    ),
    (
        "ticket status",
        Handle,
        "What a STATUS line says, from `text::ticket_status`.",
    ),
    (
        "reading",
        Handle,
        "Rows of gardener's output, or why it is not understood, from `text::gardener_hits` or `text::gardener_tasks`.",
    ),
    ("hit", Handle, "One line of `gardener find`."),
    ("task line", Handle, "One line of `gardener tasks`."),
    (
        "record",
        Handle,
        "The output of `gardener get`, from `text::gardener_record`.",
    ),
    (
        "array",
        Engine,
        "The engine's functions over arrays that take a closure, made strict: a closure that gives neither true nor false is an error.",
    ),
    (
        "string",
        Engine,
        "The engine's functions over strings that the host has bounded.",
    ),
    (
        "value",
        Engine,
        "Comparisons. Those of two kinds that cannot be compared raise, where the engine alone would call them unequal.",
    ),
];

/// What is closed in another way than by a function of that name.
pub const CLOSED: &[(&str, &str)] = &[
    (
        "try",
        "looks give a result with `ok` and `why`; an error ends the call and is reported",
    ),
    ("eval", "what runs is what was digested"),
    ("curry", "write a closure: `|y| f.call(x, y)`"),
    (
        "timestamp",
        "`ctx.now` is the instant of the run, and `time::clock()` asks the clock",
    ),
];
