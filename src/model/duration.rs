//! Short durations as they are written in settings and flags: `90s`, `15m`, `1h30m`, `2d`.

use std::time::Duration;

/// Reads a duration: units `s`, `m`, `h`, `d`, each at most once, the largest first.
///
/// The error is a sentence for a person.
pub fn parse(text: &str) -> Result<Duration, String> {
    const UNITS: [(char, u64); 4] = [('d', 86_400), ('h', 3_600), ('m', 60), ('s', 1)];
    let refuse = |why: &str| Err(format!("`{text}` is no duration: {why}"));
    let mut seconds: u64 = 0;
    let mut units = UNITS.iter();
    let mut digits = String::new();
    if text.is_empty() {
        return refuse("write it as `90s`, `15m` or `1h30m`");
    }
    for c in text.chars() {
        if c.is_ascii_digit() {
            digits.push(c);
            continue;
        }
        let Some((_, size)) = units.find(|(unit, _)| *unit == c) else {
            return refuse("units are `d`, `h`, `m`, `s`, each once, the largest first");
        };
        let Ok(number) = digits.parse::<u64>() else {
            return refuse("a whole number stands before each unit");
        };
        digits.clear();
        match number
            .checked_mul(*size)
            .and_then(|n| n.checked_add(seconds))
        {
            Some(sum) => seconds = sum,
            None => return refuse("it is too long"),
        }
    }
    match digits.is_empty() {
        true => Ok(Duration::from_secs(seconds)),
        false => refuse("the unit is missing"),
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn durations_are_read_strictly() {
        let seconds = |text| parse(text).map(|d| d.as_secs()).ok();
        assert_eq!(seconds("15m"), Some(900));
        assert_eq!(seconds("1h30m"), Some(5400));
        assert_eq!(seconds("2d"), Some(172_800));
        for wrong in [
            "",
            "90",
            "1h30",
            "2h2h",
            "30m1h",
            "-5m",
            "1.5h",
            "m",
            "99999999999999999d",
            "15 m",
        ] {
            assert_eq!(seconds(wrong), None, "{wrong}");
        }
    }
}
