//! Sleeping until a folder changes or a time has passed: inotify(7) on Linux, elsewhere time
//! alone, at a short pace.

use std::path::Path;
use std::time::Duration;

/// Folders that wake a sleep.
pub struct Watch {
    #[cfg(target_os = "linux")]
    handle: Option<rustix::fd::OwnedFd>,
}

#[cfg(target_os = "linux")]
impl Watch {
    /// Watches nothing yet.
    pub fn new() -> Self {
        use rustix::fs::inotify;
        let flags = inotify::CreateFlags::CLOEXEC | inotify::CreateFlags::NONBLOCK;
        Watch {
            handle: inotify::init(flags).ok(),
        }
    }

    /// Watches a folder; one that cannot be watched is left to the pace of the caller.
    pub fn add(&mut self, folder: &Path) {
        use rustix::fs::inotify::{self, WatchFlags};
        let Some(handle) = &self.handle else {
            return;
        };
        let changes = WatchFlags::CREATE
            | WatchFlags::CLOSE_WRITE
            | WatchFlags::MOVED_TO
            | WatchFlags::MOVED_FROM
            | WatchFlags::DELETE
            | WatchFlags::ATTRIB;
        // A limit of the system or a folder that is gone: time alone will wake then.
        let _ = inotify::add_watch(handle, folder, changes);
    }

    /// Forgets the changes that were seen until now.
    pub fn forget(&mut self) {
        let mut bytes = [std::mem::MaybeUninit::<u8>::uninit(); 4096];
        if let Some(handle) = &self.handle {
            // Ends with an error once nothing is left to read.
            while rustix::io::read(handle, &mut bytes).is_ok_and(|(read, _)| !read.is_empty()) {}
        }
    }

    /// Sleeps until something changes, at most so long. Other writers change several files at
    /// once; what follows within a moment belongs to the same change.
    pub fn sleep(&self, longest: Duration) {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        const SETTLE: Duration = Duration::from_millis(50);
        let Some(handle) = &self.handle else {
            std::thread::sleep(longest);
            return;
        };
        let mut ready = [PollFd::new(handle, PollFlags::IN)];
        let timeout = Timespec::try_from(longest).ok();
        // A signal ends the sleep early, which costs one check.
        if poll(&mut ready, timeout.as_ref()).is_ok_and(|count| count > 0) {
            std::thread::sleep(SETTLE.min(longest));
        }
    }
}

#[cfg(not(target_os = "linux"))]
impl Watch {
    /// Nothing can be watched here.
    pub fn new() -> Self {
        Watch {}
    }

    /// Nothing can be watched here.
    pub fn add(&mut self, _folder: &Path) {}

    /// Nothing was seen.
    pub fn forget(&mut self) {}

    /// Sleeps a short time.
    pub fn sleep(&self, longest: Duration) {
        const PACE: Duration = Duration::from_secs(5);
        std::thread::sleep(longest.min(PACE));
    }
}
