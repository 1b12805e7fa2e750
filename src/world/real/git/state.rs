//! Where a work tree stands: the commit of HEAD and a digest of its files.

use super::super::{decoded, tree};
use super::Asked;
use crate::world::Answer;

impl Asked<'_> {
    /// The commit of HEAD; empty for an unborn branch.
    pub(super) fn head(&self) -> Result<String, Answer> {
        const UNBORN: i32 = 1;
        let ended = self.run(&["rev-parse", "--verify", "-q", "HEAD"])?;
        match ended.status {
            0 => Self::line(&ended, "the commit of HEAD"),
            UNBORN if self.is_unborn()? => Ok(String::new()),
            _ => Err(Self::refused(&ended)),
        }
    }

    /// Whether HEAD names a branch that does not exist yet, rather than a broken one.
    fn is_unborn(&self) -> Result<bool, Answer> {
        let ended = self.run(&["symbolic-ref", "-q", "HEAD"])?;
        if ended.status != 0 {
            return Ok(false);
        }
        let branch = Self::line(&ended, "the branch of HEAD")?;
        let ended = self.run(&["rev-parse", "--git-path", &branch])?;
        if ended.status != 0 {
            return Ok(false);
        }
        let place = Self::line(&ended, "the place of a branch")?;
        let place = decoded(self.root)?.join(place);
        match std::fs::symlink_metadata(&place) {
            Ok(meta) => Ok(meta.is_dir()),
            Err(error) => Ok(matches!(
                error.kind(),
                std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory
            )),
        }
    }

    /// A digest of the work tree.
    pub(super) fn tree(&self) -> Result<String, Answer> {
        let verb = [
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
        ];
        let ended = self.run(&verb)?;
        if ended.status != 0 {
            return Err(Self::refused(&ended));
        }
        let folder = self.git.roots.open_folder(self.root)?;
        tree::digest(&folder, &ended.stdout, (self.root, self.git.until))
    }
}
