//! One instant with its zone: what the whole run calls "now".
//!
//! The wall clock is read once, above this layer; here time is only an argument.

use chrono::{DateTime, Duration, SecondsFormat, Utc};
use chrono_tz::Tz;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// An instant and the zone in which it is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    instant: DateTime<Utc>,
    zone: Tz,
}

impl Moment {
    /// The instant, shown in `zone`.
    pub fn new(instant: DateTime<Utc>, zone: Tz) -> Self {
        Moment { instant, zone }
    }

    /// The instant itself, without its zone.
    pub fn instant(self) -> DateTime<Utc> {
        self.instant
    }

    /// The zone in which the instant is shown.
    pub fn zone(self) -> Tz {
        self.zone
    }

    /// The same instant in another zone.
    pub fn in_zone(self, zone: Tz) -> Self {
        Moment { zone, ..self }
    }

    /// The instant moved by a duration; at the ends of the calendar it stays where it is.
    pub fn plus(self, by: Duration) -> Self {
        let instant = self.instant.checked_add_signed(by).unwrap_or(self.instant);
        Moment { instant, ..self }
    }

    /// `self - earlier`; negative when `earlier` lies in the future.
    pub fn since(self, earlier: DateTime<Utc>) -> Duration {
        self.instant.signed_duration_since(earlier)
    }

    /// RFC 3339, whole seconds, numeric offset: `2026-11-30T10:00:00+01:00`.
    pub fn rfc3339(self) -> String {
        self.instant
            .with_timezone(&self.zone)
            .to_rfc3339_opts(SecondsFormat::Secs, false)
    }

    /// The calendar date in the zone: `2026-11-30`.
    pub fn date(self) -> String {
        self.instant
            .with_timezone(&self.zone)
            .format("%Y-%m-%d")
            .to_string()
    }
}

impl Serialize for Moment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = format!(
            "{}[{}]",
            self.instant
                .with_timezone(&self.zone)
                .to_rfc3339_opts(SecondsFormat::AutoSi, false),
            self.zone.name()
        );
        serializer.serialize_str(&text)
    }
}

impl<'de> Deserialize<'de> for Moment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        use serde::de::Error;
        let text = String::deserialize(deserializer)?;
        let (time, zone) = text
            .strip_suffix(']')
            .and_then(|t| t.split_once('['))
            .ok_or_else(|| D::Error::custom("expected `TIME[ZONE]`"))?;
        let instant = DateTime::parse_from_rfc3339(time).map_err(D::Error::custom)?;
        let zone: Tz = zone.parse().map_err(D::Error::custom)?;
        Ok(Moment::new(instant.with_timezone(&Utc), zone))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_survives_writing_and_reading() {
        let instant = DateTime::parse_from_rfc3339("2026-11-30T10:00:00.25+01:00").unwrap();
        let moment = Moment::new(instant.with_timezone(&Utc), chrono_tz::Europe::Berlin);
        let text = serde_json::to_string(&moment).unwrap();
        assert_eq!(text, "\"2026-11-30T10:00:00.250+01:00[Europe/Berlin]\"");
        assert_eq!(serde_json::from_str::<Moment>(&text).unwrap(), moment);
        assert_eq!(moment.rfc3339(), "2026-11-30T10:00:00+01:00");
    }
}
