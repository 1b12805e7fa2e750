//! The fixed words of reports, in English and German.

/// The words of one language.
pub struct Words {
    /// Heading over open work.
    pub work: &'static str,
    /// Heading over the user bundle.
    pub bundle: &'static str,
    /// One line instead of an unchanged bundle.
    pub bundle_same: &'static str,
    /// Heading over what rests.
    pub rest: &'static str,
    /// Heading over the roles.
    pub sources: &'static str,
    /// Heading over work probes that could not be asked.
    pub probes: &'static str,
    /// The four status words: found, empty, unavailable, absent.
    pub status: [&'static str; 4],
    /// In front of a remedy.
    pub remedy: &'static str,
    /// What can be done about a role where nothing better is known.
    pub declare: &'static str,
    /// In front of a place.
    pub at: &'static str,
    /// Located, but not read in this tick.
    pub located: &'static str,
    /// Headings over gates: met in this tick, forbidden steps, not asked.
    pub gates: [&'static str; 3],
    /// In front of the guard's word.
    pub guard: &'static str,
    /// In front of the number of settled news.
    pub settled: &'static str,
    /// In front of the next instant.
    pub next: &'static str,
    /// In front of the person's lock.
    pub paused: &'static str,
    /// When the tick is not in the ledger.
    pub unrecorded: &'static str,
    /// Beside an item: how often it was handed out.
    pub handed_out: &'static str,
    /// Beside a stalled inbox.
    pub stalled: &'static str,
    /// After a cut list.
    pub more: &'static str,
    /// A reason in this language.
    pub reason: fn(&str) -> String,
    /// One sentence for each verdict: continue, exhausted, blind, guard exhausted, guard blind,
    /// user-only.
    pub sentences: [&'static str; 6],
}

/// The words of a language.
pub fn words(german: bool) -> &'static Words {
    if german { &GERMAN } else { &ENGLISH }
}

const ENGLISH: Words = Words {
    work: "Work",
    bundle: "Waiting for the person",
    bundle_same: "Waiting for the person: unchanged since the last tick",
    rest: "In nobody's way",
    sources: "Sources",
    probes: "Could not be asked",
    status: ["found", "empty", "unavailable", "absent"],
    remedy: "remedy",
    declare: "make it available; if this site does not use it, declare the role absent (`belegt doctor` shows how)",
    at: "at",
    located: "located, not read in this tick",
    gates: [
        "Met now, these steps may follow",
        "Forbidden until proven",
        "Gates whose proof could not be asked",
    ],
    guard: "Guard",
    settled: "Settled news this rests on",
    next: "Next change by time alone",
    paused: "Paused by",
    unrecorded: "This tick is not in the ledger.",
    handed_out: "handed out",
    stalled: "stalled",
    more: "more",
    reason: str::to_string,
    sentences: [
        "There is autonomous work.",
        "Everything was asked, everything was empty: proven, no work is left.",
        "Not everything could be asked. This is a gap, not a state of the work.",
        "Still no autonomous work, nothing changed since the last full check.",
        "Still blind, no source became available since the last full check.",
        "Nothing is left that can be done without the person.",
    ],
};

const GERMAN: Words = Words {
    work: "Arbeit",
    bundle: "Wartet auf den Menschen",
    bundle_same: "Wartet auf den Menschen: unverändert seit dem letzten Tick",
    rest: "Steht niemandem im Weg",
    sources: "Quellen",
    probes: "Nicht befragbar",
    status: ["gefunden", "leer", "nicht verfügbar", "abwesend"],
    remedy: "Abhilfe",
    declare: "verfügbar machen; wenn dieser Ort sie nicht nutzt, die Rolle als abwesend erklären (`belegt doctor` zeigt wie)",
    at: "bei",
    located: "verortet, in diesem Tick nicht gelesen",
    gates: [
        "Jetzt erfüllt, diese Schritte dürfen folgen",
        "Verboten, bis es belegt ist",
        "Gates, deren Beleg nicht zu erfragen war",
    ],
    guard: "Guard",
    settled: "Erledigte Neuigkeiten, auf denen das beruht",
    next: "Nächste Änderung allein durch Zeit",
    paused: "Angehalten durch",
    unrecorded: "Dieser Tick steht nicht im Ledger.",
    handed_out: "ausgegeben",
    stalled: "steht",
    more: "weitere",
    reason: super::german::reason,
    sentences: [
        "Es gibt autonome Arbeit.",
        "Alles wurde befragt, alles war leer: belegt, keine Arbeit mehr.",
        "Nicht alles war befragbar. Das ist eine Lücke, kein Arbeitsstand.",
        "Weiterhin keine autonome Arbeit, unverändert seit der letzten vollen Prüfung.",
        "Weiterhin blind, seit der letzten vollen Prüfung ist keine Quelle verfügbar geworden.",
        "Es ist nichts übrig, was ohne den Menschen geht.",
    ],
};
