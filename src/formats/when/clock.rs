//! Clock times: `16:00`, `06:00 Uhr`, `22.04 Uhr`, `16 Uhr 30`, `4:30 pm`, `24:00`.
//!
//! INVARIANT: a number that may as well be a date is refused, not guessed.

use super::Refusal;
use super::scan::Scan;

/// A time of a day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Clock {
    /// 0 to 24; 24 only as `24:00`, the start of the next day.
    pub hour: u32,
    pub minute: u32,
    pub second: u32,
    /// What was done to what was written.
    pub note: Option<String>,
}

/// What follows the numbers of a clock time.
enum Suffix {
    None,
    Uhr,
    OClock,
    Half { afternoon: bool },
}

/// Passes a clock time; nothing, and the cursor stays, if none stands here. `led`: words such as
/// `at` stand before it, so that a bare number is meant to be one.
pub(super) fn read(scan: &mut Scan<'_>, led: bool) -> Option<Result<Clock, Refusal>> {
    let from = scan.at();
    let mut ahead = *scan;
    let clock = match shaped(&mut ahead, led)? {
        Ok((numbers, suffix)) => checked(numbers, &suffix),
        Err(why) => Err(why),
    };
    let piece = ahead.piece(from);
    *scan = ahead;
    Some(clock.map_err(|why| Refusal::new(why, piece)))
}

/// Hour, minute, second and whether a fraction of a second is to be rounded up.
type Numbers = (u32, u32, u32, bool);

/// The numbers with what stands behind them.
fn shaped(scan: &mut Scan<'_>, led: bool) -> Option<Result<(Numbers, Suffix), String>> {
    let Some(hour) = scan.number(1..=2) else {
        let digits = scan.digits();
        let bare = led && !digits.is_empty() && scan.is_done();
        return bare.then(|| Err("write a clock time as `16:00`".to_owned()));
    };
    if let Some(numbers) = with_colon(scan, hour) {
        return Some(suffix(scan, hour).map(|suffix| (numbers, suffix)));
    }
    if scan.sees(|c| c == '.') {
        return dotted(scan, hour, led);
    }
    let suffix = match suffix(scan, hour) {
        Ok(suffix) => suffix,
        Err(why) => return Some(Err(why)),
    };
    let minute = match suffix {
        Suffix::Uhr => minutes_behind(scan).unwrap_or(0),
        Suffix::None if led && scan.is_done() => {
            return Some(Err("write a clock time as `16:00`, or `4 pm`".to_owned()));
        }
        Suffix::None => return None,
        Suffix::OClock | Suffix::Half { .. } => 0,
    };
    Some(Ok(((hour, minute, 0, false), suffix)))
}

/// `:30`, `:30:15`, `:30:15.5` behind the hour.
fn with_colon(scan: &mut Scan<'_>, hour: u32) -> Option<Numbers> {
    let mut ahead = *scan;
    if !ahead.eat(':') {
        return None;
    }
    let minute = ahead.number(2..=2)?;
    let mut further = ahead;
    let second = further.eat(':').then(|| further.number(2..=2)).flatten();
    let mut up = false;
    if second.is_some() {
        ahead = further;
        if further.eat_any(&['.', ',']) {
            let fraction = further.digits();
            if !fraction.is_empty() {
                up = fraction.bytes().any(|digit| digit != b'0');
                ahead = further;
            }
        }
    }
    *scan = ahead;
    Some((hour, minute, second.unwrap_or(0), up))
}

/// `22.04 Uhr`, or `22.04`, which may be a date.
fn dotted(scan: &mut Scan<'_>, hour: u32, led: bool) -> Option<Result<(Numbers, Suffix), String>> {
    scan.eat('.');
    let minute = scan.number(2..=2)?;
    let numbers = (hour, minute, 0, false);
    match suffix(scan, hour) {
        Ok(Suffix::None) if !led || !scan.is_boundary() => None,
        Ok(Suffix::None) if (1..=31).contains(&hour) && (1..=12).contains(&minute) => {
            let why = format!(
                "a date or a time of day; write `{hour:02}:{minute:02}` for the time, \
                 and a date as `2026-12-24` with a clock time behind it"
            );
            Some(Err(why))
        }
        Ok(suffix) => Some(Ok((numbers, suffix))),
        Err(why) => Some(Err(why)),
    }
}

