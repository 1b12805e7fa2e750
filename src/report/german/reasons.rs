//! The table: a reason that belegt gives, and its German. `{}` stands for what differs.

/// English, German.
pub const REASONS: &[(&str, &str)] = &[
    // The boundary table.
    (
        "a ticket in the inbox: formalise and triage it",
        "ein Ticket im Eingang: formalisieren und triagieren",
    ),
    (
        "a formless note in the inbox: make a ticket of it and triage it",
        "eine formlose Notiz im Eingang: zum Ticket machen und triagieren",
    ),
    (
        "actionable: no blocker, no person needed",
        "ausführbar: nichts blockiert, kein Mensch nötig",
    ),
    (
        "claimed by another host",
        "von einem anderen Rechner übernommen",
    ),
    (
        "handed to an agent, result pending",
        "an einen Agenten übergeben, Ergebnis steht aus",
    ),
    (
        "blocked; nothing shows that the blocker is gone",
        "blockiert; nichts zeigt, dass das Hindernis weg ist",
    ),
    (
        "blocked, and the blocker is shown to be gone",
        "war blockiert, das Hindernis ist nachweislich weg",
    ),
    ("not due yet", "noch nicht fällig"),
    (
        "due unknown: no date or marker that can be read",
        "Fälligkeit unbekannt: kein lesbares Datum und kein Marker",
    ),
    (
        "its date or marker has come",
        "Datum oder Marker ist eingetreten",
    ),
    (
        "only the person can decide, give or do it",
        "nur der Mensch kann es entscheiden, geben oder tun",
    ),
    (
        "parked; it needs an order or a trigger",
        "geparkt; braucht einen Auftrag oder Auslöser",
    ),
    (
        "in a legacy folder, never triaged",
        "in einem Altordner, nie triagiert",
    ),
    (
        "the ticket system cannot be read without a guess here",
        "das Ticketsystem ist hier nicht ohne Raten lesbar",
    ),
    (
        "an open line of the project's list",
        "ein offener Punkt der Projektliste",
    ),
    (
        "the line asks for the person",
        "der Punkt braucht den Menschen",
    ),
    (
        "an open gate whose condition can be brought about",
        "ein offenes Gate, dessen Bedingung sich herbeiführen lässt",
    ),
    (
        "a gate waits for consent: `belegt gate meet`",
        "ein Gate wartet auf Zustimmung: `belegt gate meet`",
    ),
    (
        "a gate without a proof path: restate it, or agree with `belegt gate meet`",
        "ein Gate ohne Belegweg: neu formulieren oder mit `belegt gate meet` zustimmen",
    ),
    ("not proven", "nicht belegt"),
    ("listed as blocked", "als blockiert geführt"),
    (
        "looks like a task, but does not say whether it is open",
        "sieht nach einer Aufgabe aus, sagt aber nicht, ob sie offen ist",
    ),
    ("its cooldown is over", "die Ruhezeit ist vorbei"),
    ("its cooldown still runs", "die Ruhezeit läuft noch"),
    ("settled as the person's", "dem Menschen zugewiesen"),
    (
        "an operation was interrupted and waits to be finished",
        "ein Vorgang wurde unterbrochen und wartet auf seinen Abschluss",
    ),
    (
        "under a lock that only the person lifts",
        "unter einer Sperre, die nur der Mensch aufhebt",
    ),
    (
        "irreversible or external, and no policy allows it",
        "unumkehrbar oder nach außen wirksam, und keine Policy erlaubt es",
    ),
    (
        "only a person can start this session or touch this hardware",
        "nur ein Mensch kann diese Sitzung starten oder diese Hardware bedienen",
    ),
    ("undecided", "unentschieden"),
    (
        "decided, and not implemented yet",
        "entschieden, noch nicht umgesetzt",
    ),
    (
        "decided since the baseline: it may free or ask for work",
        "seit dem Stichtag entschieden: kann Arbeit freigeben oder verlangen",
    ),
    (
        "an alias of another entry",
        "ein Alias eines anderen Eintrags",
    ),
    (
        "in the file of another host",
        "in der Datei eines anderen Rechners",
    ),
    (
        "the entry cannot be read without a guess",
        "der Eintrag ist nicht ohne Raten lesbar",
    ),
    (
        "an open note of an earlier session",
        "eine offene Notiz einer früheren Sitzung",
    ),
    (
        "an earlier session says how to go on",
        "eine frühere Sitzung sagt, wie es weitergeht",
    ),
    (
        "an open task in the memory",
        "eine offene Aufgabe im Gedächtnis",
    ),
    (
        "a lesson with a follow-up that is not done",
        "eine Lehre mit unerledigter Folgeaufgabe",
    ),
    (
        "a fact that points to work",
        "ein Fakt, der auf Arbeit hinweist",
    ),
    (
        "a pattern with high confidence",
        "ein Muster mit hoher Konfidenz",
    ),
    (
        "a pattern with medium confidence",
        "ein Muster mit mittlerer Konfidenz",
    ),
    (
        "low confidence: ask, never guess",
        "niedrige Konfidenz: fragen, nie raten",
    ),
    (
        "an open action that cannot be taken back",
        "eine offene Handlung, die sich nicht zurücknehmen lässt",
    ),
    (
        "an open entry of the action log",
        "ein offener Eintrag des Handlungslogs",
    ),
    // The kernel.
    (
        "{}; none of it is open work",
        "{}; nichts davon ist offene Arbeit",
    ),
    (
        "{}; handed out {} times without change",
        "{}; {}-mal ohne Änderung ausgegeben",
    ),
    (
        "handed out {} times without change",
        "{}-mal ohne Änderung ausgegeben",
    ),
    (
        "under the lock `{}`, which only the person lifts",
        "unter der Sperre `{}`, die nur der Mensch aufhebt",
    ),
    (
        "`{}` is irreversible or reaches outside, and no policy allows it",
        "`{}` ist unumkehrbar oder wirkt nach außen, und keine Policy erlaubt es",
    ),
    (
        "{} settled it as `user`: {}",
        "{} hat es dem Menschen zugewiesen: {}",
    ),
    ("declared absent: {}", "als abwesend erklärt: {}"),
    // The guard.
    ("nothing changed since {}", "unverändert seit {}"),
    (
        "something changed since {}",
        "seit {} hat sich etwas geändert",
    ),
    (
        "no chain run is on record",
        "kein Kettendurchlauf verzeichnet",
    ),
    ("the newest record is `{}`", "der letzte Eintrag ist `{}`"),
    (
        "the record of {} is older than the interval",
        "der Eintrag von {} ist älter als das Intervall",
    ),
    (
        "the record of {} lies in the future",
        "der Eintrag von {} liegt in der Zukunft",
    ),
    (
        "the guard was not to be asked",
        "der Guard sollte nicht gefragt werden",
    ),
    (
        "the inbox could not be read",
        "der Eingang war nicht lesbar",
    ),
    ("there is no ledger to ask", "es gibt kein Ledger zu fragen"),
    (
        "usmc holds a newer record: `{}` of {}",
        "USMC hat einen neueren Eintrag: `{}` von {}",
    ),
    ("the rule says no: {}", "die Regel sagt nein: {}"),
    // The built-in sources.
    (
        "the command {} is not on PATH",
        "der Befehl {} ist nicht im PATH",
    ),
    (
        "not authorised: a person allows it with {}",
        "nicht erlaubt: ein Mensch erlaubt es mit {}",
    ),
    (
        "{} decision(s) in {} file(s): none is open, pending or new",
        "{} Entscheidung(en) in {} Datei(en): keine ist offen, unerledigt oder neu",
    ),
    (
        "{} decision(s) in {} file(s)",
        "{} Entscheidung(en) in {} Datei(en)",
    ),
    (
        "no decision files in {}",
        "keine Entscheidungsdateien in {}",
    ),
    (
        "no task is open, and no note names a next step",
        "keine Aufgabe ist offen, keine Notiz nennt einen nächsten Schritt",
    ),
    (
        "{} open task(s) and note(s) with a next step",
        "{} offene Aufgabe(n) und Notiz(en) mit nächstem Schritt",
    ),
    (
        "{} note(s), {} lesson(s) and {} fact(s) read: none is open",
        "{} Notiz(en), {} Lehre(n) und {} Fakt(en) gelesen: nichts ist offen",
    ),
    (
        "{} note(s), {} lesson(s) and {} fact(s) read",
        "{} Notiz(en), {} Lehre(n) und {} Fakt(en) gelesen",
    ),
    (
        "no predictions and no action log",
        "keine Vorhersagen und kein Handlungslog",
    ),
    (
        "{} file(s) read, nothing is predicted or open",
        "{} Datei(en) gelesen, nichts ist vorhergesagt oder offen",
    ),
    (
        "{} prediction(s) and open action(s)",
        "{} Vorhersage(n) und offene Handlung(en)",
    ),
];
