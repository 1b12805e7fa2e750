//! The addresses of git remotes: which may be asked, and how they are shown.
//!
//! The forms are those of git-fetch(1), "GIT URLS". What may be asked is a short list: `file`
//! (and plain paths), `https`, `ssh` (and `host:path`) and `git`. A helper (`ext::sh -c ...`)
//! is a program with arguments and never on it.
//!
//! INVARIANT: what [`shown`] gives holds no password and no token; nothing else of an address
//! may get into an answer, a receipt or a message.

use std::path::{Path, PathBuf};

/// How a remote is reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Address {
    /// A repository on this machine.
    Local(PathBuf),
    /// Through `ssh`.
    Ssh(String),
    /// Through `https` or `git`.
    Web(String),
}

/// What may be asked, for messages.
const ALLOWED: &str = "belegt asks remotes by path, `file://`, `https://`, `ssh://` and `git://`";

/// Reads an address. A relative path counts from `top`, as it does for git.
///
/// # Errors
/// Why it is not asked, for a person.
pub fn read(url: &str, top: &Path) -> Result<Address, String> {
    if url.is_empty() || url.starts_with('-') || url.contains(char::is_control) {
        return Err("the URL is empty, begins with `-` or holds control characters".to_owned());
    }
    if let Some(helper) = helper(url) {
        return Err(format!(
            "the URL names the helper `{helper}::`, which is a program; {ALLOWED}"
        ));
    }
    if let Some((scheme, rest)) = url.split_once("://")
        && scheme.chars().all(is_scheme)
    {
        return schemed(scheme, (url, rest));
    }
    match url.split_once(':') {
        Some((host, _)) if !host.contains('/') => {
            host_is_plain(host)?;
            Ok(Address::Ssh(url.to_owned()))
        }
        _ => Ok(Address::Local(top.join(url))),
    }
}

fn schemed(scheme: &str, (url, rest): (&str, &str)) -> Result<Address, String> {
    let host = rest.split('/').next().unwrap_or_default();
    match scheme {
        "file" if !rest.starts_with('/') => Err(
            "a `file://` URL with a host is not asked; write `file:///` and the path".to_owned(),
        ),
        "file" => decoded(rest).map(|path| Address::Local(PathBuf::from(path))),
        "https" | "git" => host_is_plain(host).map(|()| Address::Web(url.to_owned())),
        "ssh" => host_is_plain(host).map(|()| Address::Ssh(url.to_owned())),
        other => Err(format!("`{other}://` is not asked; {ALLOWED}")),
    }
}

/// A host must not look like an option to `ssh`.
fn host_is_plain(host: &str) -> Result<(), String> {
    let bare = host.rsplit('@').next().unwrap_or_default();
    if bare.is_empty() || bare.starts_with('-') || host.starts_with('-') {
        return Err("the URL names no host, or one that begins with `-`".to_owned());
    }
    Ok(())
}

/// The helper that an address names: git looks for it before anything else.
fn helper(url: &str) -> Option<&str> {
    let end = url.find(|c| !is_scheme(c))?;
    let (name, rest) = url.split_at_checked(end)?;
    rest.starts_with("::").then_some(name)
}

fn is_scheme(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.')
}

/// The path of a `file://` URL: `%20` stands for a blank.
fn decoded(path: &str) -> Result<String, String> {
    let mut bytes = Vec::with_capacity(path.len());
    let mut pieces = path.split('%');
    bytes.extend(pieces.next().unwrap_or_default().bytes());
    for piece in pieces {
        let digits = piece.get(..2);
        let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        let Some(byte) = byte.filter(|byte| *byte != 0) else {
            return Err("the path of the URL holds a `%` without two hex digits".to_owned());
        };
        bytes.push(byte);
        bytes.extend(piece.bytes().skip(2));
    }
    String::from_utf8(bytes).map_err(|_| "the path of the URL is not UTF-8".to_owned())
}

