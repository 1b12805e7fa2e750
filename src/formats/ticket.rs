//! File names and STATUS values of ticket-master tickets (1.11.3).
//!
//! INVARIANT: strict. What is not exactly of the grammar is no ticket name and no status, so that
//! the caller reports it; nothing is guessed.

use super::is_date;

/// What the name of a ticket file says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name<'a> {
    /// `T-<8 digits>-<number>`.
    pub id: &'a str,
    /// What stands behind `_`; not part of the id.
    pub slug: Option<&'a str>,
    /// `.to-X`: whom it is for.
    pub to: Option<&'a str>,
    /// `.via-X`: by which selector.
    pub via: Option<&'a str>,
    /// `.claim-HOST` or `.HOST`: who claims it. In most clusters that is provenance only.
    pub claim: Option<&'a str>,
}

/// Reads `T-<8 digits>-<number>[_slug][.to-X][.via-X][.claim-HOST|.HOST].txt`.
///
/// `None` if the name is of another form: then the file is a formless note, not a ticket.
pub fn name(file: &str) -> Option<Name<'_>> {
    let mut segments = file.strip_suffix(".txt")?.split('.');
    let stem = segments.next()?;
    let (id, slug) = stem
        .split_once('_')
        .map_or((stem, None), |(id, slug)| (id, Some(slug)));
    if !is_id(id) || slug.is_some_and(str::is_empty) {
        return None;
    }
    let mut name = Name {
        id,
        slug,
        to: None,
        via: None,
        claim: None,
    };
    for segment in segments {
        let (slot, value) = match segment.split_once('-') {
            Some(("to", value)) => (&mut name.to, value),
            Some(("via", value)) => (&mut name.via, value),
            Some(("claim", value)) => (&mut name.claim, value),
            _ => (&mut name.claim, segment),
        };
        if slot.is_some() || !is_word(value) {
            return None;
        }
        *slot = Some(value);
    }
    Some(name)
}

fn is_id(id: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let parts = id.strip_prefix("T-").and_then(|rest| rest.split_once('-'));
    parts.is_some_and(|(day, number)| day.len() == 8 && digits(day) && digits(number))
}

fn is_word(text: &str) -> bool {
    let allowed = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_');
    !text.is_empty() && text.bytes().all(allowed)
}

/// A STATUS value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status<'a> {
    /// One of the eight clusters, or a legacy word: `OPEN`, `PENDING`, `.USER`.
    pub cluster: &'a str,
    /// The subcategory; BLOCKED, WAITING, USER and PARKED have one, the others none.
    pub sub: Option<&'a str>,
    /// `YYYY-MM-DD` of `(since ...)` or `(seit ...)`: when it came there, not when it is due.
    pub since: Option<&'a str>,
}

/// Why a STATUS value is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadStatus {
    /// The first word is no cluster.
    #[error("`{0}` is no cluster; words are case-sensitive")]
    Cluster(String),
    /// A subcategory is missing, not allowed here, or unknown.
    #[error("cluster {cluster} {rule}, found `{found}`")]
    Sub {
        /// The cluster.
        cluster: String,
        /// What it would need.
        rule: String,
        /// What stands there, empty if nothing.
        found: String,
    },
    /// Something other than `(since YYYY-MM-DD)` follows.
    #[error("`{0}` after the status is not `(since YYYY-MM-DD)` or `(seit YYYY-MM-DD)`")]
    Rest(String),
}

/// The clusters with the subcategories of which they need one.
const CLUSTERS: [(&str, &[&str]); 11] = [
    ("INBOX", &[]),
    ("ACTIONABLE", &[]),
    ("QUEUED", &[]),
    (
        "BLOCKED",
        &[
            "host-receipt",
            "foreign-state",
            "lock",
            "quota",
            "dependency",
        ],
    ),
    ("WAITING", &["scheduled", "review-due", "marker"]),
    (
        "USER",
        &[
            "decision", "data", "freigabe", "hardware", "session", "marker",
        ],
    ),
    ("PARKED", &["skip", "backlog", "until-trigger"]),
    ("SOLVED", &[]),
    ("OPEN", &[]),
    ("PENDING", &[]),
    (".USER", &[]),
];

