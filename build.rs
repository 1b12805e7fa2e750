//! Tells cargo that the built-in scripts are part of the program: the embedding macro alone
//! does not notice a new or changed file.

fn main() {
    for folder in ["rules", "probes"] {
        watch(std::path::Path::new(folder));
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

#[expect(
    clippy::print_stdout,
    reason = "this is how a build script speaks to cargo"
)]
fn emit(path: &std::path::Path) {
    println!("cargo::rerun-if-changed={}", path.display());
}
