//! The flags that every command understands, as plain data.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Common flags, filled by the command line.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
pub struct Flags {
    /// The project's root [default: the nearest folder upward with `.belegt/`, else the git
    /// root, else the current folder]
    #[arg(long, global = true, value_name = "DIR")]
    pub root: Option<PathBuf>,
    /// The ledger [default: `.belegt/ledger.db` below the root]
    #[arg(long, global = true, value_name = "FILE")]
    pub ledger: Option<PathBuf>,
    /// Id of the session that is recorded [env: BELEGT_SESSION]
    #[arg(long, global = true, value_name = "ID")]
    pub session: Option<String>,
    /// Name of the one who acts, as it is recorded [env: BELEGT_ACTOR]
    #[arg(long, global = true, value_name = "NAME")]
    pub actor: Option<String>,
    /// How long an unchanged result spares a new look; it may only shorten the site's. The
    /// command that knows it fills it in.
    #[arg(skip)]
    pub interval: Option<String>,
    /// Print one JSON object
    #[arg(long, global = true)]
    pub json: bool,
    /// Print what is needed and no more
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// When to use colour
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t)]
    pub color: ColorChoice,
}

/// When output is coloured.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum ColorChoice {
    /// At a terminal, unless `NO_COLOR` is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        flags: Flags,
    }

    #[test]
    fn the_command_line_fills_the_flags() {
        let line = "belegt --root r --ledger l -q --json --session s --actor a --color never";
        let flags = Line::try_parse_from(line.split(' ')).unwrap().flags;
        let wanted = Flags {
            root: Some("r".into()),
            ledger: Some("l".into()),
            session: Some("s".into()),
            actor: Some("a".into()),
            interval: None,
            json: true,
            quiet: true,
            color: ColorChoice::Never,
        };
        assert_eq!(flags, wanted);
        let empty = Line::try_parse_from(["belegt"]).unwrap().flags;
        assert_eq!(empty, Flags::default());
        assert!(Line::try_parse_from(["belegt", "--color", "blue"]).is_err());
    }
}
