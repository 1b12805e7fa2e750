//! Zone and language: what the surroundings say where the settings are silent.

use std::str::FromStr;

use chrono_tz::Tz;

use crate::script::names::closest;
use crate::world::Environment;

use super::paths::variable;

/// The language of what belegt says to people.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// German.
    German,
}

impl Language {
    /// `en` or `de`.
    pub fn text(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::German => "de",
        }
    }

    /// The language that `en` or `de` names.
    pub fn named(text: &str) -> Option<Self> {
        match text {
            "en" => Some(Language::English),
            "de" => Some(Language::German),
            _ => None,
        }
    }
}

/// The language of the locale, with the variable that says it. As POSIX has it, the first of
/// the three that is set decides, whatever it says.
pub fn language(environment: &Environment) -> Option<(Language, &'static str)> {
    for name in ["LC_ALL", "LC_MESSAGES", "LANG"] {
        if let Some(value) = variable(environment, name) {
            return Some((language_of(&value.to_string_lossy()), name));
        }
    }
    None
}

fn language_of(locale: &str) -> Language {
    let mut parts = locale.split(['_', '.', '@', '-']);
    let is_german = parts
        .next()
        .is_some_and(|part| part.eq_ignore_ascii_case("de"));
    if is_german {
        Language::German
    } else {
        Language::English
    }
}

/// Whether a name is one of an IANA zone.
pub fn is_zone(name: &str) -> bool {
    Tz::from_str(name).is_ok()
}

/// The IANA zone that `TZ` names, if it does; a leading colon is POSIX's.
pub fn zone_variable(environment: &Environment) -> Option<String> {
    let value = variable(environment, "TZ")?.to_str()?;
    let name = value.strip_prefix(':').unwrap_or(value);
    is_zone(name).then(|| name.to_string())
}

/// The zone of a name; the error is a sentence.
pub fn zone(name: &str) -> Result<Tz, String> {
    if let Ok(zone) = Tz::from_str(name) {
        return Ok(zone);
    }
    let known = chrono_tz::TZ_VARIANTS.iter().map(|zone| zone.name());
    let near = closest(name, known.filter(|_| name.len() < 64));
    let hint = near.map(|near| format!("; did you mean `{near}`?"));
    Err(format!(
        "`{}` is no zone such as `Europe/Berlin`{}",
        crate::model::text::short(name, 60),
        hint.unwrap_or_default()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_variable_that_is_set_decides_the_language() {
        use Language::{English, German};
        type Variables<'a> = &'a [(&'a str, &'a str)];
        let table: [(Variables<'_>, Option<(Language, &str)>); 10] = [
            (&[], None),
            (&[("LANG", "de_DE.UTF-8")], Some((German, "LANG"))),
            (&[("LANG", "de")], Some((German, "LANG"))),
            (&[("LANG", "DE_AT@euro")], Some((German, "LANG"))),
            (&[("LANG", "del_X")], Some((English, "LANG"))),
            (&[("LANG", "fr_FR.UTF-8")], Some((English, "LANG"))),
            (
                &[("LANG", "de_DE"), ("LC_ALL", "C")],
                Some((English, "LC_ALL")),
            ),
            (&[("LANG", "de_DE"), ("LC_ALL", "")], Some((German, "LANG"))),
            (
                &[("LANG", "C"), ("LC_MESSAGES", "de_CH.UTF-8")],
                Some((German, "LC_MESSAGES")),
            ),
            (
                &[("LC_MESSAGES", "de"), ("LC_ALL", "en_GB")],
                Some((English, "LC_ALL")),
            ),
        ];
        for (variables, wanted) in table {
            let environment: Environment = variables
                .iter()
                .map(|(name, value)| (name.into(), value.into()))
                .collect();
            assert_eq!(language(&environment), wanted, "{variables:?}");
        }
    }

    #[test]
    fn an_unknown_zone_is_never_taken_for_another() {
        assert_eq!(zone("Europe/Berlin"), Ok(chrono_tz::Europe::Berlin));
        assert_eq!(zone("UTC"), Ok(Tz::UTC));
        for wrong in ["Europe/Berln", "", "europe", "CET-1CEST", "Mars", "+01:00"] {
            assert!(zone(wrong).is_err(), "{wrong}");
        }
        let sentence = zone("Europe/Berln").unwrap_err();
        assert!(
            sentence.contains("did you mean `Europe/Berlin`?"),
            "{sentence}"
        );
    }
}
