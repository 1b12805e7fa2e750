//! Files that are written whole, below a folder, through no link.

use std::fs;
use std::os::unix::fs::symlink;

use super::*;

fn draft<'a>(below: &'a str, text: &'a str) -> Draft<'a> {
    Draft {
        below,
        text,
        id: "00ff",
    }
}

/// Every name below a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        names.push(path.display().to_string());
        if path.is_dir() && !path.is_symlink() {
            names.extend(self::names(&path));
        }
    }
    names.sort();
    names
}

#[test]
fn a_new_file_is_whole_and_nothing_else_is_left() {
    let base = tempfile::tempdir().unwrap();
    create(base.path(), draft("a/b/c.rhai", "text\n")).unwrap();
    let place = base.path().join("a/b/c.rhai");
    assert_eq!(fs::read_to_string(&place).unwrap(), "text\n");
    assert_eq!(names(&base.path().join("a/b")).len(), 1);
    let again = create(base.path(), draft("a/b/c.rhai", "other\n"));
    assert!(matches!(again, Err(Refusal::Exists)), "{again:?}");
    assert_eq!(fs::read_to_string(&place).unwrap(), "text\n");
    assert_eq!(names(&base.path().join("a/b")).len(), 1);
    replace(base.path(), draft("a/b/c.rhai", "other\n")).unwrap();
    assert_eq!(fs::read_to_string(&place).unwrap(), "other\n");
    assert_eq!(names(&base.path().join("a/b")).len(), 1);
}

#[test]
fn no_link_is_followed_below_the_folder() {
    let outside = tempfile::tempdir().unwrap();
    let base = tempfile::tempdir().unwrap();
    symlink(outside.path(), base.path().join("way")).unwrap();
    let refused = create(base.path(), draft("way/c.rhai", "text"));
    let Err(Refusal::Fault(fault)) = refused else {
        panic!("{refused:?}");
    };
    assert!(fault.message().contains("link"), "{fault}");
    for target in [outside.path().join("new"), outside.path().join("none/new")] {
        let link = base.path().join("c.rhai");
        let _ = fs::remove_file(&link);
        symlink(&target, &link).unwrap();
        let refused = create(base.path(), draft("c.rhai", "text"));
        assert!(matches!(refused, Err(Refusal::Exists)), "{refused:?}");
    }
    replace(base.path(), draft("c.rhai", "text")).unwrap();
    assert!(!base.path().join("c.rhai").is_symlink());
    assert!(names(outside.path()).is_empty());
}

#[test]
fn a_file_on_the_way_is_told() {
    let base = tempfile::tempdir().unwrap();
    fs::write(base.path().join("a"), "").unwrap();
    let refused = create(base.path(), draft("a/c.rhai", "text"));
    let Err(Refusal::Fault(fault)) = refused else {
        panic!("{refused:?}");
    };
    assert!(fault.message().ends_with("is no folder"), "{fault}");
}
