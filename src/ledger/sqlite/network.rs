//! Network and synchronised folders: refused, since neither locks nor the shared memory of the
//! write-ahead log hold there.
//!
//! Facts: SQLite's page on WAL ("all processes using a database must be on the same host"); the
//! numbers are those of `linux/magic.h` and of the file systems' own sources.

use std::path::Path;

use super::place::Place;
use crate::ledger::fault::LedgerFault;

/// File systems by their number on Linux, with the words for a person.
#[cfg(any(target_os = "linux", test))]
const NETWORK: [(u32, &str); 19] = [
    (0x6969, "NFS, a network file system"),
    (0x517b, "SMB, a network file system"),
    (0xff53_4d42, "CIFS, a network file system"),
    (0xfe53_4d42, "SMB, a network file system"),
    (0x0102_1997, "9p, a folder of another host"),
    (
        0x6573_5546,
        "FUSE or virtiofs, a folder of another host or program",
    ),
    (0x0bd0_0bd0, "Lustre, a network file system"),
    (0x4750_4653, "GPFS, a network file system"),
    (0x5346_414f, "AFS, a network file system"),
    (0x6b41_4653, "AFS, a network file system"),
    (0x7375_7245, "Coda, a network file system"),
    (0x564c, "NCP, a network file system"),
    (0x00c3_6400, "Ceph, a network file system"),
    (0x0116_1970, "GFS2, a cluster file system"),
    (0x7461_636f, "OCFS2, a cluster file system"),
    (0x1983_0326, "BeeGFS, a network file system"),
    (0x2003_0528, "OrangeFS, a network file system"),
    (0x786f_4256, "a folder that VirtualBox shares"),
    (0xbacb_acbc, "a folder that VMware shares"),
];

/// Folder names under which programs synchronise files.
const SYNCHRONISED: [&str; 8] = [
    "Dropbox",
    "OneDrive",
    "Google Drive",
    "GoogleDrive",
    "iCloudDrive",
    "Mobile Documents",
    "CloudStorage",
    "Nextcloud",
];

/// Refuses a place where locks do not hold.
pub fn refuse(place: &Place) -> Result<(), LedgerFault> {
    let kind = match synchronised(&place.path) {
        Some(kind) => Some(kind),
        None => network(place.folder()),
    };
    match kind {
        None => Ok(()),
        Some(kind) => Err(LedgerFault::NetworkFolder {
            path: place.shown.clone(),
            kind,
        }),
    }
}

fn synchronised(path: &Path) -> Option<String> {
    let mut names = path.components().filter_map(|c| c.as_os_str().to_str());
    let name = names.find(|n| SYNCHRONISED.contains(n))?;
    Some(format!("`{name}`, a synchronised folder"))
}

#[cfg(target_os = "linux")]
fn network(folder: &Path) -> Option<String> {
    // The width of the number differs between platforms; the number itself has 32 bits.
    let number = rustix::fs::statfs(folder).ok()?.f_type as u32;
    named(number).map(str::to_string)
}

/// `MNT_LOCAL` of `sys/mount.h`: set on every file system that is stored on this host.
#[cfg(target_os = "macos")]
fn network(folder: &Path) -> Option<String> {
    const MNT_LOCAL: u32 = 0x1000;
    let flags = rustix::fs::statfs(folder).ok()?.f_flags;
    (flags & MNT_LOCAL == 0).then(|| "a network file system".to_string())
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn network(_: &Path) -> Option<String> {
    None
}

#[cfg(any(target_os = "linux", test))]
fn named(number: u32) -> Option<&'static str> {
    let row = NETWORK.iter().find(|(n, _)| *n == number);
    row.map(|(_, words)| *words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn network_file_systems_are_named_and_local_ones_are_not() {
        for number in [
            0x6969,
            0x517b,
            0xff53_4d42,
            0x0102_1997,
            0x6573_5546,
            0x0bd0_0bd0,
        ] {
            assert!(named(number).is_some(), "{number:x}");
        }
        // ext4, XFS, Btrfs, tmpfs, overlay, ZFS.
        for number in [
            0xef53,
            0x5846_5342,
            0x9123_683e,
            0x0102_1994,
            0x794c_7630,
            0x2fc1_2fc1,
        ] {
            assert_eq!(named(number), None, "{number:x}");
        }
    }

    #[test]
    fn a_synchronised_folder_is_refused_with_its_name() {
        let place = |path: &str| Place {
            path: path.into(),
            shown: path.to_string(),
            file: None,
        };
        let fault = refuse(&place("/home/x/Dropbox/p/.belegt/ledger.db")).unwrap_err();
        assert_eq!(fault.code(), "ledger::network-folder");
        assert!(fault.to_string().contains("`Dropbox`"));
        assert_eq!(refuse(&place("/p/dropbox/.belegt/ledger.db")), Ok(()));
    }
}
