//! What can be asked of git.
//!
//! INVARIANT: each question is answered by fixed verbs, and by none that runs a program which
//! the repository chose. Only [`GitAsk::RemoteTip`] leaves this machine.

use serde::{Deserialize, Serialize};

/// A question to git about one repository.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GitAsk {
    /// The commit that HEAD names, in hex; empty for an unborn branch.
    Head,
    /// A digest of the work tree's state: paths, sizes and times of tracked and untracked
    /// files, without `.belegt/`.
    Tree,
    /// The operation that was interrupted: `merge`, `rebase`, `cherry-pick`, `revert`,
    /// `bisect`; empty for none. Reads the git folder, starts no process.
    Interrupted,
    /// The remotes, as a list of `{ name, url }` sorted by name.
    Remotes,
    /// `{ branch, remote, reference, lacks }` of HEAD. `lacks` is empty, `branch` (HEAD is
    /// detached) or `upstream`; what is lacking is null.
    Upstream,
    /// The full id of the commit that a name or an abbreviated id resolves to here.
    Commit {
        /// The name.
        name: String,
    },
    /// `{ shallow, partial }`: whether a part of the history or of the objects is not here.
    Shallow,
    /// `{ commit, tip, contains }`: whether the history of `tip` holds `commit`. Answered only
    /// if both are here, and "no" only if no history is cut off.
    Contains {
        /// A full id.
        commit: String,
        /// A full id.
        tip: String,
    },
    /// The submodules of a commit, as a list of `{ path, commit }`.
    Gitlinks {
        /// A full id.
        commit: String,
    },
    /// `{ remote, url, reference, tip }`: what a remote says **now**; `tip` is null if it has
    /// no such reference. The remote-tracking references of the repository are not read.
    RemoteTip {
        /// The name of a remote of the repository.
        remote: String,
        /// The full name of a reference, such as `refs/heads/main`.
        reference: String,
    },
}
