//! Tells cargo that the built-in scripts and pages are part of the program (the embedding macro alone
//! does not notice a new or changed file), and how the Linux program is linked.

fn main() {
    for folder in ["rules", "probes", "codes"] {
        watch(std::path::Path::new(folder));
    }
    link();
}

/// On Linux the program is linked to a fixed address. The time zone tables alone hold some
/// 50,000 pointers, and relocating them at each start costs a third of a whole guarded tick.
fn link() {
    let target = |name: &str| std::env::var(name).unwrap_or_default();
    if target("CARGO_CFG_TARGET_OS") == "linux" && target("CARGO_CFG_TARGET_ENV") == "gnu" {
        say("cargo::rustc-link-arg-bins=-no-pie");
    }
}

/// Watches a folder and everything below it.
fn watch(folder: &std::path::Path) {
    emit(folder);
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        match entry.path() {
            path if path.is_dir() => watch(&path),
            path => emit(&path),
        }
    }
}

fn emit(path: &std::path::Path) {
    say(&format!("cargo::rerun-if-changed={}", path.display()));
}

#[allow(
    clippy::print_stdout,
    reason = "this is how a build script speaks to cargo"
)]
fn say(line: &str) {
    println!("{line}");
}