/// The address as it may be shown: without password, without token, without query.
pub fn shown(url: &str) -> String {
    if let Some(helper) = helper(url) {
        return format!("{helper}::***");
    }
    let (scheme, rest) = match url.split_once("://") {
        Some((scheme, rest)) => (Some(scheme), rest),
        None => (None, url),
    };
    let (rest, query) = match rest
        .find(['?', '#'])
        .and_then(|at| rest.split_at_checked(at))
    {
        Some((rest, _)) if scheme.is_some() => (rest, "?***"),
        _ => (rest, ""),
    };
    let Some((user, host)) = with_user(rest) else {
        return format!("{}{rest}{query}", prefix(scheme));
    };
    // Over ssh the user is a part of the place (`git@host`); elsewhere it may be a token.
    let user = match (scheme, user.split_once(':')) {
        (Some("ssh") | None, None) => user.to_owned(),
        (Some("ssh") | None, Some((name, _))) => format!("{name}:***"),
        _ => "***".to_owned(),
    };
    format!("{}{user}@{host}{query}", prefix(scheme))
}

fn prefix(scheme: Option<&str>) -> String {
    scheme
        .map(|scheme| format!("{scheme}://"))
        .unwrap_or_default()
}

/// The part before the host, if there is one. A password may hold `@`, and somebody may have
/// written one with a `/` that is not escaped.
fn with_user(rest: &str) -> Option<(&str, &str)> {
    let authority = rest.split('/').next().unwrap_or_default();
    if authority.contains('@') {
        let end = authority.rfind('@')?;
        return Some((rest.get(..end)?, rest.get(end + 1..)?));
    }
    let (_, port) = authority.split_once(':')?;
    if port.chars().all(|c| c.is_ascii_digit()) {
        return None;
    }
    rest.rsplit_once('@')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(url: &str) -> String {
        match read(url, Path::new("/top")) {
            Ok(Address::Local(path)) => format!("local {}", path.display()),
            Ok(Address::Ssh(url)) => format!("ssh {url}"),
            Ok(Address::Web(url)) => format!("web {url}"),
            Err(_) => "refused".to_owned(),
        }
    }

    #[test]
    fn each_form_is_read_as_git_reads_it() {
        let table = [
            ("/srv/x.git", "local /srv/x.git"),
            ("../x.git", "local /top/../x.git"),
            ("./a:b", "local /top/./a:b"),
            ("/a:b", "local /a:b"),
            ("file:///srv/a%20b", "local /srv/a b"),
            ("https://host/x", "web https://host/x"),
            ("git://host/x", "web git://host/x"),
            ("ssh://git@host/x", "ssh ssh://git@host/x"),
            ("git@host:x.git", "ssh git@host:x.git"),
            ("[::1]:x", "ssh [::1]:x"),
        ];
        for (url, expected) in table {
            assert_eq!(kind(url), expected, "{url}");
        }
    }

    #[test]
    fn what_could_run_a_program_is_refused() {
        for url in [
            "",
            "-x",
            "--upload-pack=touch x",
            "ext::sh -c touch% x",
            "file::/x",
            "fd::17",
            "foo+bar.x::y",
            "http://host/x",
            "ftp://host/x",
            "HTTPS://host/x",
            "ssh://-oProxyCommand=x/y",
            "ssh://git@-oProxyCommand=x/y",
            "-oProxyCommand=x:y",
            "git@-oProxyCommand=x:y",
            "https:///x",
            "file://host/x",
            "file:///a%0",
            "file:///a%00",
            "git://host/x\nhost=y",
        ] {
            assert_eq!(kind(url), "refused", "{url}");
        }
    }

    #[test]
    fn no_secret_is_shown() {
        let table = [
            ("https://ada:secret@host/x", "https://***@host/x"),
            ("https://secret@host/x", "https://***@host/x"),
            ("https://ada:se@cret@host/x", "https://***@host/x"),
            ("https://ada:se/cret@host/x", "https://***@host/x"),
            ("https://host:8443/@scope/x", "https://host:8443/@scope/x"),
            ("https://host/x?token=secret", "https://host/x?***"),
            ("https://host/x", "https://host/x"),
            ("ssh://git@host/x", "ssh://git@host/x"),
            ("ssh://git:secret@host/x", "ssh://git:***@host/x"),
            ("git@host:x", "git@host:x"),
            ("ada:secret@host:x", "ada:***@host:x"),
            ("foo://ada:secret@host/x", "foo://***@host/x"),
            ("ext::sh -c secret", "ext::***"),
            ("/srv/a?b#c", "/srv/a?b#c"),
            ("../x", "../x"),
        ];
        for (url, expected) in table {
            assert_eq!(shown(url), expected);
        }
    }
}
