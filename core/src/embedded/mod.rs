//! `embedded:<dir>`: a private server on a Unix socket in that folder.
//!
//! The first process that needs it starts it, others attach; it stops with its owner, however the owner ends,
//! and the next process that needs it starts it again on the same data. It is a real server each time.

mod find;
mod server;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use nix::fcntl::{Flock, FlockArg};

use crate::error::{Error, ErrorKind, Result};
use crate::fork::{Abandon, ForkCell};
use server::Server;

/// The kernel's limit for the path of a Unix socket is 108 bytes with the final NUL.
const MAX_SOCKET_PATH: usize = 107;

/// One client's share in the server of a folder.
pub(crate) struct Embedded {
    dir: PathBuf,
    binary: Option<PathBuf>,
    share: ForkCell<Share>,
}

/// Set in the process that started the server; a forked child has no share and only attaches.
#[derive(Default)]
struct Share(Mutex<Option<Arc<Server>>>);

impl Abandon for Share {
    fn abandon(&self) {}
}

impl Embedded {
    /// Makes sure that a server runs in this folder, which is created if need be.
    pub(crate) fn open(dir: &str, binary: Option<&Path>) -> Result<Self> {
        let dir = absolute(dir)?;
        let embedded = Embedded { dir, binary: binary.map(Path::to_owned), share: ForkCell::new() };
        if embedded.socket().as_os_str().len() > MAX_SOCKET_PATH {
            return Err(Error::invalid(format!(
                "the folder's path is too long for a Unix socket (over {MAX_SOCKET_PATH} bytes with its name); choose a shorter one"
            )));
        }
        embedded.ensure_running()?;
        Ok(embedded)
    }

    pub(crate) fn socket(&self) -> PathBuf {
        self.dir.join(server::SOCKET)
    }

    /// Starts the server if it does not run; only one process at a time looks and starts.
    pub(crate) fn ensure_running(&self) -> Result<()> {
        let _lock = lock_folder(&self.dir)?;
        if server::answers(&self.socket()) {
            let mut share = self.share();
            if share.is_none() {
                *share = server::registered(&self.dir);
            }
            return Ok(());
        }
        let binary = find::server(self.binary.as_deref())?;
        *self.share() = Some(server::start(&self.dir, &binary)?);
        Ok(())
    }

    /// Gives up this client's share; the last share of the owner's process stops the server.
    pub(crate) fn release(&self) {
        let Some(share) = self.share().take() else { return };
        // Held until the server is gone, so that nobody attaches to one that is about to end.
        let _lock = lock_folder(&self.dir);
        drop(share);
    }

    fn share(&self) -> std::sync::MutexGuard<'_, Option<Arc<Server>>> {
        self.share.get().0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn absolute(dir: &str) -> Result<PathBuf> {
    if dir.is_empty() {
        return Err(Error::invalid("embedded: needs a folder, as in embedded:./data"));
    }
    let unusable = |e: std::io::Error| {
        Error::invalid(format!("the folder {dir:?} of the embedded server cannot be used: {e}"))
            .with_source(e)
    };
    fs::create_dir_all(dir).map_err(unusable)?;
    fs::canonicalize(dir).map_err(unusable)
}

fn lock_folder(dir: &Path) -> Result<Flock<fs::File>> {
    let path = dir.join("delayq.lock");
    let failed = |e: &dyn std::fmt::Display| {
        Error::new(ErrorKind::Unavailable, format!("{} cannot be locked: {e}", path.display()))
    };
    let file = fs::OpenOptions::new().create(true).append(true).open(&path).map_err(|e| failed(&e))?;
    Flock::lock(file, FlockArg::LockExclusive).map_err(|(_, e)| failed(&e))
}