/// Reads `CLUSTER[/sub][ (since|seit YYYY-MM-DD)]`; blanks around it do not count.
///
/// # Errors
/// Says which part is not of the grammar.
pub fn status(value: &str) -> Result<Status<'_>, BadStatus> {
    let value = value.trim();
    let (word, rest) = value
        .split_once(' ')
        .map_or((value, ""), |(w, rest)| (w, rest.trim_start()));
    let (cluster, sub) = word
        .split_once('/')
        .map_or((word, None), |(c, sub)| (c, Some(sub)));
    let known = CLUSTERS.iter().find(|(name, _)| *name == cluster);
    let Some((_, subs)) = known else {
        return Err(BadStatus::Cluster(cut(cluster)));
    };
    let fits = sub.map_or(subs.is_empty(), |sub| subs.contains(&sub));
    if !fits {
        let needs = || format!("needs one of {}", subs.join(", "));
        let rule = if subs.is_empty() {
            "takes no subcategory".to_owned()
        } else {
            needs()
        };
        let found = cut(sub.unwrap_or_default());
        return Err(BadStatus::Sub {
            cluster: cluster.to_owned(),
            rule,
            found,
        });
    }
    let since = since(rest).ok_or_else(|| BadStatus::Rest(cut(rest)))?;
    Ok(Status {
        cluster,
        sub,
        since,
    })
}

/// The inner `None` if nothing stands there, the outer one if something else does.
fn since(rest: &str) -> Option<Option<&str>> {
    if rest.is_empty() {
        return Some(None);
    }
    let inner = rest.strip_prefix('(')?.strip_suffix(')')?;
    let day = inner
        .strip_prefix("since ")
        .or_else(|| inner.strip_prefix("seit "))?;
    is_date(day).then_some(Some(day))
}

fn cut(text: &str) -> String {
    text.chars().take(60).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let of = |id, slug, to, via, claim| {
            Some(Name {
                id,
                slug,
                to,
                via,
                claim,
            })
        };
        let table = [
            (
                "T-20261130-477725897.txt",
                of("T-20261130-477725897", None, None, None, None),
            ),
            (
                "T-20261130-557368869.HOSTB.txt",
                of("T-20261130-557368869", None, None, None, Some("HOSTB")),
            ),
            (
                "T-20261130-7_fix_a-b.txt",
                of("T-20261130-7", Some("fix_a-b"), None, None, None),
            ),
            (
                "T-20261130-7_s.to-dev.via-fast.claim-HOST-A.txt",
                of(
                    "T-20261130-7",
                    Some("s"),
                    Some("dev"),
                    Some("fast"),
                    Some("HOST-A"),
                ),
            ),
            (
                "T-20261130-7.my-host.txt",
                of("T-20261130-7", None, None, None, Some("my-host")),
            ),
            ("T-20261130-7.A.B.txt", None),
            ("T-20261130-7.to-a.to-b.txt", None),
            ("T-20261130-7..txt", None),
            ("T-20261130-7_.txt", None),
            ("T-20261130-7 (copy).txt", None),
            ("T-2026113-7.txt", None),
            ("T-20261130-.txt", None),
            ("T-20261130-7-2.txt", None),
            ("t-20261130-7.txt", None),
            ("T-20261130-7.md", None),
            ("notiz.txt", None),
            (".gitkeep", None),
            ("", None),
        ];
        for (file, expected) in table {
            assert_eq!(name(file), expected, "{file}");
        }
    }

    #[test]
    fn statuses() {
        let of = |cluster, sub, since| {
            Some(Status {
                cluster,
                sub,
                since,
            })
        };
        let table = [
            ("INBOX", of("INBOX", None, None)),
            (" ACTIONABLE ", of("ACTIONABLE", None, None)),
            (
                "WAITING/scheduled (seit 2026-11-01)",
                of("WAITING", Some("scheduled"), Some("2026-11-01")),
            ),
            (
                "BLOCKED/quota (since 2026-11-01)",
                of("BLOCKED", Some("quota"), Some("2026-11-01")),
            ),
            ("USER/freigabe", of("USER", Some("freigabe"), None)),
            (".USER", of(".USER", None, None)),
            (
                "PENDING (since 2026-11-01)",
                of("PENDING", None, Some("2026-11-01")),
            ),
            ("BLOCKED", None),
            ("BLOCKED/", None),
            ("BLOCKED/marker", None),
            ("INBOX/a", None),
            ("inbox", None),
            ("DONE", None),
            ("INBOX soon", None),
            ("INBOX (since 2026-11-31)", None),
            ("INBOX (since 2026-11-01) x", None),
            ("INBOX(since 2026-11-01)", None),
            ("", None),
        ];
        for (value, expected) in table {
            assert_eq!(status(value).ok(), expected, "{value}");
        }
    }

    #[test]
    fn errors_say_what_was_needed() {
        let said = |value| status(value).unwrap_err().to_string();
        assert_eq!(
            said("PARKED"),
            "cluster PARKED needs one of skip, backlog, until-trigger, found ``"
        );
        assert_eq!(
            said("SOLVED/x"),
            "cluster SOLVED takes no subcategory, found `x`"
        );
        assert!(said("offen").contains("`offen` is no cluster"));
        assert!(said("INBOX bald").contains("`bald` after the status"));
    }
}
