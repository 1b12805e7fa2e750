//! How many of a unit: `30`, `1,5`, `zwei`, `anderthalb`, `half an`, `2½`.

use super::scan::Scan;
use super::{units, words};

/// Parts of one.
pub(super) const ONE: u64 = 1_000_000_000;
/// The most digits before and behind the point.
const DIGITS: (usize, usize) = (12, 9);

/// A number in billionths, or why what looks like one is none.
#[derive(Debug, Clone)]
pub(super) struct Amount {
    /// The number times [`ONE`].
    pub billionths: u64,
    /// Why it cannot be taken.
    pub trouble: Option<String>,
    /// Whether it is a number in digits and nothing else.
    pub plain: bool,
}

impl Amount {
    fn of(billionths: u64) -> Self {
        Amount {
            billionths,
            trouble: None,
            plain: false,
        }
    }

    fn wrong(why: &str) -> Self {
        Amount {
            trouble: Some(why.to_owned()),
            ..Amount::of(0)
        }
    }

    /// Whether the number was small enough to be kept.
    pub fn is_in_range(&self) -> bool {
        self.billionths < u64::MAX
    }

    /// Whether it is a whole number.
    pub fn is_whole(&self) -> bool {
        self.billionths.is_multiple_of(ONE)
    }
}

/// Passes an amount; the cursor stays if none stands here.
pub(super) fn read(scan: &mut Scan<'_>) -> Option<Amount> {
    let mut ahead = *scan;
    let negative = ahead.eat_any(&['-', '\u{2212}']) || ahead.words(&["minus"]);
    if negative {
        ahead.space();
    }
    let amount = match ahead.sees(|c| c.is_ascii_digit()) {
        true => Some(digits(&mut ahead)),
        false => vulgar(&mut ahead)
            .map(Amount::of)
            .or_else(|| worded(&mut ahead)),
    };
    let mut amount = amount?;
    if ahead.any_words(&[&["and", "a", "half"], &["und", "eine", "halbe"]]) {
        amount.billionths = amount.billionths.saturating_add(ONE / 2);
    }
    if negative {
        amount = Amount::wrong("a gate cannot wait for a time before it was set");
    }
    *scan = ahead;
    Some(amount)
}

/// A number in digits, with at most one decimal point or comma.
fn digits(scan: &mut Scan<'_>) -> Amount {
    let whole = scan.digits();
    let mut fraction = "";
    if let Some(part) = decimals(scan) {
        fraction = part;
        let mut more = false;
        while decimals(scan).is_some() {
            more = true;
        }
        if more {
            return Amount::wrong("a number has at most one decimal point");
        }
    }
    if whole.len() > DIGITS.0 || fraction.len() > DIGITS.1 {
        return Amount::wrong("the number is out of range");
    }
    if fraction.len() == 3 && !whole.trim_start_matches('0').is_empty() {
        return Amount::wrong("three digits behind a point may be thousands; write it without");
    }
    let number = |digits: &str| digits.parse::<u64>().unwrap_or(0);
    let parts = number(&format!("{fraction:0<9}"));
    let half = vulgar(scan).unwrap_or(0);
    // What leaves the range ends at its end, and the length is refused.
    let billionths = number(whole).saturating_mul(ONE).saturating_add(parts);
    Amount {
        plain: true,
        ..Amount::of(billionths.saturating_add(half))
    }
}

/// Passes a point or comma with digits behind it.
fn decimals<'a>(scan: &mut Scan<'a>) -> Option<&'a str> {
    let mut ahead = *scan;
    if !ahead.eat_any(&['.', ',']) {
        return None;
    }
    let digits = ahead.digits();
    (!digits.is_empty()).then(|| {
        *scan = ahead;
        digits
    })
}

/// `½`, `¼`, `¾`.
fn vulgar(scan: &mut Scan<'_>) -> Option<u64> {
    let parts = match scan.peek()? {
        '½' => ONE / 2,
        '¼' => ONE / 4,
        '¾' => ONE / 4 * 3,
        _ => return None,
    };
    scan.eat_any(&['½', '¼', '¾']);
    Some(parts)
}

/// An amount in words.
fn worded(scan: &mut Scan<'_>) -> Option<Amount> {
    if scan.any_words(&[&["half", "an"], &["half", "a"]]) {
        return Some(Amount::of(ONE / 2));
    }
    if scan.any_words(&[&["a", "quarter", "of", "an"], &["quarter", "of", "an"]]) {
        return Some(Amount::of(ONE / 4));
    }
    let mut ahead = *scan;
    let article = ["a", "an", "ein", "eine", "einer", "einem", "einen"];
    let first = ahead.word();
    let mut behind = ahead;
    behind.space();
    let second = behind.word();
    let amount = if first.is_empty() {
        None
    } else if article.contains(&first.as_str()) && fraction(&second).is_some() {
        ahead = behind;
        fraction(&second)
    } else if article.contains(&first.as_str()) && words::is_vague(&second) {
        ahead = behind;
        ahead.words(&["of"]);
        Some(vague())
    } else if words::is_vague(&first) {
        ahead.words(&["of"]);
        Some(vague())
    } else {
        fraction(&first).or_else(|| units::number(&first).map(|n| Amount::of(u64::from(n) * ONE)))
    };
    *scan = if amount.is_some() { ahead } else { *scan };
    amount
}

fn vague() -> Amount {
    Amount::wrong("how many is a guess; write a number")
}

/// `half`, `halben`, `anderthalb`, `zweieinhalb`, `dreiviertel`.
fn fraction(word: &str) -> Option<Amount> {
    let parts = match word {
        "half" | "halb" | "halbe" | "halben" | "halber" | "halbes" => ONE / 2,
        "anderthalb" | "anderthalbe" | "anderthalben" => ONE / 2 * 3,
        "viertel" => ONE / 4,
        "dreiviertel" => ONE / 4 * 3,
        other => {
            let number = other.strip_suffix("einhalb")?;
            let number = number.strip_suffix("und").unwrap_or(number);
            u64::from(units::number(number)?) * ONE + ONE / 2
        }
    };
    Some(Amount::of(parts))
}
