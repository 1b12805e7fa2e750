//! The catalogue of codes: each unique, stable and described.

macro_rules! codes {
    ($($name:ident $code:literal $text:literal;)*) => {
        /// A stable code of a diagnostic.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code {
            $(#[doc = $text] $name,)*
        }

        impl Code {
            /// Every code there is.
            pub const ALL: &'static [Code] = &[$(Code::$name,)*];

            /// The code as it is shown.
            pub fn text(self) -> &'static str {
                match self { $(Code::$name => $code,)* }
            }

            /// One line on what it means.
            pub fn about(self) -> &'static str {
                match self { $(Code::$name => $text,)* }
            }
        }
    };
}

codes! {
    ScriptCompile "script::compile" "the script does not compile";
    ScriptSize "script::size" "the script is larger than 64 KiB, or holds a NUL or a byte order mark";
    ScriptTopLevel "script::top-level" "something other than `const`, `import` or `fn` stands at top level";
    ScriptEntry "script::entry" "an entry function is missing or takes other parameters";
    ScriptName "script::name" "a function or an import bears the name of a host module or constructor";
    ScriptFunction "script::function" "a function is called that does not exist, or with another number of arguments";
    ScriptMember "script::member" "a host module has no such function";
    ScriptGetter "script::getter" "a property is read that does not exist";
    ScriptShadow "script::shadow" "a function takes the place of one that the engine has";
    ScriptCompare "script::compare" "two values are compared that are never equal, or not reliably";
    ScriptReservedKey "script::reserved-key" "a word that the language keeps for itself is used as a key";
    ScriptBareConstant "script::bare-constant" "a constant of the file is used in a function without `global::`";
    ScriptConstant "script::constant" "a constant is changed";
    ScriptComment "script::comment" "a comment is not closed";
    ScriptUnused "script::unused" "a private function or an import is never used";
    ScriptAnswer "script::answer" "an entry can end without an answer";
    ScriptBlind "script::blind" "an entry asks the world and can never say that it could not";
    ScriptClosed "script::closed" "a function is called that the host has closed";
    ScriptOptional "script::optional" "a value that may be missing is read in a way that raises";
    ScriptClash "script::clash" "a script and its imports have functions that the engine would mix up";
    ScriptPlace "script::place" "a script lies where nothing ever calls it";
    ScriptImport "script::import" "an import is computed, unknown or goes in a circle";
    ScriptMissing "script::missing" "there is no script of that name in any layer";
    ScriptRead "script::read" "a script file or its folder cannot be read";
    ScriptUntrusted "script::untrusted" "the site's scripts are not trusted";
    MetaMissing "meta::missing" "`META` is missing or stands there twice";
    MetaLiteral "meta::literal" "a constant that is read without running is not a literal";
    MetaKey "meta::key" "a literal has an unknown key, a missing key or a value of another type";
    RunError "run::error" "the script failed while it ran";
    RunUnknown "run::unknown" "the script called or read something that does not exist";
    RunType "run::type" "the script gave something other than an answer of its entry";
    RunWork "run::work" "the script used up its script time";
    RunDeadline "run::deadline" "the call's deadline passed";
    RunSize "run::size" "a value grew beyond its limit";
    RunDepth "run::depth" "calls are nested too deeply";
    RunPanic "run::panic" "the script brought the engine down";
    RunLooking "run::looking" "the answer came without a look";
    RunBounds "run::bounds" "the rule answered outside of what the kernel allows";
    SettingsRead "settings::read" "a settings file cannot be read";
    SettingsKey "settings::key" "a settings file has an unknown key or a wrong value";
    SettingsTrust "settings::trust" "the site is not trusted, so its settings grant nothing";
    LangWord "lang::word" "a line looks like a command of the condition language and is none";
    LangSecond "lang::second" "a command stands inside a statement";
    LangCondition "lang::condition" "a statement has no condition";
    LangStep "lang::step" "a statement has no step";
    LangArrow "lang::arrow" "a statement has more than one arrow";
    LangQuote "lang::quote" "a quote is not closed on its line";
    LangControl "lang::control" "a statement holds a character that is not seen";
    LangJoin "lang::join" "a join stands where it joins nothing, or is misspelt";
    LangOperand "lang::operand" "a condition is missing beside a join or between parentheses";
    LangMixed "lang::mixed" "`/and` and `/or` stand on one level without parentheses";
    LangGroup "lang::group" "parentheses do not balance, or text follows a group";
    LangTwice "lang::twice" "a number is defined twice";
    LangUndefined "lang::undefined" "a number is not defined";
    LangCircle "lang::circle" "numbered conditions refer to each other in a circle";
    LangUnused "lang::unused" "a numbered condition blocks nothing";
    LangReference "lang::reference" "a numbered condition stands where the word asks for its own text";
    LangBounds "lang::bounds" "a statement or a document is larger than its bounds";
    LangNothing "lang::nothing" "the text holds no statement of the condition language";
    LangMore "lang::more" "there are more faults than are listed";
    Usage "usage" "the command line cannot be understood";
    Root "root" "the root folder does not exist or is no folder";
    Output "output" "standard output cannot be written";
    Terminal "terminal" "a person at a terminal is needed";
    Exists "exists" "a file that would be written exists already";
    State "state" "a file of the user's state folder cannot be read or written";
    Ledger "ledger" "the ledger cannot be used";
    Unknown "unknown" "what was named does not exist";
    Unavailable "unavailable" "a role, a work source or a rule cannot be asked";
    Declared "declared" "a role was declared absent, and the declaration ends";
    GateNothing "gate::nothing" "a text that was to open gates holds no condition";
    GateProof "gate::proof" "a gate that can be proven is not met by word";
    Input "input" "a text that was to be read cannot be read";
    Act "act" "the command of a step could not be started";
    GateRefused "gate::refused" "a condition cannot be read without a guess";
    Case "case" "a file of cases, or a case in it, is not written as it must be";
    Signal "signal" "a log holds no signal, or two different ones";
}

#[cfg(test)]
mod tests {
    use super::Code;

    #[test]
    fn codes_are_unique_and_described() {
        let mut seen = std::collections::BTreeSet::new();
        for code in Code::ALL {
            assert!(seen.insert(code.text()), "`{}` stands twice", code.text());
            assert!(!code.about().ends_with('.'));
        }
    }
}
