//! Did you mean: the known word that a misspelt one is nearest to.

/// The longest word that is compared, in characters; this bounds the work.
const LONGEST: usize = 40;

/// The known word that is nearest to `word`, at most `limit` edits away, or else one that begins
/// it or that it begins.
pub(super) fn closest<'a>(
    word: &str,
    known: impl Iterator<Item = &'a str> + Clone,
    limit: usize,
) -> Option<&'a str> {
    if word.chars().count() > LONGEST {
        return None;
    }
    let near = known.clone().map(|other| (distance(word, other), other));
    let near = near.filter(|(edits, _)| *edits <= limit).min();
    if let Some((_, other)) = near {
        return Some(other);
    }
    let mut related = known.filter(|other| word.starts_with(other) || other.starts_with(word));
    match limit > 1 {
        true => related.next(),
        false => None,
    }
}

/// Edits in characters; a swap of neighbours counts as one.
pub(super) fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut older: Vec<usize> = Vec::new();
    let mut old: Vec<usize> = (0..=b.len()).collect();
    let mut last_a = None;
    for (row_number, from) in a.chars().enumerate() {
        let mut row = vec![row_number + 1];
        let mut last_b = None;
        for (column, to) in b.iter().copied().enumerate() {
            let get = |row: &[usize], at: usize| row.get(at).copied().unwrap_or(LONGEST * 2);
            let mut cost = (get(&old, column) + usize::from(from != to))
                .min(get(&old, column + 1) + 1)
                .min(get(&row, column) + 1);
            if column > 0 && last_a == Some(to) && last_b == Some(from) {
                cost = cost.min(get(&older, column - 1) + 1);
            }
            row.push(cost);
            last_b = Some(to);
        }
        older = std::mem::replace(&mut old, row);
        last_a = Some(from);
    }
    old.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_are_found_and_far_ones_are_not() {
        let known = ["/if", "/condition", "/after"].into_iter();
        for (word, expected) in [
            ("/iffy", Some("/if")),
            ("/conditional", Some("/condition")),
            ("/cond", Some("/condition")),
            ("/fater", Some("/after")),
            ("/deploy", None),
        ] {
            assert_eq!(closest(word, known.clone(), 2), expected, "{word}");
        }
        assert_eq!(distance("ab", "ba"), 1);
        assert_eq!(closest("/iff", known.clone(), 1), Some("/if"));
        assert_eq!(closest(&"/".repeat(99), known, 2), None);
    }
}
