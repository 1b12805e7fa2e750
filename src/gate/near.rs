//! Near matches: a step that is asked for in nearly the words of a blocked one.
//!
//! INVARIANT: a near match never opens anything; it only makes an answer uncertain.

use std::collections::BTreeSet;

use crate::model::gate::step::normal;

/// Longer steps are compared by their words alone.
const LONGEST: usize = 200;

/// The blocked step that is nearly the asked one, if there is one; the nearest.
pub fn nearest<'a>(asked: &str, steps: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let asked = normal(asked);
    let words = words_of(&asked);
    let scored = steps.filter_map(|step| Some((score(&asked, &words, step)?, step)));
    scored.min_by_key(|(score, _)| *score).map(|(_, step)| step)
}

fn words_of(step: &str) -> BTreeSet<&str> {
    let words = step.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| !word.is_empty()).collect()
}

/// How far a step is away, in thousandths; nothing if it is another step.
fn score(asked: &str, words: &BTreeSet<&str>, step: &str) -> Option<usize> {
    let others = words_of(step);
    let shared = words.intersection(&others).count();
    let most = words.len().max(others.len()).max(1);
    let least = words.len().min(others.len());
    // One holds the other whole, or they are the same words but for one or two.
    let is_near = least > 0 && shared == least || least >= 2 && shared * 5 >= most * 3;
    let by_words = is_near.then(|| 1000 - shared * 1000 / most);
    let by_letters = letters(asked, step);
    [by_words, by_letters].into_iter().flatten().min()
}

/// A few letters differ: at most one in five.
fn letters(asked: &str, step: &str) -> Option<usize> {
    let (a, b): (Vec<char>, Vec<char>) = (asked.chars().collect(), step.chars().collect());
    let longest = a.len().max(b.len());
    let most = longest / 5;
    if longest > LONGEST || a.len().abs_diff(b.len()) > most || most == 0 {
        return None;
    }
    let distance = distance(&a, &b);
    (distance <= most).then(|| distance * 1000 / longest)
}

/// How many letters have to be put in, taken out or replaced (Levenshtein).
fn distance(a: &[char], b: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        for (y, cell) in b.iter().zip(row.iter_mut().skip(1)) {
            let replaced = diagonal + usize::from(x != y);
            diagonal = *cell;
            *cell = replaced.min(left + 1).min(diagonal + 1);
            left = *cell;
        }
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_in_other_words_is_near_and_another_step_is_not() {
        let steps = ["alte dateien löschen", "release bauen", "mergen"];
        let near = |asked| nearest(asked, steps.into_iter());
        assert_eq!(near("Dateien löschen"), Some("alte dateien löschen"));
        assert_eq!(near("alte Dateien loeschen"), Some("alte dateien löschen"));
        assert_eq!(near("löschen alte Dateien"), Some("alte dateien löschen"));
        assert_eq!(near("Release baue"), Some("release bauen"));
        assert_eq!(near("merge"), Some("mergen"));
        assert_eq!(near("Release testen"), None);
        assert_eq!(near("mergen && deployen"), Some("mergen"));
        assert_eq!(near("bitte jetzt mergen"), Some("mergen"));
        assert_eq!(near("Release"), Some("release bauen"));
        assert_eq!(near("Bericht schreiben"), None);
    }

    #[test]
    fn distances_are_counted() {
        let of = |a: &str, b: &str| {
            distance(
                &a.chars().collect::<Vec<_>>(),
                &b.chars().collect::<Vec<_>>(),
            )
        };
        assert_eq!(of("kitten", "sitting"), 3);
        assert_eq!(of("", "abc"), 3);
        assert_eq!(of("abc", "abc"), 0);
    }
}