/// `30` behind `16 Uhr`.
fn minutes_behind(scan: &mut Scan<'_>) -> Option<u32> {
    let mut ahead = *scan;
    ahead.space();
    let minute = ahead.number(2..=2)?;
    let ends = ahead.is_boundary() && !ahead.sees(|c| ".:".contains(c));
    ends.then(|| {
        *scan = ahead;
        minute
    })
}

/// Passes `Uhr`, `o'clock`, `am`, `pm`.
fn suffix(scan: &mut Scan<'_>, hour: u32) -> Result<Suffix, String> {
    let mut ahead = *scan;
    ahead.space();
    let mut word = ahead;
    if word.words(&["uhr"]) {
        *scan = word;
        return Ok(Suffix::Uhr);
    }
    if word.run(|c| "oO".contains(c)).len() == 1
        && word.eat_any(&['\'', '’'])
        && word.words(&["clock"])
    {
        *scan = word;
        return Ok(Suffix::OClock);
    }
    let Some(afternoon) = half(&mut ahead) else {
        return Ok(Suffix::None);
    };
    // `am` is also German for "on the".
    let on_the = !afternoon && !ahead.is_done();
    if on_the && hour == 12 {
        return Err("`12 am` can be midnight or noon; write `00:00` or `12:00`".to_owned());
    }
    if on_the && (hour == 0 || hour > 12) {
        return Ok(Suffix::None);
    }
    *scan = ahead;
    Ok(Suffix::Half { afternoon })
}

/// Passes `am`, `a.m.`, `pm`, `p.m.`; whether it is the afternoon.
fn half(scan: &mut Scan<'_>) -> Option<bool> {
    let mut ahead = *scan;
    let afternoon = ahead.eat_any(&['p', 'P']);
    if !afternoon && !ahead.eat_any(&['a', 'A']) {
        return None;
    }
    let dotted = ahead.eat('.');
    if !ahead.eat_any(&['m', 'M']) {
        return None;
    }
    if dotted {
        ahead.eat('.');
    }
    ahead.is_boundary().then(|| {
        *scan = ahead;
        afternoon
    })
}

/// The time of day that the numbers mean.
fn checked((hour, minute, second, up): Numbers, suffix: &Suffix) -> Result<Clock, String> {
    let hour = match suffix {
        Suffix::Half { afternoon } => match (hour, *afternoon) {
            (1..=11, true) => hour + 12,
            (12, false) => 0,
            (1..=12, _) => hour,
            _ => return Err("`am` and `pm` go with the hours 1 to 12".to_owned()),
        },
        Suffix::OClock if (1..=12).contains(&hour) => {
            let late = hour % 12 + 12;
            return Err(format!(
                "morning or afternoon; write `{:02}:00` or `{late:02}:00`",
                hour % 12
            ));
        }
        _ => hour,
    };
    let no_such = || "there is no such clock time; write `00:00` to `24:00`".to_owned();
    let leap = second == 60 && minute == 59;
    if hour > 24 || minute > 59 || (second > 59 && !leap) {
        return Err(no_such());
    }
    if hour == 24 && (minute > 0 || second > 0 || up) {
        return Err(no_such());
    }
    let note = leap.then(|| "leap seconds are not counted; second 59 is taken".to_owned());
    let mut clock = Clock {
        hour,
        minute,
        second: second.min(59),
        note,
    };
    if up && !leap {
        clock = clock.one_second_later();
    }
    Ok(clock)
}

impl Clock {
    fn one_second_later(self) -> Self {
        let seconds = self.hour * 3_600 + self.minute * 60 + self.second + 1;
        Clock {
            hour: seconds / 3_600,
            minute: seconds / 60 % 60,
            second: seconds % 60,
            note: self.note,
        }
    }

    /// The normal spelling: `16:00`, with seconds only if there are any.
    pub fn spelling(&self) -> String {
        match self.second {
            0 => format!("{:02}:{:02}", self.hour, self.minute),
            second => format!("{:02}:{:02}:{second:02}", self.hour, self.minute),
        }
    }
}
