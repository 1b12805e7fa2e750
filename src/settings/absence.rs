//! Roles that a person declared absent, and how long that counts.

use chrono::{NaiveDate, TimeDelta};

use crate::model::moment::Moment;
use crate::model::text::escape;

use super::origin::Origin;
use super::site::Absent;

/// An end is announced this many days ahead.
const AHEAD: i64 = 14;

/// A role that a person declared absent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declared {
    /// Why there is none.
    pub reason: String,
    /// The last day on which this counts, in the zone of the run.
    pub until: Option<NaiveDate>,
    /// Whether that day has passed: the role is asked again.
    pub expired: bool,
    /// Whether it counts and ends within 14 days.
    pub ends_soon: bool,
    /// Whose file says so.
    pub origin: Origin,
}

/// A declaration as it stands today.
pub fn declared(absent: Absent, origin: Origin, now: Moment) -> Declared {
    let today = now.instant().with_timezone(&now.zone()).date_naive();
    let expired = absent.end.is_some_and(|end| today > end);
    let ends_soon = absent.end.is_some_and(|end| {
        let left = end.signed_duration_since(today);
        !expired && left <= TimeDelta::days(AHEAD)
    });
    Declared {
        reason: absent.reason,
        until: absent.end,
        expired,
        ends_soon,
        origin,
    }
}

impl Declared {
    /// What a person should know about the end, if anything.
    pub fn warning(&self, role: &str) -> Option<String> {
        let until = self.until?;
        let role = escape(role);
        match (self.expired, self.ends_soon) {
            (true, _) => Some(format!(
                "`{role}` was declared absent until {until}; it is asked again"
            )),
            (false, true) => Some(format!(
                "`{role}` is declared absent until {until} only; renew it in the settings"
            )),
            (false, false) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, Utc};

    use super::*;

    #[test]
    fn the_end_is_a_whole_day_of_the_zone() {
        // 23:30 UTC is already the next day in Berlin.
        let instant: DateTime<Utc> = "2027-11-30T23:30:00Z".parse().unwrap();
        let berlin = Moment::new(instant, chrono_tz::Europe::Berlin);
        let utc = Moment::new(instant, chrono_tz::UTC);
        let table = [
            ("2027-11-30", utc, (false, true)),
            ("2027-11-30", berlin, (true, false)),
            ("2027-12-01", berlin, (false, true)),
            ("2027-12-14", utc, (false, true)),
            ("2027-12-15", utc, (false, false)),
            ("2027-12-15", berlin, (false, true)),
            ("2020-01-01", utc, (true, false)),
        ];
        for (end, now, wanted) in table {
            let absent = Absent {
                reason: "r".into(),
                end: Some(end.parse().unwrap()),
            };
            let got = declared(absent, Origin::UserFile, now);
            assert_eq!((got.expired, got.ends_soon), wanted, "{end}");
            assert_eq!(got.warning("x").is_some(), wanted != (false, false));
        }
        let open = Absent {
            reason: "r".into(),
            end: None,
        };
        let got = declared(open, Origin::UserFile, utc);
        assert_eq!(
            (got.expired, got.ends_soon, got.warning("x")),
            (false, false, None)
        );
    }
}
