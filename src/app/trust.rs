//! Trust: a person allows exactly the bytes that a site holds now.

use std::fmt::Write as _;

use super::context::Context;
use crate::diag::{Code, Fault};
use crate::model::text::escape;
use crate::settings::bundle::Bundle;
use crate::settings::files::Links;

/// Shows what would be allowed and asks for the folder's name. The number of files if a person
/// agreed.
pub fn run(settings: &Context<'_>) -> Result<usize, Fault> {
    let person = settings.person().ok_or_else(|| {
        Fault::new(Code::Terminal, "trust needs a person at a terminal")
            .with_help("run `belegt trust` yourself, in a terminal; an agent cannot do it for you")
    })?;
    let bundle = Bundle::read(&settings.site_folder, ".belegt", Links::Refuse);
    if let Some(fault) = bundle.broken() {
        return Err(fault.clone());
    }
    let name = settings
        .root
        .file_name()
        .map(|n| n.to_string_lossy().into_owned())
        .unwrap_or_default();
    let question = question(settings, &bundle, &name);
    let answer = person.ask(&question).map_err(|error| {
        Fault::new(
            Code::Terminal,
            format!("the terminal cannot be read: {error}"),
        )
    })?;
    if name.is_empty() || answer.trim() != name {
        return Err(Fault::new(
            Code::Terminal,
            "not trusted: the answer was not the folder's name",
        ));
    }
    record(settings, &bundle)
}

/// Records trust for a bundle of known bytes.
pub fn record(settings: &Context<'_>, bundle: &Bundle) -> Result<usize, Fault> {
    let store = settings.trust_store().ok_or_else(|| {
        Fault::new(Code::State, "there is no home folder to keep trust in")
            .with_help("set HOME or XDG_STATE_HOME")
    })?;
    store.record(
        &settings.root,
        bundle,
        &settings.now.rfc3339(),
        &settings.actor.name,
    )?;
    Ok(bundle.file_digests().len())
}

fn question(settings: &Context<'_>, bundle: &Bundle, name: &str) -> String {
    let mut text = format!(
        "These files of `{}` would run:\n",
        escape(&settings.root.to_string_lossy())
    );
    for (path, digest) in bundle.file_digests() {
        let short: String = digest.chars().take(12).collect();
        let _ = writeln!(text, "  {short}  {}", escape(&path));
    }
    if let Some(Ok(site)) = bundle.site() {
        text.push_str("Its settings, which grant commands and folders:\n");
        text.push_str(&whole(&site));
    }
    text.push_str(
        "Scripts look through the host only, but a granted command can do whatever it does.\n",
    );
    let _ = write!(
        text,
        "Type the folder's name, `{}`, to trust them: ",
        escape(name)
    );
    text
}

/// Every line that is not blank. Comments are shown too: what begins like one need not be one,
/// behind `/*` or a string that goes on, and a grant could hide in it.
fn whole(site: &str) -> String {
    let lines = site.lines().filter(|line| !line.trim().is_empty());
    lines.fold(String::new(), |mut text, line| {
        let _ = writeln!(text, "  | {}", escape(line));
        text
    })
}

#[cfg(test)]
mod tests {
    use super::whole;

    #[test]
    fn no_grant_hides_from_the_person() {
        let site = "const SITE = #{\n\n  /* a note\n  // */ commands: [\"sh\"],\n};\r\u{1b}[8m";
        let shown = whole(site);
        assert!(shown.contains("| // */ commands") || shown.contains("|   // */ commands"));
        assert_eq!(shown.lines().count(), 4);
        assert!(!shown.contains(['\r', '\u{1b}']));
    }
}
